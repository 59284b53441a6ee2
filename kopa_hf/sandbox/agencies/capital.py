"""What the operations of Seoul's districts and corporations hang on: places for smokers, heat and power plants."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.agencies.numbered import serials
from kopa_hf.sandbox.entities import Kind

KINDS: Final = (
    serials("gwangjin.no_smoking_area", 400),
    serials("gwangjin.no_smoking_facility", 900, 10_001),
    serials("gwangjin.smoking_area", 60, 501),
    Kind(
        "heat and power plant",
        lambda world: (("01", "동부지사"), ("02", "서부지사"), ("03", "중앙지사")),
        {"senergy.branch_code": lambda p: p[0], "senergy.branch_name": lambda p: p[1]},
    ),
)
