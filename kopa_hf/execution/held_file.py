"""One process at a time writes a file or a folder, and the second is told who the first is."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kopa_hf.errors import DataError


@contextmanager
def held(lock_file: Path, *, busy: str, remedy: str, what: str) -> Iterator[None]:
    """Hold `lock_file` against other processes and threads; who holds it already may hold it again.

    The system keeps the lock, so it ends with its process however that ends; the file, and one beside it that says who
    holds it, go with the block. Where it is held, raises `DataError`: `busy`, the process, `remedy`; where the file
    cannot be written, one that names `what`.
    """
    from filelock import FileLock, Timeout

    # not in the lock's own file: waiting for a lock empties that in some versions of the library
    holder = lock_file.with_name(f"{lock_file.name}.holder")
    try:
        lock_file.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(lock_file.resolve(), timeout=0, is_singleton=True)
        lock.acquire()
    except Timeout as error:
        raise DataError(f"{busy}{_told(holder)}. {remedy}") from error
    except OSError as error:
        raise DataError(f"Cannot write {what}: {error.strerror}.") from error
    try:
        if lock.lock_counter == 1:
            with suppress(OSError):  # a full disk: the lock holds without a name on it
                holder.write_text(_myself(), encoding="utf-8")
        yield
    finally:
        if lock.lock_counter == 1:
            for path in (holder, lock_file):
                with suppress(OSError):  # another system forbids removing an open file
                    path.unlink()
        lock.release()


def _myself() -> str:
    now = datetime.datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
    return f"process {os.getpid()} on {platform.node()}, since {now}"


def _told(holder: Path) -> str:
    """What the holder says of itself, in brackets; empty where it has said nothing."""
    try:
        text = holder.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f" ({text[:200]})" if text else ""
