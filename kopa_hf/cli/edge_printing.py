"""What `kopa edge` and `kopa demo` show people of a run."""

from __future__ import annotations

from typing import Any

import click

from kopa_hf.cli.output import print_table


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
