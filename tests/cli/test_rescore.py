"""`kopa bench rescore`: shows old and new, writes where it was told, and never over anything silently."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kopa_hf.bench.policies import GOLD, NULL
from kopa_hf.bench.run_log import read_log
from kopa_hf.bench.runner import evaluate
from kopa_hf.cli import kopa
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.loading import embedded_rows


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(kopa, ["bench", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Two agents on two tasks; the log's scores of gold were spoiled afterwards."""
    path = tmp_path / "run.jsonl"
    with Executor() as executor:
        for policy in (GOLD, NULL):
            evaluate(policy, embedded_rows()[:2], executor, log=path)
    path.write_text(path.read_text(encoding="utf-8").replace('"reward": 1.0', '"reward": 0.0'), encoding="utf-8")
    return path


def test_old_and_new_stand_side_by_side_and_a_new_log_is_written(log: Path) -> None:
    before = log.read_bytes()
    printed = run("rescore", log)
    gold = next(line.split() for line in printed.splitlines() if line.startswith("gold "))
    assert gold[0] == "gold"
    assert gold[2:] == ["1", "0.00", "1.00", "1", "same"]
    assert "gold 1.00" in printed
    assert log.read_bytes() == before
    assert [line["score"]["reward"] for line in read_log(log.with_name("run.rescored.jsonl"))] == [1.0, 1.0, 0.0, 0.0]


def test_nothing_is_written_over_unless_asked_for(log: Path, tmp_path: Path) -> None:
    run("rescore", log, "--dry-run")
    assert [path.name for path in tmp_path.iterdir()] == ["run.jsonl"]
    run("rescore", log)
    again = CliRunner().invoke(kopa, ["bench", "rescore", str(log)])
    assert "exists" in str(again.exception)
    run("rescore", log, "--in-place", "--dry-run", code=2)
    assert str(log) in run("rescore", log, "--in-place")
    assert [line["score"]["reward"] for line in read_log(log)] == [1.0, 1.0, 0.0, 0.0]


def test_a_task_that_changed_is_marked_and_left_out(log: Path) -> None:
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    first = next(line["row"] for line in lines if "policy" in line)
    for line in lines:
        if line.get("row") == first:
            line["task_version"] = "0.0"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    printed = run("rescore", log, "--dry-run")
    assert printed.count("not comparable, other version: version 0.0, now 0.1") == 2
    assert "2 rollout(s) are not comparable" in printed
    record = json.loads(run("rescore", log, "--dry-run", "--json"))
    assert [report["metrics"]["tasks"] for report in record["reports"]] == [1, 1]
    assert {r["standing"] for r in record["rollouts"] if not r["comparable"]} == {"other version"}


def test_inspect_logs_are_scored_again_too(log: Path, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="extra `eval` is not installed")
    from inspect_ai.log import read_eval_log, write_eval_log

    run("inspect", log, "--output", tmp_path)
    path = tmp_path / "run.gold.eval"
    old = read_eval_log(str(path))
    for sample in old.samples or ():
        sample.store["kopa_run"]["score"]["reward"] = 0.0
    write_eval_log(old, str(path))
    printed = json.loads(run("rescore", path, "--json"))
    assert [(r["old"], r["new"]) for r in printed["rollouts"]] == [(0.0, 1.0)] * 2
    new = read_eval_log(str(tmp_path / "run.gold.rescored.eval"))
    assert new.results is not None
    assert new.results.scores[0].metrics["pass@1"].value == 1.0
    assert {sample.scores["kopa_score"].value for sample in new.samples or () if sample.scores} == {1.0}
    assert "gold 1.00" in run("rescore", path, "--in-place")
    text = tmp_path / "damaged.eval"
    text.write_text("nothing", encoding="utf-8")
    damaged = CliRunner().invoke(kopa, ["bench", "rescore", str(text)])
    assert "cannot be read as an Inspect log" in str(damaged.exception)
