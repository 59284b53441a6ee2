"""Answers about exam days: per series, per qualification, and the joint list of all kinds of qualifications."""

from __future__ import annotations

import datetime
from typing import Any, Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Reply
from kopa_hf.sandbox.skills.fields import QUALIFICATION_KINDS
from kopa_hf.sandbox.skills.qualifications import Qualification, by_code, qualifications
from kopa_hf.sandbox.skills.rounds import FIRST_YEAR, PLANNED_YEAR, Round, offered, rounds
from kopa_hf.sandbox.skills.shaping import day, listed, year_of
from kopa_hf.sandbox.world import World

_GRADES_OF_SERIES: Final = {"01": ("기술사",), "02": ("기능장",), "03": ("기사", "산업기사"), "04": ("기능사",)}
COURSE_SERIES: Final = {"C": "03", "W": "04"}
"""Course-based exams are held in the weeks of these series' practical exams."""


def _days(exam: Round) -> dict[str, str]:
    """The days of a round under every spelling: docRegStartDt here is docregstartdt there."""
    days = {
        "docRegStartDt": exam.doc_reg_start, "docRegEndDt": exam.doc_reg_end, "docExamDt": exam.doc_exam_start,
        "docExamStartDt": exam.doc_exam_start, "docExamEndDt": exam.doc_exam_end, "docPassDt": exam.doc_pass,
        "docSubmitStartDt": exam.submit_start, "docSubmitEntDt": exam.submit_end, "docSubmitEnDt": exam.submit_end,
        "pracRegStartDt": exam.prac_reg_start, "pracRegEndDt": exam.prac_reg_end,
        "pracExamStartDt": exam.prac_exam_start, "pracExamEndDt": exam.prac_exam_end, "pracPassDt": exam.prac_pass,
    }  # fmt: skip
    texts = {name: day(date) for name, date in days.items()}
    return texts | {name.lower(): text for name, text in texts.items()}


def _series_plan(series: str) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """This year's plan of a series, a row per grade and round."""
        plan = [(exam, grade) for exam in rounds(world, series, PLANNED_YEAR) for grade in _GRADES_OF_SERIES[series]]
        return listed(query, plan, lambda row: {**_days(row[0]), "description": _title(row[0], row[1])})

    return answer


def _title(exam: Round, grade: str) -> str:
    return f"국가기술자격 {grade} ({exam.year}년도 제{exam.seq}회)"


def plan_of_qualification(world: World, query: Query) -> Reply:
    """종목별 시행일정: this year's rounds of one qualification."""
    q = by_code(world, query.get("jmcd"))
    if q is None:
        return NO_ROWS
    known = {"jmfldmm": q.name, "jmfldnm": q.name}
    plan = offered(world, q, PLANNED_YEAR)
    return listed(query, plan, lambda exam: {**_days(exam), **known, "implplannm": _title(exam, q.grade_name)})


def licence_plan(world: World, query: Query) -> Reply:
    """국가전문자격 시험 시행일정: two stages per licence and year."""
    if query.get("seriesCd") != "21":
        return NO_ROWS
    licences = [q for q in qualifications(world) if q.kind == "S"]
    plan = [(q, exam, stage) for q in licences for exam in offered(world, q, PLANNED_YEAR) for stage in (1, 2)]
    return listed(query, plan, _stage)


def _stage(row: tuple[Qualification, Round, int]) -> dict[str, str]:
    q, exam, stage = row
    if stage == 1:
        start, end, held, passed = exam.doc_reg_start, exam.doc_reg_end, exam.doc_exam_start, exam.doc_pass
        until = passed + datetime.timedelta(days=59)
    else:
        start, end, held, passed = exam.prac_reg_start, exam.prac_reg_end, exam.prac_exam_start, exam.prac_pass
        until = exam.prac_pass_end
    return {
        "description": f"{q.name} {exam.year}년도 제{exam.seq}회 {stage}차",
        "EXAM_REG_START_DT": day(start),
        "EXAM_REG_END_DT": day(end),
        "EXAM_START_DT": day(held),
        "EXAM_END_DT": day(held),
        "PASS_START_DT": day(passed),
        "PASS_END_DT": day(until),
    }


def joint_plan(world: World, query: Query) -> Reply:
    """국가자격 시험일정: any year, by kind of qualification or for one qualification.

    A round with seats left over takes applications a second time and then stands twice.
    """
    year, kind, code = year_of(query, "implYy"), query.get("qualgbCd"), query.get("jmCd")
    q = by_code(world, code) if code else None
    if (code and q is None) or (kind and kind not in QUALIFICATION_KINDS):
        return NO_ROWS
    rows: list[dict[str, Any]] = []
    for letter in (kind,) if kind else QUALIFICATION_KINDS:
        for title, exam, number in _joint(world, letter, year, q):
            known = {"implYy": str(exam.year), "implSeq": exam.seq, "qualgbCd": letter}
            rows.append({**_days(exam), **known, "qualgbNm": QUALIFICATION_KINDS[letter], "description": title})
            if number == 0:
                late = exam.doc_exam_start - datetime.timedelta(days=6)
                second = {"docRegStartDt": day(late), "docRegEndDt": day(late + datetime.timedelta(days=1))}
                rows.append({**rows[-1], **second})
    return listed(query, rows, lambda row: row)


def _joint(world: World, kind: str, year: int, q: Qualification | None) -> list[tuple[str, Round, int]]:
    """(description, round, its place in the year): the first round has the second window."""
    if kind == "T":
        series = [s for s in _GRADES_OF_SERIES if q is None or q.series == s]
        held = {s: offered(world, q, year) if q is not None else rounds(world, s, year) for s in series}
        grades = [(s, g) for s in series for g in _GRADES_OF_SERIES[s] if q is None or q.grade_name == g]
        return [(_title(exam, g), exam, exam.seq - 1) for s, g in grades for exam in held[s]]
    if kind == "S":
        licences = [x for x in qualifications(world) if x.kind == "S" and (q is None or x is q)]
        return [
            (f"국가전문자격 {x.name} ({year}년도 제{exam.seq}회)", exam, exam.seq)
            for x in licences
            for exam in offered(world, x, year)
        ]
    if q is not None and not (q.course_based if kind == "C" else q.work_study):
        return []
    name = QUALIFICATION_KINDS[kind]
    return [(f"{name} ({year}년도 제{e.seq}회)", e, e.seq) for e in rounds(world, COURSE_SERIES[kind], year)]


def _external_plan(kind: str) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """외부평가 일정: the practical exams of course-based qualifications."""
        year = year_of(query, "year")
        if not FIRST_YEAR <= year <= PLANNED_YEAR:
            return NO_ROWS
        return listed(query, rounds(world, COURSE_SERIES[kind], year), lambda exam: external_days(kind, exam))

    return answer


def external_days(kind: str, exam: Round) -> dict[str, str]:
    """An external evaluation's name and days."""
    return {
        "implPlanNm": f"{exam.year}년 {QUALIFICATION_KINDS[kind]} 제{exam.seq}회 외부평가",
        "recptStartDt": day(exam.prac_reg_start),
        "recptEndDt": day(exam.prac_reg_end),
        "examStartDt": day(exam.prac_exam_start),
        "examEndDt": day(exam.prac_exam_end),
    }


HANDLERS: Final[dict[str, Handler]] = {
    "InquiryTestInformationNTQSVC/getPEList": _series_plan("01"),
    "InquiryTestInformationNTQSVC/getMCList": _series_plan("02"),
    "InquiryTestInformationNTQSVC/getEList": _series_plan("03"),
    "InquiryTestInformationNTQSVC/getCList": _series_plan("04"),
    "InquiryTestInformationNTQSVC/getJMList": plan_of_qualification,
    "InquiryTestDatesNationalProfessionalQualificationSVC/getList": licence_plan,
    "getQualExamSchdList": joint_plan,
    "cschinfo": _external_plan("C"),
    "wschinfo": _external_plan("W"),
}
