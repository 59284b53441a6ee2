"""`kopa edge`: from tools to verified trajectories, stage by stage or in one run."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.catalog.active import is_own
from kopa_hf.cli.catalog_option import CATALOG
from kopa_hf.cli.edge_export import export
from kopa_hf.cli.edge_printing import (
    print_edges,
    print_refreshed,
    print_settings,
    print_skeleton,
    print_trajectories,
    skeleton_report,
)
from kopa_hf.cli.edge_report import report as report_folder
from kopa_hf.cli.edge_report import write_page
from kopa_hf.cli.edge_settings import DATASET, GRAPH, Stage, load_graph, read_age, read_day, stage_options
from kopa_hf.cli.edge_stages import build_stage, refine_stage, refresh_stage, run_line, synthesize_stage
from kopa_hf.cli.edge_table import table
from kopa_hf.cli.file_path import FilePath, Name
from kopa_hf.cli.live import Backend, backend_options
from kopa_hf.cli.output import json_option, print_json, progress

if TYPE_CHECKING:
    from kopa_hf.edge.verifying import Verification
    from kopa_hf.execution.executor import Executor


@click.group()
def edge() -> None:
    """Build, refine, synthesize and verify EDGE data.

    All stages work in one folder (--output): graph.json, refine.checkpoint.json, trajectories/*.jsonl,
    edge-trajectories/ (the dataset), report.json, report.html, pruning.png; where models embed or judge, what they said:
    embeddings.sqlite3, judgements.sqlite3.
    """


@edge.command()
@CATALOG
@stage_options
def build(stage: Stage, as_json: bool) -> None:
    """Candidate edges, feasibility, priors: writes graph.json, the skeleton.

    Embedder and judge are offline; --set embedder=… and --set judge=… name models instead, e.g.
    st:FOLDER and http://127.0.0.1:8000/v1#MODEL. Their answers are kept: after a stop the same command goes on.
    """
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
@click.option(
    "--older-than", default="30d", show_default=True, callback=read_age, help="30d, 4w, or a day: 2026-01-31."
)
@click.option(
    "--today",
    metavar="DAY",
    type=Name("day"),
    help="Day that counts as today; default: the sandbox's own, live the real one.",
)
@backend_options
@stage_options
def refresh(stage: Stage, as_json: bool, older_than: datetime.timedelta | datetime.date, today: str | None) -> None:
    """Try edges again whose last trial is older than --older-than; all others stay as they are.

    The graph is saved as results come in: after a stop (quota, Ctrl-C) the same command goes on.
    """
    from kopa_hf.cli.planning import plan_refresh
    from kopa_hf.edge.refinement import today_of

    graph = load_graph(stage.output)
    config = stage.config(graph.config)
    with stage.open(config) as executor:
        day = today_of(executor) if today is None else read_day(today)
        try:
            before = day - older_than if isinstance(older_than, datetime.timedelta) else older_than
        except OverflowError as error:
            raise click.UsageError(f"{older_than} before {day} lies before the first day there is.") from error
        stage.backend.start(executor, lambda live: plan_refresh(live, executor.catalog, graph, before), quiet=as_json)
        done = refresh_stage(graph, config, executor, stage.output, older_than=before, today=day, quiet=as_json)
    if as_json:
        print_json({"older_than": before.isoformat(), "today": day.isoformat(), **done.to_dict()})
    else:
        print_refreshed(done, len(graph), before)


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
@click.argument("dataset", type=FilePath())
@click.option("--workers", type=click.IntRange(1), help="Processes; default: one a core on the sandbox, else 1.")
@backend_options
@json_option
def verify(dataset: Path, workers: int | None, backend: Backend, as_json: bool) -> None:
    """Replay every row of DATASET through the environment under its own budget and compare.

    Exit code 1: a row does not replay to what it holds.
    """
    from kopa_hf.bench.worlds import common_world
    from kopa_hf.edge.processes import cores
    from kopa_hf.edge.verifying import verify_records
    from kopa_hf.hub.loading import edge_splits, load_edge_trajectories

    splits = edge_splits(dataset) or ["train"]
    records = [record for split in splits for record in load_edge_trajectories(dataset, split=split)]
    began = time.perf_counter()
    with progress("replaying", len(records), quiet=as_json) as tick:
        if not backend.is_sandbox:
            found = _verify_elsewhere(records, backend, as_json, tick)
        else:
            world = common_world(record.get("provenance") for record in records)
            opening = partial(_on_world, None if world is None else world.seeds)
            found = verify_records(records, opening, workers=workers or cores(), progress=tick)
    seconds = time.perf_counter() - began
    if as_json:
        print_json(found.to_dict() | {"seconds": round(seconds, 2)})
    else:
        for row_id, problem in found.problems.items():
            click.echo(f"{row_id}: {problem}")
        click.echo(f"{found.passed} of {found.rows} rows replay to the same calls, texts, state and answer")
        click.echo(f"{seconds:.1f} s, {found.rows / max(seconds, 1e-9):.0f} rows/s", err=True)
    if found.problems:
        raise click.exceptions.Exit(1)


def _on_world(seeds: Mapping[str, Any] | None) -> Executor:
    """The sandbox over a world, the default one without seeds; equal calls of different rows are answered once."""
    from kopa_hf.edge.recall import RecallingExecutor
    from kopa_hf.execution.executor import Executor
    from kopa_hf.sandbox.world import World

    return RecallingExecutor(Executor(world=None if seeds is None else World(**seeds)))


def _verify_elsewhere(
    records: list[dict[str, Any]], backend: Backend, as_json: bool, tick: Callable[[int, int], None]
) -> Verification:
    """Against live services or a snapshot: one process; what a live job plans and may spend is told first."""
    from kopa_hf.bench.rows import row_from_dict
    from kopa_hf.cli.planning import plan_evaluation
    from kopa_hf.edge import verify_rows

    rows = [row_from_dict(record) for record in records]
    with backend.open() as executor:
        backend.start(
            executor, lambda live: plan_evaluation(live, executor.catalog, rows, ["policy:gold"], 1), quiet=as_json
        )
        found: Verification = verify_rows(rows, executor, progress=tick)
    return found


edge.add_command(table)
edge.add_command(export)
edge.add_command(report_folder)


@edge.command()
@backend_options
@stage_options
def run(stage: Stage, as_json: bool) -> None:
    """All stages in one go; preset demo where no other settings are given, own with a catalog of your own."""
    preset = "own" if is_own() else "demo"
    config = stage.config() if stage.preset or stage.config_file else replace(stage, preset=preset).config()
    report = run_line(config, stage.output, faults=not stage.no_faults, backend=stage.backend, quiet=as_json)
    write_page(report, stage.output)
    if as_json:
        print_json(report)
    else:
        print_settings(config)
        print_edges(report)
        print_trajectories(report)
