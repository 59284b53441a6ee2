"""Rates over rollouts: pass@1, pass@k, pass^k, and how sure one may be of them.

Only scored rollouts count. A task's value is the mean over its scored rollouts, a
benchmark's the mean over its tasks; a task without a scored rollout counts nowhere
and is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb
from typing import Any, Final

import numpy as np

from kopa_hf.bench.rows import Row
from kopa_hf.bench.scoring import Score

RESAMPLES: Final = 2000


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95% interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a set of rollouts comes to; rates are None where nothing of the kind was scored."""

    tasks: int
    """Tasks with at least one scored rollout."""
    scored: int
    """Scored rollouts."""
    pass_at_1: float | None
    interval: Interval | None
    """Of pass@1, by bootstrap over tasks."""
    pass_at_4: float | None
    """At least one of four; over tasks with four scored rollouts or more."""
    pass_hat_4: float | None
    """All of four."""
    response: float | None
    environment: float | None
    action: float | None
    corr: float | None
    eff: float | None
    unscored: int = 0
    """Open answers without a judge."""
    faults: int = 0
    """Rollouts that a tool, backend, model server or judge spoiled."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def pass_at_k(rollouts: int, passed: int, k: int) -> float:
    """Chance that at least one of k rollouts drawn without replacement passed: 1 − C(n−c, k)/C(n, k)."""
    _check(rollouts, passed, k)
    return 1 - comb(rollouts - passed, k) / comb(rollouts, k)


def pass_hat_k(rollouts: int, passed: int, k: int) -> float:
    """Chance that all of k rollouts drawn without replacement passed: C(c, k)/C(n, k)."""
    _check(rollouts, passed, k)
    return comb(passed, k) / comb(rollouts, k)


def bootstrap_interval(values: Sequence[float], seed: int = 0, resamples: int = RESAMPLES) -> Interval | None:
    """95% percentile interval of the mean over tasks; None without values. Same seed, same bounds."""
    if not values:
        return None
    data = np.asarray(values, dtype=float)
    picks = np.random.default_rng(seed).integers(0, len(data), size=(resamples, len(data)))
    low, high = np.percentile(data[picks].mean(axis=1), [2.5, 97.5])
    return Interval(float(low), float(high))


def summarize(scores: Mapping[str, Sequence[Score]], *, seed: int = 0) -> Metrics:
    """Metrics of rollouts by row id."""
    everything = [score for group in scores.values() for score in group]
    scored = {key: [s for s in group if s.status == "scored"] for key, group in scores.items()}
    scored = {key: group for key, group in scored.items() if group}
    rewards = [_mean([s.reward or 0.0 for s in group]) for group in scored.values()]
    four = [(len(g), sum(s.reward == 1.0 for s in g)) for g in scored.values() if len(g) >= 4]
    return Metrics(
        tasks=len(scored),
        scored=sum(len(group) for group in scored.values()),
        pass_at_1=_mean(rewards) if rewards else None,
        interval=bootstrap_interval(rewards, seed),
        pass_at_4=_mean([pass_at_k(n, c, 4) for n, c in four]) if four else None,
        pass_hat_4=_mean([pass_hat_k(n, c, 4) for n, c in four]) if four else None,
        response=_over(scored, lambda s: s.response),
        environment=_over(scored, lambda s: s.environment),
        action=_over(scored, lambda s: s.action),
        corr=_over(scored, lambda s: s.corr),
        eff=_over(scored, lambda s: s.eff),
        unscored=sum(score.status == "unscored" for score in everything),
        faults=sum(score.status.endswith("_fault") for score in everything),
    )


def summarize_by(
    rows: Sequence[Row], scores: Mapping[str, Sequence[Score]], key: Callable[[Row], str], *, seed: int = 0
) -> dict[str, Metrics]:
    """Metrics per domain, structure or any other property of a row, names sorted."""
    groups: dict[str, dict[str, Sequence[Score]]] = {}
    for row in rows:
        if row.id in scores:
            groups.setdefault(key(row), {})[row.id] = scores[row.id]
    return {name: summarize(groups[name], seed=seed) for name in sorted(groups)}


def _over(scored: Mapping[str, Sequence[Score]], part: Callable[[Score], float | None]) -> float | None:
    """Mean over tasks of the mean over rollouts of one part, where it was computed."""
    per_task = [[value for s in group if (value := part(s)) is not None] for group in scored.values()]
    means = [_mean(values) for values in per_task if values]
    return _mean(means) if means else None


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _check(rollouts: int, passed: int, k: int) -> None:
    if not 0 <= passed <= rollouts or not 1 <= k <= rollouts:
        raise ValueError(f"{passed} of {rollouts} passed and k = {k}: 0 ≤ passed ≤ rollouts and 1 ≤ k ≤ rollouts")
