"""The handlers of 경기데이터드림, gathered from their modules."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.province import buses, facilities, merchants
from kopa_hf.sandbox.query import Handler

HANDLERS: Final[dict[str, Handler]] = {
    **facilities.HANDLERS,
    **buses.PORTAL_HANDLERS,
    "RegionMnyFacltStus": merchants.merchants,
    "GGEXPSDLV": merchants.delivery,
}
