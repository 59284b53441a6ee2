"""What all of 학교알리미's items share: which schools an answer holds, and how each row begins.

An item gives the columns of its own; a number that it leaves out is 0, a text is nothing. A few schools
are excluded from disclosure: their rows give the reason and no figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.rng import Stream, mix
from kopa_hf.sandbox.schools.offices import LOCATIONS
from kopa_hf.sandbox.schools.school import COURSES, School, schools_in
from kopa_hf.sandbox.world import World

YEARS: Final = range(2023, 2026)
"""Only the last three years are disclosed."""
Item = Callable[[World, School, int], Record | Sequence[Record]]
_REASONS: Final = ("학생 수가 적어 개인을 알아볼 수 있음", "신설 학교로 자료가 없음", "공시 대상이 아닌 항목임")


def figures(world: World, topic: str, school: School, year: int) -> Stream:
    """The draws behind an item's numbers."""
    return world.measure("schools", topic, school.index, year)


def yes_no(school: School, number: int, percent: int) -> str:
    """A lasting yes or no of a school."""
    return "Y" if mix(school.seed, 500 + number) % 100 < percent else "N"


def share(part: int, whole: int) -> float:
    """Percent with two decimals; 0 of nothing."""
    return round(part * 100 / whole, 2) if whole else 0.0


def ratio(part: int, whole: int) -> float:
    """A quotient with one decimal; 0 of nothing."""
    return round(part / whole, 1) if whole else 0.0


def who(school: School) -> Record:
    """The columns that every item begins with."""
    supervisor, organisation = school.supervisor
    course, course_name = COURSES[school.level]
    return {
        "ATPT_OFCDC_ORG_NM": school.office.name,
        "ATPT_OFCDC_ORG_CODE": school.office.organisation,
        "JU_ORG_NM": supervisor,
        "JU_ORG_CODE": organisation,
        "ADRCD_NM": school.district.full_name,
        "ADRCD_CD": school.neighbourhood.code,
        "LCTN_SC_CODE": LOCATIONS[school.district.province.code],
        "SCHUL_CODE": school.disclosure,
        "SCHUL_NM": school.name,
        "SCHUL_KND_SC_CODE": school.level,
        "FOND_SC_CODE": school.founder,
        "HS_KND_SC_NM": school.high_kind or None,
        "BNHH_YN": "Y" if school.branch else "N",
        "PBAN_EXCP_YN": "N",
        "PBAN_EXCP_RSN": None,
        "SCHUL_FOND_TYP_NM": "단설",
        "SCHUL_FOND_TYP_CODE": "1",
        "DGHT_SC_CODE": "주간",
        "DGHT_CRSE_SC_CODE": "주간",
        "SCHUL_CRSE_SC_VALUE": course,
        "SCHUL_CRSE_SC_VALUE_NM": course_name,
    }


def disclosed(item: Item, *, yearly: bool = True, founders: tuple[str, ...] = ()) -> Handler:
    """The handler of an item; `founders`: only schools of these are in it."""

    def answer(world: World, query: Query) -> Reply:
        district, level = query.get("sggCode"), query.get("schulKndCode")
        if query.get("sidoCode") and not district.startswith(query.get("sidoCode")):
            return NO_ROWS
        year = YEARS[-1]
        if yearly:
            text = query.get("pbanYr")
            if not text.isdigit():
                raise RefusedError("value", "pbanYr")
            year = int(text)
        if year not in YEARS:
            return NO_ROWS
        found = [s for s in schools_in(world, district, level) if not founders or s.founder in founders]
        return Rows.of([row for school in found for row in _rows(world, query.tool, school, year, item, yearly)])

    return answer


def _rows(world: World, tool: Tool | None, school: School, year: int, item: Item, yearly: bool) -> list[Record]:
    head = who(school)
    draw = mix(school.seed, 600 + year)
    if yearly and draw % 100 == 0:
        head |= {"PBAN_EXCP_YN": "Y", "PBAN_EXCP_RSN": _REASONS[draw // 100 % len(_REASONS)]}
        names = [f.name for f in tool.fields] if tool is not None else list(head)
        return [{name: head.get(name) for name in names}]
    given = item(world, school, year)
    rows = [given] if isinstance(given, dict) else list(given)
    if tool is None:
        return [{**head, **row} for row in rows]
    blank = {f.name: None if f.type == "string" else 0 for f in tool.fields}
    return [{**blank, **{n: v for n, v in {**head, **row}.items() if n in blank}} for row in rows]
