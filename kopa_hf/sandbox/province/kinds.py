"""Stops, routes and a route's calls at its stops as entities: what the bus service demands is drawn from them."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.province.routes import Route, route, route_count
from kopa_hf.sandbox.province.stations import Station, pair_count, station
from kopa_hf.sandbox.world import World


def _stations(world: World) -> tuple[Station, ...]:
    return tuple(station(world, index) for index in range(pair_count(world) * 2))


def _routes(world: World) -> tuple[Route, ...]:
    return tuple(route(world, index) for index in range(route_count(world)))


def _calls(world: World) -> tuple[tuple[str, str, int], ...]:
    """(stop's identifier, route's identifier, place of the stop on the route, from 1)."""

    def build(world: World) -> tuple[tuple[str, str, int], ...]:
        stops = [str(stop.identifier) for stop in _stations(world)]
        lines = ((str(line.identifier), line.stops) for line in _routes(world))
        return tuple((stops[index], line, order) for line, calls in lines for order, index in enumerate(calls, start=1))

    return world.table("province.calls", build)


KINDS: Final = (
    Kind(
        "Gyeonggi bus stop",
        _stations,
        {
            "gyeonggi.bus.station_id": lambda s: str(s.identifier),
            "gyeonggi.bus.station_no": lambda s: str(s.number),
            "gyeonggi.bus.station_name": lambda s: s.name,
        },
    ),
    Kind(
        "Gyeonggi bus route",
        _routes,
        {"gyeonggi.bus.route_id": lambda r: str(r.identifier), "gyeonggi.bus.route_name": lambda r: r.name},
    ),
    Kind(
        "Gyeonggi bus call",
        _calls,
        {
            "gyeonggi.bus.station_id": lambda call: str(call[0]),
            "gyeonggi.bus.route_id": lambda call: str(call[1]),
            "gyeonggi.bus.order": lambda call: str(call[2]),
        },
    ),
)
