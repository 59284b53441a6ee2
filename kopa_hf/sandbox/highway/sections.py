"""Conzones (콘존): stretches between interchanges in one direction, how traffic flows there, and what stands there."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from kopa_hf.sandbox.highway.flows import NOW_HOUR
from kopa_hf.sandbox.highway.network import Interchange, Route, interchanges_of, routes
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.world import LAST_DAY, World

Direction = Literal["S", "E"]
"""S towards the start (기점), E towards the end (종점) of the route."""

_LIMIT: Final = 100
_RUSH: Final = frozenset({7, 8, 9, 17, 18, 19})
_SHARES: Final = (9, 6, 5, 5, 10, 24, 49, 72, 68, 55, 51, 51, 49, 50, 53, 57, 63, 74, 76, 58, 42, 32, 24, 17)
"""Permille of a day's vehicles in each hour."""


@dataclass(frozen=True, slots=True)
class Conzone:
    """One stretch in one direction."""

    index: int
    id: str
    """0010CZE010: route, CZ, direction, number."""
    route: Route
    direction: Direction
    origin: Interchange
    target: Interchange
    detectors: int
    lanes: int
    lane_control: bool
    """Shoulder lanes are opened by signs (LCS)."""

    @property
    def name(self) -> str:
        """수원신갈IC-기흥IC, in driving order."""
        return f"{self.origin.name}IC-{self.target.name}IC"

    @property
    def length(self) -> float:
        """Kilometres."""
        return round(abs(self.target.km - self.origin.km), 2)

    @property
    def start_km(self) -> float:
        """The end nearer to the route's start."""
        return min(self.origin.km, self.target.km)


@dataclass(frozen=True, slots=True)
class Flow:
    """Traffic of a conzone at one moment."""

    speed: int
    """km/h; -1: not measured."""
    volume: int
    """Vehicles in five minutes; -1: not measured."""
    occupancy: float
    """Percent of time that the detector is covered."""

    @property
    def grade(self) -> str:
        """0 unknown, 1 free, 2 slow, 3 congested."""
        if self.speed < 0:
            return "0"
        return "1" if self.speed >= 80 else "2" if self.speed >= 40 else "3"

    def seconds(self, length: float) -> int:
        """Driving time over a length; -1 where the speed is unknown."""
        return -1 if self.speed <= 0 else round(length / self.speed * 3600)


def conzones(world: World) -> tuple[Conzone, ...]:
    """All conzones: route by route, both directions of a stretch together."""
    return world.table("highway.conzones", _build)


def conzone_by_id(world: World, code: str) -> Conzone | None:
    """The conzone of an id."""
    by_id = world.table("highway.conzones.by_id", lambda w: {zone.id: zone for zone in conzones(w)})
    return by_id.get(code)


def detector_id(zone: Conzone, number: int) -> str:
    """0010VDE00112: the detectors (VDS) of a conzone are numbered along it."""
    return f"{zone.route.number}VD{zone.direction}{zone.index % 1000:03d}{number:02d}"


def flow(world: World, zone: Conzone, number: int = 0) -> Flow:
    """What a conzone's detector measures now."""
    draw = mix(world.measure_seed("highway", "flow", zone.id), number)
    if draw % 100 == 7:
        return Flow(-1, -1, -1.0)
    load = load_of(world, zone, NOW_HOUR)
    wobble = bell(mix(draw, 1))
    speed = int(_LIMIT + 4 * wobble) if load < 70 else int(_LIMIT - (load - 70) * 2.1 + 5 * wobble)
    speed = max(8, min(speed, 112))
    volume = max(1, int(zone.lanes * load * (1.6 if speed > 50 else 1.1) + 3 * wobble))
    return Flow(speed, volume, round(min(68.0, 2 + load * load / 190), 1))


def load_of(world: World, zone: Conzone, hour: int) -> int:
    """How full a conzone is in an hour, in percent of what flows freely."""
    base = world.measure("highway", "load", zone.id).between(18, 72)
    capital = 28 if zone.origin.center == 0 else 0
    return (base + capital) * (_SHARES[hour] + (8 if hour in _RUSH else 0)) // 76


def counted(world: World, zone: Conzone, day: datetime.date, slot: int) -> int:
    """Vehicles in a quarter (slot 0 … 95) of a day; -1 where the detector was silent."""
    draw = mix(world.measure_seed("highway", "count", zone.id), day.toordinal() * 96 + slot)
    if draw % 40 == 0:
        return -1
    return max(0, int(load_of(world, zone, slot // 4) * zone.lanes * 3.4 * (1 + 0.08 * bell(draw))))


def is_past(day: datetime.date, hour: int, minute: int = 0) -> bool:
    """Whether a moment is over, seen from the realtime services' now."""
    return day < LAST_DAY or (day == LAST_DAY and hour * 60 + minute < NOW_HOUR * 60)


def _build(world: World) -> tuple[Conzone, ...]:
    found: list[Conzone] = []
    for route in routes(world):
        junctions = interchanges_of(world, route)
        for number, (near, far) in enumerate(pairwise(junctions), start=1):
            stream = world.identity("highway", "conzone", route.number, number)
            detectors = stream.weighted(((1, 3), (2, 5), (3, 3), (4, 1)))
            lanes = 4 if near.center == 0 else stream.weighted(((2, 5), (3, 3), (4, 1)))
            control = stream.chance(0.3 if near.center == 0 else 0.04)
            pairs: tuple[tuple[Direction, Interchange, Interchange], ...] = (("E", near, far), ("S", far, near))
            for direction, origin, target in pairs:
                code = f"{route.number}CZ{direction}{number * 10:03d}"
                zone = Conzone(len(found), code, route, direction, origin, target, detectors, lanes, control)
                found.append(zone)
    return tuple(found)
