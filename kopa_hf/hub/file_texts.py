"""Every text that stands in a file: lines, cells of Parquet with its names and notes, members of archives in archives."""

from __future__ import annotations

import codecs
import gzip
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final, cast

from kopa_hf.errors import DataError

_HEAD: Final = 1 << 20
"""Bytes of a binary file that are looked at: names and settings stand at its beginning."""
_PART: Final = 8 << 20
"""Characters of a long text that are looked at together; parts overlap."""
_OVERLAP: Final = 4096
_LARGEST_ARCHIVE: Final = 8 << 30
_LARGEST_INNER: Final = 1 << 30
"""Bytes of an archive inside another; it is laid down to be read."""
_DEEPEST: Final = 3
"""Archives in one another that are opened."""
_PARQUET: Final = b"PAR1"
_GZIP: Final = b"\x1f\x8b\x08"
_ARCHIVES: Final = (b"PK\x03\x04", _GZIP, _PARQUET)


def file_texts(name: str, path: Path) -> Iterator[tuple[str, str, str]]:
    """The texts of a file: its name (inside an archive: with its member's), the place, and the text.

    Raises `DataError` for what says it is an archive or Parquet and cannot be read, and for archives that are too
    large or too deep in one another.
    """
    with path.open("rb") as file:
        yield from _contents(name, file, 0)


def _contents(name: str, file: IO[bytes], depth: int) -> Iterator[tuple[str, str, str]]:
    """The same of an open file that can be rewound; `depth`: how many archives it stands in."""
    if depth > _DEEPEST:
        raise DataError(f"{name} is an archive in {depth} others, deeper than is searched.")
    head = file.read(len(_PARQUET))
    file.seek(0)
    if head == _PARQUET or (depth == 0 and name.endswith(".parquet")):
        yield from ((name, place, text) for place, text in _cells(name, file))
    elif zipfile.is_zipfile(file):
        file.seek(0)
        yield from _members(name, file, depth)
    elif head.startswith(_GZIP) or name.endswith(".gz"):
        file.seek(0)
        try:
            with gzip.GzipFile(fileobj=file) as inner:
                yield from _inner(name, cast("IO[bytes]", inner), depth)
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise DataError(f"{name} is no readable archive.") from error
    else:
        file.seek(0)
        yield from ((name, place, text) for place, text in _lines(file))


def _members(name: str, file: IO[bytes], depth: int) -> Iterator[tuple[str, str, str]]:
    try:
        with zipfile.ZipFile(file) as archive:
            if sum(member.file_size for member in archive.infolist()) > _LARGEST_ARCHIVE:
                raise DataError(f"{name} unfolds to more than can be searched.")
            for member in archive.infolist():
                yield f"{name}: a member's name", "its text", member.filename
                with archive.open(member) as inner:
                    yield from _inner(f"{name}/{member.filename}", inner, depth)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise DataError(f"{name} is no readable archive.") from error


def _inner(name: str, file: IO[bytes], depth: int) -> Iterator[tuple[str, str, str]]:
    """What an archive holds: read as it comes, or, where it is an archive again, laid down and searched likewise."""
    head = file.read(len(_PARQUET))
    file.seek(0)
    if not head.startswith(_ARCHIVES):
        yield from ((name, place, text) for place, text in _lines(file))
        return
    with tempfile.TemporaryFile() as laid:
        while part := file.read(_HEAD):
            if laid.tell() > _LARGEST_INNER:
                raise DataError(f"{name} unfolds to more than can be searched.")
            laid.write(part)
        laid.seek(0)
        yield from _contents(name, cast("IO[bytes]", laid), depth + 1)


def _lines(file: IO[bytes]) -> Iterator[tuple[str, str]]:
    """Text of a file in long overlapping parts, by the line at which they begin; of a binary one its head."""
    part = file.read(_PART)
    wide = _wide(part)
    if wide is None and b"\0" in part[:_HEAD]:
        yield "its head", part[:_HEAD].decode("latin-1")
        return
    line = 1
    while part:
        yield (
            f"line {line} and following" if line > 1 or len(part) > _HEAD else "its text",
            part.decode(wide or "utf-8", "replace"),
        )
        rest = file.read(_PART)
        if not rest:
            return
        line += part[:-_OVERLAP].count(b"\n")
        part = part[-_OVERLAP:] + rest


def _wide(part: bytes) -> str | None:
    """UTF-16 by its mark, or by zeros that stand at nearly every second byte and nowhere else."""
    if part[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16-le" if part[:2] == codecs.BOM_UTF16_LE else "utf-16-be"
    first, second = part[0:4096:2], part[1:4096:2]
    for name, zeros, signs in (("utf-16-be", first, second), ("utf-16-le", second, first)):
        if signs and b"\0" not in signs and zeros.count(0) > 0.9 * len(zeros):
            return name
    return None


def _cells(name: str, content: IO[bytes]) -> Iterator[tuple[str, str]]:
    """Text of every cell (nested values as the text of their leaves), names of columns and what the schema notes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(content)
        yield "the columns' names", file.schema_arrow.remove_metadata().to_string(truncate_metadata=False)
        for key, value in (file.metadata.metadata or {}).items():
            yield "the schema's notes", f"{key.decode('utf-8', 'replace')}={value.decode('utf-8', 'replace')}"
        row = 0
        for batch in file.iter_batches(batch_size=256):
            for column in batch.schema.names:
                for offset, value in enumerate(batch.column(column).to_pylist()):
                    for text in _leaves(value):
                        yield f"row {row + offset}, {column}", text
            row += batch.num_rows
    except pa.ArrowException as error:
        raise DataError(f"{name} is no readable Parquet: {str(error).splitlines()[0]}") from error


def _leaves(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _leaves(part)
