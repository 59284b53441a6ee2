"""The builders give what the folders hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from kopa_hf.bench.rows import features, row_text
from kopa_hf.hub.builders import EdgeTrajectories, KopaBench
from kopa_hf.hub.folder import sft_features
from kopa_hf.hub.loading import dataset_rows, embedded_rows
from tests.hub.rows import hard_rows


@pytest.fixture
def jsonl(tmp_path: Path) -> Path:
    (tmp_path / "train.jsonl").write_text("".join(row_text(row) + "\n" for row in hard_rows()), encoding="utf-8")
    return tmp_path


def test_trajectories_come_out_of_the_builder_as_they_are(jsonl: Path, tmp_path: Path) -> None:
    builder = EdgeTrajectories(data_dir=str(jsonl), cache_dir=str(tmp_path / "cache"))
    builder.download_and_prepare()
    data = builder.as_dataset(split="train")
    assert data.features == features()
    assert [row_text(row) for row in dataset_rows(data)] == [row_text(row) for row in hard_rows()]


def test_config_sft_holds_messages_and_tools(jsonl: Path, tmp_path: Path) -> None:
    builder = EdgeTrajectories(config_name="sft", data_dir=str(jsonl), cache_dir=str(tmp_path / "cache"))
    builder.download_and_prepare()
    data = builder.as_dataset(split="train")
    assert data.features == sft_features()
    assert "prompt" not in data.features


def test_a_structure_config_holds_only_that_structure(jsonl: Path, tmp_path: Path) -> None:
    builder = EdgeTrajectories(config_name="SEQ", data_dir=str(jsonl), cache_dir=str(tmp_path / "cache"))
    builder.download_and_prepare()
    assert len(builder.as_dataset(split="train")) == sum(row.structure == "SEQ" for row in hard_rows())


def test_the_benchmark_builder_gives_the_embedded_tasks(tmp_path: Path) -> None:
    builder = KopaBench(config_name="finance", cache_dir=str(tmp_path / "cache"))
    builder.download_and_prepare()
    found = dataset_rows(builder.as_dataset(split="test"))
    assert [row.id for row in found] == [row.id for row in embedded_rows() if row.domain == "finance"]


@pytest.mark.parametrize("line", ['{"id": "x"}', "{", ""])
def test_a_damaged_line_names_file_and_line(jsonl: Path, tmp_path: Path, line: str) -> None:
    with (jsonl / "train.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    builder = EdgeTrajectories(data_dir=str(jsonl), cache_dir=str(tmp_path / "cache"))
    with pytest.raises(Exception) as caught:  # `datasets` wraps what a builder raises
        builder.download_and_prepare()
    assert "line 4" in str(caught.value.__cause__ or caught.value)


def test_a_builder_without_data_says_what_to_pass(tmp_path: Path) -> None:
    builder = EdgeTrajectories(data_dir=str(tmp_path), cache_dir=str(tmp_path / "cache"))
    with pytest.raises(Exception, match=r"train\.jsonl"):
        builder.download_and_prepare()
