"""Who sat in the board meeting that decided: the columns that close most material-event reports."""

from __future__ import annotations

import datetime

from kopa_hf.sandbox.calendar import hangul
from kopa_hf.sandbox.rng import Stream


def board(stream: Stream, day: datetime.date, decided: str = "bddd") -> dict[str, str]:
    """Decision day, outside directors present and absent, auditor's presence."""
    return {
        decided: hangul(day),
        "od_a_at_t": str(stream.between(1, 4)),
        "od_a_at_b": "-" if stream.chance(0.8) else "1",
        "adt_a_atn": "참석",
    }
