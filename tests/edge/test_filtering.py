"""Planted bad rows fall, each with its reason; good ones stay. Models must agree; offline, execution decides."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from kopa_hf.agent.models import Message, ModelError
from kopa_hf.agent.session import Session
from kopa_hf.bench.model_policy import ModelPolicy
from kopa_hf.bench.program import run_program
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.consulting import Consultant
from kopa_hf.edge.filtering import boxed, filter_trajectories, template_shares
from kopa_hf.edge.opinions import Opinion, RunReviewer, TextReviewer, passed_values
from kopa_hf.edge.panel import ModelReviewer, ModelSolver, Panel, open_panel
from kopa_hf.edge.rules import Memory, broken_rule
from kopa_hf.edge.store import Store
from kopa_hf.edge.synthesis import synthesize
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.edge.verifying import verify_rows
from kopa_hf.errors import DataError

from . import bill_service as bills

CONFIG = EdgeConfig(rows=40, attempts_per_row=30, seed=3)


@pytest.fixture(scope="module")
def made() -> list[Trajectory]:
    return synthesize(bills.graph(), bills.executor(), CONFIG)


def plain(made: list[Trajectory], structure: str = "SEQ", answer_type: str = "text") -> Trajectory:
    """A good trajectory, fresh."""
    found = next(t for t in made if t.structure == structure and t.answer_type == answer_type)
    return dataclasses.replace(found, row=None, decisions={})


def changed(trajectory: Trajectory, **changes: Any) -> Trajectory:
    return dataclasses.replace(trajectory, row=None, decisions={}, **changes)


def reasons(*trajectories: Trajectory, config: EdgeConfig = CONFIG, **more: Any) -> dict[str, int]:
    funnel = Funnel()
    filter_trajectories(trajectories, bills.executor(), config, funnel=funnel, **more)
    return funnel.reasons


def only_reason(trajectory: Trajectory, **more: Any) -> str:
    found = reasons(trajectory, **more)
    return next(iter(found), "")


def with_program(trajectory: Trajectory, **changes: Any) -> Trajectory:
    return changed(trajectory, program={**trajectory.program, **changes})


def test_good_rows_stay_and_carry_what_the_stages_found(made: list[Trajectory]) -> None:
    funnel, memory = Funnel(), Memory()
    kept = filter_trajectories([changed(t) for t in made], bills.executor(), CONFIG, funnel=funnel, memory=memory)
    assert len(kept) >= 0.9 * len(made)
    assert funnel.stages["rules"] >= funnel.stages["static"] >= funnel.stages["solved"] == len(kept)
    for trajectory in kept:
        assert trajectory.row is not None
        told = trajectory.row.provenance
        assert told["filter"]["rules"] == "passed"
        assert told["filter"]["judges"] == ["text", "execution"]
        assert told["filter"]["solver"] == "reader"
        assert told["phrasing"] == trajectory.phrasing
        assert told["register"] in ("formal", "polite", "plain", "written")
        assert told["chain"] == [a["name"] for a in trajectory.golden_actions]
        assert told["cardinalities"] == [j.cardinality for j in trajectory.junctions]
        assert told["structure"] == trajectory.structure
        assert {"seed", "preset", "backend", "world", "token_budget"} <= set(told)
    assert sum(memory.templates.values()) == len(kept)


# Stage 1


def test_malformed_questions_fall(made: list[Trajectory]) -> None:
    good = plain(made)
    for question in (
        good.question.rstrip(".?"),
        good.question + " BILL_ID도 알려 주세요.",
        good.question.replace("의안", "{의안}", 1),
        "What is it?",
        good.question + " 그리고" * 200 + ".",
    ):
        assert only_reason(changed(good, question=question)).startswith("malformed"), question


def test_a_code_in_quotes_is_a_name_and_no_leaked_field(made: list[Trajectory]) -> None:
    good = plain(made)
    said = changed(good, question=good.question + " 참고 이름은 'a_b'입니다.")
    assert broken_rule(said, bills.executor(), CONFIG, Memory()) is None


def test_redundant_and_repeated_rows_fall(made: list[Trajectory]) -> None:
    good = plain(made)
    twice = with_program(good, actions=[good.program["actions"][0], {**good.program["actions"][0], "id": "a0"}])
    twice.golden_actions = [good.golden_actions[0], *good.golden_actions]
    assert only_reason(twice) == "redundant: a call is made twice"
    assert only_reason(changed(good)) == ""
    assert "duplicate" in next(iter(reasons(changed(good), changed(good))))
    memory = Memory()
    assert reasons(changed(good), memory=memory) == {}
    assert "duplicate" in only_reason(changed(good), memory=memory)


@pytest.mark.parametrize("word", ["오늘", "어제", "지난달", "올해"])
def test_what_moves_with_the_day_falls(made: list[Trajectory], word: str) -> None:
    good = plain(made)
    assert only_reason(changed(good, question=f"{word} 확인한 자료입니다. {good.question}")).startswith(
        "non-reproducible"
    )


def test_the_clock_and_services_of_the_moment_fall(made: list[Trajectory]) -> None:
    good = plain(made)
    assert "day it runs" in only_reason(changed(good, tools=(*good.tools, "get_current_date")))
    live = dataclasses.replace(bills.DETAIL, title="실시간 의안 상세정보")
    from kopa_hf.catalog.registry import Catalog
    from kopa_hf.execution.executor import Executor

    tools = tuple(live if tool is bills.DETAIL else tool for tool in bills.TOOLS)
    executor = Executor(catalog=Catalog(tools), transport=httpx.MockTransport(bills.handler))
    by_detail = next(t for t in made if "get_bill_detail" in t.tools and t.structure == "SEQ")
    assert "of the moment" in str(broken_rule(changed(by_detail), executor, CONFIG, Memory()))


def test_programs_that_do_not_settle_or_settle_otherwise_fall(made: list[Trajectory]) -> None:
    good = plain(made)
    lost = with_program(good, answer={"$from": "a2", "field": "NO_SUCH_FIELD"})
    assert only_reason(lost) == "erroneous: its program does not settle"
    other = changed(good, golden_actions=[{**a, "step": a["step"] + 1} for a in good.golden_actions])
    assert only_reason(other) == "non-reproducible: another execution makes other calls"


# Stage 2


def test_an_answer_or_intermediate_that_is_said_falls(made: list[Trajectory]) -> None:
    good = plain(made)
    said = changed(good, question=f"{good.question} 답은 {good.answer}이다.")
    assert only_reason(said) == "leak: the answer stands in the question"
    code = good.intermediate[0].replace("_", "")
    entered = changed(good, question=f"{good.question} 번호는 {code}이다.", intermediate=(code,))
    assert only_reason(entered) == "leak: a value that must be looked up stands in the question"


def test_a_missing_literal_and_an_empty_or_unsaid_answer_fall(made: list[Trajectory]) -> None:
    good = plain(made)
    assert only_reason(changed(good, question="의안의 제안자를 알려 주세요.")).startswith("under-specified")
    undated = changed(good, answer_type="date")
    assert only_reason(undated) == "non-gradable: the golden sentence does not score as correct"


def test_a_call_that_nothing_uses_is_decorative(made: list[Trajectory]) -> None:
    good = changed(next(t for t in made if t.structure == "SEQ" and "list_bill_votes" not in t.tools))
    extra = {"id": "a9", "step": 1, "name": "list_bill_votes", "arguments": {"BILL_ID": "PRC_007"}}
    bad = with_program(good, actions=[extra, *good.program["actions"]])
    bad = changed(
        bad,
        question=good.question + " 참고로 PRC_007입니다.".replace("_", ""),
        golden_actions=[
            {
                "name": "list_bill_votes",
                "arguments": {"BILL_ID": "PRC_007"},
                "value_compare_args": ["BILL_ID"],
                "step": 1,
            },
            *good.golden_actions,
        ],
        tools=(*good.tools, "list_bill_votes"),
        offered=tuple(sorted({*good.offered, "list_bill_votes"})),
    )
    assert broken_rule(bad, bills.executor(), CONFIG, Memory()) is None
    assert TextReviewer().review(bad).decorative == "nothing that a call found is used later"
    assert RunReviewer(bills.executor(), CONFIG).review(bad).decorative == "leaving out a call changes nothing"


def test_a_service_that_ignores_its_input_makes_the_lookup_decorative(made: list[Trajectory]) -> None:
    """Whatever bill is asked for, this service tells of the first: only execution can see that."""

    def deaf(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("GET_BILL_DETAIL"):
            request = httpx.Request("GET", str(request.url.copy_set_param("BILL_ID", "PRC_000")))
        return bills.handler(request)

    executor = bills.executor(deaf)
    good = next(t for t in made if t.structure == "SEQ" and t.tools[-1] == "get_bill_detail")
    heard = changed(good)
    assert broken_rule(heard, bills.executor(), CONFIG, Memory()) is None
    others = passed_values([t for t in made])
    assert RunReviewer(bills.executor(), CONFIG, others).review(heard).decorative == ""
    assert broken_rule(heard, executor, CONFIG, Memory()) is None
    said = RunReviewer(executor, CONFIG, others).review(heard)
    assert said.decorative == "the answer stays the same whatever BILL_ID is given"
    assert TextReviewer().review(heard).decorative == "", "reading alone does not show it"


def opinions_on_the_most_agreed_bill(operation: str) -> Trajectory:
    """The bill with most votes for it (철도법, the last of eight), then an extreme of the opinions on it."""
    found = {"$from": "a2", "field": "BILL_NAME"}
    actions = [
        {"id": "a1", "step": 1, "name": "list_bills", "arguments": {"pSize": 8}},
        {
            "id": "a2",
            "step": 2,
            "name": "reduce_records",
            "arguments": {"result_id": {"$result": "a1"}, "operation": "max", "field": "YES"},
        },
        {"id": "a3", "step": 3, "name": "list_bill_opinions", "arguments": {"BILL_NAME": found, "pSize": 8}},
        {
            "id": "a4",
            "step": 4,
            "name": "reduce_records",
            "arguments": {"result_id": {"$result": "a3"}, "operation": operation, "field": "OPINIONS"},
        },
    ]
    answer = {"$number": {"$from": "a4", "field": "OPINIONS"}}
    program = {"actions": actions, "answer": answer, "deciding": None, "terms": [], "slots": {}}
    tools = ("list_bills", "reduce_records", "list_bill_opinions")
    return Trajectory("DRV", program, "", "number", "310", tools=tools, offered=tools)


@pytest.mark.parametrize(
    ("operation", "said"),
    [("max", "the answer stays the same without BILL_NAME"), ("min", "")],
)
def test_a_lookup_is_decorative_where_the_answer_is_the_same_without_it(operation: str, said: str) -> None:
    """Opinions on the eight bills are 100, 130, …, 310: the largest of all is 철도법's own, the smallest is not."""
    trajectory = opinions_on_the_most_agreed_bill(operation)
    session = Session(bills.executor(), trajectory.tools, token_budget=2000, stream="golden")
    run = run_program(trajectory.program, session)
    assert run.answer == "310"
    trajectory.golden_actions = run.golden_actions
    reviewer = RunReviewer(bills.executor(), CONFIG, passed_values([trajectory]))
    assert reviewer._decorative(trajectory, SimpleNamespace(answer="310")) == said  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "run", "reason"),
    [
        (Opinion(), Opinion(decorative="x"), "decorative: x"),
        (Opinion(decorative="x"), Opinion(), ""),
        (Opinion(leak="x"), Opinion(), "leak: x"),
        (Opinion(), Opinion(leak="y"), "leak: y"),
        (Opinion(leak="x", decorative="z"), Opinion(leak="y"), "leak: x"),
    ],
)
def test_offline_execution_decides_what_is_decorative_and_any_leak_counts(
    made: list[Trajectory], monkeypatch: pytest.MonkeyPatch, text: Opinion, run: Opinion, reason: str
) -> None:
    monkeypatch.setattr(TextReviewer, "review", lambda self, trajectory: text)
    monkeypatch.setattr(RunReviewer, "review", lambda self, trajectory: run)
    assert only_reason(plain(made)) == reason


# Stage 3


def test_a_stored_answer_that_program_and_solver_contradict_is_replaced(made: list[Trajectory]) -> None:
    good, funnel = plain(made), Funnel()
    wrong = changed(good, answer="가짜")
    (kept,) = filter_trajectories([wrong], bills.executor(), CONFIG, funnel=funnel)
    assert (kept.answer, funnel.notes["answers replaced"]) == (good.answer, 1)
    assert kept.row is not None
    assert kept.row.answer == good.answer
    assert kept.row.provenance["filter"]["answer"] == "replaced, was 가짜"


def test_a_question_that_asks_for_something_else_than_its_program_falls(made: list[Trajectory]) -> None:
    asked = [t for t in made if t.structure in ("SEQ", "DRV") and t.answer_type == "text" and "제안자" in t.question]
    good = next(t for t in asked if t.tools[-1] == "get_bill_detail")
    other = changed(good, question=good.question.replace("제안자", "추계 금액"))
    assert only_reason(other) == "unsolved: the solver finds another answer"
    vague = changed(good, question=good.question.replace("제안자", "색깔"))
    assert only_reason(vague) == "unsolved: the solver gave up"


def test_a_template_may_not_carry_more_than_its_share(made: list[Trajectory]) -> None:
    alike = [changed(t, phrasing="chain/o0.b0.c0") for t in made if t.structure == "DRV"]
    kept = filter_trajectories(alike, bills.executor(), CONFIG)
    assert len(kept) == 1
    kept = filter_trajectories([changed(t) for t in alike], bills.executor(), CONFIG.replace(template_share=1.0))
    assert len(kept) > 1
    assert template_shares(kept)["DRV"] == 1.0


# Models


class Scripted:
    """A model that answers by what it is asked; `None` is a server's failure."""

    def __init__(self, review: Any, arbitrate: Any = None) -> None:
        self.review = review
        self.arbitrate = arbitrate

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        arbitrating = "Two solvers" in str(messages[0]["content"])
        said = self.arbitrate(str(messages[1]["content"])) if arbitrating else self.review
        if said is None:
            raise ModelError("server", "HTTP 500")
        return {"role": "assistant", "content": said if isinstance(said, str) else json.dumps(said)}


FINE = {"gradable": True, "leaks": False, "decorative": [], "reason": "fine"}


def judges(first: Any, second: Any, arbitrate: Any = None) -> tuple[ModelReviewer, ...]:
    models = [Scripted(first, arbitrate), Scripted(second, arbitrate)]
    return tuple(ModelReviewer(Consultant(m, f"judge {n}", attempts=2)) for n, m in enumerate(models, 1))


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (FINE, FINE, ""),
        (FINE | {"leaks": True}, FINE, ""),
        (FINE | {"leaks": True}, FINE | {"leaks": True}, "leak: both judges say so"),
        (FINE | {"decorative": [1]}, FINE | {"decorative": [2]}, "decorative: both judges say so"),
        (FINE | {"decorative": [1]}, FINE | {"leaks": True}, ""),
        (FINE | {"gradable": False}, FINE, "non-gradable: both judges say so"),
        (FINE, "no JSON at all", "unjudged: a judge gave no usable opinion"),
        (FINE, FINE | {"decorative": [99]}, "unjudged: a judge gave no usable opinion"),
        (FINE, None, "unjudged: a judge gave no usable opinion"),
    ],
)
def test_two_models_must_agree_on_leaks_and_decoration(
    made: list[Trajectory], first: Any, second: Any, reason: str
) -> None:
    assert only_reason(plain(made), panel=Panel(judges(first, second))) == reason


class Agent:
    """A solver that makes the given calls one by one and then says its answer."""

    def __init__(self, calls: Sequence[Mapping[str, Any]], answer: str) -> None:
        self.calls, self.answer = calls, answer

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        done = sum(message["role"] == "tool" for message in messages)
        if done >= len(self.calls):
            return {"role": "assistant", "content": f"확인했습니다. \\boxed{{{self.answer}}}"}
        call = self.calls[done]
        function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
        return {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": f"c{done}", "type": "function", "function": function}],
        }


def solver(calls: Sequence[Mapping[str, Any]], answer: str) -> ModelSolver:
    return ModelSolver(ModelPolicy("agent", Agent(calls, answer)), Store(None))


def picks(side: str) -> Any:
    """A judge for whom the side that ends with this answer is right."""

    def arbitrate(text: str) -> dict[str, str]:
        first, second = text.split("\n\nSolver B\n")
        return {"right": "A" if side in first else "B" if side in second else "neither"}

    return arbitrate


def test_a_solver_that_agrees_confirms_the_row(made: list[Trajectory]) -> None:
    good = plain(made)
    panel = Panel(judges(FINE, FINE), solver(good.golden_actions, good.answer))
    (kept,) = filter_trajectories([good], bills.executor(), CONFIG, panel=panel)
    assert kept.row is not None
    assert kept.row.provenance["filter"]["solver"] == "agent"
    assert kept.row.provenance["filter"]["judges"] == ["judge 1", "judge 2"]


def test_another_answer_replaces_the_stored_one_only_where_both_judges_say_so(made: list[Trajectory]) -> None:
    good = next(t for t in made if t.answer_type == "text" and "get_bill_detail" in t.tools)
    calls = [
        {"name": "list_bills", "arguments": {"BILL_NAME": "철도법"}},
        {"name": "get_bill_detail", "arguments": {"BILL_ID": "PRC_007"}},
    ]
    found = solver(calls, "아온결")
    funnel = Funnel()
    panel = Panel(judges(FINE, FINE, picks("아온결")), found)
    (kept,) = filter_trajectories([changed(good)], bills.executor(), CONFIG, funnel=funnel, panel=panel)
    assert (kept.answer, funnel.notes["answers replaced"]) == ("아온결", 1)
    assert kept.row is not None
    assert kept.row.provenance["filter"]["answer"] == f"replaced by agent, was {good.answer}"
    assert verify_rows([kept.row], bills.executor()).problems == {}
    upheld = Panel(judges(FINE, FINE, picks(f"Answer: {good.answer}")), found)
    (kept,) = filter_trajectories([changed(good)], bills.executor(), CONFIG, panel=upheld)
    assert kept.answer == good.answer
    unsure = Panel(judges(FINE, FINE, lambda text: {"right": "neither"}), found)
    assert only_reason(changed(good), panel=unsure) == "unsolved: the solver finds another answer"


def test_settings_name_the_models_and_one_judge_is_too_few() -> None:
    assert open_panel(EdgeConfig()) is None
    for judges_named in (("http://127.0.0.1:9/v1#m",), ("http://127.0.0.1:9/v1#m",) * 2):
        with pytest.raises(DataError, match="two independent judges"):
            open_panel(EdgeConfig(filter_judges=judges_named))
    with pytest.raises(DataError, match="no model that could solve"):
        open_panel(EdgeConfig(solver="policy:gold"))
    panel = open_panel(EdgeConfig(filter_judges=("http://127.0.0.1:9/v1#a", "http://127.0.0.1:9/v1#b")))
    assert panel is not None
    assert [reviewer.name for reviewer in panel.reviewers] == ["a", "b"]
    panel.close()


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("답 \\boxed{1,680원}", "number", "1680"),
        ("\\boxed{가온}, 다시 \\boxed{나온}", "text", "나온"),
        ("\\boxed{가온, 나온}", "list", ["가온", "나온"]),
        ("가온", "text", None),
    ],
)
def test_the_boxed_value_of_a_models_answer(text: str, kind: str, expected: Any) -> None:
    assert boxed(text, kind) == expected


def test_an_opinion_without_words_finds_nothing() -> None:
    assert Opinion() == Opinion("", "", "")
