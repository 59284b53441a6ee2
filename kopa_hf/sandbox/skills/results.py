"""How exams went: applications, examinees and passes of a round, and who the new holders are.

The smallest unit is a qualification's round; years are sums of rounds, grades are sums of
qualifications, and the holders of a round are split by region, then sex, then age, so that any
two tables that can be compared agree to the last person.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final

import numpy as np

from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.skills.fields import AGES, REGIONS, SEXES
from kopa_hf.sandbox.skills.qualifications import Qualification, technical
from kopa_hf.sandbox.skills.rounds import FIRST_YEAR, LAST_YEAR, Round, offered
from kopa_hf.sandbox.world import World

_REGION_WEIGHTS: Final = tuple(weight for *_, weight in REGIONS)
_SEX_WEIGHTS: Final = tuple(weight for _, weight in SEXES)
_AGE_WEIGHTS: Final = tuple(weight for _, weight in AGES)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one written and one practical exam. passed ≤ taken ≤ applied in both."""

    applied: int = 0
    taken: int = 0
    passed: int = 0
    practical_applied: int = 0
    practical_taken: int = 0
    acquired: int = 0
    """Passed the practical exam, and so hold the qualification."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.applied + other.applied,
            self.taken + other.taken,
            self.passed + other.passed,
            self.practical_applied + other.practical_applied,
            self.practical_taken + other.practical_taken,
            self.acquired + other.acquired,
        )

    @property
    def written_rate(self) -> str:
        """Percent of the written examinees who passed, two decimals."""
        return rate(self.passed, self.taken)

    @property
    def practical_rate(self) -> str:
        """Percent of the practical examinees who passed, two decimals."""
        return rate(self.acquired, self.practical_taken)


def rate(part: int, whole: int) -> str:
    """A percentage with two decimals; 0.00 of nothing."""
    return f"{part * 100 / whole:.2f}" if whole else "0.00"


def apportion(total: int, weights: Sequence[int], seed: int = 0) -> list[int]:
    """Whole shares that add up to the total; where a lone one falls depends on the seed."""
    whole = sum(weights)
    offset = mix(seed, 999) % whole
    bounds = [(total * upto + offset) // whole for upto in accumulate(weights)]
    return [bound - before for before, bound in pairwise((0, *bounds))]


def uneven(weights: Sequence[int], seed: int) -> list[int]:
    """Weights shaken by a fifth either way: no two places or years are alike."""
    return [weight * (80 + mix(seed, position) % 41) for position, weight in enumerate(weights)]


def round_tally(world: World, qualification: Qualification, exam: Round, of: int) -> Tally:
    """What came of one of the `of` rounds of a year."""
    seed = world.measure_seed("skills", "round", qualification.index, exam.year, exam.seq)
    trend = 100 + 2 * (exam.year - 2018) + (qualification.index % 7 - 3) * (exam.year - 2018)
    base = max(qualification.applicants * max(trend, 30) // 100 // of, 3)
    applied = max(base * (80 + mix(seed, 0) % 41) // 100, 1)
    taken = applied * (58 + mix(seed, 1) % 28) // 100
    passed = taken * max(qualification.difficulty + mix(seed, 2) % 13 - 6, 3) // 100
    practical_applied = passed + passed * (mix(seed, 3) % 60) // 100
    practical_taken = practical_applied * (78 + mix(seed, 4) % 18) // 100
    acquired = practical_taken * (34 + mix(seed, 5) % 40) // 100
    return Tally(applied, taken, passed, practical_applied, practical_taken, acquired)


def round_tallies(world: World, qualification: Qualification, year: int) -> tuple[tuple[Round, Tally], ...]:
    """Every round of a year with its tally; none outside the years with results."""
    kept: dict[tuple[int, int], tuple[tuple[Round, Tally], ...]] = world.table("skills.tallies", lambda w: {})
    key = (qualification.index, year)
    found = kept.get(key)
    if found is None:
        held = offered(world, qualification, year) if year <= LAST_YEAR else ()
        found = tuple((exam, round_tally(world, qualification, exam, len(held))) for exam in held)
        kept[key] = found
    return found


def year_tally(world: World, qualification: Qualification, year: int) -> Tally:
    """The sum of a year's rounds."""
    return total(tally for _, tally in round_tallies(world, qualification, year))


def years_tally(world: World, qualification: Qualification, first: int, last: int) -> Tally:
    """The sum of several years, both included."""
    return total(year_tally(world, qualification, year) for year in range(max(first, FIRST_YEAR), last + 1))


def total(tallies: Iterable[Tally]) -> Tally:
    """The sum of tallies."""
    found = Tally()
    for tally in tallies:
        found += tally
    return found


def grade_tally(world: World, grade: str, first: int, last: int) -> Tally:
    """All qualifications of a grade over some years."""

    def build(world: World) -> Tally:
        return total(years_tally(world, q, first, last) for q in technical(world) if q.grade == grade)

    return world.table(f"skills.grade.{grade}.{first}.{last}", build)


def holders_before(world: World, qualification: Qualification) -> int:
    """Who won the qualification before the first year with results."""
    years = max(FIRST_YEAR - qualification.since, 0)
    stream = world.measure("skills", "before", qualification.index)
    return qualification.applicants * qualification.difficulty // 100 * stream.between(30, 55) // 100 * years * 2 // 3


Split = tuple[int, ...]
"""Holders by region, sex and age: one flat tuple in that order, ages running fastest."""

_CELLS: Final = len(SEXES) * len(AGES)
_NONE: Final[Split] = (0,) * (len(REGIONS) * _CELLS)


@lru_cache(maxsize=8192)  # totals over years are made of the same rounds again and again
def _split(seed: int, count: int) -> Split:
    """One pass over all cells, so that a lone holder falls anywhere and the sum is exact."""
    if not count:
        return _NONE
    people = np.outer(uneven(_SEX_WEIGHTS, seed + 1), uneven(_AGE_WEIGHTS, seed + 2)).ravel() // 1000
    upto = np.cumsum(np.outer(uneven(_REGION_WEIGHTS, seed), people))  # below 10**11, so products stay exact
    whole = int(upto[-1])
    bounds = (count * upto + mix(seed, 999) % whole) // whole
    return tuple(np.diff(bounds, prepend=0).tolist())


def round_split(world: World, qualification: Qualification, exam: Round, acquired: int) -> Split:
    """The new holders of a round by region, sex and age."""
    seed = world.measure_seed("skills", "split", qualification.index, exam.year, exam.seq)
    return _split(seed, acquired)


def before_split(world: World, qualification: Qualification) -> Split:
    """The holders from before the first year with results."""
    seed = world.measure_seed("skills", "split", qualification.index, "before")
    return _split(seed, holders_before(world, qualification))


def year_split(world: World, qualification: Qualification, year: int, quarter: int | None = None) -> Split:
    """The new holders of a year (or of one of its quarters) by region, sex and age."""
    return added(
        round_split(world, qualification, exam, tally.acquired)
        for exam, tally in round_tallies(world, qualification, year)
        if quarter is None or exam.quarter == quarter
    )


def holders_split(world: World, qualification: Qualification, last: int) -> Split:
    """Everybody who holds the qualification at the end of a year."""
    years = (year_split(world, qualification, year) for year in range(FIRST_YEAR, last + 1))
    return added((before_split(world, qualification), *years))


def added(parts: Iterable[Split]) -> Split:
    """Cell by cell."""
    found = [part for part in parts if part is not _NONE]
    if not found:
        return _NONE
    return found[0] if len(found) == 1 else tuple(map(sum, zip(*found, strict=True)))


def by_region(split: Split) -> list[int]:
    """Counts per region."""
    return [sum(split[start : start + _CELLS]) for start in range(0, len(split), _CELLS)]


def by_sex(split: Split) -> list[int]:
    """Counts per sex."""
    return [sum(ages) for ages in by_sex_and_age(split)]


def by_age(split: Split) -> list[int]:
    """Counts per age group."""
    return [sum(split[age :: len(AGES)]) for age in range(len(AGES))]


def by_sex_and_age(split: Split) -> list[list[int]]:
    """Counts per sex and age group."""
    return [[sum(split[sex * len(AGES) + age :: _CELLS]) for age in range(len(AGES))] for sex in range(len(SEXES))]


def of_region(split: Split, region: int) -> Split:
    """The cells of one region."""
    return split[region * _CELLS : (region + 1) * _CELLS]
