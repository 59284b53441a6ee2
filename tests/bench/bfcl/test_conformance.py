"""The official scorer beside ours: the recorded run, and a smaller one of today."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kopa_hf.bench.bfcl.categories import CATEGORIES

ROOT = Path(__file__).resolve().parents[3]
RECORD = ROOT / "benchmarks" / "bfcl_conformance.json"
OFFICIAL = Path(os.environ.get("BFCL_PYTHON", ROOT / ".venv-bfcl" / "bin" / "python"))


def test_the_recorded_run_covers_everything_and_found_no_disagreement() -> None:
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    assert tuple(record["categories"]) == CATEGORIES
    assert record["disagreements"] == []
    assert record["changed"] >= 5_000
    assert record["shown alike"] == {"alike": 4_441, "differ": []}
    assert sum(row["key"] + row["changed"] for row in record["categories"].values()) == record["outputs"]


@pytest.mark.slow
@pytest.mark.skipif(not OFFICIAL.exists(), reason="the official scorer has an environment of its own: make env-bfcl")
def test_both_scorers_agree_today(tmp_path: Path) -> None:
    """Every seventh entry of every category: 5,000 changed outputs and more."""
    pytest.importorskip("tree_sitter", reason="extra `bfcl` is not installed")
    command = [
        sys.executable, str(ROOT / "benchmarks" / "bfcl_conformance.py"), "--python", str(OFFICIAL), "--every", "7",
        "--output", str(tmp_path / "record.json"),
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=500)
    assert run.returncode == 0, (run.stdout + run.stderr)[-4000:]
    record = json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert record["disagreements"] == []
    assert record["changed"] >= 5_000
