from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.catalog.tool import Field
from kopa_hf.edge.junctions import distinct_values, find_narrowing, junction_kind
from kopa_hf.execution.reduce import Reduction, reduce_records

from .world import make_tool

FUNDS = make_tool(
    "list_funds",
    fields=(
        Field("CODE", "상품코드"),
        Field("NM", "상품명"),
        Field("AMT", "모집 금액", unit="원"),
        Field("DT", "설정일자"),
    ),
)


def funds(count: int) -> list[dict[str, Any]]:
    return [
        {"CODE": f"F{i:02}", "NM": f"{'가나다'[i % 3]}래펀드", "AMT": f"{1000 + 37 * i:,}", "DT": f"2025-{1 + i % 12:02}-{1 + i % 28:02}"}
        for i in range(count)
    ]  # fmt: skip


@pytest.mark.parametrize(("count", "kind"), [(1, "SEQ"), (2, "FAN"), (5, "FAN"), (6, "DRV"), (224_958, "DRV")])
def test_the_number_of_values_types_a_junction(count: int, kind: str) -> None:
    assert junction_kind(count, 5) == kind


def test_no_value_is_no_junction() -> None:
    with pytest.raises(ValueError, match="at least one"):
        junction_kind(0, 5)


def test_blank_cells_are_no_values() -> None:
    records = [{"A": "x"}, {"A": "-"}, {"A": None}, {"A": " "}, {"A": "y"}, {"A": "x"}, {}]
    assert distinct_values(records, "A") == ["x", "y"]


@given(st.integers(6, 60), st.integers(0, 400))
def test_a_narrowing_always_leaves_one_to_phi_values_and_the_tool_agrees(count: int, seed: int) -> None:
    records = funds(count)
    narrowing = find_narrowing(records, FUNDS, "CODE", 5, random.Random(seed))
    assert narrowing is not None
    assert 1 <= len(narrowing.values) <= 5
    reduced = reduce_records(records, Reduction(**narrowing.arguments))
    if narrowing.as_value:
        assert reduced.value == narrowing.values[0]
    else:
        assert tuple(distinct_values(reduced.records, "CODE")) == narrowing.values


def test_every_operation_turns_up() -> None:
    records = [*funds(30), {**funds(1)[0], "AMT": "9"}]
    found = [find_narrowing(records, FUNDS, "CODE", 5, random.Random(seed)) for seed in range(200)]
    kinds = {(n.operation, n.arguments.get("where_op")) for n in found if n is not None}
    assert {
        ("max", None),
        ("min", None),
        ("most_frequent", None),
        ("filter", "ge"),
        ("filter", "le"),
        ("filter", "gt"),
    } <= kinds


def test_pivots_are_values_that_stand_in_the_answer() -> None:
    records = funds(30)
    cells = {str(cell) for record in records for cell in record.values()}
    for seed in range(60):
        narrowing = find_narrowing(records, FUNDS, "CODE", 5, random.Random(seed))
        assert narrowing is not None
        assert narrowing.pivot is None or narrowing.pivot in cells


def test_a_refused_narrowing_is_not_taken() -> None:
    assert find_narrowing(funds(30), FUNDS, "CODE", 5, random.Random(0), lambda n: False) is None
