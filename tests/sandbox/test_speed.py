"""The sandbox's call overhead against a plain pair in the same run; the goal is a half, the bound a quarter."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


def benchmark() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "sandbox_speed.py"
    spec = importlib.util.spec_from_file_location("sandbox_speed", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["sandbox_speed"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_a_call_costs_at_most_four_times_what_carrying_writing_and_reading_cost() -> None:
    shares = {
        (written_in, rows): ours / theirs
        for written_in, rows, ours, theirs in asyncio.run(benchmark().measure(rounds=4, seconds=0.1))
    }
    assert set(shares) == {(written_in, rows) for written_in in ("json", "xml") for rows in (1, 10, 100)}
    assert min(shares.values()) >= 0.25, shares
