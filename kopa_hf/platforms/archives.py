"""ZIP answers, read with limits: a few kilobytes can claim to be many gigabytes."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import Final

from kopa_hf.platforms.base import Answer, Record
from kopa_hf.platforms.body import decode, read_document
from kopa_hf.platforms.shapes import answer_of_rows, rows_of

MAX_FILES: Final = 2_000
MAX_BYTES: Final = 256 * 1024 * 1024
"""Over all files; DART's list of all companies has about a tenth of it."""
_PLAIN: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def read_archive(body: bytes) -> Answer | None:
    """Rows of the XML table inside, else one record per file: `file_name`, `size` (bytes), `text`.

    An archive that is cut short or breaks a limit is no response; None never comes back.
    """
    try:
        files = _unpack(body)
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, RuntimeError, OSError) as error:
        return Answer("not_a_response", message=f"The archive cannot be read: {type(error).__name__}")
    if len(files) == 1:
        document = read_document(files[0][1])
        if document.kind == "xml" and isinstance(document.value, dict):
            result = document.value.get("result")
            rows = rows_of(result.get("list")) if isinstance(result, dict) and "list" in result else None
            if rows is not None:
                return answer_of_rows(rows, len(rows), None)
    records: list[Record] = [
        {"file_name": name, "size": len(content), "text": _text(content)} for name, content in files
    ]
    return answer_of_rows(records, len(records), None)


def _unpack(body: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) > MAX_FILES:
            raise ValueError("too many files")
        if any(entry.compress_type not in _PLAIN for entry in entries):
            raise ValueError("unusual compression")
        files: list[tuple[str, bytes]] = []
        left = MAX_BYTES
        for entry in entries:
            # sizes in the directory may lie, so the read itself is bounded
            with archive.open(entry) as stream:
                content = stream.read(left + 1)
            if len(content) > left:
                raise ValueError("too large")
            left -= len(content)
            files.append((entry.filename, content))
        return files


def _text(content: bytes) -> str:
    return decode(content) if content.strip() else ""
