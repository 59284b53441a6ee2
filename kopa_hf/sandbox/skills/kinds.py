"""Entities of this domain that generated answers hang on."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.skills.abroad import DESTINATIONS, OCCUPATIONS, SENDING
from kopa_hf.sandbox.skills.artisans import TRADES, artisans
from kopa_hf.sandbox.skills.branches import branches
from kopa_hf.sandbox.skills.catalogue import posts
from kopa_hf.sandbox.skills.courses import providers
from kopa_hf.sandbox.skills.designations import designations
from kopa_hf.sandbox.skills.fields import REGIONS
from kopa_hf.sandbox.skills.ncs import duties, every_unit
from kopa_hf.sandbox.skills.permits import phrases, situation_of
from kopa_hf.sandbox.skills.programmes import INTERNSHIPS, company_name
from kopa_hf.sandbox.skills.programmes import companies as overseas_companies
from kopa_hf.sandbox.skills.qualifications import qualifications
from kopa_hf.sandbox.skills.showcase import works

KINDS: Final = (
    Kind(
        "qualification",
        qualifications,
        {
            "qualification.code": lambda q: q.code,
            "qualification.name": lambda q: q.name,
            "qualification.grade_code": lambda q: q.grade,
            "qualification.grade_name": lambda q: q.grade_name,
            "qualification.series_code": lambda q: q.series,
            "qualification.series_name": lambda q: q.series_name,
            "qualification.field_code": lambda q: q.field.code,
            "qualification.field_name": lambda q: q.field.name,
            "qualification.large_field_code": lambda q: q.field.large_code,
            "qualification.large_field_name": lambda q: q.field.large_name,
        },
    ),
    Kind(
        "ncs_unit",
        every_unit,
        {
            "ncs.unit_code": lambda u: u.code,
            "ncs.unit_number": lambda u: u.number,
            "ncs.unit_name": lambda u: u.name,
            "ncs.duty_code": lambda u: u.duty.code,
            "ncs.duty_name": lambda u: u.duty.name,
            "ncs.large_code": lambda u: u.duty.parts[0],
            "ncs.large_name": lambda u: u.duty.large_name,
            "ncs.middle_code": lambda u: u.duty.parts[1],
            "ncs.middle_name": lambda u: u.duty.middle_name,
            "ncs.small_code": lambda u: u.duty.parts[2],
            "ncs.small_name": lambda u: u.duty.small_name,
            "ncs.sub_code": lambda u: u.duty.parts[3],
        },
    ),
    Kind(
        "ncs_duty",
        duties,
        {
            "ncs.duty_code": lambda d: d.code,
            "ncs.duty_name": lambda d: d.name,
            "ncs.large_code": lambda d: d.parts[0],
            "ncs.large_name": lambda d: d.large_name,
        },
    ),
    Kind("branch", branches, {"qnet.branch_code": lambda b: b.code, "qnet.branch_name": lambda b: b.name}),
    Kind(
        "qnet_region",
        lambda world: REGIONS,
        {"qnet.region_code": lambda r: r[0], "qnet.region_name": lambda r: r[1]},
    ),
    Kind("artisan", artisans, {"hrdk.artisan_no": lambda a: a.number, "hrdk.artisan_name": lambda a: a.name}),
    Kind("open_question", posts, {"hrdk.post_no": lambda p: p[0], "qualification.code": lambda p: p[1].code}),
    Kind("product", works, {"hrdk.product_no": lambda w: str(7_001 + w[0]), "hrdk.artisan_no": lambda w: w[1].number}),
    Kind("designation", designations, {"qnet.designation_plan": lambda p: p.number}),
    Kind("training_provider", lambda world: providers(world, "C"), {"hrdk.provider_name": lambda p: p.name}),
    Kind(
        "sending_country",
        lambda world: SENDING,
        {"eps.country_code": lambda c: c[0], "eps.country_name": lambda c: c[1]},
    ),
    Kind(
        "phrase",
        phrases,
        {
            "permit.language": lambda p: p[0],
            "permit.topic": lambda p: p[1],
            "permit.situation": situation_of,
        },
    ),
    Kind("ncs_element", lambda world: range(1, 5), {"ncs.element_number": str}),
    Kind("ncs_level", lambda world: range(1, 6), {"ncs.search_level": str}),
    Kind("destination", lambda world: DESTINATIONS, {"worldjob.country_name": lambda d: d[0]}),
    Kind("occupation_abroad", lambda world: OCCUPATIONS, {"worldjob.occupation": lambda o: o[0]}),
    Kind("company_abroad", overseas_companies, {"worldjob.company": company_name}),
    Kind("internship", lambda world: INTERNSHIPS, {"worldjob.programme": lambda name: name}),
    Kind("contest_trade", lambda world: TRADES, {"hrdk.contest_trade": lambda trade: trade}),
)
