"""The financial regulator's market data on data.go.kr: the companies, prices and filings of `finance` under other names."""

from __future__ import annotations

from kopa_hf.sandbox.market.bonds import HANDLERS as BONDS
from kopa_hf.sandbox.market.companies import HANDLERS as COMPANIES
from kopa_hf.sandbox.market.disclosures import HANDLERS as DISCLOSURES
from kopa_hf.sandbox.market.indexes import HANDLERS as INDEXES
from kopa_hf.sandbox.market.industry import HANDLERS as INDUSTRY
from kopa_hf.sandbox.market.insurance import HANDLERS as INSURANCE
from kopa_hf.sandbox.market.lending import HANDLERS as LENDING
from kopa_hf.sandbox.market.notices import HANDLERS as NOTICES
from kopa_hf.sandbox.market.products import HANDLERS as PRODUCTS
from kopa_hf.sandbox.market.shares import HANDLERS as SHARES
from kopa_hf.sandbox.market.statements import HANDLERS as STATEMENTS
from kopa_hf.sandbox.market.stocks import HANDLERS as STOCKS
from kopa_hf.sandbox.market.supervision import HANDLERS as SUPERVISION
from kopa_hf.sandbox.market.yearly import HANDLERS as YEARLY
from kopa_hf.sandbox.query import Handler

HANDLERS: dict[str, Handler] = {
    **STOCKS,
    **PRODUCTS,
    **INDEXES,
    **COMPANIES,
    **STATEMENTS,
    **SHARES,
    **YEARLY,
    **DISCLOSURES,
    **NOTICES,
    **BONDS,
    **INDUSTRY,
    **INSURANCE,
    **LENDING,
    **SUPERVISION,
}
