"""What the server and the wires' envelopes hand each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol
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

    @property
    def operation(self) -> str:
        """Last part of the path."""
        return self.path.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An answer as it leaves."""

    body: bytes
    content_type: str
    status: int = 200


class Envelope(Protocol):
    """One wire protocol, seen from the server."""

    def key(self, incoming: Incoming) -> str | None:
        """The key that the request carries."""

    def admits(self, platform: str, key: str | None) -> bool:
        """True where the service lets that key in."""

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        """The request without key, paging and format; raises `RefusedError` for malformed paging."""

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        """The bytes of a reply; `absent` names documented fields that never arrive."""

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        """The bytes of a refusal or failure, in the service's own codes."""


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
