"""Exam rounds (회차): which a qualification is examined in, and their days from application to announcement."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from kopa_hf.sandbox.skills.qualifications import Qualification
from kopa_hf.sandbox.world import World

FIRST_YEAR: Final = 2010
LAST_YEAR: Final = 2025
"""The last year whose results are all announced."""
PLANNED_YEAR: Final = 2026
"""The last year with a published plan."""

_STARTS: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "01": ((1, 8), (4, 14), (7, 14)),
    "02": ((1, 8), (5, 26)),
    "03": ((1, 13), (4, 14), (7, 21)),
    "04": ((1, 8), (3, 17), (6, 9), (8, 18)),
    "21": ((4, 7),),
}
"""First day of application by series and round, before it is moved to a Monday."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a series; days are in order as the fields are."""

    year: int
    seq: int
    series: str
    doc_reg_start: datetime.date
    doc_reg_end: datetime.date
    doc_exam_start: datetime.date
    doc_exam_end: datetime.date
    doc_pass: datetime.date
    submit_start: datetime.date
    """Papers on one's eligibility are handed in."""
    submit_end: datetime.date
    prac_reg_start: datetime.date
    prac_reg_end: datetime.date
    prac_exam_start: datetime.date
    prac_exam_end: datetime.date
    prac_pass: datetime.date
    prac_pass_end: datetime.date
    """Last day on which the result can be looked up."""

    @property
    def quarter(self) -> int:
        """The quarter in which qualifications are won."""
        return (self.prac_pass.month + 2) // 3


@lru_cache(maxsize=1024)
def rounds_of(identity_seed: int, series: str, year: int) -> tuple[Round, ...]:
    """The rounds of a series in a year, by number; none before the first and after the planned year."""
    if not FIRST_YEAR <= year <= PLANNED_YEAR:
        return ()
    stream = World(identity_seed).identity("skills", "rounds", series, year)
    found = []
    for seq, (month, day) in enumerate(_STARTS.get(series, ()), 1):
        start = _monday(datetime.date(year, month, day) + datetime.timedelta(days=stream.between(0, 4)))
        exam = start + datetime.timedelta(days=26 + 7 * stream.below(2) - 1)  # a Friday or later, then on a Saturday
        exam += datetime.timedelta(days=(5 - exam.weekday()) % 7)
        exam_end = exam + datetime.timedelta(days=14)
        passed = exam_end + datetime.timedelta(days=11)
        practice = _monday(passed + datetime.timedelta(days=12))
        practical = practice + datetime.timedelta(days=26)
        practical_end = practical + datetime.timedelta(days=15)
        announced = practical_end + datetime.timedelta(days=12)
        found.append(
            Round(
                year, seq, series, start, start + datetime.timedelta(days=3), exam, exam_end, passed,
                passed, passed + datetime.timedelta(days=8), practice, practice + datetime.timedelta(days=3),
                practical, practical_end, announced, announced + datetime.timedelta(days=59),
            )
        )  # fmt: skip
    return tuple(found)


def rounds(world: World, series: str, year: int) -> tuple[Round, ...]:
    """See `rounds_of`."""
    return rounds_of(world.identity_seed, series, year)


def offered(world: World, qualification: Qualification, year: int) -> tuple[Round, ...]:
    """The rounds in which a qualification is examined: small ones are not examined every time."""
    if year < qualification.since:
        return ()
    every = rounds(world, qualification.series, year)
    if qualification.applicants >= 600 or len(every) < 2:
        return every
    keep = 1 if qualification.applicants < 150 else 2
    skip = qualification.index % len(every)
    return tuple(r for r in (*every[skip:], *every[:skip])[:keep]) if keep < len(every) else every


def _monday(day: datetime.date) -> datetime.date:
    return day - datetime.timedelta(days=day.weekday())
