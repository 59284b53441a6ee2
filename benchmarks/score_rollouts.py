"""Rollouts scored a second, on the built-in tasks: right, wrong and empty runs in equal parts.

Beside it the cost of scoring one call, and of a BFCL-style type check of the same calls
(`type_check.py`): first ACTION alone, which is what such a check is a part of, then all
of scoring (answer, state, faults and reasons too), shared out over the calls.

Golden values are normalised once per task, as in any run of more than one rollout;
nothing about a run's own calls or answer is remembered. Both are timed in turns and
the best round of each counts, so that a busy machine does not favour either.

Run: python benchmarks/score_rollouts.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

from type_check import accepted_values, type_check

from kopa_hf.bench.actions import action_quality
from kopa_hf.bench.policies import POLICIES
from kopa_hf.bench.runner import open_session
from kopa_hf.bench.scoring import score_rollout
from kopa_hf.bench.task import ground_tasks
from kopa_hf.execution.executor import Executor

ROUNDS = 30


def main() -> None:
    """Print rollouts a second, and what a call costs."""
    runs = []
    with Executor() as executor:
        for row in ground_tasks(executor).rows:
            for name in ("gold", "wrong_number", "null"):
                session = open_session(row, executor)
                runs.append((row, POLICIES[name].run(row, session), session.calls, session.state_hash))
    checks = []
    for row, _, calls, _ in runs:
        functions = {tool["function"]["name"]: tool["function"] for tool in row.tools}
        # these policies issue golden calls in golden order, so the checker is spared the search for a partner
        for action, call in zip(row.golden_actions, calls, strict=False):
            assert isinstance(call.arguments, dict)
            checks.append((functions[action["name"]], call.name, call.arguments, accepted_values(action)))

    def score() -> None:
        for row, answer, calls, state_hash in runs:
            score_rollout(row, calls, state_hash, answer)

    def match() -> None:
        for row, _, calls, _ in runs:
            action_quality(row, calls)

    def check() -> None:
        for function, name, arguments, accepted in checks:
            type_check(function, name, arguments, accepted)

    issued = sum(len(calls) for _, _, calls, _ in runs)
    scoring, matching, checking = _best_of(score, match, check)
    per_check = checking / len(checks)
    print(f"rollouts scored a second: {len(runs) / scoring:,.0f} ({issued / len(runs):.1f} calls each)")
    print(f"type check of a call: {per_check * 1e6:.1f} µs")
    for what, spent in (("ACTION of a call", matching / issued), ("all of scoring, a call", scoring / issued)):
        print(f"{what}: {spent * 1e6:.1f} µs, {spent / per_check:.1f} times the type check")


def _best_of(*jobs: Callable[[], None]) -> list[float]:
    best = [float("inf")] * len(jobs)
    for _ in range(ROUNDS):
        for number, job in enumerate(jobs):
            start = time.perf_counter()
            job()
            best[number] = min(best[number], time.perf_counter() - start)
    return best


if __name__ == "__main__":
    main()
