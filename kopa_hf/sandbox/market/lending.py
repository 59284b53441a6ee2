"""Shares and bonds lent, by thing, by day and by who takes part: the days' sums are those of the single lists."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.finance.companies import MARKETS, Company
from kopa_hf.sandbox.finance.prices import closes, shares
from kopa_hf.sandbox.market.bonds import Issue, amount, issues
from kopa_hf.sandbox.market.daily import DailyTable, daily
from kopa_hf.sandbox.market.stocks import listed_on_day
from kopa_hf.sandbox.query import Handler
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World

_ONE: Final = ("",)
"""Lists with one row a day."""
Moved = tuple[int, int, int, int]
"""(lent, returned, balance, balance in won) of one thing on one day."""


def _moves(seed: int, base: int, position: int) -> tuple[int, int, int]:
    """Yesterday's balance plus lent less returned is today's."""
    before, after = (base * (100 + mix(seed, at) % 500) // 100_000 for at in (position - 1, position))
    turned = mix(seed, position + 100_000) % max(base // 5_000, 2)
    if after >= before:
        return turned + after - before, turned, after
    return turned, turned + before - after, after


def lent_shares(world: World, company: Company, position: int) -> Moved:
    """A company's shares on loan."""
    moved = _moves(world.measure_seed("market", "lent", company.index), shares(world, company), position)
    return (*moved, moved[2] * closes(world, company)[position])


def lent_bonds(world: World, issue: Issue, position: int) -> Moved:
    """A bond's face value on loan, in won."""
    base = amount(world, issue.bond)
    moved = _moves(world.measure_seed("market", "lent bond", issue.bond.isin), base, position)
    return (*moved, moved[2])


def _stock_names(company: Company) -> dict[str, Any]:
    return {
        "isinCd": company.isin,
        "isinCdNm": company.name,
        "lnbScrtDcd": "01",
        "lnbScrtDcdNm": "주식",
        "mrktClsfNm": MARKETS[company.corp_cls],
        "stckItmsNm": company.name,
        "stckItmsCd": company.stock_code,
    }


def _stock(world: World, company: Company, position: int) -> dict[str, Any]:
    return _stock_columns(lent_shares(world, company, position))


def _stock_columns(moved: Moved) -> dict[str, Any]:
    lent, returned, balance, worth = map(str, moved)
    return {
        "lnbCclStckCnt": lent,
        "lnbRdptStckCnt": returned,
        "rdptStckCnt": returned,
        "rcalRdptStckCnt": "0",
        "lnbRmanStckCnt": balance,
        "lnbBal": worth,
        "cclStckCnt": lent,
        "balnStckCnt": balance,
        "balnStckAmt": worth,
    }


def _stock_sums(world: World, _: str, position: int) -> dict[str, Any]:
    return _stock_columns(_stock_total(world, position))


def _stock_total(world: World, position: int) -> Moved:
    every = [lent_shares(world, company, position) for company in listed_on_day(world, position)]
    lent, returned, balance, worth = (sum(column) for column in zip(*every, strict=True))
    return lent, returned, balance, worth


def _bond_names(issue: Issue) -> dict[str, Any]:
    bond = issue.bond
    return {"isinCd": bond.isin, "isinCdNm": bond.name, "bondItmsNm": bond.name, "bondItmsCd": bond.isin}


def _bond_items(world: World, _: int) -> tuple[Issue, ...]:
    return world.table("market.lendable", lambda w: tuple(i for i in issues(w) if i.company is None))


def _bond_columns(moved: Moved) -> dict[str, Any]:
    lent, returned, balance, _ = map(str, moved)
    return {
        "bondLnbCclAmt": lent,
        "bondLnbRdptAmt": returned,
        "bondLnbBal": balance,
        "lnbCclAmt": lent,
        "lnbRdptAmt": returned,
        "lnbBal": balance,
        "lnbScrtDcd": "02",
        "lnbScrtDcdNm": "채권",
        "cclAmt": lent,
        "rpmtAmt": returned,
        "cclBondBalnAmt": balance,
        "balnAmt": balance,
    }


def _bond(world: World, issue: Issue, position: int) -> dict[str, Any]:
    return _bond_columns(lent_bonds(world, issue, position))


def _bond_total(world: World, position: int) -> Moved:
    every = [lent_bonds(world, issue, position) for issue in _bond_items(world, position)]
    lent, returned, balance, worth = (sum(column) for column in zip(*every, strict=True))
    return lent, returned, balance, worth


def _bond_sums(world: World, _: str, position: int) -> dict[str, Any]:
    return _bond_columns(_bond_total(world, position))


_PARTIES: Final = (
    ("내국인", "증권사", 310, 420), ("내국인", "자산운용사", 240, 80), ("내국인", "은행", 90, 60), ("내국인", "보험", 120, 30),
    ("내국인", "연기금", 140, 10), ("외국인", "외국인", 100, 400),
)  # fmt: skip
"""(residence, kind, per mille of what is lent, per mille of what is borrowed): both add up to the whole."""
_Party = tuple[str, str, int, int]


def _party(stem: str, stock: bool) -> DailyTable[_Party]:
    def figures(world: World, party: _Party, position: int) -> dict[str, Any]:
        if stock:
            lent, _, balance, worth = _stock_total(world, position)
            total = lent * worth // max(balance, 1)
        else:
            total = _bond_total(world, position)[0]
        cells: dict[str, Any] = {}
        for side, share in (("lnde", party[2]), ("bor", party[3])):
            cells |= {f"{side}Ccl{stem}Amt": str(total * share // 1000), f"{side}Ccl{stem}AmtRto": f"{share / 10:.2f}"}
        return cells

    return DailyTable(lambda *_: _PARTIES, lambda p: {"invpnClsfNm": p[0], "invpnClsfDtlNm": p[1]}, figures)


HANDLERS: dict[str, Handler] = {
    "getStLendAndBorrItemRank_V2": daily(DailyTable(listed_on_day, _stock_names, _stock)),
    "getStItemLendAndBorrStatu_V2": daily(DailyTable(listed_on_day, _stock_names, _stock)),
    "getStckLnbDetail": daily(DailyTable(listed_on_day, _stock_names, _stock)),
    "getStckLnbProgress": daily(DailyTable(lambda *_: _ONE, lambda _: {}, _stock_sums)),
    "getStckLnbInvpnDetail": daily(_party("Stck", stock=True)),
    "getBondLendAndBorrRank_V2": daily(DailyTable(_bond_items, _bond_names, _bond)),
    "getBondItemLendAndBorrTradStat_V2": daily(DailyTable(_bond_items, _bond_names, _bond)),
    "getBondLnbDetail": daily(DailyTable(_bond_items, _bond_names, _bond)),
    "getBondLnbProgress": daily(DailyTable(lambda *_: _ONE, lambda _: {}, _bond_sums)),
    "getBondLnbInvpnDetail": daily(_party("Bond", stock=False)),
}
