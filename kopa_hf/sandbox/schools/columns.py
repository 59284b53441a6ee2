"""What the rows of NEIS have in common, and how its parameters choose them."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, Final

from kopa_hf.sandbox.calendar import compact, parse_compact
from kopa_hf.sandbox.query import Query, Record, RefusedError
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.schools.school import School, school_by_code
from kopa_hf.sandbox.world import LAST_DAY, World

DAY: Final = "주간"
SPLIT: Final = 2023
"""Timetables of earlier school years stand in services of their own."""


def school_of(world: World, query: Query) -> School | None:
    """The school of both codes; None where they do not belong together."""
    school = school_by_code(world, query.get("SD_SCHUL_CODE"))
    return school if school is not None and school.office.code == query.get("ATPT_OFCDC_SC_CODE") else None


def who(school: School) -> Record:
    return {
        "ATPT_OFCDC_SC_CODE": school.office.code,
        "ATPT_OFCDC_SC_NM": school.office.name,
        "SD_SCHUL_CODE": school.code,
        "SCHUL_NM": school.name,
    }


def after(day: datetime.date, days: int = 7) -> str:
    """When a row was loaded: a week later, but not after today."""
    return compact(min(day + datetime.timedelta(days=days), LAST_DAY))


def loaded(school: School) -> str:
    return compact(datetime.date(2025, 3, 3) + datetime.timedelta(days=mix(school.seed, 40) % 320))


def span(query: Query, exact: str, first: str, last: str) -> Callable[[datetime.date], bool]:
    """Whether a day is asked for; a day may be given by its beginning (202506)."""
    whole, start, stop = query.get(exact), query.get(first), query.get(last)
    for name, text in ((first, start), (last, stop)):
        if text and parse_compact(text) is None:
            raise RefusedError("value", name)
    if whole and not whole.isdigit():
        raise RefusedError("value", exact)

    def fits(day: datetime.date) -> bool:
        text = compact(day)
        return text.startswith(whole) and (not start or text >= start) and (not stop or text <= stop)

    return fits


def same(query: Query, columns: dict[str, Any]) -> bool:
    """Whether columns equal every parameter of their name."""
    return all(str(value) == asked for name, value in columns.items() if (asked := query.get(name)))
