"""Dataset folders: what goes in comes out, for readers who do not have this package."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kopa_hf.bench.rows import Row, features, row_text, row_to_dict
from kopa_hf.errors import DataError
from kopa_hf.hub.cards import dataset_card, figures
from kopa_hf.hub.folder import row_table, rows_to_dataset, sft_table, write_folder
from kopa_hf.hub.loading import dataset_rows, in_config, load_edge_trajectories, load_kopa_bench
from tests.hub.rows import hard_rows

PLAIN_READER = """
import json, sys
from datasets import load_dataset
assert "kopa_hf" not in sys.modules
out = {}
for config in ("default", "sft"):
    data = load_dataset(sys.argv[1], name=config, split="train")
    out[config] = [dict(row) for row in data]
print(json.dumps(out, ensure_ascii=False))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = hard_rows()
    tables = [row_table(rows, split="train"), sft_table(rows, split="train")]
    return write_folder(
        tables, tmp_path / "data", lambda files: dataset_card("edge-trajectories", {"train": rows}, files)
    )


def lean(value: object) -> object:
    """Parquet gives absent message keys back as null; readers treat both alike."""
    if isinstance(value, dict):
        return {k: lean(v) for k, v in value.items() if v is not None}
    return [lean(v) for v in value] if isinstance(value, list) else value


def test_plain_load_dataset_gives_the_rows_back_without_this_package(folder: Path, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", PLAIN_READER, str(folder)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    found = json.loads(run.stdout)
    for row, record in zip(hard_rows(), found["default"], strict=True):
        expected = row_to_dict(row)
        for column in ("tools", "golden_actions", "program", "system_state", "provenance", "answer", "platforms"):
            assert record[column] == expected[column], column
        assert lean(record["completion"]) == lean(expected["completion"])
        assert record["prompt"] == expected["prompt"]
    assert found["default"][0]["provenance"]["nothing"] is None
    assert "nothing" not in found["default"][1]["provenance"]
    assert found["default"][2]["answer"] == "005930"
    assert [m["role"] for m in found["sft"][0]["messages"]] == ["system", "user", "assistant", "tool", "assistant"]


def test_rows_survive_folder_and_jsonl_exactly(folder: Path) -> None:
    loaded = dataset_rows(load_edge_trajectories(folder))
    assert [row_text(row) for row in loaded] == [row_text(row) for row in hard_rows()]


def test_the_folder_has_the_same_features_as_the_layout(folder: Path) -> None:
    assert load_edge_trajectories(folder).features == features()
    assert rows_to_dataset(hard_rows()).features == features()


def write(rows: tuple[Row, ...], where: Path) -> Path:
    tables = [row_table(rows, split="train")]
    return write_folder(tables, where, lambda files: dataset_card("edge-trajectories", {"train": rows}, files))


def test_same_rows_same_bytes(tmp_path: Path) -> None:
    digests = []
    for name in ("a", "b"):
        folder = write(hard_rows(), tmp_path / name)
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        digests.append({p.relative_to(folder): hashlib.sha256(p.read_bytes()).hexdigest() for p in files})
    assert digests[0] == digests[1]
    assert len(digests[0]) == 2


def test_a_folder_written_again_is_read_anew_by_plain_load_dataset(tmp_path: Path) -> None:
    from datasets import load_dataset

    for place, count in (("a", 3), ("a", 1), ("b", 2)):
        folder = write(hard_rows()[:count], tmp_path / place / "data")
        assert len(load_dataset(str(folder), split="train")) == count


def test_a_folder_of_something_else_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("keep me", encoding="utf-8")
    with pytest.raises(DataError, match=r"letter\.txt"):
        write_folder([row_table(hard_rows(), split="train")], tmp_path / "mine", lambda files: "")
    assert (tmp_path / "mine" / "letter.txt").read_text(encoding="utf-8") == "keep me"


def test_a_file_of_ones_own_in_a_dataset_folder_is_not_deleted(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match=r"notes\.txt"):
        write(hard_rows(), folder)
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("card", ["# My album\n", "---\nconfigs: []\n---\n# My dataset\n"])
def test_a_folder_of_the_same_kinds_of_files_is_not_replaced(tmp_path: Path, card: str) -> None:
    album = tmp_path / "album"
    (album / "2025").mkdir(parents=True)
    mine = {"README.md": card, "2025/a.png": "a", "raw.zip": "z", "table.parquet": "p"}
    for name, text in mine.items():
        (album / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="did not write"):
        write(hard_rows(), album)
    found = {path.relative_to(album).as_posix(): path.read_text("utf-8") for path in album.rglob("*") if path.is_file()}
    assert found == mine
    assert list(tmp_path.iterdir()) == [album]


@pytest.mark.parametrize("name", ["holiday.png", "data/more.parquet", "letters.zip", ".hidden"])
def test_a_file_added_to_a_dataset_folder_keeps_it_from_being_replaced(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"mine")
    with pytest.raises(DataError, match=name):
        write(hard_rows(), folder)
    assert (folder / name).read_bytes() == b"mine"


def test_a_folder_with_pictures_is_replaced_by_the_next_run(tmp_path: Path) -> None:
    tables = [row_table(hard_rows(), split="test")]
    for assets in ({"policies.png": b"1"}, {"other.png": b"2"}, {}):
        folder = write_folder(
            tables,
            tmp_path / "x",
            lambda files: f"---\nconfigs: {json.dumps(files)}\n---\n# Card\n",
            benchmark="tasks: []\n",
            assets=assets,
        )
        found = {path.name for path in folder.iterdir()}
        assert found == {"README.md", "eval.yaml", "data", *assets}
    assert list(tmp_path.iterdir()) == [folder]


def test_a_link_is_not_replaced(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    with pytest.raises(DataError, match="is a link"):
        write(hard_rows(), tmp_path / "link")


def test_a_folder_that_cannot_be_swapped_stays_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    replace = os.replace

    def fails(source: Path, target: Path) -> None:
        if target == folder and "-old-" not in str(source):
            raise OSError(5, "Input/output error")
        replace(source, target)

    monkeypatch.setattr("kopa_hf.hub.folder.os.replace", fails)
    with pytest.raises(Exception, match="Nothing was replaced"):
        write(hard_rows()[:1], folder)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert list(folder.parent.iterdir()) == [folder]


def test_a_failed_write_leaves_the_old_folder_as_it_was(folder: Path) -> None:
    before = (folder / "README.md").read_bytes()

    def broken(files: list[dict[str, object]]) -> str:
        raise OSError(28, "No space left on device")

    with pytest.raises(Exception, match="No space left"):
        write_folder([row_table(hard_rows()[:1], split="train")], folder, broken)
    assert (folder / "README.md").read_bytes() == before
    assert len(load_edge_trajectories(folder)) == 3
    assert [p.name for p in folder.parent.iterdir() if p.name.startswith(".data-")] == []


def damage_parquet(folder: Path) -> None:
    path = next((folder / "data").glob("*.parquet"))
    path.write_bytes(path.read_bytes()[:200])


def remove_card(folder: Path) -> None:
    (folder / "README.md").unlink()


@pytest.mark.parametrize("harm", [damage_parquet, remove_card])
def test_a_damaged_folder_is_a_data_error(folder: Path, harm: object) -> None:
    harm(folder)  # type: ignore[operator]
    with pytest.raises(DataError):
        load_edge_trajectories(folder)


@pytest.mark.parametrize(("config", "split"), [("nope", "train"), ("default", "nope")])
def test_an_unknown_config_or_split_is_a_data_error(folder: Path, config: str, split: str) -> None:
    with pytest.raises(DataError):
        load_edge_trajectories(folder, config=config, split=split)


def test_a_dataset_of_another_layout_is_a_data_error(tmp_path: Path) -> None:
    from datasets import Dataset

    (tmp_path / "other").mkdir()
    Dataset.from_dict({"question": ["?"]}).to_parquet(tmp_path / "other" / "train.parquet")
    header = "configs:\n- config_name: default\n  data_files:\n  - split: train\n    path: train.parquet\n"
    (tmp_path / "other" / "README.md").write_text(f"---\n{header}---\n# other\n", encoding="utf-8")
    with pytest.raises(DataError, match="another layout"):
        load_edge_trajectories(tmp_path / "other")


def test_every_number_on_a_card_is_counted_from_the_rows(folder: Path) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    rows: tuple[Row, ...] = hard_rows()
    assert "3 tool trajectories" in text
    assert "| domains | finance 2, politics 1 |" in text
    assert "| answer types | code 1, date 1, number 1 |" in text
    assert "| calls, mean (max) | 1.00 (1) |" in text
    assert f"| tools offered, mean | {sum(len(r.tools) for r in rows) / 3:.2f} |" in text
    assert figures(rows)["with_state"] == 1


def test_the_embedded_benchmark_loads_without_network() -> None:
    tasks = load_kopa_bench()
    held_out = load_kopa_bench(config="held_out")
    assert tasks.features == features()
    assert len(tasks) >= 10
    assert 0 < len(held_out) < len(tasks)
    assert all({"seoul", "dart", "krx"} & set(row["platforms"]) for row in held_out)
    assert all(in_config(row, "held_out") for row in dataset_rows(held_out))
