"""Answers about who holds qualifications: by region, sex, age and schooling, new ones and all so far."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from kopa_hf.sandbox.places import provinces
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.skills.branches import branch_of_region
from kopa_hf.sandbox.skills.fields import AGES, GRADES, QUALIFICATION_KINDS, REGIONS, SERIES, SEXES
from kopa_hf.sandbox.skills.outcomes import schooling
from kopa_hf.sandbox.skills.qualifications import Qualification, technical
from kopa_hf.sandbox.skills.results import (
    Split,
    Tally,
    added,
    apportion,
    before_split,
    by_age,
    by_sex,
    by_sex_and_age,
    holders_split,
    of_region,
    round_split,
    round_tallies,
    uneven,
    year_split,
)
from kopa_hf.sandbox.skills.rounds import FIRST_YEAR, LAST_YEAR, Round
from kopa_hf.sandbox.skills.shaping import has_results, listed, matching, names_of, shaped, year_of
from kopa_hf.sandbox.skills.statistics import span_of
from kopa_hf.sandbox.world import World

_WEIGHTS: Final = tuple(weight for *_, weight in REGIONS)
_PROVINCES: Final = {p.code: p.name for p in provinces()}


def province_of(region: int) -> str:
    """The full name of the province that a region stands for."""
    return _PROVINCES[REGIONS[region][2]]


# one region


def _regional(fill: Callable[[World, Qualification, int, int, int], Record]) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """Qualifications of a series by their new holders in a region and quarter, most first."""
        year = year_of(query)
        region = next((n for n, (code, *_) in enumerate(REGIONS) if code == query.get("rgnCd")), None)
        quarter = query.get("quart")
        if quarter not in ("1", "2", "3", "4"):
            raise RefusedError("value", "quart")
        if region is None or query.get("seriesCd") not in SERIES or not has_results(year):
            return NO_ROWS
        place, part = region, int(quarter)
        counted = [
            (sum(of_region(year_split(world, q, year, part), place)), q) for q in matching(technical(world), query)
        ]
        order = sorted((pair for pair in counted if pair[0]), key=lambda pair: (-pair[0], pair[1].code))

        def known(row: tuple[int, tuple[int, Qualification]]) -> Record:
            rank, (count, q) = row
            common = {"rank": str(rank), "quart": quarter, "rgnnm": REGIONS[place][1], "cnt": str(count)}
            return {**names_of(q), **common, **fill(world, q, year, part, place)}

        return listed(query, list(enumerate(order, 1)), known)

    return answer


def _numbered(counts: list[int]) -> Record:
    return {f"acquCnt{number}": str(count) for number, count in enumerate(counts, 1)}


def _ages_there(world: World, q: Qualification, year: int, quarter: int, region: int) -> Record:
    return _numbered(by_age(of_region(year_split(world, q, year, quarter), region)))


def _sexes_there(world: World, q: Qualification, year: int, quarter: int, region: int) -> Record:
    return _numbered(by_sex(of_region(year_split(world, q, year, quarter), region)))


def _years_there(world: World, q: Qualification, year: int, quarter: int, region: int) -> Record:
    years = range(year - 4, year + 1)
    return _numbered([sum(of_region(year_split(world, q, y, quarter), region)) for y in years])


# all regions


def by_province(world: World, query: Query) -> Reply:
    """행정구역별 연도별 성별 취득현황: a row per grade, province and sex."""
    year = year_of(query)
    if not has_results(year):
        return NO_ROWS
    rows = [(g, r, s) for g in GRADES for r in range(len(REGIONS)) for s in range(len(SEXES))]

    def known(row: tuple[str, int, int]) -> Record:
        grade, region, sex = row
        assert query.tool is not None
        record: Record = {
            "grdCd": grade, "grdNm": GRADES[grade], "genderNm": SEXES[sex][0], "sido": province_of(region),
            "statisYy": str(year), "accumAcquCnt": _of(grade_split(world, grade, FIRST_YEAR, year), region, sex),
        }  # fmt: skip
        for field in query.tool.fields:
            if re.fullmatch(r"yy\dAcquCnt", field.name):
                first, last = span_of(field.label, year)
                record[field.name] = _of(grade_split(world, grade, first, last), region, sex)
        return record

    return listed(query, rows, known)


def _of(split: Split, region: int, sex: int) -> str:
    return str(by_sex(of_region(split, region))[sex])


def grade_split(world: World, grade: str, first: int, last: int) -> Split:
    """New holders of a grade's qualifications over some years; from the first year on, with all before it."""

    def year(number: int) -> Split:
        return world.table(
            f"skills.grade_split.{grade}.{number}",
            lambda w: added(year_split(w, q, number) for q in technical(w) if q.grade == grade),
        )

    before = world.table(
        f"skills.grade_split.{grade}.before",
        lambda w: added(before_split(w, q) for q in technical(w) if q.grade == grade),
    )
    years = [year(number) for number in range(first, last + 1)]
    return added([before, *years] if first == FIRST_YEAR else years)


# all so far


def _holders(axis: str, groups: tuple[str, ...], count: Callable[[Split], list[int]]) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """A row per qualification and group: how many hold it at the end of the year."""
        year = year_of(query)
        if not has_results(year):
            return NO_ROWS
        held = [q for q in technical(world) if q.since <= year]
        rows = [(q, group) for q in held for group in range(len(groups))]

        def known(row: tuple[Qualification, int]) -> Record:
            q, group = row
            number = count(holders_split(world, q, year))[group]
            return {**names_of(q), axis: groups[group], "accumAcquCnt": str(number), "statisYy": str(year)}

        return listed(query, rows, known)

    return answer


def by_schooling_and_age(world: World, query: Query) -> Reply:
    """학력별 연도별 취득현황: a row per qualification and age group, schooling in columns."""
    year = year_of(query)
    if not has_results(year):
        return NO_ROWS
    rows = [(q, age) for q in technical(world) if q.since <= year for age in range(len(AGES))]

    def known(row: tuple[Qualification, int]) -> Record:
        q, age = row
        high, studying, college, *_ = counts = schooling(world, q, year, age)
        columns = {"highSchCnt": str(high), "colgOnschCnt": str(studying), "collegeCnt": str(college)}
        return {**names_of(q), "ageGb": AGES[age][0], "acquCnt": str(sum(counts)), **columns}

    return listed(query, rows, known)


# applications by residence


def _residences(practical_too: bool) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """Applications of a round by the province where the applicants live."""
        year = year_of(query, default=LAST_YEAR)
        if not has_results(year):
            return NO_ROWS
        held = [(q, *row) for q in matching(technical(world), query) for row in round_tallies(world, q, year)]
        stages, places = (1, 2) if practical_too else (1,), len(REGIONS)

        def at(index: int) -> Record:
            index, place = divmod(index, places)
            index, stage = divmod(index, len(stages))
            q, exam, tally = held[index]
            return shaped(query, _residence(world, q, exam, tally, stages[stage], place))

        return Rows(len(held) * len(stages) * places, at)

    return answer


def _residence(world: World, q: Qualification, exam: Round, tally: Tally, stage: int, place: int) -> Record:
    seed = world.measure_seed("skills", "residence", q.index, exam.year, exam.seq, stage)
    applied = tally.applied if stage == 1 else tally.practical_applied
    return {
        **names_of(q),
        "abdAddr": province_of(place),
        "brchNm": branch_of_region(world, place).name,
        "implPlanNm": f"{exam.year}년 {q.grade_name} 제{exam.seq}회",
        "recptCnt": str(apportion(applied, uneven(_WEIGHTS, seed), seed)[place]),
        "seqNo": str(stage),
    }


# the joint register of new holders


def acquisition_records(world: World, query: Query) -> Reply:
    """자격취득자 현황: one row per year, month, kind and region in which somebody won a qualification."""
    given = query.get("acquYy")
    years = (year_of(query, "acquYy"),) if given else tuple(range(LAST_YEAR - 4, LAST_YEAR + 1))
    kind, region = query.get("qualgbCd"), query.get("rgnCd")
    if (kind and kind != "T") or not all(FIRST_YEAR <= year <= LAST_YEAR for year in years):
        return NO_ROWS
    sexes = [n for n in range(len(SEXES)) if query.get("genderCd") in ("", str(n + 1))]
    ages = [n for n in range(len(AGES)) if query.get("ageGrupCd") in ("", str(n + 1))]
    places = [n for n, (code, *_) in enumerate(REGIONS) if region in ("", code)]
    held = [
        (q, exam, tally)
        for q in matching(technical(world), query)
        for year in years
        for exam, tally in round_tallies(world, q, year)
    ]
    if len(sexes) + len(ages) == len(SEXES) + len(AGES):
        width = max(len(places), 1)
        total = len(held) * len(places)
        return Rows(total, lambda n: shaped(query, _acquisition((*held[n // width][:2], places[n % width]))))
    rows = []
    for q, exam, tally in held:
        split = round_split(world, q, exam, tally.acquired)
        for place in places:
            cells = by_sex_and_age(of_region(split, place))
            if any(cells[s][a] for s in sexes for a in ages):
                rows.append((q, exam, place))
    return listed(query, rows, _acquisition)


def _acquisition(row: tuple[Qualification, Round, int]) -> Record:
    q, exam, place = row
    code, short, *_ = REGIONS[place]
    when: dict[str, Any] = {"acquYy": str(exam.year), "acquMm": f"{exam.prac_pass.month:02d}"}
    return {**names_of(q), **when, "qualgbNm": QUALIFICATION_KINDS["T"], "rgnCd": code, "rgnNm": short}


_BY_SEX: Final = _holders("genderNm", tuple(name for name, _ in SEXES), by_sex)

HANDLERS: Final[dict[str, Handler]] = {
    "InquiryRgnQualSVC/getAgeList": _regional(_ages_there),
    "InquiryRgnQualSVC/getGenList": _regional(_sexes_there),
    "InquiryRgnQualSVC/getYearList": _regional(_years_there),
    "InquiryQualRelaPtcondSVC/getAdminZoneList": by_province,
    "InquiryStatisYearSVC/getAgeQualYearList": _holders("ageGb", tuple(name for name, _ in AGES), by_age),
    "InquiryStatisYearSVC/getQualPossList": _BY_SEX,
    "InquiryStatisYearSVC/getYearQualList": _BY_SEX,
    "InquiryStatisYearSVC/getEhstYearQualList": by_schooling_and_age,
    "InquiryExameeAbdSVC/getList": _residences(False),
    "InquiryRecpTotPtcondSVC/getAbodeList": _residences(True),
    "getQualAcquPtcond": acquisition_records,
}
