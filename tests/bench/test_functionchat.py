"""FunctionChat-Bench's layout, with items invented here, and what is scored of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.agent.models import Message, ModelError
from kopa_hf.bench.asking import answers
from kopa_hf.bench.functionchat import Item, ItemAgent, Tally, fingerprint, load_items, tally
from kopa_hf.errors import DataError
from tests.cli.conftest import run_kopa

WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "한 지역의 날씨",
        "parameters": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
    },
}
CLOCK = {"type": "function", "function": {"name": "clock", "description": "지금 시각", "parameters": {}}}


def called(name: str, **arguments: Any) -> Message:
    function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]}


@pytest.fixture
def items(tmp_path: Path) -> list[Item]:
    single = {
        "query": [{"serial_num": 1, "content": "가온시 날씨 알려줘"}, {"serial_num": 2, "content": "몇 시야?"}],
        "ground_truth": [
            {"serial_num": 1, "content": json.dumps({"name": "weather", "arguments": '{"place": "가온시"}'})},
            {"serial_num": 2, "content": json.dumps({"name": "clock", "arguments": "{}"})},
        ],
        "acceptable_arguments": [
            {"serial_num": 1, "content": '{"place": ["가온", "Gaon"]}'},
            {"serial_num": 2, "content": None},
        ],
        "tools": [{"type": "exact", "content": [WEATHER, CLOCK]}],
    }
    decision = {
        "serial_num": "7",
        "input_messages": [{"role": "user", "content": "날씨 알려줘"}],
        "input_tools": [WEATHER],
        "type_of_output": "slot",
        "ground_truth": {"role": "assistant", "content": "어느 지역의 날씨를 알려드릴까요?"},
        "acceptable_arguments": None,
    }
    turn = {
        "serial_num": 9,
        "query": [{"role": "user", "content": "시각은?"}],
        "acceptable_arguments": "Only ground truth is allowed.",
    }
    dialog = {
        "tools": [CLOCK],
        "turns": [
            {**turn, "type_of_output": "call", "ground_truth": called("clock")},
            {**turn, "type_of_output": "completion", "ground_truth": {"role": "assistant", "content": "3시입니다."}},
        ],
    }
    for name, record in (("Singlecall", single), ("CallDecision", decision), ("Dialog", dialog)):
        (tmp_path / f"FunctionChat-{name}.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    return load_items(tmp_path)


class Answers:
    """Says one thing per question."""

    def __init__(self, said: Mapping[str, Message | str]) -> None:
        self.said = said

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        reply = self.said[messages[-1]["content"]]
        if reply == "down":
            raise ModelError("server", "down")
        return {"role": "assistant", "content": reply} if isinstance(reply, str) else reply


def run_items(model: Answers, items: Sequence[Item]) -> dict[str, Tally]:
    """Ask every item, and count."""
    found = answers(ItemAgent(model), items)
    kept = {one.entry.id: one.solved.result for one in found if one.solved is not None}
    return tally(items, kept, {one.entry.id for one in found if one.solved is None})


RIGHT: dict[str, Message | str] = {
    "가온시 날씨 알려줘": called("weather", place="Gaon"),
    "몇 시야?": called("clock"),
    "날씨 알려줘": "어느 지역인가요?",
    "시각은?": called("clock"),
}


def test_what_only_reports_a_result_is_left_out(items: list[Item]) -> None:
    assert [item.group for item in items] == ["singlecall exact"] * 2 + ["calldecision slot", "dialog call"]


def test_accepted_values_and_questions_back_are_right(items: list[Item]) -> None:
    assert run_items(Answers(RIGHT), items) == {
        "singlecall exact": Tally(2, 2), "calldecision slot": Tally(1, 1), "dialog call": Tally(1, 1),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("question", "said", "group"),
    [
        ("가온시 날씨 알려줘", called("weather", place="나래시"), "singlecall exact"),
        ("가온시 날씨 알려줘", called("weather"), "singlecall exact"),
        ("몇 시야?", called("clock", zone="KST"), "singlecall exact"),
        ("몇 시야?", "3시입니다.", "singlecall exact"),
        ("날씨 알려줘", called("weather", place="가온시"), "calldecision slot"),
        ("날씨 알려줘", '<tool_call>{"name": "weather", "argu', "calldecision slot"),
        ("날씨 알려줘", "", "calldecision slot"),
        ("날씨 알려줘", "!?!! 7 7 7 ...", "calldecision slot"),
        ("날씨 알려줘", "\ufffd\x00\x1b[ab\ufffd", "calldecision slot"),
    ],
)
def test_what_is_wrong(items: list[Item], question: str, said: Any, group: str) -> None:
    found = run_items(Answers({**RIGHT, question: said}), items)
    assert {name: one.total - one.right for name, one in found.items() if one.right < one.total} == {group: 1}


def test_an_empty_list_is_right_only_where_it_is_accepted(tmp_path: Path) -> None:
    parameters = {"type": "object", "properties": {"days": {"type": "array", "items": {"type": "integer"}}}}
    tool = {"type": "function", "function": {"name": "plan", "description": "일정", "parameters": parameters}}
    record = {
        "query": [{"serial_num": number, "content": f"{number}번"} for number in (1, 2)],
        "ground_truth": [
            {"serial_num": number, "content": json.dumps({"name": "plan", "arguments": '{"days": [1, 2]}'})}
            for number in (1, 2)
        ],
        "acceptable_arguments": [{"serial_num": 1, "content": None}, {"serial_num": 2, "content": '{"days": []}'}],
        "tools": [{"type": "exact", "content": [tool]}],
    }
    (tmp_path / "FunctionChat-Singlecall.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    found = load_items(tmp_path)
    assert (
        run_items(Answers(dict.fromkeys(("1번", "2번"), called("plan", days=[1, 2]))), found)["singlecall exact"].right
        == 2
    )
    nothing = Answers(dict.fromkeys(("1번", "2번"), called("plan", days=[])))
    assert run_items(nothing, found[:1])["singlecall exact"] == Tally(0, 1)
    assert run_items(nothing, found[1:])["singlecall exact"] == Tally(1, 1)


def test_a_failing_server_is_in_no_rate(items: list[Item]) -> None:
    assert run_items(Answers({**RIGHT, "몇 시야?": "down"}), items)["singlecall exact"] == Tally(1, 1, 1)
    unexpected = {question: said for question, said in RIGHT.items() if question != "몇 시야?"}
    assert run_items(Answers(unexpected), items)["singlecall exact"] == Tally(1, 1, 1), "a KeyError costs its item only"


def test_items_of_one_number_are_told_apart_and_the_data_has_a_print(items: list[Item], tmp_path: Path) -> None:
    before = fingerprint(tmp_path)
    path = tmp_path / "FunctionChat-CallDecision.jsonl"
    path.write_text(path.read_text(encoding="utf-8") * 2, encoding="utf-8")
    ids = [item.id for item in load_items(tmp_path) if item.group == "calldecision slot"]
    assert ids == ["calldecision 7", "calldecision 7 #2"]
    assert fingerprint(tmp_path) != before


class Served(Answers):
    """A model with a name and settings, as a server gives it; says what it was asked."""

    name = "m"

    def __init__(self, said: Mapping[str, Message | str], asked: list[str], settings: dict[str, Any]) -> None:
        super().__init__(said)
        self.asked, self.settings = asked, settings

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        self.asked.append(messages[-1]["content"])
        if self.said[messages[-1]["content"]] == "stop":
            raise KeyboardInterrupt
        return await super().complete(messages, tools)

    def with_seed(self, seed: int) -> Served:
        return self

    async def aclose(self) -> None:
        """Nothing is open."""


@pytest.fixture
def asked(
    items: list[Item], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str, list[str]]]:
    """`kopa functionchat` with a model that says so much: exit code, outputs, and the questions it was asked."""

    def run(said: Mapping[str, Message | str], *more: str) -> tuple[int, str, str, list[str]]:
        questions: list[str] = []

        def opened(name: str, *, sampling: dict[str, Any], local: Any) -> Served:
            return Served(said, questions, sampling)

        monkeypatch.setattr("kopa_hf.agent.opening.open_model", opened)
        told = ("functionchat", "--data", tmp_path, "--model", "m", "--concurrency", "1", *more)
        return (*run_kopa(capsys, *told), questions)

    return run


def test_an_interrupted_run_goes_on_where_it_stopped(asked: Any, tmp_path: Path) -> None:
    output = ("--output", str(tmp_path / "kept" / "answers.jsonl"))
    code, _, _, questions = asked({**RIGHT, "날씨 알려줘": "stop"}, *output)
    assert (code, questions) == (130, ["가온시 날씨 알려줘", "몇 시야?", "날씨 알려줘"])
    code, out, err, questions = asked({**RIGHT, "시각은?": "down"}, *output)
    assert (code, questions) == (0, ["날씨 알려줘", "시각은?"]), "what is kept is not asked again"
    assert "2 of 4 items are answered in" in err
    assert "2 to go" in err
    assert "1 items could not be asked and count nowhere: dialog 9: model server, server: down" in out
    code, out, err, questions = asked(RIGHT, *output, "--json")
    assert questions == ["시각은?"], "a failed service is no answer, so it is asked again"
    assert json.loads(out) == {
        "singlecall exact": {"right": 2, "total": 2, "faults": 0},
        "calldecision slot": {"right": 1, "total": 1, "faults": 0},
        "dialog call": {"right": 1, "total": 1, "faults": 0},
    }
    assert asked(RIGHT, *output)[3] == []


def test_another_setting_or_other_data_do_not_go_on_from_answers(asked: Any, tmp_path: Path) -> None:
    output = ("--output", str(tmp_path / "answers.jsonl"))
    assert asked(RIGHT, *output, "--limit", "1")[0] == 0
    code, _, err, questions = asked(RIGHT, *output, "--sampling", "temperature=0.7")
    assert (code, questions) == (2, [])
    assert "settings {'temperature': 0.0} there, {'temperature': 0.7} now" in err
    path = tmp_path / "FunctionChat-Dialog.jsonl"
    path.write_text(path.read_text(encoding="utf-8") * 2, encoding="utf-8")
    code, _, err, questions = asked(RIGHT, *output)
    assert (code, questions) == (2, [])
    assert "another run: data" in err


def test_a_server_that_is_down_is_no_score(asked: Any, tmp_path: Path) -> None:
    path = tmp_path / "FunctionChat-CallDecision.jsonl"
    path.write_text(path.read_text(encoding="utf-8") * 5, encoding="utf-8")
    output, down = ("--output", str(tmp_path / "answers.jsonl")), dict.fromkeys(RIGHT, "down")
    code, out, err, _ = asked(down, *output)
    assert (code, out) == (3, "")
    assert "could not be asked" in err
    assert "is kept" not in err
    assert asked(RIGHT, *output, "--limit", "1")[0] == 0
    code, out, err, questions = asked(down, *output)
    assert (code, out, len(questions)) == (3, "", 4), "the first four of five fail"
    assert "What was answered is kept in" in err
    assert asked(RIGHT, *output)[0] == 0


def test_a_folder_without_it_says_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="FunctionChat-Singlecall"):
        load_items(tmp_path)
