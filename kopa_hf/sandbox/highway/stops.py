"""Rest areas (휴게소) and petrol stations (주유소): where they lie, what they are called, what petrol costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.highway.cities import CENTERS, CITIES
from kopa_hf.sandbox.highway.network import Route, routes
from kopa_hf.sandbox.highway.sections import Direction
from kopa_hf.sandbox.places import District, district, neighbourhoods
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.telephones import telephone
from kopa_hf.sandbox.world import World

_SPACING: Final = 47.0
"""Kilometres between the rest areas of one direction."""

OIL_COMPANIES: Final = (("AD", 5), ("GO", 3), ("NR", 3), ("DO", 2), ("RO", 2))
"""Invented brands under two letters, AD: 알뜰주유소 (the corporation's own cheap brand)."""


@dataclass(frozen=True, slots=True)
class RestArea:
    """One rest area, with its petrol station where it has one."""

    index: int
    place_name: str
    """아름들: what the signs say, without direction and kind."""
    route: Route
    direction: Direction
    km: float
    place: District
    town: str
    x: float
    y: float
    address: str
    telephone: str
    has_station: bool
    oil_company: str
    sells_lpg: bool
    repairs: bool
    for_trucks: bool
    parking: tuple[int, int, int]
    """Places for cars, lorries and disabled drivers."""

    @property
    def towards(self) -> str:
        """The city that the road leads to here: 부산."""
        return self.route.towards(self.direction)

    @property
    def name(self) -> str:
        """아름들(부산)휴게소."""
        return f"{self.place_name}({self.towards})휴게소"

    @property
    def station_name(self) -> str:
        """아름들(부산)주유소."""
        return f"{self.place_name}({self.towards})주유소"

    @property
    def unit_code(self) -> str:
        """Three digits of its own: no tollgate's code."""
        return f"{self.index + 1:03d}"

    @property
    def code(self) -> str:
        """휴게소코드 (stdRestCd), six digits."""
        return f"{self.index * 2 + 1:06d}"

    @property
    def station_code(self) -> str:
        """주유소코드, six digits out of the same numbers."""
        return f"{self.index * 2 + 2:06d}"

    @property
    def facility(self) -> str:
        """영업부대시설코드: A and five digits."""
        return f"A{self.index + 1:05d}"

    @property
    def station_facility(self) -> str:
        """The station's: B and five digits."""
        return f"B{self.index + 1:05d}"

    @property
    def kitchen(self) -> str:
        """음식용 휴게소코드 (restCd): S and six digits."""
        return f"S{self.index + 1:06d}"

    @property
    def office(self) -> int:
        """Position in `CENTERS` of the regional office in charge."""
        return next(i for i, (_, _, _, areas) in enumerate(CENTERS) if self.place.province.code in areas)


@dataclass(frozen=True, slots=True)
class Prices:
    """Won a litre; None: not sold."""

    petrol: int
    diesel: int
    lpg: int | None


def rest_areas(world: World) -> tuple[RestArea, ...]:
    """All rest areas, in order of their codes."""
    return world.table("highway.rest_areas", _build)


def stations(world: World) -> tuple[RestArea, ...]:
    """Rest areas with a petrol station."""
    return world.table("highway.stations", lambda w: tuple(area for area in rest_areas(w) if area.has_station))


def prices(world: World, area: RestArea) -> Prices:
    """Today's prices of a station; the cheap brand is cheaper."""
    stream = world.measure("highway", "prices", area.index)
    cheap = 45 if area.oil_company == "AD" else 0
    petrol = stream.between(1640, 1790) - cheap
    diesel = petrol - stream.between(88, 142)
    return Prices(petrol, diesel, stream.between(1005, 1120) if area.sells_lpg else None)


def won(price: int | None) -> str:
    """1,650원; X where it is not sold."""
    return "X" if price is None else f"{price:,}원"


def _build(world: World) -> tuple[RestArea, ...]:
    found: list[RestArea] = []
    taken: set[str] = set()
    for route in routes(world):
        if route.course.open_tolls and route.length < 60:
            continue
        count = max(1, round(route.length / _SPACING))
        for position in range(count):
            share = (position + 0.5) / count
            pairs: tuple[tuple[Direction, float], ...] = (("E", share - 0.06 / count), ("S", share + 0.06 / count))
            for direction, at in pairs:
                km = round(route.length * at, 1)
                found.append(_rest_area(world, len(found), route, direction, km, position, taken))
    return tuple(found)


def _rest_area(
    world: World, index: int, route: Route, direction: Direction, km: float, position: int, taken: set[str]
) -> RestArea:
    stream = world.identity("highway", "rest", route.number, position, direction)
    place = district(CITIES[route.nearest_city(km)][2])
    assert place is not None  # the table of cities holds codes of the register
    towns = [n.name for n in neighbourhoods(place.code)]
    town = stream.choice(towns)
    # both directions of one spot mostly share its name
    shared = world.identity("highway", "rest", route.number, position)
    lead = shared if shared.chance(0.6) else stream
    name = _place_name(lead, route.towards(direction), taken)
    x, y = route.point(km)
    has_station = stream.chance(0.96)
    return RestArea(
        index=index,
        place_name=name,
        route=route,
        direction=direction,
        km=km,
        place=place,
        town=town,
        x=round(x, 6),
        y=round(y, 6),
        address=f"{place.full_name} {town} {stream.between(1, 900)}-{stream.between(1, 40)}",
        telephone=telephone(stream, place.province.code),
        has_station=has_station,
        oil_company=stream.weighted(OIL_COMPANIES) if has_station else "",
        sells_lpg=has_station and stream.chance(0.35),
        repairs=stream.chance(0.22),
        for_trucks=stream.chance(0.12),
        parking=(stream.between(60, 420), stream.between(10, 160), stream.between(3, 18)),
    )


_FIRST: Final = (
    "가람", "너른", "다솔", "물안", "바람", "별내", "새솔", "아름", "여우", "윤슬", "은모래", "이슬", "잔다리",
    "참솔", "초록", "큰들", "푸른", "하늬", "한티", "햇귀",
)  # fmt: skip
_LAST: Final = ["고개", "골", "들", "마루", "못", "벌", "산", "샘", "숲", "울", "재", "터", "포구", "나루"]


def _place_name(stream: Stream, towards: str, taken: set[str]) -> str:
    while True:
        name = stream.choice(_FIRST) + stream.choice(_LAST)
        if f"{name}({towards})" not in taken:
            taken.add(f"{name}({towards})")
            return name
