"""`--catalog DIR`: a command works on a catalog of one's own in place of the ten platforms'."""

from __future__ import annotations

import os
from pathlib import Path

import click

from kopa_hf.catalog.active import VARIABLE, restore_catalog, use_catalog
from kopa_hf.cli.file_path import FilePath


def _put_in_force(context: click.Context, _: click.Parameter, folder: Path | None) -> None:
    if folder is not None:
        before = os.environ.get(VARIABLE)
        use_catalog(folder)
        context.find_root().call_on_close(lambda: restore_catalog(before))


CATALOG = click.option(
    "--catalog",
    type=FilePath(),
    is_eager=True,
    expose_value=False,
    callback=_put_in_force,
    help="Folder of a catalog of your own (`kopa tools import`); default: KOPA_CATALOG, else the ten platforms.",
)
"""The option, as a decorator; whoever asks `active_catalog()` while the command runs gets that catalog."""
