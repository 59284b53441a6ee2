"""Seoul: its districts, transit, air, businesses, people, culture and land, as one invented city on real districts.

Modules hold one subject each and hand over `HANDLERS`; the buses' own host is `city.busarrivals`.
"""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.city import (
    air,
    busportal,
    cityhall,
    culture,
    estates,
    hotspots,
    leisure,
    libraries,
    licences,
    living,
    rides,
    streets,
    subwayservice,
    trade,
    weather,
)
from kopa_hf.sandbox.query import Handler

HANDLERS: Final[dict[str, Handler]] = {
    operation: handler
    for module in (
        licences, subwayservice, busportal, rides, air, weather, culture, libraries, leisure, estates, trade, living,
        cityhall, hotspots, streets,
    )
    for operation, handler in module.HANDLERS.items()
}  # fmt: skip
"""Of the portal's two hosts, by service name."""
