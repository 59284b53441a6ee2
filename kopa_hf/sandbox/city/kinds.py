"""The city's entities under their code systems: what the services' demanded parameters are drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kopa_hf.sandbox.city import buses
from kopa_hf.sandbox.city.air import NOW, area_of
from kopa_hf.sandbox.city.answers import quarters
from kopa_hf.sandbox.city.cityhall import open_data_ids, projects
from kopa_hf.sandbox.city.culture import GENRES, events, reservation_ids, spaces
from kopa_hf.sandbox.city.ground import SEOUL, boroughs, dongs
from kopa_hf.sandbox.city.hotspots import hotspots
from kopa_hf.sandbox.city.libraries import libraries
from kopa_hf.sandbox.city.rides import docks
from kopa_hf.sandbox.city.subway import stops
from kopa_hf.sandbox.city.trade import areas
from kopa_hf.sandbox.city.weather import LINKS, link_id
from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.places import districts, neighbourhoods
from kopa_hf.sandbox.world import World


def _halts(world: World) -> Sequence[tuple[buses.Route, int, buses.BusStop]]:
    """(route, position, stop) of every halt."""
    return world.table(
        "city.kinds.halts",
        lambda w: tuple((r, n, stop) for r in buses.routes(w) for n, stop in enumerate(buses.course(w, r), 1)),
    )


def _vehicles(world: World) -> Sequence[buses.Vehicle]:
    return world.table("city.kinds.vehicles", lambda w: tuple(v for r in buses.routes(w) for v in buses.vehicles(w, r)))


def _ends(world: World) -> Sequence[tuple[buses.BusStop, buses.BusStop]]:
    """First and tenth halt of every route: two points that a bus joins."""
    return world.table(
        "city.kinds.ends",
        lambda w: tuple((way[0], way[min(9, len(way) - 1)]) for way in (buses.course(w, r) for r in buses.routes(w))),
    )


def _fixed(items: Sequence[Any]) -> Any:
    return lambda world: items


_LEGAL: Final = tuple(n for d in districts(SEOUL) for n in neighbourhoods(d.code))

KINDS: Final = (
    Kind(
        "subway stop",
        stops,
        {
            "seoul.station_code": lambda s: s.code,
            "seoul.station_outer_code": lambda s: s.outer_code,
            "seoul.station_id": lambda s: s.station_id,
            "seoul.station_name": lambda s: s.name,
            "seoul.line_name": lambda s: s.line.name,
            "seoul.line_label": lambda s: s.line.label,
        },
    ),
    Kind(
        "bus stop",
        buses.stops,
        {
            "seoul.bus_stop_id": lambda s: s.node_id,
            "seoul.bus_stop_number": lambda s: s.number,
            "seoul.bus_stop_name": lambda s: s.name,
            "seoul.longitude": lambda s: f"{s.longitude:.6f}",
            "seoul.latitude": lambda s: f"{s.latitude:.6f}",
            "seoul.radius": lambda s: "500",
        },
    ),
    Kind(
        "bus route",
        buses.routes,
        {
            "seoul.bus_route_id": lambda r: r.route_id,
            "seoul.bus_route_number": lambda r: r.number,
            "seoul.bus_section_start": lambda r: "1",
            "seoul.bus_section_end": lambda r: str(r.length),
        },
    ),
    Kind(
        "halt of a bus",
        _halts,
        {
            "seoul.bus_route_id": lambda h: h[0].route_id,
            "seoul.bus_halt_order": lambda h: str(h[1]),
            "seoul.bus_stop_id": lambda h: h[2].node_id,
            "seoul.bus_stop_number": lambda h: h[2].number,
        },
    ),
    Kind(
        "two points of a bus ride",
        _ends,
        {
            "seoul.start_longitude": lambda e: f"{e[0].longitude:.6f}",
            "seoul.start_latitude": lambda e: f"{e[0].latitude:.6f}",
            "seoul.end_longitude": lambda e: f"{e[1].longitude:.6f}",
            "seoul.end_latitude": lambda e: f"{e[1].latitude:.6f}",
        },
    ),
    Kind("bus", _vehicles, {"seoul.bus_vehicle_id": lambda v: v.vehicle_id}),
    Kind(
        "bike dock",
        docks,
        {
            "seoul.bike_dock_id": lambda d: d.dock_id,
            "seoul.bike_dock_no": lambda d: d.number,
            "seoul.bike_dock_name": lambda d: d.name,
            "seoul.bike_dock_title": lambda d: d.titled,
        },
    ),
    Kind(
        "air station",
        _fixed(boroughs()),
        {
            "seoul.air_station_code": lambda b: f"{100 + b.number}",
            "seoul.air_admin_code": lambda b: b.air_code,
            "seoul.air_area": lambda b: area_of(b)[0],
            "seoul.drain_district": lambda b: f"{b.number:02d}",
        },
    ),
    Kind("hour of readings", _fixed((f"{NOW:%Y%m%d%H}00",)), {"seoul.air_hour": str}),
    Kind("hour of water levels", _fixed(tuple(f"20260129{h:02d}" for h in range(24))), {"seoul.drain_hour": str}),
    Kind("hour", _fixed(tuple(f"{hour:02d}" for hour in range(24))), {"seoul.hour": str}),
    Kind("quarter", _fixed(quarters()), {"seoul.quarter": str}),
    Kind("culture event", events, {"seoul.event_code": lambda e: e.code, "seoul.event_title": lambda e: e.title}),
    Kind(
        "genre",
        _fixed(GENRES),
        {"seoul.event_genre_code": lambda g: g[0], "seoul.event_genre_name": lambda g: g[1]},
    ),
    Kind("venue", spaces, {"seoul.space_name": lambda s: s.name}),
    Kind("reservable service", reservation_ids, {"seoul.reservation_id": str}),
    Kind(
        "library",
        libraries,
        {"seoul.library_no": lambda r: r["LBRRY_SEQ_NO"], "seoul.library_name": lambda r: r["LBRRY_NAME"]},
    ),
    Kind("trade area", areas, {"seoul.trade_area_code": lambda a: a.code, "seoul.trade_area_name": lambda a: a.name}),
    Kind("administrative dong", dongs, {"seoul.dong_code": lambda d: d.code, "seoul.dong_name": lambda d: d.name}),
    Kind("legal dong of the city", _fixed(_LEGAL), {"seoul.legal_dong_tail": lambda n: n.code[5:]}),
    Kind("construction project", projects, {"seoul.project_code": lambda p: p.code}),
    Kind("open data set", open_data_ids, {"seoul.open_data_id": str}),
    Kind("watched place", hotspots, {"seoul.place": lambda h: h.name}),
    Kind("road link", _fixed(tuple(link_id(number) for number in range(LINKS))), {"seoul.link_id": str}),
)
