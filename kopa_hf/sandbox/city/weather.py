"""Rain gauges, water in the drains, street sensors, and the speed of traffic on a road link."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Final

from kopa_hf.sandbox.city.answers import equal, table
from kopa_hf.sandbox.city.ground import boroughs, dongs, draw
from kopa_hf.sandbox.city.words import names
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.world import World

_NOW: Final = datetime.datetime(2026, 1, 30, 9)
_MOST_HOURS: Final = 24
LINKS: Final = 4_900


def _gauges(world: World) -> Iterator[Record]:
    """Two gauges a district, nine o'clock."""
    pool = names(world, "gauges", 2 * len(boroughs()))
    wet = world.measure("city", "rain").chance(0.4)
    for borough in boroughs():
        for turn in range(2):
            number = (borough.number - 1) * 2 + turn
            rain = world.measure("city", "rain", number).below(5) / 2 if wet else 0.0
            yield {
                "RAINGAUGE_CODE": float(borough.number * 100 + turn + 1),
                "RAINGAUGE_NAME": f"{pool[number]}펌프장",
                "GU_CODE": f"{100 + borough.number}",
                "GU_NAME": borough.name,
                "RAINFALL10": f"{rain:g}",
                "RECEIVE_TIME": f"{_NOW:%Y-%m-%d %H:%M}",
            }


def _hour(query: Query, name: str) -> datetime.datetime:
    try:
        return datetime.datetime.strptime(query.get(name), "%Y%m%d%H")
    except ValueError:
        raise RefusedError("value", name) from None


def _drains(world: World, query: Query) -> Rows:
    """One row a minute and gauge of a district, first to last."""
    first, last = _hour(query, "MEA_YMD_BGN"), _hour(query, "MEA_YMD_END")
    borough = next((b for b in boroughs() if f"{b.number:02d}" == query.get("GUBN")), None)
    last = min(last, _NOW)
    hours = int((last - first).total_seconds() // 3600) + 1
    if borough is None or hours < 1 or first.year < 2020:
        return NO_ROWS
    if hours > _MOST_HOURS:
        raise RefusedError("range", "MEA_YMD_END")
    gauges = world.identity("city", "drains", borough.number).between(3, 9)

    def make(index: int) -> Record:
        minute, gauge = divmod(index, gauges)
        time = first + datetime.timedelta(minutes=minute)
        seed = draw(
            world.measure_seed("city", "drain", borough.number, gauge),
            time.toordinal() * 1440 + time.hour * 60 + time.minute,
        )
        return {
            "IDN": f"{borough.number:02d}-{gauge + 1:04d}",
            "GUBN": f"{borough.number:02d}",
            "GUBN_NAM": borough.name.removesuffix("구"),
            "MEA_YMD": f"{time:%Y-%m-%d %H:%M:%S}.0",
            "MEA_WAL": f"{(6 + seed % 14) / 100:.2f}",
            "SIG_STA": "통신양호" if seed % 97 else "통신불량",
            "REMARK": f"{borough.name} 하수관로 {gauge + 1}지점 맨홀",
        }

    return Rows(hours * 60 * gauges, make)


def _sensors(world: World) -> Iterator[Record]:
    for number, dong in enumerate(dongs(world)):
        seed = world.measure("city", "sensor", dong.code)
        yield {
            "SN": f"OC3CL{200_000 + number}",
            "CGG": dong.borough.name,
            "DONG": dong.name,
            "AVG_TP": f"{seed.between(-80, 40) / 10:.1f}",
            "AVG_HUM": str(seed.between(28, 72)),
            "AVG_UV": "0",
            "AVG_NIS": str(seed.between(46, 72)),
            "AVG_WSPD": f"{seed.between(2, 48) / 10:.1f}",
            "AVG_WD": str(seed.between(0, 359)),
        }


def _speed(world: World, query: Query) -> Rows:
    """The speed on one link; the ids of links run on from 1220000100."""
    text = query.get("LINK_ID")
    if not (text.isdecimal() and len(text) == 10):
        raise RefusedError("value", "LINK_ID")
    number = int(text) - 1_220_000_100
    if not 0 <= number < LINKS * 10 or number % 10:
        return NO_ROWS
    speed = world.measure("city", "speed", number).between(80, 620) / 10
    return Rows.of([{"LINK_ID": text, "PRCS_SPD": f"{speed:.2f}"}])


def link_id(number: int) -> str:
    """The id of a road link."""
    return str(1_220_000_100 + number % LINKS * 10)


HANDLERS: Final[dict[str, Handler]] = {
    "ListRainfallService": table("gauges", _gauges, {"GU_NAME": equal}),
    "DrainpipeMonitoringInfo": _drains,
    "IotVdata017": table("sensors", _sensors),
    "TrafficInfo": _speed,
}
