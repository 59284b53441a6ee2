"""The buses' own host: places by name, and how to get from one point to another by bus or subway."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from kopa_hf.sandbox.city import buses
from kopa_hf.sandbox.city.buses import BusStop, Route
from kopa_hf.sandbox.city.busroutes import metres_to, two_ways
from kopa_hf.sandbox.city.culture import spaces
from kopa_hf.sandbox.city.subway import Stop, stops
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.world import World

_WALK: Final = 900
"""Metres that one walks to a stop or station."""
_PATHS: Final = 5
_LEG: Final = 2
"""Minutes from one halt to the next."""

Pole = TypeVar("Pole", BusStop, Stop)


@dataclass(frozen=True, slots=True)
class Ride:
    """One ride from a halt to a later one."""

    route: Route
    get_on: int
    get_off: int
    walk: int


def _points(query: Query) -> tuple[tuple[float, float], tuple[float, float]]:
    """((longitude, latitude) of the start, of the end)."""
    try:
        found = [float(query.get(name)) for name in ("startX", "startY", "endX", "endY")]
    except ValueError:
        raise RefusedError("value", "startX") from None
    return (found[0], found[1]), (found[2], found[3])


def _metres(pole: BusStop | Stop, at: tuple[float, float]) -> int:
    return round(math.hypot((pole.longitude - at[0]) * 88_300, (pole.latitude - at[1]) * 110_980))


def _near(poles: Sequence[Pole], at: tuple[float, float]) -> list[tuple[int, Pole]]:
    """Poles within a walk, nearest first."""
    found = [(metres, pole) for pole in poles if (metres := _metres(pole, at)) <= _WALK]
    return sorted(found, key=lambda pair: (pair[0], pair[1].index))


def _rides(world: World, query: Query) -> list[Ride]:
    """Rides without a change, the shortest walk first."""
    start, end = _points(query)
    targets = {stop.index: metres for metres, stop in _near(buses.stops(world), end)}
    best: dict[int, Ride] = {}
    for metres, stop in _near(buses.stops(world), start):
        for route, order in buses.routes_at(world, stop):
            halts = buses.course(world, route)
            later = [(targets[halts[n].index], n) for n in range(order + 1, len(halts)) if halts[n].index in targets]
            if later:
                walk, off = min(later)
                ride = Ride(route, order, off, walk + metres)
                if route.index not in best or ride.walk < best[route.index].walk:
                    best[route.index] = ride
    return sorted(best.values(), key=lambda ride: (ride.walk, ride.route.index))[:_PATHS]


def _by_bus(world: World, query: Query) -> Rows:
    def make(ride: Ride) -> Record:
        halts = buses.course(world, ride.route)
        on, off = halts[ride.get_on], halts[ride.get_off]
        return {"dataString": f"{ride.route.number}번: {on.name}({on.number}) → {off.name}({off.number})"}

    found = _rides(world, query)
    return Rows.mapped(found, make) if found else NO_ROWS


def _combined(world: World, query: Query) -> Rows:
    def make(ride: Ride) -> Record:
        halts = buses.course(world, ride.route)
        on, off = halts[ride.get_on], halts[ride.get_off]
        ridden = sum(metres_to(ride.route, n) for n in range(ride.get_on + 1, ride.get_off + 1))
        end = two_ways(off.latitude, off.longitude)
        return {
            "distance": str(ridden + ride.walk),
            "railLinkId": "",
            "tx": end["gpsX"],
            "ty": end["gpsY"],
            "time": str((ride.get_off - ride.get_on) * _LEG + ride.walk // 70),
            "fid": on.node_id,
            "fname": on.name,
            "routeNm": ride.route.number,
            "tname": off.name,
        }

    found = _rides(world, query)
    return Rows.mapped(found, make) if found else NO_ROWS


def _by_subway(world: World, query: Query) -> Rows:
    """Rides on one line between stations within a walk of both ends."""
    start, end = _points(query)
    ends = _near(stops(world), end)
    rows: list[Record] = [
        {"dataString": f"{on.line.name}: {on.name}역 → {off.name}역"}
        for _, on in _near(stops(world), start)
        for _, off in ends
        if on.line == off.line and on != off
    ]
    return Rows.of(rows[:_PATHS]) if rows else NO_ROWS


def _places(world: World, query: Query) -> Rows:
    """Stations and venues whose name holds the search word."""
    wanted = query.get("stSrch")
    seen: dict[str, tuple[str, float, float, str]] = {}
    for stop in stops(world):
        if wanted in f"{stop.name}역":
            seen.setdefault(f"{stop.name}역", (f"S{stop.code}", stop.latitude, stop.longitude, stop.lot))
    for space in spaces(world):
        if wanted in space.name:
            seen.setdefault(space.name, (f"C{space.number:05d}", space.latitude, space.longitude, space.address))
    found = list(seen.items())

    def make(pair: tuple[str, tuple[str, float, float, str]]) -> Record:
        name, (key, latitude, longitude, address) = pair
        return {"poiId": key, "poiNm": name, **two_ways(latitude, longitude), "addr": address}

    return Rows.mapped(found, make) if found else NO_ROWS


HANDLERS: Final[dict[str, Handler]] = {
    "getLocationInfo": _places,
    "getPathInfoByBus": _by_bus,
    "getPathInfoBySubway": _by_subway,
    "getPathInfoByBusNSub": _combined,
}
