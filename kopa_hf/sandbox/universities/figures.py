"""A university's figures of a year: every rate that is disclosed is a quotient of two of these numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.universities.university import GRADUATE, JUNIOR, PRIVATE, University
from kopa_hf.sandbox.world import World

FIRST_YEAR: Final = 2016
LAST_YEAR: Final = 2025
YEARS: Final = range(FIRST_YEAR, LAST_YEAR + 1)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one year's disclosure of one university is counted from; money in won."""

    places: int
    """Places for new students within the quota."""
    applicants: int
    admitted: int
    entered: int
    """applicants ≥ admitted ≥ entered, and places ≥ entered."""
    equal_chance: int
    capacity: int
    """Places of all years together."""
    enrolled: int
    on_leave: int
    dropped: int
    foreigners: int
    foreign_dropped: int
    graduates: int
    employable: int
    employed: int
    further: int
    """graduates ≥ employable + further, employable ≥ employed."""
    faculty: int
    faculty_due: int
    faculty_due_places: int
    foreign_faculty: int
    credits: int
    full_time_credits: int
    inner_research: int
    outer_research: int
    papers_home: int
    """Hundredths of papers."""
    papers_abroad: int
    books: int
    """Hundredths of books."""
    tuition: int
    """A year's tuition of one student."""
    scholarships: int
    fees: int
    """All tuition together."""
    borrowers: int
    borrowers_tuition: int
    spending: int
    library_budget: int
    library_materials: int
    beds: int
    land: int
    land_due: int
    buildings: int
    buildings_due: int
    property_held: int
    property_due: int
    burden_paid: int
    burden_due: int

    @property
    def on_roll(self) -> int:
        """재적학생: enrolled and on leave."""
        return self.enrolled + self.on_leave

    @property
    def part_time_credits(self) -> int:
        """Lessons of teachers who are not full-time."""
        return self.credits - self.full_time_credits


def figures(world: World, university: University, year: int) -> Figures:
    """The figures of a year."""
    return world.table(f"universities.figures.{university.index}.{year}", lambda w: _draw(w, university, year))


def _draw(world: World, university: University, year: int) -> Figures:
    stream = world.measure("universities", "figures", university.index, year)
    standing = world.measure("universities", "standing", university.index)
    pull = standing.between(60, 140) + (40 if university.zone_name in ("서울", "경기", "인천") else 0)
    places = university.size
    applicants = places * (pull * (3 if university.division == JUNIOR else 5) + stream.below(80)) // 100
    admitted = min(applicants, places * stream.between(102, 130) // 100)
    entered = min(admitted, places * min(stream.between(760, 960) + pull, 1000) // 1000)
    capacity = places * university.years
    enrolled = capacity * min(stream.between(720, 980) + pull, 1120) // 1000
    on_leave = enrolled * stream.between(120, 330) // 1000
    dropped = (enrolled + on_leave) * stream.between(18, 85) // 1000
    foreigners = enrolled * stream.between(0, 120) // 1000
    graduates = enrolled * stream.between(820, 990) // 1000 // university.years
    further = graduates * (stream.between(20, 90) if university.division == JUNIOR else stream.between(40, 220)) // 1000
    employable = (graduates - further) * stream.between(860, 960) // 1000
    due, due_places = max(1, enrolled // 23), max(1, capacity // 23)
    faculty = max(2, due * stream.between(580, 1150) // 1000)
    credits = max(60, enrolled * stream.between(9, 16) // 10)
    tuition = _tuition(university, standing.between(90, 112), year)
    fees = enrolled * tuition
    return Figures(
        places=places,
        applicants=applicants,
        admitted=admitted,
        entered=entered,
        equal_chance=entered * stream.between(60, 190) // 1000,
        capacity=capacity,
        enrolled=enrolled,
        on_leave=on_leave,
        dropped=dropped,
        foreigners=foreigners,
        foreign_dropped=foreigners * stream.between(10, 120) // 1000,
        graduates=graduates,
        employable=employable,
        employed=employable * stream.between(480, 830) // 1000,
        further=further,
        faculty=faculty,
        faculty_due=due,
        faculty_due_places=due_places,
        foreign_faculty=faculty * stream.between(0, 90) // 1000,
        credits=credits,
        full_time_credits=credits * stream.between(520, 780) // 1000,
        inner_research=faculty * stream.between(5, 90) * 100_000,
        outer_research=faculty * stream.octave(2, 1600) * 100_000,
        papers_home=faculty * stream.between(10, 60),
        papers_abroad=faculty * stream.between(2, 70),
        books=faculty * stream.between(3, 20),
        tuition=tuition,
        scholarships=fees * stream.between(380, 720) // 1000 // 1000 * 1000,
        fees=fees,
        borrowers=enrolled * stream.between(60, 220) // 1000,
        borrowers_tuition=enrolled * stream.between(40, 160) // 1000,
        spending=enrolled * stream.between(90, 320) * 100_000,
        library_budget=enrolled * stream.between(90, 420) * 1000,
        library_materials=enrolled * stream.between(30, 190) * 1000,
        beds=enrolled * stream.between(60, 360) // 1000,
        land=capacity * stream.between(10, 70),
        land_due=capacity * 20,
        buildings=capacity * stream.between(13, 26),
        buildings_due=capacity * 15,
        property_held=fees * stream.between(80, 1500) // 1000,
        property_due=fees,
        burden_paid=fees * stream.between(5, 55) // 1000,
        burden_due=fees * 55 // 1000,
    )


def _tuition(university: University, percent: int, year: int) -> int:
    """Frozen for years, then up by a few hundredths."""
    base = {JUNIOR: 6_100_000, GRADUATE: 8_400_000}.get(university.division, 7_400_000)
    if university.founder != PRIVATE:
        base = base * 57 // 100
    raised = {2025: 104, 2024: 101}.get(year, 100)
    return base * percent * raised // 10_000 // 1000 * 1000
