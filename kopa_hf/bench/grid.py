"""Depth × distractors: the benchmark's tasks in a fresh world, each with a growing number of tools in the way.

Depth is the longest chain of dependent steps that a task needs. Of a cell's tools only those that the golden calls use
(and the local ones) are the task's; the rest are drawn from the catalog, from the task's own platforms first, where
tools look most alike. A world that no frozen instance was made on gives fresh names, codes and figures, so no cell can be known by heart.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kopa_hf.bench.rollouts import Rollout
from kopa_hf.bench.rows import Row
from kopa_hf.bench.task import GroundingError, Task
from kopa_hf.catalog import load_catalog
from kopa_hf.execution.executor import Executor

DISTRACTORS: Final = (0, 4, 8, 16, 32)
LOCAL: Final = "local"


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of all cells; a row's cell stands in its provenance."""

    rows: list[Row]
    failed: list[tuple[str, str]]
    """(task, reason) of what this world cannot ground."""


def make_grid(
    tasks: Iterable[Task], executor: Executor, distractors: Sequence[int] = DISTRACTORS, seed: int = 0
) -> Grid:
    """Every task with every number of distractors; within a task a larger cell holds the smaller one's tools."""
    rows: list[Row] = []
    failed: list[tuple[str, str]] = []
    for task in tasks:
        try:
            plain = task.ground(executor, seed)
            extra = _drawn(task, plain, seed)
            needed = _needed(task, plain)
            for number in distractors:
                offered = _mixed(needed, extra[:number], f"{task.name}/{number}/{seed}")
                row = replace(task, offered=offered).ground(executor, seed)
                cell = {"depth": row.hops, "distractors": number}
                rows.append(replace(row, provenance={**row.provenance, "cell": cell}))
        except GroundingError as error:
            failed.append((task.name, str(error)))
    return Grid(rows, failed)


def _needed(task: Task, row: Row) -> list[str]:
    """Offered tools that golden calls use, and the local ones; other tools that the task offers are distractors."""
    used = {action["name"] for action in row.golden_actions}
    platforms = {tool.name: tool.platform for tool in load_catalog()}
    return [name for name in task.offered if name in used or platforms.get(name, LOCAL) == LOCAL]


def _drawn(task: Task, row: Row, seed: int) -> list[str]:
    """All distractors in the order in which cells take them: the task's own, tools of its platforms, then any.

    The order hangs on the task and the seed alone, so that a cell is the same whatever other cells are made.
    """
    needed = set(_needed(task, row))
    own = [name for name in task.offered if name not in needed]
    near: list[str] = []
    far: list[str] = []
    for tool in load_catalog():
        if tool.fields and tool.read and tool.name not in task.offered:
            (near if tool.platform in row.platforms else far).append(tool.name)
    random.Random(f"{task.name}/{seed}").shuffle(near)
    random.Random(f"{task.name}/{seed}/far").shuffle(far)
    # two of the own platforms to one of another, as far as they last
    mixed = [name for trio in zip(near[::2], near[1::2], far, strict=False) for name in trio]
    taken = set(mixed)
    return [*own, *mixed, *(name for name in (*near, *far) if name not in taken)]


def _mixed(needed: Sequence[str], extra: Sequence[str], seed: str) -> list[str]:
    names = [*needed, *extra]
    random.Random(seed).shuffle(names)
    return names


def cells(rollouts: Iterable[Rollout], rows: Iterable[Row]) -> dict[tuple[int, int], tuple[float, int]]:
    """(depth, distractors) → (pass@1, scored rollouts) of one agent's rollouts on a grid."""
    places = {row.id: row.provenance["cell"] for row in rows}
    found: dict[tuple[int, int], list[float]] = defaultdict(list)
    for rollout in rollouts:
        reward = rollout.score.reward
        if reward is not None:
            cell = places[rollout.row_id]
            found[cell["depth"], cell["distractors"]].append(reward)
    return {cell: (sum(rewards) / len(rewards), len(rewards)) for cell, rewards in sorted(found.items())}
