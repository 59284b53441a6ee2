"""Tollgates (영업소), and what the trip between two of them costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.highway.cities import CENTERS, OPERATORS
from kopa_hf.sandbox.highway.network import Interchange, distance, interchanges
from kopa_hf.sandbox.world import World

_FIRST_CODE: Final = 101
_DETOUR: Final = 1.28
"""How much longer a trip over several routes is than the straight line."""
_BASE_FARE: Final = 900
_PER_KM: Final = (443, 452, 470, 629, 744, 222)
"""Fare per 10 km, in won, of the six vehicle classes; the sixth (경차) pays half of the first."""
_REACH: Final = 8
"""Tollgates to each side on the same route between which trips are counted."""

CAR_CLASSES: Final = ("1종", "2종", "3종", "4종", "5종", "6종")
CAR_GROUPS: Final = (
    ("1", "소형차"),
    ("2", "중형차"),
    ("3", "대형차"),
    ("3", "대형차"),
    ("3", "대형차"),
    ("1", "소형차"),
)
"""Group of each class; the sixth are light cars."""


@dataclass(frozen=True, slots=True)
class Tollgate:
    """One tollgate; it stands at an interchange and has its name."""

    index: int
    code: str
    """Three digits."""
    at: Interchange
    branch: str
    """Code of the branch office (지사)."""
    branch_name: str

    @property
    def name(self) -> str:
        """Without 영업소."""
        return self.at.name

    @property
    def private(self) -> bool:
        """On a privately operated route."""
        return self.at.route.course.operator != "00"

    @property
    def division(self) -> tuple[str, str]:
        """Code and name of 도공/민자."""
        return ("01", "민자") if self.private else ("00", "도공")

    @property
    def center(self) -> tuple[str, str]:
        """Code and name of the regional office."""
        return f"N{CENTERS[self.at.center][0]}000", CENTERS[self.at.center][2]

    @property
    def region(self) -> tuple[str, str]:
        """Code and name of the region (권역)."""
        return CENTERS[self.at.center][0], CENTERS[self.at.center][1]

    @property
    def open(self) -> bool:
        """개방식 rather than 폐쇄식."""
        return self.at.route.course.open_tolls

    @property
    def operator(self) -> tuple[str, str]:
        """Code and name of who runs the route."""
        code = self.at.route.course.operator
        return code, OPERATORS[code]


def tollgates(world: World) -> tuple[Tollgate, ...]:
    """All tollgates, by code."""
    return world.table("highway.tollgates", _build)


def tollgate_by_code(world: World, code: str) -> Tollgate | None:
    """The tollgate of a code; blanks around it do not count."""
    by_code = world.table("highway.tollgates.by_code", lambda w: {gate.code: gate for gate in tollgates(w)})
    return by_code.get(code.strip())


def neighbours(world: World, gate: Tollgate) -> Sequence[Tollgate]:
    """The tollgates of the same route up to eight to each side, in order of code."""
    by_route: dict[int, list[Tollgate]] = world.table("highway.tollgates.by_route", _by_route)
    line = by_route[gate.at.route.index]
    place = line.index(gate)
    return line[max(place - _REACH, 0) : place] + line[place + 1 : place + 1 + _REACH]


def trip_km(one: Tollgate, other: Tollgate) -> float:
    """Kilometres between two tollgates: along the route where they share one."""
    if one.at.route.index == other.at.route.index:
        return round(abs(one.at.km - other.at.km), 2)
    return round(distance(one.at.x, one.at.y, other.at.x, other.at.y) * _DETOUR, 2)


def fare(one: Tollgate, other: Tollgate, car: int) -> int:
    """Won for one of the six classes (0 … 5), rounded to a hundred; the same both ways."""
    base = _BASE_FARE if car < 5 else _BASE_FARE // 2
    tenths = round(trip_km(one, other) * 10)
    return max(1, (base * 100 + _PER_KM[car] * tenths + 5000) // 10_000) * 100


def discounted(won: int, percent: int) -> int:
    """A fare less a percentage, rounded down to a hundred and never below a hundred."""
    return max(100, won * (100 - percent) // 10_000 * 100)


def _build(world: World) -> tuple[Tollgate, ...]:
    found: list[Tollgate] = []
    for junction in interchanges(world):
        # one place in twenty-five only joins two routes; the ends always take tolls
        stream = world.identity("highway", "tollgate", junction.index)
        if junction.position and stream.chance(0.04):
            continue
        number = len(found)
        area = number // 9
        name = junction.route.nearest_city(junction.km)
        found.append(Tollgate(number, f"{_FIRST_CODE + number:03d}", junction, f"N{area + 1:05d}", f"{name}지사"))
    # a branch office is named after the first tollgate it looks after
    first = {gate.branch: gate.branch_name for gate in reversed(found)}
    return tuple(Tollgate(gate.index, gate.code, gate.at, gate.branch, first[gate.branch]) for gate in found)


def _by_route(world: World) -> dict[int, list[Tollgate]]:
    lines: dict[int, list[Tollgate]] = {}
    for gate in tollgates(world):
        lines.setdefault(gate.at.route.index, []).append(gate)
    return lines
