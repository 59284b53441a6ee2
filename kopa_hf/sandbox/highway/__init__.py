"""한국도로공사's world: routes, tollgates and traffic, rest areas and what they sell, incidents and works."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.highway import affairs, rest, roads, traffic, trips, weather
from kopa_hf.sandbox.highway.kinds import KINDS
from kopa_hf.sandbox.query import Handler

HANDLERS: Final[dict[str, Handler]] = {
    **traffic.HANDLERS,
    **roads.HANDLERS,
    **trips.HANDLERS,
    **rest.HANDLERS,
    **affairs.HANDLERS,
    **weather.HANDLERS,
}
"""Operation → handler."""

__all__ = ["HANDLERS", "KINDS"]
