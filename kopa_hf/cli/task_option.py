"""`--task NAME`: single tasks of the benchmark in place of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from kopa_hf.bench.task import Task

task_option = click.option("--task", "names", multiple=True, metavar="NAME", help="Only this task. Repeatable.")


def chosen_tasks(names: Sequence[str]) -> list[Task]:
    """The tasks of these names in the benchmark's order, or all where none is named."""
    from kopa_hf.bench.task import load_tasks

    tasks = [task for task in load_tasks() if not names or task.name in names]
    unknown = set(names) - {task.name for task in tasks}
    if unknown:
        raise click.UsageError(f"No task {', '.join(sorted(unknown))}. `kopa bench list` names them.")
    return tasks
