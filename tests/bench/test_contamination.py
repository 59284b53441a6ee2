"""The gap between the frozen world and fresh ones, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kopa_hf.bench.contamination import contamination_gap, value_seeds
from kopa_hf.bench.rollouts import PolicyReport, Rollout, report
from kopa_hf.bench.rows import Row
from kopa_hf.bench.scoring import Score
from kopa_hf.errors import DataError

World = tuple[list[Row], PolicyReport]


def world(name: str, **rewards: Sequence[float | None]) -> World:
    """Task → rewards of its rollouts, None for a fault; rows have ids of their own in each world."""
    rows = [
        Row(
            id=f"{name}-{task}",
            prompt=[],
            completion=[],
            tools=[],
            environment="",
            answer="1",
            answer_type="number",
            provenance={"task": task},
            domain="finance",
        )
        for task in rewards
    ]
    rollouts = [
        Rollout(f"{name}-{task}", number, "1", scored(reward), 0)
        for task, group in rewards.items()
        for number, reward in enumerate(group)
    ]
    return rows, report("model", rows, rollouts)


def scored(reward: float | None) -> Score:
    good = Score("scored", reward, reward, None, reward, 1.0, 1.0, 1.0, 1.0)
    return good if reward is not None else replace(good, status="model_fault", response=None, action=None)


def test_the_gap_is_the_mean_difference_over_tasks_scored_on_both_sides() -> None:
    frozen = world("frozen", a=[1, 1], b=[1, 0], c=[1, 1], lost=[None, None], only_here=[1, 1])
    fresh = {
        7: world("seven", a=[1, 1], b=[0, 0], c=[1, None], lost=[1, 1]),
        8: world("eight", a=[0, 0], b=[1, 0]),
    }
    gap = contamination_gap(frozen, fresh)
    assert gap is not None
    # a: 1 against (1 + 0)/2, b: 1/2 against (0 + 1/2)/2, c: 1 against 1
    assert gap.tasks == 3
    assert gap.frozen == pytest.approx(2.5 / 3)
    assert gap.fresh == pytest.approx(1.75 / 3)
    assert gap.gap == pytest.approx(0.25)
    assert gap.interval.low <= gap.gap <= gap.interval.high
    assert gap.by_seed == {7: pytest.approx(3 / 4), 8: pytest.approx(1 / 4)}


def test_one_who_remembers_is_found_and_one_who_solves_is_not() -> None:
    tasks = [f"task{number}" for number in range(12)]
    frozen = world("frozen", **{task: [1.0] for task in tasks})
    remembers = contamination_gap(frozen, {7: world("seven", **{task: [0.0] for task in tasks})})
    solves = contamination_gap(frozen, {7: world("seven", **{task: [1.0] for task in tasks})})
    assert remembers is not None
    assert solves is not None
    assert (remembers.gap, remembers.contaminated) == (1.0, True)
    assert (solves.gap, solves.contaminated) == (0.0, False)


def test_nothing_scored_on_both_sides_gives_no_gap() -> None:
    assert contamination_gap(world("frozen", a=[1]), {7: world("seven", a=[None])}) is None


def test_fresh_seeds_repeat_with_the_run_seed_and_are_no_small_numbers() -> None:
    first = value_seeds("fresh:3")
    assert first == value_seeds("fresh:3")
    assert len(set(first)) == 3
    assert min(first) >= 1_000_000
    assert not set(first) & set(value_seeds("fresh:3", seed=1))
    assert value_seeds("fresh:5")[:3] == first
    assert value_seeds("17, 18,17") == [17, 18]


@pytest.mark.parametrize("text", ["fresh:", "fresh:0", "fresh:x", "new", "", "1,-2", "0", "fresh:101"])
def test_what_names_no_fresh_world_is_refused(text: str) -> None:
    with pytest.raises(DataError):
        value_seeds(text)
