"""Answers that a live job was given, so that the job can go on after a stop without asking again.

Only answers are kept, rows or the word that there are none; failures never are. This is the
memory of one job, not a snapshot: nothing is replayed from it elsewhere.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kopa_hf.catalog.canonical import canonical_request
from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import DataError
from kopa_hf.execution.result import CallResult

_KEPT: Final = frozenset({"ok", "no_data"})
_FIELDS: Final = (
    "outcome",
    "records",
    "total_count",
    "page",
    "page_size",
    "cursor",
    "code",
    "message",
    "failure",
    "slips",
)


class Answers:
    """Request → answer, in one file."""

    def __init__(self, path: Path, realm: str = "live") -> None:
        self.path = path
        self._realm = realm
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
            self._connection.execute("CREATE TABLE IF NOT EXISTS answers (request TEXT PRIMARY KEY, answer TEXT)")
        except (sqlite3.Error, OSError) as error:
            raise DataError(f"{path} is no usable store of answers ({error}). Remove it, or name another.") from error

    def get(self, tool: Tool, arguments: Mapping[str, Any]) -> CallResult | None:
        """The answer to an equal request; it costs no request."""
        with self._lock:
            row = self._connection.execute(
                "SELECT answer FROM answers WHERE request = ?", (self._request(tool, arguments),)
            ).fetchone()
        if row is None:
            return None
        told = json.loads(row[0])
        told["slips"] = tuple(told["slips"])
        return CallResult(tool=tool.name, arguments=dict(arguments), source="live", requests=0, **told)

    def put(self, tool: Tool, arguments: Mapping[str, Any], result: CallResult) -> None:
        """Keep an answer; a failure is left out."""
        if result.outcome not in _KEPT:
            return
        text = json.dumps({name: getattr(result, name) for name in _FIELDS}, ensure_ascii=False)
        with self._lock:
            self._connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?)", (self._request(tool, arguments), text)
            )

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _request(self, tool: Tool, arguments: Mapping[str, Any]) -> str:
        return f"{self._realm} {canonical_request(tool.name, arguments)}"
