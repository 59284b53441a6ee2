"""`kopa drift`: how the services changed between two recordings, and what that touches."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopa_hf.cli.file_path import FilePath
from kopa_hf.cli.output import clip, json_option, print_json, print_table, progress

if TYPE_CHECKING:
    from kopa_hf.edge.touched import Touched
    from kopa_hf.execution.drift import Drift, ToolDrift


@click.command()
@click.argument("first", type=FilePath())
@click.argument("second", type=FilePath())
@click.option("--graph", type=FilePath(exists=True), help="Folder of a `kopa edge` run: its edges.")
@click.option("--data", type=FilePath(), help="Benchmark folder; default: the embedded tasks.")
@click.option(
    "--limit", default=20, show_default=True, type=click.IntRange(min=1), help="Print at most so many lines each."
)
@json_option
def drift(first: Path, second: Path, graph: Path | None, data: Path | None, limit: int, as_json: bool) -> None:
    """Compare two snapshots, tool by tool: availability, schema, values; then the tasks and edges that are touched.

    Only requests that both hold count (`kopa snapshot renew FIRST SECOND` asks them all again). Exit code 1: something
    changed.
    """
    from kopa_hf.catalog.active import active_catalog
    from kopa_hf.cli.edge_settings import load_graph
    from kopa_hf.cli.evaluate import bench_rows
    from kopa_hf.edge.touched import touched_edges, touched_rows
    from kopa_hf.execution.drift import compare_snapshots
    from kopa_hf.execution.snapshot import Snapshot

    with Snapshot(first) as before, Snapshot(second) as after, progress("comparing", quiet=as_json) as tick:
        found = compare_snapshots(before, after, tick)
    tasks = touched_rows(bench_rows(data), found, active_catalog())
    edges = touched_edges(load_graph(graph), found) if graph is not None else []
    if as_json:
        told = {"tasks": [dataclasses.asdict(task) for task in tasks]}
        print_json(found.to_dict() | told | ({"edges": [dataclasses.asdict(e) for e in edges]} if graph else {}))
    else:
        _print_tools(found, limit)
        _print_touched("tasks", tasks, limit)
        if graph is not None:
            _print_touched("edges", edges, limit)
    if found.drifted:
        raise click.exceptions.Exit(1)


def _print_tools(found: Drift, limit: int) -> None:
    lines = [
        (
            tool.tool,
            f"{tool.shared:,}",
            f"{tool.shared - tool.same:,}",
            f"{sum(tool.failed.values()):,}",
            " ".join(tool.kinds_of_drift),
            clip(_details(tool), 90),
        )
        for tool in found.drifted
    ]
    if lines:
        print_table(lines[:limit], ("tool", "shared", "changed", "fail", "drift", "what"))
        _more(len(lines), limit)
    tools = list(found.tools.values())
    click.echo(
        f"\n{sum(tool.shared for tool in tools):,} requests shared by both, "
        f"{sum(tool.same for tool in tools):,} answered alike; "
        f"{sum(sum(tool.failed.values()) for tool in tools):,} fail in the second, "
        f"{sum(tool.unasked for tool in tools):,} only in the first, {sum(tool.added for tool in tools):,} only in the second"
    )
    click.echo(f"{len(found.drifted):,} of {len(tools):,} tools drifted")


def _details(tool: ToolDrift) -> str:
    parts = [f"{outcome} {count}" for outcome, count in tool.failed.items()]
    parts += [f"{count} {words}" for count, words in ((tool.emptied, "emptied"), (tool.filled, "filled")) if count]
    parts += [f"-{name}" for name in tool.fields_gone] + [f"+{name}" for name in tool.fields_new]
    parts += [f"{name}: {before} -> {after}" for name, (before, after) in tool.kinds.items()]
    if tool.rows_gone or tool.rows_new:
        parts.append(f"rows -{tool.rows_gone:,} +{tool.rows_new:,}")
    if tool.values:
        parts.append("values of " + ", ".join(tool.values))
    return "; ".join(parts)


def _print_touched(what: str, touched: list[Touched], limit: int) -> None:
    broken = sum(one.broken for one in touched)
    click.echo(f"\n{what} touched: {len(touched):,}, {broken:,} of them broken")
    rows = [("broken" if one.broken else "try again", one.name, clip("; ".join(one.reasons), 90)) for one in touched]
    rows.sort(key=lambda row: row[0])
    print_table(rows[:limit], indent="  ")
    _more(len(rows), limit)


def _more(there: int, limit: int) -> None:
    if there > limit:
        click.echo(f"  … {there - limit:,} more (--limit)")
