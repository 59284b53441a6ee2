"""What an operation's answer looks like: where its rows stand, of which columns they are, where total and cursor are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kopa_hf.catalog.json_schema import format_of, type_of
from kopa_hf.catalog.openapi_document import Document
from kopa_hf.catalog.pointer import pointer_parts
from kopa_hf.catalog.tool import Field
from kopa_hf.catalog.usual_names import CURSORS, ROWS, TOTALS, folded
from kopa_hf.errors import DataError

Schema = dict[str, Any]

_DEPTH: Final = 6
"""Choices and unions that are settled inside one another."""
_EFFORT: Final = 20_000
"""Schemas that one operation may unfold into."""
_COLUMNS: Final = 80
"""Columns of one tool at most; what lies beyond is said (`fields_complete`)."""
_NESTED: Final = 3
"""Objects in objects that become columns with dots; as the adapter flattens them."""
_WRAPPED: Final = 3
_MEDIA: Final = re.compile(r"(application/([\w.+-]*\+)?json|text/json|\*/\*|application/\*)\s*(;.*)?", re.IGNORECASE)
_XML: Final = re.compile(r"(application|text)/([\w.+-]*\+)?xml\s*(;.*)?", re.IGNORECASE)
_ABOUT_PAGES: Final = frozenset(
    {*TOTALS, *CURSORS, "count", "page", "pages", "totalpages", "pagecount", "limit", "offset", "skip", "take", "size",
     "pagesize", "perpage", "itemsperpage", "currentpage", "lastpage", "previous", "prev", "first", "last", "hasmore",
     "hasnext", "hasnextpage", "hasprevious", "start", "from", "to", "links", "meta", "metadata", "pagination", "paging",
     "pageinfo", "status", "code", "message", "success", "ok", "version", "timestamp", "took", "self", "context", "kind",
     "etag", "error", "errors", "warnings", "requestid", "number", "numberofelements", "empty", "sort", "pageable"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """An answer as its description has it."""

    rows: str | None
    """Pointer to the rows; None where nothing is described."""
    item: Schema = field(default_factory=dict)
    """The settled schema of one row."""
    many: bool = False
    """True for a list of rows."""
    total: str | None = None
    cursor: str | None = None
    xml: bool = False


class Schemas:
    """The schemas of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._left = _EFFORT

    def begin(self) -> None:
        """A new operation, with a new bound on what its schemas may unfold into."""
        self._left = _EFFORT

    def settle(self, schema: Any, depth: int = 0) -> Schema:
        """References followed, `allOf` put together, of choices what they have in common reach: all their members."""
        self._left -= 1
        if self._left < 0:
            raise DataError(f"{self._document.source}: a schema unfolds into more than {_EFFORT:,} parts.")
        found = self._document.follow(schema)
        parts = found.get("allOf")
        if isinstance(parts, list) and depth < _DEPTH:
            found = self._together([self.settle(part, depth + 1) for part in parts], found, "allOf")
        for word in ("oneOf", "anyOf"):
            choices = found.get(word)
            if isinstance(choices, list) and depth < _DEPTH:
                settled = [self.settle(choice, depth + 1) for choice in choices]
                real = [choice for choice in settled if choice.get("type") != "null"]
                alike = real if len({type_of(choice) for choice in real}) == 1 else real[:1]
                found = self._together(alike, found, word, loose=len(real) > 1)
        return _sound(found)

    def _together(self, parts: Iterable[Schema], base: Schema, word: str, *, loose: bool = False) -> Schema:
        merged: Schema = {}
        properties: Schema = {}
        required: list[Any] = []
        for part in (*parts, {name: value for name, value in base.items() if name != word}):
            properties |= part["properties"] if isinstance(part.get("properties"), dict) else {}
            required += part["required"] if isinstance(part.get("required"), list) and not loose else []
            merged |= part
        if properties:
            merged["properties"] = properties
            merged["required"] = required
        return merged

    def properties(self, schema: Schema) -> dict[str, Any]:
        """Members of an object's schema; `{}` for any other."""
        found = schema.get("properties")
        return {str(name): part for name, part in found.items()} if isinstance(found, dict) else {}

    def answer(self, operation: Mapping[str, Any], segment: str) -> Shape:
        """The shape of a successful answer. `segment`: the last fixed part of the address, which often names the rows."""
        schema, xml = self._described(operation)
        if schema is None:
            return Shape(None, xml=xml)
        return self._shape(self.settle(schema), segment, xml=xml)

    def whole(self, operation: Mapping[str, Any]) -> Schema:
        """The settled schema of a successful answer as a whole."""
        return self.settle(self._described(operation)[0])

    def beside(self, operation: Mapping[str, Any], rows: str | None) -> list[str] | None:
        """Names of members beside the rows on the way to them; None where the description has the rows always there."""
        schema, names, optional = self.whole(operation) if rows else {}, list[str](), False
        for name in pointer_parts((rows or "").removesuffix("/*")):
            members = self.properties(schema)
            if name not in members:
                return None
            optional = optional or name not in (schema.get("required") or ())
            names += [other for other in members if other != name]
            schema = self.settle(members[name])
        return names if optional else None

    def _described(self, operation: Mapping[str, Any]) -> tuple[Any, bool]:
        """(schema of a successful answer, whether it comes as XML only)."""
        response = self._success(operation)
        if self._document.is_swagger:
            schema = response.get("schema")
            kinds = operation.get("produces") or self._document.root.get("produces") or ["application/json"]
            xml = isinstance(kinds, list) and not any(_MEDIA.fullmatch(str(kind)) for kind in kinds)
            xml = xml and any(_XML.fullmatch(str(kind)) for kind in kinds)
        else:
            content = self._document.follow(response.get("content"))
            media = next((part for kind, part in content.items() if _MEDIA.fullmatch(str(kind))), None)
            xml = media is None and any(_XML.fullmatch(str(kind)) for kind in content)
            if media is None and content:
                media = next(iter(content.values()))
            schema = self._document.follow(media).get("schema")
        return schema, xml

    def _success(self, operation: Mapping[str, Any]) -> Schema:
        responses = operation.get("responses")
        if not isinstance(responses, dict):
            return {}
        told = {str(code).upper(): response for code, response in responses.items()}
        for code in ("200", "201", "2XX", "202", "203", *sorted(c for c in told if c.startswith("2")), "DEFAULT"):
            if code in told:
                return self._document.follow(told[code])
        return {}

    def _shape(self, schema: Schema, segment: str, *, xml: bool, at: str = "", outer: int = 0) -> Shape:
        if type_of(schema) == "array":
            return Shape(at, self.settle(schema.get("items")), many=True, xml=xml)
        members = {name: self.settle(part) for name, part in self.properties(schema).items()}
        mapped = self.settle(schema.get("additionalProperties")) if not members else {}
        if self.properties(mapped):
            return Shape(f"{at}/*", mapped, many=True, xml=xml)
        rows = self._rows_of(members, segment)
        if rows is not None:
            item = self.settle(members[rows].get("items"))
            total, cursor = self._about(members, at)
            return Shape(f"{at}/{_escaped(rows)}", item, many=True, total=total, cursor=cursor, xml=xml)
        inner = [name for name, part in members.items() if folded(name) not in _ABOUT_PAGES]
        if len(inner) == 1 and self.properties(members[inner[0]]) and outer < _WRAPPED:
            found = self._shape(members[inner[0]], segment, xml=xml, at=f"{at}/{_escaped(inner[0])}", outer=outer + 1)
            total, cursor = self._about(members, at)
            return Shape(found.rows, found.item, found.many, found.total or total, found.cursor or cursor, xml)
        return Shape(at, schema, xml=xml)

    def _rows_of(self, members: Mapping[str, Schema], segment: str) -> str | None:
        """The member that holds the rows; None where the object is a record itself."""
        lists = [name for name, part in members.items() if type_of(part) == "array"]
        rest = [
            name
            for name, part in members.items()
            if name not in lists and folded(name) not in _ABOUT_PAGES and type_of(part) != "object"
        ]
        of_objects = [name for name in lists if self.properties(self.settle(members[name].get("items")))]
        named = [name for name in lists if folded(name) == folded(segment)]
        if named and len(rest) <= 1:
            return named[0]
        if rest:
            return None
        usual = [name for name in of_objects if name.lower() in ROWS]
        if usual or len(of_objects) == 1:
            return (usual or of_objects)[0]
        return lists[0] if len(lists) == 1 and not of_objects else None

    def _about(self, members: Mapping[str, Schema], at: str) -> tuple[str | None, str | None]:
        """(pointer to the total, pointer to the cursor) beside the rows or in an object about the page."""
        places = [(f"{at}/{_escaped(name)}", name, part) for name, part in members.items()]
        for place, name, part in list(places):
            if folded(name) in _ABOUT_PAGES:
                for inner, found in self.properties(part).items():
                    settled = self.settle(found)
                    places.append((f"{place}/{_escaped(inner)}", inner, settled))
                    if folded(name) in ("metadata", "meta"):  # a pagination object within
                        places += [
                            (f"{place}/{_escaped(inner)}/{_escaped(last)}", last, self.settle(deepest))
                            for last, deepest in self.properties(settled).items()
                        ]
        names = [folded(name) for _, name, _ in places]
        totals = (*TOTALS, "count") if {"next", "previous"} <= set(names) else TOTALS
        return _first(places, totals, ("integer", "number")), _first(places, CURSORS, ("string",))

    def fields(self, shape: Shape, labelled: Callable[[str], str], units: Mapping[str, str]) -> tuple[Field, ...]:
        """The columns of a row, objects in it by dots, in the description's order; one more than `_COLUMNS` at most."""
        if shape.rows is None:
            return ()
        found: list[Field] = []
        members = self.properties(shape.item)
        if not members:
            kind = type_of(shape.item)
            return () if kind == "object" else (self._field("value", shape.item, labelled, units),)
        if shape.rows.endswith("/*"):
            found.append(Field("key", labelled("key")))
        self._columns(members, "", found, labelled, units, 0)
        return tuple(found[: _COLUMNS + 1])

    def _columns(
        self,
        members: Mapping[str, Any],
        prefix: str,
        found: list[Field],
        labelled: Callable[[str], str],
        units: Mapping[str, str],
        depth: int,
    ) -> None:
        for name, part in members.items():
            schema = self.settle(part)
            inner = self.properties(schema)
            if len(found) > _COLUMNS or schema.get("writeOnly") is True:
                continue
            if inner and depth < _NESTED:
                self._columns(inner, f"{prefix}{name}.", found, labelled, units, depth + 1)
            else:
                found.append(self._field(f"{prefix}{name}", schema, labelled, units))

    def _field(self, name: str, schema: Schema, labelled: Callable[[str], str], units: Mapping[str, str]) -> Field:
        kind = type_of(schema)
        known = format_of(schema, kind)
        unit = units.get(name) or units.get(name.rpartition(".")[2])
        return Field(name, labelled(name), type=kind, format=known if kind in ("string", "number") else None, unit=unit)


def _sound(schema: Schema) -> Schema:
    """Without words of the language that hold what they never hold."""
    wrong = [
        name for name in ("allOf", "oneOf", "anyOf", "enum", "required") if not isinstance(schema.get(name, []), list)
    ]
    kind = schema.get("type", "")
    kinds = kind if isinstance(kind, list) else [kind]
    if not all(isinstance(one, str) for one in kinds):
        wrong.append("type")
    wrong += [name for name in ("pattern", "format") if not isinstance(schema.get(name, ""), str)]
    return {name: value for name, value in schema.items() if name not in wrong} if wrong else schema


def complete(fields: tuple[Field, ...]) -> bool:
    """False where the description has more columns than are taken."""
    return len(fields) <= _COLUMNS


def _first(places: list[tuple[str, str, Schema]], names: tuple[str, ...], kinds: tuple[str, ...]) -> str | None:
    for wanted in names:
        for place, name, part in places:
            if folded(name) == wanted and type_of(part) in kinds:
                return place
    return None


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
