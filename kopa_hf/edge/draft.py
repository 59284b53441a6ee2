"""A program that grows call by call, each call executed as soon as it is added.

The next call can be chosen by looking at what came back; the finished draft is a
program that anybody can execute again without having seen the draft. A call stands
one step behind the latest call that it takes a value from, so calls that need not
wait for each other share a step and the steps are the longest dependency path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kopa_hf.agent.session import ExecutedCall, Session
from kopa_hf.bench.expressions import evaluate
from kopa_hf.bench.program import GoldenCall, RunScope, sources_of
from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.arguments import value_text
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult


class Value(NamedTuple):
    """An argument: what it is in this execution, and the expression that gives it in any."""

    literal: Any
    expression: Any

    @classmethod
    def of(cls, literal: Any) -> Value:
        """A value that stands in the question or is a rule's choice."""
        return cls(literal, literal)


class DraftError(Exception):
    """The sketch leads nowhere on this data; the message is the reason that reports count."""


@dataclass(slots=True)
class Done:
    """An action of the draft with what its calls brought back."""

    id: str
    tool: Tool
    calls: list[ExecutedCall]
    head: int | None = None
    """Rows that a question looks at where the list is too long to be read; None: all of them."""

    @property
    def result(self) -> CallResult:
        """The result of an action that is a single call."""
        return self.calls[0].result

    @property
    def records(self) -> list[dict[str, Any]]:
        """Records of all calls, in order."""
        return [record for call in self.calls for record in call.result.records]

    @property
    def complete(self) -> bool:
        """True where every call brought all rows that its service has."""
        return all(
            call.result.total_count is not None and len(call.result.records) >= call.result.total_count
            for call in self.calls
        )

    def field(self, name: str, pick: str | None = None) -> dict[str, Any]:
        """The expression for a field of the records."""
        return {"$from": self.id, "field": name} | ({"pick": pick} if pick else {})

    @property
    def rows(self) -> int:
        """Records of the whole answer; of a list too long to be read what the service states."""
        total = self.result.total_count
        return len(self.records) if total is None else max(total, len(self.records))

    def only_value(self, name: str) -> Value:
        """The one value of a field, as text; raises `DraftError` where there are several, or none."""
        raw = [record.get(name) for record in self.records]
        texts = {value_text(cell) for cell in raw}
        if len(texts) != 1 or None in texts:
            raise DraftError("a bound field has several values")
        text = str(texts.pop())
        expression: dict[str, Any] = self.field(name)
        if any(cell != text for cell in raw):
            expression = {"$text": "{v}", "with": {"v": expression}}
            if any(str(cell) != text for cell in raw):
                raise DraftError("a bound value is padded")
        return Value(text, expression)

    def shows(self, text: str) -> bool:
        """True where a reader of the trimmed answers sees the text."""
        return any(text in call.text for call in self.calls)


@dataclass(slots=True)
class Draft:
    """Actions so far, in a session of their own."""

    session: Session
    actions: list[dict[str, Any]] = field(default_factory=list)
    done: list[Done] = field(default_factory=list)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    intermediate: list[str] = field(default_factory=list)
    """Values that were read from answers and passed on."""
    max_rows: int = 6000
    max_pages: int = 30

    @classmethod
    def begin(cls, executor: Executor, tools: Mapping[str, Tool], config: EdgeConfig) -> Draft:
        """An empty draft that may call the given tools."""
        session = Session(executor, tools, token_budget=config.token_budget, stream="golden")
        return cls(session, tools=tools, max_rows=config.max_rows, max_pages=config.max_collect)

    def value_of(self, expression: Any) -> Any:
        """What an expression gives on the draft's own results; raises `ProgramError`."""
        done = {done.id: [_as_golden(done.id, call) for call in done.calls] for done in self.done}
        return evaluate(expression, RunScope({}, self.session.episode.clock, done=done))

    def step_of(self, identity: str) -> int:
        """The step of an action."""
        return next(int(action["step"]) for action in self.actions if action["id"] == identity)

    def ordered(self) -> list[dict[str, Any]]:
        """The actions in order of their steps, as they are issued."""
        return sorted(self.actions, key=lambda action: int(action["step"]))

    def call(self, name: str, arguments: Mapping[str, Value]) -> Done:
        """Add and execute one call; raises `DraftError` unless records or a value come back."""
        expressions = {key: value.expression for key, value in arguments.items()}
        action = self._action({"name": name, "arguments": expressions})
        calls = [self._execute(name, {key: value.literal for key, value in arguments.items()}, action["step"])]
        return self._add(action, calls)

    def call_each(self, name: str, parameter: str, values: Value, others: Mapping[str, Value]) -> Done:
        """Add one call per value, all in one step."""
        expressions = {parameter: {"$item": "x"}} | {key: value.expression for key, value in others.items()}
        action = self._action({"name": name, "arguments": expressions, "for_each": values.expression, "as": "x"})
        fixed = {key: value.literal for key, value in others.items()}
        calls = [self._execute(name, {parameter: item, **fixed}, action["step"]) for item in values.literal]
        return self._add(action, calls)

    def whole(self, done: Done) -> Done:
        """The action that holds all rows the question looks at: itself, or a `collect_pages` added behind it."""
        if done.head is not None:
            return done
        if done.complete and len(done.records) <= self.max_rows:
            return done
        total = done.result.total_count
        largest = done.tool.paging.max_size if done.tool.paging is not None else 0
        if total is None or total > min(self.max_rows, self.max_pages * largest):
            raise DraftError("too many rows to look through")
        collected = self.call("collect_pages", {"result_id": self.result_id(done)})
        if not collected.complete:
            raise DraftError("collecting stopped early")
        # The tool behind the rows still tells what their fields mean.
        collected.tool = done.tool
        return collected

    def result_id(self, done: Done) -> Value:
        """The argument that names an action's kept result."""
        if len(done.calls) != 1 or done.calls[0].result_id is None:
            raise DraftError("no single kept result")
        return Value(done.calls[0].result_id, {"$result": done.id})

    def passed_on(self, value: Any) -> None:
        """Note a value that was read from an answer."""
        self.intermediate.append(str(value))

    def mark(self) -> tuple[int, int, int]:
        """A place to come back to."""
        return len(self.actions), len(self.done), len(self.intermediate)

    def back_to(self, mark: tuple[int, int, int]) -> None:
        """Forget what was added since; results stay in the session, where nothing refers to them."""
        del self.actions[mark[0] :], self.done[mark[1] :], self.intermediate[mark[2] :]

    def _action(self, content: dict[str, Any]) -> dict[str, Any]:
        step = 1 + max((self.step_of(source) for source in sources_of(content)), default=0)
        return {"id": f"a{len(self.actions) + 1}", "step": step, **content}

    def _execute(self, name: str, arguments: dict[str, Any], step: int) -> ExecutedCall:
        self.session.call(name, arguments, step=step)
        call = self.session.calls[-1]
        if not call.result.ok:
            raise DraftError(f"a call ended with {call.result.outcome}")
        return call

    def _add(self, action: dict[str, Any], calls: list[ExecutedCall]) -> Done:
        self.actions.append(action)
        done = Done(action["id"], self.tools[action["name"]], calls)
        self.done.append(done)
        return done


def _as_golden(action: str, call: ExecutedCall) -> GoldenCall:
    """The call in the form that expressions look at."""
    return GoldenCall(action, call.name, {}, (), call.step, call.call_id, call.text, call.result, call.result_id)
