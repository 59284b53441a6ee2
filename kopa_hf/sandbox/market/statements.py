"""Financial statements of companies: the very accounts that DART prints, in won, under other names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from kopa_hf.sandbox.finance.accounts import Books, books
from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.finance.statements import Account, taxonomy_accounts
from kopa_hf.sandbox.market.companies import YEARS, financial, reporting
from kopa_hf.sandbox.market.daily import in_order
from kopa_hf.sandbox.market.filters import select
from kopa_hf.sandbox.query import Handler, Query, Record, Reply
from kopa_hf.sandbox.world import World

_KINDS: Final = {False: ("110", "별도요약재무제표"), True: ("120", "연결요약재무제표")}
_FULL_KINDS: Final = {
    ("BS", False): ("FS_ifrs_2014_별도", "재무상태표"),
    ("BS", True): ("FS_ifrs_2014_연결", "연결재무상태표"),
    ("IS", False): ("PL_ifrs_2014_별도", "손익계산서"),
    ("IS", True): ("PL_ifrs_2014_연결", "연결손익계산서"),
}
Pool = Callable[[World], Sequence[Company]]


class _Statement(NamedTuple):
    """One statement: a company's year, separate or consolidated."""

    company: Company
    year: int
    consolidated: bool


class _Line(NamedTuple):
    """One account of a statement."""

    statement: _Statement
    account: Account


def _statements(world: World, query: Query, pool: Pool) -> list[_Statement]:
    number, year = query.get("crno"), query.get("bizYear")
    return [
        _Statement(company, each, consolidated)
        for company in pool(world)
        if not number or company.jurir_no == number
        for each in reversed(YEARS)
        if not year or str(each) == year
        for consolidated in ((True, False) if company.consolidated else (False,))
    ]


def _head(statement: _Statement) -> dict[str, Any]:
    return {
        "basDt": f"{statement.year}1231",
        "crno": statement.company.jurir_no,
        "curCd": "KRW",
        "bizYear": str(statement.year),
    }


def _books(world: World, statement: _Statement, back: int = 0) -> Books:
    found = books(world, statement.company, statement.year - back, 12, statement.consolidated)
    assert found is not None  # statements begin in 2022, books in 2019
    return found


def _summary(world: World, statement: _Statement) -> dict[str, Any]:
    sheet = _books(world, statement)
    code, name = _KINDS[statement.consolidated]
    sums = {
        "SaleAmt": sheet.revenue,
        "BzopPft": sheet.operating_income,
        "CrtmNpf": sheet.net_income,
        "TastAmt": sheet.assets,
        "TdbtAmt": sheet.liabilities,
        "TcptAmt": sheet.equity,
        "CptlAmt": sheet.capital,
    }
    ratio = f"{sheet.liabilities * 100 / sheet.equity:.4f}" if sheet.equity else ""
    return (
        _head(statement)
        | {"rptCd": "11011", "rptCdNm": "사업보고서", "fnclDcd": code, "fnclDcdNm": name}
        | {f"enp{name}": str(amount) for name, amount in sums.items()}
        | {f"fnco{name}": str(amount) for name, amount in sums.items()}
        | {"iclsPalClcAmt": str(sheet.comprehensive_income), "fnclDebtRto": ratio, "fncoDebtRto": ratio}
    )


def _summaries(pool: Pool) -> Handler:
    def handle(world: World, query: Query) -> Reply:
        return select(
            query,
            _statements(world, query, pool),
            _head,
            lambda statement: in_order(query, _summary(world, statement)),
        )

    return handle


def _line(world: World, line: _Line) -> Record:
    """This year, last year, the year before; quarters are empty in annual statements."""
    statement, account = line
    amounts = [account.amount(_books(world, statement, back)) for back in range(3)]
    cells = {"crtmAcitAmt": amounts[0], "pvtrAcitAmt": amounts[1], "bpvtrAcitAmt": amounts[2]}
    return _account_names(line) | {name: str(amount) for name, amount in cells.items()}


def _account_names(line: _Line) -> dict[str, Any]:
    statement, account = line
    code, name = _FULL_KINDS[account.statement, statement.consolidated]
    return _head(statement) | {
        "fnclDcd": code,
        "fnclDcdNm": name,
        "acitId": account.taxonomy,
        "acitNm": account.name,
        "thqrAcitAmt": "0",
        "lsqtAcitAmt": "0",
    }


def _accounts(pool: Pool, kind: str) -> Handler:
    accounts = [account for account in taxonomy_accounts() if account.statement == kind]

    def handle(world: World, query: Query) -> Reply:
        lines = [_Line(s, account) for s in _statements(world, query, pool) for account in accounts]
        return select(query, lines, _account_names, lambda line: in_order(query, _line(world, line)))

    return handle


HANDLERS: dict[str, Handler] = {
    "getSummFinaStat_V2": _summaries(reporting),
    "getBs_V2": _accounts(reporting, "BS"),
    "getIncoStat_V2": _accounts(reporting, "IS"),
    "getFnCoSummFinaStat_V2": _summaries(financial),
    "getFnCoBs_V2": _accounts(financial, "BS"),
    "getFnCoIs_V2": _accounts(financial, "IS"),
}
