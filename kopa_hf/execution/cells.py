"""How the cells of a kept result are read: as a number, as a date, as text, or not at all.

Nothing is guessed: a cell that the grammar does not cover is unreadable, and
who asks must say so rather than take it for 0.
"""

from __future__ import annotations

import datetime
import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Literal

from kopa_hf.values import ValueFailure
from kopa_hf.values.date import read_date as read_whole_date
from kopa_hf.values.number import read_quantity

Kind = Literal["number", "date", "text"]

_BLANK: Final = frozenset({"", "-", "–", "—", "N/A", "n/a", "null", "해당없음", "해당사항없음"})
# What nearly all cells are; everything else goes to the grammars of `kopa_hf.values`.
_PLAIN_NUMBER: Final = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_SIGNED: Final = re.compile(r"(?P<mark>[△▲▽▼])\s?(?P<body>\d.*)|\((?P<inner>[\d,.]+)\)")
_PLAIN_DATE: Final = re.compile(
    r"(?P<y>\d{4})(?P<s>[-./]?)(?P<m>\d{2})(?P=s)(?P<d>\d{2})(?:[ T]?(?P<h>\d{2}):?(?P<i>\d{2})(?::?\d{2})?)?"
)
_DIGIT: Final = re.compile(r"\d")
_REMEMBERED: Final = 1 << 16
"""Texts whose reading is kept: the cells of a column are read again for every question that is asked of it."""


def is_blank(cell: Any) -> bool:
    """True where the service says that there is no value: null, nothing, a dash."""
    return cell is None or (isinstance(cell, str) and cell.strip() in _BLANK)


def cell_text(cell: Any) -> str:
    """A cell as text for comparison: NFC, blanks at the ends dropped."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return unicodedata.normalize("NFC", str(cell)).strip()


def read_number(cell: Any) -> Fraction | None:
    """The exact number in a cell, separators and one unit allowed; None where it holds none.

    △ and ▽ and parentheses are minus signs of accounting; a cell without a digit is never a number.
    """
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, (int, Decimal)):
        return Fraction(cell)
    if isinstance(cell, float):
        return Fraction(str(cell)) if math.isfinite(cell) else None
    return _number_in(str(cell).strip())


@lru_cache(maxsize=_REMEMBERED)
def _number_in(text: str) -> Fraction | None:
    if _PLAIN_NUMBER.fullmatch(text):
        return Fraction(text.replace(",", ""))
    if not _DIGIT.search(text):  # a name such as 이사 would be 24 in Hangul
        return None
    signed = _SIGNED.fullmatch(text)
    try:
        value = read_quantity((signed["body"] or signed["inner"]) if signed else text).value
    except ValueFailure:
        return None
    return -value if signed and signed["mark"] != "▲" else value


def read_date(cell: Any) -> str | None:
    """A date, with hour and minute where they stand, as text that sorts; None where the cell holds none."""
    if isinstance(cell, bool) or not isinstance(cell, str | int):
        return None
    return _date_in(str(cell).strip())


@lru_cache(maxsize=_REMEMBERED)
def _date_in(text: str) -> str | None:
    found = _PLAIN_DATE.fullmatch(text)
    try:
        if found is None:
            return _spelled_date(text)
        date = datetime.date(int(found["y"]), int(found["m"]), int(found["d"]))
        if not found["h"]:
            return date.isoformat()
        hour, minute = int(found["h"]), int(found["i"])
        moment = datetime.datetime.combine(date, datetime.time(hour % 24, minute))
        if hour == 24 and minute == 0:
            moment += datetime.timedelta(days=1)
        elif hour >= 24:
            return None
    except (ValueError, OverflowError):
        return None
    return moment.isoformat(" ", "minutes")


def _spelled_date(text: str) -> str | None:
    """Other spellings of a whole day (2026년 1월 5일); ones with a time are not taken for the day."""
    if ":" in text or len(text) > 40 or not _DIGIT.search(text):
        return None
    try:
        return read_whole_date(text).isoformat()
    except ValueFailure:
        return None


def column_kind(cells: Sequence[Any]) -> Kind:
    """What most cells of a column can be read as; numbers win where digits could be either."""
    numbers = sum(read_number(cell) is not None for cell in cells)
    dates = sum(read_date(cell) is not None for cell in cells)
    if numbers == dates == 0:
        return "text"
    return "number" if numbers >= dates else "date"


def sort_key(cell: Any, kind: Kind) -> Any:
    """The value by which cells of a kind are ordered; None where the cell cannot be read as it."""
    if kind == "number":
        return read_number(cell)
    return read_date(cell) if kind == "date" else cell_text(cell)


def matcher(wanted: Any) -> Callable[[Any], bool]:
    """A test for cells equal to `wanted`: as text, as dates in two spellings, or as numbers.

    A code with a leading zero is no number. `wanted` is read once, so that long columns are cheap.
    """
    text, number, day = cell_text(wanted), read_number(wanted), read_date(wanted)
    plain = _is_code(text) or (number is None and day is None)

    def equal(cell: Any) -> bool:
        given = cell_text(cell)
        if given == text:
            return True
        if plain or not _DIGIT.search(given) or _is_code(given):
            return False
        if number is not None and (read := read_number(cell)) is not None:
            return read == number
        return day is not None and read_date(cell) == day

    return equal


def _is_code(text: str) -> bool:
    return len(text) > 1 and text[0] == "0" and text.isdigit()
