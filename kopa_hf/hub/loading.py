"""Load the two datasets: embedded, from a folder, or from the Hub."""

from __future__ import annotations

import codecs
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kopa_hf.bench.rows import Row, features, is_held_out, row_from_dict
from kopa_hf.errors import DataError
from kopa_hf.hub.naming import dataset_source, not_there

if TYPE_CHECKING:
    from datasets import Dataset

HUB_NAMESPACE = os.environ.get("KOPA_HUB_NAMESPACE") or "kopa"
"""Owner of the published datasets on the Hub; the one place where it is set (KOPA_HUB_NAMESPACE overrides it)."""

_CONFIG: Final = re.compile(r"\w[\w.+-]*")
_SPLIT: Final = re.compile(r"\w+(?:\.\w+)*")
_FILE: Final = re.compile(r"(?:\w[\w .+=@-]*/)*\w[\w .+=@-]*\.parquet")
"""A path inside the folder: nothing hidden, nothing above it, and no pattern that `datasets` would match."""
_MAKERS = "`kopa bench export` writes the benchmark, `kopa edge run` trajectories."


def load_kopa_bench(source: str | Path | None = None, *, config: str = "default", split: str = "test") -> Dataset:
    """KOPA-Bench, re-created: our own tasks in the paper's design.

    `source`: None reads the embedded tasks (no network, the same rows every time);
    a dataset folder, or a Hub repository such as "kopa/kopa-bench". Configs: default, held_out and one per domain.
    Raises DataError where the folder holds no such dataset.
    """
    if source is None:
        from kopa_hf.hub.folder import rows_to_dataset

        return rows_to_dataset(row for row in embedded_rows() if in_config(row, config))
    return _load(source, config, split)


def load_edge_trajectories(
    source: str | Path = f"{HUB_NAMESPACE}/edge-trajectories", *, config: str = "default", split: str = "train"
) -> Dataset:
    """EDGE trajectories from a dataset folder or the Hub. Splits: train, validation; config `sft` holds messages."""
    return _load(source, config, split)


def edge_splits(source: str | Path) -> list[str]:
    """Splits of the trajectories in a folder or on the Hub: train, and validation where there are rows of it."""
    found = dataset_source(source, owner=HUB_NAMESPACE)
    if isinstance(found, Path):
        return [split for config, split in data_files(found) if config == "default"]
    from datasets import get_dataset_split_names

    try:
        return list(get_dataset_split_names(found, "default"))
    except (OSError, ValueError, RuntimeError) as error:
        raise DataError(f"Cannot load {source}: {_first_line(error)}") from error


CONFIGS = ("default", "held_out", "traffic", "finance", "education", "law", "politics", "district")
"""Configs of the embedded benchmark."""


def in_config(row: Row, config: str) -> bool:
    """Whether a benchmark row belongs to a config: default, held_out or a domain's name."""
    if config == "default":
        return True
    if config == "held_out":
        return is_held_out(row)
    return row.domain == config


@lru_cache(maxsize=1)
def embedded_rows() -> tuple[Row, ...]:
    """The embedded tasks as they are on the default world, read once per process."""
    from kopa_hf.bench.frozen import published_rows

    return published_rows()


def dataset_rows(dataset: Dataset) -> list[Row]:
    """Typed rows of a loaded dataset, validated one by one."""
    return [row_from_dict(record) for record in dataset]


def _load(source: str | Path, config: str, split: str) -> Any:
    found = dataset_source(source, owner=HUB_NAMESPACE)
    try:
        if isinstance(found, Path):
            dataset = _read_folder(found, config, split)
        else:
            from datasets import load_dataset

            dataset = load_dataset(found, name=config, split=split)
    except (OSError, ValueError, RuntimeError) as error:
        # a damaged file, an unknown config and an unreachable Hub come as one of these three
        raise DataError(f"Cannot load {source} (config {config}, split {split}): {_first_line(error)}") from error
    if config != "sft" and list(dataset.features) != list(features()):
        raise DataError(
            f"{source} has columns {', '.join(dataset.features)}; this version of kopa_hf reads another layout."
        )
    return dataset


def _read_folder(path: Path, config: str, split: str) -> Dataset:
    """A folder's Parquet itself, past every cache, so that damage shows."""
    import pyarrow.parquet as pq
    from datasets import Dataset

    files = data_files(path)
    if (config, split) not in files:
        there = ", ".join(f"{name}/{part}" for name, part in files) or "none"
        raise DataError(f"{path} has no config {config} with split {split}. It has: {there}.")
    return Dataset(pq.read_table(path / files[config, split]))


def data_files(path: Path) -> dict[tuple[str, str], str]:
    """(config, split) → Parquet file of a dataset folder, as the header of its card names them.

    Raises `DataError` for names that are no plain ones, and for paths that lead out of the folder.
    """
    import yaml
    from huggingface_hub import metadata_load

    if not path.exists():
        raise not_there(path, _MAKERS)
    if not path.is_dir():
        raise DataError(f"{path} is no dataset folder. {_MAKERS}")
    if not (path / "README.md").is_file():
        raise DataError(f"{path} has no README.md, so it is incomplete or no dataset folder. Build it again.")
    card = path / "README.md"
    try:
        with card.open("rb") as file:
            if file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8:
                # no reader of the Hub passes over it; each would take the card for one without a header
                raise DataError(
                    f"{card} begins with a byte order mark, so nobody finds its header. Save it as UTF-8 without BOM."
                )
        header = metadata_load(card) or {}
        named = [
            (entry["config_name"], file["split"], file["path"])
            for entry in header.get("configs") or ()
            for file in entry["data_files"]
        ]
    except (OSError, yaml.YAMLError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{card} has no header that names the data files; build it again.") from error
    found: dict[tuple[str, str], str] = {}
    for config, split, name in named:
        for what, text, plain in (("config", config, _CONFIG), ("split", split, _SPLIT), ("data file", name, _FILE)):
            if not isinstance(text, str) or not plain.fullmatch(text):
                raise DataError(f"{card}: {str(text)[:80]!r} cannot be the name of a {what}.")
        if (config, split) in found:
            raise DataError(f"{card} names config {config} with split {split} twice.")
        found[config, split] = name
    return found


def _first_line(error: Exception) -> str:
    cause = error.__cause__ or error
    return (str(cause).strip().splitlines() or [type(cause).__name__])[0]
