"""What the server and the wires' envelopes hand each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal
from xml.sax.saxutils import escape

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.query import Query, Record, RefusalKind, Reply

Trouble = RefusalKind | Literal["auth", "unknown", "server", "rate_limit", "quota"]


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request as it arrived."""

    method: str
    host: str
    path: str
    """Without the format suffix."""
    suffix: str = ""
    """`json`, `xml` or empty: what the path ended in."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Query string and body together, decoded."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Lower-case names."""
    body: bytes = b""
    """As sent; a flat JSON object or form in it stands in `parameters` too."""
    raw_path: str = ""
    """The path as it came, escapes and suffix included; empty where only the decoded one is known."""
    named: str = ""
    """The operation where the path's last part is not its name; set by the server from the signature."""

    @property
    def operation(self) -> str:
        """The operation's name: what handlers are keyed by."""
        return self.named or self.path.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An answer as it leaves."""

    body: bytes
    content_type: str
    status: int = 200


class Envelope(ABC):
    """One wire protocol, seen from the server.

    The first three answer one question: which signature does a request belong to? The
    default is a service whose operations differ in their path.
    """

    hosts: ClassVar[tuple[str, ...]] = ()
    """Host names in lower case, without a port. Wires may share a host (the gateway of data.go.kr)."""

    def address(self, incoming: Incoming) -> str:
        """The key under which a request's signature is found."""
        return incoming.path.rstrip("/")

    def address_of(self, tool: Tool) -> str:
        """The same key, from a signature."""
        path = tool.endpoint.url.partition("?")[0].partition("://")[2].partition("/")[2]
        return "/" + split_suffix(path)[0].rstrip("/")

    def complete(self, incoming: Incoming, tool: Tool | None) -> Incoming:
        """The request with everything named: path segments, nested bodies, fixed choices."""
        return incoming

    @abstractmethod
    def key(self, incoming: Incoming) -> str | None:
        """The key that the request carries."""

    @abstractmethod
    def admits(self, platform: str, key: str | None) -> bool:
        """True where the service lets that key in."""

    @abstractmethod
    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        """The request without key, paging and format; raises `RefusedError` for malformed paging."""

    @abstractmethod
    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        """The bytes of a reply; `absent` names documented fields that never arrive."""

    @abstractmethod
    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        """The bytes of a refusal or failure, in the service's own codes."""


def host_of(url: str) -> str:
    """The host of an address as envelopes name it: lower case, no port."""
    return url.partition("://")[2].partition("/")[0].partition(":")[0].lower()


def split_suffix(path: str) -> tuple[str, str]:
    """A path without its format suffix, and the suffix."""
    stem, dot, suffix = path.rpartition(".")
    return (stem, suffix) if dot and suffix in ("json", "xml") else (path, "")


def without(records: list[Record], absent: frozenset[str]) -> list[Record]:
    """Records less the columns that never arrive."""
    if not absent:
        return records
    return [{name: value for name, value in record.items() if name not in absent} for record in records]


def xml_row(tag: str, record: Mapping[str, object]) -> str:
    """One record as an element of elements; None is an empty element."""
    cells = "".join(f"<{name}>{'' if value is None else escape(str(value))}</{name}>" for name, value in record.items())
    return f"<{tag}>{cells}</{tag}>"


XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
