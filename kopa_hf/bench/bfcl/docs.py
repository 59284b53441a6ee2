"""Function documents as a model is shown them: the language hint, the types of JSON Schema, names an API takes."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kopa_hf.bench.bfcl.categories import Language
from kopa_hf.bench.bfcl.strict import offered_name

JSON_TYPES: Final[Mapping[str, str]] = {
    "integer": "integer", "number": "number", "float": "number", "string": "string", "boolean": "boolean",
    "bool": "boolean", "array": "array", "list": "array", "dict": "object", "object": "object", "tuple": "array",
    "any": "string", "byte": "integer", "short": "integer", "long": "integer", "double": "number", "char": "string",
    "ArrayList": "array", "Array": "array", "HashMap": "object", "Hashtable": "object", "Queue": "array",
    "Stack": "array", "Any": "string", "String": "string", "Bigint": "integer",
}  # fmt: skip
"""BFCL's type words → JSON Schema; any other word is a string."""

_SYNTAX: Final = {"java": "Java 8 SDK", "javascript": "JavaScript", "python": "Python 3"}
_WORD: Final = {"java": "Java", "javascript": "JavaScript"}


def hinted(functions: Sequence[Mapping[str, Any]], language: Language) -> list[dict[str, Any]]:
    """The documents with the leaderboard's hints: which syntax, and in Java and JavaScript every value as text."""
    shown = copy.deepcopy([dict(function) for function in functions])
    for function in shown:
        function["description"] += f" Note that the provided function is in {_SYNTAX[language]} syntax."
        if language != "python":
            for detail in function["parameters"]["properties"].values():
                _as_text(detail, language)
    return shown


def _as_text(detail: dict[str, Any], language: Language) -> None:
    kind, word = detail["type"], _WORD[language]
    said = (
        f" This parameter can be of any type of {word} object in string representation."
        if kind == "any"
        else f" This is {word} {kind} type parameter in string representation."
    )
    if kind in (("ArrayList", "Array") if language == "java" else ("array",)):
        inner = detail.pop("items")["type"]
        said += f" The list elements are of type {inner}; they are not in string representation."
    if language == "javascript" and kind == "dict" and "properties" in detail:
        entries = json.dumps(detail.pop("properties"))
        said += f" The dictionary entries have the following schema; they are not in string representation. {entries}"
    detail["description"] += said
    detail["type"] = "string"


def tool_schemas(
    functions: Sequence[Mapping[str, Any]], language: Language, *, hints: bool = True
) -> list[dict[str, Any]]:
    """OpenAI-style tools for a chat endpoint: hints, JSON types, "_" for the dots that names may not have."""
    tools = []
    shown = hinted(functions, language) if hints else copy.deepcopy([dict(function) for function in functions])
    for function in shown:
        function["name"] = offered_name(function["name"], underscored=True)
        function["parameters"]["type"] = "object"
        _convert(function["parameters"]["properties"])
        tools.append({"type": "function", "function": function})
    return tools


def _convert(properties: Mapping[str, dict[str, Any]]) -> None:
    for detail in properties.values():
        kind = detail.get("type", "string")
        if kind == "float":
            detail["format"] = "float"
            detail["description"] = detail.get("description", "") + " This is a float type value."
        _convert_one(detail, kind)


def _convert_one(detail: dict[str, Any], kind: str) -> None:
    """One type and all below it; the official conversion stops two lists down, where the data stops, too."""
    detail["type"] = JSON_TYPES.get(kind, "string")
    if "properties" in detail and detail["type"] == "object":
        _convert(detail["properties"])
    items = detail.get("items")
    if isinstance(items, dict) and detail["type"] == "array":
        _convert_one(items, items.get("type", "string"))
