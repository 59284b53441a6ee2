"""DART's financial statements (DS003): key accounts, full statements, ratios, the taxonomy, all from the same books."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.finance.accounts import Books, books
from kopa_hf.sandbox.finance.companies import Company, company_by_code
from kopa_hf.sandbox.finance.filings import REPORTS
from kopa_hf.sandbox.finance.forms import asked_company, asked_report, closing_day, commas, report_receipt
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.world import World

_MOST_COMPANIES: Final = 100
Amount = Callable[[Books], int]


@dataclass(frozen=True, slots=True)
class Account:
    """One line of a statement."""

    statement: str
    """BS, IS, CIS, CF."""
    name: str
    taxonomy: str
    amount: Amount


_STATEMENTS: Final = {
    "BS": "재무상태표",
    "IS": "손익계산서",
    "CIS": "포괄손익계산서",
    "CF": "현금흐름표",
    "SCE": "자본변동표",
}
_FUNDS: Final = {"CFS": "연결재무제표", "OFS": "재무제표"}

KEY_ACCOUNTS: Final[tuple[Account, ...]] = (
    Account("BS", "유동자산", "ifrs-full_CurrentAssets", lambda b: b.current_assets),
    Account("BS", "비유동자산", "ifrs-full_NoncurrentAssets", lambda b: b.fixed_assets),
    Account("BS", "자산총계", "ifrs-full_Assets", lambda b: b.assets),
    Account("BS", "유동부채", "ifrs-full_CurrentLiabilities", lambda b: b.current_liabilities),
    Account("BS", "비유동부채", "ifrs-full_NoncurrentLiabilities", lambda b: b.long_liabilities),
    Account("BS", "부채총계", "ifrs-full_Liabilities", lambda b: b.liabilities),
    Account("BS", "자본금", "ifrs-full_IssuedCapital", lambda b: b.capital),
    Account("BS", "이익잉여금", "ifrs-full_RetainedEarnings", lambda b: b.retained),
    Account("BS", "자본총계", "ifrs-full_Equity", lambda b: b.equity),
    Account("IS", "매출액", "ifrs-full_Revenue", lambda b: b.revenue),
    Account("IS", "영업이익", "dart_OperatingIncomeLoss", lambda b: b.operating_income),
    Account("IS", "법인세차감전 순이익", "ifrs-full_ProfitLossBeforeTax", lambda b: b.pretax_income),
    Account("IS", "당기순이익(손실)", "ifrs-full_ProfitLoss", lambda b: b.net_income),
)

_FULL: Final[tuple[Account, ...]] = (
    KEY_ACCOUNTS[0],
    Account("BS", "현금및현금성자산", "ifrs-full_CashAndCashEquivalents", lambda b: b.cash),
    Account("BS", "매출채권", "dart_ShortTermTradeReceivable", lambda b: b.receivables),
    Account("BS", "재고자산", "ifrs-full_Inventories", lambda b: b.inventories),
    Account("BS", "기타유동자산", "dart_OtherCurrentAssets", lambda b: b.other_current),
    KEY_ACCOUNTS[1],
    Account("BS", "유형자산", "ifrs-full_PropertyPlantAndEquipment", lambda b: b.tangible),
    Account("BS", "무형자산", "ifrs-full_IntangibleAssetsOtherThanGoodwill", lambda b: b.intangible),
    Account("BS", "관계기업 및 공동기업 투자", "ifrs-full_InvestmentsInAssociates", lambda b: b.investments),
    *KEY_ACCOUNTS[2:4],
    Account("BS", "매입채무", "dart_ShortTermTradePayables", lambda b: b.payables),
    Account("BS", "단기차입금", "ifrs-full_ShorttermBorrowings", lambda b: b.short_debt),
    Account("BS", "기타유동부채", "dart_OtherCurrentLiabilities", lambda b: b.other_current_liabilities),
    KEY_ACCOUNTS[4],
    Account("BS", "장기차입금", "dart_LongTermBorrowingsGross", lambda b: b.long_debt),
    Account("BS", "기타비유동부채", "dart_OtherNonCurrentLiabilities", lambda b: b.other_long_liabilities),
    *KEY_ACCOUNTS[5:7],
    Account("BS", "자본잉여금", "dart_CapitalSurplus", lambda b: b.surplus),
    KEY_ACCOUNTS[7],
    Account("BS", "기타자본구성요소", "dart_ElementsOfOtherStockholdersEquity", lambda b: b.other_equity),
    KEY_ACCOUNTS[8],
    KEY_ACCOUNTS[9],
    Account("IS", "매출원가", "ifrs-full_CostOfSales", lambda b: b.cost_of_sales),
    Account("IS", "매출총이익", "ifrs-full_GrossProfit", lambda b: b.gross_profit),
    Account("IS", "판매비와관리비", "dart_TotalSellingGeneralAdministrativeExpenses", lambda b: b.selling_expenses),
    KEY_ACCOUNTS[10],
    Account("IS", "금융손익", "dart_FinanceIncomeCosts", lambda b: b.finance_result),
    KEY_ACCOUNTS[11],
    Account("IS", "법인세비용", "ifrs-full_IncomeTaxExpenseContinuingOperations", lambda b: b.tax),
    KEY_ACCOUNTS[12],
    Account("CIS", "당기순이익(손실)", "ifrs-full_ProfitLoss", lambda b: b.net_income),
    Account("CIS", "기타포괄손익", "ifrs-full_OtherComprehensiveIncome", lambda b: b.other_comprehensive),
    Account("CIS", "총포괄손익", "ifrs-full_ComprehensiveIncome", lambda b: b.comprehensive_income),
    Account("CF", "영업활동현금흐름", "ifrs-full_CashFlowsFromUsedInOperatingActivities", lambda b: b.operating_cash),
    Account("CF", "투자활동현금흐름", "ifrs-full_CashFlowsFromUsedInInvestingActivities", lambda b: b.investing_cash),
    Account("CF", "재무활동현금흐름", "ifrs-full_CashFlowsFromUsedInFinancingActivities", lambda b: b.financing_cash),
)


def _term(company: Company, year: int, code: str) -> str:
    """제 55 기, with the quarter where the report is no annual one."""
    number = year - company.founded.year + 1
    return f"제 {number} 기" + {"11011": "", "11012": " 반기", "11013": " 1분기", "11014": " 3분기"}[code]


def _period(year: int, code: str, statement: str) -> str:
    """2023.12.31 현재 for balances, 2023.01.01 ~ 2023.12.31 for flows."""
    last = closing_day(year, code)
    closed = f"{last:%Y.%m.%d}"
    return f"{closed} 현재" if statement == "BS" else f"{year}.01.01 ~ {closed}"


def _quarter_amount(world: World, company: Company, year: int, code: str, cfs: bool, account: Account) -> int:
    """What the report prints as the period's amount: balances as they are, flows of the quarter alone (annual: all)."""
    month = REPORTS[code][1]
    sheet = books(world, company, year, month, cfs)
    if sheet is None:
        return 0
    amount = account.amount(sheet)
    if account.statement in ("BS", "CF") or code in ("11011", "11013"):
        return amount
    before = books(world, company, year, month - 3, cfs)
    return amount - account.amount(before) if before is not None else amount


def _cumulative(world: World, company: Company, year: int, code: str, cfs: bool, account: Account) -> int:
    sheet = books(world, company, year, REPORTS[code][1], cfs)
    return account.amount(sheet) if sheet is not None else 0


def _key_rows(world: World, company: Company, year: int, code: str) -> list[Record]:
    receipt = report_receipt(world, company, year, code)
    if receipt is None:
        return []
    rows: list[Record] = []
    for fs_div in ("CFS", "OFS") if company.consolidated else ("OFS",):
        for position, account in enumerate(KEY_ACCOUNTS):
            rows.append(_key_record(world, company, year, code, fs_div, account, position, receipt))
    return rows


def _key_record(
    world: World, company: Company, year: int, code: str, fs_div: str, account: Account, position: int, receipt: str
) -> Record:
    cfs = fs_div == "CFS"

    def amount(of_year: int) -> str:
        return commas(_quarter_amount(world, company, of_year, code, cfs, account))

    # interim reports compare balances with the last year's end
    last_code = "11011" if account.statement == "BS" else code
    last = commas(_quarter_amount(world, company, year - 1, last_code, cfs, account))
    record: Record = {
        "rcept_no": receipt,
        "reprt_code": code,
        "bsns_year": str(year),
        "corp_code": company.corp_code,
        "stock_code": company.stock_code,
        "fs_div": fs_div,
        "fs_nm": _FUNDS[fs_div],
        "sj_div": account.statement,
        "sj_nm": _STATEMENTS[account.statement],
        "account_nm": account.name,
        "thstrm_nm": _term(company, year, code),
        "thstrm_dt": _period(year, code, account.statement),
        "thstrm_amount": amount(year),
    }
    flows = account.statement != "BS" and code != "11011"
    if flows:
        record["thstrm_add_amount"] = commas(_cumulative(world, company, year, code, cfs, account))
    record |= {
        "frmtrm_nm": _term(company, year - 1, last_code),
        "frmtrm_dt": _period(year - 1, last_code, account.statement),
        "frmtrm_amount": last,
    }
    if flows:
        record["frmtrm_add_amount"] = commas(_cumulative(world, company, year - 1, code, cfs, account))
    if code == "11011":
        record |= {
            "bfefrmtrm_nm": _term(company, year - 2, code),
            "bfefrmtrm_dt": _period(year - 2, code, account.statement),
            "bfefrmtrm_amount": amount(year - 2),
        }
    return record | {"ord": str(position * 2 + 1), "currency": "KRW"}


def single_key_accounts(world: World, query: Query) -> Reply:
    """Key accounts of one company, consolidated and separate."""
    year, code = asked_report(query)
    company = asked_company(world, query)
    return NO_ROWS if company is None else Rows.of(_key_rows(world, company, year, code))


def asked_companies(world: World, query: Query) -> list[Company]:
    """The companies of a comma-separated `corp_code`; numbers that nobody has are left out."""
    codes = [text.strip() for text in query.get("corp_code").split(",") if text.strip()]
    if len(codes) > _MOST_COMPANIES:
        raise RefusedError("too_many", "corp_code")
    return [company for text in codes if (company := company_by_code(world, text)) is not None]


def multi_key_accounts(world: World, query: Query) -> Reply:
    """Key accounts of up to a hundred companies, comma-separated."""
    year, code = asked_report(query)
    return Rows.of([row for company in asked_companies(world, query) for row in _key_rows(world, company, year, code)])


def full_statements(world: World, query: Query) -> Reply:
    """All accounts of one company; amounts are plain digits here."""
    year, code = asked_report(query)
    fs_div = query.get("fs_div")
    if fs_div not in _FUNDS:
        raise RefusedError("value", "fs_div")
    company = asked_company(world, query)
    if company is None or (fs_div == "CFS" and not company.consolidated):
        return NO_ROWS
    receipt = report_receipt(world, company, year, code)
    if receipt is None:
        return NO_ROWS
    firm, number = company, receipt

    def make(position: int) -> Record:
        return _full_record(world, firm, year, code, fs_div == "CFS", _FULL[position], position, number)

    return Rows(len(_FULL), make)


def _full_record(
    world: World, company: Company, year: int, code: str, cfs: bool, account: Account, position: int, receipt: str
) -> Record:
    annual = code == "11011"
    flows = account.statement != "BS"
    record: Record = {
        "rcept_no": receipt,
        "reprt_code": code,
        "bsns_year": str(year),
        "corp_code": company.corp_code,
        "sj_div": account.statement,
        "sj_nm": _STATEMENTS[account.statement],
        "account_id": account.taxonomy,
        "account_nm": account.name,
        "account_detail": "-",
        "thstrm_nm": _term(company, year, code),
        "thstrm_amount": str(_quarter_amount(world, company, year, code, cfs, account)),
    }
    if flows and not annual:
        record["thstrm_add_amount"] = str(_cumulative(world, company, year, code, cfs, account))
        record["frmtrm_q_nm"] = _term(company, year - 1, code)
        record["frmtrm_q_amount"] = str(_quarter_amount(world, company, year - 1, code, cfs, account))
        record["frmtrm_add_amount"] = str(_cumulative(world, company, year - 1, code, cfs, account))
    else:
        record["frmtrm_nm"] = _term(company, year - 1, "11011")
        record["frmtrm_amount"] = str(_quarter_amount(world, company, year - 1, "11011", cfs, account))
    if annual:
        record["bfefrmtrm_nm"] = _term(company, year - 2, code)
        record["bfefrmtrm_amount"] = str(_quarter_amount(world, company, year - 2, code, cfs, account))
    return record | {"ord": str(position + 1), "currency": "KRW"}


HANDLERS: dict[str, Handler] = {
    "fnlttSinglAcnt": single_key_accounts,
    "fnlttMultiAcnt": multi_key_accounts,
    "fnlttSinglAcntAll": full_statements,
}


def taxonomy_accounts() -> tuple[Account, ...]:
    """All accounts that statements print, in order."""
    return _FULL
