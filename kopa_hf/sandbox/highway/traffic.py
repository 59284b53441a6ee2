"""Handlers of counted traffic: tollgates, regions, the nation, trips between tollgates."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.highway.common import chosen, day_of, hour_of, option_of
from kopa_hf.sandbox.highway.flows import (
    IN,
    NOW_HOUR,
    OUT,
    class_volume,
    hour_volume,
    latest_hour,
    national_day,
    national_hour,
    part_volume,
)
from kopa_hf.sandbox.highway.sections import conzones, counted, is_past
from kopa_hf.sandbox.highway.tollgates import CAR_CLASSES, CAR_GROUPS, Tollgate, neighbours, tollgates
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

_WAYS: Final = ("입구", "출구")
_LANES: Final = ("TCS", "하이패스")
_UNITS: Final = {"1": "1시간", "2": "15분", "3": "5분"}
_DIVISIONS: Final = {"00": "도공", "01": "민자"}
_LATEST: Final = NOW_HOUR - 1
_LAST_PART: Final = {"1": 0, "2": 3, "3": 11}
_LAST_TIME: Final = {"1": f"{_LATEST:02d}00", "2": f"{_LATEST:02d}45", "3": f"{_LATEST:02d}55"}
_WHOLE_HOURS: Final = "3"
"""`sumTmUnitTypeCode` counts the other way round: 1 five minutes, 2 quarters, 3 hours."""


def _places(query: Query, name: str, first: int, count: int) -> list[int]:
    """Positions that a numbered parameter chooses: all where it is absent, none for an unknown number."""
    text = query.get(name)
    return list(range(count)) if not text else [i for i in range(count) if str(first + i) == text]


def _unit(query: Query) -> str:
    return option_of(query, "tmType", "123", "1")


def _kind_cells(lane: int, car: int) -> Record:
    return {"tcsType": str(lane + 1), "tcsName": _LANES[lane], "carType": str(car + 1)}


def _time_cells(unit: str) -> Record:
    return {"tmType": unit, "tmName": _UNITS[unit]}


def _latest(world: World, gate: Tollgate, way: int, lane: int, car: int, unit: str) -> int:
    hour = hour_volume(world, gate, LAST_DAY, way, _LATEST)
    return part_volume(class_volume(hour, lane, car), unit, _LAST_PART[unit])


def _tollgate_rows(world: World, query: Query, gates: Sequence[Tollgate], unit: str, *, timed: bool) -> Rows:
    ways = _places(query, "inoutType", 0, 2)
    lanes, cars = _places(query, "tcsType", 1, 2), _places(query, "carType", 1, 6)
    per_gate = len(ways) * len(lanes) * len(cars)

    def row(index: int) -> Record:
        place, rest = divmod(index, per_gate)
        way, rest = divmod(rest, len(lanes) * len(cars))
        lane, car = divmod(rest, len(cars))
        gate, w, t, c = gates[place], ways[way], lanes[lane], cars[car]
        record: Record = {
            "exDivCode": gate.division[0],
            "exDivName": gate.division[1],
            "unitCode": gate.code,
            "unitName": gate.name,
            "inoutType": str(w),
            "inoutName": _WAYS[w],
        }
        if timed:
            record |= _time_cells(unit)
        record |= _kind_cells(t, c)
        record["trafficAmout"] = str(_latest(world, gate, w, t, c, unit))
        return record | {"sumDate": compact(LAST_DAY), "sumTm": _LAST_TIME[unit]}

    return Rows(len(gates) * per_gate, row)


def _traffic_ic(world: World, query: Query) -> Reply:
    gates = chosen(tollgates(world), query, exDivCode=lambda g: g.division[0], unitCode=lambda g: g.code)
    return _tollgate_rows(world, query, gates, _unit(query), timed=True)


def _traffic_five(world: World, query: Query) -> Reply:
    """The five busiest tollgates around the capital."""
    around = [gate for gate in tollgates(world) if gate.at.center == 0 and not gate.private]
    around.sort(key=lambda g: (-hour_volume(world, g, LAST_DAY, OUT, _LATEST), g.code))
    return _tollgate_rows(world, query, sorted(around[:5], key=lambda g: g.code), "1", timed=False)


def _traffic_all(world: World, query: Query) -> Reply:
    unit = _unit(query)
    lanes, cars = _places(query, "tcsType", 1, 2), _places(query, "carType", 1, 6)
    total = national_hour(world, LAST_DAY, _LATEST, unit, _LAST_PART[unit])
    return Rows.of(
        [
            {"exDivCode": division, "exDivName": _DIVISIONS[division], **_time_cells(unit), **_kind_cells(lane, car)}
            | {"trafficAmout": str(volume), "sumDate": compact(LAST_DAY), "sumTm": _LAST_TIME[unit]}
            for (division, lane, car), volume in sorted(total.items())
            if lane in lanes and car in cars and query.get("exDivCode") in ("", division)
        ]
    )


def _traffic_region(world: World, query: Query) -> Reply:
    unit = _unit(query)
    gates = chosen(
        tollgates(world),
        query,
        exDivCode=lambda g: g.division[0],
        regionCode=lambda g: g.region[0],
        openClType=lambda g: "1" if g.open else "0",
    )
    ways = _places(query, "inoutType", 0, 2)
    lanes, cars = _places(query, "tcsType", 1, 2), _places(query, "carType", 1, 6)
    total: dict[tuple[str, str, bool, int, int, int], int] = {}
    for gate in gates:
        for way in ways:
            hour = hour_volume(world, gate, LAST_DAY, way, _LATEST)
            for lane in lanes:
                for car in cars:
                    key = (gate.region[0], gate.division[0], gate.open, way, lane, car)
                    volume = part_volume(class_volume(hour, lane, car), unit, _LAST_PART[unit])
                    total[key] = total.get(key, 0) + volume
    names = {gate.region[0]: gate.region[1] for gate in gates}
    return Rows.of([_region_row(key, volume, names, unit) for key, volume in sorted(total.items())])


def _region_row(key: tuple[str, str, bool, int, int, int], volume: int, names: dict[str, str], unit: str) -> Record:
    region, division, opened, way, lane, car = key
    return {
        "exDivCode": division,
        "exDivName": _DIVISIONS[division],
        "regionCode": region,
        "regionName": names[region],
        "inoutType": str(way),
        "inoutName": _WAYS[way],
        **_time_cells(unit),
        **_kind_cells(lane, car),
        "openClType": "1" if opened else "0",
        "openClName": "개방식" if opened else "폐쇄식",
        "trafficAmout": str(volume),
        "sumTm": _LAST_TIME[unit],
        "sumDate": compact(LAST_DAY),
    }


def _national(world: World, query: Query) -> Reply:
    day = day_of(query, "sumDate", LAST_DAY)
    if not is_past(day, 23):
        return NO_ROWS
    total = national_day(world, day)
    return Rows.of(
        [
            {
                "sumDate": compact(day),
                "exDivCode": division,
                "tcsType": str(lane + 1),
                "carType": str(car + 1),
                "trafficVolumn": str(volume),
            }
            for (division, lane, car), volume in sorted(total.items())
            if query.get("exDivCode") in ("", division)
        ]
    )


def _section_traffic(world: World, query: Query) -> Reply:
    """Quarters of a day; without a moment the last one that is over."""
    day = day_of(query, "collectDate", LAST_DAY)
    time = query.get("collectTime") or f"{_LATEST:02d}45"
    if len(time) != 4 or not time.isascii() or not time.isdigit() or int(time[:2]) > 23 or int(time[2:]) > 59:
        raise RefusedError("value", "collectTime")
    hour, minute = int(time[:2]), int(time[2:])
    if minute % 15 or not is_past(day, hour, minute):
        return NO_ROWS
    slot = hour * 4 + minute // 15
    return Rows.mapped(
        conzones(world), lambda z: {"conzoneId": z.id, "trafficCount": str(counted(world, z, day, slot))}
    )


def _by_unit(world: World, query: Query) -> Reply:
    """A tollgate's hour by way and class; the lane kinds are taken together."""
    unit = option_of(query, "sumTmUnitTypeCode", "123", _WHOLE_HOURS)
    hour = hour_of(query, "stdHour", _LATEST)
    day = latest_hour(hour)
    gates = tollgates(world)

    def row(index: int) -> Record:
        place, rest = divmod(index, 12)
        way, car = divmod(rest, 6)
        gate = gates[place]
        return {
            "unitName": gate.name,
            "unitCode": gate.code,
            "stdDate": compact(day),
            "stdHour": f"{hour:02d}",
            "trafficAmout": str(_both_lanes(world, gate, way, hour, car, unit)),
            "inoutName": _WAYS[way],
            **_office_cells(gate),
            "sumTmUnitTypeCode": unit,
            "startEndStdTypeCode": str(way + 1),
            **_class_cells(car),
            **_branch_cells(gate),
        }

    return Rows(len(gates) * 12, row)


def _by_lane(world: World, query: Query) -> Reply:
    """Trips between tollgates of one route; a tollgate's trips add up to what it counts itself."""
    unit = option_of(query, "sumTmUnitTypeCode", "123", _WHOLE_HOURS)
    basis = option_of(query, "startEndStdTypeCode", "12", "2")
    hour = hour_of(query, "stdHour", _LATEST)
    day = latest_hour(hour)
    gates = tollgates(world)
    ends = world.table("highway.trip_ends", lambda w: list(accumulate(len(neighbours(w, g)) * 6 for g in tollgates(w))))
    way = IN if basis == "1" else OUT

    def row(index: int) -> Record:
        place = bisect_right(ends, index)
        gate = gates[place]
        other_place, car = divmod(index - (ends[place - 1] if place else 0), 6)
        others = neighbours(world, gate)
        other = others[other_place]
        start, end = (gate, other) if way == IN else (other, gate)
        whole = _both_lanes(world, gate, way, hour, car, unit)
        return {
            "unitName": f"{start.name}->{end.name}",
            "stdDate": compact(day),
            "startUnitName": start.name,
            "unitCode": gate.code,
            **_class_cells(car),
            "trafficAmout": str(_portion(whole, gate, others, other_place)),
            "inoutName": _WAYS[way],
            **_office_cells(gate),
            "sumTmUnitTypeCode": unit,
            "startEndStdTypeCode": basis,
            "stdHour": f"{hour:02d}",
            **_branch_cells(gate),
        }

    return Rows(ends[-1], row)


def _both_lanes(world: World, gate: Tollgate, way: int, hour: int, car: int, unit: str) -> int:
    """Vehicles of a class in the latest hour of that number, or in the last part of it that `unit` counts."""
    volume = hour_volume(world, gate, latest_hour(hour), way, hour)
    parts = {"1": "3", "2": "2", _WHOLE_HOURS: "1"}[unit]
    return sum(part_volume(class_volume(volume, lane, car), parts, _LAST_PART[parts]) for lane in (0, 1))


def _portion(whole: int, gate: Tollgate, others: Sequence[Tollgate], place: int) -> int:
    """The trips to or from one neighbour: the nearer, the more; all portions together are the whole."""
    weights = [1000 // (1 + abs(other.index - gate.index)) for other in others]
    total, before = sum(weights), sum(weights[:place])
    return whole * (before + weights[place]) // total - whole * before // total


def _class_cells(car: int) -> Record:
    group, group_name = CAR_GROUPS[car]
    return {
        "tcsCarTypeCd": str(car + 1),
        "tcsCarTypeNm": CAR_CLASSES[car],
        "tcsCarTypeGrpCd": group,
        "tcsCarTypeGrpNm": group_name,
    }


def _office_cells(gate: Tollgate) -> Record:
    return {"centerCode": gate.center[0], "centerName": gate.center[1]}


def _branch_cells(gate: Tollgate) -> Record:
    return {"brofCode": gate.branch, "brofName": gate.branch_name}


HANDLERS: Final[dict[str, Handler]] = {
    "trafficIc": _traffic_ic,
    "trafficAll": _traffic_all,
    "trafficRegion": _traffic_region,
    "trafficFive": _traffic_five,
    "nationalTrafficVolumn": _national,
    "sectionTrafficRouteDirection": _section_traffic,
    "trafficAmountByUnit": _by_unit,
    "trafficAmountByLane": _by_lane,
}
