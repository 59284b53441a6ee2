"""Finished rollouts of a policy, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kopa_hf.bench.metrics import Metrics, summarize, summarize_by
from kopa_hf.bench.rows import Row, is_held_out
from kopa_hf.bench.scoring import Score


@dataclass(frozen=True, slots=True)
class Rollout:
    """One finished run of one task."""

    row_id: str
    number: int
    """0-based among the row's rollouts."""
    answer: str | None
    score: Score
    calls: int
    """Calls the agent issued: local, refused and failed ones too."""
    requests: int = 0
    """HTTP requests that the calls took; one `collect_pages` may take many, a local tool takes none."""
    wrong_channel: int = 0
    """Turns whose calls stood in the content, where they were still understood."""
    fault: str = ""
    """What spoiled it, `kind: text`; empty where nothing did, or the log does not say."""


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """What a policy came to on a set of rows."""

    policy: str
    metrics: Metrics
    by_domain: dict[str, Metrics]
    by_structure: dict[str, Metrics]
    by_exposure: dict[str, Metrics]
    """`held_out`: tasks on platforms that training data leaves out; `seen`: the others."""
    rollouts: list[Rollout] = field(repr=False)

    @property
    def pass_at_1(self) -> float:
        """0 where nothing could be scored."""
        return self.metrics.pass_at_1 or 0.0

    @property
    def failures(self) -> dict[str, int]:
        """Reason code → rollouts that carry it, most frequent first."""
        counts: dict[str, int] = {}
        for rollout in self.rollouts:
            for code in dict.fromkeys(reason.partition(": ")[0] for reason in rollout.score.reasons):
                counts[code] = counts.get(code, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    @property
    def statuses(self) -> dict[str, int]:
        """How many rollouts ended scored, unscored and in each kind of fault; kinds that did not occur are left out."""
        counts: dict[str, int] = {}
        for rollout in self.rollouts:
            counts[rollout.score.status] = counts.get(rollout.score.status, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (item[0] != "scored", item[0])))

    @property
    def faults(self) -> dict[str, tuple[int, str]]:
        """Kind of fault → rollouts that it spoiled, and the first one's text; most frequent first."""
        found: dict[str, tuple[int, str]] = {}
        for rollout in self.rollouts:
            kind, _, text = rollout.fault.partition(": ")
            if kind:
                count, first = found.get(kind, (0, text))
                found[kind] = (count + 1, first)
        return dict(sorted(found.items(), key=lambda item: (-item[1][0], item[0])))

    @property
    def calls(self) -> int:
        """Calls of all rollouts."""
        return sum(rollout.calls for rollout in self.rollouts)

    @property
    def requests(self) -> int:
        """HTTP requests of all rollouts."""
        return sum(rollout.requests for rollout in self.rollouts)

    @property
    def wrong_channel(self) -> int:
        """Turns of all rollouts whose calls stood in the content."""
        return sum(rollout.wrong_channel for rollout in self.rollouts)


def report(policy: str, rows: Sequence[Row], rollouts: Sequence[Rollout], *, seed: int = 0) -> PolicyReport:
    """Metrics over finished rollouts; `seed` is the bootstrap's."""
    scores: dict[str, list[Score]] = {}
    for rollout in sorted(rollouts, key=lambda rollout: rollout.number):
        scores.setdefault(rollout.row_id, []).append(rollout.score)
    return PolicyReport(
        policy=policy,
        metrics=summarize(scores, seed=seed),
        by_domain=summarize_by(rows, scores, lambda row: row.domain, seed=seed),
        by_structure=summarize_by(rows, scores, lambda row: row.structure, seed=seed),
        by_exposure=summarize_by(rows, scores, lambda row: "held_out" if is_held_out(row) else "seen", seed=seed),
        rollouts=list(rollouts),
    )
