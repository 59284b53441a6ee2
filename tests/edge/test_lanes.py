"""Lanes: how rows are shared out, what a lane carries, and that processes change nothing."""

from __future__ import annotations

import dataclasses
import math
import os
import pickle
from collections import Counter
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.crew import Crew, Offline
from kopa_hf.edge.lanes import Diary, Lessons, different, interleaved, shares
from kopa_hf.edge.synthesis import synthesize
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.errors import BackendError
from kopa_hf.execution.executor import Executor

from . import bill_service as bills

SETTINGS = EdgeConfig(rows=24, attempts_per_row=20, seed=5)
TWO_PLATFORMS = [
    dataclasses.replace(tool, platform="law") if tool.name in ("list_bill_opinions", "get_bill_detail") else tool
    for tool in bills.TOOLS
]


def made(number: int, lane: str = "a") -> Trajectory:
    calls = [{"name": lane, "arguments": {"n": str(number)}}, {"name": "other", "arguments": {"n": str(number)}}]
    return Trajectory("SEQ", {}, f"{lane} {number}?", "number", "1", golden_actions=calls)


def test_rows_are_shared_out_by_weight_and_largest_remainder() -> None:
    """10 by 3 : 1 are 7.5 and 2.5, of which the first lane gets the odd one; 2 by thirds go to the first two lanes."""
    weights = {"DRV": [3.0, 1.0, 0.0], "FAN": [1.0, 1.0, 1.0], "COND": [0.0, 0.0, 0.0]}
    assert shares({"DRV": 10, "FAN": 2, "COND": 5}, weights) == [{"DRV": 8, "FAN": 1}, {"DRV": 2, "FAN": 1}, {}]


@given(st.integers(0, 700), st.lists(st.floats(0, 50), min_size=1, max_size=9))
def test_shares_add_up(number: int, weights: list[float]) -> None:
    parts = shares({"SEQ": number}, {"SEQ": weights})
    assert len(parts) == len(weights)
    assert sum(part.get("SEQ", 0) for part in parts) == (number if math.fsum(weights) > 0 else 0)
    assert all(weight > 0 for part, weight in zip(parts, weights, strict=True) if part.get("SEQ", 0) > 1)


def test_lanes_use_templates_of_their_own_first_also_after_a_journey_to_another_process() -> None:
    templates = [f"chain/o{i}.b0.c{i % 7}" for i in range(60)]
    first: list[set[str]] = []
    for place in range(3):
        diary = pickle.loads(pickle.dumps(Diary.begin(place, 3, {"SEQ": 2})))
        used = diary.usage.of("SEQ")
        for _ in range(10):
            least = min(templates, key=lambda template: used[template])
            used[least] += 1
        first.append({template for template, times in used.items() if times})
        assert sorted(Counter(used.values())) == [1]
    assert not first[0] & first[1]
    assert not first[0] & first[2]
    assert not first[1] & first[2]


@pytest.mark.parametrize("most", [1, 2])
def test_a_lane_takes_templates_of_others_before_it_overuses_its_own(most: int) -> None:
    templates = [f"chain/o{i}.b0.c{i % 7}" for i in range(60)]
    used = Diary.begin(1, 20, {"FAN": most}).usage.of("FAN")
    drawn: Counter[str] = Counter()
    for _ in range(40):
        least = min(templates, key=lambda template: used[template])
        used[least] += 1
        drawn[least] += 1
    # 60 templates over 20 lanes: a lane has a few of its own, and 40 rows need those of others
    assert max(drawn.values()) <= most
    assert len(drawn) >= 40 / most


def test_luck_grows_with_success_and_is_never_nothing() -> None:
    lessons = Lessons()
    lessons.tried["SEQ", "good"], lessons.worked["SEQ", "good"] = 8, 8
    lessons.tried["SEQ", "bad"] = 8
    assert lessons.luck("SEQ", "good") == 0.9  # (8 + 1) / (8 + 2)
    assert lessons.luck("SEQ", "new") == 0.5
    assert lessons.luck("SEQ", "bad") == 0.1
    assert lessons.luck("DRV", "bad") == 0.5


def test_lanes_are_mixed_evenly() -> None:
    mixed = interleaved([[made(1), made(2), made(3), made(4)], [made(1, "b"), made(2, "b")]])
    assert [t.question for t in mixed] == ["a 1?", "b 1?", "a 2?", "a 3?", "b 2?", "a 4?"]


def test_the_same_calls_in_another_order_are_the_same_task() -> None:
    turned = dataclasses.replace(made(1), question="?", golden_actions=made(1).golden_actions[::-1])
    other = dataclasses.replace(made(2), question="!")
    funnel = Funnel()
    assert different([made(1), turned, other, made(2)], set(), funnel) == [made(1), other]
    assert sum(funnel.reasons.values()) == 2


def test_funnels_add_up() -> None:
    one, two = Funnel({"sketched": 3}, {"x": 1}, {"x": "first"}), Funnel({"sketched": 4}, {"x": 2}, {"x": "second"})
    one.add(two)
    assert (one.stages, one.reasons, one.examples) == ({"sketched": 7}, {"x": 3}, {"x": "first"})


def synthesized(crew: Crew | None) -> tuple[list[Trajectory], Funnel]:
    funnel = Funnel()
    found = synthesize(
        bills.graph(),
        bills.executor(),
        SETTINGS,
        tools=TWO_PLATFORMS,
        keep=Offline(SETTINGS),
        funnel=funnel,
        crew=crew,
    )
    return found, funnel


def in_another_process(home: int) -> Executor:
    """An executor that only a process other than `home` may open."""
    assert os.getpid() != home
    return bills.executor()


@pytest.mark.slow
def test_processes_do_the_work_and_change_nothing() -> None:
    alone, counted = synthesized(None)
    assert {t.tools[0] for t in alone} >= {"list_bills", "list_bill_opinions"}  # both lanes have found something
    spread, counted_there = synthesized(Crew(partial(in_another_process, os.getpid()), workers=2))
    assert spread == alone
    assert counted_there.to_dict() == counted.to_dict()


def failing() -> Executor:
    raise OSError("no backend here")


@pytest.mark.slow
def test_a_process_that_cannot_begin_ends_the_run_instead_of_letting_it_wait() -> None:
    with pytest.raises(BackendError, match="workers=1"):
        synthesized(Crew(failing, workers=2))
