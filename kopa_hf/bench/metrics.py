"""Rates over rollouts: pass@1, pass@k, pass^k, and how sure one may be of them.

Only scored rollouts count. A task's value is the mean over its scored rollouts, a
benchmark's the mean over its tasks; a task without a scored rollout counts nowhere
and is reported.

Two intervals answer two questions. `interval` resamples tasks and, within a task, its
rollouts: how far would other tasks of the kind, and other runs, have led? It pools
the resamples of 8 seeds, so that it hangs on no single draw. `seed_interval` resamples
the runs as wholes (the paper's 8 seeds): how far would another run on these tasks?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import comb
from typing import Any, Final

import numpy as np

from kopa_hf.bench.rows import Row
from kopa_hf.bench.scoring import Score

RESAMPLES: Final = 1000
"""Of each bootstrap seed."""
BOOTSTRAP_SEEDS: Final = 8
PASS_HAT_KS: Final = (1, 2, 4, 8)


_Draw = Callable[[Any, np.random.Generator], Any]
"""From arrays of picked indices and a generator to the values of one resample per line."""


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
    """Of pass@1, by bootstrap over tasks and their rollouts."""
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
    pass_hat: dict[int, float] = field(default_factory=dict)
    """k → pass^k over the tasks with k scored rollouts or more, for k of `PASS_HAT_KS`."""
    by_seed: list[float] = field(default_factory=list)
    """pass@1 of each run through the tasks: all first rollouts, all second ones, …"""
    seed_interval: Interval | None = None
    """Of pass@1, by bootstrap over the runs; None for fewer than two."""

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
    """95% percentile interval of the mean over values; None without any. Same seed, same bounds."""
    if not values:
        return None
    data = np.asarray(values, dtype=float)
    return _interval(len(data), lambda picks, _: data[picks], seed, resamples)


def task_interval(counts: Sequence[tuple[int, int]], seed: int = 0, resamples: int = RESAMPLES) -> Interval | None:
    """The same over tasks, each given as (rollouts, passed): a drawn task's rollouts are drawn anew as well."""
    if not counts:
        return None
    rollouts, passed = np.asarray(counts, dtype=float).T
    sizes, rates = rollouts.astype(int), passed / rollouts

    def draw(picks: Any, rng: np.random.Generator) -> Any:
        # n rollouts drawn with replacement of n, c of which passed: a binomial count
        return rng.binomial(sizes[picks], rates[picks]) / sizes[picks]

    return _interval(len(counts), draw, seed, resamples)


def _interval(size: int, draw: _Draw, seed: int, resamples: int) -> Interval:
    means = []
    for number in range(BOOTSTRAP_SEEDS):
        rng = np.random.default_rng([seed, number])
        picks = rng.integers(0, size, size=(resamples, size))
        means.append(draw(picks, rng).mean(axis=1))
    low, high = np.percentile(np.concatenate(means), [2.5, 97.5])
    return Interval(float(low), float(high))


def summarize(scores: Mapping[str, Sequence[Score]], *, seed: int = 0) -> Metrics:
    """Metrics of rollouts by row id, each row's in the order of their numbers."""
    everything = [score for group in scores.values() for score in group]
    scored = {key: [s for s in group if s.status == "scored"] for key, group in scores.items()}
    scored = {key: group for key, group in scored.items() if group}
    rewards = [[s.reward or 0.0 for s in group] for group in scored.values()]
    counts = [(len(group), sum(reward == 1.0 for reward in group)) for group in rewards]
    four = [(n, c) for n, c in counts if n >= 4]
    runs = _by_seed(scores)
    return Metrics(
        tasks=len(scored),
        scored=sum(len(group) for group in scored.values()),
        pass_at_1=_mean([_mean(group) for group in rewards]) if rewards else None,
        interval=task_interval(counts, seed),
        pass_at_4=_mean([pass_at_k(n, c, 4) for n, c in four]) if four else None,
        pass_hat_4=_mean([pass_hat_k(n, c, 4) for n, c in four]) if four else None,
        response=_over(scored, lambda s: s.response),
        environment=_over(scored, lambda s: s.environment),
        action=_over(scored, lambda s: s.action),
        corr=_over(scored, lambda s: s.corr),
        eff=_over(scored, lambda s: s.eff),
        unscored=sum(score.status == "unscored" for score in everything),
        faults=sum(score.status.endswith("_fault") for score in everything),
        pass_hat={
            k: _mean([pass_hat_k(n, c, k) for n, c in counts if n >= k])
            for k in PASS_HAT_KS
            if any(n >= k for n, _ in counts)
        },
        by_seed=runs,
        seed_interval=bootstrap_interval(runs, seed) if len(runs) > 1 else None,
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


def _by_seed(scores: Mapping[str, Sequence[Score]]) -> list[float]:
    """pass@1 of each run; a run without a scored rollout is left out."""
    longest = max((len(group) for group in scores.values()), default=0)
    runs = []
    for number in range(longest):
        rewards = [
            group[number].reward or 0.0
            for group in scores.values()
            if number < len(group) and group[number].status == "scored"
        ]
        if rewards:
            runs.append(_mean(rewards))
    return runs


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
