"""How hard each task is, and whether it tells good agents from bad ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from kopa_hf.bench.metrics import Interval, task_interval
from kopa_hf.bench.rollouts import PolicyReport
from kopa_hf.bench.rows import Row


@dataclass(frozen=True, slots=True)
class ItemDifficulty:
    """One task over several agents."""

    task: str
    """Its template's name; the row's id where it has none."""
    row_id: str
    agents: int
    """Agents with a scored rollout of it."""
    pass_rate: float
    """Mean over agents of each agent's mean reward."""
    interval: Interval | None
    """95%, over agents and their rollouts."""
    discrimination: float | None
    """Correlation, over agents, of the pass rate here with that on all other tasks; None where either never varies."""

    @property
    def difficulty(self) -> float:
        """Share that fails: 0 is what everybody solves, 1 what nobody does."""
        return 1 - self.pass_rate


def item_difficulty(rows: Sequence[Row], reports: Sequence[PolicyReport]) -> list[ItemDifficulty]:
    """The tasks that were scored, hardest first."""
    counts = [_counts(report) for report in reports]
    rates = [{row_id: passed / scored for row_id, (scored, passed) in each.items()} for each in counts]
    items = []
    for row in rows:
        agents = [number for number, each in enumerate(rates) if row.id in each]
        if not agents:
            continue
        here = [rates[agent][row.id] for agent in agents]
        items.append(
            ItemDifficulty(
                task=str(row.provenance.get("task") or row.id),
                row_id=row.id,
                agents=len(agents),
                pass_rate=sum(here) / len(here),
                interval=task_interval([counts[agent][row.id] for agent in agents]),
                discrimination=_correlation(here, [_elsewhere(rates[agent], row.id) for agent in agents]),
            )
        )
    return sorted(items, key=lambda item: (item.pass_rate, item.task))


def _counts(report: PolicyReport) -> dict[str, tuple[int, int]]:
    """Row id → (scored rollouts, passed ones)."""
    found: dict[str, tuple[int, int]] = {}
    for rollout in report.rollouts:
        if rollout.score.status == "scored":
            scored, passed = found.get(rollout.row_id, (0, 0))
            found[rollout.row_id] = (scored + 1, passed + (rollout.score.reward == 1.0))
    return found


def _elsewhere(rates: Mapping[str, float], row_id: str) -> float | None:
    others = [rate for key, rate in rates.items() if key != row_id]
    return sum(others) / len(others) if others else None


def _correlation(left: Sequence[float], right: Sequence[float | None]) -> float | None:
    pairs = [(a, b) for a, b in zip(left, right, strict=True) if b is not None]
    if len(pairs) < 3:
        return None
    mean_a, mean_b = (sum(values) / len(pairs) for values in zip(*pairs, strict=True))
    spread = sqrt(sum((a - mean_a) ** 2 for a, _ in pairs) * sum((b - mean_b) ** 2 for _, b in pairs))
    return sum((a - mean_a) * (b - mean_b) for a, b in pairs) / spread if spread > 1e-12 else None
