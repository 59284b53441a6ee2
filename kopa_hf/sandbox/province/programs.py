"""Programmes of disability centres, halls for rent, and lifts in underground stations."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.province.columns import DATA_DAY
from kopa_hf.sandbox.province.premises import register
from kopa_hf.sandbox.province.trades import DISABILITY
from kopa_hf.sandbox.query import Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import World

PROGRAMS: Final = 1_130
RENTALS: Final = 2_480
LIFTS: Final = 1_160
_KINDS: Final = (
    ("재활", "언어재활", "언어 표현 수업"), ("재활", "물리치료", "보행 운동"), ("교육", "정보화", "컴퓨터 기초"),
    ("직업", "직업훈련", "바리스타 실습"), ("여가", "체육", "실내 보치아"), ("여가", "예술", "합창 모임"), ("가족", "가족지원", "부모 모임"),
)  # fmt: skip
_TYPES: Final = ("전체", "지체", "발달", "시각", "청각", "뇌병변")
_AGES: Final = ("제한없음", "만 18세 이상", "만 6세~12세", "만 65세 이상")


def _program(world: World, number: int) -> Record:
    book = register(world, (DISABILITY,))
    centre = book.at(number % len(book))
    stream = world.identity("province", "program", number)
    kind, detail, title = stream.choice(_KINDS)
    return {
        "USE_TARGET_OBSTCL_TYPE_COND": stream.choice(_TYPES),
        "USE_TARGET_AGE_LIMITN_COND": stream.choice(_AGES),
        "USE_TARGET_ETC_COND": None,
        "PROG_DIV_NM": kind,
        "DETAIL_DIV_NM": detail,
        "PROG_TITLE": f"{title} {number // len(book) + 1}기",
        "PROG_CONT": f"{title}을 주 {stream.between(1, 3)}회 진행한다."
        if title[-1] in "업동습"
        else f"{title} 과정을 진행한다.",
        "USE_TM_INFO": f"{stream.between(9, 16):02d}:00부터 {stream.between(1, 2)}시간",
        "CMWELFCT_NM_INFO": centre.name,
        "REFINE_ROADNM_ADDR": centre.spot.road,
        "DATA_STD_DE": DATA_DAY.isoformat(),
    }


def _programs(world: World, query: Query) -> Reply:
    names = [field.name for field in query.tool.fields] if query.tool is not None else []

    def at(number: int) -> Record:
        record = _program(world, number)
        return {name: record.get(name) for name in names} if names else record

    return Rows(world.count(PROGRAMS, 2), at)


def _rentals(world: World, query: Query) -> Reply:
    def at(number: int) -> Record:
        stream = world.identity("province", "rental", number)
        return {
            "PURPOS": stream.choice(("회의실", "강당", "체육시설", "강의실", "주차장", "공연장")),
            "RSVTN_METH": stream.choice(("온라인", "전화", "방문", "온라인, 전화")),
        }

    return Rows(world.count(RENTALS, 2), at)


_STATIONS: Final = ("가온", "누리", "다솜", "라온", "마루", "보람", "새벽", "아라", "은하", "한별", "솔숲", "햇살")


def _lifts(world: World, query: Query) -> Reply:
    def at(number: int) -> Record:
        stream = world.identity("province", "lift", number // 6)
        name = f"{stream.choice(_STATIONS)}{stream.choice(('', '중앙', '시청', '대공원', '신도시'))}역"
        return {"STATN_NM": name, "LOC": f"{number % 6 + 1}번 출구 - 대합실" if number % 6 < 4 else "대합실 - 승강장"}

    return Rows(world.count(LIFTS, 2), at)


HANDLERS: Final[dict[str, Handler]] = {
    "DspsnCmwelfctOpertProg": _programs,
    "DisablePersonProg": _programs,
    "TBGSSFACILITY": _rentals,
    "TBGGSTATNELVM": _lifts,
}
