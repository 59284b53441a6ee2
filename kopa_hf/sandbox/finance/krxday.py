"""The one parameter that every KRX operation takes."""

from __future__ import annotations

from kopa_hf.sandbox.calendar import parse_compact, trading_index
from kopa_hf.sandbox.query import Query, RefusedError


def asked_position(query: Query) -> int | None:
    """Position of `basDd` among the trading days; None for holidays and days without data yet."""
    text = query.get("basDd")
    if parse_compact(text) is None:
        raise RefusedError("value", "basDd")
    return trading_index().get(text)
