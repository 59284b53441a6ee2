"""`kopa bfcl`: BFCL beside the benchmark, with the official verdict and a value-typed one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopa_hf.cli.asking import ask_rest, cut_note, fault_notes, output_option, unasked_note
from kopa_hf.cli.evaluate import read_sampling
from kopa_hf.cli.file_path import FilePath, Name, Source
from kopa_hf.cli.local_model import local_model_options
from kopa_hf.cli.output import json_option, print_json, print_table
from kopa_hf.errors import DataError, ModelServerError

if TYPE_CHECKING:
    from kopa_hf.agent.opening import LocalSettings
    from kopa_hf.bench.bfcl.entries import Entry
    from kopa_hf.bench.bfcl.results import Scored
    from kopa_hf.bench.bfcl.scoring import Mode

data_option = click.option(
    "--data",
    metavar="SOURCE",
    type=Source(),
    help="A folder, a bfcl-eval wheel (packed or unpacked), or hub:OWNER/NAME; default: KOPA_BFCL_DATA.",
)


@click.group()
def bfcl() -> None:
    """The Berkeley Function-Calling Leaderboard, from data that you have."""


@bfcl.command("list")
@data_option
@json_option
def list_(data: str | None, as_json: bool) -> None:
    """Which categories the data holds."""
    from kopa_hf.bench.bfcl.categories import group_of
    from kopa_hf.bench.bfcl.source import fingerprint, load_entries, open_source, present

    source = open_source(data)
    counts = Counter(entry.category for entry in load_entries(source, present(source)))
    rows = [[name, group_of(name), counts[name]] for name in present(source)]
    if as_json:
        print_json({"source": str(source), "fingerprint": fingerprint(source), "categories": dict(counts)})
        return
    print_table(rows, ["category", "group", "entries"])
    click.echo(f"\n{sum(counts.values())} entries in {source}, fingerprint {fingerprint(source)}")


@bfcl.command("eval")
@click.option(
    "--model",
    required=True,
    metavar="NAME",
    type=Source(),
    help="As for kopa eval: http://HOST/v1#MODEL, a folder, policy:gold.",
)
@data_option
@click.option(
    "--category",
    "names",
    multiple=True,
    type=Name(),
    metavar="NAME",
    help="A category or group; repeatable. Default: all.",
)
@click.option(
    "--mode",
    type=click.Choice(["fc", "prompt"]),
    default="fc",
    show_default=True,
    help="fc: the call channel. prompt: functions in the system prompt, calls as text.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many entries of each category.")
@click.option("--concurrency", default=8, show_default=True, type=click.IntRange(1, 512), help="Entries at once.")
@click.option("--sampling", multiple=True, metavar="NAME=VALUE", help="How the model samples; default temperature=0.")
@output_option
@local_model_options
@json_option
def evaluate(
    model: str,
    data: str | None,
    names: tuple[str, ...],
    mode: Mode,
    limit: int | None,
    concurrency: int,
    sampling: tuple[str, ...],
    output: Path | None,
    local: LocalSettings,
    as_json: bool,
) -> None:
    """Let a model answer, and print the three numbers and every category.

    Entries that the model's server failed on count in no score; the same command asks for them again.
    Exit code 3: the server fails altogether.
    """
    from kopa_hf.bench.bfcl.agents import agent_named
    from kopa_hf.bench.bfcl.results import score_results
    from kopa_hf.bench.bfcl.source import fingerprint, open_source
    from kopa_hf.bench.kept_answers import Run

    source = open_source(data)
    entries, counts = _entries(source, names, limit)
    root = _root(source, entries)
    told = read_sampling(sampling)
    agent = agent_named(model, mode, root, sampling=told, local=local)
    run = Run(agent.name, mode, fingerprint(source), getattr(agent, "settings", {}))
    lines, unasked = ask_rest(agent, entries, run, output, concurrency, quiet=as_json, label="entries")
    faults = fault_notes(unasked)
    scored = score_results(lines, {entry.id: entry for entry in entries}, root)
    _print(scored, faults, counts, as_json=as_json, output=output)
    if not as_json and (cut := cut_note(lines, "answers")):
        click.echo(cut)
    if not scored:
        raise ModelServerError(f"No entry was answered. {faults[0] if faults else ''}")


@bfcl.command("score")
@click.argument("files", nargs=-1, required=True, type=FilePath(exists=True, dir_okay=False))
@data_option
@click.option("--mode", type=click.Choice(["fc", "prompt"]), help="How official result files were made.")
@json_option
def score_(files: tuple[Path, ...], data: str | None, mode: Mode | None, as_json: bool) -> None:
    """Score result files again: ours, or the official BFCL_v4_*_result.json."""
    from kopa_hf.bench.bfcl.results import category_of, score_results, without_faults
    from kopa_hf.bench.bfcl.source import load_entries, open_source
    from kopa_hf.bench.kept_answers import cut_short, read_results

    source = open_source(data)
    lines = [line for file in files for line in read_results(file)]
    for file in files:
        if cut_short(file):
            click.echo(f"{file}: the last line is cut short and left out.", err=True)
    if not lines:
        raise DataError(f"{', '.join(map(str, files))}: no result can be read.")
    categories = dict.fromkeys(category_of(line) for line in lines)
    entries = {entry.id: entry for entry in load_entries(source, tuple(categories))}
    answered, faults = without_faults(lines)
    scored = score_results(answered, entries, _root(source, list(entries.values())), mode)
    _print(scored, faults, Counter(entry.category for entry in entries.values()), as_json=as_json)


def _entries(source: Path, names: tuple[str, ...], limit: int | None) -> tuple[list[Entry], Counter[str]]:
    """The entries to ask, and how many the data has by category."""
    from kopa_hf.bench.bfcl.categories import categories_of
    from kopa_hf.bench.bfcl.source import load_entries, present

    held = present(source)
    categories = [name for name in categories_of(names or ("all",)) if name in held or name in names]
    if not categories:
        raise DataError(f"{source} holds none of {', '.join(names)}. It holds {', '.join(held)}.")
    held_entries = {name: list(load_entries(source, (name,))) for name in categories}
    counts = Counter({name: len(found) for name, found in held_entries.items()})
    return [entry for found in held_entries.values() for entry in found[:limit]], counts


def _root(source: Path, entries: list[Entry]) -> Path | None:
    from kopa_hf.bench.bfcl.source import code_root

    return code_root(source) if any(entry.classes for entry in entries) else None


def _print(
    scored: list[Scored], faults: list[str], counts: Counter[str], *, as_json: bool, output: Path | None = None
) -> None:
    """`counts`: entries of the data by category, without all of which there is no number of the leaderboard."""
    from kopa_hf.bench.bfcl.categories import partial, three_numbers
    from kopa_hf.bench.bfcl.results import marks
    from kopa_hf.bench.bfcl.summary import figures, rates

    verdicts = {name: marks(scored, name) for name in ("strict", "typed")}
    strict, typed = rates(verdicts["strict"]), rates(verdicts["typed"])
    short = partial(strict, counts)
    wrong_channel = sum(one.score.wrong_channel for one in scored)
    if as_json:
        shown = {name: figures(found, counts) for name, found in verdicts.items()}
        told = {name: {"scored": found, "of": whole} for name, (found, whole) in short.items()}
        print_json({**shown, "entries": len(scored), "partial": told, "wrong_channel": wrong_channel, "faults": faults})
        return
    rows = [
        [n, f"{r.total} of {counts[n]}" if n in short else r.total, f"{r.share:.3f}", f"{typed[n].share:.3f}"]
        for n, r in strict.items()
    ]
    print_table(rows, ["category", "entries", "official", "typed"])
    v4, v3, values = (
        three_numbers(strict, "v4", counts), three_numbers(strict, "v3", counts), three_numbers(typed, "v4", counts),
    )  # fmt: skip
    if v4:
        click.echo()
        print_table(
            [[n, f"{v:.4f}", f"{v3[n]:.4f}" if n in v3 else "-", f"{values[n]:.4f}"] for n, v in v4.items()],
            ["number", "official", "as in V3", "typed"],
        )
    if short:
        click.echo(f"{len(short)} categories are not complete: no number of the leaderboard stands on them.")
    _print_notes(scored, faults, wrong_channel, output)


def _print_notes(scored: list[Scored], faults: list[str], wrong_channel: int, output: Path | None) -> None:
    errors = Counter(one.score.strict.error for one in scored if one.score.strict.error)
    for error, number in errors.most_common(8):
        click.echo(f"{number:6} {error}")
    if wrong_channel:
        click.echo(
            f"{wrong_channel} answers had calls in the text instead of the call channel: typed reads them, official not."
        )
    if faults:
        click.echo(unasked_note(faults, "entries", output))
