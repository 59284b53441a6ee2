"""What all KRX operations share: the day they ask for, named random walks, printed quotes."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from kopa_hf.sandbox.calendar import compact, parse_compact, trading_days, trading_index
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, RefusedError, Reply
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.world import World


def asked_position(query: Query) -> int | None:
    """Position of `basDd` among the trading days; None for holidays and days without data yet."""
    text = query.get("basDd")
    if parse_compact(text) is None:
        raise RefusedError("value", "basDd")
    return trading_index().get(text)


def printed_day(position: int) -> str:
    return compact(trading_days()[position])


def walk(world: World, name: str, start: float, noise: float) -> array[float]:
    """A positive random walk over the trading days, named and kept."""

    def build(w: World) -> array[float]:
        seed = w.measure_seed("finance", "walk", name)
        path, price = array("d"), start
        for position in range(len(trading_days())):
            price *= 1.0 + bell(mix(seed, position)) * noise + 0.0001
            path.append(price)
        return path

    return world.table(f"finance.walk.{name}", build)


def on_day(make: Callable[[World, Query, int], Reply]) -> Handler:
    """A handler that has looked up the trading day, and answers nothing on a holiday."""

    def handle(world: World, query: Query) -> Reply:
        position = asked_position(query)
        return NO_ROWS if position is None else make(world, query, position)

    return handle


def quote(before: float, close: float, seed: int, digits: int) -> tuple[str, str, str, str, str, str]:
    """(close, change, rate, open, high, low) as text with a number of decimals."""
    opened = before + (close - before) * (seed & 0xFF) / 300
    high = max(opened, close) * (1 + (seed >> 8 & 0xFF) / 50_000)
    low = min(opened, close) * (1 - (seed >> 16 & 0xFF) / 50_000)
    close, before = round(close, digits), round(before, digits)
    rate = (close - before) * 100 / before if before else 0.0
    texts = (f"{number:.{digits}f}" for number in (close, close - before))
    return (*texts, f"{rate:.2f}", f"{opened:.{digits}f}", f"{high:.{digits}f}", f"{low:.{digits}f}")  # type: ignore[return-value] # six texts
