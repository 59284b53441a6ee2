"""The picture of a refinement: success over iterations, and prior against posterior."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from kopa_hf.edge.graph import ToolGraph
from kopa_hf.errors import DataError, MissingExtraError

_COLOURS: Final[dict[str, str]] = {"kept": "#2a78b5", "pruned": "#d1495b", "untried": "#c9c9c9"}


def pruning_figure(graph: ToolGraph, path: str | Path) -> Path:
    """Draw both panels and save them as an image; the ending of `path` gives the format. Returns the path.

    Raises `MissingExtraError` without matplotlib, `DataError` where the file cannot be written.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("matplotlib", "report") from error
    figure = Figure(figsize=(11, 4.6), dpi=140, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    _success(left, graph)
    _posteriors(right, graph)
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # No time stamp in the file: the same graph gives the same bytes.
        figure.savefig(path, metadata={"Software": None} if path.suffix == ".png" else None)
    except (OSError, ValueError) as error:
        raise DataError(f"Cannot write the figure {path}: {error}") from error
    return path


def _success(axes: Any, graph: ToolGraph) -> None:
    """Share of edge executions and of whole paths that succeed, by iteration."""
    steps = [stats.iteration + 1 for stats in graph.history]
    for name, label, colour in (
        ("step_rate", "edge executions", "#2a78b5"),
        ("pass_rate", "whole paths", "#e9a23b"),
    ):
        values = [getattr(stats, name) for stats in graph.history]
        axes.plot(steps, values, marker="o", markersize=3, linewidth=1.6, color=colour, label=label)
    axes.set(title="Success over iterations", xlabel="iteration", ylabel="share that succeeded", ylim=(0, 1))
    axes.grid(alpha=0.25)
    if graph.history:
        axes.legend(frameon=False, loc="upper left")


def _posteriors(axes: Any, graph: ToolGraph) -> None:
    """One point per edge: what the judge expected against what executions showed."""
    groups: dict[str, list[tuple[float, float]]] = {"untried": [], "kept": [], "pruned": []}
    for edge in graph.edges():
        expected = (1 + graph.config.kappa * edge.score) / (2 + graph.config.kappa)
        groups[edge.decision(graph.config)].append((expected, edge.mean))
    for decision, points in groups.items():
        axes.scatter(
            [x for x, _ in points],
            [y for _, y in points],
            s=9 if decision == "untried" else 16,
            alpha=0.55,
            linewidths=0,
            color=_COLOURS[decision],
            label=f"{decision} ({len(points)})",
        )
    axes.plot([0, 1], [0, 1], color="#888888", linewidth=0.8, linestyle=":")
    axes.axhline(graph.config.tau, color="#888888", linewidth=0.8, linestyle="--")
    axes.set(
        title="Prior against posterior",
        xlabel="prior mean (judge)",
        ylabel="posterior mean (executions)",
        xlim=(0.25, 0.8),
        ylim=(0, 1),
    )
    axes.grid(alpha=0.25)
    axes.legend(frameon=False, loc="upper left")
