"""Models behind a real socket that misbehave: what is said, what is kept, and what is asked again."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.consulting import PATIENCE, Question, open_consultant
from kopa_hf.edge.doors import open_embedder
from kopa_hf.errors import BackendError


class Reply(NamedTuple):
    status: int = 200
    body: bytes | None = None
    """None: a good answer."""
    headers: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    """Waited before it is sent."""


GOOD = Reply()
GONE = Reply(status=0)
"""The connection is closed without a word, as by a server that dies."""
TROUBLE = {
    1: Reply(429, b"slow down", (("Retry-After", "0"),)),
    2: Reply(500, b"out of memory"),
    3: Reply(200, b"no json at all"),
    4: Reply(200, b'{"choices": [], "data": []}'),
    5: Reply(seconds=0.3),
    6: Reply(502, b"<html>bad gateway</html>"),
}


class Models(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.reply: Callable[[int], Reply] = lambda number: GOOD
        self.asked: list[str] = []
        self.address = f"http://127.0.0.1:{self.server_address[1]}/v1#m"


class Handler(BaseHTTPRequestHandler):
    server: Models
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(json.dumps(body.get("input") or body["messages"][-1]["content"]))
        reply = self.server.reply(len(self.server.asked))
        time.sleep(reply.seconds)
        if reply is GONE:
            self.close_connection = True
            return
        content = reply.body if reply.body is not None else json.dumps(good(body)).encode()
        self.send_response(reply.status)
        for name, value in (*reply.headers, ("Content-Length", str(len(content)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


def good(body: dict[str, Any]) -> dict[str, Any]:
    if "input" in body:
        return {"data": [{"index": i, "embedding": [float(len(t)), 1.0]} for i, t in enumerate(body["input"])]}
    said = json.dumps({"length": len(body["messages"][-1]["content"])})
    return {"choices": [{"message": {"role": "assistant", "content": said}}]}


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator[Models]:
    monkeypatch.setattr("kopa_hf.agent.models.RetryPolicy.wait", lambda *_: 0.0)
    server = Models()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


QUESTIONS = ["x" * number for number in range(1, 61)]


def answers(models: Models, cache: Path) -> list[int | None]:
    """What judge, rephrasing and reviewers do: many questions with JSON answers, kept in a file."""
    with open_consultant(models.address, cache=cache, concurrency=2) as consultant:
        asked = [
            Question([{"role": "user", "content": text}], lambda found: int(found["length"])) for text in QUESTIONS
        ]
        return consultant.ask_all(asked)


def vectors(models: Models, folder: Path) -> list[list[float]]:
    config = EdgeConfig(embedder=models.address, embedding_batch=5, model_concurrency=1)
    embedder = open_embedder(config, folder)
    try:
        return embedder.embed(QUESTIONS).tolist()  # type: ignore[no-any-return]
    finally:
        embedder.close()  # type: ignore[attr-defined]


def test_passing_trouble_changes_no_answer_of_a_chat_model(models: Models, tmp_path: Path) -> None:
    models.reply = lambda number: TROUBLE.get(number, GOOD)
    found = answers(models, tmp_path / "kept.sqlite3")
    # what came as no answer of the protocol is no answer; asked again, all are there
    assert [a for a in found if a is not None] == [n for n, a in enumerate(found, 1) if a is not None]
    assert found.count(None) <= 2
    models.asked.clear()
    models.reply = lambda number: GOOD
    assert answers(models, tmp_path / "kept.sqlite3") == list(range(1, 61))
    assert len(models.asked) == found.count(None)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.sqlite3"], "a closed store is one file"


def test_a_chat_model_that_dies_half_way_is_named_and_only_the_rest_is_asked_again(
    models: Models, tmp_path: Path
) -> None:
    models.reply = lambda number: GOOD if number <= 20 else GONE
    with pytest.raises(
        BackendError, match=r"'m' does not answer .*20 answers are kept in .*kept.sqlite3; run the same"
    ):
        answers(models, tmp_path / "kept.sqlite3")
    models.reply = lambda number: GOOD
    models.asked.clear()
    assert answers(models, tmp_path / "kept.sqlite3") == list(range(1, 61))
    assert len(models.asked) == 40


def test_a_chat_model_that_never_keeps_to_the_form_is_given_up_early(models: Models, tmp_path: Path) -> None:
    talk = {"choices": [{"message": {"role": "assistant", "content": "글쎄요, 잘 모르겠습니다."}}]}
    models.reply = lambda number: Reply(200, json.dumps(talk).encode())
    with pytest.raises(
        BackendError, match=f"no usable answer to any of the first {PATIENCE} questions .*no JSON object"
    ):
        answers(models, tmp_path / "kept.sqlite3")


def test_an_embedding_server_with_passing_trouble_gives_the_same_vectors(models: Models, tmp_path: Path) -> None:
    models.reply = lambda number: {1: TROUBLE[1], 2: TROUBLE[2], 4: TROUBLE[5], 6: TROUBLE[6]}.get(number, GOOD)
    through_trouble = vectors(models, tmp_path / "a")
    models.reply = lambda number: GOOD
    assert vectors(models, tmp_path / "b") == through_trouble
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["embeddings.sqlite3"]


def test_an_embedding_server_that_dies_or_talks_nonsense_keeps_the_finished_batches(
    models: Models, tmp_path: Path
) -> None:
    models.reply = lambda number: GOOD if number <= 4 else GONE
    with pytest.raises(BackendError, match=r"model 'm'. does not answer: .*only the rest is asked"):
        vectors(models, tmp_path)
    models.reply = lambda number: TROUBLE[3]
    with pytest.raises(BackendError, match="holds no embeddings: no json at all"):
        vectors(models, tmp_path)
    models.reply = lambda number: GOOD
    models.asked.clear()
    assert len(vectors(models, tmp_path)) == 60
    assert len(models.asked) == 8, "12 batches of five, four of them kept"
