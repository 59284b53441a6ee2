"""Files that appear whole or not at all, whatever stops the writer: a full disk, a crash, Ctrl-C.

What is written lies beside the target until it is complete and on the disk; the target's earlier content
stays until then, and of an attempt that failed nothing is left.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
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


@contextmanager
def whole_files(steps: Sequence[tuple[Path, str | None]]) -> Iterator[None]:
    """Files that change together: (path, its new text; None: it goes), done in this order, a path perhaps twice.

    All texts and copies of what was there are on the disk before the first step. Where a step or the block fails, every
    file is put back as it was, the last one first. Raises `OSError`.
    """
    fresh: list[Path] = []
    copies: dict[Path, Path | None] = {}
    try:
        for path, text in steps:
            fresh.append(path.with_name(f".{secrets.token_hex(6)}.tmp"))
            if text is not None:
                with open(fresh[-1], "x", encoding="utf-8") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
            if path not in copies:
                copies[path] = _copied(path)
        begun: list[Path] = []
        try:
            for (path, text), ready in zip(steps, fresh, strict=True):
                begun.append(path)
                if text is None:
                    path.unlink(missing_ok=True)
                else:
                    os.replace(ready, path)
            yield
        except BaseException:
            for path in reversed(dict.fromkeys(begun)):
                copy = copies.pop(path)  # so it stays beside where it cannot be put back
                with suppress(OSError):
                    if copy is None:
                        path.unlink(missing_ok=True)
                    else:
                        os.replace(copy, path)
            raise
    finally:
        for left in (*fresh, *filter(None, copies.values())):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def _copied(path: Path) -> Path | None:
    """A copy beside a file, with its mode and times; None where there is no file."""
    copy = path.with_name(f".{secrets.token_hex(6)}.tmp")
    try:
        shutil.copy2(path, copy)
    except FileNotFoundError:
        return None
    return copy
