"""Universities in the province: where they are, their majors, freshmen and graduates.

They are the universities that 대학알리미 discloses, with the same figures: a year's places, applicants and
freshmen agree with its rates, and kinds of admission add up to them.
"""

from __future__ import annotations

from typing import Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.province.lists import asked_sigun
from kopa_hf.sandbox.province.municipalities import Sigun, sigun_of, spot_in
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.universities.figures import Figures, figures
from kopa_hf.sandbox.universities.university import (
    JUNIOR,
    SENIOR,
    Major,
    University,
    majors,
)
from kopa_hf.sandbox.universities.university import (
    universities as everywhere,
)
from kopa_hf.sandbox.world import World

YEARS: Final = (2025, 2024, 2023)
_CODE: Final = "41"
_ADMISSIONS: Final = (
    ("수시", "학생부위주(교과)", 46), ("수시", "학생부위주(종합)", 24), ("수시", "실기/실적위주", 8), ("정시", "수능위주", 22),
)  # fmt: skip
"""(season, kind, percent of all places)."""


def universities(world: World, *divisions: str) -> tuple[University, ...]:
    """Those of the province, of some divisions (전문대학, 대학) or of both."""
    wanted = divisions or (JUNIOR, SENIOR)
    return world.table(
        f"province.universities.{'+'.join(wanted)}",
        lambda w: tuple(u for u in everywhere(w) if u.district.province.code == _CODE and u.division in wanted),
    )


def _sigun(university: University) -> Sigun:
    found = sigun_of(university.district.name.partition(" ")[0])
    assert found is not None  # every district of the province lies in one of its 시군
    return found


def _places(*divisions: str) -> Handler:
    def handler(world: World, query: Query) -> Reply:
        possible, asked = asked_sigun(query)
        if not possible:
            return NO_ROWS
        tool = query.tool
        kept = [u for u in universities(world, *divisions) if asked is None or _sigun(u) is asked]
        return Rows.mapped(kept, lambda university: _cut(_place(world, university), tool))

    return handler


def _place(world: World, university: University) -> Record:
    spot = spot_in(world.identity("province", "campus", university.index), _sigun(university))
    return {
        "SIGUN_NM": _sigun(university).name,
        "FACLT_NM": university.name,
        "REFINE_LOTNO_ADDR": f"{university.district.full_name} {spot.lot.rpartition(' ')[2]}",
        "REFINE_ROADNM_ADDR": university.address,
        "REFINE_WGS84_LAT": spot.latitude,
        "REFINE_WGS84_LOGT": spot.longitude,
    }


def _percent(part: int, whole: int) -> str:
    return f"{part * 100 / whole:.1f}" if whole else "0.0"


def _freshmen(world: World, query: Query) -> Reply:
    every = universities(world)

    def at(number: int) -> Record:
        turn, position = divmod(number, len(every))
        of = figures(world, every[position], YEARS[turn])
        return {
            "STD_YY": str(YEARS[turn]),
            "SCHOOL_NM": every[position].name,
            "ENSCH_PSN_CAPA": str(of.places),
            "RECRUT_PSN_CNT_SUM": str(of.places),
            "APLCT_SUM": str(of.applicants),
            "NSTD_SUM": str(of.entered),
            "PSN_CAPA_ISE_FRMAN_RCRT_RT": _percent(of.entered, of.places),
            "COMPT_RT": f"{of.applicants / of.places:.1f}" if of.places else "0.0",
        }

    return Rows(len(every) * len(YEARS), at)


def _kinds(of: Figures) -> list[tuple[int, int]]:
    """(places, freshmen) of each kind of admission; both add up to the year's."""
    offered = [of.places * percent // 100 for *_, percent in _ADMISSIONS[:-1]]
    offered.append(of.places - sum(offered))
    taken = [of.entered * places // max(of.places, 1) for places in offered]
    for position, places in enumerate(offered):
        more = min(places - taken[position], of.entered - sum(taken))
        taken[position] += more
    return list(zip(offered, taken, strict=True))


def _admissions(world: World, query: Query) -> Reply:
    every = universities(world)

    def at(index: int) -> Record:
        number, kind = divmod(index, len(_ADMISSIONS))
        turn, position = divmod(number, len(every))
        places, taken = _kinds(figures(world, every[position], YEARS[turn]))[kind]
        season, name, _ = _ADMISSIONS[kind]
        return {
            "STD_YY": str(YEARS[turn]),
            "SCHOOL_NM": every[position].name,
            "PSN_CAPA_DIV_NM": "정원내",
            "SCRI_TYPE_NM": season,
            "SCRI_LRGE_CLASS_NM": name,
            "LAST_RECRUT_PSN_CNT": str(places),
            "LAST_REGIST_PSN_CNT": str(taken),
            "LAST_REGIST_RT": _percent(taken, places),
        }

    return Rows(len(every) * len(YEARS) * len(_ADMISSIONS), at)


def _all_majors(world: World, *divisions: str) -> tuple[Major, ...]:
    return world.table(
        f"province.majors.{'+'.join(divisions)}",
        lambda w: tuple(major for u in universities(w, *divisions) for major in majors(w, u)),
    )


def _subjects(world: World, query: Query) -> Reply:
    def record(major: Major) -> Record:
        years = major.university.years
        return {
            "EXAMIN_YY": str(YEARS[0]),
            "SCHOOL_NM": major.university.name,
            "THSCHOL_BRSCHOL_NM": "본교",
            "COLGE_UNIV_NM": major.college,
            "UNDSTUD_KWA_NM": major.name,
            "DAN_DIV_NM": "야간" if major.night else "주간",
            "MJR_CHARTR_NM": "일반과정",
            "MJR_STATE_NM": "폐과" if major.closed else "기존",
            "LRGE_AFIL_NM": major.field.large_name,
            "MED_AFIL_NM": major.field.middle_name,
            "SM_AFIL_NM": major.field.small_name,
            "CLAS_TERM_NM": f"{years}년",
            "DEG_CRSE_NM": "전문학사" if years == 2 else "학사",
        }

    return Rows.mapped(_all_majors(world), record)


# graduate schools


def _graduate(world: World, major: Major, what: str) -> tuple[Stream, Record]:
    """Draws and the columns that both lists of graduate schools begin with."""
    university = major.university
    first: Record = {
        "STD_YY": str(YEARS[0]),
        "SCHOOL_KIND_NM": "일반대학원",
        "FOUND_DIV_NM": university.founder_name,
        "SCHOOL_NM": f"{university.name} 일반대학원",
        "COLGE_UNIV_NM": major.college,
        "MJR_NM": major.name,
        "DIV_NM": "일반과정",
        "MJR_CHARTR_NM": "일반과정",
        "MJR_STATE_NM": "폐과" if major.closed else "기존",
    }
    return world.measure("province", what, university.index, major.number), first


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

    def record(major: Major) -> Record:
        stream, values = _graduate(world, major, "employment")
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

    return Rows.mapped(_all_majors(world, SENIOR), record)


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

    def record(major: Major) -> Record:
        stream, values = _graduate(world, major, "dropouts")
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

    return Rows.mapped(_all_majors(world, SENIOR), record)


def _cut(values: Record, tool: Tool | None) -> Record:
    return values if tool is None else {field.name: values.get(field.name) for field in tool.fields}


HANDLERS: Final[dict[str, Handler]] = {
    "Univ": _places(SENIOR),
    "Jnclluniv": _places(JUNIOR, SENIOR),
    "Ncmstus": _freshmen,
    "Enschscritypeselectn": _admissions,
    "Univmjrm": _subjects,
    "Grduemplymtgenrlgdhl": _employment,
    "Hfwydrotmasterdr": _dropouts,
}
