"""JSON Schema as imported specifications use it, read into parameters and fields.

Only what a signature can say is taken: type, choices, default, a format that we know. The schema itself stays with a
parameter, so that a model reads what its service documents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, cast, get_args

from kopa_hf.catalog.pointer import pointer_parts
from kopa_hf.catalog.tool import Field, JsonType, Parameter
from kopa_hf.errors import DataError
from kopa_hf.values.formats import FORMATS

_TYPES: Final = frozenset(get_args(JsonType))
_DEPTH: Final = 8
"""References followed inside one another; a schema that holds itself ends there as an object."""
_EFFORT: Final = 20_000
"""Schemas that those of one tool may unfold into."""
_DIGITS: Final = re.compile(r"\^(?:\\d|\[0-9\])\{([1-9][0-9]?)\}\$")
_FORMATS: Final = {"date": "YYYY-MM-DD"}
"""Formats of the standard that have one spelling here."""
_SAID_ELSEWHERE: Final = ("description", "title", "default")


class Effort:
    """What schemas may still unfold into; each of ten references to the whole makes ten of one."""

    def __init__(self, left: int = _EFFORT) -> None:
        self.left = left

    def spend(self) -> None:
        """One more part; `DataError` where those are too many."""
        self.left -= 1
        if self.left < 0:
            raise DataError(f"a schema unfolds into more than {_EFFORT:,} parts")


def inlined(schema: Any, root: Mapping[str, Any], depth: int = 0, effort: Effort | None = None) -> Any:
    """The schema with its local references replaced, so that it stands alone; `DataError` where it has no end."""
    effort = Effort() if effort is None else effort
    if isinstance(schema, list):
        return [inlined(item, root, depth, effort) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    effort.spend()
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if depth >= _DEPTH:
            return {"type": "object"}
        target = _pointed(root, reference)
        beside = {name: value for name, value in schema.items() if name != "$ref"}
        return inlined({**target, **beside}, root, depth + 1, effort)
    found = {
        name: inlined(value, root, depth, effort)
        for name, value in schema.items()
        if name not in ("$defs", "definitions", "properties")
    }
    properties = schema.get("properties")
    if isinstance(properties, Mapping):  # names there are not words of the language
        found["properties"] = {name: inlined(value, root, depth, effort) for name, value in properties.items()}
    elif properties is not None:
        found["properties"] = inlined(properties, root, depth, effort)
    return found


def plain(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without the detour that generators write for "may be left out": one choice beside null is that choice."""
    for word in ("anyOf", "oneOf", "allOf"):
        choices = schema.get(word)
        if not isinstance(choices, list):
            continue
        real = [c for c in choices if isinstance(c, Mapping) and c.get("type") != "null"]
        if len(real) == 1:
            return plain({**real[0], **{name: value for name, value in schema.items() if name != word}})
    return schema


def type_of(schema: Mapping[str, Any]) -> JsonType:
    """The one type that a signature names: of several the first that is not null; text where none is stated."""
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    for found in kinds:
        if found in _TYPES:
            return cast(JsonType, found)
    for word in ("anyOf", "oneOf", "allOf"):
        for choice in schema.get(word) or ():
            if isinstance(choice, Mapping) and choice.get("type") != "null":
                return type_of(choice)
    if "properties" in schema:
        return "object"
    choices = schema.get("enum") or [schema.get("const")]
    by_value: dict[type, JsonType] = {bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
    return by_value.get(type(choices[0]), "string")


def format_of(schema: Mapping[str, Any], kind: JsonType) -> str | None:
    """A format known to `kopa_hf.values.formats`, or None."""
    if kind in ("integer", "number"):
        return kind
    if kind != "string":
        return None
    named = schema.get("format")
    if isinstance(named, str):
        named = _FORMATS.get(named, named)
        if named in FORMATS or re.fullmatch(r"digits:[1-9][0-9]?", named):
            return named
    pattern = schema.get("pattern")
    digits = _DIGITS.fullmatch(pattern) if isinstance(pattern, str) else None
    return f"digits:{digits[1]}" if digits else None


def parameters_of(schema: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """The inputs that an object's schema documents, in its order."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return ()
    required = schema.get("required")
    required = required if isinstance(required, list) else []
    effort = Effort()
    return tuple(
        parameter_of(name, inlined(found, schema, effort=effort), required=name in required)
        for name, found in properties.items()
        if isinstance(found, Mapping)
    )


def parameter_of(name: str, schema: Mapping[str, Any], **more: Any) -> Parameter:
    """One input of a schema that stands alone; `more`: further attributes of the parameter."""
    schema = plain(schema)
    kind = type_of(schema)
    kept = {word: value for word, value in schema.items() if word not in _SAID_ELSEWHERE}
    return Parameter(
        name=name,
        label=_line(schema.get("title")) or name,
        type=kind,
        description=_line(schema.get("description")),
        format=format_of(schema, kind),
        enum=_choices(schema) if kind == "string" else (),
        default=_default(schema.get("default")),
        schema=json.dumps(
            {**kept, "type": kind}, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
        ),
        **more,
    )


def fields_of(schema: Mapping[str, Any]) -> tuple[Field, ...]:
    """The columns that a record's schema documents, in its order."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return ()
    return tuple(
        Field(
            name=name,
            label=_line(found.get("title")) or _line(found.get("description")) or name,
            type=(kind := type_of(found)),
            format=format_of(found, kind) if kind == "string" else None,
        )
        for name, given in properties.items()
        if isinstance(given, Mapping) and (found := plain(given)) is not None
    )


def _pointed(root: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    """What a local reference (`#/$defs/Name`) points at; an empty schema where nothing is there."""
    found: Any = root
    if not reference.startswith("#"):
        return {}
    for step in filter(None, pointer_parts(reference[1:])):
        found = found.get(step) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _choices(schema: Mapping[str, Any]) -> tuple[str, ...]:
    values = schema.get("enum")
    if values is None and isinstance(schema.get("const"), str):
        values = [schema["const"]]
    values = [value for value in values or () if value is not None] if isinstance(values, list | type(None)) else []
    return tuple(values) if all(isinstance(value, str) and value.strip() for value in values) else ()


def _default(value: Any) -> str | None:
    """A default as it is sent; lists, objects and blank text stay in the schema's words only."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value if value.strip() else None
    return str(value) if isinstance(value, int | float) else None


def _line(text: Any) -> str:
    return one_line(text) if isinstance(text, str) else ""


def one_line(text: str) -> str:
    """Words on one line, without what no line holds."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
