"""What other operations can hang on: insured institutions and failed savings banks."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.savings.institutions import SAVINGS, Institution, failed_banks, institutions, of_sector
from kopa_hf.sandbox.world import World


def _savings_banks(world: World) -> tuple[Institution, ...]:
    return of_sector(world, SAVINGS)


KINDS: Final = (
    Kind(
        "institution",
        institutions,
        {
            "kdic.institution.name": lambda i: i.name,
            "kdic.sector": lambda i: i.sector,
            "company.register_no": lambda i: i.register_no,
        },
    ),
    Kind(
        "savings bank",
        _savings_banks,
        {
            "kdic.savings_bank.name": lambda i: i.name,
            "kdic.institution.name": lambda i: i.name,
            "kdic.institution.code": lambda i: i.code,
        },
    ),
    Kind("failed bank", failed_banks, {"kdic.failed.name": lambda b: b.name}),
)
