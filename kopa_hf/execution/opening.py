"""The executor of a process that nobody told on which backend it works: trainers, evaluation harnesses."""

from __future__ import annotations

import os
from typing import Final

from kopa_hf.catalog.active import active_catalog
from kopa_hf.execution.executor import Executor

SNAPSHOT_VARIABLE: Final = "KOPA_SNAPSHOT"
"""Names the snapshot from which the tools of one's own catalog are answered; unset: their services are asked."""


def open_in_force() -> Executor:
    """Over the ten platforms' sandbox; with a catalog of one's own over a snapshot of its services, or these themselves."""
    catalog = active_catalog()
    if not catalog.services:
        return Executor()
    snapshot = os.environ.get(SNAPSHOT_VARIABLE)
    return Executor("replay", catalog=catalog, snapshot=snapshot) if snapshot else Executor("live", catalog=catalog)
