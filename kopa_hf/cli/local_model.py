"""The options with which a command runs a model on this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.file_path import FilePath, Name

if TYPE_CHECKING:
    from kopa_hf.bench.policies import Policy

_OPTIONS = (
    click.option(
        "--device",
        default="auto",
        show_default=True,
        type=Name(),
        help="Local model: cpu, cuda, cuda:1, …; auto: CUDA if any.",
    ),
    click.option(
        "--dtype",
        default="auto",
        show_default=True,
        type=Name(),
        help="Local model: float32, bfloat16, float16; auto: bfloat16 on CUDA, float32 on the CPU.",
    ),
    click.option("--batch", type=click.IntRange(min=1), help="Local model: turns at once; default: --concurrency."),
    click.option(
        "--max-new-tokens",
        default=1024,
        show_default=True,
        type=click.IntRange(min=1),
        help="Local model: tokens of one turn, thinking included.",
    ),
    click.option("--context", type=click.IntRange(min=1), help="Local model: tokens in all; default: its own limit."),
    click.option(
        "--tool-prompt",
        is_flag=True,
        help="Local model: where its chat template cannot carry tools, describe them in our own words.",
    ),
    click.option(
        "--chat-template",
        type=FilePath(exists=True, dir_okay=False),
        help="Local model: a Jinja file in the place of its own template.",
    ),
    click.option("--trust-remote-code", is_flag=True, help="Local model: run code that comes with it."),
)
_NAMES = (
    "device", "dtype", "batch", "max_new_tokens", "context", "tool_prompt", "chat_template", "trust_remote_code",
)  # fmt: skip


def local_model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a local model; the command gets them as `local`."""

    @wraps(command)
    def with_local(**given: Any) -> Any:
        from kopa_hf.agent.opening import LocalSettings

        told = {name: given.pop(name) for name in _NAMES}
        told["batch"] = told["batch"] or given.get("concurrency") or LocalSettings().batch
        return command(local=LocalSettings(**told), **given)

    wrapped: Callable[..., Any] = with_local
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


def declare(agents: Sequence[Policy], *, quiet: bool) -> None:
    """Say which models see the tools in our words instead of their own template's."""
    for agent in agents:
        if getattr(agent, "settings", {}).get("tool_prompt"):
            click.echo(
                f"{agent.name}: its chat template cannot carry tool calls; tools, calls and results are written in "
                "kopa_hf's own prompt (tool_prompt: true in the log). Compare it with models run the same way.",
                err=quiet,
            )
