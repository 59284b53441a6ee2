"""What a walked path leaves behind: posteriors, evidence, settled inputs, validated values."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.arguments import PoolKey, field_keys, parameter_keys
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.edge.posterior import increment
from kopa_hf.edge.walk import PathLog

HARVEST: Final = 3
"""Values that one answer gives to one pool."""


def apply_path(
    graph: ToolGraph, path: PathLog, config: EdgeConfig, backend: str, iteration: int, clock: datetime.date
) -> None:
    """Update the edges that a path tried, and what its control calls showed."""
    for trial in path.trials:
        alpha, beta = increment(trial.kind, trial.outcome, config.updates)
        trial.edge.alpha += alpha
        trial.edge.beta += beta
        trial.edge.evidence.note(
            trial.kind, trial.outcome, trial.cardinality, backend=backend, iteration=iteration, time=clock.isoformat()
        )
    for key, heeded in path.controls:
        graph.controls.add(key, heeded)


class Harvest:
    """Fills the graph's pools of validated values with what answers held."""

    def __init__(self, tools: Mapping[str, Tool], graph: ToolGraph) -> None:
        self.values = graph.values
        needed = needed_keys(tools)
        self._columns = {
            tool.name: [
                (field.name, keys)
                for field in tool.fields
                if (keys := [key for key in field_keys(field) if key in needed])
            ]
            for tool in tools.values()
        }

    def add(self, path: PathLog) -> None:
        """Values that calls succeeded with, and the first few that each answer printed."""
        for name, parameter, value in path.used:
            self.values.add(("used", name, parameter), value)
        for tool, observation in path.seen:
            for column, keys in self._columns[tool.name]:
                found = dict.fromkeys(v for r in observation.records if (v := r.get(column)) is not None)
                for value in list(found)[:HARVEST]:
                    for key in keys:
                        self.values.add(key, value)


def needed_keys(tools: Mapping[str, Tool]) -> frozenset[PoolKey]:
    """Pools that some required input could be filled from."""
    return frozenset(
        key for tool in tools.values() for p in tool.inputs if p.required for key in parameter_keys(tool.name, p)[1:]
    )
