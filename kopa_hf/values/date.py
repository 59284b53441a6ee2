"""Dates, months and times as people and services write them. Impossible ones fail; nothing is rolled over but 24:00."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from kopa_hf.values import ValueFailure

_Y: Final = r"(?P<year>(?:1[89]|20|21)\d{2})"
_DATE: Final = re.compile(
    rf"(?<![\d.\-/]){_Y}(?:"
    r"\s*년\s*(?P<m1>\d{1,2})\s*월\s*(?P<d1>\d{1,2})\s*일"
    r"|(?P<sep>[-./])\s?(?P<m2>\d{1,2})(?P=sep)\s?(?P<d2>\d{1,2})\.?"
    r"|(?P<m3>\d{2})(?P<d3>\d{2})"
    r")(?!\d)"
    r"(?:[T\s]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?"
)
_MONTH: Final = re.compile(
    rf"(?<![\d.\-/]){_Y}(?:\s*년\s*(?P<m1>\d{{1,2}})\s*월(?!\s*\d+\s*일)|[-./](?P<m2>\d{{1,2}})(?![\d\-./])|(?P<m3>\d{{2}})(?!\d))"
)
_TIME: Final = re.compile(
    r"(?<![\d:])(?:(?P<half>오전|오후|AM|PM)\s*)?(?:(?P<h1>\d{1,2}):(?P<m1>\d{2})(?::(?P<s1>\d{2}))?"
    r"|(?P<h2>\d{1,2})\s*시(?:\s*(?P<m2>\d{1,2})\s*분)?(?:\s*(?P<s2>\d{1,2})\s*초)?)(?![\d:])",
    re.I,
)

Span = tuple[int, int]


def fold(text: str) -> str:
    """Width folding for date fields only."""
    return unicodedata.normalize("NFKC", text)


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
    clock = (int(match["hour"]), int(match["minute"]), int(match["second"] or 0))
    if clock == (24, 0, 0):
        return found + datetime.timedelta(days=1)
    return found if clock[0] < 24 and clock[1] < 60 and clock[2] < 60 else None


def read_date(text: str) -> datetime.date:
    """The one date that the whole text is."""
    folded = fold(text).strip().rstrip("다").removesuffix("입니").removesuffix("이").strip()
    for found, (start, end) in scan_dates(folded):
        if start == 0 and not re.sub(r"[\s.()월화수목금토일요]", "", folded[end:]):
            if found is None:
                raise ValueFailure(f"{text.strip()!r}: the calendar has no such day")
            return found
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
    folded = fold(text).strip()
    for found, (start, end) in scan_months(folded):
        if start == 0 and not folded[end:].strip(" ."):
            if found is None:
                raise ValueFailure(f"{text.strip()!r}: there is no such month")
            return found
    raise ValueFailure(f"{text.strip()[:40]!r} is no month")


def scan_times(text: str) -> Iterator[tuple[datetime.time | None, Span]]:
    """Every time of day in folded text; None where the clock has no such time. 24:00 is 00:00."""
    for match in _TIME.finditer(text):
        hour = int(match["h1"] or match["h2"])
        minute, second = int(match["m1"] or match["m2"] or 0), int(match["s1"] or match["s2"] or 0)
        half = (match["half"] or "").upper()
        if half in ("오후", "PM") and hour < 12:
            hour += 12
        elif half in ("오전", "AM") and hour == 12:
            hour = 0
        if (hour, minute, second) == (24, 0, 0):
            hour = 0
        valid = hour < 24 and minute < 60 and second < 60
        yield (datetime.time(hour, minute, second) if valid else None), match.span()


def read_time(text: str) -> datetime.time:
    """The one time of day that the whole text is; HHMM and HHMMSS digits count too."""
    folded = fold(text).strip()
    if re.fullmatch(r"\d{4}|\d{6}", folded):
        folded = ":".join(folded[i : i + 2] for i in range(0, len(folded), 2))
    for found, (start, end) in scan_times(folded):
        if start == 0 and not folded[end:].strip(" ."):
            if found is None:
                raise ValueFailure(f"{text.strip()!r}: the clock has no such time")
            return found
    raise ValueFailure(f"{text.strip()[:40]!r} is no time")
