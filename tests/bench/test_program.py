"""Programs: expressions read what the data settles, refuse what it does not, and fan out."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest

from kopa_hf.bench.expressions import ProgramError, as_decimal, plain_number, round_half_up, walk
from kopa_hf.bench.program import answer_text, run_program
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.result import CallResult

from .fakes import FakeSession, make_result

PRICES = [
    {"ISU_NM": "가나전자", "TDD_CLSPRC": "1,680", "MKTCAP": "300"},
    {"ISU_NM": "다라화학", "TDD_CLSPRC": "532", "MKTCAP": "900"},
    {"ISU_NM": "마바식품", "TDD_CLSPRC": "-", "MKTCAP": "900"},
]


def run(answer: Any, *, actions: list[dict[str, Any]] | None = None, slots: dict[str, Any] | None = None) -> Any:
    """The answer of a program whose only call (by default) is a1 over PRICES."""
    session = FakeSession({"get_prices": PRICES, "local": lambda arguments: "42", "write": lambda a: a})
    given = actions if actions is not None else [{"id": "a1", "step": 1, "name": "get_prices", "arguments": {}}]
    return run_program({"actions": given, "answer": answer}, session, slots).answer


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("그대로", "그대로"),
        ({"k": [1, {"$slot": "c.name"}]}, {"k": [1, "가나전자"]}),
        ({"$from": "a1", "field": "TDD_CLSPRC", "where": {"ISU_NM": {"$slot": "c.name"}}}, "1,680"),
        ({"$from": "a1", "field": "ISU_NM", "pick": "first"}, "가나전자"),
        ({"$from": "a1", "field": "ISU_NM", "pick": "last"}, "마바식품"),
        ({"$from": "a1", "field": "ISU_NM", "pick": "max:TDD_CLSPRC"}, "가나전자"),
        ({"$from": "a1", "field": "ISU_NM", "pick": "min:TDD_CLSPRC"}, "다라화학"),
        ({"$from": "a1", "field": "ISU_NM", "pick": "top:2:TDD_CLSPRC"}, ["가나전자", "다라화학"]),
        ({"$from": "a1", "field": "ISU_NM", "pick": "all", "where": {"MKTCAP": {"$gt": 300}}},
         ["다라화학", "마바식품"]),
        ({"$from": "a1", "field": "ISU_NM", "where": {"ISU_NM": {"$contains": "전자"}}}, "가나전자"),
        ({"$from": "a1", "field": "ISU_NM", "pick": "all", "where": {"MKTCAP": ["900"]}}, ["다라화학", "마바식품"]),
        ({"$reduce": "count", "of": {"$from": "a1", "field": "ISU_NM", "pick": "all"}}, 3),
        ({"$reduce": "sum", "of": ["1,000", 2]}, Decimal(1002)),
        ({"$reduce": "mean", "of": ["1", "2"]}, Decimal("1.5")),
        ({"$reduce": "max", "of": ["1", "12", "3"]}, Decimal(12)),
        ({"$reduce": "most_frequent", "of": ["a", "b", "a"]}, "a"),
        ({"$reduce": "distinct", "of": ["b", "a", "b"]}, ["b", "a"]),
        ({"$number": {"$from": "a1", "field": "TDD_CLSPRC", "pick": "first"}}, "1680"),
        ({"$expr": "(a-b)/b*100", "with": {"a": "1,680", "b": 532}, "round": 2}, Decimal("215.79")),
        ({"$expr": "abs(-a) + 0.1 + 0.2", "with": {"a": 1}}, Decimal("1.3")),
        ({"$text": "{a}원", "with": {"a": {"$expr": "7/2"}}}, "3.5원"),
        ({"$word": "경기도 안성시  공도읍 674-32", "at": 2}, "안성시"),
        ({"$compare": [{"$slot": "n"}, ">", "999"], "then": "예", "else": "아니오"}, "예"),
        ({"$compare": ["2026-01-30", "<", "2026-02-01"]}, True),
        ({"$clock": -1}, "20260129"),
        ({"$clock": 0, "format": "YYYY-MM-DD"}, "2026-01-30"),
        ({"$result": "a1"}, "r1"),
    ],
)  # fmt: skip
def test_an_expression_has_its_hand_worked_value(expression: Any, value: Any) -> None:
    assert run(expression, slots={"c": {"name": "가나전자"}, "n": "1,000"}) == value


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ({"$slot": "absent"}, "not filled"),
        ({"$from": "a1", "field": "ISU_NM"}, "3 values where one is due"),
        ({"$from": "a1", "field": "NOPE", "pick": "first"}, "no field 'NOPE'"),
        ({"$from": "a1", "field": "ISU_NM", "where": {"ISU_NM": "없음"}}, "no record matches"),
        ({"$from": "a1", "field": "ISU_NM", "pick": "max:MKTCAP"}, "a tie in MKTCAP"),
        ({"$from": "a1", "field": "ISU_NM", "pick": "top:3:TDD_CLSPRC"}, "2 records have TDD_CLSPRC"),
        ({"$from": "a9", "field": "X"}, "not carried out"),
        ({"$from": "a1"}, "returned records"),
        ({"$reduce": "most_frequent", "of": ["a", "b"]}, "tie"),
        ({"$reduce": "sum", "of": ["x"]}, "no number"),
        ({"$reduce": "sum", "of": []}, "empty"),
        ({"$expr": "a/0", "with": {"a": 1}}, "expr"),
        ({"$expr": "__import__('os')", "with": {}}, "allows"),
        ({"$expr": "2**9", "with": {}}, "allows"),
        ({"$unknown": 1}, "Unknown expression"),
        ({"$slot": "n", "$from": "a1"}, "Unknown expression"),
        ({"$item": "x"}, "No for_each"),
        ({"$text": "{a}", "with": {}}, "cannot be filled"),
        ({"$word": "세종특별자치시", "at": 2}, "no word number 2"),
    ],
)
def test_what_the_data_does_not_settle_is_an_error(expression: Any, words: str) -> None:
    with pytest.raises(ProgramError, match=words):
        run(expression, slots={"n": 1})


def test_for_each_makes_one_call_per_value_in_one_step() -> None:
    session = FakeSession({"find": lambda a: [{"code": "00" + a["name"]}], "get": lambda a: [{"v": a["code"] * 2}]})
    program = {
        "actions": [
            {"id": "a1", "step": 1, "name": "find", "for_each": {"$slot": "names"}, "as": "n",
             "arguments": {"name": {"$item": "n"}}},
            {"id": "a2", "step": 2, "name": "get", "for_each": {"$from": "a1", "field": "code", "pick": "all"},
             "as": "c", "arguments": {"code": {"$item": "c"}, "size": 10}, "value_compare_args": ["code"]},
        ],
        "answer": {"$from": "a2", "field": "v", "pick": "all"},
        "slots": {"names": ["1", "2"]},
    }  # fmt: skip
    done = run_program(program, session)
    assert done.golden_actions == [
        {"name": "find", "arguments": {"name": "1"}, "value_compare_args": ["name"], "step": 1},
        {"name": "find", "arguments": {"name": "2"}, "value_compare_args": ["name"], "step": 1},
        {"name": "get", "arguments": {"code": "001", "size": 10}, "value_compare_args": ["code"], "step": 2},
        {"name": "get", "arguments": {"code": "002", "size": 10}, "value_compare_args": ["code"], "step": 2},
    ]
    assert done.answer == ["001001", "002002"]
    assert (done.hops, done.parallel) == (2, True)
    assert [call.result_id for call in done.calls] == ["r1", "r2", "r3", "r4"]


def test_when_decides_whether_an_action_is_carried_out() -> None:
    def program(limit: int) -> list[dict[str, Any]]:
        first = {"id": "a1", "step": 1, "name": "get_prices", "arguments": {}}
        close = {"$from": "a1", "field": "TDD_CLSPRC", "pick": "first"}
        return [
            first,
            {"id": "a2", "step": 2, "name": "local", "arguments": {}, "when": {"$compare": [close, ">", limit]}},
        ]

    count = {"$reduce": "count", "of": {"$from": "a2", "pick": "all"}}
    assert run(count, actions=program(1000)) == 1
    assert run(count, actions=program(2000)) == 0


def test_a_local_tool_gives_its_value_and_ids_stay_free_of_comparison() -> None:
    session = FakeSession({"get_prices": PRICES, "evaluate_expression": "3", "reduce_records": "532"})
    program = {
        "actions": [
            {"id": "a1", "step": 1, "name": "get_prices", "arguments": {}},
            {"id": "a2", "step": 2, "name": "reduce_records",
             "arguments": {"result_id": {"$result": "a1"}, "operation": "min", "field": "TDD_CLSPRC"}},
            {"id": "a3", "step": 3, "name": "evaluate_expression",
             "arguments": {"expression": {"$text": "{x}+1", "with": {"x": {"$from": "a2"}}}}},
        ],
        "answer": {"$from": "a3"},
    }  # fmt: skip
    done = run_program(program, session, {})
    assert done.answer == "3"
    assert done.calls[1].arguments["result_id"] == "r1"
    assert done.calls[2].arguments == {"expression": "532+1"}
    assert [c.value_compare_args for c in done.calls] == [(), ("operation", "field"), ()]


def test_an_empty_answer_is_data_and_an_outage_is_not() -> None:
    action = {"id": "a1", "step": 1, "name": "get", "arguments": {}}
    program = {"actions": [action], "answer": {"$reduce": "count", "of": {"$from": "a1", "field": "x", "pick": "all"}}}
    assert run_program(program, FakeSession({"get": []}), {}).answer == 0
    broken = CallResult(tool="get", arguments={}, outcome="timeout", failure="environmental", message="late")
    with pytest.raises(ProgramError, match="a1: get answered timeout: late"):
        run_program(program, FakeSession({"get": broken}), {})


def test_value_compare_args_must_name_arguments_of_the_call() -> None:
    action = {"id": "a1", "step": 1, "name": "get", "arguments": {"x": 1}, "value_compare_args": ["y"]}
    with pytest.raises(ProgramError, match="names y"):
        run_program({"actions": [action], "answer": 1}, FakeSession({"get": [{"a": 1}]}), {})


def test_the_clock_is_the_episode_s() -> None:
    session = FakeSession({}, episode=Episode(clock=datetime.date(2024, 3, 1)))
    assert (
        run_program({"actions": [], "answer": {"$clock": -1, "format": "YYYY-MM-DD"}}, session).answer == "2024-02-29"
    )


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (Decimal("215.790"), "number", "215.79"),
        (Decimal("1E+3"), "amount", "1000"),
        (["서울", Decimal(3)], "list", '["서울", "3"]'),
        (True, "boolean", "예"),
        ("예", "boolean", "예"),
        (None, "ask", ""),
        (None, "no_data", ""),
        ("005930", "code", "005930"),
    ],
)
def test_answers_become_the_text_of_their_column(value: Any, kind: str, text: str) -> None:
    assert answer_text(value, kind) == text


@pytest.mark.parametrize(("value", "kind"), [(["a"], "text"), ("a", "set"), (None, "number")])
def test_an_answer_of_the_wrong_shape_is_an_error(value: Any, kind: str) -> None:
    with pytest.raises(ProgramError):
        answer_text(value, kind)


def test_numbers_are_read_as_services_print_them_and_rounded_by_hand_rules() -> None:
    assert [as_decimal(v) for v in ("1,680", "-3.2", "35.1%", "-", None, True, "NaN", "1,680원")] == [
        Decimal(1680), Decimal("-3.2"), Decimal("35.1"), None, None, None, None, None,
    ]  # fmt: skip
    assert round_half_up(Decimal("2.345"), 2) == Decimal("2.35")
    assert round_half_up(Decimal("-2.5"), 0) == Decimal(-3)
    assert plain_number(Decimal("-0.00")) == "0"


def test_walk_finds_expressions_inside_expressions() -> None:
    inner = {"$slot": "a"}
    assert walk([{"k": {"$reduce": "sum", "of": [inner]}}])[-1] == inner
    assert make_result("t", {}, []).outcome == "no_data"


def test_dates_and_tables_are_written_as_the_program_says() -> None:
    day = {"$slot": "d"}
    for style, text in (
        ("korean", "2026년 2월 9일"), ("korean_month", "2026년 2월"), ("YYYYMM", "202602"), ("month_start", "20260201"),
        ("month_end", "20260228"), ("YYYY-MM-DD", "2026-02-09"),
    ):  # fmt: skip
        assert run({"$date": day, "style": style}, slots={"d": "2026년 02월 09일"}) == text
    assert run({"$date": day, "days": -9}, slots={"d": "20260209"}) == "20260131"
    with pytest.raises(ProgramError, match="no date"):
        run({"$date": day}, slots={"d": "2026-02-30"})
    table = run({"$rows": "a1", "columns": {"종목": "ISU_NM", "종가": "TDD_CLSPRC"}})
    assert table[0] == {"종목": "가나전자", "종가": "1,680"}
    with pytest.raises(ProgramError, match="lacks one of"):
        run({"$rows": "a1", "columns": {"종목": "NOPE"}})
