"""The synthetic world: two seeds, lazily built tables, nothing else.

`identity_seed` fixes who exists (names, codes, wording, which filings and bills
there are); `value_seed` redraws measures (prices, amounts, counts, votes) only.
Tables are built on first use and kept, so a cold start costs nothing.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeVar, cast

from kopa_hf.sandbox.rng import Stream, seed_of

T = TypeVar("T")

WORLD_VERSION: Final = 2
"""Bumped whenever the same call gives other bytes than before; part of every stream's key."""

FIRST_DAY: Final = datetime.date(2024, 1, 2)
"""First trading day with prices."""
LAST_DAY: Final = datetime.date(2026, 1, 30)
"""The world's today; nothing in it is later, and its market data ends the business day before."""


class World:
    """A world is a function of (identity_seed, value_seed, scale, version)."""

    version: Final = WORLD_VERSION

    def __init__(self, identity_seed: int = 0, value_seed: int = 0, scale: float = 1.0) -> None:
        if scale <= 0:
            raise ValueError(f"scale must be positive, not {scale}")
        self.identity_seed = identity_seed
        self.value_seed = value_seed
        self.scale = scale
        self._tables: dict[str, Any] = {}

    @property
    def seeds(self) -> dict[str, float]:
        """What else than the version makes this world: `identity_seed`, `value_seed`, `scale`."""
        return {"identity_seed": self.identity_seed, "value_seed": self.value_seed, "scale": self.scale}

    def __repr__(self) -> str:
        return f"World(identity_seed={self.identity_seed}, value_seed={self.value_seed}, scale={self.scale:g})"

    def identity(self, *key: object) -> Stream:
        """The stream for names, codes, wording, dates of events and which records exist."""
        return Stream(WORLD_VERSION, "identity", self.identity_seed, *key)

    def measure(self, *key: object) -> Stream:
        """The stream for amounts, prices, counts: what a new value seed redraws.

        Keys hold the identity seed too, so that two worlds of different people never share figures.
        """
        return Stream(WORLD_VERSION, "measure", self.identity_seed, self.value_seed, *key)

    def measure_seed(self, *key: object) -> int:
        """The 64-bit seed behind `measure`, for draws by index with `rng.mix`."""
        return seed_of(WORLD_VERSION, "measure", self.identity_seed, self.value_seed, *key)

    def count(self, base: int, least: int = 1) -> int:
        """A table's size: `base` times the scale, at least `least`."""
        return max(least, round(base * self.scale))

    def table(self, name: str, build: Callable[[World], T]) -> T:
        """The table of that name, built on first use. Names begin with the domain: `finance.companies`."""
        try:
            return cast(T, self._tables[name])
        except KeyError:
            # two threads may both build; the results are equal, so the first one stays
            return cast(T, self._tables.setdefault(name, build(self)))


@cache
def default_world() -> World:
    """The world of seeds 0 at scale 1, one a process: nothing in a world changes, so its tables serve everybody."""
    return World()
