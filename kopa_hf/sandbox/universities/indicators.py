"""The disclosure's indicators: a numerator over a denominator, for one university or a whole region."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.universities.figures import LAST_YEAR, Figures, figures
from kopa_hf.sandbox.universities.university import ZONES, University, universities
from kopa_hf.sandbox.world import World

Number = Callable[[Figures], int]


@dataclass(frozen=True, slots=True)
class Indicator:
    """One number that the disclosure compares."""

    code: str
    """지표아이디."""
    name: str
    unit: str
    upper: Number
    lower: Number | None = None
    """None: a plain count, which regions print as a mean per school."""
    scale: int = 1
    """100 for percent."""
    places: int = 1
    """Decimals."""

    def value(self, held: Sequence[Figures]) -> str:
        """The indicator over one or many universities: sums divided, not quotients averaged."""
        upper = sum(self.upper(f) for f in held)
        if self.lower is None:
            return str(upper) if len(held) == 1 else f"{upper / len(held):.{self.places}f}"
        lower = sum(self.lower(f) for f in held)
        return f"{upper * self.scale / lower:.{self.places}f}" if lower else "0"


def _percent(code: str, name: str, upper: Number, lower: Number) -> Indicator:
    return Indicator(code, name, "%", upper, lower, 100)


def _each(code: str, name: str, unit: str, upper: Number, lower: Number, places: int = 1) -> Indicator:
    return Indicator(code, name, unit, upper, lower, 1, places)


INDICATORS: Final[dict[str, tuple[Indicator, ...]]] = {
    "TuitionCrntSt": (_each("101", "평균 등록금", "원", lambda f: f.fees, lambda f: f.enrolled, 0),),
    "ScholarshipBenefitCrntSt": (
        _each("102", "재학생 1인당 장학금", "원", lambda f: f.scholarships, lambda f: f.enrolled, 0),
    ),
    "EducationalExpensesReductionCrntSt": (
        _each("103", "학생 1인당 교육비", "원", lambda f: f.spending, lambda f: f.enrolled, 0),
        _percent("104", "교육비 환원율", lambda f: f.spending, lambda f: f.fees),
    ),
    "EducationExpensesLoanCrntSt": (Indicator("105", "학자금 대출 이용 학생수", "명", lambda f: f.borrowers),),
    "EducationExpensesLoanUseStudentRatioTuition": (
        _percent("106", "학자금대출 이용학생비율", lambda f: f.borrowers_tuition, lambda f: f.enrolled),
    ),
    "LibraryBudgetCrntSt": (Indicator("201", "도서관 예산", "원", lambda f: f.library_budget),),
    "DormitoryAcceptanceCrntSt": (_percent("202", "기숙사 수용률", lambda f: f.beds, lambda f: f.enrolled),),
    "BasicPropertiesForProfitBurdenRate": (
        _percent("203", "수익용 기본재산 부담률", lambda f: f.burden_paid, lambda f: f.burden_due),
    ),
    "BasicPropertiesForprofitCrntSt": (
        _percent("204", "수익용 기본재산 확보율", lambda f: f.property_held, lambda f: f.property_due),
    ),
    "StudentForPersonDataPurchasePrice": (
        _each("205", "학생 1인당 자료 구입비", "원", lambda f: f.library_materials, lambda f: f.enrolled, 0),
    ),
    "SchoolGroundsAndBdsEnsureRate": (
        _percent("206", "교지 확보율", lambda f: f.land, lambda f: f.land_due),
        _percent("207", "교사 확보율", lambda f: f.buildings, lambda f: f.buildings_due),
    ),
    "GypsyScholarFacultyLectureChargeRatio": (
        _percent("301", "비전임교원 강의담당비율", lambda f: f.part_time_credits, lambda f: f.credits),
    ),
    "ForeignFullTimeFacultyCrntSt": (Indicator("302", "외국인 전임교원 수", "명", lambda f: f.foreign_faculty),),
    "FullTimeFacultyForPersonBookTranslatedBook": (
        Indicator("303", "전임교원 1인당 저역서", "권", lambda f: f.books, lambda f: f.faculty * 100, 1, 3),
    ),
    "FullTimeFacultyForPersonStudentNumberEnrolledStudent": (
        _each("304", "전임교원 1인당 학생수(재학생)", "명", lambda f: f.enrolled, lambda f: f.faculty),
    ),
    "FullTimeFacultyForPersonStudentNumberFixedNumber": (
        _each("305", "전임교원 1인당 학생수(편제정원)", "명", lambda f: f.capacity, lambda f: f.faculty),
    ),
    "LectureChargeRatio": (
        _percent("306", "전임교원 강의담당비율", lambda f: f.full_time_credits, lambda f: f.credits),
    ),
    "FullTimeFacultyInsideOfSchoolForPersonResearchGrant": (
        _each("307", "전임교원 1인당 교내 연구비", "원", lambda f: f.inner_research, lambda f: f.faculty, 0),
    ),
    "FullTimeFacultyOutsideOfSchoolForPersonResearchGrant": (
        _each("308", "전임교원 1인당 교외 연구비", "원", lambda f: f.outer_research, lambda f: f.faculty, 0),
    ),
    "FullTimeFacultyResearchCrntSt": (
        Indicator("309", "전임교원 1인당 논문(국내)", "편", lambda f: f.papers_home, lambda f: f.faculty * 100, 1, 2),
        Indicator("310", "전임교원 1인당 논문(국제)", "편", lambda f: f.papers_abroad, lambda f: f.faculty * 100, 1, 2),
    ),
    "FullTimeFacultyEnsureCrntSt": (
        _percent("311", "전임교원 확보율(재학생)", lambda f: f.faculty, lambda f: f.faculty_due),
        _percent("312", "전임교원 확보율(편제정원)", lambda f: f.faculty, lambda f: f.faculty_due_places),
    ),
    "FreshmanChanceBalanceSelectionRatio": (
        _percent("401", "기회균형 선발 비율", lambda f: f.equal_chance, lambda f: f.entered),
    ),
    "FreshmanEnsureCrntSt": (_percent("402", "신입생 충원율", lambda f: f.entered, lambda f: f.places),),
    "ForeignDropOutCrntSt": (Indicator("403", "외국인 중도탈락 학생수", "명", lambda f: f.foreign_dropped),),
    "ForeignStudentCrntSt": (Indicator("404", "외국인 학생수", "명", lambda f: f.foreigners),),
    "EntranceModelLastRegistrationRatio": (
        _percent("405", "입학전형 최종 등록률", lambda f: f.entered, lambda f: f.admitted),
    ),
    "EnrolledStudentCrntSt": (Indicator("406", "재적학생수", "명", lambda f: f.on_roll),),
    "EnrolledStudentEnsureRate": (_percent("407", "재학생 충원율", lambda f: f.enrolled, lambda f: f.capacity),),
    "EnrolledStudent": (Indicator("408", "재학생수", "명", lambda f: f.enrolled),),
    "InsideFixedNumberFreshmanCompetitionRate": (
        _each("409", "정원내 신입생 경쟁률", "대 1", lambda f: f.applicants, lambda f: f.places, 2),
    ),
    "DropOutStudentCrntSt": (_percent("410", "중도탈락 학생 비율", lambda f: f.dropped, lambda f: f.on_roll),),
    "StudentOnALeaveOfAbsence": (Indicator("411", "휴학생수", "명", lambda f: f.on_leave),),
    "GraduateEnterFindJobCrntSt": (
        _percent("412", "졸업생 진학률", lambda f: f.further, lambda f: f.graduates),
        _percent("413", "졸업생 취업률", lambda f: f.employed, lambda f: f.employable),
    ),
}
"""What follows `getComparison` and `getRegional` in an operation's name → its indicators."""
ALL: Final = tuple(indicator for group in INDICATORS.values() for indicator in group)
RECENT: Final = (LAST_YEAR - 2, LAST_YEAR - 1, LAST_YEAR)


def regional(world: World, indicator: Indicator, division: str, zone: str) -> list[tuple[int, int, str]]:
    """(year, schools, value) of the last three years, for one region or (empty) the country."""
    held = [u for u in universities(world) if division in ("", u.division) and zone in ("", u.zone)]
    found = []
    for year in RECENT:
        numbers = [figures(world, university, year) for university in held]
        found.append((year, len(held), indicator.value(numbers) if numbers else "0"))
    return found


def zones() -> tuple[tuple[str, str], ...]:
    """(code, name) of all regions, the country last."""
    return (*((zone, name) for zone, (_, name) in ZONES.items()), ("", "전국"))


def of(world: World, indicator: Indicator, university: University, year: int) -> str:
    """The indicator of one university."""
    return indicator.value([figures(world, university, year)])


def nationwide(world: World, indicator: Indicator, division: str, year: int) -> str:
    """The indicator over all universities of a kind."""
    held = [figures(world, u, year) for u in universities(world) if u.division == division]
    return indicator.value(held)
