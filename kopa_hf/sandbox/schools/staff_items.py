"""학교알리미's items that count teachers and staff."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.query import Handler, Query, Record, Reply
from kopa_hf.sandbox.schools.disclosure import disclosed
from kopa_hf.sandbox.schools.enrolment import enrolment
from kopa_hf.sandbox.schools.school import ELEMENTARY, School
from kopa_hf.sandbox.schools.staff import (
    POSITIONS,
    SUBJECTS,
    Heads,
    by_subject,
    native_speakers,
    split,
    staff,
    teachers,
    total_of,
)
from kopa_hf.sandbox.world import World

_CERTIFICATES: Final = {
    "principal": ((1, 1),), "vice": ((2, 1),), "master": ((21, 1),), "head": ((3, 9), (4, 1)), "teacher": ((3, 6), (4, 4)),
    "special": ((19, 6), (20, 4)), "counsellor": ((6, 1),), "librarian": ((7, 1),), "practical": ((8, 1),),
    "nurse": ((9, 1),), "nutrition": ((10, 1),), "temporary": ((4, 9), (5, 1)), "lecturer": ((11, 1),),
}  # fmt: skip
"""Position → numbers of the certificates' columns with shares."""


def by_position(world: World, school: School, year: int) -> Record:
    """22: every position with men, women, on leave and sum."""
    found = teachers(world, school, enrolment(world, school, year))
    row: Record = {}
    for name, heads in found.items():
        number = POSITIONS[name]
        row |= {f"COL_M{number}": heads.men, f"COL_W{number}": heads.women}
        row |= {f"COL_R{number}": heads.on_leave, f"COL_{number}": heads.total}
    whole = total_of(found)
    row |= {"COL_SM": whole.men, "COL_SW": whole.women, "COL_SR": whole.on_leave, "COL_S": whole.total}
    native = native_speakers(world, school, year)
    row |= {"COL_M14": native.men, "COL_W14": native.women, "COL_14": native.total}
    return row | {"COL_R_SUM": whole.on_leave}


def by_certificate(world: World, school: School, year: int) -> Record:
    """64: the same heads by certificate."""
    found = teachers(world, school, enrolment(world, school, year))
    sums: dict[int, Heads] = {}
    for name, heads in found.items():
        shares = _CERTIFICATES[name]
        for (number, _), part in zip(shares, split(heads, tuple(weight for _, weight in shares)), strict=True):
            held = sums.get(number, Heads(0, 0))
            sums[number] = Heads(held.total + part.total, held.women + part.women)
    row: Record = {}
    for number, heads in sums.items():
        row |= {f"COL_M{number}": heads.men, f"COL_W{number}": heads.women, f"COL_{number}": heads.total}
    whole = total_of(found)
    return row | {"COL_SM": whole.men, "COL_SW": whole.women, "COL_S": whole.total}


def staff_counts(world: World, school: School, year: int) -> Record:
    """68: staff beside the teachers."""
    civil, other, contract = staff(world, school, enrolment(world, school, year))
    row: Record = {}
    for name, number, heads in (("FRL_GEP", 1, civil), ("FRL_PGP", 2, other), ("FTEMP_ETC", 3, contract)):
        row |= {f"{name}_ML_STAFF_FGR": heads.men, f"{name}_FML_STAFF_FGR": heads.women, f"SUM_{number}": heads.total}
    return row


def subjects(world: World, query: Query) -> Reply:
    """24: one row of subjects in elementary schools, a row per subject elsewhere."""
    finer = query.get("depthNo") == "20"

    def item(world: World, school: School, year: int) -> list[Record]:
        heads = total_of(teachers(world, school, enrolment(world, school, year)))
        if school.level == ELEMENTARY:
            return [_elementary(heads)]
        rows: list[Record] = []
        for number, (name, part) in enumerate(zip(SUBJECTS, by_subject(heads), strict=True), start=1):
            if part.total:
                code = f"{number:02d}"
                row: Record = {"FMTCD": code, "PJ_CHASU": 1, "UPPER_ORGA_NM": name, "ORGA_NM": name}
                row |= {"SBJT_CODE": f"{code}01", "SBJT_NM": f"{name} I" if finer else name}
                row |= {"ML_TCHER_FGR": part.men, "FML_TCHER_FGR": part.women, "SUM_CNT": part.total}
                rows.append(row)
        return rows

    return disclosed(item)(world, query)


def _elementary(heads: Heads) -> Record:
    """Class teachers by kind of class, then the subject teachers among them."""
    row: Record = {}
    for number, part in enumerate(split(heads, (3, 90, 6, 1)), start=1):
        row |= {f"COL1_M{number}": part.men, f"COL1_W{number}": part.women, f"COL1_{number}": part.total}
    subject_teachers = split(heads, (1, 4))[0]
    for number, part in enumerate(by_subject(subject_teachers), start=1):
        row |= {f"COL_M{number}": part.men, f"COL_W{number}": part.women, f"COL_{number}": part.total}
    return row


HANDLERS: Final[dict[str, Handler]] = {
    "22": disclosed(by_position),
    "24": subjects,
    "64": disclosed(by_certificate),
    "68": disclosed(staff_counts),
}
