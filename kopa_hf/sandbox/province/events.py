"""Culture events, festivals and calls for volunteers, by 시군 and day."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.province.lists import asked_sigun
from kopa_hf.sandbox.province.municipalities import Sigun, Spot, shares, spot_in, telephone
from kopa_hf.sandbox.province.premises import Mixed, Numbers
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

EVENTS: Final = 3_077
FESTIVALS: Final = 214
CALLS: Final = 2_630
_FIRST: Final = datetime.date(2024, 1, 1)
_LAST: Final = LAST_DAY + datetime.timedelta(days=120)

_KINDS: Final = (("공연", 40), ("전시", 24), ("교육", 22), ("행사", 14))
_SHOWS: Final[dict[str, tuple[str, ...]]] = {
    "공연": ("실내악의 밤", "어린이 인형극", "국악 한마당", "재즈 콘서트", "합창 연주회", "낭독극"),
    "전시": ("수채화전", "사진전", "도예전", "목판화전", "옛 지도전"),
    "교육": ("목공 교실", "그림책 만들기", "어린이 과학 교실", "천문 강좌", "글쓰기 교실"),
    "행사": ("책 장터", "가을 마당", "가족 걷기", "정원 산책", "벼룩시장"),
}
_WORDS: Final = (
    "가온",
    "누리",
    "다솜",
    "라온",
    "마루",
    "보람",
    "새벽",
    "아라",
    "은하",
    "한별",
    "솔숲",
    "햇살",
    "미르",
    "나래",
    "여울",
    "도담",
)
_HALLS: Final = ("문화회관", "아트홀", "예술마당", "도서관", "미술관", "야외무대")
_FESTIVALS: Final = ("벚꽃축제", "쌀축제", "도자기축제", "반딧불축제", "얼음축제", "책축제", "포도축제", "갈대축제")
_TASKS: Final = (
    "도서관 서가 정리",
    "어르신 말벗",
    "하천 정화 활동",
    "급식 도우미",
    "행사 안내",
    "학습 지도",
    "유기동물 돌봄",
)


@dataclass(frozen=True, slots=True)
class Event:
    """One event, festival or call."""

    number: int
    sigun: Sigun
    spot: Spot
    kind: str
    title: str
    hall: str
    begins: datetime.date
    ends: datetime.date
    written: datetime.date
    hour: int
    fee: int
    """In won; 0 is free."""
    telephone: str


def event(world: World, kind: str, total: int, number: int) -> Event:
    """The n-th of a kind: event, festival, call."""
    sigun = shares(world.count(total, 31)).sigun_at(number)
    stream = world.identity("province", kind, number)
    spot = spot_in(stream, sigun)
    word = stream.choice(_WORDS)
    begins = _FIRST + datetime.timedelta(days=stream.below((_LAST - _FIRST).days))
    label = stream.weighted(_KINDS)
    length = {"공연": 0, "행사": stream.below(3), "교육": 7 * stream.below(6), "전시": 10 + stream.below(50)}[label]
    place = sigun.name.removesuffix("시").removesuffix("군")
    titles = {
        "event": f"{place} {word} {stream.choice(_SHOWS[label])}",
        "festival": f"{place}{word}{stream.choice(_FESTIVALS)} {begins.year}",
        "call": f"[{place}] {word} {stream.choice(_TASKS)} 봉사자 모집",
    }
    if kind != "event":
        length = 1 + stream.below(9)
    written = min(begins - datetime.timedelta(days=5 + stream.below(40)), LAST_DAY)
    return Event(
        number,
        sigun,
        spot,
        label,
        titles[kind],
        f"{place}{word}{stream.choice(_HALLS)}",
        begins,
        begins + datetime.timedelta(days=length),
        written,
        10 + stream.below(10),
        0 if stream.chance(0.55) else 5_000 * stream.between(1, 8),
        telephone(stream, sigun),
    )


def newest_first(world: World, kind: str, total: int) -> tuple[int, ...]:
    """Numbers by the day of writing, newest first; the portal's order."""

    def build(world: World) -> tuple[int, ...]:
        count = world.count(total, 31)
        days = [event(world, kind, total, number).written for number in range(count)]
        return tuple(sorted(range(count), key=lambda number: (-days[number].toordinal(), number)))

    return world.table(f"province.newest.{kind}", build)


def fee_text(fee: int) -> str:
    """The column mixes numbers and words, as the service does."""
    if fee == 0:
        return "0"
    return f"전석 {fee // 10_000}만 원" if fee % 10_000 == 0 else str(fee)


def _programme(world: World, query: Query) -> Reply:
    order = newest_first(world, "event", EVENTS)

    def at(index: int) -> Record:
        e = event(world, "event", EVENTS, order[index])
        address = f"https://sandbox.invalid/gg/culture/{e.number:06d}"
        return {
            "INST_NM": f"{e.sigun.name} 문화재단",
            "TITLE": e.title,
            "CATEGORY_NM": e.kind,
            "URL": address,
            "EVENT_TM_INFO": f"{e.hour}:00",
            "PARTCPT_EXPN_INFO": fee_text(e.fee),
            "TELNO_INFO": e.telephone,
            "HOST_INST_NM": e.hall if e.number % 3 else None,
            "HMPG_URL": f"{address}/home",
            "IMAGE_URL": f"{address}/poster.jpg",
            "BEGIN_DE": f"{e.begins:%Y%m%d}",
            "END_DE": f"{e.ends:%Y%m%d}",
            "WRITNG_DE": f"{e.written:%Y%m%d}",
        }

    return Rows(len(order), at)


def _by_sigun(world: World, query: Query, total: int) -> Numbers | None:
    """Numbers of the events of the asked 시군; None where the inputs contradict each other."""
    possible, sigun = asked_sigun(query)
    if not possible:
        return None
    share = shares(world.count(total, 31))
    return Mixed(range(share.total)) if sigun is None else share.span(sigun)


def _notices(world: World, query: Query) -> Reply:
    numbers = _by_sigun(world, query, EVENTS)
    if numbers is None:
        return NO_ROWS

    def record(number: int) -> Record:
        e = event(world, "event", EVENTS, number)
        period = f"{e.begins:%Y-%m-%d} ~ {e.ends:%Y-%m-%d}"
        return {"TITLE": e.title, "EVENT_PERD": period, "EVENT_PLC": e.hall, "SIGUN_NM": e.sigun.name}

    return Rows(len(numbers), lambda index: _cut(record(numbers[index]), query))


def _performances(world: World, query: Query) -> Reply:
    numbers = _by_sigun(world, query, EVENTS)
    if numbers is None:
        return NO_ROWS
    shows = [e for number in numbers if (e := event(world, "event", EVENTS, number)).kind == "공연"]
    return Rows.mapped(
        shows,
        lambda e: {
            "EVENT_TITLE": e.title,
            "REFINE_WGS84_LAT": e.spot.latitude,
            "REFINE_WGS84_LOGT": e.spot.longitude,
        },
    )


def _festivals(world: World, query: Query) -> Reply:
    numbers = _by_sigun(world, query, FESTIVALS)
    if numbers is None:
        return NO_ROWS

    def record(number: int) -> Record:
        e = event(world, "festival", FESTIVALS, number)
        return {
            "SIGUN_NM": e.sigun.name,
            "FASTVL_NM": e.title,
            "FASTVL_BEGIN_DE": f"{e.begins:%Y%m%d}",
            "FASTVL_END_DE": f"{e.ends:%Y%m%d}",
            "FASTVL_CONT": "공연, 체험, 먹거리 장터",
            "OPENMEET_PLC": f"{e.spot.neighbourhood.name} 일원",
            "REFINE_WGS84_LAT": e.spot.latitude,
            "REFINE_WGS84_LOGT": e.spot.longitude,
        }

    return Rows(len(numbers), lambda index: _cut(record(numbers[index]), query))


def _calls(world: World, query: Query) -> Reply:
    order = newest_first(world, "call", CALLS)

    def at(index: int) -> Record:
        e = event(world, "call", CALLS, order[index])
        return {
            "SERVIC_TITLE": e.title,
            "RECRUT_INST_NM": e.hall,
            "SERVIC_BEGIN_DE": f"{e.begins:%Y%m%d}",
            "SERVIC_END_DE": f"{e.ends:%Y%m%d}",
            "RECRUT_STATE_NM": "모집완료" if e.begins <= LAST_DAY else "모집중",
        }

    return Rows(len(order), at)


def _cut(record: Record, query: Query) -> Record:
    """Only the columns of the signature."""
    tool = query.tool
    return record if tool is None else {field.name: record.get(field.name) for field in tool.fields}


HANDLERS: Final[dict[str, Handler]] = {
    "GGCULTUREVENTSTUS": _programme,
    "Ggculturevent": _notices,
    "PerformanceEvent": _performances,
    "CultureFestival": _festivals,
    "ServicPartcptnInfo": _calls,
}
