"""Training: TRL toolset classes and the reward. torch and trl load only where they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kopa_hf._lazy import lazy_exports

if TYPE_CHECKING:
    from kopa_hf.train.formats import export_rows as export_rows
    from kopa_hf.train.preflight import run_checks as run_checks
    from kopa_hf.train.reward import kopa_reward as kopa_reward
    from kopa_hf.train.reward import reward_function as reward_function
    from kopa_hf.train.reward import rollout_score as rollout_score
    from kopa_hf.train.toolsets import build_toolsets as build_toolsets
    from kopa_hf.train.toolsets import show_schemas as show_schemas

_HOMES = {
    "build_toolsets": "toolsets",
    "export_rows": "formats",
    "kopa_reward": "reward",
    "reward_function": "reward",
    "rollout_score": "reward",
    "run_checks": "preflight",
    "show_schemas": "toolsets",
}

__all__ = [
    "build_toolsets",
    "export_rows",
    "kopa_reward",
    "reward_function",
    "rollout_score",
    "run_checks",
    "show_schemas",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
