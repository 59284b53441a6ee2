"""Laws as entities that other domains' records may hang on."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.statutes.laws import current_editions
from kopa_hf.sandbox.statutes.ministries import MINISTRIES, Ministry
from kopa_hf.sandbox.world import World


def _ministries(world: World) -> tuple[Ministry, ...]:
    return MINISTRIES


KINDS: Final = (
    Kind(
        "law",
        current_editions,
        {
            "law.id": lambda e: e.law.law_id,
            "law.mst": lambda e: e.mst,
            "law.name": lambda e: e.law.name,
            "ministry.code": lambda e: e.law.ministry.code,
            "ministry.name": lambda e: e.law.ministry.name,
        },
    ),
    Kind("ministry", _ministries, {"ministry.code": lambda m: m.code, "ministry.name": lambda m: m.name}),
)
