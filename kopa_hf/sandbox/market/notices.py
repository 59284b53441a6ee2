"""Meetings, dividends and outside directors as companies disclose them year by year."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.finance.accounts import books
from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.finance.filings import Filing, filings_of
from kopa_hf.sandbox.finance.holdings import treasury_shares
from kopa_hf.sandbox.finance.officers import officers
from kopa_hf.sandbox.finance.periodic import dividend_per_share
from kopa_hf.sandbox.finance.prices import price_on, shares
from kopa_hf.sandbox.market.companies import financial, per_year, reporting
from kopa_hf.sandbox.market.daily import in_order
from kopa_hf.sandbox.market.filters import select
from kopa_hf.sandbox.query import Handler, Query, Reply
from kopa_hf.sandbox.world import World

Pool = Callable[[World], Sequence[Company]]
_CALLED = "주주총회소집결의"


def _meetings(pool: Pool) -> Handler:
    """소집공고: the filings by which the exchange's companies call their meetings, newest first."""

    def build(world: World) -> tuple[Filing, ...]:
        found = [f for company in pool(world) for f in filings_of(world, company) if f.title == _CALLED]
        return tuple(sorted(found, key=lambda f: f.rcept_no, reverse=True))

    def names(filing: Filing) -> dict[str, Any]:
        return {"basDt": compact(filing.day), "crno": filing.company.jurir_no, "corpNm": filing.company.name}

    def handle(world: World, query: Query) -> Reply:
        found = world.table(f"market.meetings.{query.operation}", build)
        return select(query, found, names, lambda filing: in_order(query, names(filing) | {"rptFileCtt": ""}))

    return handle


class _Paid(NamedTuple):
    """What a company paid for a year, and out of what."""

    par: int
    profit: int
    per_share: int
    total: int
    each: int
    price: int


def _paid(world: World, company: Company, year: int) -> _Paid:
    sheet = books(world, company, year, 12, consolidated=False)
    assert sheet is not None  # the years are within the books'
    outstanding = shares(world, company) - treasury_shares(world, company, year)
    each = dividend_per_share(world, company, year)
    price = price_on(world, company, datetime.date(year, 12, 31))
    return _Paid(company.par_value, sheet.net_income, sheet.net_income // outstanding, each * outstanding, each, price)


def _dividends(world: World, company: Company, year: int) -> list[dict[str, Any]]:
    """Three years side by side; payout is the sum paid over the year's profit, yield the dividend over the price."""
    cells: dict[str, Any] = {}
    for stem, back in (("crtm", 0), ("pvtr", 1), ("bpvtr", 2)):
        paid = _paid(world, company, year - back)
        cells |= {
            f"{stem}ParPrc": str(paid.par),
            f"{stem}IdvCrtmNpf": str(paid.profit),
            f"{stem}PstcNpf": str(paid.per_share),
            f"{stem}CashTdvdAmt": str(paid.total),
            f"{stem}CashDvdnTndnCtt": f"{paid.total * 100 / paid.profit:.2f}" if paid.total else "",
            f"{stem}OnskCashDvdnBnfRt": f"{paid.each * 100 / paid.price:.2f}" if paid.each else "",
            f"{stem}OnskCashDvdnAmt": str(paid.each),
            f"{stem}StckTdvdAmt": "0",
        }
    return [cells | {"enpCrtmNpf": cells["crtmIdvCrtmNpf"], "fnclCrtmNpf": cells["crtmIdvCrtmNpf"]}]


def _directors(world: World, company: Company, year: int) -> list[dict[str, Any]]:
    """Outside directors who were appointed in a year."""
    board = [o for o in officers(world, company) if o.registered != "미등기" and o.since.year <= year]
    outside = [o for o in board if o.registered == "사외이사"]
    return [
        {
            "otdrMngCtt": "선임",
            "otdrFnm": o.name,
            "otdrTrmSttgDt": compact(o.since),
            "otdrTrmXpryDt": compact(o.until),
            "otdrNewDsgnYn": "Y",
            "otdrCrrCtt": o.career,
            "otdrNowOcptNm": "교수" if o.born.year % 2 else "변호사",
            "tdrtCnt": str(len(board)),
            "totdCnt": str(len(outside)),
            "otdrRto": f"{len(outside) * 100 / len(board):.2f}",
            "lgscCorpYn": "N",
            "ivsRefCtt": "",
        }
        for o in outside
        if o.since.year == year
    ]


HANDLERS: dict[str, Handler] = {
    "getGeneMeetStocPublNotiDiscInfo_V2": _meetings(reporting),
    "getFnCoGeneMeetPublNotiDiscInfo_V2": _meetings(financial),
    "getDiviDiscInfo_V2": per_year(reporting, _dividends),
    "getFnCoDiviDiscInfo_V2": per_year(financial, _dividends),
    "getOutsDireHumaResoAffaRepo_V2": per_year(reporting, _directors),
    "getFnCoOutsDireAffaRepoDiscInfo_V2": per_year(financial, _directors),
}
