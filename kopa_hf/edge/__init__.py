"""EDGE: a tool graph verified by execution, and typed trajectories made from it.

The line is `build_graph` → `refine` → `synthesize` → `filter_trajectories` →
`trajectories_to_rows`. Names are loaded on first use.
"""

from __future__ import annotations

from typing import Final

from kopa_hf._lazy import lazy_exports

_HOME: Final[dict[str, str]] = {
    "EdgeConfig": "config",
    "PRESETS": "config",
    "Edge": "graph",
    "ToolGraph": "graph",
    "build_graph": "build",
    "open_embedder": "doors",
    "open_judge": "doors",
    "refine": "refinement",
    "measure_rates": "rates",
    "refresh": "refreshing",
    "synthesize": "synthesis",
    "Trajectory": "trajectory",
    "filter_trajectories": "filtering",
    "trajectories_to_rows": "export",
    "verify_rows": "verifying",
    "edge_report": "report",
    "report_page": "page",
    "pruning_figure": "figure",
}

__all__ = sorted(_HOME)

__getattr__, __dir__ = lazy_exports(__name__, _HOME)
