"""How runs are printed: rates with their intervals, what was scored and what was not, by domain and structure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.output import clip, print_table

if TYPE_CHECKING:
    from kopa_hf.bench.metrics import Interval, Metrics
    from kopa_hf.bench.rollouts import PolicyReport


def print_scores(reports: Sequence[PolicyReport]) -> None:
    """Name and pass@1 of every agent, then three tables: rates, rollouts and calls, pass@1 by kind of task."""
    for report in reports:
        click.echo(f"{report.policy} {report.pass_at_1:.2f}")
    click.echo("")
    _print_rates(reports)
    click.echo("")
    _print_runs(reports)
    click.echo("\npass@1 by domain and by structure")
    _print_parts(reports)
    _print_faults(reports)


def _print_faults(reports: Sequence[PolicyReport]) -> None:
    """Why rollouts were spoiled: the first fault of each kind."""
    lines = [(clip(report.policy, 40), kind, str(count), clip(text, 160))
             for report in reports for kind, (count, text) in report.faults.items()]  # fmt: skip
    if lines:
        click.echo("\nfaults, the first of each kind")
        print_table(lines, ("agent", "kind", "rollouts", "what was said"))


def _print_rates(reports: Sequence[PolicyReport]) -> None:
    """Columns that no agent has a figure for are left out: pass@4 of single rollouts, the interval over runs."""
    most = max((k for report in reports for k in report.metrics.pass_hat), default=1)
    header = ("agent", "pass@1", "95%", "95% of runs", "seen", "held-out", "pass@4", f"pass^{most}", "ACTION",
              "most frequent reasons")  # fmt: skip
    lines = []
    for report in reports:
        metrics = report.metrics
        why = ", ".join(f"{code} {count}" for code, count in list(report.failures.items())[:3])
        lines.append(
            (
                clip(report.policy, 40),
                rate(metrics.pass_at_1),
                between(metrics.interval),
                between(metrics.seed_interval),
                *(rate(_pass_at_1(report.by_exposure.get(kind))) for kind in ("seen", "held_out")),
                rate(metrics.pass_at_4),
                rate(metrics.pass_hat.get(most)) if most > 1 else "-",
                rate(metrics.action),
                why,
            )
        )
    kept = [index for index, _ in enumerate(header) if any(line[index] != "-" for line in lines)]
    print_table([[line[index] for index in kept] for line in lines], [header[index] for index in kept])


def _print_runs(reports: Sequence[PolicyReport]) -> None:
    lines = []
    for report in reports:
        spoiled = faults_by_kind(report) or "-"
        counts = (report.metrics.scored, report.metrics.unscored)
        calls = (report.calls, report.requests, report.wrong_channel)
        lines.append((clip(report.policy, 40), *map(str, counts), spoiled, *map(str, calls)))
    print_table(lines, ("agent", "scored", "not judged", "faults", "calls", "requests", "wrong channel"))


def _print_parts(reports: Sequence[PolicyReport]) -> None:
    domains = sorted({name for report in reports for name in report.by_domain})
    structures = sorted({name for report in reports for name in report.by_structure})
    lines = [
        (
            clip(report.policy, 40),
            *(rate(_pass_at_1(report.by_domain.get(name))) for name in domains),
            *(rate(_pass_at_1(report.by_structure.get(name))) for name in structures),
        )
        for report in reports
    ]
    print_table(lines, ("agent", *domains, *structures))


def faults_by_kind(report: PolicyReport) -> str:
    """`tool 2, model 1`: rollouts that count in no average, by what broke; empty where nothing did."""
    kinds = [(status, count) for status, count in report.statuses.items() if status.endswith("_fault")]
    return ", ".join(f"{status.removesuffix('_fault')} {count}" for status, count in kinds)


def report_record(report: PolicyReport) -> dict[str, Any]:
    """A report as plain JSON."""
    return {
        "policy": report.policy,
        "pass@1": report.pass_at_1,
        "metrics": report.metrics.to_dict(),
        "by_domain": _parts(report.by_domain),
        "by_structure": _parts(report.by_structure),
        "by_exposure": _parts(report.by_exposure),
        "statuses": report.statuses,
        "calls": report.calls,
        "requests": report.requests,
        "wrong_channel": report.wrong_channel,
        "failures": report.failures,
        "faults": {kind: {"rollouts": n, "first": text} for kind, (n, text) in report.faults.items()},
        "rollouts": [
            {
                "row": r.row_id, "rollout": r.number, "answer": r.answer, "calls": r.calls, "requests": r.requests,
                "wrong_channel": r.wrong_channel, "score": r.score.to_dict(),
            }
            for r in report.rollouts
        ],
    }  # fmt: skip


def rate(value: float | None) -> str:
    """Two decimals; a dash where nothing was scored."""
    return "-" if value is None else f"{value:.2f}"


def between(interval: Interval | None) -> str:
    """An interval's bounds; a dash where there is none."""
    return "-" if interval is None else f"{interval.low:.2f}-{interval.high:.2f}"


def _parts(parts: dict[str, Metrics]) -> dict[str, Any]:
    return {name: part.to_dict() for name, part in parts.items()}


def _pass_at_1(metrics: Metrics | None) -> float | None:
    return None if metrics is None else metrics.pass_at_1
