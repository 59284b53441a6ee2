"""The buses' own host: routes, their courses, and stops by name, number or place."""

from __future__ import annotations

import math
import re
from typing import Final

from kopa_hf.sandbox.city import buses
from kopa_hf.sandbox.city.buses import BusStop, Route
from kopa_hf.sandbox.city.ground import plane
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.world import World

DAY: Final = "20260130"


def asked_route(world: World, query: Query) -> Route | None:
    """The route of the request; refuses what has not the form of an id."""
    text = query.get("busRouteId")
    if not re.fullmatch(r"[0-9]{9}", text):
        raise RefusedError("value", "busRouteId")
    return buses.route_by_id(world, text)


def asked_stop(world: World, query: Query, name: str = "arsId") -> BusStop | None:
    """The stop of the request, by its number or its id; refuses what has neither form."""
    text = query.get(name)
    if not re.fullmatch(r"[0-9]{5}|[0-9]{9}", text):
        raise RefusedError("value", name)
    return buses.stop_by_number(world, text) if name == "arsId" else buses.stop_by_node(world, text)


def clock(hhmm: str) -> str:
    """A time of the world's day as the host writes it."""
    return f"{DAY}{hhmm}00"


def _route_row(world: World, route: Route) -> Record:
    halts = buses.course(world, route)
    return {
        "busRouteId": route.route_id,
        "busRouteNm": route.number,
        "busRouteAbrv": route.number,
        "length": route.kilometres,
        "routeType": route.kind,
        "stStationNm": halts[0].name,
        "edStationNm": halts[route.length // 2].name,
        "term": str(route.term),
        "lastBusYn": "N",
        "lastBusTm": clock(route.last),
        "firstBusTm": clock(route.first),
        "lastLowTm": clock(route.last),
        "firstLowTm": clock(route.first),
        "corpNm": f"{route.company} 02-0{300 + route.index % 600}-{1000 + route.index}",
    }


def _route_list(world: World, query: Query) -> Rows:
    wanted = query.get("strSrch")
    return Rows.mapped([r for r in buses.routes(world) if wanted in r.number], lambda r: _route_row(world, r))


def _route_info(world: World, query: Query) -> Rows:
    route = asked_route(world, query)
    return NO_ROWS if route is None else Rows.of([_route_row(world, route)])


def _course(world: World, query: Query) -> Rows:
    route = asked_route(world, query)
    if route is None:
        return NO_ROWS
    halts = buses.course(world, route)

    def make(order: int) -> Record:
        stop, turn = halts[order], halts[route.length // 2]
        ahead = order < route.length // 2
        return {
            "busRouteId": route.route_id,
            "busRouteNm": route.number,
            "seq": str(order + 1),
            "section": section_of(route, order),
            "station": stop.node_id,
            "stationNm": stop.name,
            "arsId": stop.number,
            "gpsX": f"{stop.longitude:.6f}",
            "gpsY": f"{stop.latitude:.6f}",
            "direction": turn.name if ahead else halts[0].name,
            "fullSectDist": str(metres_to(route, order)),
            "sectSpd": str(12 + (route.index + order) % 22),
            "beginTm": f"{route.first[:2]}:{route.first[2:]}",
            "lastTm": f"{route.last[:2]}:{route.last[2:]}",
            "transYn": "Y" if stop is turn else "N",
        }

    return Rows(route.length, make)


def metres_to(route: Route, order: int) -> int:
    """Metres from the halt before; none to the first one."""
    return 0 if order == 0 else 250 + (route.index * 31 + order * 97) % 400


def section_of(route: Route, order: int) -> str:
    """Id of the way from the halt before: nine digits too, but no stop."""
    return "0" if order == 0 else f"1{route.index % 100:02d}6{(route.index // 100 * 200 + order) % 100_000:05d}"


def _path(world: World, query: Query) -> Rows:
    route = asked_route(world, query)
    if route is None:
        return NO_ROWS

    def make(index: int) -> Record:
        stop = buses.course(world, route)[index]
        return {"no": str(index + 1), **two_ways(stop.latitude, stop.longitude)}

    return Rows(route.length, make)


def two_ways(latitude: float, longitude: float) -> Record:
    """A point in degrees and on the plane grid."""
    east, north = plane(latitude, longitude)
    return {
        "gpsX": f"{longitude:.6f}",
        "gpsY": f"{latitude:.6f}",
        "posX": f"{east:.4f}",
        "posY": f"{north:.4f}",
    }


def _named_stops(world: World, query: Query, *, low: bool) -> Rows:
    wanted = query.get("stSrch")
    found = [s for s in buses.stops(world) if wanted in s.name]
    if low:
        found = [s for s in found if any(r.kind != "2" for r, _ in buses.routes_at(world, s))]

    def make(stop: BusStop) -> Record:
        ways = two_ways(stop.latitude, stop.longitude)
        return {
            "stId": stop.node_id,
            "stNm": stop.name,
            "tmX": ways["gpsX"],
            "tmY": ways["gpsY"],
            "arsId": stop.number,
            "posX": ways["posX"],
            "posY": ways["posY"],
        }

    return Rows.mapped(found, make)


def _nearby(world: World, query: Query) -> Rows:
    try:
        east, north, radius = (float(query.get(name)) for name in ("tmX", "tmY", "radius"))
    except ValueError:
        raise RefusedError("value", "tmX") from None
    found = []
    for stop in buses.stops(world):
        metres = math.hypot((stop.longitude - east) * 88_300, (stop.latitude - north) * 110_980)
        if metres <= radius:
            found.append((round(metres), stop))
    found.sort(key=lambda pair: (pair[0], pair[1].index))

    def make(pair: tuple[int, BusStop]) -> Record:
        metres, stop = pair
        ways = two_ways(stop.latitude, stop.longitude)
        return {
            "arsId": stop.number,
            "posX": ways["posX"],
            "posY": ways["posY"],
            "dist": str(metres),
            "gpsX": ways["gpsX"],
            "gpsY": ways["gpsY"],
            "stationId": stop.node_id,
            "stationNm": stop.name,
            "stationTp": "1" if stop.kind == "마을버스" else "0",
        }

    return Rows.mapped(found, make)


def _routes_here(world: World, query: Query) -> Rows:
    stop = asked_stop(world, query)
    if stop is None:
        return NO_ROWS

    def make(pair: tuple[Route, int]) -> Record:
        row = _route_row(world, pair[0])
        return {
            **{name: row[name] for name in ("busRouteId", "busRouteNm", "busRouteAbrv", "length")},
            "busRouteType": row["routeType"],
            "stBegin": row["stStationNm"],
            "stEnd": row["edStationNm"],
            "term": row["term"],
            "nextBus": "",
            "firstBusTm": row["firstBusTm"],
            "lastBusTm": row["lastBusTm"],
            "firstBusTmLow": row["firstLowTm"],
            "lastBusTmLow": row["lastLowTm"],
        }

    return Rows.mapped(buses.routes_at(world, stop), make)


def _first_last(world: World, query: Query) -> Rows:
    stop, route = asked_stop(world, query), asked_route(world, query)
    if stop is None or route is None or stop not in buses.course(world, route):
        return NO_ROWS
    row = {
        "arsId": stop.number,
        "stationNm": stop.name,
        "busRouteId": route.route_id,
        "busRouteNm": route.number,
        "firstBusTm": clock(route.first),
        "lastBusTm": clock(route.last),
    }
    return Rows.of([row])


HANDLERS: Final[dict[str, Handler]] = {
    "getBusRouteList": _route_list,
    "getRouteInfo": _route_info,
    "getStaionByRoute": _course,
    "getRoutePath": _path,
    "getStationByName": lambda world, query: _named_stops(world, query, low=False),
    "getLowStationByName": lambda world, query: _named_stops(world, query, low=True),
    "getStationByPos": _nearby,
    "getRouteByStation": _routes_here,
    "getBustimeByStation": _first_last,
}
