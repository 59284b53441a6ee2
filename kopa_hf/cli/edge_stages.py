"""The stages of the main job, one function each: catalog, skeleton, refined graph, rows, picture."""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.edge_folder import make_folder
from kopa_hf.cli.edge_processes import answering_processes
from kopa_hf.cli.edge_settings import (
    CHECKPOINT,
    DATASET,
    FIGURE,
    GRAPH,
    REPORT,
    TRAJECTORIES,
    open_executor,
)
from kopa_hf.cli.edge_truth import truth_of
from kopa_hf.cli.live import Backend
from kopa_hf.cli.output import progress
from kopa_hf.errors import DataError, MissingExtraError
from kopa_hf.execution.executor import Executor

if TYPE_CHECKING:
    from kopa_hf.bench.rows import Row
    from kopa_hf.edge.census import Observed
    from kopa_hf.edge.config import EdgeConfig
    from kopa_hf.edge.graph import ToolGraph
    from kopa_hf.edge.refreshing import Refreshed
    from kopa_hf.edge.rules import Memory
    from kopa_hf.edge.trajectory import Trajectory


def build_stage(config: EdgeConfig, output: Path, *, quiet: bool = False) -> ToolGraph:
    """Catalog to skeleton graph; what models said is kept in the folder, the same command goes on from it."""
    from kopa_hf.catalog.active import active_catalog
    from kopa_hf.edge import build_graph
    from kopa_hf.edge.doors import check_doors

    check_doors(config)
    make_folder(output)
    with progress("embedding and judging", quiet=quiet) as tick:
        graph: ToolGraph = build_graph(active_catalog(), config, folder=output, progress=tick)
    if graph.judge_errors:
        click.echo(
            f"{graph.judge_errors} of {graph.candidates} pairs got no usable judgement from {graph.judge}; "
            "the same command asks about them again.",
            err=True,
        )
    if not len(graph):
        raise DataError(
            f"No link among {len(graph.digraph)} tools: none of {graph.candidates} pairs scores {config.min_score:g} or "
            "more. Link more platforms, or lower min_score. An earlier graph in the folder is untouched."
        )
    graph.save(output / GRAPH)
    return graph


def refine_stage(
    graph: ToolGraph, config: EdgeConfig, executor: Executor, output: Path, *, quiet: bool = False
) -> None:
    """Skeleton to refined graph, checkpointed; then the rates on fresh executions."""
    from kopa_hf.edge import measure_rates
    from kopa_hf.edge import refine as run_refinement
    from kopa_hf.edge.doors import check_changed_doors
    from kopa_hf.edge.surroundings import check_settled

    check_settled(graph, config, also=("seed",))
    check_changed_doors(graph.config, config)
    if config.iterations < len(graph.history):
        raise DataError(
            f"The graph of {output} has been through {len(graph.history)} iterations, more than the {config.iterations} "
            "asked for. Ask for at least as many, or use another --output."
        )
    checkpoint = output / CHECKPOINT
    if checkpoint.exists() and not quiet:
        click.echo(f"continuing from {checkpoint}", err=True)
    with answering_processes(executor, config, len(graph.history)) as ask:
        with progress("refining by execution", config.iterations, quiet=quiet) as tick:
            run_refinement(
                graph,
                executor,
                config,
                checkpoint=checkpoint,
                progress=lambda stats: tick(stats.iteration + 1),
                ask=ask,
            )
        with progress("measuring edge rates", quiet=quiet) as tick:
            measure_rates(graph, executor, config, progress=tick, ask=ask)
    graph.save(output / GRAPH)


def refresh_stage(
    graph: ToolGraph,
    config: EdgeConfig,
    executor: Executor,
    output: Path,
    *,
    older_than: datetime.date,
    today: datetime.date,
    quiet: bool = False,
) -> Refreshed:
    """New trials for edges that were last tried before a day; the graph is saved as they come in."""
    from kopa_hf.edge import refresh
    from kopa_hf.edge.surroundings import check_settled, differences, surroundings_of

    check_settled(graph, config)
    for difference in differences(graph.surroundings or {}, surroundings_of(executor), ("backend",)):
        click.echo(
            f"The graph was refined on another backend ({difference}); every edge's evidence says which.", err=True
        )
    with progress("trying stale edges again", quiet=quiet) as tick:
        done: Refreshed = refresh(
            graph,
            executor,
            config,
            older_than=older_than,
            clock=today,
            save=lambda part: part.save(output / GRAPH),
            progress=tick,
        )
    return done


def synthesize_stage(
    graph: ToolGraph,
    config: EdgeConfig,
    output: Path,
    *,
    faults: bool = True,
    backend: Backend | None = None,
    quiet: bool = False,
) -> tuple[dict[str, list[Row]], dict[str, Any]]:
    """Refined graph to filtered rows, JSONL files, dataset folder and report.

    Trajectories are executed without injected faults, as every later rollout will be; `faults` only
    says which static defects the refinement met, which the truth about bindings depends on.
    """
    from kopa_hf.cli.planning import plan_synthesis
    from kopa_hf.edge import edge_report, filter_trajectories, trajectories_to_rows
    from kopa_hf.edge import synthesize as make
    from kopa_hf.edge.crew import Crew, Offline
    from kopa_hf.edge.doors import check_models
    from kopa_hf.edge.panel import open_panel
    from kopa_hf.edge.recall import RecallingExecutor
    from kopa_hf.edge.rephrasing import open_rephraser, rephrase
    from kopa_hf.edge.surroundings import check_settled
    from kopa_hf.edge.trajectory import Funnel
    from kopa_hf.hub.loading import embedded_rows

    funnel, backend = Funnel(), backend or Backend()
    check_settled(graph, config)
    check_models(config)
    if not graph.kept():
        raise DataError(
            f"The graph of {output} has no tried and kept edge: `kopa edge refine --output {output}` first."
        )
    panel, rephraser = open_panel(config, output), open_rephraser(config, output)

    def keep(found: Sequence[Trajectory], executor: Executor, counts: Funnel, memory: Memory) -> list[Trajectory]:
        if rephraser is not None:
            rephrase(found, rephraser, executor.catalog, funnel=counts)
        rows: list[Trajectory] = filter_trajectories(found, executor, config, funnel=counts, memory=memory, panel=panel)
        return rows

    # Models and live services are asked from this process alone.
    alone = panel is not None or rephraser is not None or backend.name != "sandbox"
    with _closing(panel, rephraser), open_executor(config, faults=False, backend=backend, output=output) as executor:
        executed_on = _executed_on(graph, executor)
        backend.start(executor, lambda live: plan_synthesis(live, executor.catalog, graph, config), quiet=quiet)
        recalling = RecallingExecutor(executor)
        with progress("synthesizing and filtering", quiet=quiet) as tick:
            kept: list[Trajectory] = make(
                graph,
                recalling,
                config,
                benchmark=embedded_rows(),
                keep=keep if alone else Offline(config),
                funnel=funnel,
                progress=tick,
                crew=None if alone else Crew(partial(faultless, config), config.workers),
            )
        funnel.stages["rows"] = len(kept)
        splits = trajectories_to_rows(kept, recalling, config)
    if not any(splits.values()):
        raise DataError("No trajectory survived. Refine with more iterations, or look at the funnel: `--json`.")
    truth = truth_of(graph, faults=faults, workers=config.workers)
    report = edge_report(graph, kept, funnel=funnel, truth=truth) | dataset_report(splits)
    report["synthesis"] = {"config": config.to_saved(), "surroundings": executed_on}
    write_trajectories(splits, output, report, picture=draw_pruning(graph, output))
    write_report(report, output)
    return splits, report


def faultless(config: EdgeConfig) -> Executor:
    """A sandbox without injected faults that answers equal calls once; for processes of their own."""
    from kopa_hf.edge.recall import RecallingExecutor

    return RecallingExecutor(open_executor(config, faults=False))


@contextmanager
def _closing(*models: Any) -> Iterator[None]:
    """Close what keeps models' answers, however the work ends."""
    try:
        yield
    finally:
        for model in models:
            if model is not None:
                model.close()


def _executed_on(graph: ToolGraph, executor: Executor) -> dict[str, Any]:
    """What the rows are executed on; refused in another world than the graph's, said where it is another backend."""
    from kopa_hf.edge.surroundings import differences, surroundings_of

    now = surroundings_of(executor)
    then = graph.surroundings or {}
    found = differences(then, now, ("world",))
    if found:
        raise DataError(
            f"The graph was refined in another world: {'; '.join(found)}. Values that it has seen do not exist here; "
            "refine again into another --output."
        )
    for difference in differences(then, now, ("backend",)):
        click.echo(f"The graph was refined on another backend ({difference}); the report says so.", err=True)
    return now


def draw_pruning(graph: ToolGraph, output: Path) -> Path | None:
    """The picture of the refinement; None, and a word on it, where matplotlib is not installed."""
    from kopa_hf.edge import pruning_figure

    try:
        path: Path = pruning_figure(graph, output / FIGURE)
    except MissingExtraError as error:
        click.echo(f"No {FIGURE}: {error}", err=True)
        return None
    return path


def write_report(report: Mapping[str, Any], output: Path) -> None:
    """The numbers of a run as JSON."""
    text = json.dumps(report, ensure_ascii=False, indent=2) + "\n"
    try:
        (output / REPORT).write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(f"Cannot write {output / REPORT}: {error.strerror or error}.") from error


def dataset_report(
    splits: Mapping[str, Sequence[Row]], others: Mapping[str, Sequence[Observed]] | None = None
) -> dict[str, Any]:
    """What the rows are, and other data sets beside them.

    `table` (the paper's), `splits` (seen and unseen), `overlap` with the benchmark, `phrasing` of the questions.
    """
    from kopa_hf.bench.overlapping import overlap
    from kopa_hf.edge.census import paper_table
    from kopa_hf.edge.splits import seen_before
    from kopa_hf.edge.wording import wording
    from kopa_hf.hub.loading import embedded_rows

    train, validation = splits.get("train", []), splits.get("validation", [])
    return {
        "table": paper_table(train, others),
        "splits": {"rows": {name: len(rows) for name, rows in splits.items()}, **seen_before(train, validation)},
        "overlap": dataclasses.asdict(overlap(embedded_rows(), [*train, *validation])),
        "phrasing": wording([*train, *validation]),
    }


def run_line(
    config: EdgeConfig, output: Path, *, faults: bool = True, backend: Backend | None = None, quiet: bool = False
) -> dict[str, Any]:
    """The main job: catalog, candidates, refinement, synthesis, filtering, dataset, picture.

    A live job's budget is one for all stages: what refinement spent is not there for synthesis.
    """
    from kopa_hf.cli.planning import plan_refinement
    from kopa_hf.edge.doors import check_doors, check_models

    backend = backend or Backend()
    check_doors(config)
    check_models(config)
    with open_executor(config, faults=faults, backend=backend, output=output) as executor:
        graph = build_stage(config, output, quiet=quiet)
        backend.start(executor, lambda live: plan_refinement(live, executor.catalog, graph, config), quiet=quiet)
        refine_stage(graph, config, executor, output, quiet=quiet)
        backend = backend.after(executor)
    return synthesize_stage(graph, config, output, faults=faults, backend=backend, quiet=quiet)[1]


def write_trajectories(
    splits: dict[str, list[Row]], output: Path, report: Mapping[str, Any], *, picture: Path | None = None
) -> None:
    """JSONL per split, and the dataset folder with its card, which shows the report's numbers and a picture."""
    from kopa_hf.bench.rows import row_text
    from kopa_hf.hub.cards import dataset_card
    from kopa_hf.hub.edge_card import edge_facts
    from kopa_hf.hub.folder import row_configs, row_table, sft_table, write_folder

    folder = make_folder(output / TRAJECTORIES)
    filled = {split: rows for split, rows in splits.items() if rows}
    for split, rows in filled.items():
        (folder / f"{split}.jsonl").write_text("".join(row_text(row) + "\n" for row in rows), encoding="utf-8")
    tables = [row_table(rows, split=split) for split, rows in filled.items()]
    tables += [sft_table(rows, split=split) for split, rows in filled.items()]
    for config in row_configs(row for rows in filled.values() for row in rows):
        chosen = {
            split: [row for row in rows if config in (row.structure, row.domain)] for split, rows in filled.items()
        }
        tables += [row_table(rows, config=config, split=split) for split, rows in chosen.items() if rows]
    assets = {} if picture is None else {picture.name: picture.read_bytes()}
    facts = edge_facts(report, figure=next(iter(assets), ""))
    write_folder(
        tables,
        output / DATASET,
        lambda files: dataset_card("edge-trajectories", filled, files, **facts),
        assets=assets,
    )
