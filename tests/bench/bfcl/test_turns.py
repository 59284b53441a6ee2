"""Entries of several turns: what they check, and the conversation a model has in them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.agent.models import Message, ModelError
from kopa_hf.bench.asking import Solved
from kopa_hf.bench.bfcl.backends import load_class
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.scoring import score
from kopa_hf.bench.bfcl.solving import MAX_STEPS, solve
from kopa_hf.bench.kept_answers import Run, go_on_from, read_results, result_line
from kopa_hf.errors import DataError
from tests.bench.bfcl.leaderboard import write


def call(name: str, **arguments: Any) -> dict[str, str]:
    return {name: json.dumps(arguments)}


MILK, COUNT = call("add_note", text="milk"), call("count_notes")


@pytest.mark.parametrize(
    ("turns", "error"),
    [
        ([[[MILK], "Done."], [[COUNT], "2."]], ""),
        ([[[MILK, COUNT]], [[COUNT]]], ""),
        ([[[call("count_notes")], [MILK]], [[COUNT]]], ""),
        ([[[MILK]], [[COUNT], [call("add_note", text="")]]], ""),  # an error changes nothing
        ([[[MILK]], ["2."]], "multi_turn:empty_turn_model_response"),
        ([[[MILK]], [[call("count", x=1)]]], "multi_turn:execution_response_mismatch"),
        ([[[call("add_note", text="beer")]], [[COUNT]]], "multi_turn:instance_state_mismatch"),
        ([[[MILK], [MILK]], [[COUNT]]], "multi_turn:instance_state_mismatch"),
        ([[[MILK]]], "multi_turn:force_terminated"),
        ("Done.", "multi_turn:inference_error"),
        ([[[{"add_note": '{"text": "milk"'}]], [[COUNT]]], "multi_turn:empty_turn_model_response"),
    ],
)
def test_what_turns_must_reach(entries: dict[str, Entry], root: Path, turns: Any, error: str) -> None:
    found = score(entries["multi_turn_base"], "fc", turns, root)
    assert found.strict.error == error
    assert found.typed.valid == (not error)


@pytest.mark.parametrize(
    "garbage", ["", "   ", "!?!! 7 7 7 ...", "\ufffd\x00\x1b[ab\ufffd", '<tool_call>{"name": "add_note", "arg']
)
def test_garbage_where_nothing_can_be_done_is_wrong_by_value(
    entries: dict[str, Entry], root: Path, garbage: str
) -> None:
    entry = entries["multi_turn_miss_func"]
    assert score(entry, "fc", [["That cannot be done yet."], [[MILK]], [[COUNT]]], root).typed.valid
    found = score(entry, "fc", [[garbage], [[MILK]], [[COUNT]]], root)
    assert (found.strict.valid, found.typed.valid) == (True, False)


def test_only_public_methods_of_the_apis_run(entries: dict[str, Entry], root: Path) -> None:
    harm = [call("_load_scenario", config={}), call("exit"), call("print", x=1), call("__init__")]
    assert score(entries["multi_turn_base"], "fc", [[[MILK], harm], [[COUNT]]], root).strict.valid


def test_a_text_that_names_a_function_is_altered_officially(entries: dict[str, Entry], root: Path) -> None:
    entry = entries["multi_turn_base"]
    told = Entry(**{**{f: getattr(entry, f) for f in Entry.__dataclass_fields__}, "gold": (["add_note('count_notes(x)')"], [])})  # fmt: skip
    found = score(told, "fc", [[[call("add_note", text="count_notes(x)")]], ["Nothing to do."]], root)
    assert (found.strict.error, found.typed.valid) == ("multi_turn:instance_state_mismatch", True)


@pytest.mark.parametrize(
    ("last", "typed"), [("I need the function for notes.", True), ("", False), ('<tool_call>{"na', False)]
)
def test_a_broken_call_is_no_sign_of_something_missing(
    entries: dict[str, Entry], root: Path, last: str, typed: bool
) -> None:
    found = score(entries["multi_turn_miss_func"], "fc", [[last], [[MILK]], [[COUNT]]], root)
    assert (found.strict.valid, found.typed.valid) == (True, typed)


def test_apis_come_from_the_folder_that_was_named(tmp_path: Path, root: Path) -> None:
    load_class(root, "MessageAPI")
    write(tmp_path)
    with pytest.raises(DataError, match="already loaded from"):
        load_class(tmp_path, "MessageAPI")


class Scripted:
    """Says its lines one after the other and keeps what it was shown."""

    def __init__(self, lines: Sequence[Message | str]) -> None:
        self.lines = list(lines)
        self.seen: list[list[Message]] = []
        self.tools: list[list[str]] = []

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        self.seen.append([dict(message) for message in messages])
        self.tools.append([tool["function"]["name"] for tool in tools])
        line = self.lines.pop(0) if len(self.lines) > 1 else self.lines[0]
        if line == "context":
            raise ModelError("context", "too long")
        return {"role": "assistant", "content": line} if isinstance(line, str) else line


def issued(*calls: dict[str, str]) -> Message:
    shown = [
        {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": text}}
        for number, one in enumerate(calls)
        for name, text in one.items()
    ]
    return {"role": "assistant", "content": None, "tool_calls": shown}


def solved(entry: Entry, model: Scripted, mode: Any, root: Path | None = None) -> Solved:
    return asyncio.run(solve(entry, model, mode, root))


def test_calls_and_results_go_back_and_forth(entries: dict[str, Entry], root: Path) -> None:
    model = Scripted([issued(MILK), "Noted.", issued(COUNT), "Two."])
    found = solved(entries["multi_turn_base"], model, "fc", root)
    assert found == Solved([[[MILK], "Noted."], [[COUNT], "Two."]])
    roles = [message["role"] for message in model.seen[-1]]
    assert roles == ["user", "assistant", "tool", "assistant", "user", "assistant", "tool"]
    assert model.seen[-1][2]["content"] == '{"notes": 2}'
    assert model.seen[-1][-1] == {
        "role": "tool",
        "tool_call_id": "c0",
        "name": "count_notes",
        "content": '{"count": 2}',
    }
    assert score(entries["multi_turn_base"], "fc", found.result, root).typed.valid


def test_prompting_has_functions_in_the_system_prompt_and_results_in_a_user_message(
    entries: dict[str, Entry], root: Path
) -> None:
    model = Scripted(["[add_note(text='milk')]", "Noted.", "[count_notes()]", "Two."])
    found = solved(entries["multi_turn_base"], model, "prompt", root)
    assert model.tools == [[]] * 4
    assert "add_note" in model.seen[0][0]["content"]
    assert model.seen[1][-1] == {
        "role": "user",
        "content": """[{'role': 'tool', 'name': "add_note(text='milk')", 'content': '{"notes": 2}'}]""",
    }
    assert score(entries["multi_turn_base"], "prompt", found.result, root).typed.valid


def test_a_function_that_was_held_back_is_offered_in_its_turn(entries: dict[str, Entry], root: Path) -> None:
    model = Scripted(["There is no function for that.", issued(MILK), "Noted.", issued(COUNT), "Two."])
    found = solved(entries["multi_turn_miss_func"], model, "fc", root)
    assert model.tools[0] == ["count_notes"]
    assert model.tools[1] == ["count_notes", "add_note"]
    assert model.seen[1][-1]["content"] == "I have updated some more functions you can choose from. What about now?"
    assert score(entries["multi_turn_miss_func"], "fc", found.result, root).typed.valid


def test_a_model_that_never_stops_calling_is_stopped(entries: dict[str, Entry], root: Path) -> None:
    found = solved(entries["multi_turn_base"], Scripted([issued(COUNT)]), "fc", root)
    assert found.notes == ("step_limit",)
    assert [len(steps) for steps in found.result] == [MAX_STEPS + 1]
    assert score(entries["multi_turn_base"], "fc", found.result, root).strict.error == "multi_turn:force_terminated"


def test_a_conversation_that_no_longer_fits_is_the_models_own(entries: dict[str, Entry], root: Path) -> None:
    found = solved(entries["multi_turn_base"], Scripted([issued(MILK), "context"]), "fc", root)
    assert found.notes == ("context",)
    with pytest.raises(ModelError):
        solved(entries["multi_turn_base"], Scripted(["context"]), "fc", root)


def test_broken_argument_text_goes_back_as_it_was(entries: dict[str, Entry], root: Path) -> None:
    broken = {"add_note": '{"text": "milk"'}
    found = solved(entries["multi_turn_base"], Scripted([issued(broken), issued(COUNT), "Two."]), "fc", root)
    assert found.result == [[[broken]], [[COUNT], "Two."]]


def test_thinking_is_no_part_of_an_answer(entries: dict[str, Entry]) -> None:
    found = solved(entries["simple_python"], Scripted(["<think>[f(x=1)]</think>[weather.get(city='Seoul')]"]), "prompt")
    assert found.result == "[weather.get(city='Seoul')]"


def test_results_go_on_where_they_stopped(tmp_path: Path, entries: dict[str, Entry]) -> None:
    run = Run("m", "fc", "abc", {})
    path = tmp_path / "results.jsonl"
    # a sign that ends a line elsewhere ends none here
    whole = json.dumps(result_line(run, entries["parallel"], "x\u2028y\x85", ()), ensure_ascii=False) + "\n"
    path.write_text(whole + whole[:40], encoding="utf-8")
    assert go_on_from(path, run) == {"parallel_0"}
    assert path.read_text(encoding="utf-8") == whole
    assert [line["result"] for line in read_results(path)] == ["x\u2028y\x85"]
    with pytest.raises(DataError, match="another run: mode 'fc' there, 'prompt' now"):
        go_on_from(path, Run("m", "prompt", "abc", {}))
