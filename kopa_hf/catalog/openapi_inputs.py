"""The inputs of an operation: what path, query, header, cookie and body take, as the parameters of a tool."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from kopa_hf.catalog.json_schema import type_of
from kopa_hf.catalog.openapi_bodies import Bodies, Body, Labelled
from kopa_hf.catalog.openapi_document import Document
from kopa_hf.catalog.openapi_parameters import SWAGGER_STYLES, Maker, leave_out, listed, sendable
from kopa_hf.catalog.openapi_schemas import Schema, Schemas
from kopa_hf.catalog.tool import Location, Parameter, Style

_HEADERS_OF_OURS: Final = frozenset({"accept", "content-type", "authorization"})
"""Headers that a description may not describe; the adapter writes them."""
_HEADERS_OF_THE_WIRE: Final = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "cookie", "upgrade", "te", "trailer", "expect",
     "proxy-authorization", "user-agent"}
)  # fmt: skip
_PLACEHOLDER: Final = re.compile(r"\{([^{}/]+)\}")


class Inputs:
    """Reads the inputs of one document's operations."""

    def __init__(self, document: Document, schemas: Schemas) -> None:
        self._document = document
        self._schemas = schemas
        self._maker = Maker(schemas)
        self._bodies = Bodies(document, schemas, self._maker)

    def read(
        self, path: str, method: str, item: Mapping[str, Any], operation: Mapping[str, Any], labelled: Labelled
    ) -> tuple[tuple[Parameter, ...], Body, list[str]]:
        """(parameters, how a body is written, what was left out); `UnsupportedError` where the operation cannot be called."""
        told: dict[tuple[str, str], Schema] = {}
        for part in (*listed(item.get("parameters")), *listed(operation.get("parameters"))):
            found = self._document.follow(part)
            if isinstance(found.get("name"), str) and isinstance(found.get("in"), str):
                told[found["name"], found["in"]] = found
        notes: list[str] = []
        inputs: list[Parameter] = []
        body: Body = "json"
        for (name, place), found in told.items():
            if place in ("body", "formData"):
                continue
            parameter = self._parameter(name, place, found, labelled, notes)
            if parameter is not None:
                inputs.append(parameter)
        placeholders = _PLACEHOLDER.findall(path)
        inputs = [p for p in inputs if p.location != "path" or (p.sent_as or p.name) in placeholders]
        there = {p.sent_as or p.name for p in inputs if p.location == "path"}
        for name in dict.fromkeys(placeholders):
            if name not in there:
                inputs.append(self._maker.named(Parameter(name, labelled(name), required=True, location="path")))
        members, body = self._bodies.read(method, operation, told, labelled, notes)
        return _distinct([*inputs, *members]), body, notes

    def _parameter(
        self, name: str, place: str, found: Schema, labelled: Labelled, notes: list[str]
    ) -> Parameter | None:
        required = found.get("required") is True or place == "path"
        if place == "header" and name.lower() in _HEADERS_OF_OURS:
            return None
        of_the_wire = place == "header" and name.lower() in _HEADERS_OF_THE_WIRE
        if place not in ("path", "query", "header", "cookie") or of_the_wire or not sendable(name, place):
            leave_out(f"{place} parameter {name[:40]}", required, notes)
            return None
        content = found.get("content")
        if isinstance(content, dict) and content:
            schema = self._schemas.settle(self._document.follow(next(iter(content.values()))).get("schema"))
            style: Style | None = "json"
        elif self._document.is_swagger:
            schema = self._schemas.settle(found)
            style = SWAGGER_STYLES.get(str(found.get("collectionFormat", "csv")))
        else:
            schema = self._schemas.settle(found.get("schema"))
            if found.get("style") == "deepObject" and not {"type", "enum", "const"} & schema.keys():
                schema = {**schema, "type": "object"}  # the style is for objects, so that is what is meant
            style = self._maker.style(found, place, type_of(schema))
        if style is None:
            leave_out(f"style of parameter {name[:40]}", required, notes)
            return None
        location: Location = place  # type: ignore[assignment]  # one of the four, as checked
        text = found.get("description") or schema.get("description")
        made = self._maker.made(name, schema, labelled(name), text, location=location, required=required, style=style)
        return replace(made, required=False) if made.role == "format" else made


def _distinct(parameters: list[Parameter]) -> tuple[Parameter, ...]:
    """No name twice: a query and a body may use the same one."""
    taken: set[str] = set()
    found: list[Parameter] = []
    for parameter in parameters:
        name, number = parameter.name, 2
        while name in taken:
            name, number = f"{parameter.name}_{number}", number + 1
        taken.add(name)
        same = name == parameter.name
        found.append(parameter if same else replace(parameter, name=name, sent_as=parameter.sent_as or parameter.name))
    return tuple(found)
