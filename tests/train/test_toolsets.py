"""Environment classes: the catalog's signatures as methods, and nothing else in public."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from kopa_hf.bench.rows import Row, row_to_dict
from kopa_hf.catalog.callables import tool_schema
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.errors import DataError
from kopa_hf.hub.loading import embedded_rows
from kopa_hf.train.toolsets import build_toolsets
from tests.hub.rows import hard_rows


def records(rows: tuple[Row, ...]) -> list[dict[str, Any]]:
    return [row_to_dict(row) for row in rows]


def public_methods(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, predicate=inspect.isfunction) if not name.startswith("_")}


def test_a_class_offers_the_tools_of_its_rows_and_reset_only() -> None:
    rows = embedded_rows()
    toolsets = build_toolsets(records(rows))
    assert set(toolsets) == {row.environment for row in rows}
    for row in rows:
        offered = {tool["function"]["name"] for tool in row.tools}
        assert public_methods(toolsets[row.environment]) == offered | {"reset"}
        assert not hasattr(toolsets[row.environment], "get_reward")


def test_equal_toolsets_share_one_class() -> None:
    rows = hard_rows()
    assert build_toolsets(records(rows)) == build_toolsets(records(rows))


def test_transformers_reads_the_same_schema_from_the_method_as_the_catalog_gives() -> None:
    utils = pytest.importorskip("transformers.utils", reason="extra `train` is not installed")
    for kind in build_toolsets(records(embedded_rows())).values():
        environment = kind()
        for name in public_methods(kind) - {"reset"}:
            read = utils.get_json_schema(getattr(environment, name))["function"]
            own = tool_schema(load_catalog().get(name))["function"]
            assert read["name"] == own["name"]
            assert list(read["parameters"]["properties"]) == list(own["parameters"]["properties"])
            assert read["parameters"].get("required", []) == own["parameters"].get("required", [])


def test_wrong_arguments_reach_the_episode_and_count() -> None:
    row = hard_rows()[0]
    environment = build_toolsets(records((row,)))[row.environment]()
    environment.reset(**{k: v for k, v in row_to_dict(row).items() if k != "environment"})
    text = environment.evaluate_expression(formula="1+1")  # type: ignore[attr-defined]
    assert "bad_param" in text
    assert "expression" in text
    session = environment._session
    assert session is not None
    assert [call.name for call in session.calls] == ["evaluate_expression"]


def test_a_pooled_environment_starts_clean() -> None:
    row = hard_rows()[2]
    environment = build_toolsets(records((row,)))[row.environment]()
    hashes = []
    for _ in range(2):
        environment.reset(**{k: v for k, v in row_to_dict(row).items() if k != "environment"})
        environment.save_table(name="코드표", rows=[{"종목": "005930"}])  # type: ignore[attr-defined]
        session = environment._session
        assert session is not None
        hashes.append(session.episode.state_hash())
    assert hashes[0] == hashes[1] == row.program["state_hash"]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"environment": ""}, "names no toolset"),
        ({"tools": []}, "names no toolset"),
        ({"tools": [{"type": "function", "function": {"name": "no_such_tool"}}]}, "no_such_tool"),
    ],
)
def test_a_row_that_cannot_be_offered_is_a_data_error(change: dict[str, Any], word: str) -> None:
    record = {**row_to_dict(hard_rows()[0]), **change}
    with pytest.raises(DataError, match=word):
        build_toolsets([record])


def test_one_key_for_two_sets_of_tools_is_a_data_error() -> None:
    first, second = (row_to_dict(row) for row in hard_rows()[:2])
    with pytest.raises(DataError, match="different tools"):
        build_toolsets([first, {**second, "environment": first["environment"]}])
