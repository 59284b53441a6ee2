"""Dates and months as people and services write them. Impossible ones fail; nothing is rolled over but 24:00."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Final

from kopa_hf.values import ValueFailure
from kopa_hf.values.text import fold_width, strip_closing
from kopa_hf.values.time import read_time

__all__ = ["fold", "in_korean", "read_date", "read_month", "read_time", "scan_dates", "scan_months"]

_Y: Final = r"(?P<year>(?:1[89]|20|21)[0-9]{2})"
_DATE: Final = re.compile(
    rf"(?<![0-9.\-/]){_Y}(?:"
    r"\s*년\s*(?P<m1>[0-9]{1,2})\s*월\s*(?P<d1>[0-9]{1,2})\s*일"
    r"|(?P<sep>[-./])\s?(?P<m2>[0-9]{1,2})(?P=sep)\s?(?P<d2>[0-9]{1,2})(?:\.(?![0-9]))?"
    r"|(?P<m3>[0-9]{2})(?P<d3>[0-9]{2})"
    r")(?![0-9])"
    r"(?:\s?\([월화수목금토일]\))?"
    r"(?:[T\s]+(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?|시(?!간)(?:\s?(?P<minute2>[0-9]{1,2})분)?))?"
)
_MONTH: Final = re.compile(
    rf"(?<![0-9.\-/]){_Y}(?:\s*년\s*(?P<m1>[0-9]{{1,2}})\s*월(?!\s*[0-9]+\s*일)"
    r"|(?:[-/]|\.\s?)(?P<m2>[0-9]{1,2})(?![0-9\-/]|\.\s?[0-9])|(?P<m3>[0-9]{2})(?![0-9]))"
)
_AFTER: Final = re.compile(r"[\s.]*(?:\([월화수목금토일](?:요일)?\)|[월화수목금토일]요일)?[\s.]*(?:자|현재|기준)?\s*")

Span = tuple[int, int]


_HANJA: Final = re.compile(r"(?<=[0-9])(\s?)([年月日])")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ENGLISH: Final = re.compile(
    r"(?:(?P<before>[0-9]{1,2})(?:st|nd|rd|th)?\s+)?(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?(?:\s+(?P<after>[0-9]{1,2})(?:st|nd|rd|th)?)?,?\s+(?P<year>(?:1[89]|20|21)[0-9]{2})\.?",
    re.I,
)


def fold(text: str) -> str:
    """NFC, full-width signs made plain; for date fields only."""
    return fold_width(text)


def in_korean(text: str) -> str:
    """2024年 2月 29日 with 년, 월 and 일; February 29, 2024 or February 2024, where it is the whole text, as 2024-02-29 and 2024-02.

    For answers alone: no service takes such a day.
    """
    folded = fold_width(text)
    if not folded.isascii():
        folded = _HANJA.sub(lambda match: match[1] + {"年": "년", "月": "월", "日": "일"}[match[2]], folded)
    match = _ENGLISH.fullmatch(strip_closing(folded).strip().strip("*`\"'“”‘’ "))
    if match is None or (match["before"] and match["after"]):
        return folded
    day = match["before"] or match["after"]
    month = f"{match['year']}-{_MONTHS.index(match['month'][:3].lower()) + 1:02d}"
    return f"{month}-{int(day):02d}" if day else month


def scan_dates(text: str) -> Iterator[tuple[datetime.date | None, Span]]:
    """Every date-like piece of folded text; None where the calendar has no such day."""
    for match in _DATE.finditer(text):
        month = match["m1"] or match["m2"] or match["m3"]
        day = match["d1"] or match["d2"] or match["d3"]
        yield _day(match, month, day), match.span()


def _day(match: re.Match[str], month: str, day: str) -> datetime.date | None:
    try:
        found = datetime.date(int(match["year"]), int(month), int(day))
    except ValueError:
        return None
    if match["hour"] is None:
        return found
    clock = (int(match["hour"]), int(match["minute"] or match["minute2"] or 0), int(match["second"] or 0))
    if clock == (24, 0, 0):
        return found + datetime.timedelta(days=1)
    return found if clock[0] < 24 and clock[1] < 60 and clock[2] < 60 else None


def read_date(text: str) -> datetime.date:
    """The one date that the whole text is; a time behind it may only move it by 24:00."""
    folded = _whole(text)
    for found, (start, end) in scan_dates(folded):
        if start == 0 and _AFTER.fullmatch(folded, end):
            if found is None:
                raise ValueFailure(f"{text.strip()[:40]!r}: the calendar has no such day")
            return found
        break
    raise ValueFailure(f"{text.strip()[:40]!r} is no date")


def scan_months(text: str) -> Iterator[tuple[tuple[int, int] | None, Span]]:
    """Every (year, month) of folded text that is no part of a date; None for month 13."""
    dates = [span for _, span in scan_dates(text)]
    for match in _MONTH.finditer(text):
        if any(start <= match.start() < end for start, end in dates):
            continue
        month = int(match["m1"] or match["m2"] or match["m3"])
        yield ((int(match["year"]), month) if 1 <= month <= 12 else None), match.span()


def read_month(text: str) -> tuple[int, int]:
    """The one (year, month) that the whole text is."""
    folded = _whole(text)
    for found, (start, end) in scan_months(folded):
        if start == 0 and not folded[end:].strip(" ."):
            if found is None:
                raise ValueFailure(f"{text.strip()[:40]!r}: there is no such month")
            return found
        break
    raise ValueFailure(f"{text.strip()[:40]!r} is no month")


def _whole(text: str) -> str:
    if len(text) > 200:
        raise ValueFailure("too long for a date")
    return strip_closing(fold(text)).strip().strip("*`\"'“”‘’ ")
