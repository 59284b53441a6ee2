"""BFCL as a dataset folder of Parquet that `load_dataset` reads, which is what lighteval wants."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from kopa_hf.bench.bfcl.categories import CATEGORIES, GROUPS
from kopa_hf.bench.bfcl.source import cache_folder, fingerprint, load_entries, present
from kopa_hf.errors import DataError

LAYOUT: Final = 2


def prepared(data: Path) -> Path:
    """The dataset folder of a data folder, made once in the cache; configs are the categories and groups it holds."""
    target = cache_folder() / f"dataset-{LAYOUT}-{fingerprint(data)}"
    if target.is_dir():
        return target
    categories = present(data)
    if not categories:
        raise DataError(f"{data} holds none of the categories {', '.join(CATEGORIES)}.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as work:
        folder = Path(work) / "dataset"
        write_dataset(data, folder, categories)
        try:
            folder.rename(target)
        except OSError:
            if not target.is_dir():  # another process was faster
                raise
    return target


def write_dataset(data: Path, folder: Path, categories: tuple[str, ...]) -> None:
    """One Parquet file per category, and the README that tells `load_dataset` of the configs."""
    from datasets import Dataset

    (folder / "data").mkdir(parents=True)
    for category in categories:
        rows = [entry.to_row() for entry in load_entries(data, (category,))]
        Dataset.from_list(rows).to_parquet(str(folder / "data" / f"{category}.parquet"))
    lines = ["---", "configs:"]
    for name, members in {**GROUPS, **{category: (category,) for category in categories}}.items():
        held = [category for category in members if category in categories]
        if held:
            lines += [f"- config_name: {name}", "  data_files:", "  - split: test", "    path:"]
            lines += [f"    - data/{category}.parquet" for category in held]
    (folder / "README.md").write_text("\n".join([*lines, "---", ""]), encoding="utf-8")
