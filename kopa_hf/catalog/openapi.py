"""An OpenAPI description as tools: `import_openapi` reads OpenAPI 3.0 to 3.2 and Swagger 2.0.

Every operation that can be called from here becomes one tool of wire `rest`; every other is named with
the reason. Nothing is asked of the service itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kopa_hf.catalog.folder import check_name, names_of_others
from kopa_hf.catalog.local import local_tools
from kopa_hf.catalog.openapi_access import Key, base_address, key_like, key_of, own_server
from kopa_hf.catalog.openapi_document import Document, read_document
from kopa_hf.catalog.openapi_inputs import Inputs
from kopa_hf.catalog.openapi_names import description_of, own_title, service_name, snake, title_of
from kopa_hf.catalog.openapi_overrides import OfTool, Overrides, OverridesError, read_overrides
from kopa_hf.catalog.openapi_paging import paging_of, with_roles
from kopa_hf.catalog.openapi_parameters import UnsupportedError, one_line
from kopa_hf.catalog.openapi_schemas import Schemas, Shape, complete
from kopa_hf.catalog.openapi_words import Labels
from kopa_hf.catalog.origin import origin
from kopa_hf.catalog.pointer import pointer_parts
from kopa_hf.catalog.reading_plan import ERRORS, FLAGS, ReadingPlan, in_one
from kopa_hf.catalog.tool import Endpoint, Paging, Parameter, Tool
from kopa_hf.errors import CatalogError, DataError, KopaError

_READS: Final = ("get", "head")
_CALLED: Final = ("get", "post", "put", "patch", "delete")
_VERBS: Final = {"post": "create", "put": "replace", "patch": "update", "delete": "delete"}
_LONGEST_NAME: Final = 60
_MOST: Final = 5_000
"""Operations of one description at most."""
_REASONS: Final = 50
"""Operations left out that are named where none is left."""


@dataclass(slots=True)
class Imported:
    """What came of a description."""

    name: str
    tools: list[Tool]
    service: dict[str, Any]
    allowed: tuple[str, ...] = ()
    """Writing tools that may run."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Operation → why it is no tool."""
    notes: list[str] = field(default_factory=list)


def import_openapi(
    source: str | Path,
    *,
    name: str = "",
    server: str = "",
    overrides: Path | None = None,
    allow_write: Iterable[str] = (),
    folder: str | Path | None = None,
) -> Imported:
    """The tools of a description. `folder`: where they are to be written; its other services' names are taken.

    Raises `DataError` or `CatalogError` for a document, an overrides file or an address that cannot be used.
    """
    said = read_overrides(overrides)
    importer = Importer(read_document(source), said, name=name, server=server)
    taken = names_of_others(folder, importer.name) if folder is not None else set()
    return importer.run([*said.allow_write, *allow_write], taken)


class Importer:
    """One import."""

    def __init__(self, document: Document, said: Overrides, *, name: str = "", server: str = "") -> None:
        self._document = document
        self._said = said
        info = document.follow(document.root.get("info"))
        self._title = one_line(info.get("title"), 80) or "API"
        self._version = one_line(str(info.get("version", "")), 40)
        self.name = check_name(name or said.name or service_name(self._title))
        self._base = base_address(document, server or said.server)
        self._schemas = Schemas(document)
        self._inputs = Inputs(document, self._schemas)
        self._labels = Labels(said.words, said.labels)
        self._made = Imported(self.name, [], {})

    def run(self, allow_write: list[str], taken: set[str]) -> Imported:
        """Every operation, in the document's order."""
        made = self._made
        taken |= {tool.name for tool in local_tools()}
        used: set[str] = set()
        for path, method, item, operation in self._document.operations(made.left_out):
            operation_id = operation.get("operationId") if isinstance(operation.get("operationId"), str) else ""
            where = f"{method.upper()} {path}"
            used |= {str(operation_id), where}
            if method not in _CALLED or not self._said.wanted(str(operation_id), method, path):
                continue
            said = self._said.of(str(operation_id), method, path)
            if said.skip:
                continue
            if len(made.tools) >= _MOST:
                raise CatalogError(
                    f"{self._document.source} has more than {_MOST:,} operations; name some under `only`."
                )
            self._schemas.begin()
            try:
                tool = self._tool(path, method, item, operation, said, taken)
            except OverridesError:
                raise
            except (UnsupportedError, KopaError) as error:
                made.left_out[where] = str(error).removeprefix(f"{self._document.source}: ").rstrip(".")
                continue
            except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
                # descriptions come from strangers: one odd operation is no reason to go without all others
                made.left_out[where] = f"its description is damaged ({type(error).__name__}: {str(error)[:100]})"
                continue
            taken.add(tool.name)
            made.tools.append(tool)
        self._finish(allow_write, used)
        return made

    def _finish(self, allow_write: list[str], used: set[str]) -> None:
        made = self._made
        if not made.tools:
            listed = list(made.left_out.items())
            reasons = "".join(f"\n  {where}: {why}" for where, why in listed[:_REASONS])
            more = f"\n  … {len(listed) - _REASONS} more" if len(listed) > _REASONS else ""
            raise CatalogError(f"{self._document.source} holds no operation that can be called.{reasons}{more}")
        strange = sorted({*self._said.tools, *self._said.only, *self._said.skip} - used)
        if strange:
            raise DataError(f"The overrides name operations that the description lacks: {', '.join(strange)[:200]}.")
        writes = {tool.name for tool in made.tools if not tool.read}
        unknown = sorted(set(allow_write) - writes)
        if unknown:
            raise CatalogError(
                f"No writing tool is called {', '.join(unknown)}. There are: {', '.join(sorted(writes))}."
            )
        made.allowed = tuple(sorted(set(allow_write)))
        if (
            self._base.startswith("http://")
            and any(t.endpoint.auth for t in made.tools)
            and not _is_loopback(self._base)
        ):
            made.notes.append("the address is http: the key travels unencrypted")
        made.service = {
            "kind": "rest",
            "title": self._title,
            "version": self._version,
            "description": _shown(self._document.source),
            "server": self._base,
            "limits": dict(self._said.limits),
        }

    def _tool(
        self,
        path: str,
        method: str,
        item: Mapping[str, Any],
        operation: Mapping[str, Any],
        said: OfTool,
        taken: set[str],
    ) -> Tool:
        fixed = [part for part in path.split("/") if part and "{" not in part]
        segment = fixed[-1] if fixed else ""
        if _odd_path(path):
            raise UnsupportedError("its path holds what no path may hold")
        shape = self._schemas.answer(operation, segment)
        if said.records is not None:
            shape = self._placed(operation, shape, said.records)
        thing = self._labels.noun(segment) if segment else ""

        def labelled(name: str) -> str:
            return self._labels.label(name, thing, own=said.labels)

        key = key_of(self._document, operation, self._said.auth)
        parameters, body, notes = self._inputs.read(
            path, method, item, operation, _path_labels(path, self._labels, said, labelled)
        )
        parameters = tuple(p for p in parameters if not _is_key(p, key))
        paging, total, cursor = self._paged(item, operation, parameters, shape, said)
        fields = self._schemas.fields(shape, labelled, {**self._said.units, **said.units})
        read = method in _READS if said.read is None else said.read
        plan = ReadingPlan(
            rows=shape.rows,
            total=total,
            cursor=cursor,
            parameter=_wire_name(parameters, paging),
            keyed="{" in path,
            writes=not read,
            faults=self._faults(shape),
            beside=in_one(self._schemas.beside(operation, shape.rows)),
        )
        address = own_server(self._document, item, operation, self._base)
        name = self._name(operation, method, path, shape, said, taken)
        self._made.notes += [f"{name}: {note}" for note in notes]
        return Tool(
            name=name,
            platform=self.name,
            wire="rest",
            domain=self.name,
            title=said.title or own_title(operation) or title_of(thing or self._title, method, shape),
            description=said.description or description_of(operation, path, method),
            endpoint=Endpoint(
                url=f"{address}{path}",
                method=method.upper(),  # type: ignore[arg-type]  # one of _CALLED
                auth=None if key is None else key.name,
                auth_in="query" if key is None else key.place,
                auth_scheme="" if key is None else key.scheme,
                operation=plan.named(str(operation.get("operationId") or name)),
                rows_at=shape.rows or "",
                response_kind="list" if shape.many else "object",
                response_format="xml" if shape.xml else "json",
                body=body,
            ),
            parameters=with_roles(parameters, paging),
            fields=fields[:-1] if not complete(fields) else fields,
            paging=paging,
            read=read,
            fields_complete=complete(fields),
            source=f"{self._title} {self._version}".strip(),
        )

    def _faults(self, shape: Shape) -> str | None:
        """Columns of a record that is the whole answer which are called like an error or a flag."""
        if shape.rows != "" or shape.many:
            return None
        names = (*ERRORS, *FLAGS)
        return in_one([name for name in self._schemas.properties(shape.item) if name in names] or None)

    def _placed(self, operation: Mapping[str, Any], shape: Shape, rows: str) -> Shape:
        """The shape with the rows where the overrides have them."""
        if rows and not rows.startswith("/"):
            raise OverridesError(
                f"records: {rows!r} is no JSON pointer; write /data/items, or nothing for the whole answer."
            )
        schema = self._schemas.whole(operation)
        for name in pointer_parts(rows.removesuffix("/*")):
            schema = self._schemas.settle(self._schemas.properties(schema).get(name))
        if rows.endswith("/*"):
            schema, many = self._schemas.settle(schema.get("additionalProperties")), True
        else:
            many = "items" in schema
            schema = self._schemas.settle(schema["items"]) if many else schema
        return Shape(rows, schema, many or not schema, shape.total, shape.cursor, shape.xml)

    def _paged(
        self,
        item: Mapping[str, Any],
        operation: Mapping[str, Any],
        parameters: tuple[Parameter, ...],
        shape: Shape,
        said: OfTool,
    ) -> tuple[Paging | None, str | None, str | None]:
        """(paging, place of the total, place of the cursor)."""
        told = said.paging if said.paging is not None else self._said.paging
        if isinstance(told, Mapping) and said.paging is None:
            there = {p.sent_as or p.name for p in parameters}
            if not {told[name] for name in ("page", "size") if name in told} <= there:
                told = None  # a word on all operations is for those that take these inputs
        bounds = {}
        for part in (*(item.get("parameters") or ()), *(operation.get("parameters") or ())):
            found = self._document.follow(part)
            schema = self._schemas.settle(found if self._document.is_swagger else found.get("schema"))
            bounds[str(found.get("name"))] = schema
        paging = paging_of(parameters, bounds, shape, told)
        extra = told if isinstance(told, Mapping) else {}
        total = said.total or _pointer(extra.get("total")) or shape.total
        cursor = said.cursor or _pointer(extra.get("cursor")) or shape.cursor
        return paging, total, cursor if paging is not None and paging.style == "cursor" else None

    def _name(
        self, operation: Mapping[str, Any], method: str, path: str, shape: Shape, said: OfTool, taken: set[str]
    ) -> str:
        """A name that no other tool has: the overrides', the description's own, or one made of method and path."""
        told = said.name or operation.get("operationId")
        name = snake(told) if isinstance(told, str) else ""
        if not name:
            verb = _VERBS.get(method, "list" if shape.many else "get")
            name = snake(f"{verb} {re.sub(r'[{}]', ' ', path)}") or verb
        name = name[:_LONGEST_NAME].rstrip("_")
        if said.name and name in taken:
            raise OverridesError(f"The overrides call two tools {name!r}, or it is taken.")
        if name not in taken:
            return name
        name = f"{self.name}_{name}"[:_LONGEST_NAME].rstrip("_")
        number, free = 2, name
        while free in taken:
            free, number = f"{name[: _LONGEST_NAME - 4]}_{number}", number + 1
        return free


def _path_labels(path: str, labels: Labels, said: OfTool, otherwise: Any) -> Any:
    """Labels of inputs: one in the path is called after the part before it, so {id} in /members/{id} is the member's."""
    things: dict[str, str] = {}
    before = ""
    for part in path.split("/"):
        if part.startswith("{") and part.endswith("}"):
            things[part[1:-1]] = labels.noun(before) if before else ""
        elif part and "{" not in part:
            before = part
    return lambda name: labels.label(name, things[name], own=said.labels) if name in things else otherwise(name)


def _is_key(parameter: Parameter, key: Key | None) -> bool:
    """A key is filled in by the executor and shown to no model."""
    name = parameter.sent_as or parameter.name
    if key is None:
        return False
    return (name == key.name and parameter.location == key.place) or key_like(name, parameter.location)


def _wire_name(parameters: tuple[Parameter, ...], paging: Paging | None) -> str | None:
    if paging is None or paging.style != "cursor":
        return None
    return next((p.sent_as or p.name for p in parameters if p.name == paging.page), None)


def _pointer(value: Any) -> str | None:
    if value is None:
        return None
    text = str(value)
    return text if text.startswith("/") else f"/{text}"


def _odd_path(path: str) -> bool:
    return bool(re.search(r"[\s\\#\x00-\x20\x7f]", path)) or any(part in (".", "..") for part in path.split("/"))


def _is_loopback(address: str) -> bool:
    host = origin(address)[1].rpartition(":")[0] or origin(address)[1]
    return host in ("127.0.0.1", "localhost", "[::1]")


def _shown(source: str) -> str:
    """A file by its name and print, an address without its query, which may hold a token."""
    if source.startswith(("http://", "https://")):
        return source.partition("?")[0]
    content = Path(source).read_bytes()
    return f"{Path(source).name} sha256:{hashlib.sha256(content).hexdigest()[:16]}"
