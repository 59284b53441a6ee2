"""One run at a time writes a log: lines of two would replace one another's rollouts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kopa_hf.errors import DataError


@contextmanager
def hold_log(log: Path) -> Iterator[None]:
    """Keep other processes and threads off the log; one that holds it already may hold it again.

    The lock is a file beside the log, which goes with the run; a crash leaves the file,
    but not the lock. Raises `DataError` where another run holds it.
    """
    from filelock import FileLock, Timeout

    path = log.with_name(f".{log.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path.resolve(), timeout=0, is_singleton=True)
        lock.acquire()
    except Timeout as error:
        raise DataError(f"Another run is writing {log.name}. Wait for it, or name another file.") from error
    except OSError as error:
        raise DataError(f"Cannot write the log {log.name}: {error.strerror}.") from error
    try:
        yield
    finally:
        if lock.lock_counter == 1:
            with suppress(OSError):  # another system forbids removing an open file
                path.unlink()
        lock.release()
