"""Bus stops: two of every name, one on either side of the road.

Stops of a 시군 lie in rows that run to and fro, so that stops with neighbouring numbers are neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt, sqrt
from typing import Final

from kopa_hf.sandbox.province.municipalities import Sigun, hoods, shares, siguns
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World

PAIRS: Final = 12_300
"""Pairs of stops in the province, at scale 1."""
_FIRST_NUMBER: Final = 10_001
_SPREAD: Final = 0.12
"""Degrees from a 시군's first row of stops to its last."""
_ACROSS: Final = 0.00018
"""Degrees from a stop to the one opposite."""
_METRES_EAST: Final = 88_320
"""Metres in a degree of longitude, in the middle of the province."""
_METRES_NORTH: Final = 110_990
_HEADS: Final = (
    "가온",
    "누리",
    "다솜",
    "라온",
    "마루",
    "보람",
    "새벽",
    "아라",
    "은하",
    "한별",
    "솔숲",
    "햇살",
    "미르",
    "나래",
    "도담",
    "여울",
)
_TAILS: Final = ("초등학교", "아파트", "사거리", "공원", "시장", "마을회관", "주민센터앞", "고등학교", "병원앞", "입구")


@dataclass(frozen=True, slots=True)
class Station:
    """One stop."""

    index: int
    """Over the whole province; even and odd neighbours share their name."""
    sigun: Sigun
    identifier: int
    """Nine digits."""
    number: int
    """Five digits, printed on the pole."""
    name: str
    neighbourhood: str
    x: float
    """Longitude."""
    y: float
    """Latitude."""
    central: bool
    """Stands on a central lane."""


def pair_count(world: World) -> int:
    """How many pairs of stops there are."""
    return max(world.count(PAIRS), 2 * len(siguns()))


def pairs_of(world: World, sigun: Sigun) -> range:
    """The pairs of one 시군."""
    return shares(pair_count(world)).span(sigun)


def station(world: World, index: int) -> Station:
    """The stop of that number."""
    pair, side = divmod(index, 2)
    share = shares(pair_count(world))
    sigun = share.sigun_at(pair)
    span = share.span(sigun)
    place = pair - span.start
    draw = mix(world.identity("province", "stop", pair).u64(), 0)
    names = hoods(sigun.position)
    hood = names[draw % len(names)].name
    name = _HEADS[(draw >> 8) % len(_HEADS)] + _TAILS[(draw >> 16) % len(_TAILS)]
    if (draw >> 24) % 3:
        name = f"{hood}.{name}"
    wide = isqrt(len(span) - 1) + 1
    row, column = divmod(place, wide)
    column = wide - 1 - column if row % 2 else column
    return Station(
        index,
        sigun,
        200_000_000 + sigun.position * 1_000_000 + place * 2 + side + 1,
        _FIRST_NUMBER + index * 3,
        name,
        hood,
        round(sigun.longitude + (column / wide - 0.5) * _SPREAD + side * _ACROSS, 7),
        round(sigun.latitude + (row / wide - 0.5) * _SPREAD, 7),
        draw % 20 == 0,
    )


def station_of_id(world: World, text: str) -> Station | None:
    """The stop of an identifier as text."""
    if len(text) != 9 or not text.isascii() or not text.isdigit():
        return None
    position, rest = divmod(int(text) - 200_000_000, 1_000_000)
    if not 0 <= position < len(siguns()) or rest < 1:
        return None
    span = pairs_of(world, siguns()[position])
    pair, side = divmod(rest - 1, 2)
    return station(world, (span.start + pair) * 2 + side) if pair < len(span) else None


def search(world: World, keyword: str) -> list[Station]:
    """Stops whose name holds a keyword, or whose number begins with it."""
    names: list[str] = world.table(
        "province.stops.names", lambda w: [station(w, pair * 2).name for pair in range(pair_count(w))]
    )
    if keyword.isascii() and keyword.isdigit():
        last = _FIRST_NUMBER + (len(names) * 2 - 1) * 3
        numbers = range(_FIRST_NUMBER, last + 1, 3)
        found = [(number - _FIRST_NUMBER) // 3 for number in numbers if str(number).startswith(keyword)]
    else:
        found = [index for pair, name in enumerate(names) if keyword in name for index in (pair * 2, pair * 2 + 1)]
    return [station(world, index) for index in found]


def around(world: World, x: float, y: float, metres: int = 500) -> list[tuple[int, Station]]:
    """(distance, stop) within some metres of a point, nearest first."""
    found = []
    for sigun in siguns():
        if abs(sigun.latitude - y) > _SPREAD or abs(sigun.longitude - x) > _SPREAD:
            continue
        span = pairs_of(world, sigun)
        for index in range(span.start * 2, span.stop * 2):
            stop = station(world, index)
            away = distance(x, y, stop.x, stop.y)
            if away <= metres:
                found.append((away, stop))
    return sorted(found, key=lambda pair: (pair[0], pair[1].index))


def distance(x: float, y: float, to_x: float, to_y: float) -> int:
    """Metres between two points that are close to each other."""
    east, north = (to_x - x) * _METRES_EAST, (to_y - y) * _METRES_NORTH
    return round(sqrt(east * east + north * north))
