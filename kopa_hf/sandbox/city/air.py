"""The city's air: one station per district, its hourly readings, the index, and what chimneys emit."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.city.answers import contains, equal, table
from kopa_hf.sandbox.city.ground import Borough, boroughs, draw
from kopa_hf.sandbox.city.words import names
from kopa_hf.sandbox.places import neighbourhoods, street_address
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.world import World

NOW: Final = datetime.datetime(2026, 1, 30, 9)
_FIRST: Final = datetime.datetime(2024, 1, 1)
_AREAS: Final = {
    "도심권": ("100", ("종로구", "중구", "용산구")),
    "서북권": ("101", ("은평구", "서대문구", "마포구")),
    "동북권": ("102", ("성동구", "광진구", "동대문구", "중랑구", "성북구", "강북구", "도봉구", "노원구")),
    "서남권": ("103", ("양천구", "강서구", "구로구", "금천구", "영등포구", "동작구", "관악구")),
    "동남권": ("104", ("서초구", "강남구", "송파구", "강동구")),
}
_ITEMS: Final = (
    ("1", "아황산가스"), ("3", "이산화질소"), ("5", "일산화탄소"), ("6", "오존"), ("8", "미세먼지"), ("9", "초미세먼지"),
)  # fmt: skip
_GRADES: Final = ((50, "좋음"), (100, "보통"), (250, "나쁨"), (500, "매우나쁨"))
_SPREAD: Final = (30, 25, 22, 20, 22, 30, 45, 62, 70, 60, 48, 42, 40, 40, 42, 46, 54, 64, 66, 58, 50, 44, 40, 34)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a station measured in an hour."""

    pm10: int
    pm25: int
    ozone: float
    nitrogen: float
    carbon: float
    sulphur: float

    @property
    def index(self) -> tuple[int, str]:
        """The overall index and the substance that decides it."""
        parts = {
            "PM-10": self.pm10 * 5 // 4,
            "PM-2.5": self.pm25 * 2,
            "O3": round(self.ozone * 1100),
            "NO2": round(self.nitrogen * 900),
        }
        name = max(parts, key=lambda key: parts[key])
        return min(max(parts[name], 12), 480), name

    @property
    def grade(self) -> str:
        """The index in a word."""
        value = self.index[0]
        return next(word for limit, word in _GRADES if value <= limit)


def reading(world: World, borough: Borough, hour: datetime.datetime) -> Reading:
    """The reading of a district's station."""
    seed = world.measure_seed("city", "air", borough.number)
    city = draw(world.measure_seed("city", "air day"), hour.toordinal())
    own = draw(seed, hour.toordinal(), hour.hour)
    dust = 14 + city % 34 + (40 + city % 60 if city % 23 == 0 else 0)
    pm10 = dust + own % 17 + _SPREAD[hour.hour] // 8
    summer = 30 - abs(hour.timetuple().tm_yday - 200) // 7
    return Reading(
        pm10=pm10,
        pm25=pm10 * (45 + (own >> 8) % 20) // 100,
        ozone=round((8 + max(summer, 0) + (70 - _SPREAD[hour.hour]) // 4 + (own >> 16) % 9) / 1000, 3),
        nitrogen=round((8 + _SPREAD[hour.hour] // 3 + (own >> 24) % 11) / 1000, 3),
        carbon=round((3 + (own >> 32) % 5) / 10, 1),
        sulphur=round((2 + (own >> 40) % 3) / 1000, 3),
    )


def reading_now(world: World, borough: Borough) -> Reading:
    """The latest reading."""
    return reading(world, borough, NOW)


def area_of(borough: Borough) -> tuple[str, str]:
    """(name, code) of the part of the city that a district lies in."""
    return next((name, code) for name, (code, members) in _AREAS.items() if borough.name in members)


def _gases(found: Reading) -> Record:
    return {
        "OZON": f"{found.ozone:.4f}",
        "NTDX": f"{found.nitrogen:.3f}",
        "CBMX": f"{found.carbon:.1f}",
        "SPDX": f"{found.sulphur:.3f}",
    }


def _by_district(world: World, query: Query) -> Rows:
    wanted = query.get("MSRSTN_PBADMS_CD")

    def make(borough: Borough) -> Record:
        found = reading(world, borough, NOW)
        index, substance = found.index
        gases = _gases(found)
        return {
            "MSRMT_YMD": f"{NOW:%Y%m%d%H}00",
            "MSRSTN_PBADMS_CD": borough.air_code,
            "MSRSTN_NM": borough.name,
            "CAI": str(index),
            "CAI_GRD": found.grade,
            "CRST_SBSTN": substance,
            "NTDX": gases["NTDX"],
            "OZON": gases["OZON"],
            "CBMX": gases["CBMX"],
            "SPDX": gases["SPDX"],
            "PM": str(found.pm10),
            "FPM": str(found.pm25),
        }

    return Rows.mapped([b for b in boroughs() if not wanted or b.air_code == wanted], make)


def _chosen(query: Query) -> Sequence[Borough]:
    """By area and station; a station without its area finds nothing, as in the real service."""
    area, station = query.get("SAREA_NM"), query.get("MSRSTN_NM")
    if station and not area:
        return ()
    return [b for b in boroughs() if (not area or area_of(b)[0] == area) and (not station or b.name == station)]


def _by_area(world: World, query: Query) -> Rows:
    def make(borough: Borough) -> Record:
        found = reading(world, borough, NOW)
        index, substance = found.index
        return {
            "MSRMT_DT": f"{NOW:%Y%m%d%H}00",
            "SAREA_NM": area_of(borough)[0],
            "MSRSTN_NM": borough.name,
            "PM": str(found.pm10),
            "FPM": str(found.pm25),
            **_gases(found),
            "CAI_IDX": str(index),
            "CAI_GRD": found.grade,
            "CRST_SBSTN": substance,
        }

    return Rows.mapped(_chosen(query), make)


def _hours(text: str, name: str) -> list[datetime.datetime]:
    """The hours that begin with a text of 8 to 12 digits (day, hour, minute), latest first."""
    if not (text.isdecimal() and len(text) in (8, 10, 12)):
        raise RefusedError("value", name)
    try:
        day = datetime.datetime.strptime(text[:8], "%Y%m%d")
    except ValueError:
        raise RefusedError("value", name) from None
    found = [day + datetime.timedelta(hours=hour) for hour in range(24)]
    if len(text) > 8:
        found = [hour for hour in found if f"{hour:%H}" == text[8:10]]
    return [hour for hour in reversed(found) if _FIRST <= hour <= NOW]


def _hourly(world: World, query: Query) -> Rows:
    hours, places = _hours(query.get("MSRMT_DT"), "MSRMT_DT"), _chosen(query)
    if not hours or not places:
        return NO_ROWS

    def make(index: int) -> Record:
        hour, borough = hours[index // len(places)], places[index % len(places)]
        found = reading(world, borough, hour)
        day = [reading(world, borough, hour - datetime.timedelta(hours=back)).pm10 for back in range(24)]
        area, code = area_of(borough)
        return {
            "MSRMT_DT": f"{hour:%Y%m%d%H}00",
            "SAREA_CD": code,
            "SAREA_NM": area,
            "MSRSTN_CD": f"{100 + borough.number}",
            "MSRSTN_NM": borough.name,
            "PM_HOUR": str(found.pm10),
            "PM_ALDY": str(sum(day) // 24),
            "FPM": str(found.pm25),
            **_gases(found),
        }

    return Rows(len(hours) * len(places), make)


def _average(world: World, query: Query) -> Rows:
    """The mean of all stations, one row."""
    found = [reading(world, b, NOW) for b in boroughs()]
    mean = Reading(
        pm10=sum(r.pm10 for r in found) // len(found),
        pm25=sum(r.pm25 for r in found) // len(found),
        ozone=sum(r.ozone for r in found) / len(found),
        nitrogen=sum(r.nitrogen for r in found) / len(found),
        carbon=sum(r.carbon for r in found) / len(found),
        sulphur=sum(r.sulphur for r in found) / len(found),
    )
    index, substance = mean.index
    wanted = query.get("CAI_GRD")
    if wanted and wanted != mean.grade:
        return NO_ROWS
    gases = _gases(mean)
    row = {
        "CAI": str(index),
        "CAI_GRD": mean.grade,
        "CRST_SBSTN": substance,
        "NTDX": gases["NTDX"],
        "OZON": gases["OZON"],
        "CBMX": gases["CBMX"],
        "SPDX": gases["SPDX"],
        "FPM": str(mean.pm25),
    }
    return Rows.of([row])


def _places(world: World) -> Iterable[Record]:
    for borough in boroughs():
        stream = world.identity("city", "air station", borough.number)
        yield {
            "MSRSTN_CD": f"{100 + borough.number}",
            "MSRSTN_NM": borough.name,
            "MSRSTN_ADDR": street_address(stream, neighbourhoods(borough.code)[0]),
        }


def _heights(world: World) -> Iterable[Record]:
    for borough in boroughs():
        stream = world.identity("city", "air station", borough.number)
        yield {
            "MSRSTN_NM": borough.name,
            "MSRSTN_HGT": str(stream.between(8, 24)),
            "ROAD_NM_ADDR": street_address(
                world.identity("city", "air station", borough.number), neighbourhoods(borough.code)[0]
            ),
            "SE": "도시대기",
        }


def _raw(world: World, query: Query) -> Rows:
    """Station, item and hour."""
    text = query.get("MSRMT_DT")
    hours = _hours(text, "MSRMT_DT") if text else [NOW]
    count = len(boroughs()) * len(_ITEMS)

    def make(index: int) -> Record:
        borough = boroughs()[index % count // len(_ITEMS)]
        return {
            "MSRSTN_CD": f"{100 + borough.number}",
            "ITEM_CD": _ITEMS[index % len(_ITEMS)][0],
            "MSRMT_DT": f"{hours[index // count]:%Y%m%d%H}00",
        }

    return Rows(len(hours) * count, make)


def _chimneys(world: World, query: Query) -> Rows:
    """One value per works and substance; a chimney at rest says so in words."""
    works = [f"{name}자원회수시설" for name in names(world, "works", 12)]
    items = ("먼지", "황산화물", "질소산화물", "염화수소", "일산화탄소")
    pairs = [
        (number, item)
        for number, name in enumerate(works)
        for item in items
        if query.get("FCLT_NM") in name and query.get("ITEM_NM") in item
    ]

    def make(pair: tuple[int, str]) -> Record:
        seed = world.measure("city", "chimney", *pair)
        return {"MSRMT_VL": "가동중지" if seed.chance(0.1) else f"{seed.between(1, 400) / 10:.2f}"}

    return Rows.mapped(pairs, make)


def _warned(world: World) -> Iterable[Record]:
    for year in range(2025, 2014, -1):
        stream = world.measure("city", "dust alerts", year)
        yield {"YR": str(year), "APNT_NMTM": str(stream.below(9))}


def _peaks(world: World, what: str, low: int, high: int, scale: float) -> Iterable[Record]:
    for year in range(2025, 2014, -1):
        value = world.measure("city", what, year).between(low, high)
        yield {"MAX_DNST": f"{value * scale:.3f}" if scale < 1 else str(value)}


HANDLERS: Final[dict[str, Handler]] = {
    "ListAirQualityByDistrictService": _by_district,
    "RealtimeCityAir": _by_area,
    "TimeAverageCityAir": _hourly,
    "ListAvgOfSeoulAirQualityService": _average,
    "airPolutionMeasuringPlace": table("air.places", _places, {"MSRSTN_CD": equal}),
    "airPolutionMeasuringItem": table(
        "air.items", lambda w: [{"ITEM_CD": code} for code, _ in _ITEMS], {"ITEM_CD": equal}
    ),
    "airHgt": table("air.heights", _heights, {"MSRSTN_NM": contains}),
    "airPolutionMeasuring1Hour": _raw,
    "CleanSYSService": _chimneys,
    "YearlyPM10Issue": table("air.dust alerts", _warned),
    "YearlyOzoneIssue": table("air.ozone", lambda w: _peaks(w, "ozone peak", 110, 190, 0.001)),
    "yearMicroDustInfo": table("air.fine dust", lambda w: _peaks(w, "fine dust peak", 76, 180, 1.0)),
}
