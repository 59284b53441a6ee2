"""A solver that sees what a model sees: the row, the tools' texts, the limits.

It follows the row's program, but every value comes out of the texts that the
environment returns. A value that the token budget cut away, a call beyond
`max_allowed_calls` or a service that answers otherwise ends the attempt.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kopa_hf.agent.environment import KopaEnvironment
from kopa_hf.bench.expressions import ProgramError, evaluate
from kopa_hf.bench.program import GoldenCall, RunScope, answer_text, expand_action
from kopa_hf.bench.rows import Row, row_to_dict
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult
from kopa_hf.platforms.failures import RETRYABLE

TRIES: Final = 3
"""Times one call is sent where another try may help."""


@dataclass(slots=True)
class Solution:
    """What following a row's program through the environment gave."""

    answer: str | None = None
    """As the answer column would hold it; None where the attempt ended early."""
    problem: str = ""
    """Why it ended early."""
    calls: list[dict[str, Any]] = field(default_factory=list)
    """Name, arguments and step of every call that brought something back."""
    texts: list[str] = field(default_factory=list)
    """The environment's answers to these calls."""
    issued: int = 0
    state_hash: str = ""


def solve(row: Row, executor: Executor, token_budget: int) -> Solution:
    """Replay a row through `KopaEnvironment` under its own limits; never raises on what services answer."""
    environment = _environment(executor, token_budget)
    environment.reset(**row_to_dict(row))
    session = environment._session
    assert session is not None
    scope = RunScope(row.program.get("slots") or {}, session.episode.clock)
    solution = Solution()
    try:
        for action in row.program.get("actions") or ():
            calls = [_call(environment, action, given, solution) for given in expand_action(action, scope)]
            scope.done[str(action["id"])] = calls
        solution.answer = answer_text(evaluate(row.program.get("answer"), scope), row.answer_type)
    except ProgramError as error:
        solution.problem = str(error)
    solution.issued = len(session.calls)
    solution.state_hash = session.state_hash
    return solution


def _environment(executor: Executor, token_budget: int) -> KopaEnvironment:
    made = type("SolverEnvironment", (KopaEnvironment,), {"_executor": executor, "_token_budget": token_budget})
    environment: KopaEnvironment = made()
    return environment


def _call(
    environment: KopaEnvironment, action: Mapping[str, Any], arguments: dict[str, Any], solution: Solution
) -> GoldenCall:
    name, step = str(action["name"]), int(action["step"])
    payload: dict[str, Any] = {}
    for _ in range(TRIES):
        text = environment._call(name, arguments)
        payload = json.loads(text)
        outcome = payload.get("error", {}).get("outcome")
        if outcome not in RETRYABLE:
            break
    if outcome is not None:
        raise ProgramError(f"{name} answered {outcome}")
    solution.calls.append({"name": name, "arguments": arguments, "step": step})
    solution.texts.append(text)
    result = CallResult(name, arguments, "ok", payload.get("records") or [], value=payload.get("value"))
    return GoldenCall(str(action["id"]), name, arguments, (), step, "", text, result, payload.get("result_id"))
