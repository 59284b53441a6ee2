"""What one iteration of refinement did, in numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(slots=True)
class IterationStats:
    """Counts of one iteration; the report's curves are made of these."""

    iteration: int
    """From 0."""
    paths: int
    """Paths that could begin: a first call with arguments existed and an edge was there to try."""
    passed: int
    """Paths whose every call brought back records."""
    steps: int
    """Edge executions."""
    succeeded: int
    """Edge executions that brought back records."""
    calls: int
    """Calls issued, first calls included; identical ones count each time."""
    failures: dict[str, int] = field(default_factory=dict)
    """Outcome of failed edge executions → times."""
    edges_tried: int = 0
    """Distinct edges with at least one trial so far."""
    pruned: int = 0
    """Edges that the rule prunes as of now."""

    @property
    def pass_rate(self) -> float | None:
        """Share of paths that passed; None where no path ran."""
        return self.passed / self.paths if self.paths else None

    @property
    def step_rate(self) -> float | None:
        """Share of edge executions that succeeded; None where there was none."""
        return self.succeeded / self.steps if self.steps else None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)
