"""Hourly traffic on the national roads: the hours of a day add up to the day."""

from __future__ import annotations

import datetime
from typing import Final

from kopa_hf.sandbox.province.municipalities import siguns
from kopa_hf.sandbox.query import Handler, Query, Record, Reply, Rows
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


HANDLERS: Final[dict[str, Handler]] = {"ORDNTMTRNSPORTGENRLTM": _hourly}
