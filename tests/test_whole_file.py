"""Files are whole or not at all: what stood there stays, and nothing lies about, however an attempt ends."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.frozen import write_frozen
from kopa_hf.bench.run_log import write_lines
from kopa_hf.catalog.folder import write_service
from kopa_hf.errors import KopaError
from kopa_hf.execution.archive_file import new_archive
from kopa_hf.execution.resolving import Codes
from kopa_hf.train.formats import export_rows
from kopa_hf.whole_file import whole_file, write_whole


def test_the_content_is_there_with_the_users_own_mode_and_nothing_else(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "a.txt", "첫째\n")
        write_whole(tmp_path / "a.txt", "둘째\n")
    finally:
        os.umask(before)
    assert (tmp_path / "a.txt").read_bytes() == "둘째\n".encode()
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_name_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("가" * 83 + ".jsonl")
    assert len(path.name.encode()) == 255
    write_whole(path, "x")
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.EIO, "broken"), ValueError("no text")])
def test_an_attempt_that_is_broken_off_leaves_what_was_there(tmp_path: Path, error: BaseException) -> None:
    write_whole(tmp_path / "a.txt", "before")

    def write() -> None:
        with whole_file(tmp_path / "a.txt") as fresh:
            fresh.write_text("half", encoding="utf-8")
            raise error

    with pytest.raises(type(error)):
        write()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.txt", "before")]


def test_a_folder_that_is_a_file_is_the_systems_own_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(NotADirectoryError):
        write_whole(tmp_path / "file" / "a.txt", "")


def fill(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """From now on the disk is full."""

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, broken, full)


def archive(folder: Path) -> None:
    with new_archive(folder / "a.zip") as made:
        made.writestr("a", b"a")


@pytest.mark.parametrize("broken", ["fsync", "replace"])
@pytest.mark.parametrize(
    "write",
    [
        lambda folder: write_lines(folder / "run.jsonl", [{"kind": "head"}]),
        lambda folder: write_frozen([], folder / "frozen.jsonl"),
        lambda folder: write_service(folder, "mine", (), {"kind": "rest", "url": "https://x.test/"}, ()),
        lambda folder: export_rows({"train": []}, "messages", folder),
        archive,
    ],
    ids=["run log", "frozen rows", "catalog", "export", "archive"],
)
def test_a_full_disk_leaves_no_writer_s_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], Any], broken: str
) -> None:
    fill(monkeypatch, broken)
    with pytest.raises((KopaError, OSError), match="No space left"):
        write(tmp_path)
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []


def test_codes_that_cannot_be_kept_are_known_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(monkeypatch, "replace")
    codes = Codes(tmp_path, "live")
    codes.learn([{"INF_ID": "I1", "SRV_URL": "https://x.test/portal/openapi/abc"}])
    monkeypatch.undo()
    assert codes.known
    assert list(tmp_path.iterdir()) == []
