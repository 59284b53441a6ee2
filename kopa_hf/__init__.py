"""KOPA-Bench and EDGE for the Hugging Face ecosystem.

Everything public is listed in `__all__` and loads on first use, so that
`import kopa_hf` stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kopa_hf._lazy import lazy_exports
from kopa_hf._version import __version__

if TYPE_CHECKING:
    from kopa_hf.agent.environment import KopaEnvironment as KopaEnvironment
    from kopa_hf.catalog.canonical import canonical_request as canonical_request
    from kopa_hf.catalog.local import local_tools as local_tools
    from kopa_hf.catalog.registry import load_catalog as load_catalog
    from kopa_hf.execution.executor import Executor as Executor
    from kopa_hf.hub.loading import load_edge_trajectories as load_edge_trajectories
    from kopa_hf.hub.loading import load_kopa_bench as load_kopa_bench
    from kopa_hf.train.reward import kopa_reward as kopa_reward

_HOME = {
    "Executor": "execution.executor",
    "KopaEnvironment": "agent.environment",
    "canonical_request": "catalog.canonical",
    "kopa_reward": "train.reward",
    "load_catalog": "catalog.registry",
    "load_edge_trajectories": "hub.loading",
    "load_kopa_bench": "hub.loading",
    "local_tools": "catalog.local",
}

__all__ = [
    "Executor",
    "KopaEnvironment",
    "__version__",
    "canonical_request",
    "kopa_reward",
    "load_catalog",
    "load_edge_trajectories",
    "load_kopa_bench",
    "local_tools",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOME)
