"""Living population (생활인구): who is where at which hour, by district and neighbourhood.

A district's people of an hour are shared out among its neighbourhoods, and a neighbourhood's among
sexes and ages, so every level adds up. Counts are estimates with four decimals, as the city prints them.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from kopa_hf.sandbox.city.answers import FIRST_DAY, day_of
from kopa_hf.sandbox.city.ground import Borough, Dong, boroughs, dongs, dongs_in, draw, split
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

PUBLISHED: Final = LAST_DAY - datetime.timedelta(days=5)
"""Figures come five days late."""
_SCALE: Final = 10_000
_DAYS: Final = 20
"""Days that a request without a day gets."""
Group = Literal["local", "long", "short"]
_PER_THOUSAND: Final[dict[Group, int]] = {"local": 1030, "long": 38, "short": 14}
_AGES: Final = (
    "F0T9", "F10T14", "F15T19", "F20T24", "F25T29", "F30T34", "F35T39", "F40T44", "F45T49", "F50T54", "F55T59",
    "F60T64", "F65T69", "F70T74",
)  # fmt: skip
_AGE_WEIGHTS: Final = (60, 36, 40, 72, 86, 82, 76, 78, 76, 80, 74, 72, 60, 108)
_CENTRAL: Final = frozenset({"11110", "11140", "11560", "11650", "11680"})
"""Districts that fill by day and empty by night; the others do the reverse."""


def people(world: World, place: Borough, day: datetime.date, hour: int, group: Group = "local") -> int:
    """People of a district in an hour, in ten-thousandths."""
    by_day = max(0, 8 - abs(hour - 14))
    pull = (6 if place.code in _CENTRAL else -2) * by_day * (1 if day.weekday() < 5 else 0)
    seed = draw(world.measure_seed("city", "living", group, place.code), day.toordinal(), hour)
    base = place.residents * _PER_THOUSAND[group] * _SCALE
    return base * (100 + pull) // 100 + base // 100 * (seed % 401 - 200) // 200 + seed % 9_973


def people_in_dongs(world: World, place: Borough, day: datetime.date, hour: int, group: Group) -> list[int]:
    """The same by neighbourhood; they add up to the district's."""
    return split(people(world, place, day, hour, group), tuple(d.weight for d in dongs_in(world, place.code)))


def written(count: int) -> str:
    """233.329: four decimals, closing zeros left out."""
    return f"{count / _SCALE:.4f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class _Asked:
    """Days (latest first) and hours of a request."""

    days: Sequence[datetime.date]
    hours: Sequence[int]


def _asked(query: Query) -> _Asked | None:
    if query.get("STDR_DE_ID"):
        day = day_of(query, "STDR_DE_ID", until=PUBLISHED)
        days = [] if day is None else [day]
    else:
        days = [PUBLISHED - datetime.timedelta(days=back) for back in range(_DAYS)]
    text = query.get("TMZON_PD_SE")
    if text and not (text.isdecimal() and len(text) <= 2):
        raise RefusedError("value", "TMZON_PD_SE")
    hours = [hour for hour in range(24) if not text or hour == int(text)]
    return _Asked([d for d in days if d >= FIRST_DAY], hours) if days and hours else None


def _cube(query: Query, asked: _Asked, places: Sequence[Any], make: Any) -> Rows:
    """Days × hours × places."""
    wanted = query.get("ADSTRD_CODE_SE")
    found = [p for p in places if not wanted or p.code == wanted]
    if not found:
        return NO_ROWS

    def row(index: int) -> Record:
        rest, place = divmod(index, len(found))
        day, hour = asked.days[rest // len(asked.hours)], asked.hours[rest % len(asked.hours)]
        head = {"STDR_DE_ID": f"{day:%Y%m%d}", "TMZON_PD_SE": f"{hour:02d}", "ADSTRD_CODE_SE": found[place].code}
        return {**head, **make(found[place], day, hour)}

    return Rows(len(asked.days) * len(asked.hours) * len(found), row)


def _parts(total: int, seed: int) -> Record:
    """Sexes and ages of a neighbourhood's people."""
    sexes = split(total, (480 + seed % 40, 500))
    record: Record = {}
    for sex, whole in zip(("MALE", "FEMALE"), sexes, strict=True):
        weights = tuple(w * 10 + draw(seed, n) % (w * 2) for n, w in enumerate(_AGE_WEIGHTS))
        for age, part in zip(_AGES, split(whole, weights), strict=True):
            record[f"{sex}_{age}_LVPOP_CO"] = written(part)
    return record


def _nations(total: int, seed: int) -> Record:
    chinese, other = split(total, (40 + seed % 30, 60))
    return {
        "TOT_LVPOP_CO": written(total),
        "CHINA_STAYPOP_CO": written(chinese),
        "ETC_STAYPOP_CO": written(other),
    }


def _of_dongs(group: Group) -> Handler:
    def handle(world: World, query: Query) -> Rows:
        asked = _asked(query)
        if asked is None:
            return NO_ROWS

        def make(place: Dong, day: datetime.date, hour: int) -> Record:
            order = dongs_in(world, place.borough.code).index(place)
            total = people_in_dongs(world, place.borough, day, hour, group)[order]
            seed = draw(world.measure_seed("city", "living parts", group, place.code), day.toordinal(), hour)
            if group != "local":
                return _nations(total, seed)
            return {"TOT_LVPOP_CO": written(total), **_parts(total, seed)}

        return _cube(query, asked, dongs(world), make)

    return handle


def _of_boroughs(group: Group) -> Handler:
    def handle(world: World, query: Query) -> Rows:
        asked = _asked(query)
        if asked is None:
            return NO_ROWS

        def make(place: Borough, day: datetime.date, hour: int) -> Record:
            total = people(world, place, day, hour, group)
            if group == "local":
                return {"TOT_LVPOP_CO": written(total)}
            return _nations(total, draw(world.measure_seed("city", "nations", place.code), day.toordinal(), hour))

        return _cube(query, asked, boroughs(), make)

    return handle


def _daily(world: World, query: Query) -> Rows:
    """Means of a day: over all hours, over 9 to 18 o'clock, over the rest."""
    asked = _asked(query)
    if asked is None:
        return NO_ROWS
    days = asked.days

    def row(index: int) -> Record:
        day, place = days[index // len(boroughs())], boroughs()[index % len(boroughs())]
        hours = [people(world, place, day, hour) for hour in range(24)]
        bright, dark = hours[9:18], hours[:9] + hours[18:]
        seed = draw(world.measure_seed("city", "movers", place.code), day.toordinal())
        total = sum(hours) // 24
        return {
            "STDR_DE_ID": f"{day:%Y%m%d}",
            "SIGNGU_CODE_SE": place.code,
            "SIGNGU_NM": place.name,
            "TOT_LVPOP_CO": written(total),
            "DAY_LVPOP_CO": written(sum(bright) // len(bright)),
            "NIGHT_LVPOP_CO": written(sum(dark) // len(dark)),
            "SU_ELSE_INFLOW_LVPOP_CO": written(total * (6 + seed % 9) // 100),
            "SIGNGU_MVMN_LVPOP_CO": written(total * (18 + (seed >> 8) % 14) // 100),
        }

    return Rows(len(days) * len(boroughs()), row)


HANDLERS: Final[dict[str, Handler]] = {
    "SPOP_LOCAL_RESD_DONG": _of_dongs("local"),
    "SPOP_LOCAL_RESD_JACHI": _of_boroughs("local"),
    "SPOP_FORN_LONG_RESD_DONG": _of_dongs("long"),
    "SPOP_FORN_TEMP_RESD_DONG": _of_dongs("short"),
    "SPOP_FORN_LONG_RESD_JACHI": _of_boroughs("long"),
    "SPOP_DAILYSUM_JACHI": _daily,
}
