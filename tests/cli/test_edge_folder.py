"""Two commands never write one run's folder at once, and nothing keeps it locked but a living process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.cli.edge_folder import LOCK, hold_folder
from kopa_hf.errors import DataError

HOLDER = """
import sys, pathlib
from kopa_hf.cli.edge_folder import hold_folder
with hold_folder(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    """Another process that holds the folder until its input ends."""
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_the_second_command_says_who_holds_the_folder_and_a_killed_one_frees_it(kopa: Any, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = holder(folder)
    try:
        for command in (["edge", "build"], ["edge", "refine"], ["edge", "run"], ["demo"]):
            code, _, err = kopa(*command, "--output", folder)
            assert code == 2, command
            assert f"Another command is working in {folder} (process {first.pid} on " in err
            assert "--output" in err
    finally:
        first.kill()
        first.communicate()
    assert (folder / LOCK).exists(), "a killed process removes nothing"
    with hold_folder(folder):
        assert f"process {os.getpid()} " in (folder / f"{LOCK}.holder").read_text()
    assert list(tmp_path.iterdir()) == [folder], "the folder was there before"
    assert list(folder.iterdir()) == []


def test_who_holds_a_folder_may_hold_it_again(tmp_path: Path) -> None:
    with hold_folder(tmp_path):
        with hold_folder(tmp_path):
            pass
        assert (tmp_path / LOCK).exists()
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_puts_nothing_into_a_new_folder_leaves_none(kopa: Any, tmp_path: Path) -> None:
    code, _, err = kopa("edge", "refine", "--output", tmp_path / "new" / "run")
    assert code == 2
    assert "edge build" in err
    assert list(tmp_path.iterdir()) == []
    with hold_folder(tmp_path / "run"):
        (tmp_path / "run" / "graph.json").write_text("{}")
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["graph.json"]


def test_a_file_in_the_folders_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("x")
    with pytest.raises(DataError, match="run is a file; name a folder"), hold_folder(tmp_path / "run"):
        pass
