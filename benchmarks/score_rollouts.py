"""Rollouts scored a second, on the built-in tasks: right, wrong and empty runs in equal parts.

Beside it the cost of scoring one call, and of a BFCL-style type check of the same calls
(`type_check.py`): first ACTION alone, which is what such a check is a part of, then all
of scoring (answer, state, faults and reasons too), shared out over the calls. Both once
with calls that repeat the golden arguments to the letter, as a right run mostly does,
and once with every text spelled otherwise, so that each has to be brought to normal form.

Golden values are normalised once per task, as in any run of more than one rollout;
nothing about a run's own calls or answer is remembered. All are timed in turns, in
processor time, and the best round of each counts, so that a busy machine favours none.

Run: python benchmarks/score_rollouts.py
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence

from type_check import accepted_values, type_check

from kopa_hf.agent.session import ExecutedCall
from kopa_hf.bench.actions import action_quality
from kopa_hf.bench.policies import POLICIES
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import open_session
from kopa_hf.bench.scoring import score_rollout
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.loading import embedded_rows

ROUNDS = 30
GOAL = 3.0
"""All of scoring, at most so many type checks a call."""

Run = tuple[Row, str | None, list[ExecutedCall], str]
"""Row, answer, calls and the state's hash."""


def main() -> None:
    """Print rollouts a second, and what a call costs."""
    found = measure(embedded_rows(), ROUNDS)
    print(f"rollouts scored a second: {found.rollouts_a_second:,.0f} ({found.calls_a_rollout:.1f} calls each)")
    print(f"type check of a call: {found.check * 1e6:.1f} µs")
    for what, spent in (
        ("ACTION of a call", found.action),
        ("all of scoring, a call", found.scoring),
        ("ACTION of a call spelled otherwise", found.action_otherwise),
        ("all of scoring, a call spelled otherwise", found.scoring_otherwise),
    ):
        print(f"{what}: {spent * 1e6:.1f} µs, {spent / found.check:.1f} times the type check")
    print(f"goal: 2,000 rollouts a second; all of scoring within {GOAL:.0f} times the type check")


@dataclasses.dataclass(frozen=True)
class Speed:
    """Seconds a call, and rollouts a second."""

    rollouts_a_second: float
    calls_a_rollout: float
    check: float
    action: float
    scoring: float
    action_otherwise: float
    scoring_otherwise: float


def measure(rows: Sequence[Row], rounds: int) -> Speed:
    """Play the rows once per policy, then time scoring and checking what was played."""
    runs = played(rows)
    other = [(row, answer, [spelled_otherwise(call) for call in calls], state) for row, answer, calls, state in runs]
    checks = []
    for row, _, calls, _ in runs:
        functions = {tool["function"]["name"]: tool["function"] for tool in row.tools}
        # these policies issue golden calls in golden order, so the checker is spared the search for a partner
        for action, call in zip(row.golden_actions, calls, strict=False):
            checks.append((functions[action["name"]], call.name, call.arguments, accepted_values(action)))

    def check() -> None:
        for function, name, arguments, accepted in checks:
            type_check(function, name, arguments, accepted)

    jobs = (check, _scoring(runs), _matching(runs), _scoring(other), _matching(other))
    checking, scoring, matching, scoring_otherwise, matching_otherwise = _best_of(rounds, *jobs)
    issued = sum(len(calls) for _, _, calls, _ in runs)
    return Speed(
        rollouts_a_second=len(runs) / scoring,
        calls_a_rollout=issued / len(runs),
        check=checking / len(checks),
        action=matching / issued,
        scoring=scoring / issued,
        action_otherwise=matching_otherwise / issued,
        scoring_otherwise=scoring_otherwise / issued,
    )


def played(rows: Sequence[Row]) -> list[Run]:
    """A right, a wrong and an empty run of every row."""
    runs: list[Run] = []
    with Executor() as executor:
        for row in rows:
            for name in ("gold", "wrong_number", "null"):
                session = open_session(row, executor)
                answer = POLICIES[name].run(row, session)
                runs.append((row, answer, session.calls, session.state_hash))
    return runs


def spelled_otherwise(call: ExecutedCall) -> ExecutedCall:
    """The same request with a blank behind every text, which no service minds; ids of results stay."""
    if not isinstance(call.arguments, dict):
        return call
    arguments = {
        name: f"{value} " if isinstance(value, str) and name != "result_id" else value
        for name, value in call.arguments.items()
    }
    return dataclasses.replace(call, arguments=arguments)


def _scoring(runs: Sequence[Run]) -> Callable[[], None]:
    def score() -> None:
        for row, answer, calls, state_hash in runs:
            score_rollout(row, calls, state_hash, answer)

    return score


def _matching(runs: Sequence[Run]) -> Callable[[], None]:
    def match() -> None:
        for row, _, calls, _ in runs:
            action_quality(row, calls)

    return match


def _best_of(rounds: int, *jobs: Callable[[], None]) -> list[float]:
    best = [float("inf")] * len(jobs)
    for _ in range(rounds):
        for number, job in enumerate(jobs):
            start = time.process_time()
            job()
            best[number] = min(best[number], time.process_time() - start)
    return best


if __name__ == "__main__":
    main()
