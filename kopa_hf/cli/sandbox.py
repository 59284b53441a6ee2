"""`kopa sandbox`: the local replica of the services."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopa_hf.cli.file_path import FilePath
from kopa_hf.cli.serve import faults, keys, serve

if TYPE_CHECKING:
    from kopa_hf.sandbox.fidelity import Comparison


@click.group()
def sandbox() -> None:
    """The local replica of the ten platforms: compare it with recordings, serve it over a socket."""


for command in (serve, keys, faults):
    sandbox.add_command(command)


@sandbox.command()
@click.argument("folder", type=FilePath(exists=True, file_okay=False))
@click.option("--at-least", type=click.FloatRange(0, 100), help="Exit 1 below this share of fields, in percent.")
@click.option("-v", "--verbose", is_flag=True, help="Name every difference.")
def fidelity(folder: Path, at_least: float | None, verbose: bool) -> None:
    """Compare the sandbox's answers with recorded ones: envelope, fields, kinds, codes.

    FOLDER holds bodies of the real services and an INDEX.jsonl. The last line is the share of recorded fields
    that agree.
    """
    from kopa_hf.catalog.registry import load_catalog
    from kopa_hf.sandbox.fidelity import Fidelity
    from kopa_hf.sandbox.recordings import read_recordings

    judge = Fidelity(load_catalog())
    compared: list[Comparison] = []
    unserved: list[str] = []
    for recording in read_recordings(folder):
        comparison = judge.compare(recording)
        if comparison is None:
            unserved.append(recording.file)
            continue
        compared.append(comparison)
        if verbose:
            _tell(comparison)
    if unserved:
        click.echo(f"Not served, left out of the share: {', '.join(unserved)}")
    click.echo(f"{'platform':<12}{'recordings':>11}{'same envelope':>15}{'fields':>9}{'agree':>8}{'share':>9}")
    for platform in dict.fromkeys(c.platform for c in compared):
        _row(platform, [c for c in compared if c.platform == platform])
    _row("all", compared)
    recorded = sum(c.recorded for c in compared)
    share = 100.0 * sum(c.agreeing for c in compared) / recorded if recorded else 0.0
    same = sum(c.same_envelope for c in compared)
    click.echo(f"Envelopes that agree: {same} of {len(compared)}. Recorded fields that agree:")
    click.echo(f"{share:.1f}%")
    if at_least is not None and (share < at_least or same < len(compared)):
        raise click.exceptions.Exit(1)


def _row(name: str, compared: list[Comparison]) -> None:
    recorded, agreeing = sum(c.recorded for c in compared), sum(c.agreeing for c in compared)
    share = f"{100 * agreeing / recorded:.1f}%" if recorded else "-"
    same = sum(c.same_envelope for c in compared)
    click.echo(f"{name:<12}{len(compared):>11}{same:>15}{recorded:>9}{agreeing:>8}{share:>9}")


def _tell(comparison: Comparison) -> None:
    fields = f"{comparison.agreeing} of {comparison.recorded} fields"
    click.echo(f"{comparison.recording.file}: {comparison.tool}, {fields}")
    for difference in (*comparison.envelope, *comparison.code):
        click.echo(f"  envelope: {difference}")
    for path in comparison.differing:
        click.echo(f"  field: {path}")
    if comparison.unrecorded:
        click.echo(f"  sent, not recorded: {', '.join(comparison.unrecorded)}")
