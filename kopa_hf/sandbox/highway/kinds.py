"""What other operations can hang on: routes, tollgates, rest areas, stretches."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.highway.network import routes
from kopa_hf.sandbox.highway.sections import conzones
from kopa_hf.sandbox.highway.stops import rest_areas
from kopa_hf.sandbox.highway.tollgates import tollgates

KINDS: Final = (
    Kind("expressway", routes, {"ex.route.no": lambda r: r.number, "ex.route.name": lambda r: r.name}),
    Kind(
        "tollgate",
        tollgates,
        {
            "ex.tollgate.code": lambda g: g.code,
            "ex.tollgate.name": lambda g: g.name,
            "ex.center.code": lambda g: g.center[0],
            "ex.route.no": lambda g: g.at.route.number,
            "ex.route.name": lambda g: g.at.route.name,
        },
    ),
    Kind(
        "rest area",
        rest_areas,
        {
            "ex.rest.code": lambda a: a.code,
            "ex.rest.name": lambda a: a.name,
            "ex.rest.facility": lambda a: a.facility,
            "ex.route.no": lambda a: a.route.number,
            "ex.route.name": lambda a: a.route.name,
        },
    ),
    Kind("conzone", conzones, {"ex.conzone.id": lambda z: z.id, "ex.route.no": lambda z: z.route.number}),
)
