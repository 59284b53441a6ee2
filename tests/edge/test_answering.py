"""Calls answered by other processes: the same graph, and a word where a process is gone."""

from __future__ import annotations

import gc
import json
import os
import signal
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.edge.answering import Answering, answerers
from kopa_hf.edge.build import build_graph
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.edge.memory import NEW_OBJECTS, rare_collections
from kopa_hf.edge.observe import Ask, Observation
from kopa_hf.edge.rates import measure_rates
from kopa_hf.edge.refinement import refine, run_coroutine
from kopa_hf.edge.storage import graph_to_dict
from kopa_hf.errors import BackendError
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox import Faults, World

CONFIG = EdgeConfig(platforms=("assembly", "krx"), iterations=2, paths=12, neighbors=3, rate_edges=6)


def sandbox(seed: int) -> Executor:
    return Executor(world=World(seed, seed), faults=Faults.default(seed))


def refined(ask: Ask | None, checkpoint: Path) -> ToolGraph:
    graph = build_graph(load_catalog(), CONFIG)
    refine(graph, sandbox(4), CONFIG, checkpoint=checkpoint, ask=ask)
    measure_rates(graph, sandbox(4), CONFIG, ask=ask)
    return graph


@pytest.mark.slow
def test_who_answers_changes_no_byte_of_graph_and_checkpoint(tmp_path: Path) -> None:
    alone = refined(None, tmp_path / "alone.json")
    with answerers(partial(sandbox, 4), 2) as ask:
        assert ask is not None
        shared = refined(ask, tmp_path / "shared.json")
    assert json.dumps(graph_to_dict(shared)) == json.dumps(graph_to_dict(alone))
    assert (tmp_path / "shared.json").read_bytes() == (tmp_path / "alone.json").read_bytes()
    assert sum(edge.evidence.trials for edge in shared.edges()) > 20
    assert sum(edge.evidence.fresh_executions for edge in shared.edges()) > 5


@pytest.mark.slow
def test_what_a_call_raises_there_is_raised_here_and_a_process_that_ends_is_named() -> None:
    tool = next(tool for tool in load_catalog() if tool.platform == "krx" and tool.fields)
    answering = Answering(partial(sandbox, 4), 1)

    async def ask(tries: int, broken: bool = False) -> list[Observation]:
        given = {"basDd": "20250513"}
        made = [
            await answering(tool, given, attempt, "" if not broken else None, frozenset(), 0)  # type: ignore[arg-type]
            for attempt in range(tries)
        ]
        return made

    try:
        first = run_coroutine(ask(3))
        assert first == run_coroutine(ask(3))  # another loop, the same process
        process = answering._workers[0].process
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        with pytest.raises(BackendError, match=r"has ended.*resumes"):
            run_coroutine(ask(1))
    finally:
        answering.close()


def test_one_worker_is_this_process() -> None:
    with answerers(partial(sandbox, 4), 1) as ask:
        assert ask is None


def test_cycles_are_looked_for_rarely_within_the_block_only() -> None:
    before = gc.get_threshold()
    with suppress(KeyboardInterrupt), rare_collections():
        assert gc.get_threshold()[0] == max(NEW_OBJECTS, before[0])
        raise KeyboardInterrupt
    assert gc.get_threshold() == before
