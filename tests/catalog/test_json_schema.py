"""Schemas of imported specifications, read into parameters and fields; tool lists read into tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kopa_hf.catalog.import_mcp import import_tools, says_it_reads
from kopa_hf.catalog.json_schema import fields_of, inlined, parameter_of, parameters_of, type_of
from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import DataError
from kopa_hf.platforms.mcp import rows_member


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "integer"}, "integer"),
        ({"type": ["null", "number"]}, "number"),
        ({"anyOf": [{"type": "null"}, {"type": "array"}]}, "array"),
        ({"properties": {}}, "object"),
        ({"enum": [1, 2]}, "integer"),
        ({"const": True}, "boolean"),
        ({}, "string"),
        ({"type": "file"}, "string"),
    ],
)
def test_a_type_is_found_wherever_it_stands(schema: dict[str, Any], kind: str) -> None:
    assert type_of(schema) == kind


@pytest.mark.parametrize(
    ("schema", "form"),
    [
        ({"type": "string", "pattern": r"^\d{8}$"}, "digits:8"),
        ({"type": "string", "pattern": "^[0-9]{2}$"}, "digits:2"),
        ({"type": "string", "pattern": "^[0-9]+$"}, None),
        ({"type": "string", "format": "date"}, "YYYY-MM-DD"),
        ({"type": "string", "format": "YYYYMM"}, "YYYYMM"),
        ({"type": "string", "format": "digits:5"}, "digits:5"),
        ({"type": "string", "format": "uri"}, None),
        ({"type": "integer", "format": "int64"}, "integer"),
        ({"type": "boolean"}, None),
    ],
)
def test_a_format_that_we_know_is_taken(schema: dict[str, Any], form: str | None) -> None:
    assert parameter_of("x", schema).format == form


def test_what_a_generator_writes_for_an_optional_value_is_that_value() -> None:
    found = parameter_of(
        "n", {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": None, "title": "N"}
    )
    assert (found.type, found.label, found.default) == ("integer", "N", None)
    assert json.loads(found.schema or "") == {"type": "integer", "minimum": 1}


def test_choices_and_defaults_are_read() -> None:
    found = parameter_of("x", {"type": "string", "enum": ["a", "b"], "default": "b", "description": " one\n line "})
    assert (found.enum, found.default, found.description) == (("a", "b"), "b", "one line")
    assert parameter_of("x", {"type": "boolean", "default": False}).default == "false"
    # choices of numbers stay in the schema, where a model reads them
    assert parameter_of("x", {"type": "integer", "enum": [1, 2]}).enum == ()


def test_references_are_followed_and_one_that_holds_itself_ends() -> None:
    schema = {
        "properties": {"city": {"$ref": "#/$defs/City"}, "definitions": {"type": "string"}},
        "required": ["city"],
        "$defs": {
            "City": {"type": "object", "properties": {"name": {"type": "string"}, "near": {"$ref": "#/$defs/City"}}},
        },
    }
    city, other = parameters_of(schema)
    assert (city.type, city.required, other.name) == ("object", True, "definitions")
    kept = json.loads(city.schema or "")
    assert kept["properties"]["name"] == {"type": "string"}
    assert "$ref" not in json.dumps(kept)
    assert inlined({"$ref": "#/nowhere"}, schema) == {}


def test_columns_have_label_type_and_format() -> None:
    found = fields_of({"properties": {
        "a": {"type": ["integer", "null"], "title": "가"},
        "b": {"anyOf": [{"type": "string", "format": "YYYYMMDD"}, {"type": "null"}], "description": "나"},
        "c": {},
    }})  # fmt: skip
    assert [(f.name, f.label, f.type, f.format) for f in found] == [
        ("a", "가", "integer", None), ("b", "나", "string", "YYYYMMDD"), ("c", "c", "string", None),
    ]  # fmt: skip


def imported(
    *entries: dict[str, Any], taken: tuple[str, ...] = (), left_out: dict[str, str] | None = None
) -> list[Tool]:
    return import_tools(
        "toy", entries, taken=taken, rows_member=rows_member, reads=says_it_reads, source="test", domain="toy",
        left_out=left_out,
    )  # fmt: skip


def columns(output: dict[str, Any]) -> list[str]:
    return [field.name for field in imported({"name": "x", "outputSchema": output})[0].fields]


def test_fields_are_those_of_the_rows_that_answers_are_read_into() -> None:
    row = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    rows = {"type": "array", "items": row}
    assert columns({"properties": {"records": rows, "total": {"type": "integer"}}}) == ["a", "b"]
    assert columns({"properties": {"result": rows}}) == ["a", "b"]
    assert columns({"properties": {"result": row}}) == ["a", "b"]
    assert columns({"properties": {"result": {"type": "string"}}}) == ["result"]
    assert columns({"properties": {"result": {"type": "array", "items": {"type": "string"}}}}) == ["result"]
    assert columns({"properties": {"name": {}, "tags": {"type": "array"}}}) == ["name", "tags"]
    assert columns({"type": "object"}) == []


def test_names_are_made_fit_and_no_two_are_alike() -> None:
    names = [tool.name for tool in imported(
        {"name": "get-weather"}, {"name": "get.weather"}, {"name": "get weather"}, {"name": "7days"}, {"name": "날씨"},
        {"name": "taken"}, {"name": ""}, taken=("taken",),
    )]  # fmt: skip
    assert names == ["get_weather", "toy_get_weather", "toy_get_weather_2", "toy_7days", "toy", "toy_taken"]


@pytest.mark.parametrize(
    ("hints", "reads"),
    [
        ({"readOnlyHint": True}, True),
        ({"readOnlyHint": True, "destructiveHint": True}, False),
        ({"readOnlyHint": "yes"}, False),
        (None, False),
    ],
)
def test_only_a_clear_word_counts_as_reading(hints: Any, reads: bool) -> None:
    assert imported({"name": "x", "annotations": hints})[0].read is reads


def test_a_server_of_ours_tells_how_answers_are_cut_and_another_s_claim_must_fit() -> None:
    schema = {"type": "object", "properties": {"pageNo": {"type": "integer"}, "numOfRows": {"type": "integer"}}}
    told = {"kopa_hf/paging": {"page": "pageNo", "size": "numOfRows", "max_size": 7}}
    tool = imported({"name": "x", "inputSchema": schema, "_meta": told})[0]
    assert tool.paging is not None
    assert (tool.paging.max_size, [p.role for p in tool.parameters]) == (7, ["page", "size"])
    sized = {"page": "pageNo", "size": "numOfRows"}
    lies = ({**sized, "style": 7}, {**sized, "first": "0"}, {**sized, "page": ["pageNo"]}, {**sized, "max_size": True})
    for wrong in ({"page": "nope", "size": "numOfRows"}, {"page": "pageNo"}, "pageNo", *lies):
        assert imported({"name": "x", "inputSchema": schema, "_meta": {"kopa_hf/paging": wrong}})[0].paging is None


def test_a_schema_that_unfolds_without_end_is_refused_and_deep_objects_are_not() -> None:
    # each of ten members is the whole again: 10^8 within the eight references that are followed
    bomb = {"type": "object", "properties": {f"x{n}": {"$ref": "#"} for n in range(10)}}
    for read in (lambda: inlined(bomb, bomb), lambda: parameters_of(bomb)):
        with pytest.raises(DataError, match="unfolds into more than 20,000 parts"):
            read()
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(60):
        deep = {"type": "object", "properties": {"a": deep}}
    assert inlined(deep, deep) == deep


def test_an_entry_that_is_no_tool_is_left_out_with_the_reason_and_the_others_come() -> None:
    def taking(schema: dict[str, Any]) -> dict[str, Any]:
        return {"inputSchema": {"type": "object", "properties": {"a": schema}}}

    bomb = {"type": "object", "properties": {f"x{n}": {"$ref": "#"} for n in range(10)}}
    left_out: dict[str, str] = {}
    tools = imported(
        {"name": "first"}, {"name": "bomb", "inputSchema": bomb}, {"name": "bomb_out", "outputSchema": bomb},
        {"name": "x" * 128}, {"name": "y" * 129}, {"name": "a\nb"}, {"name": "a\u202eb"}, {"name": " "},
        {"name": "first", "title": "another"}, {"name": "typed", **taking({"type": {}})},
        {"name": "choices", **taking({"anyOf": 5})}, {"name": "endless", **taking({"enum": [float("inf")]})},
        {"name": "broken", **taking({"title": "a\ud800"}), "description": "b\ud800"}, {"name": "last"},
        left_out=left_out,
    )  # fmt: skip
    assert [tool.endpoint.operation for tool in tools] == ["first", "x" * 128, "broken", "last"]
    # no line shows a lone surrogate, so it is gone from words
    assert tools[2].description == "b"
    assert {name: why.partition(" (")[0] for name, why in left_out.items()} == {
        "bomb": "a schema unfolds into more than 20,000 parts",
        "bomb_out": "a schema unfolds into more than 20,000 parts",
        "y" * 59 + "…": "its name has 129 characters; the protocol allows 128",
        "a b": "its name holds characters that no line shows",
        "one without a name (5)": "nothing could call it",
        "first": "another tool of the list is called so, and comes first",
        "typed": "its description is damaged",
        "choices": "its description is damaged",
        "endless": "its description is damaged",
    }
