"""Culture: venues, events with their genres, and the city's reservation service."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from kopa_hf.sandbox.city.answers import contains, equal, table
from kopa_hf.sandbox.city.ground import Borough, any_borough, any_neighbourhood, point
from kopa_hf.sandbox.city.words import latin, names, phone
from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.places import street_address
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import LAST_DAY, World

EVENTS: Final = 4_180
SPACES: Final = 872
GENRES: Final = (
    ("1", "클래식"), ("2", "콘서트"), ("3", "무용"), ("4", "뮤지컬·오페라"), ("5", "연극"), ("6", "국악"),
    ("7", "전시·미술"), ("8", "영화"), ("9", "축제-문화예술"), ("10", "교육·체험"), ("11", "독주·독창회"), ("12", "기타"),
)  # fmt: skip
_SPACE_KINDS: Final = ("공연장", "미술관", "갤러리", "박물관/기념관", "문화예술회관", "도서관", "기타")
_SHOWS: Final = {
    "1": ("실내악의 밤", "신년음악회"), "2": ("겨울 콘서트", "버스킹"), "3": ("춤마당",), "4": ("뮤지컬", "오페라 갈라"),
    "5": ("연극", "낭독극"), "6": ("국악한마당", "판소리"), "7": ("기획전", "사진전"), "8": ("영화 상영회",),
    "9": ("빛 축제", "거리 축제"), "10": ("체험교실", "강좌"), "11": ("피아노 독주회",), "12": ("북토크", "장터"),
}  # fmt: skip
_FIRST: Final = datetime.date(2024, 6, 1)


@dataclass(frozen=True, slots=True)
class Space:
    """A venue."""

    number: int
    name: str
    kind: str
    borough: Borough
    address: str
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Event:
    """A show, exhibition or course."""

    code: str
    """문화행사코드."""
    title: str
    genre: tuple[str, str]
    space: Space
    first: datetime.date
    last: datetime.date
    free: bool
    target: str
    player: str


def spaces(world: World) -> tuple[Space, ...]:
    """All venues."""
    return world.table("city.spaces", _build_spaces)


def _build_spaces(world: World) -> tuple[Space, ...]:
    count = world.count(SPACES, 40)
    found = []
    for number, name in enumerate(names(world, "spaces", count), 1):
        stream = world.identity("city", "space", number)
        borough = any_borough(stream)
        kind = stream.choice(_SPACE_KINDS)
        latitude, longitude = point(stream, borough)
        title = f"{name} {kind.partition('/')[0] if kind != '기타' else '문화마당'}"
        road = street_address(stream, any_neighbourhood(stream, borough))
        found.append(Space(number, title, kind, borough, road, latitude, longitude))
    return tuple(found)


def events(world: World) -> tuple[Event, ...]:
    """All events, the latest to begin first."""
    return world.table("city.events", _build_events)


def _build_events(world: World) -> tuple[Event, ...]:
    count = world.count(EVENTS, 80)
    heads = names(world, "events", count)
    found = []
    for number in range(count):
        stream = world.identity("city", "event", number)
        genre = stream.choice(GENRES)
        first = _FIRST + datetime.timedelta(days=stream.below((LAST_DAY - _FIRST).days + 60))
        last = first + datetime.timedelta(days=stream.octave(1, 60) - 1)
        title = f"[{heads[number]}] {stream.choice(_SHOWS[genre[0]])}"
        target = stream.choice(("누구나", "만 7세 이상", "성인", "어린이와 가족"))
        found.append(
            Event(
                f"{100_001 + number}", title, genre, stream.choice(spaces(world)), first, last,
                stream.chance(0.6), target, person_name(stream),
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda e: (e.first, e.code), reverse=True))


def _event_row(world: World, event: Event) -> Record:
    stream = world.identity("city", "event text", event.code)
    registered = event.first - datetime.timedelta(days=stream.between(10, 45))
    return {
        "CODENAME": event.genre[1],
        "GUNAME": event.space.borough.name,
        "TITLE": event.title,
        "DATE": f"{event.first}~{event.last}",
        "PLACE": event.space.name,
        "ORG_NAME": stream.choice(("문화재단", "구청", "기타")) if event.free else "기타",
        "USE_TRGT": event.target,
        "USE_FEE": "무료" if event.free else f"전석 {stream.between(1, 9)}0,000원",
        "INQUIRY": phone(stream),
        "PLAYER": event.player,
        "PROGRAM": "",
        "ETC_DESC": "",
        "ORG_LINK": f"https://culture.invalid/{event.code}",
        "MAIN_IMG": f"https://culture.invalid/img/{event.code}.jpg",
        "RGSTDATE": registered.isoformat(),
        "TICKET": "기관" if stream.chance(0.7) else "시민",
        "STRTDATE": f"{event.first} 00:00:00.0",
        "END_DATE": f"{event.last} 00:00:00.0",
        "THEMECODE": stream.choice(("기타", "어린이/청소년 문화행사", "가족 문화행사")),
        "LOT": f"{event.space.longitude:.6f}",
        "LAT": f"{event.space.latitude:.6f}",
        "IS_FREE": "무료" if event.free else "유료",
        "HMPG_ADDR": f"https://culture.invalid/view/{event.code}",
    }


def _event_list(world: World, query: Query) -> Rows:
    found: Iterable[Event] = events(world)
    genre, title, day = query.get("CODENAME"), query.get("TITLE"), query.get("DATE")
    if day:
        try:
            wanted = datetime.date.fromisoformat(day)
        except ValueError:
            raise RefusedError("value", "DATE") from None
        found = [e for e in found if e.first <= wanted <= e.last]
    kept = [e for e in found if genre in e.genre[1] and title in e.title]
    return Rows.mapped(kept, partial(_event_row, world))


def _codes(found: list[Event]) -> Rows:
    return Rows.mapped(found, lambda event: {"CULTCODE": event.code}) if found else NO_ROWS


def _by_title(world: World, query: Query) -> Rows:
    return _codes([e for e in events(world) if query.get("TITLE") in e.title])


def _by_period(world: World, query: Query) -> Rows:
    days = []
    for name in ("STRTDATE", "END_DATE"):
        try:
            days.append(datetime.datetime.strptime(query.get(name).replace("-", ""), "%Y%m%d").date())
        except ValueError:
            raise RefusedError("value", name) from None
    return _codes([e for e in events(world) if e.first <= days[1] and e.last >= days[0]])


def _by_genre(world: World, query: Query) -> Rows:
    return _codes([e for e in events(world) if e.genre[0] == query.get("CODE")])


def _detail(world: World, query: Query) -> Rows:
    event = next((e for e in events(world) if e.code == query.get("CULTCODE")), None)
    if event is None:
        return NO_ROWS
    row = _event_row(world, event)
    return Rows.of(
        [
            {
                "CULTCODE": event.code,
                "SUBJCODE": event.genre[0],
                "CODENAME": event.genre[1],
                "TITLE": event.title,
                "STRTDATE": event.first.isoformat(),
                "END_DATE": event.last.isoformat(),
                "TIME": "19:30",
                "PLACE": event.space.name,
                "ORG_LINK": row["ORG_LINK"],
                "MAIN_IMG": row["MAIN_IMG"],
                "HOMEPAGE": row["HMPG_ADDR"],
                "USE_TRGT": event.target,
                "USE_FEE": row["USE_FEE"],
                "SPONSOR": row["ORG_NAME"],
                "INQUIRY": row["INQUIRY"],
                "SUPPORT": "",
                "ETC_DESC": "",
                "AGELIMIT": event.target,
                "IS_FREE": "1" if event.free else "0",
                "TICKET": row["TICKET"],
                "PROGRAM": "",
                "PLAYER": event.player,
                "CONTENTS": f"{event.space.name}에서 열리는 {event.title}입니다.",
                "GCODE": event.space.borough.name,
            }
        ]
    )


def _space_rows(world: World) -> Iterable[Record]:
    for space in spaces(world):
        stream = world.identity("city", "space text", space.number)
        free = stream.chance(0.5)
        yield {
            "NUM": str(space.number),
            "SUBJCODE": space.kind,
            "FAC_NAME": space.name,
            "ADDR": space.address,
            "X_COORD": f"{space.latitude:.6f}",
            "Y_COORD": f"{space.longitude:.6f}",
            "PHNE": phone(stream),
            "FAX": "",
            "HOMEPAGE": f"https://{latin(stream)}.invalid",
            "OPENHOUR": "10:00~18:00",
            "ENTR_FEE": "" if free else f"{stream.between(2, 15)},000원",
            "CLOSEDAY": stream.choice(("월요일", "연중무휴", "공휴일")),
            "OPEN_DAY": f"{stream.between(1975, 2024)}.{stream.between(1, 12):02d}.{stream.between(1, 28):02d}",
            "SEAT_CNT": str(stream.octave(60, 1800)) if space.kind == "공연장" else "",
            "MAIN_IMG": f"https://culture.invalid/space/{space.number}.jpg",
            "ETC_DESC": "",
            "FAC_DESC": f"{space.borough.name}에 있는 {space.kind}.",
            "ENTRFREE": "무료" if free else "유료",
            **dict.fromkeys(("SUBWAY", "BUSSTOP", "YELLOW", "GREEN", "BLUE", "RED", "AIRPORT"), ""),
        }


# reservations

_SERVICES: Final[dict[str, tuple[str, int, tuple[str, ...], str]]] = {
    "ListPublicReservationSport": (
        "체육시설",
        640,
        ("테니스장", "축구장", "풋살장", "야구장", "족구장", "배드민턴장"),
        "S",
    ),
    "ListPublicReservationInstitution": ("공간시설", 520, ("강당", "회의실", "캠핑장", "녹화장소", "공연장"), "F"),
    "ListPublicReservationEducation": (
        "교육강좌",
        910,
        ("교양·어학", "자연·과학", "스포츠", "미술제작", "도시농업"),
        "E",
    ),
    "ListPublicReservationCulture": (
        "문화체험",
        780,
        ("문화행사", "전시·관람", "단체봉사", "공원탐방", "산림여가"),
        "C",
    ),
    "ListPublicReservationMedical": ("진료복지", 60, ("어린이병원", "장애인버스"), "M"),
}
"""Operation → large class, number of services, small classes, first letter of ids."""


def _reservations(world: World, operation: str) -> tuple[Record, ...]:
    def build(world: World) -> tuple[Record, ...]:
        large, count, kinds, letter = _SERVICES[operation]
        heads = names(world, f"reservations {letter}", world.count(count, 20))
        return tuple(
            _reservation(world.identity("city", "reservation", letter, n), n, large, kinds, letter, head)
            for n, head in enumerate(heads)
        )

    return world.table(f"city.reservations.{operation}", build)


def _reservation(stream: Stream, number: int, large: str, kinds: tuple[str, ...], letter: str, head: str) -> Record:
    kind, borough = stream.choice(kinds), any_borough(stream)
    latitude, longitude = point(stream, borough)
    opens = LAST_DAY - datetime.timedelta(days=stream.between(-40, 90))
    closes = opens + datetime.timedelta(days=stream.between(10, 120))
    asked = opens - datetime.timedelta(days=stream.between(7, 40))
    until = closes - datetime.timedelta(days=stream.between(1, 9))
    state = "안내중" if asked > LAST_DAY else "접수종료" if until < LAST_DAY else stream.choice(("접수중", "예약마감"))
    return {
        "GUBUN": stream.choice(("자체", "연계")),
        "SVCID": f"{letter}{asked:%y%m%d}{100_001 + number}",
        "MAXCLASSNM": large,
        "MINCLASSNM": kind,
        "SVCSTATNM": state,
        "SVCNM": f"{head} {kind}",
        "PAYATNM": stream.choice(("무료", "유료")),
        "PLACENM": f"{borough.name} {head}마당",
        "USETGTINFO": stream.choice(("제한없음", "성인", "가족", "초등학생")),
        "SVCURL": f"https://reservation.invalid/{letter}{number}",
        "X": f"{longitude:.6f}",
        "Y": f"{latitude:.6f}",
        "SVCOPNBGNDT": f"{opens} 00:00:00.0",
        "SVCOPNENDDT": f"{closes} 23:59:00.0",
        "RCPTBGNDT": f"{asked} 09:00:00.0",
        "RCPTENDDT": f"{until} 18:00:00.0",
        "AREANM": borough.name,
        "IMGURL": f"https://reservation.invalid/img/{letter}{number}.jpg",
        "DTLCONT": f"{borough.name}에서 {kind} 이용을 예약합니다.",
        "TELNO": phone(stream),
        "V_MIN": f"{stream.between(6, 10):02d}:00",
        "V_MAX": f"{stream.between(17, 22):02d}:00",
        "REVSTDDAYNM": "이용일",
        "REVSTDDAY": str(stream.between(1, 7)),
    }


def reservation_ids(world: World) -> tuple[str, ...]:
    """Ids of everything that can be reserved."""
    return world.table(
        "city.reservation ids",
        lambda w: tuple(record["SVCID"] for operation in _SERVICES for record in _reservations(w, operation)),
    )


def _reserved(world: World, query: Query) -> Rows:
    wanted = query.get("MINCLASSNM")
    return Rows.of([r for r in _reservations(world, query.operation) if wanted in r["MINCLASSNM"]])


def _reservation_detail(world: World, query: Query) -> Rows:
    wanted = query.get("SVCID")
    every = (record for operation in _SERVICES for record in _reservations(world, operation))
    found = next((record for record in every if record["SVCID"] == wanted), None)
    return NO_ROWS if found is None else Rows.of([{name: found[name] for name in ("SVCID", "PLACENM", "X", "Y")}])


HANDLERS: Final[dict[str, Handler]] = {
    "culturalEventInfo": _event_list,
    "SearchConcertNameService": _by_title,
    "SearchConcertPeriodService": _by_period,
    "SearchPerformanceBySubjectService": _by_genre,
    "SearchConcertDetailService": _detail,
    "SearchConcertSubjectCatalogService": table(
        "genres", lambda w: [{"CODE": code, "CODENAME": name} for code, name in GENRES], {"CODE": equal}
    ),
    "culturalSpaceInfo": table("spaces", _space_rows, {"FAC_NAME": contains}),
    **dict.fromkeys(_SERVICES, _reserved),
    "ListPublicReservationDetail": _reservation_detail,
}
