"""The whole build against served models: a socket, two processes, an interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.edge.doors import EMBEDDINGS, JUDGEMENTS
from kopa_hf.edge.graph import ToolGraph

ROOT = Path(__file__).resolve().parents[2]


class Models(ThreadingHTTPServer):
    """`/embeddings` and `/chat/completions`, each answer a little late; notes what was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.texts: list[str] = []
        self.questions: list[str] = []
        self.keys: set[str | None] = set()
        self.waits = threading.Event()
        """Set: no answer beyond the first hundred is held back (until then the build cannot end before its signal)."""
        self.address = f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Models
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.keys.add(self.headers["Authorization"])
        answer = self.embeddings(body) if self.path.endswith("/embeddings") else self.completion(body)
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def embeddings(self, body: dict[str, Any]) -> dict[str, Any]:
        self.server.texts += body["input"]
        counts = [[float(text.count(sign)) for sign in "코드일자명금번"] + [1.0] for text in body["input"]]
        return {"data": [{"index": i, "embedding": vector} for i, vector in enumerate(counts)]}

    def completion(self, body: dict[str, Any]) -> dict[str, Any]:
        question = body["messages"][1]["content"]
        self.server.questions.append(question)
        time.sleep(0.01)
        if len(self.server.questions) > 100:
            self.server.waits.wait(0.5)
        source, _, target = question.partition("\n\n")
        fields = [line[2:].split(" (")[0] for line in source.splitlines() if line.startswith("- ")]
        inputs = [line[2:].split(" (")[0] for line in target.splitlines() if line.startswith("- ") and "[" not in line]
        shared = [name for name in inputs if name in fields][:1]
        said = {"score": 0.8 if shared else 0.0, "bindings": [{"parameter": name, "field": name} for name in shared]}
        return {"choices": [{"message": {"role": "assistant", "content": f"```json\n{json.dumps(said)}\n```"}}]}

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@pytest.fixture
def models() -> Iterator[Models]:
    server = Models()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def build(models: Models, folder: Path) -> subprocess.Popen[str]:
    settings = {
        "platforms": "kdic",
        "embedder": f"{models.address}#small-e5",
        "judge": f"{models.address}#big-judge",
        "model_concurrency": "4",
    }
    command = [sys.executable, "-c", "from kopa_hf.cli import main; main()", "edge", "build", "--output", str(folder)]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OPENAI_API_KEY": "sk-test-only"},
    )  # fmt: skip


@pytest.mark.slow
def test_an_interrupted_build_goes_on_and_asks_nothing_twice(models: Models, tmp_path: Path) -> None:
    first = build(models, tmp_path)
    deadline = time.monotonic() + 120
    while len(models.questions) < 60 and time.monotonic() < deadline:
        time.sleep(0.01)
    first.send_signal(signal.SIGINT)
    _, err = first.communicate(timeout=60)
    models.waits.set()
    assert first.returncode == 130, err
    assert "the same command goes on from there" in err
    assert not (tmp_path / "graph.json").exists()
    asked, texts = len(models.questions), len(models.texts)

    second = build(models, tmp_path)
    out, err = second.communicate(timeout=120)
    assert second.returncode == 0, err
    graph = ToolGraph.load(tmp_path / "graph.json")
    assert len(models.texts) == texts, "every text was embedded before the interruption"
    # only what was on the way when the signal came is asked again
    assert graph.candidates <= len(models.questions) <= graph.candidates + 4
    assert len(models.questions) > asked
    assert len(graph) > 0
    assert graph.judge_errors == 0
    assert (graph.embedder, graph.judge) == ("small-e5", "big-judge (prompt 1)")
    assert models.keys == {"Bearer sk-test-only"}
    kept = b"".join((tmp_path / name).read_bytes() for name in (EMBEDDINGS, JUDGEMENTS, "graph.json"))
    assert b"sk-test-only" not in kept + out.encode() + err.encode()

    third = build(models, tmp_path)
    assert third.wait(timeout=120) == 0
    assert len(models.questions) <= graph.candidates + 4
    assert ToolGraph.load(tmp_path / "graph.json").signature() == graph.signature()
