"""Frozen world against fresh ones: what of a score may come from having seen the figures.

The published instance lives on one value seed. A new value seed keeps names, codes and
wording and redraws measures, so a model that solves tasks does as well there, and one
that remembers answers does not. The gap, frozen minus fresh, is the contamination
figure: per task, over the tasks that were scored on both sides, with an interval over
tasks. A gap whose interval holds 0 shows nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from kopa_hf.bench.metrics import Interval, bootstrap_interval
from kopa_hf.bench.rollouts import PolicyReport
from kopa_hf.bench.rows import Row
from kopa_hf.errors import DataError

FRESH: Final = "fresh:"
_MOST: Final = 100


@dataclass(frozen=True, slots=True)
class Gap:
    """One policy on the frozen world and on fresh ones."""

    policy: str
    tasks: int
    """Scored on the frozen world and on a fresh one; the three figures are over these."""
    frozen: float
    fresh: float
    gap: float
    """frozen - fresh: above 0 where the frozen figures helped."""
    interval: Interval
    """Of the gap, 95%, by bootstrap over tasks."""
    by_seed: dict[int, float]
    """Value seed → pass@1 over the tasks scored there."""

    @property
    def contaminated(self) -> bool:
        """The whole interval lies above 0."""
        return self.interval.low > 0

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return {**asdict(self), "contaminated": self.contaminated}


def value_seeds(text: str, seed: int = 0) -> list[int]:
    """Value seeds of `fresh:3` or `17,18`.

    `fresh:N` draws them from the run's seed, far from the small numbers that people
    type, so that the same run can be repeated and resumed; another run seed gives others.
    """
    if text.startswith(FRESH):
        count = text.removeprefix(FRESH)
        if not count.isascii() or not count.isdigit() or not 1 <= int(count) <= _MOST:
            raise DataError(f"{text!r}: after {FRESH} comes how many worlds, 1 to {_MOST}, e.g. fresh:3.")
        digests = [hashlib.sha256(f"fresh/{seed}/{number}".encode()).digest() for number in range(int(count))]
        return [1_000_000 + int.from_bytes(digest[:4], "big") // 2 for digest in digests]
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise DataError(f"{text!r} names no value seeds. Give fresh:3, or numbers such as 17,18.")
    if "0" in parts:
        raise DataError("Value seed 0 is the frozen world itself; it is always scored.")
    return list(dict.fromkeys(map(int, parts)))


def contamination_gap(
    frozen: tuple[Sequence[Row], PolicyReport],
    fresh: Mapping[int, tuple[Sequence[Row], PolicyReport]],
    *,
    seed: int = 0,
) -> Gap | None:
    """The gap of one policy from its rows and report on each world; None where no task was scored on both sides.

    Tasks are matched by name: a fresh world has other row ids, and may lack a task that cannot be grounded there.
    """
    before = _rates(*frozen)
    worlds = {number: _rates(*world) for number, world in fresh.items()}
    pairs = []
    for task, rate in before.items():
        others = [rates[task] for rates in worlds.values() if task in rates]
        if others:
            pairs.append((rate, _mean(others)))
    interval = bootstrap_interval([old - new for old, new in pairs], seed)
    if interval is None:
        return None
    old, new = _mean([pair[0] for pair in pairs]), _mean([pair[1] for pair in pairs])
    by_seed = {number: _mean(list(rates.values())) for number, rates in worlds.items() if rates}
    return Gap(frozen[1].policy, len(pairs), old, new, old - new, interval, by_seed)


def _rates(rows: Sequence[Row], report: PolicyReport) -> dict[str, float]:
    """Task → share of its scored rollouts that passed; tasks without one are left out."""
    names = {row.id: str(row.provenance.get("task", row.id)) for row in rows}
    rewards: dict[str, list[float]] = {}
    for rollout in report.rollouts:
        if rollout.score.status == "scored":
            rewards.setdefault(names[rollout.row_id], []).append(rollout.score.reward or 0.0)
    return {task: _mean(values) for task, values in rewards.items()}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
