"""Sources: what a solver can know before each call, and what the token budget keeps from it."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from kopa_hf.bench.derivation import underivable, unreadable
from kopa_hf.bench.rows import Row

from .test_rows import call as issued
from .test_rows import make_row

SCHEMA: dict[str, Any] = {
    "properties": {
        "name": {"type": "string"},
        "code": {"type": "string"},
        "day": {"type": "string"},
        "kind": {"type": "string", "enum": ["A", "B"], "description": "11011은 사업보고서."},
        "expression": {"type": "string"},
        "rows": {"type": "array"},
        "result_id": {"type": "string"},
    }
}


def row_with(question: str, *steps: tuple[dict[str, Any], Any], formula: str = "") -> Row:
    """One call per step: (its arguments, the records that come back)."""
    actions, completion = [], []
    for number, (arguments, records) in enumerate(steps, start=1):
        actions.append({"name": "t", "arguments": arguments, "value_compare_args": [], "step": number})
        completion.append(
            {"role": "assistant", "content": "", "tool_calls": [issued("t", arguments, f"call_{number}")]}
        )
        text = json.dumps({"records": records}, ensure_ascii=False)
        completion.append({"role": "tool", "content": text, "tool_call_id": f"call_{number}", "name": "t"})
    program = {"actions": [{"id": "a1", "step": 1, "name": "t", "arguments": {"x": {"$text": formula}}}]}
    return make_row(
        prompt=[{"role": "user", "content": question}],
        completion=completion,
        golden_actions=actions,
        tools=[{"type": "function", "function": {"name": "t", "parameters": SCHEMA}}],
        program=program if formula else {},
        max_allowed_calls=9,
    )


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("가나전자의 주가는?", {"name": "가나전자"}),
        ("2026년 1월 29일 종가는?", {"day": "20260129"}),
        ("2026-01-29 종가는?", {"day": "20260129"}),
        ("2026년 2월에 낸 공시는?", {"day": "20260201", "code": "20260228"}),
        ("2025년 공시는?", {"day": "20251231"}),
        ("2025년 9월 말 연체율은?", {"code": "202509"}),
        ("2025년 3월에 회신한 해석은?", {"day": "20250301~20250331"}),
        ("법 제5조와 제10조의2는?", {"code": "000500", "name": "001002"}),
        ("제22대 국회는?", {"code": "22"}),
        ("1,680원과 532원의 차이는?", {"expression": "1680-532"}),
        ("종류를 고르면?", {"kind": "B"}),
        ("사업보고서에서는?", {"kind": "11011"}),
        ("'회사' 열과 '값' 열로 저장해.", {"rows": [{"회사": "가온"}]}),
    ],
)
def test_a_value_of_the_question_or_of_a_declaration_has_a_source(question: str, arguments: dict[str, Any]) -> None:
    row = (
        row_with(question, (arguments, []))
        if "rows" not in arguments
        else row_with(question + " 가온", (arguments, []))
    )
    assert underivable(row) == []


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("가나전자의 주가는?", {"name": "다라전자"}),
        ("가나전자의 주가는?", {"code": "00123456"}),
        ("제122대 국회는?", {"code": "22"}),
        ("2026년 1월 29일 종가는?", {"day": "20260128"}),
        ("1,680원의 반은?", {"expression": "1680-532"}),
        ("2025년 9월 말 연체율은?", {"code": "202510"}),
        ("2025년 3월에 회신한 해석은?", {"day": "20250301~20250401"}),
        ("법 제10조의2는?", {"code": "001000"}),
        ("종류를 고르면?", {"kind": "C"}),
        ("저장해.", {"rows": [{"열": "저장"}]}),
    ],
)
def test_a_value_from_nowhere_is_found(question: str, arguments: dict[str, Any]) -> None:
    assert len(underivable(row_with(question, (arguments, [])))) == 1


def test_results_count_only_for_later_steps() -> None:
    found = [{"corp_code": "00123456"}]
    assert underivable(row_with("가온?", ({"name": "가온"}, found), ({"code": "00123456"}, []))) == []
    assert underivable(row_with("가온?", ({"code": "00123456"}, found), ({"name": "가온"}, []))) == [
        "t.code = '00123456' has no source"
    ]
    assert underivable(row_with("가온?", ({"name": "가온"}, [{"n": "900123456"}]), ({"code": "00123456"}, []))) != []


def test_the_constants_of_a_formula_are_arithmetic_and_not_data() -> None:
    row = row_with(
        "1,680원은 532원보다 몇 % 높아?", ({"expression": "(1680-532)/532*100"}, []), formula="({a}-{b})/{b}*100"
    )
    assert underivable(row) == []
    assert underivable(dataclasses.replace(row, program={})) != []


def test_the_episode_s_day_is_a_source_where_the_program_takes_it_from_the_clock() -> None:
    row = row_with("어제 종가는?", ({"day": "20260129"}, []))
    assert underivable(row) != []
    told = {"actions": [{"id": "a1", "step": 1, "name": "t", "arguments": {"day": {"$clock": -1}}}]}
    assert underivable(dataclasses.replace(row, program=told)) == []
    assert underivable(dataclasses.replace(row, program=told, system_state={"current_date": "2025-01-01"})) != []


def readable_row(records: list[dict[str, Any]]) -> Row:
    """a1 lists records, a2 looks the best one up; the answer is its value. The text of a1 shows `records`."""
    program = {
        "actions": [
            {"id": "a1", "step": 1, "name": "t", "arguments": {"name": "가온"}},
            {"id": "a2", "step": 2, "name": "t", "arguments": {"code": {"$from": "a1", "field": "c", "pick": "max:n"}}},
        ],
        "answer": {"$from": "a2", "field": "v"},
    }
    row = row_with("가온?", ({"name": "가온"}, records), ({"code": "B2"}, [{"v": "7"}]))
    return dataclasses.replace(row, program=program, answer="7", answer_type="number")


def test_a_golden_path_must_be_followed_on_what_a_model_sees() -> None:
    shown = [{"c": "A1", "n": "1"}, {"c": "B2", "n": "2"}]
    assert unreadable(readable_row(shown)) == []
    assert unreadable(readable_row(shown[:1])) == ["a2: the texts give the arguments {'code': 'A1'}"]
    assert "no record" in unreadable(readable_row([]))[0] or "0 records" in unreadable(readable_row([]))[0]
    wrong = dataclasses.replace(readable_row(shown), answer="8")
    assert unreadable(wrong) == ["the texts give '7', the answer is '8'"]
