"""When two texts say the same value, although BFCL's data does not say what kind of value a text is.

The official check drops , . / - _ * ^ and blanks before it compares, so that "15" equals
"1.5" and "3" equals "-3", and knows no other spelling of a value, so that "20210302" is
not "2021-03-02". Here a text that is a day, a time, a number or a region as a whole is
compared by value; in any other text a sign counts unless it cannot change a value.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from fractions import Fraction
from typing import Any, Final

from kopa_hf.values import ValueFailure
from kopa_hf.values.date import read_date
from kopa_hf.values.number import read_quantity
from kopa_hf.values.region import is_known_region, read_region
from kopa_hf.values.text import fold_width
from kopa_hf.values.time import read_time

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NAME: Final = rf"(?P<month>{'|'.join((*_FULL, *_MONTHS, 'sept'))})\.?"
_DAY: Final = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>[0-9]{4})"
_ENGLISH_DATES: Final = (
    re.compile(rf"{_NAME}\s*{_DAY}\s*,?\s*{_YEAR}", re.I),
    re.compile(rf"{_DAY}\s*(?:of\s+)?{_NAME}\s*,?\s*{_YEAR}", re.I),
    re.compile(rf"{_YEAR}\s+{_NAME}\s*{_DAY}", re.I),
)
_THOUSANDS: Final = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_INITIALS: Final = re.compile(r"(?<![^\W_])((?:[a-z]\.){2,}|[a-z]\.[a-z])(?![a-z0-9])")
_QUOTES: Final = str.maketrans({"'": '"', "‘": '"', "’": '"', "“": '"', "”": '"'})
_WORD: Final = r"[^\W\d_]{2}"
_FREE_SIGNS: Final = re.compile(
    r",(?!\d|\s*[-+]\d)|(?<!\d),"  # a comma but between numbers
    r"|\.(?=\s|$)"  # a full stop
    rf"|(?<={_WORD})(?:\s+[-/]\s+|-)(?={_WORD})"  # well-known, Seoul - Busan; beside a digit or one letter it is an operator
)
_LIST_COMMA: Final = re.compile(r"(?<=\d)\s*,\s*(?=\d)")
_SIGNED_COMMA: Final = re.compile(r"(?<=\d)\s*,\s*(?=[-+]\d)")
_BLANKS: Final = re.compile(r"(?<=\d)\s+(?=\d)|\s+")


def same_text(gold: str, given: str) -> bool:
    """Whether both texts say the same value; letter case never counts, as in BFCL."""
    one, other = (unicodedata.normalize("NFC", text).strip() for text in (gold, given))
    if plain_text(one) == plain_text(other) or plain_text(one, lists=True) == plain_text(other, lists=True):
        return True
    for read in (_day, _time, _region):
        wanted = read(one)
        if wanted is not None:
            return bool(read(other) == wanted)
    return _same_number(one, other)


def plain_text(text: str, *, lists: bool = False) -> str:
    """The text without what cannot change a value: case, kinds of quotes, separators of thousands, full stops, commas
    in prose, dashes between words, dots of initials, blanks but between digits; `**` and `^` are one sign.

    lists: commas between digits separate items (100,200 is 100, 200), not thousands, and stay.
    """
    text = unicodedata.normalize("NFC", text).casefold().translate(_QUOTES)
    text = re.sub(r"\s*\*\*\s*", "^", text)
    text = re.sub(r"(?<=\d)\s*\*\s*(?=[a-z])", "", text)
    text = text if lists else _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)
    text = _LIST_COMMA.sub("," if lists else " ", _SIGNED_COMMA.sub(",", text))
    text = _INITIALS.sub(lambda match: match[0].replace(".", ""), text)
    # once more: what a removed sign stood beside may itself be free now
    text = _FREE_SIGNS.sub(" ", _FREE_SIGNS.sub(" ", text)).strip()
    return _BLANKS.sub(lambda match: " " if _between_digits(match) else "", text)


def _between_digits(match: re.Match[str]) -> bool:
    text = match.string
    return match.start() > 0 and text[match.start() - 1].isdigit() and text[match.end() : match.end() + 1].isdigit()


def _day(text: str) -> datetime.date | None:
    try:
        return read_date(text)
    except ValueFailure:
        pass
    for pattern in _ENGLISH_DATES:
        match = pattern.fullmatch(fold_width(text).strip(" ."))
        if match is not None:
            month = _MONTHS.index(match["month"].lower()[:3]) + 1
            try:
                return datetime.date(int(match["year"]), month, int(match["day"]))
            except ValueError:
                return None
    return None


def _time(text: str) -> datetime.time | None:
    # four digits alone are a number, a year or a code as well
    return None if text.isdigit() else _read(read_time, text)


def _same_number(one: str, other: str) -> bool:
    """Equal values; where one text names a counter (1,234명) and the other none, the bare number is of that counter."""
    wanted, found = _number(one), _number(other)
    if wanted is None or found is None or wanted[0] != found[0]:
        return False
    return wanted[1] == found[1] or (None in (wanted[1], found[1]) and "%" not in (wanted[1], found[1]))


def _number(text: str) -> tuple[Fraction, str | None] | None:
    """(value, unit); digits that begin with 0 are a code, and codes are equal sign by sign."""
    if re.match(r"[+-]?0\d", text):
        return None
    found = _read(read_quantity, text)
    return None if found is None else (found.value, found.unit)


def _region(text: str) -> str | None:
    return _read(read_region, text) if is_known_region(text) else None


def _read(read: Any, text: str) -> Any:
    try:
        return read(text)
    except ValueFailure:
        return None
