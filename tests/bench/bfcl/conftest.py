"""One leaderboard for all tests here: its simulated API can be loaded only once in a process."""

from __future__ import annotations

from pathlib import Path

import pytest

from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.source import load_entries, present
from tests.bench.bfcl.leaderboard import write


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("bfcl"))


@pytest.fixture(scope="session")
def root(data: Path) -> Path:
    return data.parents[1]


@pytest.fixture(scope="session")
def entries(data: Path) -> dict[str, Entry]:
    """Category → its entry."""
    return {entry.category: entry for entry in load_entries(data, present(data))}
