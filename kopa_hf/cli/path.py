"""`kopa path`: where a shipped file is."""

from __future__ import annotations

import click

from kopa_hf.shipped import shipped_path


@click.command()
@click.argument("name")
def path(name: str) -> None:
    """Print where NAME is: tasks/kopa_bench.py, accelerate_configs, hub_cards, …"""
    click.echo(str(shipped_path(name)))
