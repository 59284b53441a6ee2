"""열린국회정보. JSON is served as text/html, and XML comes unless `Type` says otherwise."""

from __future__ import annotations

from kopa_hf.platforms.portal import PortalAdapter


class AssemblyAdapter(PortalAdapter):
    """Every request carries `Type`, `pIndex` and `pSize`."""

    name = "assembly"
