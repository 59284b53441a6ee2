"""The inputs of an operation: from path, query, header, cookie and body to a tool's parameters.

Names become identifiers, since models call tools as functions; what goes over the wire is kept beside.
"""

from __future__ import annotations

import json
import keyword
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from kopa_hf.catalog.json_schema import format_of, type_of
from kopa_hf.catalog.openapi_document import Document
from kopa_hf.catalog.openapi_schemas import Schema, Schemas
from kopa_hf.catalog.tool import Location, Parameter, Style

_LONGEST: Final = 300
"""Characters of a description."""
_CHOICES: Final = 300
_MEMBERS: Final = 40
"""Members of a body that become parameters of their own; a larger body is one parameter."""
_INLINED: Final = 4
_HEADERS_OF_OURS: Final = frozenset({"accept", "content-type", "authorization"})
"""Headers that a description may not describe; the adapter writes them."""
_HEADERS_OF_THE_WIRE: Final = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "cookie", "upgrade", "te", "trailer", "expect",
     "proxy-authorization", "user-agent"}
)  # fmt: skip
_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
"""A name that a header or cookie may have (RFC 9110, 5.6.2)."""
_PLACEHOLDER: Final = re.compile(r"\{([^{}/]+)\}")
_RESERVED: Final = frozenset({"self", "cls", "reset"})
_JSON: Final = re.compile(r"(application/([\w.+-]*\+)?json|text/json|\*/\*|application/\*)\s*(;.*)?", re.IGNORECASE)
_FORM: Final = "application/x-www-form-urlencoded"
_SWAGGER_STYLES: Final[dict[str, Style]] = {"csv": "", "multi": "repeated", "ssv": "spaces", "pipes": "pipes"}
_OPENAPI_STYLES: Final[dict[str, Style]] = {
    "form": "",
    "simple": "",
    "spaceDelimited": "spaces",
    "pipeDelimited": "pipes",
    "label": "label",
    "matrix": "matrix",
}
Body = Literal["json", "form"]
Labelled = Callable[[str], str]


class UnsupportedError(Exception):
    """An operation that cannot be called from here; the message says why."""


def sendable(name: str, place: str) -> bool:
    """False for a name that no header and no cookie may have."""
    return place not in ("header", "cookie") or _TOKEN.fullmatch(name) is not None


def identifier(name: str) -> str:
    """A Python identifier of ASCII letters for any name: page[size] → page_size."""
    text = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
    text = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[:60]
    if not text:
        return "p_" + "_".join(f"{ord(character):x}" for character in name[:6])
    if text[0].isdigit():
        text = f"p_{text}"
    return f"{text}_" if keyword.iskeyword(text) or text in _RESERVED else text


class Inputs:
    """Reads the inputs of one document's operations."""

    def __init__(self, document: Document, schemas: Schemas) -> None:
        self._document = document
        self._schemas = schemas

    def read(
        self, path: str, item: Mapping[str, Any], operation: Mapping[str, Any], labelled: Labelled
    ) -> tuple[tuple[Parameter, ...], Body, list[str]]:
        """(parameters, how a body is written, what was left out); `UnsupportedError` where the operation cannot be called."""
        told: dict[tuple[str, str], Schema] = {}
        for part in (*_listed(item.get("parameters")), *_listed(operation.get("parameters"))):
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
                inputs.append(self._named(Parameter(name, labelled(name), required=True, location="path")))
        members, body = self._body(operation, told, labelled, notes)
        return _distinct([*inputs, *members]), body, notes

    def _parameter(
        self, name: str, place: str, found: Schema, labelled: Labelled, notes: list[str]
    ) -> Parameter | None:
        required = found.get("required") is True or place == "path"
        if place == "header" and name.lower() in _HEADERS_OF_OURS:
            return None
        of_the_wire = place == "header" and name.lower() in _HEADERS_OF_THE_WIRE
        if place not in ("path", "query", "header", "cookie") or of_the_wire or not sendable(name, place):
            _leave_out(f"{place} parameter {name[:40]}", required, notes)
            return None
        content = found.get("content")
        if isinstance(content, dict) and content:
            schema = self._schemas.settle(self._document.follow(next(iter(content.values()))).get("schema"))
            style: Style | None = "json"
        elif self._document.is_swagger:
            schema = self._schemas.settle(found)
            style = _SWAGGER_STYLES.get(str(found.get("collectionFormat", "csv")))
        else:
            schema = self._schemas.settle(found.get("schema"))
            if found.get("style") == "deepObject" and not {"type", "enum", "const"} & schema.keys():
                schema = {**schema, "type": "object"}  # the style is for objects, so that is what is meant
            style = self._style(found, place, type_of(schema))
        if style is None:
            _leave_out(f"style of parameter {name[:40]}", required, notes)
            return None
        location: Location = place  # type: ignore[assignment]  # one of the four, as checked
        text = found.get("description") or schema.get("description")
        made = self._made(name, schema, labelled(name), text, location=location, required=required, style=style)
        return replace(made, required=False) if made.role == "format" else made

    def _style(self, found: Schema, place: str, kind: str) -> Style | None:
        style = str(found.get("style") or ("form" if place in ("query", "cookie") else "simple"))
        explode = found.get("explode", style == "form")
        if kind == "object":
            if style == "deepObject":
                return "brackets"
            return "repeated" if style == "form" and explode is not False else None
        if kind == "array" and place == "query" and explode is not False:
            return "repeated" if style in ("form", "spaceDelimited", "pipeDelimited") else None
        if kind == "array" and style in ("label", "matrix") and explode is not False:
            return None
        return _OPENAPI_STYLES.get(style)

    def _made(
        self, name: str, schema: Schema, label: str, text: Any, *, location: Location, required: bool, style: Style
    ) -> Parameter:
        """One parameter of a settled schema."""
        kind = type_of(schema)
        if (kind == "string" and schema.get("format") == "binary") or schema.get("type") == "file":
            raise UnsupportedError(f"{name[:40]} is a file")
        items = self._schemas.settle(schema.get("items")) if kind == "array" else {}
        scalars = kind == "array" and type_of(items) not in ("array", "object")
        if kind == "array" and not scalars and location != "body":
            style = "json"
        choices = _choices(schema)
        constant = required and len(choices) == 1 and location != "path"
        separator = "," if scalars and style != "json" else None
        if separator and any("," in choice for choice in _choices(items)):
            separator = "|"
        return self._named(
            Parameter(
                name=name,
                label=label or name,
                type=kind,
                required=required,
                description=one_line(text, _LONGEST),
                format=format_of(schema, kind) if kind in ("string", "integer", "number") else None,
                enum=choices if kind in ("string", "integer", "number") else (),
                default=_default(schema, separator),
                role="format" if constant else "input",
                location=location,
                separator=separator,
                schema=self._kept(schema) if kind in ("array", "object") else None,
                style=style,
            )
        )

    def _named(self, parameter: Parameter) -> Parameter:
        """With an identifier for a name; the wire's name is kept where it is another."""
        name = identifier(parameter.name)
        return parameter if name == parameter.name else replace(parameter, name=name, sent_as=parameter.name)

    def _kept(self, schema: Schema) -> str:
        """The schema of a list or an object for a model to read: settled, without words, to a depth."""
        return json.dumps(self._inlined(schema, 0), ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    def _inlined(self, schema: Schema, depth: int) -> Schema:
        kind = type_of(schema)
        kept: Schema = {"type": kind}
        choices = _choices(schema)
        if choices and kind != "array":
            kept["enum"] = schema.get("enum") or [schema["const"]]
        if depth < _INLINED and kind == "array":
            kept["items"] = self._inlined(self._schemas.settle(schema.get("items")), depth + 1)
        members = self._schemas.properties(schema)
        if depth < _INLINED and members and len(members) <= _MEMBERS:
            kept["properties"] = {
                name: self._inlined(self._schemas.settle(part), depth + 1) for name, part in members.items()
            }
            required = [name for name in _listed(schema.get("required")) if name in members]
            if required:
                kept["required"] = required
        return kept

    def _body(
        self,
        operation: Mapping[str, Any],
        told: Mapping[tuple[str, str], Schema],
        labelled: Labelled,
        notes: list[str],
    ) -> tuple[list[Parameter], Body]:
        """Members of a body as parameters, and how it is written."""
        if self._document.is_swagger:
            return self._swagger_body(operation, told, labelled, notes)
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
            _without_body(", ".join(map(str, content)), required, notes)
            return [], "json"
        return self._form_members(self._document.follow(form), required, labelled, notes), "form"

    def _swagger_body(
        self,
        operation: Mapping[str, Any],
        told: Mapping[tuple[str, str], Schema],
        labelled: Labelled,
        notes: list[str],
    ) -> tuple[list[Parameter], Body]:
        """The same of version 2, where `consumes` says for all inputs at once how they are written."""
        kinds = [str(kind) for kind in _listed(operation.get("consumes", self._document.root.get("consumes")))]
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
            _without_body(shown, required, notes)
            return [], "json"
        return self._members(self._schemas.settle(found.get("schema")), required, labelled, found), "json"

    def _form_field(self, name: str, found: Schema, labelled: Labelled, notes: list[str]) -> Parameter | None:
        schema = self._schemas.settle(found)
        required = found.get("required") is True
        style = _SWAGGER_STYLES.get(str(found.get("collectionFormat", "csv")))
        if style is None:
            _leave_out(f"style of form field {name[:40]}", required, notes)
            return None
        text = found.get("description")
        return self._made(name, schema, labelled(name), text, location="body", required=required, style=style)

    def _form_members(self, media: Schema, required: bool, labelled: Labelled, notes: list[str]) -> list[Parameter]:
        """Fields of a form of version 3; `encoding` says how each is written."""
        schema = self._schemas.settle(media.get("schema"))
        encoding = self._document.follow(media.get("encoding"))
        wanted = set(map(str, _listed(schema.get("required")))) if required else set()
        found: list[Parameter] = []
        for name, part in self._schemas.properties(schema).items():
            settled = self._schemas.settle(part)
            if settled.get("readOnly") is True:
                continue
            style = self._form_style(settled, self._document.follow(encoding.get(name)))
            if style is None:
                _leave_out(f"style of form field {name[:40]}", name in wanted, notes)
                continue
            found.append(
                self._made(
                    name, settled, labelled(name), settled.get("description"),
                    location="body", required=name in wanted, style=style,
                )
            )  # fmt: skip
        if not found:
            _without_body("a form of no field that can be sent", required, notes)
        return found

    def _form_style(self, schema: Schema, said: Schema) -> Style | None:
        """How a field of a form is written, by its Encoding Object; None where it cannot be.

        A style goes before a content type. Without either a list is repeated and an object is JSON (OpenAPI 3.0.4
        and 3.1.1, "Encoding the x-www-form-urlencoded Media Type").
        """
        kind = type_of(schema)
        nested = kind == "array" and type_of(self._schemas.settle(schema.get("items"))) in ("array", "object")
        if {"style", "explode", "allowReserved"} & said.keys():
            return None if nested else self._style(said, "query", kind)
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
        wanted = set(map(str, _listed(schema.get("required")))) if required else set()
        found: list[Parameter] = []
        for name, part in members.items():
            settled = self._schemas.settle(part)
            if settled.get("readOnly") is not True:
                found.append(
                    self._made(
                        name, settled, labelled(name), settled.get("description"),
                        location="body", required=name in wanted, style="",
                    )
                )  # fmt: skip
        if found and len(found) <= _MEMBERS:
            return found
        whole = self._made(
            "body",
            schema,
            labelled("body"),
            about.get("description"),
            location="body",
            required=required,
            style="whole",
        )
        return [replace(whole, separator=None, schema=whole.schema or self._kept(schema))]


def one_line(text: Any, longest: int) -> str:
    """A text on one line, without what no line holds, cut at a length."""
    if not isinstance(text, str):
        return ""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


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


def _leave_out(what: str, required: bool, notes: list[str]) -> None:
    if required:
        raise UnsupportedError(f"{what} cannot be sent")
    notes.append(f"{what} left out")


def _without_body(kinds: str, required: bool, notes: list[str]) -> None:
    """A body that cannot be written: no operation without it where it is required."""
    if required:
        raise UnsupportedError(f"its body is {kinds[:60]}")
    notes.append(f"body left out ({kinds[:60]})")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _choices(schema: Schema) -> tuple[str, ...]:
    values = schema.get("enum")
    if values is None and "const" in schema:
        values = [schema["const"]]
    texts = [_text(value) for value in _listed(values) if value is not None]
    if not texts or len(texts) > _CHOICES or not all(text and text.strip() for text in texts):
        return ()
    return tuple(dict.fromkeys(text for text in texts if text is not None))


def _default(schema: Schema, separator: str | None) -> str | None:
    value = schema.get("default")
    if isinstance(value, list) and separator is not None:
        texts = [_text(item) for item in value]
        return separator.join(text for text in texts if text) or None
    text = _text(value)
    return text if text and text.strip() else None


def _text(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) else None
