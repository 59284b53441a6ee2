"""Gyeonggi's bus service on data.go.kr: stops, routes, buses on their way and when they arrive."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.province.routes import (
    Bus,
    Route,
    buses,
    calls,
    clock,
    route_of_id,
    search,
    stop_at,
)
from kopa_hf.sandbox.province.stations import Station, around, station, station_of_id
from kopa_hf.sandbox.province.stations import search as search_stations
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import LAST_DAY, World

_DISTRICT: Final = 2
"""관할지역: 1 서울, 2 경기, 3 인천."""
_NONE: Final = ""
"""How the service prints that there is no second bus."""


def _region(line: Route) -> str:
    return line.sigun.name.removesuffix("시").removesuffix("군")


def _stop_record(stop: Station) -> Record:
    return {
        "centerYn": "Y" if stop.central else "N",
        "mobileNo": stop.number,
        "regionName": stop.sigun.name.removesuffix("시").removesuffix("군"),
        "stationId": stop.identifier,
        "stationName": stop.name,
        "x": stop.x,
        "y": stop.y,
    }


def _stations(world: World, query: Query) -> Reply:
    return Rows.of([_stop_record(stop) for stop in search_stations(world, query.get("keyword"))])


def _station(world: World, query: Query) -> Reply:
    stop = station_of_id(world, query.get("stationId"))
    return NO_ROWS if stop is None else Rows.of([_stop_record(stop)])


def _around(world: World, query: Query) -> Reply:
    found = around(world, _degrees(query, "x"), _degrees(query, "y"))
    return Rows.of([{**_stop_record(stop), "distance": away} for away, stop in found])


def _degrees(query: Query, name: str) -> float:
    try:
        value = float(query.get(name))
    except ValueError:
        raise RefusedError("value", name) from None
    if not 0 < value < 180:
        raise RefusedError("value", name)
    return value


def _routes_of_station(world: World, query: Query) -> Reply:
    stop = station_of_id(world, query.get("stationId"))
    if stop is None:
        return NO_ROWS
    return Rows.mapped(calls(world, stop), lambda call: _call_record(world, *call))


def _call_record(world: World, line: Route, order: int) -> Record:
    return {"regionName": _region(line), **_bound_for(world, line, order), **_named(line), "staOrder": order}


def _bound_for(world: World, line: Route, order: int) -> Record:
    """Where a bus at that stop is heading: the turning point, or home again."""
    ahead = stop_at(world, line, line.turn if order < line.turn else len(line.stops))
    assert ahead is not None  # both are stops of the route
    return {"routeDestId": ahead.identifier, "routeDestName": ahead.name}


def _named(line: Route) -> Record:
    return {
        "routeId": line.identifier,
        "routeName": line.name,
        "routeTypeCd": line.type_code,
        "routeTypeName": line.type_name,
    }


def _ends(world: World, line: Route) -> tuple[Station, Station]:
    return station(world, line.stops[0]), station(world, line.stops[line.turn - 1])


def _routes(world: World, query: Query) -> Reply:
    return Rows.mapped(search(world, query.get("keyword")), lambda line: _route_record(world, line))


def _route_record(world: World, line: Route) -> Record:
    start, end = _ends(world, line)
    return {
        "adminName": line.sigun.full_name,
        "districtCd": _DISTRICT,
        "endStationId": end.identifier,
        "endStationName": end.name,
        "regionName": _region(line),
        **_named(line),
        "startStationId": start.identifier,
        "startStationName": start.name,
    }


def _route_info(world: World, query: Query) -> Reply:
    line = route_of_id(world, query.get("routeId"))
    if line is None:
        return NO_ROWS
    start, end = _ends(world, line)
    record: Record = {
        **_route_record(world, line),
        "companyId": line.company_id,
        "companyName": line.company,
        "companyTel": f"031-000-{line.company_id % 10000:04d}",
        "garageName": f"{line.company} 차고지",
        "garageTel": f"031-000-{(line.company_id + 50) % 10000:04d}",
        "multiFlag": "N",
        "startMobileNo": start.number,
        "endMobileNo": end.number,
        "turnStID": end.identifier,
        "turnStNm": end.name,
    }
    for prefix, wait in (("", 0), ("sat", 3), ("sun", 5), ("we", 5)):
        for way, shift in (("Up", 0), ("Down", 30)):
            name = f"{prefix}{way}" if prefix else way.lower()
            record[f"{name}FirstTime"] = clock(line.first + shift + 2 * wait)
            record[f"{name}LastTime"] = clock(line.last + shift - 2 * wait)
        record[f"{prefix}PeekAlloc" if prefix else "peekAlloc"] = line.gap + wait
        record[f"{prefix}NPeekAlloc" if prefix else "nPeekAlloc"] = line.gap + wait + 4
    return Rows.of([record])


def _stations_of_route(world: World, query: Query) -> Reply:
    line = route_of_id(world, query.get("routeId"))
    if line is None:
        return NO_ROWS

    def at(index: int) -> Record:
        return {
            "adminName": line.sigun.full_name,
            "districtCd": _DISTRICT,
            **_stop_record(station(world, line.stops[index])),
            "stationSeq": index + 1,
            "turnSeq": line.turn,
            "turnYn": "Y" if index + 1 == line.turn else "N",
        }

    return Rows(len(line.stops), at)


def _shape(world: World, query: Query) -> Reply:
    line = route_of_id(world, query.get("routeId"))
    if line is None:
        return NO_ROWS

    def at(index: int) -> Record:
        stop = station(world, line.stops[index])
        return {"lineSeq": index + 1, "x": stop.x, "y": stop.y}

    return Rows(len(line.stops), at)


def _locations(world: World, query: Query) -> Reply:
    line = route_of_id(world, query.get("routeId"))
    if line is None:
        return NO_ROWS
    return Rows.mapped(buses(world, line), lambda bus: _location_record(world, line, bus))


def _location_record(world: World, line: Route, bus: Bus) -> Record:
    return {
        "crowded": bus.crowded,
        "lowPlate": bus.low_floor,
        "plateNo": bus.plate,
        "remainSeatCnt": bus.seats,
        "routeId": line.identifier,
        "routeTypeCd": line.type_code,
        "stateCd": bus.state,
        "stationId": station(world, line.stops[bus.order - 1]).identifier,
        "stationSeq": bus.order,
        "taglessCd": bus.tagless,
        "vehId": bus.vehicle,
    }


def _arrivals(world: World, query: Query) -> Reply:
    stop = station_of_id(world, query.get("stationId"))
    if stop is None:
        return NO_ROWS
    return Rows.mapped(calls(world, stop), lambda call: _arrival(world, stop, *call))


def _arrival_item(world: World, query: Query) -> Reply:
    stop, line = station_of_id(world, query.get("stationId")), route_of_id(world, query.get("routeId"))
    order = query.get("staOrder")
    if not order.isascii() or not order.isdigit():
        raise RefusedError("value", "staOrder")
    if stop is None or line is None or stop_at(world, line, int(order)) != stop:
        return NO_ROWS
    record = _arrival(world, stop, line, int(order))
    return Rows.of([{n: v for n, v in record.items() if n not in ("routeDestId", "routeDestName")}])


def _arrival(world: World, stop: Station, line: Route, order: int) -> Record:
    """The next two buses; values of a bus that is not there are empty."""
    on_their_way = buses(world, line)
    coming = [bus for bus in reversed(on_their_way) if bus.order < order][:2]
    record: dict[str, Any] = {
        "flag": "RUN" if coming else "PASS" if on_their_way else "STOP",
        **_bound_for(world, line, order),
        "routeId": line.identifier,
        "routeName": line.name,
        "routeTypeCd": line.type_code,
        "staOrder": order,
        "stationId": stop.identifier,
        "turnSeq": line.turn,
    }
    for number in (1, 2):
        values = _coming(world, line, coming[number - 1], order) if len(coming) >= number else {}
        record.update({f"{name}{number}": values.get(name, _NONE) for name in _COMING})
    return {name: record[name] for name in sorted(record, key=str.lower)}


_COMING: Final = (
    "crowded", "locationNo", "lowPlate", "plateNo", "predictTime", "predictTimeSec", "remainSeatCnt", "stateCd",
    "stationNm", "taglessCd", "vehId",
)  # fmt: skip


def _coming(world: World, line: Route, bus: Bus, order: int) -> Record:
    away = order - bus.order
    seconds = away * 105 + mix(bus.vehicle, order) % 60
    return {
        "crowded": bus.crowded,
        "locationNo": away,
        "lowPlate": bus.low_floor,
        "plateNo": bus.plate,
        "predictTime": -(-seconds // 60),
        "predictTimeSec": seconds,
        "remainSeatCnt": bus.seats,
        "stateCd": bus.state,
        "stationNm": station(world, line.stops[bus.order - 1]).name,
        "taglessCd": bus.tagless,
        "vehId": bus.vehicle,
    }


def _files(world: World, query: Query) -> Reply:
    version = f"{LAST_DAY:%Y%m%d}"
    record: Record = {}
    for name in ("area", "route", "routeLine", "routeStation", "station", "vehicle"):
        record[f"{name}DownloadUrl"] = f"https://sandbox.invalid/gbis/{name.lower()}{version}.txt"
        record[f"{name}Version"] = version
    return Rows.of([record])


HANDLERS: Final[dict[str, Handler]] = {
    "getBaseInfoItemv2": _files,
    "getBusArrivalListv2": _arrivals,
    "getBusArrivalItemv2": _arrival_item,
    "getBusStationListv2": _stations,
    "getBusStationAroundListv2": _around,
    "getBusStationViaRouteListv2": _routes_of_station,
    "busStationInfov2": _station,
    "getBusLocationListv2": _locations,
    "getBusRouteInfoItemv2": _route_info,
    "getBusRouteStationListv2": _stations_of_route,
    "getBusRouteListv2": _routes,
    "getBusRouteLineListv2": _shape,
}
