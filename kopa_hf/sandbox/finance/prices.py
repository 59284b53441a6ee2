"""Share prices: one random walk per company over the trading days, made whole on first use.

A day's return is the market's move times the company's beta plus its own noise, cut at
the exchange's ±30% limit and rounded to the tick. Everything is a measure: a new value
seed redraws it, the company stays who it is.
"""

from __future__ import annotations

import datetime
from array import array
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import last_trading_position, trading_days
from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.world import World

_TICKS: Final = ((2_000, 1), (5_000, 5), (20_000, 10), (50_000, 50), (200_000, 100), (500_000, 500))
_VOLATILITY: Final = {"Y": 0.017, "K": 0.026, "N": 0.030, "E": 0.020}
_LIMIT: Final = 0.299


@dataclass(frozen=True, slots=True)
class Bar:
    """One company's trading day, in won and shares."""

    open: int
    high: int
    low: int
    close: int
    change: int
    """Against the day before."""
    rate: float
    """Change in percent of the day before's close."""
    volume: int
    value: int


def tick(price: float) -> int:
    """The price on the exchange's grid, at least one won."""
    step = next((size for bound, size in _TICKS if price < bound), 1_000)
    return max(int(price / step + 0.5) * step, 1)


def shares(world: World, company: Company) -> int:
    """Issued common shares; fixed over the world's time."""
    table: dict[int, int] = world.table("finance.shares", lambda _: {})
    found = table.get(company.index)
    if found is None:
        found = table[company.index] = _issued(world, company)
    return found


def _issued(world: World, company: Company) -> int:
    stream = world.measure("finance", "shares", company.index)
    low, high = {"Y": (12_000_000, 260_000_000), "K": (7_000_000, 60_000_000)}.get(
        company.corp_cls, (600_000, 9_000_000)
    )
    return stream.octave(low, high) // 10 * 10


def closes(world: World, company: Company) -> array[int]:
    """Closing price per trading day, in won; positions as in `calendar.trading_days`."""
    table: dict[int, array[int]] = world.table("finance.closes", lambda _: {})
    found = table.get(company.index)
    if found is None:
        found = table[company.index] = _walk(world, company)
    return found


def _walk(world: World, company: Company) -> array[int]:
    market = world.table("finance.market_moves", _market_moves)
    stream = world.measure("finance", "price", company.index)
    price = tick(stream.octave(1_100, 60_000) * (3 if company.corp_cls == "Y" and stream.chance(0.4) else 1))
    beta = 0.5 + stream.unit()
    noise = _VOLATILITY[company.corp_cls]
    drift = (stream.unit() - 0.48) * 0.0012
    seed = world.measure_seed("finance", "moves", company.index)
    path = array("q", [price])
    for position in range(1, len(market)):
        move = market[position] * beta + bell(mix(seed, position)) * noise + drift
        limited = min(max(move, -_LIMIT), _LIMIT)
        price = max(tick(price * (1.0 + limited)), 100)
        path.append(price)
    return path


def _market_moves(world: World) -> tuple[float, ...]:
    seed = world.measure_seed("finance", "market")
    return tuple(bell(mix(seed, position)) * 0.009 + 0.0004 for position in range(len(trading_days())))


def price_on(world: World, company: Company, day: datetime.date) -> int:
    """Closing price of the last trading day up to `day`; the first price for earlier days."""
    return closes(world, company)[last_trading_position(day)]


def bar(world: World, company: Company, position: int) -> Bar:
    """The trading day at a position of `calendar.trading_days`."""
    path = closes(world, company)
    close = path[position]
    before = path[position - 1] if position else close
    seeds: dict[int, int] = world.table("finance.bars", lambda _: {})
    if company.index not in seeds:
        seeds[company.index] = world.measure_seed("finance", "bars", company.index)
    seed = mix(seeds[company.index], position)
    swing = abs(close - before) + close * (1 + seed % 25) // 1000
    opened = tick(before + (close - before) * (seed >> 8 & 0xFF) / 255)
    high = tick(max(opened, close) + swing * (seed >> 16 & 0xFF) / 700)
    low = tick(max(min(opened, close) - swing * (seed >> 24 & 0xFF) / 700, 1))
    low, high = min(low, opened, close), max(high, opened, close)
    volume = _volume(world, company, seed)
    if volume == 0:  # no trade: the close stands, the other prices are printed as zero
        return Bar(0, 0, 0, before, 0, 0.0, 0, 0)
    value = volume * ((high + low + close) // 3)
    return Bar(opened, high, low, close, close - before, (close - before) * 100 / before, volume, value)


def _volume(world: World, company: Company, seed: int) -> int:
    if company.corp_cls == "N" and seed >> 40 & 3 == 0:
        return 0
    turnover = 300 + (seed >> 32 & 0xFFFF) * (seed >> 48 & 0x3F)
    return max(shares(world, company) // 100_000 * turnover // 2_000, 1 + (seed >> 50 & 0x3FF))


def market_value(world: World, company: Company, position: int) -> int:
    """Close times issued shares, in won."""
    return closes(world, company)[position] * shares(world, company)
