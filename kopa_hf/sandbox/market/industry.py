"""The market as a whole: money waiting, credit, accounts, funds, loans that the state backs."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from kopa_hf.sandbox.calendar import add_months
from kopa_hf.sandbox.finance.banks import FUNDS
from kopa_hf.sandbox.finance.krxday import walk
from kopa_hf.sandbox.market.daily import DailyTable, daily, in_order
from kopa_hf.sandbox.market.filters import select
from kopa_hf.sandbox.query import Handler, Query, Reply
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import LAST_DAY, World

_BILLION: Final = 1_000_000_000
_ONE: Final = ("",)
"""Lists with one row a day."""


def _level(world: World, name: str, position: int, start: float, noise: float = 0.008) -> int:
    """A balance that wanders from day to day, in won."""
    return int(walk(world, f"market {name}", start, noise)[position] * _BILLION)


def _funds_waiting(world: World, _: str, position: int) -> dict[str, Any]:
    """증시자금: forced sales are a share of the money owed."""
    owed = _level(world, "owed", position, 950, 0.02)
    share = 4 + mix(world.measure_seed("market", "forced"), position) % 90 / 10
    return {
        "invrDpsgAmt": str(_level(world, "deposits", position, 52_000)),
        "onbdDrvPrdTrRcAdvAmt": str(_level(world, "margins", position, 11_500)),
        "toCstRpchCndBndSlgBal": str(_level(world, "repurchase", position, 78_000)),
        "brkTrdUcolMny": str(owed),
        "brkTrdUcolMnyVsOppsTrdAmt": str(int(owed * share / 100)),
        "ucolMnyVsOppsTrdRlImpt": f"{share:.1f}",
    }


def _credit(world: World, _: str, position: int) -> dict[str, Any]:
    """신용공여: both markets add up to the whole."""
    loans = [_level(world, f"credit {m}", position, start) for m, start in (("kospi", 9_800), ("kosdaq", 7_900))]
    lent = [_level(world, f"short {m}", position, start, 0.02) for m, start in (("kospi", 45), ("kosdaq", 38))]
    return {
        "crdTrFingWhl": str(sum(loans)),
        "crdTrFingScrs": str(loans[0]),
        "crdTrFingKosdaq": str(loans[1]),
        "crdTrLndrWhl": str(sum(lent)),
        "crdTrLndrScrs": str(lent[0]),
        "crdTrLndrKosdaq": str(lent[1]),
        "sbscCapLn": "0",
        "dpsgScrtMogFing": str(_level(world, "mortgage", position, 20_500)),
    }


_CMA: Final = tuple((kind, who) for kind in ("RP형", "MMF형", "발행어음형", "기타") for who in ("개인", "법인"))


def _cma(world: World, item: tuple[str, str], position: int) -> dict[str, Any]:
    kind, who = item
    size = 30_000 if who == "개인" else 3_000
    accounts = 4_200_000 if who == "개인" else 120_000
    return {
        "scrtCmpyCnt": str(6 + len(kind)),
        "actCnt": str(accounts + position * 900 + len(kind) * 1_000),
        "actBal": str(_level(world, f"cma {kind} {who}", position, size / (1 + len(kind)))),
    }


_FUND_KINDS: Final = (
    "주식형",
    "혼합주식형",
    "혼합채권형",
    "채권형",
    "재간접형",
    "단기금융",
    "부동산",
    "특별자산",
    "파생상품형",
)
_ASSETS: Final = tuple((kind, way) for kind in _FUND_KINDS for way in ("공모", "사모"))


def _net_assets(world: World, item: tuple[str, str], position: int) -> dict[str, Any]:
    kind, way = item
    start = 20_000 + sum(map(ord, kind)) % 90 * 1_000 + (9_000 if way == "사모" else 0)
    return {"nPptTotAmt": str(_level(world, f"funds {kind} {way}", position, start, 0.004))}


class Fund(NamedTuple):
    """A fund in the register of standard codes."""

    code: str
    name: str
    kind: str
    set_up: datetime.date
    number: int


_THEMES: Final = (
    "배당성장",
    "코리아액티브",
    "글로벌테크",
    "단기채",
    "하이일드",
    "자산배분",
    "중소형가치",
    "친환경",
    "리츠",
    "공모주",
)
_FUNDS: Final = 18_000


def funds(world: World) -> tuple[Fund, ...]:
    """Every fund, newest first; houses and names are invented."""

    def build(w: World) -> tuple[Fund, ...]:
        stream = w.identity("market", "funds")
        found = []
        for number in range(w.count(_FUNDS, 40)):
            day = LAST_DAY - datetime.timedelta(days=number * 6_000 // _FUNDS + stream.below(3))
            kind, theme = stream.choice(_FUND_KINDS), stream.choice(_THEMES)
            name = f"{stream.choice(FUNDS)} {theme} 증권자투자신탁 {number % 97 + 1}호({kind})"
            found.append(Fund(f"{'ABCDEFGH'[number % 8]}{number % 10}{100 + number % 900}", name, kind, day, number))
        return tuple(found)

    return world.table("market.funds", build)


def fund_codes(world: World, query: Query) -> Reply:
    """펀드 표준코드."""

    def cells(fund: Fund) -> dict[str, Any]:
        return {
            "basDt": f"{max(fund.set_up, LAST_DAY - datetime.timedelta(days=1)):%Y%m%d}",
            "srtnCd": fund.code,
            "fndNm": fund.name,
            "ctg": "공모" if fund.number % 3 else "사모",
            "setpDt": f"{fund.set_up:%Y%m%d}",
            "fndTp": fund.kind,
            "prdClsfCd": f"{1 + _FUND_KINDS.index(fund.kind)}{fund.number % 7:02d}",
            "asoStdCd": f"K55{100 + fund.number % 200}{fund.code}",
        }

    return select(query, funds(world), cells, lambda fund: in_order(query, cells(fund)))


# loans that the state backs, by month


def _months() -> list[str]:
    """Months with figures, newest first."""
    last = LAST_DAY.replace(day=1)
    return [f"{add_months(last, -back):%Y%m}" for back in range(1, 61)]


Monthly = Callable[[World, str, str], dict[str, Any]]


def monthly(kinds: tuple[str, ...], column: str, figures: Monthly) -> Handler:
    """One row per month and kind."""

    def handle(world: World, query: Query) -> Reply:
        rows = [(month, kind) for month in _months() for kind in kinds]

        def names(row: tuple[str, str]) -> dict[str, Any]:
            return {"basYm": row[0], **({column: row[1]} if column else {})}

        return select(query, rows, names, lambda row: in_order(query, names(row) | figures(world, *row)))

    return handle


def _guarantees(world: World, month: str, kind: str) -> dict[str, Any]:
    count = world.measure("market", "guarantees", month, kind).between(2_000, 22_000)
    return {"grnCcnt": str(count), "grnAmt": str(count * (7_200_000 + sum(map(ord, kind)) % 9 * 300_000))}


def _micro(world: World, month: str, _: str) -> dict[str, Any]:
    count = world.measure("market", "microcredit", month).between(2_000, 5_200)
    return {"lnCcnt": str(count), "lnAmt": str(count * 12_400_000)}


HANDLERS: dict[str, Handler] = {
    "getSecuritiesMarketTotalCapitalInfo": daily(DailyTable(lambda *_: _ONE, lambda _: {}, _funds_waiting)),
    "getGrantingOfCreditBalanceInfo": daily(DailyTable(lambda *_: _ONE, lambda _: {}, _credit)),
    "getCMAStatus": daily(DailyTable(lambda *_: _CMA, lambda i: {"mngInvTgt": i[0], "invrCtg": i[1]}, _cma)),
    "getFundTotalNetEssetInfo": daily(
        DailyTable(lambda *_: _ASSETS, lambda i: {"ctg": i[0], "tstMthdCtg": i[1]}, _net_assets)
    ),
    "getStandardCodeInfo": fund_codes,
    "getSunshineLoanInfo": monthly(("근로자햇살론", "햇살론15", "햇살론유스", "햇살론뱅크"), "grnPrdCtg", _guarantees),
    "getMicroCreditInfo": monthly(("",), "", _micro),
}
