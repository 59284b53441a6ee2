"""How the city's tables become answers: filters by parameter, days and months as services write them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

Fits = Callable[[str, str], bool]
"""(value, wanted) → whether the record stays."""
Build = Callable[[World], Iterable[Record]]


def equal(value: str, wanted: str) -> bool:
    """The same text."""
    return value == wanted


def contains(value: str, wanted: str) -> bool:
    """The wanted text somewhere in the value."""
    return wanted in value


def starts(value: str, wanted: str) -> bool:
    """The value begins with the wanted text."""
    return value.startswith(wanted)


def table(name: str, build: Build, filters: Mapping[str, Fits | tuple[str, Fits]] | None = None) -> Handler:
    """A handler over a table of records that the world keeps.

    `filters`: parameter → how its column is compared; a pair names the column where it differs.
    """
    conditions = {n: (f if isinstance(f, tuple) else (n, f)) for n, f in (filters or {}).items()}

    def handle(world: World, query: Query) -> Rows:
        records = world.table(f"city.records.{name}", lambda w: tuple(build(w)))
        return kept(records, query, conditions)

    return handle


def kept(records: Sequence[Record], query: Query, conditions: Mapping[str, tuple[str, Fits]]) -> Rows:
    """The records that fit all given parameters."""
    active = [(column, fits, wanted) for n, (column, fits) in conditions.items() if (wanted := query.get(n))]
    if not active:
        return Rows.of(records)
    found = [r for r in records if all(fits(_text(r[column]), wanted) for column, fits, wanted in active)]
    return Rows.of(found) if found else NO_ROWS


def _text(value: Any) -> str:
    return "" if value is None else str(value)


FIRST_DAY: Final = datetime.date(2024, 1, 1)
"""First day for which the city's daily figures exist."""


def day_of(query: Query, name: str, *, until: datetime.date = LAST_DAY) -> datetime.date | None:
    """A parameter's day; None for one that has no figures (yet). Refuses what is no day."""
    text = query.get(name).replace("-", "")
    if not text:
        return until
    try:
        day = datetime.datetime.strptime(text, "%Y%m%d").date()
    except ValueError:
        raise RefusedError("value", name) from None
    return day if FIRST_DAY <= day <= until else None


def month_of(query: Query, name: str) -> tuple[int, int] | None:
    """A parameter's month as (year, month); None for one without figures. Refuses what is no month."""
    text = query.get(name).replace("-", "")
    if not (len(text) == 6 and text.isdigit() and 1 <= int(text[4:]) <= 12):
        raise RefusedError("value", name)
    year, month = int(text[:4]), int(text[4:])
    return (year, month) if (FIRST_DAY.year, FIRST_DAY.month) <= (year, month) < (2026, 1) else None


def days_in(year: int, month: int) -> list[datetime.date]:
    """All days of a month."""
    first = datetime.date(year, month, 1)
    after = datetime.date(year + month // 12, month % 12 + 1, 1)
    return [first + datetime.timedelta(days=n) for n in range((after - first).days)]


def quarters() -> tuple[str, ...]:
    """Quarters with figures, as trade-area services write them: 20241 … 20254."""
    return tuple(f"{year}{quarter}" for year in (2024, 2025) for quarter in (1, 2, 3, 4))
