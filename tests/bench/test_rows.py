"""The row layout: a round trip changes nothing, and what would change is refused."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.bench.rows import (
    COLUMNS,
    RESERVED_COLUMNS,
    Row,
    features,
    row_from_dict,
    row_id,
    row_to_dict,
    toolset_key,
    validate_row,
)
from kopa_hf.errors import DataError


def call(name: str, arguments: dict[str, Any], call_id: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def make_row(**changes: Any) -> Row:
    values: dict[str, Any] = {
        "id": "0123456789abcdef",
        "prompt": [{"role": "system", "content": "도구를 쓰세요."}, {"role": "user", "content": "두 곳의 인구는?"}],
        "completion": [
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [call("a", {"x": 1}, "c1"), call("b", {"y": None, "z": {}, "w": [[1], []]}, "c2")],
            },
            {"role": "tool", "content": '{"records": []}', "tool_call_id": "c1", "name": "a"},
            {"role": "tool", "content": '{"records": [1]}', "tool_call_id": "c2", "name": "b"},
            {"role": "assistant", "content": "005930입니다. \\boxed{005930}"},
        ],
        "tools": [{"type": "function", "function": {"name": "a", "parameters": {}}}, {"type": "function", "e": None}],
        "environment": toolset_key(["a", "b"]),
        "answer": "005930",
        "answer_type": "code",
        "golden_actions": [
            {"name": "a", "arguments": {"x": "01"}, "value_compare_args": ["x"], "step": 1},
            {"name": "b", "arguments": {}, "value_compare_args": [], "step": 1},
        ],
        "program": {"actions": [], "answer": {"$from": "a1", "field": "X"}, "deciding": None},
        "system_state": {"current_date": "2026-01-30"},
        "max_allowed_calls": 5,
        "hops": 1,
        "domain": "finance",
        "platforms": ["dart"],
        "provenance": {"seed": 0, "share": 0.25, "none": None, "empty": {}},
    }
    return Row(**{**values, **changes})


def test_columns_are_the_published_ones_in_order() -> None:
    assert COLUMNS == (
        "id", "prompt", "completion", "tools", "environment", "answer", "answer_type", "answer_unit", "reward_basis",
        "golden_actions", "program", "system_state", "max_allowed_calls", "structure", "hops", "domain", "platforms",
        "version", "license", "provenance",
    )  # fmt: skip
    assert tuple(features()) == COLUMNS
    assert not RESERVED_COLUMNS & set(COLUMNS)


def test_parquet_and_plain_load_dataset_give_back_the_same_row(tmp_path: Path) -> None:
    import datasets

    rows = [make_row(), make_row(id="b", answer="예", answer_type="boolean", golden_actions=[], completion=[])]
    written = datasets.Dataset.from_list([row_to_dict(r) for r in rows], features=features())
    written.to_parquet(str(tmp_path / "test.parquet"))
    loaded = datasets.load_dataset(
        "parquet", data_files={"test": str(tmp_path / "test.parquet")}, split="test", cache_dir=str(tmp_path / "cache")
    )
    assert loaded.features == features()
    assert [row_from_dict(record) for record in loaded] == rows


def test_jsonl_gives_back_the_same_row() -> None:
    from kopa_hf.bench.rows import row_text

    assert row_from_dict(json.loads(row_text(make_row()))) == make_row()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1)
    | st.integers(-(10**9), 10**9).map(lambda n: n / 16) | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc한글_1", max_size=4), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(content=st.dictionaries(st.text("abc한", min_size=1, max_size=3), json_values, max_size=4))
def test_whatever_validation_lets_through_survives_the_json_feature(content: dict[str, Any]) -> None:
    from datasets import Json

    row = make_row(provenance=content)
    try:
        validate_row(row)
    except DataError:
        return
    feature = Json()
    back = feature.decode_example(feature.encode_example(content))
    assert json.dumps(back, sort_keys=True) == json.dumps(content, sort_keys=True)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"system_state": "005930"}, "system_state must be an object"),
        ({"golden_actions": ["005930"]}, "bare string"),
        ({"provenance": {"n": 10**22}}, "64 bits"),
        ({"provenance": {"x": 215.7894736842105}}, "come back changed"),
        ({"provenance": {"x": float("nan")}}, "come back changed"),
        ({"provenance": {"x": -0.0}}, "come back changed"),
        ({"answer_type": "string"}, "answer_type"),
        ({"answer_type": "set", "answer": "서울"}, "JSON array"),
        ({"answer_type": "boolean", "answer": "yes"}, "예 or 아니오"),
        ({"answer_type": "ask", "answer": ""}, "program.terms"),
        ({"reward_basis": []}, "reward_basis"),
        ({"reward_basis": ["ACTION"]}, "reward_basis"),
        ({"prompt": []}, "prompt"),
        ({"prompt": [{"role": "robot", "content": "x"}]}, "role"),
        ({"completion": [{"role": "assistant", "content": None}]}, "content must be text"),
        ({"completion": [{"role": "assistant", "content": "", "tool_calls": [{"name": "a"}]}]}, "function.name"),
        ({"max_allowed_calls": 1}, "below the 2 golden actions"),
        ({"max_allowed_calls": True}, "integer"),
        ({"golden_actions": [{"name": "a"}]}, "ill-typed arguments"),
        ({"answer": 5930}, "answer must be text"),
    ],
)
def test_a_row_outside_the_layout_is_refused_with_the_reason(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        validate_row(make_row(**changes))


def test_missing_and_unknown_columns_are_named() -> None:
    record = row_to_dict(make_row())
    del record["hops"]
    record["messages"] = []
    with pytest.raises(DataError, match="unknown: messages; missing: hops"):
        row_from_dict(record)


def test_the_id_follows_what_is_asked_and_scored_and_nothing_else() -> None:
    row = make_row()
    same = dataclasses.replace(row, completion=[], provenance={"other": 1}, version="9", id="zzz")
    assert row_id(row) == row_id(same)
    assert row_id(dataclasses.replace(row, answer="5930")) != row_id(row)
    assert row_id(dataclasses.replace(row, tools=row.tools[:1])) != row_id(row)
    assert len(row_id(row)) == 16


def test_a_toolset_key_ignores_order_and_repeats() -> None:
    assert toolset_key(["b", "a", "a"]) == toolset_key(["a", "b"])
    assert toolset_key(["a"]) != toolset_key(["a", "b"])
