"""Schools as entities that generated answers hang on."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.schools.school import LEVEL_NAMES, School, schools


def _name(school: School) -> str:
    return school.name


KINDS: Final = (
    Kind(
        "school",
        schools,
        {
            "school.code": lambda s: s.code,
            "school.name": _name,
            "school.office_code": lambda s: s.office.code,
            "school.office_name": lambda s: s.office.name,
            "school.disclosure_code": lambda s: s.disclosure,
            "school.office_organisation": lambda s: s.office.organisation,
            "school.support_organisation": lambda s: s.supervisor[1],
            "school.support_name": lambda s: s.supervisor[0],
            "school.kedi_code": lambda s: s.kedi,
            "school.level_code": lambda s: s.level,
            "school.level_name": lambda s: LEVEL_NAMES[s.level],
            "region.sgg_code": lambda s: s.district.code,
            "region.sgg_name": lambda s: s.district.name,
            "region.full_name": lambda s: s.district.full_name,
            "region.sido_code": lambda s: s.district.province.code,
            "region.sido_name": lambda s: s.district.province.name,
            "region.bjd_code": lambda s: s.neighbourhood.code,
        },
    ),
)
