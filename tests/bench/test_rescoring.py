"""Old logs under today's rules: scored against what they ran on, marked where today's task is another."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.changes import Changelog, read_changes
from kopa_hf.bench.fingerprints import changed_unnoticed, load_fingerprints, record
from kopa_hf.bench.policies import GOLD, NULL
from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rescoring import Rescored, rescore, rescore_log
from kopa_hf.bench.rows import Row, row_fingerprint, row_id
from kopa_hf.bench.run_log import read_run_log
from kopa_hf.bench.runner import evaluate
from kopa_hf.bench.task import load_tasks
from kopa_hf.execution.executor import Executor


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor()


def make(executor: Executor, question: str = "3에서 1을 빼면?", version: str = "0.1", **more: Any) -> Row:
    plan = RowPlan(
        question=question,
        tools=("evaluate_expression", "get_current_date"),
        program={
            "actions": [{"id": "a1", "step": 1, "name": "evaluate_expression", "arguments": {"expression": "3-1"}}],
            "answer": {"$from": "a1"},
            **more,
        },
        answer_type="number",
        domain="finance",
        version=version,
        provenance={"task": "minus", "fingerprint": f"{question}{more}"},
    )
    return render_row(plan, executor)


@pytest.fixture(scope="module")
def row(executor: Executor) -> Row:
    return make(executor)


@pytest.fixture
def log(row: Row, executor: Executor, tmp_path: Path) -> Path:
    path = tmp_path / "run.jsonl"
    evaluate(GOLD, [row], executor, log=path)
    return path


def changelog(scores: str | None) -> Changelog:
    changes = [] if scores is None else [
        {"kind": "changed", "text": "낱말 하나.", "scores": scores, "task": "minus", "version": "0.2"}
    ]  # fmt: skip
    old = {"version": "0.1", "date": "2026-01-30", "text": "", "changes": []}
    return read_changes({"releases": [{**old, "version": "0.2", "changes": changes}, old], "errata": []})


def place(log: Path, rows: list[Row], scores: str | None = None) -> Rescored:
    (found,) = rescore_log(read_run_log(log), rows, changes=changelog(scores)).rollouts
    return found


def test_todays_rules_decide_on_the_same_row(log: Path, row: Row) -> None:
    text = log.read_text(encoding="utf-8")
    log.write_text(text.replace('"reward": 1.0', '"reward": 0.0'), encoding="utf-8")
    found = place(log, [row])
    assert (found.standing, found.old, found.new, found.comparable) == ("same", 0.0, 1.0, True)
    line = found.to_line()
    assert line["score"]["reward"] == 1.0
    assert line["rescored"]["was"] == {"status": "scored", "reward": 0.0}


def test_what_a_line_was_at_first_is_kept_however_often_it_is_rescored(log: Path, row: Row, tmp_path: Path) -> None:
    first = rescore_log(read_run_log(log), [row]).lines()
    again = tmp_path / "again.jsonl"
    again.write_text("".join(json.dumps(line) + "\n" for line in first), encoding="utf-8")
    assert rescore_log(read_run_log(again), [row]).lines() == first


@pytest.mark.parametrize(
    ("scores", "standing"), [("comparable", "changed"), ("not comparable", "other version"), (None, "other version")]
)
def test_a_newer_version_is_comparable_where_the_changelog_says_so(
    log: Path, executor: Executor, scores: str | None, standing: str
) -> None:
    newer = make(executor, "3에서 1을 빼면 얼마야?", "0.2")
    found = place(log, [newer], scores)
    assert (found.standing, found.comparable) == (standing, standing == "changed")
    # scored against the row that the log kept
    assert found.new == 1.0
    assert found.row is not None
    assert found.row.version == "0.1"


def test_a_change_under_the_same_version_is_noticed(log: Path, executor: Executor, row: Row) -> None:
    """The same id, since a tolerance is no part of it; another fingerprint."""
    lax = make(executor, tolerance="1")
    assert row_id(lax) == row_id(row)
    assert row_fingerprint(lax) != row_fingerprint(row)
    found = place(log, [lax])
    assert (found.standing, found.why) == ("other version", "changed since, still called version 0.1")


def test_the_same_task_on_another_world_is_scored_and_marked(log: Path, executor: Executor, row: Row) -> None:
    other = dataclasses.replace(row, answer="5")
    other = dataclasses.replace(other, id=row_id(other))
    found = place(log, [other])
    assert (found.standing, found.new, found.comparable) == ("other instance", 1.0, False)
    assert rescore(log, [other]) == {}


def test_tasks_that_are_gone_keep_their_score_and_stay_out_of_averages(log: Path) -> None:
    found = place(log, [])
    assert (found.standing, found.new, found.comparable) == ("gone", 1.0, False)
    # a log of before rows were kept: nothing to score against
    lines = [line for line in log.read_text(encoding="utf-8").splitlines() if '"ran"' not in line]
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    bare = place(log, [])
    assert (bare.rollout, bare.old, bare.new) == (None, 1.0, 1.0)
    assert bare.to_line()["score"] == bare.line["score"]


def test_runs_of_several_seeds_are_several_runs(row: Row, executor: Executor, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    for seed in range(3):
        evaluate(GOLD if seed else NULL, [row], executor, log=path, seed=seed, rollouts=2)
    text = path.read_text(encoding="utf-8").replace('"policy": "null"', '"policy": "gold"')
    path.write_text(text, encoding="utf-8")
    report = rescore(path, [row])["gold"]
    assert report.metrics.by_seed == [0.0, 0.0, 1.0, 1.0, 1.0, 1.0]
    assert report.metrics.pass_hat[4] == pytest.approx(1 / 15), "C(4,4) of C(6,4)"


def test_one_model_under_two_settings_is_two_agents(log: Path, row: Row) -> None:
    line = log.read_text(encoding="utf-8").splitlines()[-1]
    with log.open("a", encoding="utf-8") as file:
        file.write(line.replace('"settings": {}', '"settings": {"temperature": 1}') + "\n")
    assert set(rescore(log, [row])) == {"gold {}", 'gold {"temperature": 1}'}


def test_a_log_holds_each_row_once_and_no_golden_conversation(row: Row, executor: Executor, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    for policy in (GOLD, NULL, GOLD):
        evaluate(policy, [row], executor, log=path, rollouts=2)
    found = read_run_log(path)
    assert len(found.rollouts) == 4
    assert sum("ran" in line for line in found.lines) == 1
    (kept,) = found.rows().values()
    assert kept == dataclasses.replace(row, completion=[])


# fingerprints


def test_every_task_is_what_its_version_was_recorded_as() -> None:
    assert changed_unnoticed(load_tasks(), load_fingerprints()) == []


def test_a_fingerprint_is_of_the_content_and_of_nothing_else() -> None:
    task = load_tasks()[0]
    assert dataclasses.replace(task, name="other", version="9").fingerprint == task.fingerprint
    for field, value in (("question", "다른 질문"), ("headroom", 3.0), ("answer_unit", "톤"), ("offered", ())):
        assert dataclasses.replace(task, **{field: value}).fingerprint != task.fingerprint


def test_a_silent_change_is_found_and_only_named_tasks_are_recorded_anew() -> None:
    task = load_tasks()[0]
    changed = dataclasses.replace(task, headroom=9.0)
    recorded = {task.name: {task.version: task.fingerprint}}
    assert "still version" in changed_unnoticed([changed], recorded)[0]
    assert record([changed], recorded) == recorded
    assert record([changed], recorded, [task.name]) == {task.name: {task.version: changed.fingerprint}}
    raised = dataclasses.replace(changed, version="0.2")
    assert "not recorded" in changed_unnoticed([raised], recorded)[0]
    both = record([raised], recorded)
    assert both[task.name] == {task.version: task.fingerprint, "0.2": raised.fingerprint}
    assert changed_unnoticed([raised], both) == []
