"""How right a graph is against a table of valid bindings: precision, recall, AUC, Brier score.

The table comes from outside; nothing that builds or refines edges sees it. Three
things are scored over the same edges: the prior (what the judge believed), the
posterior (what executions taught) and the final graph (which edges are left).
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.memory import rare_collections
from kopa_hf.edge.posterior import prior

Truth = Mapping[tuple[str, str, str, str], bool]
"""(source tool, field, target tool, parameter) → whether that binding is valid."""

SURE_TRIALS: Final = 3
"""Trials from which on an edge's posterior is expected to be right."""


def truth_scores(graph: ToolGraph, truth: Truth) -> dict[str, Any]:
    """Scores of prior, posterior and final graph over three groups of edges.

    An edge is valid where each of its identifying bindings is; edges about which the
    table says nothing are counted as `unknown` and left out. Groups: `all` known edges,
    `tried` (as often as pruning demands) and `sure` (at least `SURE_TRIALS` times). Of each:
    `edges`, `valid_share`, and for `prior`, `posterior` and `final` a dictionary of `auc`,
    `brier`, `precision`, `recall`. Prior and posterior count as a yes above tau, the final
    graph for every edge that is not pruned. The group `tried` is repeated at the top.
    """
    with rare_collections():  # the table is answered out of a world that is built meanwhile, and stays
        known = known_edges(graph, truth)
    least = {"all": 0, "tried": graph.config.min_trials, "sure": SURE_TRIALS}
    groups = {
        name: _group(graph, [(edge, valid) for edge, valid in known if edge.evidence.trials >= trials])
        for name, trials in least.items()
    }
    tried = groups["tried"]
    return {
        "known": len(known),
        "unknown": len(graph) - len(known),
        "tried": tried["edges"],
        "valid_share": tried["valid_share"],
        "precision": tried["final"]["precision"],
        "recall": tried["final"]["recall"],
        "prior": tried["prior"],
        "posterior": tried["posterior"],
        "final": tried["final"],
        "groups": groups,
    }


def known_edges(graph: ToolGraph, truth: Truth) -> list[tuple[Edge, bool]]:
    """Edges that the table can judge, with its judgement."""
    known: list[tuple[Edge, bool]] = []
    for edge in graph.edges():
        keys = [(edge.source, b.field, edge.target, b.parameter) for b in edge.bindings if not b.generic]
        try:
            verdicts = [truth[key] for key in keys]
        except KeyError:
            continue
        if verdicts:
            known.append((edge, all(verdicts)))
    return known


def _group(graph: ToolGraph, edges: Sequence[tuple[Edge, bool]]) -> dict[str, Any]:
    config = graph.config
    beliefs: dict[str, list[tuple[float, bool, bool]]] = {"prior": [], "posterior": [], "final": []}
    for edge, valid in edges:
        alpha, beta = prior(edge.score, config.kappa)
        before, left = alpha / (alpha + beta), edge.decision(config) != "pruned"
        beliefs["prior"].append((before, before > config.tau, valid))
        beliefs["posterior"].append((edge.mean, edge.mean > config.tau, valid))
        beliefs["final"].append((float(left), left, valid))
    return {
        "edges": len(edges),
        "valid_share": sum(valid for _, valid in edges) / len(edges) if edges else None,
        **{name: _scores(scored) for name, scored in beliefs.items()},
    }


def _scores(scored: Sequence[tuple[float, bool, bool]]) -> dict[str, float | None]:
    """Scores of (belief, yes or no, truth)."""
    said = sum(yes for _, yes, _ in scored)
    valid = sum(truth for _, _, truth in scored)
    right = sum(yes and truth for _, yes, truth in scored)
    return {
        "auc": auc([(belief, truth) for belief, _, truth in scored]),
        "brier": statistics.fmean((belief - truth) ** 2 for belief, _, truth in scored) if scored else None,
        "precision": right / said if said else None,
        "recall": right / valid if valid else None,
    }


def auc(scored: Sequence[tuple[float, bool]]) -> float | None:
    """Probability that a valid edge scores above an invalid one, ties counting half; None without both."""
    ordered = sorted(scored)
    positives = sum(valid for _, valid in ordered)
    negatives = len(ordered) - positives
    if not positives or not negatives:
        return None
    ranks, index = 0.0, 0
    while index < len(ordered):
        end = index
        while end < len(ordered) and ordered[end][0] == ordered[index][0]:
            end += 1
        middle = (index + end + 1) / 2
        ranks += middle * sum(valid for _, valid in ordered[index:end])
        index = end
    return (ranks - positives * (positives + 1) / 2) / (positives * negatives)


def beliefs(graph: ToolGraph, bins: int = 20) -> dict[str, Any]:
    """Prior against posterior, by decision: means, and counts over equal bins of [0, 1].

    Shape: {kept, pruned, untried: {edges, prior_mean, posterior_mean, prior_bins, posterior_bins}}.
    """
    found: dict[str, Any] = {}
    for decision in ("kept", "pruned", "untried"):
        group = [edge for edge in graph.edges() if edge.decision(graph.config) == decision]
        pairs = [(prior(edge.score, graph.config.kappa), edge.mean) for edge in group]
        before = [alpha / (alpha + beta) for (alpha, beta), _ in pairs]
        after = [mean for _, mean in pairs]
        found[decision] = {
            "edges": len(group),
            "prior_mean": statistics.fmean(before) if before else None,
            "posterior_mean": statistics.fmean(after) if after else None,
            "prior_bins": _bins(before, bins),
            "posterior_bins": _bins(after, bins),
        }
    return found


def _bins(values: Sequence[float], bins: int) -> list[int]:
    counts = [0] * bins
    for value in values:
        counts[min(int(value * bins), bins - 1)] += 1
    return counts
