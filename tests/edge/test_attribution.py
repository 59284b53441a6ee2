"""Rows made live prove themselves from a snapshot of what they were answered, and only from that."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kopa_hf.bench.rows import Row
from kopa_hf.bench.task import ground_tasks, load_tasks
from kopa_hf.edge.attribution import attributed
from kopa_hf.edge.verifying import verify_rows
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.network import TimeLimits
from kopa_hf.sandbox.serving import SandboxServer, serving
from kopa_hf.sandbox.world import default_world
from tests.execution.loopback import TOOL, settings

pytestmark = pytest.mark.slow
TASK = "branch_for_school"
"""It calls two services, collects pages and reduces them."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Row, Path]:
    """(a row grounded on services asked over a socket, what they answered meanwhile)."""
    folder = tmp_path_factory.mktemp("recorded")
    snapshot = folder / "answers.kopa"
    tasks = [task for task in load_tasks() if task.name == TASK]
    with (
        serving(SandboxServer(default_world())) as address,
        Executor("record", snapshot=snapshot, live=settings(address, folder, times=TimeLimits())) as executor,
    ):
        (row,) = ground_tasks(executor, tasks=tasks).rows
    return row, snapshot


def test_a_row_made_live_verifies_from_its_snapshot(made: tuple[Row, Path]) -> None:
    row, snapshot = made
    texts = [json.loads(str(m["content"])) for m in row.completion if m["role"] == "tool"]
    assert row.provenance["backend"] == "live"
    assert {text["source"] for text in texts if "source" in text} == {"live"}
    with Executor("replay", snapshot=snapshot) as executor:
        assert verify_rows([row], executor).problems == {}
        assert executor.call_sync(TOOL, {"AGE": "22"}).source == "replay"  # only a verification says otherwise


def test_other_answers_are_found_under_any_name(made: tuple[Row, Path]) -> None:
    row, snapshot = made
    number = next(i for i, m in enumerate(row.completion) if m["role"] == "tool")
    told = dict(row.completion[number])
    content = json.loads(str(told["content"]))
    content["records"] = [{**content["records"][0], "SCHUL_NM": "없는학교"}]
    changed = list(row.completion)
    changed[number] = {**told, "content": json.dumps(content, ensure_ascii=False, separators=(",", ":"))}
    renamed = [replace(row, provenance={**row.provenance, "backend": "elsewhere"}), replace(row, completion=changed)]
    with Executor("replay", snapshot=snapshot) as executor:
        found = [verify_rows([one], executor).problems[row.id] for one in renamed]
    assert found == [
        "a tool answers otherwise than in the completion: call 1, another frame",
        "a tool answers otherwise than in the completion: call 1, other records",
    ]


def test_the_backends_own_name_needs_no_other(made: tuple[Row, Path]) -> None:
    row, snapshot = made
    with Executor("replay", snapshot=snapshot) as executor:
        assert attributed(executor, replace(row, provenance={"backend": "replay"})) is executor
        assert attributed(executor, replace(row, provenance={})) is executor
        assert attributed(executor, row).source == "replay"  # it shares what the executor is
