"""Prices of shares and of rights on them: the exchange's own figures under the regulator's names."""

from __future__ import annotations

import datetime
from typing import Any, Final

from kopa_hf.sandbox.calendar import trading_days
from kopa_hf.sandbox.finance.companies import MARKETS, Company, companies, isin_of
from kopa_hf.sandbox.finance.prices import bar, shares
from kopa_hf.sandbox.market.daily import DailyTable, daily
from kopa_hf.sandbox.market.exchange import PRICES, changing
from kopa_hf.sandbox.query import Handler, Record
from kopa_hf.sandbox.world import World


def share_name(company: Company) -> str:
    """The registered name of the common share."""
    return f"{company.legal_name.replace('(주)', '').replace('주식회사 ', '')}보통주"


def listed(world: World) -> tuple[Company, ...]:
    """All listed companies by short code."""

    def build(w: World) -> tuple[Company, ...]:
        return tuple(sorted((c for c in companies(w) if c.listed), key=lambda c: c.stock_code))

    return world.table("market.listed", build)


def _late_days(world: World) -> list[datetime.date]:
    """Listing days after the first trading day."""
    first = trading_days()[0]
    return sorted(c.listed_on for c in listed(world) if c.listed_on is not None and c.listed_on > first)


def listed_on_day(world: World, position: int) -> tuple[Company, ...]:
    """Companies that were listed on a trading day; one tuple for all days between two listings."""
    day = trading_days()[position]
    come = sum(late <= day for late in world.table("market.late", _late_days))

    def build(w: World) -> tuple[Company, ...]:
        return tuple(c for c in listed(w) if c.listed_on is None or c.listed_on <= day)

    return world.table(f"market.listed.{come}", build)


def _names(company: Company) -> dict[str, Any]:
    return {
        "srtnCd": company.stock_code,
        "isinCd": company.isin,
        "itmsNm": company.name,
        "mrktCtg": MARKETS[company.corp_cls],
    }


def _stock(world: World, company: Company, position: int) -> dict[str, Any]:
    day, issued = bar(world, company, position), shares(world, company)
    return {
        "clpr": str(day.close),
        "vs": str(day.change),
        "fltRt": f"{day.rate:.2f}",
        "mkp": str(day.open),
        "hipr": str(day.high),
        "lopr": str(day.low),
        "trqu": str(day.volume),
        "trPrc": str(day.value),
        "lstgStCnt": str(issued),
        "mrktTotAmt": str(issued * day.close),
    }


def _master_names(company: Company) -> dict[str, Any]:
    """The list of listed items prefixes its short codes with an A."""
    return _names(company) | {
        "srtnCd": f"A{company.stock_code}",
        "crno": company.jurir_no,
        "corpNm": company.legal_name,
    }


def _right_names(record: Record) -> dict[str, Any]:
    code = str(record["ISU_CD"])
    return {
        "srtnCd": code,
        "isinCd": isin_of(code, "A", "00"),
        "itmsNm": record["ISU_NM"],
        "mrktCtg": record["MKT_NM"],
        "purRgtScrtItmsCd": record["TARSTK_ISU_SRT_CD"],
        "purRgtScrtItmsNm": record["TARSTK_ISU_NM"],
    }


_RIGHT: Final = {
    **PRICES,
    "lstgCtfCnt": "LIST_SHRS",
    "lstgScrtCnt": "LIST_SHRS",
    "nstIssPrc": "ISU_PRC",
    "dltDt": "DELIST_DD",
    "exertPric": "EXER_PRC",
    "subtPdSttgDt": "EXST_STRT_DD",
    "subtPdEdDt": "EXST_END_DD",
    "purRgtScrtItmsClpr": "TARSTK_ISU_PRSNT_PRC",
}


HANDLERS: dict[str, Handler] = {
    "getStockPriceInfo": daily(DailyTable(listed_on_day, _names, _stock)),
    "getItemInfo": daily(DailyTable(listed_on_day, _master_names, lambda *_: {})),
    "getPreemptiveRightCertificatePriceInfo": daily(changing(("sr_bydd_trd",), _right_names, _RIGHT)),
    "getPreemptiveRightSecuritiesPriceInfo": daily(changing(("sw_bydd_trd",), _right_names, _RIGHT)),
}
