"""The reward is the benchmark's own score, with environments and by replay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx
import pytest

from kopa_hf.agent.environment import KopaEnvironment
from kopa_hf.bench.golden import LOCAL_NAMES
from kopa_hf.bench.model_policy import transcript
from kopa_hf.bench.policies import POLICIES
from kopa_hf.bench.rows import COLUMNS, Row, row_to_dict
from kopa_hf.bench.runner import open_session
from kopa_hf.bench.scoring import score_rollout
from kopa_hf.errors import BackendError, DataError, KopaError
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.loading import embedded_rows
from kopa_hf.train.reward import Rollout, final_answer, kopa_reward, replay, rollout_score
from kopa_hf.train.toolsets import build_toolsets
from tests.hub.rows import hard_rows

SCORED_POLICIES = ("gold", "first_page_only", "skip_lookup", "every_tool_once", "wrong_number")


def columns(rows: tuple[Row, ...]) -> dict[str, list[Any]]:
    """What TRL hands to a reward function: every column but prompt and completion, as lists."""
    return {name: [getattr(row, name) for row in rows] for name in COLUMNS if name not in ("prompt", "completion")}


def completion(row: Row) -> list[dict[str, Any]]:
    """The golden conversation as TRL gives it back: tool messages by name, without ids."""
    keys = ("role", "content", "name", "tool_calls")
    return [{k: m[k] for k in keys if k in m} for m in row.completion]


def test_gold_earns_one_and_silence_nothing_by_replay() -> None:
    rows = (*hard_rows(), *embedded_rows())
    prompts = [row.prompt for row in rows]
    assert kopa_reward(prompts, [completion(row) for row in rows], **columns(rows)) == [1.0] * len(rows)
    silent = [[{"role": "assistant", "content": "모르겠습니다."}] for _ in rows]
    assert kopa_reward(prompts, silent, **columns(rows)) == [0.0] * len(rows)


def test_environments_and_replay_agree() -> None:
    rows = embedded_rows()[:6]
    toolsets = build_toolsets([row_to_dict(row) for row in rows])
    environments = []
    for row in rows:
        environment = toolsets[row.environment]()
        environment.reset(**{k: v for k, v in row_to_dict(row).items() if k != "environment"})
        for message in row.completion:
            for call in message.get("tool_calls") or ():
                getattr(environment, call["function"]["name"])(**call["function"]["arguments"])
        environments.append(environment)
    given = [completion(row) for row in rows]
    with_environments = kopa_reward([r.prompt for r in rows], given, environments=environments, **columns(rows))
    assert with_environments == kopa_reward([r.prompt for r in rows], given, **columns(rows)) == [1.0] * len(rows)


@pytest.mark.parametrize("name", SCORED_POLICIES)
def test_a_replayed_transcript_has_the_benchmarks_own_score(name: str) -> None:
    """Status, reward, parts, quality of the calls and reasons, also of runs that fail on the way."""
    with Executor() as executor:
        for row in (*hard_rows(), *embedded_rows()[::5]):
            session = open_session(row, executor)
            answer = POLICIES[name].run(row, session)
            direct = score_rollout(row, session.calls, session.state_hash, answer)
            assert rollout_score(row, transcript(session, answer)) == direct


def test_a_wrong_final_number_earns_nothing_and_says_why() -> None:
    row = hard_rows()[0]
    given = [*completion(row)[:-1], {"role": "assistant", "content": "\\boxed{215.78}"}]
    extra: dict[str, list[Any]] = {}
    metrics: dict[str, float] = {}
    rewards = kopa_reward(
        [row.prompt], [given], log_extra=extra.__setitem__, log_metric=metrics.__setitem__, **columns((row,))
    )
    assert rewards == [0.0]
    assert extra["kopa_status"] == ["scored"]
    assert extra["kopa_reasons"][0].startswith("wrong_answer")
    assert metrics["kopa/unscorable"] == 0.0


def test_a_rollout_that_ends_on_a_call_has_no_answer() -> None:
    row = hard_rows()[0]
    assert final_answer(completion(row)[:-1]) is None
    assert final_answer([]) is None
    assert final_answer([{"role": "assistant", "content": [{"type": "text", "text": "가"}]}]) == "가"
    assert kopa_reward([row.prompt], [completion(row)[:-1]], **columns((row,))) == [0.0]


def test_an_outage_is_none_and_never_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    def down(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    row = next(row for row in embedded_rows() if row.answer_type == "number" and row.reward_basis == ["RESPONSE"])
    monkeypatch.setattr(KopaEnvironment, "_executor", Executor(transport=httpx.MockTransport(down)))
    extra: dict[str, list[Any]] = {}
    silent = [*completion(row)[:-1], {"role": "assistant", "content": "서비스가 응답하지 않습니다."}]
    assert kopa_reward([row.prompt], [silent], log_extra=extra.__setitem__, **columns((row,))) == [None]
    assert extra["kopa_status"] == ["tool_fault"]


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, json={"error": "temporarily unavailable"}),
        httpx.Response(404, html="<html><h1>404 Not Found</h1></html>"),
    ],
)
def test_a_service_that_answers_something_else_is_an_outage(
    answer: httpx.Response, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one golden call: no reward, and the guard against failing services sees it."""
    row = next(row for row in embedded_rows() if row.answer_type == "number" and len(row.platforms) == 1)
    name = next(a["name"] for a in row.golden_actions if a["name"] not in LOCAL_NAMES)
    call = next(c for m in row.completion for c in m.get("tool_calls") or () if c["function"]["name"] == name)
    silent = [{"role": "assistant", "content": "", "tool_calls": [call]}, {"role": "assistant", "content": "모름"}]
    seen: list[Rollout] = []
    monkeypatch.setattr(KopaEnvironment, "_executor", Executor(transport=httpx.MockTransport(lambda _: answer)))
    assert kopa_reward([row.prompt], [silent], watch=seen.extend, **columns((row,))) == [None]
    assert [(rollout.score.status, rollout.calls, rollout.environment_errors) for rollout in seen] == [
        ("tool_fault", 1, 1)
    ]


def test_missing_columns_are_named() -> None:
    row = hard_rows()[0]
    given = {k: v for k, v in columns((row,)).items() if k != "golden_actions"}
    with pytest.raises(DataError, match="golden_actions"):
        kopa_reward([row.prompt], [completion(row)], **given)


@pytest.mark.parametrize(
    ("column", "value", "allowed"),
    [
        ("reward_basis", [], "RESPONSE and/or ENVIRONMENT"),
        ("reward_basis", ["response"], "RESPONSE and/or ENVIRONMENT"),
        ("reward_basis", ["RESPONSE", "NL"], "RESPONSE and/or ENVIRONMENT"),
        ("reward_basis", '["RESPONSE"]', "RESPONSE and/or ENVIRONMENT"),
        ("reward_basis", None, "RESPONSE and/or ENVIRONMENT"),
        ("answer_type", "nummer", "number, amount, code"),
    ],
)
def test_a_row_that_nothing_would_be_judged_by_is_an_error(column: str, value: Any, allowed: str) -> None:
    row = hard_rows()[0]
    given = {**columns((row, row)), column: [getattr(row, column), value]}
    with pytest.raises(DataError, match=rf"rollout 1 \(row {row.id}\): the column {column} holds .*{allowed}"):
        kopa_reward([row.prompt] * 2, [[], []], **given)


def test_an_environment_that_was_not_reset_is_an_error() -> None:
    row = replace(hard_rows()[0])
    with pytest.raises(DataError, match="not reset"):
        kopa_reward([row.prompt], [completion(row)], environments=[KopaEnvironment()], **columns((row,)))


def test_parts_are_added_by_their_weights_and_off_by_default() -> None:
    row = hard_rows()[0]
    right, wrong = completion(row), [*completion(row)[:-1], {"role": "assistant", "content": "\\boxed{215.78}"}]
    given = {**columns((row, row)), "action_weight": 0.2, "format_weight": 0.1}
    # the golden run has ACTION 1 and form 1; a run with a wrong answer has ACTION 0, but its form is right
    assert kopa_reward([row.prompt] * 2, [right, wrong], **given) == pytest.approx([1.3, 0.1])
    assert kopa_reward([row.prompt], [completion(row)[:-1]], **columns((row,)), format_weight=0.1) == [0.0]


def test_a_call_of_an_unknown_tool_lowers_the_form() -> None:
    row = hard_rows()[0]
    odd = {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "no_such_tool", "arguments": {}}}]}
    calls = sum(len(m.get("tool_calls") or ()) for m in completion(row)) + 1
    rewards = kopa_reward([row.prompt], [[odd, *completion(row)]], **columns((row,)), format_weight=1.0)
    assert rewards == pytest.approx([1 + (calls - 1) / calls])


def test_a_reward_that_is_no_number_stops() -> None:
    row = hard_rows()[0]
    with pytest.raises(KopaError, match="ruin the weights"):
        kopa_reward([row.prompt], [completion(row)], **columns((row,)), action_weight=float("nan"))


def test_the_watcher_sees_calls_and_faults() -> None:
    row = hard_rows()[0]
    seen: list[Rollout] = []
    kopa_reward([row.prompt], [completion(row)], **columns((row,)), watch=seen.extend)
    assert [(rollout.row_id, rollout.reward, rollout.calls, rollout.environment_errors) for rollout in seen] == [
        (row.id, 1.0, len(row.golden_actions), 0)
    ]


@pytest.mark.parametrize(
    "error",
    [BackendError("the replica was ended"), RuntimeError("pool broken"), MemoryError(), KeyError("x"),
     httpx.InvalidURL("x"), httpx.StreamClosed()],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_a_backend_that_breaks_under_a_call_leaves_the_rollout_unscored(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = hard_rows()[0]
    environment = build_toolsets([row_to_dict(row)])[row.environment]()
    environment.reset(**{k: v for k, v in row_to_dict(row).items() if k != "environment"})
    session = environment._session
    assert session is not None

    def gone(*_: object, **__: object) -> str:
        raise error

    monkeypatch.setattr(session, "call", gone)
    with pytest.raises(type(error)):
        environment.evaluate_expression(expression="1")  # type: ignore[attr-defined]
    silent = [{"role": "assistant", "content": "모르겠습니다."}]
    seen: list[Rollout] = []
    given = {**columns((row,)), "environments": [environment], "watch": seen.extend}
    assert kopa_reward([row.prompt], [silent], **given) == [None]
    assert [(rollout.score.status, rollout.calls, rollout.environment_errors) for rollout in seen] == [
        ("backend_fault", 1, 1)
    ]


def test_a_replay_whose_backend_breaks_is_unscored_and_says_what_broke(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone(request: httpx.Request) -> httpx.Response:
        raise RuntimeError("pool broken")

    row = next(row for row in embedded_rows() if row.reward_basis == ["RESPONSE"] and row.golden_actions)
    monkeypatch.setattr(KopaEnvironment, "_executor", Executor(transport=httpx.MockTransport(gone)))
    assert kopa_reward([row.prompt], [completion(row)[:-1]], **columns((row,))) == [None]
    assert "pool broken" in caplog.text


def test_what_interrupts_a_run_is_no_fault_of_the_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(request: httpx.Request) -> httpx.Response:
        raise KeyboardInterrupt

    row = next(row for row in embedded_rows() if row.reward_basis == ["RESPONSE"] and row.golden_actions)
    monkeypatch.setattr(KopaEnvironment, "_executor", Executor(transport=httpx.MockTransport(stop)))
    with pytest.raises(KeyboardInterrupt):
        kopa_reward([row.prompt], [completion(row)], **columns((row,)))


OFFERED = hard_rows()[0].golden_actions[0]["name"]


def calling(*calls: Any) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": "", "tool_calls": list(calls)}]


@pytest.mark.parametrize(
    "malformed",
    [
        calling({"function": {"name": OFFERED, "arguments": None}}),
        calling({"function": {"name": OFFERED, "arguments": [1]}}),
        calling({"id": [1], "function": {"name": OFFERED, "arguments": 3}}),
        calling({"function": {"arguments": {}}}),
        calling({"function": {"name": None, "arguments": None}}),
        calling({"function": "text"}),
        calling({}),
        calling(None),
        [{"role": "assistant", "tool_calls": "text"}],
        [{"role": "assistant", "content": [{"type": "text", "text": None}, None]}],
        [{"role": "assistant", "content": 7}],
        [None],
        None,
    ],
)
@pytest.mark.parametrize("played", [False, True])
def test_a_malformed_completion_earns_nothing_and_its_neighbour_its_own(malformed: Any, played: bool) -> None:
    row = hard_rows()[0]
    given: dict[str, Any] = {**columns((row, row)), "format_weight": 0.0}
    if played:  # as a trainer passes them: the environment of the second rollout was played to its end
        broken = KopaEnvironment()
        broken.reset(**{name: value for name, value in row_to_dict(row).items() if name != "environment"})
        given["environments"] = [broken, replay(row, completion(row))]
    assert kopa_reward([row.prompt] * 2, [malformed, completion(row)], **given) == [0.0, 1.0]


def test_plain_text_is_refused_with_what_is_wanted() -> None:
    row = hard_rows()[0]
    with pytest.raises(DataError, match="scores conversations"):
        kopa_reward([row.prompt], ["215.79"], **columns((row,)))  # type: ignore[list-item]
