"""EDGE: a tool graph verified by execution, and typed trajectories made from it.

The line is `build_graph` → `refine` → `synthesize` → `filter_trajectories` →
`trajectories_to_rows`. Names are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

_HOME: Final[dict[str, str]] = {
    "EdgeConfig": "config",
    "PRESETS": "config",
    "Edge": "graph",
    "ToolGraph": "graph",
    "build_graph": "build",
    "refine": "refinement",
    "measure_rates": "rates",
    "synthesize": "synthesis",
    "Trajectory": "trajectory",
    "filter_trajectories": "filtering",
    "trajectories_to_rows": "export",
    "verify_rows": "export",
    "edge_report": "report",
    "pruning_figure": "figure",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return list(__all__)
