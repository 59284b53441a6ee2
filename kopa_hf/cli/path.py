"""`kopa path`: where a shipped file is."""

from __future__ import annotations

import click

from kopa_hf.cli.output import print_table
from kopa_hf.shipped import FOLDERS, shipped_path


@click.command(
    help=f"Print where NAME is: {', '.join(FOLDERS)}, or a file in one of them, e.g. tasks/kopa_bench.py. Without NAME, "
    "every folder and where it is."
)
@click.argument("name", required=False)
def path(name: str | None) -> None:
    """Print one path alone, for `$(kopa path …)`, or a line per folder."""
    if name is None:
        print_table([(folder, str(shipped_path(folder))) for folder in FOLDERS])
    else:
        click.echo(str(shipped_path(name)))
