"""A tool as models and trainers read it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from typing import Any

import pytest

from kopa_hf.catalog.callables import parameter_text, tool_callable, tool_schema
from kopa_hf.catalog.local import local_tools
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Parameter, Tool

EVERY = (*load_catalog(), *local_tools())


def echo(name: str, arguments: Mapping[str, Any]) -> str:
    return json.dumps([name, dict(arguments)], ensure_ascii=False)


def function(name: str) -> Any:
    return tool_callable(load_catalog().get(name), echo)


def test_a_schema_holds_the_inputs_and_nothing_of_the_wire() -> None:
    schema = tool_schema(load_catalog().get("get_dart_employees"))
    body = schema["function"]
    assert schema["type"] == "function"
    assert body["name"] == "get_dart_employees"
    assert list(body["parameters"]["properties"]) == ["corp_code", "bsns_year", "reprt_code"]
    assert body["parameters"]["required"] == ["corp_code", "bsns_year", "reprt_code"]
    assert body["parameters"]["properties"]["reprt_code"]["enum"] == ["11013", "11012", "11014", "11011"]
    assert "11011=사업보고서" in body["parameters"]["properties"]["reprt_code"]["description"]


def test_no_schema_shows_a_key_or_a_format() -> None:
    for tool in EVERY:
        shown = tool_schema(tool)["function"]["parameters"]["properties"]
        assert not {p.name for p in tool.parameters if p.role in ("key", "format")} & set(shown), tool.name
        assert set(tool_schema(tool)["function"]["parameters"]["required"]) <= set(shown), tool.name


def test_schemas_survive_json_with_raw_hangul() -> None:
    for tool in EVERY:
        schema = tool_schema(tool)
        assert json.loads(json.dumps(schema, ensure_ascii=False)) == schema
        assert "\n" not in schema["function"]["description"]


@pytest.mark.parametrize(
    ("parameter", "text"),
    [
        (Parameter("a", "회사명"), "회사명"),
        (Parameter("a", "고유번호", format="digits:8"), "고유번호 (형식: 8자리)"),
        (Parameter("a", "고유번호", description="고유번호 8자리.", format="digits:8"), "고유번호 8자리."),
        (Parameter("a", "기준일", format="YYYYMMDD"), "기준일 (형식: YYYYMMDD)"),
        (Parameter("a", "대수", format="integer"), "대수 (형식: 정수)"),
        (Parameter("a", "쪽", type="integer", format="integer"), "쪽"),
        (Parameter("a", "시장", enum=("Y", "K"), enum_labels=("유가증권", "")), "시장 가능한 값: Y=유가증권, K"),
    ],
)
def test_a_parameter_reads_as_meaning_format_and_choices(parameter: Parameter, text: str) -> None:
    assert parameter_text(parameter) == text


def test_a_callable_hands_over_what_it_was_given() -> None:
    search = function("search_dart_disclosures")
    assert json.loads(search(corp_code="00123456", page_no=2)) == [
        "search_dart_disclosures",
        {"corp_code": "00123456", "page_no": 2},
    ]
    assert json.loads(search("00123456", bgn_de=None)) == ["search_dart_disclosures", {"corp_code": "00123456"}]


def test_a_callable_refuses_names_it_lacks_and_missing_ones() -> None:
    employees = function("get_dart_employees")
    with pytest.raises(TypeError, match="bsns_year"):
        employees(corp_code="00123456")
    with pytest.raises(TypeError, match="crtfc_key"):
        employees("00123456", "2024", "11011", crtfc_key="x")


def test_the_signature_lists_required_inputs_first() -> None:
    signature = inspect.signature(function("list_assembly_member_plenary_votes"))
    required = [p.default is inspect.Parameter.empty for p in signature.parameters.values()]
    assert list(signature.parameters)[:2] == ["BILL_ID", "AGE"]
    assert required == sorted(required, reverse=True)
    assert signature.parameters["AGE"].annotation is str
    assert signature.parameters["pIndex"].annotation == int | None
    assert signature.return_annotation is str


def test_the_docstring_names_every_input_on_one_line() -> None:
    for tool in EVERY:
        lines = (tool_callable(tool, echo).__doc__ or "").split("\n")
        documented = [line.split(":")[0].strip() for line in lines if line.startswith("    ") and ":" in line]
        ordered = sorted(tool.inputs, key=lambda p: not p.required)
        assert documented == [p.name for p in ordered], tool.name


def test_callables_of_two_tools_are_apart() -> None:
    first, second = function("get_dart_employees"), function("get_dart_executives")
    assert (first.__name__, second.__name__) == ("get_dart_employees", "get_dart_executives")
    assert json.loads(first("00123456", "2024", "11011"))[0] == "get_dart_employees"


@pytest.mark.slow
def test_transformers_reads_the_same_schema_from_the_callable() -> None:
    utils = pytest.importorskip("transformers.utils")

    def shown(tool: Tool) -> tuple[dict[str, Any], dict[str, Any]]:
        return utils.get_json_schema(tool_callable(tool, echo))["function"], tool_schema(tool)["function"]

    for tool in EVERY:
        read, ours = shown(tool)
        assert (read["name"], read["description"]) == (ours["name"], ours["description"])
        assert list(read["parameters"]["properties"]) == list(ours["parameters"]["properties"]), tool.name
        assert read["parameters"].get("required", []) == ours["parameters"]["required"], tool.name
        for name, described in ours["parameters"]["properties"].items():
            there = read["parameters"]["properties"][name]
            assert (there["type"], there["description"]) == (described["type"], described["description"]), tool.name
