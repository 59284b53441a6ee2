"""Land and homes: deals as they were reported, posted land prices, apartment estates.

Deals are counted per year and neighbourhood, so any filter finds its rows without making the others.
"""

from __future__ import annotations

import datetime
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from kopa_hf.sandbox.city.answers import table
from kopa_hf.sandbox.city.ground import SEOUL, any_borough, borough_of, draw, plane, point
from kopa_hf.sandbox.city.words import HEADS, names
from kopa_hf.sandbox.places import Neighbourhood, districts, neighbourhoods, street_address
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import LAST_DAY, World

_YEARS: Final = tuple(range(LAST_DAY.year, 2019, -1))
_APARTMENTS: Final = 2_480
_LAND_YEARS: Final = range(2015, 2026)
_USES: Final = (("아파트", 46), ("연립다세대", 32), ("오피스텔", 15), ("단독다가구", 7))
_PRICE: Final = {"11680": 210, "11650": 200, "11710": 165, "11170": 180, "11440": 140, "11200": 145}
"""Price of floor space by district, in 10,000 won per 0.1 square metre; 100 elsewhere."""


def _neighbourhoods() -> tuple[Neighbourhood, ...]:
    return tuple(n for d in districts(SEOUL) for n in neighbourhoods(d.code))


@dataclass(frozen=True, slots=True)
class _Group:
    """The deals of one year in one neighbourhood."""

    year: int
    place: Neighbourhood
    count: int


def _groups(world: World) -> tuple[_Group, ...]:
    def build(world: World) -> tuple[_Group, ...]:
        found = []
        for year in _YEARS:
            for place in _neighbourhoods():
                count = world.identity("city", "deals", year, place.code).octave(1, 240)
                if year == LAST_DAY.year:
                    count = count // 12
                if count:
                    found.append(_Group(year, place, count))
        return tuple(found)

    return world.table("city.deals", build)


def _deals(world: World, query: Query) -> Rows:
    year, code, name, tail = (query.get(n) for n in ("RCPT_YR", "CGG_CD", "CGG_NM", "STDG_CD"))
    if year and not (year.isdecimal() and len(year) == 4):
        raise RefusedError("value", "RCPT_YR")
    kept = [
        g
        for g in _groups(world)
        if (not year or str(g.year) == year)
        and (not code or g.place.district.code == code)
        and (not name or g.place.district.name == name)
        and (not tail or g.place.code[5:] == tail)
    ]
    if not kept:
        return NO_ROWS
    ends = tuple(accumulate(g.count for g in kept))

    def make(index: int) -> Record:
        number = bisect_right(ends, index)
        return _deal(world, kept[number], index - (ends[number - 1] if number else 0))

    return Rows(ends[-1], make)


def _deal(world: World, group: _Group, number: int) -> Record:
    place, year = group.place, group.year
    stream = world.identity("city", "deal", year, place.code, number)
    use = stream.weighted(_USES)
    last = LAST_DAY if year == LAST_DAY.year else datetime.date(year, 12, 31)
    day = datetime.date(year, 1, 1) + datetime.timedelta(
        days=(last - datetime.date(year, 1, 1)).days * (group.count - number) // (group.count + 1)
    )
    area = stream.between(180, 1650)
    level = _PRICE.get(place.district.code, 100) * (62 if use == "연립다세대" else 58 if use == "오피스텔" else 100)
    seed = world.measure("city", "deal price", year, place.code, number).below(41)
    amount = area * level * (80 + seed) * (100 + (year - 2020) * 6) // 10_000_000 * 10
    return {
        "RCPT_YR": str(year),
        "CGG_NM": place.district.name,
        "STDG_CD": place.code[5:],
        "STDG_NM": place.name,
        "MNO": f"{stream.between(1, 990):04d}",
        "SNO": f"{stream.below(60):04d}",
        "BLDG_NM": "" if use == "단독다가구" else _building(stream, use),
        "CTRT_DAY": f"{day:%Y%m%d}",
        "THING_AMT": str(max(amount, 500)),
        "ARCH_AREA": f"{area / 10:.2f}",
        "FLR": "" if use == "단독다가구" else str(stream.between(1, 24 if use != "연립다세대" else 5)),
        "BLDG_USG": use,
    }


def _building(stream: Stream, use: str) -> str:
    return stream.choice(HEADS) + {"아파트": "마을아파트", "연립다세대": "빌라", "오피스텔": "오피스텔"}[use]


def _parcels(world: World, query: Query) -> Rows:
    """A district's parcels in one year, neighbourhood by neighbourhood."""
    borough, year = borough_of(query.get("SIGUNGU_NM")), query.get("YEAR")
    if not (year.isdecimal() and len(year) == 4):
        raise RefusedError("value", "YEAR")
    if borough is None or int(year) not in _LAND_YEARS:
        return NO_ROWS
    wanted = query.get("BJDONG_NM")
    places = [n for n in neighbourhoods(borough.code) if not wanted or n.name == wanted]
    main, side = query.get("BONBEON"), query.get("BUBEON")
    if query.get("PILGI_CD") not in ("", "1"):
        return NO_ROWS
    pairs = [(place, n) for place in places for n in _numbers(world, place, main, side)]

    def make(pair: tuple[Neighbourhood, int]) -> Record:
        place, number = pair
        base = world.identity("city", "land", place.code, number).octave(1_200, 9_000) * 1_000
        growth = draw(world.measure_seed("city", "land price", place.code), int(year)) % 4
        price = base * _PRICE.get(borough.code, 100) // 100 * (100 + (int(year) - 2015) * 5 + growth) // 100
        return {
            "SIGUNGU_NM": borough.name,
            "SIGUNGU_CD": borough.code,
            "BJDONG_NM": place.name,
            "BJDONG_CD": place.code[5:],
            "BONBEON": f"{number // 8 + 1:04d}",
            "BUBEON": f"{number % 8:04d}",
            "PILGI_NM": "토지",
            "PILGI_CD": "1",
            "BASE_MON": "01",
            "JIGA": str(price // 100 * 100),
            "YEAR": year,
        }

    return Rows.mapped(pairs, make)


def _numbers(world: World, place: Neighbourhood, main: str, side: str) -> Sequence[int]:
    """The parcels of a neighbourhood with a main and a side number, where these are given."""
    count = world.identity("city", "parcels", place.code).octave(60, 1_800)
    if not main:
        return [n for n in range(count) if n % 8 == int(side)] if side.isdecimal() else range(count)
    if not main.isdecimal() or (side and not side.isdecimal()):
        return ()
    first = (int(main) - 1) * 8
    return [n for n in range(max(first, 0), first + 8) if n < count and (not side or n % 8 == int(side))]


def _apartments(world: World) -> Iterable[Record]:
    for number, name in enumerate(names(world, "apartments", world.count(_APARTMENTS, 60))):
        stream = world.identity("city", "apartments", number)
        east, north = plane(*point(stream, any_borough(stream)))
        yield {
            "APT_CD": f"A{10_020_001 + number * 7}",
            "APT_NM": f"{name}마을아파트",
            "TNOHSH": str(stream.octave(150, 3_900)),
            "XCRD": f"{east:.4f}",
            "YCRD": f"{north:.4f}",
        }


def _renewals(world: World) -> Iterable[Record]:
    """Redevelopment zones; a zone that is being built has moved out before."""
    for number, name in enumerate(names(world, "renewals", world.count(472, 25))):
        stream = world.identity("city", "renewal", number)
        borough = any_borough(stream)
        place = stream.choice(neighbourhoods(borough.code))
        begun = datetime.date(2017, 1, 2) + datetime.timedelta(days=stream.below(3_900))
        left, built = begun + datetime.timedelta(days=stream.between(150, 500)), begun + datetime.timedelta(days=620)
        moved = begun <= LAST_DAY
        yield {
            "CODE": str(1_001 + number),
            "ZONE_NM": f"{place.name} {name}구역",
            "JIBUN_ADDR": f"{place.name} {stream.between(1, 700)}-{stream.between(1, 40)}",
            "ROAD_ADDR": street_address(stream, place),
            "BIZ_TYPE": stream.choice(("주택정비형 재개발", "도시정비형 재개발", "재건축")),
            "MIGRATION_START_YMD": begun.isoformat() if moved else "",
            "MIGRATION_END_YMD": left.isoformat() if left <= LAST_DAY else "",
            "CONSTRUCTION_START_YMD": built.isoformat() if built <= LAST_DAY else "",
            "TOT_BUILT_HOUSEHOLDS": str(stream.octave(90, 6_000)),
        }


HANDLERS: Final[dict[str, Handler]] = {
    "TbSeoulRedevStatus": table("renewals", _renewals),
    "tbLnOpendataRtmsV": _deals,
    "IndividuallyPostedLandPriceService": _parcels,
    "OpenAptInfo": table("apartments", _apartments),
}
