"""The file under a snapshot: its tables, how it is opened, and what is written in one transaction."""

from __future__ import annotations

import datetime
import os
import sqlite3
from pathlib import Path
from typing import Any, Final, NoReturn
from urllib.parse import quote

from kopa_hf.errors import DataError
from kopa_hf.execution.recorded import (
    ANSWER_COLUMNS,
    ANSWERS,
    FAILURE_COLUMNS,
    LARGEST_BODY,
    Failed,
    Origin,
    Recorded,
    pack,
    seal,
)

_APPLICATION: Final = 0x4B4F5053
"""KOPS in the file's head: what says that a SQLite file is a snapshot."""
VERSION: Final = 2
"""1 had no places: a look-up of a body by its digest reads one page of the file more."""
_TABLES: Final = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE bodies (place INTEGER PRIMARY KEY, digest TEXT UNIQUE NOT NULL, size INTEGER NOT NULL, "
    "content BLOB NOT NULL)",
    "CREATE TABLE answers (request TEXT PRIMARY KEY NOT NULL, tool TEXT NOT NULL, wire TEXT NOT NULL, "
    "operation TEXT NOT NULL, signature TEXT NOT NULL, outcome TEXT NOT NULL, status INTEGER NOT NULL, "
    "content_type TEXT NOT NULL, observed TEXT NOT NULL, body TEXT NOT NULL, seal TEXT NOT NULL, "
    "place INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE failures (request TEXT PRIMARY KEY NOT NULL, tool TEXT NOT NULL, outcome TEXT NOT NULL, "
    "failure TEXT NOT NULL, message TEXT NOT NULL, observed TEXT NOT NULL, seal TEXT NOT NULL) WITHOUT ROWID",
)
_COLUMNS: Final = ", ".join(ANSWER_COLUMNS)
_PATIENCE: Final = 60.0
"""Seconds to wait for another process that writes."""
_MAPPED: Final = 2**30
"""Bytes of a file that replay reads in place; what lies behind them is copied."""
MODULUS: Final = 2**256


def make_file(path: Path, origin: Origin, day: datetime.date) -> None:
    """The tables, where the file has none; two processes may try at once."""
    with sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
            if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
                for statement in _TABLES:
                    connection.execute(statement)
                told = {"origin": origin, "day": day.isoformat(), "seal": seal(origin, day.isoformat())}
                told["tally"] = f"0 {0:064x}"
                connection.executemany("INSERT INTO meta VALUES (?, ?)", told.items())
            connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            translate(error, path)
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    connection.close()


def open_file(path: Path, writable: bool) -> sqlite3.Connection:
    """A checked connection: nothing but our own tables, no code in the file is run."""
    if not path.is_file():
        raise DataError(f"{path} is not there. `--backend record --snapshot FILE` makes a snapshot.")
    journal = path.with_name(path.name + "-journal")
    if not writable and journal.exists() and os.access(path, os.W_OK):
        # what a killed writer left is taken back once, which needs the right to write
        _connect(path, "rw").close()
    connection = _connect(path, "rw" if writable else "ro")
    return connection


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    address = f"file:{quote(str(path.absolute()))}?mode={mode}"
    connection = sqlite3.connect(
        address, uri=True, timeout=_PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=64
    )
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * LARGEST_BODY)
        for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "synchronous = FULL", "cache_size = -65536"):
            connection.execute(f"PRAGMA {pragma}")
        if mode == "ro":  # a page that is looked at in place costs half of one that is copied first
            connection.execute(f"PRAGMA mmap_size = {_MAPPED}")
        told = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        if told[0] != _APPLICATION:
            raise DataError(f"{path} is no snapshot.")
        if told[1] != VERSION:
            raise DataError(
                f"{path} is a snapshot of version {told[1]}; this program reads version {VERSION}. "
                "The program that made it writes an archive (`kopa snapshot export`), which any version imports."
            )
        tables = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()
        if tables != _expected_tables():
            raise DataError(f"{path} holds other tables than a snapshot.")
        connection.text_factory = _text
    except BaseException:
        connection.close()
        raise
    return connection


def _expected_tables() -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(":memory:")
    for statement in _TABLES:
        connection.execute(statement)
    found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()
    connection.close()
    return found


def _text(content: bytes) -> str:
    """Text as stored; damaged text must fail its seal, not end the reading."""
    return content.decode("utf-8", "surrogateescape")


def translate(error: sqlite3.DatabaseError | UnicodeDecodeError, path: Path) -> NoReturn:
    """Raise SQLite's error as a `DataError` that says what to do."""
    words = str(error) if isinstance(error, sqlite3.Error) else "what SQLite says is no text"
    if "full" in words or "disk I/O" in words:
        raise DataError(f"{path}: {words}. What was recorded before is kept; the same command goes on.") from error
    if "locked" in words:
        raise DataError(f"{path} is being written by another program that does not let go ({words}).") from error
    if "readonly" in words or "unable to open" in words:
        raise DataError(f"{path} cannot be opened ({words}).") from error
    raise DataError(f"{path} is damaged or no snapshot ({words}).") from error


def put_answer(connection: sqlite3.Connection, answer: Recorded) -> int:
    """Write an answer inside a transaction; 1 where it is new, 0 where the request has one, which stays."""
    if answer.outcome not in ANSWERS:
        raise DataError(f"{answer.outcome} is a failure, and failures are not recorded as answers.")
    if len(answer.body) > LARGEST_BODY:
        raise DataError(f"A body of {len(answer.body):,} bytes is too large to record (at most {LARGEST_BODY:,}).")
    fields = [getattr(answer, name) for name in ANSWER_COLUMNS]
    digest = answer.digest
    mark = seal(*fields, digest)
    if connection.execute("SELECT 1 FROM answers WHERE request = ?", (answer.request,)).fetchone() is not None:
        return 0
    known = connection.execute("SELECT place FROM bodies WHERE digest = ?", (digest,)).fetchone()
    if known is not None:
        place = known[0]
    else:
        kept = (digest, len(answer.body), pack(answer.body))
        place = connection.execute("INSERT INTO bodies (digest, size, content) VALUES (?, ?, ?)", kept).lastrowid
    connection.execute(
        f"INSERT INTO answers ({_COLUMNS}, body, seal, place) VALUES ({'?, ' * len(fields)}?, ?, ?)",
        (*fields, digest, mark, place),
    )
    _count(connection, 1, number_of(mark))
    _drop_failure(connection, answer.request)
    return 1


def put_failure(connection: sqlite3.Connection, failed: Failed) -> None:
    """Write a failure over the request's former one inside a transaction; nothing happens where it has an answer."""
    if connection.execute("SELECT 1 FROM answers WHERE request = ?", (failed.request,)).fetchone() is not None:
        return
    _drop_failure(connection, failed.request)
    fields = [getattr(failed, name) for name in FAILURE_COLUMNS]
    mark = seal(*fields)
    connection.execute(f"INSERT INTO failures VALUES ({'?, ' * len(fields)}?)", (*fields, mark))
    _count(connection, 1, number_of(mark))


def _drop_failure(connection: sqlite3.Connection, request: str) -> None:
    row = connection.execute("SELECT seal FROM failures WHERE request = ?", (request,)).fetchone()
    if row is not None:
        connection.execute("DELETE FROM failures WHERE request = ?", (request,))
        _count(connection, -1, -number_of(row[0]))


def _count(connection: sqlite3.Connection, rows: int, number: int) -> None:
    """Bring the tally up to date: how many rows there are, and the sum of their seals, which no order changes."""
    (text,) = connection.execute("SELECT value FROM meta WHERE name = 'tally'").fetchone()
    count, total = text.split()
    now = f"{int(count) + rows} {(int(total, 16) + number) % MODULUS:064x}"
    connection.execute("UPDATE meta SET value = ? WHERE name = 'tally'", (now,))


def number_of(mark: object) -> int:
    """A seal as the number that the tally adds up; 0 for what is no seal."""
    try:
        return int(str(mark), 16)
    except ValueError:
        return 0
