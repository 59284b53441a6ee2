"""A graph knows what it was refined on, and no stage goes on elsewhere without a word."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from kopa_hf.catalog.registry import Catalog
from kopa_hf.edge.build import build_graph
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.edge.refinement import refine
from kopa_hf.edge.refreshing import refresh
from kopa_hf.edge.surroundings import differences, surroundings_of
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.world import WORLD_VERSION, World

from .world import TOOLS, ScriptedExecutor, world_answer

CONFIG = EdgeConfig(iterations=1, paths=4)


def sandbox(identity: int = 0, value: int = 0, faults: Faults | None = None) -> Executor:
    return Executor(catalog=Catalog(TOOLS), world=World(identity, value), faults=faults)


def refined(executor: Executor, config: EdgeConfig = CONFIG) -> ToolGraph:
    return refine(build_graph(TOOLS, config), executor, config)


def test_world_and_faults_are_told_with_seeds_and_rates() -> None:
    told = surroundings_of(sandbox(4, 5, Faults.scaled(6, 2.0)))
    assert told["backend"] == "sandbox"
    assert told["world"] == {"version": WORLD_VERSION, "identity_seed": 4, "value_seed": 5, "scale": 1.0}
    once, twice = Faults.default(6), told["faults"]
    assert twice["seed"] == 6
    assert twice["dead_share"] == once.dead_share > 0
    assert twice["transient"] == {kind: 2 * rate for kind, rate in once.transient}
    assert surroundings_of(sandbox())["faults"] is None
    assert surroundings_of(ScriptedExecutor(world_answer)) == {"backend": ScriptedExecutor(world_answer).backend}


def test_a_graph_keeps_what_it_was_refined_on(tmp_path: Path) -> None:
    executor = sandbox(faults=Faults.default(3))
    graph = refined(executor)
    graph.save(tmp_path / "graph.json")
    assert ToolGraph.load(tmp_path / "graph.json").surroundings == surroundings_of(executor)
    assert build_graph(TOOLS, CONFIG).surroundings is None


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (sandbox(), "faults on with seed 3, now off"),
        (sandbox(faults=Faults.default(4)), "faults seed 3, now 4"),
        (sandbox(1, faults=Faults.default(3)), "world identity seed 0, now 1"),
        (sandbox(0, 1, faults=Faults.default(3)), "world value seed 0, now 1"),
        (ScriptedExecutor(world_answer), "backend sandbox, now scripted"),
    ],
)
def test_refinement_goes_on_only_where_it_began(tmp_path: Path, other: Executor, words: str) -> None:
    graph, checkpoint = build_graph(TOOLS, CONFIG), tmp_path / "c.json"
    refine(graph, sandbox(faults=Faults.default(3)), CONFIG, checkpoint=checkpoint)
    longer = CONFIG.replace(iterations=2)
    with pytest.raises(DataError, match=f"was refined with {words}.*--output"):
        refine(graph, other, longer)
    with pytest.raises(DataError, match=f"checkpoint .* was made with {words}"):
        refine(build_graph(TOOLS, CONFIG), other, longer, checkpoint=checkpoint)
    assert len(refine(graph, sandbox(faults=Faults.default(3)), longer, checkpoint=checkpoint).history) == 2


def test_a_refresh_may_change_the_backend_but_not_the_world_or_its_faults() -> None:
    graph = refined(sandbox(faults=Faults.default(3)))
    day = datetime.date(2026, 6, 1)
    with pytest.raises(DataError, match="faults on with seed 3, now off"):
        refresh(graph, sandbox(), CONFIG, older_than=day)
    refresh(graph, ScriptedExecutor(world_answer), CONFIG, older_than=day, clock=day)
    assert graph.surroundings is not None
    assert graph.surroundings["backend"] == "sandbox"


def test_refreshes_on_another_backend_stay_in_one_world() -> None:
    graph = refined(ScriptedExecutor(world_answer))
    day = datetime.date(2026, 6, 1)
    refresh(graph, sandbox(7), CONFIG, older_than=day, clock=day)
    assert graph.surroundings is not None
    assert graph.surroundings["backend"] == "scripted"
    assert graph.surroundings["refreshed_on"]["sandbox"]["world"]["identity_seed"] == 7
    with pytest.raises(DataError, match="world identity seed 7, now 8"):
        refresh(graph, sandbox(8), CONFIG, older_than=datetime.date(2026, 7, 1), clock=datetime.date(2026, 7, 1))
    refine(graph, ScriptedExecutor(world_answer), CONFIG.replace(iterations=2))  # its own place is not forgotten


def test_a_graph_of_a_version_that_noted_nothing_is_neither_refused_nor_made_up_for() -> None:
    graph = refined(sandbox(faults=Faults.default(3)))
    graph.surroundings = None
    refine(graph, sandbox(), CONFIG.replace(iterations=2))
    assert graph.surroundings is None


def test_what_one_side_does_not_tell_is_no_difference() -> None:
    assert differences({"backend": "sandbox"}, surroundings_of(sandbox(faults=Faults.default(1)))) == []
    assert differences(surroundings_of(sandbox()), surroundings_of(sandbox(2)), parts=("backend", "faults")) == []
