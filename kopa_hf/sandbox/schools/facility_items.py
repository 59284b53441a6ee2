"""학교알리미's items about grounds, buildings and their safety, and the school's profile itself."""

from __future__ import annotations

import datetime
from typing import Final

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.query import Handler, Record
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.schools.disclosure import disclosed, figures, ratio, yes_no
from kopa_hf.sandbox.schools.enrolment import enrolment
from kopa_hf.sandbox.schools.school import ELEMENTARY, HIGH, School
from kopa_hf.sandbox.world import World


def profile(world: World, school: School, year: int) -> Record:
    """0: address, position, numbers."""
    latitude, longitude = school.position
    return {
        "FOAS_MEMRD": compact(school.opened),
        "FOND_YMD": compact(school.opened),
        "ADRCD_ID": school.neighbourhood.code,
        "ADRES_BRKDN": school.neighbourhood.full_name,
        "DTLAD_BRKDN": f"{mix(school.seed, 60) % 900 + 1}번지 {school.name}",
        "ZIP_CODE": school.postcode,
        "SCHUL_RDNZC": school.postcode,
        "SCHUL_RDNMA": school.road_address,
        "SCHUL_RDNDA": f"({school.neighbourhood.name}, {school.name})",
        "LTTUD": latitude,
        "LGTUD": longitude,
        "USER_TELNO": school.phone(0),
        "USER_TELNO_SW": school.phone(1),
        "USER_TELNO_GA": school.phone(2),
        "PERC_FAXNO": school.phone(3),
        "HMPG_ADRES": school.homepage,
        "COEDU_SC_CODE": school.sexes,
        "ABSCH_YN": "N",
        "CLOSE_YN": "N",
    }


def land(world: World, school: School, year: int) -> Record:
    """16: square metres; the site and the ground make one sum, the land beside them the other."""
    size = 5200 + enrolment(world, school, 2016).pupils * 9
    site, ground = size * (90 + mix(school.seed, 61) % 30) // 100, size * (60 + mix(school.seed, 62) % 50) // 100
    beside = mix(school.seed, 63) % 2500 if mix(school.seed, 64) % 3 == 0 else 0
    return {
        "COL_1": site,
        "COL_2": ground,
        "COL_3": site + ground,
        "COL_4": beside,
        "COL_5": site + ground + beside,
        "UNITY_UON": "N",
    }


def buildings(world: World, school: School, year: int) -> Record:
    """17: rooms by use."""
    classes = enrolment(world, school, year).classes
    row: Record = {"COL_1": classes, "COL_4": 0 if school.level == ELEMENTARY else classes // 8}
    row["CURR_CCCLA_FGR"] = 0 if school.level == ELEMENTARY else classes // 5
    row |= {
        "COL_5": 3 + classes // 4,
        "COL_6": mix(school.seed, 65) % 4,
        "COL_3": 1,
        "COM_CCCLA_FGR": 1 + classes // 25,
    }
    row |= {"MMA_CCCLA_FGR": mix(school.seed, 66) % 2, "LRN_SPORT_ETC_CCCLA_FGR": 1 + classes // 12}
    row |= {"COL_7": 3 + classes // 10, "COL_8": 4 + classes // 20, "COL_9": 1, "COL_10": 1}
    row |= {"COL_16": classes // 9, "STDNT_SWRM_FGR": mix(school.seed, 67) % 2}
    toilets = 3 + classes // 3
    row |= {"ML_TOI_FGR": toilets, "FML_TOI_FGR": toilets, "COMUS_TOI_FGR": mix(school.seed, 68) % 3}
    return row | {"COL_12": 1, "COL_13": _boarding(school) // 4, "COL_14": mix(school.seed, 69) % 5}


def _boarding(school: School) -> int:
    """Beds of a boarding house; most schools have none."""
    chance = 100 if "특수목적" in school.high_kind else 18 if school.level == HIGH else 0
    return 40 + mix(school.seed, 71) % 180 if mix(school.seed, 70) % 100 < chance else 0


def support(world: World, school: School, year: int) -> Record:
    """18: halls, pools, counselling rooms, and who sleeps in the boarding house."""
    beds = _boarding(school)
    gymnasium = int(mix(school.seed, 72) % 100 < 72)
    return {
        "COL_1": gymnasium,
        "COL_2": 1 - gymnasium if mix(school.seed, 73) % 2 else 0,
        "BRHS_RCPTN_NMPR_FGR": beds * figures(world, "beds", school, year).between(70, 100) // 100,
        "SWMPL_FGR": int(mix(school.seed, 74) % 100 < 2),
        "COSE_CNSRM_FGR": 1 + mix(school.seed, 75) % 2,
    }


def opening(world: World, school: School, year: int) -> Record:
    """20: what people may use."""
    percents = ((1, 88), (3, 55), (5, 30), (7, 25), (9, 20), (11, 15))
    return {f"COL_{number}": yes_no(school, number, percent) for number, percent in percents}


def access(world: World, school: School, year: int) -> Record:
    """21: what lets people with disabilities in."""
    percents = ((1, 97), (2, 98), (3, 96), (4, 95), (5, 93), (6, 90), (8, 94), (9, 88), (10, 82), (11, 60), (12, 75))
    return {f"COL_{number}": yes_no(school, 20 + number, percent) for number, percent in percents}


def library(world: World, school: School, year: int) -> Record:
    """58: books, seats, loans; this year's pupils for books, last year's for loans."""
    stream = figures(world, "library", school, year)
    now, before = enrolment(world, school, year).pupils, enrolment(world, school, year - 1).pupils
    books, others = 4200 + now * stream.between(12, 26), stream.between(50, 900)
    loans = before * stream.between(6, 40)
    return {
        "GNRL_BOKS_FGR": books,
        "NN_BOS_DTA_FGR": others,
        "SUMCNT": books + others,
        "PBAN_YR_ALL_STDNT_FGR": now,
        "RATIO": ratio(books + others, now),
        "LBRRY_FGR": 1,
        "BKRUM_FGR": stream.between(24, 90),
        "LBRRY_CRQFC_RET_STAFF_FGR": stream.below(2),
        "LBRRY_CRQFC_UN_RET_STAFF_FGR": stream.below(2),
        "PRTI_DTA_PHS_CST": stream.between(30, 220) * 100_000,
        "PRTI_LBRRY_OPER_CST": stream.between(10, 80) * 100_000,
        "LBRRY_LN_DTA_FGR": loans,
        "LYR_ALL_STDNT_FGR": before,
        "LBRRY_LEND_STDNT_FGR": before * stream.between(50, 98) // 100,
        "DATA1": ratio(loans, before),
    }


_BOOKS: Final = ("전기안전점검", "소방시설점검", "승강기안전점검", "가스시설점검", "어린이놀이시설점검")


def inspections(world: World, school: School, year: int) -> list[Record]:
    """44: a row per register of inspections."""
    kept = _BOOKS if school.level == ELEMENTARY else _BOOKS[:4]
    rows = []
    for number, name in enumerate(kept):
        day = datetime.date(year - 1, 3, 2) + datetime.timedelta(days=mix(school.seed, 80 + number + year) % 360)
        rows.append({"CK_YMD": compact(day), "CK_BBOOK_NM": name, "CK_RSLT_CODE": "유", "NOTE_MATR": None})
    return rows


_LIMITS: Final = {
    "VNTLA": (216, 400), "BLKB_ITENI": (310, 800), "DES_ITENI": (320, 900), "ITENI": (20, 60), "NSE": (34, 56),
    "MNUT_DST": (8, 74), "GMNSM_MNUT_DST": (12, 120), "ULTRA_DST": (4, 34), "HCHO": (5, 79), "CO2": (420, 990),
    "AIR_BACT": (90, 780), "RN": (8, 140), "O3": (1, 29), "VOCS": (20, 390), "BENZENE": (0, 29), "TOLUENE": (2, 300),
    "ETHY_BENZENE": (1, 120), "XYLENE": (1, 210), "STYLENE": (0, 90), "ASBESTOS": (0, 0), "CO": (0, 9), "NO2": (1, 49),
    "FALL_BACT": (1, 9), "MITE": (1, 90),
}  # fmt: skip
"""What is measured → lowest and highest value; what lies near the upper end is fit in all but a few schools."""


def hygiene(world: World, school: School, year: int) -> list[Record]:
    """42: measured twice a year, air three times each."""
    rows = []
    for half in ("상반기", "하반기"):
        stream = figures(world, f"hygiene {half}", school, year)
        row: Record = {"SEM_STR": half, "NAT_VNTLA_STB_YN": "Y", "WTERR_STB_YN": "Y", "UGWTR_STB_YN": "Y"}
        for name, (low, high) in _LIMITS.items():
            row[f"{name}_STB_YN"] = "N" if stream.chance(0.01) else "Y"
            for suffix in ("", "_2", "_3"):
                row[f"{name}_RSLT_NMVL{suffix}"] = stream.between(low, high)
        rows.append(row)
    return rows


HANDLERS: Final[dict[str, Handler]] = {
    "0": disclosed(profile, yearly=False),
    "16": disclosed(land),
    "17": disclosed(buildings),
    "18": disclosed(support),
    "20": disclosed(opening),
    "21": disclosed(access),
    "42": disclosed(hygiene),
    "44": disclosed(inspections),
    "58": disclosed(library),
}
