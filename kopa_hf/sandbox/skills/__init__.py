"""Qualifications, exams, competency standards and work abroad: what HRD Korea and Q-Net answer."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.query import Handler
from kopa_hf.sandbox.skills import (
    abroad,
    artisans,
    branches,
    campus,
    catalogue,
    designations,
    details,
    elearning,
    externals,
    holders,
    matters,
    multiples,
    outcomes,
    permits,
    programmes,
    schedules,
    showcase,
    standards,
    statistics,
    trends,
    workstudy,
)
from kopa_hf.sandbox.skills.kinds import KINDS

HANDLERS: Final[dict[str, Handler]] = {
    **catalogue.HANDLERS,
    **schedules.HANDLERS,
    **statistics.HANDLERS,
    **outcomes.HANDLERS,
    **trends.HANDLERS,
    **holders.HANDLERS,
    **multiples.HANDLERS,
    **workstudy.HANDLERS,
    **matters.HANDLERS,
    **elearning.HANDLERS,
    **programmes.HANDLERS,
    **permits.HANDLERS,
    **campus.HANDLERS,
    **designations.HANDLERS,
    **details.HANDLERS,
    **showcase.HANDLERS,
    **branches.HANDLERS,
    **standards.HANDLERS,
    **externals.HANDLERS,
    **artisans.HANDLERS,
    **abroad.HANDLERS,
}

__all__ = ["HANDLERS", "KINDS"]
