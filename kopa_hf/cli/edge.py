"""`kopa edge`: from tools to verified trajectories, stage by stage or in one run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.live import Backend, backend_options
from kopa_hf.cli.output import json_option, print_json, print_table, progress
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.world import default_world

if TYPE_CHECKING:
    from kopa_hf.bench.rows import Row
    from kopa_hf.edge.config import EdgeConfig
    from kopa_hf.edge.graph import ToolGraph
    from kopa_hf.edge.trajectory import Trajectory

GRAPH, CHECKPOINT, ANSWERS, TRAJECTORIES, DATASET, REPORT, FIGURE = (
    "graph.json",
    "refine.checkpoint.json",
    "live-answers.sqlite3",
    "trajectories",
    "edge-trajectories",
    "report.json",
    "pruning.png",
)
"""What a run's folder holds."""


@click.group()
def edge() -> None:
    """Build, refine, synthesize and verify EDGE data.

    All stages work in one folder (--output): graph.json, refine.checkpoint.json, trajectories/*.jsonl,
    edge-trajectories/ (the dataset), report.json, pruning.png.
    """


@dataclass(frozen=True, slots=True)
class Stage:
    """What every stage is told: its folder, its settings as given, and whether services may fail."""

    output: Path
    preset: str | None = None
    config_file: Path | None = None
    overrides: tuple[str, ...] = ()
    seed: int | None = None
    no_faults: bool = False
    backend: Backend = field(default_factory=Backend)

    def open(self, config: EdgeConfig) -> Executor:
        """The executor of the stage, with the sandbox's faults unless they are off."""
        return open_executor(config, faults=not self.no_faults, backend=self.backend, output=self.output)

    def config(self, default: EdgeConfig | None = None) -> EdgeConfig:
        """Preset or file, then single settings, then the seed; `default` where nothing was given."""
        from kopa_hf.edge.config import EdgeConfig

        nothing = not (self.preset or self.config_file or self.overrides or self.seed is not None)
        if nothing and default is not None:
            return default
        given: dict[str, Any] = {}
        for pair in self.overrides:
            name, equals, value = pair.partition("=")
            if not equals:
                raise click.UsageError(f"--set takes NAME=VALUE, not {pair!r}.")
            try:
                given[name] = json.loads(value)
            except json.JSONDecodeError:
                given[name] = value
        if self.seed is not None:
            given["seed"] = self.seed
        if self.config_file is not None:
            base = EdgeConfig.from_yaml(self.config_file, **({"preset": self.preset} if self.preset else {}))
            return base.replace(**given)
        return EdgeConfig.make(self.preset, **given)


def stage_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that every stage shares; the command gets them as one `Stage`."""

    @wraps(command)
    def with_stage(as_json: bool, **given: Any) -> None:
        command(Stage(**given), as_json)

    options = (
        click.option(
            "--output", default="edge-run", show_default=True, type=click.Path(path_type=Path), help="The run's folder."
        ),
        click.option("--preset", help="demo (two minutes, withholds nothing), paper, or one-day (live)."),
        click.option(
            "--config", "config_file", type=click.Path(exists=True, path_type=Path), help="YAML file of settings."
        ),
        click.option(
            "--set", "overrides", multiple=True, metavar="NAME=VALUE", help="One setting, e.g. --set iterations=20."
        ),
        click.option("--seed", type=int, help="Run seed; also the seed of the injected faults."),
        click.option("--no-faults", is_flag=True, help="Refine against a sandbox without faults and defects."),
        json_option,
    )
    wrapped: Callable[..., None] = with_stage
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def open_executor(
    config: EdgeConfig, *, faults: bool, backend: Backend | None = None, output: Path | None = None
) -> Executor:
    """What a run works on. In the sandbox, faults are part of what execution has to find out."""
    return (backend or Backend()).open(
        world=default_world(),
        faults=Faults.default(config.seed) if faults else None,
        answers=None if output is None else output / ANSWERS,
    )


@edge.command()
@stage_options
def build(stage: Stage, as_json: bool) -> None:
    """Candidate edges, feasibility, priors: writes graph.json, the skeleton."""
    graph = build_stage(stage.config(), stage.output, quiet=as_json)
    counts = {"tools": len(list(graph)), "candidates": graph.candidates, "edges": len(graph)}
    if as_json:
        print_json(counts)
    else:
        words = ", ".join(f"{count} {name}" for name, count in counts.items())
        click.echo(f"{words} -> {stage.output / GRAPH}")


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
    print_json(report) if as_json else print_edges(report)


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
        print_edges(report)
        print_trajectories(report)


# stages


def build_stage(config: EdgeConfig, output: Path, *, quiet: bool = False) -> ToolGraph:
    """Catalog to skeleton graph."""
    from kopa_hf.catalog.registry import load_catalog
    from kopa_hf.edge import build_graph

    make_folder(output)
    with progress("judging candidates", quiet=quiet) as tick:
        graph: ToolGraph = build_graph(load_catalog(), config, progress=tick)
    graph.save(output / GRAPH)
    return graph


def refine_stage(
    graph: ToolGraph, config: EdgeConfig, executor: Executor, output: Path, *, quiet: bool = False
) -> None:
    """Skeleton to refined graph, checkpointed; then the rates on fresh executions."""
    from kopa_hf.edge import measure_rates
    from kopa_hf.edge import refine as run_refinement

    checkpoint = output / CHECKPOINT
    if checkpoint.exists() and not quiet:
        click.echo(f"continuing from {checkpoint}", err=True)
    with progress("refining by execution", config.iterations, quiet=quiet) as tick:
        run_refinement(graph, executor, config, checkpoint=checkpoint, progress=lambda stats: tick(stats.iteration + 1))
    with progress("measuring edge rates", quiet=quiet) as tick:
        measure_rates(graph, executor, config, progress=tick)
    graph.save(output / GRAPH)


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
    from kopa_hf.edge.trajectory import Funnel

    funnel, backend = Funnel(), backend or Backend()
    with open_executor(config, faults=False, backend=backend, output=output) as executor:
        backend.start(executor, lambda live: plan_synthesis(live, executor.catalog, graph, config), quiet=quiet)
        with progress("synthesizing", quiet=quiet) as tick:
            found: list[Trajectory] = make(graph, executor, config, funnel=funnel, progress=tick)
        with progress("filtering", quiet=quiet) as tick:
            kept = filter_trajectories(found, executor, config, funnel=funnel, progress=tick)
        splits = trajectories_to_rows(kept, executor, config)
    if not any(splits.values()):
        raise DataError("No trajectory survived. Refine with more iterations, or look at the funnel: `--json`.")
    write_trajectories(splits, output)
    truth = None
    if not backend.is_live:
        with open_executor(config, faults=faults) as executor:
            truth = truth_table(executor)
    report = edge_report(graph, kept, funnel=funnel, truth=truth)
    (output / REPORT).write_text(json.dumps(report, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return splits, report


def run_line(config: EdgeConfig, output: Path, *, faults: bool = True, quiet: bool = False) -> dict[str, Any]:
    """The main job: catalog, candidates, refinement, synthesis, filtering, dataset, picture."""
    from kopa_hf.edge import pruning_figure

    with open_executor(config, faults=faults) as executor:
        graph = build_stage(config, output, quiet=quiet)
        refine_stage(graph, config, executor, output, quiet=quiet)
    _, report = synthesize_stage(graph, config, output, faults=faults, quiet=quiet)
    pruning_figure(graph, output / FIGURE)
    return report


def truth_table(executor: Executor) -> Mapping[tuple[str, str, str, str], bool] | None:
    """Which bindings the sandbox's world holds valid; synthesis itself never sees it."""
    from kopa_hf.sandbox.truth import binding_truth

    world = getattr(executor.transport, "world", None)
    return None if world is None else binding_truth(world, executor.catalog, executor.transport.faults)


def write_trajectories(splits: dict[str, list[Row]], output: Path) -> None:
    """JSONL per split, and the dataset folder with its card."""
    from kopa_hf.bench.rows import row_text
    from kopa_hf.hub.cards import dataset_card
    from kopa_hf.hub.folder import row_table, sft_table, write_folder

    folder = make_folder(output / TRAJECTORIES)
    filled = {split: rows for split, rows in splits.items() if rows}
    for split, rows in filled.items():
        (folder / f"{split}.jsonl").write_text("".join(row_text(row) + "\n" for row in rows), encoding="utf-8")
    tables = [row_table(rows, split=split) for split, rows in filled.items()]
    tables += [sft_table(rows, split=split) for split, rows in filled.items()]
    write_folder(tables, output / DATASET, lambda files: dataset_card("edge-trajectories", filled, files))


def load_graph(output: Path) -> ToolGraph:
    """The run's graph, or a word on how to get one."""
    from kopa_hf.edge.graph import ToolGraph

    path = output / GRAPH
    if not path.exists():
        raise DataError(f"{path} is not there. `kopa edge build --output {output}` makes it.")
    return ToolGraph.load(path)


def make_folder(path: Path) -> Path:
    """The folder, made if need be."""
    if path.exists() and not path.is_dir():
        raise DataError(f"{path} is a file; name a folder.")
    path.mkdir(parents=True, exist_ok=True)
    return path


# printing


def print_edges(report: dict[str, Any]) -> None:
    """Tools, candidates, edges, execution rates before and after."""
    edges, tried = report["edges"], report["rates"]["tried"]
    click.echo(f"tools       {report['tools']}")
    click.echo(f"candidates  {report['candidates']}")
    click.echo(
        f"edges       {edges['skeleton']} in the skeleton; {edges['kept']} kept, {edges['pruned']} pruned, "
        f"{edges['untried']} tried too little to tell"
    )
    click.echo("execution rate of edges tried at least twice, on fresh executions")
    print_table(
        [(name, tried[name]["edges"], tried[name]["executions"], percent(tried[name]["rate"])) for name in ("skeleton", "retained", "pruned")],
        ("edges", "number", "executions", "rate"),
        indent="  ",
    )  # fmt: skip
    gain = report["gain"]
    if gain["pass_rate"] is not None and gain["step_rate"] is not None:
        click.echo(
            f"over the iterations: paths passed {100 * gain['pass_rate']:+.1f} pp, steps {100 * gain['step_rate']:+.1f} pp"
        )


def print_trajectories(report: dict[str, Any]) -> None:
    """Trajectories by structure, and what filtering dropped."""
    made = report.get("trajectories")
    if not made:
        return
    click.echo(
        f"trajectories {made['count']}: " + ", ".join(f"{name} {count}" for name, count in made["structures"].items())
    )
    stages = report.get("funnel", {}).get("stages", {})
    click.echo("  funnel: " + " > ".join(f"{name} {count}" for name, count in stages.items()))


def percent(share: float | None) -> str:
    """A share as a percentage with one decimal."""
    return "-" if share is None else f"{100 * share:.1f}%"
