"""What models said, kept by content: one SQLite file that grows with every answer and survives a stop at any moment.

The key is a hash of everything that the answer depends on, so a file may be shared by
runs with other settings, and nothing in it is ever out of date.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kopa_hf.errors import DataError
from kopa_hf.execution.episode import canonical_json

_AT_ONCE: Final = 500
"""Keys in one query; SQLite allows 999 variables on old builds."""


def content_key(*parts: Any) -> str:
    """Hash of JSON values."""
    return hashlib.sha256(canonical_json(list(parts)).encode("utf-8")).hexdigest()


class Store:
    """Key → bytes. Each `put` is on disk when it returns; usable from any thread."""

    def __init__(self, path: Path | None) -> None:
        """`path` None: in memory, for this process only. Raises `DataError` where the file is none of ours."""
        self.path = path
        self._lock = threading.Lock()
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path or ":memory:", timeout=30, isolation_level=None, check_same_thread=False
            )
            # A log of changes beside the file: a commit costs microseconds, a crash loses at most the last few.
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute("CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value BLOB NOT NULL)")
        except (sqlite3.Error, OSError) as error:
            raise DataError(f"{path} is no usable store of answers ({error}). Remove it, or name another.") from error

    def get(self, key: str) -> bytes | None:
        """The value under a key."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Those of the keys that are there, with their values."""
        wanted = list(keys)
        found: dict[str, bytes] = {}
        with self._lock, self._translated():
            for start in range(0, len(wanted), _AT_ONCE):
                part = wanted[start : start + _AT_ONCE]
                marks = ",".join("?" * len(part))
                found.update(self._connection.execute(f"SELECT key, value FROM kept WHERE key IN ({marks})", part))
        return found

    def put(self, values: Mapping[str, bytes]) -> None:
        """Keep values, all or none; one that is there already is replaced."""
        with self._lock, self._translated():
            self._connection.execute("BEGIN")
            try:
                self._connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", values.items())
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def __len__(self) -> int:
        with self._lock, self._translated():
            return int(self._connection.execute("SELECT COUNT(*) FROM kept").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """SQLite's errors as one readable line."""
        try:
            yield
        except sqlite3.Error as error:
            raise DataError(
                f"{self.path} cannot be read or written ({error}). Make room or remove it, and run the same command again."
            ) from error
