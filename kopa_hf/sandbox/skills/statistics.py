"""Yearly tables of exams and holders: a base year, the four years before it, and everything earlier in one sum."""

from __future__ import annotations

import re
from typing import Any, Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply
from kopa_hf.sandbox.skills.fields import AGES, GRADES, SEXES
from kopa_hf.sandbox.skills.qualifications import Qualification, by_code, technical
from kopa_hf.sandbox.skills.results import (
    Split,
    Tally,
    added,
    before_split,
    by_age,
    by_sex,
    grade_tally,
    holders_before,
    total,
    year_split,
    years_tally,
)
from kopa_hf.sandbox.skills.rounds import FIRST_YEAR
from kopa_hf.sandbox.skills.shaping import has_results, listed, names_of, year_of
from kopa_hf.sandbox.world import World

_AGO: Final = re.compile(r"(\d)\s*년\s?전")
_EARLIER: Final = 5


def span_of(label: str, base: int) -> tuple[int, int]:
    """The years that a column's label speaks of: 2년전 is one year, 4년 이전 all up to five years back."""
    if re.search(r"년\s?이전", label):
        return FIRST_YEAR, base - _EARLIER
    ago = _AGO.search(label)
    back = int(ago.group(1)) if ago else 0
    return base - back, base - back


def _figure(label: str, tally: Tally) -> str:
    practical = "실기" in label
    if "합격률" in label:
        return tally.practical_rate if practical else tally.written_rate
    if "접수" in label:
        return str(tally.practical_applied if practical else tally.applied)
    if "응시" in label:
        return str(tally.practical_taken if practical else tally.taken)
    return str(tally.acquired if practical or "취득" in label else tally.passed)


def totals_by_year(world: World, query: Query) -> Reply:
    """연도별 응시자 및 합격자수: all qualifications in one row."""
    base = year_of(query)
    if not has_results(base):
        return NO_ROWS

    def known(_: int) -> Record:
        assert query.tool is not None
        record = {}
        for field in query.tool.fields:
            first, last = span_of(field.label, base)
            record[field.name] = _figure(field.label, total(grade_tally(world, g, first, last) for g in GRADES))
        return record

    return listed(query, (0,), known)


def by_grade(world: World, query: Query) -> Reply:
    """A row per grade; what the columns count follows from their labels."""
    base = year_of(query)
    if not has_results(base):
        return NO_ROWS

    def known(grade: str) -> Record:
        assert query.tool is not None
        record: dict[str, Any] = {"gradename": GRADES[grade]}
        for field in query.tool.fields[1:]:
            first, last = span_of(field.label, base)
            tally = grade_tally(world, grade, first, last)
            if "취득" in field.label and first == FIRST_YEAR:
                before = sum(holders_before(world, q) for q in technical(world) if q.grade == grade)
                record[field.name] = str(tally.acquired + before)
            else:
                record[field.name] = _figure(field.label, tally)
        return record

    return listed(query, tuple(GRADES), known)


def of_qualification(world: World, query: Query) -> Reply:
    """종목별 연도별 현황: one row for one qualification."""
    base, q = year_of(query), by_code(world, query.get("jmCd"))
    if q is None or not has_results(base):
        return NO_ROWS

    def known(q: Qualification) -> Record:
        assert query.tool is not None
        record: dict[str, Any] = names_of(q)
        for field in query.tool.fields[1:]:
            first, last = span_of(field.label, base)
            record[field.name] = _figure(field.label, years_tally(world, q, first, last))
        return record

    return listed(query, (q,), known)


def holders_by_sex(world: World, query: Query) -> Reply:
    """종목별 자격취득자 연도별 성별 현황."""
    base, q = year_of(query), by_code(world, query.get("jmCd"))
    if q is None or not has_results(base):
        return NO_ROWS
    found = q

    def known(sex: int) -> Record:
        assert query.tool is not None
        record: dict[str, Any] = {**names_of(found), "sexnm": SEXES[sex][0]}
        for field in query.tool.fields[2:]:
            record[field.name] = str(by_sex(_new_holders(world, found, *span_of(field.label, base)))[sex])
        return record

    return listed(query, range(len(SEXES)), known)


def holders_by_age(world: World, query: Query) -> Reply:
    """자격취득자 연도별 연령별 수: all qualifications, a row per age group."""
    base = year_of(query)
    if not has_results(base):
        return NO_ROWS

    def known(age: int) -> Record:
        assert query.tool is not None
        record: dict[str, Any] = {"agenm": AGES[age][0]}
        for field in query.tool.fields[1:]:
            record[field.name] = str(_ages(world, *span_of(field.label, base))[age])
        return record

    return listed(query, range(len(AGES)), known)


def _new_holders(world: World, q: Qualification, first: int, last: int) -> Split:
    """New holders of some years; from the first year on, with everybody before it."""
    years = [year_split(world, q, year) for year in range(first, last + 1)]
    return added([*years, before_split(world, q)] if first == FIRST_YEAR else years)


def _ages(world: World, first: int, last: int) -> list[int]:
    def build(world: World) -> list[int]:
        parts = [by_age(_new_holders(world, q, first, last)) for q in technical(world)]
        return [sum(column) for column in zip(*parts, strict=True)]

    return world.table(f"skills.ages.{first}.{last}", build)


HANDLERS: Final[dict[str, Handler]] = {
    "InquiryStatSVC/getTotExamList": totals_by_year,
    "InquiryStatSVC/getGradPiExamList": by_grade,
    "InquiryStatSVC/getGradPiPassList": by_grade,
    "InquiryStatSVC/getGradSiExamList": by_grade,
    "InquiryStatSVC/getGradSiPassList": by_grade,
    "InquiryStatSVC/getCertYearGradeList": by_grade,
    "InquiryStatSVC/getEventYearPiList": of_qualification,
    "InquiryStatSVC/getEventYearSiList": of_qualification,
    "InquiryStatSVC/getEventCertYearList": holders_by_sex,
    "InquiryStatSVC/getCertYearAgeList": holders_by_age,
}
