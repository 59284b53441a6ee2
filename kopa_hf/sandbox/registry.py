"""The door through which domains enter the sandbox.

A domain is one module (or package) per wire that holds

    HANDLERS: dict[str, Handler]     # operation → function(world, query) -> Reply

keyed by `Tool.endpoint.operation`: the last part of the address (for Assembly the
callable code, or the service id where no code is known). To add one, name its
module below. What a handler sees and gives:

- `query.get("AGE")` is a parameter's text ("" where absent); key, page, size and format are not in it.
  Required parameters of the tool's signature have been checked before the handler runs.
- It returns `Rows.of(list_of_dicts)`, or for large tables `Rows.mapped(entities, make_record)` or
  `Rows(total, at)`, with *all* matching rows; the envelope cuts the page. `NO_ROWS` where nothing matches.
  A reply is kept for the query's other pages, so it may not depend on `query.page` or `query.size`.
  Values are what the real service's JSON holds (`str`, `int`, `float`, `None`); field order is kept.
- It raises `RefusedError("missing", "AGE")` or `RefusedError("value", "AGE")` where the service would refuse.
- World data: `world.table("politics.members", build_members)` builds once; draw names and codes from
  `world.identity("politics", "member", i)`, measures from `world.measure(...)`.

Operations without a handler are answered from their signature by `sandbox.longtail`.
Code systems of a domain's fields and parameters stand in `data/hazards.json`.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Final

from kopa_hf.sandbox.query import Handler

_MODULES: Final[dict[str, tuple[str, ...]]] = {
    "neis": ("kopa_hf.sandbox.schools.neis",),
    "schoolinfo": ("kopa_hf.sandbox.schools.schoolinfo",),
    "edss": ("kopa_hf.sandbox.schools.edss", "kopa_hf.sandbox.universities.edss"),
    "dart": ("kopa_hf.sandbox.finance.dart",),
    "krx": ("kopa_hf.sandbox.finance.krx",),
    "assembly": ("kopa_hf.sandbox.politics",),
    "gyeonggi": ("kopa_hf.sandbox.province.services",),
    "data_go_kr": (
        "kopa_hf.sandbox.universities.academyinfo",
        "kopa_hf.sandbox.market",
        "kopa_hf.sandbox.province.buses",
        "kopa_hf.sandbox.city.busarrivals",
        "kopa_hf.sandbox.agencies.depository",
    ),
    "seoul": ("kopa_hf.sandbox.city",),
    "expressway": ("kopa_hf.sandbox.highway",),
    "kdic": ("kopa_hf.sandbox.savings",),
    "hrdk": ("kopa_hf.sandbox.skills",),
    "law": ("kopa_hf.sandbox.statutes.services",),
}


@cache
def handlers(wire: str) -> dict[str, Handler]:
    """All hand-made handlers of a wire; domains load on the first call."""
    found: dict[str, Handler] = {}
    for name in _MODULES.get(wire, ()):
        module_handlers: dict[str, Handler] = importlib.import_module(name).HANDLERS
        twice = found.keys() & module_handlers.keys()
        if twice:
            raise ValueError(f"{name} hands over operations that another module has: {sorted(twice)}")
        found.update(module_handlers)
    return found


def find_handler(wire: str, operation: str) -> Handler | None:
    """The handler of an operation, or None: the long tail answers it."""
    return handlers(wire).get(operation)
