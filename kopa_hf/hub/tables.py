"""The three further datasets as tables: the tool catalog, the tool graph with its evidence, recorded answers.

Columns of one shape in every row are plain; what differs from row to row (bindings, signatures, arguments) is `Json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from kopa_hf.catalog.callables import tool_schema
from kopa_hf.catalog.tool import Tool
from kopa_hf.execution.recorded import ANSWER_COLUMNS, request_of
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.hub.folder import Table

if TYPE_CHECKING:
    from datasets import Features

TOOL_COLUMNS = (
    "name", "platform", "wire", "domain", "title", "description", "read", "fields_complete", "verified", "source"
)  # fmt: skip


def tool_features() -> Features:
    """One row a tool: its signature, the JSON schema that a model is shown, where its request goes."""
    from datasets import Features, Json, List, Value

    plain = {
        name: Value("bool" if name in ("read", "fields_complete", "verified") else "string") for name in TOOL_COLUMNS
    }
    return Features(
        {
            **plain,
            "parameters": List(Json()),
            "fields": List(Json()),
            "paging": Json(),
            "endpoint": Json(),
            "schema": Json(),
        }
    )


def tool_table(tools: Iterable[Tool], *, config: str = "default") -> Table:
    """The catalog's tools by name; `paging` and `endpoint` are objects as in the catalog's files."""
    records = []
    for tool in sorted(tools, key=lambda tool: tool.name):
        values = asdict(tool)
        records.append(
            {
                **{name: values[name] for name in TOOL_COLUMNS},
                "parameters": [_lists(p) for p in values["parameters"]],
                "fields": [_lists(f) for f in values["fields"]],
                "paging": _lists(values["paging"] or {}),
                "endpoint": _lists(values["endpoint"]),
                "schema": tool_schema(tool),
            }
        )
    return Table(config, "train", records, tool_features())


def graph_features() -> Features:
    """One row an edge of the tool graph: prior, posterior, what its executions showed, and the decision."""
    from datasets import Features, Json, List, Value

    numbers = ("score", "similarity", "alpha", "beta", "posterior_mean")
    counts = ("trials", "semantic", "generic", "fresh_executions", "fresh_successes")
    return Features(
        {
            **{
                name: Value("string") for name in ("source", "target", "decision", "backend", "first_time", "last_time")
            },
            **{name: Value("float64") for name in numbers},
            **{name: Value("int64") for name in counts},
            "bindings": List(Json()),
            **{name: List(Value("string")) for name in ("defaults", "clarify")},
            "failures": Json(),
            "failure_classes": Json(),
            "median_cardinality": Value("int64"),
            "max_cardinality": Value("int64"),
        }
    )


def graph_table(records: Sequence[Mapping[str, Any]], *, decision: str | None = None) -> Table:
    """Records of `kopa_hf.edge.records`; with `decision` (kept, pruned, untried) only those of that decision."""
    chosen = [record for record in records if decision in (None, record["decision"])]
    return Table(decision or "default", "train", chosen, graph_features())


def snapshot_features() -> Features:
    """One row a recorded answer: the request, what it meant, and the body as the service sent it."""
    from datasets import Features, Json, Value

    return Features(
        {
            **{name: Value("int64" if name == "status" else "string") for name in ANSWER_COLUMNS},
            "arguments": Json(),
            "body": Value("binary"),
        }
    )


def snapshot_table(snapshot: Snapshot) -> Table:
    """The answers of a snapshot in the order of their requests; a damaged one is an error, never left out."""
    records: list[dict[str, Any]] = []
    for recorded in snapshot:
        asked = request_of(recorded.request)
        values = {name: getattr(recorded, name) for name in ANSWER_COLUMNS}
        records.append({**values, "arguments": asked[1] if asked else {}, "body": recorded.body})
    return Table("default", "train", records, snapshot_features())


def _lists(values: Mapping[str, Any]) -> dict[str, Any]:
    """Tuples as lists: JSON knows no tuples."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
