"""Pupils: cohorts enter, move through the grades, gain and lose a few each year, and leave.

How big a cohort was planned is identity (so are its classes); how many pupils came and moved are
measures. Next year's grade is this year's grade below plus those who moved in less those who moved out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.schools.school import ELEMENTARY, HIGH, MIDDLE, OTHER, SPECIAL, School
from kopa_hf.sandbox.world import World

FIRST_YEAR: Final = 2016
LAST_YEAR: Final = 2025
"""School years with pupils; a school year begins in March."""
PARTS: Final = {ELEMENTARY: "E", MIDDLE: "M", HIGH: "H", OTHER: "H", SPECIAL: "EMH"}
"""Level → the courses that it teaches: elementary, middle, high."""
GRADES: Final = {"E": 6, "M": 3, "H": 3}
_SHRINKING: Final = {"E": 33, "M": 15, "H": 19}
"""By how many thousandths planned cohorts shrink every year: ever fewer children."""
_RURAL: Final = {"E": 24, "M": 45, "H": 70}
_URBAN: Final = {"E": 71, "M": 148, "H": 200}
_LARGEST: Final = {"E": 320, "M": 420, "H": 460}
"""Pupils of a middling cohort in the country and in town, and of the largest one."""


@dataclass(frozen=True, slots=True)
class Grade:
    """One grade of one course in one school year."""

    part: str
    number: int
    classes: int
    pupils: int
    girls: int
    moved_in: int
    moved_out: int

    @property
    def boys(self) -> int:
        """The others."""
        return self.pupils - self.girls


class Enrolment:
    """A school's pupils in one school year."""

    def __init__(self, world: World, school: School, year: int) -> None:
        self.school = school
        self.year = year
        self._plan = world.identity("schools", "plan", school.index).u64()
        self._draws = world.measure_seed("schools", "pupils", school.index)

    @cached_property
    def grades(self) -> tuple[Grade, ...]:
        """All grades, elementary first."""
        parts = PARTS[self.school.level]
        return tuple(self._grade(part, number) for part in parts for number in range(1, GRADES[part] + 1))

    @cached_property
    def special(self) -> tuple[int, int, int]:
        """Classes, pupils and girls of special classes within an ordinary school; none in a special school."""
        if self.school.level in (SPECIAL, OTHER) or mix(self._plan, 11) % 100 >= 62:
            return 0, 0, 0
        classes = 1 + mix(self._plan, 12) % 2
        pupils = sum(2 + mix(self._draws, self.year * 16 + number) % 5 for number in range(classes))
        girls = pupils if self.school.sexes == "여" else 0 if self.school.sexes == "남" else pupils * 2 // 5
        return classes, pupils, girls

    @cached_property
    def pupils(self) -> int:
        """All pupils, special classes included."""
        return sum(grade.pupils for grade in self.grades) + self.special[1]

    @cached_property
    def girls(self) -> int:
        """All girls, special classes included."""
        return sum(grade.girls for grade in self.grades) + self.special[2]

    @cached_property
    def classes(self) -> int:
        """All classes, special ones included."""
        return sum(grade.classes for grade in self.grades) + self.special[0]

    def of(self, part: str) -> tuple[Grade, ...]:
        """The grades of one course; none where the school does not teach it."""
        return tuple(grade for grade in self.grades if grade.part == part)

    def graduates(self) -> tuple[int, int]:
        """(all, girls) who left the last grade in February of this year."""
        part = PARTS[self.school.level][-1]
        entry = self.year - GRADES[part]
        pupils, _, _ = self._reached(part, entry, GRADES[part] + 1, self._planned(part, entry))
        return pupils, self._girls(part, entry, pupils)

    def _grade(self, part: str, number: int) -> Grade:
        entry = self.year - number + 1
        planned = self._planned(part, entry)
        pupils, came, left = self._reached(part, entry, number, planned)
        classes = max(1, -(-planned // self._class_size(part))) if planned else 0
        return Grade(part, number, classes, pupils, self._girls(part, entry, pupils), came, left)

    def _planned(self, part: str, entry: int) -> int:
        """The size that a cohort was planned for."""
        school = self.school
        if school.level == SPECIAL:
            return 4 + mix(self._plan, ord(part)) % 16
        if school.branch:
            return 1 + mix(self._plan, 1) % 4
        rural, spread = self._spread
        wave = 1 + (mix(self._plan, 100 + entry - 1990) % 161 - 80) / 1000
        size = (_RURAL if rural else _URBAN)[part] * spread * (1000 - _SHRINKING[part] * (entry - 2018)) / 1000 * wave
        return max(3 if rural else 12, min(round(size), _LARGEST[part]))

    @cached_property
    def _spread(self) -> tuple[bool, float]:
        """Whether the school stands in the country, and how its cohorts compare with the middle ones."""
        drawn = bell(mix(self._plan, 2))
        # near an exponential, without the maths library
        return self.school.district.name.endswith("군"), 1 + 0.6 * drawn + 0.18 * drawn * drawn

    def _class_size(self, part: str) -> int:
        if self.school.level == SPECIAL:
            return 7
        return (22 if part == "E" else 25) + mix(self._plan, 3) % 5

    def _reached(self, part: str, entry: int, number: int, planned: int) -> tuple[int, int, int]:
        """(pupils, in, out) of a cohort: how many begin a grade, come and leave during it; not more leave than a tenth.

        The grade after the last one tells how many have left the school.
        """
        draws, cohort = self._draws, ord(part) * 1000 + entry
        rate = 60 if part == "E" else 25
        pupils = max(planned * (940 + mix(draws, cohort) % 81) // 1000, 1)
        for grade in range(1, number + 1):
            draw = mix(draws, cohort * 16 + grade)
            came, left = pupils * (draw % rate) // 1000, pupils * ((draw >> 16) % (rate + 5)) // 1000
            if grade < number:
                pupils += came - left
        return pupils, came, left

    def _girls(self, part: str, entry: int, pupils: int) -> int:
        if self.school.sexes != "남여공학":
            return pupils if self.school.sexes == "여" else 0
        return pupils * (440 + mix(self._draws, ord(part) * 7000 + entry) % 90) // 1000


def enrolment(world: World, school: School, year: int) -> Enrolment:
    """The pupils of a school in a school year; those of the newest one, which most requests ask for, are kept."""
    if year != LAST_YEAR:
        return Enrolment(world, school, year)
    kept = world.table("schools.newest_enrolments", _none_yet)
    if school.index not in kept:
        kept[school.index] = Enrolment(world, school, year)
    return kept[school.index]


def _none_yet(_: World) -> dict[int, Enrolment]:
    return {}
