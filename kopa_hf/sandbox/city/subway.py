"""The city's subway: nine lines, their stations, and how many people get on and off.

Station names are invented; line names and code formats are the real ones. A transfer station has one stop
per line. Riders of a day are drawn per stop; a month is the sum of its days, its hours add up to it.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.city.answers import days_in
from kopa_hf.sandbox.city.ground import Borough, any_neighbourhood, boroughs, draw, point, split
from kopa_hf.sandbox.city.words import latin, names, phone
from kopa_hf.sandbox.places import lot_address, street_address
from kopa_hf.sandbox.world import LAST_DAY, World

PUBLISHED: Final = LAST_DAY - datetime.timedelta(days=3)
"""Daily figures come three days late."""
_LENGTHS: Final = (10, 43, 34, 26, 56, 39, 51, 24, 38)
_TRANSFERS: Final = 36
_HOURS: Final = (
    (2, 0, 0, 0, 1, 18, 60, 130, 160, 90, 60, 58, 60, 62, 66, 70, 88, 130, 175, 110, 80, 72, 66, 30),
    (4, 1, 0, 0, 1, 40, 150, 230, 190, 90, 66, 60, 58, 56, 58, 60, 64, 70, 66, 50, 42, 38, 34, 16),
)
"""Spread of a working and of a sleeping quarter's boardings over the hours; alightings take the other one."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line."""

    number: int

    @property
    def name(self) -> str:
        """2호선: on ridership and real-time services."""
        return f"{self.number}호선"

    @property
    def label(self) -> str:
        """02호선: on the services of stations and timetables."""
        return f"{self.number:02d}호선"

    @property
    def subway_id(self) -> str:
        """1002."""
        return f"{1000 + self.number}"


@dataclass(frozen=True, slots=True)
class Stop:
    """A station on one line."""

    index: int
    line: Line
    order: int
    """Position along the line, from 0."""
    name: str
    english: str
    borough: Borough
    latitude: float
    longitude: float
    lot: str
    road: str
    telephone: str

    @property
    def code(self) -> str:
        """전철역코드, 4 digits."""
        return f"{self.line.number:02d}{self.order + 1:02d}"

    @property
    def outer_code(self) -> str:
        """외부코드: what stands on the platform, 3 digits."""
        return f"{self.line.number}{self.order + 10:02d}"

    @property
    def station_id(self) -> str:
        """지하철역ID of the real-time services, 10 digits."""
        return f"{self.line.subway_id}000{self.outer_code}"


def lines() -> tuple[Line, ...]:
    """All lines."""
    return tuple(Line(number) for number in range(1, len(_LENGTHS) + 1))


def stops(world: World) -> tuple[Stop, ...]:
    """All stops, line by line."""
    return world.table("city.subway.stops", _build)


def stops_of_line(world: World, name: str) -> tuple[Stop, ...]:
    """A line's stops in order; none for a name that no line has."""
    return world.table(f"city.subway.line.{name}", lambda w: tuple(s for s in stops(w) if s.line.name == name))


def stops_named(world: World, name: str) -> tuple[Stop, ...]:
    """The stops of a station."""

    def build(world: World) -> dict[str, tuple[Stop, ...]]:
        found: dict[str, tuple[Stop, ...]] = {}
        for stop in stops(world):
            found[stop.name] = (*found.get(stop.name, ()), stop)
        return found

    return world.table("city.subway.by_name", build).get(name, ())


def _build(world: World) -> tuple[Stop, ...]:
    pool = names(world, "stations", sum(_LENGTHS))
    stream = world.identity("city", "subway")
    taken = 0
    sites: dict[str, tuple[Borough, str, float, float, str, str]] = {}
    found: list[Stop] = []
    for line, length in zip(lines(), _LENGTHS, strict=True):
        along = stream.sample(boroughs(), max(2, length // 5))
        shared = stream.sample(sorted(sites), min(_TRANSFERS * length // 280, length // 3)) if sites else []
        places = set(stream.sample(range(length), len(shared)))
        for order in range(length):
            if order in places:
                name = shared.pop()
            else:
                name, taken = pool[taken], taken + 1
                borough = along[order * len(along) // length]
                latitude, longitude = point(stream, borough)
                place = any_neighbourhood(stream, borough)
                road = f"{street_address(stream, place).rpartition(' (')[0]} 지하 ({place.name})"
                sites[name] = (borough, latin(stream).title(), latitude, longitude, lot_address(stream, place), road)
            borough, english, latitude, longitude, lot, road = sites[name]
            found.append(
                Stop(len(found), line, order, name, english, borough, latitude, longitude, lot, road, phone(stream))
            )
    return tuple(found)


def riders(world: World, stop: Stop, day: datetime.date) -> tuple[int, int]:
    """(boardings, alightings) of a day."""
    base = world.identity("city", "subway", "size", stop.line.number, stop.order).octave(900, 90_000)
    seed = draw(world.measure_seed("city", "subway", "riders", stop.index), day.toordinal())
    base = base * (100, 103, 104, 104, 108, 82, 64)[day.weekday()] // 100
    on = base + base * (seed % 17 - 8) // 100
    off = on + on * ((seed >> 20) % 9 - 4) // 100
    return on, off


def month_by_hour(world: World, stop: Stop, year: int, month: int) -> tuple[list[int], list[int]]:
    """Boardings and alightings of a month by hour of the day; each adds up to the month's days."""

    def build(world: World) -> tuple[list[int], list[int]]:
        days = [riders(world, stop, day) for day in days_in(year, month)]
        quarter = world.identity("city", "subway", "quarter", stop.line.number, stop.order).below(2)
        on = split(sum(day[0] for day in days), _HOURS[quarter])
        off = split(sum(day[1] for day in days), _HOURS[1 - quarter])
        return on, off

    return world.table(f"city.subway.hours.{stop.index}.{year}{month:02d}", build)


@dataclass(frozen=True, slots=True)
class Train:
    """A train on its way at the moment of the real-time services."""

    line: Line
    number: str
    down: bool
    at: Stop
    towards: Stop
    state: int
    """0 entering, 1 arrived, 2 left."""
    last: bool


def trains(world: World, line: str) -> tuple[Train, ...]:
    """The trains of a line, one on about every fourth stop of either direction."""

    def build(world: World) -> tuple[Train, ...]:
        way = stops_of_line(world, line)
        found = []
        for down in (False, True):
            first = world.measure("city", "subway", "trains", line, down).below(4)
            for turn, order in enumerate(range(first, len(way), 4)):
                stream = world.measure("city", "subway", "train", line, down, turn)
                number = f"{way[0].line.number}{(100 if down else 500) + turn * 2 + down:03d}"
                end = way[-1] if down else way[0]
                found.append(Train(way[0].line, number, down, way[order], end, stream.below(3), last=False))
        return tuple(found)

    return world.table(f"city.subway.trains.{line}", build)
