"""The portal's registers of bus stops, routes, and every stop of every route."""

from __future__ import annotations

import bisect
from itertools import accumulate, pairwise
from typing import Final

from kopa_hf.sandbox.province.lists import asked_sigun
from kopa_hf.sandbox.province.municipalities import shares
from kopa_hf.sandbox.province.premises import Mixed, Numbers
from kopa_hf.sandbox.province.routes import Route, route, route_count
from kopa_hf.sandbox.province.stations import distance, pair_count, station
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import LAST_DAY, World


def _all_stations(world: World, query: Query) -> Reply:
    possible, sigun = asked_sigun(query)
    if not possible:
        return NO_ROWS
    span = range(pair_count(world)) if sigun is None else shares(pair_count(world)).span(sigun)
    stops: Numbers = range(span.start * 2, span.stop * 2)
    if sigun is None:
        stops = Mixed(stops)

    def at(index: int) -> Record:
        stop = station(world, stops[index])
        return {
            "SIGUN_NM": stop.sigun.name,
            "SIGUN_CD": stop.sigun.code,
            "STATION_NM_INFO": stop.name,
            "STATION_ID": str(stop.identifier),
            "STATION_MANAGE_NO": str(stop.number),
            "STATION_DIV_NM": "중앙차로" if stop.central else "노변정류장",
            "JURISD_INST_NM": stop.sigun.full_name,
            "LOCPLC_LOC": f"{stop.sigun.full_name} {stop.neighbourhood}",
            "WGS84_LOGT": f"{stop.x:.7f}",
            "WGS84_LAT": f"{stop.y:.7f}",
        }

    return Rows(len(stops), at)


def _all_routes(world: World, query: Query) -> Reply:
    order = Mixed(range(route_count(world)))

    def at(index: int) -> Record:
        line = route(world, order[index])
        return {"ROUTE_ID": str(line.identifier), "ROUTE_NM": line.name}

    return Rows(len(order), at)


def _all_calls(world: World, query: Query) -> Reply:
    """Every stop of every route, with the metres driven so far."""
    ends: list[int] = world.table(
        "province.calls.ends", lambda w: list(accumulate(len(route(w, index).stops) for index in range(route_count(w))))
    )

    def at(number: int) -> Record:
        position = bisect.bisect_right(ends, number)
        line, order = route(world, position), number - (ends[position - 1] if position else 0) + 1
        driven = _driven(world, line, order)
        step = driven - _driven(world, line, order - 1)
        back = order > line.turn
        return {
            "ROUTE_ID": str(line.identifier),
            "STTN_ORDR": order,
            "STTN_ID": str(station(world, line.stops[order - 1]).identifier),
            "GIS_DSTN": step,
            "ACCMLT_DSTN": driven,
            "REAL_DSTN": step,
            "DCSN_DSTN": step,
            "PROGRS_DIV_CD": "R" if back else "F",
            "REGIST_ID": "bms",
            "REGIST_DE": f"{LAST_DAY.year - 1}1105000000",
            "USE_DIV": "Y",
            "UNWEL_HNO_STATN_ROUTE_EXTNO": "N",
            "PROGRS_DIV_CD_NM": "역방향" if back else "정방향",
            "USE_DIV_NM": "사용",
        }

    return Rows(ends[-1], at)


def _driven(world: World, line: Route, order: int) -> int:
    """Metres from the first stop to the one at a place, along the stops."""
    stops = [station(world, number) for number in line.stops[: max(order, 0)]]
    return sum(distance(a.x, a.y, b.x, b.y) for a, b in pairwise(stops))


def _register(world: World, query: Query) -> Reply:
    """The operators' own register of stops."""
    order = Mixed(range(pair_count(world) * 2))

    def at(index: int) -> Record:
        stop = station(world, order[index])
        return {
            "STTN_ID": str(stop.identifier),
            "STTN_NM": stop.name,
            "Y_CRDNT": stop.y,
            "X_CRDNT": stop.x,
            "GPS_X_CRDNT": stop.x,
            "GPS_Y_CRDNT": stop.y,
            "RINK_ID": f"{stop.identifier // 1000:06d}{stop.index % 10000:04d}",
            "STTN_TYPE": "1",
            "TRANSIT_STTN_EXTNO": "C" if stop.index % 23 == 0 else "N",
            "CNTR_CARTRK_YN": "Y" if stop.central else "N",
            "STTN_ENG_NM": None,
            "ARS_ID": str(stop.number),
            "INST_CD": f"41{stop.sigun.position:02d}",
            "DATA_EXPRS_EXTNO": "Y",
            "REGIST_ID": "bms",
            "REGIST_DE": f"{LAST_DAY.year - 1}1105000000",
            "RM": None,
            "SIGNPOST_TYPE": "0",
            "ADMINIST_DONG_CD": None,
            "VOLM_STATN_CD": "02",
            "USE_DIV": "Y",
            "STTN_CHN_NM": None,
            "STTN_JPNLANG_NM": None,
            "STTN_VIETNAM_NM": None,
            "DRT_EXTNO": "N",
            "STATION_TP_NM": "시내",
            "CHNG_STATION_YN_NM": "환승" if stop.index % 23 == 0 else "일반",
            "MARK_TYPE_NM": "표지판 없음",
        }

    return Rows(len(order), at)


HANDLERS: Final[dict[str, Handler]] = {
    "BusStation": _all_stations,
    "TBBMSROUTEM": _all_routes,
    "TBBMSROUTESTATIONM": _all_calls,
    "TBBMSSTATIONM": _register,
}
