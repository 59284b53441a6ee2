"""ZIP archives that are the same bytes for the same content, and appear whole or not at all."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kopa_hf.errors import DataError
from kopa_hf.whole_file import whole_file


@contextmanager
def new_archive(target: Path) -> Iterator[zipfile.ZipFile]:
    """A ZIP to fill, which stands under `target` only once the block has ended well. Raises `DataError`."""
    if target.exists():
        raise DataError(f"{target} exists; name another file.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with (
            whole_file(target) as fresh,
            zipfile.ZipFile(fresh, "x", zipfile.ZIP_DEFLATED, compresslevel=6) as archive,
        ):
            yield archive
    except OSError as error:
        raise DataError(f"Cannot write {target}: {error.strerror or error}.") from error


def archive_member(name: str, *, packed: bool = False) -> zipfile.ZipInfo:
    """A member without anything of this machine or moment; `packed`: its content is compressed already."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.create_system, info.external_attr = 3, 0o100644 << 16
    info.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
    return info
