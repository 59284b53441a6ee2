"""One call, one result: the executor, its results, and the episode that calls change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kopa_hf.execution.episode import Episode as Episode
    from kopa_hf.execution.executor import Executor as Executor
    from kopa_hf.execution.result import CallResult as CallResult

_HOMES = {
    "CallResult": "kopa_hf.execution.result",
    "Episode": "kopa_hf.execution.episode",
    "Executor": "kopa_hf.execution.executor",
}

__all__ = ["CallResult", "Episode", "Executor"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
