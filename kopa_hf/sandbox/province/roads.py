"""Hourly traffic on the national roads, whose hours add up to the day, and places with many accidents."""

from __future__ import annotations

import datetime
from typing import Final

from kopa_hf.sandbox.province.lists import asked_sigun
from kopa_hf.sandbox.province.municipalities import shares, siguns, spot_in
from kopa_hf.sandbox.province.premises import Mixed, Numbers
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.world import World

POSTS: Final = 62
_FIRST: Final = datetime.date(2024, 1, 1)
_DAYS: Final = 731
_ROADS: Final = (1, 3, 6, 17, 37, 38, 39, 42, 43, 44, 45, 46, 47, 82, 87)
_PROFILE: Final = (
    11, 7, 6, 6, 10, 22, 44, 68, 72, 60, 55, 55, 54, 56, 58, 61, 66, 73, 70, 50, 37, 30, 24, 17,
)  # fmt: skip
"""What each hour has of a day's traffic, in parts of their sum."""
_WAYS: Final = (("S", "상행"), ("E", "하행"))


def _record(world: World, index: int) -> Record:
    day_number, rest = divmod(index, world.count(POSTS, 3) * 2)
    post, way = divmod(rest, 2)
    stream = world.identity("province", "post", post)
    road, place = stream.choice(_ROADS), stream.choice(siguns())
    base = stream.octave(9_000, 60_000)
    day = _FIRST + datetime.timedelta(days=day_number)
    seed = world.measure_seed("province", "post", post, way)
    level = base * (0.86 if day.weekday() >= 5 else 1.0) * (1 + bell(mix(seed, day_number)) * 0.08)
    # by the hour in whole vehicles; the day is their sum
    hours = [
        round(level * part / sum(_PROFILE) * (1 + bell(mix(seed, index * 32 + h)) * 0.06))
        for h, part in enumerate(_PROFILE)
    ]
    code, word = _WAYS[way]
    return {
        "SPOT_NO_INFO": f"{road:02d}{post + 1:02d}-{post % 7 + 1:02d}",
        "UPNDW_CD": code,
        "UPNDW_DIV": word,
        "YY": f"{day.year}",
        "MT": f"{day.month:02d}",
        "DE": f"{day.day:02d}",
        "TDAY_SUM": str(sum(hours)),
        "ROUTE_NM": f"국도{road}호선",
        "REGION": place.full_name,
        "CIRCUMFR_BFRCT_NM": f"{place.name.removesuffix('시').removesuffix('군')}나들목 부근",
        **{f"TM{hour + 1:02d}_TRNSPORT_AMNT": str(count) for hour, count in enumerate(hours)},
    }


def _hourly(world: World, query: Query) -> Reply:
    return Rows(world.count(POSTS, 3) * 2 * _DAYS, lambda index: _record(world, index))


HOTSPOTS: Final = 2_611
_ACCIDENTS: Final = (
    "보행어린이사고다발지",
    "보행노인사고다발지",
    "자전거사고다발지",
    "무단횡단사고다발지",
    "스쿨존어린이사고다발지",
)
_EDGE: Final = (1.0, 0.7071, 0.0, -0.7071, -1.0, -0.7071, 0.0, 0.7071, 1.0)
"""Cosines of eight directions and the first again."""


def _hotspot(world: World, number: int) -> Record:
    place = shares(world.count(HOTSPOTS, 31)).sigun_at(number)
    stream, figures = world.identity("province", "hotspot", number), world.measure("province", "hotspot", number)
    spot = spot_in(stream, place)
    year = stream.between(2016, 2024)
    deaths = figures.below(2) if figures.chance(0.2) else 0
    badly, lightly, hurt = figures.between(0, 4), figures.between(1, 6), figures.between(0, 2)
    casualties = deaths + badly + lightly + hurt
    x, y = float(spot.longitude), float(spot.latitude)
    ring = [[round(x + 0.0018 * _EDGE[i], 8), round(y + 0.0014 * _EDGE[(i + 6) % 8], 8)] for i in range(9)]
    return {
        "SIGUN_NM": place.name,
        "SIGUN_CD": place.code,
        "ACDNT_YY": str(year),
        "ACDNT_DIV_NM": stream.choice(_ACCIDENTS),
        "MULTI_KNOWLG_DIV_NO": 6_800_000 + number,
        "MULTI_KNOWLG_DIV_GROUP_NO": (year + 1) * 1000 + 84,
        "LEGALDONG_CD_NO": spot.neighbourhood.code,
        "SPOT_NO": f"{spot.neighbourhood.district.code}{number % 900 + 1:03d}",
        "JURISD_POLCSTTN_NM": f"{spot.neighbourhood.district.full_name}{number % 9 + 1}",
        "LOC_INFO": f"{spot.neighbourhood.full_name}({stream.choice(('가온', '누리', '마루'))}사거리 부근)",
        "OCCUR_CNT": max(casualties - figures.below(2), 1),
        "CASLT_CNT": casualties,
        "DPRS_CNT": deaths,
        "SERINJRY_INDVDL_CNT": badly,
        "SLTINJRY_INDVDL_CNT": lightly,
        "INJURY_APLCNT_CNT": hurt,
        "LAT": y,
        "LOGT": x,
        "MULTI_REGION_INFO": f"{{'type':'Polygon','coordinates':[{ring}]}}".replace(" ", ""),
    }


def _hotspots(world: World, query: Query) -> Reply:
    possible, asked = asked_sigun(query)
    if not possible:
        return NO_ROWS
    share = shares(world.count(HOTSPOTS, 31))
    numbers: Numbers = Mixed(range(share.total)) if asked is None else share.span(asked)
    return Rows(len(numbers), lambda index: _hotspot(world, numbers[index]))


HANDLERS: Final[dict[str, Handler]] = {"ORDNTMTRNSPORTGENRLTM": _hourly, "TfcacdarM": _hotspots}
