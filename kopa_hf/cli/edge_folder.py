"""A run's folder, written by one command at a time: two would mix their graphs, checkpoints and answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from kopa_hf.errors import DataError
from kopa_hf.execution.held_file import held

LOCK: Final = ".kopa.lock"


def make_folder(path: Path) -> Path:
    """The folder, made if need be."""
    if path.exists() and not path.is_dir():
        raise DataError(f"{path} is a file; name a folder.")
    path.mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Keep other commands off the folder; makes it, and takes it away again where nothing was put into it.

    Raises `DataError` where another command holds it. A crash leaves the lock's files, but not the lock.
    """
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        make_folder(folder)
        with held(
            folder / LOCK,
            busy=f"Another command is working in {folder}",
            remedy="Wait for it, or name another folder with --output.",
            what=f"into {folder}",
        ):
            yield
    finally:
        for path in made:
            with suppress(OSError):  # something stands in it
                path.rmdir()
