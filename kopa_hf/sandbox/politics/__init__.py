"""Politics: members, committees, bills, votes, meetings and petitions behind the Assembly's operations."""

from __future__ import annotations

from kopa_hf.sandbox.politics import (
    administration,
    billtools,
    membertools,
    minutestools,
    offices,
    petitions,
    publications,
    researchgroups,
    scheduletools,
    services,
    statistics,
)
from kopa_hf.sandbox.politics.tail import TAIL_KEYS
from kopa_hf.sandbox.query import Handler

HANDLERS: dict[str, Handler] = {
    **administration.HANDLERS,
    **billtools.HANDLERS,
    **membertools.HANDLERS,
    **minutestools.HANDLERS,
    **scheduletools.HANDLERS,
    **petitions.HANDLERS,
    **statistics.HANDLERS,
    **researchgroups.HANDLERS,
    **offices.HANDLERS,
    **publications.HANDLERS,
    **services.HANDLERS,
}

__all__ = ["HANDLERS", "TAIL_KEYS"]
