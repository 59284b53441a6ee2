"""Write rows as a dataset folder that plain `load_dataset` reads, without this package.

The layout is the Hub's own: one Parquet file per config and split, and a card
whose header names them. Same rows, same bytes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kopa_hf.bench.rows import Row, features, row_to_dict, validate_row
from kopa_hf.errors import DataError, KopaError

if TYPE_CHECKING:
    from datasets import Dataset, Features

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Table:
    """One config's split before it is written."""

    config: str
    split: str
    records: Sequence[Mapping[str, Any]]
    features: Features


def rows_to_dataset(rows: Iterable[Row]) -> Dataset:
    """Validated rows as an in-memory `datasets.Dataset` with the final features."""
    from datasets import Dataset

    records = []
    for row in rows:
        validate_row(row)
        records.append(row_to_dict(row))
    columns = {name: [record[name] for record in records] for name in features()}
    return Dataset.from_dict(columns, features=features())


def row_table(rows: Iterable[Row], *, config: str = DEFAULT, split: str) -> Table:
    """Rows as a table in the layout of the default config."""
    records = []
    for row in rows:
        validate_row(row)
        records.append(row_to_dict(row))
    return Table(config, split, records, features())


def row_configs(rows: Iterable[Row]) -> list[str]:
    """Names of the configs that hold a part of the rows: each structure's and each domain's."""
    found = list(rows)
    return [*sorted({row.structure for row in found}), *sorted({row.domain for row in found})]


def sft_features() -> Features:
    """Features of config `sft`: `messages` and `tools`, as SFT trainers read them."""
    from datasets import Features, Json, List, Value

    layout = features()
    return Features(
        {"id": Value("string"), "messages": layout["completion"], "tools": List(Json()), "structure": Value("string")}
    )


def sft_table(rows: Iterable[Row], *, split: str) -> Table:
    """Rows as whole conversations; never beside `prompt`, which trainers would take for another format."""
    records = [
        {"id": row.id, "messages": [*row.prompt, *row.completion], "tools": row.tools, "structure": row.structure}
        for row in rows
    ]
    return Table("sft", split, records, sft_features())


_OWN_SUFFIXES: Final = (".parquet", ".png", ".zip")
BENCHMARK: Final = "eval.yaml"
"""Marks a dataset folder as a benchmark on the Hub."""


def write_folder(
    tables: Sequence[Table],
    folder: Path | str,
    card: Callable[[list[dict[str, Any]]], str],
    *,
    benchmark: str | None = None,
    assets: Mapping[str, bytes] | None = None,
) -> Path:
    """Write all tables and the card into `folder`, whole or not at all.

    `card` takes the header's `configs` entry and returns the README's text; `benchmark` is the
    text of the eval.yaml by which the Hub knows a benchmark, `assets` are pictures of the card by name.
    An existing folder is replaced only if an earlier run of this function wrote it.
    """
    target = Path(folder)
    if target.exists() and any(target.iterdir()):
        files = [path for path in target.rglob("*") if path.is_file()]
        ours = {target / "README.md", target / BENCHMARK}
        foreign = [path.name for path in files if path.suffix not in _OWN_SUFFIXES and path not in ours]
        if foreign or not (target / "README.md").is_file():
            what = f"holds {foreign[0]}" if foreign else "is not empty and no dataset folder"
            raise DataError(f"{target} {what}, so it is not replaced. Choose another folder.")
    target.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        paths = [_write_table(table, staging) for table in tables]
        if benchmark is not None:
            (staging / BENCHMARK).write_text(benchmark, encoding="utf-8")
        for name, content in (assets or {}).items():
            (staging / name).write_bytes(content)
        # the card last: a folder with one is complete
        (staging / "README.md").write_text(card(config_files(tables, paths)), encoding="utf-8")
        if target.exists():
            shutil.rmtree(target)
        staging.chmod(0o755)
        os.replace(staging, target)
    except OSError as error:
        raise KopaError(
            f"Could not write the dataset to {target}: {error.strerror or error}. Nothing was replaced."
        ) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return target


def config_files(tables: Sequence[Table], paths: Sequence[str]) -> list[dict[str, Any]]:
    """The `configs` entry of a card's header: which file holds which config and split."""
    entries: list[dict[str, Any]] = []
    for config in dict.fromkeys(table.config for table in tables):
        files = [{"split": t.split, "path": p} for t, p in zip(tables, paths, strict=True) if t.config == config]
        entries.append({"config_name": config, "data_files": files} | ({"default": True} if config == DEFAULT else {}))
    return entries


def _write_table(table: Table, root: Path) -> str:
    """Write one Parquet file and return its path inside the folder.

    The name ends in a hash of the content: `load_dataset` caches by file name, and would give back the
    old rows of a folder that was written again, or of any other folder of the same name.
    """
    from datasets import Dataset

    folder = root / ("data" if table.config == DEFAULT else table.config)
    folder.mkdir(parents=True, exist_ok=True)
    columns = {name: [record[name] for record in table.records] for name in table.features}
    draft = folder / f"{table.split}.parquet"
    Dataset.from_dict(columns, features=table.features).to_parquet(draft)
    digest = hashlib.sha256(draft.read_bytes()).hexdigest()[:16]
    path = draft.rename(folder / f"{table.split}-00000-of-00001-{digest}.parquet")
    return str(path.relative_to(root))
