"""Killed at any moment, the same command ends with the bytes of a run that nobody disturbed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kopa_hf.cli.edge_settings import CHECKPOINT, GRAPH

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SMALL = [
    "--set",
    "platforms=kdic",
    "--set",
    "neighbors=3",
    "--set",
    "cross_neighbors=0",
    "--set",
    "iterations=12",
    "--set",
    "paths=60",
    "--set",
    "rate_edges=5",
]


def started(*arguments: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen([sys.executable, *arguments], env=environment, cwd=ROOT, stderr=subprocess.PIPE)


def finished(*arguments: str) -> None:
    process = started(*arguments)
    _, err = process.communicate(timeout=500)
    assert process.returncode == 0, err.decode()


def killed(moment: Callable[[], bool], *arguments: str) -> bool:
    """True where the process was still at work when the moment came."""
    process = started(*arguments)
    while process.poll() is None and not moment():
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    return process.returncode == -signal.SIGKILL


def kopa(*arguments: str) -> tuple[str, ...]:
    return ("-c", "from kopa_hf.cli import main; main()", "edge", *arguments)


def test_a_refinement_that_is_killed_ends_with_the_bytes_of_one_that_was_not(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        finished(*kopa("build", *SMALL, "--output", str(folder)))
    finished(*kopa("refine", "--output", str(whole)))
    rng, checkpoint = random.Random(5), broken / CHECKPOINT
    hits = 0
    for _ in range(3):
        before, began = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0, 0.0
        later = rng.uniform(0.0, 0.4)

        def moment() -> bool:
            """Some time after a new checkpoint of this process."""
            nonlocal began
            if not began and checkpoint.exists() and checkpoint.stat().st_mtime_ns != before:  # noqa: B023
                began = time.monotonic()
            return bool(began) and time.monotonic() - began > later  # noqa: B023

        hits += killed(moment, *kopa("refine", "--output", str(broken)))
    assert hits, "no process was caught at work"
    finished(*kopa("refine", "--output", str(broken)))
    assert (broken / GRAPH).read_bytes() == (whole / GRAPH).read_bytes()
