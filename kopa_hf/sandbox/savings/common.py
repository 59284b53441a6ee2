"""What deposit insurance's handlers share: filters, running numbers, months."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from kopa_hf.sandbox.calendar import parse_compact
from kopa_hf.sandbox.query import Query, Record, RefusedError, Rows
from kopa_hf.sandbox.world import LAST_DAY

T = TypeVar("T")
Column = Callable[[Any], str]

_LAST_MONTH: Final = LAST_DAY.year * 12 + LAST_DAY.month - 2
"""The last month with figures: the one before the world's today, counted from year 0."""


def numbered(items: Sequence[T], make: Callable[[T], Record]) -> Rows:
    """Rows that begin with their running number (번호), as text like everything here."""
    return Rows(len(items), lambda index: {"num": str(index + 1), **make(items[index])})


def equal(items: Iterable[T], query: Query, **columns: Column) -> list[T]:
    """Items whose columns are the parameters of the same names."""
    tests = [(column, query.get(name)) for name, column in columns.items() if query.get(name)]
    return [item for item in items if all(column(item) == wanted for column, wanted in tests)]


def containing(items: Iterable[T], query: Query, **columns: Column) -> list[T]:
    """Items whose columns contain the parameters of the same names."""
    tests = [(column, query.get(name)) for name, column in columns.items() if query.get(name)]
    return [item for item in items if all(wanted in column(item) for column, wanted in tests)]


def months(first_year: int, step: int = 1) -> list[str]:
    """YYYYMM from a January on; with step 3 the ends of quarters."""
    found = []
    for month in range(first_year * 12, _LAST_MONTH + 1):
        if (month % 12 + 1) % step == 0:
            found.append(f"{month // 12}{month % 12 + 1:02d}")
    return found


def month_of(query: Query, name: str) -> str:
    """A YYYYMM parameter, or "" where it is absent."""
    text = query.get(name)
    if text and (len(text) != 6 or not text.isascii() or not text.isdigit() or not 1 <= int(text[4:]) <= 12):
        raise RefusedError("value", name)
    return text


def day_of(query: Query, name: str) -> datetime.date:
    """A YYYYMMDD parameter that must be there."""
    day = parse_compact(query.get(name))
    if day is None:
        raise RefusedError("value" if query.get(name) else "missing", name)
    return day


def span_of(query: Query, low: str, high: str) -> tuple[float, float]:
    """The two ends of a range of numbers; open where they are absent."""
    ends = []
    for name, default in ((low, float("-inf")), (high, float("inf"))):
        text = query.get(name).replace(",", "")
        try:
            ends.append(float(text) if text else default)
        except ValueError:
            raise RefusedError("value", name) from None
    return ends[0], ends[1]
