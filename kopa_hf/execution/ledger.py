"""What has been asked of each service, today and this month: on disk, shared by all processes.

A request is counted before it is sent, in one transaction, so two jobs side by side cannot
spend the same call. Services count by the Korean day, so the ledger does too.
"""

from __future__ import annotations

import datetime
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

import platformdirs

from kopa_hf.errors import BackendError
from kopa_hf.execution.limits import Limit, Quota

KOREA: Final = datetime.timezone(datetime.timedelta(hours=9))
Period = Literal["day", "month"]
_CLOSED: Final = " closed"
"""Marks the counter of services that said so themselves, whatever our own count."""
_WAIT: Final = 30.0
"""Seconds to wait for another process's transaction; one takes well under a millisecond."""


def default_state() -> Path:
    """The user's state folder."""
    return platformdirs.user_state_path("kopa_hf")


class Ledger:
    """Counts of requests per counter and period.

    `realm` keeps what was asked of a stand-in (`--via`) apart from what was asked of the real services.
    """

    def __init__(self, folder: Path, realm: str = "live", *, clock: Callable[[], float] = time.time) -> None:
        self.path = folder / "calls.sqlite3"
        self.realm = realm
        self._clock = clock
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0

    def take(self, quota: Quota) -> Period | None:
        """Count one request; or name the period whose quota is used up, and count nothing."""
        with self._transaction() as connection:
            if self._count(connection, quota.counter + _CLOSED, "day"):
                return "day"
            for period, size in _windows(quota.limit):
                if self._count(connection, quota.counter, period) >= size:
                    return period
            # both, so that a limit that is set later knows what was asked before
            self._add(connection, quota.counter, "day", 1)
            self._add(connection, quota.counter, "month", 1)
        return None

    def exhaust(self, quota: Quota) -> None:
        """The service itself said that its quota is used up: nothing more is sent to it today."""
        with self._transaction() as connection:
            self._add(connection, quota.counter + _CLOSED, "day", 1)

    def exhausted(self, quota: Quota) -> bool:
        """True where the service itself said so today."""
        with self._transaction() as connection:
            return self._count(connection, quota.counter + _CLOSED, "day") > 0

    def used(self, counter: str, period: Period = "day") -> int:
        """Requests counted in the running day or month."""
        with self._transaction() as connection:
            return self._count(connection, counter, period)

    def left(self, quota: Quota) -> int:
        """Requests that still fit today."""
        with self._transaction() as connection:
            if self._count(connection, quota.counter + _CLOSED, "day"):
                return 0
            return min(size - self._count(connection, quota.counter, period) for period, size in _windows(quota.limit))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def _now(self, period: Period) -> str:
        day = datetime.datetime.fromtimestamp(self._clock(), KOREA).date().isoformat()
        return day if period == "day" else day[:7]

    def _count(self, connection: sqlite3.Connection, counter: str, period: Period) -> int:
        row = connection.execute(
            "SELECT calls FROM calls WHERE realm = ? AND counter = ? AND period = ?",
            (self.realm, counter, self._now(period)),
        ).fetchone()
        return 0 if row is None else int(row[0])

    def _add(self, connection: sqlite3.Connection, counter: str, period: Period, number: int) -> None:
        connection.execute(
            "INSERT INTO calls VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls",
            (self.realm, counter, self._now(period), number),
        )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other thread or process can cut into."""
        with self._lock:
            try:
                connection = self._open()
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                finally:
                    connection.execute("COMMIT")
            except (sqlite3.Error, OSError) as error:
                raise BackendError(
                    f"The record of calls {self.path} cannot be used ({error}). Name a folder that can be written: --state."
                ) from error

    def _open(self) -> sqlite3.Connection:
        if self._connection is None or self._process != os.getpid():
            # a connection that came over a fork belongs to the parent: it is left alone
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
            # a killed process loses nothing so, and no count waits for the disk
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS calls (realm TEXT, counter TEXT, period TEXT, calls INTEGER,"
                " PRIMARY KEY (realm, counter, period))"
            )
            self._connection, self._process = connection, os.getpid()
        return self._connection


def _windows(limit: Limit) -> list[tuple[Period, int]]:
    """Periods that are counted. Every limit has one, so that what was asked is always known."""
    windows: list[tuple[Period, int]] = []
    if limit.per_day is not None:
        windows.append(("day", limit.per_day))
    if limit.per_month is not None:
        windows.append(("month", limit.per_month))
    return windows or [("day", 10**9)]
