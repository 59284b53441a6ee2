"""The handlers of 경기데이터드림, gathered from their modules."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.province import (
    animals,
    buslists,
    events,
    facilities,
    learning,
    merchants,
    population,
    programs,
    roads,
    weather,
    works,
)
from kopa_hf.sandbox.query import Handler

HANDLERS: Final[dict[str, Handler]] = {
    **facilities.HANDLERS,
    **buslists.HANDLERS,
    **events.HANDLERS,
    **animals.HANDLERS,
    **roads.HANDLERS,
    **weather.HANDLERS,
    **works.HANDLERS,
    **learning.HANDLERS,
    **population.HANDLERS,
    **programs.HANDLERS,
    "RegionMnyFacltStus": merchants.merchants,
    "GGEXPSDLV": merchants.delivery,
}
