"""Handlers of trips: fares, travel times, the day's forecast, special days, fixed sections."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, pairwise
from typing import Final

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.highway.common import option_of
from kopa_hf.sandbox.highway.flows import NOW_HOUR, OUT, class_volume, day_volume, hour_volume
from kopa_hf.sandbox.highway.tollgates import (
    CAR_CLASSES,
    CAR_GROUPS,
    Tollgate,
    discounted,
    fare,
    neighbours,
    tollgate_by_code,
    tollgates,
    trip_km,
)
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.world import LAST_DAY, World

_LATE: Final = 3
"""Hours that measured travel times lag behind."""
_SLOTS: Final = {"1": 12, "2": 4, "3": 1}
_CLASSES: Final = 6
_COMMUTER, _NIGHT = 20, 30
"""Percent off in the two discount windows."""


# fares


def _tolls(world: World, query: Query) -> Reply:
    """Every ordered pair of tollgates; a filter on one end leaves the other free."""
    starts = _ends(world, query.get("dprtrTolofCd"), query.get("dprtrTolofNm"))
    targets = _ends(world, query.get("arrvTolofCd"), query.get("arrvTolofNm"))
    operator = query.get("hoinstCd")
    if operator:
        starts = [gate for gate in starts if gate.operator[0] == operator]
    if len(starts) == len(targets) == 1:
        same = starts[0].index == targets[0].index
        return NO_ROWS if same else Rows.of([_toll_row(starts[0], targets[0])])
    if len(targets) == len(tollgates(world)):
        # one row less per start: nobody pays for going nowhere
        others = len(targets) - 1

        def row(index: int) -> Record:
            place, other = divmod(index, others)
            start = starts[place]
            return _toll_row(start, targets[other + (other >= start.index)])

        return Rows(len(starts) * others, row)
    pairs = [(start, target) for start in starts for target in targets if start.index != target.index]
    return Rows.mapped(pairs, lambda pair: _toll_row(*pair))


def _ends(world: World, code: str, name: str) -> list[Tollgate]:
    if code:
        gate = tollgate_by_code(world, code)
        return [gate] if gate is not None and name in ("", gate.name) else []
    return [gate for gate in tollgates(world) if name in ("", gate.name)]


def _toll_row(start: Tollgate, target: Tollgate) -> Record:
    full = [fare(start, target, car) for car in range(_CLASSES)] + [0, 0]
    record: Record = {
        "dprtrTolofCd": start.code,
        "dprtrTolofNm": start.name,
        "arrvTolofCd": target.code,
        "arrvTolofNm": target.name,
        "hoinstCd": start.operator[0],
        "hoinstNm": start.operator[1],
    }
    record |= {f"nrmlKnd{i + 1}Amt": str(full[i]) for i in range(8)}
    for number, percent, first, last in ((1, _COMMUTER, "0500", "0700"), (2, _NIGHT, "2100", "0600")):
        record |= {f"odn{number}DcKnd{i + 1}Amt": str(discounted(full[i], percent) if full[i] else 0) for i in range(8)}
        record |= {f"odn{number}DcStrtHhmm": first, f"odn{number}DcEndHhmm": last}
    return record


# travel times


def _pairs_of(world: World, query: Query) -> list[tuple[Tollgate, Tollgate]] | None:
    """The pairs that the codes choose; None: all."""
    start, end = query.get("iStartUnitCode"), query.get("iEndUnitCode")
    if not start and not end:
        return None
    one, other = tollgate_by_code(world, start), tollgate_by_code(world, end)
    if start and end:
        if one is None or other is None or other not in neighbours(world, one):
            return []
        return [(one, other)]
    if start:
        return [] if one is None else [(one, gate) for gate in neighbours(world, one)]
    return [] if other is None else [(gate, other) for gate in neighbours(world, other)]


def _travel_times(world: World, query: Query) -> Reply:
    """Per pair and class the latest slot first; the latest hours are not there yet."""
    unit = option_of(query, "sumTmUnitTypeCode", "123", "3")
    basis = option_of(query, "iStartEndStdTypeCode", "12", "2")
    slots = (NOW_HOUR - _LATE) * _SLOTS[unit]
    pairs = _pairs_of(world, query)
    per_pair = slots * _CLASSES
    if pairs is None:
        gates = tollgates(world)
        ends = world.table("highway.pair_ends", lambda w: list(accumulate(len(neighbours(w, g)) for g in tollgates(w))))

        def pair_at(place: int) -> tuple[Tollgate, Tollgate]:
            gate = gates[bisect_right(ends, place)]
            return gate, neighbours(world, gate)[place - (ends[gate.index - 1] if gate.index else 0)]

        count = ends[-1]
    else:
        chosen_pairs = pairs

        def pair_at(place: int) -> tuple[Tollgate, Tollgate]:
            return chosen_pairs[place]

        count = len(pairs)

    def row(index: int) -> Record:
        place, rest = divmod(index, per_pair)
        car, back = divmod(rest, slots)
        return _travel_row(world, *pair_at(place), car, slots - 1 - back, unit, basis)

    return Rows(count * per_pair, row)


def _travel_row(world: World, start: Tollgate, end: Tollgate, car: int, slot: int, unit: str, basis: str) -> Record:
    per_hour = _SLOTS[unit]
    hour, part = divmod(slot, per_hour)
    gate, way = (start, 0) if basis == "1" else (end, OUT)
    whole = class_volume(hour_volume(world, gate, LAST_DAY, way, hour), 1, car)
    average = minutes_between(world, start, end, hour, slot * 7 + per_hour, car)
    spread = mix(world.measure_seed("highway", "spread", start.code, end.code), slot * 8 + car)
    return {
        "startUnitCode": start.code,
        "startUnitNm": start.name,
        "endUnitCode": end.code,
        "endUnitNm": end.name,
        "startEndStdTypeCode": basis,
        "startEndStdTypeNm": "출발기준통행시간" if basis == "1" else "도착기준통행시간",
        "stdDate": compact(LAST_DAY),
        "stdTime": f"{hour:02d}:{part * 60 // per_hour:02d}",
        "tcsCarTypeCode": str(car + 1),
        "tcsCarTypeName": CAR_CLASSES[car],
        "tcsCarTypeDivCode": CAR_GROUPS[car][0],
        "tcsCarTypeDivName": CAR_GROUPS[car][1],
        "efcvTrfl": str(whole // (12 * per_hour) + spread % 5),
        "timeAvg": f"{average:.3f}",
        "timeMax": f"{average * (1.08 + spread % 23 / 100):.3f}",
        "timeMin": f"{average * (0.94 - spread % 17 / 100):.3f}",
    }


def minutes_between(world: World, start: Tollgate, end: Tollgate, hour: int, salt: int, car: int = 0) -> float:
    """Minutes of a trip in an hour of the world's today; slower in the rush and near the capital."""
    rush = {7: 18, 8: 26, 9: 14, 16: 8, 17: 20, 18: 30, 19: 16}.get(hour, 0)
    near = 2 if 0 in (start.at.center, end.at.center) else 1
    length = trip_km(start, end)
    # a long trip leaves the crowded stretch behind
    delay = rush * near / 1.6 * min(1.0, 90 / max(length, 1))
    noise = bell(mix(world.measure_seed("highway", "trip", start.code, end.code), salt))
    speed = 97 - delay + 3 * noise - (5 if 0 < car < 5 else 0)
    return length / max(speed, 18) * 60 + 1.5


# the forecast

_TRIPS: Final = (
    ("su", "dj", "서울", "대전"), ("su", "dg", "서울", "대구"), ("su", "us", "서울", "울산"), ("su", "bs", "서울", "부산"),
    ("su", "gj", "서울", "광주"), ("su", "mp", "서울", "목포"), ("su", "kr", "서울", "강릉"), ("dj", "su", "대전", "서울"),
    ("dg", "su", "대구", "서울"), ("us", "su", "울산", "서울"), ("bs", "su", "부산", "서울"), ("gj", "su", "광주", "서울"),
    ("mp", "su", "목포", "서울"), ("kr", "su", "강릉", "서울"), ("su", "yy", "남양주", "양양"), ("yy", "su", "양양", "남양주"),
)  # fmt: skip
"""Two letters of either end as the columns are called, and the tollgates that stand for them."""


def _forecast(world: World, query: Query) -> Reply:
    by_name = {gate.name: gate for gate in tollgates(world)}
    total = sum(day_volume(world, gate, LAST_DAY, OUT) for gate in tollgates(world))
    around = sum(day_volume(world, gate, LAST_DAY, OUT) for gate in tollgates(world) if gate.at.center == 0)
    record: Record = {
        "sdate": compact(LAST_DAY),
        "stime": f"{NOW_HOUR:02d}00",
        "cjunkook": str(total),
        "cjibangDir": str(around * 52 // 100),
        "cseoulDir": str(around - around * 52 // 100),
    }
    minutes = {
        f"c{one}{other}": minutes_between(world, by_name[start], by_name[end], NOW_HOUR, 24)
        for one, other, start, end in _TRIPS
        if start in by_name and end in by_name
    }
    record |= {name: _clock(value) for name, value in minutes.items()}
    # buses have a lane of their own, but stop and keep to their own limit
    record |= {f"{name}_bus": _clock(value * 0.93 + 12) for name, value in minutes.items()}
    return Rows.of([record])


def _clock(minutes: float) -> str:
    whole = round(minutes)
    return f"{whole // 60}:{whole % 60:02d}"


# special days

_DAYS: Final = (("1", "설날"), ("2", "추석"), ("3", "여름휴가"))
_AROUND: Final = (("1", "전전일"), ("2", "전일"), ("3", "당일"), ("4", "익일"), ("5", "익익일"))
_YEARS: Final = (2022, 2023, 2024, 2025)


def _special_days(world: World, query: Query) -> Reply:
    wanted = query.get("iStdYear")
    rows = []
    for year in _YEARS:
        if wanted not in ("", str(year)):
            continue
        for code, name in _DAYS:
            for scope, scope_name in _AROUND:
                volume = 380_000 + 32_000 * (3 - abs(3 - int(scope)))
                for hour in range(24):
                    noise = bell(mix(world.measure_seed("highway", "special", year, code, scope), hour))
                    share = 1.0 - abs(hour - 14) / 17
                    rows.append(
                        {
                            "stdYear": str(year),
                            "sphlDfttNm": name,
                            "sphlDfttCode": code,
                            "sphlDfttScopTypeNm": scope_name,
                            "sphlDfttScopTypeCode": scope,
                            "stdHour": f"{hour:02d}",
                            "trfl": str(max(9_000, int(volume * share * (0.42 + 0.01 * noise)))),
                        }
                    )
    return Rows.of(rows)


def _fixed_sections(world: World, query: Query) -> Reply:
    """Whatever is asked: the same eleven sections of the first route."""
    gates = [gate for gate in tollgates(world) if gate.at.route.index == 0][:12]
    pairs = list(pairwise(gates))
    return Rows.mapped(pairs, lambda pair: {"stUnitCd": pair[0].code, "edUnitCd": pair[1].code})


HANDLERS: Final[dict[str, Handler]] = {
    "bhoinstIntoTollList": _tolls,
    "realUnitTrtm": _travel_times,
    "forecast": _forecast,
    "trafficFlowByTime": _special_days,
    "totalSpeed": _fixed_sections,
}
