"""A tool as others read it: a JSON schema, or a Python function with signature and docstring."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from kopa_hf.catalog.arguments import choices_text
from kopa_hf.catalog.tool import Parameter, Tool

_PYTHON: Final[dict[str, Any]] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list[dict[str, Any]],
    "object": dict[str, Any],
}

_FORMAT_WORDS: Final = {"integer": "정수", "number": "수"}


def tool_schema(tool: Tool) -> dict[str, Any]:
    """OpenAI/Transformers JSON schema over the inputs; keys and formats are not in it."""
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": f"{tool.title}: {tool.description}",
            "parameters": {
                "type": "object",
                "properties": {p.name: _property(p) for p in _ordered(tool)},
                "required": [p.name for p in tool.inputs if p.required],
            },
        },
    }


def tool_callable(tool: Tool, call: Callable[[str, Mapping[str, Any]], Any]) -> Callable[..., Any]:
    """A function `name(…)` that hands its given arguments to `call(name, arguments)`.

    Signature, annotations and Google docstring carry the tool's, for libraries that read functions.
    """

    def run(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        return call(tool.name, {name: value for name, value in given.items() if value is not None})

    parameters = [_argument(p) for p in _ordered(tool)]
    signature = inspect.Signature(parameters, return_annotation=str)
    run.__name__ = run.__qualname__ = tool.name
    run.__doc__ = docstring(tool)
    run.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": str}
    run.__signature__ = signature  # type: ignore[attr-defined]  # functions take one at run time
    return run


def docstring(tool: Tool) -> str:
    """Google docstring of a tool."""
    lines = [f"{tool.title}: {tool.description}"]
    if tool.inputs:
        lines += ["", "Args:", *(f"    {p.name}: {_one_line(parameter_text(p))}" for p in _ordered(tool))]
    return "\n".join([*lines, "", "Returns:", "    JSON text with the records, or an error."])


def parameter_text(parameter: Parameter) -> str:
    """What a model reads of one parameter: meaning, format, choices."""
    text = parameter.description or parameter.label
    form = _format_text(parameter)
    if form and form not in text:
        text += f" (형식: {form})"
    told = parameter.schema is not None and "가능한 값: " in text  # by a server of ours
    if parameter.enum and not told:
        text += " 가능한 값: " + choices_text(parameter, "={}")
    return text


def _format_text(parameter: Parameter) -> str:
    """The format in words that a model knows; empty where the type says as much."""
    name, _, size = (parameter.format or "").partition(":")
    if name == parameter.type:
        return ""
    return f"{size}자리" if name == "digits" else _FORMAT_WORDS.get(name, name)


def _ordered(tool: Tool) -> list[Parameter]:
    return sorted(tool.inputs, key=lambda p: not p.required)


def _property(parameter: Parameter) -> dict[str, Any]:
    if parameter.schema is not None:
        return {**json.loads(parameter.schema), "description": _one_line(parameter_text(parameter))}
    described: dict[str, Any] = {"type": parameter.type, "description": _one_line(parameter_text(parameter))}
    if parameter.enum:
        described["enum"] = list(parameter.enum)
    if parameter.type == "array":
        described["items"] = {"type": "object"}
    return described


def _argument(parameter: Parameter) -> inspect.Parameter:
    kind = _PYTHON[parameter.type] if parameter.schema is None else _annotated(json.loads(parameter.schema))
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=inspect.Parameter.empty if parameter.required else None,
        annotation=kind if parameter.required else kind | None,
    )


def _annotated(schema: Mapping[str, Any], depth: int = 0) -> Any:
    """The Python type of an imported schema, as precise as readers of signatures understand."""
    kind = schema.get("type")
    if kind == "array":
        items = schema.get("items")
        return list[_annotated(items, depth + 1)] if isinstance(items, Mapping) and depth < 3 else list[Any]  # type: ignore[misc]  # built at run time
    if kind == "object":
        return dict[str, Any]
    return _PYTHON.get(kind, str) if isinstance(kind, str) else (Any if depth else str)


def _one_line(text: str) -> str:
    return " ".join(text.split())
