"""Habits that must not be paid, on rows of both kinds; and a row that pays one, which the filter finds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kopa_hf.bench.habits import FORMS, answers, copied_numbers, every_tool, guessed_by, play_habits
from kopa_hf.bench.policies import GOLD
from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.response import response_reasons
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import open_session
from kopa_hf.bench.scoring import score_rollout
from kopa_hf.execution.executor import Executor
from tests.hub.rows import hard_rows
from tests.train.runs import short_rows


def paid(rows: tuple[Row, ...]) -> list[tuple[str, str, list[str]]]:
    with Executor() as executor:
        return [(h.calls, h.answer, h.paid) for h in play_habits(rows, executor) if h.paid or h.unscored]


def product_of_ones() -> Row:
    """A row that pays a blind policy: any sum with its first number alone has the answer already."""
    program = {
        "actions": [{"id": "a1", "step": 1, "name": "evaluate_expression", "arguments": {"expression": "1*1"}}],
        "answer": {"$from": "a1"},
        "slots": {},
    }
    tools = ("evaluate_expression", "get_current_date")
    plan = RowPlan(
        question="1 곱하기 1 은 얼마야?", tools=tools, program=program, answer_type="number", domain="finance"
    )
    with Executor() as executor:
        return render_row(plan, executor)


def test_no_habit_is_paid_where_gold_is() -> None:
    rows = short_rows(3)
    with Executor() as executor:
        for row in rows:
            session = open_session(row, executor)
            said = GOLD.run(row, session)
            assert score_rollout(row, session.calls, session.state_hash, said).reward == 1.0
    assert paid(rows) == []


def test_a_row_that_pays_for_a_copied_number_is_found() -> None:
    row = product_of_ones()
    with Executor() as executor:
        assert guessed_by(row, executor) == "first_tool_again, the first number"
        found = {(h.calls, h.answer): h.paid for h in play_habits([row], executor)}
        assert found["every_tool", "the first number"] == [row.id]
        # 1,680 and 532 are nowhere near 215.79
        assert guessed_by(hard_rows()[0], executor) is None
        # who always says 0 is right where nothing is counted
        nothing = replace(row, answer="0", program={**row.program, "answer": "0"})
        assert guessed_by(nothing, executor) == "first_tool_again, zero"
        # a word cannot be a copied number
        assert guessed_by(replace(row, answer_type="text", answer="하나"), executor) is None


def test_what_is_said_is_what_was_in_sight() -> None:
    row = product_of_ones()
    with Executor() as executor:
        session = open_session(row, executor)
        every_tool(row, session)
    said = dict(answers(session))
    assert set(FORMS) < set(said)
    # the value of "1", and the day that the episode has
    assert said["all numbers in the box"].startswith("\\boxed{1")
    assert row.system_state.get("current_date", "2026-01-30") in said["all values in prose"]
    assert dict(copied_numbers(['{"value":"3"}', '{"total":12,"at":"r7"}', '{"x":-4.5,"y":12}'])) == {
        "the first number": "답은 3입니다. \\boxed{3}",
        "the last number": "답은 12입니다. \\boxed{12}",
        "the largest number": "답은 12입니다. \\boxed{12}",
        "the smallest number": "답은 -4.5입니다. \\boxed{-4.5}",
        "the most frequent number": "답은 12입니다. \\boxed{12}",
    }


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("먼저 \\boxed{3}, 그다음 \\boxed{2}, 그래서 \\boxed{1}", True),
        ("\\boxed{4} \\boxed{3} \\boxed{2} \\boxed{1}", False),
        ("\\boxed{1} \\boxed{1} \\boxed{1} \\boxed{1} \\boxed{1}", True),
    ],
)
def test_an_answer_of_many_boxes_is_a_list_and_not_an_answer(answer: str, right: bool) -> None:
    row = product_of_ones()
    with Executor() as executor:
        session = open_session(row, executor)
        every_tool(row, session)
    reasons = response_reasons(row, session.calls, answer)
    assert (not reasons) is right
    assert right or reasons[0].startswith("ambiguous")


def test_a_list_of_all_that_was_seen_is_no_answer_of_one_value() -> None:
    row = replace(product_of_ones(), answer_type="date", answer="2022-06-15")
    names = ", ".join(f"이름{chr(0xAC00 + n)}" for n in range(12))

    def why(answer: str, row: Row = row) -> str:
        return response_reasons(row, [], answer)[0].split()[0].rstrip(":")

    # right, but for the calls that nobody made: the next rule is reached
    assert why("2022년 6월 15일에 공포되었습니다.") == "no_evidence"
    assert why(f"조회한 값은 {names}, 2022-06-15입니다.") == "ambiguous"
    assert why(f"\\boxed{{{names}, 2022-06-15}}") == "ambiguous"
    # whatever parts the values, and whatever a box holds besides
    assert why(f"\\boxed{{{names.replace(', ', '; ')}; 2022-06-15}}") == "ambiguous"
    assert why("\\boxed{" + names.replace(", ", "\n") + "\n2022-06-15}") == "ambiguous"
    assert why("\\boxed{11,12,13,14,15,16,17,18,19,20,21,22,23,2022-06-15}") == "ambiguous"
    boxes = " ".join(f"\\boxed{{\\text{{2022-06-{day}}}}}" for day in (11, 12, 13, 14, 15))
    assert why(boxes) == "ambiguous"
    # what decides says which one is meant, whatever stands before it; twelve values are not yet a list of everything
    assert why(f"조회한 값은 {names}입니다. \\boxed{{2022-06-15}}") == "no_evidence"
    assert why(f"조회한 값은 {names}, 가입니다. 따라서 공포일은 2022-06-15입니다.") == "no_evidence"
    assert why(f"{names.rpartition(', ')[0]} 가운데 2022-06-15입니다.") == "no_evidence"
    # lines inside the values do not hide how long a list is; a box or a shorter text still says which one is meant
    everything = ", ".join([*(f"이름{chr(0xAC00 + n)}" for n in range(102)), "[학력]\r\n한결고등학교", "2022-06-15"])
    assert why(f"조회한 값은 {everything}입니다.") == "ambiguous"
    assert why(f"조회한 값은 {everything}입니다. \\boxed{{2022-06-15}}") == "no_evidence"
    # the comma inside a number parts nothing
    amount = replace(row, answer_type="number", answer="1234567890123")
    assert why("1,234,567,890,123", amount) == "no_evidence"
