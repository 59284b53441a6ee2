"""All hand-made DART operations."""

from __future__ import annotations

from kopa_hf.sandbox.finance.decisions import HANDLERS as DECISIONS
from kopa_hf.sandbox.finance.disclosure import HANDLERS as DISCLOSURE
from kopa_hf.sandbox.finance.holdings import HANDLERS as HOLDINGS
from kopa_hf.sandbox.finance.periodic import HANDLERS as PERIODIC
from kopa_hf.sandbox.finance.ratios import HANDLERS as RATIOS
from kopa_hf.sandbox.finance.registrations import HANDLERS as REGISTRATIONS
from kopa_hf.sandbox.finance.statements import HANDLERS as STATEMENTS
from kopa_hf.sandbox.query import Handler

HANDLERS: dict[str, Handler] = {
    **DISCLOSURE,
    **PERIODIC,
    **STATEMENTS,
    **RATIOS,
    **HOLDINGS,
    **DECISIONS,
    **REGISTRATIONS,
}
