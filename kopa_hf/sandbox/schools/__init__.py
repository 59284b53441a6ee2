"""Schools: 12,000 invented ones in real districts, seen by NEIS, 학교알리미 and the ministry's statistics alike."""
