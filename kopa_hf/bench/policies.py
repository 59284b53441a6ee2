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
from typing import Any, Final, Protocol

from kopa_hf.agent.session import Session
from kopa_hf.bench.actions import tool_schemas
from kopa_hf.bench.expressions import ProgramError
from kopa_hf.bench.golden import WRITING_TOOLS
from kopa_hf.bench.program import ProgramRun, run_program
from kopa_hf.bench.program import Session as ProgramSession
from kopa_hf.bench.rendering import final_sentence
from kopa_hf.bench.rows import Row
from kopa_hf.bench.scoring import needs_all_pages, prerequisites
from kopa_hf.bench.shims import ChangedWrite, FirstPage, FirstStep, NoLookup, ReadsOnly, TwoPages, altered

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
    return _solve(row, FirstPage(session))[0]


def _two_pages_only(row: Row, session: Session) -> str | None:
    return _solve(row, TwoPages(session))[0]


def _first_step_only(row: Row, session: Session) -> str | None:
    return _solve(row, FirstStep(session))[0]


def _skip_lookup(row: Row, session: Session) -> str | None:
    return _solve(row, NoLookup(session, prerequisites(row)))[0]


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
    _solve(row, ReadsOnly(session))
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
        return _solve(row, ChangedWrite(session, row))[0]
    answer, run = _solve(row, session)
    if answer is None or run is None:
        return None
    if row.answer_type in ("ask", "no_data", "judge"):
        return "답은 7입니다. \\boxed{7}"
    if row.answer_type in ("set", "list"):
        items = json.loads(row.answer)
        return f"답은 다음과 같습니다. \\boxed{{{', '.join([*items[:-1], altered(items[-1])])}}}"
    if row.answer_type == "boolean":
        deciding = altered(str(row.program.get("deciding_value") or "1"))
        return f"답은 {row.answer}입니다. \\boxed{{{row.answer}, {deciding}}}"
    wrong = altered(row.answer)
    return f"답은 {wrong}입니다. \\boxed{{{wrong}{row.answer_unit}}}"


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
TWO_PAGES_ONLY: Final[Policy] = ScriptedPolicy("two_pages_only", _two_pages_only)
FIRST_STEP_ONLY: Final[Policy] = ScriptedPolicy("first_step_only", _first_step_only)
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

LADDER: Final[tuple[Policy, ...]] = (NULL, FIRST_STEP_ONLY, SKIP_LOOKUP, FIRST_PAGE_ONLY, TWO_PAGES_ONLY, GOLD)
"""Policies of rising skill: a benchmark that tells agents apart gives each more than the one before."""

POLICIES: Final[dict[str, Policy]] = {
    policy.name: policy for policy in (GOLD, GOLD_AND_ONE_READ, *LADDER[-2:0:-1], *ZERO_POLICIES)
}
"""All by name, in the order of the table."""
