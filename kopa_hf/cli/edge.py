"""`kopa edge`: from tools to verified trajectories, stage by stage or in one run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopa_hf.cli.edge_printing import print_edges, print_settings, print_skeleton, print_trajectories, skeleton_report
from kopa_hf.cli.edge_settings import DATASET, GRAPH, Stage, load_graph, stage_options
from kopa_hf.cli.edge_stages import build_stage, refine_stage, run_line, synthesize_stage
from kopa_hf.cli.live import Backend, backend_options
from kopa_hf.cli.output import json_option, print_json, progress
from kopa_hf.errors import DataError

if TYPE_CHECKING:
    from kopa_hf.bench.rows import Row


@click.group()
def edge() -> None:
    """Build, refine, synthesize and verify EDGE data.

    All stages work in one folder (--output): graph.json, refine.checkpoint.json, trajectories/*.jsonl,
    edge-trajectories/ (the dataset), report.json, pruning.png.
    """


@edge.command()
@stage_options
def build(stage: Stage, as_json: bool) -> None:
    """Candidate edges, feasibility, priors: writes graph.json, the skeleton."""
    graph = build_stage(stage.config(), stage.output, quiet=as_json)
    if as_json:
        print_json(skeleton_report(graph))
    else:
        print_skeleton(graph)
        click.echo(f"graph       {stage.output / GRAPH}")


@edge.command()
@backend_options
@stage_options
def refine(stage: Stage, as_json: bool) -> None:
    """Refine the graph by execution; Ctrl-C keeps every finished iteration, the same command goes on."""
    from kopa_hf.cli.planning import plan_refinement
    from kopa_hf.edge import edge_report

    graph = load_graph(stage.output)
    config = stage.config(graph.config)
    with stage.open(config) as executor:
        stage.backend.start(
            executor, lambda live: plan_refinement(live, executor.catalog, graph, config), quiet=as_json
        )
        refine_stage(graph, config, executor, stage.output, quiet=as_json)
    report = edge_report(graph)
    if as_json:
        print_json(report)
    else:
        print_settings(config)
        print_edges(report)


@edge.command()
@backend_options
@stage_options
def synthesize(stage: Stage, as_json: bool) -> None:
    """Make, filter and write trajectories: trajectories/*.jsonl and the dataset folder."""
    graph = load_graph(stage.output)
    config = stage.config(graph.config)
    splits, report = synthesize_stage(
        graph, config, stage.output, faults=not stage.no_faults, backend=stage.backend, quiet=as_json
    )
    if as_json:
        print_json(report)
    else:
        print_trajectories(report)
        click.echo(f"{sum(map(len, splits.values()))} rows -> {stage.output / DATASET}")


@edge.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@backend_options
@json_option
def verify(dataset: Path, backend: Backend, as_json: bool) -> None:
    """Replay every row of DATASET through the environment under its own budget and compare.

    Exit code 1: a row does not replay to what it holds.
    """
    from kopa_hf.cli.planning import plan_evaluation
    from kopa_hf.edge import verify_rows
    from kopa_hf.hub.loading import dataset_rows, load_edge_trajectories

    rows: list[Row] = []
    for split in ("train", "validation"):
        try:
            rows += dataset_rows(load_edge_trajectories(dataset, split=split))
        except DataError:
            if split == "train":
                raise
    with backend.open() as executor:
        backend.start(
            executor, lambda live: plan_evaluation(live, executor.catalog, rows, ["policy:gold"], 1), quiet=as_json
        )
        with progress("replaying", len(rows), quiet=as_json) as tick:
            found = verify_rows(rows, executor, progress=tick)
    if as_json:
        print_json(found.to_dict())
    else:
        for row_id, problem in found.problems.items():
            click.echo(f"{row_id}: {problem}")
        click.echo(f"{found.passed} of {found.rows} rows replay to the same calls, texts, state and answer")
    if found.problems:
        raise click.exceptions.Exit(1)


@edge.command()
@stage_options
def run(stage: Stage, as_json: bool) -> None:
    """All stages in one go; preset demo where no other settings are given."""
    config = stage.config() if stage.preset or stage.config_file else replace(stage, preset="demo").config()
    report = run_line(config, stage.output, faults=not stage.no_faults, quiet=as_json)
    if as_json:
        print_json(report)
    else:
        print_settings(config)
        print_edges(report)
        print_trajectories(report)
