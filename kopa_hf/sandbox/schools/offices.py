"""The seventeen offices of education and the support offices below them.

NEIS names an office by three characters (B10), 학교알리미 by its organisation code (B100000001): the same
office, two code systems.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from kopa_hf.sandbox.places import District, municipalities, provinces

_CODES: Final = {
    "11": "B10", "26": "C10", "27": "D10", "28": "E10", "29": "F10", "30": "G10", "31": "H10", "36": "I10", "41": "J10",
    "51": "K10", "43": "M10", "44": "N10", "52": "P10", "46": "Q10", "47": "R10", "48": "S10", "50": "T10",
}  # fmt: skip
"""Two digits of a province → NEIS's code of its office."""
SHORT: Final = {
    "11": "서울", "26": "부산", "27": "대구", "28": "인천", "29": "광주", "30": "대전", "31": "울산", "36": "세종", "41": "경기",
    "51": "강원", "43": "충북", "44": "충남", "52": "전북", "46": "전남", "47": "경북", "48": "경남", "50": "제주",
}  # fmt: skip
AREA: Final = {
    "11": "02", "26": "051", "27": "053", "28": "032", "29": "062", "30": "042", "31": "052", "36": "044", "41": "031",
    "51": "033", "43": "043", "44": "041", "52": "063", "46": "061", "47": "054", "48": "055", "50": "064",
}  # fmt: skip
"""Telephone area codes."""
CENTRES: Final = {
    "11": (37.55, 126.99), "26": (35.16, 129.06), "27": (35.86, 128.58), "28": (37.46, 126.67), "29": (35.15, 126.85),
    "30": (36.35, 127.39), "31": (35.54, 129.27), "36": (36.56, 127.25), "41": (37.40, 127.15), "51": (37.75, 128.30),
    "43": (36.75, 127.70), "44": (36.55, 126.85), "52": (35.75, 127.15), "46": (34.95, 126.90), "47": (36.30, 128.75),
    "48": (35.35, 128.30), "50": (33.40, 126.55),
}  # fmt: skip
"""Latitude and longitude near which a province's schools lie."""
LOCATIONS: Final = {code: f"{number:02d}" for number, code in enumerate(sorted(_CODES), start=1)}
"""학교알리미's own number of a province."""


@dataclass(frozen=True, slots=True)
class Office:
    """A 시도교육청."""

    code: str
    """B10."""
    name: str
    province: str
    """Two digits of the province."""

    @property
    def organisation(self) -> str:
        """B100000001."""
        return f"{self.code}0000001"


@cache
def offices() -> tuple[Office, ...]:
    """All offices, by code."""
    found = [Office(_CODES[p.code], f"{p.name}교육청", p.code) for p in provinces()]
    return tuple(sorted(found, key=lambda office: office.code))


@cache
def office_of(province: str) -> Office:
    """The office of a province's two digits."""
    return next(office for office in offices() if office.province == province)


@cache
def office_by_code(code: str) -> Office | None:
    """The office of NEIS's code."""
    return next((office for office in offices() if office.code == code), None)


@cache
def support_office(district: District) -> tuple[str, str]:
    """Name and organisation code of the 교육지원청 of a district: one for a city and all its districts."""
    office = office_of(district.province.code)
    if district.name == district.province.name:
        return office.name, office.organisation
    town = district.name.split(" ")[0]
    towns = [place.name for place in municipalities(district.province.code)]
    number = towns.index(town) + 2 if town in towns else 99
    bare = town[:-1] if len(town) > 2 else town
    return f"{district.province.name}{bare}교육지원청", f"{office.code}0000{number:03d}"
