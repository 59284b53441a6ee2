"""When a run is stopped: numbers of steps, worked out by hand."""

from __future__ import annotations

from kopa_hf.bench.scoring import Score
from kopa_hf.train.guard import Guard, StepCount, count, together
from kopa_hf.train.reward import Rollout


def step(
    *, calls: int = 10, errors: int = 0, unscorable: int = 0, rewards: tuple[float, ...] = (0.0, 1.0)
) -> StepCount:
    return StepCount(calls, errors, 4, unscorable, frozenset(rewards))


def test_a_broken_environment_stops_when_enough_calls_were_seen() -> None:
    guard = Guard(max_errors=0.25, max_equal_steps=0)
    assert guard.judge(step(errors=6), 1) is None  # 10 calls say nothing yet
    stop = guard.judge(step(errors=6), 2)
    assert stop is not None
    assert stop.cause == "environment"
    assert "12 of 20 calls" in str(stop)
    assert "60%" in str(stop)


def test_the_rate_is_taken_over_ten_steps() -> None:
    guard = Guard(max_errors=0.25, max_equal_steps=0)
    assert [guard.judge(step(errors=errors), i) for i, errors in enumerate([0] * 20 + [10, 10])] == [None] * 22
    assert guard.judge(step(errors=10), 22) is not None  # 30 of 100


def test_rollouts_that_cannot_be_scored_count_as_well() -> None:
    guard = Guard(max_errors=0.25, max_equal_steps=0)
    found = [guard.judge(step(calls=0, unscorable=4, rewards=()), i) for i in range(5)]
    assert found[:4] == [None] * 4
    assert found[4] is not None
    assert "20 of 20 rollouts could not be scored" in str(found[4])


def test_equal_rewards_stop_after_so_many_steps_in_a_row() -> None:
    guard = Guard(max_errors=1, max_equal_steps=3)
    zeros = step(rewards=(0.0,))
    assert [guard.judge(s, 0) for s in (zeros, zeros, step(), zeros, zeros)] == [None] * 5
    # a step without a scored rollout says nothing about rewards
    assert guard.judge(step(rewards=()), 5) is None
    stop = guard.judge(zeros, 6)
    assert stop is not None
    assert stop.cause == "equal_rewards"
    assert Guard(max_errors=1, max_equal_steps=0).judge(zeros, 1) is None


def test_steps_are_counted_over_processes() -> None:
    score = Score("scored", 1.0, 1.0, None, 1.0, 1, 1, 1, 1)
    lost = Score("tool_fault", None, None, None, None, 0, 0, 0, 0)
    own = count([Rollout("a", score, 1.0, 3, 1), Rollout("b", lost, None, 2, 2)])
    assert own == StepCount(5, 3, 2, 1, frozenset({1.0}))
    assert together([own, step()]) == StepCount(15, 3, 6, 1, frozenset({0.0, 1.0}))
