"""Universities as entities that generated answers hang on."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.universities.indicators import ALL, Indicator
from kopa_hf.sandbox.universities.university import universities
from kopa_hf.sandbox.world import World


def _indicators(world: World) -> tuple[Indicator, ...]:
    return ALL


KINDS: Final = (
    Kind(
        "university",
        universities,
        {
            "university.code": lambda u: u.code,
            "university.name": lambda u: u.name,
            "university.division": lambda u: u.division,
            "university.kind": lambda u: u.kind,
            "university.zone": lambda u: u.zone,
            "university.founder": lambda u: u.founder,
        },
    ),
    Kind(
        "university_indicator",
        _indicators,
        {"university.indicator": lambda i: i.code, "university.indicator_name": lambda i: i.name},
    ),
)
