"""Every reason that a report can name arises in a run on the published tasks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from kopa_hf.agent.models import Message, ModelError
from kopa_hf.agent.session import Session
from kopa_hf.bench.model_policy import ModelPolicy
from kopa_hf.bench.policies import GOLD, POLICIES, Policy, ScriptedPolicy
from kopa_hf.bench.reasons import TEXTS, explain
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import evaluate
from kopa_hf.bench.scoring import Score
from kopa_hf.errors import BackendError
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.loading import embedded_rows
from kopa_hf.sandbox.faults import Faults


class Speaker:
    """A chat model that says what it was given, the last of it for good; an error is raised."""

    def __init__(self, *turns: Message | ModelError) -> None:
        self.turns, self.said = turns, 0

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        turn = self.turns[min(self.said, len(self.turns) - 1)]
        self.said += 1
        await asyncio.sleep(0)
        if isinstance(turn, ModelError):
            raise turn
        return turn


def says(content: str, **more: Any) -> Message:
    return {"role": "assistant", "content": content, **more}


def calls(name: str, **arguments: Any) -> Message:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return says("", tool_calls=[{"id": "c", "type": "function", "function": function}])


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    return {str(row.provenance["task"]): row for row in embedded_rows()}


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    with Executor() as sandbox:
        yield sandbox


def scripted(run: Callable[[Row, Session], str | None]) -> Policy:
    return ScriptedPolicy("scripted", run)


def model(*turns: Message | ModelError, max_turns: int = 3) -> Policy:
    return ModelPolicy("model", Speaker(*turns), max_turns=max_turns)


def gold_and(tool: str, **arguments: Any) -> Policy:
    """The golden path, one more call, and an answer that says nothing."""

    def run(row: Row, session: Session) -> str:
        GOLD.run(row, session)
        session.call(tool, arguments)
        return "모르겠습니다."

    return scripted(run)


def first_call_twice(row: Row, session: Session) -> str:
    for _ in range(2):
        session.call(row.golden_actions[0]["name"], row.golden_actions[0]["arguments"])
    return "모르겠습니다."


def broken_backend(row: Row, session: Session) -> str:
    raise BackendError("gone")


TODAY = calls("get_current_date")
CASES: list[tuple[str, str, Policy]] = [
    ("wrong_answer", "price_to_book", POLICIES["wrong_number"]),
    ("unreadable", "price_to_book", POLICIES["fixed_refusal"]),
    ("ambiguous", "price_to_book", POLICIES["list_everything"]),
    ("empty_answer", "price_to_book", POLICIES["null"]),
    ("no_evidence", "price_to_book", scripted(lambda row, session: f"\\boxed{{{row.answer}}}")),
    ("missing_deciding_value", "member_vote_on_bill", scripted(lambda row, session: f"\\boxed{{{row.answer}}}")),
    ("decisive_lookup_missing", "no_buyback", POLICIES["always_no_data"]),
    ("missing_term", "bond_rate_without_issuer", POLICIES["always_yes"]),
    ("not_asking", "bond_rate_without_issuer", scripted(lambda row, session: f"{row.program['terms'][0]}.")),
    (
        "answered_instead_of_asking",
        "bond_rate_without_issuer",
        scripted(lambda row, session: f"어느 {row.program['terms'][0]}인지 알려 주세요. \\boxed{{7}}"),
    ),
    ("missing_write", "closing_price_table", POLICIES["null"]),
    ("surplus_write", "closing_price_table", gold_and("save_table", name="덤", rows=[{"값": "1"}])),
    ("wrong_write", "closing_price_table", POLICIES["every_tool_once"]),
    ("no_calls", "price_to_book", POLICIES["null"]),
    ("skipped_lookup", "price_to_book", POLICIES["skip_lookup"]),
    ("first_page_only", "busiest_exit_toll", POLICIES["first_page_only"]),
    ("pages_left", "busiest_exit_toll", POLICIES["two_pages_only"]),
    ("wrong_code", "busiest_exit_toll", POLICIES["every_tool_once"]),
    ("wrong_argument", "busiest_exit_toll", POLICIES["every_tool_once"]),
    ("bad_arguments", "price_to_book", POLICIES["every_tool_once"]),
    ("unknown_tool", "price_to_book", gold_and("find_everything")),
    ("key_not_issued", "patent_leaders_table", POLICIES["skip_lookup"]),
    ("budget", "no_vote_yet", POLICIES["every_tool_once"]),
    ("duplicate_calls", "price_to_book", scripted(first_call_twice)),
    ("unparsable", "price_to_book", model(says('<tool_call>{"name": "a", "argu'), says("모르겠습니다."))),
    (
        "wrong_channel",
        "price_to_book",
        model(says('<tool_call>{"name": "get_current_date", "arguments": {}}</tool_call>'), says("모르겠습니다.")),
    ),
    ("empty_turn", "price_to_book", model(says(""))),
    ("token_budget", "price_to_book", model(says("먼저 회사의 고유번호를 찾", finish_reason="length"))),
    ("turn_limit", "price_to_book", model(TODAY)),
    ("context", "price_to_book", model(TODAY, ModelError("context", "too long"))),
    ("model_fault", "price_to_book", model(ModelError("context", "the prompt alone is too long"))),
    ("backend_fault", "price_to_book", scripted(broken_backend)),
]


def score_of(row: Row, policy: Policy, executor: Executor, **more: Any) -> Score:
    (rollout,) = evaluate(policy, [row], executor, **more).rollouts
    return rollout.score


@pytest.mark.parametrize(("code", "task", "policy"), CASES, ids=[code for code, _, _ in CASES])
def test_reason_arises_in_a_run(code: str, task: str, policy: Policy, rows: dict[str, Row], executor: Executor) -> None:
    score = score_of(rows[task], policy, executor)
    codes = [reason.partition(": ")[0] for reason in score.reasons]
    assert code in codes
    assert (score.reward is None) == code.endswith("_fault")
    for reason in score.reasons:
        assert explain(reason, "ko") != explain(reason, "en")


def test_a_service_that_never_answers_is_a_fault_of_the_tool(rows: dict[str, Row]) -> None:
    with Executor(faults=Faults(seed=1, transient=(("server", 1.0),))) as broken:
        score = score_of(rows["price_to_book"], scripted(first_call_twice), broken)
    assert (score.status, score.reasons[0].partition(": ")[0]) == ("tool_fault", "tool_fault")


def test_nothing_in_the_list_of_reasons_is_left_without_a_run() -> None:
    elsewhere = {"tool_fault", "needs_judge", "judge_fault"}  # above, and in the judge's own tests
    assert {code for code, _, _ in CASES} | elsewhere == set(TEXTS)
