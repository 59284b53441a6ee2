"""`kopa bench grid`: depth × distractors over the benchmark's tasks, in a fresh world."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopa_hf.cli.evaluate import read_sampling, run_agents
from kopa_hf.cli.file_path import FilePath, Source
from kopa_hf.cli.local_model import declare, local_model_options
from kopa_hf.cli.output import json_option, print_json, print_table
from kopa_hf.cli.task_option import chosen_tasks, task_option
from kopa_hf.errors import DataError

if TYPE_CHECKING:
    from kopa_hf.agent.opening import LocalSettings


@click.command("grid")
@click.option(
    "--model",
    "models",
    multiple=True,
    type=Source(),
    metavar="NAME",
    help="As for kopa eval. Repeatable; none: only the grid.",
)
@click.option(
    "--world", default=1, show_default=True, type=click.IntRange(min=1), help="Seed of names, codes and figures."
)
@click.option("--distractors", default="0,4,8,16,32", show_default=True, help="Numbers of tools in the way.")
@task_option
@click.option(
    "--rollouts", default=1, show_default=True, type=click.IntRange(min=1), help="Rollouts per task and cell."
)
@click.option("--concurrency", default=8, show_default=True, type=click.IntRange(1, 512), help="Rollouts at once.")
@click.option("--sampling", multiple=True, metavar="NAME=VALUE", help="How models sample, e.g. temperature=0.7.")
@click.option("--log", type=FilePath(), help="JSONL log; an interrupted run goes on from it.")
@local_model_options
@json_option
def grid(
    models: tuple[str, ...],
    world: int,
    distractors: str,
    names: tuple[str, ...],
    rollouts: int,
    concurrency: int,
    sampling: tuple[str, ...],
    log: Path | None,
    local: LocalSettings,
    as_json: bool,
) -> None:
    """How far agents come as chains grow longer and tools more.

    Every task of the benchmark, in a world that no frozen instance was made on, with each number of distractors.
    """
    from kopa_hf.bench.grid import cells, make_grid
    from kopa_hf.bench.model_policy import agents_of
    from kopa_hf.execution.executor import Executor
    from kopa_hf.sandbox.world import World

    tasks = chosen_tasks(names)
    numbers = _numbers(distractors)
    agents = agents_of(models, sampling=read_sampling(sampling), local=local)
    declare(agents, quiet=as_json)
    settings = {"rollouts": rollouts, "seed": 0, "concurrency": concurrency}
    with Executor(world=World(world, world)) as executor:
        made = make_grid(tasks, executor, numbers)
        if not made.rows:
            raise DataError(f"World {world} grounds none of these tasks.")
        reports = run_agents(agents, made.rows, executor, settings, log=log, quiet=as_json)
    found = {report.policy: cells(report.rollouts, made.rows) for report in reports}
    if as_json:
        shown = {agent: [[*cell, *rate] for cell, rate in by_cell.items()] for agent, by_cell in found.items()}
        print_json({"rows": len(made.rows), "failed": [list(pair) for pair in made.failed], "cells": shown})
        return
    depths = [
        row.provenance["cell"]["depth"] for row in made.rows if row.provenance["cell"]["distractors"] == numbers[0]
    ]
    print_table([[depth, depths.count(depth)] for depth in sorted(set(depths))], ["depth", "tasks"])
    for name, reason in made.failed:
        click.echo(f"not grounded: {name}: {reason}")
    for agent, by_cell in found.items():
        click.echo(f"\n{agent}: pass@1 by depth and distractors")
        table = [
            [depth, *(f"{by_cell[depth, n][0]:.2f}" if (depth, n) in by_cell else "-" for n in numbers)]
            for depth in sorted(set(depths))
        ]
        print_table(table, ["depth", *(f"+{number}" for number in numbers)])


def _numbers(text: str) -> tuple[int, ...]:
    try:
        numbers = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        numbers = ()
    if not numbers or numbers[0] < 0:
        raise click.UsageError(f"--distractors takes numbers with commas, e.g. 0,4,8, not {text!r}.")
    return numbers
