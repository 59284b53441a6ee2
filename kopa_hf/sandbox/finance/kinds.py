"""Companies as entities that other domains' records hang on."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.finance.companies import Company, companies
from kopa_hf.sandbox.world import World


def _listed(world: World) -> tuple[Company, ...]:
    return tuple(c for c in companies(world) if c.stock_code and c.corp_cls != "E")


KINDS: Final = (
    Kind(
        "company",
        companies,
        {
            "dart.corp_code": lambda c: c.corp_code,
            "dart.corp_name": lambda c: c.name,
            "dart.legal_name": lambda c: c.legal_name,
            "company.register_no": lambda c: c.jurir_no,
            "company.tax_no": lambda c: c.bizr_no,
        },
    ),
    Kind(
        "listed company",
        _listed,
        {
            "krx.short_code": lambda c: c.stock_code,
            "krx.isin": lambda c: c.isin,
            "krx.share_name": lambda c: f"{c.name}보통주",
            "dart.corp_code": lambda c: c.corp_code,
            "dart.corp_name": lambda c: c.name,
            "dart.legal_name": lambda c: c.legal_name,
            "company.register_no": lambda c: c.jurir_no,
            "company.tax_no": lambda c: c.bizr_no,
        },
    ),
)
