"""Answers about the competency standards, level by level."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply
from kopa_hf.sandbox.skills.courses import qualifications_of_unit, standard_of
from kopa_hf.sandbox.skills.ncs import (
    DEGREE,
    LARGE,
    Duty,
    Unit,
    duties,
    duty_of,
    element_name,
    every_unit,
    unit_of,
    units_of,
)
from kopa_hf.sandbox.skills.shaping import listed, names_of
from kopa_hf.sandbox.world import World

_LEVELS: Final = ("LCLAS", "MCLAS", "SCLAS", "SUBD")


def _codes(duty: Duty) -> Record:
    """A duty's four codes and names in the spelling of the older service (NCS_LCLAS_CD)."""
    record: Record = {"NCS_DEGR": DEGREE, "USG_YN": "Y"}
    names = (duty.large_name, duty.middle_name, duty.small_name, duty.name)
    for level, code, name in zip(_LEVELS, duty.parts, names, strict=True):
        record |= {f"NCS_{level}_CD": code, f"NCS_{level}_CDNM": name}
    return record


def _new_codes(duty: Duty) -> Record:
    """The same in the spelling of the newer one (ncsLclasCd)."""
    names = (duty.large_name, duty.middle_name, duty.small_name, duty.name)
    record: Record = {"ncsDegr": DEGREE}
    for level, code, name in zip(("Lclas", "Mclas", "Sclas", "Subd"), duty.parts, names, strict=True):
        record |= {f"ncs{level}Cd": code, f"ncs{level}CdNm": name, f"ncs{level}Cdnm": name}
    return record


def _current(query: Query) -> bool:
    """False where an older revision is asked for: the world holds the newest one only."""
    return query.get("USG_YN") in ("", "Y") and query.get("NCS_DEGR") in ("", DEGREE)


def large_categories(world: World, query: Query) -> Reply:
    """NCS 대분류."""
    wanted = query.get("NCS_LCLAS_CD")
    rows = [pair for pair in LARGE if wanted in ("", pair[0])] if _current(query) else []
    known = {"NCS_DEGR": DEGREE, "USG_YN": "Y"}
    return listed(query, rows, lambda row: {**known, "NCS_LCLAS_CD": row[0], "NCS_LCLAS_CDNM": row[1]})


def _categories(level: int) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """The categories of a level below the ones that are named."""
        wanted = [query.get(f"NCS_{name}_CD") for name in _LEVELS[: level + 1]]
        found: dict[str, Duty] = {}
        for duty in duties(world) if _current(query) else ():
            if all(not code or own == code for code, own in zip(wanted, duty.parts, strict=False)):
                found.setdefault(duty.code[: 2 * level + 2], duty)
        return listed(query, tuple(found.values()), _codes)

    return answer


def units_of_category(world: World, query: Query) -> Reply:
    """NCS 능력단위분류코드."""
    duty = duty_of(world, "".join(query.get(f"NCS_{name}_CD") for name in _LEVELS))
    if duty is None or not _current(query):
        return NO_ROWS
    code = query.get("NCS_CL_CD")
    return listed(query, [u for u in units_of(world, duty) if code in ("", u.code)], lambda u: _codes(u.duty))


def element_of_unit(world: World, query: Query) -> Reply:
    """NCS 능력단위요소: one element of a unit."""
    unit, number = unit_of(world, query.get("NCS_CL_CD")), query.get("COMPE_UNIT_FACTR_NO")
    if unit is None or not number.isdecimal() or not 1 <= int(number) <= unit.elements or not _current(query):
        return NO_ROWS
    found = int(number)
    record = {
        "NCS_DEGR": DEGREE, "NCS_CL_CD": unit.code, "COMPE_UNIT_NAME": unit.name,
        "COMPE_UNIT_DEF": definition(unit), "COMPE_UNIT_FACTR_NO_CD": f"{unit.code[:10]}.{found}",
        "COMPE_UNIT_FACTR_NO": str(found), "COMPE_UNIT_FACTR_NAME": element_name(unit, found),
        "COMPE_UNIT_FACTR_LEVEL": str(unit.level),
    }  # fmt: skip
    return listed(query, (record,), lambda record: record)


def definition(unit: Unit) -> str:
    """What a unit is, in a sentence."""
    return f"{unit.name}에 필요한 내용을 파악하고 절차에 따라 수행하는 능력이다."


def search_units(world: World, query: Query) -> Reply:
    """NCS 능력단위 키워드 검색: units with the word in a name of the level (1 large category … 4 duty, 5 unit)."""
    word, level = query.get("SWRD"), query.get("LVL")
    if level not in ("1", "2", "3", "4", "5"):
        return NO_ROWS
    found = [u for u in every_unit(world) if word in _level_name(u, int(level))]
    rows = list(enumerate(found, 1))
    return listed(query, rows, lambda row: {**_codes(row[1].duty), "RN": str(row[0])})


def _level_name(unit: Unit, level: int) -> str:
    duty = unit.duty
    return (duty.large_name, duty.middle_name, duty.small_name, duty.name, unit.name)[level - 1]


# the newer service


def classification(world: World, query: Query) -> Reply:
    """NCS 분류체계: every duty with its four levels."""
    return listed(query, duties(world), _new_codes)


def _of_duty(query: Query, world: World) -> tuple[Duty, ...]:
    code = query.get("dutyCd")
    if not code:
        return duties(world)
    duty = duty_of(world, code)
    return () if duty is None else (duty,)


def _duty(duty: Duty) -> Record:
    text = f"{duty.small_name} 분야에서 {duty.name} 일을 계획하고 수행하는 직무이다."
    return {"dutyCd": duty.code, "dutyNm": duty.name, "dutySvcNo": duty.service_no, "dutyDef": text}


def duty_info(world: World, query: Query) -> Reply:
    """NCS 직무정보."""
    return listed(query, _of_duty(query, world), _duty)


def unit_record(unit: Unit) -> Record:
    """A unit with its duty and categories, under the spellings of all services."""
    return {
        **_duty(unit.duty), **_new_codes(unit.duty),
        "ncsClCd": unit.code, "compUnitCd": unit.number, "compUnitName": unit.name, "compUnitDef": definition(unit),
        "compUnitLevel": str(unit.level), "compeUnitName": unit.name, "compeUnitLevel": str(unit.level),
    }  # fmt: skip


def _units(query: Query, world: World) -> list[Unit]:
    number = query.get("compUnitCd")
    found = (
        [u for d in _of_duty(query, world) for u in units_of(world, d)] if query.get("dutyCd") else every_unit(world)
    )
    return [u for u in found if number in ("", u.number)]


def units_of_duty(world: World, query: Query) -> Reply:
    """NCS 능력단위."""
    return listed(query, _units(query, world), unit_record)


def numbered_units(world: World, query: Query) -> Reply:
    """공통 NCS: every unit with its row number."""
    rows = every_unit(world)
    return listed(query, range(len(rows)), lambda n: {**unit_record(rows[n]), "rn": str(n + 1)})


def elements_of_duty(world: World, query: Query) -> Reply:
    """NCS 능력단위요소, and what they need in knowledge, skills and attitude."""
    rows = [(u, number) for u in _units(query, world) for number in range(1, u.elements + 1)]

    def known(row: tuple[Unit, int]) -> dict[str, Any]:
        unit, number = row
        return {**unit_record(unit), "compUnitFactrNo": str(number), "compUnitFactrName": element_name(unit, number)}

    return listed(query, rows, known)


def qualifications_with_unit(world: World, query: Query) -> Reply:
    """NCS 능력단위별 자격 종목."""
    code = query.get("ncsClCd")
    unit = unit_of(world, code) if code else None
    if code and unit is None:
        return NO_ROWS
    return listed(query, qualifications_of_unit(world, unit), lambda q: {**names_of(q), **standard_of(world, q)})


HANDLERS: Final[dict[str, Handler]] = {
    "NCS001": large_categories,
    "NCS002": _categories(1),
    "NCS003": _categories(2),
    "NCS004": _categories(3),
    "NCS005": units_of_category,
    "NCS006": element_of_unit,
    "NCS007": search_units,
    "ncsCdInfo": classification,
    "ncsDutyInfo": duty_info,
    "ncsCompeUnitInfo": units_of_duty,
    "ncsCompeUnitFactrInfo": elements_of_duty,
    "ncsKsaInfo": elements_of_duty,
    "ncsinfo": units_of_duty,
    "ncsinfodetail": numbered_units,
    "getNcsClCdJmList": qualifications_with_unit,
}
