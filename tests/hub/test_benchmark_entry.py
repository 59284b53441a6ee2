"""The eval.yaml by which the Hub knows a benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kopa_hf.bench.rows import Row
from kopa_hf.bench.task import ground_tasks, load_tasks
from kopa_hf.cli.bench import write_bench
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.cards import benchmark_entry


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    with Executor() as executor:
        return ground_tasks(executor, tasks=load_tasks()[:1]).rows


def test_a_benchmark_folder_says_that_it_is_one_and_can_be_written_again(rows: list[Row], tmp_path: Path) -> None:
    for _ in range(2):
        write_bench(rows, tmp_path / "bench")
    entry = yaml.safe_load((tmp_path / "bench" / "eval.yaml").read_text(encoding="utf-8"))
    assert entry["evaluation_framework"] == "inspect-ai"
    assert {"id": "kopa_bench", "config": "default", "split": "test"} in entry["tasks"]


def test_only_configs_that_the_folder_has_are_named() -> None:
    both = yaml.safe_load(benchmark_entry("kopa-bench", ["default", "held_out", "law"]))
    one = yaml.safe_load(benchmark_entry("kopa-bench", ["default"]))
    assert [task["id"] for task in both["tasks"]] == ["kopa_bench", "kopa_bench_held_out"]
    assert [task["config"] for task in one["tasks"]] == ["default"]
