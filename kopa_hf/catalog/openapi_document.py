"""An OpenAPI document as it comes: read within limits, its version known, its references followed.

Documents come from strangers. So sizes are bounded, YAML is read by the core schema (`no` is a word
and 2024-01-01 a text, as JSON has it), aliases may not unfold into more than a document is worth, and
references stay within the document: nothing else is opened because a document says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import yaml

from kopa_hf.catalog.pointer import pointer_parts
from kopa_hf.errors import DataError

LARGEST: Final = 32 * 2**20
"""Bytes of the largest document that is read."""
_NODES: Final = 3_000_000
"""Values of a document once its YAML aliases are unfolded."""
_DEPTH: Final = 200
_CHAIN: Final = 50
"""References that lead to references."""
METHODS: Final = ("get", "head", "post", "put", "patch", "delete", "options", "trace")


class Document:
    """One document with the version of its dialect."""

    def __init__(self, content: Any, source: str) -> None:
        """`source`: a path or an address, for messages; an address also completes relative servers."""
        self.address = source
        self.source = source = _shown(source)
        if not isinstance(content, dict):
            raise DataError(f"{source} holds no OpenAPI document but {_kind(content)}.")
        self.root: dict[str, Any] = content
        told = content.get("openapi", content.get("swagger"))
        version = re.fullmatch(r"(2\.0|3\.[012])(\.\d+)?", str(told if told is not None else ""))
        if version is None:
            what = "neither `openapi` nor `swagger`" if told is None else f"version {str(told)[:20]!r}"
            raise DataError(f"{source} has {what}; understood are Swagger 2.0 and OpenAPI 3.0 to 3.2.")
        self.version = version[1]
        if not isinstance(content.get("paths", {}), dict):
            raise DataError(f"{source}: `paths` is {_kind(content['paths'])}, not an object.")

    @property
    def is_swagger(self) -> bool:
        """True for version 2."""
        return self.version == "2.0"

    def follow(self, node: Any) -> dict[str, Any]:
        """The object that a node is, or refers to; `{}` where it is none."""
        seen = 0
        while isinstance(node, dict) and isinstance(node.get("$ref"), str):
            seen += 1
            if seen > _CHAIN:
                raise DataError(f"{self.source}: the reference {node['$ref'][:80]!r} leads to itself.")
            beside = {name: value for name, value in node.items() if name != "$ref"}
            node = self.lookup(node["$ref"])
            if beside and isinstance(node, dict):
                node = {**node, **beside}  # allowed since 3.1: a description beside a reference
        return node if isinstance(node, dict) else {}

    def lookup(self, reference: str) -> Any:
        """What a reference names; `DataError` where that lies outside of the document, or nowhere."""
        place, _, pointer = reference.partition("#")
        if place:
            raise DataError(
                f"{self.source} refers to {reference[:120]!r}, which lies outside of it. Nothing is opened on a document's "
                "word; bundle it into one file first."
            )
        node: Any = self.root
        for name in pointer_parts(unquote(pointer)):
            if isinstance(node, dict) and name in node:
                node = node[name]
            elif isinstance(node, list) and name.isdecimal() and int(name) < len(node):
                node = node[int(name)]
            else:
                raise DataError(f"{self.source}: the reference {reference[:120]!r} leads nowhere.")
        return node

    def operations(self, broken: dict[str, str]) -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
        """(path, method, path item, operation) in the document's order; into `broken`: paths that cannot be read, why."""
        for path, item in self.root.get("paths", {}).items():
            if not isinstance(path, str) or not path.startswith("/"):
                continue  # extensions stand among the paths
            try:
                found = self.follow(item)
            except DataError as error:
                broken[path] = str(error).removeprefix(f"{self.source}: ").rstrip(".")
                continue
            for method, operation in found.items():
                if method in METHODS and isinstance(operation, dict):
                    yield path, method, found, operation


def shown_address(address: str) -> str:
    """An address as messages may show it: without user, password and query."""
    bare = re.sub(r"//.*@", "//***@", address, flags=re.DOTALL)
    return re.sub(r"\?.*", "?…", bare, flags=re.DOTALL)


def _shown(source: str) -> str:
    return shown_address(source) if source.startswith(("http://", "https://")) else source


def read_document(source: str | Path) -> Document:
    """The document of a file or of an http(s) address; JSON or YAML, whatever its name says."""
    name = str(source)
    content = _fetched(name) if name.startswith(("http://", "https://")) else _read(Path(source))
    return Document(parse_document(content, _shown(name)), name)


def parse_document(content: bytes, source: str) -> Any:
    """JSON, else YAML."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{source} is no UTF-8 text.") from error
    try:
        if text.lstrip()[:1] in ("{", "["):
            try:
                return json.loads(text)
            except ValueError:
                pass  # YAML may open with a brace too
        value = yaml.load(text, Loader=_Loader)
        _check_size(value, source)
        return value
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark is not None else ""
        told = getattr(error, "problem", None) or "it cannot be read"
        raise DataError(f"{source}{where} is neither JSON nor YAML: {told}.") from error
    except (RecursionError, ValueError) as error:
        raise DataError(f"{source} is nested too deep, or holds what no document may hold.") from error


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # the C one where it is built
    """YAML's core schema: no dates, no octal figures, and `yes`, `no`, `on` and `off` are words."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":timestamp", ":bool", ":int", ":float"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?(?:0|[1-9][0-9]{0,300})", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:0|[1-9][0-9]*)?\.[0-9]+(?:[eE][-+]?[0-9]{1,3})?|[-+]?[0-9]+[eE][-+]?[0-9]{1,3}",
        "-+.0123456789",
    ),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_pattern})$"), list(_first))


def _check_size(value: Any, source: str) -> None:
    """Refuse what unfolds into far more than was written, or into itself."""
    counts: dict[int, int] = {}
    open_nodes: set[int] = set()

    def count(node: Any, depth: int) -> int:
        if not isinstance(node, dict | list):
            return 1
        if id(node) in open_nodes or depth > _DEPTH:
            raise DataError(f"{source}: a YAML alias holds itself, or it is nested deeper than {_DEPTH}.")
        if id(node) not in counts:
            open_nodes.add(id(node))
            parts = node.values() if isinstance(node, dict) else node
            counts[id(node)] = 1 + sum(count(part, depth + 1) for part in parts)
            open_nodes.discard(id(node))
        return counts[id(node)]

    if count(value, 0) > _NODES:
        raise DataError(f"{source}: its YAML aliases unfold into more than {_NODES:,} values.")


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST:
            raise DataError(f"{path} has more than {LARGEST:,} bytes.")
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error


def _fetched(address: str) -> bytes:
    """The document at an address; at most `LARGEST` bytes, redirections included."""
    import httpx

    if urlsplit(address).username or urlsplit(address).password:
        raise DataError("An address with a user's name or password in it is not asked: it would stand in the catalog.")
    shown = shown_address(address)
    try:
        with httpx.stream("GET", address, follow_redirects=True, timeout=30.0) as response:
            if response.status_code != 200:
                raise DataError(f"{shown} answers with HTTP {response.status_code}.")
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > LARGEST:
                    raise DataError(f"{shown} sends more than {LARGEST:,} bytes.")
            return bytes(body)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise DataError(f"{shown} cannot be had ({type(error).__name__}).") from None


def _kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return "an object"
    return "nothing" if value is None else f"a {type(value).__name__}"
