"""Answers about courses: which qualifications, what is taught, who teaches it, how the external evaluation went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.skills.branches import branch_of_region
from kopa_hf.sandbox.skills.courses import (
    BASIC_SKILLS,
    Provider,
    Way,
    large_category,
    providers,
    qualifications_by,
    standard_of,
    units_for,
)
from kopa_hf.sandbox.skills.fields import AGES, REGIONS, SEXES
from kopa_hf.sandbox.skills.ncs import Unit
from kopa_hf.sandbox.skills.qualifications import Qualification, by_code
from kopa_hf.sandbox.skills.results import apportion, rate, uneven
from kopa_hf.sandbox.skills.rounds import LAST_YEAR
from kopa_hf.sandbox.skills.shaping import listed, names_of, year_of
from kopa_hf.sandbox.world import World

_WAYS: Final[tuple[Way, ...]] = ("C", "W")
_FIRST: Final = 2019


def _named(q: Qualification) -> Record:
    return {**names_of(q), "ncsLclasCdnm": large_category(q)[1], "mgmtInstiCd": f"M{q.field.large_code}"}


def _qualifications(way: Way) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """Every qualification that can be earned this way."""
        return listed(query, qualifications_by(world, way), _named)

    return answer


def _found(world: World, way: Way, code: str) -> Qualification | None:
    q = by_code(world, code)
    return q if q is not None and (q.course_based if way == "C" else q.work_study) else None


def _detail(way: Way) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """One qualification's outline and hours."""
        q = _found(world, way, query.get("jmCd"))
        return NO_ROWS if q is None else listed(query, (q,), lambda q: {**_named(q), **standard_of(world, q)})

    return answer


def _units(way: Way) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """The competency units of one qualification's standard."""
        q = _found(world, way, query.get("jmCd"))
        if q is None:
            return NO_ROWS
        known = {**_named(q), **standard_of(world, q)}
        version = query.get("organStdVerCd")
        rows = [unit for unit, _ in units_for(world, q)] if version in ("", known["organStdVerCd"]) else []
        return listed(query, rows, lambda unit: {**known, **_unit(unit)})

    return answer


def _unit(unit: Unit) -> Record:
    return {"ncsClCd": unit.code, "compeUnitCd": unit.number, "compeUnitName": unit.name}


def exam_standards(world: World, query: Query) -> Reply:
    """과정평가형 종목별 시험기준."""
    rows = list(enumerate(qualifications_by(world, "C"), 1))
    return listed(query, rows, lambda row: {**_named(row[1]), "rn": str(row[0])})


def basic_skills(world: World, query: Query) -> Reply:
    """직업기초능력 of a qualification, or of all."""
    code = query.get("jmCd")
    found = [q for q in qualifications_by(world, "C") if code in ("", q.code)]

    def skills(q: Qualification) -> list[str]:
        return world.identity("skills", "basics", q.index).sample(BASIC_SKILLS, 5)

    rows = [(q, number, name) for q in found for number, name in enumerate(skills(q), 1)]
    known = {q.code: {**_named(q), **standard_of(world, q)} for q in found[:1]} if code else {}

    def record(row: tuple[Qualification, int, str]) -> dict[str, Any]:
        q, number, name = row
        base = known.get(q.code) or {**_named(q), **standard_of(world, q)}
        return {**base, "jobBasisAbltSeq": str(number), "jobBasisAbltNm": name}

    return listed(query, rows, record)


def internal_evaluation(world: World, query: Query) -> Reply:
    """능력단위별 내부평가방법."""
    code = query.get("jmCd")
    found = [q for q in qualifications_by(world, "C") if code in ("", q.code)]
    rows = [(q, unit, must) for q in found for unit, must in units_for(world, q)]

    def record(row: tuple[Qualification, Unit, bool]) -> dict[str, Any]:
        q, unit, must = row
        return {**_named(q), **standard_of(world, q), **_unit(unit), "abltUnitTyp": "필수" if must else "선택"}

    return listed(query, rows, record)


def exam_fees(world: World, query: Query) -> Reply:
    """외부평가 수수료."""
    kind = query.get("qualgbCd")
    rows = [(w, q) for w in _WAYS if kind in ("", w) for q in qualifications_by(world, w)]
    return listed(query, range(len(rows)), lambda n: {**_named(rows[n][1]), "qualgbCd": rows[n][0], "rn": str(n + 1)})


def institutions(world: World, query: Query) -> Reply:
    """과정 참여 기관과 기업."""
    kind, region, name = query.get("qualgbCd"), query.get("rgnCd"), query.get("instiNm")
    wanted = (query.get("jmNm"), query.get("coseNm"))
    year = year_of(query, "trngYy", LAST_YEAR)
    rows = [
        p
        for way in _WAYS
        if kind in ("", way)
        for p in providers(world, way)
        if name in p.name
        and region in ("", REGIONS[p.region][0])
        and p.since <= year <= LAST_YEAR
        and any(all(word in q.name for word in wanted) for q in p.courses)
    ]

    def known(p: Provider) -> dict[str, Any]:
        code, short, *_ = REGIONS[p.region]
        branch = branch_of_region(world, p.region)
        place = {"rgnCd": code, "rgnNm": short, "brchCd": branch.code, "brchNm": branch.name}
        return {"instiNm": p.name, **place, "totCoseCnt": str(len(p.courses))}

    return listed(query, rows, known)


# how the external evaluation went


def evaluated(world: World, way: Way, q: Qualification, year: int) -> tuple[int, int]:
    """(examinees, passes) of a qualification's external evaluation in a year."""
    seed = world.measure_seed("skills", "external", way, q.index, year)
    taken = 12 + mix(seed, 0) % 150
    return taken, taken * (45 + mix(seed, 1) % 40) // 100


def _ministry(q: Qualification) -> Record:
    """The table by ministry calls the ministry what other tables call the agency."""
    return {**_named(q), "instiNm": q.ministry}


def pass_rates(world: World, query: Query) -> Reply:
    """외부평가 합격률 by qualification and year, both ways together."""
    every = {q.code: q for way in _WAYS for q in qualifications_by(world, way)}
    rows = [(q, year) for year in range(_FIRST, LAST_YEAR + 1) for q in every.values()]

    def known(row: tuple[Qualification, int]) -> dict[str, Any]:
        q, year = row
        ways = [evaluated(world, way, q, year) for way in _WAYS if q in qualifications_by(world, way)]
        taken, passed = sum(t for t, _ in ways), sum(p for _, p in ways)
        counts = {"exameeCnt": str(taken), "passCnt": str(passed), "passRate": rate(passed, taken)}
        return {**_ministry(q), "statisYy": str(year), **counts}

    return listed(query, rows, known)


def examinees_by_year(world: World, query: Query) -> Reply:
    """연도별 응시자 및 합격자: a row per way and year."""
    kind, year = query.get("qualgbCd"), query.get("year")
    rows = [
        (way, number)
        for way in _WAYS
        if kind in ("", way)
        for number in range(_FIRST, LAST_YEAR + 1)
        if year in ("", str(number))
    ]
    return listed(
        query,
        list(enumerate(rows, 1)),
        lambda row: {"rn": str(row[0]), "qualgbCd": row[1][0], "statisYy": str(row[1][1])},
    )


def _grouped(axis: str, groups: Sequence[tuple[str, int]]) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """Course-based holders so far by qualification, year and group."""
        taught, years = qualifications_by(world, "C"), range(_FIRST, LAST_YEAR + 1)
        rows = [(q, year, group) for year in years for q in taught for group in range(len(groups))]

        def known(row: tuple[Qualification, int, int]) -> dict[str, Any]:
            q, year, group = row
            count = 0
            for number in range(_FIRST, year + 1):
                seed = world.measure_seed("skills", "external", axis, q.index, number)
                passed = evaluated(world, "C", q, number)[1]
                count += apportion(passed, uneven([w for _, w in groups], seed), seed)[group]
            known = {"statisYy": str(year), axis: groups[group][0], "accrueAcquorCnt": str(count)}
            return {**_ministry(q), **known}

        return listed(query, rows, known)

    return answer


HANDLERS: Final[dict[str, Handler]] = {
    "cjmlist": _qualifications("C"),
    "cjmncslist": _qualifications("C"),
    "wjmlist": _qualifications("W"),
    "wjmncslist": _qualifications("W"),
    "cqualinfo": _detail("C"),
    "wqualinfo": _detail("W"),
    "cjmncsinfolist": _units("C"),
    "wjmncsinfolist": _units("W"),
    "cosejmlist": exam_standards,
    "jobbasisablt": basic_skills,
    "insdexaminfo": internal_evaluation,
    "implExamFeeListApi": exam_fees,
    "getInstiCompCoseList": institutions,
    "cwpassfldlist": pass_rates,
    "cwmgmtlcslist": pass_rates,
    "cwyearexamlist": examinees_by_year,
    "cwyearlcslist": _grouped("genderNm", SEXES),
    "cwagelcslist": _grouped("acquAge", AGES),
}
