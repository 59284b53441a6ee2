"""DART's financial ratios and the taxonomy list (DS003), computed from the books that the statements print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kopa_hf.sandbox.finance.accounts import Books, books
from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.finance.filings import REPORTS
from kopa_hf.sandbox.finance.forms import asked_company, asked_report, closing_day, report_receipt
from kopa_hf.sandbox.finance.statements import asked_companies, taxonomy_accounts
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.world import World

_FIRST_REPORT: Final = (2023, 9)
"""The service knows ratios from the third quarter of 2023 on."""

Ratio = Callable[[Books, Books], float]
"""(this period, the same period of the year before) → percent."""


def _share(part: int, whole: int) -> float:
    return part * 100 / whole if whole else 0.0


def _growth(new: int, old: int) -> float:
    return (new - old) * 100 / abs(old) if old else 0.0


_CLASSES: Final[dict[str, tuple[str, tuple[tuple[str, str, Ratio], ...]]]] = {
    "M210000": (
        "수익성지표",
        (
            ("M211000", "세전계속사업이익률", lambda b, _: _share(b.pretax_income, b.revenue)),
            ("M211200", "순이익률", lambda b, _: _share(b.net_income, b.revenue)),
            ("M211250", "총포괄이익률", lambda b, _: _share(b.comprehensive_income, b.revenue)),
            ("M211300", "매출총이익률", lambda b, _: _share(b.gross_profit, b.revenue)),
            ("M211400", "매출원가율", lambda b, _: _share(b.cost_of_sales, b.revenue)),
            ("M211550", "ROE", lambda b, _: _share(b.net_income, b.equity)),
            ("M211800", "판관비율", lambda b, _: _share(b.selling_expenses, b.revenue)),
            ("M212000", "총자산영업이익률", lambda b, _: _share(b.operating_income, b.assets)),
        ),
    ),
    "M220000": (
        "안정성지표",
        (
            ("M221100", "자기자본비율", lambda b, _: _share(b.equity, b.assets)),
            ("M221200", "부채비율", lambda b, _: _share(b.liabilities, b.equity)),
            ("M221300", "유동비율", lambda b, _: _share(b.current_assets, b.current_liabilities)),
            ("M222600", "당좌비율", lambda b, _: _share(b.current_assets - b.inventories, b.current_liabilities)),
            ("M222700", "차입금의존도", lambda b, _: _share(b.short_debt + b.long_debt, b.assets)),
        ),
    ),
    "M230000": (
        "성장성지표",
        (
            ("M231000", "매출액증가율(YoY)", lambda b, p: _growth(b.revenue, p.revenue)),
            ("M231400", "영업이익증가율(YoY)", lambda b, p: _growth(b.operating_income, p.operating_income)),
            ("M232600", "순이익증가율(YoY)", lambda b, p: _growth(b.net_income, p.net_income)),
            ("M232700", "총자산증가율", lambda b, p: _growth(b.assets, p.assets)),
            ("M233000", "자기자본증가율", lambda b, p: _growth(b.equity, p.equity)),
        ),
    ),
    "M240000": (
        "활동성지표",
        (
            ("M241000", "총자산회전율", lambda b, _: _share(b.revenue, b.assets)),
            ("M242000", "매출채권회전율", lambda b, _: _share(b.revenue, b.receivables)),
            ("M243000", "재고자산회전율", lambda b, _: _share(b.cost_of_sales, b.inventories)),
        ),
    ),
}


def _rows(world: World, company: Company, year: int, code: str, wanted: str) -> list[Record]:
    month = REPORTS[code][1]
    if (year, month) < _FIRST_REPORT or report_receipt(world, company, year, code) is None:
        return []
    now = books(world, company, year, month, company.consolidated)
    before = books(world, company, year - 1, month, company.consolidated)
    if now is None or before is None:
        return []
    class_name, ratios = _CLASSES[wanted]
    return [
        {
            "reprt_code": code,
            "bsns_year": str(year),
            "corp_code": company.corp_code,
            "stock_code": company.stock_code,
            "stlm_dt": closing_day(year, code).isoformat(),
            "idx_cl_code": wanted,
            "idx_cl_nm": class_name,
            "idx_code": ratio_code,
            "idx_nm": name,
            "idx_val": f"{ratio(now, before):.3f}",
        }
        for ratio_code, name, ratio in ratios
    ]


def _asked_class(query: Query) -> str:
    wanted = query.get("idx_cl_code")
    if wanted not in _CLASSES:
        raise RefusedError("value", "idx_cl_code")
    return wanted


def single_ratios(world: World, query: Query) -> Reply:
    """One class of ratios of one company."""
    year, code = asked_report(query)
    wanted = _asked_class(query)
    company = asked_company(world, query)
    return NO_ROWS if company is None else Rows.of(_rows(world, company, year, code, wanted))


def multi_ratios(world: World, query: Query) -> Reply:
    """One class of ratios of up to a hundred companies."""
    year, code = asked_report(query)
    wanted = _asked_class(query)
    return Rows.of([row for c in asked_companies(world, query) for row in _rows(world, c, year, code, wanted)])


def taxonomy(world: World, query: Query) -> Reply:
    """Accounts of a statement form: BS1, IS2, CF1, …"""
    form = query.get("sj_div")
    statement = form.rstrip("0123456789").removeprefix("D")
    if not form or not form[-1].isdigit():
        raise RefusedError("value", "sj_div")
    accounts = [account for account in taxonomy_accounts() if account.statement == statement]
    return Rows.of(
        [
            {
                "sj_div": form,
                "account_id": account.taxonomy,
                "account_nm": account.name,
                "bsns_de": "20240630",
                "label_kor": account.name,
                "label_eng": account.taxonomy.split("_", 1)[1],
                "data_tp": "X" if statement == "CF" else "instant",
                "ifrs_ref": "-",
            }
            for account in accounts
        ]
    )


HANDLERS: dict[str, Handler] = {
    "fnlttSinglIndx": single_ratios,
    "fnlttCmpnyIndx": multi_ratios,
    "xbrlTaxonomy": taxonomy,
}
