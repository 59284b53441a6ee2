"""The exchange's own daily lists, from which the regulator's services copy."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, overload

from kopa_hf.sandbox.calendar import compact, trading_days
from kopa_hf.sandbox.finance.krx import HANDLERS as KRX
from kopa_hf.sandbox.market.daily import DailyTable
from kopa_hf.sandbox.query import NO_ROWS, Query, Record, Rows
from kopa_hf.sandbox.world import World

PRICES: Final[dict[str, str]] = {
    "clpr": "TDD_CLSPRC",
    "vs": "CMPPREVDD_PRC",
    "fltRt": "FLUC_RT",
    "mkp": "TDD_OPNPRC",
    "hipr": "TDD_HGPRC",
    "lopr": "TDD_LWPRC",
    "trqu": "ACC_TRDVOL",
    "trPrc": "ACC_TRDVAL",
    "mrktTotAmt": "MKTCAP",
}
"""The regulator's column → the exchange's, for everything with a price of its own."""
INDEX_PRICES: Final[dict[str, str]] = {
    "clpr": "CLSPRC_IDX",
    "vs": "CMPPREVDD_IDX",
    "fltRt": "FLUC_RT",
    "mkp": "OPNPRC_IDX",
    "hipr": "HGPRC_IDX",
    "lopr": "LWPRC_IDX",
}
_KEPT: Final = 32
"""Days of lists that are kept: a page seldom spans more."""


def exchange(world: World, operation: str, position: int) -> Rows:
    """One day of an exchange list; its rows are made when they are taken."""
    kept: OrderedDict[tuple[str, int], Rows] = world.table("market.exchange", lambda _: OrderedDict())
    key = (operation, position)
    found = kept.get(key)
    if found is None:
        reply = KRX[operation](world, Query(operation, {"basDd": compact(trading_days()[position])}))
        found = kept[key] = reply if isinstance(reply, Rows) else NO_ROWS
        if len(kept) > _KEPT:
            kept.popitem(last=False)
    return found


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an exchange list that has the same row every day."""

    operation: str
    row: int
    names: dict[str, Any]


def steady(
    operations: Sequence[str],
    names: dict[str, str],
    figures: dict[str, str],
    more: Callable[[Record], dict[str, Any]] | None = None,
) -> DailyTable[Member]:
    """A daily table over exchange lists whose members never change.

    `names` and `figures` map columns; `more` adds names that the exchange does not print.
    """

    def build(world: World) -> tuple[Member, ...]:
        found = []
        for operation in operations:
            for row, record in enumerate(exchange(world, operation, 0).all()):
                cells = {name: record[theirs] for name, theirs in names.items()}
                found.append(Member(operation, row, cells | (more(record) if more is not None else {})))
        return tuple(found)

    def figures_of(world: World, member: Member, position: int) -> dict[str, Any]:
        record = exchange(world, member.operation, position).slice(member.row, member.row + 1)[0]
        return {name: record[theirs] for name, theirs in figures.items()}

    return DailyTable(
        lambda world, _: world.table(f"market.members.{operations[0]}", build),
        lambda member: member.names,
        figures_of,
    )


def changing(
    operations: Sequence[str], names: Callable[[Record], dict[str, Any]], figures: dict[str, str], *, even: bool = False
) -> DailyTable[Record]:
    """A daily table over exchange lists whose members come and go. `even`: every day has as many as the first."""
    return DailyTable(
        lambda world, position: _Day(world, tuple(operations), position, even),
        names,
        lambda world, record, position: {name: record[theirs] for name, theirs in figures.items() if theirs in record},
    )


class _Day(Sequence[Record]):
    """The records of a day's lists, each made when it is taken."""

    __slots__ = ("_length", "_world", "operations", "position")

    def __init__(self, world: World, operations: tuple[str, ...], position: int, even: bool) -> None:
        self._world = world
        self.operations = operations
        self.position = position
        self._length = sum(exchange(world, name, 0 if even else position).total for name in operations)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Record: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Record]: ...

    def __getitem__(self, index: int | slice) -> Record | Sequence[Record]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._length))]
        for name in self.operations:
            rows = exchange(self._world, name, self.position)
            if index < rows.total:
                return rows.slice(index, index + 1)[0]
            index -= rows.total
        raise IndexError("past the last row of the day")

    def __iter__(self) -> Iterator[Record]:
        for name in self.operations:
            yield from exchange(self._world, name, self.position).all()
