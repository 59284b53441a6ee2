"""Questions to a chat model: form, repair, keeping, and what happens when nobody answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.agent.models import FaultKind, Message, ModelError
from kopa_hf.edge.consulting import PATIENCE, Consultant, Question, json_object, message_text, open_model
from kopa_hf.edge.store import Store, content_key
from kopa_hf.errors import BackendError, DataError


class Scripted:
    """A model that says what a function of the conversation says, and notes what it was asked."""

    def __init__(self, say: Any) -> None:
        self.say = say
        self.log: list[list[Message]] = []

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        self.log.append(list(messages))
        said = self.say(messages)
        if isinstance(said, ModelError):
            raise said
        return {"role": "assistant", "content": said}


def score(value: Any) -> float:
    if not isinstance(value.get("score"), float):
        raise ValueError("score must be a number")
    return float(value["score"])


def question(text: str) -> Question[float]:
    return Question([{"role": "user", "content": text}], score)


def down(kind: FaultKind = "server") -> ModelError:
    return ModelError(kind, "HTTP 500")


def test_answers_come_in_the_questions_order_and_are_not_asked_twice(tmp_path: Path) -> None:
    model = Scripted(lambda messages: json.dumps({"score": float(f"0.{messages[0]['content']}")}))
    questions = [question(str(number)) for number in range(1, 9)]
    with Consultant(model, "m", store=Store(tmp_path / "kept.sqlite3"), concurrency=3) as consultant:
        assert consultant.ask_all(questions) == [number / 10 for number in range(1, 9)]
    with Consultant(model, "m", store=Store(tmp_path / "kept.sqlite3")) as consultant:
        assert consultant.ask_all(questions) == [number / 10 for number in range(1, 9)]
        assert consultant.counts() == {"asked": 0, "cached": 8, "malformed": 0, "faults": 0}
    assert len(model.log) == 8
    with Consultant(model, "another", store=Store(tmp_path / "kept.sqlite3")) as consultant:
        consultant.ask_all(questions[:1])
        assert consultant.asked == 1


def test_a_malformed_answer_is_pointed_out_and_asked_for_again() -> None:
    model = Scripted(lambda messages: '{"score": 0.5}' if len(messages) > 1 else '{"score": "high"}')
    consultant = Consultant(model, "m")
    assert consultant.ask_all([question("a")]) == [0.5]
    assert model.log[1][1]["content"] == '{"score": "high"}'
    assert "score must be a number" in model.log[1][2]["content"]
    assert consultant.malformed == 0


def test_what_stays_malformed_is_counted_and_not_kept() -> None:
    model = Scripted(lambda messages: '{"score": 1.0}' if messages[0]["content"] == "good" else "I cannot say.")
    consultant = Consultant(model, "m")
    assert consultant.ask_all([question("good"), *(question(f"bad {i}") for i in range(30))]) == [1.0, *[None] * 30]
    assert consultant.counts() == {"asked": 31, "cached": 0, "malformed": 30, "faults": 0}
    assert len(model.log) == 1 + 30 * consultant.attempts
    assert len(consultant.store) == 1


def test_a_model_without_one_usable_answer_is_given_up() -> None:
    consultant = Consultant(Scripted(lambda messages: "no"), "chatty", concurrency=1)
    with pytest.raises(BackendError, match="'chatty' gave no usable answer"):
        consultant.ask_all([question(str(i)) for i in range(100)])
    assert consultant.asked == PATIENCE


def test_a_server_that_dies_stops_the_job_and_the_next_run_asks_only_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite3"
    dead = Scripted(lambda messages: '{"score": 0.5}' if int(messages[0]["content"]) < 40 else down())
    with (
        Consultant(dead, "m", store=Store(path), concurrency=2) as consultant,
        pytest.raises(BackendError, match=r"does not answer.*40 answers are kept.*the same command"),
    ):
        consultant.ask_all([question(str(i)) for i in range(100)])
    alive = Scripted(lambda messages: '{"score": 0.25}')
    with Consultant(alive, "m", store=Store(path)) as consultant:
        assert consultant.ask_all([question(str(i)) for i in range(100)]) == [0.5] * 40 + [0.25] * 60
    assert len(alive.log) == 60


def test_single_faults_are_counted_and_a_refused_key_stops_at_once() -> None:
    slips = Consultant(Scripted(lambda m: down() if m[0]["content"] == "3" else '{"score": 0.5}'), "m", concurrency=1)
    assert slips.ask_all([question(str(i)) for i in range(5)]) == [0.5, 0.5, 0.5, None, 0.5]
    assert slips.faults == 1
    refused = Scripted(lambda messages: down("auth"))
    with pytest.raises(BackendError, match="does not answer"):
        Consultant(refused, "m", concurrency=1).ask_all([question("a"), question("b")])
    assert len(refused.log) == 1


@pytest.mark.parametrize("kind", ["context", "filtered"])
def test_what_asking_again_cannot_change_is_no_fault(kind: FaultKind) -> None:
    model = Scripted(lambda m: down(kind) if m[0]["content"] != "0" else '{"score": 0.5}')
    consultant = Consultant(model, "m", concurrency=1)
    many = 3 * PATIENCE
    assert consultant.ask_all([question(str(i)) for i in range(many)]) == [0.5] + [None] * (many - 1)
    assert consultant.counts() == {"asked": many, "cached": 0, "malformed": many - 1, "faults": 0}
    assert len(model.log) == many


def test_an_interrupted_job_keeps_what_was_answered(tmp_path: Path) -> None:
    def say(messages: Sequence[Message]) -> str:
        if messages[0]["content"] == "5":
            raise KeyboardInterrupt
        return '{"score": 0.5}'

    store = Store(tmp_path / "kept.sqlite3")
    with pytest.raises(KeyboardInterrupt):
        Consultant(Scripted(say), "m", store=store, concurrency=1).ask_all([question(str(i)) for i in range(9)])
    assert len(store) == 5


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('Here it is:\n```json\n{"a": {"b": [1]}}\n```\nDone.', {"a": {"b": [1]}}),
        ('{"a": 1} no, better: {"a": 2}', {"a": 2}),
        ('The set {x} is no JSON, {"a": "}"} is.', {"a": "}"}),
    ],
)
def test_the_last_object_of_a_text_counts(text: str, value: object) -> None:
    assert json_object(text) == value


@pytest.mark.parametrize(
    "text", ["", "no", "[1]", '{"a": 1', '{"a": NaN}', '{"a":' * 50_000, '{"a": ' + "9" * 5000 + "}"]
)
def test_texts_without_an_object_are_value_errors(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_object(text)


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none()), st.text(alphabet="ab가 \n`.:"))
def test_any_object_is_found_in_prose_without_braces(value: dict[str, object], prose: str) -> None:
    assert json_object(f"{prose}{json.dumps(value)}{prose}") == value


def test_thoughts_are_no_answer_and_parts_are_joined() -> None:
    assert message_text({"content": '<think>{"a": 1}?</think>{"a": 2}'}) == '{"a": 2}'
    assert message_text({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}) == "ab"
    assert message_text({"content": None}) == ""
    assert message_text({"content": 'perhaps {"a": 1}</think>\n{"a": 2}'}) == '{"a": 2}'
    assert message_text({"content": '<think>so {"a": 1}, or'}) == ""


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite3"
    path.write_text("not a database, but long enough to look like one" * 50, encoding="utf-8")
    with pytest.raises(DataError, match="no usable store"):
        Store(path)


def test_a_store_gives_back_what_it_took(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "kept.sqlite3")
    store.put({content_key("k", number): bytes([number % 256]) for number in range(1200)})
    keys = [content_key("k", number) for number in range(1300)]
    assert store.get_many(keys) == {keys[number]: bytes([number % 256]) for number in range(1200)}
    assert store.get("nothing") is None


def test_a_model_is_named_by_address_and_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    model, name, realm = open_model("http://127.0.0.1:8000/v1/#Qwen/Qwen3.5-4B")
    assert (model.base_url, name) == ("http://127.0.0.1:8000/v1", "Qwen/Qwen3.5-4B")  # type: ignore[attr-defined]
    assert "sk-secret" not in name + realm + repr(model)
    with pytest.raises(DataError, match="after '#'"):
        open_model("http://127.0.0.1:8000/v1")
    with pytest.raises(DataError, match="is no model"):
        open_model("gpt")
