"""Scripted solvers with known scores: what proves that the benchmark measures.

`gold` must get everything, every baseline nothing, `first_page_only` must fail
exactly where all pages are needed and `skip_lookup` exactly where something must
be looked up first. None of them uses a model.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Protocol

from kopa_hf.agent.session import Session
from kopa_hf.bench.actions import tool_schemas
from kopa_hf.bench.expressions import ProgramError, as_decimal, plain_number
from kopa_hf.bench.golden import WRITING_TOOLS
from kopa_hf.bench.program import ProgramRun, run_program
from kopa_hf.bench.program import Session as ProgramSession
from kopa_hf.bench.rendering import final_sentence
from kopa_hf.bench.rows import Row
from kopa_hf.bench.scoring import needs_all_pages, prerequisites
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.result import CallResult

_NUMBER: Final = r"\d+(?:,\d{3})*(?:\.\d+)?"


class Policy(Protocol):
    """Anything that works through one task in a session and gives its final answer."""

    @property
    def name(self) -> str: ...

    def run(self, row: Row, session: Session) -> str | None:
        """The final answer's text, or None for none."""


@dataclass(frozen=True, slots=True)
class ScriptedPolicy:
    """A policy made of one function."""

    name: str
    act: Callable[[Row, Session], str | None]

    def run(self, row: Row, session: Session) -> str | None:
        """Carry the script out."""
        return self.act(row, session)


def baselines(rows: Sequence[Row]) -> list[Policy]:
    """Policies that must score 0 on every task; the most frequent answer needs all rows."""
    return [*ZERO_POLICIES, most_frequent_answer(rows)]


def most_frequent_answer(rows: Iterable[Row]) -> Policy:
    """Always says what most tasks have as their answer."""
    counts = Counter(row.answer for row in rows if row.answer)
    answer = counts.most_common(1)[0][0] if counts else ""
    return ScriptedPolicy("most_frequent_answer", lambda row, session: f"답은 {answer}입니다. \\boxed{{{answer}}}")


def shortcuts(row: Row) -> list[Policy]:
    """The failure modes that this row is built to catch; an instance on which one succeeds proves nothing."""
    modes = [(FIRST_PAGE_ONLY, needs_all_pages(row)), (SKIP_LOOKUP, bool(prerequisites(row)))]
    return [policy for policy, built_for in modes if built_for]


# sessions that stand between a program and the real one


@dataclass(slots=True)
class _Seen:
    """What a program is shown of one call; the session may not have made it."""

    result: CallResult
    text: str
    result_id: str | None


class _Shim:
    """A session that makes only the calls its subclass lets through."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.calls: list[_Seen] = []

    @property
    def episode(self) -> Episode:
        return self.session.episode

    def call(
        self, name: str, arguments: dict[str, Any] | str, *, call_id: str | None = None, step: int | None = None
    ) -> str:
        seen = self.instead(name, arguments if isinstance(arguments, dict) else {})
        if seen is None:
            text = self.session.call(name, arguments, call_id=call_id, step=step)
            made = self.session.calls[-1]
            seen = _Seen(made.result, text, made.result_id)
        self.calls.append(seen)
        return seen.text

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        """What the program sees in place of the call; None: make it."""
        raise AssertionError("subclasses decide")


class _FirstPage(_Shim):
    """`collect_pages` is not called: the first page is taken for the whole."""

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        if name != "collect_pages":
            return None
        return next((seen for seen in self.calls if seen.result_id == arguments.get("result_id")), None)


class _Guess(dict[str, Any]):
    """A record whose every field holds the same guess."""

    def __init__(self, guess: str) -> None:
        super().__init__()
        self.guess = guess

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> str:
        return self.guess

    def get(self, key: str, default: Any = None) -> Any:
        return self.guess


class _NoLookup(_Shim):
    """Prerequisite lookups are not made: the name that the question gives stands in for the code."""

    def __init__(self, session: Session, skipped: Sequence[str]) -> None:
        super().__init__(session)
        self.skipped = frozenset(skipped)

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        if name not in self.skipped:
            return None
        guess = next((str(value) for value in arguments.values()), "")
        result = CallResult(tool=name, arguments=arguments, outcome="ok", records=[_Guess(guess)], value=guess)
        return _Seen(result, "{}", None)


class _ReadsOnly(_Shim):
    """Nothing is written."""

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        if name not in WRITING_TOOLS:
            return None
        return _Seen(CallResult(tool=name, arguments=arguments, outcome="ok", value="not written"), "{}", None)


class _ChangedWrite(_Shim):
    """The last write goes out with one argument changed."""

    def __init__(self, session: Session, row: Row) -> None:
        super().__init__(session)
        self.left = sum(action["name"] in WRITING_TOOLS for action in row.golden_actions)
        self.schemas = tool_schemas(row)

    def call(
        self, name: str, arguments: dict[str, Any] | str, *, call_id: str | None = None, step: int | None = None
    ) -> str:
        if name in WRITING_TOOLS and isinstance(arguments, dict):
            self.left -= 1
            if self.left == 0:
                arguments = self._changed(name, arguments)
        return super().call(name, arguments, call_id=call_id, step=step)

    def _changed(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        changed = dict(arguments)
        for key, value in reversed(arguments.items()):
            options = self.schemas.get(name, {}).get("properties", {}).get(key, {}).get("enum")
            if options:
                changed[key] = next(option for option in options if option != value)
                return changed
            if isinstance(value, list) and value and isinstance(value[-1], dict):
                last = dict(value[-1])
                column = next(reversed(last))
                last[column] = _altered(str(last[column]))
                changed[key] = [*value[:-1], last]
                return changed
        key = next(reversed(arguments))
        changed[key] = _altered(str(arguments[key]))
        return changed

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        return None


# scripts


def _solve(row: Row, session: ProgramSession) -> tuple[str | None, ProgramRun | None]:
    """The golden program in this session; no answer where it cannot be carried through."""
    try:
        run = run_program(row.program, session)
    except ProgramError:
        return None, None
    if row.answer_type in ("ask", "judge", "no_data"):
        return str(row.completion[-1]["content"]) if row.completion else _plain_reply(row, run), run
    return _plain_reply(row, run), run


def _plain_reply(row: Row, run: ProgramRun) -> str:
    return final_sentence(run, row.answer_type, row.answer_unit, "", row.program.get("terms") or ())


def _gold(row: Row, session: Session) -> str | None:
    return _solve(row, session)[0]


def _null(row: Row, session: Session) -> str | None:
    return None


def _first_page_only(row: Row, session: Session) -> str | None:
    return _solve(row, _FirstPage(session))[0]


def _skip_lookup(row: Row, session: Session) -> str | None:
    return _solve(row, _NoLookup(session, prerequisites(row)))[0]


def _refuse(row: Row, session: Session) -> str:
    return "죄송합니다. 해당 요청에는 답변드릴 수 없습니다."


def _every_tool_once(row: Row, session: Session) -> str:
    for name, schema in tool_schemas(row).items():
        properties = schema.get("properties", {})
        session.call(name, {arg: _filler(properties.get(arg, {})) for arg in schema.get("required", ())})
    return "모든 도구를 한 번씩 호출했습니다."


def _filler(schema: dict[str, Any]) -> Any:
    """Some value of the declared type."""
    if schema.get("enum"):
        return schema["enum"][0]
    return {"integer": 1, "number": 1, "boolean": True, "array": [{"값": "1"}], "object": {}}.get(
        schema.get("type", "string"), "1"
    )


def _echo_numbers(row: Row, session: Session) -> str:
    numbers = re.findall(_NUMBER, str(row.prompt[-1]["content"]))
    return f"답은 {', '.join(numbers)}입니다. \\boxed{{{numbers[-1] if numbers else ''}}}"


def _list_everything(row: Row, session: Session) -> str:
    """The golden reads, and then every value that any of them, or the question, brought."""
    _solve(row, _ReadsOnly(session))
    records = [record for call in session.calls for record in call.result.records]
    values = dict.fromkeys(str(value) for record in records for value in record.values() if value is not None)
    alone = [str(call.result.value) for call in session.calls if call.result.value is not None]
    asked = re.findall(_NUMBER, str(row.prompt[-1]["content"]))
    return f"조회한 값은 {', '.join([*values, *alone, *asked, '예', '아니오'])}입니다."


def _always(text: str) -> Callable[[Row, Session], str]:
    return lambda row, session: text


def _wrong_number(row: Row, session: Session) -> str | None:
    """Golden calls and a wrong answer; where only the state counts, golden calls with one write changed."""
    if "RESPONSE" not in row.reward_basis:
        return _solve(row, _ChangedWrite(session, row))[0]
    answer, run = _solve(row, session)
    if answer is None or run is None:
        return None
    if row.answer_type in ("ask", "no_data", "judge"):
        return "답은 7입니다. \\boxed{7}"
    if row.answer_type in ("set", "list"):
        items = json.loads(row.answer)
        return f"답은 다음과 같습니다. \\boxed{{{', '.join([*items[:-1], _altered(items[-1])])}}}"
    if row.answer_type == "boolean":
        deciding = _altered(str(row.program.get("deciding_value") or "1"))
        return f"답은 {row.answer}입니다. \\boxed{{{row.answer}, {deciding}}}"
    altered = _altered(row.answer)
    return f"답은 {altered}입니다. \\boxed{{{altered}{row.answer_unit}}}"


def _altered(text: str) -> str:
    """Another value of the same kind: one more, a digit changed, a word reversed."""
    number = as_decimal(text)
    if number is not None and not (text.startswith("0") and len(text) > 1 and text.isdigit()):
        return plain_number(number + Decimal(1))
    if text and text[-1].isdigit():
        return text[:-1] + str((int(text[-1]) + 1) % 10)
    return text[::-1] if text != text[::-1] else text + "가"


def _gold_and_one_read(row: Row, session: Session) -> str | None:
    """The golden path and one more read: still right, less efficient."""
    answer, run = _solve(row, session)
    schemas = tool_schemas(row)
    reads = [call for call in (run.calls if run else []) if call.name not in WRITING_TOOLS]
    if "get_current_date" in schemas:
        session.call("get_current_date", {})
    elif reads:
        session.call(reads[0].name, reads[0].arguments)
    else:
        name = next(name for name in schemas if name not in WRITING_TOOLS)
        session.call(
            name, {arg: _filler(schemas[name]["properties"][arg]) for arg in schemas[name].get("required", ())}
        )
    return answer


GOLD: Final[Policy] = ScriptedPolicy("gold", _gold)
NULL: Final[Policy] = ScriptedPolicy("null", _null)
FIRST_PAGE_ONLY: Final[Policy] = ScriptedPolicy("first_page_only", _first_page_only)
SKIP_LOOKUP: Final[Policy] = ScriptedPolicy("skip_lookup", _skip_lookup)
GOLD_AND_ONE_READ: Final[Policy] = ScriptedPolicy("gold_and_one_read", _gold_and_one_read)

ZERO_POLICIES: Final[tuple[Policy, ...]] = (
    NULL,
    ScriptedPolicy("fixed_refusal", _refuse),
    ScriptedPolicy("every_tool_once", _every_tool_once),
    ScriptedPolicy("echo_numbers", _echo_numbers),
    ScriptedPolicy("list_everything", _list_everything),
    ScriptedPolicy("always_yes", _always("예. \\boxed{예}")),
    ScriptedPolicy("always_no", _always("아니오. \\boxed{아니오}")),
    ScriptedPolicy("always_no_data", _always("해당하는 자료가 없습니다. \\boxed{자료 없음}")),
    ScriptedPolicy("wrong_number", _wrong_number),
)
"""Policies that must score 0 on every task, whatever the data."""

POLICIES: Final[dict[str, Policy]] = {
    policy.name: policy for policy in (GOLD, GOLD_AND_ONE_READ, FIRST_PAGE_ONLY, SKIP_LOOKUP, *ZERO_POLICIES)
}
"""All by name, in the order of the table."""
