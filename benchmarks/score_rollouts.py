"""Rollouts scored a second, on the built-in tasks: right, wrong and empty runs in equal parts.

Run: python benchmarks/score_rollouts.py
"""

from __future__ import annotations

import time

from kopa_hf.bench.actions import matches_action, tool_schemas
from kopa_hf.bench.policies import POLICIES
from kopa_hf.bench.runner import open_session
from kopa_hf.bench.scoring import score_rollout
from kopa_hf.bench.task import ground_tasks
from kopa_hf.execution.executor import Executor

SECONDS = 3.0


def main() -> None:
    """Print rollouts a second, and the cost of scoring one call beside that of its type check."""
    runs = []
    with Executor() as executor:
        for row in ground_tasks(executor).rows:
            for name in ("gold", "wrong_number", "null"):
                session = open_session(row, executor)
                runs.append((row, POLICIES[name].run(row, session), session))
    scored, calls, start = 0, 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        for row, answer, session in runs:
            score_rollout(row, session.calls, session.state_hash, answer)
            calls += len(session.calls)
        scored += len(runs)
    spent = time.perf_counter() - start
    checked, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS / 3:
        for row, _, session in runs:
            schemas = tool_schemas(row)
            for action, call in zip(row.golden_actions, session.calls, strict=False):
                matches_action(action, call, schemas[action["name"]])
                checked += 1
    check = (time.perf_counter() - start) / checked
    print(f"rollouts scored a second: {scored / spent:,.0f}")
    print(f"scoring a call: {spent / calls * 1e6:.0f} µs; its type check: {check * 1e6:.0f} µs")


if __name__ == "__main__":
    main()
