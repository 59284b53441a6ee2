"""Rows replayed through the environment under their own limits, and compared with what they hold.

A row proves itself: its program, carried out on what the environment answers, must give
the same calls in the same order, the same texts, the same final state and the same answer.
Which backend answers does not count: a row made live replays from a snapshot of its answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from typing import Any, Final

from kopa_hf.bench.answers import compare
from kopa_hf.bench.overlapping import question_of
from kopa_hf.bench.rows import Row, row_from_dict, row_id, toolset_key
from kopa_hf.catalog.callables import tool_schema
from kopa_hf.edge.attribution import attributed
from kopa_hf.edge.solving import solve
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor

Progress = Callable[[int, int], None]
MakeExecutor = Callable[[], Executor]

_SHOWN: Final = 60
"""Characters of a sentence that a message quotes."""
_UNSEEN: Final = ("answer_type", "answer_unit", "reward_basis", "value_compare_args", "system_state")
"""Columns beside the question that an id is made from and a replay does not show."""
_BATCH: Final = 16
"""Rows that a process is handed at once."""


@dataclass(slots=True)
class Verification:
    """What replaying a dataset found."""

    rows: int = 0
    problems: dict[str, str] = field(default_factory=dict)
    """Row id → what differs."""

    @property
    def passed(self) -> int:
        """Rows whose replay agrees in calls, texts, state and answer."""
        return self.rows - len(self.problems)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"rows": self.rows, "passed": self.passed, "problems": dict(self.problems)}


def verify_rows(
    rows: Sequence[Row], executor: Executor, *, token_budget: int = 2000, progress: Progress | None = None
) -> Verification:
    """Replay every row through `KopaEnvironment` under its own budget and compare with what it holds.

    `token_budget` counts for rows whose provenance names none.
    """
    found = Verification()
    for row in rows:
        _note(found, row.id, difference(row, executor, token_budget))
        if progress is not None and (found.rows % 10 == 0 or found.rows == len(rows)):
            progress(found.rows, len(rows))
    return found


def verify_records(
    records: Sequence[Mapping[str, Any]],
    open_executor: MakeExecutor,
    *,
    workers: int = 1,
    token_budget: int = 2000,
    progress: Progress | None = None,
) -> Verification:
    """`verify_rows` over a dataset's records, on several processes.

    A record that is no valid row is a problem of its own, it does not end the others.
    Each process opens its own executor, so only backends that answer alike wherever
    they are opened (the sandbox, recorded answers) may have several.
    """
    if not records:
        raise DataError("The dataset holds no rows, so there is nothing to verify.")
    batches = [records[start : start + _BATCH] for start in range(0, len(records), _BATCH)]
    found = Verification()
    if workers <= 1 or len(batches) == 1:
        with open_executor() as executor:
            for batch in batches:
                _add(found, _verified(batch, executor, token_budget), len(records), progress)
        return found
    jobs = [(batch, token_budget) for batch in batches]
    # spawned, not forked: a fork would copy locks and connections in the middle of their work
    with ProcessPoolExecutor(
        min(workers, len(batches)), mp_context=get_context("spawn"), initializer=_begin, initargs=(open_executor,)
    ) as pool:
        for part in pool.map(_verified_there, jobs):
            _add(found, part, len(records), progress)
    return found


_own: list[Executor] = []
"""The executor of a worker process."""


def _begin(open_executor: MakeExecutor) -> None:
    _own.append(open_executor())


def _verified_there(job: tuple[Sequence[Mapping[str, Any]], int]) -> Verification:
    records, token_budget = job
    return _verified(records, _own[0], token_budget)


def _verified(records: Iterable[Mapping[str, Any]], executor: Executor, token_budget: int) -> Verification:
    found = Verification()
    for record in records:
        name = str(record.get("id") or f"row {found.rows + 1}")
        try:
            problem = difference(row_from_dict(record), executor, token_budget)
        except DataError as error:
            problem = str(error)
        _note(found, name, problem)
    return found


def _note(found: Verification, name: str, problem: str) -> None:
    found.rows += 1
    if problem:
        # two rows of one id are two problems
        key = name if name not in found.problems else f"{name} ({found.rows})"
        found.problems[key] = problem


def _add(found: Verification, part: Verification, total: int, progress: Progress | None) -> None:
    found.rows += part.rows
    found.problems.update(part.problems)
    if progress is not None:
        progress(found.rows, total)


def difference(row: Row, executor: Executor, token_budget: int) -> str:
    """What a row holds otherwise than its replay gives; empty where everything agrees.

    The id comes last: any change shows in it, and what was changed is worth more than that something was.
    """
    return (
        _against_catalog(row, executor)
        or _against_itself(row)
        or _against_replay(row, executor, token_budget)
        or _against_id(row)
    )


def _against_catalog(row: Row, executor: Executor) -> str:
    """Tools that are gone or have another signature now."""
    for schema in row.tools:
        name = str(schema.get("function", {}).get("name"))
        if name not in executor.catalog:
            return f"the catalog lacks the tool {name}"
        if tool_schema(executor.catalog.get(name)) != schema:
            return f"the tool {name} has another signature in the catalog"
    return ""


def _against_itself(row: Row) -> str:
    """Columns that contradict each other."""
    if not row.completion:
        return "the completion is empty"
    said = str(row.completion[-1]["content"])
    valueless = row.answer_type in ("ask", "judge")
    if not valueless and not compare(row.answer_type, row.answer, said, unit=row.answer_unit).equal:
        return f"the final sentence does not say the answer {row.answer!r} but {said[:_SHOWN]!r}"
    named = toolset_key(str(tool.get("function", {}).get("name")) for tool in row.tools)
    if row.environment != named:
        return f"environment is {row.environment!r}, the tools give {named!r}"
    issued = [
        (call["function"]["name"], call["function"]["arguments"])
        for message in row.completion
        for call in message.get("tool_calls") or ()
    ]
    if issued != [(action["name"], action["arguments"]) for action in row.golden_actions]:
        pairs = zip(issued, row.golden_actions, strict=False)
        number = next((n for n, (a, b) in enumerate(pairs, 1) if a != (b["name"], b["arguments"])), None)
        where = f"call {number}" if number else f"{len(issued)} calls, not {len(row.golden_actions)}"
        return f"the completion makes other calls than the golden actions: {where}"
    return ""


def _against_id(row: Row) -> str:
    """A change that no replay shows: the question, the budget of calls, or a column that only describes."""
    if row_id(row) == row.id:
        return ""
    golden = len(row.golden_actions)
    for budget in range(golden, 100 * golden + 100):
        if row_id(replace(row, max_allowed_calls=budget)) == row.id:
            return f"max_allowed_calls is {row.max_allowed_calls}, the id was made with {budget}"
    return (
        "the id does not follow from the content. Calls, texts, state and answer replay, so another column was changed: "
        f"the question ({question_of(row)[:_SHOWN]!r}), or one of {', '.join(_UNSEEN)}"
    )


def _against_replay(row: Row, executor: Executor, token_budget: int) -> str:
    solution = solve(row, attributed(executor, row), int(row.provenance.get("token_budget") or token_budget))
    if solution.answer is None:
        return f"the replay ended early: {solution.problem}"
    golden = [{key: action[key] for key in ("name", "arguments", "step")} for action in row.golden_actions]
    if solution.calls != golden:
        return (
            f"the replay makes other calls than the golden actions, from call {_first_other(solution.calls, golden)} on"
        )
    texts = [str(m["content"]) for m in row.completion if m["role"] == "tool"]
    if solution.texts != texts:
        number = next((n for n, (a, b) in enumerate(zip(solution.texts, texts, strict=False)) if a != b), len(texts))
        return f"a tool answers otherwise than in the completion: {_records_differ(solution.texts, texts, number)}"
    if solution.state_hash != row.program.get("state_hash"):
        return "the final state differs"
    if solution.answer != row.answer:
        return f"the replay gives {solution.answer!r}, the row holds {row.answer!r}"
    return ""


def _first_other(calls: Sequence[Any], golden: Sequence[Any]) -> int:
    return next((n for n, (a, b) in enumerate(zip(calls, golden, strict=False), 1) if a != b), len(golden))


def _records_differ(now: Sequence[str], then: Sequence[str], number: int) -> str:
    """Whether records or only their frame changed, by call."""
    try:
        records = [json.loads(texts[number]).get("records") for texts in (now, then)]
    except (ValueError, IndexError, AttributeError):
        return f"call {number + 1}"
    return f"call {number + 1}, {'other records' if records[0] != records[1] else 'another frame'}"
