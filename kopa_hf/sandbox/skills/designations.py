"""The paperwork of course-based qualifications: designations, external evaluations, links with HRD-Net."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.query import Handler, Query, Record, Reply
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.skills.artisans import TRADES
from kopa_hf.sandbox.skills.branches import branch_of_region, exam_places
from kopa_hf.sandbox.skills.courses import Provider, Way, providers, qualifications_by, standard_of, units_for
from kopa_hf.sandbox.skills.fields import AGES, QUALIFICATION_KINDS, SERIES, SEXES
from kopa_hf.sandbox.skills.matters import PARTS
from kopa_hf.sandbox.skills.qualifications import Qualification, technical
from kopa_hf.sandbox.skills.rounds import LAST_YEAR, Round, offered, rounds
from kopa_hf.sandbox.skills.schedules import COURSE_SERIES, external_days
from kopa_hf.sandbox.skills.shaping import day, listed, names_of, table
from kopa_hf.sandbox.world import LAST_DAY, World

_FIRST: Final = 2019
_DOMAINS: Final = (
    ("D1", "훈련계획", "필수"),
    ("D2", "시설과 장비", "필수"),
    ("D3", "교강사", "필수"),
    ("D4", "산학협력", "선택"),
)
_WAYS: Final[tuple[Way, ...]] = ("C", "W")
_RULES: Final = ("상위 등급 자격 보유 시 응시 가능", "동일 종목 중복 응시 제한", "필기 합격 뒤 2년 면제")


@dataclass(frozen=True, slots=True)
class Designation:
    """One plan under which courses are designated."""

    number: str
    name: str
    year: int


def designations(world: World) -> tuple[Designation, ...]:
    """Two plans a year."""
    rows = [(year, half) for year in range(_FIRST, LAST_DAY.year + 1) for half in (1, 2)]
    return tuple(
        Designation(str(1_001 + n), f"{year}년 제{half}회 과정평가형 지정평가", year)
        for n, (year, half) in enumerate(rows)
    )


def _designation(world: World, plan: Designation) -> Record:
    return {"apevalPlanSeq": plan.number, "apevalPlanNm": plan.name, "implYy": str(plan.year)}


def plans(world: World, query: Query) -> Reply:
    """Every designation plan with a row number."""
    rows = list(enumerate(designations(world), 1))
    return listed(query, rows, lambda row: {**_designation(world, row[1]), "rn": str(row[0])})


def _criteria(world: World) -> list[tuple[Designation, Qualification]]:
    held = qualifications_by(world, "C")
    return [(p, q) for p in designations(world) for q in held if (q.index + int(p.number)) % 6 == 0]


def _criterion(world: World, row: tuple[Designation, Qualification]) -> Record:
    plan, q = row
    count = world.measure("designation", plan.number, q.index).between(1, 14)
    return {**names_of(q), **_designation(world, plan), "aplyCnt": str(count), "sjdgPassStdGbCcd": "60점 이상"}


def _domain(world: World, row: tuple[Designation, tuple[str, str, str]]) -> Record:
    plan, (code, name, must) = row
    points = world.measure("designation", "points", plan.number, code).between(600, 930)
    return {
        **_designation(world, plan), "examDomainCd": code, "examDomainNm": name, "mandGb": must,
        "avgSjdgPnt": f"{points / 10:.1f}",
    }  # fmt: skip


def _taught(world: World) -> list[tuple[Provider, Qualification]]:
    return [(p, q) for p in providers(world, "C") for q in p.courses]


def _course(world: World, row: tuple[Provider, Qualification]) -> Record:
    provider, q = row
    plan = designations(world)[provider.index % len(designations(world))]
    start = datetime.date(plan.year, 1 + q.index % 12, 1 + provider.index % 28)
    return {
        **names_of(q), **_designation(world, plan), "brchCd": branch_of_region(world, provider.region).code,
        "eduTrngCoseNm": f"{q.name} 과정", "trngStartDt": day(start),
        "trngEndDt": day(start + datetime.timedelta(days=180)),
        "trnglnstiNm": provider.name, "qualgbNm": QUALIFICATION_KINDS["C"],
        "instiGbCd": "I1" if provider.index % 3 else "I2",
    }  # fmt: skip


# external evaluations


def _externals(world: World) -> list[tuple[Way, Round]]:
    return [
        (way, exam)
        for way in _WAYS
        for year in range(_FIRST, LAST_DAY.year + 1)
        for exam in rounds(world, COURSE_SERIES[way], year)
    ]


def _plan_id(way: str, exam: Round) -> str:
    return f"{way}{exam.year}{exam.seq:02d}"


def _external(way: Way, exam: Round) -> Record:
    number = _plan_id(way, exam)
    return {
        **external_days(way, exam), "implPlanId": number, "implPlanld": number, "implYy": str(exam.year),
        "implSeq": str(exam.seq),
        "qualgbCd": way, "implsysCd": {"C": "03", "W": "04"}[way], "year": str(exam.year),
    }  # fmt: skip


def external_plans(world: World, query: Query) -> Reply:
    """외부평가 시행계획, its sites, its monitoring: a row per plan, numbered."""
    wanted = {
        "implYy": query.get("implYy"), "implSeq": query.get("implSeq"), "implsysCd": query.get("implsysCd"),
        "qualgbCd": query.get("qualgbCd") or query.get("qualgbcd"), "year": query.get("year"),
    }  # fmt: skip
    known = [_external(way, exam) for way, exam in _externals(world)]
    rows = [row for row in known if all(value in ("", row[name]) for name, value in wanted.items())]
    return listed(query, range(len(rows)), lambda n: {**rows[n], "rn": str(n + 1)})


def _site(world: World, row: tuple[tuple[Way, Round], int]) -> Record:
    (way, exam), number = row
    places = exam_places(world)
    place = places[(exam.year * 31 + exam.seq * 7 + number * 13) % len(places)]
    return {**_external(way, exam), "brchNm": place.branch.name, "examAreaNm": place.name}


def _setting(world: World, row: tuple[tuple[Way, Round], int]) -> Record:
    (way, exam), number = row
    held = qualifications_by(world, way)
    q = held[(exam.year + exam.seq * 17 + number * 5) % len(held)]
    return {**names_of(q), **standard_of(world, q), **_external(way, exam)}


def _links(number: int) -> Any:
    return lambda world: [(row, n) for row in _externals(world) for n in range(number)]


def _survey(world: World, row: tuple[Way, Round]) -> Record:
    seed = world.measure_seed("designation", "survey", *_plan_id(*row))
    people = 120 + mix(seed, 0) % 900
    return {
        "title": f"{external_days(*row)['implPlanNm']} 만족도 조사", "qstSeq": str(8 + mix(seed, 1) % 12),
        "rschRsltSeq": str(people),
        "rschLoterrySeq": str(people // 20),
    }  # fmt: skip


def _by_group(axis: str, groups: Sequence[tuple[str, int]]) -> Handler:
    def items(world: World) -> list[tuple[Qualification, int, str]]:
        held = qualifications_by(world, "C")
        return [(q, year, name) for year in range(_FIRST, LAST_YEAR + 1) for q in held for name, _ in groups]

    def known(world: World, row: tuple[Qualification, int, str]) -> Record:
        q, year, name = row
        return {**names_of(q), axis: name, "statisYy": str(year), "eduTrngInstiTypCd": "I1" if q.index % 3 else "I2"}

    return table(items, known)


def _scores(world: World) -> list[tuple[Qualification, Round]]:
    return [
        (q, exam)
        for year in range(_FIRST, LAST_YEAR + 1)
        for exam in rounds(world, COURSE_SERIES["C"], year)
        for q in qualifications_by(world, "C")
    ]


def _score(world: World, row: tuple[Qualification, Round]) -> Record:
    q, exam = row
    return {**_external("C", exam), **names_of(q), "statisYy": str(exam.year)}


# ordinary exams


def _papers(world: World) -> list[tuple[Qualification, Round, int]]:
    return [(q, exam, n) for q in technical(world) for exam in offered(world, q, LAST_YEAR) for n in range(len(PARTS))]


def _paper(world: World, row: tuple[Qualification, Round, int]) -> Record:
    q, exam, number = row
    stream = world.measure("designation", "paper", q.index, exam.seq, number)
    return {
        "implPlanld": f"T{exam.year}{exam.seq:02d}{q.code}", "implPlanNm": f"{exam.year}년 {q.name} 제{exam.seq}회",
        "kmCd": f"{q.field.code}{number + 1}",
        "kmNm": f"{q.field.name} {PARTS[number]}", "examPers": str(stream.octave(8, 4_095)),
        "avgPnt": f"{stream.between(4200, 7600) / 100:.2f}",
        "addMarkYn": "N", "mandKmYnCcd": "Y",
    }  # fmt: skip


def _standards(world: World) -> list[tuple[Qualification, int]]:
    held = [q for q in technical(world) if q.course_based or q.work_study]
    return [(q, n) for n, q in enumerate(held, 1)]


def _standard(world: World, row: tuple[Qualification, int]) -> Record:
    return {**names_of(row[0]), **standard_of(world, row[0]), "rn": str(row[1])}


def _unit_rows(world: World) -> list[tuple[Qualification, int]]:
    held = [q for q in technical(world) if q.course_based or q.work_study for _ in units_for(world, q)]
    return [(q, n) for n, q in enumerate(held, 1)]


def link_history(world: World, query: Query) -> Reply:
    """HRDNET 연계: one transfer a month, the newest first."""
    year = query.get("year")
    months = [(y, m) for y in range(LAST_DAY.year, _FIRST - 1, -1) for m in range(12, 0, -1)]
    past = [(y, m) for y, m in months if datetime.date(y, m, 1) <= LAST_DAY and year in ("", str(y))]
    rows = list(enumerate(past, 1))
    return listed(
        query, rows, lambda row: {"rn": str(row[0]), "year": str(row[1][0]), "linkDt": f"{row[1][0]}{row[1][1]:02d}01"}
    )


def _exemption(world: World, row: tuple[Qualification, str]) -> Record:
    q, trade = row
    return {
        **names_of(q), "jtNm": trade, "skillCmpNm": "전국기능경기대회", "prizStartYy": str(max(q.since, 1990)),
        "prizEndYy": str(LAST_YEAR),
    }  # fmt: skip


def _trades(world: World) -> list[tuple[Qualification, str]]:
    return [(q, TRADES[q.index % len(TRADES)]) for q in technical(world) if q.grade == "40"]


def _series(world: World, row: tuple[str, int]) -> Record:
    series, number = row
    known = {"seriesCd": series, "seriesNm": SERIES[series]}
    return {
        **known, "gunNm": f"{SERIES[series]} 과목군 {number + 1}", "mjrKmNm": PARTS[number], "srRuleNm": _RULES[number],
        "srRuleYn": "Y" if (int(series) + number) % 3 else "N",
    }  # fmt: skip


_SERIES_ROWS: Final = tuple((series, n) for series in SERIES for n in range(len(PARTS)))

HANDLERS: Final[dict[str, Handler]] = {
    "aplanstslist": plans,
    "aplanoprstslist": plans,
    "jmpassstd": table(_criteria, _criterion, apevalPlanSeq="apevalPlanSeq"),
    "examdomainrslt": table(
        lambda world: [(plan, domain) for plan in designations(world) for domain in _DOMAINS],
        _domain,
        apevalPlanSeq="apevalPlanSeq",
    ),
    "capevalinfo": table(_taught, _course),
    "mornitoringinfo": table(_taught, _course),
    "exammethinfo": table(_taught, _course),
    "implBrchInfo": external_plans,
    "coseExamAreaInfo": external_plans,
    "exammonitoringinfo": external_plans,
    "linkhistinfo": table(_links(9), _site),
    "cexaminfo": table(_links(12), _setting),
    "rschinfo": table(_externals, _survey),
    "cwlcslist": _by_group("genderNm", SEXES),
    "cwtypfldlist": _by_group("genderNm", SEXES),
    "cwyearagelcslist": _by_group("age", AGES),
    "cwjmfldlist": table(_scores, _score),
    "InquiryStdDeviSVC/getList": table(_papers, _paper),
    "retrieveHrdnet07Info": table(_standards, _standard),
    "hrdnetOrganStdInfo": table(_standards, _standard),
    "retrieveHrdnet10Info": table(_unit_rows, _standard),
    "hrdnetlinkhist": link_history,
    "InquirySkillCmpSVC/getList": table(_trades, _exemption),
    "InquirySeriesSVC/getRule": table(lambda world: _SERIES_ROWS, _series),
    "InquirySeriesSVC/getSubject": table(lambda world: _SERIES_ROWS, _series),
}
