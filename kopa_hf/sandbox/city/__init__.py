"""Seoul: its districts, transit, air, businesses, people, culture and land, as one invented city on real districts.

Modules hold one subject each and hand over `HANDLERS`; the buses' own host is `city.busarrivals`.
"""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.city import busportal, licences, subwayservice
from kopa_hf.sandbox.query import Handler

HANDLERS: Final[dict[str, Handler]] = {**licences.HANDLERS, **subwayservice.HANDLERS, **busportal.HANDLERS}
