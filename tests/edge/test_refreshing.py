from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.edge.build import build_graph
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.refinement import refine
from kopa_hf.edge.refreshing import TRIALS, fade, refresh, stale_edges
from kopa_hf.edge.storage import edge_state
from kopa_hf.errors import BackendError

from .test_refinement import JUDGE
from .world import TOOLS, Answer, ScriptedExecutor, world_answer

CONFIG = EdgeConfig(iterations=6, paths=6, seed=1)
LATER = datetime.date(2026, 6, 1)
GOOD, BAD = ("list_bills", "get_bill_detail"), ("list_bills", "get_meeting_minutes")


def refined() -> ToolGraph:
    return refine(build_graph(TOOLS, CONFIG, judge=JUDGE), ScriptedExecutor(world_answer))


def stored(edge: Edge) -> str:
    return json.dumps(edge_state(edge), ensure_ascii=False)


def test_only_stale_edges_are_tried_again() -> None:
    graph = refined()
    graph.edge(*GOOD).evidence.last_time = "2026-05-20"
    fresh, trials = stored(graph.edge(*GOOD)), graph.edge(*BAD).evidence.trials
    executor = ScriptedExecutor(world_answer)
    done = refresh(graph, executor, older_than=datetime.date(2026, 5, 1), clock=LATER)
    assert (done.stale, done.retried, done.unreached) == (1, 1, 0)
    assert stored(graph.edge(*GOOD)) == fresh
    evidence = graph.edge(*BAD).evidence
    assert evidence.trials == trials + TRIALS
    assert (evidence.first_time, evidence.last_time) == ("2026-01-30", "2026-06-01")
    assert {name for name, *_ in executor.log} == {"list_bills", "get_meeting_minutes"}
    assert done.calls == 2 * TRIALS


def test_untried_edges_are_not_stale_and_a_refreshed_graph_has_none() -> None:
    untouched = build_graph(TOOLS, CONFIG, judge=JUDGE)
    assert stale_edges(untouched, LATER) == []
    graph = refined()
    assert len(stale_edges(graph, LATER)) == 2
    refresh(graph, ScriptedExecutor(world_answer), older_than=LATER, clock=LATER)
    assert stale_edges(graph, LATER) == []


def test_a_link_that_died_since_is_pruned_and_one_that_came_to_life_is_kept() -> None:
    def moved(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        if name == "get_bill_detail":
            return "unknown_operation"
        if name == "get_meeting_minutes":
            return [{"TITLE": "본회의"}] if str(arguments["CONF_ID"]).startswith("N") else "no_data"
        return world_answer(name, arguments, attempt, stream)

    graph = refined()
    assert graph.edge(*GOOD).evidence.semantic > 10
    done = refresh(graph, ScriptedExecutor(moved), older_than=LATER, clock=LATER)
    assert graph.edge(*GOOD).decision(CONFIG) == "pruned"
    assert graph.edge(*BAD).decision(CONFIG) == "kept"
    assert (done.newly_pruned, done.newly_kept) == (1, 1)


def test_going_on_refining_keeps_what_a_refresh_found(tmp_path: Path) -> None:
    file = tmp_path / "refine.json"
    graph = refine(build_graph(TOOLS, CONFIG, judge=JUDGE), ScriptedExecutor(world_answer), checkpoint=file)
    refresh(graph, ScriptedExecutor(world_answer), older_than=LATER, clock=LATER)
    trials = sum(edge.evidence.trials for edge in graph.edges())
    refine(graph, ScriptedExecutor(world_answer), CONFIG.replace(iterations=7), checkpoint=file)
    assert sum(edge.evidence.trials for edge in graph.edges()) == trials + CONFIG.paths
    assert len(graph.history) == 7
    assert graph.history[-1].edges_tried == 2
    assert graph.history[-1].pruned == 1


def test_old_evidence_counts_as_one_trial_at_most() -> None:
    edge = refined().edge(*GOOD)
    edge.alpha, edge.beta = 2.6 + 30.0, 1.4 + 10.0  # the prior of a score of 0.8, then 30 and 10 gained
    fade(edge, CONFIG)
    assert (edge.alpha, edge.beta) == (pytest.approx(2.6 + 0.75), pytest.approx(1.4 + 0.25))
    fade(edge, CONFIG)
    assert edge.alpha == pytest.approx(3.35)


def test_a_source_that_is_silent_leaves_the_edge_stale_and_as_it_was() -> None:
    graph = refined()
    before = [stored(edge) for edge in graph.edges()]
    done = refresh(graph, ScriptedExecutor(lambda *_: "no_data"), older_than=LATER, clock=LATER)
    assert (done.stale, done.unreached) == (2, 2)
    assert [stored(edge) for edge in graph.edges()] == before


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_refresh_is_the_same_at_any_concurrency(concurrency: int) -> None:
    config = CONFIG.replace(concurrency=concurrency)
    graph = refined()
    refresh(graph, ScriptedExecutor(world_answer, pause=True), config, older_than=LATER, clock=LATER)
    reference = refined()
    refresh(reference, ScriptedExecutor(world_answer), older_than=LATER, clock=LATER)
    assert [stored(edge) for edge in graph.edges()] == [stored(edge) for edge in reference.edges()]


def test_what_was_refreshed_before_a_quota_ended_is_saved_and_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kopa_hf.edge.refreshing.BATCH", 1)
    left: list[int] = []

    def spent(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        return "quota" if left else world_answer(name, arguments, attempt, stream)

    graph = refined()
    with pytest.raises(BackendError, match="quota of assembly"):
        refresh(
            graph,
            ScriptedExecutor(spent),
            older_than=LATER,
            clock=LATER,
            save=lambda graph: left.append(len(stale_edges(graph, LATER))),
        )
    assert left == [1]
    assert refresh(graph, ScriptedExecutor(world_answer), older_than=LATER, clock=LATER).stale == 1
