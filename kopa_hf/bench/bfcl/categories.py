"""BFCL's categories, the groups the leaderboard makes of them, and its three numbers.

Source: the category and score definitions of bfcl-eval 2026.3.23 (V4) and of the V3
leaderboard. V4 takes irrelevance out of both single-turn scores and shows it as a number
of its own; V3 counts it in. Agentic categories (web search, memory) need services or
stores beyond the data and are not supported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from kopa_hf.errors import DataError

Language = Literal["python", "java", "javascript"]

NON_LIVE: Final = (
    "simple_python", "simple_java", "simple_javascript", "multiple", "parallel", "parallel_multiple", "irrelevance",
)  # fmt: skip
LIVE: Final = (
    "live_simple", "live_multiple", "live_parallel", "live_parallel_multiple", "live_irrelevance", "live_relevance",
)  # fmt: skip
MULTI_TURN: Final = ("multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context")
CATEGORIES: Final = (*NON_LIVE, *LIVE, *MULTI_TURN)

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "all": CATEGORIES,
    "single_turn": (*NON_LIVE, *LIVE),
    "non_live": NON_LIVE,
    "live": LIVE,
    "multi_turn": MULTI_TURN,
}

OLD_NAMES: Final[Mapping[str, str]] = {
    "simple_python": "simple",
    "simple_java": "java",
    "simple_javascript": "javascript",
}
"""What V3 called some categories, in its files' names and its entries' ids."""

_LIVE_AST: Final = ("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple")


def categories_of(names: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Categories for names of categories and groups, in the leaderboard's order, each once."""
    wanted: set[str] = set()
    for name in names:
        if name in GROUPS:
            wanted.update(GROUPS[name])
        elif name in CATEGORIES:
            wanted.add(name)
        else:
            raise DataError(f"No category {name!r}. Groups: {', '.join(GROUPS)}; categories: {', '.join(CATEGORIES)}.")
    return tuple(name for name in CATEGORIES if name in wanted)


def language_of(category: str) -> Language:
    """The language whose values a category's calls are written in."""
    if category == "simple_java":
        return "java"
    return "javascript" if category == "simple_javascript" else "python"


def is_multi_turn(category: str) -> bool:
    return category in MULTI_TURN


def is_relevance(category: str) -> bool:
    """Categories without gold calls: only whether a call is made counts."""
    return category.endswith("relevance")


def group_of(category: str) -> str:
    """non_live, live or multi_turn."""
    return next(name for name in ("non_live", "live", "multi_turn") if category in GROUPS[name])


@dataclass(frozen=True, slots=True)
class Rate:
    """Right answers of one category."""

    right: float
    total: int

    @property
    def share(self) -> float:
        return self.right / self.total if self.total else float("nan")


def partial(rates: Mapping[str, Rate], counts: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Categories that were not run completely: (entries scored, entries that the data has)."""
    return {
        name: (rate.total, counts[name])
        for name, rate in rates.items()
        if name in counts and rate.total != counts[name]
    }


def three_numbers(
    rates: Mapping[str, Rate], edition: Literal["v4", "v3"] = "v4", counts: Mapping[str, int] | None = None
) -> dict[str, float]:
    """multi_turn, single_non_live and single_live, shares from 0 to 1; only those whose categories are all there.

    counts: how many entries the data has by category; a category with fewer answers is then not there.
    Non-live and multi-turn are plain means over categories (the three languages of
    `simple` are averaged into one first), live is weighted by the number of entries.
    """
    short = partial(rates, counts or {})
    rates = {name: rate for name, rate in rates.items() if name not in short}
    numbers: dict[str, float] = {}
    if all(name in rates for name in MULTI_TURN):
        numbers["multi_turn"] = _mean([rates[name].share for name in MULTI_TURN])
    simple = ("simple_python", "simple_java", "simple_javascript")
    others = ("multiple", "parallel", "parallel_multiple") + (("irrelevance",) if edition == "v3" else ())
    if all(name in rates for name in simple + others):
        numbers["single_non_live"] = _mean(
            [_mean([rates[name].share for name in simple]), *(rates[name].share for name in others)]
        )
    live = _LIVE_AST + (("live_irrelevance", "live_relevance") if edition == "v3" else ())
    if all(name in rates for name in live):
        numbers["single_live"] = sum(rates[name].right for name in live) / sum(rates[name].total for name in live)
    return numbers


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
