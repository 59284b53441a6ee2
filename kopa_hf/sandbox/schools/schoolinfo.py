"""학교알리미: the handlers of all its items, keyed by `apiType`."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.query import Handler
from kopa_hf.sandbox.schools import facility_items, life_items, money_items, pupil_items, staff_items

HANDLERS: Final[dict[str, Handler]] = {
    **pupil_items.HANDLERS,
    **staff_items.HANDLERS,
    **money_items.HANDLERS,
    **facility_items.HANDLERS,
    **life_items.HANDLERS,
}
