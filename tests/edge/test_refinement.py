from __future__ import annotations

import asyncio
import errno
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.edge.build import build_graph
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.feasibility import Binding, Judgement, TableJudge
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.edge.history import IterationStats
from kopa_hf.edge.refinement import Refinement, refine
from kopa_hf.edge.report import edge_report
from kopa_hf.edge.storage import graph_to_dict
from kopa_hf.errors import BackendError, DataError

from .world import BILLS, DETAIL, MINUTES, TOOLS, Answer, ScriptedExecutor, make_tool, world_answer

CONFIG = EdgeConfig(iterations=3, paths=6, seed=1)
# both links look equally good on paper
JUDGE = TableJudge(
    {
        ("list_bills", "get_bill_detail"): Judgement(0.8, (Binding("BILL_ID", "BILL_ID", 0.8),)),
        ("list_bills", "get_meeting_minutes"): Judgement(0.8, (Binding("CONF_ID", "CONF_ID", 0.8),)),
    }
)


def skeleton(config: EdgeConfig = CONFIG, tools: tuple[Tool, ...] = TOOLS) -> ToolGraph:
    return build_graph(tools, config, judge=JUDGE)


def dump(graph: ToolGraph) -> str:
    return json.dumps(graph_to_dict(graph), ensure_ascii=False)


def test_posteriors_are_prior_plus_weighted_trials() -> None:
    graph = refine(skeleton(), ScriptedExecutor(world_answer))
    good, bad = graph.edge("list_bills", "get_bill_detail"), graph.edge("list_bills", "get_meeting_minutes")
    # prior of a score of 0.8: alpha 1 + 2*0.8 = 2.6, beta 1 + 2*0.2 = 1.4
    assert good.evidence.trials + bad.evidence.trials == 18
    assert good.alpha == pytest.approx(2.6 + good.evidence.trials)
    assert good.beta == pytest.approx(1.4)
    assert bad.alpha == pytest.approx(2.6)
    assert bad.beta == pytest.approx(1.4 + 0.5 * bad.evidence.trials)
    assert bad.evidence.failures == {"no_data": bad.evidence.trials}
    assert bad.evidence.failure_classes == {"no_data": bad.evidence.trials}


def test_execution_separates_what_the_judge_could_not() -> None:
    graph = refine(skeleton(CONFIG.replace(iterations=20)), ScriptedExecutor(world_answer))
    assert graph.edge("list_bills", "get_bill_detail").decision(graph.config) == "kept"
    assert graph.edge("list_bills", "get_meeting_minutes").decision(graph.config) == "pruned"
    # sampling turns away from what fails
    first, last = graph.history[0], graph.history[-1]
    assert (last.step_rate or 0) > (first.step_rate or 0)


def test_evidence_holds_cardinality_backend_and_times() -> None:
    graph = refine(skeleton(), ScriptedExecutor(world_answer))
    evidence = graph.edge("list_bills", "get_bill_detail").evidence
    assert evidence.cardinalities == {4: evidence.trials}
    assert evidence.cardinality_class(5) == "few"
    assert evidence.backend == "scripted"
    assert evidence.max_cardinality == 4
    assert (evidence.first_trial, evidence.first_time) == (0, "2026-01-30")
    assert evidence.last_time == "2026-01-30"


def test_a_field_that_never_arrives_is_a_structural_failure() -> None:
    def answer(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        return [{"BILL_ID": "PRC_1"}] if name == "list_bills" else world_answer(name, arguments, attempt, stream)

    graph = refine(skeleton(), ScriptedExecutor(answer))
    evidence = graph.edge("list_bills", "get_meeting_minutes").evidence
    assert evidence.failures == {"missing_field": evidence.trials}
    assert evidence.failure_classes == {"structural": evidence.trials}


def test_a_blank_cell_is_no_data_and_sends_nothing() -> None:
    def answer(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        return [{"BILL_ID": "PRC_1", "CONF_ID": "-"}] if name == "list_bills" else "bad_param"

    executor = ScriptedExecutor(answer)
    graph = refine(skeleton(), executor)
    assert set(graph.edge("list_bills", "get_meeting_minutes").evidence.failures) == {"no_data"}
    assert "get_meeting_minutes" not in {name for name, *_ in executor.log}


def test_identical_calls_are_sent_once() -> None:
    executor = ScriptedExecutor(world_answer)
    refine(skeleton(CONFIG.replace(iterations=10)), executor)
    assert len(executor.log) == len(set(executor.log)) <= 10


def deaf(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
    """The minutes list the same meeting, whatever meeting is asked for, and echo the question."""
    if name == "get_meeting_minutes":
        return [{"CONF_ID": arguments["CONF_ID"], "TITLE": "본회의"}]
    return world_answer(name, arguments, attempt, stream)


def test_a_target_that_ignores_its_input_fails_structurally() -> None:
    executor = ScriptedExecutor(deaf)
    graph = refine(skeleton(CONFIG.replace(iterations=10)), executor)
    evidence = graph.edge("list_bills", "get_meeting_minutes").evidence
    assert evidence.failures == {"ignored": evidence.trials}
    assert evidence.failure_classes == {"structural": evidence.trials}
    assert graph.controls.ignoring() == [("get_meeting_minutes", "CONF_ID")]
    good = graph.edge("list_bills", "get_bill_detail").evidence
    assert good.semantic == good.trials > 0
    controls = [arguments for _, arguments, *_ in executor.log if ("CONF_ID", "없는값zq0") in arguments]
    assert len(controls) == 1  # identical ones are answered once


def test_a_control_call_that_fails_from_outside_settles_nothing() -> None:
    def answer(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        return "timeout" if "없는값zq0" in arguments.values() else deaf(name, arguments, attempt, stream)

    graph = refine(skeleton(), ScriptedExecutor(answer))
    assert graph.edge("list_bills", "get_meeting_minutes").evidence.semantic > 0
    assert len(graph.controls) == 0


def test_what_controls_settled_survives_a_resume(tmp_path: Path) -> None:
    file = tmp_path / "refine.json"
    whole = refine(skeleton(CONFIG.replace(iterations=6)), ScriptedExecutor(deaf))
    refine(skeleton(CONFIG.replace(iterations=2)), ScriptedExecutor(deaf), checkpoint=file)
    resumed = refine(skeleton(CONFIG.replace(iterations=6)), ScriptedExecutor(deaf), checkpoint=file)
    assert dump(resumed) == dump(whole)
    assert len(resumed.controls) == 2


def test_first_calls_are_tried_again_but_edges_are_not() -> None:
    def answer(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        if name == "list_bills":
            return "timeout" if attempt < 2 else world_answer(name, arguments, attempt, stream)
        return "rate_limit"

    executor = ScriptedExecutor(answer)
    graph = refine(skeleton(CONFIG.replace(iterations=1, stop_at_failures=1.0, paths=4)), executor)
    assert {attempt for name, _, attempt, _ in executor.log if name == "list_bills"} == {0, 1, 2}
    assert {attempt for name, _, attempt, _ in executor.log if name != "list_bills"} == {0}
    assert graph.history[0].calls == 4 * 4
    assert graph.history[0].passed == 0


@pytest.mark.parametrize("concurrency", [2, 8])
def test_concurrency_changes_no_byte_of_graph_and_report(concurrency: int, tmp_path: Path) -> None:
    files = []
    for calls, pause in ((1, False), (concurrency, True)):
        config = CONFIG.replace(concurrency=calls, model_concurrency=calls)
        graph = refine(skeleton(config), ScriptedExecutor(world_answer, pause=pause))
        assert graph.config.concurrency == calls
        graph.save(tmp_path / "graph.json")
        files.append(((tmp_path / "graph.json").read_bytes(), json.dumps(edge_report(graph))))
    assert files[0] == files[1]


def test_another_seed_gives_another_run() -> None:
    first = refine(skeleton(CONFIG), ScriptedExecutor(world_answer))
    other = refine(skeleton(CONFIG.replace(seed=2)), ScriptedExecutor(world_answer))
    trials = [[e.evidence.trials for e in g.edges()] for g in (first, other)]
    assert trials[0] != trials[1]


def test_a_killed_run_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    whole = refine(skeleton(), ScriptedExecutor(world_answer))

    def stop(stats: IterationStats) -> None:
        if stats.iteration == 1:
            raise KeyboardInterrupt

    file = tmp_path / "refine.json"
    with pytest.raises(KeyboardInterrupt):
        refine(skeleton(), ScriptedExecutor(world_answer), checkpoint=file, progress=stop)
    resumed = refine(skeleton(), ScriptedExecutor(world_answer), checkpoint=file)
    assert dump(resumed) == dump(whole)


def test_a_kill_in_the_middle_of_an_iteration_leaves_no_trace(tmp_path: Path) -> None:
    whole = refine(skeleton(), ScriptedExecutor(world_answer))
    calls = 0

    def dying(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise asyncio.CancelledError
        return world_answer(name, arguments, attempt, stream)

    file = tmp_path / "refine.json"
    graph = skeleton()
    with pytest.raises((asyncio.CancelledError, KeyboardInterrupt)):
        refine(graph, ScriptedExecutor(dying), checkpoint=file)
    assert dump(refine(skeleton(), ScriptedExecutor(world_answer), checkpoint=file)) == dump(whole)


def test_a_longer_run_continues_a_shorter_one(tmp_path: Path) -> None:
    file = tmp_path / "refine.json"
    refine(skeleton(CONFIG.replace(iterations=1)), ScriptedExecutor(world_answer), checkpoint=file)
    longer = refine(skeleton(), ScriptedExecutor(world_answer), checkpoint=file)
    assert dump(longer) == dump(refine(skeleton(), ScriptedExecutor(world_answer)))


def test_a_checkpoint_of_other_settings_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "refine.json"
    refine(skeleton(), ScriptedExecutor(world_answer), checkpoint=file)
    with pytest.raises(DataError, match="belongs to other settings: seed 1, now 9"):
        refine(skeleton(CONFIG.replace(seed=9)), ScriptedExecutor(world_answer), checkpoint=file)


def test_a_disk_that_fills_at_a_checkpoint_stops_the_run_and_the_next_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "refine.json"
    synced, written = os.fsync, 0

    def full(handle: int) -> None:
        nonlocal written
        written += 1
        if written > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        synced(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match=r"No space left on device.*make room.*it resumes"):
        refine(skeleton(), ScriptedExecutor(world_answer), checkpoint=file)
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == ["refine.json"]
    executor = ScriptedExecutor(world_answer)
    resumed = refine(skeleton(), executor, checkpoint=file)
    assert dump(resumed) == dump(refine(skeleton(), ScriptedExecutor(world_answer)))


def test_a_damaged_checkpoint_is_refused_with_a_remedy(tmp_path: Path) -> None:
    file = tmp_path / "refine.json"
    refine(skeleton(), ScriptedExecutor(world_answer), checkpoint=file)
    file.write_text(file.read_text(encoding="utf-8").replace('"iteration":3', '"iteration":2'), encoding="utf-8")
    with pytest.raises(DataError, match=r"checksum.*Delete it"):
        refine(skeleton(), ScriptedExecutor(world_answer), checkpoint=file)


def test_a_dead_backend_stops_the_run_and_keeps_finished_iterations(tmp_path: Path) -> None:
    config = CONFIG.replace(paths=80, iterations=3)

    def answer(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        return world_answer(name, arguments, attempt, stream) if alive else "server"

    alive = True
    file = tmp_path / "refine.json"
    refine(skeleton(config.replace(iterations=1)), ScriptedExecutor(answer), checkpoint=file)
    alive = False
    graph = skeleton(config)
    with pytest.raises(BackendError, match="resumes"):
        refine(graph, ScriptedExecutor(answer), checkpoint=file)
    assert len(graph.history) == 1
    alive = True
    assert dump(refine(skeleton(config), ScriptedExecutor(answer), checkpoint=file)) == dump(
        refine(skeleton(config), ScriptedExecutor(answer))
    )


def test_a_quota_that_ends_in_mid_iteration_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    calls = 0

    def spent(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        nonlocal calls
        calls += 1
        return "quota" if calls > 4 else world_answer(name, arguments, attempt, stream)

    file = tmp_path / "refine.json"
    refine(skeleton(CONFIG.replace(iterations=1)), ScriptedExecutor(world_answer), checkpoint=file)
    before = file.read_bytes()
    graph = skeleton()
    with pytest.raises(BackendError, match=r"quota of assembly is used up.*resumes"):
        refine(graph, ScriptedExecutor(spent), checkpoint=file)
    assert file.read_bytes() == before
    assert all("quota" not in edge.evidence.failures for edge in graph.edges())
    resumed = refine(skeleton(), ScriptedExecutor(world_answer), checkpoint=file)
    assert dump(resumed) == dump(refine(skeleton(), ScriptedExecutor(world_answer)))


def test_a_backend_that_dies_late_in_an_iteration_spoils_no_posterior(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kopa_hf.edge.observe.TAIL", 4)
    calls = 0

    def dying(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        nonlocal calls
        calls += 1
        if calls > 15:
            return "server"
        known = name == "list_bills" or "없는값zq0" not in arguments.values()
        return [{"BILL_ID": f"PRC_{calls}_{i}", "CONF_ID": f"N{calls}_{i}"} for i in range(12)] if known else "no_data"

    graph = skeleton(CONFIG.replace(iterations=1, paths=60))
    with pytest.raises(BackendError, match=r"down or refuses.*resumes"):
        refine(graph, ScriptedExecutor(dying))
    assert all(edge.evidence.trials == 0 for edge in graph.edges())


def test_a_full_disk_is_a_clear_error_and_the_graph_keeps_its_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "refine.json"
    refine(skeleton(CONFIG.replace(iterations=1)), ScriptedExecutor(world_answer), checkpoint=file)
    before = file.read_bytes()
    monkeypatch.setattr("os.fsync", full)
    graph = skeleton()
    with pytest.raises(DataError, match="No space left"):
        refine(graph, ScriptedExecutor(world_answer), checkpoint=file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]
    assert len(graph.history) == 2


def test_refine_works_inside_a_running_loop() -> None:
    async def notebook() -> ToolGraph:
        return refine(skeleton(), ScriptedExecutor(world_answer))

    assert len(asyncio.run(notebook()).history) == 3


def test_a_required_input_without_any_known_value_is_never_called() -> None:
    guarded = make_tool(
        "get_guarded",
        (Parameter("BILL_ID", "의안ID", required=True), Parameter("PIN", "비밀 기호", required=True)),
        (Field("X", "값"),),
    )
    judge = TableJudge(
        {("list_bills", "get_guarded"): Judgement(0.8, (Binding("BILL_ID", "BILL_ID", 0.8),), clarify=("PIN",))}
    )
    graph = build_graph((BILLS, guarded), CONFIG, judge=judge)
    executor = ScriptedExecutor(world_answer, (BILLS, guarded))
    refine(graph, executor)
    assert executor.log == []
    assert graph.history[-1].steps == 0


def test_values_seen_in_answers_fill_later_first_calls() -> None:
    """The detail tool needs a bill id; after the first iteration pools hold ids that the list printed."""
    deeper = make_tool("get_proposer", (Parameter("PROPOSER", "제안자", required=True),), (Field("N", "이름"),))
    tools = (BILLS, DETAIL, MINUTES, deeper)
    judge = TableJudge(
        {
            ("list_bills", "get_meeting_minutes"): Judgement(0.8, (Binding("CONF_ID", "CONF_ID", 0.8),)),
            ("get_bill_detail", "get_proposer"): Judgement(0.8, (Binding("PROPOSER", "PROPOSER", 0.8),)),
        }
    )

    def answer(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
        if name == "get_proposer":
            return [{"N": "1"}] if arguments["PROPOSER"] == "김가상" else "no_data"
        return world_answer(name, arguments, attempt, stream)

    graph = build_graph(tools, CONFIG.replace(iterations=2), judge=judge)
    refine(graph, ScriptedExecutor(answer, tools))
    evidence = graph.edge("get_bill_detail", "get_proposer").evidence
    assert evidence.first_trial == 1
    assert evidence.semantic == evidence.trials > 0


def test_a_graph_of_another_catalog_is_refused() -> None:
    with pytest.raises(DataError, match="another catalog"):
        Refinement(skeleton(), ScriptedExecutor(world_answer, (BILLS,)), CONFIG)
