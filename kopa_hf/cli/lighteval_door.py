"""`kopa lighteval …`: lighteval's own command, made to start without network.

lighteval 0.13 imports each of its built-in tasks, and one of them downloads a file
at import. A stand-in module under that task's name lets the registry load offline;
everything else is passed through untouched.
"""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import Any

import click

from kopa_hf.errors import MissingExtraError

DOWNLOADING_TASK = "lighteval.tasks.tasks.tiny_benchmarks"


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []},
    add_help_option=False,
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def lighteval(arguments: tuple[str, ...]) -> None:
    """Run `lighteval ARGUMENTS` (custom, accelerate, vllm, …) without its download at import."""
    run_lighteval(list(arguments))


def run_lighteval(arguments: list[str]) -> None:
    """lighteval's command line with `arguments`, in this process; it exits by itself."""
    if importlib.util.find_spec("lighteval") is None:
        raise MissingExtraError("lighteval", "eval")
    stand_in: Any = ModuleType(DOWNLOADING_TASK)
    stand_in.TASKS_TABLE = []
    sys.modules[DOWNLOADING_TASK] = stand_in
    from lighteval.__main__ import app

    sys.argv = ["lighteval", *arguments]
    app()
