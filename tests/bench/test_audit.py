"""The audit finds what is wrong with a row, and nothing in a sound one."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from kopa_hf import bench
from kopa_hf.bench.audit import Problem, policy_table, task_name, task_statistics, validate_rows, validate_tasks
from kopa_hf.bench.policies import GOLD, NULL
from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rows import Row, row_id
from kopa_hf.bench.task import Grounding, load_tasks
from kopa_hf.execution.executor import Executor

TOOLS = ("evaluate_expression", "get_current_date", "save_table")


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor()


def plan(**changes: Any) -> RowPlan:
    action = {"id": "a1", "step": 1, "name": "evaluate_expression", "arguments": {"expression": "1680-532"}}
    values: dict[str, Any] = {
        "question": "1,680원에서 532원을 빼면 얼마야?",
        "tools": TOOLS,
        "program": {"actions": [action], "answer": {"$from": "a1"}},
        "answer_type": "amount",
        "answer_unit": "원",
        "reward_basis": ("RESPONSE", "ENVIRONMENT"),
        "provenance": {"task": "difference"},
    }
    return RowPlan(**{**values, **changes})


def checks(problems: list[Problem]) -> set[str]:
    return {problem.check for problem in problems}


def test_a_sound_row_has_no_problem(executor: Executor) -> None:
    seen: list[tuple[int, int]] = []
    assert validate_rows([render_row(plan(), executor)], executor, progress=lambda *at: seen.append(at)) == []
    assert seen[-1][0] == seen[-1][1] == len(seen)


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"question": "1,680원에서 얼마를 빼면 얼마야?"}, "every literal has a source"),
        ({"question": "1,680원에서 532원을 빼면 1,148원이 맞아?"}, "the answer is not in the question"),
        ({"tools": ("evaluate_expression",)}, "distractors are offered"),
        ({"reward_basis": ("RESPONSE",)}, "a surplus write fails"),
        ({"answer_type": "ask", "question": "1,680 빼기 532, 회사는?",
          "program": {"actions": [], "answer": None, "terms": ["회사"]}}, "the answer is not in the question"),
    ],
)  # fmt: skip
def test_a_plan_that_breaks_a_rule_is_found(changes: dict[str, Any], check: str, executor: Executor) -> None:
    assert check in checks(validate_rows([render_row(plan(**changes), executor)], executor))


def doctored(row: Row, **changes: Any) -> Row:
    changed = dataclasses.replace(row, **changes)
    return dataclasses.replace(changed, id=row_id(changed))


def test_a_wrong_cached_answer_a_misfit_call_and_a_stale_id_are_found(executor: Executor) -> None:
    row = render_row(plan(), executor)
    wrong = validate_rows([doctored(row, answer="1149")], executor)
    assert {"policy gold", "the answer can be read from what a model sees"} <= checks(wrong)
    action = {**row.golden_actions[0], "arguments": {"expression": "1680-532", "nope": "532"}}
    assert "golden calls fit their tools" in checks(validate_rows([doctored(row, golden_actions=[action])], executor))
    assert "the id follows from the content" in checks(validate_rows([dataclasses.replace(row, id="0" * 16)], executor))
    gone = {"type": "function", "function": {"name": "gone", "parameters": {}}}
    assert "tools exist" in checks(validate_rows([doctored(row, tools=[*row.tools, gone])], executor))


def test_an_answer_that_nothing_earns_is_found(executor: Executor) -> None:
    # the state to reach is the state at the start, and only it counts: doing nothing would pass
    lazy = render_row(plan(reward_basis=("ENVIRONMENT",)), executor)
    assert "policy null" in checks(validate_rows([lazy], executor))


def test_statistics_are_means_over_tasks_with_calls(executor: Executor) -> None:
    asking = plan(answer_type="ask", question="빼면?", program={"actions": [], "answer": None, "terms": ["수"]})
    rows = [render_row(plan(), executor), render_row(asking, executor)]
    numbers = task_statistics(rows)
    assert (numbers["tasks"], numbers["calls"], numbers["steps"], numbers["tools"]) == (2, 1.0, 1.0, 3.0)
    # 2.45 × 1 call, rounded up
    assert numbers["headroom"] == 3.0
    assert (numbers["no_value"], numbers["with_state"], numbers["parallel_share"]) == (1, 2, 0.0)
    assert rows[1].max_allowed_calls == 5
    assert task_statistics([]) == {}


def test_a_table_of_policies_keeps_their_order(executor: Executor) -> None:
    table = policy_table([render_row(plan(), executor)], executor, [NULL, GOLD])
    assert {name: report.pass_at_1 for name, report in table.items()} == {"null": 0.0, "gold": 1.0}
    assert list(table) == ["null", "gold"]


def test_a_row_is_named_after_its_task(executor: Executor) -> None:
    row = render_row(plan(), executor)
    assert task_name(row) == "difference"
    assert task_name(dataclasses.replace(row, provenance={})) == row.id


def test_the_package_offers_what_it_lists() -> None:
    assert all(getattr(bench, name) is not None for name in bench.__all__)
    with pytest.raises(AttributeError):
        bench.absent  # noqa: B018


def test_of_named_tasks_only_their_own_records_are_checked(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = load_tasks()[:2]
    monkeypatch.setattr("kopa_hf.bench.audit.load_fingerprints", lambda: {})
    monkeypatch.setattr("kopa_hf.bench.audit.ground_tasks", lambda *_: Grounding([], []))
    found = validate_tasks(executor, tasks=[second])
    assert [(problem.task, problem.check) for problem in found] == [(second.name, "its version is its content's")]
    renamed = dataclasses.replace(first, name="not_built_in")
    assert validate_tasks(executor, tasks=[renamed]) == []
