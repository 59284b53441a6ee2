"""A company's books: accounts per year that add up, cut into quarters that add up to the year.

All amounts are won, in full thousands. Balance sheets obey assets = liabilities + equity;
the income statement runs from revenue to net income without a gap; consolidated books
are the separate ones grown by what subsidiaries add.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.finance.prices import closes, shares
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World

FIRST_YEAR: Final = 2019
LAST_YEAR: Final = 2025
_ROUND: Final = 1_000


@dataclass(frozen=True, slots=True)
class Books:
    """Accounts at the end of a period; income-statement figures are cumulative from the year's start."""

    cash: int
    receivables: int
    inventories: int
    other_current: int
    tangible: int
    intangible: int
    investments: int
    payables: int
    short_debt: int
    other_current_liabilities: int
    long_debt: int
    other_long_liabilities: int
    capital: int
    surplus: int
    retained: int
    other_equity: int
    revenue: int
    cost_of_sales: int
    selling_expenses: int
    finance_result: int
    tax: int
    other_comprehensive: int
    operating_cash: int
    investing_cash: int
    financing_cash: int

    @property
    def current_assets(self) -> int:
        """유동자산."""
        return self.cash + self.receivables + self.inventories + self.other_current

    @property
    def fixed_assets(self) -> int:
        """비유동자산."""
        return self.tangible + self.intangible + self.investments

    @property
    def assets(self) -> int:
        """자산총계."""
        return self.current_assets + self.fixed_assets

    @property
    def current_liabilities(self) -> int:
        """유동부채."""
        return self.payables + self.short_debt + self.other_current_liabilities

    @property
    def long_liabilities(self) -> int:
        """비유동부채."""
        return self.long_debt + self.other_long_liabilities

    @property
    def liabilities(self) -> int:
        """부채총계."""
        return self.current_liabilities + self.long_liabilities

    @property
    def equity(self) -> int:
        """자본총계."""
        return self.capital + self.surplus + self.retained + self.other_equity

    @property
    def gross_profit(self) -> int:
        """매출총이익."""
        return self.revenue - self.cost_of_sales

    @property
    def operating_income(self) -> int:
        """영업이익."""
        return self.gross_profit - self.selling_expenses

    @property
    def pretax_income(self) -> int:
        """법인세비용차감전순이익."""
        return self.operating_income + self.finance_result

    @property
    def net_income(self) -> int:
        """당기순이익."""
        return self.pretax_income - self.tax

    @property
    def comprehensive_income(self) -> int:
        """총포괄이익."""
        return self.net_income + self.other_comprehensive


def books(world: World, company: Company, year: int, month: int, consolidated: bool) -> Books | None:
    """The books at the end of a month (3, 6, 9, 12) of a year; None outside the years kept."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    tables: dict[tuple[int, bool], dict[tuple[int, int], Books]] = world.table("finance.books", lambda _: {})
    key = (company.index, consolidated)
    found = tables.get(key)
    if found is None:
        found = tables[key] = _all_books(world, company, consolidated)
    return found[year, month]


def _thousands(amount: float) -> int:
    return int(amount) // _ROUND * _ROUND


def _all_books(world: World, company: Company, consolidated: bool) -> dict[tuple[int, int], Books]:
    stream = world.measure("finance", "books", company.index)
    capital = shares(world, company) * company.par_value
    worth = closes(world, company)[0] * shares(world, company)
    assets = max(worth * (0.6 + stream.unit() * 1.8), capital * 2.0)
    leverage = 0.25 + stream.unit() * 0.4
    margin = (stream.unit() - 0.25) * 0.16
    turnover = 0.4 + stream.unit() * 0.9
    retained = _thousands(assets * (1 - leverage) * 0.5)
    growth = 1.18 + stream.unit() * 0.35 if consolidated else 1.0
    found: dict[tuple[int, int], Books] = {}
    for year in range(FIRST_YEAR, LAST_YEAR + 1):
        draw = world.measure("finance", "books", company.index, year)
        assets *= 0.96 + draw.unit() * 0.16
        revenue = assets * turnover * (0.9 + draw.unit() * 0.2)
        year_margin = margin + (draw.unit() - 0.5) * 0.06
        weights = [draw.between(20, 30) for _ in range(4)]
        opening = retained
        for quarter in range(1, 5):
            part = sum(weights[:quarter]) / sum(weights)
            sheet = _books(draw, assets * growth, revenue * growth * part, year_margin, leverage, capital, opening)
            found[year, quarter * 3] = sheet
        retained = found[year, 12].retained
    return found


def _books(
    draw: Stream, assets: float, revenue: float, margin: float, leverage: float, capital: int, opening: int
) -> Books:
    """One period: the income statement first, then a balance sheet whose last item closes it."""
    sales = _thousands(revenue)
    cost = _thousands(sales * (0.62 + draw.unit() * 0.12))
    selling = sales - cost - _thousands(sales * margin)
    finance = _thousands(sales * (draw.unit() - 0.5) * 0.03)
    pretax = sales - cost - selling + finance
    tax = _thousands(max(pretax, 0) * 0.22)
    net = pretax - tax
    comprehensive = _thousands(net * (draw.unit() - 0.4) * 0.1)
    total = _thousands(assets * (0.98 + draw.unit() * 0.04))
    debts = _thousands(total * leverage * (0.9 + draw.unit() * 0.2))
    current = _thousands(total * (0.35 + draw.unit() * 0.25))
    cash, receivables = _thousands(current * (0.2 + draw.unit() * 0.2)), _thousands(current * 0.28)
    inventories = _thousands(current * 0.22)
    fixed = total - current
    tangible, intangible = _thousands(fixed * (0.5 + draw.unit() * 0.2)), _thousands(fixed * 0.08)
    current_debts = _thousands(debts * (0.5 + draw.unit() * 0.2))
    payables, short_debt = _thousands(current_debts * 0.4), _thousands(current_debts * 0.35)
    long_debts = debts - current_debts
    long_debt = _thousands(long_debts * 0.7)
    retained = opening + net
    surplus = _thousands(capital * 0.6)
    operating = net + _thousands(sales * 0.04)
    investing = -_thousands(sales * (0.02 + draw.unit() * 0.06))
    return Books(
        cash=cash,
        receivables=receivables,
        inventories=inventories,
        other_current=current - cash - receivables - inventories,
        tangible=tangible,
        intangible=intangible,
        investments=fixed - tangible - intangible,
        payables=payables,
        short_debt=short_debt,
        other_current_liabilities=current_debts - payables - short_debt,
        long_debt=long_debt,
        other_long_liabilities=long_debts - long_debt,
        capital=capital,
        surplus=surplus,
        retained=retained,
        other_equity=total - debts - capital - surplus - retained,
        revenue=sales,
        cost_of_sales=cost,
        selling_expenses=selling,
        finance_result=finance,
        tax=tax,
        other_comprehensive=comprehensive,
        operating_cash=operating,
        investing_cash=investing,
        financing_cash=_thousands(sales * (draw.unit() - 0.5) * 0.05),
    )
