"""A question must not hold its answer, and an instance whose question does is never made."""

from __future__ import annotations

from typing import Any

import pytest

from kopa_hf.bench.leaks import leaks
from kopa_hf.bench.task import GroundingError, Task
from kopa_hf.execution.executor import Executor

from .test_rows import make_row


@pytest.mark.parametrize(
    ("question", "kind", "answer", "program", "found"),
    [
        ("1,680원에서 532원을 빼면 1,148원이야?", "number", "1148", {}, 1),
        ("11,148원에서 1을 빼면?", "number", "1148", {}, 0),
        ("１１４８명 가운데 몇 명?", "number", "1148", {}, 1),
        ("2026년 1월 30일에 접수된 의안은 언제 처리됐어?", "date", "20260130", {}, 1),
        ("2026-01-30에 접수된 의안은 언제 처리됐어?", "date", "2026-01-31", {}, 0),
        ("2026년 1월의 다음 달은?", "month", "202601", {}, 1),
        ("오후 3시에 시작한 회의는?", "time", "15:00", {}, 1),
        ("가온 전자의 대표는?", "text", "가온전자", {}, 1),
        ("가온전자의 대표는?", "text", "김가온", {}, 0),
        ("가온, 나래, 다솜 가운데 큰 곳은?", "text", "나래", {"candidates": ["가온", "나래", "다솜"]}, 0),
        ("3명과 5명 가운데 큰 쪽은?", "number", "5", {"candidates": ["3", "5"]}, 1),
        ("가온과 나래를 포함한 회사를 모두 알려 줘.", "set", '["가온", "다솜"]', {}, 1),
        ("종가가 1,680원보다 높아?", "boolean", "예", {"deciding_value": "1680"}, 1),
        ("종가가 1,680원보다 높아?", "boolean", "예", {"deciding_value": "1700"}, 0),
        ("어느 회사의 대표를 알려 줘.", "ask", "", {"terms": ["회사"]}, 1),
        ("대표를 알려 줘.", "ask", "", {"terms": [["회사", "기업"]]}, 0),
        ("자료 없음이라고 답해?", "no_data", "", {}, 0),
    ],
)
def test_what_a_question_gives_away(question: str, kind: str, answer: str, program: dict[str, Any], found: int) -> None:
    row = make_row(prompt=[{"role": "user", "content": question}], answer=answer, answer_type=kind, program=program)
    assert len(leaks(row)) == found


def difference(*amounts: str) -> Task:
    """1,680 less an amount that is drawn; with 532 the question holds the answer."""
    return Task(
        name="difference",
        version="0.1",
        domain="finance",
        structure="SEQ",
        question="1,680원에서 {amount}원을 빼면 1,148원과 얼마나 가까워? 뺀 값을 말해 줘.",
        program={
            "actions": [{"id": "a1", "step": 1, "name": "evaluate_expression", "arguments": {"expression": {
                "$text": "1680-{x}", "with": {"x": {"$slot": "amount"}}}}}],
            "answer": {"$from": "a1"},
        },
        offered=("evaluate_expression", "get_current_date"),
        answer_type="number",
        selector=[{"pick": "amount", "of": list(amounts)}],
    )  # fmt: skip


def test_grounding_draws_again_where_the_question_holds_the_answer() -> None:
    with Executor() as executor:
        rows = [difference("532", "500").ground(executor, seed) for seed in range(6)]
        assert {row.answer for row in rows} == {"1180"}
        with pytest.raises(GroundingError, match="the question holds 1148"):
            difference("532").ground(executor)
