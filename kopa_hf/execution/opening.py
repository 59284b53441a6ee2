"""The executor of a process that nobody told on which backend it works: trainers, evaluation harnesses."""

from __future__ import annotations

import logging
import os
from typing import Final, Literal

from kopa_hf.catalog.active import active_catalog
from kopa_hf.errors import BackendError
from kopa_hf.execution.executor import Executor

SNAPSHOT_VARIABLE: Final = "KOPA_SNAPSHOT"
"""Names the snapshot from which the tools of one's own catalog are answered; unset: their services are asked."""
CALLS_VARIABLE: Final = "KOPA_MAX_CALLS"
"""Requests that each process may send to the services, or `one-day`; unset: as many as their quotas allow."""
_log = logging.getLogger(__name__)


def open_in_force() -> Executor:
    """Over the ten platforms' sandbox; with a catalog of one's own over a snapshot of its services, or these themselves."""
    catalog = active_catalog()
    if not catalog.services:
        return Executor()
    snapshot = os.environ.get(SNAPSHOT_VARIABLE)
    if snapshot:
        return Executor("replay", catalog=catalog, snapshot=snapshot)
    from kopa_hf.execution.live import LiveSettings  # retry and pacing libraries load only where they are used

    calls = _most_calls()
    if calls is None:
        names = ", ".join(catalog.services)
        _log.warning("%s: asked live, as often as quotas allow; %s=N bounds it.", names, CALLS_VARIABLE)
    return Executor("live", catalog=catalog, live=LiveSettings(max_calls=calls))


def _most_calls() -> int | Literal["one-day"] | None:
    from kopa_hf.execution.live import ONE_DAY

    told = os.environ.get(CALLS_VARIABLE, "").strip()
    if not told or told == ONE_DAY:
        return ONE_DAY if told else None
    if not (told.isascii() and told.isdigit() and int(told)):
        raise BackendError(f"{CALLS_VARIABLE} takes a whole number above 0, or {ONE_DAY}, not {told!r}.")
    return int(told)
