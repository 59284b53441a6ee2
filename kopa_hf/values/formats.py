"""Normal forms of parameter values under the format names that signatures use."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from kopa_hf.values import ValueFailure
from kopa_hf.values.date import fold, read_date, read_month, read_time
from kopa_hf.values.text import normalize_text


def to_wire(value: object, format: str | None) -> str:
    """The one spelling of `value` that a service takes under `format`.

    Integers stand for text (400 under HHMM is "0400", 1 under digits:2 is "01"); text is never padded.
    Raises `ValueFailure` for what is no value of the format, and for booleans, lists and objects.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueFailure(f"expected {format or 'text'}, got {type(value).__name__}")
    if isinstance(value, float):
        if not value.is_integer() and format not in (None, "number"):
            raise ValueFailure(f"{value!r} is no {format}")
        value = int(value) if value.is_integer() else repr(value)
    if format is None:
        return normalize_text(str(value))
    name, _, size = format.partition(":")
    reader = _READERS.get(name)
    if reader is None:
        raise ValueFailure(f"unknown format {format!r}")
    text = str(value).zfill(_PADDED.get(name, int(size or 0))) if isinstance(value, int) else value
    if len(text) > 200:
        raise ValueFailure(f"too long for {format}")
    return reader(fold(text).strip(), int(size or 0))


def matches(text: str, format: str | None) -> bool:
    """Whether the text can be read under the format."""
    try:
        to_wire(text, format)
    except ValueFailure:
        return False
    return True


def _date(separator: str) -> Callable[[str, int], str]:
    return lambda text, _: read_date(text).strftime(f"%Y{separator}%m{separator}%d")


def _month(separator: str) -> Callable[[str, int], str]:
    def read(text: str, _: int) -> str:
        year, month = read_month(text)
        return f"{year:04d}{separator}{month:02d}"

    return read


def _year(text: str, _: int) -> str:
    match = re.fullmatch(r"((?:1[89]|20|21)\d{2})\s*년?(?:도)?", text)
    if not match:
        raise ValueFailure(f"{text[:40]!r} is no year (YYYY)")
    return match[1]


def _two_digits(what: str, low: int, high: int, suffix: str) -> Callable[[str, int], str]:
    def read(text: str, _: int) -> str:
        match = re.fullmatch(rf"(\d{{1,2}})\s*(?:{suffix})?", text)
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
    plain = text.replace(",", "") if re.fullmatch(r"[+-]?\d{1,3}(?:,\d{3})+", text) else text
    if not re.fullmatch(r"[+-]?\d+", plain):
        raise ValueFailure(f"{text[:40]!r} is no integer")
    return str(int(plain))


def _number(text: str, _: int) -> str:
    plain = text.replace(",", "") if re.fullmatch(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", text) else text
    match = re.fullmatch(r"([+-]?)(\d+)(?:\.(\d+))?", plain)
    if not match:
        raise ValueFailure(f"{text[:40]!r} is no number")
    decimals = (match[3] or "").rstrip("0")
    body = str(int(match[2])) + (f".{decimals}" if decimals else "")
    return f"-{body}" if match[1] == "-" and body != "0" else body


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
