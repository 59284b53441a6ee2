"""학교알리미's items about money: budgets, donations, what meals cost and who pays, scholarships."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.schools.disclosure import disclosed, figures, share
from kopa_hf.sandbox.schools.enrolment import enrolment
from kopa_hf.sandbox.schools.school import ELEMENTARY, School
from kopa_hf.sandbox.schools.terms import school_days
from kopa_hf.sandbox.world import World

_SPENDING: Final = (9, 24, 22, 9, 11, 13, 11, 1)
"""Shares of the eight kinds of spending."""
_BLANK: Final = {"CLSDR_YN": "N"}


def deal(stream: Stream, amount: int, shares: tuple[int, ...], unit: int = 1000) -> list[int]:
    """An amount dealt out by shaken shares in whole units; the last part takes the rest, so the sum is kept."""
    shaken = [weight * stream.between(70, 130) for weight in shares]
    whole = sum(shaken)
    parts = [amount * weight // whole // unit * unit for weight in shaken[:-1]]
    return [*parts, amount - sum(parts)]


def yearly_budget(world: World, school: School, year: int) -> int:
    """What a school has to spend, in won: so much a school and so much a pupil."""
    stream = figures(world, "budget", school, year)
    each = 2_600_000 if school.level == ELEMENTARY else 3_100_000
    pupils = enrolment(world, school, year).pupils
    return (380_000_000 + pupils * each) * stream.between(88, 118) // 100 // 1000 * 1000


def budget(world: World, school: School, year: int) -> list[Record]:
    """27, 28: spending as planned and as settled; the plan is spent but for a few hundredths."""
    planned = yearly_budget(world, school, year)
    stream = figures(world, "spending", school, year)
    parts = deal(stream, planned, _SPENDING)
    settled = [part * stream.between(930, 1000) // 1_000_000 * 1000 for part in parts]
    rows = []
    for name, amounts in (("예산", parts), ("결산", settled)):
        row: Record = {**_BLANK, "FAS_DTN_SC_CODE": name, "PBAN_REV_EX_SC_CODE": "세출"}
        rows.append(row | {f"AMT{number}": amount for number, amount in enumerate(amounts, start=1)})
    return rows


def donations(world: World, school: School, year: int) -> Record:
    """30: what came in by kind, what it was spent on; no more is spent than came in."""
    stream = figures(world, "donations", school, year)
    counts = [stream.below(9), stream.below(3), int(stream.chance(0.05))]
    amounts = [count * stream.between(5, 300) * 100_000 for count in counts]
    spent = sum(amounts) * stream.between(40, 100) // 100 // 1000 * 1000
    uses = deal(stream, spent, (10, 25, 30, 35))
    names = ("MONE_AWA_SCRTS", "BOS_AWA_THNG", "FA_AWA_FRTUN")
    row: Record = {}
    for name, count, amount in zip(names, counts, amounts, strict=True):
        row |= {f"{name}_CNT": count, f"{name}_AMT": amount}
    row |= {"CNT_SMTOT": sum(counts), "AMT_SMTOT": sum(amounts)}
    row |= dict(zip(
        ("SCHUL_EDC_FA_PAY_AMT", "EDCL_MHRML_AWA_BOS_AMT", "SCHUL_PHE_ACT_AMT", "WELF_ATMY_ACT_SPORT_AMT"), uses, strict=True
    ))  # fmt: skip
    return row | {"EXPNT_AMT_SMTOT": spent}


_PAYERS: Final = (
    ("OFCDC_SUF", "OFCDC_SUF_RATE", 50), ("SFRND_SUF", "SFRND_SUF_RATE", 32), ("SCHUL_ONSLF_SUF", "SCHUL_ONSLF_SUF_RATE", 3),
    ("GU_SUF", "GU_SUF_RATE", 12), ("ETC_SPRT_AMT", "ETC_OFCDC_SUF_RATE", 3),
)  # fmt: skip


def meal_money(world: World, school: School, year: int) -> Record:
    """35: who pays for meals; the price of food a meal times pupils and days is a part of it."""
    stream = figures(world, "meal money", school, year)
    meals = enrolment(world, school, year).pupils * len(school_days(school, year - 1))
    food = stream.between(2900, 4200)
    whole = meals * food * stream.between(150, 185) // 100 // 1000 * 1000
    row: Record = {}
    for (name, rate, _), amount in zip(_PAYERS, deal(stream, whole, tuple(p[2] for p in _PAYERS)), strict=True):
        row |= {name: amount, rate: share(amount, whole)}
    return row | {"TOTAL_AMT": whole, "TOTAL_AMT_RATE": 100.0, "STDNT_ONE_PSNBY_LM": food}


def scholarships(world: World, school: School, year: int) -> Record:
    """55: scholarships and support with fees."""
    stream = figures(world, "scholarships", school, year)
    pupils = enrolment(world, school, year).pupils
    awarded, helped = pupils * stream.between(5, 60) // 1000, pupils * stream.between(20, 120) // 1000
    prize, help_ = awarded * stream.between(20, 90) * 10_000, helped * stream.between(15, 60) * 10_000
    row: Record = {"SCHO_NMPR_FGR": awarded, "SCHO_AMT": prize, "SCE_RDCTN_NMPR_FGR": helped, "SCE_RDCTN_AMT": help_}
    return row | {"NMPR_FGR_SUM": awarded + helped, "AMT_SUM": prize + help_}


def uniforms(world: World, school: School, year: int) -> Record:
    """73: how uniforms are bought, and for how much."""
    stream = figures(world, "uniforms", school, year)
    bought = stream.weighted(((0, 86), (1, 4), (2, 10)))
    row: Record = {f"COL_{number}": "N" for number in (1, 2, 3, 4, 6, 8, 9, 10, 11, 13)}
    row |= {f"COL_{1 + bought}": "Y", f"COL_{8 + bought}": "Y"}
    return row | {"COL_7": stream.between(170, 260) * 1000, "COL_14": stream.between(70, 110) * 1000}


def _older_only(handler: Handler, *, refuses: bool) -> Handler:
    """Items that elementary schools have nothing to do with: some refuse to be asked, some are empty."""

    def answer(world: World, query: Query) -> Reply:
        if query.get("schulKndCode") != ELEMENTARY:
            return handler(world, query)
        if refuses:
            raise RefusedError("value", "schulKndCode")
        return NO_ROWS

    return answer


HANDLERS: Final[dict[str, Handler]] = {
    "27": disclosed(budget, founders=("공립", "국립")),
    "28": disclosed(budget, founders=("사립",)),
    "30": disclosed(donations),
    "35": disclosed(meal_money),
    "55": _older_only(disclosed(scholarships), refuses=True),
    "73": _older_only(disclosed(uniforms), refuses=False),
}
