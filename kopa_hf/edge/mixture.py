"""How many rows of each structure a data set holds: the published mixture, and the choice that keeps to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.trajectory import Trajectory

SHARES: Final[dict[str, float]] = {
    "MIXED": 654 / 1781,
    "DRV": 350 / 1781,
    "SEM": 303 / 1781,
    "SEQ": 215 / 1781,
    "CMP": 161 / 1781,
    "COND": 50 / 1781,
    "FAN": 48 / 1781,
}
"""The published mixture of structures."""
LEAST: Final = 3
"""Rows of every wanted structure, however small the whole is."""


def quotas(config: EdgeConfig, rows: int | None = None) -> dict[str, int]:
    """Structure → rows wanted of `rows` (default: the configured number), in the published proportions."""
    total = sum(SHARES[name] for name in config.structures)
    wanted = config.rows if rows is None else rows
    return {name: max(LEAST, round(wanted * SHARES[name] / total)) for name in config.structures}


def template_rows(config: EdgeConfig) -> dict[str, int]:
    """Structure → rows that one template of its questions may carry: its share, and one at least."""
    return {name: max(1, int(config.template_share * number)) for name, number in quotas(config).items()}


def short_of(wanted: dict[str, int], found: Sequence[Trajectory]) -> dict[str, int]:
    """Structure → rows still missing; structures that are full are left out."""
    counts = Counter(t.structure for t in found)
    return {name: number - counts[name] for name, number in wanted.items() if counts[name] < number}


def chosen(found: Sequence[Trajectory], wanted: dict[str, int]) -> list[Trajectory]:
    """Trajectories in order, each structure up to its quota; what one lacks others fill up with their surplus.

    Where more were found than are wanted, those with fewer calls stay (sketches that execute tend to be longer
    than the published ones), and of these the ones whose junctions choose among more values.
    """
    counts: Counter[str] = Counter()
    within: list[Trajectory] = []
    surplus: list[Trajectory] = []
    for trajectory in sorted(found, key=_rank):
        counts[trajectory.structure] += 1
        full = counts[trajectory.structure] > wanted.get(trajectory.structure, 0)
        (surplus if full else within).append(trajectory)
    missing = max(sum(wanted.values()) - len(within), 0)
    kept = {id(trajectory) for trajectory in [*within, *surplus[:missing]]}
    return [trajectory for trajectory in found if id(trajectory) in kept]


def _rank(trajectory: Trajectory) -> tuple[int, int]:
    return trajectory.calls, -max((junction.cardinality for junction in trajectory.junctions), default=0)
