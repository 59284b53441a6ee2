"""Embedding models: batches, memory, order, retries and every way a server can answer wrongly."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from kopa_hf.agent.models import RetryPolicy
from kopa_hf.edge.build import build_graph
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.doors import open_embedder
from kopa_hf.edge.embedders import EndpointEmbeddings, ModelEmbedder, checked_vectors
from kopa_hf.edge.embedding import HashedNgrams, Vectors
from kopa_hf.edge.store import Store
from kopa_hf.errors import BackendError, DataError

from .world import TOOLS

AT_ONCE = RetryPolicy(attempts=3, first_wait=0.0)


def vector(text: str) -> list[float]:
    return [float(len(text)), float(text.count("코드")), 1.0]


class Server:
    """An `/embeddings` server; `trouble` may take a request's place."""

    def __init__(self, trouble: Callable[[int, list[str]], httpx.Response | Exception | None] | None = None) -> None:
        self.trouble = trouble
        self.requests: list[list[str]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        self.requests.append(body["input"])
        found = self.trouble(len(self.requests), body["input"]) if self.trouble else None
        if isinstance(found, Exception):
            raise found
        if found is not None:
            return found
        data = [{"index": i, "embedding": vector(text)} for i, text in enumerate(body["input"])]
        return httpx.Response(200, json={"object": "list", "data": data[::-1]})  # any order: the index counts


def embedder(server: Server, *, store: Store | None = None, batch: int = 2, concurrency: int = 3) -> ModelEmbedder:
    model = EndpointEmbeddings(
        "http://embed.test/v1/", "m3", concurrency=concurrency, retry=AT_ONCE, transport=httpx.MockTransport(server)
    )
    return ModelEmbedder(model, store=store, batch=batch)


def unit(text: str) -> Vectors:
    row = np.array(vector(text), dtype=np.float32)
    return np.asarray(row / np.linalg.norm(row), dtype=np.float32)


def test_distinct_texts_are_embedded_once_in_batches_and_come_back_in_order() -> None:
    server = Server()
    texts = ["의안 코드", "회의", "", "의안  코드", "코드", "  ", "기관"]
    vectors = embedder(server).embed(texts)
    assert sorted(map(len, server.requests)) == [2, 2]
    assert sorted(text for batch in server.requests for text in batch) == ["기관", "의안 코드", "코드", "회의"]
    expected = [
        unit("의안 코드"),
        unit("회의"),
        np.zeros(3),
        unit("의안 코드"),
        unit("코드"),
        np.zeros(3),
        unit("기관"),
    ]
    assert np.allclose(vectors, expected, atol=1e-6)
    assert vectors.dtype == np.float32


def test_vectors_are_kept_on_disk_and_only_new_texts_are_asked(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite3"
    first, second = Server(), Server()
    before = embedder(first, store=Store(path)).embed(["a", "b", "c"])
    after = embedder(second, store=Store(path)).embed(["c", "d", "a"])
    assert second.requests == [["d"]]
    assert np.array_equal(before[0], after[2])


def test_progress_counts_the_texts_that_are_new(tmp_path: Path) -> None:
    store, seen = Store(tmp_path / "kept.sqlite3"), []
    embedder(Server(), store=store).embed(["a"])
    model = EndpointEmbeddings("http://embed.test", "m3", concurrency=1, transport=httpx.MockTransport(Server()))
    ModelEmbedder(model, store=store, batch=2, progress=lambda *told: seen.append(told)).embed(list("abcd"))
    assert seen == [(2, 3), (3, 3)]


def test_a_server_that_dies_half_way_keeps_the_finished_batches(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite3"
    dying = Server(lambda number, texts: httpx.Response(503, text="overloaded") if number > 3 else None)
    with pytest.raises(BackendError, match=r"m3.*does not answer: HTTP 503.*only the rest"):
        embedder(dying, store=Store(path), batch=1, concurrency=1).embed(list("abcdef"))
    alive = Server()
    embedder(alive, store=Store(path), batch=1).embed(list("abcdef"))
    assert sorted(alive.requests) == [["d"], ["e"], ["f"]]


def test_passing_trouble_is_retried_and_a_wrong_request_is_not() -> None:
    slips = {1: httpx.Response(429, headers={"retry-after": "0"}), 2: httpx.ConnectError("refused")}
    server = Server(lambda number, texts: slips.get(number))
    assert embedder(server).embed(["a"]).shape == (1, 3)
    assert len(server.requests) == 3
    wrong = Server(lambda number, texts: httpx.Response(404, text="no model m3"))
    with pytest.raises(BackendError, match="HTTP 404: no model m3"):
        embedder(wrong).embed(["a"])
    assert len(wrong.requests) == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"data": []}, "shape"),
        ({"data": [{"embedding": []}]}, "shape"),
        ({"data": [{"embedding": [0.0, 0.0]}]}, "0 or not finite"),
        ({"data": [{"embedding": ["x"]}]}, "no vectors of one size"),
        ({"data": [{"embedding": [1, 2]}, {"embedding": [1]}]}, "no vectors of one size"),
        ({"data": [{"vector": [1]}]}, "holds no embeddings"),
        ({"error": "busy"}, "holds no embeddings"),
        ([1], "holds no embeddings"),
        ("nothing", "holds no embeddings"),
    ],
)
def test_answers_of_another_form_are_clear_errors(answer: Any, words: str) -> None:
    server = Server(lambda number, texts: httpx.Response(200, json=answer))
    with pytest.raises(BackendError, match=words):
        embedder(server).embed(["a"])


def test_vectors_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(BackendError, match="not finite"):
        checked_vectors([[float("nan"), 1.0]], 1)


def test_vectors_of_two_sizes_are_refused(tmp_path: Path) -> None:
    store = Store(tmp_path / "kept.sqlite3")
    embedder(Server(), store=store).embed(["a"])
    longer = Server(lambda n, texts: httpx.Response(200, json={"data": [{"embedding": [1, 2, 3, 4]} for _ in texts]}))
    with pytest.raises(BackendError, match="3 and 4 numbers"):
        embedder(longer, store=store).embed(["a", "b"])


def test_the_settings_name_the_embedder(tmp_path: Path) -> None:
    assert isinstance(open_embedder(EdgeConfig()), HashedNgrams)
    named = open_embedder(EdgeConfig(embedder="http://127.0.0.1:9/v1#bge-m3"), tmp_path)
    assert named.name == "bge-m3"
    for spec, words in (
        ("word2vec", "Unknown embedder"),
        ("http://127.0.0.1:9/v1", "after '#'"),
        (f"st:{tmp_path}/no", "no folder"),
    ):
        with pytest.raises(DataError, match=words):
            open_embedder(EdgeConfig(embedder=spec))


def test_a_graph_is_built_with_a_model_and_says_so(tmp_path: Path) -> None:
    graph = build_graph(TOOLS, embedder=embedder(Server()))
    assert graph.embedder == "m3"
    assert len(graph) > 0


class OfflineModel:
    name, realm = "offline", ""

    def embed_batches(self, batches: Sequence[Sequence[str]], keep: Callable[[int, Vectors], None]) -> None:
        for number, texts in enumerate(batches):
            keep(number, HashedNgrams(64).embed(texts))


def test_batches_change_no_vector() -> None:
    texts = [f"열 {i} 코드" for i in range(11)]
    one, many = (ModelEmbedder(OfflineModel(), batch=size).embed(texts) for size in (1, 100))
    assert np.allclose(one, HashedNgrams(64).embed(texts), atol=1e-6)
    assert np.allclose(one, many, atol=1e-6)


@pytest.mark.slow
def test_a_sentence_transformers_folder_embeds(tmp_path: Path) -> None:
    """A real model of the library with drawn weights, saved and loaded as any other."""
    library = pytest.importorskip("sentence_transformers", reason="extra `embed` is not installed")
    modules = pytest.importorskip(
        "sentence_transformers.sentence_transformer.modules", reason="extra `embed` is not installed"
    )
    words = ["의안", "회의", "코드", "이름"]
    folder = tmp_path / "m"
    library.SentenceTransformer(modules=[modules.BoW(words), modules.Dense(4, 3)], device="cpu").save(str(folder))
    settings = EdgeConfig(embedder=f"st:{folder}", embedding_batch=1)
    vectors = open_embedder(settings, tmp_path).embed(["의안 코드", "회의 이름", "의안  코드"])
    assert vectors.shape == (3, 3)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors[0], vectors[2])
    again = open_embedder(settings, tmp_path)
    assert again.name == "st:m"
    assert np.array_equal(again.embed(["회의 이름"])[0], vectors[1])
    assert again.embedded == 0  # type: ignore[attr-defined]
