"""What the Anti-Corruption Commission's operations hang on: commissions of appeal, and numbered questions and cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.agencies.numbered import serials
from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.places import provinces
from kopa_hf.sandbox.world import World


@dataclass(frozen=True, slots=True)
class Commission:
    """One commission of administrative appeals."""

    code: str
    name: str


def _commissions(world: World) -> tuple[Commission, ...]:
    return world.table(
        "agencies.commissions",
        lambda w: (
            Commission("C0001", "중앙행정심판위원회"),
            *(Commission(f"C{100 + i:04d}", f"{p.name} 행정심판위원회") for i, p in enumerate(provinces())),
        ),
    )


KINDS: Final = (
    Kind(
        "appeal commission",
        _commissions,
        {"acrc.commission_code": lambda c: c.code, "acrc.commission_name": lambda c: c.name},
    ),
    serials("acrc.appeal_no", 6000, 2001, "2024-", 5),
    serials("acrc.faq_no", 9000, 6_000_001),
    serials("acrc.report_case", 400, 1, "C", 5),
    serials("acrc.proposal_no", 500, 1, "1AB-2405-", 6),
    serials("acrc.hearing_no", 700, 1, "1AH-2403-", 6),
    serials("acrc.grievance_no", 1500, 1, "2CA-2402-", 6),
)
