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

import yaml

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


BENCHMARK: Final = "eval.yaml"
"""Marks a dataset folder as a benchmark on the Hub."""
MARK: Final = "kopa_hf"
"""Entry of a card's header that names the folder's files beside the card and the data: who wrote them is known by it."""
_BESIDES: Final = (".gitattributes", ".cache/huggingface/")
"""What a pull leaves in a folder."""


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
    An existing folder is replaced only if an earlier run of this function wrote everything in it.
    """
    target = Path(folder)
    check_replaceable(target)
    besides = dict(assets or {})
    if benchmark is not None:
        besides[BENCHMARK] = benchmark.encode()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        try:
            paths = [_write_table(table, staging) for table in tables]
            for name, content in besides.items():
                (staging / name).write_bytes(content)
            # the card last: a folder with one is complete
            text = _marked(card(config_files(tables, paths)), sorted(besides))
            (staging / "README.md").write_text(text, encoding="utf-8")
            put_in_place(staging, target)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        raise KopaError(
            f"Could not write the dataset to {target}: {error.strerror or error}. Nothing was replaced."
        ) from error
    return target


def check_replaceable(folder: Path) -> None:
    """Raise `DataError` where `folder` holds anything that `write_folder` did not write; makes nothing."""
    foreign = foreign_file(folder)
    if foreign is not None:
        raise DataError(
            f"{folder} holds {foreign}, which this program did not write, so nothing is replaced. Choose another folder."
        )


def foreign_file(folder: Path) -> str | None:
    """The first thing in a folder that `write_folder` did not write; None where all of it may be replaced."""
    from huggingface_hub import metadata_load

    from kopa_hf.hub.loading import data_files

    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise DataError(f"{folder} is {'a link' if folder.is_symlink() else 'a file'}; name a folder.")
    if folder.resolve() == Path.cwd():
        raise DataError(f"{folder} is the folder that this program runs in; name another.")
    there = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()
    }
    there = {name for name in there if not name.startswith(_BESIDES)}
    if not there:
        return None
    own: set[str] = set()
    try:
        mark = (metadata_load(folder / "README.md") or {})[MARK]
        own = {"README.md", *map(str, mark["files"]), *data_files(folder).values()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, yaml.YAMLError, DataError):
        pass  # no card of ours: everything here is foreign
    return min(there - own, default=None)


def put_in_place(staging: Path, target: Path) -> None:
    """Move a finished folder to its place; what stands there goes away only once the new one is in."""
    staging.chmod(0o755)
    if not target.exists():
        os.replace(staging, target)
        return
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}-old-", dir=target.parent))
    try:
        os.replace(target, aside)
        os.replace(staging, target)
    except OSError:
        if not target.exists():
            os.replace(aside, target)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _marked(card: str, besides: list[str]) -> str:
    """The card with what says in its header that this program wrote the folder."""
    mark = yaml.safe_dump({MARK: {"files": besides}}, allow_unicode=True, sort_keys=False)
    header, end, body = card.partition("\n---\n")
    return f"{header}\n{mark}---\n{body}" if card.startswith("---\n") and end else f"---\n{mark}---\n{card}"


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
