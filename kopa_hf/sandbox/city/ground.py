"""The city's ground: 25 districts with weights and centres, administrative neighbourhoods, points and addresses.

Districts and their codes are official (`sandbox.places`). Administrative neighbourhoods (행정동) take
the names of the statutory ones; their 8-digit codes have the register's form but are this world's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Final

from kopa_hf.sandbox.places import District, Neighbourhood, districts, neighbourhoods
from kopa_hf.sandbox.rng import Stream, mix
from kopa_hf.sandbox.world import World

SEOUL: Final = "11"
NOW: Final = "2026-01-30 09:00"
"""The moment at which real-time services are asked."""

_FACTS: Final = {
    "11110": (37.591, 126.977, 139, "111123"), "11140": (37.560, 126.996, 121, "111121"),
    "11170": (37.531, 126.980, 205, "111131"), "11200": (37.551, 127.041, 276, "111142"),
    "11215": (37.547, 127.086, 333, "111141"), "11230": (37.582, 127.055, 340, "111152"),
    "11260": (37.598, 127.093, 380, "111151"), "11290": (37.606, 127.018, 425, "111161"),
    "11305": (37.643, 127.011, 286, "111291"), "11320": (37.669, 127.032, 303, "111171"),
    "11350": (37.653, 127.075, 492, "111311"), "11380": (37.619, 126.927, 460, "111181"),
    "11410": (37.578, 126.939, 303, "111191"), "11440": (37.559, 126.908, 363, "111201"),
    "11470": (37.525, 126.856, 430, "111301"), "11500": (37.561, 126.823, 560, "111212"),
    "11530": (37.494, 126.856, 390, "111221"), "11545": (37.461, 126.901, 227, "111281"),
    "11560": (37.522, 126.910, 374, "111231"), "11590": (37.499, 126.952, 376, "111241"),
    "11620": (37.467, 126.945, 481, "111251"), "11650": (37.473, 127.031, 402, "111262"),
    "11680": (37.496, 127.063, 543, "111261"), "11710": (37.506, 127.115, 651, "111273"),
    "11740": (37.550, 127.147, 461, "111274"),
}  # fmt: skip
"""District code → latitude and longitude of its middle, residents in thousands, code of its air station."""
_LEAST_DONGS: Final = 14


@dataclass(frozen=True, slots=True)
class Borough:
    """One of the 25 자치구."""

    number: int
    """1 (종로구) to 25 (강동구), the city's own order."""
    district: District
    latitude: float
    longitude: float
    residents: int
    """Thousands, for weights."""
    air_code: str
    """측정소 행정코드, 6 digits: not the district's code."""

    @property
    def code(self) -> str:
        """Five digits."""
        return self.district.code

    @property
    def name(self) -> str:
        """종로구."""
        return self.district.name

    @property
    def office_code(self) -> str:
        """개방자치단체코드, 7 digits: how licences name the district's office."""
        return f"{3_000_000 + (self.number - 1) * 10_000}"


@dataclass(frozen=True, slots=True)
class Dong:
    """A 행정동."""

    code: str
    """Eight digits."""
    name: str
    borough: Borough
    weight: int


@cache
def boroughs() -> tuple[Borough, ...]:
    """All districts of the city, in its own order (종로구 first, 강동구 last)."""
    found = []
    for number, place in enumerate(districts(SEOUL), 1):
        latitude, longitude, residents, air_code = _FACTS[place.code]
        found.append(Borough(number, place, latitude, longitude, residents, air_code))
    return tuple(found)


@cache
def borough_of(text: str) -> Borough | None:
    """The district of a 5-digit code or a name (종로구)."""
    return next((b for b in boroughs() if text in (b.code, b.name)), None)


@cache
def _people_up_to() -> tuple[int, ...]:
    return tuple(accumulate(b.residents for b in boroughs()))


def any_borough(stream: Stream) -> Borough:
    """A district, the larger the likelier."""
    sums = _people_up_to()
    point = stream.below(sums[-1])
    return next(b for b, limit in zip(boroughs(), sums, strict=True) if point < limit)


def shares(total: int) -> tuple[int, ...]:
    """`total` things divided among the districts by residents; the parts add up to it."""
    sums = _people_up_to()
    ends = [total * s // sums[-1] for s in sums]
    return tuple(end - start for start, end in zip([0, *ends], ends, strict=False))


def split(total: int, weights: tuple[int, ...]) -> list[int]:
    """`total` divided by weights into whole parts that add up to it."""
    whole = sum(weights)
    parts, done, running = [], 0, 0
    for weight in weights:
        running += weight
        end = total * running // whole
        parts.append(end - done)
        done = end
    return parts


def dongs(world: World) -> tuple[Dong, ...]:
    """All administrative neighbourhoods, district by district."""
    return world.table("city.dongs", lambda w: tuple(d for b in boroughs() for d in _dongs_of(w, b)))


def dongs_in(world: World, code: str) -> tuple[Dong, ...]:
    """Those of one district."""
    return world.table(f"city.dongs.{code}", lambda w: tuple(d for d in dongs(w) if d.borough.code == code))


def _dongs_of(world: World, borough: Borough) -> list[Dong]:
    legal = [n.name for n in neighbourhoods(borough.code) if n.name.endswith("동")]
    count = max(_LEAST_DONGS, round(borough.residents / 24))
    names = legal[:count]
    turn = 0
    while len(names) < count:  # few but large neighbourhoods are numbered
        turn += 1
        names += [f"{n.removesuffix('동')}{turn}동" for n in legal][: count - len(names)]
    stream = world.identity("city", "dongs", borough.code)
    return [
        Dong(f"{borough.code}{510 + 10 * i if i < 48 else i}", name, borough, stream.between(60, 240))
        for i, name in enumerate(sorted(names))
    ]


def any_neighbourhood(stream: Stream, borough: Borough) -> Neighbourhood:
    """A statutory neighbourhood of a district."""
    return stream.choice(neighbourhoods(borough.code))


def point(stream: Stream, borough: Borough) -> tuple[float, float]:
    """(latitude, longitude) somewhere in a district."""
    north, east = stream.below(36_001) - 18_000, stream.below(40_001) - 20_000
    return round(borough.latitude + north / 1e6, 6), round(borough.longitude + east / 1e6, 6)


def plane(latitude: float, longitude: float) -> tuple[float, float]:
    """Metres on the city's plane grid, to within a few hundred metres of the true projection."""
    return 200_000 + (longitude - 127.0) * 88_300, 500_000 + (latitude - 38.0) * 110_980


def near(value: int, draw: int, percent: int) -> int:
    """`value` moved by up to `percent` per cent either way, at least 0."""
    return max(value + value * ((draw >> 7) % (2 * percent + 1) - percent) // 100, 0)


def draw(seed: int, *turns: int) -> int:
    """A 64-bit draw of a seed at a place given by several numbers."""
    for turn in turns:
        seed = mix(seed, turn)
    return seed
