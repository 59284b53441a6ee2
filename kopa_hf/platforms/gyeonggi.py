"""경기데이터드림: the Assembly portal's envelope with a third head entry, `api_version`."""

from __future__ import annotations

from kopa_hf.platforms.portal import PortalAdapter


class GyeonggiAdapter(PortalAdapter):
    """Its firewall turns requests without a browser-like agent away with an HTML page."""

    name = "gyeonggi"
