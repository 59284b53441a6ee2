"""Tables by day: a list of things, each with a record per trading day, newest day first.

Days and names are narrowed before any price is made, so a year of one share costs what a year
of one share is; only a condition on a figure makes the records that it looks at.
"""

from __future__ import annotations

import bisect
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final, Generic, TypeVar

from kopa_hf.sandbox.calendar import compact, trading_days
from kopa_hf.sandbox.market.filters import Condition, conditions
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import World

T = TypeVar("T")
_SEARCHES: Final = 16


@dataclass(frozen=True, slots=True)
class DailyTable(Generic[T]):
    """What a daily list is made of."""

    items: Callable[[World, int], Sequence[T]]
    """The things listed on a day (a position of `calendar.trading_days`), in the list's order."""
    names: Callable[[T], dict[str, Any]]
    """Columns that do not change from day to day."""
    figures: Callable[[World, T, int], dict[str, Any]]
    """All other columns."""
    day: str = "basDt"
    """The column of the day."""


def daily(table: DailyTable[Any]) -> Handler:
    """The handler of a daily list."""

    def handle(world: World, query: Query) -> Reply:
        asked = conditions(query)
        positions = _positions([c for c in asked if c.column == table.day])
        return _answer(world, query, table, positions, [c for c in asked if c.column != table.day])

    return handle


def _positions(asked: Sequence[Condition]) -> list[int]:
    """Trading days that pass, newest first."""
    days = trading_days()
    if not asked:
        return list(range(len(days) - 1, -1, -1))
    return [p for p in range(len(days) - 1, -1, -1) if all(c.test(compact(days[p])) for c in asked)]


def _answer(world: World, query: Query, table: DailyTable[Any], positions: list[int], asked: list[Condition]) -> Rows:
    if not positions:
        return NO_ROWS
    if not asked:
        return _grid(world, query, table, positions, [table.items(world, p) for p in positions])
    sample = next((listed[0] for p in positions if (listed := table.items(world, p))), None)
    if sample is None:
        return NO_ROWS
    cheap = table.names(sample).keys()
    by_name = [c for c in asked if c.column in cheap]
    rest = [c for c in asked if c.column not in cheap]
    lists = _narrowed(table, [table.items(world, p) for p in positions], by_name)
    if not rest:
        return _grid(world, query, table, positions, lists)
    places = _looked_up(world, query, lambda: _fitting(world, table, positions, lists, rest))
    return Rows.mapped(places, lambda place: _record(world, query, table, place[1], place[0]))


def _fitting(
    world: World,
    table: DailyTable[Any],
    positions: Sequence[int],
    lists: Sequence[Sequence[Any]],
    asked: Sequence[Condition],
) -> list[tuple[int, Any]]:
    """(day, thing) whose figures fit; all of them have to be worked out."""
    found = []
    for position, listed in zip(positions, lists, strict=True):
        for item in listed:
            figures = table.figures(world, item, position)
            if all(c.holds(figures) for c in asked):
                found.append((position, item))
    return found


def _looked_up(world: World, query: Query, look: Callable[[], list[tuple[int, Any]]]) -> Sequence[tuple[int, Any]]:
    """What a search over figures found; the last few are kept, since its pages are asked for one after the other."""
    kept: OrderedDict[tuple[Any, ...], list[tuple[int, Any]]] = world.table("market.searches", lambda _: OrderedDict())
    key = (query.operation, *sorted(query.parameters.items()))
    found = kept.get(key)
    if found is None:
        found = kept[key] = look()
        if len(kept) > _SEARCHES:
            kept.popitem(last=False)
    return found


def _narrowed(
    table: DailyTable[Any], lists: Sequence[Sequence[Any]], asked: Sequence[Condition]
) -> Sequence[Sequence[Any]]:
    """Each day's list without the things whose names fail; most days share one list, which is narrowed once."""
    if not asked:
        return lists
    kept: dict[int, list[Any]] = {}
    for listed in lists:
        if id(listed) not in kept:
            kept[id(listed)] = [i for i in listed if all(c.holds(table.names(i)) for c in asked)]
    return [kept[id(listed)] for listed in lists]


def _grid(
    world: World, query: Query, table: DailyTable[Any], positions: list[int], lists: Sequence[Sequence[Any]]
) -> Rows:
    """The rows of every day's list, one day after the other."""
    ends = list(accumulate(map(len, lists)))

    def at(index: int) -> Record:
        day = bisect.bisect_right(ends, index)
        item = lists[day][index - (ends[day - 1] if day else 0)]
        return _record(world, query, table, item, positions[day])

    return Rows(ends[-1] if ends else 0, at)


def _record(world: World, query: Query, table: DailyTable[Any], item: Any, position: int) -> Record:
    cells = {table.day: compact(trading_days()[position]), **table.names(item), **table.figures(world, item, position)}
    return in_order(query, cells)


def in_order(query: Query, cells: dict[str, Any]) -> Record:
    """A record in the order of the signature; columns without a value are empty."""
    if query.tool is None:
        return cells
    return {field.name: cells.get(field.name, "") for field in query.tool.fields}
