"""`inspect eval kopa_hf/bfcl`: which numbers stand on a part of the data."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="extra `eval` is not installed")
from inspect_ai import eval as inspect_eval

from kopa_hf.hub.inspect_bfcl import bfcl
from tests.bench.bfcl.leaderboard import write, write_live

pytestmark = pytest.mark.slow
"""Inspect loads every package's entry points first, which takes ten seconds."""


def shown(folder: Path, log_dir: Path, limit: int | None) -> dict[str, dict[str, float]]:
    """Verdict → name of a figure → its value, as Inspect has them."""
    (log,) = inspect_eval(
        bfcl(category="live", data=str(folder), policy="gold"),
        model="none/none",
        display="none",
        log_dir=str(log_dir),
        limit=limit,
    )
    assert log.status == "success"
    assert log.results is not None
    return {
        score.name: {metric.name.split("/")[-1]: metric.value for metric in score.metrics.values()}
        for score in log.results.scores
    }


def test_a_limit_makes_no_number_and_says_so(tmp_path: Path) -> None:
    live = write_live(write(tmp_path / "all"), tmp_path / "data")
    whole = shown(live, tmp_path / "logs", None)
    assert whole["strict"] == whole["typed"]
    assert whole["strict"] == {
        "accuracy": 1, "stderr": 0, "single_live": 1,
        "live_simple": 1, "live_multiple": 1, "live_parallel": 1, "live_parallel_multiple": 1,
    }  # fmt: skip
    part = shown(live, tmp_path / "logs", 1)
    assert part["strict"] == part["typed"] == {"accuracy (1 of 5)": 1, "live_simple (1 of 2)": 1}
