"""The tool-calling loop, driven by a scripted model."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from kopa_hf.agent.loop import AgentRun, run_agent
from kopa_hf.agent.models import ModelError
from kopa_hf.agent.session import Session
from kopa_hf.catalog.callables import tool_schema
from kopa_hf.catalog.registry import load_catalog
from tests.agent.fakes import OFFERED, SEARCH, Disclosures, ScriptedModel, calls, make_session, read, says

TOOLS = [tool_schema(load_catalog().get(name)) for name in OFFERED]
PROMPT = [{"role": "user", "content": "가온전자의 공시는 몇 건인가?"}]


def run(model: ScriptedModel, session: Session | None = None, **settings: Any) -> AgentRun:
    return asyncio.run(run_agent(model, PROMPT, TOOLS, session or make_session(), **settings))


def test_a_whole_conversation_ends_on_the_answer() -> None:
    model = ScriptedModel(
        calls((SEARCH, {"bgn_de": "20260101"})),
        calls(("collect_pages", {"result_id": "r1"})),
        calls(("reduce_records", {"result_id": "r2", "operation": "count"})),
        says("<think>25</think>모두 \\boxed{25}건이다."),
    )
    session = make_session(Disclosures(25))
    result = run(model, session)
    assert (result.stop, result.answer) == ("answer", "모두 \\boxed{25}건이다.")
    assert [m["role"] for m in result.messages] == ["user", *["assistant", "tool"] * 3, "assistant"]
    assert read(result.messages[6]["content"])["value"] == 25
    assert [call.step for call in session.calls] == [1, 2, 3]


def test_parallel_calls_are_one_step_and_answered_by_id() -> None:
    made = [("evaluate_expression", {"expression": str(n)}) for n in (1, 2)]
    model = ScriptedModel(calls(*made, ids=["b", "a"]), says("끝"))
    session = make_session()
    result = run(model, session)
    tool_messages = {m["tool_call_id"]: read(m["content"])["value"] for m in result.messages if m["role"] == "tool"}
    assert tool_messages == {"b": "1", "a": "2"}
    assert [(call.call_id, call.step) for call in session.calls] == [("b", 1), ("a", 1)]


def test_equal_ids_in_one_turn_are_told_apart_in_the_transcript() -> None:
    made = [("evaluate_expression", {"expression": str(n)}) for n in (1, 2)]
    result = run(ScriptedModel(calls(*made, ids=["x", "x"]), says("끝")))
    assistant = result.messages[1]
    assert [call["id"] for call in assistant["tool_calls"]] == ["x", "x#2"]
    assert [m["tool_call_id"] for m in result.messages[2:4]] == ["x", "x#2"]


def test_arguments_stand_as_objects_in_the_transcript() -> None:
    result = run(ScriptedModel(calls((SEARCH, '{"corp_code":"00126380"}')), says("끝")))
    assert result.messages[1]["tool_calls"][0]["function"]["arguments"] == {"corp_code": "00126380"}


def test_a_broken_call_is_answered_counted_and_not_executed() -> None:
    service = Disclosures()
    session = make_session(service)
    model = ScriptedModel(calls((SEARCH, "{"), ("get_current_date", "")), says("끝"))
    result = run(model, session)
    first, second = (read(m["content"]) for m in result.messages[2:4])
    assert first["error"]["outcome"] == "bad_param"
    assert second["value"] == "2026-01-30"
    assert [call.executed for call in session.calls] == [False, True]
    assert (service.requests, result.unparsable) == ([], 1)


def test_an_unreadable_turn_gets_an_error_back_and_the_model_another_try() -> None:
    model = ScriptedModel(says("<tool_call>{"), says("알 수 없다."))
    session = make_session()
    result = run(model, session)
    assert (result.stop, result.answer, result.unparsable) == ("answer", "알 수 없다.", 1)
    assert json.loads(model.seen[1][-1]["content"])["error"]["outcome"] == "unparsable"
    assert session.calls == []


def test_a_model_that_never_becomes_readable_is_stopped() -> None:
    result = run(ScriptedModel(*[says("<tool_call>{")] * 5))
    assert (result.stop, result.answer, len(result.turns)) == ("unparsable", None, 3)


def test_calls_in_the_content_are_executed_and_reported_apart() -> None:
    text = json.dumps({"name": "evaluate_expression", "arguments": {"expression": "1+1"}})
    session = make_session()
    result = run(ScriptedModel(says(text), says("2")), session)
    assert session.calls[0].result.value == "2"
    assert result.wrong_channel == 1


def test_an_empty_turn_ends_the_run_without_an_answer() -> None:
    result = run(ScriptedModel(says("<think>모르겠다</think>")))
    assert (result.stop, result.answer) == ("empty", None)


def test_a_model_that_calls_forever_is_stopped() -> None:
    model = ScriptedModel(*[calls(("get_current_date", ""))] * 4)
    session = make_session(max_allowed_calls=2)
    result = run(model, session, max_turns=4)
    assert (result.stop, result.answer) == ("max_turns", None)
    assert [call.executed for call in session.calls] == [True, True, False, False]


def test_a_fault_of_the_model_server_is_no_answer() -> None:
    with pytest.raises(ModelError) as caught:
        run(ScriptedModel(calls(("get_current_date", "")), ModelError("server", "down")))
    assert caught.value.kind == "server"


def test_the_prompt_itself_is_left_alone() -> None:
    before = json.dumps(PROMPT)
    run(ScriptedModel(says("끝")))
    assert json.dumps(PROMPT) == before


def test_a_model_that_calls_on_without_budget_gets_three_turns() -> None:
    model = ScriptedModel(*[calls(("get_current_date", ""))] * 9)
    session = make_session(max_allowed_calls=2)
    result = run(model, session)
    assert (result.stop, result.answer, len(result.turns)) == ("budget", None, 2 + 3)
    assert [call.executed for call in session.calls] == [True, True, False, False, False]


def test_an_answer_after_refused_turns_still_counts() -> None:
    model = ScriptedModel(*[calls(("get_current_date", ""))] * 3, says("모르겠다"))
    result = run(model, make_session(max_allowed_calls=1))
    assert (result.stop, result.answer) == ("answer", "모르겠다")


def test_of_very_many_calls_in_one_turn_64_are_answered_and_all_are_counted() -> None:
    model = ScriptedModel(calls(*[("get_current_date", "")] * 3000, ids=["x"] * 3000), says("끝"))
    session = make_session()
    result = run(model, session)
    assert result.stop == "answer"
    assert [message["role"] for message in result.messages] == ["user", "assistant", *["tool"] * 64, "assistant"]
    assert len(result.messages[1]["tool_calls"]) == 64
    assert sum(call.executed for call in session.calls) == 64
    assert len(session.calls) == len({call.call_id for call in session.calls}) == 3000
