"""`kopa demo`: the main job from end to end, and who scores what on the benchmark."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopa_hf.cli.bench import write_bench
from kopa_hf.cli.edge_folder import hold_folder
from kopa_hf.cli.edge_printing import print_edges, print_trajectories
from kopa_hf.cli.edge_report import write_page
from kopa_hf.cli.edge_settings import DATASET, Stage, open_executor
from kopa_hf.cli.edge_stages import build_stage, refine_stage, synthesize_stage
from kopa_hf.cli.file_path import FilePath, Name
from kopa_hf.cli.output import progress
from kopa_hf.cli.scores import print_scores
from kopa_hf.execution.executor import Executor

if TYPE_CHECKING:
    from kopa_hf.edge.config import EdgeConfig

AGENTS = ("gold", "null", "first_page_only", "skip_lookup")


@click.command()
@click.option("--preset", default="demo", type=Name(), show_default=True, help="demo or paper.")
@click.option("--output", default="demo-out", show_default=True, type=FilePath(), help="Where everything goes.")
@click.option("--set", "overrides", multiple=True, metavar="NAME=VALUE", help="One setting, e.g. --set iterations=5.")
@click.option("--seed", type=int, help="Run seed.")
def demo(preset: str, output: Path, overrides: tuple[str, ...], seed: int | None) -> None:
    """Tools, links verified by execution, trajectories, dataset, scores: no key, no network.

    Everything runs on the embedded sandbox. Interrupted, the same command goes on from its checkpoint.
    """
    start = time.monotonic()
    config = Stage(output, preset=preset, overrides=overrides, seed=seed).config()
    click.echo(
        f"preset {preset}: T = {config.iterations} iterations, M = {config.paths} paths each; source: sandbox (records are invented)\n"
    )
    with hold_folder(output):
        _make(config, output)
    click.echo(f"\n{time.monotonic() - start:.0f} s")


def _make(config: EdgeConfig, output: Path) -> None:
    """The main line, then the scripted agents' scores, into a folder that this command holds."""
    from kopa_hf.bench.policies import POLICIES
    from kopa_hf.bench.runner import evaluate
    from kopa_hf.hub.benchmark_card import policy_line
    from kopa_hf.hub.loading import embedded_rows

    with open_executor(config, faults=True) as executor:
        graph = build_stage(config, output)
        refine_stage(graph, config, executor, output)
    _, report = synthesize_stage(graph, config, output)
    print_edges(report)
    print_trajectories(report)
    page = write_page(report, output)

    rows = embedded_rows()
    reports = []
    with Executor() as executor:
        for name in AGENTS:
            with progress(f"scoring {name}", len(rows)) as tick:
                reports.append(evaluate(POLICIES[name], rows, executor, progress=tick))
    write_bench(rows, output / "kopa-bench", policies=[policy_line(report) for report in reports])
    click.echo(f"\nbenchmark: {len(rows)} tasks, pass@1 of scripted agents")
    print_scores(reports)
    click.echo(f"\ndataset    {output / DATASET}    (load_dataset({str(output / DATASET)!r}))")
    click.echo(f"benchmark  {output / 'kopa-bench'}")
    click.echo(f"report     {page}")
