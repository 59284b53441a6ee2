"""Who lives where and what they spend: inhabitants, schools and pupils, card sales, place by place.

Neighbourhoods add up to districts, districts to their 시군, so a total is right at every level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.places import Neighbourhood
from kopa_hf.sandbox.province.lists import asked_sigun
from kopa_hf.sandbox.province.municipalities import PROVINCE, hoods, sigun_of, siguns
from kopa_hf.sandbox.province.premises import Mixed, Numbers
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.schools.enrolment import Enrolment
from kopa_hf.sandbox.schools.school import HIGH, MIDDLE, School, schools
from kopa_hf.sandbox.world import World

_MONTHS: Final = tuple((year, month) for year in (2025, 2024, 2023) for month in range(12, 0, -1))
_SALES_MONTHS: Final = _MONTHS[6:30]
_INDUSTRIES: Final = tuple(f"{letter}{number:02d}" for letter in "DFGNPQRS" for number in range(1, 8))
"""Codes of the card company's middle classes; what they stand for is not published with the data."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A 시군, a 구 or a 읍면동."""

    name: str
    code: str
    """Ten digits of the statutory register."""
    kind: str
    hoods: tuple[Neighbourhood, ...]
    """The neighbourhoods that it consists of."""


def zones(world: World) -> tuple[Zone, ...]:
    """Every 시군, followed by its 구 and 읍면동."""

    def build(world: World) -> tuple[Zone, ...]:
        found: list[Zone] = []
        for sigun in siguns():
            below = hoods(sigun.position)
            found.append(Zone(sigun.full_name, f"{sigun.code}00000", "시군", below))
            by_district: dict[str, list[Neighbourhood]] = {}
            for hood in below:
                by_district.setdefault(hood.district.code, []).append(hood)
            for code, parts in by_district.items():
                if code != sigun.code:
                    found.append(Zone(parts[0].district.full_name, f"{code}00000", "구", tuple(parts)))
                found.extend(Zone(hood.full_name, hood.code, "읍면동", (hood,)) for hood in parts)
        return tuple(found)

    return world.table("province.zones", build)


def inhabitants(world: World, hood: Neighbourhood, month: int) -> int:
    """People of a neighbourhood, so many months back: a level of its own that moves a little every month."""
    level = world.identity("province", "inhabitants", hood.code).octave(400, 60_000)
    drift = bell(world.measure_seed("province", "growth", hood.code)) * 0.0015
    wobble = bell(mix(world.measure_seed("province", "inhabitants", hood.code), month)) * 0.002
    return max(round(level * (1 - drift * month + wobble)), 1)


def _population(world: World, query: Query) -> Reply:
    """Newest month first, zones by code."""
    every = zones(world)

    def at(index: int) -> Record:
        back, position = divmod(index, len(every))
        zone, (year, month) = every[position], _MONTHS[back]
        return {
            "EXAMIN_YY": str(year),
            "EXAMIN_MT": f"{month:02d}",
            "ADMZONE_DIV_NM": zone.kind,
            "ADMZONE_NM": zone.name,
            "LEGALDONG_CD": zone.code,
            "TOT_POPLTN_CNT": str(sum(inhabitants(world, hood, back) for hood in zone.hoods)),
        }

    return Rows(len(every) * len(_MONTHS), at)


def _card_sales(world: World, query: Query) -> Reply:
    """By month, 행정동 and line of business. The 행정동 codes are ten digits too, but no statutory ones."""
    places: tuple[tuple[str, int], ...] = world.table("province.sales.places", lambda w: tuple(_counted_places()))

    def at(index: int) -> Record:
        rest, industry = divmod(index, len(_INDUSTRIES))
        back, position = divmod(rest, len(places))
        code, weight = places[position]
        year, month = _SALES_MONTHS[back]
        draw = mix(world.measure_seed("province", "sales", code, industry), year * 12 + month)
        amount = weight * (3 + (industry * 37 + position) % 90) * 1_000 * (100 + draw % 41) // 100
        return {
            "STD_YM": f"{year}{month:02d}",
            "ADMDONG_CD": code,
            "MDCLASS_INDUTYPE_CD": _INDUSTRIES[industry],
            "SALES_AMT": str(amount),
        }

    return Rows(len(_SALES_MONTHS) * len(places) * len(_INDUSTRIES), at)


def _counted_places() -> list[tuple[str, int]]:
    """(행정동 code, weight) of every neighbourhood, numbered within its district."""
    found: list[tuple[str, int]] = []
    seen: dict[str, int] = {}
    for sigun in siguns():
        for hood in hoods(sigun.position):
            number = seen[hood.district.code] = seen.get(hood.district.code, 0) + 1
            found.append((f"{hood.district.code}{500 + number * 5:03d}00", sigun.inhabitants * 10 // 7 + number))
    return found


def _pupils(world: World, query: Query) -> Reply:
    """Pupils by grade of middle and high schools; their names are those that NEIS knows."""
    possible, asked = asked_sigun(query)
    if not possible:
        return NO_ROWS
    every: tuple[tuple[School, str], ...] = world.table("province.secondary", _secondary)
    kept = [pair for pair in every if asked is None or pair[1] == asked.code]
    order: Numbers = Mixed(range(len(kept)))

    def at(index: int) -> Record:
        school, code = kept[order[index]]
        grades = Enrolment(world, school, _MONTHS[0][0]).grades
        return {
            "STD_YY": str(_MONTHS[0][0]),
            "SIGUN_CD": code,
            "REGION_NM": f"{PROVINCE} {school.district.name}",
            "SCHOOL_NM": school.name,
            "SCHOOL_RK_CD": school.level,
            **{f"GRD{grade.number}_CNT": str(grade.pupils) for grade in grades},
        }

    return Rows(len(order), at)


def _secondary(world: World) -> tuple[tuple[School, str], ...]:
    """(school, code of its 시군): a school in a 구 belongs to the city above it."""
    found = (s for s in schools(world) if s.district.province.name == PROVINCE and s.level in (MIDDLE, HIGH))
    return tuple((s, f"{s.district.code[:4]}0" if " " in s.district.name else s.district.code) for s in found)


def _schools(level: str) -> Handler:
    def handler(world: World, query: Query) -> Reply:
        """Where the schools of a level stand."""
        possible, asked = asked_sigun(query)
        if not possible:
            return NO_ROWS
        every: tuple[tuple[School, str], ...] = world.table("province.secondary", _secondary)
        kept = [pair for pair in every if pair[0].level == level and (asked is None or pair[1] == asked.code)]
        order: Numbers = Mixed(range(len(kept)))

        def at(index: int) -> Record:
            school, code = kept[order[index]]
            sigun = sigun_of(code)
            hood = school.neighbourhood
            return {
                "SIGUN_CD": code,
                "SIGUN_NM": sigun.name if sigun is not None else None,
                "FACLT_NM": school.name,
                "REFINE_LOTNO_ADDR": f"{hood.full_name} {mix(school.seed, 71) % 900 + 1}번지",
            }

        return Rows(len(order), at)

    return handler


HANDLERS: Final[dict[str, Handler]] = {
    "AgeAcctoPopltn": _population,
    "TB25BPTCARDDONGM": _card_sales,
    "Schoolstdntcntsecndhd": _pupils,
    "MskulM": _schools(MIDDLE),
    "HgschlM": _schools(HIGH),
}
