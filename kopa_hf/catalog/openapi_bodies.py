"""The body of an operation: its members become parameters of the tool, in JSON or as a form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from kopa_hf.catalog.json_schema import type_of
from kopa_hf.catalog.openapi_document import Document
from kopa_hf.catalog.openapi_parameters import MEMBERS, SWAGGER_STYLES, Maker, UnsupportedError, leave_out, listed
from kopa_hf.catalog.openapi_schemas import Schema, Schemas
from kopa_hf.catalog.tool import Parameter, Style

_JSON: Final = re.compile(r"(application/([\w.+-]*\+)?json|text/json|\*/\*|application/\*)\s*(;.*)?", re.IGNORECASE)
_FORM: Final = "application/x-www-form-urlencoded"
_TAKES_BODIES: Final = ("post", "put", "patch")
Body = Literal["json", "form"]
Labelled = Callable[[str], str]


class Bodies:
    """Reads the bodies of one document's operations."""

    def __init__(self, document: Document, schemas: Schemas, maker: Maker) -> None:
        self._document = document
        self._schemas = schemas
        self._maker = maker

    def read(
        self,
        method: str,
        operation: Mapping[str, Any],
        told: Mapping[tuple[str, str], Schema],
        labelled: Labelled,
        notes: list[str],
    ) -> tuple[list[Parameter], Body]:
        """Members of a body as parameters, and how it is written."""
        if self._document.is_swagger:
            return self._swagger_body(method, operation, told, labelled, notes)
        request = self._document.follow(operation.get("requestBody"))
        content = self._document.follow(request.get("content"))
        if not content:
            return [], "json"
        required = request.get("required") is True
        media = next((part for kind, part in content.items() if _JSON.fullmatch(str(kind))), None)
        if media is not None:
            schema = self._schemas.settle(self._document.follow(media).get("schema"))
            return self._members(schema, required, labelled, request), "json"
        form = next((part for kind, part in content.items() if str(kind).lower().startswith(_FORM)), None)
        if form is None:
            _without_body(", ".join(map(str, content)), _is_needed(request, method), notes)
            return [], "json"
        fields = self._form_members(self._document.follow(form), required, labelled, notes)
        if not fields:
            _without_body("a form of no field that can be sent", _is_needed(request, method), notes)
        return fields, "form"

    def _swagger_body(
        self,
        method: str,
        operation: Mapping[str, Any],
        told: Mapping[tuple[str, str], Schema],
        labelled: Labelled,
        notes: list[str],
    ) -> tuple[list[Parameter], Body]:
        """The same of version 2, where `consumes` says for all inputs at once how they are written."""
        kinds = [str(kind) for kind in listed(operation.get("consumes", self._document.root.get("consumes")))]
        shown = ", ".join(kinds)
        forms = [(name, found) for (name, place), found in told.items() if place == "formData"]
        if forms:
            names = [kind.lower() for kind in kinds]
            multipart = any(name.startswith("multipart/") for name in names)
            if multipart and not any(name.startswith(_FORM) for name in names):
                raise UnsupportedError(f"its body is {shown[:60]}")
            fields = [self._form_field(name, found, labelled, notes) for name, found in forms]
            return [field for field in fields if field is not None], "form"
        found = next((part for (_, place), part in told.items() if place == "body"), None)
        if found is None:
            return [], "json"
        required = found.get("required") is True
        if kinds and not any(_JSON.fullmatch(kind) for kind in kinds):
            _without_body(shown, _is_needed(found, method), notes)
            return [], "json"
        return self._members(self._schemas.settle(found.get("schema")), required, labelled, found), "json"

    def _form_field(self, name: str, found: Schema, labelled: Labelled, notes: list[str]) -> Parameter | None:
        schema = self._schemas.settle(found)
        required = found.get("required") is True
        style = SWAGGER_STYLES.get(str(found.get("collectionFormat", "csv")))
        if style is None:
            leave_out(f"style of form field {name[:40]}", required, notes)
            return None
        text = found.get("description")
        return self._maker.made(name, schema, labelled(name), text, location="body", required=required, style=style)

    def _form_members(self, media: Schema, required: bool, labelled: Labelled, notes: list[str]) -> list[Parameter]:
        """Fields of a form of version 3; `encoding` says how each is written."""
        schema = self._schemas.settle(media.get("schema"))
        encoding = self._document.follow(media.get("encoding"))
        wanted = set(map(str, listed(schema.get("required")))) if required else set()
        found: list[Parameter] = []
        for name, part in self._schemas.properties(schema).items():
            settled = self._schemas.settle(part)
            if settled.get("readOnly") is True:
                continue
            style = self._form_style(settled, self._document.follow(encoding.get(name)))
            if style is None:
                leave_out(f"style of form field {name[:40]}", name in wanted, notes)
                continue
            found.append(
                self._maker.made(
                    name, settled, labelled(name), settled.get("description"),
                    location="body", required=name in wanted, style=style,
                )
            )  # fmt: skip
        return found

    def _form_style(self, schema: Schema, said: Schema) -> Style | None:
        """How a field of a form is written, by its Encoding Object; None where it cannot be.

        A style goes before a content type. Without either a list is repeated and an object is JSON (OpenAPI 3.0.4
        and 3.1.1, "Encoding the x-www-form-urlencoded Media Type").
        """
        kind = type_of(schema)
        nested = kind == "array" and type_of(self._schemas.settle(schema.get("items"))) in ("array", "object")
        if {"style", "explode", "allowReserved"} & said.keys():
            return None if nested else self._maker.style(said, "query", kind)
        told = str(said.get("contentType") or "")
        if _JSON.fullmatch(told):
            return "json" if kind != "string" else None  # a text in JSON has quotation marks around it
        if told and (kind == "object" or not told.lower().startswith("text/plain")):
            return None
        if kind == "array":
            return None if nested else "repeated"
        return "json" if kind == "object" else ""

    def _members(self, schema: Schema, required: bool, labelled: Labelled, about: Schema) -> list[Parameter]:
        members = self._schemas.properties(schema)
        wanted = set(map(str, listed(schema.get("required")))) if required else set()
        found: list[Parameter] = []
        for name, part in members.items():
            settled = self._schemas.settle(part)
            if settled.get("readOnly") is not True:
                found.append(
                    self._maker.made(
                        name, settled, labelled(name), settled.get("description"),
                        location="body", required=name in wanted, style="",
                    )
                )  # fmt: skip
        if found and len(found) <= MEMBERS:
            return found
        whole = self._maker.made(
            "body",
            schema,
            labelled("body"),
            about.get("description"),
            location="body",
            required=required,
            style="whole",
        )
        return [replace(whole, separator=None, schema=whole.schema or self._maker.kept(schema))]


def _is_needed(about: Schema, method: str) -> bool:
    """Whether no call is meant without the body: where it is said, and where a method for bodies does not say the opposite.

    `required` is false by default, and many who describe an upload leave it at that.
    """
    return about.get("required") is True or ("required" not in about and method in _TAKES_BODIES)


def _without_body(kinds: str, required: bool, notes: list[str]) -> None:
    """A body that cannot be written: no operation without it where it is required."""
    if required:
        raise UnsupportedError(f"its body is {kinds[:60]}")
    notes.append(f"body left out ({kinds[:60]})")
