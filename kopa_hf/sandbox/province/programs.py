"""Programmes of disability centres, notices of jobs and training, halls for rent, lifts, and the most lent books."""

from __future__ import annotations

import datetime
from typing import Final

from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.province.columns import DATA_DAY
from kopa_hf.sandbox.province.municipalities import siguns
from kopa_hf.sandbox.province.premises import register
from kopa_hf.sandbox.province.trades import DISABILITY
from kopa_hf.sandbox.query import Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

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


SUPPORTS: Final = 1_870
_SUPPORTS: Final[dict[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]] = {
    "JobFndtnSportPolocy": (
        ("청년 면접수당", "재직자 교통비 지원", "창업 공간 지원", "월세 지원", "중소기업 복지 지원"),
        (("01", "구직활동 지원"), ("02", "재직 지원"), ("03", "기업 지원"), ("04", "생활 지원"), ("05", "주거 지원")),
    ),
    "JobFndtnEduTraing": (
        ("용접 실무 과정", "영상 편집 과정", "회계 사무원 과정", "요양보호사 과정", "자료 분석 입문 과정"),
        (("11", "직업훈련"), ("12", "온라인교육"), ("13", "자격과정")),
    ),
    "JobFndtnTosAct": (
        ("청년 서포터즈", "지역 기록단", "환경 봉사단", "창업 동아리", "정책 제안단"),
        (("21", "대외활동"), ("22", "공모전"), ("23", "봉사활동")),
    ),
}
"""Operation → what its notices offer, and its own codes."""


def _supports(world: World, query: Query) -> Reply:
    """Notices of the job foundation; regions have a numbering of their own, not the 시군 codes."""
    offers, kinds = _SUPPORTS[query.operation]

    def record(number: int) -> Record:
        stream = world.identity("province", query.operation, number)
        (code, kind), place = stream.choice(kinds), stream.choice(siguns())
        begins = LAST_DAY - datetime.timedelta(days=stream.between(-20, 300))
        title = f"{place.name} {stream.choice(offers)} {begins.year}년 {begins.month}월 모집"
        return {
            "PBLANC_TITLE": title,
            "INST_NM": f"{place.name} 일자리센터",
            "RECRUT_BEGIN_DE": f"{begins:%Y%m%d}",
            "RECRUT_END_DE": f"{begins + datetime.timedelta(days=stream.between(7, 60)):%Y%m%d}",
            "DIV_CD": code,
            "DIV_NM": kind,
            "REGION_CD": f"{place.position + 1:03d}",
            "REGION_NM": place.name,
            "DETAIL_PAGE_URL": f"https://sandbox.invalid/gg/notices/{query.operation.lower()}/{number:05d}",
        }

    numbers = range(world.count(SUPPORTS, 2))
    wanted = [(name, query.get(name)) for name in ("DIV_CD", "REGION_CD") if query.get(name)]
    if not wanted:
        return Rows(len(numbers), record)
    found = (record(number) for number in numbers)
    return Rows.of([row for row in found if all(row[name] == value for name, value in wanted)])


BOOKS: Final = 500
_FIRST: Final = ("달빛", "느린", "파란", "오래된", "작은", "겨울", "바닷가", "이상한", "고요한", "일곱 번째")
_LAST: Final = ("서점", "정원", "편지", "기차", "부엌", "사전", "우산", "지도", "계단", "여름")


def _books(world: World, query: Query) -> Reply:
    def at(number: int) -> Record:
        stream = world.identity("province", "book", number)
        return {
            "BOOK_NM_INFO": f"{stream.choice(_FIRST)} {stream.choice(_LAST)} {number // 100 + 1}",
            "AUTHOR_NM_INFO": f"{person_name(stream)} 지음",
            "PUBLCATN_YY": str(stream.between(2012, 2025)),
            "PUBLSHCMPY_NM": stream.choice(("가온출판", "누리책방", "다솜북스", "마루글방")),
            "VOLM_CNT": str(stream.between(1, 3)),
            "BOOK_IMAGE_URL": f"https://sandbox.invalid/gg/books/{number:04d}.jpg",
        }

    return Rows(world.count(BOOKS, 2), at)


HANDLERS: Final[dict[str, Handler]] = {
    "DspsnCmwelfctOpertProg": _programs,
    "DisablePersonProg": _programs,
    "TBGSSFACILITY": _rentals,
    "TBGGSTATNELVM": _lifts,
    **dict.fromkeys(_SUPPORTS, _supports),
    "Poplitloanbook": _books,
}
