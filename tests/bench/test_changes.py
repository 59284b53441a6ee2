"""The changelog: it knows every task at its version, and refuses entries that say too little."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from click.testing import CliRunner

from kopa_hf.bench.changes import load_changes, read_changes, unlogged
from kopa_hf.bench.task import load_tasks
from kopa_hf.cli.bench import bench
from kopa_hf.errors import DataError


def change(**values: str) -> dict[str, Any]:
    return {"kind": "changed", "text": "왜", "scores": "not comparable", **values}


def log_of(*releases: tuple[str, list[dict[str, Any]]]) -> dict[str, Any]:
    return {
        "releases": [{"version": v, "date": "2026-01-30", "text": "", "changes": changes} for v, changes in releases],
        "errata": [],
    }


def test_every_task_stands_in_the_log_at_its_version() -> None:
    assert unlogged(load_tasks(), load_changes()) == []


def test_a_raised_version_without_an_entry_is_found_and_with_one_is_not() -> None:
    task = dataclasses.replace(load_tasks()[0], version="0.2")
    log = read_changes(log_of(("0.1", [])))
    assert unlogged([task], log) == [f"{task.name} is at version 0.2, the log at 0.1; add what changed to changes.yaml"]
    newer = read_changes(log_of(("0.2", [change(task=task.name, version="0.2")]), ("0.1", [])))
    assert unlogged([task], newer) == []
    assert newer.version_of(task.name) == "0.2"


def test_entries_on_unknown_tasks_are_found_unless_the_task_was_removed() -> None:
    gone = read_changes(log_of(("0.2", [change(task="gone")]), ("0.1", [])))
    assert unlogged([], gone) == ["the log names gone, which is no task"]
    removed = read_changes(log_of(("0.2", [change(task="gone", kind="removed")]), ("0.1", [])))
    assert unlogged([], removed) == []


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"nope": 1}, "unknown keys nope"),
        (change(kind="better"), "kind 'better'"),
        (change(scores="maybe"), "scores 'maybe'"),
        ({"kind": "changed"}, "missing"),
    ],
)
def test_a_broken_entry_is_named(entry: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        read_changes(log_of(("0.1", [entry])))


def test_the_command_prints_releases_and_errata() -> None:
    result = CliRunner().invoke(bench, ["list", "--changes"])
    assert result.exit_code == 0
    assert "0.1 (2026-11-30)" in result.output
    assert "busiest_exit_toll" in result.output
