"""The school year: terms, school days, holidays and what happens on which day."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.schools.school import ELEMENTARY, HIGH, MIDDLE, School
from kopa_hf.sandbox.world import LAST_DAY

FIRST_YEAR: Final = 2020
LAST_YEAR: Final = 2025
"""School years with timetables, meals and calendars."""
_FIXED: Final = {
    (3, 1): "삼일절", (5, 5): "어린이날", (6, 6): "현충일", (8, 15): "광복절", (10, 3): "개천절", (10, 9): "한글날",
    (12, 25): "성탄절", (1, 1): "신정",
}  # fmt: skip
_MOVING: Final = {
    2020: ("부처님오신날 04-30", "추석연휴 09-30", "추석 10-01", "추석연휴 10-02", "설날연휴 02-11", "설날 02-12"),
    2021: ("부처님오신날 05-19", "대체공휴일 08-16", "추석연휴 09-20", "추석 09-21", "추석연휴 09-22", "설날연휴 01-31",
           "설날 02-01", "설날연휴 02-02", "대체공휴일 10-04", "대체공휴일 10-11"),
    2022: ("전국동시지방선거 06-01", "추석연휴 09-09", "대체공휴일 09-12", "대체공휴일 10-10", "설날연휴 01-23",
           "대체공휴일 01-24"),
    2023: ("대체공휴일 05-29", "추석연휴 09-28", "추석 09-29", "임시공휴일 10-02", "설날연휴 02-09", "대체공휴일 02-12"),
    2024: ("국회의원선거 04-10", "대체공휴일 05-06", "부처님오신날 05-15", "추석연휴 09-16", "추석 09-17", "추석연휴 09-18",
           "임시공휴일 10-01", "임시공휴일 01-27", "설날연휴 01-28", "설날 01-29", "설날연휴 01-30"),
    2025: ("대체공휴일 03-03", "대체공휴일 05-06", "대통령선거 06-03", "추석연휴 10-06", "추석연휴 10-07", "대체공휴일 10-08",
           "설날연휴 02-16", "설날 02-17", "설날연휴 02-18"),
}  # fmt: skip
"""School year → holidays that move; months before March belong to the next calendar year."""


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a school's calendar."""

    day: datetime.date
    name: str
    off: str
    """수업공제일명: 해당없음, 휴업일 or 공휴일."""
    grades: frozenset[int]
    """Grades that it concerns."""


def school_year(day: datetime.date) -> int:
    """The school year that a day belongs to: it begins in March."""
    return day.year if day.month >= 3 else day.year - 1


@cache
def holidays(year: int) -> dict[datetime.date, str]:
    """Public holidays of a school year by day."""
    found = {datetime.date(year + (month < 3), month, day): name for (month, day), name in _FIXED.items()}
    for entry in _MOVING.get(year, ()):
        name, _, day = entry.rpartition(" ")
        month, number = int(day[:2]), int(day[3:])
        found[datetime.date(year + (month < 3), month, number)] = name
    return found


@lru_cache(maxsize=512)
def terms(school: School, year: int) -> tuple[tuple[datetime.date, datetime.date], tuple[datetime.date, datetime.date]]:
    """First and last day of both terms; they differ from school to school by a few days."""
    draw = mix(school.seed, 1000 + year)
    summer = datetime.date(year, 7, 16) + datetime.timedelta(days=draw % 9)
    back = datetime.date(year, 8, 12) + datetime.timedelta(days=(draw >> 8) % 14)
    winter = datetime.date(year, 12, 26) + datetime.timedelta(days=(draw >> 16) % 16)
    return (datetime.date(year, 3, 2), summer), (back, winter)


def term_of(school: School, day: datetime.date) -> int:
    """1 or 2: August decides."""
    return 1 if terms(school, school_year(day))[1][0] > day >= datetime.date(school_year(day), 3, 1) else 2


@lru_cache(maxsize=512)
def school_days(school: School, year: int) -> tuple[datetime.date, ...]:
    """Days with lessons, up to the world's today; none for years without a calendar."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return ()
    off = holidays(year)
    anniversary = _anniversary(school, year)
    found = []
    for first, last in terms(school, year):
        for offset in range((min(last, LAST_DAY) - first).days + 1):
            day = first + datetime.timedelta(days=offset)
            if day.weekday() < 5 and day not in off and day != anniversary:
                found.append(day)
    return tuple(found)


def events(school: School, year: int) -> tuple[Event, ...]:
    """A school's calendar of one school year, in order of days."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return ()
    top = 6 if school.level == ELEMENTARY else 3
    everyone = frozenset(range(1, top + 1))
    found = [Event(day, name, "공휴일", everyone) for day, name in holidays(year).items()]
    (spring, summer), (autumn, winter) = terms(school, year)
    draw = mix(school.seed, 2000 + year)
    found.append(Event(_weekday(spring), "입학식", "해당없음", frozenset({1})))
    found.append(Event(_weekday(spring), "시업식", "해당없음", everyone - {1}))
    found.append(Event(_weekday(summer), "여름방학식", "해당없음", everyone))
    found.append(Event(_weekday(autumn), "개학식", "해당없음", everyone))
    found.append(Event(_weekday(winter), "졸업식", "해당없음", frozenset({top})))
    found.append(Event(_weekday(winter), "종업식", "해당없음", everyone - {top}))
    anniversary = _anniversary(school, year)
    if anniversary is not None and spring <= anniversary <= winter:
        found.append(Event(anniversary, "개교기념일", "휴업일", everyone))
    if school.level in (MIDDLE, HIGH):
        for name, month, day in (("중간고사", 4, 22), ("기말고사", 7, 1), ("중간고사", 10, 13), ("기말고사", 12, 8)):
            first = _weekday(datetime.date(year, month, day) + datetime.timedelta(days=draw % 6))
            exam = [first]
            while len(exam) < 3:
                exam.append(_weekday(exam[-1] + datetime.timedelta(days=1)))
            concerned = everyone - {1} if school.level == MIDDLE else everyone
            found.extend(Event(d, name, "해당없음", concerned) for d in exam)
    trip = _weekday(datetime.date(year, 5, 8) + datetime.timedelta(days=(draw >> 8) % 15))
    found.append(Event(trip, "현장체험학습", "해당없음", frozenset({1 + (draw >> 16) % top})))
    games = _weekday(datetime.date(year, 9, 20) + datetime.timedelta(days=(draw >> 24) % 10))
    found.append(Event(games, "체육대회", "해당없음", everyone))
    festival = _weekday(datetime.date(year, 10, 20) + datetime.timedelta(days=(draw >> 32) % 20))
    found.append(Event(festival, "학예발표회" if school.level == ELEMENTARY else "학교축제", "해당없음", everyone))
    if school.level == HIGH:
        found.append(Event(_weekday(datetime.date(year, 3, 24)), "전국연합학력평가", "해당없음", everyone))
    found.append(Event(_weekday(datetime.date(year, 3, 18)), "학부모총회", "해당없음", everyone))
    return tuple(sorted(found, key=lambda event: (event.day, event.name)))


def _anniversary(school: School, year: int) -> datetime.date | None:
    opened = school.opened
    if (opened.month, opened.day) == (2, 29):
        return None
    return datetime.date(year + (opened.month < 3), opened.month, opened.day)


def _weekday(day: datetime.date) -> datetime.date:
    """The day itself or the next one with lessons."""
    while day.weekday() > 4 or day in holidays(school_year(day)):
        day += datetime.timedelta(days=1)
    return day
