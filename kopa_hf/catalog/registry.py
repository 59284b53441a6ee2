"""All tools under their names: loading, look-up, search, counts."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from kopa_hf.catalog.local import local_tools
from kopa_hf.catalog.tool import Endpoint, Field, Paging, Parameter, Tool
from kopa_hf.errors import CatalogError, DataError, UnknownToolError

_TITLE: Final = 8.0
_DESCRIPTION: Final = 3.0
_COLUMNS: Final = 1.0
"""What a word is worth where it is found: in name or title, in the description, among labels of fields and inputs."""

_LONGEST_NAME: Final = 100
"""Characters of an unknown name that are compared; a model's slip can be very long."""
_REMEDY: Final = "Install the package again."


class Catalog:
    """A set of tools with unique names.

    Iterating and `len` give the platforms' tools; the local ones are found by `get`, `in` and `search` only.
    """

    def __init__(
        self,
        tools: Iterable[Tool],
        *,
        services: Mapping[str, Mapping[str, Any]] | None = None,
        allowed: Iterable[str] = (),
    ) -> None:
        self.services = dict(services or {})
        """Platform → how its service is reached, for catalogs of one's own (`kopa_hf.catalog.folder`)."""
        self.allowed = frozenset(allowed)
        """Names of writing tools that may be run against their service."""
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise CatalogError(f"Two tools are called {tool.name!r}. Names must be unique; rename one of them.")
            self._tools[tool.name] = tool
        self._local = {tool.name: tool for tool in local_tools()}
        self._urls: dict[str, tuple[Tool, ...]] = {}

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools or name in self._local

    def get(self, name: str) -> Tool:
        """The tool of that name, platform or local; else `UnknownToolError` with the nearest names."""
        tool = self._tools.get(name) or self._local.get(name)
        if tool is None:
            near = get_close_matches(name[:_LONGEST_NAME], [*self._tools, *self._local], n=3, cutoff=0.5)
            raise UnknownToolError(name, near)
        return tool

    def by_endpoint(self, url: str) -> Tool:
        """The tool behind an address. What stands in the query counts where several tools share a path (law's targets)."""
        if not self._urls:
            shared: dict[str, list[Tool]] = {}
            for tool in self:
                shared.setdefault(tool.endpoint.url.partition("?")[0], []).append(tool)
            self._urls = {path: tuple(tools) for path, tools in shared.items()}
        path, _, query = url.partition("?")
        given = set(query.split("&"))
        found = self._urls.get(path, ())
        fitting = [t for t in found if set(filter(None, t.endpoint.url.partition("?")[2].split("&"))) <= given]
        if len(fitting) == 1:
            return fitting[0]
        if found:
            raise CatalogError(f"{len(found)} tools share the address {path}: add what tells them apart in the query.")
        raise CatalogError(f"No tool has the endpoint {path}.")

    def platforms(self) -> tuple[str, ...]:
        """Names of the platforms, in catalog order."""
        return tuple(dict.fromkeys(tool.platform for tool in self))

    def search(self, words: str, limit: int = 10) -> list[Tool]:
        """Tools that match all (else most) of the words, best first; Korean and English."""
        wanted = [word for word in re.split(r"\s+", _folded(words)) if word]
        scored = [(_score(tool, wanted), tool) for tool in (*self, *self._local.values())]
        ranked = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].name))
        return [tool for _, tool in ranked[:limit]]

    def stats(self) -> dict[str, Any]:
        """`{"tools": N, "platforms": {name: {callable, parameters_known, fields4, chainable}}}`.

        N counts tools with known fields. callable: the live address is complete · parameters_known: at least one
        input beside paging is documented · fields4: four or more documented output fields · chainable: read, with
        known fields, and with an input beside paging that another tool's output could fill.
        """
        platforms: dict[str, dict[str, int]] = {}
        for tool in self:
            counts = platforms.setdefault(
                tool.platform, {"callable": 0, "parameters_known": 0, "fields4": 0, "chainable": 0}
            )
            known = any(parameter.role == "input" for parameter in tool.parameters)
            counts["callable"] += not tool.endpoint.code_unresolved
            counts["parameters_known"] += known
            counts["fields4"] += sum(field.documented for field in tool.fields) >= 4
            counts["chainable"] += known and tool.read and not tool.fields_unknown
        return {"tools": sum(not tool.fields_unknown for tool in self), "platforms": platforms}


@lru_cache(maxsize=1)
def load_catalog() -> Catalog:
    """The built-in catalog; parsed once per process."""
    folder = files("kopa_hf.catalog") / "data"
    sources = sorted((f for f in folder.iterdir() if f.name.endswith(".jsonl")), key=lambda f: f.name)
    return Catalog(tool for source in sources for tool in read_tools(source))


def read_tools(source: Traversable, *, remedy: str = _REMEDY) -> Iterator[Tool]:
    """Tools of one data file (one JSON object a line); `DataError` names file and line, and says what to do."""
    try:
        # Not splitlines(): JSON text may hold U+2028 and the like unescaped.
        lines = source.read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"Catalog file {source.name} cannot be read ({error}). {remedy}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield tool_from_dict(json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise DataError(f"Catalog file {source.name}, line {number} is damaged ({error}). {remedy}") from error


def tool_from_dict(values: Mapping[str, Any]) -> Tool:
    """The inverse of one data line; absent keys take the record's defaults."""
    parts = dict(values)
    if not isinstance(parts["name"], str) or not parts["name"].isidentifier():
        raise ValueError(f"{parts['name']!r} is no tool name")
    parts["endpoint"] = Endpoint(**parts["endpoint"])
    parts["parameters"] = tuple([_parameter(**_tupled(p)) for p in parts.get("parameters", ())])
    parts["fields"] = tuple([_field(**f) for f in parts.get("fields", ())])
    if parts.get("paging") is not None:
        parts["paging"] = Paging(**parts["paging"])
    return Tool(**parts)


@lru_cache(maxsize=65536)
def _field(**values: Any) -> Field:
    """The same columns come back in hundreds of tools; one object serves them all."""
    return Field(**values)


@lru_cache(maxsize=65536)
def _parameter(**values: Any) -> Parameter:
    """Shared like columns: every paged service has the same two."""
    return Parameter(**values)


def _tupled(values: dict[str, Any]) -> dict[str, Any]:
    """Lists made hashable; only enumerations are lists."""
    for key in ("enum", "enum_labels"):
        if key in values:
            values[key] = tuple(values[key])
    return values


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).lower().replace("_", " ")


def _score(tool: Tool, wanted: list[str]) -> float:
    """How well a tool answers a search; 0.0 where more than half of the words are missing."""
    heads = (_folded(tool.name), _folded(tool.title))
    description = _folded(tool.description)
    total, missing = 0.0, 0
    for word in wanted:
        best = max((_TITLE * _share(word, text) for text in heads), default=0.0)
        best = max(best, _DESCRIPTION * _share(word, description))
        if not best and word in _columns(tool):
            best = _COLUMNS
        total += best
        missing += not best
    return 0.0 if missing > len(wanted) // 2 else total / (1 + missing)


def _share(word: str, text: str) -> float:
    """1 for a word in a text, up to 2 the more of the text it is; 0 where it is not in it."""
    return 1.0 + len(word) / len(text) if word in text else 0.0


def _columns(tool: Tool) -> str:
    columns: tuple[Field | Parameter, ...] = (*tool.fields, *tool.inputs)
    return _folded(" ".join(f"{column.name} {column.label}" for column in columns))
