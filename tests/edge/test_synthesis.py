from __future__ import annotations

import dataclasses
import re

import httpx
import pytest

from kopa_hf.bench.rows import validate_row
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.export import trajectories_to_rows
from kopa_hf.edge.filtering import filter_trajectories
from kopa_hf.edge.mixture import quotas
from kopa_hf.edge.opinions import leaks, says, unused_actions
from kopa_hf.edge.synthesis import synthesize
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.edge.verifying import verify_rows

from . import bill_service as bills

CONFIG = EdgeConfig(rows=40, attempts_per_row=30, seed=3)


@pytest.fixture(scope="module")
def found() -> list[Trajectory]:
    return synthesize(bills.graph(), bills.executor(), CONFIG)


def by_structure(found: list[Trajectory], structure: str) -> list[Trajectory]:
    return [t for t in found if t.structure == structure]


def fresh(trajectory: Trajectory, **changes: object) -> Trajectory:
    return dataclasses.replace(trajectory, row=None, **changes)  # type: ignore[arg-type]


def filtered(*trajectories: Trajectory) -> tuple[list[Trajectory], Funnel]:
    funnel = Funnel()
    return filter_trajectories(trajectories, bills.executor(), CONFIG, funnel=funnel), funnel


def test_quotas_follow_the_published_mixture_with_a_floor() -> None:
    wanted = quotas(EdgeConfig())
    assert wanted["MIXED"] == 654
    assert wanted["FAN"] == 48
    assert quotas(EdgeConfig(rows=10))["COND"] == 3


@pytest.mark.parametrize("structure", ["SEQ", "FAN", "DRV", "SEM", "CMP", "COND"])
def test_every_structure_is_found_on_a_service_that_offers_it(found: list[Trajectory], structure: str) -> None:
    assert by_structure(found, structure)


def test_junctions_are_typed_by_the_whole_answer_not_by_its_first_page(found: list[Trajectory]) -> None:
    """Eight bills over two pages are more than five; the two bills of one name fan out."""
    for trajectory in by_structure(found, "DRV"):
        assert trajectory.junctions[0].cardinality == 8
        assert trajectory.junctions[0].reduction is not None
        assert "collect_pages" in trajectory.tools
    for trajectory in by_structure(found, "FAN"):
        assert trajectory.junctions[0].cardinality == 2
        assert trajectory.parallel
        assert trajectory.junctions[0].reduction is None
    for trajectory in by_structure(found, "SEQ"):
        assert {junction.cardinality for junction in trajectory.junctions} == {1}


def test_compared_calls_run_side_by_side(found: list[Trajectory]) -> None:
    for trajectory in by_structure(found, "CMP"):
        assert trajectory.parallel
        assert trajectory.golden_actions[-1]["name"] == "evaluate_expression"


def test_a_branch_calls_only_the_side_that_holds(found: list[Trajectory]) -> None:
    for trajectory in by_structure(found, "COND"):
        asked = [a for a in trajectory.program["actions"] if "when" in a]
        assert len(asked) == 2
        assert len(trajectory.golden_actions) == len(trajectory.program["actions"]) - 1


def test_questions_say_every_literal_and_no_code(found: list[Trajectory]) -> None:
    for trajectory in found:
        assert all(mention in trajectory.question for mention in trajectory.mentions)
        assert "PRC_" not in trajectory.question
        assert not re.search(r"[A-Z]+_[A-Z]+", trajectory.question)
        assert not any(says(trajectory.question, value) for value in trajectory.intermediate)


def test_questions_vary(found: list[Trajectory]) -> None:
    assert len({t.question for t in found}) == len(found)
    for structure in ("SEQ", "DRV", "SEM"):
        group = by_structure(found, structure)
        assert len({t.phrasing for t in group}) >= min(6, len(group) - 1)


def test_the_same_seed_gives_the_same_trajectories(found: list[Trajectory]) -> None:
    again = synthesize(bills.graph(), bills.executor(), CONFIG)
    assert again == found
    other = synthesize(bills.graph(), bills.executor(), CONFIG.replace(seed=4))
    assert [t.question for t in other] != [t.question for t in found]


def test_rows_replay_to_what_they_hold(found: list[Trajectory]) -> None:
    kept, funnel = filtered(*[fresh(t) for t in found])
    assert len(kept) == funnel.stages["solved"] >= 0.7 * len(found)
    splits = trajectories_to_rows(kept, bills.executor(), CONFIG)
    rows = splits["train"] + splits["validation"]
    assert len(rows) == len(kept)
    for row in rows:
        validate_row(row)
        assert row.provenance["preset"] == "default"
        assert row.provenance["publishable"] is False
        assert set(a["name"] for a in row.golden_actions) <= {t["function"]["name"] for t in row.tools}
        assert row.max_allowed_calls >= 2 * len(row.golden_actions)
    verification = verify_rows(rows, bills.executor())
    assert (verification.passed, verification.problems) == (len(rows), {})


def test_chains_of_training_are_not_those_of_validation(found: list[Trajectory]) -> None:
    kept, _ = filtered(*[fresh(t) for t in found])
    splits = trajectories_to_rows(kept, bills.executor(), CONFIG)
    assert splits["train"]
    assert splits["validation"]
    chains = [{frozenset(a["name"] for a in row.golden_actions) for row in rows} for rows in splits.values()]
    assert not chains[0] & chains[1]


def test_a_changed_service_is_noticed_by_verification(found: list[Trajectory]) -> None:
    kept, _ = filtered(fresh(by_structure(found, "SEQ")[0]))
    rows = trajectories_to_rows(kept, bills.executor(), CONFIG)["train"]

    def drifted(request: httpx.Request) -> httpx.Response:
        answer = bills.handler(request)
        return httpx.Response(
            200, text=answer.text.replace("온결", "하늘").replace("람위원회", "새위원회").replace("솔", "별")
        )

    verification = verify_rows(rows, bills.executor(drifted))
    assert verification.passed == 0
    assert "otherwise than in the completion" in next(iter(verification.problems.values()))


def test_each_filter_drops_what_it_is_for(found: list[Trajectory]) -> None:
    good = fresh(by_structure(found, "SEQ")[0])
    cases = {
        "malformed": fresh(good, question=good.question + " BILL_ID도 확인해 주세요."),
        "leak: the answer": fresh(good, question=f"{good.question} 답은 {good.answer}이다."),
        "leak: a value": fresh(good, question=f"{good.question} {good.intermediate[0].replace('_', '')}."),
        "under-specified": fresh(good, question="의안의 제안자를 알려 주세요."),
    }
    cases["leak: a value"].intermediate = (good.intermediate[0].replace("_", ""),)
    for reason, trajectory in cases.items():
        kept, funnel = filtered(trajectory)
        assert kept == []
        assert next(iter(funnel.reasons)).startswith(reason), (reason, funnel.reasons)


def test_the_second_of_two_equal_trajectories_is_dropped(found: list[Trajectory]) -> None:
    good = by_structure(found, "SEQ")[0]
    kept, funnel = filtered(fresh(good), fresh(good))
    assert len(kept) == 1
    assert next(iter(funnel.reasons)).startswith("duplicate")


def test_a_call_that_nothing_uses_is_decorative(found: list[Trajectory]) -> None:
    good = by_structure(found, "SEQ")[0]
    extra = {"id": "a9", "step": 1, "name": "list_bills", "arguments": {}}
    program = {**good.program, "actions": [extra, *good.program["actions"]]}
    assert unused_actions(program) == ["a9"]
    assert unused_actions(good.program) == []


def test_no_step_passes_a_value_on_that_an_earlier_one_has_passed(found: list[Trajectory]) -> None:
    for trajectory in found:
        assert len(trajectory.intermediate) == len(set(trajectory.intermediate)), trajectory.question


def test_a_budget_that_hides_a_needed_value_is_noticed(found: list[Trajectory]) -> None:
    fans = [t for t in found if t.structure == "FAN"]
    funnel = Funnel()
    tight = CONFIG.replace(token_budget=200)
    wide = fresh(fans[0])
    kept = filter_trajectories([wide], bills.executor(), tight, funnel=funnel)
    assert kept or next(iter(funnel.reasons)).startswith("unsolved")


@pytest.mark.parametrize(
    ("question", "value", "expected"),
    [
        ("찬성이 1,680원 이상인", "1680", True),
        ("찬성이 1,680원 이상인", "168", False),
        ("2025년 3월 5일 제안된", "3", False),
        ("모두 3건인", "3", True),
        ("위원장이 가온인", "가온", True),
        ("코드 00164742번", "164742", False),
    ],
)
def test_a_value_is_said_only_as_a_whole(question: str, value: str, expected: bool) -> None:
    assert says(question, value) is expected


def test_a_list_leaks_only_with_all_its_items(found: list[Trajectory]) -> None:
    base = found[0]
    listed = dataclasses.replace(base, answer_type="list", answer='["가온", "나온"]', question="가온과 무엇?")
    assert not leaks(listed)
    assert leaks(dataclasses.replace(listed, question="가온과 나온 가운데"))


def test_a_service_without_answers_gives_reasons_instead_of_rows() -> None:
    funnel = Funnel()
    down = bills.executor(lambda request: httpx.Response(500, text="점검"))
    assert synthesize(bills.graph(), down, CONFIG.replace(rows=5), funnel=funnel) == []
    assert funnel.reasons
