"""Which ordinances are grounded on which laws: by law, by ordinance, by ministry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Rows
from kopa_hf.sandbox.statutes.law_lists import found as found_laws
from kopa_hf.sandbox.statutes.law_lists import row as law_row
from kopa_hf.sandbox.statutes.laws import Edition, Law, current_editions
from kopa_hf.sandbox.statutes.listing import chosen, contains, fitted, numbered, ordered
from kopa_hf.sandbox.statutes.ministries import MINISTRIES
from kopa_hf.sandbox.statutes.ordinances import Ordinance, ordinances, row
from kopa_hf.sandbox.world import World


def grounds(ordinance: Ordinance) -> tuple[Law, ...]:
    """The laws that an ordinance names: its act, and often the decree and rule below it."""
    act = ordinance.law
    below = [law for child in act.children for law in (child, *child.children) if law.current is not None]
    return (act, *below[: ordinance.index % 3])


def _linked(world: World) -> Mapping[int, list[Ordinance]]:
    """Law's index → the ordinances grounded on it."""

    def build(world: World) -> dict[int, list[Ordinance]]:
        found: dict[int, list[Ordinance]] = {}
        for ordinance in ordinances(world):
            for law in grounds(ordinance):
                found.setdefault(law.index, []).append(ordinance)
        return found

    return world.table("statutes.grounded", build)


def _laws(world: World, query: Query) -> Rows:
    linked = _linked(world)
    items = world.table(
        "statutes.linked_laws", lambda w: tuple(e for e in current_editions(w) if e.law.index in linked)
    )
    return numbered(found_laws(items, query), lambda e: fitted(law_row(e, "law", code_first=True), query))


def _ordinances(world: World, query: Query) -> Rows:
    """By the ordinance's name, or by the name of a law that it is grounded on."""
    tests = {"query": lambda o, v: contains(o.name, v) or contains(o.law.name, v)}
    items = ordered(chosen(ordinances(world), query, tests), query, {"d": lambda o: o.promulgated})
    return numbered(items, lambda o: fitted(row(o), query))


def _by_ministry(world: World, query: Query) -> Rows:
    """One row per law and ordinance; the search word is not looked at."""
    org = query.get("org")
    if org and all(ministry.code != org for ministry in MINISTRIES):
        return NO_ROWS

    def build(world: World) -> tuple[tuple[Edition, Ordinance], ...]:
        linked = _linked(world)
        laws = (e for e in current_editions(world) if e.law.ministry.code == org or not org)
        return tuple((e, o) for e in laws for o in linked.get(e.law.index, ()))

    pairs = world.table(f"statutes.links.{org}", build)

    def make(pair: tuple[Edition, Ordinance]) -> Record:
        edition, ordinance = pair
        record = {
            "법령명한글": edition.law.name,
            "법령ID": edition.law.law_id,
            "자치법규명": ordinance.name,
            "자치법규ID": ordinance.ordinance_id,
            "공포일자": ordinance.promulgated,
        }
        return fitted(record, query)

    return numbered(ordered(pairs, query, {"d": lambda p: p[1].promulgated}), make)


HANDLERS: Final[dict[str, Handler]] = {
    "lawSearch/lnkLs": _laws,
    "lawSearch/lnkOrd": _ordinances,
    "lawSearch/lnkDep": _by_ministry,
}
