"""The tool graph as plain records: one per edge, with what execution showed of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from kopa_hf.edge.graph import ToolGraph


def edge_records(graph: ToolGraph) -> list[dict[str, Any]]:
    """One record an edge, by source and target; counts are executions, dates YYYY-MM-DD on the run's clock."""
    records: list[dict[str, Any]] = []
    for edge in sorted(graph.edges(), key=lambda edge: (edge.source, edge.target)):
        evidence = edge.evidence
        records.append(
            {
                "source": edge.source,
                "target": edge.target,
                "decision": edge.decision(graph.config),
                "score": edge.score,
                "similarity": edge.similarity,
                "alpha": edge.alpha,
                "beta": edge.beta,
                "posterior_mean": edge.mean,
                "bindings": [asdict(binding) for binding in edge.bindings],
                "defaults": list(edge.defaults),
                "clarify": list(edge.clarify),
                "backend": evidence.backend,
                "first_time": evidence.first_time,
                "last_time": evidence.last_time,
                "trials": evidence.trials,
                "semantic": evidence.semantic,
                "generic": evidence.generic,
                "failures": dict(sorted(evidence.failures.items())),
                "failure_classes": dict(sorted(evidence.failure_classes.items())),
                "median_cardinality": evidence.median_cardinality,
                "max_cardinality": evidence.max_cardinality,
                "fresh_executions": evidence.fresh_executions,
                "fresh_successes": evidence.fresh_successes,
            }
        )
    return records


def graph_facts(graph: ToolGraph) -> dict[str, Any]:
    """What a card says of a graph beside its edges: tools, decisions, executions, doors, settings."""
    records = edge_records(graph)
    config = graph.config
    return {
        "nodes": len(list(graph)),
        "decisions": Counter(record["decision"] for record in records).most_common(),
        "trials": sum(record["trials"] for record in records),
        "fresh": sum(record["fresh_executions"] for record in records),
        "embedder": graph.embedder,
        "judge": graph.judge,
        "backends": Counter(record["backend"] or "nothing yet" for record in records).most_common(),
        "sandbox": all(record["backend"] in (None, "sandbox") for record in records),
        "settings": {name: getattr(config, name) for name in ("name", "seed", "iterations", "paths", "fan_out")},
    }
