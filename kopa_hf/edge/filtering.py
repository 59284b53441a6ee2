"""Three stages that a trajectory must pass: rules, static judgement, independent solving.

Every dropped trajectory is counted under one reason. The static stage and the
solver need no model: a call is decorative where leaving its value out changes
nothing, an answer leaks where it stands in the question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from kopa_hf.agent.session import Session
from kopa_hf.bench.answers import compare
from kopa_hf.bench.derivation import underivable, unreadable
from kopa_hf.bench.expressions import ProgramError, walk
from kopa_hf.bench.program import answer_text, run_program, sources_of
from kopa_hf.edge.clauses import grouped
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.export import row_of
from kopa_hf.edge.solving import solve
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.errors import DataError
from kopa_hf.execution.episode import canonical_json
from kopa_hf.execution.executor import Executor

Progress = Callable[[int, int], None]

MAX_QUESTION: Final = 400
_API_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]*[A-Za-z0-9]")
_BROKEN: Final = re.compile(r"[{}]|None|\$|''|  ")
_SHORT_ANSWER: Final = 2
"""Answers up to this length would stand in any question with a date."""


def filter_trajectories(
    trajectories: Sequence[Trajectory],
    executor: Executor,
    config: EdgeConfig,
    *,
    funnel: Funnel | None = None,
    progress: Progress | None = None,
) -> list[Trajectory]:
    """The trajectories that pass all stages, in order; `funnel` counts what fell and why."""
    funnel = funnel if funnel is not None else Funnel()
    seen: set[str] = set()
    passed = {"rules": 0, "static": 0, "solved": 0}
    kept = []
    for done, trajectory in enumerate(trajectories, 1):
        for stage, check in (("rules", _rules), ("static", _static), ("solved", _solved)):
            reason = check(trajectory, executor, config, seen)
            if reason is not None:
                funnel.drop(reason, trajectory.question)
                break
            passed[stage] += 1
        else:
            kept.append(trajectory)
        if progress is not None and (done % 10 == 0 or done == len(trajectories)):
            progress(done, len(trajectories))
    funnel.stages.update(passed)
    return kept


# Stage 1: rules


def _rules(trajectory: Trajectory, executor: Executor, config: EdgeConfig, seen: set[str]) -> str | None:
    """Malformed, redundant, duplicate, erroneous or non-reproducible; renders the row on the way."""
    question = trajectory.question
    if not re.search(r"[가-힣]", question) or _BROKEN.search(question) or len(question) > MAX_QUESTION:
        return "malformed: the question is no clean Korean sentence"
    if _API_WORD.search(question):
        return "malformed: the question names a field of the API"
    calls = [canonical_json([a["name"], a["arguments"]]) for a in trajectory.golden_actions]
    if len(set(calls)) < len(calls):
        return "redundant: a call is made twice"
    identity = canonical_json([calls, trajectory.answer])
    if identity in seen or question in seen:
        return "duplicate: the same calls or the same question came before"
    if any("$clock" in found for found in walk(trajectory.program)) or "get_current_date" in trajectory.tools:
        return "non-reproducible: it depends on the day it runs"
    try:
        trajectory.row = row_of(trajectory, executor, config)
    except (ProgramError, DataError) as error:
        return f"erroneous: {_short(error)}"
    if (trajectory.row.golden_actions, trajectory.row.answer) != (trajectory.golden_actions, trajectory.answer):
        return "non-reproducible: another execution gives something else"
    seen.update((identity, question))
    return None


def _short(error: Exception) -> str:
    return "the layout refuses it" if isinstance(error, DataError) else "its program does not settle"


# Stage 2: static judgement


def _static(trajectory: Trajectory, executor: Executor, config: EdgeConfig, seen: set[str]) -> str | None:
    """Not gradable, leaking, under-specified or decorative."""
    row = trajectory.row
    assert row is not None
    if not trajectory.answer.strip() or trajectory.answer == "[]":
        return "non-gradable: the answer is empty"
    if not compare(row.answer_type, row.answer, row.completion[-1]["content"], unit=row.answer_unit).equal:
        return "non-gradable: the golden sentence does not score as correct"
    if any(mention not in row.prompt[-1]["content"] for mention in trajectory.mentions):
        return "under-specified: a needed value is not in the question"
    if leaks(trajectory):
        return "leak: the answer stands in the question"
    if any(says(trajectory.question, value) for value in trajectory.intermediate):
        return "leak: a value that must be looked up stands in the question"
    if unused_actions(trajectory.program):
        return "decorative: nothing uses the result of a call"
    if _echoed(trajectory):
        return "decorative: a value that is passed on was an argument before"
    if underivable(row):
        return "under-specified: an argument has no source"
    if _ignored_binding(trajectory, executor, config):
        return "decorative: the answer stays the same without the value that is passed on"
    return None


def leaks(trajectory: Trajectory) -> bool:
    """True where the answer (or every item of it) can be copied from the question."""
    if trajectory.answer_type in ("list", "set"):
        return all(says(trajectory.question, item) for item in json.loads(trajectory.answer))
    return says(trajectory.question, trajectory.answer)


def says(question: str, value: str) -> bool:
    """True where the value stands in the question as a whole, numbers with or without separators."""
    value = value.strip()
    if len(value) <= _SHORT_ANSWER and value.isdigit():
        return bool(re.search(rf"(?<![\d.,]){re.escape(value)}(?![\d.,년월일대차])", question))
    return any(
        re.search(rf"(?<![\w.,]){re.escape(form)}(?![0-9A-Za-z_])", question)
        for form in {value, grouped(value)}
        if form
    )


def unused_actions(program: dict[str, Any]) -> list[str]:
    """Ids of actions that neither a later action nor the answer takes anything from."""
    used = {str(found[key]) for found in walk(program["answer"]) for key in ("$from", "$result") if key in found}
    for action in program["actions"]:
        used.update(sources_of(action))
    return [str(action["id"]) for action in program["actions"] if str(action["id"]) not in used]


def _echoed(trajectory: Trajectory) -> bool:
    """A passed-on value that an earlier call already had as a literal argument."""
    literals = {
        str(value)
        for action in trajectory.program["actions"]
        for value in (action.get("arguments") or {}).values()
        if not isinstance(value, dict | list)
    }
    return any(value in literals for value in trajectory.intermediate)


def _ignored_binding(trajectory: Trajectory, executor: Executor, config: EdgeConfig) -> bool:
    """True where leaving out one optional bound argument gives the same answer: the service does not filter by it."""
    for index, action in enumerate(trajectory.program["actions"]):
        tool = executor.catalog.get(action["name"])
        if tool.platform == "local" or "for_each" in action:
            continue
        for name, expression in action["arguments"].items():
            parameter = tool.parameter(name)
            if isinstance(expression, dict) and parameter is not None and not parameter.required:
                changed = {key: value for key, value in action["arguments"].items() if key != name}
                if _answer_with(trajectory, index, changed, executor, config) == trajectory.answer:
                    return True
    return False


def _answer_with(
    trajectory: Trajectory, index: int, arguments: dict[str, Any], executor: Executor, config: EdgeConfig
) -> str | None:
    actions = list(trajectory.program["actions"])
    actions[index] = {**actions[index], "arguments": arguments}
    session = Session(executor, trajectory.tools, token_budget=config.token_budget, stream="golden")
    try:
        run = run_program({**trajectory.program, "actions": actions}, session)
        return answer_text(run.answer, trajectory.answer_type)
    except ProgramError:
        return None


# Stage 3: independent solving


def _solved(trajectory: Trajectory, executor: Executor, config: EdgeConfig, seen: set[str]) -> str | None:
    """A solver that sees only texts must reach the answer within the row's own limits."""
    row = trajectory.row
    assert row is not None
    if unreadable(row):
        return "unsolved: a needed value cannot be read in the trimmed answers"
    solution = solve(row, executor, config.token_budget)
    if solution.answer is None:
        return "unsolved: the solver could not finish"
    if not compare(row.answer_type, row.answer, solution.answer, unit=row.answer_unit).equal:
        return "unsolved: the solver finds another answer"
    return None
