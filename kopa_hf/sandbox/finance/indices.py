"""Stock indices out of the very prices that the daily lists print: weighted by market value, 100 or 1000 at the start."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import trading_days
from kopa_hf.sandbox.finance.companies import INDUSTRIES, Company, listed_on_market
from kopa_hf.sandbox.finance.prices import bar, closes, shares
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World


@dataclass(frozen=True, slots=True)
class Index:
    """An index over a set of companies."""

    family: str
    """As IDX_CLSS prints it."""
    name: str
    base: float
    """Level on the first trading day."""
    members: tuple[Company, ...]


_SECTORS: Final = tuple(dict.fromkeys(industry[3] for industry in INDUSTRIES))
Size = Callable[[Company], int]


def indices(world: World, family: str) -> tuple[Index, ...]:
    """All indices of a family: KRX, KOSPI or KOSDAQ."""
    return world.table(f"finance.indices.{family}", lambda w: tuple(_build(w, family)))


def _build(world: World, family: str) -> list[Index]:
    def largest(pool: tuple[Company, ...], count: int) -> tuple[Company, ...]:
        return tuple(sorted(pool, key=lambda c: closes(world, c)[0] * shares(world, c), reverse=True)[:count])

    kospi, kosdaq = listed_on_market(world, "Y"), listed_on_market(world, "K")
    if family == "KRX":
        both = kospi + kosdaq
        named = [("KRX 300", 1000.0, largest(both, 100)), ("KRX 100", 1000.0, largest(both, 50))]
        named += [(f"KRX {s}", 1000.0, tuple(c for c in both if c.sector == s)) for s in _SECTORS]
    elif family == "KOSPI":
        named = [("코스피", 2669.0, kospi), ("코스피 200", 361.0, largest(kospi, 60))]
        named += [("코스피 대형주", 2600.0, largest(kospi, 30)), ("코스피 100", 2700.0, largest(kospi, 40))]
        named += [(f"코스피 {s}", 1000.0, tuple(c for c in kospi if c.sector == s)) for s in _SECTORS]
    else:
        named = [("코스닥", 879.0, kosdaq), ("코스닥 150", 1370.0, largest(kosdaq, 60))]
        named += [
            (f"코스닥 {board}", 1000.0, tuple(c for c in kosdaq if c.board == board)) for board in _boards(kosdaq)
        ]
        named += [(f"코스닥 {s}", 1000.0, tuple(c for c in kosdaq if c.sector == s)) for s in _SECTORS]
    return [Index(family, name, base, members) for name, base, members in named if members]


def _boards(companies: tuple[Company, ...]) -> list[str]:
    return sorted({company.board for company in companies})


def values(world: World, index: Index) -> array[int]:
    """Market value of the members per trading day, in won."""

    def build(w: World) -> array[int]:
        weights = [shares(w, company) for company in index.members]
        paths = [closes(w, company) for company in index.members]
        days = range(len(trading_days()))
        return array("q", (sum(p[day] * s for p, s in zip(paths, weights, strict=True)) for day in days))

    return world.table(f"finance.index.{index.family}.{index.name}", build)


def level(world: World, index: Index, position: int) -> float:
    """The index on a trading day, two decimals."""
    path = values(world, index)
    return round(path[position] * index.base / path[0], 2)


def turnover(world: World, index: Index, position: int) -> tuple[int, int]:
    """Shares and won traded in the members on a day."""
    bars = [bar(world, company, position) for company in index.members]
    return sum(b.volume for b in bars), sum(b.value for b in bars)


def day_range(world: World, index: Index, position: int) -> tuple[float, float, float]:
    """(open, high, low): around the way from the day before's close to the day's."""
    before, close = level(world, index, max(position - 1, 0)), level(world, index, position)
    seed = mix(world.measure_seed("finance", "index range", index.name), position)
    opened = round(before + (close - before) * (seed & 0xFF) / 400, 2)
    high = round(max(opened, close) * (1 + (seed >> 8 & 0xFF) / 40_000), 2)
    low = round(min(opened, close) * (1 - (seed >> 16 & 0xFF) / 40_000), 2)
    return opened, high, low
