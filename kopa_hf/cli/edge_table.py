"""`kopa edge table`: the paper's table for our rows and for other data sets given by path."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.file_path import FilePath
from kopa_hf.cli.output import json_option, print_json, print_table

if TYPE_CHECKING:
    from kopa_hf.edge.census import Observed


@click.command()
@click.argument("dataset", type=FilePath())
@click.option(
    "--toolbench",
    type=FilePath(exists=True),
    help="ToolBench: toolllama_*.json, an answer file, or a folder of answers.",
)
@click.option("--apigen-mt", type=FilePath(exists=True), help="APIGen-MT: its ShareGPT JSON.")
@json_option
def table(dataset: Path, toolbench: Path | None, apigen_mt: Path | None, as_json: bool) -> None:
    """Structures, hops, calls and junctions of DATASET's training rows, beside the paper's figures.

    Other data sets are read from files that you have; their junctions are found by linking observed results
    to later arguments. Tasks differ, so the columns are not comparable scores.
    """
    from kopa_hf.edge.census import paper_table
    from kopa_hf.hub.loading import dataset_rows, load_edge_trajectories

    others = read_others(toolbench, apigen_mt)
    found = paper_table(dataset_rows(load_edge_trajectories(dataset, split="train")), others)
    if as_json:
        print_json(found)
    else:
        columns = {"ours": found["ours"], "paper": found["paper"], **found["others"]}
        print_table(table_rows(columns.values()), ("", *columns))


def read_others(toolbench: Path | None, apigen_mt: Path | None) -> dict[str, list[Observed]]:
    """Name → tasks of the data sets that were given by path."""
    from kopa_hf.edge.foreign import read_apigen_mt, read_toolbench

    others = {}
    if toolbench is not None:
        others["ToolBench"] = read_toolbench(toolbench)
    if apigen_mt is not None:
        others["APIGen-MT"] = read_apigen_mt(apigen_mt)
    return others


def table_rows(columns: Any) -> list[tuple[str, ...]]:
    """Lines of the table: a name, and each column's figure as text."""
    tables = list(columns)
    lines = [
        ("rows", ("rows",), ""),
        *((name, ("structures", name), "") for name in ("MIXED", "DRV", "SEM", "SEQ", "CMP", "COND", "FAN")),
        ("FAN+DRV of single-junction", ("single_junction_sequential", "fan_or_drv"), "%"),
        ("one-to-many junctions", ("junctions", "one_to_many"), "%"),
        ("median cardinality", ("junctions", "cardinality", "median"), ""),
        ("largest cardinality", ("junctions", "cardinality", "max"), ""),
        ("median records", ("junctions", "records", "median"), ""),
        ("most records", ("junctions", "records", "max"), ""),
        ("calls a task", ("calls", "mean"), ""),
        ("most calls", ("calls", "max"), ""),
        ("four hops or more", ("hops", "four_or_more"), "%"),
        ("parallel calls", ("parallel",), "%"),
        ("operations", ("operations",), ""),
        ("chains", ("chains",), ""),
    ]
    return [(name, *(_shown(_at(found, path), unit) for found in tables)) for name, path, unit in lines]


def _at(found: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _shown(value: Any, unit: str) -> str:
    if value is None:
        return "-"
    if unit:
        return f"{100 * value:.1f}%"
    return f"{value:,.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else f"{value:,}"
