"""One run at a time writes a log: lines of two would replace one another's rollouts."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from kopa_hf.execution.held_file import held


def hold_log(log: Path, *, option: str = "--log") -> AbstractContextManager[None]:
    """Keep other processes and threads off the log; one that holds it already may hold it again.

    The lock is a file beside the log, which goes with the run; a crash leaves the file,
    but not the lock. `option` names the file on the command line. Raises `DataError` where another run holds it.
    """
    return held(
        log.with_name(f".{log.name}.lock"),
        busy=f"Another run is writing {log.name}",
        remedy=f"Wait for it, or name another file with {option}.",
        what=f"the log {log.name}",
    )
