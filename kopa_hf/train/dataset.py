"""The rows that a run trains on, checked before anything is loaded onto a GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kopa_hf.bench.rows import Row, row_from_dict
from kopa_hf.errors import DataError
from kopa_hf.hub.loading import edge_splits, load_edge_trajectories, load_kopa_bench

EMBEDDED = "embedded"
"""As a dataset's name: the benchmark's embedded tasks. For trying things out; never train on them."""
_VERSION = str(Row.__dataclass_fields__["version"].default)


def load_rows(name: str, split: str, *, config: str | None = None) -> Any:
    """One split as a `datasets.Dataset` in the layout of the rows.

    Raises DataError where the split is missing, empty, of another version, or has a row without toolset.
    """
    if name == EMBEDDED:
        dataset: Any = load_kopa_bench()
    else:
        dataset = load_edge_trajectories(name, config=config or "default", split=split)
    if not len(dataset):
        raise DataError(f"{name} has no rows in split {split}.")
    versions = sorted({str(version) for version in dataset["version"]})
    if versions != [_VERSION]:
        raise DataError(
            f"{name} holds rows of version {', '.join(versions)}; this package reads version {_VERSION}. "
            "Install the package that wrote the dataset, or build it again."
        )
    bare = [row_id for row_id, key in zip(dataset["id"], dataset["environment"], strict=True) if not key]
    if bare:
        raise DataError(f"{name}: row {bare[0]} names no toolset (column `environment`); {len(bare)} rows in all.")
    return dataset


def validation_rows(name: str, split: str) -> Any:
    """The held-out split, or a DataError that says which splits there are."""
    if name != EMBEDDED and Path(name).exists() and split not in edge_splits(name):
        raise DataError(
            f"{name} has no split {split} to evaluate on; it has {', '.join(edge_splits(name)) or 'none'}. "
            "Set --eval_strategy no, or --dataset_test_split."
        )
    return load_rows(name, split)


def sft_records(dataset: Any) -> Any:
    """Whole conversations, `messages` and `tools`, and nothing else: what an SFT trainer masks by turns."""
    from datasets import Dataset

    from kopa_hf.hub.folder import sft_table

    table = sft_table([row_from_dict(record) for record in dataset], split="train")
    columns = ("messages", "tools")
    features = table.features.__class__({name: table.features[name] for name in columns})
    return Dataset.from_dict({name: [record[name] for record in table.records] for name in columns}, features=features)
