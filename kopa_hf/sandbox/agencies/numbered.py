"""Ways to write down short kinds: a list that is the same in every world, and documents known by their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.world import World


def fixed(items: Sequence[str]) -> Callable[[World], Sequence[str]]:
    """A kind's items where they are the same in every world."""
    return lambda world: items


def serials(system: str, count: int, first: int = 1, prefix: str = "", width: int = 0) -> Kind:
    """Numbered documents of one list: all that is known of one is its number."""
    numbers = tuple(f"{prefix}{first + i:0{width}d}" for i in range(count))
    return Kind(system, fixed(numbers), {system: str})
