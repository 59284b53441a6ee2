"""Weather at the rest areas: one handler.

Neighbours share their weather: a front is drawn per province and day, a rest area adds its own little.
"""

from __future__ import annotations

import datetime
from typing import Final

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.highway.common import day_of, degrees, hour_of
from kopa_hf.sandbox.highway.sections import is_past
from kopa_hf.sandbox.highway.stops import RestArea, rest_areas
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.world import LAST_DAY, World

_MISSING: Final = "-99.000000"
_SKIES: Final = (("맑음", 0), ("구름조금", 3), ("구름많음", 6), ("흐림", 9), ("비", 10), ("비끝남", 9), ("눈", 10))


def _weather(world: World, query: Query) -> Reply:
    day, hour = day_of(query, "sdate", LAST_DAY), hour_of(query, "stdHour", 12)
    if not is_past(day, hour):
        return NO_ROWS
    return Rows.mapped(rest_areas(world), lambda area: _weather_row(world, area, day, hour))


def _weather_row(world: World, area: RestArea, day: datetime.date, hour: int) -> Record:
    front = mix(world.measure_seed("highway", "weather", area.place.province.code), day.toordinal())
    own = mix(front, area.index)
    usual = (-2.5, 0.5, 6, 12.5, 18, 22, 25.5, 26, 21, 14.5, 7.5, 0)[day.month - 1]
    degree = usual + 3 * bell(front) + 0.7 * bell(own) + (4 - abs(hour - 14)) * 0.55
    sky, cloud = _SKIES[front % 5]
    if sky == "비" and degree < 1:
        sky, cloud = _SKIES[6]
    wet = sky in ("비", "눈")
    humidity = min(98, max(20, 52 + cloud * 3 + own % 11))
    return {
        "sdate": compact(day),
        "stdHour": f"{hour:02d}",
        "unitCode": area.unit_code,
        "unitName": area.name,
        "routeNo": area.route.number,
        "routeName": area.route.name,
        "updownTypeCode": area.direction,
        "xValue": degrees(area.x),
        "yValue": degrees(area.y),
        "tmxValue": degrees((area.x - 127) * 88_800 + 200_000),
        "tmyValue": degrees((area.y - 38) * 111_000 + 600_000),
        "addr": area.address,
        "measurement": area.place.name,
        "weatherContents": sky,
        "tempValue": f"{degree:.6f}",
        "humidityValue": f"{humidity:.6f}",
        "windValue": f"{0.4 + own % 62 / 10:.6f}",
        "windContents": str(own % 36 + 1),
        "rainfallValue": f"{(1 + front % 90) / 10:.6f}" if sky == "비" else _MISSING,
        "rainfallstrengthValue": _MISSING,
        "newsnowValue": f"{(1 + front % 30) / 10:.6f}" if sky == "눈" else _MISSING,
        "snowValue": f"{(1 + front % 60) / 10:.6f}" if sky == "눈" else _MISSING,
        "cloudValue": f"{min(10, cloud + wet):.6f}",
        "dewValue": f"{degree - (100 - humidity) / 5:.6f}",
    }


HANDLERS: Final[dict[str, Handler]] = {"restWeatherList": _weather}
