"""Our tools as an MCP client reads them: schemas of inputs and outputs, hints, and what the protocol has no word for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kopa_hf.catalog.callables import tool_schema
from kopa_hf.catalog.import_mcp import PAGING
from kopa_hf.catalog.tool import Field, Parameter, Tool

if TYPE_CHECKING:
    from mcp.types import Tool as ListedTool


def listed_tool(tool: Tool, *, typed: bool) -> ListedTool:
    """A tool as an entry of tools/list.

    `typed`: name the types of output columns. Clients refuse answers that break them, so that is for
    answers that keep the catalog's word (the sandbox); live services send what they like.
    """
    import dataclasses

    from mcp.types import Tool as ListedTool
    from mcp.types import ToolAnnotations

    shown = tool_schema(tool)["function"]
    for parameter in tool.inputs:
        shown["parameters"]["properties"][parameter.name] |= _further(parameter)
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=shown["description"],
        input_schema=shown["parameters"],
        output_schema=_output(tool, typed) if tool.fields and tool.platform != "local" else None,
        annotations=ToolAnnotations(
            title=tool.title, read_only_hint=tool.read, open_world_hint=False if typed else None
        ),
        _meta=None if tool.paging is None else {PAGING: dataclasses.asdict(tool.paging)},
    )


def _further(parameter: Parameter) -> dict[str, Any]:
    """What a description only tells in words: label, format, default."""
    told: dict[str, Any] = {"title": parameter.label}
    if parameter.format and parameter.format != parameter.type:
        told["format"] = parameter.format
    if parameter.default is not None:
        told["default"] = int(parameter.default) if parameter.type == "integer" else parameter.default
    return told


def _output(tool: Tool, typed: bool) -> dict[str, Any]:
    """The frame that every answer has, and the columns of its records."""
    columns = {field.name: _column(field, typed) for field in tool.fields}
    by_cursor = tool.paging is not None and tool.paging.style == "cursor"
    return {
        "type": "object",
        "properties": {
            "records": {"type": "array", "items": {"type": "object", "properties": columns}},
            "result_id": {"type": "string", "description": "앞선 결과를 가리키는 번호"},
            "total": {"type": ["integer", "null"], "description": "모든 쪽의 행 수"},
            "next_page": {"type": ["integer", "null"], "description": "다음 쪽 번호"},
            **({"next_cursor": {"type": "string", "description": "다음 쪽을 가리키는 값"}} if by_cursor else {}),
            "truncated": {"type": "boolean"},
            "source": {"type": "string"},
        },
    }


def _column(field: Field, typed: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"title": field.label}
    if typed:
        told["type"] = [field.type, "null"]
    if field.format and field.format != field.type:
        told["format"] = field.format
    return told
