"""NEIS's services about classes: timetables, classes, majors, tracks and rooms."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Sequence
from typing import Final

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.schools.columns import DAY, SPLIT, after, loaded, same, school_of, span, who
from kopa_hf.sandbox.schools.lessons import Class, Lesson, Timetable, classes, majors, room, rooms, subject
from kopa_hf.sandbox.schools.school import ELEMENTARY, HIGH, MIDDLE, OTHER, SPECIAL, School
from kopa_hf.sandbox.schools.terms import FIRST_YEAR, LAST_YEAR, school_days, school_year, term_of
from kopa_hf.sandbox.world import World


def timetable(levels: tuple[str, ...], *, before: bool) -> Handler:
    """A timetable service: its levels, and whether it holds the years before 2023 or those since."""

    def answer(world: World, query: Query) -> Reply:
        school = school_of(world, query)
        if school is None or school.level not in levels:
            return NO_ROWS
        wanted = span(query, "ALL_TI_YMD", "TI_FROM_YMD", "TI_TO_YMD")
        names = [f.name for f in query.tool.fields] if query.tool is not None else None
        tables: list[Timetable] = []
        for year in range(FIRST_YEAR, SPLIT) if before else range(SPLIT, LAST_YEAR + 1):
            if query.get("AY") in ("", str(year)):
                days = [d for d in school_days(school, year) if wanted(d) and same(query, {"SEM": term_of(school, d)})]
                groups = [one for one in classes(world, school, year) if same(query, _class(one))] if days else []
                tables.append(Timetable(days, groups, query.get("PERIO")))
        begins = [0, *itertools.accumulate(table.total for table in tables)]

        def lesson_at(index: int) -> Lesson:
            number = bisect.bisect_right(begins, index) - 1
            return tables[number].at(index - begins[number])

        asked = query.get("CLRM_NM")
        if not asked:
            return Rows(begins[-1], lambda index: _lesson(school, lesson_at(index), names))
        found = [lesson for table in tables for lesson in table.held_in(school, asked)]
        return Rows.mapped(found, lambda lesson: _lesson(school, lesson, names))

    return answer


def _class(one: Class) -> Record:
    return {
        "GRADE": str(one.grade),
        "DGHT_CRSE_SC_NM": DAY,
        "SCHUL_CRSE_SC_NM": one.course,
        "ORD_SC_NM": one.track,
        "DDDEP_NM": one.major,
        "CLASS_NM": one.name,
    }


def _lesson(school: School, lesson: Lesson, names: Sequence[str] | None) -> Record:
    row = {
        **who(school),
        "AY": str(school_year(lesson.day)),
        "SEM": str(term_of(school, lesson.day)),
        "ALL_TI_YMD": compact(lesson.day),
        **_class(lesson.of),
        "CLRM_NM": room(school, lesson),
        "PERIO": str(lesson.period),
        "ITRT_CNTNT": subject(school, lesson),
        "LOAD_DTM": after(lesson.day),
    }
    return row if names is None else {name: row[name] for name in names}


def _years(query: Query) -> list[int]:
    """The school years that are asked for: the one given, else all since the split."""
    text = query.get("AY")
    known = range(SPLIT, LAST_YEAR + 1)
    return [year for year in known if text in ("", str(year))]


def school_classes(world: World, query: Query) -> Reply:
    """classInfo."""
    school = school_of(world, query)
    if school is None:
        return NO_ROWS
    found = [(y, one) for y in _years(query) for one in classes(world, school, y) if same(query, _class(one))]
    return Rows.mapped(
        found, lambda pair: {**who(school), "AY": str(pair[0]), **_class(pair[1]), "LOAD_DTM": loaded(school)}
    )


def school_majors(world: World, query: Query) -> Reply:
    """schoolMajorinfo: high schools only."""
    school = school_of(world, query)
    if school is None or school.level not in (HIGH, OTHER):
        return NO_ROWS
    found = [
        {**who(school), "DGHT_CRSE_SC_NM": DAY, "ORD_SC_NM": track, "DDDEP_NM": major, "LOAD_DTM": loaded(school)}
        for track, major in majors(school)
    ]
    return Rows.of([row for row in found if same(query, row)])


def school_tracks(world: World, query: Query) -> Reply:
    """schulAflcoinfo."""
    school = school_of(world, query)
    if school is None:
        return NO_ROWS
    tracks = dict.fromkeys(track for track, _ in majors(school))
    found = [
        {**who(school), "DGHT_CRSE_SC_NM": DAY, "ORD_SC_NM": track, "LOAD_DTM": loaded(school)} for track in tracks
    ]
    return Rows.of([row for row in found if same(query, row)])


def classrooms(world: World, query: Query) -> Reply:
    """tiClrminfo."""
    school = school_of(world, query)
    if school is None:
        return NO_ROWS
    found = []
    for year in _years(query):
        for term in ("1", "2"):
            for one, name in rooms(world, school, year):
                row = {**who(school), "AY": str(year), "GRADE": str(one.grade), "SEM": term}
                row |= {n: v for n, v in _class(one).items() if n not in ("GRADE", "CLASS_NM")}
                row |= {"CLRM_NM": name, "LOAD_DTM": loaded(school)}
                if same(query, row):
                    found.append(row)
    order = [f.name for f in query.tool.fields] if query.tool is not None else None
    return Rows.of(found if order is None else [{name: row[name] for name in order} for row in found])


HANDLERS: Final[dict[str, Handler]] = {
    "elsTimetable": timetable((ELEMENTARY,), before=False),
    "misTimetable": timetable((MIDDLE,), before=False),
    "hisTimetable": timetable((HIGH, OTHER), before=False),
    "spsTimetable": timetable((SPECIAL,), before=False),
    "elsTimetablebgs": timetable((ELEMENTARY,), before=True),
    "misTimetablebgs": timetable((MIDDLE,), before=True),
    "hisTimetablebgs": timetable((HIGH, OTHER), before=True),
    "spsTimetablebgs": timetable((SPECIAL,), before=True),
    "classInfo": school_classes,
    "schoolMajorinfo": school_majors,
    "schulAflcoinfo": school_tracks,
    "tiClrminfo": classrooms,
}
