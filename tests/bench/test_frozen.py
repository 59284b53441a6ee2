"""The published instance is what grounding gives today, and is passed over where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from kopa_hf.bench import frozen
from kopa_hf.bench.task import ground_tasks, load_tasks
from kopa_hf.execution.executor import Executor


@pytest.mark.slow
def test_grounding_gives_the_published_rows() -> None:
    with Executor() as executor:
        grounding = ground_tasks(executor)
    assert grounding.failed == []
    kept = frozen.frozen_rows()
    assert kept is not None, "a task or the world changed: python -m kopa_hf.bench.frozen"
    for row, again in zip(kept, grounding.rows, strict=True):
        assert row == again, f"{row.provenance['task']} changed: python -m kopa_hf.bench.frozen"


def test_the_published_rows_are_those_of_the_tasks_at_hand() -> None:
    kept = frozen.frozen_rows()
    assert kept is not None, "a task or the world changed: python -m kopa_hf.bench.frozen"
    assert [(row.provenance["task"], row.version) for row in kept] == [(t.name, t.version) for t in load_tasks()]


def test_rows_of_other_tasks_are_never_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = frozen.frozen_rows()
    assert kept is not None
    (tmp_path / "data" / "tasks").mkdir(parents=True)
    frozen.write_frozen(kept, tmp_path / "data" / "frozen.jsonl")
    monkeypatch.setattr(frozen, "files", lambda package: tmp_path)
    assert frozen.frozen_rows() is None
    (tmp_path / "data" / "frozen.jsonl").unlink()
    assert frozen.frozen_rows() is None


def test_what_is_written_is_read_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = frozen.frozen_rows()
    assert kept is not None
    (tmp_path / "data" / "tasks").mkdir(parents=True)
    monkeypatch.setattr(frozen, "files", lambda package: tmp_path)
    frozen.write_frozen(kept, tmp_path / "data" / "frozen.jsonl")
    assert frozen.frozen_rows() == kept
