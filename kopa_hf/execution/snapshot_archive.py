"""A snapshot as one archive to hand on: the same content gives the same bytes, and reading one trusts nothing in it.

The archive is an ordinary ZIP: `snapshot.json` (origin, day, counts, fingerprint), `answers.jsonl` and
`failures.jsonl` (one line per request, in order), `bodies/<SHA-256>` (each body once, as the service sent it).
It is never unpacked into a folder, so no name in it can lead anywhere.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kopa_hf.errors import DataError
from kopa_hf.execution.archive_file import archive_member, new_archive
from kopa_hf.execution.episode import canonical_json
from kopa_hf.execution.recorded import (
    ANSWER_COLUMNS,
    ANSWERS,
    FAILURE_COLUMNS,
    LARGEST_BODY,
    LONGEST_TEXT,
    ORIGINS,
    Failed,
    Fingerprint,
    Recorded,
    request_of,
)
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.platforms.failures import is_failure
from kopa_hf.platforms.wires import IMPORTED_WIRES, WIRES

FORMAT: Final = "kopa-snapshot"
VERSION: Final = 1
LARGEST_ARCHIVE: Final = 16 * 2**30
"""Bytes that an archive may unfold to, as it announces them itself; it is held to what it announces."""
_MEMBERS: Final = 4_000_000
_HEAD, _ANSWERS, _FAILURES = "snapshot.json", "answers.jsonl", "failures.jsonl"
_BODY: Final = re.compile(r"bodies/([0-9a-f]{64})")
_LONGEST_LINE: Final = 16 * LONGEST_TEXT
_FAULTS: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, TypeError, NotImplementedError,
    OverflowError, RecursionError, RuntimeError, MemoryError,
)  # fmt: skip

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import brought."""

    answers: int
    """In the archive."""
    new: int
    """Of these, requests that the snapshot had no answer to; it keeps what it has."""


def export_snapshot(snapshot: Snapshot, target: Path, *, progress: Progress | None = None) -> str:
    """Write the archive, whole or not at all, and return the snapshot's fingerprint. Raises `DataError` on damage."""
    with new_archive(target) as archive:
        fingerprint = _write(snapshot, archive, progress)
    return fingerprint


def import_archive(
    source: Path, target: Path, *, largest: int = LARGEST_ARCHIVE, progress: Progress | None = None
) -> Imported:
    """Take the answers of an archive into a snapshot, which is made if it is not there: all of them or none.

    Everything is checked first: names, sizes, digests, counts, fingerprint. Raises `DataError` where anything is off;
    `largest` bounds the bytes that the archive announces.
    """
    if not source.is_file():
        raise DataError(f"{source} is not there.")
    made = _is_new(target)
    try:
        with zipfile.ZipFile(source) as archive:
            members = _members(archive, source, largest)
            head = _head(archive, members)
            fresh = target.with_name(f".{target.name}.{os.getpid()}.tmp") if made else target
            try:
                found = _take(archive, members, head, fresh, largest, progress)
                if made:
                    _move(fresh, target)
            finally:
                if made:
                    with contextlib.suppress(OSError):
                        fresh.unlink(missing_ok=True)
            return found
    except DataError:
        raise
    except _FAULTS as error:
        words = str(error)[:200] or type(error).__name__
        raise DataError(f"{source} is no whole archive of a snapshot ({words}).") from error


def _is_new(target: Path) -> bool:
    """Whether the snapshot is still to be made; raises `DataError` where none can be."""
    try:
        if target.exists():
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=target.parent):
            return True
    except OSError as error:
        raise DataError(f"Cannot write {target}: {error.strerror or error}.") from error


def _move(fresh: Path, target: Path) -> None:
    try:
        os.replace(fresh, target)
    except OSError as error:
        raise DataError(f"Cannot write {target}: {error.strerror or error}.") from error


def _write(snapshot: Snapshot, archive: zipfile.ZipFile, progress: Progress | None) -> str:
    total, fingerprint = len(snapshot), Fingerprint()
    lines: list[str] = []
    digests: dict[str, None] = {}
    for done, answer in enumerate(snapshot, 1):
        digest = answer.digest
        fingerprint.add(*_told(answer, digest))
        lines.append(canonical_json({name: getattr(answer, name) for name in ANSWER_COLUMNS} | {"body": digest}))
        if digest not in digests:
            digests[digest] = None
            # bodies come in the order of their requests, which the content decides
            archive.writestr(archive_member(f"bodies/{digest}"), answer.body)
        if progress is not None and (done % 100 == 0 or done == total):
            progress(done, total)
    failed = [canonical_json(dataclasses.asdict(failure)) for failure in snapshot.failures()]
    head = {
        "format": FORMAT, "version": VERSION, "origin": snapshot.origin, "day": snapshot.day.isoformat(),
        "answers": len(lines), "bodies": len(digests), "failures": len(failed), "fingerprint": fingerprint.hexdigest(),
    }  # fmt: skip
    archive.writestr(archive_member(_ANSWERS), "".join(f"{line}\n" for line in lines))
    archive.writestr(archive_member(_FAILURES), "".join(f"{line}\n" for line in failed))
    archive.writestr(archive_member(_HEAD), json.dumps(head, indent=2) + "\n")
    return fingerprint.hexdigest()


def _told(answer: Recorded, digest: str) -> tuple[str, str, int, str, str, str]:
    """What the fingerprint is over."""
    return answer.request, answer.outcome, answer.status, answer.content_type, answer.operation, digest


def _members(archive: zipfile.ZipFile, source: Path, largest: int) -> dict[str, zipfile.ZipInfo]:
    """Members by name: ours only, each once, none encrypted, and none that unfolds beyond measure."""
    members: dict[str, zipfile.ZipInfo] = {}
    size = 0
    infos = archive.infolist()
    if len(infos) > _MEMBERS:
        raise DataError(f"{source} has {len(infos):,} members; at most {_MEMBERS:,} are read.")
    for info in infos:
        # the name as it stands in the archive: the library cuts it at a zero byte
        name = info.orig_filename
        body = _BODY.fullmatch(name) is not None
        if not body and name not in (_HEAD, _ANSWERS, _FAILURES):
            raise DataError(f"{source} holds {name[:80]!r}, which is no part of a snapshot. Nothing was taken from it.")
        if name in members:
            raise DataError(f"{source} holds {name!r} twice. Nothing was taken from it.")
        if info.flag_bits & 0x1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise DataError(f"{source}: {name!r} is encrypted or packed in a way that is not read.")
        size += info.file_size
        if (body and info.file_size > LARGEST_BODY) or size > largest:
            raise DataError(
                f"{source} announces {size:,} bytes so far, {info.file_size:,} of them in {name!r}, which is too much "
                f"(a body {LARGEST_BODY:,}, all {largest:,}). Nothing was taken from it."
            )
        members[name] = info
    missing = {_HEAD, _ANSWERS, _FAILURES} - members.keys()
    if missing:
        raise DataError(f"{source} lacks {', '.join(sorted(missing))}: it is no archive of a snapshot.")
    return members


def _head(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo]) -> dict[str, Any]:
    if members[_HEAD].file_size > LONGEST_TEXT:
        raise ValueError(f"{_HEAD} is too long")
    head: Any = json.loads(archive.read(members[_HEAD]))
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise ValueError(f"{_HEAD} is none of ours")
    if head.get("version") != VERSION:
        raise DataError(f"The archive has version {head.get('version')}; this program reads version {VERSION}.")
    if head.get("origin") not in ORIGINS:
        raise ValueError("its origin is unknown")
    head["day"] = datetime.date.fromisoformat(head["day"])
    return head


def _take(
    archive: zipfile.ZipFile,
    members: dict[str, zipfile.ZipInfo],
    head: dict[str, Any],
    target: Path,
    largest: int,
    progress: Progress | None,
) -> Imported:
    """One transaction: what fails in it leaves the snapshot as it was."""
    with Snapshot.create(target, origin=head["origin"], day=head["day"]) as snapshot:
        reader = _Reader(archive, members, head, largest, progress)
        new = snapshot.put_all(reader.answers(), reader.failures())
        return Imported(reader.count, new)


class _Reader:
    """The lines of an archive, checked on the way; raises before the last one where counts do not add up."""

    def __init__(
        self,
        archive: zipfile.ZipFile,
        members: dict[str, zipfile.ZipInfo],
        head: dict[str, Any],
        largest: int,
        progress: Progress | None,
    ) -> None:
        self.archive, self.members, self.head, self.progress = archive, members, head, progress
        self.left = largest
        """Bytes of bodies that may still be read: a small archive can name one large body in every line."""
        self.count = 0

    def answers(self) -> Iterator[Recorded]:
        """Every answer with its body."""
        used: set[str] = set()
        last, fingerprint = "", Fingerprint()
        total = int(self.head["answers"])
        for values in self._lines(_ANSWERS):
            digest = values.pop("body")
            answer = Recorded(**_checked(values, ANSWER_COLUMNS), body=self._body(digest))
            if answer.digest != digest:
                raise ValueError(f"the body {digest[:16]}… is another one than its name says")
            if answer.request <= last or (request_of(answer.request) or ("",))[0] != answer.tool:
                raise ValueError("its answers are not in order, or stand under another request")
            if answer.outcome not in ANSWERS or answer.wire not in (*WIRES, *IMPORTED_WIRES):
                raise ValueError("an outcome is no answer, or a wire is unknown")
            last = answer.request
            used.add(digest)
            fingerprint.add(*_told(answer, digest))
            self.count += 1
            if self.progress is not None and self.count % 100 == 0:
                self.progress(self.count, total)
            yield answer
        there = sum(1 for name in self.members if name.startswith("bodies/"))
        if self.count != total or len(used) != there or there != self.head["bodies"]:
            raise ValueError("it holds fewer or more answers or bodies than it says")
        if fingerprint.hexdigest() != self.head["fingerprint"]:
            raise ValueError("its fingerprint is another one")

    def failures(self) -> Iterator[Failed]:
        """Every failure that was noted."""
        count = 0
        for values in self._lines(_FAILURES):
            failed = Failed(**_checked(values, FAILURE_COLUMNS))
            if not is_failure(failed.outcome, failed.failure):
                raise ValueError("a failure is none")
            count += 1
            yield failed
        if count != self.head["failures"]:
            raise ValueError("it holds fewer or more failures than it says")

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        with self.archive.open(self.members[name]) as file:
            while line := file.readline(_LONGEST_LINE):
                if not line.endswith(b"\n"):
                    raise ValueError(f"a line of {name} is too long or cut")
                try:
                    values = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise ValueError(f"a line of {name} is no JSON") from error
                if not isinstance(values, dict):
                    raise ValueError(f"a line of {name} is no object")
                yield values

    def _body(self, digest: object) -> bytes:
        info = self.members[f"bodies/{digest}"]
        self.left -= info.file_size
        if self.left < 0:
            raise DataError("The archive names its bodies so often that they unfold to too much. Nothing was taken.")
        return self.archive.read(info)


def _checked(values: dict[str, Any], columns: tuple[str, ...]) -> dict[str, Any]:
    """Exactly the columns, each of its type and of a sane length."""
    if values.keys() != set(columns):
        raise ValueError("a line has other columns")
    for name, value in values.items():
        if type(value) is not (int if name == "status" else str) or len(str(value)) > LONGEST_TEXT:
            raise ValueError(f"{name} is of another type, or too long")
    return values
