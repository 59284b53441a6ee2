"""What a snapshot holds of one request: an answer as bytes, or the note that there was none."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import DataError
from kopa_hf.execution.episode import canonical_json

Origin = Literal["live", "via", "sandbox"]
"""Who answered: the services themselves, a stand-in for them, or the embedded sandbox."""
ORIGINS: Final[tuple[Origin, ...]] = ("live", "via", "sandbox")
ANSWERS: Final = frozenset({"ok", "no_data"})
"""Outcomes of which there is an answer to keep."""
LARGEST_BODY: Final = 64 * 2**20
"""Bytes of the longest body that is recorded or read."""
LONGEST_TEXT: Final = 64 * 2**10
"""Characters of the longest request or message."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An answer: what is needed to read it again, and nothing about who asked."""

    request: str
    """Canonical text of what the service was asked; never a key."""
    tool: str
    wire: str
    operation: str
    """As the envelope names it; may differ from the catalog's where that knows a service by its id only."""
    signature: str
    """`signature_print` of the tool at the time."""
    outcome: str
    """ok or no_data; nothing else is an answer."""
    status: int
    content_type: str
    """Empty where the service sent none."""
    observed: str
    """When it came, UTC, as 2026-01-30T09:00:00Z."""
    body: bytes
    """As received, keys masked."""

    @property
    def digest(self) -> str:
        """SHA-256 of the body, hex."""
        return hashlib.sha256(self.body).hexdigest()


@dataclass(frozen=True, slots=True)
class Failed:
    """A request that was never answered: how it ended the last time. It is not replayed as an answer."""

    request: str
    tool: str
    outcome: str
    failure: str
    """structural or environmental."""
    message: str
    """What the service said, where it refused the request."""
    observed: str


ANSWER_COLUMNS: Final = ("request", "tool", "wire", "operation", "signature", "outcome", "status", "content_type",
                         "observed")  # fmt: skip
"""Columns of an answer beside its body; the order in which they are sealed."""
FAILURE_COLUMNS: Final = tuple(field.name for field in dataclasses.fields(Failed))


def seal(*parts: str | int) -> str:
    """SHA-256 over parts, none of which can run into its neighbour; hex."""
    return hashlib.sha256(_write(parts).encode("utf-8", "surrogatepass")).hexdigest()


# canonical JSON by an encoder of its own: json.dumps builds one at every call
_write: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class Fingerprint:
    """SHA-256 over requests and what was answered, added in order; when it was answered does not count."""

    def __init__(self) -> None:
        self._total = hashlib.sha256(b"kopa-snapshot\n")

    def add(self, request: str, outcome: str, status: int, content_type: str, operation: str, digest: str) -> None:
        """One more answer; `digest`: its body's."""
        self._total.update(seal(request, outcome, status, content_type, operation, digest).encode("ascii"))

    def hexdigest(self) -> str:
        """64 hex digits."""
        return self._total.hexdigest()


def pack(body: bytes) -> bytes:
    """A body as it is stored."""
    return zlib.compress(body, 6)


def unpack(content: bytes, size: int) -> bytes:
    """The stored body of a known size; `DataError` for any other, however much it would unfold to."""
    if not 0 <= size <= LARGEST_BODY:
        raise DataError(f"a body of {size:,} bytes is announced")
    unfolding = zlib.decompressobj()
    try:
        body = unfolding.decompress(content, size + 1)
    except zlib.error as error:
        raise DataError("a body cannot be unpacked") from error
    if len(body) != size or not unfolding.eof or unfolding.unused_data:
        raise DataError("a body has another size than announced")
    return body


_LATER_ENDPOINT: Final = {"auth_scheme": "", "body": "json"}
"""Parts of an address that came with imported services: left out of prints where they say nothing."""


@lru_cache(maxsize=4096)
def signature_print(tool: Tool) -> str:
    """16 hex digits of what decides a tool's request and how its answer is read; wording does not count."""
    inputs = [
        [p.name, p.type, p.format, p.default, list(p.enum), p.location, p.separator, p.matches_field, p.required]
        + ([p.sent_as, p.style] if p.sent_as or p.style else [])
        for p in tool.parameters
    ]
    endpoint = dataclasses.asdict(tool.endpoint)
    for name, plain in _LATER_ENDPOINT.items():
        if endpoint[name] == plain:
            del endpoint[name]
    for resolved in ("url", "operation", "code_unresolved"):  # looked up at run time for services known by an id
        if tool.wire == "assembly":
            endpoint.pop(resolved)
    paging = None if tool.paging is None else dataclasses.asdict(tool.paging)
    if paging is not None and paging["first"] == 1:
        del paging["first"]
    content = canonical_json([tool.name, tool.wire, endpoint, inputs, paging])
    return hashlib.sha256(content.encode("utf-8")).hexdigest()[:16]


def request_of(text: str) -> tuple[str, dict[str, Any]] | None:
    """Tool and arguments of a canonical request; None where the text is none."""
    try:
        tool, arguments = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    return (tool, arguments) if isinstance(tool, str) and isinstance(arguments, dict) else None
