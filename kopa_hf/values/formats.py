"""Normal forms of parameter values under a named format."""

from __future__ import annotations

import datetime
import re
import unicodedata
from typing import Final

from kopa_hf.values import ValueFailure
from kopa_hf.values.text import normalize_text

_DATES: Final = {"YYYYMMDD": "%Y%m%d", "YYYY-MM-DD": "%Y-%m-%d"}


def to_wire(value: object, format: str | None) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueFailure(f"{type(value).__name__} is no text")
    text = normalize_text(str(value))
    if format is None:
        return text
    text = unicodedata.normalize("NFKC", text)
    if format in _DATES:
        digits = re.sub(r"[^0-9]", "", text)
        try:
            return datetime.datetime.strptime(digits, "%Y%m%d").strftime(_DATES[format])
        except ValueError as error:
            raise ValueFailure(f"{text!r} is no date ({format})") from error
    if format.startswith("digits:"):
        size = int(format.partition(":")[2])
        if isinstance(value, int):
            text = text.zfill(size)
        if not (text.isdigit() and len(text) == size):
            raise ValueFailure(f"{text!r} has not {size} digits")
        return text
    if format == "integer" and not re.fullmatch(r"[-+]?\d+", text):
        raise ValueFailure(f"{text!r} is no integer")
    return text


def matches(text: str, format: str | None) -> bool:
    try:
        to_wire(text, format)
    except ValueFailure:
        return False
    return True
