"""Every operation of 국가법령정보 that this package answers."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.query import Handler
from kopa_hf.sandbox.statutes import (
    annexes,
    cases,
    committees,
    comparisons,
    law_bodies,
    law_lists,
    links,
    opinions,
    ordinances,
    rules,
    searches,
    terms,
    treaties,
)

HANDLERS: Final[dict[str, Handler]] = {
    **law_lists.HANDLERS,
    **law_bodies.HANDLERS,
    **comparisons.HANDLERS,
    **annexes.HANDLERS,
    **rules.HANDLERS,
    **ordinances.HANDLERS,
    **links.HANDLERS,
    **cases.HANDLERS,
    **opinions.HANDLERS,
    **committees.HANDLERS,
    **treaties.HANDLERS,
    **terms.HANDLERS,
    **searches.HANDLERS,
}
