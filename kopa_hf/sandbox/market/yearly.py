"""Yearly reports of share counts, holders, pay and debts: DART's own lines under the regulator's names."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.finance.filings import receipt_of
from kopa_hf.sandbox.finance.periodic import LINES, Report
from kopa_hf.sandbox.market.companies import YEARS, market_of, reporting
from kopa_hf.sandbox.market.daily import in_order
from kopa_hf.sandbox.market.filters import select
from kopa_hf.sandbox.query import Handler, Query, Reply
from kopa_hf.sandbox.world import World


class _Yearly(NamedTuple):
    """A company's annual report."""

    company: Company
    year: int


def _yearly_names(world: World, report: _Yearly) -> dict[str, Any]:
    company, year = report
    return {
        "basDt": f"{year}1231",
        "bizYear": str(year),
        "corpPtrnSeNm": market_of(company),
        "corpSeNo": company.corp_code,
        "corpNm": company.name,
        "crno": company.jurir_no,
        "stckItmsCd": company.stock_code,
        "stacDt": f"{year}1231",
        "bizYr": str(year),
        "cmpyNm": company.name,
    }


def yearly(operation: str, names: dict[str, str]) -> Handler:
    """Lines of DART's annual reports (`periodic.LINES`), columns renamed; the receipt number is DART's."""

    def reports(world: World) -> tuple[_Yearly, ...]:
        return tuple(_Yearly(company, year) for year in reversed(YEARS) for company in reporting(world))

    def handle(world: World, query: Query) -> Reply:
        wanted = {name: query.get(name) for name in ("crno", "bizYear", "bizYr", "corpSeNo")}
        found: list[dict[str, Any]] = []
        for report in world.table("market.yearly", reports):
            head = _yearly_names(world, report)
            if any(value and head[name] != value for name, value in wanted.items()):
                continue
            if operation == "cprndNrdmpBlce":
                found += _bond_balances(world, report, head)
            else:
                found += _report_lines(world, report, head, operation, names)
        return select(query, found, lambda cells: cells, lambda cells: in_order(query, cells))

    return handle


_SPANS: Final = {
    "yrbl1": "yy1_below",
    "yrov1Bl2y": "yy1_excess_yy2_below",
    "yrov2Bl3y": "yy2_excess_yy3_below",
    "yrov3Bl4y": "yy3_excess_yy4_below",
    "yrov4Bl5y": "yy4_excess_yy5_below",
    "yrov5Bl10y": "yy5_excess_yy10_below",
    "yrov10": "yy10_excess",
}
_ISSUES: Final = {"합계": "", "공모": "pbsb", "사모": "prplc"}


def _bond_balances(world: World, report: _Yearly, head: dict[str, Any]) -> list[dict[str, Any]]:
    """회사채 미상환: DART's three lines side by side in one record."""
    receipt = receipt_of(world, report.company, ("report", report.year, "11011"))
    if receipt is None:
        return []
    cells = head | {"rcptNo": receipt}
    for line in LINES["cprndNrdmpBlce"](Report(world, report.company, report.year, "11011", receipt)):
        side = _ISSUES[str(line["remndr_exprtn2"])]
        for stem, theirs in (*_SPANS.items(), ("", "sm")):
            name = f"{side}{stem[:1].upper()}{stem[1:]}SumAmt" if side else f"{stem}SumAmt" if stem else "sumAmt"
            cells[name] = str(line[theirs]).replace(",", "").replace("-", "0")
    return [cells]


def _report_lines(
    world: World, report: _Yearly, head: dict[str, Any], operation: str, names: dict[str, str]
) -> list[dict[str, Any]]:
    receipt = receipt_of(world, report.company, ("report", report.year, "11011"))
    if receipt is None:
        return []
    full = Report(world, report.company, report.year, "11011", receipt)
    return [
        head
        | {"rcptNo": receipt, "dataSno": str(number)}
        | {ours: str(line.get(theirs, "")).replace(",", "").replace("-", "") for ours, theirs in names.items()}
        for number, line in enumerate(LINES[operation](full), 1)
    ]


HANDLERS: dict[str, Handler] = {
    "getCGSmamInfo": yearly(
        "mrhlSttus",
        {
            "smamSthdCnt": "shrholdr_co",
            "whlSthdCnt": "shrholdr_tot_co",
            "smamSthdRto": "shrholdr_rate",
            "holdStckCnt": "hold_stock_co",
            "issuStckTcnt": "stock_tot_co",
            "holdStckRto": "hold_stock_rate",
        },
    ),
    "getCGIdvpnPayInfo": yearly(
        "indvdlByPay", {"rmrRcvpsFlnm": "nm", "rmrRcvpsJbttNm": "ofcps", "trmrAmt": "mendng_totamt"}
    ),
    "getStkIssuInfo": yearly(
        "stockTotqySttus",
        {
            "stckIssuTcntClsfNm": "se",
            "issuSchStckTcnt": "isu_stock_totqy",
            "maxIssuStckTcnt": "isu_stock_totqy",
            "acmlIssuStckTcnt": "now_to_isu_stock_totqy",
            "acmlDcrsStckTcnt": "now_to_dcrs_stock_totqy",
            "pftIcnrTcnt": "profit_incnr",
            "trsstcCnt": "tesstk_co",
            "otsstcCnt": "distb_stock_co",
        },
    ),
    "getCrbnNrpRmInfo": yearly("cprndNrdmpBlce", {}),
}
