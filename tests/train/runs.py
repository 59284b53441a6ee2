"""A tiny model folder and a folder of a few short rows, for the commands that train."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from kopa_hf.bench.rows import Row
from kopa_hf.hub.cards import dataset_card
from kopa_hf.hub.folder import row_table, sft_table, write_folder
from kopa_hf.hub.loading import embedded_rows
from kopa_hf.train.tiny import tiny_model, tiny_tokenizer


def short_rows(number: int) -> tuple[Row, ...]:
    """Tasks of the benchmark that need calls and whose golden conversations are short."""
    called = [row for row in embedded_rows() if row.golden_actions]
    by_length = sorted(called, key=lambda row: sum(len(str(m["content"])) for m in row.completion))
    return tuple(by_length[:number])


@lru_cache(maxsize=1)
def edge_rows() -> tuple[Row, ...]:
    """A few trajectories of one platform, made on the spot as `kopa edge run` makes them."""
    from kopa_hf.catalog.registry import load_catalog
    from kopa_hf.edge.build import build_graph
    from kopa_hf.edge.config import EdgeConfig
    from kopa_hf.edge.export import trajectories_to_rows
    from kopa_hf.edge.filtering import filter_trajectories
    from kopa_hf.edge.refinement import refine
    from kopa_hf.edge.synthesis import synthesize
    from kopa_hf.execution.executor import Executor

    config = EdgeConfig.make(platforms=["assembly"], iterations=3, paths=60, rows=10, attempts_per_row=8, seed=11)
    graph = build_graph(load_catalog(), config)
    with Executor() as executor:
        refine(graph, executor, config)
        kept = filter_trajectories(synthesize(graph, executor, config), executor, config)
        splits = trajectories_to_rows(kept, executor, config)
    return tuple(row for rows in splits.values() for row in rows)


def write_rows(where: Path, train: tuple[Row, ...], validation: tuple[Row, ...] = ()) -> Path:
    """A dataset folder as `kopa edge run` writes it."""
    tables = [row_table(train, split="train"), sft_table(train, split="train")]
    splits = {"train": train}
    if validation:
        tables += [row_table(validation, split="validation"), sft_table(validation, split="validation")]
        splits["validation"] = validation
    return write_folder(tables, where, lambda files: dataset_card("edge-trajectories", splits, files))


def write_model(where: Path, rows: tuple[Row, ...]) -> Path:
    """The tiny model and its tokenizer as a folder that `from_pretrained` reads."""
    tokenizer = tiny_tokenizer(rows)
    tiny_model(tokenizer).save_pretrained(where)
    tokenizer.save_pretrained(where)
    return where


def arguments(model: Path, rows: Path, output: Path, *more: str) -> list[str]:
    """A run on the CPU, as short as one can be."""
    return [
        "--model_name_or_path", str(model), "--dataset_name", str(rows), "--output_dir", str(output), "--use_cpu",
        "--bf16", "false", "--dtype", "float32", "--report_to", "none", "--per_device_train_batch_size", "2",
        "--per_device_eval_batch_size", "2", "--learning_rate", "1e-2", "--logging_steps", "1", "--disable_tqdm",
        "true", *more,
    ]  # fmt: skip
