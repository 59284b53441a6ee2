"""The network: routes with interchanges along them, and where a point of a route lies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.highway.cities import CENTERS, CITIES, COURSES, Course
from kopa_hf.sandbox.places import District, district, neighbourhoods
from kopa_hf.sandbox.world import World

_SPACING: Final = 8.4
"""Kilometres between interchanges, on average."""
_WINDING: Final = 1.16
"""How much longer a road is than the straight line."""
_SIDES: Final = ("동", "서", "남", "북", "신")


@dataclass(frozen=True, slots=True)
class Route:
    """One expressway."""

    index: int
    course: Course
    marks: tuple[float, ...]
    """Kilometre of each of the course's cities."""

    @property
    def number(self) -> str:
        """Four digits: 0010."""
        return self.course.number

    @property
    def name(self) -> str:
        """경부선."""
        return self.course.name

    @property
    def length(self) -> float:
        """Kilometres."""
        return self.marks[-1]

    def towards(self, direction: str) -> str:
        """The city that a direction leads to: E the end, S the start."""
        cities = self.course.cities
        return cities[-1] if direction == "E" else cities[0] if cities[0] != cities[-1] else cities[-2]

    def nearest_city(self, km: float) -> str:
        """The course's city nearest to a kilometre."""
        place = min(range(len(self.marks)), key=lambda i: abs(self.marks[i] - km))
        return self.course.cities[place]

    def point(self, km: float) -> tuple[float, float]:
        """Longitude and latitude of a kilometre."""
        cities, marks = self.course.cities, self.marks
        place = next((i for i in range(1, len(marks)) if km <= marks[i]), len(marks) - 1)
        share = (km - marks[place - 1]) / (marks[place] - marks[place - 1])
        (x0, y0, _), (x1, y1, _) = CITIES[cities[place - 1]], CITIES[cities[place]]
        # a road is no ruler: the bow is largest half way
        bow = 0.012 * share * (1 - share) * (1 if place % 2 else -1)
        return x0 + (x1 - x0) * share + bow, y0 + (y1 - y0) * share + bow


@dataclass(frozen=True, slots=True)
class Interchange:
    """A place where one can enter and leave."""

    index: int
    route: Route
    position: int
    """Number along the route, from 0 at its start."""
    name: str
    """Without IC: 수원신갈."""
    km: float
    place: District
    x: float
    y: float

    @property
    def center(self) -> int:
        """Position in `CENTERS` of the regional office in charge."""
        return center_of(self.place.province.code)


def center_of(province: str) -> int:
    """Position in `CENTERS` of the office for a province."""
    return next(i for i, (_, _, _, provinces) in enumerate(CENTERS) if province in provinces)


def distance(x0: float, y0: float, x1: float, y1: float) -> float:
    """Kilometres between two points, flat-earth: good enough within one country."""
    return math.hypot((x1 - x0) * 88.8, (y1 - y0) * 111.0)


def routes(world: World) -> tuple[Route, ...]:
    """All routes, by number."""
    return world.table("highway.routes", lambda _: tuple(_route(i, course) for i, course in enumerate(COURSES)))


def route_by_number(world: World, number: str) -> Route | None:
    """The route of a four-digit number."""
    return next((route for route in routes(world) if route.number == number), None)


def interchanges(world: World) -> tuple[Interchange, ...]:
    """All interchanges, route by route, from start to end."""
    return world.table("highway.interchanges", _build_interchanges)


def interchanges_of(world: World, route: Route) -> tuple[Interchange, ...]:
    """The interchanges of one route, from start to end."""
    return world.table(
        f"highway.interchanges.{route.number}",
        lambda w: tuple(i for i in interchanges(w) if i.route.index == route.index),
    )


def _route(index: int, course: Course) -> Route:
    marks = [0.0]
    for one, other in zip(course.cities, course.cities[1:], strict=False):
        (x0, y0, _), (x1, y1, _) = CITIES[one], CITIES[other]
        marks.append(round(marks[-1] + distance(x0, y0, x1, y1) * _WINDING, 2))
    return Route(index, course, tuple(marks))


def _build_interchanges(world: World) -> tuple[Interchange, ...]:
    taken: set[str] = set()
    return tuple(
        Interchange(number, route, position, name, km, place, x, y)
        for number, (route, position, name, km, place, x, y) in enumerate(
            entry for route in routes(world) for entry in _along(world, route, taken)
        )
    )


def _along(
    world: World, route: Route, taken: set[str]
) -> Iterator[tuple[Route, int, str, float, District, float, float]]:
    stream = world.identity("highway", "route", route.number)
    count = max(3, round(route.length / _SPACING))
    for position in range(count):
        km = route.length * position / (count - 1)
        if 0 < position < count - 1:
            km += (stream.below(41) - 20) * 0.1
        km = round(km, 2)
        city = route.nearest_city(km)
        place = district(CITIES[city][2])
        assert place is not None  # the table of cities holds codes of the register
        name = _name(world, route, position, city, place, taken)
        x, y = route.point(km)
        yield route, position, name, km, place, round(x, 6), round(y, 6)


def _name(world: World, route: Route, position: int, city: str, place: District, taken: set[str]) -> str:
    """A name nobody has: the city, a town or township nearby, then both with a side of the compass."""
    stream = world.identity("highway", "interchange", route.number, position)
    around = [n.name[:-1] for n in neighbourhoods(place.code) if len(n.name) == 3]
    options = [city, *stream.sample(around, len(around))]
    options += [side + name for name in [city, *around] for side in _SIDES]
    options += [city + name for name in around]
    name = next((option for option in options if option not in taken), f"{city}{len(taken)}")
    taken.add(name)
    return name
