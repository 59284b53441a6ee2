"""Embedding models as embedders: a Sentence-Transformers folder, an OpenAI-compatible endpoint, and the memory of both.

Models are slow and texts come back (dozens of tools have the same columns): each
distinct text is embedded once, in batches, and every finished batch is kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import httpx
import numpy as np

from kopa_hf.agent.models import RetryPolicy
from kopa_hf.edge.embedding import Vectors
from kopa_hf.edge.refinement import run_coroutine, run_together
from kopa_hf.edge.store import Store, content_key
from kopa_hf.errors import BackendError, DataError, MissingExtraError

_TIMEOUT: Final = 300.0
"""Seconds for one batch."""
_TOO_MUCH: Final = frozenset({400, 413, 422})
_RETRIED: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class BatchEmbedder(Protocol):
    """What turns batches of texts into vectors of any length."""

    name: str
    realm: str
    """What else a vector depends on, beside name and text."""

    def embed_batches(self, batches: Sequence[Sequence[str]], keep: Callable[[int, Vectors], None]) -> None:
        """Hand each batch's vectors to `keep(number of the batch, vectors)` as soon as they are there."""


class ModelEmbedder:
    """An embedder over a model: distinct texts, batches, memory, vectors of length 1."""

    def __init__(
        self,
        model: BatchEmbedder,
        *,
        store: Store | None = None,
        batch: int = 64,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """`progress` is told (texts done, texts to do) after each batch of one `embed`."""
        self.model = model
        self._progress = progress
        self.name = model.name
        self.store = Store(None) if store is None else store  # an empty store is false
        self.batch = batch
        self.embedded = 0
        """Texts that the model has embedded; the others came from the store."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text; a blank text is 0. Raises `BackendError` where the model gives none."""
        folded = [" ".join(text.split()) for text in texts]
        distinct = list(dict.fromkeys(text for text in folded if text))
        if not distinct:
            raise DataError("There is no text to embed: the tools have neither labels nor names.")
        keys = {text: content_key(self.model.name, self.model.realm, text) for text in distinct}
        kept = self.store.get_many(keys.values())
        missing = [text for text in distinct if keys[text] not in kept]
        before = self.embedded
        batches = [missing[start : start + self.batch] for start in range(0, len(missing), self.batch)]

        def keep(number: int, vectors: Vectors) -> None:
            texts = batches[number]
            new = {keys[t]: row.tobytes() for t, row in zip(texts, checked_vectors(vectors, len(texts)), strict=True)}
            self.store.put(new)
            kept.update(new)
            self.embedded += len(texts)
            if self._progress is not None:
                self._progress(self.embedded - before, len(missing))

        if batches:
            self.model.embed_batches(batches, keep)
        return self._matrix(folded, keys, kept)

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def _matrix(self, texts: Sequence[str], keys: dict[str, str], kept: dict[str, bytes]) -> Vectors:
        sizes = {len(value) // 4 for value in kept.values()}
        if len(sizes) != 1:
            raise BackendError(
                f"{self.name} gave vectors of {' and '.join(map(str, sorted(sizes)))} numbers; they must be of one size. "
                "The kept ones may be another model's of the same name: remove their file."
            )
        matrix = np.zeros((len(texts), sizes.pop()), dtype=np.float32)
        for row, text in enumerate(texts):
            if text:
                matrix[row] = np.frombuffer(kept[keys[text]], dtype=np.float32)
        return matrix


def checked_vectors(vectors: Any, count: int) -> Vectors:
    """Unit vectors as float32; raises `BackendError` for anything but `count` finite ones that are not 0."""
    try:
        matrix = np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise BackendError(f"The embedding model gave no vectors of one size ({error}).") from error
    if matrix.ndim != 2 or matrix.shape[0] != count or not matrix.shape[1]:
        raise BackendError(f"The embedding model gave an array of shape {matrix.shape} for {count} texts.")
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or (norms == 0).any():
        raise BackendError("The embedding model gave vectors that are 0 or not finite.")
    return np.asarray(matrix / norms, dtype=np.float32)


class SentenceModel:
    """A Sentence-Transformers model from a local folder; nothing is downloaded."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise DataError(f"There is no folder {folder}: save the model there first (`SentenceTransformer(…).save`).")
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise MissingExtraError("sentence-transformers", "embed") from error
        try:
            self._model = SentenceTransformer(str(folder), local_files_only=True)
        except Exception as error:  # the library raises whatever the broken file made it raise
            raise DataError(f"{folder} holds no Sentence-Transformers model ({error}).") from error
        self.name = f"st:{folder.resolve().name}"
        self.realm = _weights(folder)

    def embed_batches(self, batches: Sequence[Sequence[str]], keep: Callable[[int, Vectors], None]) -> None:
        """One batch after the other: the model uses all cores by itself."""
        for number, texts in enumerate(batches):
            try:
                vectors = self._model.encode(list(texts), batch_size=len(texts), show_progress_bar=False)
            except (RuntimeError, ValueError, TypeError, IndexError, MemoryError) as error:
                raise BackendError(
                    f"{self.name} fails on a batch of {len(texts)} texts ({error}). Finished batches are kept; if memory "
                    "ran out, a smaller --set embedding_batch=8 helps."
                ) from error
            keep(number, np.asarray(vectors, dtype=np.float32))


def _weights(folder: Path) -> str:
    """Hash of names, sizes and times of a folder's files: other weights under one name are another model."""
    facts = [
        f"{path.relative_to(folder)} {path.stat().st_size} {path.stat().st_mtime_ns}"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


class EndpointEmbeddings:
    """A model behind an OpenAI-compatible `/embeddings` (vLLM, TEI and others)."""

    realm = ""

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        concurrency: int = 16,
        retry: RetryPolicy | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.name = model
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._concurrency = concurrency
        self._retry = retry or RetryPolicy()
        self._transport = transport

    def embed_batches(self, batches: Sequence[Sequence[str]], keep: Callable[[int, Vectors], None]) -> None:
        """Several batches at once; the first that fails for good ends the job, the others' vectors are kept."""
        waiting = iter(enumerate(batches))
        run_coroutine(self._run(waiting, keep))

    async def _run(self, waiting: Iterator[tuple[int, Sequence[str]]], keep: Callable[[int, Vectors], None]) -> None:
        async with httpx.AsyncClient(headers=self._headers, timeout=_TIMEOUT, transport=self._transport) as client:

            async def work() -> None:
                for number, texts in waiting:
                    keep(number, await self._embed(client, texts))

            await run_together([work() for _ in range(self._concurrency)])

    async def _embed(self, client: httpx.AsyncClient, texts: Sequence[str]) -> Vectors:
        body = {"model": self.name, "input": list(texts), "encoding_format": "float"}
        problem = ""
        for attempt in range(self._retry.attempts):
            told = None
            try:
                response = await client.post(f"{self.base_url}/embeddings", json=body)
            except httpx.InvalidURL as error:
                raise DataError(f"{self.base_url!r} is no address: {error}") from error
            except httpx.HTTPError as error:
                problem = f"{type(error).__name__}; is the server up?"
            else:
                if response.status_code == 200:
                    return checked_vectors(_vectors_of(response), len(texts))
                problem = f"HTTP {response.status_code}: {response.text[:200]}"
                if response.status_code not in _RETRIED:
                    if response.status_code in _TOO_MUCH:
                        problem += ". If the batch is too large, --set embedding_batch=8 helps"
                    break
                told = response.headers.get("retry-after")
            if attempt + 1 < self._retry.attempts:
                await asyncio.sleep(self._retry.wait(attempt, told))
        raise BackendError(
            f"The embedding endpoint {self.base_url} (model {self.name!r}) does not answer: {problem}. "
            "Vectors of finished batches are kept; run the same command again and only the rest is asked."
        )


def _vectors_of(response: httpx.Response) -> list[Any]:
    """The vectors in the order of the inputs."""
    try:
        data = response.json()["data"]
        return [item["embedding"] for item in sorted(data, key=lambda item: int(item.get("index", 0)))]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BackendError(f"The endpoint's answer holds no embeddings: {response.text[:200]}") from error


def endpoint_embeddings(spec: str, *, concurrency: int = 16) -> EndpointEmbeddings:
    """The embedder behind `http://HOST/v1#MODEL`; its key, where it wants one, comes from OPENAI_API_KEY."""
    base, _, model = spec.partition("#")
    if not model:
        raise DataError(f"{spec}: add the model's name after '#', e.g. http://127.0.0.1:8000/v1#BAAI/bge-m3")
    return EndpointEmbeddings(base, model, api_key=os.environ.get("OPENAI_API_KEY"), concurrency=concurrency)
