"""What `kopa bfcl eval` and `kopa functionchat` share: a model is asked item by item, and its answers are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopa_hf.cli.file_path import FilePath
from kopa_hf.cli.output import progress
from kopa_hf.errors import ModelServerError

if TYPE_CHECKING:
    from kopa_hf.bench.asking import A, Agent, Answered
    from kopa_hf.bench.kept_answers import Line, Run

output_option = click.option(
    "--output",
    type=FilePath(dir_okay=False),
    help="JSONL answers; an interrupted run goes on from them.",
)


def ask_rest(
    agent: Agent[A], entries: Sequence[A], run: Run, output: Path | None, concurrency: int, *, quiet: bool, label: str
) -> tuple[list[Line], list[Answered[A]]]:
    """Lines of all `entries` that are answered, those of an earlier run in `output` too, and who could not be asked.

    Raises `DataError` where `output` is another run's, or another process is writing it.
    """
    from kopa_hf.bench.kept_answers import ask_and_keep, go_on_from, read_results
    from kopa_hf.bench.log_lock import hold_log

    with nullcontext() if output is None else hold_log(output, option="--output"):
        done = set() if output is None else go_on_from(output, run)
        waiting = [entry for entry in entries if entry.id not in done]
        if len(waiting) < len(entries):
            kept = f"{len(entries) - len(waiting)} of {len(entries)} {label} are answered in {output} already"
            click.echo(f"{kept}; {len(waiting)} to go.", err=True)
        try:
            with progress(label, len(waiting), quiet=quiet) as advance:
                lines, faults = asyncio.run(ask_and_keep(agent, waiting, run, output, concurrency, advance))
        except ModelServerError as error:
            kept = f" What was answered is kept in {output}; the same command goes on." if done else ""
            raise ModelServerError(f"{error}{kept}") from error
        if output is not None and output.exists():
            wanted = {entry.id for entry in entries}
            lines = [line for line in read_results(output) if line["id"] in wanted]
    return lines, faults


def fault_notes(faults: Sequence[Answered[A]]) -> list[str]:
    """What failed, item by item."""
    return [f"{found.entry.id}: {found.fault}" for found in faults]


def unasked_note(faults: Sequence[str], label: str, output: Path | None) -> str:
    """One line on the items that count nowhere, with what to do."""
    again = "" if output is None else "\nThe same command asks for them again."
    return f"{len(faults)} {label} could not be asked and count nowhere: {faults[0]}{again}"


def cut_note(lines: Sequence[Line], label: str) -> str | None:
    """One line on the answers that ran out of tokens, which are scored as they are; None where there are none."""
    cut = sum("token_budget" in (line.get("notes") or ()) for line in lines)
    return f"{cut} {label} were cut off at the token limit, and are scored as far as they go." if cut else None
