"""산학협력: courses made for companies, practice in the field, capstone designs, firms founded at universities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.universities.answers import fitted, year_of
from kopa_hf.sandbox.universities.figures import figures
from kopa_hf.sandbox.universities.university import JUNIOR, Major, University, majors, university_by_code
from kopa_hf.sandbox.world import World

Values = Callable[[World, University, int], list[tuple[str, str, str]]]
_NEEDS: Final = ("현장실무", "스마트제조", "데이터분석", "서비스기획", "품질관리")


def _table(code: str, values: Values) -> Handler:
    """A table of one university and year; the first value is the year that the figures are of."""

    def answer(world: World, query: Query) -> Reply:
        year, university = year_of(query), university_by_code(world, query.get("schlId"))
        if year is None or university is None:
            return NO_ROWS
        rows: list[Record] = [
            {
                "svyYr": str(year),
                "schlKrnNm": university.name,
                "schlDivNm": university.kind_name,
                "schlEstbNm": university.founder_name,
                "indctVal1": str(year - 1),
                "indctVal2": second,
                "indctVal3": third,
                "indctVal4": fourth,
                "indctId": code,
                "schlId": university.code,
                "indctYr": str(year),
            }
            for second, third, fourth in values(world, university, year)
        ]
        return fitted(query, rows)

    return answer


def _some(world: World, university: University, salt: int, percent: int) -> list[Major]:
    return [m for m in majors(world, university) if mix(university.seed, salt + m.number) % 100 < percent]


def _degree(university: University) -> str:
    return "전문학사" if university.division == JUNIOR else "학사"


def _contract(world: World, university: University, year: int) -> list[tuple[str, str, str]]:
    kinds = ("채용조건형", "재교육형")
    return [
        (_degree(university), kinds[mix(university.seed, 830 + m.number) % 2], m.field.large_name)
        for m in _some(world, university, 800, 6)
    ]


def _ordered(world: World, university: University, year: int) -> list[tuple[str, str, str]]:
    return [
        (_degree(university), m.field.large_name, f"{m.name} {_NEEDS[mix(university.seed, 860 + m.number) % 5]}과정")
        for m in _some(world, university, 850, 12 if university.division == JUNIOR else 3)
    ]


def _practice(world: World, university: University, year: int) -> list[tuple[str, str, str]]:
    return [(m.college, m.name, "야간" if m.night else "주간") for m in _some(world, university, 900, 55)]


def _capstone(world: World, university: University, year: int) -> list[tuple[str, str, str]]:
    return [(m.college, m.name, m.field.large_name) for m in _some(world, university, 950, 45)]


def _founders(topic: str, one_of: int) -> Values:
    """(founders, firms inside, firms outside): every founder has one firm."""

    def values(world: World, university: University, year: int) -> list[tuple[str, str, str]]:
        held = figures(world, university, year)
        stream = world.measure("universities", topic, university.index, year)
        heads = held.faculty if topic == "faculty founders" else held.enrolled
        founders = stream.below(heads // one_of + 2)
        inside = founders * stream.between(30, 80) // 100
        return [(str(founders), str(inside), str(founders - inside))]

    return values


def _lessons(world: World, university: University, year: int) -> list[tuple[str, str, str]]:
    stream = world.measure("universities", "founding lessons", university.index, year)
    theory, practice = stream.between(0, 40), stream.between(0, 20)
    return [(str(theory), str(theory * stream.between(15, 45)), str(practice))]


HANDLERS: Final[dict[str, Handler]] = {
    "getCntrctmjrInstOperCstt": _table("501", _contract),
    "getOrdmthEdcCrseInstOper": _table("502", _ordered),
    "getGrndsPrcOperCstt": _table("503", _practice),
    "getCsptDsgnOperCstt": _table("504", _capstone),
    "getTcherStupSuptCstt": _table("505", _founders("faculty founders", 60)),
    "getStdnStupSuptCstt": _table("506", _founders("student founders", 900)),
    "getStupEdcSuptCstt": _table("507", _lessons),
}
