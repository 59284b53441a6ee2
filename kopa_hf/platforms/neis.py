"""나이스 교육정보 개방 포털: the Assembly portal's envelope; all row values are text."""

from __future__ import annotations

from kopa_hf.platforms.portal import PortalAdapter


class NeisAdapter(PortalAdapter):
    """Without a key the service answers a few sample rows instead of an error."""

    name = "neis"
