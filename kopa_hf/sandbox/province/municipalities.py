"""The 31 시군 of 경기도 and places in them.

Names, codes and neighbourhoods are official; inhabitants and centres are rounded figures that only
weigh how many things a place has and where on the map they lie. Streets and numbers are invented.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Final

from kopa_hf.sandbox.places import Neighbourhood, districts, lot_address, municipalities, neighbourhoods, street_address
from kopa_hf.sandbox.rng import Stream

PROVINCE: Final = "경기도"
_CODE: Final = "41"

_FIGURES: Final[dict[str, tuple[int, float, float, int, str]]] = {
    "수원시": (1190, 37.2636, 127.0286, 16200, "031"), "성남시": (915, 37.4200, 127.1265, 13100, "031"),
    "의정부시": (463, 37.7381, 127.0338, 11600, "031"), "안양시": (548, 37.3943, 126.9568, 13900, "031"),
    "부천시": (770, 37.5034, 126.7660, 14400, "032"), "광명시": (278, 37.4786, 126.8646, 14200, "02"),
    "평택시": (595, 36.9921, 127.1129, 17700, "031"), "동두천시": (87, 37.9036, 127.0606, 11300, "031"),
    "안산시": (625, 37.3219, 126.8309, 15200, "031"), "고양시": (1066, 37.6584, 126.8320, 10200, "031"),
    "과천시": (83, 37.4292, 126.9877, 13800, "02"), "구리시": (187, 37.5943, 127.1296, 11900, "031"),
    "남양주시": (730, 37.6360, 127.2165, 12000, "031"), "오산시": (237, 37.1498, 127.0772, 18100, "031"),
    "시흥시": (520, 37.3801, 126.8029, 14900, "031"), "군포시": (257, 37.3617, 126.9352, 15800, "031"),
    "의왕시": (155, 37.3447, 126.9683, 16000, "031"), "하남시": (330, 37.5393, 127.2149, 12900, "031"),
    "용인시": (1092, 37.2411, 127.1776, 16800, "031"), "파주시": (513, 37.7600, 126.7800, 10800, "031"),
    "이천시": (223, 37.2723, 127.4350, 17300, "031"), "안성시": (193, 37.0080, 127.2797, 17500, "031"),
    "김포시": (486, 37.6153, 126.7156, 10000, "031"), "화성시": (965, 37.1996, 126.8312, 18200, "031"),
    "광주시": (392, 37.4294, 127.2551, 12700, "031"), "양주시": (280, 37.7853, 127.0458, 11400, "031"),
    "포천시": (141, 37.8949, 127.2003, 11100, "031"), "여주시": (113, 37.2983, 127.6374, 12600, "031"),
    "연천군": (41, 38.0965, 127.0747, 11000, "031"), "가평군": (62, 37.8315, 127.5106, 12400, "031"),
    "양평군": (126, 37.4917, 127.4875, 12500, "031"),
}  # fmt: skip
"""Name → inhabitants in thousands, latitude and longitude of the centre, first post code, dialling code."""


@dataclass(frozen=True, slots=True)
class Sigun:
    """One 시 or 군."""

    position: int
    """0 … 30, in order of the codes."""
    code: str
    """Five digits of the administrative standard code: 41110."""
    name: str
    inhabitants: int
    """In thousands."""
    latitude: float
    longitude: float
    first_zip: int
    dialling: str

    @property
    def full_name(self) -> str:
        """경기도 수원시."""
        return f"{PROVINCE} {self.name}"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place with both of its addresses."""

    neighbourhood: Neighbourhood
    lot: str
    road: str
    zip_code: str
    latitude: str
    """Degrees of WGS84 with eight decimals, as the services print them."""
    longitude: str


@cache
def siguns() -> tuple[Sigun, ...]:
    """All 31, by code."""
    found = municipalities(_CODE)
    return tuple(Sigun(i, place.code, place.name, *_FIGURES[place.name]) for i, place in enumerate(found))


@cache
def _by_key() -> dict[str, Sigun]:
    return {key: sigun for sigun in siguns() for key in (sigun.code, sigun.name)}


def sigun_of(text: str) -> Sigun | None:
    """The 시군 of a code or name, else None. Blanks around it do not count: the services print some."""
    return _by_key().get(text.strip())


@cache
def hoods(position: int) -> tuple[Neighbourhood, ...]:
    """The neighbourhoods of a 시군, those of its 구 included."""
    sigun = siguns()[position]
    own = neighbourhoods(sigun.code)
    below = (d for d in districts(_CODE) if d.name.startswith(f"{sigun.name} "))
    return own or tuple(hood for district in below for hood in neighbourhoods(district.code))


def spot_in(stream: Stream, sigun: Sigun, hood: Neighbourhood | None = None) -> Spot:
    """An invented address in a real neighbourhood (drawn where none is given), near the 시군's centre."""
    hood = hood or stream.choice(hoods(sigun.position))
    latitude = sigun.latitude + stream.bell() * 0.025
    longitude = sigun.longitude + stream.bell() * 0.03
    return Spot(
        hood,
        lot_address(stream, hood),
        street_address(stream, hood),
        f"{sigun.first_zip + stream.below(100):05d}",
        f"{latitude:.8f}",
        f"{longitude:.8f}",
    )


def telephone(stream: Stream, sigun: Sigun) -> str:
    """A number that nobody has: exchange 000 is not given out."""
    return f"{sigun.dialling}-000-{stream.below(10000):04d}"


class Shares:
    """How many things of a total each 시군 has, and which one the n-th thing belongs to.

    Things are numbered 시군 by 시군, so that one place's things are a range of numbers.
    """

    __slots__ = ("ends", "total")

    def __init__(self, total: int, *, even: bool = False) -> None:
        weights = [1 if even else sigun.inhabitants for sigun in siguns()]
        whole = sum(weights)
        floors = [total * weight // whole for weight in weights]
        # the largest remainders take what is left over
        order = sorted(range(len(weights)), key=lambda i: (-(total * weights[i] % whole), i))
        for i in order[: total - sum(floors)]:
            floors[i] += 1
        self.ends = tuple(accumulate(floors))
        self.total = total

    def sigun_at(self, index: int) -> Sigun:
        """The 시군 of the thing with that number."""
        return siguns()[bisect.bisect_right(self.ends, index)]

    def span(self, sigun: Sigun) -> range:
        """The numbers of one place's things."""
        start = self.ends[sigun.position - 1] if sigun.position else 0
        return range(start, self.ends[sigun.position])


@cache
def shares(total: int, even: bool = False) -> Shares:
    """The shares of a total; kept, since tables ask for the same totals again and again."""
    return Shares(total, even=even)
