"""What the operations on courses, panels of children and research hang on: numbered things alone."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.agencies.numbered import serials

KINDS: Final = (
    serials("nile.course_id", 1_800, 10_001),
    serials("kicce.survey_id", 24, 1, "SRVY", 4),
    # the part of the foundation's registers that all its services speak of: what one list names, the others know
    serials("nrf.institution", 90, 1, "INS", 9),
    serials("nrf.journal", 120, 1, "SER", 9),
    serials("nrf.article", 200, 1_000_001, "ART", 9),
    serials("nrf.foreign_school", 60, 1, "FS", 4),
    serials("nrf.project", 200, 1, "2024R1A", 6),
    serials("nrf.programme", 40, 1, "B", 4),
)
