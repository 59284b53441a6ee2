"""The city's buses: stops, routes, the stops of a route, riders, and where the vehicles are right now.

Numbers, names and courses are invented; ids have the real form (9 digits, 5-digit stop numbers that begin with
the district). Arrivals are reckoned from the vehicles' positions, so both services tell the same story.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from kopa_hf.sandbox.city.answers import days_in
from kopa_hf.sandbox.city.ground import Borough, any_neighbourhood, boroughs, draw, point, shares, split
from kopa_hf.sandbox.city.subway import stops as subway_stops
from kopa_hf.sandbox.city.words import HEADS, names
from kopa_hf.sandbox.world import World

STOPS: Final = 11_180
ROUTES: Final = 684
_MOST_STOPS: Final = 14_000
_MOST_ROUTES: Final = 1_200
"""More than this the real forms of the numbers do not hold, however large the world."""
TYPES: Final = {"1": "공항", "2": "마을", "3": "간선", "4": "지선", "5": "순환", "6": "광역"}
_HOURS: Final = (6, 1, 0, 0, 8, 40, 90, 150, 170, 110, 84, 80, 84, 84, 82, 88, 96, 126, 140, 100, 76, 66, 54, 28)
_PLACES: Final = ("시장", "공원", "도서관", "초등학교", "사거리", "아파트", "삼거리", "고개", "주민센터", "체육관")
_LEG: Final = 95
"""Seconds from one stop to the next."""
_METRES: Final = 430


@dataclass(frozen=True, slots=True)
class BusStop:
    """A pole at the roadside."""

    index: int
    node_id: str
    """Nine digits."""
    number: str
    """정류소번호: five digits, the first two for the district."""
    name: str
    borough: Borough
    latitude: float
    longitude: float
    kind: str


@dataclass(frozen=True, slots=True)
class Route:
    """A bus route, there and back."""

    index: int
    route_id: str
    """Nine digits; not the number on the front."""
    number: str
    kind: str
    """Key of `TYPES`."""
    length: int
    """Stops, there and back."""
    term: int
    """Minutes between two buses."""
    first: str
    last: str
    """HHMM."""
    company: str
    vehicles: int

    @property
    def kilometres(self) -> str:
        """Length of the course."""
        return f"{self.length * _METRES / 1000:.1f}"


@dataclass(frozen=True, slots=True)
class Vehicle:
    """A bus on its way."""

    route: Route
    number: int
    vehicle_id: str
    plate: str
    order: int
    """The stop it passed or stands at, from 0."""
    seconds: int
    """Till the next stop."""
    low_floor: bool
    congestion: int
    """3 roomy, 4 middling, 5 crowded."""


def stops(world: World) -> tuple[BusStop, ...]:
    """All stops, district by district."""
    return world.table("city.bus.stops", _build_stops)


def _build_stops(world: World) -> tuple[BusStop, ...]:
    stations = [s for s in subway_stops(world) if s.line.number != 2]
    found: list[BusStop] = []
    for borough, count in zip(boroughs(), shares(min(world.count(STOPS, 200), _MOST_STOPS)), strict=True):
        near = [s.name for s in stations if s.borough == borough]
        stream = world.identity("city", "bus stops", borough.code)
        for turn in range(count):
            latitude, longitude = point(stream, borough)
            if near and turn < 2 * len(near):
                name = f"{near[turn // 2]}역"
            else:
                place = any_neighbourhood(stream, borough).name
                name = f"{place}{stream.choice(HEADS)}{stream.choice(_PLACES)}"
            kind = stream.weighted((("일반차로", 8), ("마을버스", 4), ("중앙차로", 1), ("가로변시간", 2)))
            node, number = f"1{borough.number:02d}{turn + 1:06d}", f"{borough.number:02d}{turn + 1:03d}"
            found.append(BusStop(len(found), node, number, name, borough, latitude, longitude, kind))
    return tuple(found)


def stop_by_number(world: World, number: str) -> BusStop | None:
    """The stop of a 정류소번호."""
    return world.table("city.bus.by_number", lambda w: {s.number: s for s in stops(w)}).get(number)


def stop_by_node(world: World, node: str) -> BusStop | None:
    """The stop of a 정류소ID."""
    return world.table("city.bus.by_node", lambda w: {s.node_id: s for s in stops(w)}).get(node)


def routes(world: World) -> tuple[Route, ...]:
    """All routes."""
    return world.table("city.bus.routes", _build_routes)


def route_by_id(world: World, route_id: str) -> Route | None:
    """The route of a 노선ID."""
    return world.table("city.bus.by_route", lambda w: {r.route_id: r for r in routes(w)}).get(route_id)


def _build_routes(world: World) -> tuple[Route, ...]:
    companies = [f"{name}운수" for name in names(world, "bus companies", 60)]
    found = []
    taken: set[str] = set()
    for index in range(min(world.count(ROUTES, 40), _MOST_ROUTES)):
        stream = world.identity("city", "bus route", index)
        kind = stream.weighted((("3", 13), ("4", 20), ("2", 25), ("6", 3), ("1", 2), ("5", 1)))
        number = _number(stream.below(10_000), kind, stream.choice(boroughs()))
        while number in taken:
            number = _number(stream.below(10_000), kind, stream.choice(boroughs()))
        taken.add(number)
        length = stream.between(16, 44) if kind == "2" else stream.between(48, 118)
        term = stream.between(6, 14) if kind == "2" else stream.between(5, 25)
        first, last = (
            f"0{stream.between(4, 5)}{stream.below(6) * 10:02d}",
            f"{stream.between(22, 23)}{stream.below(6)}0",
        )
        vehicles = max(2, length * _LEG // (term * 60))
        route_id = f"1{stream.between(1, 24):02d}1{index + 10:05d}"
        found.append(
            Route(index, route_id, number, kind, length, term, first, last, stream.choice(companies), vehicles)
        )
    return tuple(found)


def _number(draw_: int, kind: str, borough: Borough) -> str:
    """The number on the front: three digits for trunk lines, four for feeders, a district's name for village buses."""
    if kind == "2":
        return f"{borough.name.removesuffix('구')}{draw_ % 30 + 1:02d}"
    if kind == "6":
        return str(9000 + draw_ % 900)
    if kind == "1":
        return str(6000 + draw_ % 60)
    if kind == "5":
        return f"{draw_ % 90 + 1:02d}"
    return str(100 + draw_ % 680) if kind == "3" else str(1000 + draw_ % 6780)


def course(world: World, route: Route) -> tuple[BusStop, ...]:
    """The stops of a route in order."""

    def build(world: World) -> tuple[BusStop, ...]:
        stream = world.identity("city", "bus course", route.index)
        by_borough = _by_borough(world)
        wide = 1 if route.kind == "2" else stream.between(2, 5)
        start = stream.below(len(boroughs()))
        found: list[BusStop] = []
        for turn in range(wide):
            part = route.length * (turn + 1) // wide - route.length * turn // wide
            pool = by_borough[(start + turn * 7) % len(boroughs())]
            found += stream.sample(pool, min(part, len(pool)))
        while len(found) < route.length:  # small worlds have fewer poles than the course has halts
            found.append(found[len(found) % max(len(found) // 2, 1)])
        return tuple(found)

    return world.table(f"city.bus.course.{route.index}", build)


def _by_borough(world: World) -> list[list[BusStop]]:
    return world.table("city.bus.by_borough", lambda w: [[s for s in stops(w) if s.borough == b] for b in boroughs()])


def visits(world: World) -> tuple[int, ...]:
    """How many halts all routes up to and including each have: where a route's rows end in the long lists."""
    return world.table("city.bus.visits", lambda w: tuple(accumulate(r.length for r in routes(w))))


def routes_at(world: World, stop: BusStop) -> tuple[tuple[Route, int], ...]:
    """(route, position from 0) of the routes that halt at a stop."""

    def build(world: World) -> dict[int, tuple[tuple[Route, int], ...]]:
        found: dict[int, list[tuple[Route, int]]] = {}
        for route in routes(world):
            for order, halt in enumerate(course(world, route)):
                found.setdefault(halt.index, []).append((route, order))
        return {index: tuple(pairs) for index, pairs in found.items()}

    return world.table("city.bus.routes_at", build).get(stop.index, ())


def riders(world: World, route: Route, order: int, day: datetime.date) -> tuple[int, int]:
    """(boardings, alightings) of a day at a halt."""
    base = world.identity("city", "bus size", route.index, order).octave(2, 900)
    seed = draw(world.measure_seed("city", "bus riders", route.index, order), day.toordinal())
    base = base * (100, 102, 103, 103, 106, 84, 66)[day.weekday()]
    return base * (92 + seed % 17) // 10_000, base * (90 + (seed >> 20) % 21) // 10_000


def month_by_hour(world: World, route: Route, order: int, year: int, month: int) -> tuple[list[int], list[int]]:
    """Boardings and alightings of a month by hour; each adds up to the month's days."""
    days = [riders(world, route, order, day) for day in days_in(year, month)]
    return split(sum(d[0] for d in days), _HOURS), split(sum(d[1] for d in days), _HOURS)


def vehicles(world: World, route: Route) -> tuple[Vehicle, ...]:
    """The buses of a route at the moment of the real-time services, along the course."""

    def build(world: World) -> tuple[Vehicle, ...]:
        found = []
        for number in range(route.vehicles):
            stream = world.measure("city", "bus vehicle", route.index, number)
            plate = world.identity("city", "bus plate", route.index, number)
            order = (number * route.length + stream.below(route.length)) // route.vehicles % route.length
            low = plate.chance(0.6)
            text = f"서울{70 + plate.below(5)}사{plate.between(1000, 9999)}"
            vehicle_id = f"1{route.index % 100:02d}{route.index // 100 * 1000 + number + 10:06d}"
            found.append(
                Vehicle(route, number, vehicle_id, text, order, stream.between(5, _LEG), low, stream.between(3, 5))
            )
        return tuple(sorted(found, key=lambda v: v.order))

    return world.table(f"city.bus.vehicles.{route.index}", build)


def coming(world: World, route: Route, order: int, *, low: bool = False) -> list[tuple[Vehicle, int]]:
    """(vehicle, seconds) of the next buses to a halt, nearest first."""
    ahead = [v for v in vehicles(world, route) if v.order < order and (v.low_floor or not low)]
    ahead.sort(key=lambda v: -v.order)
    return [(v, v.seconds + (order - v.order - 1) * _LEG) for v in ahead[:2]]


def vehicle_by_id(world: World, vehicle_id: str) -> Vehicle | None:
    """The bus of a 버스ID."""
    every = world.table("city.bus.by_vehicle", lambda w: {v.vehicle_id: v for r in routes(w) for v in vehicles(w, r)})
    return every.get(vehicle_id)
