"""The city data: 120 places with who is there, what goes on around them, and what comes next.

Everything around a place is the city's own: the car parks, stops, docks and events of its district.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from kopa_hf.sandbox.city.air import reading_now
from kopa_hf.sandbox.city.buses import stops as bus_stops
from kopa_hf.sandbox.city.culture import events
from kopa_hf.sandbox.city.ground import NOW, Borough, any_borough, boroughs, draw, point, split
from kopa_hf.sandbox.city.rides import car_parks, cars, docks, standing
from kopa_hf.sandbox.city.subway import Stop, riders, stops
from kopa_hf.sandbox.city.trade import INDUSTRIES
from kopa_hf.sandbox.city.weather import link_id
from kopa_hf.sandbox.city.words import names
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Rows
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import LAST_DAY, World

PLACES: Final = 120
_SAMPLE: Final = "광화문·덕수궁"
_LEVELS: Final = (
    ("여유", "사람이 몰려있을 가능성이 낮고 붐빔은 거의 느껴지지 않아요."),
    ("보통", "사람이 몰려있을 수 있지만 크게 붐비지는 않아요."),
    ("약간 붐빔", "사람들이 몰려있을 가능성이 크고 붐빈다고 느낄 수 있어요."),
    ("붐빔", "사람들이 몰려있어 매우 붐빈다고 느낄 수 있어요."),
)
_HOURS: Final = (40, 30, 24, 20, 20, 26, 40, 62, 80, 84, 88, 94, 100, 98, 96, 96, 98, 104, 108, 100, 90, 78, 66, 52)


@dataclass(frozen=True, slots=True)
class Hotspot:
    """A place that the city watches."""

    number: int
    code: str
    """POI009."""
    name: str
    borough: Borough
    latitude: float
    longitude: float
    size: int
    """People at noon."""


def hotspots(world: World) -> tuple[Hotspot, ...]:
    """All of them, by code."""
    return world.table("city.hotspots", _build)


def _build(world: World) -> tuple[Hotspot, ...]:
    found = []
    for number, name in enumerate(names(world, "hotspots", PLACES), 1):
        stream = world.identity("city", "hotspot", number)
        borough = any_borough(stream) if number != 9 else boroughs()[0]
        latitude, longitude = point(stream, borough)
        ending = stream.choice(("거리", "공원", " 관광특구", "시장", "광장", "마을"))
        title = _SAMPLE if number == 9 else f"{name}{ending}"
        size = stream.octave(1_500, 90_000)
        found.append(Hotspot(number, f"POI{number:03d}", title, borough, latitude, longitude, size))
    return tuple(found)


def _asked(world: World, query: Query) -> Hotspot | None:
    wanted = query.get("AREA_NM")
    return next((h for h in hotspots(world) if wanted in (h.name, h.code)), None)


def _crowd(world: World, place: Hotspot, hour: int) -> tuple[int, str, str]:
    """(people, level, sentence) of an hour of the day."""
    seed = draw(world.measure_seed("city", "crowd", place.number), hour)
    people = place.size * _HOURS[hour % 24] * (80 + seed % 41) // 10_000
    level = min(people * 4 // (place.size + place.size // 10 + 1), 3)
    return people, *_LEVELS[level]


def _rates(total_seed: int, names_: tuple[str, ...], weights: tuple[int, ...]) -> dict[str, str]:
    """Percentages with one decimal that add up to 100."""
    parts = split(1000, tuple(w * 10 + draw(total_seed, n) % (w * 3 + 1) for n, w in enumerate(weights)))
    return {name: f"{part / 10:.1f}" for name, part in zip(names_, parts, strict=True)}


def _people(world: World, place: Hotspot) -> Record:
    people, level, text = _crowd(world, place, 9)
    seed = world.measure_seed("city", "crowd parts", place.number)
    ages = tuple(f"PPLTN_RATE_{age}" for age in range(0, 80, 10))
    coming = []
    for hour in range(10, 22):
        later, later_level, _ = _crowd(world, place, hour)
        coming.append(
            {
                "FCST_TIME": f"{LAST_DAY} {hour:02d}:00",
                "FCST_CONGEST_LVL": later_level,
                "FCST_PPLTN_MIN": str(later * 95 // 100),
                "FCST_PPLTN_MAX": str(later * 105 // 100),
            }
        )
    return {
        "AREA_CONGEST_LVL": level,
        "AREA_CONGEST_MSG": text,
        "AREA_PPLTN_MIN": str(people * 95 // 100),
        "AREA_PPLTN_MAX": str(people * 105 // 100),
        **_rates(seed, ("MALE_PPLTN_RATE", "FEMALE_PPLTN_RATE"), (49, 51)),
        **_rates(draw(seed, 1), ages, (2, 5, 20, 22, 19, 16, 10, 6)),
        **_rates(draw(seed, 2), ("RESNT_PPLTN_RATE", "NON_RESNT_PPLTN_RATE"), (35, 65)),
        "REPLACE_YN": "N",
        "PPLTN_TIME": NOW,
        "FCST_YN": "Y",
        "FCST_PPLTN": coming,
    }


def _population(world: World, query: Query) -> Rows:
    place = _asked(world, query)
    if place is None:
        return NO_ROWS
    return Rows.of([{"AREA_NM": place.name, "AREA_CD": place.code, **_people(world, place)}])


# trade


def _payments(world: World, place: Hotspot) -> tuple[Record, list[Record], Record]:
    """(place, industries, buyers)."""
    seed = world.measure_seed("city", "payments", place.number)
    chosen = [INDUSTRIES[(place.number + n * 7) % len(INDUSTRIES)] for n in range(10)]
    rows = []
    for turn, (_, name, weight) in enumerate(chosen):
        count = weight * (3 + draw(seed, turn) % 9)
        amount = count * (8 + draw(seed, turn, 1) % 30) * 1_000
        rows.append(
            {
                "RSB_LRG_CTGR": "음식·음료" if turn % 2 else "소매·서비스",
                "RSB_MID_CTGR": name,
                "RSB_PAYMENT_LVL": ("한산한", "보통", "분주한", "바쁜")[draw(seed, turn, 2) % 4],
                "RSB_SH_PAYMENT_CNT": str(count),
                "RSB_SH_PAYMENT_AMT_MIN": str(amount * 9 // 10),
                "RSB_SH_PAYMENT_AMT_MAX": str(amount * 11 // 10),
                "RSB_MCT_CNT": str(weight * 2),
                "RSB_MCT_TIME": "202512",
            }
        )
    whole = {
        "AREA_CMRCL_LVL": ("한산한 시간대", "보통 시간대", "분주한 시간대", "바쁜 시간대")[seed % 4],
        "AREA_SH_PAYMENT_CNT": str(sum(int(r["RSB_SH_PAYMENT_CNT"]) for r in rows)),
        "AREA_SH_PAYMENT_AMT_MIN": str(sum(int(r["RSB_SH_PAYMENT_AMT_MIN"]) for r in rows)),
        "AREA_SH_PAYMENT_AMT_MAX": str(sum(int(r["RSB_SH_PAYMENT_AMT_MAX"]) for r in rows)),
    }
    buyers = {
        **_rates(seed, ("CMRCL_MALE_RATE", "CMRCL_FEMALE_RATE"), (50, 50)),
        **_rates(draw(seed, 3), tuple(f"CMRCL_{age}_RATE" for age in range(10, 70, 10)), (2, 24, 25, 21, 17, 11)),
        **_rates(draw(seed, 4), ("CMRCL_PERSONAL_RATE", "CMRCL_CORPORATION_RATE"), (84, 16)),
        "CMRCL_TIME": f"{LAST_DAY:%Y%m%d} 0900",
    }
    return whole, rows, buyers


def _commerce(world: World, query: Query) -> Rows:
    place = _asked(world, query)
    if place is None:
        return NO_ROWS
    whole, rows, buyers = _payments(world, place)
    head = {"AREA_NM": place.name, "AREA_CD": place.code}
    return Rows.mapped(rows, lambda row: {**head, **whole, **row, **buyers})


# everything at once


def _city_data(world: World, query: Query) -> Rows:
    place = _asked(world, query)
    return NO_ROWS if place is None else Rows.mapped([place], partial(_whole, world))


def _whole(world: World, place: Hotspot) -> Record:
    near = [s for s in stops(world) if s.borough == place.borough][:3]
    whole, rows, buyers = _payments(world, place)
    return {
        "AREA_NM": place.name,
        "AREA_CD": place.code,
        "LIVE_PPLTN_STTS": [_people(world, place)],
        "ROAD_TRAFFIC_STTS": _roads(world, place),
        "PRK_STTS": _parking(world, place),
        "SUB_STTS": [_station(world, stop) for stop in near],
        "LIVE_SUB_PPLTN": _boarding("SUB", sum(riders(world, s, LAST_DAY)[0] for s in near), len(near)),
        "BUS_STN_STTS": _halts(world, place),
        "LIVE_BUS_PPLTN": _boarding("BUS", place.size // 3, 4),
        "ACDNT_CNTRL_STTS": [],
        "CHARGER_STTS": _chargers(world, place),
        "SBIKE_STTS": _bikes(world, place),
        "WEATHER_STTS": [_weather(world, place)],
        "CULTURALEVENTINFO": _events(world, place),
        "LIVE_CMRCL_STTS": {**whole, "CMRCL_RSB": rows, **buyers},
        "LIVE_DST_MESSAGE": [],
        "LIVE_YNA_NEWS": [],
    }


def _roads(world: World, place: Hotspot) -> Record:
    links = []
    for turn in range(5):
        stream = world.measure("city", "road", place.number, turn)
        speed = stream.between(9, 48)
        links.append(
            {
                "LINK_ID": link_id(place.number * 31 + turn),
                "ROAD_NM": f"{names(world, 'roads', 200)[(place.number * 5 + turn) % 200]}로",
                "DIST": str(stream.between(90, 900)),
                "SPD": str(speed),
                "IDX": _pace(speed),
            }
        )
    mean = sum(int(link["SPD"]) for link in links) // len(links)
    average = {
        "ROAD_MSG": f"해당 장소 주변 도로가 {_pace(mean)} 상태입니다.",
        "ROAD_TRAFFIC_IDX": _pace(mean),
        "ROAD_TRAFFIC_SPD": str(mean),
        "ROAD_TRAFFIC_TIME": NOW,
    }
    return {"AVG_ROAD_DATA": average, "ROAD_TRAFFIC_STTS": links}


def _pace(speed: int) -> str:
    return "정체" if speed < 15 else "서행" if speed < 25 else "원활"


def _parking(world: World, place: Hotspot) -> list[Record]:
    found = [p for p in car_parks(world) if p.borough == place.borough][:4]
    return [
        {
            "PRK_NM": park.name,
            "PRK_CD": str(1_000_000 + park.index),
            "PRK_TYPE": "NW",
            "CPCTY": str(park.spaces),
            "CUR_PRK_CNT": str(park.spaces - cars(world, park)) if park.live else "",
            "CUR_PRK_TIME": NOW if park.live else "",
            "CUR_PRK_YN": "Y" if park.live else "N",
            "PAY_YN": "Y",
            "RATES": "250",
            "TIME_RATES": "5",
            "ADD_RATES": "250",
            "ADD_TIME_RATES": "5",
            "ADDRESS": park.address,
            "LAT": f"{park.latitude:.6f}",
            "LNG": f"{park.longitude:.6f}",
        }
        for park in found
    ]


def _station(world: World, stop: Stop) -> Record:
    return {
        "SUB_STN_NM": stop.name,
        "SUB_STN_LINE": str(stop.line.number),
        "SUB_STN_RADDR": stop.road,
        "SUB_STN_JIBUN": stop.lot,
        "SUB_STN_X": f"{stop.longitude:.6f}",
        "SUB_STN_Y": f"{stop.latitude:.6f}",
    }


def _boarding(kind: str, day: int, count: int) -> Record:
    """People who got on and off till now, and in the last minutes."""
    record: Record = {}
    for span, share in (("ACML", 300), ("30WTHN", 60), ("10WTHN", 20), ("5WTHN", 10)):
        for way in ("GTON", "GTOFF"):
            people = day * share // 1000
            record[f"{kind}_{span}_{way}_PPLTN_MIN"] = str(people * 9 // 10)
            record[f"{kind}_{span}_{way}_PPLTN_MAX"] = str(people * 11 // 10)
    return {**record, f"{kind}_STN_CNT": str(count), f"{kind}_STN_TIME": "202512"}


def _halts(world: World, place: Hotspot) -> list[Record]:
    pool = [s for s in bus_stops(world) if s.borough == place.borough]
    return [
        {
            "BUS_RESULT_MSG": "정상적으로 처리되었습니다.",
            "BUS_STN_ID": stop.node_id,
            "BUS_ARS_ID": stop.number,
            "BUS_STN_NM": stop.name,
            "BUS_STN_X": f"{stop.longitude:.6f}",
            "BUS_STN_Y": f"{stop.latitude:.6f}",
        }
        for stop in pool[place.number % 20 :: 40][:4]
    ]


def _chargers(world: World, place: Hotspot) -> list[Record]:
    stream = Stream(world.identity("city", "chargers", place.number).u64())
    return [
        {
            "STAT_NM": f"{place.name} 충전소 {turn + 1}",
            "STAT_ID": f"CH{place.number:03d}{turn}",
            "STAT_X": f"{place.longitude:.6f}",
            "STAT_Y": f"{place.latitude:.6f}",
            "STAT_USETIME": "24시간 이용가능",
            "STAT_PARKPAY": "N",
        }
        for turn in range(stream.below(4))
    ]


def _bikes(world: World, place: Hotspot) -> list[Record]:
    pool = [d for d in docks(world) if d.borough == place.borough]
    return [
        {
            "SBIKE_SPOT_NM": dock.titled,
            "SBIKE_SPOT_ID": dock.dock_id,
            "SBIKE_SHARED": str(standing(world, dock) * 100 // dock.racks),
            "SBIKE_PARKING_CNT": str(standing(world, dock)),
            "SBIKE_RACK_CNT": str(dock.racks),
            "SBIKE_X": f"{dock.longitude:.6f}",
            "SBIKE_Y": f"{dock.latitude:.6f}",
        }
        for dock in pool[place.number % 10 :: 15][:5]
    ]


def _weather(world: World, place: Hotspot) -> Record:
    found, seed = reading_now(world, place.borough), world.measure("city", "weather")
    low = seed.between(-110, -20)
    return {
        "WEATHER_TIME": NOW,
        "TEMP": f"{(low + seed.between(10, 60)) / 10:.1f}",
        "MAX_TEMP": f"{(low + 80) / 10:.1f}",
        "MIN_TEMP": f"{low / 10:.1f}",
        "HUMIDITY": str(seed.between(25, 70)),
        "WIND_DIRCT": seed.choice(("NW", "N", "W", "NE")),
        "WIND_SPD": f"{seed.between(5, 60) / 10:.1f}",
        "PRECIPITATION": "-",
        "PM25": str(found.pm25),
        "PM10": str(found.pm10),
        "AIR_IDX": found.grade,
        "AIR_IDX_MVL": str(found.index[0]),
        "AIR_IDX_MAIN": found.index[1],
    }


def _events(world: World, place: Hotspot) -> list[Record]:
    found: list[Any] = [e for e in events(world) if e.space.borough == place.borough and e.first <= LAST_DAY <= e.last]
    return [
        {
            "EVENT_NM": event.title,
            "EVENT_PERIOD": f"{event.first}~{event.last}",
            "EVENT_PLACE": event.space.name,
            "EVENT_X": f"{event.space.longitude:.6f}",
            "EVENT_Y": f"{event.space.latitude:.6f}",
            "PAY_YN": "무료" if event.free else "유료",
            "URL": f"https://culture.invalid/view/{event.code}",
        }
        for event in found[:6]
    ]


HANDLERS: Final[dict[str, Handler]] = {
    "citydata": _city_data,
    "citydata_ppltn": _population,
    "citydata_cmrcl": _commerce,
}
