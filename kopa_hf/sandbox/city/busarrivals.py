"""The buses' own host: what comes next to a stop, and where the vehicles of a route are."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.city import buses, buspaths, busroutes
from kopa_hf.sandbox.city.buses import Route, Vehicle
from kopa_hf.sandbox.city.busroutes import DAY, asked_route, asked_stop, clock, metres_to, section_of, two_ways
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.world import World

MADE: Final = "2026-01-30 09:00:00.0"


def _arrival(world: World, route: Route, order: int, *, low: bool = False) -> Record:
    halts = buses.course(world, route)
    stop = halts[order]
    record: Record = {
        "stId": stop.node_id,
        "stNm": stop.name,
        "arsId": stop.number,
        "busRouteId": route.route_id,
        "rtNm": route.number,
        "busRouteAbrv": route.number,
        "routeType": route.kind,
        "staOrd": str(order + 1),
        "dir": halts[route.length // 2].name if order < route.length // 2 else halts[0].name,
        "term": str(route.term),
        "firstTm": clock(route.first),
        "lastTm": clock(route.last),
        "mkTm": MADE,
        "nextBus": "",
        "deTourAt": "00",
    }
    pairs = [*buses.coming(world, route, order, low=low), None, None][:2]
    sides = [_coming(world, route, order, pair) for pair in pairs]
    for name in sides[0]:
        for number, side in enumerate(sides, 1):
            record[f"{name}{number}"] = side[name]
    return record


def _coming(world: World, route: Route, order: int, pair: tuple[Vehicle, int] | None) -> Record:
    """The columns of one coming bus; zeros where none is on its way."""
    if pair is None:
        zeros = ("traTime", "traSpd", "exps", "sectOrd")
        more = ("busType", "isArrive", "isLast", "full", "rerdie_Div", "reride_Num")
        empty: Record = {"arrmsg": "출발대기", **dict.fromkeys(zeros, "0")}
        return {**empty, "stationNm": "", "vehId": "0", "plainNo": "", **dict.fromkeys(more, "0")}
    bus, seconds = pair
    away = order - bus.order
    text = "곧 도착" if seconds < 60 else f"{seconds // 60}분{seconds % 60}초후[{away}번째 전]"
    return {
        "arrmsg": text,
        "traTime": str(seconds),
        "traSpd": str(12 + bus.seconds % 20),
        "exps": str(seconds),
        "sectOrd": str(bus.order + 1),
        "stationNm": buses.course(world, route)[bus.order].name,
        "vehId": bus.vehicle_id,
        "plainNo": bus.plate,
        "busType": "1" if bus.low_floor else "0",
        "isArrive": "1" if seconds < 15 else "0",
        "isLast": "0",
        "full": "0",
        "rerdie_Div": "4",
        "reride_Num": str(bus.congestion),
    }


def _by_route(world: World, query: Query) -> Rows:
    route = asked_route(world, query)
    return NO_ROWS if route is None else Rows(route.length, lambda order: _arrival(world, route, order))


def _by_stop_and_route(world: World, query: Query, *, low: bool) -> Rows:
    stop, route, order = asked_stop(world, query, "stId"), asked_route(world, query), query.get("ord")
    if not order.isdecimal():
        raise RefusedError("value", "ord")
    place = int(order) - 1
    if stop is None or route is None or not 0 <= place < route.length or buses.course(world, route)[place] != stop:
        return NO_ROWS
    return Rows.of([_arrival(world, route, place, low=low)])


def _low_by_stop(world: World, query: Query) -> Rows:
    stop = asked_stop(world, query, "stId")
    pairs = () if stop is None else buses.routes_at(world, stop)
    return Rows.mapped(pairs, lambda pair: _arrival(world, *pair, low=True))


def _by_stop(world: World, query: Query) -> Rows:
    stop = asked_stop(world, query)
    if stop is None:
        return NO_ROWS

    def make(pair: tuple[Route, int]) -> Record:
        row, halts = _arrival(world, *pair), buses.course(world, pair[0])
        after = halts[min(pair[1] + 1, len(halts) - 1)].name
        first = ("stId", "stNm", "arsId", "busRouteId", "rtNm", "busRouteAbrv")
        return {
            **{name: row[name] for name in first},
            "adirection": row["dir"],
            "arrmsg1": row["arrmsg1"],
            "arrmsg2": row["arrmsg2"],
            "arrmsgSec1": row["arrmsg1"],
            "arrmsgSec2": row["arrmsg2"],
            **{
                name: row[name] for name in ("busType1", "busType2", "staOrd", "term", "firstTm", "lastTm", "routeType")
            },
            "nxtStn": after,
            "sectNm": f"{stop.name}~{after}",
            **{name: row[name] for name in ("traTime1", "traTime2", "vehId1", "vehId2")},
        }

    return Rows.mapped(buses.routes_at(world, stop), make)


def _position(world: World, bus: Vehicle) -> Record:
    route = bus.route
    halts = buses.course(world, route)
    stop, after = halts[bus.order], halts[min(bus.order + 1, route.length - 1)]
    whole = metres_to(route, min(bus.order + 1, route.length - 1))
    ways = two_ways(stop.latitude, stop.longitude)
    return {
        "nextStTm": str(bus.seconds),
        "sectOrd": str(bus.order + 1),
        "sectDist": f"{whole * (100 - bus.seconds) // 100}",
        "rtDist": route.kilometres,
        "stopFlag": "1" if bus.seconds > 85 else "0",
        "sectionId": section_of(route, bus.order + 1),
        "dataTm": f"{DAY}085{bus.seconds % 10}{bus.seconds % 60:02d}",
        "vehId": bus.vehicle_id,
        "fullSectDist": str(whole),
        **ways,
        "tmX": ways["gpsX"],
        "tmY": ways["gpsY"],
        "plainNo": bus.plate,
        "busType": "1" if bus.low_floor else "0",
        "lastStnId": halts[-1].node_id,
        "nextStId": after.node_id,
        "lastStTm": str(bus.seconds + (route.length - bus.order - 2) * 95),
        "isFullFlag": "0",
        "congetion": str(bus.congestion),
        "isrunyn": "1",
        "islastyn": "0",
    }


def _positions(world: World, query: Query) -> Rows:
    """The buses of a route: all, those of a section, or the low-floor ones."""
    route = asked_route(world, query)
    if route is None:
        return NO_ROWS
    found = list(buses.vehicles(world, route))
    if query.operation == "getLowBusPosByRtid":
        found = [bus for bus in found if bus.low_floor]
    if query.operation == "getBusPosByRouteSt":
        ends = [query.get(name) for name in ("startOrd", "endOrd")]
        if not all(end.isdecimal() for end in ends):
            raise RefusedError("value", "startOrd")
        found = [bus for bus in found if int(ends[0]) <= bus.order + 1 <= int(ends[1])]
    return _shaped(world, query, found)


def _one_position(world: World, query: Query) -> Rows:
    bus = buses.vehicle_by_id(world, query.get("vehId"))
    return NO_ROWS if bus is None else _shaped(world, query, [bus])


def _shaped(world: World, query: Query, found: list[Vehicle]) -> Rows:
    """Positions with the columns of the operation's signature: they differ a little between the four."""
    columns = [f.name for f in query.tool.fields] if query.tool is not None else None

    def make(bus: Vehicle) -> Record:
        row = _position(world, bus)
        return row if columns is None else {name: row[name] for name in columns}

    return Rows.mapped(found, make)


HANDLERS: Final[dict[str, Handler]] = {
    **busroutes.HANDLERS,
    **buspaths.HANDLERS,
    "getArrInfoByRouteAll": _by_route,
    "getArrInfoByRoute": lambda world, query: _by_stop_and_route(world, query, low=False),
    "getLowArrInfoByRoute": lambda world, query: _by_stop_and_route(world, query, low=True),
    "getLowArrInfoByStId": _low_by_stop,
    "getStationByUid": _by_stop,
    "getBusPosByRtid": _positions,
    "getLowBusPosByRtid": _positions,
    "getBusPosByRouteSt": _positions,
    "getBusPosByVehId": _one_position,
}
"""All operations of ws.bus.go.kr that are modelled."""
