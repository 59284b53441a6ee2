"""Recorded answers of the real services: where they lie, and which of the catalog's tools each belongs to.

A folder of recordings holds the bodies as files and an `INDEX.jsonl`; per line `file`, `endpoint`
(address or path with query, the key left out), `operation`, `http_status`, and `note`, in which the
word "condensed" says that somebody cut the body down.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl

from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import DataError
from kopa_hf.sandbox.envelopes import ENVELOPES
from kopa_hf.sandbox.envelopes.base import Incoming, split_suffix

INDEX: Final = "INDEX.jsonl"


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded body."""

    file: str
    """Its path below the folder."""
    platform: str
    """As the recording names it."""
    endpoint: str
    operation: str | None
    http_status: int
    body: bytes
    condensed: bool = False
    """Whether parts of the body were left out when it was kept: what it lacks, the service may well send."""

    @property
    def written_in(self) -> str:
        """json, xml or html: what the file's name ends in."""
        return self.file.rpartition(".")[2]

    @property
    def content_type(self) -> str:
        """The type a server would send beside it."""
        return {"json": "application/json", "xml": "application/xml"}.get(self.written_in, "text/html")


def read_recordings(folder: Path) -> list[Recording]:
    """Every recording that the folder's index lists. Raises `DataError` for a folder or line that cannot be read."""
    index = folder / INDEX
    try:
        lines = index.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{folder} is no folder of recordings: {INDEX} cannot be read ({error}).") from error
    found: list[Recording] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            place = folder / row["file"]
            if not place.resolve().is_relative_to(folder.resolve()):
                raise ValueError("the file lies outside the folder")
            body = place.read_bytes()
            recording = Recording(
                str(row["file"]),
                str(row["platform"]),
                str(row.get("endpoint") or ""),
                row.get("operation"),
                int(row.get("http_status") or 200),
                body,
                "condensed" in str(row.get("note") or ""),
            )
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise DataError(f"{index}, line {number}: {type(error).__name__}: {error}.") from error
        found.append(recording)
    return found


class Matcher:
    """Finds the tool behind a recording by its address, as the sandbox's server would."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[tuple[str, str], Tool] = {}
        for tool in tools:
            envelope = ENVELOPES.get(tool.wire)
            if envelope is not None:
                self._tools.setdefault((tool.wire, envelope.address_of(tool).lower()), tool)

    def tool_of(self, recording: Recording) -> Tool | None:
        """The tool, or None where the catalog has none at that address."""
        incoming = _incoming(recording.endpoint)
        for wire, envelope in ENVELOPES.items():
            tool = self._tools.get((wire, envelope.address(incoming).lower()))
            if tool is not None and _same(tool, recording):
                return tool
        return None


def _same(tool: Tool, recording: Recording) -> bool:
    """Guards against addresses that happen to end alike on two wires."""
    named = recording.operation
    return named is None or named.lower() in tool.endpoint.operation.lower() or named in tool.endpoint.url


def _incoming(endpoint: str) -> Incoming:
    """A request from an index line's address: a host or a remark may stand before or after the path."""
    path = next((part for part in endpoint.split() if "/" in part), endpoint)
    path = path.partition("://")[2] or path
    host, slash, rest = path.partition("/")
    path, _, query = (slash + rest).partition("?")
    path, suffix = split_suffix(path)
    return Incoming("GET", host.lower(), path, suffix, dict(parse_qsl(query, keep_blank_values=True)))
