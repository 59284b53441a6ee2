"""Files that appear whole or not at all, whatever stops the writer: a full disk, a crash, Ctrl-C.

What is written lies beside the target until it is complete and on the disk; the target's earlier content
stays until then, and of an attempt that failed nothing is left.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A new path to write to, which becomes `path` once the block has ended well. Raises `OSError`."""
    fresh = path.with_name(f".{secrets.token_hex(6)}.tmp")  # no part of the name, which may be as long as names can be
    try:
        yield fresh
        with fresh.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(fresh, path)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """`text` as the content of `path`, in UTF-8, with the mode bits that the user's umask leaves. Raises `OSError`."""
    # a temporary file of the library's would be readable by nobody else
    with whole_file(path) as fresh, open(fresh, "x", encoding="utf-8") as file:
        file.write(text)
