"""Depth × distractors: what a cell holds, and that gold solves every cell in a fresh world."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from kopa_hf.bench.grid import cells, make_grid
from kopa_hf.bench.policies import POLICIES
from kopa_hf.bench.runner import evaluate
from kopa_hf.bench.task import load_tasks
from kopa_hf.catalog import load_catalog
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.world import World


def rollout(row: str, reward: float | None) -> Any:
    return SimpleNamespace(row_id=row, score=SimpleNamespace(reward=reward))


def test_rates_are_by_cell_and_leave_out_what_could_not_be_scored() -> None:
    rows: Any = [
        SimpleNamespace(id=name, provenance={"cell": {"depth": depth, "distractors": number}})
        for name, depth, number in (("a", 2, 0), ("b", 2, 0), ("c", 2, 8), ("d", 3, 0))
    ]
    done = [rollout("a", 1.0), rollout("b", 0.0), rollout("c", 1.0), rollout("c", None), rollout("d", None)]
    assert cells(done, rows) == {(2, 0): (0.5, 2), (2, 8): (1.0, 1)}


@dataclass
class GroundedAtOnce:
    """A task whose row is itself: grounding takes no world."""

    name: str
    offered: list[str]
    golden_actions: list[dict[str, str]]
    platforms: list[str]
    hops: int = 1
    provenance: dict[str, Any] = field(default_factory=dict)

    def ground(self, executor: Any, seed: int) -> GroundedAtOnce:
        return self


def test_a_cell_is_the_same_whatever_other_cells_are_made() -> None:
    dart = [tool.name for tool in load_catalog() if tool.platform == "dart" and tool.fields and tool.read]
    task: Any = GroundedAtOnce("a", dart[:3], [{"name": dart[0]}], ["dart"])

    def cell(*numbers: int) -> set[str]:
        rows: Any = make_grid([task], None, numbers).rows  # type: ignore[arg-type]
        return next(set(row.offered) for row in rows if row.provenance["cell"]["distractors"] == 8)

    eight = cell(0, 8)
    assert eight == cell(0, 8, 32) == cell(8)
    assert {dart[0], dart[1], dart[2]} <= eight
    platforms = {tool.name: tool.platform for tool in load_catalog()}
    others = eight - set(dart[:3])
    assert [len(others), sum(platforms[name] == "dart" for name in others)] == [6, 4]


@pytest.mark.slow
def test_cells_of_a_task_grow_and_gold_solves_them_all() -> None:
    task = next(task for task in load_tasks() if task.name == "busiest_exit_toll")
    with Executor(world=World(3, 3)) as executor:
        made = make_grid([task], executor, (0, 2, 40))
        report = evaluate(POLICIES["gold"], made.rows, executor)
    assert not made.failed
    offered = [[tool["function"]["name"] for tool in row.tools] for row in made.rows]
    needed = {action["name"] for row in made.rows for action in row.golden_actions}
    assert needed <= set(offered[0]) < set(offered[1]) < set(offered[2])
    assert [len(names) - len(offered[0]) for names in offered] == [0, 2, 40]
    assert len({row.id for row in made.rows}) == 3
    assert set(cells(report.rollouts, made.rows).values()) == {(1.0, 1)}
