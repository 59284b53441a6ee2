"""Public bikes and car parks: docks and spaces, what is in them now, and what was rented in a month."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from kopa_hf.sandbox.city.answers import contains, day_of, days_in, table
from kopa_hf.sandbox.city.ground import Borough, any_neighbourhood, boroughs, draw, point, shares, split
from kopa_hf.sandbox.city.words import HEADS, names
from kopa_hf.sandbox.places import lot_address, street_address
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

DOCKS: Final = 2_742
_MOST_DOCKS: Final = 4_000
"""Numbers of a district's docks run over 300."""
PARKS: Final = 1_340
_MONTHS: Final = tuple(f"2025{month:02d}" for month in range(12, 0, -1))
_SEASON: Final = (0, 45, 50, 75, 100, 120, 118, 96, 92, 118, 124, 92, 60)
"""Per cent of an April, by month."""


@dataclass(frozen=True, slots=True)
class Dock:
    """A place where public bikes stand."""

    index: int
    dock_id: str
    """ST-10."""
    number: str
    """Five digits."""
    name: str
    borough: Borough
    latitude: float
    longitude: float
    racks: int
    address: str

    @property
    def titled(self) -> str:
        """Number and name, as the real-time service writes them."""
        return f"{int(self.number)}. {self.name}"


def docks(world: World) -> tuple[Dock, ...]:
    """All of them, in order of their numbers."""
    return world.table("city.docks", _build_docks)


def _build_docks(world: World) -> tuple[Dock, ...]:
    found: list[Dock] = []
    for borough, count in zip(boroughs(), shares(min(world.count(DOCKS, 60), _MOST_DOCKS)), strict=True):
        for turn in range(count):
            index = len(found)
            stream = world.identity("city", "dock", borough.code, turn)
            place = any_neighbourhood(stream, borough)
            latitude, longitude = point(stream, borough)
            spot = stream.choice(("앞", "건너편", "옆", "뒤"))
            where = stream.choice(("공원", "도서관", "시장", "주민센터", "사거리", "광장"))
            name = f"{place.name} {stream.choice(HEADS)}{where} {spot}"
            road = street_address(stream, place)
            number = f"{borough.number * 300 + turn:05d}"
            racks = stream.between(6, 30)
            found.append(Dock(index, f"ST-{index + 4}", number, name, borough, latitude, longitude, racks, road))
    return tuple(found)


def standing(world: World, dock: Dock) -> int:
    """Bikes at a dock now; more than it has racks where they stand in rows."""
    seed = draw(world.measure_seed("city", "bikes now"), dock.index)
    return dock.racks * ((seed % 150) * (seed >> 20) % 150) // 100


def rentals(world: World, dock: Dock, month: str) -> tuple[int, int, int]:
    """(rentals, minutes, metres) of a month."""
    base = world.identity("city", "dock size", dock.index).octave(120, 6_000)
    seed = draw(world.measure_seed("city", "rentals", month), dock.index)
    count = base * _SEASON[int(month[4:])] * (90 + seed % 21) // 10_000
    minutes = count * (14 + (seed >> 16) % 16)
    return count, minutes, minutes * (95 + (seed >> 32) % 60)


def _now(world: World, dock: Dock) -> Record:
    bikes = standing(world, dock)
    return {
        "rackTotCnt": str(dock.racks),
        "stationName": dock.titled,
        "parkingBikeTotCnt": str(bikes),
        "shared": str(bikes * 100 // dock.racks),
        "stationLatitude": f"{dock.latitude:.8f}",
        "stationLongitude": f"{dock.longitude:.8f}",
        "stationId": dock.dock_id,
    }


def _place(world: World, dock: Dock) -> Record:
    return {
        "STA_LOC": dock.borough.name,
        "RENT_ID": dock.dock_id,
        "RENT_NO": dock.number,
        "RENT_NM": dock.name,
        "RENT_ID_NM": dock.titled,
        "HOLD_NUM": str(dock.racks),
        "STA_ADD1": dock.address,
        "STA_ADD2": "",
        "STA_LAT": f"{dock.latitude:.8f}",
        "STA_LONG": f"{dock.longitude:.8f}",
    }


def _monthly(world: World, query: Query) -> Rows:
    """All docks of the last month first; a name finds the months of one dock."""
    wanted = query.get("RENT_NM")
    found = [d for d in docks(world) if wanted in d.name] if wanted else docks(world)
    if not found:
        return NO_ROWS

    def make(index: int) -> Record:
        month, dock = _MONTHS[index // len(found)], found[index % len(found)]
        count, minutes, metres = rentals(world, dock, month)
        return {
            "RENT_DATE": month,
            "RENT_ID": dock.dock_id,
            "RENT_NM": dock.name,
            "RENT_NO": dock.number,
            "RENT_USE_CNT": str(count),
            "MOVE_TIME": str(minutes),
            "MOVE_METER": str(metres),
        }

    return Rows(len(found) * len(_MONTHS), make)


def rentals_of_day(world: World, dock: Dock, day: datetime.date) -> tuple[int, int, int]:
    """(rentals, minutes, metres) of a day; a month's days add up to the month."""
    days = days_in(day.year, day.month)
    weights = tuple((10, 10, 11, 11, 12, 13, 12)[d.weekday()] + (dock.index + d.day) % 5 for d in days)
    parts = [split(whole, weights)[day.day - 1] for whole in rentals(world, dock, f"{day:%Y%m}")]
    return parts[0], parts[1], parts[2]


def _daily(world: World, query: Query) -> Rows:
    day = day_of(query, "RENT_DT", until=LAST_DAY - datetime.timedelta(days=3))
    if day is None:
        return NO_ROWS

    def make(dock: Dock) -> Record:
        count, minutes, metres = rentals_of_day(world, dock, day)
        return {
            "RENT_ID": dock.dock_id,
            "RENT_NM": dock.titled,
            "USE_CNT": str(count),
            "MOVE_METER": str(metres),
            "MOVE_TIME": str(minutes),
        }

    return Rows.mapped(docks(world), make)


@dataclass(frozen=True, slots=True)
class CarPark:
    """A public car park."""

    index: int
    name: str
    borough: Borough
    latitude: float
    longitude: float
    address: str
    spaces: int
    live: bool
    """Counts its cars in real time."""


def car_parks(world: World) -> tuple[CarPark, ...]:
    """All public car parks, district by district."""
    return world.table("city.car_parks", _build_parks)


def _build_parks(world: World) -> tuple[CarPark, ...]:
    found: list[CarPark] = []
    pool = names(world, "car parks", world.count(PARKS, 40) + 25)
    for borough, count in zip(boroughs(), shares(world.count(PARKS, 40)), strict=True):
        for turn in range(count):
            stream = world.identity("city", "car park", borough.code, turn)
            place = any_neighbourhood(stream, borough)
            latitude, longitude = point(stream, borough)
            kind = stream.weighted((("공영주차장", 6), ("노상 공영주차장", 3), ("환승주차장", 1)))
            live, spaces = stream.chance(0.09), stream.octave(8, 600)
            name = f"{pool[len(found)]} {kind}(시)" if live else f"{pool[len(found)]} {kind}(구)"
            address = lot_address(stream, place).removeprefix("서울특별시 ")
            found.append(CarPark(len(found), name, borough, latitude, longitude, address, spaces, live))
    return tuple(found)


def cars(world: World, park: CarPark) -> int:
    """Cars in a car park now; never more than it has spaces."""
    return draw(world.measure_seed("city", "cars"), park.index) % (park.spaces + 1)


def _parks(world: World) -> Iterable[Record]:
    for park in car_parks(world):
        yield {"ADDR": park.address, "LAT": f"{park.latitude:.6f}", "LOT": f"{park.longitude:.6f}"}


def _filled(world: World) -> Iterable[Record]:
    for park in car_parks(world):
        if park.live:
            yield {
                "PKLT_NM": park.name,
                "ADDR": park.address,
                "TPKCT": str(park.spaces),
                "NOW_PRK_VHCL_CNT": str(cars(world, park)),
            }


HANDLERS: Final[dict[str, Handler]] = {
    "bikeList": lambda world, query: Rows.mapped(docks(world), partial(_now, world)),
    "tbCycleStationInfo": lambda world, query: Rows.mapped(docks(world), partial(_place, world)),
    "tbCycleRentUseMonthInfo": _monthly,
    "tbCycleRentUseDayInfo": _daily,
    "GetParkInfo": table("car parks", _parks, {"ADDR": contains}),
    "GetParkingInfo": table("car parks.now", _filled),
}
