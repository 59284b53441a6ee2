"""Lists of businesses and facilities: which trades an operation shows, and how it filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kopa_hf.sandbox.drawing import Place, draw
from kopa_hf.sandbox.province.columns import COMMON, DATA_DAY, Column
from kopa_hf.sandbox.province.municipalities import Sigun, sigun_of
from kopa_hf.sandbox.province.premises import Mixed, Numbers, Premises, Register, Trade, register, running
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import World

Test = Callable[[Register, int, str], bool]
"""Whether the n-th premises of a register passes the value of an input; thousands are asked, so none is made for it."""

SIGUN_INPUTS: Final = ("SIGUN_CD", "SIGUN_NM", "SIGUNGU_NM", "SIGNGU_NM")


@dataclass(frozen=True, slots=True)
class Listing:
    """What an operation lists."""

    trades: Sequence[Trade]
    columns: Mapping[str, Column] = field(default_factory=dict)
    """Its own columns, before the common ones."""
    only_running: bool = False
    ignores_sigun: bool = False
    """Documents the filter and does not apply it (GENRESTRT)."""
    tests: Mapping[str, Test] = field(default_factory=dict)
    """Further inputs → whether a premises passes a value."""


def asked_sigun(query: Query) -> tuple[bool, Sigun | None]:
    """Whether the inputs leave anything at all, and the 시군 they name (None: all)."""
    found: Sigun | None = None
    for name in SIGUN_INPUTS:
        text = query.get(name)
        if not text:
            continue
        sigun = sigun_of(text)
        if sigun is None or (found is not None and sigun is not found):
            return False, None
        found = sigun
    return True, found


def handler_of(listing: Listing) -> Handler:
    """The handler of a listing."""
    trades = tuple(listing.trades)

    def handler(world: World, query: Query) -> Reply:
        possible, sigun = asked_sigun(query) if not listing.ignores_sigun else (True, None)
        if not possible:
            return NO_ROWS
        book = register(world, trades)
        numbers: Numbers = running(world, trades, sigun) if listing.only_running else book.numbers(sigun)
        if sigun is None:
            numbers = Mixed(numbers)
        write = writer_of(query, listing.columns)
        wanted = [(test, value) for name, test in listing.tests.items() if (value := query.get(name))]
        if wanted:
            kept = [number for number in numbers if all(test(book, number, value) for test, value in wanted)]
            return Rows.mapped(kept, lambda number: write(book.at(number)))
        return Rows(len(numbers), lambda index: write(book.at(numbers[index])))

    return handler


def writer_of(query: Query, own: Mapping[str, Column]) -> Callable[[Premises], Record]:
    """Writes a premises under the columns of the asked operation; unknown columns are drawn."""
    fields = query.tool.fields if query.tool is not None else ()
    known = [(f.name, own.get(f.name) or COMMON.get(f.name), f) for f in fields]

    def write(place: Premises) -> Record:
        spare: Place | None = None
        record: Record = {}
        for name, column, column_field in known:
            if column is not None:
                record[name] = column(place)
            else:
                spare = spare or Place(place.identity, place.measure, DATA_DAY, dates="compact", serial=place.index)
                record[name] = draw(column_field, spare)
        return record

    return write
