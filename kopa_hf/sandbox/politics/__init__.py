"""Politics: members, committees, bills, votes, meetings and petitions behind the Assembly's operations."""

from __future__ import annotations

from kopa_hf.sandbox.politics.groups import HANDLERS as _GROUPS
from kopa_hf.sandbox.politics.handlers import HANDLERS as _ENTITIES
from kopa_hf.sandbox.politics.schedules import HANDLERS as _SCHEDULES
from kopa_hf.sandbox.politics.services import HANDLERS as _SERVICES
from kopa_hf.sandbox.politics.statistics import HANDLERS as _STATISTICS
from kopa_hf.sandbox.politics.tail import TAIL_KEYS
from kopa_hf.sandbox.query import Handler

HANDLERS: dict[str, Handler] = {**_ENTITIES, **_STATISTICS, **_SCHEDULES, **_GROUPS, **_SERVICES}

__all__ = ["HANDLERS", "TAIL_KEYS"]
