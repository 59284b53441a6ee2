"""학교알리미's items about school life: free semesters, meals, health, safety lessons, clubs, fitness, counselling."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply
from kopa_hf.sandbox.schools.disclosure import disclosed, figures, ratio, share, yes_no
from kopa_hf.sandbox.schools.enrolment import enrolment
from kopa_hf.sandbox.schools.meals import meal_kinds
from kopa_hf.sandbox.schools.school import ELEMENTARY, MIDDLE, SPECIAL, School
from kopa_hf.sandbox.schools.staff import teachers, total_of
from kopa_hf.sandbox.world import World


def free_semester(world: World, school: School, year: int) -> Record:
    """04: hours by activity; the four kinds add up to the subtotal."""
    stream = figures(world, "free semester", school, year)
    hours = [stream.between(low, high) for low, high in ((34, 60), (17, 40), (0, 20), (17, 34))]
    row: Record = {"LBRTY_SEM_SC_CODE": "자유학기", "COL_P": "1학년 1학기", "COL_3": 442 + stream.below(60)}
    row |= dict(zip(("COL_5", "COL_6", "COL_7", "COL_4"), hours, strict=True))
    return row | {"COL_8": sum(hours)}


def meal_service(world: World, school: School, year: int) -> Record:
    """34: how meals are made and who makes them."""
    pupils = enrolment(world, school, year).pupils
    served = pupils * figures(world, "served", school, year).between(985, 1000) // 1000
    room = yes_no(school, 40, 86) == "Y"
    return {
        "OPER_MET_CODE": "조식,중식,석식" if len(meal_kinds(school)) > 1 else "중식",
        "COL_1": "Y",
        "COL_2": None,
        "COL_3": None,
        "HAKSAENGSU_TOT": pupils,
        "MLSV_STDNT_FGR": served,
        "KS_RATE": share(served, pupils),
        "NTRST_FGR": 1,
        "COOK_FGR": 1,
        "COOAS_FGR": max(1, pupils // 120),
        "COL_4": "Y" if room else "N",
        "COL_5": "N" if room else "Y",
        "COL_6": "N",
        "COL_7": "N",
    }


def health(world: World, school: School, year: int) -> Record:
    """38: visits to the health room."""
    pupils = enrolment(world, school, year).pupils
    visits = pupils * figures(world, "health", school, year).between(20, 140) // 10
    return {
        "ALL_IFRMA_UTILZ_STDNT_FGR": visits,
        "HAKSAENGSU_TOT": pupils,
        "WIK_AVRG_IFRMA_UTILZ_STDNT_FGR": ratio(visits, pupils),
    }


_SAFETY: Final = {
    "LVLH_SAFE_EDC": 12, "TRFC_SAFE_EDC": 11, "VIO_PRVT_BDY_PRTC_EDC": 8, "DRU_CYBER_PRVT_EDC": 5, "CYBER_PRVT_EDC": 5,
    "DISA_SAFE_EDC": 6, "OCCP_SAFE_EDC": 3, "EMGN_MDLRT_EDC": 2,
}  # fmt: skip
"""Kind of lesson → fewest hours a year and class."""


def safety(world: World, school: School, year: int) -> Record:
    """43: hours of both terms add up to the year's."""
    pupils = enrolment(world, school, year)
    stream = figures(world, "safety", school, year)
    row: Record = {"CLASS_COUNT": pupils.classes, "PBAN_YR_ALL_STDNT_FGR": pupils.pupils}
    for name, least in _SAFETY.items():
        first = least // 2 + stream.below(3)
        second = least - least // 2 + stream.below(3)
        row |= {f"{name}_HR_FGR1": first, f"{name}_HR_FGR2": second, f"{name}_TOTAL": first + second}
    return row


def clubs(world: World, school: School, year: int) -> Record:
    """56: clubs of the curriculum and the pupils' own."""
    pupils = enrolment(world, school, year)
    stream = figures(world, "clubs", school, year)
    own = stream.below(max(pupils.classes // 2, 2))
    return {
        "CREAT_EXPER_ACT_CCCLU_FGR": pupils.classes,
        "CREAT_EXPER_ACT_STDNT_FGR": pupils.pupils,
        "CREAT_EXPER_ACT_CCH_TCR_FGR": pupils.classes,
        "CREAT_EXPER_ACT_EXTRLLECTR_FGR": stream.below(5),
        "CREAT_EXPER_ACT_BDG_SPORT_AMT": pupils.classes * stream.between(5, 40) * 10_000,
        "STDNT_SLCTL_CCCLU_FGR": own,
        "STDNT_SLCTL_FGR": min(own * stream.between(8, 20), pupils.pupils),
        "CCH_TCR_FGR": own,
        "VOL_AWA_EXTRL_LECTR_FGR": stream.below(own + 1),
        "CCCLU_ACT_BDG_SPORT_AMT": own * stream.between(5, 30) * 10_000,
    }


def after_school(world: World, school: School, year: int) -> Record:
    """59: programmes and who takes them; afternoon care in elementary schools only."""
    pupils = enrolment(world, school, year).pupils
    stream = figures(world, "after school", school, year)
    lessons, arts = stream.below(6 + pupils // 60), stream.below(4 + pupils // 40)
    taking = [min(count * stream.between(9, 18), pupils) for count in (lessons, arts)]
    row: Record = {"ASL_CURR_PGM_FGR": lessons, "ASL_CURR_REG_STDNT_FGR": taking[0]}
    row |= {"ASL_SPABL_APTD_PGM_FGR": arts, "ASL_SPABL_APTD_REG_STDNT_FGR": taking[1]}
    row |= {"SUM_ASL_PGM_FGR": lessons + arts, "SUM_ASL_REG_STDNT_FGR": sum(taking)}
    row["ASL_PTPT_STDNT_FGR"] = min(sum(taking), pupils) * stream.between(60, 95) // 100
    row["ASL_BNFR_BRDN_AMT"] = sum(taking) * stream.between(8, 25) * 10_000
    row["ASL_BNFR_BRDN_EXCL_AMT"] = sum(taking) * stream.between(2, 12) * 10_000
    if school.level == ELEMENTARY:
        rooms = 1 + pupils // 220
        cared = rooms * stream.between(12, 20)
        row |= {"ECC_PM_OPER_CCCLA_FGR": rooms, "ECC_PM_PTPT_STDNT_FGR": min(cared, pupils)}
        row |= {"ASL_LINK_ECC_OPER_CCCLA_FGR": rooms // 2, "ASL_LINK_ECC_PTPT_STDNT_FGR": rooms // 2 * 15}
        row |= {"ECC_BNFR_BRDN_EXCL_AMT": rooms * stream.between(180, 320) * 100_000}
    if school.level == SPECIAL:
        row |= {"SPCLY_ADY_CCCCL_FGR": 2, "SPCLY_ADY_PTPT_STDNT_FGR": min(12, pupils)}
    return row


def counselling(world: World, school: School, year: int) -> Record:
    """61: sessions by the school's own counsellors and by others."""
    stream = figures(world, "counselling", school, year)
    inner, outer = yes_no(school, 41, 70), yes_no(school, 42, 45)
    return {
        "COSE_CNSL_TLGM_TCR_FGR": stream.between(20, 400) if inner == "Y" else 0,
        "INNER_CNSL_SPLST_OPER_YN": inner,
        "COSE_CNSL_EXTRL_SPLST_FGR": stream.between(5, 90) if outer == "Y" else 0,
        "EXTRL_CNSL_SPLST_OPER_YN": outer,
        "WEE_CINSTL_YN": yes_no(school, 43, 64),
    }


def programmes(world: World, school: School, year: int) -> Record:
    """67: what a school does beside the usual."""
    names = ("CURR_CCCLA_SYST_YN", "SLCTL_SCHUL_YN", "LEVEL_ACCTO_MVMN_ITRT_OPRTN_YN", "ENGL_EDC_PGM_YN")
    return {name: yes_no(school, 44 + number, (12, 18, 20, 55)[number]) for number, name in enumerate(names)}


def fitness(world: World, school: School, year: int) -> list[Record]:
    """90: measured by grade and sex; the five ranks add up to those measured. Elementary begins with grade 5."""
    rows: list[Record] = []
    for grade in enrolment(world, school, year).grades:
        if grade.part == "E" and grade.number < 5:
            continue
        for sex, heads in (("남", grade.boys), ("여", grade.girls)):
            stream = figures(world, f"fitness {grade.part}{grade.number}{sex}", school, year)
            if not heads:
                continue
            tested = heads * stream.between(92, 100) // 100
            ranks = [tested * weight // 100 for weight in (7 + stream.below(6), 32, 38, 14)]
            ranks.append(tested - sum(ranks))
            row: Record = {"GRADE": str(grade.number), "SXDS_CODE": sex, "RATE_SUM": tested}
            row |= {
                "CPM_STMN_SHRUN_NMVL": stream.between(280, 620) / 10,
                "MUSED_GRIP_NMVL": stream.between(160, 420) / 10,
            }
            row |= {"FLBT_BKRCH_NMVL": stream.between(40, 160) / 10, "MUSED_CLUP_NTS": stream.between(150, 480) / 10}
            row |= {
                "RFLX_FIF_METE_RAC_NMVL": stream.between(76, 108) / 10,
                "RFLX_SLJ_NMVL": stream.between(1250, 2200) / 10,
            }
            row |= {"BDFAT_BMI_NMVL": stream.between(185, 238) / 10, "BDFAT_RAT": stream.between(160, 290) / 10}
            row |= {
                "MIN_SEC_LNRUN_TM2": stream.between(330, 560),
                "CPM_BZC_STEP_TEST_NMVL": stream.between(280, 620) / 10,
            }
            row |= {"GNRLZ_FLBT_AVRG_NMVL": stream.between(20, 80) / 10, "MUSED_PUS_NTS": stream.between(80, 400) / 10}
            for number, (name, count) in enumerate(zip(("ON", "TW", "TH", "FO", "FI"), ranks, strict=True), start=1):
                row |= {f"{name}GRD_STDNT_FGR": count, f"PER_{number}": share(count, tested)}
            rows.append(row)
    return rows


def prevention(world: World, school: School, year: int) -> list[Record]:
    """94: lessons against violence in both terms, and who else was taught."""
    pupils = enrolment(world, school, year)
    staff = total_of(teachers(world, school, pupils)).total
    rows: list[Record] = []
    for term in ("1학기", "2학기"):
        stream = figures(world, f"prevention {term}", school, year)
        regular, beside = pupils.classes * stream.between(5, 9), pupils.classes * stream.between(1, 4)
        teachers_there = staff * stream.between(85, 100) // 100
        parents = pupils.pupils * stream.between(8, 55) // 100
        row: Record = {"SEM_SC_NM": term, "FRL_CURR_ITRT_TM": regular, "NN_FRL_CURR_ITRT_TM": beside}
        row["TOT_AVG_TM"] = ratio(regular + beside, pupils.classes)
        row |= {"PTPT_NTS1": stream.between(1, 4), "PTPT_NMPR_FGR1": teachers_there}
        row |= {"PTPT_NMPR_PER1": share(teachers_there, staff), "PTPT_NTS2": stream.between(1, 3)}
        row |= {"PTPT_NMPR_FGR2": parents, "PTPT_NMPR_PER2": share(parents, pupils.pupils)}
        for name in ("SMAGE_MDAT", "SMAGE_CNSL", "ATMY_LEGAL", "ETC"):
            row |= {f"{name}_NMPR_FGR1": stream.below(4), f"{name}_NMPR_FGR2": stream.below(pupils.pupils + 1)}
        rows.append(row)
    return rows


def _middle_only(handler: Handler) -> Handler:
    """Free semesters are for middle schools."""

    def answer(world: World, query: Query) -> Reply:
        return handler(world, query) if query.get("schulKndCode") == MIDDLE else NO_ROWS

    return answer


HANDLERS: Final[dict[str, Handler]] = {
    "04": _middle_only(disclosed(free_semester)),
    "34": disclosed(meal_service),
    "38": disclosed(health),
    "43": disclosed(safety),
    "56": disclosed(clubs),
    "59": disclosed(after_school),
    "61": disclosed(counselling),
    "67": disclosed(programmes),
    "90": disclosed(fitness),
    "94": disclosed(prevention),
}
