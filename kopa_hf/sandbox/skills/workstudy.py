"""Apprenticeship courses (일학습병행 훈련과정) and the tables that count them: one population, cut seven ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.query import Handler, Query, Record, Reply
from kopa_hf.sandbox.skills.courses import large_category, providers
from kopa_hf.sandbox.skills.ncs import Duty, duties_of
from kopa_hf.sandbox.skills.qualifications import Qualification
from kopa_hf.sandbox.skills.rounds import LAST_YEAR
from kopa_hf.sandbox.skills.shaping import listed, year_of
from kopa_hf.sandbox.world import World

_FIRST: Final = 2016
_PERIODS: Final = ((6, 12), (12, 24), (24, 36), (36, 48), (48, 999))
"""Months, in the order of the columns a, b, …"""
_HOURS: Final = ((0, 600), (600, 800), (800, 1000), (1000, 1500), (1500, 2000), (2000, 99_999))
_WAYS_IN: Final = (("01", "단독기업형", 30), ("02", "공동훈련센터형", 50), ("03", "재학생 단계", 20))
_PROVINCES: Final = {
    "seoul": "A101", "busan": "A102", "daegu": "A103", "incheon": "A104", "gwangju": "A105", "daejeon": "A106",
    "ulsan": "A107", "gyeonggi": "A108", "gangwon": "A109", "chungbuk": "A110", "chungnam": "A111", "jeonbuk": "A112",
    "jeonnam": "A113", "gyeongbuk": "A114", "gyoungnam": "A115", "jeju": "A116", "sejong": "A117",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Course:
    """One approved course at one company."""

    qualification: Qualification
    duty: Duty
    region: int
    year: int
    months: int
    hours: int
    way: int
    level: int


def courses(world: World) -> tuple[Course, ...]:
    """All courses, company by company."""
    return world.table("skills.apprenticeships", _build)


def _build(world: World) -> tuple[Course, ...]:
    found = []
    for provider in providers(world, "W"):
        for position, q in enumerate(provider.courses):
            stream = world.identity("skills", "apprenticeship", provider.index, position)
            months = stream.weighted(((9, 1), (12, 6), (18, 3), (24, 4), (36, 1), (48, 1)))
            found.append(
                Course(
                    qualification=q,
                    duty=stream.choice(duties_of(world, large_category(q)[0])),
                    region=provider.region,
                    year=stream.between(max(provider.since, _FIRST), LAST_YEAR),
                    months=months,
                    hours=months * stream.between(45, 75),
                    way=stream.weighted([(n, weight) for n, (*_, weight) in enumerate(_WAYS_IN)]),
                    level=stream.between(2, 5),
                )
            )
    return tuple(found)


def _chosen(world: World, query: Query) -> list[Course]:
    first, last = year_of(query, "startYyyy", _FIRST), year_of(query, "endYyyy", LAST_YEAR)
    large, middle, small = (query.get(f"schNcs{level}clasCd") for level in ("L", "M", "S"))
    level = query.get("schLvlCd")
    return [
        c
        for c in courses(world)
        if first <= c.year <= last
        and large in ("", c.duty.parts[0])
        and middle in ("", c.duty.parts[1])
        and small in ("", c.duty.parts[2])
        and level in ("", str(c.level))
    ]


def _by_year(fill: Callable[[Sequence[Course]], Record]) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """A row per year."""
        chosen = _chosen(world, query)
        years = sorted({c.year for c in chosen})
        return listed(query, years, lambda y: {"confmYYYY": str(y), **fill([c for c in chosen if c.year == y])})

    return answer


def _in_steps(steps: Sequence[tuple[int, int]], measure: Callable[[Course], int]) -> Handler:
    def fill(found: Sequence[Course]) -> Record:
        counts = [sum(low <= measure(c) < high for c in found) for low, high in steps]
        return {letter: str(count) for letter, count in zip("abcdef", counts, strict=False)}

    return _by_year(fill)


def by_province(world: World, query: Query) -> Reply:
    """Counts per province, a row per year."""
    return _by_year(
        lambda found: {name: str(sum(_region_code(c) == code for c in found)) for name, code in _PROVINCES.items()}
    )(world, query)


def _region_code(course: Course) -> str:
    return f"A{101 + course.region}"


def by_participation(world: World, query: Query) -> Reply:
    """Counts per year and way of taking part."""
    chosen = _chosen(world, query)
    rows = [(y, w) for y in sorted({c.year for c in chosen}) for w in range(len(_WAYS_IN))]

    def known(row: tuple[int, int]) -> dict[str, Any]:
        code, name, _ = _WAYS_IN[row[1]]
        count = sum((c.year, c.way) == row for c in chosen)
        return {
            "confmYYYY": str(row[0]), "parttnReqstTyCd": code, "parttnReqstTyNm": name, "tracseCnt": str(count)
        }  # fmt: skip

    return listed(query, rows, known)


def _grouped(key: Callable[[Course], tuple[str, ...]], names: Sequence[str]) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """Counts per group, largest first, with a row number."""
        counts: dict[tuple[str, ...], int] = {}
        for course in _chosen(world, query):
            counts[key(course)] = counts.get(key(course), 0) + 1
        order = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))

        def known(row: tuple[int, tuple[tuple[str, ...], int]]) -> dict[str, Any]:
            number, (group, count) = row
            return {"rn": str(number), "tracseCnt": str(count), **dict(zip(names, group, strict=True))}

        return listed(query, list(enumerate(order, 1)), known)

    return answer


HANDLERS: Final[dict[str, Handler]] = {
    "traingPdMtmStsList": _in_steps(_PERIODS, lambda c: c.months),
    "traingTmStsList": _in_steps(_HOURS, lambda c: c.hours),
    "rgnSidoStsList": by_province,
    "parttnReqstTyStsList": by_participation,
    "tracseYYStsList": _by_year(lambda found: {"tracseCnt": str(len(found))}),
    "jssfcTracseStsList": _grouped(lambda c: (c.duty.name,), ("jssfc",)),
    "jmTracseStsList": _grouped(
        lambda c: (c.duty.large_name, str(c.level), c.qualification.name), ("ncsLclasCdNm", "lvlCd", "jmNm")
    ),
}
