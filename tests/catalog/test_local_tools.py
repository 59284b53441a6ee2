"""Signatures of the tools that run inside an episode."""

from __future__ import annotations

import re

from kopa_hf import load_catalog, local_tools


def test_local_tools_are_named_and_never_counted() -> None:
    assert [tool.name for tool in local_tools()] == [
        "evaluate_expression",
        "get_current_date",
        "collect_pages",
        "reduce_records",
        "save_table",
        "request_api_key",
    ]
    assert {(tool.platform, tool.wire, tool.domain) for tool in local_tools()} == {("local", "local", "local")}
    assert not {tool.name for tool in local_tools()} & {tool.name for tool in load_catalog()}
    assert "local" not in load_catalog().stats()["platforms"]


def test_only_the_two_that_write_are_marked_so() -> None:
    assert [tool.name for tool in local_tools() if not tool.read] == ["save_table", "request_api_key"]


def test_every_input_is_described_in_korean_and_choices_are_explained() -> None:
    for tool in local_tools():
        assert re.search("[가-힣]", tool.description)
        for parameter in tool.inputs:
            assert re.search("[가-힣]", parameter.description), (tool.name, parameter.name)
            assert len(parameter.enum_labels) in (0, len(parameter.enum))


def test_a_key_can_be_requested_for_each_of_the_ten_platforms() -> None:
    platform = load_catalog().get("request_api_key").parameter("platform")
    assert platform is not None
    assert len(platform.enum) == 10
    assert set(load_catalog().platforms()) <= set(platform.enum)


def test_every_operation_of_a_reduction_has_a_meaning() -> None:
    operation = load_catalog().get("reduce_records").parameter("operation")
    assert operation is not None
    assert {"count", "sum", "mean", "max", "min", "most_frequent", "filter", "group_count", "group_sum"} <= set(
        operation.enum
    )
    assert all(operation.enum_labels)
