"""Answers about outcomes: pass rates by round, scores, rankings, and who passes by age, schooling and eligibility."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Reply
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.skills.fields import AGES, GRADES, SCHOOLS
from kopa_hf.sandbox.skills.qualifications import Qualification, technical
from kopa_hf.sandbox.skills.results import (
    Tally,
    apportion,
    by_age,
    rate,
    round_tallies,
    uneven,
    year_split,
    year_tally,
)
from kopa_hf.sandbox.skills.rounds import LAST_YEAR, Round
from kopa_hf.sandbox.skills.shaping import has_results, listed, matching, names_of, year_of
from kopa_hf.sandbox.world import World

ELIGIBILITY: Final = (
    ("11", "4년제 대학 졸업(예정)자", 38), ("12", "전문대학 졸업(예정)자", 17), ("13", "실무경력자", 19),
    ("14", "동일분야 자격 보유자", 20), ("15", "기술훈련과정 이수자", 6),
)  # fmt: skip
_SUBJECT_PARTS: Final = ("기초이론", "실무응용", "안전과 법규")
_POINTS: Final = (("kmPnt40", 24), ("kmPnt50", 17))
_TOP: Final = 10


def _in_year(world: World, query: Query, default: int | None = None) -> tuple[int, list[Qualification]]:
    """(year, qualifications with an exam in it that the parameters leave)."""
    year = year_of(query, default=default)
    if not has_results(year):
        return year, []
    return year, [q for q in matching(technical(world), query) if year_tally(world, q, year).applied]


def pass_rates(world: World, query: Query) -> Reply:
    """연도별 회별 합격률: a row for the written and one for the practical exam of every round."""
    year, found = _in_year(world, query, LAST_YEAR)
    rows = [
        (q, exam, tally, practical)
        for q in found
        for exam, tally in round_tallies(world, q, year)
        for practical in (False, True)
    ]
    return listed(query, rows, _pass_rate)


def _pass_rate(row: tuple[Qualification, Round, Tally, bool]) -> dict[str, Any]:
    q, exam, tally, practical = row
    passed, taken = (tally.acquired, tally.practical_taken) if practical else (tally.passed, tally.taken)
    return {
        **names_of(q),
        "implYy": str(exam.year),
        "implSeq": str(exam.seq),
        "examTypCcd": "실기" if practical else "필기",
        "recptNoCnt": str(taken),
        "examPassCnt": str(passed),
        "passRate": rate(passed, taken),
    }


def score_distribution(world: World, query: Query) -> Reply:
    """원서 점수 분포: how many candidates of a subject stayed below 40 and below 50 points."""
    year, found = _in_year(world, query, LAST_YEAR)
    rows = [(q, exam, tally, part) for q in found for exam, tally in round_tallies(world, q, year) for part in range(3)]

    def known(row: tuple[Qualification, Round, Tally, int]) -> dict[str, Any]:
        q, exam, tally, part = row
        seed = world.measure_seed("skills", "points", q.index, exam.year, exam.seq, part)
        failed = tally.taken - tally.passed
        below = {n: str(failed * (weight + mix(seed, i) % 20) // 100) for i, (n, weight) in enumerate(_POINTS)}
        named = {**names_of(q), "implYy": str(exam.year), "implSeq": str(exam.seq), "comCdNm": "필기"}
        return {**named, "kmNm": f"{q.field.name} {_SUBJECT_PARTS[part]}", **below}

    return listed(query, rows, known)


def by_age_group(world: World, query: Query) -> Reply:
    """연령별 검정 취득자 현황: who sat the last exam and who passed it."""
    year, found = _in_year(world, query)
    rows = [(q, age) for q in found for age in range(len(AGES))]

    def known(row: tuple[Qualification, int]) -> dict[str, Any]:
        q, age = row
        tally = year_tally(world, q, year)
        seed = world.measure_seed("skills", "failed ages", q.index, year)
        failed = apportion(tally.practical_taken - tally.acquired, uneven([w for _, w in AGES], seed), seed)[age]
        return {**names_of(q), "age": AGES[age][0], **_last(failed, by_age(year_split(world, q, year))[age])}

    return listed(query, rows, known)


def by_schooling(world: World, query: Query) -> Reply:
    """학력별 자격취득자 현황."""
    year, found = _in_year(world, query)
    rows = [(q, school) for q in found for school in range(len(SCHOOLS))]

    def known(row: tuple[Qualification, int]) -> dict[str, Any]:
        q, school = row
        tally = year_tally(world, q, year)
        seed = world.measure_seed("skills", "failed schools", q.index, year)
        failed = apportion(tally.practical_taken - tally.acquired, uneven([w for _, w in SCHOOLS], seed), seed)[school]
        passed = sum(schooling(world, q, year, age)[school] for age in range(len(AGES)))
        return {**names_of(q), "euhistNm": SCHOOLS[school][0], **_last(failed, passed)}

    return listed(query, rows, known)


def schooling(world: World, q: Qualification, year: int, age: int) -> list[int]:
    """The new holders of an age group by their schooling; the young have not left school yet."""
    seed = world.measure_seed("skills", "schools", q.index, year, age)
    weights = uneven([weight for _, weight in SCHOOLS], seed)
    if age == 0:
        weights = [weights[0], weights[1], 0, weights[3] // 4, 0, 0]
    return apportion(by_age(year_split(world, q, year))[age], weights, seed)


def _last(failed: int, passed: int) -> dict[str, str]:
    taken = failed + passed
    return {
        "lastRsltExamCnt": str(taken),
        "lastRsltPassCnt": str(passed),
        "lastRsltPassRate": rate(passed, taken),
    }


def year_round(world: World, query: Query) -> Reply:
    """상시검정 취득자 현황: the everyday trades that are examined all year."""
    year, found = _in_year(world, query)

    def known(q: Qualification) -> dict[str, Any]:
        tally = year_tally(world, q, year)
        last = _last(tally.practical_taken - tally.acquired, tally.acquired)
        return {**names_of(q), **last, "pilExamCnt": str(tally.taken)}

    return listed(query, [q for q in found if q.year_round], known)


# eligibility


def eligibility_tally(world: World, tally: Tally, number: int, *key: object) -> Tally:
    """The share of a tally that one kind of eligibility has; the shares of all kinds add up to it."""
    seed = world.measure_seed("skills", "eligibility", *key)
    weights = uneven([weight for *_, weight in ELIGIBILITY], seed)

    def share(count: int, turn: int) -> int:
        return apportion(count, weights, seed + turn)[number]

    passed = share(tally.passed, 0)
    taken = passed + share(tally.taken - tally.passed, 1)
    acquired = share(tally.acquired, 2)
    practical_taken = acquired + share(tally.practical_taken - tally.acquired, 3)
    return Tally(
        taken + share(tally.applied - tally.taken, 4),
        taken,
        passed,
        practical_taken + share(tally.practical_applied - tally.practical_taken, 5),
        practical_taken,
        acquired,
    )


def _by_grade_and_round(world: World, year: int, grades: list[str]) -> Iterator[tuple[str, Round, Tally]]:
    """Tallies of a grade's rounds, added up over its qualifications."""
    for grade in grades:
        sums: dict[Round, Tally] = {}
        for q in technical(world):
            if q.grade == grade:
                for exam, tally in round_tallies(world, q, year):
                    sums[exam] = sums.get(exam, Tally()) + tally
        for exam in sorted(sums, key=lambda exam: exam.seq):
            yield grade, exam, sums[exam]


def by_eligibility(world: World, query: Query) -> Reply:
    """응시자격별 접수 및 합격 현황: a row per grade, round and kind of eligibility."""
    year = year_of(query, default=LAST_YEAR)
    if not has_results(year):
        return NO_ROWS
    grade = query.get("grdCd")
    grades = [g for g in GRADES if not grade or g == grade]
    rows = [(*row, n) for row in _by_grade_and_round(world, year, grades) for n in range(len(ELIGIBILITY))]

    def known(row: tuple[str, Round, Tally, int]) -> dict[str, Any]:
        grade, exam, tally, number = row
        part = eligibility_tally(world, tally, number, grade, exam.year, exam.seq)
        code, name, _ = ELIGIBILITY[number]
        return {
            "emqualCd": code, "emqualDispNm": name, "grdCd": grade, "grdNm": GRADES[grade],
            "grdGubun": f"{grade}{exam.seq}", "implYy": str(exam.year), "implSeq": str(exam.seq),
            "recptCnt": str(part.applied), "pilPassCnt": str(part.passed), "silPassCnt": str(part.acquired),
        }  # fmt: skip

    return listed(query, rows, known)


def practical_passers(world: World, query: Query) -> Reply:
    """실기합격자 응시자격현황: graduates, students about to graduate, and people with experience."""
    year = year_of(query)
    if not has_results(year):
        return NO_ROWS
    rows = list(_by_grade_and_round(world, year, list(GRADES)))

    def known(row: tuple[str, Round, Tally]) -> dict[str, Any]:
        grade, exam, tally = row
        seed = world.measure_seed("skills", "practical passers", grade, exam.year, exam.seq)
        end, soon, job, both = apportion(tally.acquired, uneven((35, 20, 30, 15), seed), seed)
        named = {"grdCd": grade, "grdNm": GRADES[grade], "implYy": str(exam.year), "implSeq": str(exam.seq)}
        return {**named, "endCnt": str(end), "endCnt0": str(soon), "jobCnt": str(job), "jobendCnt": str(both)}

    return listed(query, rows, known)


# rankings


def _ranking(count: Callable[[Tally], int], all_names: bool) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """The ten qualifications of every grade with the largest number, compared with the year before."""
        year, found = _in_year(world, query, LAST_YEAR if all_names else None)
        rows = []
        for grade in GRADES:
            order = [(count(year_tally(world, q, year)), q) for q in found if q.grade == grade]
            order.sort(key=lambda pair: (-pair[0], pair[1].code))
            rows += [(rank, number, q) for rank, (number, q) in enumerate(order[:_TOP], 1)]

        def known(row: tuple[int, int, Qualification]) -> dict[str, Any]:
            rank, number, q = row
            before = count(year_tally(world, q, year - 1))
            growth = f"{(number - before) * 100 / before:.2f}" if before else "0.00"
            numbers = {"instiCd": "B490007", "statisYy": str(year)}
            for name in ("qualAcqu", "examRecpt"):
                numbers |= {f"{name}Cnt": str(number), f"{name}Rank": str(rank)}
            numbers |= {"preyyQualAcquCnt": str(before), "preyyExamRecptCnt": str(before)}
            return {**names_of(q), **numbers, "preyyAcquQualIncRate": growth, "preyyExamRecptIncRate": growth}

        return listed(query, rows, known)

    return answer


def _acquired(tally: Tally) -> int:
    return tally.acquired


def _applied(tally: Tally) -> int:
    return tally.applied


HANDLERS: Final[dict[str, Handler]] = {
    "InquiryQualPassRateSVC/getList": pass_rates,
    "InquiryRecptScoreDistSVC/getList": score_distribution,
    "InquiryAcquStatisSVC/getAgeList": by_age_group,
    "InquiryAcquStatisSVC/getEuhistList": by_schooling,
    "InquiryAcquStatisSVC/getSangSiList": year_round,
    "InquiryExamQualPtcondSVC/getExamRecpList": by_eligibility,
    "InquiryEmqualPassSVC/getList": by_eligibility,
    "InquiryExamQualPtcondSVC/getSilPassList": practical_passers,
    "InquiryGrdPtcondSVC/getUpperJmList": _ranking(_acquired, False),
    "InquiryQualRankSVC/getList": _ranking(_acquired, True),
    "InquiryGrdPtcondSVC/getRecpUppeJmList": _ranking(_applied, False),
    "InquiryRecptRankSVC/getList": _ranking(_applied, True),
}
