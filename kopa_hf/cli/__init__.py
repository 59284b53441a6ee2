"""The `kopa` command.

Exit codes: 0 done; 1 the job ran and its verdict is negative; 2 wrong input;
3 a service failed; 130 interrupted (what was reached is kept, the message says where).
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from kopa_hf._version import __version__
from kopa_hf.cli.command_line import TYPED
from kopa_hf.errors import BackendError, KopaError
from kopa_hf.values.printable import printable

COMMANDS: dict[str, tuple[str, str]] = {
    "tools": ("kopa_hf.cli.tools:tools", "Search and show the catalog's tools."),
    "call": ("kopa_hf.cli.call:call", "Call one tool: kopa call NAME key=value …"),
    "mcp": ("kopa_hf.cli.mcp:mcp", "Serve any of the tools to MCP clients."),
    "edge": ("kopa_hf.cli.edge:edge", "Build, refine, synthesize and verify EDGE data."),
    "bench": ("kopa_hf.cli.bench:bench", "The benchmark's tasks: list, validate, ground, export."),
    "train": ("kopa_hf.cli.train:train", "Check a training run before it starts; list presets."),
    "eval": ("kopa_hf.cli.evaluate:evaluate", "Score scripted policies or a model on the benchmark."),
    "demo": ("kopa_hf.cli.demo:demo", "The whole line in one run: tools to dataset to score."),
    "bfcl": ("kopa_hf.cli.bfcl:bfcl", "BFCL beside it: the official verdict and a value-typed one."),
    "functionchat": ("kopa_hf.cli.functionchat:functionchat", "FunctionChat-Bench from a folder, without a judge."),
    "lighteval": (
        "kopa_hf.cli.lighteval_door:lighteval",
        "Run lighteval with the benchmark's tasks and BFCL, offline.",
    ),
    "doctor": ("kopa_hf.cli.doctor:doctor", "Check keys and services before a live run."),
    "sandbox": ("kopa_hf.cli.sandbox:sandbox", "The local replica: compare it with recordings, serve it."),
    "snapshot": ("kopa_hf.cli.snapshot:snapshot", "Recorded answers: list, verify, hand on, ask again."),
    "drift": ("kopa_hf.cli.drift:drift", "Compare two snapshots: what changed, which tasks and edges it touches."),
    "publish": ("kopa_hf.cli.publish:publish", "Put datasets, models, snapshots and results on the Hub."),
    "pull": ("kopa_hf.cli.publish:pull", "Fetch a dataset, model or snapshot from the Hub, every file checked."),
    "bundle": ("kopa_hf.cli.bundle:bundle", "Datasets, snapshots and models in one archive, for air-gapped machines."),
    "path": ("kopa_hf.cli.path:path", "Print where a shipped file or folder is."),
}


class _Lazy(click.Group):
    """Commands load when they are run, so that `kopa --help` stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean `kopa {near[0]}`?" if near else ""
            raise click.UsageError(f"No command {args[0]!r}.{hint} `kopa --help` lists them.")
        return super().resolve_command(ctx, args)


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kopa")
def kopa() -> None:
    """KOPA-Bench and EDGE: chains of tool calls over Korean open public APIs."""


def main(argv: list[str] | None = None) -> None:
    """Run the command line; errors become one readable line and an exit code."""
    # commands have progress bars of their own
    os.environ.setdefault("HF_DATASETS_DISABLE_PROGRESS_BARS", "1")
    try:
        typed = list(sys.argv[1:] if argv is None else argv)
        with kopa.make_context("kopa", list(typed)) as context:
            context.meta[TYPED] = typed
            kopa.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.message = printable(error.message)  # type: ignore[misc]  # show() reads it
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted. What was checkpointed is kept; the same command goes on from there.", err=True)
        sys.exit(130)
    except BackendError as error:
        click.echo(f"Error: {printable(str(error))}", err=True)
        sys.exit(3)
    except KopaError as error:
        click.echo(f"Error: {printable(str(error))}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # `kopa … | head` closed the pipe: no error, and nothing may be written any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (ValueError, RecursionError) as error:
        # text that is no Unicode, a number of thousands of digits, brackets nested without end
        click.echo(f"Error: the input cannot be read ({type(error).__name__}).", err=True)
        sys.exit(2)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        click.echo(f"Error: {error.strerror or error}{where}. Files that were complete are kept.", err=True)
        sys.exit(2)
