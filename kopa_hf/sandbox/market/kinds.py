"""Bonds, financial institutions and funds as entities that generated records hang on."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.market.bonds import Issue, issues
from kopa_hf.sandbox.market.industry import funds
from kopa_hf.sandbox.market.institutions import SECTORS, Institution, institutions
from kopa_hf.sandbox.world import World


def _institutions(world: World) -> tuple[Institution, ...]:
    return tuple(found for sector in SECTORS for found in institutions(world, sector))


def _company_bonds(world: World) -> tuple[Issue, ...]:
    return tuple(issue for issue in issues(world) if issue.company is not None)


KINDS: Final = (
    Kind(
        "bond",
        _company_bonds,
        {
            "krx.bond_isin": lambda issue: issue.bond.isin,
            "fsc.bond_name": lambda issue: issue.bond.name,
            "dart.corp_name": lambda issue: issue.bond.issuer,
            "company.register_no": lambda issue: issue.crno,
        },
    ),
    Kind(
        "institution",
        _institutions,
        {
            "fsc.institution_code": lambda found: found.code,
            "fsc.institution_name": lambda found: found.name,
            "fsc.institution_register_no": lambda found: found.register_no,
        },
    ),
    Kind("fund", funds, {"fsc.fund_code": lambda fund: fund.code}),
)
