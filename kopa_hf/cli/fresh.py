"""`kopa eval --values-seed fresh:N`: the same tasks on worlds with other figures, and the gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.evaluate import run_agents
from kopa_hf.cli.output import print_table
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.world import World

if TYPE_CHECKING:
    from kopa_hf.bench.contamination import Gap
    from kopa_hf.bench.policies import Policy
    from kopa_hf.bench.rollouts import PolicyReport
    from kopa_hf.bench.rows import Row
    from kopa_hf.sandbox.faults import Faults


@dataclass(frozen=True, slots=True)
class Fresh:
    """What the fresh worlds came to."""

    seeds: list[int]
    gaps: list[Gap]
    """One per agent that was scored on both sides."""
    failed: dict[int, list[tuple[str, str]]]
    """Value seed → (task, reason) of those that could not be grounded there."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        failed = {str(seed): [list(pair) for pair in pairs] for seed, pairs in self.failed.items()}
        return {"seeds": self.seeds, "gaps": [gap.to_dict() for gap in self.gaps], "not_grounded": failed}


def score_fresh(
    agents: Sequence[Policy],
    frozen: tuple[Sequence[Row], Sequence[PolicyReport]],
    seeds: Sequence[int],
    settings: dict[str, Any],
    *,
    faults: Faults | None,
    log: Path | None,
    quiet: bool,
) -> Fresh | None:
    """Ground the frozen rows' tasks on each fresh world and run the agents there; None without seeds.

    Each world has a log of its own beside LOG, since its rows answer other questions.
    """
    from kopa_hf.bench.contamination import contamination_gap
    from kopa_hf.bench.task import ground_tasks, load_tasks

    if not seeds:
        return None
    names = {row.provenance.get("task") for row in frozen[0]}
    tasks = [task for task in load_tasks() if task.name in names]
    worlds: dict[int, tuple[Sequence[Row], list[PolicyReport]]] = {}
    failed: dict[int, list[tuple[str, str]]] = {}
    for number in seeds:
        if not quiet:
            click.echo(f"grounding {len(tasks)} tasks on value seed {number}", err=True)
        # tasks are about a world without faults, whatever the run meets
        world = World(0, number)
        with Executor(world=world) as executor:
            grounding = ground_tasks(executor, tasks=tasks)
        with Executor(world=world, faults=faults) as executor:
            beside = None if log is None else log.with_name(f"{log.stem}.values-{number}{log.suffix}")
            where = f" on {number}"
            reports = run_agents(agents, grounding.rows, executor, settings, log=beside, quiet=quiet, where=where)
        worlds[number], failed[number] = (grounding.rows, reports), grounding.failed
    gaps = []
    for index, report in enumerate(frozen[1]):
        theirs = {number: (rows, reports[index]) for number, (rows, reports) in worlds.items()}
        gap = contamination_gap((frozen[0], report), theirs, seed=settings["seed"])
        gaps += [] if gap is None else [gap]
    return Fresh(list(seeds), gaps, {number: pairs for number, pairs in failed.items() if pairs})


def print_gaps(fresh: Fresh) -> None:
    """One line per agent: frozen, fresh, gap, its interval, and pass@1 on each fresh world."""
    click.echo(f"\ncontamination: frozen world against {len(fresh.seeds)} fresh one(s), over the tasks scored on both")
    table = []
    for gap in fresh.gaps:
        between = f"{gap.interval.low:+.2f} to {gap.interval.high:+.2f}"
        each = ", ".join(f"{seed}: {rate:.2f}" for seed, rate in gap.by_seed.items())
        verdict = "yes" if gap.contaminated else "not shown"
        row = (gap.policy, str(gap.tasks), f"{gap.frozen:.2f}", f"{gap.fresh:.2f}", f"{gap.gap:+.2f}", between)
        table.append((*row, verdict, each))
    header = ("agent", "tasks", "frozen", "fresh", "gap", "95%", "contaminated", "pass@1 by value seed")
    print_table(table, header)
    for seed, pairs in fresh.failed.items():
        click.echo(f"not grounded on {seed}: {', '.join(task for task, _ in pairs)}")
