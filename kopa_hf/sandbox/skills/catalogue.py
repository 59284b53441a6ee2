"""Answers about qualifications themselves: lists, duties, how to win them, fees."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Reply
from kopa_hf.sandbox.skills.fields import SERIES
from kopa_hf.sandbox.skills.qualifications import Qualification, by_code, qualifications, technical
from kopa_hf.sandbox.skills.shaping import has_results, listed, matching, names_of, year_of
from kopa_hf.sandbox.world import World


def every_qualification(world: World, query: Query) -> Reply:
    """국가자격 종목 목록."""
    return listed(query, qualifications(world), names_of)


def qualifications_of_series(world: World, query: Query) -> Reply:
    """국가기술자격 종목 정보: duty, outlook, history of every qualification of a series."""
    if query.get("seriesCd") not in SERIES:
        return NO_ROWS
    return listed(query, matching(qualifications(world), query), _described)


def _described(q: Qualification) -> dict[str, Any]:
    return {
        **names_of(q),
        "instiNm": q.ministry,
        "job": f"{q.field.duty}를 맡는다. 현장에서 필요한 자료를 살피고 결과를 점검한다.",
        "Career": f"{q.field.large_name} 분야의 사업체나 공공기관에서 일하거나 스스로 사업을 꾸릴 수 있다.",
        "hist": f"{q.since}년 {q.name} 신설",
    }


def qualification_info(world: World, query: Query) -> Reply:
    """국가기술자격의 종목별 자격정보: one row per kind of information."""
    q = by_code(world, query.get("jmCd"))
    if q is None:
        return NO_ROWS
    written = "객관식 4지 택일형" if q.grade in ("30", "31", "40") else "단답형과 주관식 논술형"
    texts = {
        "출제경향": f"{q.field.name} 분야의 기본 지식과 현장에서의 응용 능력을 평가한다.",
        "출제기준": f"{q.name} 출제기준은 {q.ministry} 고시에 따라 정해진 기간 동안 적용한다.",
        "취득방법": f"시행처는 {q.agency}이다. 필기시험은 {written}으로 치르고 100점 만점에 60점 이상이면 합격한다.",
    }
    return listed(query, tuple(texts.items()), lambda item: {**names_of(q), "infogb": item[0], "contents": item[1]})


def exam_fee(world: World, query: Query) -> Reply:
    """종목별 응시수수료."""
    q = by_code(world, query.get("jmcd"))
    if q is None:
        return NO_ROWS
    text = f"- 필기 : {q.written_fee}원 - 실기 : {q.practical_fee}원"
    return listed(query, (q,), lambda q: {**names_of(q), "infogb": "수수료", "contents": text})


def qualifications_by_field(world: World, query: Query) -> Reply:
    """기술(서비스)분야 등급별 종목현황: what could be taken in a year."""
    year = year_of(query)
    held = [q for q in technical(world) if q.since <= year] if has_results(year) else []
    return listed(query, held, lambda q: {**names_of(q), "statisYy": str(year)})


def open_questions(world: World, query: Query) -> Reply:
    """공개문제 목록: the tasks of a qualification that were made public, newest first; or one of them in full."""
    number = query.get("artlSeq")
    held = {q.code: q for q in matching(qualifications(world), query)}
    rows = [post for post in posts(world) if post[1].code in held and number in ("", post[0])]
    return listed(query, rows, _post)


def posts(world: World) -> tuple[tuple[str, Qualification, int], ...]:
    """(number, qualification, position) of every public question."""

    def build(world: World) -> tuple[tuple[str, Qualification, int], ...]:
        every = [(q, n) for q in qualifications(world) for n in range(1 + q.index % 3)]
        return tuple((str(5_200_001 + place), q, n) for place, (q, n) in enumerate(every))

    return world.table("skills.posts", build)


def _post(post: tuple[str, Qualification, int]) -> dict[str, Any]:
    number, q, position = post
    written = f"{2021 + position * 2 + q.index % 2}-0{3 + q.index % 6}-1{q.index % 10}"
    return {
        **names_of(q),
        "artlSeq": number,
        "title": f"{q.name} 공개문제 {position + 1}",
        "contents": f"{q.field.duty}를 살피는 과제이다. 주어진 시간 안에 요구사항대로 작업하시오.",
        "regDttm": f"{written} 09:00:00",
        "modDttm": f"{written} 18:00:00",
    }


HANDLERS: Final[dict[str, Handler]] = {
    "InquiryListNationalQualifcationSVC/getList": every_qualification,
    "InquiryQualInfo/getList": qualifications_of_series,
    "InquiryInformationTradeNTQSVC/getList": qualification_info,
    "InquiryTestInformationNTQSVC/getFeeList": exam_fee,
    "InquiryGrdPtcondSVC/getTechGrdJmList": qualifications_by_field,
    "getOpenQstList": open_questions,
    "getOpenQst": open_questions,
}
