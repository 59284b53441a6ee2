"""The city portal's bus services: stops, and riders by route and halt for a day or a month's hours."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from kopa_hf.sandbox.city import buses
from kopa_hf.sandbox.city.answers import day_of, month_of, table
from kopa_hf.sandbox.city.buses import Route
from kopa_hf.sandbox.city.subway import PUBLISHED
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Rows
from kopa_hf.sandbox.world import World


def _stop_places(world: World) -> Iterable[Record]:
    for stop in buses.stops(world):
        yield {
            "STOPS_NO": stop.number,
            "STOPS_NM": stop.name,
            "XCRD": f"{stop.longitude:.6f}",
            "YCRD": f"{stop.latitude:.6f}",
            "NODE_ID": stop.node_id,
            "STOPS_TYPE": stop.kind,
        }


def _title(world: World, route: Route) -> str:
    halts = buses.course(world, route)
    return f"{route.number}번({halts[0].name}~{halts[route.length // 2].name})"


def _halt_at(world: World, index: int) -> tuple[Route, int]:
    """The halt at a position of the list of all routes' halts."""
    ends = buses.visits(world)
    number = bisect_right(ends, index)
    return buses.routes(world)[number], index - (ends[number - 1] if number else 0)


def _daily(world: World, query: Query) -> Rows:
    day = day_of(query, "USE_YMD", until=PUBLISHED)
    if day is None:
        return NO_ROWS

    def make(route: Route, order: int) -> Record:
        stop = buses.course(world, route)[order]
        on, off = buses.riders(world, route, order, day)
        return {
            "USE_YMD": f"{day:%Y%m%d}",
            "RTE_ID": route.route_id,
            "RTE_NO": route.number,
            "RTE_NM": _title(world, route),
            "STOPS_ID": stop.node_id,
            "STOPS_ARS_NO": stop.number,
            "SBWY_STNS_NM": stop.name,
            "GTON_TNOPE": str(on),
            "GTOFF_TNOPE": str(off),
            "REG_YMD": f"{day.fromordinal(day.toordinal() + 3):%Y%m%d}",
        }

    wanted = query.get("RTE_NO")
    if wanted:
        route = next((r for r in buses.routes(world) if r.number == wanted), None)
        return NO_ROWS if route is None else Rows(route.length, lambda index: make(route, index))
    return Rows(buses.visits(world)[-1], lambda index: make(*_halt_at(world, index)))


def _hourly(world: World, query: Query) -> Rows:
    month = month_of(query, "USE_YM")
    if month is None:
        return NO_ROWS

    def make(index: int) -> Record:
        route, order = _halt_at(world, index)
        stop = buses.course(world, route)[order]
        on, off = buses.month_by_hour(world, route, order, *month)
        record: Record = {
            "USE_YM": f"{month[0]}{month[1]:02d}",
            "RTE_NO": route.number,
            "RTE_NM": _title(world, route),
            "STOPS_ID": stop.node_id,
            "SBWY_STNS_NM": stop.name,
        }
        for hour in range(24):
            record[f"HR_{hour}_GET_ON_TNOPE"] = str(on[hour])
            record[f"HR_{hour}_GET_OFF_TNOPE"] = str(off[hour])
        return record

    return Rows(buses.visits(world)[-1], make)


HANDLERS: Final[dict[str, Handler]] = {
    "busStopLocationXyInfo": table("bus.places", _stop_places),
    "CardBusStatisticsServiceNew": _daily,
    "CardBusTimeNew": _hourly,
}
