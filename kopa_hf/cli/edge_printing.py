"""What `kopa edge` and `kopa demo` show people of a run."""

from __future__ import annotations

import datetime
import json
import textwrap
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.output import print_table

if TYPE_CHECKING:
    from kopa_hf.edge.config import EdgeConfig
    from kopa_hf.edge.graph import ToolGraph
    from kopa_hf.edge.refreshing import Refreshed


def print_settings(config: EdgeConfig) -> None:
    """Every setting as `--set` would take it."""
    words = [f"{name}={_plain(value)}" for name, value in config.to_dict().items() if name != "updates"]
    words += [f"updates.{name}={_plain(value)}" for name, value in config.to_dict()["updates"].items()]
    text = textwrap.fill(" ".join(words), 108, break_long_words=False, break_on_hyphens=False)
    click.echo("settings    " + text.replace("\n", "\n" + " " * 12))


def _plain(value: Any) -> str:
    """A value without blanks: lists joined by commas, as the command line takes them."""
    if isinstance(value, list):
        return ",".join(value)
    return value if isinstance(value, str) else json.dumps(value)


def skeleton_report(graph: ToolGraph) -> dict[str, Any]:
    """What building did: counts, how required inputs of edges are filled, and the settings."""
    edges = graph.edges()
    filled = Counter({"UPSTREAM": 0, "DEFAULT": 0, "CLARIFY": 0})
    for edge in edges:
        filled.update(UPSTREAM=len(edge.bindings), DEFAULT=len(edge.defaults), CLARIFY=len(edge.clarify))
    return {
        "tools": len(graph.digraph),
        "skipped": dict(sorted(Counter(graph.skipped.values()).items())),
        "embedder": graph.embedder,
        "judge": graph.judge,
        "candidates": graph.candidates,
        "judge_errors": graph.judge_errors,
        "edges": len(edges),
        "parameters": dict(filled),
        "config": graph.config.to_dict(),
    }


def print_skeleton(graph: ToolGraph) -> None:
    """The same for people."""
    report = skeleton_report(graph)
    print_settings(graph.config)
    left_out = "; ".join(f"{count}: {why}" for why, count in report["skipped"].items())
    click.echo(f"tools       {report['tools']}" + (f" (left out: {left_out})" if left_out else ""))
    click.echo(f"embedder    {report['embedder']}")
    click.echo(f"judge       {report['judge']}")
    click.echo(f"candidates  {report['candidates']}")
    click.echo(f"edges       {report['edges']} score at least {graph.config.min_score:g}")
    click.echo("parameters  " + ", ".join(f"{count} {how}" for how, count in report["parameters"].items()))


def print_refreshed(done: Refreshed, edges: int, before: datetime.date) -> None:
    """What a refresh did."""
    click.echo(f"stale       {done.stale} of {edges} edges were last tried before {before.isoformat()}")
    click.echo(f"retried     {done.retried} in {done.calls} calls; {done.unreached} gave nothing to go on from")
    click.echo(f"changed     {done.newly_pruned} pruned now, {done.newly_kept} kept now")


def print_edges(report: dict[str, Any]) -> None:
    """Tools, candidates, edges, execution rates before and after."""
    from kopa_hf.edge.surroundings import in_words

    edges, tried = report["edges"], report["rates"]["tried"]
    click.echo(f"tools       {report['tools']}")
    click.echo(f"candidates  {report['candidates']}")
    click.echo(
        f"edges       {edges['skeleton']} in the skeleton; {edges['kept']} kept, {edges['pruned']} pruned, "
        f"{edges['untried']} tried too little to tell"
    )
    click.echo(f"refined on  {in_words(report.get('surroundings'))}")
    click.echo("execution rate of edges tried at least twice, on fresh executions")
    print_table(
        [(name, *(tried[name][key] for key in ("edges", "measured", "executions")), percent(tried[name]["rate"])) for name in ("skeleton", "retained", "pruned")],
        ("edges", "number", "measured", "executions", "rate"),
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
