"""What a rest area offers: dishes, brands, conveniences, events, themes, shops of young founders."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.highway.stops import RestArea, rest_areas
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import LAST_DAY, World

CONVENIENCES: Final = (
    ("01", "수면실", "운전자가 잠시 눈을 붙일 수 있는 방"), ("02", "샤워실", "온수 샤워기와 수건 대여"),
    ("03", "세탁실", "동전 세탁기와 건조기"), ("04", "수유실", "수유 쿠션과 기저귀 갈이대"),
    ("05", "전기차충전소", "급속 충전기"), ("06", "경정비소", "오일 교환과 타이어 점검"),
    ("07", "쉼터", "안마의자와 혈압계가 있는 고객쉼터"), ("08", "약국", "상비약과 멀미약"),
    ("09", "내고장특산물", "가까운 마을의 농산물 판매대"), ("10", "현금자동지급기", "현금 인출과 이체"),
    ("11", "이발소", "예약 없이 이용"), ("12", "화물차라운지", "화물 운전자용 휴게실"),
)  # fmt: skip
"""Code, name, description of the facilities (편의시설)."""
STATION_CONVENIENCES: Final = (
    ("05", "전기차충전소", "급속 충전기"), ("07", "쉼터", "커피와 정수기가 있는 고객쉼터"), ("13", "세차장", "자동 세차기"),
    ("14", "타이어공기주입기", "무인 공기 주입기"), ("15", "수소충전소", "승용 수소차 충전"),
)  # fmt: skip
BRANDS: Final = (
    ("101", "커피마루", "커피와 차"), ("102", "달보드레", "빵과 과자"), ("103", "한그릇", "덮밥과 국수"), ("104", "도토리편의점", "생활용품과 음료"),
    ("105", "고소한닭", "닭튀김"), ("106", "빙수나라", "빙수와 아이스크림"), ("107", "바삭어묵", "어묵과 핫바"), ("108", "산들옷방", "등산복과 모자"),
    ("109", "또바기김밥", "김밥과 분식"), ("110", "알감자집", "감자와 옥수수"),
)  # fmt: skip
"""Code, name, goods of the (invented) chains."""
THEMES: Final = (
    ("들꽃길이 있는 휴게소", "철마다 다른 들꽃을 보며 걷는 길이 있습니다"), ("별을 보는 휴게소", "밤이면 작은 천문대를 엽니다"),
    ("호수를 보는 휴게소", "전망대에서 호수가 한눈에 들어옵니다"), ("옛 장터 휴게소", "옛 시골 장터를 꾸며 놓았습니다"),
    ("숲놀이터 휴게소", "아이들이 뛰노는 나무 놀이터가 있습니다"), ("그림이 있는 휴게소", "고장 화가의 그림을 바꾸어 겁니다"),
)  # fmt: skip
_HEADS: Final = (
    "가마솥", "얼큰", "시골", "전복", "한우", "흑돼지", "버섯", "들깨", "묵은지", "해물", "매콤", "옛날", "수제",
    "통", "왕",
)  # fmt: skip
_DISHES: Final = (
    ("국밥", 9000), ("우동", 7000), ("라면", 5000), ("비빔밥", 9500), ("돈가스", 11000), ("된장찌개", 9500), ("김치찌개", 9500), ("칼국수", 8500),
    ("갈비탕", 14000), ("육개장", 10000), ("제육덮밥", 10500), ("냉면", 10000), ("호두빵", 4000), ("핫바", 4500), ("떡볶이", 5500),
)  # fmt: skip
_MATERIALS: Final = (
    "쌀", "멸치육수", "대파", "양파", "무", "고춧가루", "간장", "두부", "애호박", "감자", "마늘", "들기름",
)  # fmt: skip
_EVENTS: Final = (
    ("단골 도장 모으기", "한식당에서 열 번 드시면 한 그릇을 더 드립니다."), ("운전자 쉬어가기", "새벽에 쉬어 가시는 분께 따뜻한 차를 드립니다."),
    ("고장 농산물 장터", "가까운 마을의 농산물을 싸게 팝니다."), ("음악이 있는 저녁", "금요일 저녁마다 작은 연주회를 엽니다."),
    ("어린이 그리기 마당", "아이들이 그린 그림을 걸어 드립니다."), ("다회용 컵 할인", "컵을 가져오시면 음료 값을 깎아 드립니다."),
)  # fmt: skip
_SHOPS: Final = ["달콤한하루", "고구마아저씨", "바람빵집", "청춘꼬치", "오늘한잔", "노릇노릇", "새참", "맛도담"]


@dataclass(frozen=True, slots=True)
class Dish:
    """One dish on a menu; `number` counts within its rest area, the first one is the signature dish."""

    area: RestArea
    number: int
    name: str
    base: int
    """Won that such a dish costs anywhere."""
    material: str
    recommended: bool
    best: bool
    premium: bool
    season: str
    """4 all year, S summer, W winter."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A facility or brand at a rest area or station."""

    area: RestArea
    code: str
    name: str
    text: str
    opens: str
    closes: str


@dataclass(frozen=True, slots=True)
class Happening:
    """An event."""

    area: RestArea
    serial: int
    name: str
    text: str
    first: datetime.date
    last: datetime.date


def dishes(world: World) -> tuple[Dish, ...]:
    """All dishes, by rest area."""
    return world.table("highway.dishes", lambda w: tuple(dish for area in rest_areas(w) for dish in dishes_of(w, area)))


def dishes_of(world: World, area: RestArea) -> list[Dish]:
    """The menu of one rest area."""
    stream = world.identity("highway", "dishes", area.index)
    menu: dict[str, int] = {}
    for _ in range(stream.between(16, 56)):
        plain, base = stream.choice(_DISHES)
        menu.setdefault(stream.choice(_HEADS) + plain if stream.chance(0.8) else plain, base)
    found = []
    for number, (name, base) in enumerate(menu.items()):
        season = stream.weighted((("4", 14), ("S", 1), ("W", 1)))
        best, premium, recommended = number == 0, stream.chance(0.06), number == 0 or stream.chance(0.12)
        material = "\r\n".join(f"{item} {stream.between(1, 40) * 5}g" for item in stream.sample(_MATERIALS, 3))
        found.append(Dish(area, number, name, base, material, recommended, best, premium, season))
    return found


def price_of(world: World, dish: Dish) -> int:
    """Won, in steps of five hundred; premium dishes cost more."""
    stream = world.measure("highway", "dish", dish.area.index, dish.number)
    return (dish.base * stream.between(88, 122) // 100 + (2500 if dish.premium else 0)) // 500 * 500


def conveniences(world: World, *, station: bool = False) -> tuple[Offer, ...]:
    """Facilities of all rest areas, or of all stations."""

    def build(world: World) -> tuple[Offer, ...]:
        kinds = STATION_CONVENIENCES if station else CONVENIENCES
        found = []
        for area in rest_areas(world):
            if station and not area.has_station:
                continue
            stream = world.identity("highway", "conveniences", station, area.index)
            for kind in sorted(stream.sample(kinds, stream.between(1, 3) if station else stream.between(3, 10))):
                found.append(Offer(area, *kind, *_hours(stream)))
        return tuple(found)

    return world.table(f"highway.conveniences.{station}", build)


def brands(world: World) -> tuple[Offer, ...]:
    """Brand shops of all rest areas."""

    def build(world: World) -> tuple[Offer, ...]:
        found = []
        for area in rest_areas(world):
            stream = world.identity("highway", "brands", area.index)
            for kind in sorted(stream.sample(BRANDS, stream.between(1, 6))):
                found.append(Offer(area, *kind, *_hours(stream)))
        return tuple(found)

    return world.table("highway.brands", build)


def founders(world: World) -> tuple[Offer, ...]:
    """Shops of young founders; `code` is their number within the rest area."""

    def build(world: World) -> tuple[Offer, ...]:
        found = []
        for area in rest_areas(world):
            stream = world.identity("highway", "founders", area.index)
            for number in range(stream.weighted(((0, 6), (1, 3), (2, 2), (3, 1)))):
                found.append(Offer(area, str(number + 1), stream.choice(_SHOPS), "", *_hours(stream)))
        return tuple(found)

    return world.table("highway.founders", build)


def themes(world: World) -> tuple[tuple[RestArea, str, str], ...]:
    """Rest areas with something to see: area, theme, text."""
    found = []
    for area in rest_areas(world):
        stream = world.identity("highway", "theme", area.index)
        if stream.chance(0.55):
            found.append((area, *stream.choice(THEMES)))
    return tuple(found)


def happenings(world: World) -> tuple[Happening, ...]:
    """Events of all rest areas, past and present."""

    def build(world: World) -> tuple[Happening, ...]:
        found: list[Happening] = []
        for area in rest_areas(world):
            stream = world.identity("highway", "events", area.index)
            for _ in range(stream.between(1, 8)):
                name, text = stream.choice(_EVENTS)
                first = LAST_DAY - datetime.timedelta(days=stream.between(0, 900))
                last = first + datetime.timedelta(days=stream.between(6, 720))
                found.append(Happening(area, 1001 + len(found), name, text, first, last))
        return tuple(found)

    return world.table("highway.happenings", build)


def _hours(stream: Stream) -> tuple[str, str]:
    return stream.weighted((((("00:00", "24:00")), 5), (("07:00", "22:00"), 3), (("08:30", "20:00"), 2)))
