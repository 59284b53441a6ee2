"""`kopa functionchat`: Korean tool-use dialogs from a folder, without a hosted judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopa_hf.cli.asking import ask_rest, cut_note, fault_notes, output_option, unasked_note
from kopa_hf.cli.evaluate import read_sampling
from kopa_hf.cli.file_path import FilePath, Source
from kopa_hf.cli.local_model import local_model_options
from kopa_hf.cli.output import json_option, print_json, print_table
from kopa_hf.errors import ModelServerError

if TYPE_CHECKING:
    from kopa_hf.agent.opening import LocalSettings


@click.command("functionchat")
@click.option("--data", required=True, type=FilePath(exists=True), help="FunctionChat-Bench's data folder.")
@click.option(
    "--model",
    required=True,
    metavar="NAME",
    type=Source(),
    help="http://HOST:PORT/v1#MODEL, or a local model's folder or file.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many items of each group.")
@click.option("--concurrency", default=8, show_default=True, type=click.IntRange(1, 512), help="Items at once.")
@click.option("--sampling", multiple=True, metavar="NAME=VALUE", help="How the model samples; default temperature=0.")
@output_option
@local_model_options
@json_option
def functionchat(
    data: Path,
    model: str,
    limit: int | None,
    concurrency: int,
    sampling: tuple[str, ...],
    output: Path | None,
    local: LocalSettings,
    as_json: bool,
) -> None:
    """Score calls by value, and questions back and refusals by whether they call nothing.

    The original's scores come from a judge and also rate the wording: these are not comparable with them.
    Items that the model's server failed on count in no score; with --output the same command asks for them again.
    Exit code 3: the server fails altogether.
    """
    from kopa_hf.agent.opening import open_model
    from kopa_hf.bench.functionchat import Item, ItemAgent, fingerprint, load_items, tally
    from kopa_hf.bench.kept_answers import Run

    by_group: dict[str, list[Item]] = {}
    for item in load_items(data):
        by_group.setdefault(item.group, []).append(item)
    items = [item for group in by_group.values() for item in group[:limit]]
    agent = ItemAgent(open_model(model, sampling={"temperature": 0.0, **read_sampling(sampling)}, local=local))
    run = Run(agent.name, "fc", fingerprint(data), agent.settings)
    lines, unasked = ask_rest(agent, items, run, output, concurrency, quiet=as_json, label="items")
    faults = fault_notes(unasked)
    if not lines:
        raise ModelServerError(f"No item was answered. {faults[0] if faults else ''}")
    found = tally(items, {line["id"]: line["result"] for line in lines}, {one.entry.id for one in unasked})
    if as_json:
        print_json(
            {name: {"right": one.right, "total": one.total, "faults": one.faults} for name, one in found.items()}
        )
        return
    rows = [
        [name, one.total, f"{one.right / one.total:.3f}" if one.total else "-", one.faults]
        for name, one in found.items()
    ]
    print_table(rows, ["group", "items", "right", "faults"])
    if cut := cut_note(lines, "answers"):
        click.echo(cut)
    if faults:
        click.echo(unasked_note(faults, "items", output))
