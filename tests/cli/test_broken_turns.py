"""A server that breaks a model's turn off, or fails in mid-conversation, at every command that asks a model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from kopa_hf.agent.models import RetryPolicy
from tests.bench.bfcl.leaderboard import write

KINDS = {"abort": "server", "error": "server", "content_filter": "filtered"}
"""Finish reason → kind of the fault."""


class _Handler(BaseHTTPRequestHandler):
    """Ends each turn as the model's name says; behind `late:`, only turns after one that calls a tool."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked["model"])  # type: ignore[attr-defined]
        late, how = asked["model"].startswith("late:"), asked["model"].removeprefix("late:")
        turns = sum(message["role"] == "assistant" for message in asked["messages"])
        message: dict[str, Any] = {"role": "assistant", "content": "답은 1명"}
        if late and not turns:
            call = {"name": asked["tools"][0]["function"]["name"], "arguments": "{}"}
            message["tool_calls"] = [{"id": "c1", "type": "function", "function": call}]
            how = "tool_calls"
        body = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": how}]}).encode()
        self.send_response(500 if how == "500" else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []

    def model(self, how: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1#{how}"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(RetryPolicy, "wait", lambda self, attempt, told: 0.0)
    with Server() as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server
        server.shutdown()


def rollouts(log: Path) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, log.read_text(encoding="utf-8").splitlines()) if "calls" in line]


@pytest.mark.parametrize(
    ("how", "requests", "calls"),
    [
        ("abort", 4, 0), ("error", 4, 0), ("content_filter", 1, 0),
        ("late:abort", 1 + 4, 1), ("late:content_filter", 1 + 1, 1), ("late:500", 1 + 4, 1),
    ],
)  # fmt: skip
def test_eval_scores_no_rollout_that_the_server_ended(
    server: Server, tmp_path: Path, kopa: Any, how: str, requests: int, calls: int
) -> None:
    log = tmp_path / "run.jsonl"
    told = ("eval", "--limit", "1", "--model", server.model(how), "--log", log)
    for round_ in (1, 2):
        assert kopa(*told)[0] == 3
        assert len(server.asked) == round_ * requests, "asked again on resume"
        (line,) = {json.dumps(line["score"]): line for line in rollouts(log)}.values()
        assert (line["score"]["status"], line["score"]["reward"], line["answer"]) == ("model_fault", None, None)
        assert len(line["calls"]) == calls


def test_eval_scores_what_the_model_ended(server: Server, tmp_path: Path, kopa: Any) -> None:
    log = tmp_path / "run.jsonl"
    for how in ("stop", "late:stop", "length"):
        assert kopa("eval", "--limit", "1", "--model", server.model(how), "--log", log)[0] == 0
    assert [line["score"]["status"] for line in rollouts(log)] == ["scored"] * 3
    assert [line["answer"] for line in rollouts(log)] == ["답은 1명"] * 3


@pytest.mark.parametrize("how", KINDS)
def test_bfcl_calls_no_withheld_answer_right(
    server: Server, tmp_path: Path, kopa: Any, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setenv("KOPA_BFCL_DATA", str(write(tmp_path)))
    told = ("bfcl", "eval", "--category", "irrelevance", "--output", tmp_path / "results.jsonl")
    code, _, err = kopa(*told, "--model", server.model(how))
    assert (code, (tmp_path / "results.jsonl").exists()) == (3, False), err
    assert f"model server, {KINDS[how]}" in err
    code, out, _ = kopa(*told, "--model", server.model("stop"))
    assert (code, "cut off" in out) == (0, False), "the same words are right where the model ended"
    cut = kopa("bfcl", "eval", "--category", "irrelevance", "--model", server.model("length"))[1]
    assert "1 answers were cut off at the token limit" in cut


@pytest.mark.parametrize("how", KINDS)
def test_functionchat_counts_no_withheld_answer(server: Server, tmp_path: Path, kopa: Any, how: str) -> None:
    tool = {"type": "function", "function": {"name": "weather", "description": "날씨", "parameters": {}}}
    item = {
        "serial_num": "7",
        "input_messages": [{"role": "user", "content": "주가 알려줘"}],
        "input_tools": [tool],
        "type_of_output": "relevance",
        "ground_truth": {"role": "assistant", "content": "주가는 알려드릴 수 없습니다."},
        "acceptable_arguments": None,
    }
    (tmp_path / "FunctionChat-CallDecision.jsonl").write_text(json.dumps(item), encoding="utf-8")
    told = ("functionchat", "--data", tmp_path, "--json", "--output", tmp_path / "answers.jsonl")
    code, out, err = kopa(*told, "--model", server.model(how))
    assert (code, out, (tmp_path / "answers.jsonl").exists()) == (3, "", False), err
    assert f"model server, {KINDS[how]}" in err
    code, out, _ = kopa(*told, "--model", server.model("stop"))
    assert (code, json.loads(out)) == (0, {"calldecision relevance": {"right": 1, "total": 1, "faults": 0}})
    cut = kopa("functionchat", "--data", tmp_path, "--model", server.model("length"))[1]
    assert "1 answers were cut off at the token limit" in cut
