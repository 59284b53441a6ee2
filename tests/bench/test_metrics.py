"""Rates: worked by hand, and checked against brute force."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.bench.metrics import (
    Interval,
    bootstrap_interval,
    pass_at_k,
    pass_hat_k,
    summarize,
    summarize_by,
    task_interval,
)
from kopa_hf.bench.scoring import Score

from .test_rows import make_row


def scored(reward: float, action: float = 0.0) -> Score:
    return Score("scored", reward, reward, None, action, 0.5, 1.0, 1.0, 1.0)


def spoiled(status: Any) -> Score:
    return Score(status, None, None, None, None, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("n", "c", "k", "at", "hat"),
    [(4, 0, 4, 0.0, 0.0), (4, 1, 4, 1.0, 0.0), (4, 4, 4, 1.0, 1.0), (4, 2, 1, 0.5, 0.5), (8, 4, 2, 1 - 6 / 28, 6 / 28)],
)
def test_pass_rates_have_their_hand_worked_values(n: int, c: int, k: int, at: float, hat: float) -> None:
    assert pass_at_k(n, c, k) == pytest.approx(at)
    assert pass_hat_k(n, c, k) == pytest.approx(hat)


@given(n=st.integers(1, 8), data=st.data())
def test_pass_rates_are_what_drawing_k_rollouts_gives(n: int, data: st.DataObject) -> None:
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    draws = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, draws)) / len(draws))
    assert pass_hat_k(n, c, k) == pytest.approx(sum(map(all, draws)) / len(draws))


@pytest.mark.parametrize(("n", "c", "k"), [(4, 5, 1), (4, -1, 1), (4, 1, 5), (4, 1, 0)])
def test_impossible_counts_are_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError):
        pass_at_k(n, c, k)


def test_the_interval_is_seeded_and_holds_the_mean() -> None:
    values = [n / 97 for n in range(60)]
    first = bootstrap_interval(values, seed=3)
    assert first == bootstrap_interval(values, seed=3)
    assert first != bootstrap_interval(values, seed=4)
    assert first is not None
    assert first.low < sum(values) / len(values) < first.high
    assert bootstrap_interval([1.0, 1.0]) == Interval(1.0, 1.0)
    assert bootstrap_interval([]) is None


def test_the_interval_of_two_opposite_tasks_is_worked_by_hand() -> None:
    # means 0, 0.5 and 1 with chances 1/4, 1/2 and 1/4: 2.5% and 97.5% fall on the ends
    assert bootstrap_interval([0.0, 1.0]) == Interval(0.0, 1.0)
    # ten tasks, one of which passes: the number of times it is drawn is Binomial(10, 0.1), whose 2.5% and 97.5%
    # points are 0 and 3 (P(X ≤ 3) = 0.987, P(X ≤ 2) = 0.930)
    assert bootstrap_interval([1.0] + [0.0] * 9) == Interval(0.0, pytest.approx(0.3))


def test_rollouts_within_a_task_widen_the_interval() -> None:
    # one task of four rollouts, two of which passed: Binomial(4, 1/2) has 0 and 4 beyond 2.5% (1/16 each)
    assert task_interval([(4, 2)]) == Interval(0.0, 1.0)
    # of 400 rollouts of one task half passed: 0.5 ± 1.96 · √(0.25/400) = 0.451 … 0.549
    many = task_interval([(400, 200)])
    assert many is not None
    assert (many.low, many.high) == pytest.approx((0.451, 0.549), abs=0.003)
    assert task_interval([(1, 1), (4, 4)]) == Interval(1.0, 1.0)
    assert task_interval([]) is None


def test_runs_are_told_apart_and_powers_of_passing_are_worked_by_hand() -> None:
    metrics = summarize(
        {
            "a": [scored(1.0), scored(1.0), scored(1.0), scored(0.0)],
            "b": [scored(0.0), spoiled("tool_fault"), scored(1.0), scored(0.0)],
        }
    )
    # first runs: 1 and 0; second: only a counts; third: 1 and 1; fourth: 0 and 0
    assert metrics.by_seed == [0.5, 1.0, 1.0, 0.0]
    assert metrics.seed_interval is not None
    assert metrics.seed_interval.low < 0.625 < metrics.seed_interval.high
    # k=1: 3/4 and 1/3; k=2: C(3,2)/C(4,2) = 1/2 and 0; k=4: task a alone, 0
    assert metrics.pass_hat == pytest.approx({1: (3 / 4 + 1 / 3) / 2, 2: 1 / 4, 4: 0.0})
    assert metrics.pass_at_1 == pytest.approx((3 / 4 + 1 / 3) / 2)
    assert (metrics.pass_at_4, metrics.pass_hat_4) == (1.0, 0.0)
    assert summarize({"a": [scored(1.0)]}).seed_interval is None


def test_a_summary_averages_over_tasks_and_leaves_faults_out() -> None:
    metrics = summarize(
        {
            "a": [scored(1.0, 0.8), scored(0.0), scored(0.0), scored(0.0)],
            "b": [scored(1.0, 1.0), spoiled("tool_fault")],
            "c": [spoiled("model_fault")],
            "d": [spoiled("unscored")],
        }
    )
    assert (metrics.tasks, metrics.scored, metrics.faults, metrics.unscored) == (2, 5, 2, 1)
    assert metrics.pass_at_1 == pytest.approx((0.25 + 1.0) / 2)
    assert (metrics.pass_at_4, metrics.pass_hat_4) == (1.0, 0.0)
    assert metrics.action == pytest.approx((0.2 + 1.0) / 2)
    assert metrics.environment is None
    assert metrics.to_dict()["interval"] is not None


def test_nothing_scored_has_no_rate() -> None:
    metrics = summarize({"a": [spoiled("backend_fault")]})
    assert (metrics.pass_at_1, metrics.interval, metrics.pass_at_4, metrics.faults) == (None, None, None, 1)


def test_groups_hold_their_own_rows_only() -> None:
    rows = [make_row(id="a", domain="law"), make_row(id="b", domain="finance"), make_row(id="c", domain="law")]
    groups = summarize_by(rows, {"a": [scored(1.0)], "b": [scored(0.0)]}, lambda row: row.domain)
    assert {name: m.pass_at_1 for name, m in groups.items()} == {"finance": 0.0, "law": 1.0}
