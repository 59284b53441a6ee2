"""The figures of a run's report, drawn from the report's numbers as SVG.

Text stays text in the SVG, so a browser shows Hangul with the fonts it has; nothing is
loaded from anywhere. Same numbers, same bytes.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from kopa_hf.errors import MissingExtraError

Report = Mapping[str, Any]

BLUE, ORANGE, RED, GREY, GREEN = "#2a78b5", "#e9a23b", "#d1495b", "#b8b8b8", "#4f9d69"
_DECISIONS: Final = (("kept", "kept 유지", BLUE), ("pruned", "pruned 가지치기", RED))
_CLASSES: Final = (
    ("structural", "structural 구조", RED),
    ("environmental", "environmental 환경", ORANGE),
    ("no_data", "no data 자료 없음", GREY),
)
_BELIEFS: Final = (
    ("prior", "prior 사전", GREY),
    ("posterior", "posterior 사후", BLUE),
    ("final", "final graph 최종", GREEN),
)
_SETTINGS: Final = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, so the layout is the same everywhere
    "font.size": 9,
    "svg.fonttype": "none",
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw_charts(report: Report, paper_rates: Mapping[str, float]) -> dict[str, bytes]:
    """Name → SVG of every figure for which the report has numbers.

    paper_rates: skeleton, retained, pruned → the paper's rate, 0 to 1, drawn as hollow marks.
    Raises `MissingExtraError` without matplotlib.
    """
    drawn = {
        "iterations": _svg("iterations", (8.6, 3.0), 2, lambda axes: _iterations(axes, report)),
        "rates": _svg("rates", (6.4, 2.8), 1, lambda axes: _rates(axes[0], report, paper_rates)),
        "beliefs": _svg("beliefs", (8.6, 3.0), 2, lambda axes: _beliefs(axes, report)),
    }
    platforms = report["failures"]["platforms"]
    if platforms:
        size = (7.6, 1.1 + 0.26 * len(platforms))
        drawn["failures"] = _svg("failures", size, 1, lambda axes: _failures(axes[0], report))
    if report.get("truth"):
        drawn["truth"] = _svg("truth", (7.6, 2.9), 1, lambda axes: _truth(axes[0], report))
    if report.get("table"):
        drawn["structures"] = _svg("structures", (7.2, 2.8), 1, lambda axes: _structures(axes[0], report))
    stages = (report.get("funnel") or {}).get("stages")
    if stages:
        size = (7.2, 0.8 + 0.3 * len(stages))
        drawn["funnel"] = _svg("funnel", size, 1, lambda axes: _funnel(axes[0], stages))
    return drawn


def _svg(name: str, size: tuple[float, float], panels: int, draw: Callable[[Sequence[Any]], None]) -> bytes:
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("matplotlib", "report") from error
    with rc_context({**_SETTINGS, "svg.hashsalt": name}), warnings.catch_warnings():
        # Hangul is measured as boxes here and drawn by the reader's browser.
        warnings.filterwarnings("ignore", message="Glyph")
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasSVG(figure)
        draw(list(figure.subplots(1, panels, squeeze=False)[0]))
        buffer = io.BytesIO()
        figure.savefig(
            buffer, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")), transparent=True
        )
    # Prolog and document type name a schema's address and are of no use inside a page.
    return re.sub(rb"\A.*?(?=<svg)", b"", buffer.getvalue(), flags=re.DOTALL)


def _iterations(axes: Sequence[Any], report: Report) -> None:
    """Left: shares that succeed; right: edges tried and pruned."""
    history = report["iterations"]
    steps = [entry["iteration"] for entry in history]
    left, right = axes
    for key, label, colour in (("step_rate", "steps 호출 단계", BLUE), ("pass_rate", "whole paths 전체 경로", ORANGE)):
        values = [float("nan") if entry[key] is None else entry[key] for entry in history]
        left.plot(steps, values, color=colour, linewidth=1.4, marker="o", markersize=2, label=label)
    left.set(title="success 성공률", xlabel="iteration 반복", ylim=(0, 1))
    for key, label, colour in (("edges_tried", "tried 시도", BLUE), ("pruned", "pruned 가지치기", RED)):
        right.plot(steps, [entry[key] for entry in history], color=colour, linewidth=1.4, label=label)
    right.set(title="edges 간선", xlabel="iteration 반복")
    right.set_ylim(bottom=0)
    for axis in axes:
        axis.grid(alpha=0.25)
        if history:
            axis.legend(frameon=False, fontsize=8)


def _rates(axes: Any, report: Report, paper: Mapping[str, float]) -> None:
    """Fresh execution rates by group, the paper's as hollow marks."""
    names = ("skeleton", "retained", "pruned")
    places = range(len(names))
    for shift, group, label, colour in (
        (-0.18, "tried", "tried twice or more 2회 이상 시도", BLUE),
        (0.18, "all", "all edges 전체 간선", GREY),
    ):
        rates = [report["rates"][group][name]["rate"] for name in names]
        bars = axes.bar([p + shift for p in places], [r or 0.0 for r in rates], 0.34, color=colour, label=label)
        axes.bar_label(bars, ["–" if r is None else f"{100 * r:.1f}%" for r in rates], fontsize=7)
    axes.plot(
        list(places),
        [paper[name] for name in names],
        "D",
        color="none",
        markeredgecolor="black",
        label="paper (different data) 논문(다른 자료)",
    )
    axes.set_xticks(list(places), ["skeleton 골격", "retained 유지", "pruned 가지치기"])
    axes.set(ylim=(0, 1.08), ylabel="execution rate 실행률")
    axes.legend(frameon=False, fontsize=7, loc="upper right")


def _beliefs(axes: Sequence[Any], report: Report) -> None:
    """Edges tried often enough, by mean of prior (left) and of posterior (right), stacked by what became of them."""
    for axis, kind, title in zip(axes, ("prior", "posterior"), ("prior 사전", "posterior 사후"), strict=True):
        count = len(report["beliefs"]["kept"][f"{kind}_bins"])
        places = [(index + 0.5) / count for index in range(count)]
        below = [0] * count
        for decision, label, colour in _DECISIONS:
            bins = report["beliefs"][decision][f"{kind}_bins"]
            axis.bar(places, bins, 0.92 / count, bottom=below, color=colour, label=label)
            below = [low + high for low, high in zip(below, bins, strict=True)]
        axis.axvline(report["config"]["tau"], color="#555555", linewidth=0.8, linestyle="--")
        axis.set(title=title, xlabel="mean of Beta 평균", ylabel="edges 간선", xlim=(0, 1))
    axes[0].legend(frameon=False, fontsize=8, loc="upper left")


def _failures(axes: Any, report: Report) -> None:
    platforms = report["failures"]["platforms"]
    names = sorted(platforms, key=lambda name: (sum(platforms[name].values()), name))
    _stacked(
        axes, names, [(label, colour, [platforms[n].get(key, 0) for n in names]) for key, label, colour in _CLASSES]
    )
    axes.set(xlabel="failed trials 실패한 시도")
    axes.legend(frameon=False, fontsize=8, loc="lower right")


def _stacked(axes: Any, names: Sequence[str], parts: Sequence[tuple[str, str, Sequence[int]]]) -> None:
    places, left = range(len(names)), [0] * len(names)
    for label, colour, widths in parts:
        axes.barh(list(places), widths, 0.7, left=left, color=colour, label=label)
        left = [low + wide for low, wide in zip(left, widths, strict=True)]
    axes.set_yticks(list(places), list(names))


def _truth(axes: Any, report: Report) -> None:
    """Scores over the edges tried often enough to be pruned."""
    scores = report["truth"]["groups"]["tried"]
    metrics = ("auc", "brier", "precision", "recall")
    for shift, (kind, label, colour) in zip((-0.27, 0.0, 0.27), _BELIEFS, strict=True):
        values = [scores[kind][metric] for metric in metrics]
        bars = axes.bar(
            [place + shift for place in range(len(metrics))],
            [v or 0.0 for v in values],
            0.25,
            color=colour,
            label=label,
        )
        axes.bar_label(bars, ["–" if v is None else f"{v:.2f}" for v in values], fontsize=7)
    axes.set_xticks(
        range(len(metrics)), ["AUC", "Brier (low is good 낮을수록 좋음)", "precision 정밀도", "recall 재현율"]
    )
    axes.set(ylim=(0, 1.3), yticks=[0, 0.25, 0.5, 0.75, 1.0])
    axes.legend(frameon=False, fontsize=8, ncols=3, loc="upper center")


def _structures(axes: Any, report: Report) -> None:
    """Share of rows by structure, ours beside the paper's."""
    table = report["table"]
    names = list(table["paper"]["structures"])
    for shift, key, label, colour in (
        (-0.2, "ours", "ours 이 자료", BLUE),
        (0.2, "paper", "paper (different data) 논문(다른 자료)", GREY),
    ):
        counts, rows = table[key]["structures"], table[key]["rows"]
        shares = [counts.get(name, 0) / rows if rows else 0.0 for name in names]
        bars = axes.bar([place + shift for place in range(len(names))], shares, 0.38, color=colour, label=label)
        axes.bar_label(bars, [str(counts.get(name, 0)) for name in names], fontsize=7)
    axes.set_xticks(range(len(names)), names)
    axes.set(ylabel="share of rows 비중")
    axes.legend(frameon=False, fontsize=8)


def _funnel(axes: Any, stages: Mapping[str, int]) -> None:
    names = list(stages)[::-1]
    bars = axes.barh(range(len(names)), [stages[name] for name in names], 0.7, color=BLUE)
    axes.bar_label(bars, [f"{stages[name]:,}" for name in names], fontsize=8, padding=3)
    axes.set_yticks(range(len(names)), names)
    axes.set(xlabel="trajectories left 남은 궤적")
