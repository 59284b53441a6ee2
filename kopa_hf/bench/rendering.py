"""From a program to a row: the golden path is executed, and what it did becomes the columns.

Two executions make one row. The first gives the answer and with it the row's id;
the second runs in an episode seeded with that id, as every later rollout will,
and gives the golden conversation and the state to reach. They must agree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from kopa_hf.agent.session import Session
from kopa_hf.bench.expressions import ProgramError
from kopa_hf.bench.korean import fill
from kopa_hf.bench.program import ProgramRun, answer_text, run_program
from kopa_hf.bench.rows import Message, Row, row_id, toolset_key, validate_row
from kopa_hf.catalog.callables import tool_schema
from kopa_hf.catalog.tool import Tool
from kopa_hf.execution.cells import read_date
from kopa_hf.execution.executor import Executor

SYSTEM_PROMPT: Final = (
    "너는 한국 공공데이터 API를 호출해 질문에 답하는 도우미이다. 도구의 결과에 근거해서만 답한다. "
    "서로 기다릴 필요가 없는 호출은 한 번에 함께 한다. 결과에 next_page가 있으면 아직 보지 못한 행이 남은 것이다. "
    "최종 답은 한국어로 쓰고, 답이 되는 값은 마지막에 \\boxed{} 안에 한 번만 적는다. 값이 여럿이면 쉼표로 나눈다. "
    "예/아니오로 답할 때는 \\boxed{예, 판단의 근거가 된 값}처럼 적는다. 자료가 없으면 \\boxed{자료 없음}이라고 적는다. "
    "답하는 데 꼭 필요한 정보가 질문에 빠져 있으면 추측하지 말고 무엇이 필요한지 되묻는다."
)


_DAY_ONLY: Final = 10
_PLAIN_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")
CALLS_WITHOUT_GOLD: Final = 5
"""`max_allowed_calls` of a task whose golden path has no call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPlan:
    """Everything of a row that is not found by executing it."""

    question: str
    """The user's turn, slots filled."""
    tools: Sequence[str]
    """Names of the offered tools, in the order a model sees them."""
    program: Mapping[str, Any]
    """With its `slots`; see `bench.program`."""
    answer_type: str
    answer_unit: str = ""
    reply: str = ""
    """The golden final sentence, `{answer}` and `{deciding}` in it; empty: a plain one."""
    written_out: bool = False
    """The sentence says numbers with separators and days as people write them; the box holds the plain value anyway."""
    reward_basis: Sequence[str] = ("RESPONSE",)
    system_state: Mapping[str, Any] = field(default_factory=dict)
    headroom: float = 2.45
    """`max_allowed_calls` over golden calls, rounded up."""
    structure: str = "SEQ"
    domain: str = ""
    version: str = "0.1"
    license: str = "CC-BY-4.0"
    provenance: Mapping[str, Any] = field(default_factory=dict)
    system_prompt: str = SYSTEM_PROMPT


def render_row(plan: RowPlan, executor: Executor, *, token_budget: int = 2000) -> Row:
    """Execute the plan's program twice and return its row; raises `ProgramError` where it cannot be settled."""
    tools = [executor.catalog.get(name) for name in plan.tools]
    first = _execute(plan, executor, tools, "", token_budget)
    content = _content(plan, executor, tools, first)
    identity = row_id(content)
    second = _execute(plan, executor, tools, identity, token_budget)
    if (second.golden_actions, second.answer) != (first.golden_actions, first.answer):
        raise ProgramError("Two executions of the golden path disagree; the backend is not deterministic here.")
    row = Row(
        **content,
        id=identity,
        completion=conversation(second, _reply(plan, second)),
        program=_cached_program(plan, tools, second),
        structure=plan.structure,
        hops=second.hops,
        domain=plan.domain,
        platforms=_platforms(executor, second),
        version=plan.version,
        license=plan.license,
        provenance={**executor.provenance, **plan.provenance},
    )
    validate_row(row)
    return row


def conversation(run: ProgramRun, reply: str) -> list[Message]:
    """Assistant turns (one per step), tool results and the final answer, as a trainer reads them."""
    messages: list[Message] = []
    for step in dict.fromkeys(call.step for call in run.calls):
        calls = [call for call in run.calls if call.step == step]
        issued = [
            {"id": c.call_id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}} for c in calls
        ]
        messages.append({"role": "assistant", "content": "", "tool_calls": issued})
        messages += [{"role": "tool", "content": c.text, "tool_call_id": c.call_id, "name": c.name} for c in calls]
    messages.append({"role": "assistant", "content": reply})
    return messages


def final_sentence(
    run: ProgramRun, answer_type: str, unit: str, reply: str, terms: Sequence[Any] = (), *, written_out: bool = False
) -> str:
    """The golden answer: the reply with its values, and the value boxed where one is due."""
    if answer_type == "ask":
        named = terms[0][0] if terms and isinstance(terms[0], list) else (terms or ["필요한 정보"])[0]
        return reply or f"어떤 {named}인지 알려 주세요."
    if answer_type == "no_data":
        return f"{reply or '조회했지만 해당하는 자료가 없습니다.'} \\boxed{{자료 없음}}"
    if answer_type == "judge":
        return fill(reply, {"answer": "" if run.answer is None else _spoken(run.answer, unit), "deciding": ""})
    answer = _spoken(run.answer, unit)
    deciding = "" if run.deciding is None else _spoken(run.deciding, "")
    inside = f"{answer}, {deciding}" if deciding else answer
    said = _written_out(run.answer, answer_type, unit) if written_out else answer
    values = {"answer": said, "deciding": deciding}
    return f"{fill(reply, values) if reply else f'답은 {answer}입니다.'} \\boxed{{{inside}}}"


def _execute(plan: RowPlan, executor: Executor, tools: Sequence[Tool], seed: str, token_budget: int) -> ProgramRun:
    session = Session(
        executor, tools, system_state=plan.system_state, seed=seed, token_budget=token_budget, stream="golden"
    )
    return run_program(plan.program, session)


def _content(plan: RowPlan, executor: Executor, tools: Sequence[Tool], run: ProgramRun) -> dict[str, Any]:
    """The columns that an id is made from."""
    return {
        "prompt": [
            {"role": "system", "content": plan.system_prompt},
            {"role": "user", "content": plan.question},
        ],
        "tools": [tool_schema(tool) for tool in tools],
        "environment": toolset_key(plan.tools),
        "answer": answer_text(run.answer, plan.answer_type),
        "answer_type": plan.answer_type,
        "answer_unit": plan.answer_unit,
        "reward_basis": list(plan.reward_basis),
        "golden_actions": run.golden_actions,
        "system_state": dict(plan.system_state),
        "max_allowed_calls": _allowed_calls(plan.headroom, len(run.calls)),
    }


def _allowed_calls(headroom: float, golden: int) -> int:
    """Headroom times golden calls, rounded up; a task that asks back leaves room to look around first."""
    return max(math.ceil(headroom * golden), golden + 1) if golden else CALLS_WITHOUT_GOLD


def _cached_program(plan: RowPlan, tools: Sequence[Tool], run: ProgramRun) -> dict[str, Any]:
    """The program, with what scoring would otherwise have to execute it for."""
    deciding = None if run.deciding is None else answer_text(run.deciding, plan.program.get("deciding_kind", "number"))
    # an open answer is judged beside the golden one, which logs do not keep
    reference = {"reference": _reply(plan, run)} if plan.answer_type == "judge" else {}
    empty = [index for index, call in enumerate(run.calls) if call.result.outcome == "no_data"]
    return {
        "deciding": None,
        "terms": [],
        **plan.program,
        **reference,
        "deciding_value": deciding,
        "decisive": empty,
        "results": {call.result_id: call.name for call in run.calls if call.result_id is not None},
        "writes": [tool.name for tool in tools if not tool.read],
        "state_hash": run.session.episode.state_hash(),
    }


def _reply(plan: RowPlan, run: ProgramRun) -> str:
    terms = plan.program.get("terms") or ()
    written = plan.written_out
    return final_sentence(run, plan.answer_type, plan.answer_unit, plan.reply, terms, written_out=written)


def _platforms(executor: Executor, run: ProgramRun) -> list[str]:
    """Platforms that the golden path calls, in order; local tools are none."""
    names = [executor.catalog.get(call.name).platform for call in run.calls]
    return [name for name in dict.fromkeys(names) if name != "local"]


def _spoken(value: Any, unit: str) -> str:
    if isinstance(value, list):
        return ", ".join(_spoken(item, unit) for item in value)
    return answer_text(value, "text") + unit


def _written_out(value: Any, answer_type: str, unit: str) -> str:
    """A value as people write it in a sentence: 1,680원, 2026년 1월 5일; whatever is neither stays as it is."""
    if isinstance(value, list):
        return ", ".join(_written_out(item, answer_type, unit) for item in value)
    text = answer_text(value, "text")
    if answer_type == "date":
        day = read_date(text)
        if day is None or len(text) > _DAY_ONLY:
            return text
        year, month, number = day[:10].split("-")
        return f"{year}년 {int(month)}월 {int(number)}일"
    number_like = answer_type in ("number", "amount") and _PLAIN_NUMBER.fullmatch(text)
    return (f"{Decimal(text):,f}" if number_like else text) + unit
