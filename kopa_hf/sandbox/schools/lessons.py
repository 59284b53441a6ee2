"""Classes, tracks, majors, classrooms, and who has which lesson when."""

from __future__ import annotations

import bisect
import datetime
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.schools.enrolment import Enrolment, enrolment
from kopa_hf.sandbox.schools.school import HIGH, MIDDLE, OTHER, SPECIAL, School
from kopa_hf.sandbox.world import World

COURSE_NAMES: Final = {"E": "초등학교", "M": "중학교", "H": "고등학교"}
_MAJORS: Final = {
    "공업고등학교": ("스마트기계과", "전기전자과", "건축디자인과", "자동차과", "화학공업과"),
    "상업고등학교": ("금융회계과", "유통마케팅과", "사무행정과"),
    "정보고등학교": ("소프트웨어개발과", "디지털콘텐츠과", "정보보안과"),
    "과학고등학교": ("과학과",),
    "외국어고등학교": ("영어과", "중국어과", "독일어과", "프랑스어과"),
    "예술고등학교": ("음악과", "미술과", "무용과"),
}
_TRACK_OF: Final = {
    "공업고등학교": "공업계", "상업고등학교": "상업계", "정보고등학교": "공업계", "과학고등학교": "과학계",
    "외국어고등학교": "외국어계", "예술고등학교": "예술계",
}  # fmt: skip
_GENERAL: Final = ("일반계", "일반학과")
_SUBJECTS: Final = {
    "E": ("국어", "국어", "수학", "사회", "과학", "영어", "음악", "미술", "체육", "도덕", "실과", "창의적 체험활동"),
    "M": (
        "국어",
        "수학",
        "영어",
        "과학",
        "사회",
        "역사",
        "도덕",
        "기술·가정",
        "체육",
        "음악",
        "미술",
        "정보",
        "자율활동",
    ),
    "H": (
        "국어",
        "수학",
        "영어",
        "한국사",
        "통합사회",
        "통합과학",
        "물리학",
        "화학",
        "생활과 윤리",
        "체육",
        "음악",
        "정보",
        "자율활동",
    ),
}
_EARLY: Final = ("국어", "국어", "수학", "바른 생활", "슬기로운 생활", "즐거운 생활", "창의적 체험활동")
"""What the first two years of elementary school learn."""
_ROOMS: Final = ("과학실", "컴퓨터실", "음악실", "미술실", "체육관", "어학실", "도서실")


@dataclass(frozen=True, slots=True)
class Class:
    """One class of one school year."""

    part: str
    grade: int
    name: str
    """1, 2, …"""
    track: str
    major: str

    @property
    def course(self) -> str:
        """초등학교, 중학교, 고등학교."""
        return COURSE_NAMES[self.part]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One period of one class on one day."""

    day: datetime.date
    of: Class
    period: int


def majors(school: School) -> tuple[tuple[str, str], ...]:
    """(track, major) of a high school; the general one elsewhere."""
    if school.level not in (HIGH, OTHER):
        return (_GENERAL,)
    for ending, names in _MAJORS.items():
        if school.name.endswith(ending):
            kept = 1 + mix(school.seed, 20) % len(names)
            return tuple((_TRACK_OF[ending], name) for name in names[:kept])
    return (_GENERAL,)


def classes(world: World, school: School, year: int) -> tuple[Class, ...]:
    """All classes of a school year, by grade; majors are dealt out in turn."""
    known = majors(school)
    return tuple(
        Class(grade.part, grade.number, str(number + 1), *known[number % len(known)])
        for grade in _pupils(world, school, year).grades
        for number in range(grade.classes)
    )


def _pupils(world: World, school: School, year: int) -> Enrolment:
    return enrolment(world, school, year)


def periods(one: Class, weekday: int) -> int:
    """How many lessons a class has on a day of the week."""
    if one.part == "E":
        return (4 if weekday == 2 else 5) if one.grade <= 2 else 5 if weekday == 2 else 6
    return 6 if weekday in (2, 4) else 7


class Timetable:
    """Lessons of some classes on some days, in order of day, class and period; each made when it is asked for."""

    def __init__(self, days: Sequence[datetime.date], groups: Sequence[Class], period: str = "") -> None:
        self._days = days
        self._groups = groups
        self._only = int(period) if period.isdigit() else 0
        self._within = [self._offsets(weekday) for weekday in range(5)]
        self._before = [0, *itertools.accumulate(self._within[day.weekday()][-1] for day in days)]

    @property
    def total(self) -> int:
        """How many lessons there are."""
        return self._before[-1]

    def at(self, index: int) -> Lesson:
        """The lesson at a position."""
        number = bisect.bisect_right(self._before, index) - 1
        day, left = self._days[number], index - self._before[number]
        offsets = self._within[day.weekday()]
        position = bisect.bisect_right(offsets, left) - 1
        return Lesson(day, self._groups[position], self._only or left - offsets[position] + 1)

    def held_in(self, school: School, asked: str) -> Iterator[Lesson]:
        """Lessons in one room; a weekday's are the same all term long, so each is looked at once."""
        known: dict[tuple[int, int], list[tuple[Class, int]]] = {}
        for day in self._days:
            key = day.weekday(), _half(day)
            if key not in known:
                every = (Lesson(day, one, p) for one in self._groups for p in range(1, periods(one, key[0]) + 1))
                known[key] = [(lesson.of, lesson.period) for lesson in every if room(school, lesson) == asked]
            for one, period in known[key]:
                if self._only in (0, period):
                    yield Lesson(day, one, period)

    def _offsets(self, weekday: int) -> list[int]:
        """Lessons of a weekday before each class, and in all."""
        counts = (periods(one, weekday) for one in self._groups)
        if self._only:
            counts = (int(self._only <= count) for count in counts)
        return [0, *itertools.accumulate(counts)]


def _half(day: datetime.date) -> int:
    """Which of the year's two timetables holds on a day."""
    return 1 if 3 <= day.month <= 7 else 2


def subject(school: School, lesson: Lesson) -> str:
    """What a class learns: the same weekday and period teach the same subject all term long."""
    one = lesson.of
    place = (one.grade * 40 + int(one.name)) * 8 + lesson.day.weekday()
    draw = mix(school.seed, place * 2 + _half(lesson.day))
    pool = _EARLY if one.part == "E" and one.grade <= 2 else _SUBJECTS[one.part]
    # periods of a day walk through the subjects, so that no subject stands there all day
    return pool[(draw + lesson.period * (1 + draw % 3)) % len(pool)]


def room(school: School, lesson: Lesson) -> str:
    """Where a lesson is held: a room of its own for a few subjects, else the class's."""
    name = subject(school, lesson)
    special = {"과학": 0, "통합과학": 0, "정보": 1, "음악": 2, "미술": 3, "체육": 4}.get(name)
    return _ROOMS[special] if special is not None else f"{lesson.of.grade}학년 {lesson.of.name}반"


def rooms(world: World, school: School, year: int) -> tuple[tuple[Class, str], ...]:
    """(class, room) of all rooms that a school's timetable knows."""
    own = tuple((one, f"{one.grade}학년 {one.name}반") for one in classes(world, school, year))
    firsts = [one for one, _ in own if one.name == "1"]
    shared = tuple((one, name) for one in firsts for name in _ROOMS[: 5 if school.level in (MIDDLE, SPECIAL) else 7])
    return own + shared
