"""Going through long lists quickly gives what going through them plainly gives."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.catalog.registry import Catalog
from kopa_hf.sandbox import World
from kopa_hf.sandbox.politics.listing import COLUMNS_KEPT, LONG, chosen, matcher, values_of
from kopa_hf.sandbox.province import trades
from kopa_hf.sandbox.province.premises import Mixed, register
from kopa_hf.sandbox.query import Query
from kopa_hf.sandbox.registry import find_handler
from kopa_hf.sandbox.statutes.listing import within

spans = st.one_of(st.text("0123456789~ ", max_size=12), st.builds("{}~{}".format, st.dates(), st.dates()))


@given(st.text("0123456789", max_size=9), st.lists(spans, min_size=1, max_size=4))
def test_a_span_is_read_as_the_service_does(value: str, wanted: list[str]) -> None:
    for text in wanted:
        first, tilde, last = text.partition("~")
        if not tilde:
            expected = value.lstrip("0") == text.strip().lstrip("0")
        elif value.isdigit() and len(value) < 8:
            try:
                expected = int(first.strip() or 0) <= int(value) <= int(last.strip() or 10**9)
            except ValueError:  # a day where a number is due
                continue
        else:
            expected = (first.strip() or "0") <= value <= (last.strip() or "9")
        assert within(value, text) == expected


@dataclass(frozen=True)
class Thing:
    """Something listed."""

    number: int


def test_columns_of_long_lists_are_kept_for_the_same_list_only() -> None:
    world, calls = World(), [0]

    def name(world: World, thing: Thing) -> str | None:
        calls[0] += 1
        return f"이름{thing.number}" if thing.number % 3 else None

    long, other = [Thing(n) for n in range(LONG)], [Thing(n + 1) for n in range(LONG)]
    for pool in (long, other, long):
        found = chosen(world, Query("x", {"NAME": "이름1"}), pool, {"NAME": name})
        passes = matcher("NAME", "이름1")
        assert found == [t for t in pool if passes(f"이름{t.number}" if t.number % 3 else None)]
    assert calls[0] == 2 * LONG
    assert len(chosen(world, Query("x", {"NAME": "이름1"}), long[:9], {"NAME": name})) == 1
    assert calls[0] == 2 * LONG + 9


def test_only_the_last_few_columns_are_kept() -> None:
    world, pool = World(), [Thing(n) for n in range(LONG)]
    columns = [lambda w, t, k=k: (t.number, k) for k in range(COLUMNS_KEPT + 3)]
    for k, column in enumerate(columns):
        assert values_of(world, pool, column)[7] == (7, k)
    assert len(world.table("politics.columns", lambda w: {})) == COLUMNS_KEPT
    assert values_of(world, pool, columns[0])[3] == (3, 0)


def test_neighbourhoods_and_order_of_a_register_are_those_of_its_premises(world: World) -> None:
    book = register(world, (trades.ACADEMY, trades.DEMENTIA))
    assert len(book.hoods) == len(book)
    for number in range(0, len(book), 997):
        assert book.hoods[number] == book.at(number).spot.neighbourhood.name
    mixed = Mixed(book.numbers(None))
    order = list(mixed)
    assert sorted(order) == list(range(len(book)))
    assert order[:50] == [mixed[index] for index in range(50)]


def test_a_neighbourhood_filter_keeps_exactly_its_premises_in_the_lists_order(world: World, catalog: Catalog) -> None:
    tool = next(t for t in catalog if t.wire == "gyeonggi" and t.endpoint.operation == "Tbinstutm")
    handler = find_handler("gyeonggi", "Tbinstutm")
    assert handler is not None
    book = register(world, (trades.ACADEMY,))
    wanted = book.hoods[len(book) // 2]
    reply = handler(world, Query("Tbinstutm", {"EMD_NM": wanted}, tool))
    numbers = [number for number in Mixed(book.numbers(None)) if book.hoods[number] == wanted]
    assert reply.total == len(numbers) > 0  # type: ignore[union-attr]
    first = reply.slice(0, 1)[0]  # type: ignore[union-attr]
    assert book.at(numbers[0]).name in first.values()
