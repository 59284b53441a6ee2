"""Rows for other trainers, read back by the calls that those make."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kopa_hf.cli.edge import edge
from kopa_hf.errors import DataError
from kopa_hf.train.formats import export_rows
from kopa_hf.train.reward import kopa_reward
from tests.hub.rows import hard_rows
from tests.train.runs import short_rows, write_rows


def test_verl_reads_the_rows_by_its_own_calls(tmp_path: Path) -> None:
    """Its RLHFDataset: load_dataset("parquet"), then `extra_info` and its entries with `.get`."""
    import datasets

    rows = hard_rows()
    (file,) = export_rows({"train": rows}, "verl", tmp_path)
    frame = datasets.load_dataset("parquet", data_files=str(file), cache_dir=str(tmp_path / "cache"))["train"]
    assert len(frame) == len(rows)
    for index, (record, row) in enumerate(zip(frame, rows, strict=True)):
        assert record["prompt"] == [{"role": m["role"], "content": m["content"]} for m in row.prompt]
        assert record["data_source"] == "kopa/edge-trajectories"
        assert record["agent_name"] == "tool_agent"
        assert record["reward_model"] == {"style": "rule", "ground_truth": row.answer}
        extra = record["extra_info"]
        assert extra.get("index") == index
        assert extra.get("need_tools_kwargs", False) is True
        names = [tool["function"]["name"] for tool in row.tools]
        assert extra["tool_selection"] == names
        given = {name: kwargs for name, kwargs in extra.get("tools_kwargs", {}).items() if kwargs is not None}
        assert given == {name: {"create_kwargs": {"row_id": row.id}} for name in names}


def test_the_row_inside_is_enough_for_the_reward(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    row = hard_rows()[0]
    (file,) = export_rows({"train": [row]}, "verl", tmp_path)
    record = pq.read_table(file).to_pylist()[0]
    columns = {name: [value] for name, value in json.loads(record["extra_info"]["row"]).items()}
    assert kopa_reward([record["prompt"]], [row.completion], **columns) == [1.0]


def test_messages_are_whole_conversations_with_texts_as_arguments(tmp_path: Path) -> None:
    row = hard_rows()[0]
    (file,) = export_rows({"train": [row]}, "messages", tmp_path)
    (line,) = file.read_text(encoding="utf-8").splitlines()
    record = json.loads(line)
    assert record["tools"] == row.tools
    assert [m["role"] for m in record["messages"]] == [m["role"] for m in (*row.prompt, *row.completion)]
    calls = [call for m in record["messages"] for call in m.get("tool_calls", ())]
    golden = [call for m in row.completion for call in m.get("tool_calls") or ()]
    assert [json.loads(call["function"]["arguments"]) for call in calls] == [c["function"]["arguments"] for c in golden]
    answered = {m["tool_call_id"] for m in record["messages"] if m["role"] == "tool"}
    assert answered == {call["id"] for call in calls}


@pytest.mark.parametrize("form", ["verl", "messages"])
def test_the_command_writes_one_file_per_split(tmp_path: Path, form: str) -> None:
    rows = short_rows(3)
    folder = write_rows(tmp_path / "edge", rows[:2], rows[2:])
    done = CliRunner().invoke(edge, ["export", str(folder), "--format", form, "--output", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    suffix = "parquet" if form == "verl" else "jsonl"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [f"train.{suffix}", f"validation.{suffix}"]


@pytest.mark.parametrize("output", ["run/edge", "run/edge/", "run/edge/data/verl", "run", "run/out/../edge"])
def test_an_export_never_goes_among_the_datasets_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = write_rows(Path("run") / "edge", short_rows(1))
    before = {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()}
    done = CliRunner().invoke(edge, ["export", str(folder), "--format", "messages", "--output", output])
    assert isinstance(done.exception, DataError)
    assert "--output" in str(done.exception)
    assert {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()} == before
    assert (
        CliRunner().invoke(edge, ["export", "run/edge", "--format", "messages", "--output", "run/out"]).exit_code == 0
    )


def test_an_unknown_format_is_named(tmp_path: Path) -> None:
    row = hard_rows()[0]
    with pytest.raises(DataError, match="verl, messages"):
        export_rows({"train": [row]}, "csv", tmp_path)
