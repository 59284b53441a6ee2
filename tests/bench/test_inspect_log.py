"""Runs as Inspect logs: its own reader opens them, and says what ours says."""

from __future__ import annotations

import pytest

from kopa_hf.agent.models import ModelError
from kopa_hf.agent.session import Session
from kopa_hf.bench.inspect_log import SCORER, write_inspect_logs
from kopa_hf.bench.policies import GOLD, NULL, ScriptedPolicy
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import evaluate
from kopa_hf.bench.task import ground_tasks, load_tasks
from kopa_hf.execution.executor import Executor

pytest.importorskip("inspect_ai", reason="extra `eval` is not installed")
from inspect_ai.log import EvalLog, read_eval_log


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor()


@pytest.fixture(scope="module")
def rows(executor: Executor) -> list[Row]:
    return ground_tasks(executor, tasks=load_tasks()[:2]).rows


def flaky(row: Row, session: Session) -> str | None:
    """Solves, but its server is gone after the first call of the second rollout."""
    answer = GOLD.run(row, session)
    if session._stream == "0/1":
        raise ModelError("connection", "gone")
    return answer


@pytest.fixture(scope="module")
def logs(rows: list[Row], executor: Executor, tmp_path_factory: pytest.TempPathFactory) -> dict[str, EvalLog]:
    log = tmp_path_factory.mktemp("inspect") / "run.jsonl"
    for policy in (GOLD, NULL, ScriptedPolicy("my/flaky model", flaky)):
        evaluate(policy, rows, executor, rollouts=2, log=log)
    paths = write_inspect_logs(log, rows, log.parent / "logs")
    assert [path.name for path in paths] == ["run.gold.eval", "run.null.eval", "run.my-flaky-model.eval"]
    read = [read_eval_log(str(path)) for path in paths]
    return {found.eval.model: found for found in read}


def test_inspects_reader_finds_every_rollout_and_the_same_rates(logs: dict[str, EvalLog], rows: list[Row]) -> None:
    for model, rate in (("gold", 1.0), ("null", 0.0)):
        found = logs[model]
        assert (found.status, found.eval.config.epochs) == ("success", 2)
        assert found.results is not None
        assert found.results.scores[0].metrics["pass@1"].value == rate
        assert found.samples is not None
        assert {(s.id, s.epoch) for s in found.samples} == {(r.provenance["task"], n) for r in rows for n in (1, 2)}
        assert {s.scores[SCORER].value for s in found.samples if s.scores} == {rate}


def test_the_conversation_is_the_one_that_was_held(logs: dict[str, EvalLog], rows: list[Row]) -> None:
    samples = logs["gold"].samples
    assert samples is not None
    for row in rows:
        sample = next(s for s in samples if s.id == row.provenance["task"])
        asked = [call.function for m in sample.messages if m.role == "assistant" for call in m.tool_calls or ()]
        assert asked == [action["name"] for action in row.golden_actions]
        told = [m.text for m in sample.messages if m.role == "tool"]
        assert told == [message["content"] for message in row.completion if message["role"] == "tool"]
        assert sample.messages[-1].text == sample.output.completion
        assert sample.target == row.answer


def test_a_fault_is_an_error_without_a_score(logs: dict[str, EvalLog]) -> None:
    found = logs["my/flaky model"]
    assert found.samples is not None
    assert found.results is not None
    for sample in found.samples:
        spoiled = sample.epoch == 2
        assert (sample.error is not None) == spoiled
        assert (sample.scores is None or not sample.scores) == spoiled
    assert found.results.scores[0].metrics["pass@1"].value == 1.0
    assert (found.results.scores[0].scored_samples, found.results.scores[0].unscored_samples) == (2, 2)


def test_a_failure_says_why(logs: dict[str, EvalLog]) -> None:
    samples = logs["null"].samples
    assert samples is not None
    assert samples[0].scores is not None
    assert "there is no final answer" in str(samples[0].scores[SCORER].explanation)
