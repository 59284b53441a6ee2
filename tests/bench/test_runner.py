"""Running policies: real sessions over local tools, a log that resumes, faults that count in no average."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.agent.models import ModelError
from kopa_hf.bench.policies import GOLD, NULL, POLICIES, ScriptedPolicy, baselines
from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rescoring import rescore
from kopa_hf.bench.rows import Row
from kopa_hf.bench.run_log import read_log
from kopa_hf.bench.runner import evaluate
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor

TOOLS = ("evaluate_expression", "get_current_date", "save_table", "request_api_key")


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor()


@pytest.fixture(scope="module")
def rows(executor: Executor) -> list[Row]:
    """One row whose state counts, one whose answer counts; both need local tools only."""
    saving = RowPlan(
        question="오늘 날짜를 '기준일'이라는 표에 저장해 줘. 열 이름은 '날짜'로 해.",
        tools=TOOLS,
        program={
            "actions": [
                {"id": "a1", "step": 1, "name": "get_current_date", "arguments": {}},
                {
                    "id": "a2",
                    "step": 2,
                    "name": "save_table",
                    "arguments": {"name": "기준일", "rows": [{"날짜": {"$from": "a1"}}]},
                },
            ],
            "answer": {"$from": "a1"},
        },
        answer_type="date",
        reward_basis=("ENVIRONMENT",),
        domain="finance",
    )
    counting = RowPlan(
        question="1,680원에서 532원을 빼면 얼마야? 계산기로 구해 줘.",
        tools=TOOLS,
        program={
            "actions": [
                {"id": "a1", "step": 1, "name": "evaluate_expression", "arguments": {"expression": "1680-532"}}
            ],
            "answer": {"$from": "a1"},
        },
        answer_type="amount",
        answer_unit="원",
        reward_basis=("RESPONSE", "ENVIRONMENT"),
        domain="politics",
    )
    return [render_row(saving, executor), render_row(counting, executor)]


def test_a_rendered_row_is_what_its_plan_and_its_execution_say(rows: list[Row]) -> None:
    saving, counting = rows
    assert counting.answer == "1148"
    assert counting.golden_actions == [
        {"name": "evaluate_expression", "arguments": {"expression": "1680-532"}, "value_compare_args": [], "step": 1}
    ]
    assert counting.completion[-1]["content"] == "답은 1148원입니다. \\boxed{1148원}"
    assert [m["role"] for m in saving.completion] == ["assistant", "tool", "assistant", "tool", "assistant"]
    # 2.45 × 2 golden calls, rounded up
    assert (saving.max_allowed_calls, saving.hops) == (5, 2)
    assert saving.program["writes"] == ["save_table", "request_api_key"]
    assert saving.program["state_hash"] != counting.program["state_hash"]


def test_gold_passes_and_every_baseline_fails(rows: list[Row], executor: Executor) -> None:
    assert evaluate(GOLD, rows, executor).pass_at_1 == 1.0
    assert {p.name: evaluate(p, rows, executor).pass_at_1 for p in baselines(rows)} == dict.fromkeys(
        (p.name for p in baselines(rows)), 0.0
    )


def test_one_more_read_keeps_the_reward_and_lowers_eff(rows: list[Row], executor: Executor) -> None:
    gold, more = evaluate(GOLD, rows, executor), evaluate(POLICIES["gold_and_one_read"], rows, executor)
    assert more.pass_at_1 == 1.0
    assert (gold.metrics.eff, gold.metrics.corr) == (1.0, 1.0)
    assert more.metrics.corr == 1.0
    assert more.metrics.eff is not None
    assert more.metrics.eff < 1.0


def test_reports_group_by_domain_and_name_failures(rows: list[Row], executor: Executor) -> None:
    report = evaluate(NULL, rows, executor)
    assert set(report.by_domain) == {"finance", "politics"}
    assert report.failures["no_calls"] == 2
    assert report.metrics.pass_at_1 == 0.0


def test_a_server_that_fails_is_no_wrong_answer(rows: list[Row], executor: Executor) -> None:
    def broken(row: Row, session: Any) -> str:
        raise ModelError("timeout", "late")

    report = evaluate(ScriptedPolicy("broken", broken), rows, executor, rollouts=2)
    assert (report.metrics.faults, report.metrics.scored, report.metrics.pass_at_1) == (4, 0, None)
    assert {r.score.status for r in report.rollouts} == {"model_fault"}


def test_an_interrupted_run_goes_on_and_runs_faults_again(rows: list[Row], executor: Executor, tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    turns: list[str] = []

    def flaky(row: Row, session: Any) -> str | None:
        turns.append(row.id)
        if len(turns) == 2:
            raise ModelError("connection", "gone")
        if len(turns) == 3:
            raise KeyboardInterrupt
        return GOLD.run(row, session)

    policy = ScriptedPolicy("flaky", flaky)
    with pytest.raises(KeyboardInterrupt):
        evaluate(policy, rows, executor, rollouts=2, log=log)
    # rollouts so far: scored, fault; the third was not finished
    assert [line["score"]["status"] for line in read_log(log)] == ["scored", "model_fault"]
    report = evaluate(policy, rows, executor, rollouts=2, log=log)
    assert len(turns) == 3 + 3
    assert (report.metrics.pass_at_1, report.metrics.scored, report.metrics.faults) == (1.0, 4, 0)
    assert evaluate(policy, rows, executor, rollouts=2, log=log) == report
    assert len(turns) == 6


def test_a_torn_last_line_is_dropped_and_other_damage_is_named(
    rows: list[Row], executor: Executor, tmp_path: Path
) -> None:
    log = tmp_path / "run.jsonl"
    evaluate(GOLD, rows, executor, log=log)
    whole = log.read_text(encoding="utf-8")
    log.write_text(whole[:-40], encoding="utf-8")
    assert evaluate(GOLD, rows, executor, log=log).metrics.scored == 2
    assert [line["row"] for line in read_log(log)] == [row.id for row in rows]
    log.write_text("{torn\n" + whole, encoding="utf-8")
    with pytest.raises(DataError, match="line 1 is damaged"):
        read_log(log)
    with pytest.raises(DataError, match="No log"):
        read_log(tmp_path / "absent.jsonl")


def test_a_log_is_scored_again_without_model_or_backend(rows: list[Row], executor: Executor, tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    first = evaluate(GOLD, rows, executor, log=log)
    evaluate(POLICIES["wrong_number"], rows, executor, log=log)
    again = rescore(log, rows)
    assert {name: report.pass_at_1 for name, report in again.items()} == {"gold": 1.0, "wrong_number": 0.0}
    assert [r.score for r in again["gold"].rollouts] == [r.score for r in first.rollouts]


def test_another_seed_or_task_version_is_not_resumed(rows: list[Row], executor: Executor, tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    evaluate(GOLD, rows, executor, log=log)
    evaluate(GOLD, rows, executor, log=log, seed=1)
    assert len(read_log(log)) == 4
    changed = [json.loads(line) | {"task_version": "0.0"} for line in log.read_text(encoding="utf-8").splitlines()]
    log.write_text("".join(json.dumps(line) + "\n" for line in changed), encoding="utf-8")
    evaluate(GOLD, rows, executor, log=log)
    assert len(read_log(log)) == 6


def test_progress_counts_rollouts(rows: list[Row], executor: Executor) -> None:
    seen: list[tuple[int, int]] = []
    evaluate(NULL, rows, executor, rollouts=2, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_the_same_seed_gives_the_same_report(rows: list[Row], executor: Executor) -> None:
    first, second = (evaluate(GOLD, rows, executor, rollouts=2, seed=5) for _ in range(2))
    assert first == second
