"""What the national transport services' operations hang on: stations, terminals, stops, routes, counting posts.

Every service has numbers of its own, some of which look alike: a terminal has an ID where its timetable is asked for
and another code where its arrivals are. Places are named after real districts; operators are invented.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from kopa_hf.sandbox.agencies.numbered import fixed, serials
from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.places import District, Neighbourhood, all_neighbourhoods, districts, provinces
from kopa_hf.sandbox.world import World

_REGIONS: Final = ("11", "21", "22", "23", "24", "25", "26", "12", "31", "33", "34", "36", "37", "38", "39", "32", "35")
"""The services' own two digits of the provinces, in the order of `provinces`."""
_LETTERS: Final = ("SEB", "BSB", "DGB", "ICB", "GJB", "DJB", "USB", "SJB", "GGB", "CBB", "CNB", "JNB", "GBB", "GNB", "JJB", "GWB", "JBB")  # fmt: skip
_AIRPORTS: Final = (
    ("NAARKSS", "김포"), ("NAARKPK", "김해"), ("NAARKPC", "제주"), ("NAARKTN", "대구"), ("NAARKJJ", "광주"),
    ("NAARKTU", "청주"), ("NAARKJY", "여수"), ("NAARKPU", "울산"), ("NAARKNY", "양양"), ("NAARKPS", "사천"),
    ("NAARKTH", "포항경주"), ("NAARKJK", "군산"), ("NAARKNW", "원주"), ("NAARKJB", "무안"),
)  # fmt: skip
_AIRLINES: Final = (
    ("ARN", "아라항공"),
    ("GNA", "가온항공"),
    ("MRU", "마루에어"),
    ("BRM", "바람항공"),
    ("NRI", "누리에어"),
)
_SCOOTERS: Final = ("달려", "씽씽누리", "바로킥", "가온모빌리티")
_LINES: Final = ("서울 1호선", "서울 2호선", "부산 1호선", "대구 1호선", "광주 1호선", "대전 1호선", "인천 1호선")


@dataclass(frozen=True, slots=True)
class Spot:
    """A station, terminal or port: where it is, and its place among its like."""

    index: int
    name: str
    region: str
    region_name: str


def _spots(every: int) -> Callable[[World], Sequence[Spot]]:
    """One for every so many districts."""
    position = {p.code: i for i, p in enumerate(provinces())}

    made = tuple(
        Spot(i, _short(d), _REGIONS[position[d.province.code] % len(_REGIONS)], d.province.name)
        for i, d in enumerate(districts()[::every])
    )
    return lambda world: made


def _short(district: District) -> str:
    """수원 of 수원시 장안구, 종로 of 종로구."""
    first = district.name.split()[0]
    return re.sub(r"(?<=..)[시군구]$", "", first)


@dataclass(frozen=True, slots=True)
class Stop:
    """A route's stop in one city of the national bus services."""

    index: int
    city: str
    city_name: str
    letters: str
    name: str

    @property
    def route(self) -> int:
        """Position of its route: forty stops lie on one."""
        return self.index // 40


def _stops(world: World) -> tuple[Stop, ...]:
    return _all_stops()


@cache
def _all_stops() -> tuple[Stop, ...]:
    """Stops of the cities with buses, a neighbourhood each."""
    position = {p.code: i for i, p in enumerate(provinces())}
    found = []
    for index, place in enumerate(all_neighbourhoods()[::3]):
        district = place.district
        at = position[district.province.code] % len(_LETTERS)
        metropolis = not district.province.name.endswith("도")
        city = _REGIONS[at] if metropolis else f"{_REGIONS[at]}{int(district.code[2:4]):02d}0"
        name = district.province.name if metropolis else district.name.split()[0]
        found.append(Stop(index, city, name, _LETTERS[at], f"{place.name}주민센터"))
    return tuple(found)


def _everywhere(world: World) -> tuple[Neighbourhood, ...]:
    return all_neighbourhoods()


def _zones(world: World) -> tuple[Neighbourhood, ...]:
    return world.table("agencies.zones", lambda w: all_neighbourhoods()[::8])


KINDS: Final = (
    Kind(
        "railway station",
        _spots(2),
        {
            "tago.train_station": lambda s: f"NAT{10_000 + s.index * 131:06d}",
            "tago.train_station_name": lambda s: s.name,
            "tago.region": lambda s: s.region,
            "tago.region_name": lambda s: s.region_name,
        },
    ),
    Kind("kind of train", fixed(("00", "01", "02", "03", "04", "06", "07", "08")), {"tago.train_kind": str}),
    Kind(
        "express bus terminal",
        _spots(3),
        {
            "tago.express_terminal": lambda s: f"NAEK{100 + s.index * 7 % 900:03d}",
            "tago.express_terminal_code": lambda s: f"{100 + s.index * 7 % 900:03d}",
            "tago.express_terminal_name": lambda s: f"{s.name}고속터미널",
        },
    ),
    Kind(
        "intercity bus terminal",
        _spots(1),
        {
            "tago.intercity_terminal": lambda s: f"NAI{511_601 + s.index * 100:07d}",
            "tago.intercity_terminal_name": lambda s: f"{s.name}시외버스터미널",
            "tago.region": lambda s: s.region,
            "tago.region_name": lambda s: s.region_name,
        },
    ),
    Kind("airport", lambda world: _AIRPORTS, {"tago.airport": lambda a: a[0], "tago.airport_name": lambda a: a[1]}),
    Kind("airline", lambda world: _AIRLINES, {"tago.airline": lambda a: a[0], "tago.airline_name": lambda a: a[1]}),
    Kind("port", _spots(9), {"tago.port": lambda s: f"SEA{10_000 + s.index * 10}", "tago.port_name": lambda s: s.name}),
    Kind(
        "subway station of the country",
        _spots(1),
        {
            "tago.subway_station": lambda s: f"SUB{200 + s.index}",
            "tago.subway_station_name": lambda s: f"{s.name}역",
            "tago.subway_route": lambda s: _LINES[s.index % len(_LINES)],
        },
    ),
    Kind(
        "stop of a city's bus",
        _stops,
        {
            "tago.bus_city": lambda s: s.city,
            "tago.bus_city_name": lambda s: s.city_name,
            "tago.bus_route_id": lambda s: f"{s.letters}{30_300_001 + s.route}",
            "tago.bus_route_no": lambda s: str(1 + s.route % 990),
            "tago.bus_stop_id": lambda s: f"{s.letters}{8_000_001 + s.index}",
            "tago.bus_stop_name": lambda s: s.name,
            "tago.bus_stop_no": lambda s: f"{10_001 + s.index}",
        },
    ),
    serials("card.route", 4_000, 11_100_001),
    serials("card.stop", 9_000, 9_000_001),
    Kind("kind of card user", fixed(tuple(f"{n:02d}" for n in range(1, 10))), {"card.user_type": str}),
    Kind("scooter provider", fixed(_SCOOTERS), {"tago.scooter_provider": str}),
    Kind(
        "car-sharing zone",
        _zones,
        {
            "tago.car_zone": lambda n: f"Z{n.code[:8]}",
            "tago.car_zone_name": lambda n: f"{n.district.name.split()[-1]} {n.name} 차고지",
            "tago.car_zone_address": lambda n: f"{n.district.full_name} {n.name}",
        },
    ),
    Kind("kind of counted road", fixed(("1", "2", "3", "4")), {"kict.road_kind": str}),
    Kind("class by severity", fixed(("사망사고", "중상사고", "경상사고")), {"accident.severity_class": str}),
    Kind("class by user", fixed(("어린이", "노인", "보행자", "자전거")), {"accident.user_class": str}),
    Kind("class by weather", fixed(("맑음", "흐림", "비", "눈", "안개")), {"accident.weather_class": str}),
    Kind("grade of road", fixed(("고속국도", "일반국도", "지방도", "시군도")), {"accident.road_grade": str}),
    Kind("numbered road", fixed(tuple(f"국도{n}호선" for n in range(1, 90))), {"accident.road_name": str}),
    Kind("counting post", fixed(tuple(f"{n:04d}-{k:03d}" for n in range(1, 61) for k in range(3))), {"kict.spot": str}),
    Kind(
        "place of accidents",
        _everywhere,
        {
            "koroad.gugun_code": lambda n: n.district.code[2:],
            "region.sido_code": lambda n: n.district.province.code,
            "region.bjd_code": lambda n: n.code,
        },
    ),
    Kind(
        "point with many accidents",
        _everywhere,
        {
            "accident.point_name": lambda n: f"{n.name} {n.district.name.split()[-1]}청 앞 교차로",
            "region.sido_name": lambda n: n.district.province.name,
            "region.sgg_name": lambda n: n.district.name,
        },
    ),
)
