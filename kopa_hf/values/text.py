"""Plain text: one normal form."""

from __future__ import annotations

import unicodedata


def normalize_text(text: str) -> str:
    """NFC without outer blanks. No width folding: it would change ㎡ or ①."""
    return unicodedata.normalize("NFC", text).strip()
