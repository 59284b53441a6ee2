"""When a sandbox run gets processes for its calls, and that they answer as it would itself."""

from __future__ import annotations

import pickle
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.cli.edge_folder import make_folder
from kopa_hf.cli.edge_processes import WORTH, answering_processes, reopen
from kopa_hf.cli.edge_settings import CHECKPOINT, GRAPH, open_executor
from kopa_hf.cli.edge_stages import refine_stage
from kopa_hf.edge.build import build_graph
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox import Faults, SandboxTransport, World

LONG = EdgeConfig(iterations=10, paths=WORTH // 10, workers=3)


class Other(Executor):
    """An executor of another kind."""


@pytest.mark.parametrize(
    ("executor", "config", "done"),
    [
        (Executor(world=World()), LONG, 1),
        (Executor(world=World()), LONG.replace(paths=9), 0),
        (Other(world=World()), LONG, 0),
        (Executor(transport=object()), LONG, 0),
    ],
)
def test_short_runs_and_other_backends_answer_their_calls_themselves(
    executor: Executor, config: EdgeConfig, done: int
) -> None:
    with answering_processes(executor, config, done) as ask:
        assert ask is None


def test_a_long_run_opens_what_it_works_on_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[object, int]] = []

    def answerers(open_executor: object, workers: int) -> nullcontext[None]:
        opened.append((open_executor, workers))
        return nullcontext()

    monkeypatch.setattr("kopa_hf.edge.answering.answerers", answerers)
    with answering_processes(Executor(world=World(3, 4, 0.5), faults=Faults.default(5)), LONG, 0):
        pass
    ((open_executor, workers),) = opened
    assert workers == 3
    again = pickle.loads(pickle.dumps(open_executor))
    assert isinstance(again, partial)
    transport = again().transport
    assert isinstance(transport, SandboxTransport)
    assert repr(transport.world) == "World(identity_seed=3, value_seed=4, scale=0.5)"
    assert transport.faults == Faults.default(5)


def test_one_worker_wanted_is_none_beside_this_process() -> None:
    with answering_processes(Executor(world=World()), LONG.replace(workers=1), 0) as ask:
        assert ask is None


@pytest.mark.slow
def test_a_stage_on_two_processes_saves_the_bytes_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kopa_hf.cli.edge_processes.WORTH", 1)
    files = []
    for workers in (1, 2):
        config = EdgeConfig(platforms=("kdic",), iterations=2, paths=20, rate_edges=8, workers=workers)
        graph, output = build_graph(load_catalog(), config), make_folder(tmp_path / str(workers))
        with open_executor(config, faults=True) as executor:
            refine_stage(graph, config, executor, output, quiet=True)
        assert sum(stats.calls for stats in graph.history) > 40
        files.append([(output / name).read_bytes() for name in (GRAPH, CHECKPOINT)])
    assert files[0] == files[1]


def test_what_is_opened_again_answers_the_same() -> None:
    given = {"AGE": "22", "pSize": "5"}
    tool = "list_assembly_member_proposed_bills"
    first = Executor(world=World(2, 2), faults=Faults.default(2)).call_sync(tool, given, attempt=1, stream="x")
    again = reopen((2, 2, 1.0), Faults.default(2)).call_sync(tool, given, attempt=1, stream="x")
    assert (first.outcome, first.records) == (again.outcome, again.records)
