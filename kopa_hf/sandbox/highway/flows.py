"""How many vehicles pass: a tollgate's day is drawn, everything smaller is a share of it.

Shares are cut at fixed permilles by whole numbers, so the hours add up to the day, the kinds of
lane and the vehicle classes to the hour, and the quarters to the hour again: exactly.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final

from kopa_hf.sandbox.calendar import is_business_day
from kopa_hf.sandbox.highway.cities import CENTERS
from kopa_hf.sandbox.highway.tollgates import Tollgate, tollgates
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.world import LAST_DAY, World

NOW_HOUR: Final = 18
"""The hour at which the realtime services are asked: the evening rush of the world's today."""
IN: Final = 0
OUT: Final = 1

_WEEKDAY: Final = (985, 960, 965, 995, 1110, 1025, 940)
_HOLIDAY: Final = 1180
_PROFILES: Final = (
    (9, 6, 5, 5, 10, 24, 49, 72, 68, 55, 51, 51, 49, 50, 53, 57, 63, 74, 76, 58, 42, 32, 24, 17),
    (11, 8, 6, 6, 9, 18, 33, 51, 59, 61, 62, 61, 57, 58, 60, 62, 65, 68, 66, 54, 42, 34, 28, 21),
    (8, 5, 4, 4, 12, 31, 62, 84, 73, 50, 44, 43, 42, 43, 45, 50, 60, 81, 85, 62, 43, 31, 22, 16),
)
"""Shares of the 24 hours, of every sort of place, in permille."""
_CARS: Final = (704, 38, 61, 43, 69, 85)
_LANES: Final = (121, 879)
"""TCS, Hi-pass."""
_QUARTERS: Final = (258, 247, 252, 243)
_TWELFTHS: Final = (87, 85, 86, 82, 83, 82, 84, 83, 85, 81, 82, 80)


def _marks(shares: Sequence[int]) -> tuple[int, ...]:
    total, marks = 0, [0]
    for share in shares:
        total += share
        marks.append(total)
    assert total == 1000, shares
    return tuple(marks)


_HOURS_AT: Final = tuple(_marks(profile) for profile in _PROFILES)
_CARS_AT: Final = _marks(_CARS)
_LANES_AT: Final = _marks(_LANES)
_QUARTERS_AT: Final = _marks(_QUARTERS)
_TWELFTHS_AT: Final = _marks(_TWELFTHS)


def _share(total: int, marks: Sequence[int], place: int) -> int:
    """The part of a total between two marks; all parts together are the total."""
    return total * marks[place + 1] // 1000 - total * marks[place] // 1000


def day_volume(world: World, gate: Tollgate, day: datetime.date, way: int) -> int:
    """Vehicles that entered (0) or left (1) at a tollgate on a day."""
    usual = world.table("highway.usual", _usual_volumes)[gate.index]
    factor = _WEEKDAY[day.weekday()] if is_business_day(day) or day.weekday() > 4 else _HOLIDAY
    seed = world.measure_seed("highway", "day", gate.index)
    noise = 1000 + int(45 * bell(mix(seed, day.toordinal() * 2 + way)))
    return usual * factor * noise // 1_000_000


def hour_volume(world: World, gate: Tollgate, day: datetime.date, way: int, hour: int) -> int:
    """Vehicles of one hour; the 24 hours are the day."""
    return _share(day_volume(world, gate, day, way), _HOURS_AT[gate.index % 3], hour)


def class_volume(hour: int, lane: int, car: int) -> int:
    """Vehicles of one lane kind (0 TCS, 1 하이패스) and class (0 … 5), out of an hour's volume."""
    return _share(_share(hour, _LANES_AT, lane), _CARS_AT, car)


def part_volume(volume: int, unit: str, part: int) -> int:
    """Vehicles of one part of an hour; `unit` as `tmType` counts: 1 hour, 2 quarters, 3 five minutes."""
    if unit == "1":
        return volume
    return _share(volume, _QUARTERS_AT if unit == "2" else _TWELFTHS_AT, part)


def national_day(world: World, day: datetime.date) -> dict[tuple[str, int, int], int]:
    """Vehicles that left all tollgates on a day, by division (00, 01), lane kind and class."""

    def build(world: World) -> dict[tuple[str, int, int], int]:
        total: dict[tuple[str, int, int], int] = {}
        for gate in tollgates(world):
            for hour in range(24):
                _add(total, gate.division[0], hour_volume(world, gate, day, OUT, hour))
        return total

    return world.table(f"highway.national.{day:%Y%m%d}", build)


def national_hour(world: World, day: datetime.date, hour: int, unit: str, part: int) -> dict[tuple[str, int, int], int]:
    """The same for one hour, or for a part of it."""
    total: dict[tuple[str, int, int], int] = {}
    for gate in tollgates(world):
        _add(total, gate.division[0], hour_volume(world, gate, day, OUT, hour), unit, part)
    return total


def _add(total: dict[tuple[str, int, int], int], division: str, hour: int, unit: str = "1", part: int = 0) -> None:
    for lane in (0, 1):
        for car in range(6):
            key = (division, lane, car)
            total[key] = total.get(key, 0) + part_volume(class_volume(hour, lane, car), unit, part)


def latest_hour(hour: int) -> datetime.date:
    """The last day on which that hour is over, seen from now."""
    return LAST_DAY if hour < NOW_HOUR else LAST_DAY - datetime.timedelta(days=1)


def _usual_volumes(world: World) -> tuple[int, ...]:
    """A tollgate's usual day: a long tail, and ten times as much around the capital."""
    found = []
    for gate in tollgates(world):
        stream = world.measure("highway", "usual", gate.index)
        usual = stream.octave(600, 20_000)
        if CENTERS[gate.at.center][0] == "01":
            usual = usual * 2 + 4_000
        if gate.at.position == 0 or gate.name == gate.at.route.course.cities[-1]:
            usual += 9_000
        found.append(usual)
    return tuple(found)
