"""Which edges and which tasks a drift of the services touches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kopa_hf.bench.rows import Row
from kopa_hf.catalog.arguments import bind_arguments
from kopa_hf.catalog.registry import Catalog
from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.errors import KopaError
from kopa_hf.execution.drift import Drift
from kopa_hf.execution.replay import request_text


@dataclass(frozen=True, slots=True)
class Touched:
    """An edge or a task that no longer stands on what it stood on."""

    name: str
    """`source -> target`, or the task's name."""
    broken: bool
    """True: a tool or a field that it needs is gone; False: values changed, so it is to be tried again."""
    reasons: tuple[str, ...]


def touched_edges(graph: ToolGraph, drift: Drift) -> list[Touched]:
    """Edges whose tools or bound fields drifted, in the graph's order."""
    found = []
    for edge in graph.edges():
        broken, worn = _edge_reasons(edge, drift)
        if broken or worn:
            found.append(Touched(f"{edge.source} -> {edge.target}", bool(broken), (*broken, *worn)))
    return found


def _edge_reasons(edge: Edge, drift: Drift) -> tuple[list[str], list[str]]:
    broken: list[str] = []
    worn: list[str] = []
    for name in (edge.source, edge.target):
        tool = drift.tools.get(name)
        if tool is None:
            continue
        if tool.unavailable:
            broken.append(f"{name} fails: {', '.join(sorted(tool.failed))}")
        elif tool.failed or tool.emptied:
            worn.append(f"{name} no longer answers {sum(tool.failed.values()) + tool.emptied} requests")
        if tool.signature:
            worn.append(f"{name} is described otherwise")
    source = drift.tools.get(edge.source)
    for field in dict.fromkeys(binding.field for binding in edge.bindings if source is not None):
        assert source is not None
        if field in source.fields_gone:
            broken.append(f"{field} is gone")
        elif field in source.kinds:
            broken.append(f"{field} was {source.kinds[field][0]}, is {source.kinds[field][1]}")
        elif field in source.values:
            worn.append(f"{field} has other values in {source.values[field]} answers")
    return broken, worn


def touched_rows(rows: Iterable[Row], drift: Drift, catalog: Catalog) -> list[Touched]:
    """Rows whose golden calls got another answer, or whose tools fail or changed their fields, in the rows' order."""
    found = []
    for row in rows:
        broken: dict[str, None] = {}
        worn: dict[str, None] = {}
        for action in row.golden_actions:
            for hard, reason in _action_reasons(action, drift, catalog):
                (broken if hard else worn)[reason] = None
        if broken or worn:
            name = str(row.provenance.get("task") or row.id)
            found.append(Touched(name, bool(broken), (*broken, *worn)))
    return found


def _action_reasons(action: Mapping[str, Any], drift: Drift, catalog: Catalog) -> list[tuple[bool, str]]:
    name = str(action["name"])
    tool = drift.tools.get(name)
    if tool is None or name not in catalog:
        return []
    reasons = []
    if tool.unavailable:
        reasons.append((True, f"{name} fails: {', '.join(sorted(tool.failed))}"))
    if tool.fields_gone:
        reasons.append((True, f"{name} lost {', '.join(tool.fields_gone)}"))
    if tool.kinds:
        reasons.append((True, f"{name} changed the kind of {', '.join(tool.kinds)}"))
    try:
        request = request_text(catalog.get(name), bind_arguments(catalog.get(name), dict(action["arguments"])))
    except (KopaError, TypeError, ValueError):
        return reasons  # such a call is never sent, so it has no answer that could change
    changed = drift.changed.get(request)
    if changed == "availability":
        reasons.append((True, f"{name} answers a golden call no more as it did"))
    elif changed is not None:
        reasons.append((False, f"{name} gives a golden call other values"))
    return reasons
