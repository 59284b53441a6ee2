"""The subway's services: stations, riders by day and hour, timetables, real-time arrivals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kopa_hf.sandbox.city.answers import day_of, equal, month_of, table
from kopa_hf.sandbox.city.ground import dongs, draw
from kopa_hf.sandbox.city.subway import PUBLISHED, Stop, Train, month_by_hour, riders, stops, stops_named, trains
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.world import World

_SECONDS: Final = 130
"""From one stop to the next."""


def _stations(world: World) -> Iterable[Record]:
    for stop in stops(world):
        yield {
            "STATION_CD": stop.code,
            "STATION_NM": stop.name,
            "STATION_NM_ENG": stop.english,
            "LINE_NUM": stop.line.label,
            "FR_CODE": stop.outer_code,
        }


def _by_name(world: World) -> Iterable[Record]:
    for record in _stations(world):
        yield {name: value for name, value in record.items() if name != "STATION_NM_ENG"}


def _locations(world: World) -> Iterable[Record]:
    for stop in stops(world):
        yield {
            "BLDN_NM": stop.name,
            "ROUTE": stop.line.name,
            "LAT": f"{stop.latitude:.6f}",
            "LOT": f"{stop.longitude:.6f}",
        }


def _addresses(world: World) -> Iterable[Record]:
    for stop in stops(world):
        yield {
            "LINE": stop.line.name,
            "STATN_NM": stop.name,
            "ADRES": stop.lot.replace("특별시", ""),
            "RDNMADR": f"{stop.road} ({stop.name}역)",
            "TELNO": stop.telephone.removeprefix("02-"),
        }


def _elevators(world: World) -> Iterable[Record]:
    for stop in stops(world):
        for turn in range(world.identity("city", "elevators", stop.index).between(1, 4)):
            shift = turn / 10_000
            yield {
                "NODE_WKT": f"POINT({stop.longitude + shift:.6f} {stop.latitude + shift:.6f})",
                "SGG_NM": stop.borough.name,
                "SBWY_STN_NM": f"{stop.name}역",
            }


def _chosen(world: World, query: Query, line: str, station: str) -> list[Stop]:
    """The stops of a line and a station, where these are given."""
    wanted, name = query.get(line), query.get(station)
    pool = stops_named(world, name) if name else stops(world)
    return [s for s in pool if not wanted or s.line.name == wanted]


def _daily(world: World, query: Query) -> Rows:
    day = day_of(query, "USE_YMD", until=PUBLISHED)
    if day is None:
        return NO_ROWS

    def make(stop: Stop) -> Record:
        on, off = riders(world, stop, day)
        return {
            "USE_YMD": f"{day:%Y%m%d}",
            "SBWY_ROUT_LN_NM": stop.line.name,
            "SBWY_STNS_NM": stop.name,
            "GTON_TNOPE": str(on),
            "GTOFF_TNOPE": str(off),
            "REG_YMD": f"{day.fromordinal(day.toordinal() + 3):%Y%m%d}",
        }

    return Rows.mapped(_chosen(world, query, "SBWY_ROUT_LN_NM", "SBWY_STNS_NM"), make)


def _hourly(world: World, query: Query) -> Rows:
    month = month_of(query, "USE_MM")
    if month is None:
        return NO_ROWS

    def make(stop: Stop) -> Record:
        on, off = month_by_hour(world, stop, *month)
        record: Record = {
            "USE_MM": f"{month[0]}{month[1]:02d}",
            "SBWY_ROUT_LN_NM": stop.line.name,
            "STTN": stop.name,
        }
        for hour in range(24):
            record[f"HR_{hour}_GET_ON_NOPE"] = str(on[hour])
            record[f"HR_{hour}_GET_OFF_NOPE"] = str(off[hour])
        return record

    return Rows.mapped(_chosen(world, query, "SBWY_ROUT_LN_NM", "STTN"), make)


def _by_neighbourhood(world: World) -> Iterable[Record]:
    """Boardings of the last day with figures: those of the district's stops, shared out among its neighbourhoods."""
    totals: dict[str, int] = {}
    for stop in stops(world):
        totals[stop.borough.code] = totals.get(stop.borough.code, 0) + riders(world, stop, PUBLISHED)[0]
    for place in dongs(world):
        weights = sum(d.weight for d in dongs(world) if d.borough == place.borough)
        yield {
            "CRTR_DD": f"{PUBLISHED:%Y%m%d}",
            "DONG_ID": place.code,
            "SBWY_PSNG": str(totals.get(place.borough.code, 0) * place.weight // weights),
        }


def _ways(query: Query) -> None:
    for name, allowed in (("INOUT_TAG", "12"), ("WEEK_TAG", "123")):
        if query.get(name) not in allowed:
            raise RefusedError("value", name)


def _first_last(world: World, query: Query) -> Rows:
    _ways(query)
    found = [s for s in stops(world) if query.get("LINE_NUM") in (s.line.label, s.line.name)]
    return Rows.mapped(found, lambda stop: {"STTN": stop.name})


def _timetable(world: World, query: Query) -> Rows:
    """One row a train: where several leave a station, its name comes back as often."""
    _ways(query)
    wanted = query.get("STATION_CD")
    stop = next((s for s in stops(world) if s.code == wanted), None)
    if stop is None:
        return NO_ROWS
    count = (236, 204, 180)[int(query.get("WEEK_TAG")) - 1]
    record = {"STATION_CD": stop.code, "FR_CODE": stop.outer_code, "STATION_NM": stop.name}
    return Rows(count, lambda index: dict(record))


def _arrivals(world: World, query: Query) -> Rows:
    """The next two trains of either direction, per line of the station."""
    name = query.get("statnNm")
    found = stops(world) if name == "ALL" else stops_named(world, name)
    coming = [pair for stop in found for pair in _coming(world, stop)]
    return Rows(len(coming), lambda index: _arrival(world, *coming[index], index))


def _coming(world: World, stop: Stop) -> list[tuple[Stop, Train, int, int]]:
    """(stop, train, stops away, turn) of what arrives next."""
    found = []
    for down in (False, True):
        ahead = [
            (stop.order - t.at.order if down else t.at.order - stop.order, t)
            for t in trains(world, stop.line.name)
            if t.down == down
        ]
        near = sorted(((away, t) for away, t in ahead if 0 <= away <= 12), key=lambda pair: pair[0])[:2]
        found += [(stop, train, away, turn) for turn, (away, train) in enumerate(near, 1)]
    return found


def _arrival(world: World, stop: Stop, train: Train, away: int, turn: int, index: int) -> Record:
    way = [s for s in stops(world) if s.line == stop.line]
    before, after = way[max(stop.order - 1, 0)], way[min(stop.order + 1, len(way) - 1)]
    others = stops_named(world, stop.name)
    next_stop = after if train.down else before
    direction = ("외선" if train.down else "내선") if stop.line.number == 2 else ("하행" if train.down else "상행")
    code, message = _message(stop, train, away)
    return {
        "rowNum": index + 1,
        "subwayId": stop.line.subway_id,
        "updnLine": direction,
        "trainLineNm": f"{train.towards.name}행 - {next_stop.name}방면",
        "statnFid": before.station_id,
        "statnTid": after.station_id,
        "statnId": stop.station_id,
        "statnNm": stop.name,
        "trnsitCo": str(len(others)),
        "ordkey": f"{int(train.down)}{turn}{away:03d}{train.towards.name}0",
        "subwayList": ",".join(s.line.subway_id for s in others),
        "statnList": ",".join(s.station_id for s in others),
        "btrainSttus": "일반",
        "barvlDt": str(away * _SECONDS if away else 0),
        "btrainNo": train.number,
        "bstatnId": train.towards.station_id,
        "bstatnNm": train.towards.name,
        "recptnDt": "2026-01-30 09:00:00",
        "arvlMsg2": message,
        "arvlMsg3": train.at.name,
        "arvlCd": code,
        "lstcarAt": "1" if train.last else "0",
    }


def _message(stop: Stop, train: Train, away: int) -> tuple[str, str]:
    if away == 0:
        return str(train.state), f"{stop.name} {('진입', '도착', '출발')[train.state]}"
    if away == 1:
        return "3", "전역 출발"
    return "99", f"{away * _SECONDS // 60}분 후 ({train.at.name})"


def _positions(world: World, query: Query) -> Rows:
    return Rows.mapped(trains(world, query.get("subwayNm")), lambda train: {"statnNm": train.at.name})


def _indoor_air(world: World) -> Iterable[Record]:
    for stop in stops(world):
        if draw(world.identity("city", "indoor", stop.index).u64()) % 2:
            yield {"AREA_NM": f"{stop.name}역", "LINE": stop.line.name}


def _facilities(world: World) -> Iterable[Record]:
    for stop in stops(world):
        for _ in range(world.identity("city", "facilities", stop.index).between(2, 6)):
            yield {"STN_NM": f"{stop.name}({stop.line.number})"}


def _closures(world: World) -> Iterable[Record]:
    for stop in stops(world):
        if world.identity("city", "closed exit", stop.index).chance(0.06):
            yield {"SBWY_STNS_NM": stop.name, "LINE": stop.line.name}


def _accessibility(world: World) -> Iterable[Record]:
    for stop in stops(world):
        yield {"SBWY_STNS_NM": stop.name, "SBWY_ROUT_LN": stop.line.name}


def _lifts(world: World) -> Iterable[Record]:
    for stop in stops(world):
        if world.identity("city", "lift", stop.index).chance(0.3):
            yield {"SBWY_STN_NM": f"{stop.name}역"}


HANDLERS: Final[dict[str, Handler]] = {
    "SearchSTNBySubwayLineInfo": table(
        "stations", _stations, {"STATION_CD": equal, "STATION_NM": equal, "LINE_NUM": equal}
    ),
    "SearchInfoBySubwayNameService": table("stations.named", _by_name, {"STATION_NM": equal}),
    "subwayStationMaster": table("stations.places", _locations),
    "StationAdresTelno": table("stations.addresses", _addresses),
    "tbTraficElvtr": table("elevators", _elevators),
    "tbTraficEntrcLft": table("lifts", _lifts),
    "SeoulMetroFaciInfo": table("facilities", _facilities),
    "TbSubwayLineDetail": table("closures", _closures),
    "OdblrDspsnCvntl": table("accessibility", _accessibility),
    "airPolutionInfo": table("indoor", _indoor_air),
    "tpssSubwayPassenger": table("boardings", _by_neighbourhood),
    "CardSubwayStatsNew": _daily,
    "CardSubwayTime": _hourly,
    "SearchFirstAndLastTrainbyLineServiceNew": _first_last,
    "SearchSTNTimeTableByIDService": _timetable,
    "realtimeStationArrival": _arrivals,
    "realtimePosition": _positions,
}
