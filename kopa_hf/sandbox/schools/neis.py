"""NEIS: handlers of its services about schools, meals, calendars and academies."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Callable, Sequence
from typing import Final

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.schools import timetables
from kopa_hf.sandbox.schools.academies import Academy, academy, field_of, numbers_of
from kopa_hf.sandbox.schools.columns import DAY, SPLIT, after, loaded, same, school_of, span, who
from kopa_hf.sandbox.schools.lessons import majors
from kopa_hf.sandbox.schools.meals import MEALS, meal, meal_slots
from kopa_hf.sandbox.schools.school import ELEMENTARY, HIGH, LEVEL_NAMES, OTHER, School, schools
from kopa_hf.sandbox.schools.terms import FIRST_YEAR, LAST_YEAR, Event, events, school_year
from kopa_hf.sandbox.world import World

_HIGH_SHORT: Final = {
    "일반고등학교": "일반고", "특성화고등학교": "특성화고", "자율고등학교": "자율고", "특수목적고등학교": "특목고",
}  # fmt: skip


_CHOSEN: Final[dict[str, Callable[[School], str]]] = {
    "SD_SCHUL_CODE": lambda school: school.code,
    "ATPT_OFCDC_SC_CODE": lambda school: school.office.code,
    "SCHUL_KND_SC_NM": lambda school: LEVEL_NAMES[school.level],
    "LCTN_SC_NM": lambda school: school.district.province.name,
    "FOND_SC_NM": lambda school: school.founder,
}
"""Parameters that a school's own column equals."""


def search_schools(world: World, query: Query) -> Reply:
    """schoolInfo."""
    name, found = query.get("SCHUL_NM"), list(schools(world))
    for parameter, column in _CHOSEN.items():
        asked = query.get(parameter)
        if asked:
            found = [school for school in found if column(school) == asked]
    if name:
        found = [school for school in found if name in school.name]
    return Rows.mapped(found, _profile)


def _profile(school: School) -> Record:
    high = school.level in (HIGH, OTHER)
    vocational = school.high_kind == "특성화고등학교"
    special = school.high_kind == "특수목적고등학교"
    return {
        **who(school),
        "ENG_SCHUL_NM": school.english,
        "SCHUL_KND_SC_NM": LEVEL_NAMES[school.level],
        "LCTN_SC_NM": school.district.province.name,
        "JU_ORG_NM": school.supervisor[0],
        "FOND_SC_NM": school.founder,
        "ORG_RDNZC": school.postcode,
        "ORG_RDNMA": school.road_address,
        "ORG_RDNDA": f"({school.neighbourhood.name}, {school.name})",
        "ORG_TELNO": school.phone(0),
        "HMPG_ADRES": school.homepage,
        "COEDU_SC_NM": school.sexes,
        "ORG_FAXNO": school.phone(3),
        "HS_SC_NM": _HIGH_SHORT.get(school.high_kind) if high else None,
        "INDST_SPECL_CCCCL_EXST_YN": "Y" if vocational and mix(school.seed, 41) % 20 == 0 else "N",
        "HS_GNRL_BUSNS_SC_NM": "전문계" if vocational else "일반계",
        "SPCLY_PURPS_HS_ORD_NM": majors(school)[0][0] if special else None,
        "ENE_BFE_SEHF_SC_NM": "전기" if special or not high else "후기",
        "DGHT_SC_NM": DAY,
        "FOND_YMD": compact(school.opened),
        "FOAS_MEMRD": compact(school.opened),
        "LOAD_DTM": loaded(school),
    }


def school_meals(world: World, query: Query) -> Reply:
    """mealServiceDietInfo."""
    school = school_of(world, query)
    if school is None:
        return NO_ROWS
    wanted, kind = span(query, "MLSV_YMD", "MLSV_FROM_YMD", "MLSV_TO_YMD"), query.get("MMEAL_SC_CODE")
    years = tuple(range(SPLIT, LAST_YEAR + 1))
    slots = [slot for slot in meal_slots(school, years) if wanted(slot[0]) and kind in ("", slot[1])]

    def row(slot: tuple[datetime.date, str]) -> Record:
        served = meal(world, school, *slot)
        day = compact(served.day)
        return {
            **who(school),
            "MMEAL_SC_CODE": served.kind,
            "MMEAL_SC_NM": MEALS[served.kind],
            "MLSV_YMD": day,
            "MLSV_FGR": float(served.served),
            "DDISH_NM": served.dishes,
            "ORPLC_INFO": served.origins,
            "CAL_INFO": f"{served.kilocalories:.1f} Kcal",
            "NTR_INFO": served.nutrients,
            "MLSV_FROM_YMD": day,
            "MLSV_TO_YMD": day,
            "LOAD_DTM": after(served.day),
        }

    return Rows.mapped(slots, row)


def school_schedule(world: World, query: Query) -> Reply:
    """SchoolSchedule."""
    school = school_of(world, query)
    if school is None:
        return NO_ROWS
    wanted = span(query, "AA_YMD", "AA_FROM_YMD", "AA_TO_YMD")
    course = LEVEL_NAMES[school.level]
    if not same(query, {"DGHT_CRSE_SC_NM": DAY, "SCHUL_CRSE_SC_NM": course}):
        return NO_ROWS
    found = [e for year in range(FIRST_YEAR, LAST_YEAR + 1) for e in events(school, year) if wanted(e.day)]
    return Rows.mapped(found, lambda event: _event(school, course, event))


_GRADES: Final = ("ONE", "TW", "THREE", "FR", "FIV", "SIX")


def _event(school: School, course: str, event: Event) -> Record:
    top = 6 if school.level == ELEMENTARY else 3
    flags = {
        f"{word}_GRADE_EVENT_YN": "*" if number > top else "Y" if number in event.grades else "N"
        for number, word in enumerate(_GRADES, start=1)
    }
    return {
        **who(school),
        "AY": str(school_year(event.day)),
        "DGHT_CRSE_SC_NM": DAY,
        "SCHUL_CRSE_SC_NM": course,
        "SBTR_DD_SC_NM": event.off,
        "AA_YMD": compact(event.day),
        "EVENT_NM": event.name,
        "EVENT_CNTNT": None,
        **flags,
        "LOAD_DTM": loaded(school),
    }


def search_academies(world: World, query: Query) -> Reply:
    """acaInsTiInfo."""
    spans = numbers_of(world, query.get("ATPT_OFCDC_SC_CODE"), query.get("ADMST_ZONE_NM"))
    numbers: Sequence[int] = list(itertools.chain.from_iterable(spans))
    designation = query.get("ACA_ASNUM")
    if designation:
        numbers = [number for number in numbers if str(1_000_000_000 + number) == designation]
    asked = [(place, query.get(name)) for place, name in enumerate(("REALM_SC_NM", "LE_ORD_NM", "LE_CRSE_NM"))]
    if any(text for _, text in asked):
        numbers = [n for n in numbers if all(text in field_of(world, n)[place] for place, text in asked)]
    return Rows.mapped(numbers, lambda number: _academy(query.get("ATPT_OFCDC_SC_CODE"), academy(world, number)))


def _academy(office: str, one: Academy) -> Record:
    closed = one.closed_for_now
    return {
        "ATPT_OFCDC_SC_CODE": office,
        "ATPT_OFCDC_SC_NM": f"{one.district.province.name}교육청",
        "ADMST_ZONE_NM": one.zone,
        "ACA_INSTI_SC_NM": one.kind,
        "ACA_ASNUM": one.designation,
        "ACA_NM": one.name,
        "ESTBL_YMD": compact(one.opened),
        "REG_YMD": compact(one.registered),
        "REG_STTUS_NM": "개원" if closed is None else "휴원",
        "CAA_BEGIN_YMD": "" if closed is None else compact(closed),
        "CAA_END_YMD": "" if closed is None else compact(closed + datetime.timedelta(days=180)),
        "TOFOR_SMTOT": str(one.places),
        "DTM_RCPTN_ABLTY_NMPR_SMTOT": str(one.places),
        "REALM_SC_NM": one.field[0],
        "LE_ORD_NM": one.field[1],
        "LE_CRSE_LIST_NM": one.field[2],
        "LE_CRSE_NM": one.field[2],
        "PSNBY_THCC_CNTNT": f"{one.field[2]}:{one.fee}",
        "THCC_OTHBC_YN": "Y",
        "BRHS_ACA_YN": "Y" if one.boarding else "N",
        "FA_RDNZC": f"{int(one.district.code) % 63000:05d}",
        "FA_RDNMA": one.address,
        "FA_RDNDA": f"/ {1 + one.number % 9}층",
        "LOAD_DTM": after(max(one.registered, datetime.date(2024, 1, 2)), 300),
    }


HANDLERS: Final[dict[str, Handler]] = {
    "schoolInfo": search_schools,
    "mealServiceDietInfo": school_meals,
    "SchoolSchedule": school_schedule,
    "acaInsTiInfo": search_academies,
    **timetables.HANDLERS,
}
