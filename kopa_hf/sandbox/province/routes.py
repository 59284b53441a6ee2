"""Bus routes: out along some stops, back along those opposite, with buses on their way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.province.municipalities import Sigun, shares, siguns
from kopa_hf.sandbox.province.stations import Station, pairs_of, station
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World

ROUTES: Final = 1_984
TYPES: Final = (
    (13, "일반형시내버스", 46), (30, "마을버스", 30), (11, "직행좌석형시내버스", 16), (12, "좌석형시내버스", 6),
    (14, "광역급행형시내버스", 2),
)  # fmt: skip
"""(code, name, weight)."""
_SEATED: Final = frozenset({11, 12, 14})
_COMPANIES: Final = ("가온여객", "누리운수", "다솜교통", "마루고속", "한별버스")


@dataclass(frozen=True, slots=True)
class Route:
    """One route."""

    index: int
    sigun: Sigun
    """Whose licence it runs under."""
    identifier: int
    """Nine digits."""
    name: str
    """The number on the bus; other 시군 may have the same."""
    type_code: int
    type_name: str
    stops: tuple[int, ...]
    """Numbers of its stops, out and back."""
    company: str
    company_id: int
    first: int
    """Minutes after midnight at which the first bus leaves."""
    last: int
    gap: int
    """Minutes between two buses in the rush hour."""

    @property
    def turn(self) -> int:
        """Place of the turning point among the stops, from 1."""
        return len(self.stops) // 2

    @property
    def seated(self) -> bool:
        """Passengers of these routes have seats, so that empty ones can be counted."""
        return self.type_code in _SEATED


@dataclass(frozen=True, slots=True)
class Bus:
    """One bus of a route, as it stands at the world's moment."""

    vehicle: int
    plate: str
    order: int
    """Place of the stop where it is, from 1."""
    seats: int
    """Empty seats; -1 where nobody counts them."""
    crowded: int
    """1 roomy … 4 full; 0 where seats are counted."""
    low_floor: int
    state: int
    """0 at a crossing, 1 at the stop, 2 leaving it."""
    tagless: int


def route_count(world: World) -> int:
    """How many routes there are."""
    return max(world.count(ROUTES), 2 * len(siguns()))


def routes_of(world: World, sigun: Sigun) -> range:
    """The routes of one 시군."""
    return shares(route_count(world)).span(sigun)


def route(world: World, index: int) -> Route:
    """The route of that number."""
    share = shares(route_count(world))
    sigun = share.sigun_at(index)
    place = index - share.span(sigun).start
    stream = world.identity("province", "route", index)
    code, type_name = stream.weighted([((code, name), weight) for code, name, weight in TYPES])
    company = stream.below(3)
    first = 270 + 10 * stream.below(9)
    return Route(
        index,
        sigun,
        200_000_000 + sigun.position * 1_000_000 + place + 1,
        _number(stream.between(1, 98), code),
        code,
        type_name,
        _stops(pairs_of(world, sigun), stream.u64()),
        f"{sigun.name.removesuffix('시').removesuffix('군')}{_COMPANIES[(sigun.position + company) % len(_COMPANIES)]}",
        4_100_000 + sigun.position * 100 + company + 1,
        first,
        1290 + 10 * stream.below(9),
        4 + stream.below(26),
    )


def _number(draw: int, code: int) -> str:
    if code == 30:
        return f"{draw % 40 + 1}-{draw % 4 + 1}" if draw % 3 else str(draw % 40 + 1)
    if code == 14:
        return f"M{4000 + draw * 10}"
    if code in _SEATED:
        return str(1000 + draw * 90)
    return f"{draw + 10}-{draw % 5 + 1}" if draw % 4 == 0 else str(draw + 2)


def _stops(pairs: range, draw: int) -> tuple[int, ...]:
    step = 1 + draw % 3
    most = (len(pairs) - 1) // step
    length = min(8 + (draw >> 8) % 28, most)
    start = (draw >> 16) % len(pairs)
    out = [pairs[(start + turn * step) % len(pairs)] for turn in range(length)]
    return tuple([pair * 2 for pair in out] + [pair * 2 + 1 for pair in reversed(out)])


def route_of_id(world: World, text: str) -> Route | None:
    """The route of an identifier as text."""
    if len(text) != 9 or not text.isascii() or not text.isdigit():
        return None
    position, rest = divmod(int(text) - 200_000_000, 1_000_000)
    if not 0 <= position < len(siguns()):
        return None
    span = routes_of(world, siguns()[position])
    return route(world, span[rest - 1]) if 1 <= rest <= len(span) else None


def calls(world: World, stop: Station) -> list[tuple[Route, int]]:
    """(route, place of the stop on it, from 1) for every route that stops there, by number on the bus."""

    def build(world: World) -> dict[int, list[tuple[int, int]]]:
        found: dict[int, list[tuple[int, int]]] = {}
        for index in routes_of(world, stop.sigun):
            for order, number in enumerate(route(world, index).stops, start=1):
                found.setdefault(number, []).append((index, order))
        return found

    table = world.table(f"province.calls.{stop.sigun.code}", build)
    here = [(route(world, index), order) for index, order in table.get(stop.index, ())]
    return sorted(here, key=lambda pair: (pair[0].name, pair[0].index))


def search(world: World, keyword: str) -> list[Route]:
    """Routes whose number begins with the keyword."""
    names: list[str] = world.table(
        "province.routes.names", lambda w: [route(w, index).name for index in range(route_count(w))]
    )
    return [route(world, index) for index, name in enumerate(names) if name.startswith(keyword)]


def buses(world: World, line: Route) -> list[Bus]:
    """Buses on their way, by where they are; some routes have none at the moment."""
    draw = world.measure("province", "buses", line.index).u64()
    if draw % 12 == 0:
        return []
    count = max(len(line.stops) // (6 + draw % 7), 1)
    places = sorted(
        {1 + ((draw >> 8) + number * len(line.stops) // count) % len(line.stops) for number in range(count)}
    )
    return [_bus(line, number, order, mix(draw, number)) for number, order in enumerate(places)]


def _bus(line: Route, number: int, order: int, draw: int) -> Bus:
    return Bus(
        200_000_000 + line.index * 100 + number + 1,
        f"경기00{'바사아자'[line.index % 4]}{(line.index * 37 + number) % 10000:04d}",
        order,
        draw % 45 if line.seated else -1,
        0 if line.seated else 1 + (draw >> 8) % 4,
        int((draw >> 16) % 3 == 0),
        (draw >> 24) % 3,
        int((draw >> 32) % 4 == 0),
    )


def stop_at(world: World, line: Route, order: int) -> Station | None:
    """The stop at a place of a route, from 1."""
    return station(world, line.stops[order - 1]) if 1 <= order <= len(line.stops) else None


def clock(minutes: int) -> str:
    """05:30; hours run on past midnight as timetables print them."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
