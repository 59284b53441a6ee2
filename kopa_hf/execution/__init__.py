"""One call, one result: the executor, its results, and the episode that calls change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kopa_hf._lazy import lazy_exports

if TYPE_CHECKING:
    from kopa_hf.execution.episode import Episode as Episode
    from kopa_hf.execution.executor import Executor as Executor
    from kopa_hf.execution.keys import Keyring as Keyring
    from kopa_hf.execution.live import LiveSettings as LiveSettings
    from kopa_hf.execution.result import CallResult as CallResult

_HOMES = {
    "CallResult": "result",
    "Episode": "episode",
    "Executor": "executor",
    "Keyring": "keys",
    "LiveSettings": "live",
}

__all__ = ["CallResult", "Episode", "Executor", "Keyring", "LiveSettings"]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
