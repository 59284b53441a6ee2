"""Interpretations by the ministry of legislation and 38 others, rulings on appeals, and the auditors' opinions."""

from __future__ import annotations

from functools import cache
from typing import Final

from kopa_hf.sandbox.places import provinces
from kopa_hf.sandbox.query import Handler, Record
from kopa_hf.sandbox.rng import Stream, seed_of
from kopa_hf.sandbox.statutes.decisions import (
    DataSet,
    Decision,
    article_at,
    between,
    cited,
    day_for,
    earlier,
    handlers_of,
    on,
    serial_of,
)
from kopa_hf.sandbox.statutes.laws import Law
from kopa_hf.sandbox.statutes.listing import dotted, link
from kopa_hf.sandbox.statutes.ministries import MINISTRIES, Ministry, ministry_of
from kopa_hf.sandbox.world import World

_QUESTIONS: Final = (
    "{title}의 대상 범위", "{title}에 관한 규정의 적용 시점", "{title}의 주체", "{title} 기준의 해석", "{title} 절차의 생략 가능 여부",
)  # fmt: skip
_LISTS_ONLY: Final = frozenset({"moef", "nts"})
"""Ministries whose interpretations are listed, but not sent in full."""


def _askers(stream: Stream) -> tuple[str, str]:
    """(code, name) of who asks: a ministry, a province, or a citizen."""
    if stream.chance(0.45):
        ministry = stream.choice(MINISTRIES)
        return ministry.code, ministry.name
    if stream.chance(0.5):
        return "9999999", "민원인"
    province = stream.choice(provinces())
    return f"6{province.code}0000", province.name


@cache
def _asker_code(name: str) -> str:
    ministry = next((m for m in MINISTRIES if m.name == name), None)
    if ministry is not None:
        return ministry.code
    province = next((p for p in provinces() if p.name == name), None)
    return "9999999" if province is None else f"6{province.code}0000"


def _question(world: World, data: DataSet, index: int, stream: Stream, law: Law) -> Decision:
    day = day_for(stream, law, 14)
    title = stream.choice(_QUESTIONS).format(title=article_at(world, law, day, index).title)
    number = f"{day[2:4]}-{index % 900 + 1:04d}"
    return Decision(
        data.target, index, serial_of(data, index), f"{title}(「{law.name}」)", number, day, law, "", _askers(stream)[1]
    )


def _answered(world: World, decision: Decision) -> tuple[str, str, str]:
    """(question, answer, reason)."""
    place, text = cited(world, decision)
    yes = decision.stream(world).chance(0.5)
    return (
        f"{place}에 해당하는지?",
        f"{place}에 해당{'합니다.' if yes else '하지 않습니다.'}",
        f"법령의 문언을 보면 다음과 같습니다. {text}",
    )


def _expc_row(world: World, decision: Decision) -> Record:
    return {
        "법령해석례일련번호": decision.serial,
        "안건명": decision.title,
        "안건번호": decision.number,
        "질의기관코드": _asker_code(decision.asker),
        "질의기관명": decision.asker,
        "회신기관코드": ministry_of("moleg").code,
        "회신기관명": "법제처",
        "회신일자": dotted(decision.day),
        "법령해석례상세링크": link("lawService", target="expc", ID=decision.serial, type="HTML", mobileYn=""),
    }


def _expc_document(world: World, decision: Decision) -> Record:
    question, answer, reason = _answered(world, decision)
    return {
        **_expc_row(world, decision),
        "해석일자": decision.day,
        "해석기관코드": ministry_of("moleg").code,
        "해석기관명": "법제처",
        "관리기관코드": ministry_of("moleg").code,
        "등록일시": decision.day,
        "질의요지": question,
        "회답": answer,
        "이유": reason,
    }


_BY_DAY: Final = {
    "explYd": between(lambda d: d.day),
    "regYd": between(lambda d: d.day),
    "inq": lambda d, v: _asker_code(d.asker) == v,
    "itmno": lambda d, v: d.number == v,
}

INTERPRETATIONS: Final = DataSet(
    "expc",
    8_600,
    310_001,
    _question,
    _expc_row,
    _expc_document,
    {**_BY_DAY, "rpl": lambda d, v: v == ministry_of("moleg").code},
)


def _ministry_set(ministry: Ministry) -> DataSet:
    """The interpretations of one ministry."""

    def row(world: World, decision: Decision) -> Record:
        return {
            "법령해석일련번호": decision.serial,
            "안건명": decision.title,
            "안건번호": decision.number,
            "질의기관코드": _asker_code(decision.asker),
            "질의기관명": decision.asker,
            "해석기관코드": ministry.code,
            "해석기관명": ministry.name,
            "해석일자": decision.day,
            "데이터기준일시": f"{decision.day[:4]}-12-31 00:00:00",
            "법령해석상세링크": link(
                "lawService", target=f"{ministry.short}CgmExpc", ID=decision.serial, type="HTML", mobileYn=""
            ),
        }

    def document(world: World, decision: Decision) -> Record:
        question, answer, reason = _answered(world, decision)
        subject = decision.law.subject
        return {
            **row(world, decision),
            "관리기관코드": ministry.code,
            "등록일시": decision.day,
            "질의요지": question,
            "회답": answer,
            "이유": reason,
            "관련법령": cited(world, decision)[0],
            "대분류": "법령해석",
            "중분류": subject[:4],
            "소분류": subject,
            "업무분야": subject,
            "관세법령정보포털원문링크": "",
        }

    size = 150 << (seed_of("interpretations", ministry.short) % 6)
    first = 1_000_001 + 20_000 * MINISTRIES.index(ministry)
    tests = {**_BY_DAY, "rpl": lambda d, v: v == ministry.code}
    return DataSet(f"{ministry.short}CgmExpc", size, first, _question, row, document, tests, ministry.code)


_RESULTS: Final = (("기각", "440101", 58), ("각하", "440102", 16), ("인용", "440103", 20), ("일부인용", "440104", 6))
_CODES: Final = {name: code for name, code, _ in _RESULTS}
_APPEALS: Final = (
    "{s} 등록취소처분 취소청구", "{s} 과태료부과처분 취소청구", "{s} 보조금환수처분 취소청구", "{s} 지정거부처분 취소청구",
    "{s} 업무정지처분 취소청구", "{s} 정보공개 이행청구",
)  # fmt: skip
_BOARDS: Final = {
    "decc": "중앙행정심판위원회", "ttSpecialDecc": "조세심판원", "kmstSpecialDecc": "중앙해양안전심판원",
    "acrSpecialDecc": "국민권익위원회", "adapSpecialDecc": "소청심사위원회",
}  # fmt: skip
_TAXES: Final = ("부가가치세", "종합소득세", "법인세", "양도소득세", "취득세", "상속세")


def _appeal(world: World, data: DataSet, index: int, stream: Stream, law: Law) -> Decision:
    province = stream.choice(provinces()).name
    titles = {"ttSpecialDecc": "{s} {t} 부과처분의 당부", "kmstSpecialDecc": "어선 제{n}{s}호 충돌사건",
              "adapSpecialDecc": "직무태만({s} 담당)"}  # fmt: skip
    shape = titles.get(data.target) or stream.choice(_APPEALS)
    title = shape.format(s=law.subject, t=stream.choice(_TAXES), n=stream.between(1, 99))
    day = day_for(stream, law, 14)
    prefix = {"ttSpecialDecc": f"조심{day[:4]}서", "kmstSpecialDecc": f"중해심제{day[:4]}-"}.get(
        data.target, f"{day[:4]}-"
    )
    result = stream.weighted(tuple((name, weight) for name, _, weight in _RESULTS))
    return Decision(
        data.target,
        index,
        serial_of(data, index),
        title,
        f"{prefix}{index % 9000 + 100:04d}",
        day,
        law,
        result,
        province,
    )


def _contested(decision: Decision) -> str:
    """The day of the act that was contested: some months before the ruling."""
    return earlier(decision.day, 60 + decision.index % 300)


def _appeal_row(world: World, decision: Decision) -> Record:
    return {
        "행정심판재결례일련번호": decision.serial,
        "특별행정심판재결례일련번호": decision.serial,
        "사건명": decision.title,
        "사건번호": decision.number,
        "청구번호": decision.number,
        "재결번호": decision.number,
        "처분일자": _spelled(decision, _contested(decision)),
        "의결일자": _spelled(decision, decision.day),
        "처분청": f"{decision.asker}장" if decision.asker.endswith("시") else f"{decision.asker}지사",
        "재결청": _BOARDS[decision.target],
        "재결구분명": decision.kind,
        "재결구분코드": _CODES[decision.kind],
        "데이터기준일시": f"{decision.day[:4]}-12-31 00:00:00",
        "행정심판례상세링크": link("lawService", target=decision.target, ID=decision.serial, type="HTML", mobileYn=""),
        "행정심판재결례상세링크": link(
            "lawService", target=decision.target, ID=decision.serial, type="HTML", mobileYn=""
        ),
    }


def _spelled(decision: Decision, day: str) -> str:
    return dotted(day) if decision.target == "decc" else day


def _appeal_document(world: World, decision: Decision) -> Record:
    place, text = cited(world, decision)
    ruling = {
        "기각": "청구인의 청구를 기각한다.",
        "각하": "청구인의 청구를 각하한다.",
        "인용": "피청구인의 처분을 취소한다.",
        "일부인용": "피청구인의 처분을 일부 취소한다.",
    }[decision.kind]
    subject = decision.law.subject
    return {
        **_appeal_row(world, decision),
        "행정심판례일련번호": decision.serial,
        "처분일자": _contested(decision),
        "의결일자": decision.day,
        "재결례유형명": decision.kind,
        "재결례유형코드": _CODES[decision.kind],
        "주문": ruling,
        "청구취지": "피청구인이 청구인에게 한 처분을 취소한다.",
        "이유": text,
        "재결요지": f"{place}에 따른 처분이므로 {ruling}",
        "세목": next((tax for tax in _TAXES if tax in decision.title), ""),
        "관련법령": place,
        "관계법령": place,
        "해양사고관련자": "선장 갑",
        "심판관": "심판관 을",
        "사고유형": "충돌",
        "선박유형": "어선",
        "해심위치": "남해",
        "의결종류": decision.kind,
        "재결위원회": _BOARDS[decision.target],
        "소청사례명": decision.title,
        "처분요지": "견책",
        "소청이유": "처분이 무겁다는 주장",
        "소청인": "갑",
        "피소청인": decision.asker,
        "원처분": "견책",
        "결정유형": decision.kind,
        "대분류": "징계",
        "중분류": "성실의무",
        "소분류": subject,
        "데이터기준일자": decision.day,
    }


def _appeals(target: str, count: int, first: int) -> DataSet:
    return DataSet(
        target,
        count,
        first,
        _appeal,
        _appeal_row,
        _appeal_document,
        {
            "date": on(lambda d: d.day),
            "rslYd": between(lambda d: d.day),
            "dpaYd": between(_contested),
            "cls": lambda d, v: _CODES[d.kind] == v,
        },
    )


def _opinion(world: World, data: DataSet, index: int, stream: Stream, law: Law) -> Decision:
    title = f"{law.subject} {stream.choice(('사업의 추진 방식', '예산의 전용', '계약의 변경', '부담금의 감면'))} 관련 의견서"
    day = day_for(stream, law, 9)
    return Decision(
        data.target, index, serial_of(data, index), title, f"{day[:4]}-{index % 400 + 1:03d}", day, law, "",
        stream.choice(provinces()).name,
    )  # fmt: skip


def _opinion_row(world: World, decision: Decision) -> Record:
    return {
        "감사원사전컨설팅의견서일련번호": decision.serial,
        "의견서명": decision.title,
        "회신일자": decision.day,
        "신청기관명": decision.asker,
        "요청기관명": decision.asker,
        "접수번호": decision.number,
        "데이터기준일시": f"{decision.day[:4]}-12-31 00:00:00",
        "데이터기준일자": f"{decision.day[:4]}1231",
        "감사원사전컨설팅의견서상세링크": link("lawService", target="baiPvcs", ID=decision.serial, type="HTML"),
    }


def _opinion_document(world: World, decision: Decision) -> Record:
    question, answer, reason = _answered(world, decision)
    return {
        **_opinion_row(world, decision),
        "개요": f"{decision.asker}에서 {decision.law.subject} 업무의 처리 방향을 물음",
        "요지": question,
        "판단기준": cited(world, decision)[0],
        "검토결과": reason,
        "종합의견": answer,
    }


OPINIONS: Final = DataSet(
    "baiPvcs",
    640,
    900_001,
    _opinion,
    _opinion_row,
    _opinion_document,
    {"date": on(lambda d: d.day), "rslYd": between(lambda d: d.day)},
)

HANDLERS: Final[dict[str, Handler]] = {
    **handlers_of(INTERPRETATIONS, mobile=True),
    **handlers_of(_appeals("decc", 12_000, 410_001), mobile=True),
    **handlers_of(_appeals("ttSpecialDecc", 9_000, 510_001)),
    **handlers_of(_appeals("kmstSpecialDecc", 1_200, 610_001)),
    **handlers_of(_appeals("acrSpecialDecc", 2_400, 710_001)),
    **handlers_of(_appeals("adapSpecialDecc", 1_600, 810_001)),
    **handlers_of(OPINIONS),
}
for _ministry in MINISTRIES:
    HANDLERS.update(handlers_of(_ministry_set(_ministry), documents=_ministry.short not in _LISTS_ONLY))
