"""Rows say the sandbox world that they were made on, and run there or nowhere."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.frozen import published_rows
from kopa_hf.bench.rows import row_to_dict
from kopa_hf.bench.worlds import refuse_other_worlds, told_world, world_of
from kopa_hf.cli.evaluate import bench_rows
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.world import WORLD_VERSION, World
from kopa_hf.train.toolsets import build_toolsets

SEVEN = {"identity_seed": 0, "value_seed": 7, "scale": 1.0, "version": WORLD_VERSION}


def test_tasks_grounded_on_another_world_are_evaluated_there(kopa: Any, tmp_path: Path) -> None:
    folder = tmp_path / "seven"
    tasks = ("--task", "bikes_left_at_busier_station", "--task", "busiest_boarding_table")
    assert kopa("bench", "ground", "--values-seed", 7, *tasks, "--output", folder)[0] == 0
    rows = bench_rows(folder)
    assert [row.provenance["world"] for row in rows] == [SEVEN, SEVEN]
    published = {row.provenance["task"]: row.answer for row in published_rows()}
    assert all(row.answer != published[row.provenance["task"]] for row in rows), "other figures, other answers"
    code, out, _ = kopa("eval", "--data", folder, "--model", "policy:gold", "--json")
    assert (code, json.loads(out)[0]["pass@1"]) == (0, 1.0)


def test_rows_of_another_world_are_proved_there(kopa: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the default world no row would replay, and the habits would copy other figures."""
    folder = tmp_path / "seven"
    assert kopa("bench", "ground", "--values-seed", 7, "--task", "busiest_boarding_table", "--output", folder)[0] == 0
    code, out, _ = kopa("edge", "verify", folder, "--workers", 1)
    assert (code, out.splitlines()[-1]) == (0, "1 of 1 rows replay to the same calls, texts, state and answer")
    played_on = []
    monkeypatch.setattr(
        "kopa_hf.bench.habits.play_habits", lambda rows, executor, progress: played_on.append(executor.provenance) or []
    )
    assert kopa("train", "integrity", folder, "--split", "test")[0] == 0
    assert played_on == [{"backend": "sandbox", "world": SEVEN}]


def test_the_default_world_is_not_named() -> None:
    assert "world" not in Executor().provenance
    assert Executor(world=World(0, 7)).provenance == {"backend": "sandbox", "world": SEVEN}
    assert world_of(published_rows()[:3]) is None
    assert told_world({"world": {**SEVEN, "value_seed": 0}}) is None, "as EDGE rows say it"
    assert told_world({"world": {}}) is None, "as rows of own services say it"


def test_a_world_that_is_not_to_be_had_is_refused() -> None:
    row = published_rows()[0]
    other = dataclasses.replace(row, provenance={**row.provenance, "world": SEVEN})
    with pytest.raises(DataError, match="different sandbox worlds"):
        world_of([row, other])
    with pytest.raises(DataError, match="version 1 of the sandbox"):
        told_world({"world": {**SEVEN, "version": 1}})
    for name, value in (("scale", 0), ("scale", "1"), ("value_seed", 7.5), ("identity_seed", None)):
        with pytest.raises(DataError, match="which is none"):
            told_world({"world": {**SEVEN, name: value}})
    for refuses in (lambda: refuse_other_worlds([row_to_dict(other)]), lambda: build_toolsets([row_to_dict(other)])):
        with pytest.raises(DataError, match=f"Row {row.id} was made on another sandbox world"):
            refuses()
    assert list(build_toolsets([row_to_dict(row)])) == [row.environment]
