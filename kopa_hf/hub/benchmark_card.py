"""What stands on the benchmark's card beyond counts of its rows: who scores what, the audit, the picture.

Everything is computed when the folder is written. Nothing in the template is a typed-in figure.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kopa_hf.bench.audit_record import load_audit
from kopa_hf.bench.policies import LADDER, POLICIES, Policy, most_frequent_answer
from kopa_hf.bench.rollouts import PolicyReport
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import evaluate
from kopa_hf.bench.scoring import needs_all_pages, prerequisites
from kopa_hf.execution.executor import Executor

FIGURE = "policies.png"

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class BenchmarkFacts:
    """Values of the card's template, and the files that it shows."""

    facts: dict[str, Any]
    assets: dict[str, bytes]


def benchmark_facts(
    rows: Sequence[Row], executor: Executor, *, scored: bool = True, progress: Progress | None = None
) -> BenchmarkFacts:
    """Run every scripted policy over the rows (with `scored`) and gather what the card says.

    The picture needs matplotlib (extra `report`); without it the card has none.
    """
    facts: dict[str, Any] = {**kinds(rows), **_audit(rows)}
    if not scored:
        return BenchmarkFacts(facts, {})
    policies: list[Policy] = [*POLICIES.values(), most_frequent_answer(rows)]
    reports = []
    for done, policy in enumerate(policies, start=1):
        reports.append(evaluate(policy, rows, executor))
        if progress is not None:
            progress(done, len(policies))
    facts["policies"] = [policy_line(report) for report in reports]
    assets = _figure(reports, len(rows))
    facts["figure"] = FIGURE if assets else ""
    return BenchmarkFacts(facts, assets)


def kinds(rows: Sequence[Row]) -> dict[str, Any]:
    """How many tasks need what makes them hard."""
    return {
        "with_all_pages": sum(needs_all_pages(row) for row in rows),
        "with_prerequisite": sum(bool(prerequisites(row)) for row in rows),
        "across_platforms": sum(len(row.platforms) > 1 for row in rows),
        "ask_or_no_data": sum(row.answer_type in ("ask", "no_data") for row in rows),
    }


def _audit(rows: Sequence[Row]) -> dict[str, Any]:
    """The audit, where it is one of exactly these tasks."""
    try:
        audit = load_audit()
    except FileNotFoundError:  # a fork without one
        return {"audit": None}
    names = {str(row.provenance.get("task")) for row in rows}
    return {"audit": audit if names and names == {task.task for task in audit.tasks} else None}


def policy_line(report: PolicyReport) -> dict[str, str]:
    """A policy's cells in the card's table."""
    metrics, interval = report.metrics, report.metrics.interval
    held_out = report.by_exposure.get("held_out")
    return {
        "name": report.policy,
        "pass_at_1": f"{report.pass_at_1:.2f}",
        "interval": f"{interval.low:.2f}-{interval.high:.2f}" if interval else "-",
        "held_out": f"{held_out.pass_at_1:.2f}" if held_out and held_out.pass_at_1 is not None else "-",
        "action": f"{metrics.action:.2f}" if metrics.action is not None else "-",
    }


def _figure(reports: Sequence[PolicyReport], tasks: int) -> dict[str, bytes]:
    """The ladder of scripted agents by domain, as PNG without a time stamp: same rows, same bytes."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return {}
    ladder = [report for policy in LADDER for report in reports if report.policy == policy.name]
    figure = Figure(figsize=(8, 3.2), dpi=140, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    places = range(len(ladder))
    for name in sorted({domain for report in ladder for domain in report.by_domain}):
        rates = [(m.pass_at_1 or 0.0) if (m := r.by_domain.get(name)) else 0.0 for r in ladder]
        axes.plot(places, rates, marker="o", markersize=4, linewidth=1, alpha=0.6, label=name)
    axes.plot(places, [r.pass_at_1 for r in ladder], color="black", marker="o", linewidth=2, label="all")
    axes.set_xticks(places, [report.policy for report in ladder])
    axes.set(ylim=(-0.03, 1.03), ylabel="pass@1", title=f"Scripted agents of rising skill, {tasks} tasks")
    axes.grid(axis="y", alpha=0.25)
    axes.legend(fontsize=7, ncols=2)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return {FIGURE: buffer.getvalue()}
