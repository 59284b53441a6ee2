"""Universities in the province, their freshmen and graduates, and the pupils of its secondary schools.

Freshmen: kinds of admission add up to a university's year. Graduates: those in work over those who could be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.province.lists import asked_sigun
from kopa_hf.sandbox.province.municipalities import PROVINCE
from kopa_hf.sandbox.province.premises import Mixed, Numbers, Premises, register
from kopa_hf.sandbox.province.trades import COLLEGE, UNIVERSITY
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.schools.enrolment import Enrolment
from kopa_hf.sandbox.schools.school import HIGH, MIDDLE, School, schools
from kopa_hf.sandbox.world import World

YEARS: Final = (2023, 2024, 2025)
_ADMISSIONS: Final = (
    ("정원내", "수시", "학생부위주(교과)", 44), ("정원내", "수시", "학생부위주(종합)", 22), ("정원내", "수시", "실기/실적위주", 8),
    ("정원내", "정시", "수능위주", 20), ("정원외", "수시", "학생부위주(교과)", 6),
)  # fmt: skip
"""(within or beyond the quota, season, kind, percent of all places)."""
_SUBJECTS: Final = (
    ("경영학과", "인문사회계열", "경영ㆍ경제", "경영학", "경영대학"), ("국어국문학과", "인문사회계열", "언어ㆍ문학", "국어ㆍ국문학", "인문대학"),
    ("사회복지학과", "인문사회계열", "사회과학", "사회복지학", "사회과학대학"), ("유아교육과", "인문사회계열", "교육", "유아교육학", "사범대학"),
    ("물리학과", "자연과학계열", "수학ㆍ물리ㆍ천문ㆍ지리", "물리ㆍ과학", "자연과학대학"), ("식품영양학과", "자연과학계열", "생활과학", "식품영양학", "생활과학대학"),
    ("기계공학과", "공학계열", "기계ㆍ금속", "기계공학", "공과대학"), ("컴퓨터공학과", "공학계열", "컴퓨터ㆍ통신", "전산학ㆍ컴퓨터공학", "공과대학"),
    ("건축학과", "공학계열", "건축", "건축학", "공과대학"), ("간호학과", "의학계열", "간호", "간호학", "간호대학"),
    ("시각디자인학과", "예체능계열", "디자인", "시각디자인", "예술대학"), ("체육학과", "예체능계열", "무용ㆍ체육", "체육", "예술대학"),
)  # fmt: skip
_FOUNDERS: Final = (("사립", 88), ("국립", 8), ("공립", 4))


@dataclass(frozen=True, slots=True)
class Department:
    """One department of one university."""

    number: int
    university: Premises
    name: str
    fields: tuple[str, str, str]
    college: str


def universities(world: World) -> list[Premises]:
    """Universities and colleges of the province."""
    book = register(world, (UNIVERSITY, COLLEGE))
    return world.table("province.universities", lambda w: [book.at(number) for number in range(len(book))])


def _departments(world: World) -> tuple[Department, ...]:
    def build(world: World) -> tuple[Department, ...]:
        found: list[Department] = []
        for place in universities(world):
            stream = world.identity("province", "departments", place.trade.key, place.index)
            for subject in stream.sample(_SUBJECTS, stream.between(5, len(_SUBJECTS))):
                found.append(
                    Department(len(found), place, subject[0], (subject[1], subject[2], subject[3]), subject[4])
                )
        return tuple(found)

    return world.table("province.departments", build)


def _founder(world: World, place: Premises) -> str:
    return world.identity("province", "founder", place.trade.key, place.index).weighted(_FOUNDERS)


def _year_of_university(world: World, number: int) -> tuple[Premises, int, list[tuple[int, int]], int]:
    """(university, year, (places, enrolled) per kind of admission, applicants)."""
    every = universities(world)
    place, year = every[number % len(every)], YEARS[-1 - number // len(every)]
    size = world.identity("province", "places", place.trade.key, place.index).between(400, 3600)
    stream = world.measure("province", "freshmen", place.trade.key, place.index, year)
    offered = [size * share // 100 for *_, share in _ADMISSIONS]
    kinds = [(count, count - count * stream.below(9) // 100) for count in offered]
    return place, year, kinds, sum(offered) * stream.between(28, 95) // 10


def _freshmen(world: World, query: Query) -> Reply:
    def at(number: int) -> Record:
        place, year, kinds, applicants = _year_of_university(world, number)
        places, enrolled = sum(k[0] for k in kinds), sum(k[1] for k in kinds)
        within = sum(k[0] for k in kinds[:-1])
        return {
            "STD_YY": str(year),
            "SCHOOL_NM": place.name,
            "ENSCH_PSN_CAPA": str(within),
            "RECRUT_PSN_CNT_SUM": str(places),
            "APLCT_SUM": str(applicants),
            "NSTD_SUM": str(enrolled),
            "PSN_CAPA_ISE_FRMAN_RCRT_RT": _percent(sum(k[1] for k in kinds[:-1]), within),
            "COMPT_RT": f"{applicants / places:.1f}",
        }

    return Rows(len(universities(world)) * len(YEARS), at)


def _admissions(world: World, query: Query) -> Reply:
    def at(index: int) -> Record:
        number, kind = divmod(index, len(_ADMISSIONS))
        place, year, kinds, _ = _year_of_university(world, number)
        quota, season, name, _ = _ADMISSIONS[kind]
        return {
            "STD_YY": str(year),
            "SCHOOL_NM": place.name,
            "PSN_CAPA_DIV_NM": quota,
            "SCRI_TYPE_NM": season,
            "SCRI_LRGE_CLASS_NM": name,
            "LAST_RECRUT_PSN_CNT": str(kinds[kind][0]),
            "LAST_REGIST_PSN_CNT": str(kinds[kind][1]),
            "LAST_REGIST_RT": _percent(kinds[kind][1], kinds[kind][0]),
        }

    return Rows(len(universities(world)) * len(YEARS) * len(_ADMISSIONS), at)


def _percent(part: int, whole: int) -> str:
    return f"{part * 100 / whole:.1f}" if whole else "0.0"


def _subjects(world: World, query: Query) -> Reply:
    def record(department: Department) -> Record:
        large, middle, small = department.fields
        two_years = department.university.trade is COLLEGE
        return {
            "EXAMIN_YY": str(YEARS[-1]),
            "SCHOOL_NM": department.university.name,
            "THSCHOL_BRSCHOL_NM": "본교",
            "COLGE_UNIV_NM": department.college,
            "UNDSTUD_KWA_NM": department.name,
            "DAN_DIV_NM": "야간" if department.number % 19 == 0 else "주간",
            "MJR_CHARTR_NM": "일반과정",
            "MJR_STATE_NM": "기존" if department.number % 13 else "신설",
            "LRGE_AFIL_NM": large,
            "MED_AFIL_NM": middle,
            "SM_AFIL_NM": small,
            "CLAS_TERM_NM": "2년" if two_years else "4년",
            "DEG_CRSE_NM": "전문학사" if two_years else "학사",
        }

    return Rows.mapped(_departments(world), record)


def _graduate(world: World, department: Department, what: str) -> tuple[Stream, Record]:
    """Draws and the columns that both lists of graduate schools begin with."""
    place = department.university
    first: Record = {
        "STD_YY": str(YEARS[-1]),
        "SCHOOL_KIND_NM": "일반대학원",
        "FOUND_DIV_NM": _founder(world, place),
        "SCHOOL_NM": f"{place.name} 일반대학원",
        "COLGE_UNIV_NM": department.college,
        "MJR_NM": department.name,
        "DIV_NM": "일반과정",
        "MJR_CHARTR_NM": "일반과정",
        "MJR_STATE_NM": "기존",
    }
    return world.measure("province", what, department.number), first


_WORK: Final = (
    ("HTIR_CONCTN_{}_EMPLYE_CNT", 52), ("OVSEA_{}_EMPLYE_CNT", 2), ("FARMJ_{}_ENFLPSN_CNT", 1),
    ("INDVDL_CRAT_{}_ENFLPSN_CNT", 2), ("PSN1_{}_FUDR_CNT", 3), ("{}_FRLAC_CNT", 5),
)  # fmt: skip
"""Columns of graduates in work → percent of all."""
_OUT: Final = (
    ("ETSHP_{}_CNT", 8), ("EMPLYMT_NO_POSBL_{}_CNT", 1), ("FRGNR_INTSTD_{}_CNT", 6), ("HTIR_JOSUBSE_{}_TRGTER_CNT", 3),
)  # fmt: skip
"""Graduates who are not counted among those who could work."""
_KEPT: Final = (("PRMRY", 93), ("SECND", 89), ("TERT", 86), ("QUAT", 82))


def _employment(world: World, query: Query) -> Reply:
    tool = query.tool

    def record(department: Department) -> Record:
        stream, values = _graduate(world, department, "employment")
        graduates = {"MALE": stream.octave(2, 60), "FEMALE": stream.octave(2, 60)}
        working = able = 0
        for sex, total in graduates.items():
            values[f"{sex}_GRA_CNT"] = str(total)
            left = total
            for columns, counts in ((_OUT, False), (_WORK, True)):
                for name, percent in columns:
                    part = min(left, total * (percent + stream.below(6)) // 100)
                    left -= part
                    values[name.format(sex)] = str(part)
                    working += part if counts else 0
                if not counts:
                    able += left
            unknown = left * stream.below(30) // 100
            values[f"{sex}_UKNWN_PSN_CNT"], values[f"{sex}_ETC_PSN_CNT"] = str(unknown), str(left - unknown)
            for name in ("ENSCHAT_{}_ATHT_EMPLYE_CNT", "TSCHGRD_{}_EMPLYE_CNT"):
                values[name.format(sex)] = str(total * stream.below(10) // 100)
        values["RECR_CNT"] = "0"
        values["EMPLYMT_RT"] = _percent(working, able)
        for order, level in _KEPT:
            low = level + stream.between(-4, 2)
            for sex, rate in (("SUM", low), ("MALE", low + 1), ("FEMALE", low - 1)):
                values[f"{order}_MAINTNC_{sex}_EMPRT"] = f"{rate}.0"
        return _cut(values, tool)

    return Rows.mapped([d for d in _departments(world) if d.university.trade is UNIVERSITY], record)


_REASONS: Final = (
    "NON_REGIST",
    "NON_GBSCHL",
    "LVSCHL",
    "CLGRD_WARN",
    "STDNT_ACT",
    "FLK_EXPL",
    "CLAS_TERM_EXCESS",
    "ETC",
)


def _dropouts(world: World, query: Query) -> Reply:
    tool = query.tool

    def record(department: Department) -> Record:
        stream, values = _graduate(world, department, "dropouts")
        enrolled, gone = stream.between(20, 160), 0
        values["ERSTD_CNT"] = str(enrolled)
        for course, most in (("MASTER", 5), ("DR", 3), ("MDR_UNITY", 2)):
            counts = [stream.below(most) if stream.chance(0.4) else 0 for _ in _REASONS]
            values[f"{course}_SUM"] = str(sum(counts))
            for reason, count in zip(_REASONS, counts, strict=True):
                values[f"{course}_{reason}_CNT"] = str(count)
            gone += sum(counts)
        values["TOTSUM"] = str(gone)
        values["HFWY_DROT_STDNT_RT"] = _percent(gone, enrolled)
        return _cut(values, tool)

    return Rows.mapped([d for d in _departments(world) if d.university.trade is UNIVERSITY], record)


def _cut(values: Record, tool: Tool | None) -> Record:
    return values if tool is None else {field.name: values.get(field.name) for field in tool.fields}


def _pupils(world: World, query: Query) -> Reply:
    """Pupils by grade of middle and high schools; their names are those that NEIS knows."""
    possible, asked = asked_sigun(query)
    if not possible:
        return NO_ROWS
    every: tuple[tuple[School, str], ...] = world.table("province.secondary", _secondary)
    kept = [pair for pair in every if asked is None or pair[1] == asked.code]
    order: Numbers = Mixed(range(len(kept)))

    def record(pair: tuple[School, str]) -> Record:
        school, code = pair
        grades = Enrolment(world, school, YEARS[-1]).grades
        return {
            "STD_YY": str(YEARS[-1]),
            "SIGUN_CD": code,
            "REGION_NM": f"{PROVINCE} {school.district.name}",
            "SCHOOL_NM": school.name,
            "SCHOOL_RK_CD": school.level,
            **{f"GRD{grade.number}_CNT": str(grade.pupils) for grade in grades},
        }

    return Rows(len(order), lambda index: record(kept[order[index]]))


def _secondary(world: World) -> tuple[tuple[School, str], ...]:
    """(school, code of its 시군): a school in a 구 belongs to the city above it."""
    found = (s for s in schools(world) if s.district.province.name == PROVINCE and s.level in (MIDDLE, HIGH))
    return tuple((s, f"{s.district.code[:4]}0" if " " in s.district.name else s.district.code) for s in found)


HANDLERS: Final[dict[str, Handler]] = {
    "Ncmstus": _freshmen,
    "Enschscritypeselectn": _admissions,
    "Univmjrm": _subjects,
    "Grduemplymtgenrlgdhl": _employment,
    "Hfwydrotmasterdr": _dropouts,
    "Schoolstdntcntsecndhd": _pupils,
}
