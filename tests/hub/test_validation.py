"""Dataset folders that nobody could load, or whose card leads elsewhere: refused before they go up and when they come."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset
from huggingface_hub import metadata_load

from kopa_hf.errors import DataError
from kopa_hf.hub.bundle import unpack_bundle
from kopa_hf.hub.offline_cache import fill_cache
from kopa_hf.hub.validation import check_dataset
from tests.hub.test_bundle import crafted

NAME = "me/ds"
FILE = "data/train.parquet"


def entries(config: Any = "default", split: Any = "train", path: Any = FILE) -> Any:
    return [{"config_name": config, "data_files": [{"split": split, "path": path}]}]


def dataset(folder: Path, configs: Any, rows: int = 1) -> Path:
    (folder / "data").mkdir(parents=True)
    Dataset.from_dict({"a": [1]}).select(range(rows)).to_parquet(folder / FILE)
    (folder / "README.md").write_text(f"---\n{json.dumps({'configs': configs})[1:-1]}\n---\n# Card\n", encoding="utf-8")
    return folder


def bundled(folder: Path, target: Path) -> Path:
    """The folder in an archive that is true to its manifest, as another program may have made it."""
    files = {
        f"datasets/{NAME}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".data" not in path.parts
    }
    return crafted(target, files, lambda value: value.update(datasets={NAME: f"datasets/{NAME}"}))


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A readable file of this machine that no folder may name."""
    Dataset.from_dict({"a": [2]}).to_parquet(tmp_path / "secret.parquet")
    return tmp_path / "secret.parquet"


WRONG: list[tuple[Callable[[Path], Any], str]] = [
    (lambda outside: entries(path=str(outside)), "cannot be the name of a data file"),
    (lambda outside: entries(path="../secret.parquet"), "cannot be the name of a data file"),
    (lambda outside: entries(path="data/../../secret.parquet"), "cannot be the name of a data file"),
    (lambda outside: entries(path="data/*.parquet"), "cannot be the name of a data file"),
    (lambda outside: entries(path=".data/train.parquet"), "cannot be the name of a data file"),
    (lambda outside: entries(path="hf://datasets/x/y/z.parquet"), "cannot be the name of a data file"),
    (lambda outside: entries(path="data/train.csv"), "cannot be the name of a data file"),
    (lambda outside: entries(path=[FILE]), "cannot be the name of a data file"),
    (lambda outside: entries(path=7), "cannot be the name of a data file"),
    (lambda outside: entries(path="data/gone.parquet"), "which is not there"),
    (lambda outside: entries(config="../up"), "cannot be the name of a config"),
    (lambda outside: entries(config="a/b"), "cannot be the name of a config"),
    (lambda outside: entries(config=["a"]), "cannot be the name of a config"),
    (lambda outside: entries(config=""), "cannot be the name of a config"),
    (lambda outside: entries(split="tr/ain"), "cannot be the name of a split"),
    (lambda outside: entries(split="train[:1]"), "cannot be the name of a split"),
    (lambda outside: entries(split=None), "cannot be the name of a split"),
    (lambda outside: entries() * 2, "twice"),
    (lambda outside: ["default"], "no header that names the data files"),
    (lambda outside: [{"config_name": "default", "data_files": FILE}], "no header that names the data files"),
]


@pytest.mark.parametrize(("configs", "says"), WRONG)
def test_a_card_that_leads_elsewhere_is_refused_in_one_line(
    tmp_path: Path, outside: Path, configs: Callable[[Path], Any], says: str
) -> None:
    folder = dataset(tmp_path / "ds", configs(outside))
    archive = bundled(folder, tmp_path / "b.zip")
    with pytest.raises(DataError, match=says) as refused:
        check_dataset(folder)
    assert "\n" not in str(refused.value)
    with pytest.raises(DataError, match=says) as refused:
        unpack_bundle(archive, tmp_path / "out")
    assert str(refused.value).startswith(str(archive))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.zip", "ds", "secret.parquet"]


def test_a_card_with_an_absolute_path_never_fills_the_cache(tmp_path: Path, outside: Path) -> None:
    folder = dataset(tmp_path / "ds", entries(path=str(outside)))
    with pytest.raises(DataError, match="cannot be the name"):
        fill_cache(folder, NAME, cache=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path, outside: Path) -> None:
    folder = dataset(tmp_path / "ds", entries())
    (folder / FILE).unlink()
    (folder / FILE).symlink_to(outside)
    with pytest.raises(DataError, match="is a link"):
        check_dataset(folder)


def test_a_file_without_rows_is_refused(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "ds", entries(), rows=0)
    with pytest.raises(DataError, match="holds no rows"):
        check_dataset(folder)
    with pytest.raises(DataError, match="holds no rows"):
        unpack_bundle(bundled(folder, tmp_path / "b.zip"), tmp_path / "out")


def test_splits_of_other_columns_are_refused_in_one_line(tmp_path: Path) -> None:
    configs = entries()
    configs[0]["data_files"].append({"split": "test", "path": "data/test.parquet"})
    folder = dataset(tmp_path / "ds", configs)
    Dataset.from_dict({"b": ["x"]}).to_parquet(folder / "data" / "test.parquet")
    with pytest.raises(DataError, match=r"data/test\.parquet has other columns"):
        check_dataset(folder)
    with pytest.raises(DataError, match="config default cannot be loaded") as refused:
        fill_cache(folder, NAME, cache=tmp_path / "cache")
    assert "\n" not in str(refused.value)


def test_a_plain_folder_passes(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "ds", entries(config="한글-1.0", split="train"))
    assert check_dataset(folder) == {("한글-1.0", "train"): 1}
    unpack_bundle(bundled(folder, tmp_path / "b.zip"), tmp_path / "out")
    assert check_dataset(tmp_path / "out" / "datasets" / NAME) == {("한글-1.0", "train"): 1}


def test_a_card_that_begins_with_a_mark_is_named_as_that(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "ds", entries())
    card = folder / "README.md"
    card.write_bytes(b"\xef\xbb\xbf" + card.read_bytes())
    assert metadata_load(card) is None  # as the Hub's own reader takes it
    with pytest.raises(DataError, match=r"README\.md begins with a byte order mark.*Save it as UTF-8 without BOM"):
        check_dataset(folder)
    with pytest.raises(DataError, match=r"README\.md begins with a byte order mark"):
        unpack_bundle(bundled(folder, tmp_path / "b.zip"), tmp_path / "out")
    card.write_bytes(card.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    assert check_dataset(folder) == {("default", "train"): 1}


def test_a_card_without_configs_is_named_as_that(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "ds", entries())
    (folder / "README.md").write_text("# Card\n")
    with pytest.raises(DataError, match="the card's header names no data files"):
        check_dataset(folder)
