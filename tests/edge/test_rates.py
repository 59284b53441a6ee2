from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kopa_hf.edge.build import build_graph
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.edge.rates import measure_rates, rate_of
from kopa_hf.edge.refinement import refine

from .test_refinement import JUDGE, dump
from .world import BILL_ROWS, TOOLS, Answer, ScriptedExecutor, world_answer

CONFIG = EdgeConfig(iterations=10, paths=6)


def refined(config: EdgeConfig = CONFIG) -> ToolGraph:
    return refine(build_graph(TOOLS, config, judge=JUDGE), ScriptedExecutor(world_answer))


def test_every_edge_is_executed_five_times_afresh_and_no_posterior_moves() -> None:
    graph = refined()
    before = [(e.alpha, e.beta, e.evidence.trials) for e in graph.edges()]
    executor = ScriptedExecutor(world_answer)
    measure_rates(graph, executor)
    good, bad = graph.edge("list_bills", "get_bill_detail"), graph.edge("list_bills", "get_meeting_minutes")
    assert (good.evidence.fresh_executions, good.evidence.fresh_successes) == (5, 5)
    assert (bad.evidence.fresh_executions, bad.evidence.fresh_successes) == (5, 0)
    assert [(e.alpha, e.beta, e.evidence.trials) for e in graph.edges()] == before
    assert {s for *_, s in executor.log} == {f"fresh/0/{k}" for k in range(5)}
    assert rate_of(graph.edges()).value == 0.5
    assert rate_of(graph.kept()).value == 1.0


def test_a_rate_counts_executions_and_says_how_many_edges_were_measured() -> None:
    graph = refined(CONFIG.replace(rate_edges=1))
    measure_rates(graph, ScriptedExecutor(world_answer))
    rate = rate_of(graph.edges())
    assert (rate.edges, rate.measured, rate.executions) == (2, 1, 5)
    assert rate_of([]).value is None


def test_fresh_executions_go_on_from_records_that_refinement_never_used() -> None:
    many = [{**BILL_ROWS[0], "BILL_ID": f"PRC_{i}"} for i in range(30)]
    asked: set[str] = set()

    def answer(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        if name == "get_bill_detail" and stream:
            asked.add(str(arguments["BILL_ID"]))
        return many if name == "list_bills" else [{"X": "1"}]

    graph = refined()
    measure_rates(graph, ScriptedExecutor(answer))
    assert asked
    assert not asked & {f"PRC_{i}" for i in range(12)}


@pytest.mark.parametrize("concurrency", [1, 8])
def test_rates_do_not_depend_on_concurrency(concurrency: int) -> None:
    graph = refined()
    measure_rates(graph, ScriptedExecutor(world_answer, pause=True), graph.config.replace(concurrency=concurrency))
    reference = refined()
    measure_rates(reference, ScriptedExecutor(world_answer))
    assert dump(graph) == dump(reference)


def test_a_target_that_ignores_its_input_does_not_execute() -> None:
    def deaf(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        return BILL_ROWS if name == "list_bills" else [{"X": "1"}]

    graph = refined()
    measure_rates(graph, ScriptedExecutor(deaf))
    assert rate_of(graph.edges()).executions == 10
    assert rate_of(graph.edges()).successes == 0


def test_a_source_that_never_answers_leaves_its_edges_unmeasured() -> None:
    graph = refined()
    measure_rates(graph, ScriptedExecutor(lambda *_: "no_data"))
    assert rate_of(graph.edges()).measured == 0
