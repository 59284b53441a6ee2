"""From verdicts to the leaderboard's figures: by category, and the three numbers."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kopa_hf.bench.bfcl.categories import CATEGORIES, Rate, partial, three_numbers


class Mark(float):
    """1 or 0 of one entry, which still knows its category, so that a mean over categories can be weighted.

    NaN stands for an entry that could not be asked; it counts in no figure.
    """

    category: str

    def __new__(cls, value: float, category: str) -> Mark:
        mark = super().__new__(cls, value)
        mark.category = category
        return mark

    def __reduce__(self) -> tuple[Any, ...]:  # metrics travel between processes
        return type(self), (float(self), self.category)


def rates(marks: Iterable[Mark]) -> dict[str, Rate]:
    """Right answers by category, in the leaderboard's order."""
    found: dict[str, list[float]] = defaultdict(list)
    for mark in marks:
        if not math.isnan(mark):
            found[mark.category].append(float(mark))
    return {name: Rate(sum(found[name]), len(found[name])) for name in CATEGORIES if name in found}


def figures(marks: Iterable[Mark], counts: Mapping[str, int] | None = None) -> dict[str, float]:
    """Shares: the three numbers (V4), those of V3 (`v3:…`, irrelevance counted in), then every category.

    A number stands only where all of its categories were run, completely if `counts` (the data's entries by
    category) is given; the share of a category stands in any case.
    """
    by_category = rates(marks)
    v3 = {
        f"v3:{name}": value for name, value in three_numbers(by_category, "v3", counts).items() if name != "multi_turn"
    }
    shares = {name: rate.share for name, rate in by_category.items()}
    return {**three_numbers(by_category, counts=counts), **v3, **shares}


def labelled_figures(marks: Iterable[Mark], counts: Mapping[str, int] | None = None) -> dict[str, float]:
    """`figures` for tables that have no place for remarks: a category that is not complete says so in its name.

    Of 258 entries of live_simple with 3 scored the share stands as "live_simple (3 of 258)".
    """
    marks = list(marks)
    short = partial(rates(marks), counts or {})
    names = {name: f"{name} ({found} of {whole})" for name, (found, whole) in short.items()}
    return {names.get(name, name): value for name, value in figures(marks, counts).items()}


def strict_figures(marks: Sequence[Mark], counts: Mapping[str, int] | None = None) -> dict[str, float]:
    """Figures of the official verdict."""
    return labelled_figures(marks, counts)


def typed_figures(marks: Sequence[Mark], counts: Mapping[str, int] | None = None) -> dict[str, float]:
    """Figures of the value-typed verdict."""
    return {f"typed:{name}": value for name, value in labelled_figures(marks, counts).items()}


def scored_share(marks: Sequence[Mark], counts: Mapping[str, int]) -> dict[str, float]:
    """How much of the data was scored, from 0 to 1; `marks` are 1 for entries that were, 0 for faults."""
    return {"scored": sum(marks) / sum(counts.values())}
