"""Universities as entities that generated answers hang on."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.universities.university import universities

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
)
