"""Recorded answers in one file: found by canonical request, bodies stored once under their SHA-256.

The file is a SQLite database with a rollback journal, so a killed or crashed writer leaves the
answers before it and nothing half. What SQLite does not see is sealed: every row carries a
SHA-256 over its own fields, every body is checked against its name, and the file keeps a tally of all
rows. A damaged answer is never given out. An answer is written once and never changed.
"""

from __future__ import annotations

import datetime
import os
import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, NoReturn

from kopa_hf.errors import DataError
from kopa_hf.execution.recorded import (
    ANSWER_COLUMNS,
    FAILURE_COLUMNS,
    ORIGINS,
    Failed,
    Fingerprint,
    Origin,
    Recorded,
    seal,
    unpack,
)
from kopa_hf.execution.snapshot_file import (
    MODULUS,
    make_file,
    number_of,
    open_file,
    put_answer,
    put_failure,
    translate,
)

_GET: Final = (
    f"SELECT {', '.join('a.' + name for name in ANSWER_COLUMNS)}, a.body, a.seal, b.size, b.content "
    "FROM answers a LEFT JOIN bodies b ON b.place = a.place"
)
_GET_ONE: Final = f"{_GET} WHERE a.request = ?"
_BODY: Final = len(ANSWER_COLUMNS)
_SEAL, _SIZE, _CONTENT = _BODY + 1, _BODY + 2, _BODY + 3
"""Where in such a row the body's digest stands, and what follows it."""


class Head(NamedTuple):
    """An answer without its body."""

    request: str
    tool: str
    outcome: str
    observed: str
    signature: str
    body: str
    """SHA-256 of the body, hex."""
    size: int
    """Bytes of the body."""


class Snapshot:
    """Recorded answers in a file, for any number of threads and processes at once."""

    def __init__(self, path: Path | str, *, writable: bool = False) -> None:
        """Open a snapshot that is there; `create` makes one."""
        self.path = Path(path)
        self.writable = writable
        self._lock = threading.RLock()
        _OPEN.add(self)
        self._process = -1
        self._connection: sqlite3.Connection | None = None
        self._foreign: list[sqlite3.Connection] = []
        with self._using() as connection:
            found = dict(connection.execute("SELECT name, value FROM meta").fetchall())
        try:
            if found["seal"] != seal(found["origin"], found["day"]) or found["origin"] not in ORIGINS:
                raise ValueError("its head is damaged")
            self.origin: Origin = found["origin"]
            self.day = datetime.date.fromisoformat(found["day"])
        except (KeyError, ValueError) as error:
            self.close()
            raise DataError(f"{self.path} is no whole snapshot ({error}).") from error

    @classmethod
    def create(cls, path: Path | str, *, origin: Origin, day: datetime.date) -> Snapshot:
        """Open for writing, and make it if it is not there or empty. Raises `DataError` where another origin's answers are.

        `origin`: who is going to answer; `day`: the day that a run on it counts from.
        """
        path = Path(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            make_file(path, origin, day)
        except (sqlite3.Error, OSError) as error:
            raise DataError(f"{path} cannot be made a snapshot ({error}).") from error
        snapshot = cls(path, writable=True)
        try:
            snapshot.require_origin(origin)
        except DataError:
            snapshot.close()
            raise
        return snapshot

    def require_origin(self, origin: Origin) -> None:
        """Raise `DataError` where the answers of `origin` do not belong into this file."""
        if self.origin != origin:
            raise DataError(
                f"{self.path} holds answers from {WHO[self.origin]}, and these would come from {WHO[origin]}. "
                "Name another file: real and invented answers are not mixed."
            )

    # reading

    def get(self, request: str) -> Recorded | None:
        """The answer to a canonical request, or None. Raises `DataError` where what is there is damaged."""
        with self._lock:  # as `_using`, without what a context manager costs at every call
            try:
                row = self._opened().execute(_GET_ONE, (request,)).fetchone()
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                translate(error, self.path)
        return None if row is None else self._read(row)

    def failure(self, request: str) -> Failed | None:
        """How a request without an answer ended the last time, or None."""
        columns = ", ".join(FAILURE_COLUMNS)
        with self._using() as connection:
            row = connection.execute(f"SELECT {columns}, seal FROM failures WHERE request = ?", (request,)).fetchone()
        return None if row is None else self._read_failure(row)

    def __len__(self) -> int:
        """Answers held."""
        with self._using() as connection:
            return int(connection.execute("SELECT count(*) FROM answers").fetchone()[0])

    def __contains__(self, request: object) -> bool:
        with self._using() as connection:
            return connection.execute("SELECT 1 FROM answers WHERE request = ?", (request,)).fetchone() is not None

    def __iter__(self) -> Iterator[Recorded]:
        """All answers, by request."""
        for row in self._batches(f"{_GET} WHERE a.request > ? ORDER BY a.request LIMIT 50"):
            yield self._read(row)

    def failures(self) -> Iterator[Failed]:
        """All requests without an answer, by request."""
        columns = ", ".join(FAILURE_COLUMNS)
        query = f"SELECT {columns}, seal FROM failures WHERE request > ? ORDER BY request LIMIT 200"
        for row in self._batches(query):
            yield self._read_failure(row)

    def heads(self) -> Iterator[Head]:
        """All answers without their bodies, by request; seals are not checked."""
        query = (
            "SELECT a.request, a.tool, a.outcome, a.observed, a.signature, a.body, coalesce(b.size, 0) FROM answers a "
            "LEFT JOIN bodies b ON b.place = a.place WHERE a.request > ? ORDER BY a.request LIMIT 2000"
        )
        for row in self._batches(query):
            yield Head(*row)

    def fingerprint(self) -> str:
        """SHA-256 (hex) over requests and what was answered, in order; when it was answered does not count."""
        total = Fingerprint()
        query = "SELECT request, outcome, status, content_type, operation, body FROM answers WHERE request > ? ORDER BY request LIMIT 2000"
        for row in self._batches(query):
            total.add(*row)
        return total.hexdigest()

    # writing

    def put(self, answer: Recorded) -> bool:
        """Keep an answer; False where that request has one already, which then stays."""
        return self.put_all([answer]) == 1

    def put_all(self, answers: Iterable[Recorded], failures: Iterable[Failed] = ()) -> int:
        """Keep answers, and notes of failures, all or none; gives how many answers are new."""
        new = 0
        with self._writing() as connection:
            for answer in answers:
                new += put_answer(connection, answer)
            for failed in failures:
                put_failure(connection, failed)
        return new

    def note_failure(self, failed: Failed) -> None:
        """Note that a request failed; nothing happens where it has an answer."""
        self.put_all((), (failed,))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process opens the file itself."""
        return _reopened, (self.path, self.writable)

    # inside

    def structure(self) -> list[str]:
        """What SQLite and the tally find wrong with the file as a whole; empty where nothing is."""
        with self._using() as connection:
            words = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
            problems = [] if words == ["ok"] else words
            tally = connection.execute("SELECT value FROM meta WHERE name = 'tally'").fetchone()
            count, total = 0, 0
            for table in ("answers", "failures"):
                for (mark,) in connection.execute(f"SELECT seal FROM {table}"):
                    count, total = count + 1, (total + number_of(mark)) % MODULUS
            if tally is None or tally[0] != f"{count} {total:064x}":
                problems.append("rows are missing, or were added or changed from outside")
            lost = connection.execute(
                "SELECT count(*) FROM bodies WHERE digest NOT IN (SELECT body FROM answers)"
            ).fetchone()[0]
            if lost:
                problems.append(f"{lost} bodies belong to no answer")
        return problems

    def _read(self, row: tuple[Any, ...]) -> Recorded:
        try:
            if row[_SEAL] != seal(*row[:_SEAL]):
                problem = "its seal is broken"
            elif row[_CONTENT] is None:
                problem = "its body is missing"
            else:
                answer = Recorded(*(*row[:_BODY], unpack(row[_CONTENT], row[_SIZE])))
                if answer.digest == row[_BODY]:
                    return answer
                problem = "its body is another one"
        except (DataError, TypeError, ValueError) as error:
            problem = str(error)
        self._damaged(f"the answer to {str(row[0])[:80]}: {problem}")

    def _read_failure(self, row: tuple[Any, ...]) -> Failed:
        *fields, mark = row
        failed = Failed(*fields)
        if mark != seal(*fields):
            self._damaged(f"the note on {str(fields[0])[:80]}: its seal is broken")
        return failed

    def _batches(self, query: str) -> Iterator[tuple[Any, ...]]:
        """Rows in order of their first column, in batches, so that no long read holds up a writer."""
        last = ""
        while True:
            with self._using() as connection:
                rows = connection.execute(query, (last,)).fetchall()
            if not rows:
                return
            yield from rows
            if not isinstance(rows[-1][0], str) or rows[-1][0] <= last:
                self._damaged("its rows are not in order")
            last = rows[-1][0]

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The connection of this process, for one thread at a time; SQLite's errors become readable."""
        with self._lock:
            try:
                yield self._opened()
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                # a damaged file makes even SQLite's messages unreadable
                translate(error, self.path)

    def _opened(self) -> sqlite3.Connection:
        """This process's connection; whoever asks holds the lock."""
        if self._connection is None or self._process != os.getpid():
            if self._connection is not None:  # a fork's copy: closing it here would harm the parent's locks
                self._foreign.append(self._connection)
            self._connection = None
            self._connection = open_file(self.path, self.writable)
            self._process = os.getpid()
        return self._connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: everything in it is there afterwards, or nothing."""
        if not self.writable:
            raise DataError(f"{self.path} is open for reading only.")
        with self._using() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _damaged(self, what: str) -> NoReturn:
        raise DataError(f"{self.path} is damaged: {what}. `kopa snapshot verify` lists all damage.")


WHO: Final[dict[str, str]] = {
    "live": "the services themselves",
    "via": "a stand-in for the services",
    "sandbox": "the embedded sandbox",
}
"""Origins in words."""


_OPEN: Final[weakref.WeakSet[Snapshot]] = weakref.WeakSet()
_HELD: Final[list[Snapshot]] = []


def _hold() -> None:
    """No thread may be in the middle of a transaction when the process forks: the copy would end it."""
    for snapshot in list(_OPEN):
        snapshot._lock.acquire()
        _HELD.append(snapshot)


def _release() -> None:
    while _HELD:
        _HELD.pop()._lock.release()


os.register_at_fork(before=_hold, after_in_parent=_release, after_in_child=_release)


def _reopened(path: Path, writable: bool) -> Snapshot:
    return Snapshot(path, writable=writable)
