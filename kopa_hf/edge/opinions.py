"""Second stage of filtering, offline: two judges who look at different things.

One reads the row as text: the question, the calls, what the tools answered. The other
executes: is the answer the same when a call is left out? A call that can be left out is
decorative by that alone; what the reader says of it is noted. A row leaks where either says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from kopa_hf.agent.session import Session
from kopa_hf.bench.answers import compare
from kopa_hf.bench.derivation import underivable
from kopa_hf.bench.expressions import ProgramError, as_decimal, plain_number, walk
from kopa_hf.bench.leaks import leaks as typed_leaks
from kopa_hf.bench.overlapping import squeezed
from kopa_hf.bench.program import answer_text, run_program, sources_of
from kopa_hf.bench.rows import Row
from kopa_hf.edge.amounts import grouped
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.trajectory import Trajectory
from kopa_hf.execution.executor import Executor

_SHORT_ANSWER: Final = 2
"""Answers up to this length would stand in any question with a date."""
_LONG_ANSWER: Final = 120
"""Free text beyond it has more than one right wording."""
_TOKEN: Final = re.compile(r"[0-9A-Za-z가-힣][0-9A-Za-z가-힣.,_\-]*")


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one judge says about one trajectory; empty texts where nothing is wrong."""

    ungradable: str = ""
    leak: str = ""
    decorative: str = ""


class Reviewer(Protocol):
    """One judge of the second stage."""

    name: str

    def review(self, trajectory: Trajectory) -> Opinion:
        """Its opinion; the trajectory has its row."""


@dataclass(slots=True)
class TextReviewer:
    """Reads the row: can the answer be graded, is it said already, does every answer of a tool lead on?"""

    name: str = "text"

    def review(self, trajectory: Trajectory) -> Opinion:
        """From the texts alone."""
        row = row_of(trajectory)
        return Opinion(_ungradable(trajectory, row), _said(trajectory), _without_use(row))


def row_of(trajectory: Trajectory) -> Row:
    """The row that the first stage made."""
    assert trajectory.row is not None
    return trajectory.row


def _ungradable(trajectory: Trajectory, row: Row) -> str:
    if not row.answer.strip() or row.answer == "[]":
        return "the answer is empty"
    if row.answer_type == "text" and (len(row.answer) > _LONG_ANSWER or "\n" in row.answer):
        return "the answer is a text with many right wordings"
    if not compare(row.answer_type, row.answer, row.completion[-1]["content"], unit=row.answer_unit).equal:
        return "the golden sentence does not score as correct"
    if any(mention not in row.prompt[-1]["content"] for mention in trajectory.mentions) and not trajectory.drafted:
        return "a needed value is not in the question"
    return ""


def _said(trajectory: Trajectory) -> str:
    if leaks(trajectory):
        return "the answer stands in the question"
    if any(says(trajectory.question, value) for value in trajectory.intermediate):
        return "a value that must be looked up stands in the question"
    return ""


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


def _without_use(row: Row) -> str:
    """A call whose answer holds nothing that a later call or the final answer takes."""
    texts = [str(m["content"]) for m in row.completion if m["role"] == "tool"]
    for index, text in enumerate(texts):
        seen = _tokens(text)
        later = [_tokens(json.dumps(a["arguments"], ensure_ascii=False)) for a in row.golden_actions[index + 1 :]]
        if not any(seen & tokens for tokens in [*later, _tokens(row.answer)]):
            return "nothing that a call found is used later"
    return ""


def _tokens(text: str) -> set[str]:
    """Words and numbers of a text; numbers without separators."""
    found = set()
    for token in _TOKEN.findall(text):
        token = token.strip(".,-")
        number = as_decimal(token)
        found.add(plain_number(number) if number is not None and "," in token else token)
    return found


@dataclass(slots=True)
class RunReviewer:
    """Executes the program otherwise: does the answer hang on every value that is passed on?"""

    executor: Executor
    config: EdgeConfig
    others: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    """Tool and parameter → values that other trajectories pass, to exchange with."""
    name: str = "execution"

    def review(self, trajectory: Trajectory) -> Opinion:
        """From executions."""
        row = row_of(trajectory)
        return Opinion("", self._leak(trajectory, row), self._decorative(trajectory, row))

    def _leak(self, trajectory: Trajectory, row: Row) -> str:
        """Graders decide: does the question, handed in as an answer, hold the right value?"""
        found = typed_leaks(row)
        items = len(json.loads(row.answer)) if row.answer_type in ("set", "list") else 1
        if len(found) == items:
            return "the question, read as an answer, holds the right value"
        question = squeezed(trajectory.question)
        if any(len(value) > 1 and squeezed(value) in question for value in trajectory.intermediate):
            return "the chain can be entered behind its first call"
        return ""

    def _decorative(self, trajectory: Trajectory, row: Row) -> str:
        """A call is decorative where the answer is the same without it, or without the value that it passes on."""
        if unused_actions(trajectory.program):
            return "leaving out a call changes nothing"
        if _echoed(trajectory):
            return "a value that is passed on was an argument before"
        for actions, given_up in self._reduced(trajectory.program):
            if given_up and self._ran(trajectory, actions)[0] == row.answer:
                return f"the answer stays the same without {given_up}"
        return self._ignored(trajectory, row)

    def _reduced(self, program: dict[str, Any]) -> Iterator[tuple[list[dict[str, Any]], str]]:
        """Per call that the answer can be computed without: the actions that are left, and what they are no longer given.

        Optional inputs that the call fed are left out. What cannot be called without them goes, too; where the
        answer is taken from something that is gone, the call is needed.
        """
        answered = _references(program["answer"])
        for removed in program["actions"]:
            gone, left, given_up = {str(removed["id"])}, [], ""
            for action in program["actions"]:
                if str(action["id"]) in gone:
                    continue
                kept, lost = self._without(action, gone)
                if kept is None:
                    gone.add(str(action["id"]))
                else:
                    left.append(kept)
                    given_up = given_up or lost
            if not gone & answered:
                yield left, given_up

    def _without(self, action: dict[str, Any], gone: set[str]) -> tuple[dict[str, Any] | None, str]:
        """(the action without inputs from calls that are gone, None where it needs one; an input that it lost)."""
        if not gone & set(sources_of(action)):
            return action, ""
        tool = self.executor.catalog.get(action["name"])
        lost = [name for name, value in action["arguments"].items() if gone & _references(value)]
        parameters = [tool.parameter(name) for name in lost]
        needed = any(parameter is None or parameter.required for parameter in parameters)
        if needed or tool.platform == "local" or gone & _references([action.get("for_each"), action.get("when")]):
            return None, ""
        return {**action, "arguments": {n: v for n, v in action["arguments"].items() if n not in lost}}, lost[0]

    def _ignored(self, trajectory: Trajectory, row: Row) -> str:
        """A demanded input without a say: with another value the service answers with the very same records."""
        for index, name, changed in self._exchanges(trajectory):
            actions = list(trajectory.program["actions"])
            before = self._ran(trajectory, actions)[1].get(str(actions[index]["id"]))
            actions[index] = {**actions[index], "arguments": changed}
            answer, records = self._ran(trajectory, actions)
            if answer == row.answer and records.get(str(actions[index]["id"])) == before:
                return f"the answer stays the same whatever {name} is given"
        return ""

    def _exchanges(self, trajectory: Trajectory) -> Iterator[tuple[int, str, dict[str, Any]]]:
        """Actions with one required, passed-on argument exchanged for a value that other trajectories pass."""
        for index, action in enumerate(trajectory.program["actions"]):
            tool = self.executor.catalog.get(action["name"])
            if tool.platform == "local" or "for_each" in action or "when" in action:
                continue
            for name, expression in action["arguments"].items():
                parameter = tool.parameter(name)
                if not isinstance(expression, dict) or parameter is None or not parameter.required:
                    continue
                given = {str(a["arguments"].get(name)) for a in trajectory.golden_actions if a["name"] == tool.name}
                other = next((v for v in self.others.get((tool.name, name), ()) if v not in given), None)
                if other is not None:
                    yield index, name, {**action["arguments"], name: other}

    def _ran(
        self, trajectory: Trajectory, actions: Sequence[dict[str, Any]]
    ) -> tuple[str | None, dict[str, list[Any]]]:
        """(answer, action → records) of a changed program; no answer where it cannot be carried out."""
        session = Session(self.executor, trajectory.tools, token_budget=self.config.token_budget, stream="golden")
        try:
            run = run_program({**trajectory.program, "actions": list(actions)}, session)
            answer = answer_text(run.answer, trajectory.answer_type)
        except ProgramError:
            return None, {}
        records: dict[str, list[Any]] = {}
        for call in run.calls:
            records.setdefault(call.action, []).append(call.result.records)
        return answer, records


def _references(expression: Any) -> set[str]:
    """Ids of the actions that an expression takes values from."""
    return {str(found[key]) for found in walk(expression) for key in ("$from", "$result", "$rows") if key in found}


def passed_values(trajectories: Sequence[Trajectory], most: int = 4) -> dict[tuple[str, str], list[str]]:
    """Values that golden calls give a parameter, a few per tool and parameter."""
    found: dict[tuple[str, str], list[str]] = {}
    for trajectory in trajectories:
        for action in trajectory.golden_actions:
            for name, value in action["arguments"].items():
                pool = found.setdefault((action["name"], name), [])
                if isinstance(value, str) and value not in pool and len(pool) < most:
                    pool.append(value)
    return found


def unused_actions(program: dict[str, Any]) -> list[str]:
    """Ids of actions that neither a later action nor the answer takes anything from."""
    used = _references(program["answer"])
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


def without_source(row: Row) -> bool:
    """True where an argument of a golden call has no source that a solver sees."""
    return bool(underivable(row))
