"""Normal forms of parameter values under the format names that signatures use."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from kopa_hf.values import ValueFailure
from kopa_hf.values.date import read_date, read_month
from kopa_hf.values.number import fold, read_quantity
from kopa_hf.values.text import normalize_text
from kopa_hf.values.time import read_time


def to_wire(value: object, format: str | None) -> str:
    """The one spelling of `value` that a service takes under `format`.

    Integers stand for text (400 under HHMM is "0400", 1 under digits:2 is "01"); text is never padded.
    Raises `ValueFailure` for what is no value of the format, and for booleans, lists and objects.
    """
    if format is None and type(value) is str:
        return normalize_text(value)
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):  # a union is slower
        raise ValueFailure(f"expected {format or 'text'}, got {type(value).__name__}")
    if isinstance(value, float):
        value = _from_float(value, format)
    if isinstance(value, int) and abs(value) >= _MAX_INT:
        raise ValueFailure(f"too large for {format or 'a parameter'}")
    if format is None:
        return normalize_text(str(value))
    name, _, size = format.partition(":")
    reader = _READERS.get(name)
    if reader is None:
        raise ValueFailure(f"unknown format {format!r}")
    if size and not (size.isascii() and size.isdigit() and len(size) < 4):
        raise ValueFailure(f"unknown format {format!r}")
    text = str(value).zfill(_PADDED.get(name, int(size or 0))) if isinstance(value, int) else value
    if len(text) > _MAX_LENGTH:
        raise ValueFailure(f"too long for {format}")
    return reader(fold(text).strip(), int(size or 0))


def _from_float(value: float, format: str | None) -> int | str:
    """JSON knows 60.0 for 60; anything else that is no integer is text for `number` only."""
    if value.is_integer():
        return int(value)
    if format not in (None, "number") or not math.isfinite(value):
        raise ValueFailure(f"{value!r} is no {format or 'value'}")
    return f"{Decimal(repr(value)):f}"


def matches(text: str, format: str | None) -> bool:
    """Whether the text can be read under the format."""
    try:
        to_wire(text, format)
    except ValueFailure:
        return False
    return True


def _date(separator: str) -> Callable[[str, int], str]:
    def read(text: str, _: int) -> str:
        if not separator and _is_day(text):
            return text
        return read_date(text).strftime(f"%Y{separator}%m{separator}%d")

    return read


def _is_day(text: str) -> bool:
    """Whether the text is YYYYMMDD already, which most dates are that go out; `read_date` takes the same years."""
    if len(text) != 8 or not (text.isascii() and text.isdigit()):
        return False
    try:
        return 1800 <= datetime.date(int(text[:4]), int(text[4:6]), int(text[6:])).year < 2200
    except ValueError:
        return False


def _month(separator: str) -> Callable[[str, int], str]:
    def read(text: str, _: int) -> str:
        year, month = read_month(text)
        return f"{year:04d}{separator}{month:02d}"

    return read


def _year(text: str, _: int) -> str:
    match = re.fullmatch(r"((?:1[89]|20|21)[0-9]{2})\s*년?(?:도)?", text)
    if not match:
        raise ValueFailure(f"{text[:40]!r} is no year (YYYY)")
    return match[1]


def _two_digits(what: str, low: int, high: int, suffix: str) -> Callable[[str, int], str]:
    def read(text: str, _: int) -> str:
        match = re.fullmatch(rf"([0-9]{{1,2}})\s*(?:{suffix})?", text)
        if not match or not low <= int(match[1]) <= high:
            raise ValueFailure(f"{text[:40]!r} is no {what}")
        return match[1].zfill(2)

    return read


def _clock(text: str, _: int) -> str:
    return read_time(text).strftime("%H%M")


def _digits(text: str, size: int) -> str:
    if not (text.isascii() and text.isdigit() and len(text) == size):
        raise ValueFailure(f"{text[:40]!r} must have exactly {size} digits")
    return text


def _integer(text: str, _: int) -> str:
    found = _plain_number(text)
    if found is None or found[1]:
        raise ValueFailure(f"{text[:40]!r} is no integer")
    return found[0]


def _number(text: str, _: int) -> str:
    found = _plain_number(text)
    if found is None:
        raise ValueFailure(f"{text[:40]!r} is no number")
    return found[0] + (f".{found[1]}" if found[1] else "")


def _plain_number(text: str) -> tuple[str, str] | None:
    """(signed whole part, decimals without closing zeros). 3억 and 삼백이십 count, numbers with a unit do not."""
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return _spelled_number(text)
    whole, decimals = str(int(match["whole"].replace(",", ""))), (match["decimals"] or "").rstrip("0")
    return ("-" if match["sign"] == "-" and (whole != "0" or decimals) else "") + whole, decimals


def _spelled_number(text: str) -> tuple[str, str] | None:
    try:
        found = read_quantity(text)
    except ValueFailure:
        return None
    if found.unit is not None or found.value.denominator != 1:
        return None
    return str(found.value), ""


_MAX_INT: Final = 10**100
_MAX_LENGTH: Final = 200
_DECIMAL: Final = re.compile(r"(?P<sign>[+-]?)(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.(?P<decimals>[0-9]+))?")
_PADDED: Final = {"HHMM": 4, "HH": 2, "MM": 2}
_READERS: Final[dict[str, Callable[[str, int], str]]] = {
    "YYYYMMDD": _date(""),
    "YYYY-MM-DD": _date("-"),
    "YYYYMM": _month(""),
    "YYYY-MM": _month("-"),
    "YYYY": _year,
    "MM": _two_digits("month", 1, 12, "월"),
    "HHMM": _clock,
    "HH": _two_digits("hour", 0, 23, "시"),
    "digits": _digits,
    "integer": _integer,
    "number": _number,
}
FORMATS: Final[tuple[str, ...]] = tuple("digits:N" if name == "digits" else name for name in _READERS)
"""Every format name; N stands for the number of digits."""
