"""Drift between two snapshots, on answers whose differences are known by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.rows import Row
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.graph import Binding, Edge, ToolGraph
from kopa_hf.edge.touched import touched_edges, touched_rows
from kopa_hf.errors import DataError
from kopa_hf.execution.drift import Drift, ToolDrift, changed_fields, compare_snapshots
from kopa_hf.execution.recorded import Failed, Recorded
from kopa_hf.execution.snapshot import Snapshot
from tests.execution.snapshots import answer, failed, make

BILLS = "search_assembly_bills"


def body(*rows: dict[str, Any], total: int | None = None, clock: str = "") -> bytes:
    """A body of the Assembly's portal, with a field beside the rows that changes at every call."""
    head = [
        {"list_total_count": len(rows) if total is None else total},
        {"RESULT": {"CODE": "INFO-000", "MESSAGE": clock}},
    ]
    return json.dumps({"TVBPMBILL11": [{"head": head}, {"row": list(rows)}]}).encode()


NO_DATA = json.dumps({"RESULT": {"CODE": "INFO-200", "MESSAGE": "해당하는 데이터가 없습니다."}}).encode()


def drift(tmp_path: Path, before: list[Recorded], after: list[Recorded], failures: list[Failed] | None = None) -> Drift:
    first = make(tmp_path / "first.kopa", before)
    second = make(tmp_path / "second.kopa", after, failures or [])
    with Snapshot(first) as one, Snapshot(second) as two:
        return compare_snapshots(one, two)


def test_equal_snapshots_do_not_drift_whatever_the_clock_in_the_bytes_says(tmp_path: Path) -> None:
    before = [answer(1, body=body({"A": "1"}, clock="9:00")), answer(2), answer(3, body=NO_DATA, outcome="no_data")]
    after = [answer(1, body=body({"A": "1"}, clock="9:01")), *before[1:]]
    found = drift(tmp_path, before, after)
    assert found.tools == {BILLS: ToolDrift(BILLS, shared=3, same=3)}
    assert (found.drifted, found.changed) == ([], {})


def test_values_rows_and_totals_are_counted_per_tool(tmp_path: Path) -> None:
    before = [answer(1, body=body({"A": "1", "B": "x"}, {"A": "2", "B": "y"}, {"A": "3", "B": "z"})),
              answer(2, body=body({"A": "1", "B": "x"}))]  # fmt: skip
    after = [answer(1, body=body({"A": "3", "B": "z"}, {"A": "9", "B": "x"}, {"A": "2", "B": "y"}, total=7)), before[1]]
    tool = drift(tmp_path, before, after).tools[BILLS]
    assert (tool.shared, tool.same, tool.totals) == (2, 1, 1)
    assert (tool.rows_gone, tool.rows_new, tool.values) == (1, 1, {"A": 1})
    assert tool.kinds_of_drift == ("values",)


def test_fields_that_came_and_went_and_changed_their_kind_are_named(tmp_path: Path) -> None:
    before = [answer(1, body=body({"A": "1", "GONE": "x", "N": "7", "BLANK": None}))]
    after = [answer(1, body=body({"A": "1", "NEW": "x", "N": 7, "BLANK": "now"}))]
    tool = drift(tmp_path, before, after).tools[BILLS]
    assert (tool.fields_gone, tool.fields_new, tool.kinds) == (("GONE",), ("NEW",), {"N": ("text", "number")})
    assert tool.kinds_of_drift == ("schema", "values")


def test_a_field_that_another_answer_still_has_is_not_gone(tmp_path: Path) -> None:
    kept = answer(2, body=body({"A": "1", "RARE": "x"}))
    found = drift(
        tmp_path, [answer(1, body=body({"A": "1", "RARE": "y"})), kept], [answer(1, body=body({"A": "1"})), kept]
    )
    tool = found.tools[BILLS]
    assert (tool.fields_gone, tool.values) == ((), {"RARE": 1})


def test_availability_tells_failing_from_never_asked(tmp_path: Path) -> None:
    before = [answer(number, body=body({"A": str(number)})) for number in (1, 2, 3, 4)]
    after = [before[0], answer(2, body=NO_DATA, outcome="no_data"), answer(9)]
    found = drift(tmp_path, before, after, [failed(3, outcome="server", failure="environmental"), failed(20)])
    tool = found.tools[BILLS]
    assert (tool.shared, tool.same, tool.emptied, tool.filled) == (2, 1, 1, 0)
    assert (tool.failed, tool.unasked, tool.added, tool.unavailable) == ({"server": 1}, 1, 1, False)
    assert found.changed == {before[1].request: "availability", before[2].request: "availability"}
    assert tool.fields_gone == (), "an empty answer says nothing about fields"
    assert tool.kinds_of_drift == ("availability", "values")


def test_a_tool_that_fails_at_every_request_is_unavailable(tmp_path: Path) -> None:
    found = drift(tmp_path, [answer(1), answer(2)], [], [failed(1), failed(2)])
    assert found.tools[BILLS].unavailable
    assert found.tools[BILLS].failed == {"bad_param": 2}


def test_another_description_of_a_tool_is_drift_too(tmp_path: Path) -> None:
    found = drift(tmp_path, [answer(1)], [answer(1, signature="1" * 16)])
    assert [tool.kinds_of_drift for tool in found.drifted] == [("signature",)]


@pytest.mark.parametrize(
    ("before", "after", "fields"),
    [
        ([{"A": 1}, {"A": 2}], [{"A": 2}, {"A": 1}], []),
        ([{"A": 1}], [{"A": "1"}], ["A"]),
        ([{"A": 1}], [{}], ["A"]),
        ([{"A": None}], [{}], ["A"]),
        ([{"A": 1, "B": [1]}, {"A": 1, "B": [1]}], [{"A": 1, "B": [1]}], ["A", "B"]),
    ],
)
def test_values_are_compared_whatever_their_order(before: Any, after: Any, fields: list[str]) -> None:
    assert changed_fields(before, after) == fields


def edge(source: str, target: str, *fields: str) -> Edge:
    bindings = tuple(Binding("BILL_ID", name, 0.9) for name in fields)
    return Edge(source, target, 0.9, 0.9, bindings, (), (), 1.0, 1.0)


def test_edges_on_a_lost_field_are_broken_and_on_changed_values_worn() -> None:
    graph = ToolGraph(EdgeConfig.make("demo"))
    for name in ("a", "b", "c", "d"):
        graph.digraph.add_node(name)
    for one in (
        edge("a", "b", "GONE"),
        edge("a", "c", "OTHER"),
        edge("a", "d", "FINE"),
        edge("b", "d", "X"),
        edge("c", "d", "Y"),
    ):
        graph.digraph.add_edge(one.source, one.target, edge=one)
    found = Drift(
        {
            "a": ToolDrift("a", shared=5, same=3, fields_gone=("GONE",), values={"OTHER": 2}),
            "b": ToolDrift("b", failed={"unknown_operation": 2}),
        }
    )
    touched = touched_edges(graph, found)
    assert [(one.name, one.broken, one.reasons) for one in touched] == [
        ("a -> b", True, ("b fails: unknown_operation", "GONE is gone")),
        ("a -> c", False, ("OTHER has other values in 2 answers",)),
        ("b -> d", True, ("b fails: unknown_operation",)),
    ]


def test_a_task_is_touched_where_its_own_calls_are(tmp_path: Path) -> None:
    def row(page: int) -> Row:
        return Row(
            id=f"row-{page}", prompt=[], completion=[], tools=[], environment="", answer="", answer_type="number",
            golden_actions=[{"name": BILLS, "arguments": {"AGE": "22", "pIndex": page}}, {"name": "evaluate_expression", "arguments": {}}],
            provenance={"task": f"page {page}"},
        )  # fmt: skip

    rows = [row(2), row(3), row(4), row(5)]
    before = [answer(number, body=body({"A": str(number)})) for number in (1, 2, 3)]
    after = [before[0], answer(2, body=body({"A": "other"}))]
    found = drift(tmp_path, before, after, [failed(3)])
    assert [(one.name, one.broken) for one in touched_rows(rows, found, load_catalog())] == [
        ("page 3", False), ("page 4", True),
    ]  # fmt: skip
    found.tools[BILLS].fields_gone = ("A",)
    assert len(touched_rows(rows, found, load_catalog())) == 4, "a lost field may be what a task reads"


def test_real_answers_are_not_compared_with_invented_ones(tmp_path: Path) -> None:
    paths = {origin: make(tmp_path / origin, [answer(1)], origin=origin) for origin in ("live", "via", "sandbox")}
    for one, other in (("live", "via"), ("sandbox", "live"), ("via", "sandbox"), ("live", "live")):
        with Snapshot(paths[one]) as first, Snapshot(paths[other]) as second:
            if (one, other) in (("via", "sandbox"), ("live", "live")):
                assert compare_snapshots(first, second).drifted == []
            else:
                with pytest.raises(DataError, match="not compared"):
                    compare_snapshots(first, second)
