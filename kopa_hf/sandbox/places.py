"""Real places for invented things: provinces, districts and neighbourhoods with their official codes.

Names and codes are the public registers' (`values/data/regions.tsv`, `data/neighbourhoods.tsv`);
streets and house numbers are invented. A district here is the smallest unit with a code of its
own: 수원시 장안구 rather than 수원시, and 세종특별자치시 as one district.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World
from kopa_hf.values.region import region_names

_SEJONG: Final = "36110"
_ROADS: Final = (
    "가람", "나래", "다솜", "라온", "마루", "보람", "새벽", "아라", "은하", "잔디", "초롱", "한별", "해오름",
    "물빛", "솔숲", "햇살", "달빛", "미리내", "도담", "여울",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Province:
    """One of the 17 시도."""

    code: str
    """Two digits."""
    name: str


@dataclass(frozen=True, slots=True)
class District:
    """A 시군구."""

    code: str
    """Five digits of the administrative standard code."""
    name: str
    """As it stands below its province: 종로구, 수원시 장안구."""
    province: Province

    @property
    def full_name(self) -> str:
        """서울특별시 종로구."""
        return self.name if self.name == self.province.name else f"{self.province.name} {self.name}"


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """A 읍, 면 or 동 of the statutory register."""

    code: str
    """Ten digits (법정동코드)."""
    name: str
    district: District

    @property
    def full_name(self) -> str:
        """서울특별시 종로구 청운동."""
        return f"{self.district.full_name} {self.name}"


@cache
def provinces() -> tuple[Province, ...]:
    """All provinces and metropolitan cities in force, by code."""
    named = [r for r in region_names() if len(r.code) == 2 and r.until is None]
    return tuple(Province(r.code, r.name) for r in sorted(named, key=lambda r: r.code))


@cache
def municipalities(province: str) -> tuple[District, ...]:
    """The 시, 군 and 구 right below a province (its two-digit code): 수원시, not 수원시 장안구."""
    below = [d for d in _all_districts() if d.province.code == province]
    return tuple(d for d in below if " " not in d.name)


@cache
def districts(province: str = "") -> tuple[District, ...]:
    """The smallest districts, of one province (two-digit code) or of all, by code."""
    return tuple(d for d in _all_districts() if d.code in _register() and d.code.startswith(province))


@cache
def district(code: str) -> District | None:
    """The district, or city above districts, of a five-digit code."""
    return next((d for d in _all_districts() if d.code == code), None)


@cache
def neighbourhoods(code: str) -> tuple[Neighbourhood, ...]:
    """The neighbourhoods of a district, by its five-digit code; none for a city above districts."""
    found = district(code)
    if found is None:
        return ()
    return tuple(Neighbourhood(f"{code}{number}00", name, found) for number, name in _register().get(code, ()))


@cache
def all_neighbourhoods() -> tuple[Neighbourhood, ...]:
    """Every neighbourhood of the country, by code."""
    return tuple(n for d in districts() for n in neighbourhoods(d.code))


def street_address(stream: Stream, place: District | Neighbourhood) -> str:
    """An invented street in a real place: 서울특별시 종로구 가람로 12 (청운동)."""
    road = f"{stream.choice(_ROADS)}로"
    if stream.chance(0.5):
        road += f"{stream.between(2, 90)}길"
    number = stream.between(1, 240)
    if isinstance(place, District):
        return f"{place.full_name} {road} {number}"
    if place.name.endswith("동"):
        return f"{place.district.full_name} {road} {number} ({place.name})"
    return f"{place.full_name} {road} {number}"


def lot_address(stream: Stream, place: Neighbourhood) -> str:
    """The same by lot number: 서울특별시 종로구 청운동 12-3."""
    return f"{place.full_name} {stream.between(1, 990)}-{stream.between(1, 40)}"


@cache
def _register() -> dict[str, tuple[tuple[str, str], ...]]:
    """District code → (three digits, name) of its neighbourhoods."""
    text = files("kopa_hf.sandbox").joinpath("data/neighbourhoods.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return {code: tuple((entry[:3], entry[3:]) for entry in entries) for code, *entries in rows}


@cache
def _all_districts() -> tuple[District, ...]:
    above = {p.code: p for p in provinces()}
    found = [
        District(r.code, r.name.removeprefix(above[r.code[:2]].name).strip(), above[r.code[:2]])
        for r in region_names()
        if len(r.code) == 5 and r.until is None
    ]
    if all(d.code != _SEJONG for d in found):
        found.append(District(_SEJONG, above["36"].name, above["36"]))
    return tuple(sorted(found, key=lambda d: d.code))


def _every_district(world: World) -> tuple[District, ...]:
    return districts()


def _every_neighbourhood(world: World) -> tuple[Neighbourhood, ...]:
    return all_neighbourhoods()


KINDS: Final = (
    Kind(
        "district",
        _every_district,
        {
            "region.sgg_code": lambda d: d.code,
            "region.sgg_name": lambda d: d.name,
            "region.full_name": lambda d: d.full_name,
            "region.sido_code": lambda d: d.province.code,
            "region.sido_name": lambda d: d.province.name,
        },
    ),
    Kind(
        "neighbourhood",
        _every_neighbourhood,
        {
            "region.bjd_code": lambda n: n.code,
            "region.dong_name": lambda n: n.name,
            "region.sgg_code": lambda n: n.district.code,
            "region.sgg_name": lambda n: n.district.name,
            "region.full_name": lambda n: n.district.full_name,
            "region.sido_code": lambda n: n.district.province.code,
            "region.sido_name": lambda n: n.district.province.name,
        },
    ),
)
