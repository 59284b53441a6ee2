"""Rollouts side by side against an endpoint: the same results at any concurrency, and a log that resumes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from kopa_hf.agent.models import EndpointModel, RetryPolicy
from kopa_hf.bench.failures import failure_report
from kopa_hf.bench.log_lock import hold_log
from kopa_hf.bench.model_policy import ModelPolicy
from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rollouts import PolicyReport, Rollout
from kopa_hf.bench.rows import Row
from kopa_hf.bench.run_log import read_log
from kopa_hf.bench.runner import evaluate
from kopa_hf.bench.together import side_by_side
from kopa_hf.errors import BackendError, DataError, ModelServerError
from kopa_hf.execution.executor import Executor


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor()


@pytest.fixture(scope="module")
def rows(executor: Executor) -> list[Row]:
    """Six subtractions; the calculator gives each its own answer."""
    plans = [
        RowPlan(
            question=f"{1000 + number}에서 1을 빼면 얼마야?",
            tools=("evaluate_expression", "get_current_date"),
            program={
                "actions": [
                    {
                        "id": "a1",
                        "step": 1,
                        "name": "evaluate_expression",
                        "arguments": {"expression": f"{1000 + number}-1"},
                    }
                ],
                "answer": {"$from": "a1"},
            },
            answer_type="number",
            domain="finance",
        )
        for number in range(1, 7)
    ]
    return [render_row(plan, executor) for plan in plans]


class Server:
    """A chat endpoint that calculates the even questions rightly and lets earlier ones wait longer."""

    def __init__(self, *, fails: Callable[[str], bool] = lambda question: False) -> None:
        self.now = self.most = 0
        self.fails = fails
        self.requests: list[dict[str, Any]] = []

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        self.requests.append(body)
        self.now += 1
        self.most = max(self.most, self.now)
        question = next(m["content"] for m in body["messages"] if m["role"] == "user")
        number = int(question[:4]) - 1000
        await asyncio.sleep(0.002 * (7 - number))
        self.now -= 1
        if self.fails(question):
            return httpx.Response(503, text="overloaded")
        last = body["messages"][-1]
        if last["role"] == "tool":
            wrong = number % 2
            value = str(int(float(json.loads(last["content"])["value"])) + wrong)
            return self.reply({"role": "assistant", "content": f"답은 {value}입니다."})
        function = {"name": "evaluate_expression", "arguments": json.dumps({"expression": f"{1000 + number}-1"})}
        return self.reply(
            {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": function}]}
        )

    def reply(self, message: dict[str, Any]) -> httpx.Response:
        return httpx.Response(200, json={"choices": [{"message": message}]})

    def run(
        self,
        rows: list[Row],
        executor: Executor,
        concurrency: int,
        sampling: dict[str, Any] | None = None,
        **settings: Any,
    ) -> PolicyReport:
        model = EndpointModel(
            "http://model.test/v1",
            "qwen",
            sampling=sampling or {},
            transport=httpx.MockTransport(self),
            retry=RetryPolicy(attempts=1),
        )
        return evaluate(ModelPolicy("qwen", model), rows, executor, concurrency=concurrency, **settings)


def test_results_do_not_hang_on_concurrency(rows: list[Row], executor: Executor) -> None:
    alone, many = Server(), Server()
    one = alone.run(rows, executor, 1, rollouts=2)
    four = many.run(rows, executor, 4, rollouts=2)
    assert one == four
    assert (alone.most, many.most) == (1, 4)
    assert one.pass_at_1 == 0.5
    assert [(r.row_id, r.number) for r in four.rollouts] == [(row.id, n) for row in rows for n in (0, 1)]


def test_every_rollout_samples_with_a_seed_of_its_own_that_repeats(rows: list[Row], executor: Executor) -> None:
    def seeds(concurrency: int, seed: int) -> set[int]:
        server = Server()
        server.run(rows, executor, concurrency, rollouts=2, seed=seed)
        return {body["seed"] for body in server.requests}

    assert len(seeds(1, 0)) == 12
    assert seeds(1, 0) == seeds(5, 0)
    assert not seeds(1, 0) & seeds(1, 1)


def test_a_run_resumes_from_its_log_and_runs_faults_again(rows: list[Row], executor: Executor, tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    server = Server(fails=lambda question: question.startswith("1002"))
    first = server.run(rows, executor, 3, log=log)
    assert (first.metrics.scored, first.metrics.faults) == (5, 1)
    assert len(read_log(log)) == 6
    again = Server()
    seen: list[Rollout] = []
    second = again.run(rows, executor, 3, log=log, watch=seen.append)
    assert len(again.requests) == 2, "only the spoiled rollout was asked for again: a call and an answer"
    assert (second.metrics.scored, second.metrics.faults, len(seen)) == (6, 0, 6)
    assert second == Server().run(rows, executor, 1)


def test_what_was_sampled_otherwise_is_not_resumed(rows: list[Row], executor: Executor, tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    cold: dict[str, Any] = {"temperature": 0.0, "stop": ("\n\n",)}
    Server().run(rows, executor, 2, log=log)
    Server().run(rows, executor, 2, cold, log=log)
    assert len(read_log(log)) == 12
    again = Server()
    again.run(rows, executor, 2, cold, log=log)
    assert not again.requests


def test_an_interrupt_keeps_what_was_finished(rows: list[Row], executor: Executor, tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"

    def stop(rollout: Any) -> None:
        if len(read_log(log)) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Server().run(rows, executor, 2, log=log, watch=stop)
    assert len(read_log(log)) == 3
    assert Server().run(rows, executor, 2, log=log) == Server().run(rows, executor, 1)


def test_the_first_error_ends_the_others() -> None:
    ended: list[int] = []

    async def work(job: int) -> int:
        if job == 1:
            raise ValueError("broken")
        try:
            await asyncio.sleep(5)
        finally:
            ended.append(job)
        return job

    async def run() -> None:
        async for _ in side_by_side([0, 1, 2], work, 2):
            pass

    with pytest.raises(ValueError, match="broken"):
        asyncio.run(run())
    assert ended == [0]


def refusing(request: httpx.Request) -> httpx.Response:
    return httpx.Response(401, text="no such key")


def policy_at(handler: Callable[[httpx.Request], Any]) -> ModelPolicy:
    model = EndpointModel(
        "http://model.test/v1", "qwen", transport=httpx.MockTransport(handler), retry=RetryPolicy(attempts=1)
    )
    return ModelPolicy("qwen", model)


def test_a_server_that_only_refuses_stops_the_run_early(rows: list[Row], executor: Executor, tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    with pytest.raises(ModelServerError) as caught:
        evaluate(policy_at(refusing), rows, executor, rollouts=4, log=log, concurrency=2)
    assert "first 5 rollouts all failed" in str(caught.value)
    assert "auth: HTTP 401: no such key" in str(caught.value)
    assert isinstance(caught.value, BackendError), "the command ends with exit code 3"
    lines = read_log(log)
    assert [line["fault"] for line in lines] == ["auth: HTTP 401: no such key"] * 5
    assert evaluate(policy_at(Server()), rows, executor, log=log).metrics.scored == 6
    assert [path.name for path in tmp_path.iterdir()] == ["run.jsonl"]


def test_a_server_that_has_answered_once_is_never_given_up(rows: list[Row], executor: Executor) -> None:
    answered: list[int] = []

    async def once(request: httpx.Request) -> httpx.Response:
        answered.append(1)
        return Server().reply({"role": "assistant", "content": "몰라요"}) if len(answered) == 1 else refusing(request)

    report = evaluate(policy_at(once), rows, executor, rollouts=2)
    assert (report.metrics.scored, report.metrics.faults) == (1, 11)
    assert report.faults == {"auth": (11, "HTTP 401: no such key")}
    assert "(auth: HTTP 401: no such key)" in failure_report(report, rows, "en")


def test_half_a_character_in_an_answer_spoils_nothing(rows: list[Row], executor: Executor, tmp_path: Path) -> None:
    def half(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=b'{"choices": [{"message": {"content": "\\ud800 5"}}]}')

    report = evaluate(policy_at(half), rows[:1], executor, log=tmp_path / "run.jsonl")
    assert (report.metrics.scored, report.rollouts[0].answer) == (1, "\ufffd 5")


def test_two_runs_do_not_write_one_log_at_once(rows: list[Row], executor: Executor, tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"

    def other() -> None:
        with pytest.raises(DataError, match=r"Another run is writing run\.jsonl"):
            evaluate(policy_at(Server()), rows[:1], executor, log=log)

    with hold_log(log):
        with ThreadPoolExecutor(1) as elsewhere:
            elsewhere.submit(other).result()
        assert evaluate(policy_at(Server()), rows[:1], executor, log=log).metrics.scored == 1, "the holder may"
        assert (tmp_path / ".run.jsonl.lock").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["run.jsonl"]
