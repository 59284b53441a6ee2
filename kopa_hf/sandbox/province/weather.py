"""Air and weather, hour by hour, at measuring posts in every 시군."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cache
from typing import Final

from kopa_hf.sandbox.province.lists import asked_sigun
from kopa_hf.sandbox.province.municipalities import Sigun, hoods, siguns
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.world import LAST_DAY, World

_FIRST: Final = datetime.date(2024, 1, 1)
_DAYS: Final = (LAST_DAY - _FIRST).days
"""Whole days before the world's today."""
_NOW: Final = 9
"""The hour of today up to which the air is measured."""
_MONTHLY: Final = (-2.9, -0.2, 5.7, 12.1, 17.8, 22.4, 25.3, 25.9, 21.0, 14.2, 6.8, -0.4)
"""Mean temperature of each month, in degrees."""
_DAILY: Final = (
    -3,
    -3.5,
    -4,
    -4.3,
    -4.6,
    -4.8,
    -4.5,
    -3.5,
    -2,
    0,
    1.5,
    2.8,
    3.8,
    4.4,
    4.6,
    4.3,
    3.5,
    2.2,
    1,
    0,
    -0.8,
    -1.5,
    -2.1,
    -2.6,
)
"""What each hour adds to the day's mean."""


@dataclass(frozen=True, slots=True)
class Post:
    """One measuring post."""

    number: int
    sigun: Sigun
    name: str
    since: int


@cache
def posts(of_air: bool) -> tuple[Post, ...]:
    """Posts of the air (three or four in a 시군) or of the weather (two), named after neighbourhoods."""
    found: list[Post] = []
    for sigun in siguns():
        count = (3 + (sigun.inhabitants > 500)) if of_air else 2
        names = hoods(sigun.position)
        for turn in range(count):
            place = names[(turn * 5 + sigun.position) % len(names)]
            found.append(Post(len(found), sigun, place.name, 1990 + (turn * 7 + sigun.position) % 33))
    return tuple(found)


def _chosen(query: Query, of_air: bool) -> list[Post] | None:
    possible, asked = asked_sigun(query)
    if not possible:
        return None
    number = query.get("SPOT_NO")
    kept = [post for post in posts(of_air) if asked is None or post.sigun is asked]
    return [post for post in kept if not number or number == _spot(post)]


def _spot(post: Post) -> str:
    return str(400 + post.number)


def _air(world: World, query: Query) -> Reply:
    """Today's hours, newest first."""
    chosen = _chosen(query, True)
    if not chosen:
        return NO_ROWS

    def at(index: int) -> Record:
        back, position = divmod(index, len(chosen))
        post, hour = chosen[position], _NOW - back
        seed = world.measure_seed("province", "air", post.number)
        general = world.measure_seed("province", "air of the hour")
        coarse = max(round(48 + 18 * bell(mix(general, hour)) + 9 * bell(mix(seed, hour))), 4)
        return {
            "SIGUN_CD": post.sigun.code,
            "SIGUN_NM": post.sigun.name,
            "MESURSTN_NM": post.name,
            "INSTL_YY": str(post.since),
            "MESRNW_NM": "도로변대기" if post.number % 9 == 4 else "도시대기",
            "MESURE_DAY_TM": f"{LAST_DAY.isoformat()} {hour:02d}:00",
            "SUA_GAS_DNST_VL": f"{0.002 + mix(seed, hour + 100) % 5 / 1000:.3f}",
            "COMNXD_DNST_VL": f"{0.3 + mix(seed, hour + 200) % 7 / 10:.1f}",
            "NO2_DNST_VL": f"{0.008 + mix(seed, hour + 300) % 40 / 1000:.3f}",
            "OZONE_DNST_VL": f"{0.005 + mix(seed, hour + 400) % 50 / 1000:.3f}",
            "FINEDUST_PM10_DNST_VL": str(coarse),
            "FINEDUST_PM2_5_DNST_VL": str(max(coarse * (45 + mix(seed, hour + 500) % 30) // 100, 1)),
        }

    return Rows(len(chosen) * _NOW, at)


def _weather(world: World, query: Query) -> Reply:
    """Every hour of every day, newest day first."""
    chosen = _chosen(query, False)
    first, days = 1, _DAYS
    asked = query.get("MESURE_DE")
    if asked:
        day = _day(asked)
        first, days = (LAST_DAY - day).days, 1
        if not 1 <= first <= _DAYS:
            return NO_ROWS
    if not chosen:
        return NO_ROWS

    def at(index: int) -> Record:
        back, rest = divmod(index, 24 * len(chosen))
        hour, position = divmod(rest, len(chosen))
        return _observed(world, chosen[position], LAST_DAY - datetime.timedelta(days=first + back), 23 - hour)

    return Rows(days * 24 * len(chosen), at)


def _day(text: str) -> datetime.date:
    try:
        return datetime.datetime.strptime(text, "%Y%m%d").date()
    except ValueError:
        raise RefusedError("value", "MESURE_DE") from None


def _observed(world: World, post: Post, day: datetime.date, hour: int) -> Record:
    general = world.measure_seed("province", "weather", day.toordinal())
    own = world.measure_seed("province", "weather", day.toordinal(), post.number)
    warmth = _MONTHLY[day.month - 1] + 2.6 * bell(mix(general, 0)) + 0.8 * bell(mix(own, 0)) + _DAILY[hour]
    rain = mix(general, 1) % 4 == 0 and mix(own, hour + 50) % 3 == 0
    return {
        "SIGUN_NM": post.sigun.name,
        "SIGUN_CD": post.sigun.code,
        "SPOT_NO": _spot(post),
        "SPOT_NM": post.name,
        "MESURE_DE": f"{day:%Y%m%d}",
        "MESURE_TM": f"{hour:02d}",
        "WGS84_LAT": f"{post.sigun.latitude + (post.number % 5 - 2) * 0.01:.6f}",
        "WGS84_LOGT": f"{post.sigun.longitude + (post.number % 7 - 3) * 0.01:.6f}",
        "TP_INFO": f"{warmth:.1f}",
        "HD_INFO": str(min(max(round(62 + 14 * bell(mix(own, hour + 1)) + (22 if rain else 0)), 12), 100)),
        "WD_INFO": str(mix(own, hour + 100) % 36 * 10),
        "WS_INFO": f"{abs(bell(mix(own, hour + 150))) * 1.6 + 0.2:.1f}",
        "RAINF_YN_INFO": "Y" if rain else "N",
    }


HANDLERS: Final[dict[str, Handler]] = {"Sidoatmospolutnmesure": _air, "AWS1hourObser": _weather}
