"""The built-in tasks: they ground, prove themselves, and tell skill from luck."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from pathlib import Path

import pytest

from kopa_hf.bench.audit import task_name, task_statistics, validate_rows
from kopa_hf.bench.frozen import published_rows
from kopa_hf.bench.korean import placeholders
from kopa_hf.bench.policies import FIRST_PAGE_ONLY, GOLD, NULL, SKIP_LOOKUP
from kopa_hf.bench.rows import Row, is_held_out, row_from_dict, row_to_dict
from kopa_hf.bench.runner import evaluate
from kopa_hf.bench.scoring import needs_all_pages, prerequisites
from kopa_hf.bench.task import GroundingError, Task, ground_tasks, load_tasks, read_task
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.world import World


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor()


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """The published instance; that grounding gives it is proven in test_frozen."""
    return list(published_rows())


def test_there_are_tasks_enough_and_of_every_required_kind(rows: list[Row]) -> None:
    numbers = task_statistics(rows)
    assert numbers["with_state"] >= 25
    assert numbers["no_value"] >= 10
    assert numbers["all_pages"] >= 30
    assert numbers["prerequisite"] >= 60
    assert numbers["platforms_crossed"] >= 12
    assert {"ask", "no_data", "boolean", "number", "text", "list", "set", "date", "amount"} <= {
        r.answer_type for r in rows
    }
    assert {row.structure for row in rows} == {"SEQ", "FAN", "DRV", "SEM", "CMP", "COND", "MIXED"}


def test_the_benchmark_has_the_papers_size_domain_by_domain(rows: list[Row]) -> None:
    papers = {"traffic": 22, "finance": 29, "education": 30, "law": 22, "politics": 25, "district": 17}
    assert Counter(row.domain for row in rows) == papers
    assert sum(is_held_out(row) for row in rows) == 31


def test_its_means_are_within_a_tenth_of_the_papers(rows: list[Row]) -> None:
    numbers = task_statistics(rows)
    papers = {"calls": 4.92, "steps": 3.32, "parallel_share": 0.59, "tools": 7.5, "headroom": 2.45}
    assert {name: numbers[name] for name in papers} == pytest.approx(papers, rel=0.1)
    assert numbers["max_calls"] == 14


def test_no_two_tasks_share_chain_and_wording(rows: list[Row]) -> None:
    """Wording: shares of common runs of five characters, without blanks; the same chain in other words is another task."""
    chains = [tuple(action["name"] for action in row.golden_actions) for row in rows]
    runs = [
        {text[i : i + 5] for i in range(len(text) - 4)}
        for row in rows
        for text in ["".join(row.prompt[-1]["content"].split())]
    ]
    alike = [
        (task_name(rows[i]), task_name(rows[j]))
        for i, j in itertools.combinations(range(len(rows)), 2)
        if len(runs[i] & runs[j]) > (0.3 if chains[i] == chains[j] else 0.6) * min(len(runs[i]), len(runs[j]))
    ]
    assert alike == []


@pytest.mark.slow
def test_gold_gets_everything_and_nothing_gets_nothing(rows: list[Row], executor: Executor) -> None:
    assert evaluate(GOLD, rows, executor).pass_at_1 == 1.0
    assert evaluate(NULL, rows, executor).pass_at_1 == 0.0
    assert evaluate(GOLD, rows, executor).metrics.action == 1.0


@pytest.mark.slow
def test_the_two_failure_modes_fail_exactly_where_they_should(rows: list[Row], executor: Executor) -> None:
    first = {r.row_id: r.score.reward for r in evaluate(FIRST_PAGE_ONLY, rows, executor).rollouts}
    skipped = {r.row_id: r.score.reward for r in evaluate(SKIP_LOOKUP, rows, executor).rollouts}
    assert first == {row.id: 0.0 if needs_all_pages(row) else 1.0 for row in rows}
    assert skipped == {row.id: 0.0 if prerequisites(row) else 1.0 for row in rows}


@pytest.mark.slow
def test_failures_of_the_two_modes_are_named(rows: list[Row], executor: Executor) -> None:
    by_id = {row.id: row for row in rows}
    for policy, code in ((FIRST_PAGE_ONLY, "first_page_only"), (SKIP_LOOKUP, "skipped_lookup")):
        failed = [r for r in evaluate(policy, rows, executor).rollouts if r.score.reward == 0.0]
        unnamed = [
            task_name(by_id[r.row_id])
            for r in failed
            if r.calls and code not in {reason.partition(": ")[0] for reason in r.score.reasons}
        ]
        assert unnamed == []


@pytest.mark.slow
def test_every_task_proves_itself(rows: list[Row], executor: Executor) -> None:
    assert validate_rows(rows, executor) == []


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "values"), [(1, 0), (0, 1)])
def test_other_entities_and_other_figures_prove_themselves_too(seed: int, values: int) -> None:
    with Executor(world=World(value_seed=values)) as executor:
        grounding = ground_tasks(executor, seed)
        assert len(grounding.rows) >= 0.9 * len(load_tasks()), grounding.failed
        assert validate_rows(grounding.rows, executor) == []


@pytest.mark.slow
def test_the_same_seed_gives_the_same_rows_in_another_executor(rows: list[Row]) -> None:
    with Executor() as other:
        again = ground_tasks(other).rows
    assert [row_to_dict(row) for row in again] == [row_to_dict(row) for row in rows]


@pytest.mark.slow
def test_another_seed_asks_about_others(rows: list[Row], executor: Executor) -> None:
    others = ground_tasks(executor, 7).rows
    asked = {row.prompt[-1]["content"] for row in rows}
    fresh = [row for row in others if row.prompt[-1]["content"] not in asked]
    assert len(fresh) >= 0.7 * len(others)
    assert len({row.id for row in rows}) == len(rows)


def test_rows_survive_the_dataset(rows: list[Row], tmp_path: Path) -> None:
    import datasets

    from kopa_hf.bench.rows import features

    records = [row_to_dict(row) for row in rows]
    datasets.Dataset.from_list(records, features=features()).to_parquet(str(tmp_path / "test.parquet"))
    loaded = datasets.load_dataset(
        "parquet", data_files=str(tmp_path / "test.parquet"), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert [row_from_dict(record) for record in loaded] == rows


def test_answers_differ_so_that_no_constant_pays(rows: list[Row]) -> None:
    answers = Counter(row.answer for row in rows if row.answer_type not in ("ask", "no_data", "boolean"))
    assert max(answers.values()) <= 2


def test_injected_outages_are_faults_and_never_zeros(rows: list[Row]) -> None:
    with Executor(faults=Faults.scaled(3, 20.0)) as executor:
        report = evaluate(GOLD, rows, executor)
    assert report.metrics.faults > 0
    assert {r.score.reward for r in report.rollouts} <= {1.0, None}


def test_a_backend_without_the_entities_says_so(executor: Executor) -> None:
    task = next(task for task in load_tasks() if task.name == "cb_refixing_gap")
    nobody = [{**step, "where": {"corp_name": "없는회사"}} if "choose" in step else step for step in task.selector]
    with pytest.raises(GroundingError, match=r"cannot be grounded .* 0 records to choose company"):
        dataclasses.replace(task, selector=nobody).ground(executor)
    failed = ground_tasks(executor, tasks=[dataclasses.replace(task, selector=nobody)])
    assert (failed.rows, failed.failed[0][0]) == ([], "cb_refixing_gap")


@pytest.mark.parametrize("task", load_tasks(), ids=lambda task: task.name)
def test_a_task_file_is_whole(task: Task) -> None:
    names = [action["name"] for action in task.program["actions"]]
    assert set(names) <= set(task.offered)
    assert len(task.offered) - len(set(names)) >= 2, "at least two distractors"
    assert len(set(task.offered)) == len(task.offered)
    assert task.question.strip().endswith(("?", ".")), task.question
    filled = {step.get("choose") or step.get("pick") for step in task.selector} - {None}
    filled |= {name for step in task.selector for name in step.get("set", {})}
    assert {path.split(".")[0] for path in placeholders(task.question)} <= filled
    steps = [action["step"] for action in task.program["actions"]]
    assert steps == sorted(steps)


def test_bad_task_files_are_named(tmp_path: Path) -> None:
    for text, words in (
        ("a: [", "no YAML"),
        ("- 1", "one mapping"),
        ("nope: 1", "unknown keys nope"),
        ("version: x", "missing"),
    ):
        path = tmp_path / "broken.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=f"broken.yaml.*{words}"):
            read_task(path)
