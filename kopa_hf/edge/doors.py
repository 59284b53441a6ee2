"""Which embedder and which judge the settings name.

`ngrams` and `rules` need nothing; everything else is a model that somebody runs, whose
answers are kept in the run's folder so that an interrupted build goes on from them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.embedding import Embedder, HashedNgrams
from kopa_hf.edge.feasibility import Judge, RuleJudge
from kopa_hf.edge.store import Store
from kopa_hf.errors import DataError

EMBEDDINGS: Final = "embeddings.sqlite3"
JUDGEMENTS: Final = "judgements.sqlite3"
"""Files of the run's folder; made only where a model is used."""


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
        model = SentenceModel(Path(spec.removeprefix("st:")).expanduser())
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
