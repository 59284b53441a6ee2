"""The benchmark discriminates: more skill earns more, a failure mode fails its own tasks, and no shortcut earns anything."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kopa_hf.bench.audit import task_name
from kopa_hf.bench.difficulty import item_difficulty
from kopa_hf.bench.policies import FIRST_PAGE_ONLY, LADDER, SKIP_LOOKUP, TWO_PAGES_ONLY, baselines
from kopa_hf.bench.rollouts import PolicyReport
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import evaluate
from kopa_hf.bench.scoring import needs_all_pages, prerequisites
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.loading import embedded_rows


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return list(embedded_rows())


@pytest.fixture(scope="module")
def reports(rows: list[Row]) -> dict[str, PolicyReport]:
    with Executor() as executor:
        return {policy.name: evaluate(policy, rows, executor) for policy in LADDER}


def test_every_baseline_that_must_earn_nothing_is_run(rows: list[Row]) -> None:
    assert [policy.name for policy in baselines(rows)] == [
        "null", "fixed_refusal", "every_tool_once", "echo_numbers", "list_everything", "always_yes", "always_no",
        "always_no_data", "wrong_number", "most_frequent_answer",
    ]  # fmt: skip


def passed(report: PolicyReport) -> set[str]:
    return {rollout.row_id for rollout in report.rollouts if rollout.score.reward == 1.0}


def test_policies_of_rising_skill_come_out_in_order(reports: dict[str, PolicyReport]) -> None:
    rates = [reports[policy.name].pass_at_1 for policy in LADDER]
    assert all(lower < higher for lower, higher in pairwise(rates)), rates
    assert (rates[0], rates[-1]) == (0.0, 1.0)
    quality = [reports[policy.name].metrics.action or 0.0 for policy in LADDER]
    assert all(lower < higher for lower, higher in pairwise(quality)), quality


def test_nobody_loses_a_task_by_reading_more_pages(reports: dict[str, PolicyReport]) -> None:
    first, two, gold = (passed(reports[name]) for name in ("first_page_only", "two_pages_only", "gold"))
    assert first < two < gold


def test_a_failure_mode_fails_exactly_the_tasks_built_to_catch_it(
    rows: list[Row], reports: dict[str, PolicyReport]
) -> None:
    everything = {row.id for row in rows}
    assert everything - passed(reports[FIRST_PAGE_ONLY.name]) == {row.id for row in rows if needs_all_pages(row)}
    assert everything - passed(reports[SKIP_LOOKUP.name]) == {row.id for row in rows if prerequisites(row)}


def test_a_run_that_stops_collecting_is_told_so(reports: dict[str, PolicyReport]) -> None:
    failed = [rollout for rollout in reports[TWO_PAGES_ONLY.name].rollouts if rollout.score.reward == 0.0]
    assert failed
    assert all("pages_left" in rollout.score.reasons for rollout in failed)
    assert reports["gold"].failures == {}


def test_every_task_that_needs_calls_tells_agents_apart(rows: list[Row], reports: dict[str, PolicyReport]) -> None:
    items = {item.row_id: item for item in item_difficulty(rows, list(reports.values()))}
    telling = {row_id for row_id, item in items.items() if (item.discrimination or 0.0) > 0}
    assert [task_name(row) for row in rows if row.golden_actions and row.id not in telling] == []


@pytest.mark.slow
def test_no_shortcut_earns_anything_on_any_task(rows: list[Row]) -> None:
    policies = baselines(rows)
    assert len(policies) == 10
    with Executor() as executor:
        earned = {
            policy.name: [r.row_id for r in evaluate(policy, rows, executor).rollouts if r.score.reward != 0.0]
            for policy in policies
        }
    assert earned == {policy.name: [] for policy in policies}
