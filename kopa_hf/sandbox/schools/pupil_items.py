"""학교알리미's items that count pupils: by grade, class and sex, who came and went, who entered."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.query import Handler, Record
from kopa_hf.sandbox.schools.disclosure import disclosed, figures, ratio, share
from kopa_hf.sandbox.schools.enrolment import PARTS, Enrolment, enrolment
from kopa_hf.sandbox.schools.school import ELEMENTARY, SPECIAL, School
from kopa_hf.sandbox.schools.staff import Heads, split, teachers, total_of
from kopa_hf.sandbox.schools.terms import school_days
from kopa_hf.sandbox.world import World

_FIRST: Final = {"E": 1, "M": 9, "H": 14}
"""Course → number of its first grade's columns; elementary fills 1-6, middle 9-11, high 14-16."""
_SPECIAL: Final = {"E": 7, "M": 13, "H": 17}
_SPECIAL_62: Final = {"E": 7, "M": 12, "H": 17}
"""The summary numbers middle schools' special classes otherwise."""
_PART: Final = {"E": 1, "M": 2, "H": 3}
_TENS: Final = {"E": 2, "M": 3, "H": 4}


def _home(school: School) -> str:
    """The course whose columns hold an ordinary school's special classes."""
    return PARTS[school.level][0]


def by_grade_and_class(world: World, school: School, year: int) -> Record:
    """09: classes, pupils and pupils per class."""
    pupils = enrolment(world, school, year)
    row: Record = {}

    def put(number: str, classes: int, heads: int) -> None:
        row[f"COL_C{number}"], row[f"COL_S{number}"], row[f"COL_{number}"] = classes, heads, ratio(heads, classes)

    for grade in pupils.grades:
        put(str(_FIRST[grade.part] + grade.number - 1), grade.classes, grade.pupils)
    put(str(_SPECIAL[_home(school)]), pupils.special[0], pupils.special[1])
    for part, number in _PART.items():
        classes, heads, _ = _part_sums(school, pupils, part)
        row[f"COL_SUM_C{number}"], row[f"COL_SUM_S{number}"] = classes, heads
        row[f"COL_SUM_{number}"] = ratio(heads, classes)
    for classes_name, pupils_name, each in (
        ("COL_C_SUM", "COL_S_SUM", "COL_SUM"),
        ("COL_SUM_C4", "COL_SUM_S4", "COL_SUM_4"),
    ):
        row[classes_name], row[pupils_name] = pupils.classes, pupils.pupils
        row[each] = ratio(pupils.pupils, pupils.classes)
    count = total_of(teachers(world, school, pupils)).total
    return row | {"TEACH_CNT": count, "TEACH_CAL": ratio(pupils.pupils, count)}


def _part_sums(school: School, pupils: Enrolment, part: str) -> tuple[int, int, int]:
    """(classes, pupils, girls) of a course, special classes included."""
    grades = pupils.of(part)
    extra = pupils.special if grades and part == _home(school) else (0, 0, 0)
    return (
        sum(g.classes for g in grades) + extra[0],
        sum(g.pupils for g in grades) + extra[1],
        sum(g.girls for g in grades) + extra[2],
    )


def summary(world: World, school: School, year: int) -> Record:
    """62: classes by grade, pupils in all."""
    pupils = enrolment(world, school, year)
    row: Record = {f"COL_{_FIRST[g.part] + g.number - 1}": g.classes for g in pupils.grades}
    row[f"COL_{_SPECIAL_62[_home(school)]}"] = pupils.special[0]
    for part, number in _PART.items():
        classes, heads, _ = _part_sums(school, pupils, part)
        row[f"COL_SUM_{number}"], row[f"COL_SUM_FGR{number}"] = classes, heads
        row[f"AVG_SUM_FGR{number}"] = ratio(heads, classes)
    average = ratio(pupils.pupils, pupils.classes)
    row |= {"COL_SUM": pupils.classes, "COL_FGR_SUM": pupils.pupils, "AVG_FGR_SUM": average}
    row |= {"COL_SUM_4": pupils.classes, "COL_SUM_FGR4": pupils.pupils, "AVG_SUM_FGR4": average}
    return row | {"SP_SUM": pupils.special[0], "SP_FGR_SUM": pupils.special[1]}


def by_sex(world: World, school: School, year: int) -> Record:
    """63: boys and girls by grade."""
    pupils = enrolment(world, school, year)
    row: Record = {}
    for grade in pupils.grades:
        number = _FIRST[grade.part] + grade.number - 1
        row[f"COL_M{number}"], row[f"COL_W{number}"] = grade.boys, grade.girls
    number = _SPECIAL_62[_home(school)]
    row[f"COL_M{number}"], row[f"COL_W{number}"] = pupils.special[1] - pupils.special[2], pupils.special[2]
    for part, position in _PART.items():
        _, heads, girls = _part_sums(school, pupils, part)
        row[f"COL_MSUM{position}"], row[f"COL_WSUM{position}"] = heads - girls, girls
    boys = pupils.pupils - pupils.girls
    row |= {"COL_MSUM": boys, "COL_WSUM": pupils.girls, "SUM": pupils.pupils}
    return row | {"COL_MSUM4": boys, "COL_WSUM4": pupils.girls, "COL_SUM": pupils.pupils}


def moves(world: World, school: School, year: int) -> Record:
    """10: who moved in and out during the year; special classes are not in it."""
    row: Record = {}
    grades = enrolment(world, school, year).grades
    for grade in grades:
        place = f"{_TENS[grade.part]}{grade.number}"
        row[f"COL_{place}1"], row[f"COL_{place}2"] = grade.moved_in, grade.moved_out
        row[f"STDNT_SUM_{place}"] = grade.pupils
    row["MVIN_SUM"] = sum(g.moved_in for g in grades)
    row["MVT_SUM"] = sum(g.moved_out for g in grades)
    return row | {"STDNT_SUM": sum(g.pupils for g in grades)}


def days_and_hours(world: World, school: School, year: int) -> Record:
    """08: school days by grade, lessons by week."""
    pupils = enrolment(world, school, year)
    days = len(school_days(school, year - 1))
    row: Record = {}
    letters = {"E": "P", "M": "M", "H": "H"}
    for grade in pupils.grades:
        row[f"COL_{grade.number}"] = days
        row[f"COL_{grade.number}_{letters[grade.part]}"] = days
    for part in PARTS[school.level]:
        row[f"SCHUL_CRSE_SC_CODE_{letters[part]}"] = {"E": "초", "M": "중", "H": "고"}[part]
    stream = figures(world, "hours", school, year)
    teaching = max(total_of(teachers(world, school, pupils)).total - 3, 1)
    hours = teaching * stream.between(168, 212) // 10
    return row | {
        "WEEK_TOT_ITRT_HR_FGR": hours,
        "ITRT_TCR_TOT_FGR": teaching,
        "PER_STUDAY_DAY": ratio(hours, teaching),
    }


_ENTRANCE: Final = (
    ("PRTI_GRDTN", "YEAR_GRAD_RATE", 958),
    ("BFR_YR_GRDTN", "LAST_YEAR_GRAD_RATE", 8),
    ("SQE_COMPT", "TGMG_QT_QULF_TEST_ST_RATE", 9),
    ("FRNTN_SCHUL_MTHMC", "FOREIGN_ST_RATE", 9),
    ("ETC", "ETC_ST_RATE", 4),
    ("TOFOR_EXCL_ETRC", "STRENGTH_UP_ST_RATE", 8),
    ("ENTRY_RETRC", "READMISSION_ST_RATE", 4),
)
"""Where new pupils of middle and high schools come from: column, share's column, thousandths. The last two stand
beside the others in a subtotal of their own."""
_HANDICAPS: Final = (
    ("HDEY", "VISUALLY_RATE", 4), ("HDER", "HEARING_RATE", 6), ("MER", "PSYCHO_RATE", 46), ("HDCPD", "INVALID1_RATE", 14),
    ("EMD", "DISTURBED_RATE", 3), ("AUTIS_TROBL", "AUTIS_RATE", 18), ("LANG_TROBL", "IMPEDIMENT_RATE", 3),
    ("HDST", "HDST_RATE", 2), ("HLTH_TROBL", "HLTH_RATE", 1), ("DEV_TROBL", "DEV_RATE", 3),
)  # fmt: skip


def new_pupils(world: World, school: School, year: int) -> Record:
    """51: where the first grade comes from; children by age, older ones by school, special schools by handicap."""
    pupils = enrolment(world, school, year)
    firsts = [g for g in pupils.grades if g.number == 1]
    heads = Heads(sum(g.pupils for g in firsts), sum(g.girls for g in firsts))
    row: Record = {"MAN_SUM": heads.men, "WOMAN_SUM": heads.women, "ALL_SUM": heads.total}
    if school.level == ELEMENTARY:
        return row | _by_age(heads)
    if school.level == SPECIAL:
        parts = split(heads, tuple(weight for *_, weight in _HANDICAPS))
        for (name, rate, _), part in zip(_HANDICAPS, parts, strict=True):
            row |= _columns(name, rate, part, heads.total)
        return row | {"SUM_MAN": heads.men, "SUM_WOMAN": heads.women}
    parts = split(heads, tuple(weight for *_, weight in _ENTRANCE))
    for (name, rate, _), part in zip(_ENTRANCE, parts, strict=True):
        row |= _columns(name, rate, part, heads.total)
    for suffix, group in (("", parts[:5]), ("1", parts[5:])):
        men, women = sum(p.men for p in group), sum(p.women for p in group)
        row |= {f"MAN{suffix}_TOT": men, f"WOMAN{suffix}_TOT": women, f"TOTAL{suffix}_SUM": men + women}
        row[f"TOTAL{suffix}_RATE"] = share(men + women, heads.total)
    return row


def _columns(name: str, rate: str, part: Heads, whole: int) -> Record:
    """Boys, girls, sum and share of one origin."""
    columns = {f"{name}_BOYST_FGR": part.men, f"{name}_FES_FGR": part.women, f"SU{name}_BOYST_FGR": part.total}
    return {**columns, rate: share(part.total, whole)}


def _by_age(heads: Heads) -> Record:
    due, late, early = split(heads, (985, 12, 3))
    row: Record = {"TOTAL_1": heads.men, "TOTAL_2": heads.women, "TOT_SUM": heads.total}
    for name, part in (("BEAGE", due), ("HEST_AWA_LTAGE", late), ("ELPD_ETRC", early)):
        row |= {f"{name}_BOY_FGR": part.men, f"{name}_GIR_FGR": part.women, f"SU{name}_BOY_FGR": part.total}
        row[f"SU{name}_BOY_FGR_R"] = share(part.total, heads.total)
    return row


HANDLERS: Final[dict[str, Handler]] = {
    "08": disclosed(days_and_hours),
    "09": disclosed(by_grade_and_class),
    "10": disclosed(moves),
    "51": disclosed(new_pupils),
    "62": disclosed(summary),
    "63": disclosed(by_sex),
}
