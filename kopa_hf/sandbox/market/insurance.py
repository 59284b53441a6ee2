"""Insurance in figures: who holds what, by year or month and by the kinds that the associations count in."""

from __future__ import annotations

from itertools import product
from typing import Any, Final, NamedTuple

from kopa_hf.sandbox.calendar import add_months
from kopa_hf.sandbox.market.daily import in_order
from kopa_hf.sandbox.market.filters import select
from kopa_hf.sandbox.places import provinces
from kopa_hf.sandbox.query import Handler, Query, Reply
from kopa_hf.sandbox.world import LAST_DAY, World

_YEARS: Final = tuple(str(year) for year in range(2024, 2015, -1))
_MONTHS: Final = tuple(f"{add_months(LAST_DAY.replace(day=1), -back):%Y%m}" for back in range(1, 25))
_AGES: Final = ("20세미만", "20대", "30대", "40대", "50대", "60대", "70세이상")
_SEXES: Final = ("남자", "여자")


class Survey(NamedTuple):
    """A table that has one row per period and combination of kinds."""

    period: str
    periods: tuple[str, ...]
    kinds: dict[str, tuple[str, ...]]
    """Column → its values; the rows are all combinations."""
    low: int
    high: int
    """Span of the heads counted in a row."""
    heads: str
    """The column of heads."""
    money: tuple[str, int] | None = None
    """(column of an amount, won a head)."""


_CAR: Final = {
    "isuItmsNm": ("개인용", "업무용", "영업용", "이륜차"),
    "mogClsfNm": ("대인배상1", "대인배상2", "대물배상", "자기신체사고", "자기차량손해"),
    "kncrNm": ("소형", "중형", "대형", "다인승"),
}
_INJURED: Final = {
    "dthInjClsfNm": ("부상",),
    "impYn": ("N", "Y"),
    "injLvlcntCd": tuple(f"{grade:02d}" for grade in range(1, 15)),
    "impLvlcntCd": ("00",),
}
_SURVEYS: Final[dict[str, Survey]] = {
    "getContractInfo": Survey(
        "isuCmpyOfrYm",
        _MONTHS,
        {**_CAR, "sexNm": _SEXES, "aggr": _AGES[1:], "atmbPlorNm": ("국산", "외산")},
        20,
        42_000,
        "joinCnt",
        ("elpsInpm", 61_000),
    ),
    "getLosCircumstance": Survey("isuCmpyOfrYm", _MONTHS, _CAR, 30, 18_000, "injPtlCnt", ("losAmt", 1_900_000)),
    "getVictimInfo": Survey("atmbAcdnCnlsYm", _MONTHS, _INJURED, 3, 21_000, "nope"),
    "getAutoInsVicMonthInfo": Survey("basYm", _MONTHS, _INJURED, 3, 21_000, "nope"),
    "getPropertyInsuJoinInfo": Survey(
        "sttsAccmlTrgtYr",
        _YEARS,
        {"mogClsfNm": ("화재", "기계", "기업휴지", "배상책임"), "objcClsfNm": ("공장", "일반건물", "점포", "창고")},
        100,
        90_000,
        "cntrCnt",
        ("inpm", 2_300_000),
    ),
    "getIndividualAnnuityInsuInfo": Survey(
        "sttsAccmlTrgtYr",
        _YEARS,
        {
            "rchnAggr": _AGES,
            "taxPrqlYn": ("Y", "N"),
            "pymtMthNm": ("월납", "일시납"),
            "offrTyNm": ("설계사", "방카슈랑스", "온라인"),
            "yerUnitPymtTerm": ("5", "10", "20"),
        },
        20,
        60_000,
        "joinCnt",
    ),
}


def _survey(name: str) -> Handler:
    survey = _SURVEYS[name]
    combinations = tuple(product(*survey.kinds.values()))

    def names(row: tuple[str, tuple[str, ...]]) -> dict[str, Any]:
        return {survey.period: row[0], **dict(zip(survey.kinds, row[1], strict=True))}

    def handle(world: World, query: Query) -> Reply:
        def make(row: tuple[str, tuple[str, ...]]) -> dict[str, Any]:
            measure = world.measure("market", name, row[0], *row[1])
            heads = measure.octave(survey.low, survey.high)
            cells = names(row) | {survey.heads: str(heads), "dthTotlCnt": str(heads // 90)}
            if survey.money is not None:
                cells[survey.money[0]] = str(heads * (survey.money[1] + measure.below(survey.money[1])))
            if name == "getAutoInsVicMonthInfo":
                grade = int(cells["injLvlcntCd"])
                cells["avgPn1PesnAmt"] = str(9_000_000 // grade + measure.below(400_000))
            return in_order(query, cells)

        return select(query, [(p, c) for p in survey.periods for c in combinations], names, make)

    return handle


def _held(world: World, query: Query) -> Reply:
    """생명보험 가입: holders over inhabitants is the rate; a province's men and women are counted apart."""
    kinds = ("사망보장", "연금", "실손의료", "어린이")
    areas = tuple(province.name for province in provinces())
    rows = list(product(_YEARS, areas, _SEXES, _AGES, kinds))

    def names(row: tuple[str, str, str, str, str]) -> dict[str, Any]:
        year, area, sex, age, kind = row
        return {"sttsAccmlTrgtYr": year, "areaNm": area, "sexNm": sex, "rchnAggr": age, "isuKindNm": kind}

    def make(row: tuple[str, str, str, str, str]) -> dict[str, Any]:
        people = world.measure("market", "insured", *row[1:4]).octave(9_000, 900_000)
        share = world.measure("market", "share", *row).between(4, 78)
        return in_order(query, names(row) | {"joinCnt": str(people * share // 100), "joinRto": f"{share:.1f}"})

    return select(query, rows, names, make)


HANDLERS: dict[str, Handler] = {
    **{name: _survey(name) for name in _SURVEYS},
    "getLifeInsuJoinStatus": _held,
}
