"""One input of an operation: a parameter of a tool, made of its schema and its style.

Names become identifiers, since models call tools as functions; what goes over the wire is kept beside.
"""

from __future__ import annotations

import json
import keyword
import re
import unicodedata
from dataclasses import replace
from typing import Any, Final

from kopa_hf.catalog.json_schema import format_of, type_of
from kopa_hf.catalog.openapi_schemas import Schema, Schemas
from kopa_hf.catalog.tool import Location, Parameter, Style

MEMBERS: Final = 40
"""Members of a body that become parameters of their own; a larger body is one parameter."""
SWAGGER_STYLES: Final[dict[str, Style]] = {"csv": "", "multi": "repeated", "ssv": "spaces", "pipes": "pipes"}
_LONGEST: Final = 300
"""Characters of a description."""
_CHOICES: Final = 300
_INLINED: Final = 4
_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
"""A name that a header or cookie may have (RFC 9110, 5.6.2)."""
_RESERVED: Final = frozenset({"self", "cls", "reset"})
_OPENAPI_STYLES: Final[dict[str, Style]] = {
    "form": "",
    "simple": "",
    "spaceDelimited": "spaces",
    "pipeDelimited": "pipes",
    "label": "label",
    "matrix": "matrix",
}


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


class Maker:
    """Makes parameters of one document's schemas."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas

    def style(self, found: Schema, place: str, kind: str) -> Style | None:
        """How a value of a place and a kind is written, by the style of version 3; None where it cannot be."""
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

    def made(
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
        return self.named(
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
                schema=self.kept(schema) if kind in ("array", "object") else None,
                style=style,
            )
        )

    def named(self, parameter: Parameter) -> Parameter:
        """With an identifier for a name; the wire's name is kept where it is another."""
        name = identifier(parameter.name)
        return parameter if name == parameter.name else replace(parameter, name=name, sent_as=parameter.name)

    def kept(self, schema: Schema) -> str:
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
        if depth < _INLINED and members and len(members) <= MEMBERS:
            kept["properties"] = {
                name: self._inlined(self._schemas.settle(part), depth + 1) for name, part in members.items()
            }
            required = [name for name in listed(schema.get("required")) if name in members]
            if required:
                kept["required"] = required
        return kept


def one_line(text: Any, longest: int) -> str:
    """A text on one line, without what no line holds, cut at a length."""
    if not isinstance(text, str):
        return ""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def leave_out(what: str, required: bool, notes: list[str]) -> None:
    """A note that something is not sent; `UnsupportedError` where nothing may be sent without it."""
    if required:
        raise UnsupportedError(f"{what} cannot be sent")
    notes.append(f"{what} left out")


def listed(value: Any) -> list[Any]:
    """A list as it is, nothing in the place of anything else."""
    return value if isinstance(value, list) else []


def _choices(schema: Schema) -> tuple[str, ...]:
    values = schema.get("enum")
    if values is None and "const" in schema:
        values = [schema["const"]]
    texts = [_text(value) for value in listed(values) if value is not None]
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
