"""Days on which the Korean markets trade, and how services spell a date."""

from __future__ import annotations

import bisect
import datetime
from functools import cache
from typing import Final

from kopa_hf.sandbox.world import FIRST_DAY, LAST_DAY

_CLOSED: Final = frozenset(
    datetime.date.fromisoformat(day)
    for day in [
        "2023-01-23",
        "2023-01-24",
        "2023-03-01",
        "2023-05-01",
        "2023-05-05",
        "2023-05-29",
        "2023-06-06",
        "2023-08-15",
        "2023-09-28",
        "2023-09-29",
        "2023-10-02",
        "2023-10-03",
        "2023-10-09",
        "2023-12-25",
        "2023-12-29",
        "2024-01-01",
        "2024-02-09",
        "2024-02-12",
        "2024-03-01",
        "2024-04-10",
        "2024-05-01",
        "2024-05-06",
        "2024-05-15",
        "2024-06-06",
        "2024-08-15",
        "2024-09-16",
        "2024-09-17",
        "2024-09-18",
        "2024-10-01",
        "2024-10-03",
        "2024-10-09",
        "2024-12-25",
        "2024-12-31",
        "2025-01-01",
        "2025-01-27",
        "2025-01-28",
        "2025-01-29",
        "2025-01-30",
        "2025-03-03",
        "2025-05-01",
        "2025-05-05",
        "2025-05-06",
        "2025-06-03",
        "2025-06-06",
        "2025-08-15",
        "2025-10-03",
        "2025-10-06",
        "2025-10-07",
        "2025-10-08",
        "2025-10-09",
        "2025-12-25",
        "2025-12-31",
        "2026-01-01",
    ]
)
"""Weekdays on which the exchange was closed: public holidays, 1 May, the year's last day."""


def is_business_day(day: datetime.date) -> bool:
    """True for a weekday that is no holiday."""
    return day.weekday() < 5 and day not in _CLOSED


@cache
def trading_days() -> tuple[datetime.date, ...]:
    """Days with market data: from the first day to the business day before the world's today."""
    span = range((LAST_DAY - FIRST_DAY).days)
    days = (FIRST_DAY + datetime.timedelta(days=offset) for offset in span)
    return tuple(day for day in days if is_business_day(day))


@cache
def trading_index() -> dict[str, int]:
    """YYYYMMDD → position in `trading_days`."""
    return {compact(day): position for position, day in enumerate(trading_days())}


@cache
def filing_days() -> tuple[datetime.date, ...]:
    """Business days on which filings arrive: 2023 to the world's today."""
    first = datetime.date(2023, 1, 2)
    days = (first + datetime.timedelta(days=offset) for offset in range((LAST_DAY - first).days + 1))
    return tuple(day for day in days if is_business_day(day))


def business_day_from(day: datetime.date) -> datetime.date:
    """The day itself or the next business day."""
    while not is_business_day(day):
        day += datetime.timedelta(days=1)
    return day


def last_trading_position(day: datetime.date) -> int:
    """Position of the last trading day up to `day`; 0 for earlier days."""
    return max(bisect.bisect_right(trading_days(), day) - 1, 0)


def compact(day: datetime.date) -> str:
    """20240502."""
    return f"{day.year:04d}{day.month:02d}{day.day:02d}"


def hangul(day: datetime.date) -> str:
    """2024년 05월 02일."""
    return f"{day.year}년 {day.month:02d}월 {day.day:02d}일"


def dotted(day: datetime.date) -> str:
    """2024.05.02."""
    return f"{day.year:04d}.{day.month:02d}.{day.day:02d}"


def add_months(day: datetime.date, months: int) -> datetime.date:
    """The same day of a later month, cut to the month's end."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    month += 1
    for last in (31, 30, 29, 28):
        try:
            return datetime.date(year, month, min(day.day, last))
        except ValueError:
            continue
    raise AssertionError("every month has 28 days")


def parse_compact(text: str) -> datetime.date | None:
    """A date out of YYYYMMDD, or None."""
    if len(text) != 8 or not text.isascii() or not text.isdigit():
        return None
    try:
        return datetime.date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return None
