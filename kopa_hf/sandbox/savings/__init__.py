"""예금보험공사's world: insured institutions and their products, the fund, failed savings banks and their estates."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.query import Handler
from kopa_hf.sandbox.savings import accounts, failures, figures, goods, lists
from kopa_hf.sandbox.savings.kinds import KINDS

HANDLERS: Final[dict[str, Handler]] = {
    **lists.HANDLERS,
    **figures.HANDLERS,
    **accounts.HANDLERS,
    **failures.HANDLERS,
    **goods.HANDLERS,
}
"""Operation → handler."""

__all__ = ["HANDLERS", "KINDS"]
