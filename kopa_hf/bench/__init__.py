"""The benchmark: rows, programs, tasks, scoring, metrics, policies, runner, audit.

Names are loaded on first use, so that importing the package stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

_HOME: Final[dict[str, str]] = {
    "Grounding": "task",
    "Metrics": "metrics",
    "POLICIES": "policies",
    "Policy": "policies",
    "PolicyReport": "runner",
    "Problem": "audit",
    "Row": "rows",
    "RowPlan": "rendering",
    "Score": "scoring",
    "Task": "task",
    "Verdict": "answers",
    "compare": "answers",
    "evaluate": "runner",
    "explain": "reasons",
    "features": "rows",
    "ground_tasks": "task",
    "load_tasks": "task",
    "overlap": "overlap",
    "policy_table": "audit",
    "render_row": "rendering",
    "rescore": "runner",
    "row_from_dict": "rows",
    "row_id": "rows",
    "row_to_dict": "rows",
    "run_program": "program",
    "score_rollout": "scoring",
    "summarize": "metrics",
    "task_statistics": "audit",
    "toolset_key": "rows",
    "validate_row": "rows",
    "validate_rows": "audit",
    "validate_tasks": "audit",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return list(__all__)
