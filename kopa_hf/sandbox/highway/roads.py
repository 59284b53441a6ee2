"""Handlers of the road itself: routes, places, flow, detectors, signs and lane control."""

from __future__ import annotations

import datetime
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.highway.cities import CENTERS
from kopa_hf.sandbox.highway.common import chosen, containing, day_of, degrees, option_of
from kopa_hf.sandbox.highway.flows import NOW_HOUR
from kopa_hf.sandbox.highway.network import Interchange, Route, interchanges, routes
from kopa_hf.sandbox.highway.sections import Conzone, conzones, counted, detector_id, flow, is_past, load_of
from kopa_hf.sandbox.highway.tollgates import Tollgate, tollgates
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.world import LAST_DAY, World

_GRADES: Final = (("01", "고속국도"), ("02", "도시고속국도"))


def _spin_routes(world: World, query: Query) -> Reply:
    return Rows.mapped(chosen(routes(world), query, useYn=lambda _: "Y"), _spin_row)


def _spin_row(route: Route) -> Record:
    return {
        "routeNo": route.number,
        "routeCd": route.number,
        "routeNm": route.name,
        "stptDstnc": "0.0",
        "edpntDstnc": f"{route.length:.1f}",
        "totExtnsDstne": f"{route.length:.1f}",
        "useYn": "Y",
    }


def _ic_row(junction: Interchange) -> Record:
    return {
        "icName": f"{junction.name}IC",
        "routeName": junction.route.name,
        "routeNo": junction.route.number,
        "xValue": degrees(junction.x),
        "yValue": degrees(junction.y),
    }


def _unit_codes(world: World, query: Query) -> Reply:
    gates = containing(tollgates(world), query, unitName=lambda g: g.name)
    return Rows.mapped(gates, lambda g: {"unitCode": g.code, "unitName": g.name})


def _unit_places(world: World, query: Query) -> Reply:
    return Rows.mapped(chosen(tollgates(world), query, unitCode=lambda g: g.code), _unit_row)


def _unit_row(gate: Tollgate) -> Record:
    return {
        "unitName": gate.name,
        "unitCode": gate.code,
        "routeName": gate.at.route.name,
        # this service alone leaves the first digit out
        "routeNo": gate.at.route.number[1:],
        "xValue": degrees(gate.at.x),
        "yValue": degrees(gate.at.y),
    }


# flow


def _detected(world: World) -> list[tuple[Conzone, int]]:
    return [(zone, number) for zone in conzones(world) for number in range(zone.detectors)]


def _flow_row(world: World, zone: Conzone, number: int) -> Record:
    now = flow(world, zone, number)
    return {
        "routeNo": zone.route.number,
        "routeName": zone.route.name,
        "conzoneId": zone.id,
        "conzoneName": zone.name,
        "vdsId": detector_id(zone, number),
        "updownTypeCode": zone.direction,
        "trafficAmout": str(now.volume),
        "speed": str(now.speed),
        "shareRatio": f"{now.occupancy:.2f}",
        "timeAvg": str(now.seconds(zone.length / zone.detectors)),
        "grade": now.grade,
        "stdDate": compact(LAST_DAY),
        "stdHour": f"{NOW_HOUR:02d}00",
    }


def _realtime(world: World, query: Query) -> Reply:
    places: Sequence[tuple[Conzone, int]] = world.table("highway.detectors", _detected)
    return Rows.mapped(places, lambda place: _flow_row(world, *place))


def _congested(world: World, query: Query) -> Reply:
    def build(world: World) -> list[tuple[Conzone, int]]:
        return [(zone, number) for zone, number in _detected(world) if flow(world, zone, number).grade == "3"]

    return Rows.mapped(world.table("highway.congested", build), lambda place: _flow_row(world, *place))


def _vds_row(zone: Conzone, number: int) -> Record:
    length = zone.length / zone.detectors
    start = zone.start_km + length * number
    x, y = zone.route.point(start + length / 2)
    return {
        "vdsId": detector_id(zone, number),
        "grs80x": f"{(x - 127) * 88_800 + 200_000:.3f}",
        "grs80y": f"{(y - 38) * 111_000 + 600_000:.3f}",
        "shift": f"{start + length / 2:.2f}",
        "vdsStartShift": f"{start:.2f}",
        "vdsEndShift": f"{start + length:.2f}",
        "routeNo": zone.route.number,
        "routeName": zone.route.name,
        "vdsCode": f"{zone.index * 4 + number + 1:05d}",
        "vdsName": f"{zone.origin.name}-{zone.target.name} {number + 1}",
        "routeSeq": str(zone.route.index + 1),
        "directionCode": zone.direction,
        "vdsLength": f"{length:.2f}",
        "roadgradeCode": _GRADES[0][0],
        "roadgradeName": _GRADES[0][1],
        "equipmentBelongingCode": f"N{CENTERS[zone.origin.center][0]}000",
        "equipmentBelongingName": CENTERS[zone.origin.center][2],
        "czId": zone.id,
    }


# vehicle classification (AVC)


def _avc_zones(world: World) -> list[Conzone]:
    """Every fourth conzone has a device."""
    return [zone for zone in conzones(world) if zone.index % 4 == 1]


def _avc_row(zone: Conzone) -> Record:
    x, y = zone.route.point(zone.start_km)
    center, _, office, _ = CENTERS[zone.origin.center]
    return {
        "avcId": _avc_id(zone),
        "shift": f"{zone.start_km:.1f}",
        "registDate": f"{2008 + zone.index % 15}{1 + zone.index % 12:02d}{1 + zone.index % 27:02d}",
        "routeNo": zone.route.number,
        "routeName": zone.route.name,
        "centerCode": f"N{center}000",
        "centerName": office,
        "brofCode": f"N{1 + zone.origin.index // 9:05d}",
        "brofName": f"{zone.route.nearest_city(zone.start_km)}지사",
        "latitude": degrees(y),
        "longitude": degrees(x),
        "roadgradeCode": _GRADES[0][0],
        "roadgradeName": _GRADES[0][1],
        "equipmentBelongingCode": f"N{center}000",
        "equipmentBelongingName": office,
    }


def _avc_id(zone: Conzone) -> str:
    return f"{zone.route.number}AV{zone.direction}{zone.index % 1000:03d}"


def _avc_quarters(world: World, query: Query) -> Reply:
    """A day of all devices: per device and lane 96 quarters."""
    day = day_of(query, "totlDates", LAST_DAY)
    if not is_past(day, 23):
        return NO_ROWS
    zones = world.table("highway.avc", _avc_zones)
    ends = world.table("highway.avc.ends", lambda w: list(accumulate(zone.lanes * 96 for zone in _avc_zones(w))))

    def row(index: int) -> Record:
        place = bisect_right(ends, index)
        lane, slot = divmod(index - (ends[place - 1] if place else 0), 96)
        return _avc_quarter(world, zones[place], day, lane, slot)

    return Rows(ends[-1], row)


def _avc_quarter(world: World, zone: Conzone, day: datetime.date, lane: int, slot: int) -> Record:
    seed = mix(world.measure_seed("highway", "avc", zone.id, lane), day.toordinal() * 96 + slot)
    volume = max(counted(world, zone, day, slot), 0) // zone.lanes
    # twelve classes: cars, buses, ten kinds of lorries
    shares = (700, 45, 90, 28, 40, 33, 21, 12, 9, 12, 6, 4)
    limits = list(accumulate(shares, initial=0))
    record: Record = {
        "totlDates": compact(day),
        "totlHhmm": f"{slot // 4:02d}{slot % 4 * 15:02d}",
        "avcId": _avc_id(zone),
        "crgwNo": str(lane + 1),
        "drctClssCd": zone.direction,
        "gthrDetlDates": f"{compact(day)}{slot // 4:02d}{slot % 4 * 15:02d}00",
        "routeNo": zone.route.number,
        "routeNm": zone.route.name,
        "cnznId": zone.id,
        "cnznNm": zone.name,
        "roadDstnc": f"{zone.start_km:.1f}",
        "avcDstnc": f"{zone.start_km:.1f}",
    }
    counts = [volume * limits[i + 1] // 1000 - volume * limits[i] // 1000 for i in range(12)]
    speeds = [0 if not counts[i] else int(96 - 2 * min(i, 4) + 4 * bell(mix(seed, i))) for i in range(12)]
    record |= {f"avgSped{i + 1}": str(speeds[i]) for i in range(12)}
    record["ucsdKncrAvgSped"] = "0"
    record |= {f"trfv{i + 1}": str(counts[i]) for i in range(12)}
    record["ucsdKncrTrfv"] = "0"
    return record


# lane control (LCS) and signs (VMS)


def _controlled(world: World) -> list[Conzone]:
    return [zone for zone in conzones(world) if zone.lane_control]


def _lcs_zones(world: World, query: Query) -> Reply:
    def row(zone: Conzone) -> Record:
        return {"conzoneId": zone.id, "applyYn": "Y" if load_of(world, zone, NOW_HOUR) > 70 else "N"}

    return Rows.mapped(world.table("highway.lcs", _controlled), row)


def _lcs_traffic(world: World, query: Query) -> Reply:
    day = day_of(query, "criteriaDate", LAST_DAY - datetime.timedelta(days=1))
    unit = option_of(query, "sumTmUnitTypeCode", "123", "3")
    option_of(query, "startEndStdTypeCode", "12", "2")
    zones = chosen(world.table("highway.lcs", _controlled), query, updownType=lambda z: z.direction)
    hours = [hour for hour in range(24) if is_past(day, hour, 59)]

    def row(index: int) -> Record:
        place, rest = divmod(index, len(hours) * 2)
        hour, shoulder = divmod(rest, 2)
        zone = zones[place]
        whole = sum(max(counted(world, zone, day, hours[hour] * 4 + quarter), 0) for quarter in range(4))
        part = whole // 5 if shoulder else whole - whole // 5
        return {
            "term": {"1": "5분", "2": "15분", "3": "1시간"}[unit],
            "routeNo": zone.route.number,
            "trafficAmout": str(part),
            "conzoneId": zone.id,
            "laneTypeCode": str(2 if shoulder else 1),
            "updownType": zone.direction,
            "sumTmUnitTypeCode": unit,
            "vdsId": detector_id(zone, 0),
            "speed": str(max(20, 104 - load_of(world, zone, hours[hour]) // 2)),
            "laneTypeNm": "갓길차로" if shoulder else "본선차로",
            "conzoneNm": zone.name,
            "criteriaDate": compact(day),
            "sTime": f"{hours[hour]:02d}00",
            "roadShift": f"{zone.start_km:.1f}",
            "dlcnLength": f"{zone.length:.2f}",
        }

    return Rows(len(zones) * len(hours) * 2, row)


def _sign_id(zone: Conzone) -> str:
    return f"{zone.route.number}VM{zone.direction}{zone.index % 1000:03d}"


def _messages(world: World, zone: Conzone) -> tuple[str, str]:
    grade = flow(world, zone).grade
    first = {"0": "안전띠를 매세요", "1": "소통 원활", "2": "서행 주의", "3": "정체 중"}[grade]
    minutes = max(1, round(max(flow(world, zone).seconds(zone.length), 60) / 60))
    return f"{zone.target.name}까지 {first}", f"{zone.target.name}까지 {minutes}분"


def _signs(world: World, query: Query) -> Reply:
    zones = chosen(
        conzones(world),
        query,
        vmsId=_sign_id,
        routeNo=lambda z: z.route.number,
        centerCode=lambda z: f"N{CENTERS[z.origin.center][0]}000",
        updownType=lambda z: z.direction,
    )

    def row(zone: Conzone) -> Record:
        x, y = zone.route.point(zone.origin.km)
        return {
            "vmsId": _sign_id(zone),
            "routeNo": zone.route.number,
            "routeName": zone.route.name,
            "centerCode": f"N{CENTERS[zone.origin.center][0]}000",
            "centerName": CENTERS[zone.origin.center][2],
            "updownType": zone.direction,
            "vmsMessage": _messages(world, zone)[0],
            "stdLink": f"{1_000_000_000 + zone.index * 137}",
            "xCoord": degrees(x),
            "yCoord": degrees(y),
        }

    return Rows.mapped(zones, row)


def _signs_by_route(world: World, query: Query) -> Reply:
    def row(zone: Conzone) -> Record:
        first, second = _messages(world, zone)
        return {"vmsId": _sign_id(zone), "updownType": zone.direction, "vmsMessage": first, "vmsMessage2": second}

    return Rows.mapped(chosen(conzones(world), query, routeNo=lambda z: z.route.number), row)


HANDLERS: Final[dict[str, Handler]] = {
    "spinRouteList": _spin_routes,
    "locationinfoIc": lambda world, _: Rows.mapped(interchanges(world), _ic_row),
    "unitList": _unit_codes,
    "locationinfoUnit": _unit_places,
    "trafficAmountByRealtime": _realtime,
    "trafficAmountByCongest": _congested,
    "vdsList": lambda world, _: Rows.mapped(
        world.table("highway.detectors", _detected), lambda place: _vds_row(*place)
    ),
    "avcList": lambda world, _: Rows.mapped(world.table("highway.avc", _avc_zones), _avc_row),
    "avcOg15DataList": _avc_quarters,
    "lcsRtLineGrp": _lcs_zones,
    "lcsSctnTrfl": _lcs_traffic,
    "vmsMessageSrch": _signs,
    "vmsMessageSrchByRoute": _signs_by_route,
}
