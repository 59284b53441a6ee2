"""`kopa bench card`: the log of a run as a card with the held-out number."""

from __future__ import annotations

from pathlib import Path

import click

from kopa_hf.cli.file_path import FilePath, Name


@click.command()
@click.argument("log", type=FilePath())
@click.option("--data", type=FilePath(), help="The benchmark folder of the run; default: the embedded tasks.")
@click.option("--agent", type=Name(), help="Which agent, where LOG holds several.")
@click.option("--revision", type=Name(), help="Git SHA of the published benchmark, for the Hub's results file.")
@click.option("--output", type=FilePath(), help="Folder for README.md and .eval_results/; default: print.")
def card(log: Path, data: Path | None, agent: str | None, revision: str | None, output: Path | None) -> None:
    """Make a results card from LOG: pass@1 on the held-out platforms, its interval, and how to get it again."""
    from kopa_hf.cli.evaluate import bench_rows
    from kopa_hf.hub.results_card import results_card

    made = results_card(log, bench_rows(data), agent=agent, revision=revision)
    if output is None:
        click.echo(made.markdown)
        return
    for path in made.write(output):
        click.echo(path)
