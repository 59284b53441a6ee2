"""Answers about people with several qualifications, how long it took them, and special groups of holders."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.skills.fields import AGES, GRADES, SCHOOLS, SEXES
from kopa_hf.sandbox.skills.outcomes import ELIGIBILITY, eligibility_tally, schooling
from kopa_hf.sandbox.skills.qualifications import Qualification, technical
from kopa_hf.sandbox.skills.results import (
    apportion,
    by_age,
    by_sex_and_age,
    grade_tally,
    holders_split,
    rate,
    uneven,
    year_split,
    year_tally,
)
from kopa_hf.sandbox.skills.rounds import FIRST_YEAR, LAST_YEAR
from kopa_hf.sandbox.skills.shaping import has_results, listed, matching, names_of, year_of
from kopa_hf.sandbox.world import World

_HAVING: Final = (640, 190, 80, 40, 22, 12, 7, 4, 3, 2)
"""Weights of holding 1, 2, … 10 qualifications."""
_TRIES: Final = (55, 27, 18)
"""Weights of passing at the first, second and third try."""


def _several(least: int) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """A row per grade: the year's new holders by how many qualifications they now have."""
        year = year_of(query, default=LAST_YEAR)
        if not has_results(year):
            return NO_ROWS

        def known(grade: str) -> Record:
            count = grade_tally(world, grade, year, year).acquired
            seed = world.measure_seed("skills", "several", least, grade, year)
            shares = apportion(count, uneven(_HAVING[least - 1 :], seed), seed)
            columns = {f"qualAcquCnt{n}": str(share) for n, share in enumerate(shares, least)}
            return {"grdCd": grade, "grdNm": GRADES[grade], "acquCnt": str(count), **columns}

        return listed(query, tuple(GRADES), known)

    return answer


def _tries(world: World, taken: int, *key: object) -> list[int]:
    seed = world.measure_seed("skills", "tries", *key)
    return apportion(taken, uneven(_TRIES, seed), seed)


def _attempts(world: World, written: int, practical: int, *key: object) -> Record:
    record: Record = {"accumAcquAvgTermDays": str(120 + world.measure("skills", "days", *key).below(400))}
    for stage, count in (("Pil", written), ("Sil", practical)):
        for number, share in enumerate(_tries(world, count, stage, *key), 1):
            record[f"accum{stage}_{number}TimeExamCnt"] = str(share)
    return record


def time_by_grade(world: World, query: Query) -> Reply:
    """등급별 취득소요기간: how many tries the holders so far needed."""
    year = year_of(query, default=LAST_YEAR)
    if not has_results(year):
        return NO_ROWS
    wanted = query.get("grdCd")

    def known(grade: str) -> Record:
        tally = grade_tally(world, grade, FIRST_YEAR, year)
        tries = _attempts(world, tally.passed, tally.acquired, grade, year)
        return {"grdCd": grade, "grdNm": GRADES[grade], **tries}

    return listed(query, [g for g in GRADES if wanted in ("", g)], known)


def time_by_qualification(world: World, query: Query) -> Reply:
    """국가자격 취득소요기간: the same for every qualification's year."""
    year = year_of(query)
    held = [q for q in technical(world) if year_tally(world, q, year).applied] if has_results(year) else []

    def known(q: Qualification) -> Record:
        tally = year_tally(world, q, year)
        return {**names_of(q), **_attempts(world, tally.passed, tally.acquired, q.index, year)}

    return listed(query, held, known)


# kinds of holders


def by_eligibility(world: World, query: Query) -> Reply:
    """등급별 응시자격 검정현황: a row per qualification and kind of eligibility."""
    year = year_of(query)
    held = [q for q in matching(technical(world), query) if has_results(year) and year_tally(world, q, year).applied]
    rows = [(q, number) for q in held for number in range(len(ELIGIBILITY))]

    def known(row: tuple[Qualification, int]) -> Record:
        q, number = row
        part = eligibility_tally(world, year_tally(world, q, year), number, q.index, year)
        code, name, _ = ELIGIBILITY[number]
        counts = {
            "lastRsltExamCnt": str(part.practical_taken), "lastRsltPassCnt": str(part.acquired),
            "lastRsltPassRate": rate(part.acquired, part.practical_taken),
        }  # fmt: skip
        return {**names_of(q), "emqualCd": code, "emqualDispNm": name, **counts}

    return listed(query, rows, known)


def by_military(world: World, query: Query) -> Reply:
    """국방부검정: the soldiers among the year's new holders."""
    year = year_of(query)
    held = [q for q in technical(world) if q.grade in ("31", "40")] if has_results(year) else []

    def known(q: Qualification) -> Record:
        count = year_tally(world, q, year).acquired
        seed = world.measure_seed("skills", "soldiers", q.index, year)
        soldiers = count * (mix(seed, 0) % 9) // 100
        return {**names_of(q), "implYy": str(year), "instiCdCnt": str(soldiers), "lcsCnt": str(count)}

    return listed(query, held, known)


def by_new_qualification(world: World, query: Query) -> Reply:
    """신설종목 취득현황: grades of the qualifications that began in the five years before."""
    year = year_of(query)
    if not has_results(year):
        return NO_ROWS
    rows = [(grade, number) for grade in GRADES for number in range(year - 4, year + 1)]

    def known(row: tuple[str, int]) -> Record:
        grade, number = row
        fresh = [q for q in technical(world) if q.grade == grade and year - 4 <= q.since <= number]
        count = sum(year_tally(world, q, y).acquired for q in fresh for y in range(year - 4, number + 1))
        named = {"grdCd": grade, "grdNm": GRADES[grade]}
        return {**named, "acquCnt": str(count), "statisYy": str(year), "sumYy": str(number)}

    return listed(query, rows, known)


def _by_major(names: tuple[str, ...]) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """전공별 취득현황: holders who studied the subject and holders who did not."""
        year = year_of(query, default=LAST_YEAR)
        held = [q for q in matching(technical(world), query) if has_results(year) and q.since <= year]
        rows = [(q, number) for q in held for number in range(len(names))]

        def known(row: tuple[Qualification, int]) -> Record:
            q, number = row
            seed = world.measure_seed("skills", "major", q.index)
            split = apportion(sum(holders_split(world, q, year)), uneven((60, 40)[: len(names)], seed), seed)
            before = apportion(sum(holders_split(world, q, year - 5)), uneven((60, 40)[: len(names)], seed), seed)
            counts = {"accumAcquCnt": str(split[number]), "yy1AcquCnt": str(before[number])}
            return {**names_of(q), "mjrYnNm": names[number], "statisYy": str(year), **counts}

        return listed(query, rows, known)

    return answer


def by_profile(world: World, query: Query) -> Reply:
    """수탁기관 취득자: a row per qualification, sex, age and schooling with at least one new holder."""
    year = year_of(query)
    if not has_results(year):
        return NO_ROWS
    rows: list[tuple[Qualification, int, int, int, int]] = []
    for q in technical(world)[:120]:  # the register of the delegated agency covers its own few
        for sex, ages in enumerate(by_sex_and_age(year_split(world, q, year))):
            for age, count in enumerate(ages):
                seed = world.measure_seed("skills", "profile", q.index, year, sex, age)
                shares = apportion(count, uneven([weight for _, weight in SCHOOLS], seed), seed)
                rows += [(q, sex, age, school, share) for school, share in enumerate(shares) if share]

    def known(row: tuple[Qualification, int, int, int, int]) -> dict[str, Any]:
        q, sex, age, school, count = row
        groups = {"genderNm": SEXES[sex][0], "ageGb": AGES[age][0], "euhistNm": SCHOOLS[school][0]}
        return {**names_of(q), **groups, "acquCnt": str(count), "instiCd": "B490007"}

    return listed(query, rows, known)


def by_current_age(world: World, query: Query) -> Reply:
    """수탁기관 현재년 기준: holders so far by age."""
    year = year_of(query)
    held = [q for q in technical(world)[:120] if q.since <= year] if has_results(year) else []
    rows = [(q, age) for q in held for age in range(len(AGES))]

    def known(row: tuple[Qualification, int]) -> dict[str, Any]:
        q, age = row
        count = by_age(holders_split(world, q, year))[age]
        return {**names_of(q), "ageGb": AGES[age][0], "accumAcquCnt": str(count)}

    return listed(query, rows, known)


def students(world: World, q: Qualification, year: int) -> int:
    """New holders who still study: for the tables about schools."""
    return sum(schooling(world, q, year, age)[1] + schooling(world, q, year, age)[3] for age in range(len(AGES)))


def civil_engineers(world: World, query: Query) -> Reply:
    """토목 분야 자격증 교부: those handed out and those not fetched add up to the new holders."""
    year = year_of(query)
    civil = [q for q in technical(world) if q.field.code == "142" and q.grade in ("30", "31")]
    rows = [(q, who) for q in civil for who in ("재학생", "졸업자 등")] if has_results(year) else []

    def known(row: tuple[Qualification, str]) -> dict[str, Any]:
        q, who = row
        young = students(world, q, year)
        count = young if who == "재학생" else year_tally(world, q, year).acquired - young
        seed = world.measure_seed("skills", "issued", q.index, year, who)
        waiting = count * (mix(seed, 0) % 12) // 100
        counts = {"givecnt": str(count - waiting), "giveNotcnt": str(waiting)}
        return {"implYy": str(year), "reportGb": q.name, "reportGbCdNm": who, **counts}

    return listed(query, rows, known)


HANDLERS: Final[dict[str, Handler]] = {
    "InquiryPlnoQualInfoSVC/getList": _several(1),
    "InquiryAcquOtherGrdSVC/getList": _several(2),
    "InquiryGrdPtcondSVC/getQualAcquList": _several(2),
    "InquiryQualDateTermSVC/getList": time_by_grade,
    "InquiryQualRelaPtcondSVC/getQualTimeList": time_by_qualification,
    "InquiryGrdPtcondSVC/getExamAcquList": by_eligibility,
    "InquiryQualRelaPtcondSVC/getMndList": by_military,
    "InquiryQualRelaPtcondSVC/getNewJmcdList": by_new_qualification,
    "InquiryQualRelaPtcondSVC/getMajorList": _by_major(("전체",)),
    "InquiryMjrQualSVC/getList": _by_major(("관련전공", "비관련전공")),
    "InquiryQualRelaPtcondSVC/getQualYearList": by_profile,
    "InquiryQualRelaPtcondSVC/getQualYearCurrList": by_current_age,
    "InquiryQualRelaPtcondSVC/getArtlList": civil_engineers,
}
