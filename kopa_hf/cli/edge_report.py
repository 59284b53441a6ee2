"""`kopa edge report`: everything known of a run's folder, as one HTML file and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.edge_settings import DATASET, PAGE, REPORT, load_graph
from kopa_hf.cli.edge_stages import dataset_report, write_report
from kopa_hf.cli.edge_table import read_others
from kopa_hf.cli.edge_truth import truth_of
from kopa_hf.cli.file_path import FilePath
from kopa_hf.cli.output import json_option, print_json
from kopa_hf.errors import DataError, MissingExtraError

if TYPE_CHECKING:
    from kopa_hf.bench.rows import Row

SYNTHESIS = ("trajectories", "funnel", "synthesis")
"""Parts of the report that only synthesis itself knows."""


@click.command()
@click.argument("folder", type=FilePath(exists=True, file_okay=False))
@click.option("--toolbench", type=FilePath(exists=True), help="ToolBench files, counted into the table.")
@click.option("--apigen-mt", type=FilePath(exists=True), help="APIGen-MT's file, likewise.")
@click.option(
    "--no-faults", is_flag=True, help="Of a graph that does not say so itself: it was refined with --no-faults."
)
@json_option
def report(folder: Path, toolbench: Path | None, apigen_mt: Path | None, no_faults: bool, as_json: bool) -> None:
    """Write report.html and report.json of a run's FOLDER, as far as the run has come.

    The page is one file with its figures in it (they need the extra `report`) and loads nothing. Trajectories stand
    in it once `kopa edge synthesize` has run, the comparison with the truth where the graph was refined on the sandbox.
    """
    found = gather(folder, faults=not no_faults, others=read_others(toolbench, apigen_mt))
    write_report(found, folder)
    page = write_page(found, folder)
    if as_json:
        print_json(found)
    else:
        click.echo(f"page   {page}\nreport {folder / REPORT}")


def gather(folder: Path, *, faults: bool = True, others: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The report of a folder: of its graph as it is now, of its dataset, and what synthesis noted."""
    from kopa_hf.edge import edge_report

    graph = load_graph(folder)
    if not faults and (graph.surroundings or {}).get("faults"):
        raise DataError(f"The graph of {folder} says that it was refined with faults; leave --no-faults out.")
    found: dict[str, Any] = edge_report(graph, truth=truth_of(graph, faults=faults, workers=graph.config.workers))
    rows = _rows(folder)
    if rows:
        found |= _noted(folder / REPORT) | dataset_report(rows, others)
    return found


def write_page(found: Mapping[str, Any], folder: Path) -> Path:
    """The HTML file; without figures, and a word on it, where matplotlib is not installed."""
    from kopa_hf.edge.page import report_page

    try:
        text = report_page(found)
    except MissingExtraError as error:
        click.echo(f"The page has no figures: {error}", err=True)
        text = report_page(found, figures=False)
    path = folder / PAGE
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(f"Cannot write {path}: {error.strerror or error}.") from error
    return path


def _rows(folder: Path) -> dict[str, list[Row]]:
    """Split → rows of the folder's dataset; empty before synthesis."""
    from kopa_hf.hub.loading import dataset_rows, edge_splits, load_edge_trajectories

    dataset = folder / DATASET
    if not dataset.exists():
        return {}
    return {split: dataset_rows(load_edge_trajectories(dataset, split=split)) for split in edge_splits(dataset)}


def _noted(path: Path) -> dict[str, Any]:
    """What synthesis wrote into an earlier report; empty where there is none."""
    from kopa_hf.edge.trajectory import Funnel

    if not path.exists():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        found = {name: content[name] for name in SYNTHESIS if name in content}
        if "funnel" in found:  # parts that an earlier version did not write are empty
            found["funnel"] = Funnel(**found["funnel"]).to_dict()
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise DataError(
            f"Cannot read the report {path}: {error}. Move it away, or run `kopa edge synthesize` again."
        ) from error
    return found
