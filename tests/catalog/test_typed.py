"""Booleans, lists and objects of imported services: one text on the way, the same value at the end."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.catalog.arguments import bind_arguments
from kopa_hf.catalog.callables import tool_callable, tool_schema
from kopa_hf.catalog.tool import Endpoint, Parameter, Tool
from kopa_hf.catalog.typed import listed_values, structured_text, typed_value
from kopa_hf.errors import ArgumentError
from kopa_hf.values import ValueFailure

NESTED = '{"items":{"properties":{"code":{"type":"integer"}},"type":"object"},"type":"array"}'
TOOL = Tool(
    "send_gasang", "gasang", "mcp", "custom", "가상", "가상의 일을 한다.", Endpoint("mcp://gasang/send"),
    (
        Parameter("open", "open", type="boolean"),
        Parameter("rows", "rows", type="array", schema=NESTED, description="행의 목록"),
        Parameter("places", "places", type="array", separator=",", format="digits:2"),
        Parameter("filter", "filter", type="object"),
        Parameter("size", "size", type="integer", format="integer", schema='{"type":"integer","minimum":1}'),
        Parameter("share", "share", type="number", format="number"),
        Parameter("text", "text", schema='{"type":"string"}'),
    ),
)  # fmt: skip


def bound(**arguments: Any) -> dict[str, str]:
    return bind_arguments(TOOL, arguments).values


def test_structured_values_become_canonical_text() -> None:
    given_values = {"open": True, "rows": [{"b": 1, "a": "가"}], "filter": {"z": None, "a": [1.5]}, "size": 3}
    assert bound(**given_values) == {
        "open": "true",
        "rows": '[{"a":"가","b":1}]',
        "filter": '{"a":[1.5],"z":null}',
        "size": "3",
    }


def test_a_model_that_writes_json_as_text_is_understood() -> None:
    assert bound(open="False", rows='[{"a": 1}]') == {"open": "false", "rows": '[{"a":1}]'}


def test_a_list_under_a_separator_is_joined_in_the_values_format() -> None:
    assert bound(places=[1, "02", 30]) == {"places": "01,02,30"}
    assert bound(places="01,02") == {"places": "01,02"}


def test_text_of_an_imported_service_is_sent_as_it_is() -> None:
    assert bound(text="  줄 1\n\n줄 2 ") == {"text": "  줄 1\n\n줄 2 "}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("open", 1, "expected true or false, got int"),
        ("open", "네", "expected true or false, got str"),
        ("rows", {"a": 1}, "expected a list, got dict"),
        ("rows", "여러 행", "text that is no JSON"),
        ("filter", [1], "expected an object, got list"),
        ("places", [{"a": 1}], "joined with ','"),
        ("rows", [float("nan")], "cannot be written as JSON"),
        ("size", True, "expected integer, got bool"),
    ],
)
def test_a_value_of_another_type_is_refused_by_name(name: str, value: Any, words: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        bound(**{name: value})
    assert caught.value.problems[0].startswith(f"{name}: ")
    assert words in caught.value.problems[0]


def test_a_value_that_holds_the_separator_is_refused() -> None:
    with pytest.raises(ValueFailure, match="separates values"):
        structured_text(Parameter("a", "a", type="array", separator="|"), ["x|y", "z"])


def holding(kind: str) -> Parameter:
    return Parameter("a", "a", type="array", separator=",", schema=f'{{"items":{{"type":"{kind}"}},"type":"array"}}')


@pytest.mark.parametrize(
    ("kind", "value", "text", "values"),
    [
        ("integer", [1, "2", 3.0], "1,2,3", [1, 2, 3]),
        ("integer", "1, 2,,3", "1,2,3", [1, 2, 3]),
        ("integer", ["007", "-0"], "7,0", [7, 0]),
        ("number", [0.5, "1.50", 2], "0.5,1.5,2", [0.5, 1.5, 2]),
        ("boolean", [True, "True", "FALSE"], "true,true,false", [True, True, False]),
        ("string", [1, "x", True], "1,x,true", ["1", "x", "true"]),
    ],
)
def test_joined_values_are_of_the_lists_type(kind: str, value: Any, text: str, values: list[Any]) -> None:
    assert structured_text(holding(kind), value) == text
    assert listed_values(holding(kind), text) == values
    assert [type(one) for one in listed_values(holding(kind), text)] == [type(one) for one in values]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("integer", ["abc"]), ("integer", [True, "True"]), ("integer", "1,x"), ("integer", [1.5]), ("integer", ["1.5"]),
        ("number", ["NaN"]), ("number", [float("inf")]), ("boolean", [1]), ("boolean", "true,1"), ("boolean", ["yes"]),
    ],
)  # fmt: skip
def test_joined_values_of_another_type_are_refused(kind: str, value: Any) -> None:
    with pytest.raises(ValueFailure):
        structured_text(holding(kind), value)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(_JSON, max_size=4))
def test_lists_come_back_as_they_went(value: list[Any]) -> None:
    parameter = Parameter("a", "a", type="array")
    assert typed_value(parameter, structured_text(parameter, value)) == value


def test_numbers_come_back_typed() -> None:
    values = bound(size="1,200", share=0.25)
    assert {n: typed_value(p, values[n]) for n in values if (p := TOOL.parameter(n))} == {"size": 1200, "share": 0.25}
    assert isinstance(typed_value(Parameter("n", "n", type="number"), "4"), int)


def test_a_model_reads_the_documented_schema() -> None:
    shown = tool_schema(TOOL)["function"]["parameters"]["properties"]
    assert shown["rows"] == {**json.loads(NESTED), "description": "행의 목록"}
    assert shown["size"]["minimum"] == 1
    signature = inspect.signature(tool_callable(TOOL, lambda name, arguments: ""))
    assert signature.parameters["rows"].annotation == list[dict[str, Any]] | None
    assert signature.parameters["size"].annotation == int | None
