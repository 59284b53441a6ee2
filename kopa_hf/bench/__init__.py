"""The benchmark: rows, programs, tasks, scoring, metrics, policies, runner, audit.

Names are loaded on first use, so that importing the package stays cheap.
"""

from __future__ import annotations

from typing import Final

from kopa_hf._lazy import lazy_exports

_HOME: Final[dict[str, str]] = {
    "EndpointJudge": "judging",
    "Gap": "contamination",
    "Grounding": "task",
    "LADDER": "policies",
    "Metrics": "metrics",
    "POLICIES": "policies",
    "Policy": "policies",
    "PolicyReport": "rollouts",
    "Problem": "audit",
    "Row": "rows",
    "RowPlan": "rendering",
    "Score": "scoring",
    "Task": "task",
    "Verdict": "answers",
    "compare": "answers",
    "contamination_gap": "contamination",
    "evaluate": "runner",
    "explain": "reasons",
    "failure_report": "failures",
    "features": "rows",
    "ground_tasks": "task",
    "item_difficulty": "difficulty",
    "load_changes": "changes",
    "load_tasks": "task",
    "overlap": "overlapping",
    "policy_table": "audit",
    "render_row": "rendering",
    "rescore": "rescoring",
    "rescore_log": "rescoring",
    "row_fingerprint": "rows",
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

__getattr__, __dir__ = lazy_exports(__name__, _HOME)
