"""Golden programs: actions that are really executed, and the reduction that gives the answer.

    {"actions": [{"id": "a1", "step": 1, "name": TOOL, "arguments": {…}, …}],
     "answer": EXPR, "deciding": EXPR | null, "terms": […], "slots": {…}}

An action may carry `value_compare_args` (default: every argument but those of
`FREE_ARGUMENTS`), `for_each` with `as` (one call per value, all in the same step)
and `when` (carried out only where the expression is true). A program of a row
holds its slots, so the row alone can be executed again on any backend.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, Protocol

from kopa_hf.bench.expressions import ProgramError, evaluate, plain_number, walk
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.result import CallResult
from kopa_hf.platforms.base import Record

FREE_ARGUMENTS: Final[frozenset[str]] = frozenset({"result_id", "expression", "max_pages"})
"""Arguments that good runs spell differently: ids count up in call order, a sum may be written either way."""


class ExecutedCall(Protocol):
    """What a session notes about one issued call."""

    @property
    def name(self) -> str: ...
    @property
    def arguments(self) -> Any: ...
    @property
    def result(self) -> CallResult: ...


class Session(Protocol):
    """What a program needs of `agent.session.Session`."""

    @property
    def episode(self) -> Episode: ...
    @property
    def calls(self) -> Sequence[Any]: ...
    def call(
        self, name: str, arguments: dict[str, Any] | str, *, call_id: str | None = None, step: int | None = None
    ) -> str: ...


@dataclass(frozen=True, slots=True)
class GoldenCall:
    """One literal golden action, and what its execution brought back."""

    action: str
    """Id of the program's action; several calls share it where the action fans out."""
    name: str
    arguments: dict[str, Any]
    value_compare_args: tuple[str, ...]
    step: int
    call_id: str
    text: str
    """The session's answer as a model reads it."""
    result: CallResult
    result_id: str | None

    def as_column(self) -> dict[str, Any]:
        """The element of a row's `golden_actions`."""
        return {
            "name": self.name,
            "arguments": self.arguments,
            "value_compare_args": list(self.value_compare_args),
            "step": self.step,
        }


@dataclass(slots=True)
class ProgramRun:
    """What executing a program gave."""

    calls: list[GoldenCall]
    answer: Any
    """Python value; `answer_text` makes the column's text."""
    deciding: Any
    session: Session

    @property
    def golden_actions(self) -> list[dict[str, Any]]:
        """The row's `golden_actions` column."""
        return [call.as_column() for call in self.calls]

    @property
    def hops(self) -> int:
        """Number of steps; a step holds the calls that are issued together."""
        return len({call.step for call in self.calls})

    @property
    def parallel(self) -> bool:
        """True where some step has more than one call."""
        return len(self.calls) > self.hops


@dataclass(slots=True)
class RunScope:
    """The run so far, as expressions see it: slots, the day, and what each action brought back."""

    slots: Mapping[str, Any]
    clock: datetime.date
    items: dict[str, Any] = field(default_factory=dict)
    done: dict[str, list[GoldenCall]] = field(default_factory=dict)

    def _calls(self, action: str) -> list[GoldenCall]:
        if action not in self.done:
            raise ProgramError(f"Action {action!r} is not carried out yet (or does not exist).")
        return self.done[action]

    def records(self, action: str) -> list[Record]:
        return [record for call in self._calls(action) for record in call.result.records]

    def values(self, action: str) -> list[Any]:
        calls = self._calls(action)
        empty = [call for call in calls if call.result.value is None]
        if empty:
            raise ProgramError(f"{action}: {empty[0].name} returned records, not one value; name a field.")
        return [call.result.value for call in calls]

    def result_id(self, action: str) -> str:
        ids = [call.result_id for call in self._calls(action)]
        if len(ids) != 1 or ids[0] is None:
            raise ProgramError(f"{action} has no single stored result.")
        return ids[0]


def run_program(program: Mapping[str, Any], session: Session, slots: Mapping[str, Any] | None = None) -> ProgramRun:
    """Execute every action in the session, in order, then the reduction.

    Raises `ProgramError` where a call fails for another reason than *no data*, or
    where the data does not settle a value.
    """
    scope = RunScope(slots if slots is not None else program.get("slots") or {}, session.episode.clock)
    calls: list[GoldenCall] = []
    for action in program.get("actions") or ():
        done = [_carry_out(action, arguments, scope, session) for arguments in expand_action(action, scope)]
        scope.done[str(action["id"])] = done
        calls += done
    answer = program.get("answer")
    deciding = program.get("deciding")
    return ProgramRun(
        calls=calls,
        answer=evaluate(answer, scope),
        deciding=None if deciding is None else evaluate(deciding, scope),
        session=session,
    )


def sources_of(action: Mapping[str, Any]) -> list[str]:
    """Ids of the actions that an action of a program takes values from."""
    parts = [action.get("arguments"), action.get("for_each"), action.get("when")]
    return [str(found[key]) for found in walk(parts) for key in ("$from", "$result", "$rows") if key in found]


def answer_text(value: Any, answer_type: str) -> str:
    """The `answer` column of a value: text, or a JSON array of texts for set and list."""
    if answer_type in ("ask", "judge", "no_data") and value is None:
        return ""
    if answer_type in ("set", "list"):
        if not isinstance(value, list):
            raise ProgramError(f"The answer of a {answer_type} must be a list, not {value!r}.")
        return json.dumps([_text_of(item) for item in value], ensure_ascii=False)
    if isinstance(value, list | dict) or value is None:
        raise ProgramError(f"The answer of type {answer_type} must be one value, not {value!r}.")
    if isinstance(value, bool):
        return "예" if value else "아니오"
    return _text_of(value)


def literal(value: Any) -> Any:
    """A value as golden arguments hold it: JSON, decimals as plain text."""
    if isinstance(value, Decimal):
        return plain_number(value)
    if isinstance(value, list):
        return [literal(item) for item in value]
    if isinstance(value, dict):
        return {key: literal(item) for key, item in value.items()}
    return value


def _text_of(value: Any) -> str:
    return plain_number(value) if isinstance(value, Decimal) else str(value)


def expand_action(action: Mapping[str, Any], scope: RunScope) -> list[dict[str, Any]]:
    """The argument sets of an action: one, none (`when` is false), or one per value of `for_each`."""
    if "when" in action and evaluate(action["when"], scope) is not True:
        return []
    arguments = action.get("arguments") or {}
    if "for_each" not in action:
        return [literal(evaluate(arguments, scope))]
    values = evaluate(action["for_each"], scope)
    if not isinstance(values, list) or not values:
        raise ProgramError(f"{action['id']}: for_each needs a list with at least one value, not {values!r}.")
    name = str(action.get("as", "item"))
    sets = []
    for value in values:
        scope.items[name] = value
        sets.append(literal(evaluate(arguments, scope)))
    del scope.items[name]
    return sets


def _carry_out(action: Mapping[str, Any], arguments: dict[str, Any], scope: RunScope, session: Session) -> GoldenCall:
    name, step = str(action["name"]), int(action["step"])
    call_id = f"call_{len(session.calls) + 1}"
    text = session.call(name, arguments, call_id=call_id, step=step)
    result: CallResult = session.calls[-1].result
    if result.outcome not in ("ok", "no_data"):
        raise ProgramError(f"{action['id']}: {name} answered {result.outcome}: {result.message}.")
    named = action.get("value_compare_args")
    compared = [arg for arg in arguments if arg not in FREE_ARGUMENTS] if named is None else list(named)
    unknown = [arg for arg in compared if arg not in arguments]
    if unknown:
        raise ProgramError(f"{action['id']}: value_compare_args names {', '.join(unknown)}, which the call lacks.")
    return GoldenCall(
        action=str(action["id"]),
        name=name,
        arguments=arguments,
        value_compare_args=tuple(compared),
        step=step,
        call_id=call_id,
        text=text,
        result=result,
        result_id=_result_id(text),
    )


def _result_id(text: str) -> str | None:
    """The id under which the session keeps the result, as it tells the model."""
    payload = json.loads(text)
    found = payload.get("result_id") if isinstance(payload, dict) else None
    return str(found) if found is not None else None
