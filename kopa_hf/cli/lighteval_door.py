"""`kopa lighteval …`: lighteval's own command, made to start without network.

lighteval 0.13 imports each of its built-in tasks, and one of them downloads a file
at import. A stand-in module under that task's name lets the registry load offline.
`lighteval eval` (its Inspect backend) takes --custom-tasks and then ignores it, and hands three
settings to Inspect under names that Inspect refuses; here its registry is given that file and the
settings their names. Everything else is passed through untouched, and nothing in site-packages
changes.
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
    """Run `lighteval ARGUMENTS` (custom, accelerate, vllm, eval, …) without its download at import."""
    run_lighteval(list(arguments))


def run_lighteval(arguments: list[str]) -> None:
    """lighteval's command line with `arguments`, in this process; it exits by itself."""
    if importlib.util.find_spec("lighteval") is None:
        raise MissingExtraError("lighteval", "eval")
    stand_in: Any = ModuleType(DOWNLOADING_TASK)
    stand_in.TASKS_TABLE = []
    sys.modules[DOWNLOADING_TASK] = stand_in
    if arguments[:1] == ["eval"]:
        _give_custom_tasks(_value_of("--custom-tasks", arguments))
        _rename_settings()
    from lighteval.__main__ import app

    sys.argv = ["lighteval", *arguments]
    app()


def _value_of(option: str, arguments: list[str]) -> str | None:
    """What a command line says for an option, as `--option VALUE` or `--option=VALUE`."""
    for at, argument in enumerate(arguments):
        if argument == option and at + 1 < len(arguments):
            return arguments[at + 1]
        if argument.startswith(f"{option}="):
            return argument.partition("=")[2]
    return None


def _give_custom_tasks(path: str | None) -> None:
    """Let lighteval's registry read the file where its caller passes none on (fixed upstream some day: then it is)."""
    if path is None:
        return
    from lighteval.tasks import registry

    own = registry.Registry

    class Registry(own):  # type: ignore[misc, valid-type, unused-ignore]
        """lighteval's own, with the custom tasks that the command line names."""

        def __init__(self, *given: Any, custom_tasks: Any = None, **named: Any) -> None:
            super().__init__(*given, custom_tasks=custom_tasks or path, **named)

    registry.Registry = Registry


INSPECT_NAMES = {"frequence_penalty": "frequency_penalty", "log_probs": "logprobs"}
"""lighteval's name of a setting → the one that Inspect knows."""


def _rename_settings() -> None:
    """Let settings reach Inspect under its own names; what was not asked for is left out."""
    from lighteval import main_inspect

    run = main_inspect.inspect_ai_eval_set

    def eval_set(*given: Any, response_format: str | None = None, **settings: Any) -> Any:
        if response_format is not None:
            raise click.UsageError(
                "--response-format does not reach Inspect; these tasks read what a model says anyway."
            )
        for theirs, inspects in INSPECT_NAMES.items():
            value = settings.pop(theirs, None)
            if value is not None:
                settings[inspects] = value
        return run(*given, **settings)

    main_inspect.inspect_ai_eval_set = eval_set
