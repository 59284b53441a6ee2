"""A leaderboard from logs: one line per agent, as Markdown and as a picture.

A place says no more than the figures carry: agents share it unless their intervals
are apart. Only runs over the same tasks stand in one table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kopa_hf.bench.metrics import Interval, Metrics
from kopa_hf.bench.rescoring import rescore
from kopa_hf.bench.rollouts import PolicyReport
from kopa_hf.bench.rows import Row
from kopa_hf.errors import DataError, MissingExtraError

COLUMNS: Final = (
    "place", "agent", "pass@1", "95%", "95% of runs", "seen", "held-out", "pass@4", "pass^4", "ACTION", "tasks",
)  # fmt: skip
RUNS: Final = (
    "agent", "runs", "scored", "not judged", "faults", "calls a rollout", "requests a rollout", "wrong channel", "pass^k",
)  # fmt: skip
_COLOUR: Final = "#2a78b5"


@dataclass(frozen=True, slots=True)
class Entry:
    """One agent's line."""

    place: int
    """1 + the agents whose whole interval lies above this one's."""
    agent: str
    report: PolicyReport

    @property
    def metrics(self) -> Metrics:
        """Over all its tasks."""
        return self.report.metrics

    def cells(self) -> tuple[str, ...]:
        """Its line under `COLUMNS`."""
        metrics, exposure = self.metrics, self.report.by_exposure
        return (
            str(self.place),
            self.agent,
            _rate(metrics.pass_at_1),
            _between(metrics.interval),
            _between(metrics.seed_interval),
            *(_rate(part.pass_at_1 if (part := exposure.get(kind)) else None) for kind in ("seen", "held_out")),
            *map(_rate, (metrics.pass_at_4, metrics.pass_hat_4, metrics.action)),
            str(metrics.tasks),
        )

    def run_cells(self) -> tuple[str, ...]:
        """Its line under `RUNS`."""
        report, metrics = self.report, self.metrics
        faults = [f"{s.removesuffix('_fault')} {n}" for s, n in report.statuses.items() if s.endswith("_fault")]
        shares = [f"{total / len(report.rollouts):.1f}" for total in (report.calls, report.requests)]
        counts = (len(metrics.by_seed), metrics.scored, metrics.unscored)
        consistent = ", ".join(f"{k}: {rate:.2f}" for k, rate in metrics.pass_hat.items())
        wrong_channel = str(report.wrong_channel)
        return (self.agent, *map(str, counts), ", ".join(faults) or "0", *shares, wrong_channel, consistent)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Agents by pass@1, best first."""

    entries: list[Entry]
    rows: Sequence[Row]

    def markdown(self) -> str:
        """Rates, runs, pass@1 per domain and structure, and what each figure is."""
        table = _table(COLUMNS, [entry.cells() for entry in self.entries])
        lines = [
            "# KOPA-Bench (re-creation): leaderboard",
            table,
            "## Runs",
            _table(RUNS, [entry.run_cells() for entry in self.entries]),
            "## pass@1 by domain",
            self._parts(lambda row: row.domain, lambda report: report.by_domain),
            "## pass@1 by structure",
            self._parts(lambda row: row.structure, lambda report: report.by_structure),
            "Agents share a place unless their 95% intervals (bootstrap over tasks and rollouts) are apart; the interval "
            "of runs is a bootstrap over whole runs through these tasks. Held-out: tasks on platforms that training data "
            "leaves out; seen: the others. pass@4: at least one of four rollouts; pass^k: all of k. Faults of services, "
            "model servers and judges count in no figure. A request is one HTTP request; a call may take none or many. "
            "Our own tasks: not the paper's, not comparable with its scores.",
        ]
        short = [entry.agent for entry in self.entries if entry.metrics.tasks < len(self.rows)]
        if short:
            lines.append(f"Scored on a part of the {len(self.rows)} tasks only, so no full result: {', '.join(short)}.")
        return "\n\n".join(lines) + "\n"

    def _parts(self, kind: Callable[[Row], str], parts: Callable[[PolicyReport], dict[str, Metrics]]) -> str:
        names = sorted({kind(row) for row in self.rows})
        lines = []
        for entry in self.entries:
            found = parts(entry.report)
            rates = (_rate(found[name].pass_at_1 if name in found else None) for name in names)
            lines.append((entry.agent, *rates))
        return _table(("agent", *names), lines)


def leaderboard(logs: Sequence[Path], rows: Sequence[Row]) -> Leaderboard:
    """All agents of all logs, scored with today's rules. An agent that stands in two logs gets the log's name too."""
    found: list[tuple[Path, PolicyReport]] = []
    for log in logs:
        reports = [report for report in rescore(log, rows).values() if report.metrics.scored]
        if not reports:
            raise DataError(f"{log.name} holds no scored run of these tasks. Name their folder with --data.")
        found += [(log, report) for report in reports]
    names = [report.policy for _, report in found]
    entries = [
        Entry(
            place=1 + sum(_above(other, report) for _, other in found),
            agent=report.policy if names.count(report.policy) == 1 else f"{report.policy} ({log.stem})",
            report=report,
        )
        for log, report in found
    ]
    entries.sort(key=lambda entry: (-entry.report.pass_at_1, entry.agent))
    return Leaderboard(entries, rows)


def leaderboard_figure(board: Leaderboard, path: Path) -> Path:
    """pass@1 with its interval, best on top; the ending of `path` gives the format."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("matplotlib", "report") from error
    figure = Figure(figsize=(8, 1.4 + 0.36 * len(board.entries)), dpi=140, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for height, entry in enumerate(reversed(board.entries)):
        rate, interval = entry.report.pass_at_1, entry.metrics.interval
        if interval is not None:
            axes.plot([interval.low, interval.high], [height, height], color=_COLOUR, linewidth=2, alpha=0.5)
        axes.plot([rate], [height], marker="o", markersize=6, color=_COLOUR)
    axes.set_yticks(range(len(board.entries)), [entry.agent for entry in reversed(board.entries)])
    axes.set(xlim=(-0.02, 1.02), xlabel="pass@1, 95% interval", title=f"KOPA-Bench: {len(board.rows)} tasks")
    axes.grid(axis="x", alpha=0.25)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # no time stamp in the file: the same logs give the same bytes
        figure.savefig(path, metadata={"Software": None} if path.suffix == ".png" else None)
    except (OSError, ValueError) as error:
        raise DataError(f"Cannot write the figure {path}: {error}") from error
    return path


def _above(one: PolicyReport, other: PolicyReport) -> bool:
    mine, theirs = one.metrics.interval, other.metrics.interval
    return mine is not None and theirs is not None and mine.low > theirs.high


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _between(interval: Interval | None) -> str:
    return "-" if interval is None else f"{interval.low:.2f}-{interval.high:.2f}"


def _table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    # a name with a bar in it would end its cell
    rows = [[cell.replace("|", "\\|") for cell in line] for line in (header, ["---"] * len(header), *lines)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
