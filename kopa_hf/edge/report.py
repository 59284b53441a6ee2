"""The numbers of a run in one plain dictionary: for the console, for JSON, for cards."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any

from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.rates import rate_of
from kopa_hf.edge.scores import Truth, beliefs, truth_scores
from kopa_hf.edge.trajectory import Funnel, Trajectory


def edge_report(
    graph: ToolGraph,
    trajectories: Sequence[Trajectory] = (),
    *,
    funnel: Funnel | None = None,
    truth: Truth | None = None,
) -> dict[str, Any]:
    """Everything that is reported of a graph and its trajectories, as plain JSON values.

    - `config`, `judge`, `embedder`, `tools`, `skipped` (reason → tools), `candidates`, `judge_errors`;
    - `surroundings`: backend, world and faults that it was refined on; `backends`: backend → edges whose latest trial it saw;
    - `edges`: skeleton, kept, pruned, untried, tried_share (coverage), pruned_share, trials;
    - `rates`: `tried` (edges tried as often as pruning demands) and `all`, each with skeleton, retained, pruned:
      {edges, measured, executions, successes, rate} over fresh executions;
    - `never_succeeded`: share of kept and of pruned edges without a success during refinement;
    - `iterations`: one {iteration, pass_rate, step_rate, calls, edges_tried, pruned} each; `gain`: last minus first tenth;
    - `beliefs`: prior against posterior by decision (see `scores.beliefs`);
    - `controls`: {tested, ignoring}: inputs put to a control call, and those that every one found ignored;
    - `failures`: classes, outcomes, and platforms (platform of the target → class → times);
    - `cardinality`: classes, median, max; `domains`: kept edges by domain of source and target;
    - `trajectories`, `funnel` where given; `truth`: see `scores.truth_scores`, where a table is given.

    `truth` maps (source tool, field, target tool, parameter) to whether that binding
    is valid; it comes from outside, synthesis itself never sees it.
    """
    edges = graph.edges()
    report: dict[str, Any] = {
        "config": graph.config.to_saved(),
        "judge": graph.judge,
        "embedder": graph.embedder,
        "tools": len(graph.digraph),
        "skipped": dict(sorted(Counter(graph.skipped.values()).items())),
        "candidates": graph.candidates,
        "judge_errors": graph.judge_errors,
        "surroundings": graph.surroundings,
        "backends": dict(sorted(Counter(e.evidence.backend for e in edges if e.evidence.backend).items())),
        "edges": _edge_counts(graph, edges),
        "rates": _rates(graph, edges),
        "never_succeeded": _never_succeeded(graph, edges),
        "iterations": [
            {
                "iteration": s.iteration + 1,
                "pass_rate": s.pass_rate,
                "step_rate": s.step_rate,
                "calls": s.calls,
                "edges_tried": s.edges_tried,
                "pruned": s.pruned,
            }
            for s in graph.history
        ],
        "gain": _gain(graph),
        "beliefs": beliefs(graph),
        "controls": {"tested": len(graph.controls), "ignoring": len(graph.controls.ignoring())},
        "failures": _failures(graph, edges),
        "cardinality": _cardinalities(graph, edges),
        "domains": _domains(graph, edges),
    }
    if trajectories:
        report["trajectories"] = _trajectories(trajectories)
    if funnel is not None:
        report["funnel"] = funnel.to_dict()
    if truth is not None:
        report["truth"] = truth_scores(graph, truth)
    return report


def _edge_counts(graph: ToolGraph, edges: Sequence[Edge]) -> dict[str, Any]:
    decisions = Counter(edge.decision(graph.config) for edge in edges)
    tried = decisions["kept"] + decisions["pruned"]
    return {
        "skeleton": len(edges),
        "kept": decisions["kept"],
        "pruned": decisions["pruned"],
        "untried": decisions["untried"],
        "tried_share": tried / len(edges) if edges else None,
        "pruned_share": decisions["pruned"] / tried if tried else None,
        "trials": sum(edge.evidence.trials for edge in edges),
    }


def _rates(graph: ToolGraph, edges: Sequence[Edge]) -> dict[str, Any]:
    """Fresh success rates over edges tried often enough, and over all."""
    config = graph.config
    tried = [edge for edge in edges if edge.evidence.trials >= config.min_trials]
    pruned = [edge for edge in edges if edge.decision(config) == "pruned"]
    return {
        "tried": {
            "skeleton": rate_of(tried).to_dict(),
            "retained": rate_of(e for e in tried if e.decision(config) == "kept").to_dict(),
            "pruned": rate_of(pruned).to_dict(),
        },
        "all": {
            "skeleton": rate_of(edges).to_dict(),
            "retained": rate_of(e for e in edges if e.decision(config) != "pruned").to_dict(),
            "pruned": rate_of(pruned).to_dict(),
        },
    }


def _never_succeeded(graph: ToolGraph, edges: Sequence[Edge]) -> dict[str, float | None]:
    """Share of kept and of pruned edges that never executed during refinement."""
    shares: dict[str, float | None] = {}
    for decision in ("kept", "pruned"):
        group = [edge for edge in edges if edge.decision(graph.config) == decision]
        shares[decision] = sum(e.evidence.successes == 0 for e in group) / len(group) if group else None
    return shares


def _gain(graph: ToolGraph) -> dict[str, float | None]:
    """Last minus first iterations (a tenth of all, at least one, on either side), in points of a share."""
    history = graph.history
    window = max(1, len(history) // 10)
    gains: dict[str, float | None] = {}
    for name in ("pass_rate", "step_rate"):
        first = [v for s in history[:window] if (v := getattr(s, name)) is not None]
        last = [v for s in history[-window:] if (v := getattr(s, name)) is not None]
        gains[name] = statistics.fmean(last) - statistics.fmean(first) if first and last else None
    return gains


def _failures(graph: ToolGraph, edges: Sequence[Edge]) -> dict[str, Any]:
    classes: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    platforms: dict[str, Counter[str]] = {}
    for edge in edges:
        classes.update(edge.evidence.failure_classes)
        outcomes.update(edge.evidence.failures)
        platform = graph.digraph.nodes[edge.target]["platform"]
        platforms.setdefault(platform, Counter()).update(edge.evidence.failure_classes)
    return {
        "classes": dict(sorted(classes.items())),
        "outcomes": dict(sorted(outcomes.items())),
        "platforms": {name: dict(sorted(counts.items())) for name, counts in sorted(platforms.items())},
    }


def _cardinalities(graph: ToolGraph, edges: Sequence[Edge]) -> dict[str, Any]:
    middles = [m for edge in edges if (m := edge.evidence.median_cardinality) is not None]
    classes = Counter(edge.evidence.cardinality_class(graph.config.fan_out) for edge in edges)
    return {
        "classes": dict(sorted(classes.items())),
        "median": statistics.median_low(middles) if middles else None,
        "max": max((max(e.evidence.cardinalities) for e in edges if e.evidence.cardinalities), default=None),
    }


def _domains(graph: ToolGraph, edges: Sequence[Edge]) -> dict[str, dict[str, int]]:
    """Kept edges by domain of source and target."""
    matrix: dict[str, dict[str, int]] = {}
    for edge in edges:
        if edge.decision(graph.config) == "kept":
            source, target = (graph.digraph.nodes[name]["domain"] for name in (edge.source, edge.target))
            row = matrix.setdefault(source, {})
            row[target] = row.get(target, 0) + 1
    return matrix


def _trajectories(trajectories: Sequence[Trajectory]) -> dict[str, Any]:
    junctions = [junction for t in trajectories for junction in t.junctions]
    counts = Counter(t.structure for t in trajectories)
    cardinalities = [junction.cardinality for junction in junctions]
    return {
        "count": len(trajectories),
        "structures": dict(sorted(counts.items())),
        "answer_types": dict(sorted(Counter(t.answer_type for t in trajectories).items())),
        "mean_calls": statistics.fmean(t.calls for t in trajectories),
        "max_calls": max(t.calls for t in trajectories),
        "four_hops_or_more": sum(t.hops >= 4 for t in trajectories) / len(trajectories),
        "parallel": sum(t.parallel for t in trajectories) / len(trajectories),
        "phrasings": len({t.phrasing for t in trajectories}),
        "one_to_many": sum(c > 1 for c in cardinalities) / len(cardinalities) if cardinalities else None,
        "median_cardinality": statistics.median_low(cardinalities) if cardinalities else None,
        "max_cardinality": max(cardinalities, default=None),
    }
