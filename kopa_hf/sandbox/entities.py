"""The kinds of entities that generated answers hang on, and the code systems they carry.

A domain hands over its kinds in `KINDS: tuple[Kind, ...]` and is named below. Generated
records (`sandbox.longtail`) then take every column of such a code system from one entity, and
a demanded parameter of such a system has records for that entity's values only. That is what
joins operations that nobody modelled by hand with those that somebody did.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from kopa_hf.sandbox.world import World

_MODULES: Final = (
    "kopa_hf.sandbox.places",
    "kopa_hf.sandbox.schools.kinds",
    "kopa_hf.sandbox.universities.kinds",
    "kopa_hf.sandbox.finance.kinds",
    "kopa_hf.sandbox.market.kinds",
    "kopa_hf.sandbox.highway.kinds",
    "kopa_hf.sandbox.savings.kinds",
    "kopa_hf.sandbox.province.kinds",
    "kopa_hf.sandbox.city.kinds",
    "kopa_hf.sandbox.statutes.kinds",
    "kopa_hf.sandbox.skills.kinds",
    "kopa_hf.sandbox.agencies.kinds",
    "kopa_hf.sandbox.agencies.court",
    "kopa_hf.sandbox.agencies.commission",
    "kopa_hf.sandbox.agencies.capital",
    "kopa_hf.sandbox.agencies.learning",
    "kopa_hf.sandbox.agencies.elections",
    "kopa_hf.sandbox.agencies.travel",
)
"""In order of precedence: the first kind that has a code system defines its population."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Entities of one kind."""

    name: str
    items: Callable[[World], Sequence[Any]]
    """All of them; called once a world, so it may build a table."""
    systems: Mapping[str, Callable[[Any], str]]
    """Code system → an entity's value. An empty value means that this entity has none."""

    def __hash__(self) -> int:
        return hash(self.name)


@cache
def kinds() -> tuple[Kind, ...]:
    """Every kind, in order of precedence."""
    return tuple(kind for name in _MODULES for kind in importlib.import_module(name).KINDS)


def kinds_for(systems: Iterable[str]) -> dict[str, Kind]:
    """Which kind gives which of the code systems, so that as few kinds as possible give them all.

    Columns of one kind describe the same entity: a school's row has the district of that school.
    """
    left = set(systems)
    given: dict[str, Kind] = {}
    while left:
        best = max(kinds(), key=lambda kind: len(left & kind.systems.keys()))  # the first one of equals
        covered = left & best.systems.keys()
        if not covered:
            break
        given.update(dict.fromkeys(covered, best))
        left -= covered
    return given


def population(world: World, system: str) -> Mapping[str, int]:
    """Every value of a code system → an entity that has it; empty for a system without a kind."""
    kind = next((kind for kind in kinds() if system in kind.systems), None)
    return {} if kind is None else values_of(world, kind, system)


def values_of(world: World, kind: Kind, system: str) -> Mapping[str, int]:
    """Value → position of the first entity of a kind that has it."""

    def build(world: World) -> dict[str, int]:
        read = kind.systems[system]
        found: dict[str, int] = {}
        for position, item in enumerate(kind.items(world)):
            value = read(item)
            if value:
                found.setdefault(value, position)
        return found

    return world.table(f"entities.{kind.name}.{system}", build)
