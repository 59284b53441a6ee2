"""Which embedder and which judge the settings name.

`ngrams` and `rules` need nothing; everything else is a model that somebody runs, whose
answers are kept in the run's folder so that an interrupted build goes on from them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import httpx

from kopa_hf.agent.opening import is_path, require_address
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.embedding import Embedder, HashedNgrams
from kopa_hf.edge.feasibility import Judge, RuleJudge
from kopa_hf.edge.store import Store
from kopa_hf.errors import BackendError, DataError, MissingExtraError
from kopa_hf.user_path import user_path

EMBEDDINGS: Final = "embeddings.sqlite3"
JUDGEMENTS: Final = "judgements.sqlite3"
"""Files of the run's folder; made only where a model is used."""


_WEB: Final = ("http://", "https://")
_KNOCK: Final = 10.0
"""Seconds that a server has to answer whether it is there."""


def open_embedder(
    config: EdgeConfig, folder: Path | None = None, progress: Callable[[int, int], None] | None = None
) -> Embedder:
    """`config.embedder`; a model's vectors are kept in `folder`, or in memory where none is given."""
    spec = config.embedder
    if spec == "ngrams":
        return HashedNgrams(config.embedding_size)
    from kopa_hf.edge.embedders import BatchEmbedder, ModelEmbedder, SentenceModel, endpoint_embeddings

    model: BatchEmbedder
    if spec.startswith(("http://", "https://")):
        model = endpoint_embeddings(spec, concurrency=config.model_concurrency)
    elif spec.startswith("st:"):
        model = SentenceModel(user_path(spec.removeprefix("st:")))
    else:
        raise DataError(f"Unknown embedder {spec!r}. There are: ngrams, st:FOLDER, http://HOST:PORT/v1#MODEL.")
    store = _store(folder, EMBEDDINGS)
    return ModelEmbedder(model, store=store, batch=config.embedding_batch, progress=progress)


def open_judge(config: EdgeConfig, folder: Path | None = None) -> Judge:
    """`config.judge`; its judgements are kept in `folder`, or in memory where none is given."""
    if config.judge == "rules":
        return RuleJudge(config.min_score)
    from kopa_hf.edge.consulting import open_consultant
    from kopa_hf.edge.model_judge import ModelJudge

    consultant = open_consultant(
        config.judge,
        cache=None if folder is None else folder / JUDGEMENTS,
        concurrency=config.model_concurrency,
        attempts=config.judge_attempts,
        tokens=config.judge_tokens,
    )
    return ModelJudge(consultant, RuleJudge(config.min_score) if config.judge_fallback == "rules" else None)


def _store(folder: Path | None, name: str) -> Store:
    return Store(None if folder is None else folder / name)


def check_doors(config: EdgeConfig) -> None:
    """Raise where a setting names no model: a slip shows at the start, not at the stage that asks the model."""
    for setting, spec in _named(config):
        _check_spec(setting, spec)


def check_changed_doors(before: EdgeConfig, config: EdgeConfig) -> None:
    """The same for what a later stage names anew; what an earlier one has checked may be gone for now."""
    known = set(_named(before))
    for setting, spec in _named(config):
        if (setting, spec) not in known:
            _check_spec(setting, spec)


def check_models(config: EdgeConfig) -> None:
    """Raise where nobody answers at a server that synthesis is going to ask: better now than after the sketching."""
    for setting, spec in _named(config):
        if setting in ("embedder", "judge") or not spec.startswith(_WEB):
            continue
        _check_spec(setting, spec)
        base = spec.partition("#")[0].rstrip("/")
        key = os.environ.get("OPENAI_API_KEY")
        try:
            httpx.get(f"{base}/models", headers={"authorization": f"Bearer {key}"} if key else None, timeout=_KNOCK)
        except httpx.TimeoutException:
            pass  # slow is not dead
        except httpx.HTTPError as error:
            raise BackendError(
                f"Nobody answers at {base} ({type(error).__name__}), which {setting} names. Start the server, or name another."
            ) from error


def _named(config: EdgeConfig) -> Iterator[tuple[str, str]]:
    """(setting, what it names) for every model that the settings name."""
    if config.embedder != "ngrams":
        yield "embedder", config.embedder
    if config.judge != "rules":
        yield "judge", config.judge
    for setting in ("rephrase", "solver"):
        if getattr(config, setting):
            yield setting, getattr(config, setting)
    for spec in config.filter_judges:
        yield "filter_judges", spec


def _check_spec(setting: str, spec: str) -> None:
    if spec.startswith(_WEB):
        base, _, model = spec.partition("#")
        if not model:
            raise DataError(f"{setting}={spec}: add the model's name after '#', e.g. http://127.0.0.1:8000/v1#MODEL")
        try:
            require_address(base)
        except DataError as error:
            raise DataError(f"{setting}={spec}: {error}") from error
        return
    if setting == "embedder":
        if not spec.startswith("st:"):
            raise DataError(f"Unknown embedder {spec!r}. There are: ngrams, st:FOLDER, http://HOST:PORT/v1#MODEL.")
        folder = user_path(spec.removeprefix("st:"))
        if not folder.is_dir():
            raise DataError(f"There is no folder {folder}: save the model there first (`SentenceTransformer(…).save`).")
        if find_spec("sentence_transformers") is None:
            raise MissingExtraError("sentence-transformers", "embed")
        return
    if not is_path(spec):
        raise DataError(
            f"{setting}: {spec!r} is no model: give http://HOST:PORT/v1#MODEL, or a model's folder or GGUF file."
        )
    if not user_path(spec).exists():
        raise DataError(f"{setting}: there is no model at {spec}.")
    if find_spec("transformers") is None:
        raise MissingExtraError("transformers", "train")
