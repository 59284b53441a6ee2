"""Precedents of the courts and decisions of the Constitutional Court: invented cases on invented acts."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.query import Handler, Record
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.statutes.decisions import (
    DataSet,
    Decision,
    between,
    cited,
    day_for,
    earlier,
    handlers_of,
    on,
    serial_of,
)
from kopa_hf.sandbox.statutes.laws import Law
from kopa_hf.sandbox.statutes.listing import contains, dotted, link
from kopa_hf.sandbox.statutes.wording import subject_particle, topic
from kopa_hf.sandbox.world import World

_COURTS: Final = (
    ("대법원", 40), ("서울고등법원", 12), ("부산고등법원", 5), ("대구고등법원", 4), ("광주고등법원", 4), ("대전고등법원", 4),
    ("서울행정법원", 10), ("서울중앙지방법원", 9), ("수원지방법원", 6), ("인천지방법원", 4), ("부산지방법원", 4),
    ("대구지방법원", 4), ("춘천지방법원", 2), ("제주지방법원", 2),
)  # fmt: skip
_SORTS: Final = (
    ("일반행정", "400107", ("등록취소처분취소", "업무정지처분취소", "과태료부과처분취소", "보조금환수처분취소", "정보공개거부처분취소")),
    ("민사", "400101", ("손해배상(기)", "계약금반환", "부당이득금", "지원금지급", "사용료")),
    ("형사", "400102", ("{law}위반", "사기", "업무방해", "문서위조")),
    ("세무", "400108", ("부담금부과처분취소", "가산금부과처분취소")),
)  # fmt: skip
_LETTERS: Final = {
    "일반행정": ("두", "누", "구합"), "민사": ("다", "나", "가합"), "형사": ("도", "노", "고합"), "세무": ("두", "누", "구합"),
}  # fmt: skip
_CODES: Final = {name: code for name, code, _ in _SORTS}


def _precedent(world: World, data: DataSet, index: int, stream: Stream, law: Law) -> Decision:
    court = stream.weighted(_COURTS)
    name, _, titles = stream.weighted(tuple(zip(_SORTS, (50, 26, 18, 6), strict=True)))
    title = stream.choice(titles).format(law=law.name.replace(" ", ""))
    day = day_for(stream, law)
    level = 0 if court == "대법원" else 1 if "고등" in court else 2
    number = f"{int(day[:4]) - stream.below(2)}{_LETTERS[name][level]}{stream.between(101, 79999)}"
    return Decision(data.target, index, serial_of(data, index), title, number, day, law, name, court)


def _precedent_row(world: World, case: Decision) -> Record:
    return {
        "판례일련번호": case.serial,
        "사건명": case.title,
        "사건번호": case.number,
        "선고일자": dotted(case.day),
        "법원명": case.asker,
        "법원종류코드": "400201" if case.asker == "대법원" else "400202",
        "사건종류명": case.kind,
        "사건종류코드": _CODES[case.kind],
        "판결유형": "판결 : 확정",
        "선고": "선고",
        "데이터출처명": case.asker if case.asker == "대법원" else "각급법원",
        "판례상세링크": link("lawService", target="prec", ID=case.serial, type="HTML", mobileYn=""),
    }


def _precedent_document(world: World, case: Decision) -> Record:
    place, text = cited(world, case)
    stream = case.stream(world)
    won = stream.chance(0.4)
    side = "원고" if case.kind != "형사" else "피고인"
    return {
        **_precedent_row(world, case),
        "판례정보일련번호": case.serial,
        "선고일자": case.day,
        "판시사항": f"{place}의 적용 범위",
        "판결요지": f"{place}{'에 따른 처분은 비례의 원칙에 어긋난다.' if won else '에 따른 처분에 위법이 없다.'}",
        "참조조문": place,
        "참조판례": f"{case.asker} {dotted(earlier(case.day, 700))}. 선고 {int(case.day[:4]) - 2}두{stream.between(1001, 9999)} 판결",
        "판례내용": f"【{side}】 {side} 갑<br/>【주 문】 {'처분을 취소한다.' if won else '청구를 기각한다.'}<br/>【이 유】 {text}",
    }


PRECEDENTS: Final = DataSet(
    "prec",
    24_000,
    200_001,
    _precedent,
    _precedent_row,
    _precedent_document,
    {
        "org": lambda c, v: (c.asker == "대법원") == (v == "400201"),
        "curt": lambda c, v: contains(c.asker, v),
        "JO": lambda c, v: contains(c.law.name, v),
        "date": on(lambda c: c.day),
        "prncYd": between(lambda c: c.day),
        "nb": lambda c, v: c.number in [part.strip() for part in v.split(",")],
        "datSrcNm": lambda c, v: contains("대법원" if c.asker == "대법원" else "각급법원", v),
    },
)

_HELD: Final = {
    "합헌": "{place}{eun} 입법목적이 정당하고 수단이 적합하므로 헌법에 위반되지 않는다.",
    "기각": "{place}{eun} 청구인의 기본권을 침해하지 않으므로 심판청구를 기각한다.",
    "각하": "기본권 침해의 자기관련성이 인정되지 않으므로 심판청구를 각하한다.",
    "헌법불합치": "{place}{eun} 침해의 최소성을 갖추지 못하여 헌법에 합치되지 않는다.",
    "위헌": "{place}{eun} 과잉금지원칙에 반하여 헌법에 위반된다.",
}
_COMPLAINTS: Final = (("헌마", "헌법소원", 60), ("헌바", "위헌소원", 25), ("헌가", "위헌법률심판", 15))


def _constitutional(world: World, data: DataSet, index: int, stream: Stream, law: Law) -> Decision:
    letters, kind, _ = stream.weighted(tuple((c, c[2]) for c in _COMPLAINTS))
    day = day_for(stream, law)
    number = f"{int(day[:4]) - 1 - stream.below(2)}{letters}{stream.between(1, 1400)}"
    title = f"{law.name} {'위헌확인' if letters == '헌마' else '위헌소원' if letters == '헌바' else '위헌제청'}"
    return Decision(data.target, index, serial_of(data, index), title, number, day, law, kind)


def _constitutional_row(world: World, case: Decision) -> Record:
    return {
        "헌재결정례일련번호": case.serial,
        "종국일자": dotted(case.day),
        "사건번호": case.number,
        "사건명": case.title,
        "헌재결정례상세링크": link("lawService", target="detc", ID=case.serial, type="HTML", mobileYn=""),
    }


def _constitutional_document(world: World, case: Decision) -> Record:
    place, text = cited(world, case)
    stream = case.stream(world)
    result = stream.weighted((("합헌", 60), ("기각", 20), ("각하", 14), ("헌법불합치", 4), ("위헌", 2)))
    return {
        **_constitutional_row(world, case),
        "종국일자": case.day,
        "사건종류명": case.number[4:6],
        "사건종류코드": {"헌마": "430101", "헌바": "430102", "헌가": "430103"}[case.number[4:6]],
        "재판부구분코드": "430201" if result in ("합헌", "헌법불합치", "위헌") else "430202",
        "판시사항": f"{place}{subject_particle(place)} 청구인의 직업의 자유를 침해하는지 여부",
        "결정요지": _HELD[result].format(place=place, eun=topic(place)),
        "전문": f"【당 사 자】 청구인 갑<br/>【주 문】 {result}<br/>【이 유】 {text}",
        "참조조문": f"{place}, 헌법 제15조",
        "참조판례": f"헌재 {dotted(earlier(case.day, 900))}. {int(case.day[:4]) - 3}헌마{stream.between(10, 999)}",
        "심판대상조문": place,
    }


CONSTITUTIONAL: Final = DataSet(
    "detc",
    9_000,
    10_001,
    _constitutional,
    _constitutional_row,
    _constitutional_document,
    {
        "date": on(lambda c: c.day),
        "edYd": between(lambda c: c.day),
        "nb": lambda c, v: c.number in [part.strip() for part in v.split(",")],
    },
)

HANDLERS: Final[dict[str, Handler]] = {
    **handlers_of(PRECEDENTS, mobile=True),
    **handlers_of(CONSTITUTIONAL, mobile=True),
}
