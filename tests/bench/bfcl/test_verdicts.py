"""What is right by the official verdict, and what by value: the differences that are meant, one by one."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.bench.bfcl.answer_key import key_result
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.scoring import score
from kopa_hf.bench.bfcl.text_values import same_text

NFD = unicodedata.normalize("NFD", "서울특별시")


def one_argument(kind: str, accepted: list[Any], items: str | None = None) -> Entry:
    """An entry with one function of one parameter."""
    detail = {"type": kind, "description": "", **({"items": {"type": items}} if items else {})}
    parameters = {"type": "dict", "properties": {"x": detail}, "required": []}
    function = {"name": "f", "description": "", "parameters": parameters}
    return Entry("simple_python_0", "simple_python", ((),), (function,), ({"f": {"x": accepted}},))


def verdicts(entry: Entry, arguments: Any) -> tuple[bool, bool]:
    found = score(entry, "fc", [{"f": json.dumps(arguments)}])
    return found.strict.valid, found.typed.valid


@pytest.mark.parametrize(
    ("gold", "said", "official", "typed"),
    [
        ("15", "1.5", True, False),
        ("3", "-3", True, False),
        ("11110", "1111-0", True, False),
        ("/tmp/a.txt", "tmpatxt", True, False),
        ("full_time", "fulltime", True, False),
        ("x-1", "x1", True, False),
        ("1234", "1,234명", False, True),
        ("20210302", "2021년 3월 2일", False, True),
        ("2021-03-02", "2021-3-2", False, True),
        ("2021-03-02", "March 2, 2021", False, True),
        ("서울특별시", NFD, False, True),
        ("서울특별시", "서울시", False, True),
        ("12345", "１２３４５", False, True),
        ("300000000", "3억", False, True),
        ("New York, NY", "new york NY", True, True),
        ("April 1, 2024", "April 1,2024", True, True),
        ("well-known", "well known", True, True),
        ("U.S.", "US", True, True),
        ("1,234", "1234", True, True),
        ("x**2", "x^2", True, True),
        ("01", "1", False, False),
        ("2021-02-28", "2021-02-30", False, False),
        ("Seoul", "Busan", False, False),
    ],
)
def test_texts(gold: str, said: str, official: bool, typed: bool) -> None:
    assert verdicts(one_argument("string", [gold]), {"x": said}) == (official, typed)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x^2 - 3", "x^2 3"), ("x - 1", "x1"), ("10 / 2", "10 2"), ("a - b", "ab"), ("x-y", "xy"), ("ab - 1", "ab 1"),
        ("1,2,3", "123"), ("1,2", "1.2"), ("100, 200", "100200"), ("40.7, -74.0", "40.7, 74.0"), ("1, -2", "1 - 2"),
        ("a / b", "a b"), ("2 - x", "2x"),
    ],
)  # fmt: skip
def test_operators_are_part_of_a_value(one: str, other: str) -> None:
    assert not same_text(one, other)
    assert not same_text(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x^2-3", "x^2 - 3"), ("2x-1", "2x - 1"), ("10/2", "10 / 2"), ("x-y", "x - y"), ("1,2,3", "1, 2, 3"),
        ("40.7, 74.0", "40.7,74.0"), ("40.7, -74.0", "40.7,-74.0"), ("100,200,300", "100, 200, 300"),
        ("Seoul - Busan", "Seoul Busan"), ("2021-2022", "2021 - 2022"), ("Apt 5, 90210", "Apt 5 90210"),
    ],
)  # fmt: skip
def test_blanks_around_operators_and_behind_commas_are_free(one: str, other: str) -> None:
    assert same_text(one, other)
    assert same_text(other, one)


@pytest.mark.parametrize(
    ("kind", "items", "accepted", "said", "official", "typed"),
    [
        ("integer", None, [5], 5.0, False, True),
        ("float", None, [5], 5, True, True),
        ("integer", None, [5], "5", False, False),
        ("integer", None, [1], True, False, False),
        ("array", "integer", [[1, 2]], [1, 2.0], False, True),
        ("array", "integer", [[1, 2]], [2, 1], False, False),
        ("array", "string", [["1.5"]], ["15"], True, False),
        ("array", "boolean", [[True], ""], [1], True, False),  # a list that may be left out has no types officially
        ("dict", None, [{"a": [1]}], {"a": True}, True, False),
        ("dict", None, [{"a": [1], "b": ["x", ""]}], {"a": 1}, True, True),
        ("dict", None, [{"a": [1]}], {"a": 1, "b": 2}, False, False),
        ("any", None, [5], 5, True, True),
        ("boolean", None, [True], 1, False, False),
    ],
)
def test_types(kind: str, items: str | None, accepted: list[Any], said: Any, official: bool, typed: bool) -> None:
    assert verdicts(one_argument(kind, accepted, items), {"x": said}) == (official, typed)


@pytest.mark.parametrize("arguments", [{}, {"x": 1, "y": 2}, {"y": 1}, None, [], "x"])
def test_missing_and_surplus_arguments_fail_in_both(arguments: Any) -> None:
    assert verdicts(one_argument("integer", [1]), arguments) == (False, False)


def test_an_early_taker_blocks_a_later_call_only_officially() -> None:
    functions = (
        {"name": "f", "description": "", "parameters": {"properties": {"x": {"type": "integer"}}, "required": []}},
    )
    gold = ({"f": {"x": [1, 2]}}, {"f": {"x": [1]}})
    entry = Entry("parallel_0", "parallel", ((),), functions, gold)
    found = score(entry, "fc", [{"f": '{"x": 1}'}, {"f": '{"x": 2}'}])
    assert (found.strict.valid, found.typed.valid) == (False, True)


@pytest.mark.parametrize(
    "garbage",
    [
        '<tool_call><tool_call name="weather_get" arguments={"city": "서울"}/></tool_call>',
        '<tool_call>{"name": "weather_get", "arguments": {"city": "Seo',
        "",
        "   ",
        "!?!! 7 7 7 ...",
        "\ufffd\x00\x1b[ab\ufffd",
    ],
)
def test_garbage_is_no_refusal_by_value(entries: dict[str, Entry], garbage: str) -> None:
    found = score(entries["irrelevance"], "fc", garbage)
    assert (found.strict.valid, found.typed.valid) == (True, False)


@pytest.mark.parametrize("garbage", ["[weather.get(city='Seoul'", "Here: [weather.get(city='Seoul')]", "[]", ""])
def test_broken_text_is_no_refusal_by_value(entries: dict[str, Entry], garbage: str) -> None:
    found = score(entries["irrelevance"], "prompt", garbage)
    assert (found.strict.valid, found.typed.valid) == (True, False)


def test_words_are_a_refusal_in_both(entries: dict[str, Entry]) -> None:
    found = score(entries["irrelevance"], "fc", "도움이 되었다니 다행입니다.")
    assert (found.strict.valid, found.typed.valid) == (True, True)


def test_a_call_in_the_text_counts_by_value_only_and_is_told(entries: dict[str, Entry]) -> None:
    found = score(entries["simple_python"], "fc", '{"name": "weather_get", "arguments": {"city": "Seoul"}}')
    assert (found.strict.valid, found.typed.valid, found.wrong_channel) == (False, True, True)


def test_names_are_offered_without_dots_in_the_call_channel_only(entries: dict[str, Entry]) -> None:
    entry = entries["simple_python"]
    assert score(entry, "fc", [{"weather_get": '{"city": "Seoul"}'}]).strict.valid
    assert not score(entry, "fc", [{"weather.get": '{"city": "Seoul"}'}]).strict.valid
    assert score(entry, "prompt", "[weather.get(city='Seoul')]").strict.valid
    assert not score(entry, "prompt", "[weather_get(city='Seoul')]").strict.valid


def test_quotes_in_a_java_array_are_right_by_value(entries: dict[str, Entry]) -> None:
    arguments = {"queue": "workQueue", "names": 'new String[]{"a", "b"}', "wait": "50L"}
    found = score(entries["simple_java"], "fc", [{"Queue_poll": json.dumps(arguments)}])
    assert (found.strict.valid, found.typed.valid) == (False, True)


@pytest.mark.parametrize("mode", ["fc", "prompt"])
@pytest.mark.parametrize(
    "odd", [5, 0, True, {}, ["x"], [["x"]], [5, 6], [None], [{"weather_get": 5}], None, {"f": "{}"}]
)
def test_odd_results_are_wrong_and_stop_nothing(entries: dict[str, Entry], root: Path, mode: Any, odd: Any) -> None:
    for category, entry in entries.items():
        if category in ("irrelevance", "simple_java"):
            continue  # officially whatever is no call is right where none is due
        found = score(entry, mode, odd, root)
        assert (found.strict.valid, found.typed.valid) == (False, False), category
    assert not score(entries["irrelevance"], mode, odd).typed.valid
    turns = score(entries["multi_turn_base"], mode, [[odd], [odd]], root)
    assert (turns.strict.valid, turns.typed.valid) == (False, False)


def test_turns_that_are_no_lists_are_no_answer(entries: dict[str, Entry], root: Path) -> None:
    for odd in ([5, 6], [[], "x"], [None, None]):
        assert score(entries["multi_turn_base"], "fc", odd, root).strict.error == "multi_turn:inference_error"


@pytest.mark.parametrize("mode", ["fc", "prompt"])
def test_the_answer_key_is_right_everywhere(entries: dict[str, Entry], root: Path, mode: Any) -> None:
    for category, entry in entries.items():
        if category == "simple_java":
            continue  # its array: officially without the quotes that Java wants
        found = score(entry, mode, key_result(entry, mode), root)
        assert (found.strict.valid, found.typed.valid) == (True, True), category


numbers = st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**9), max_value=10**9)


@given(numbers, numbers)
def test_different_numbers_are_never_one_value(a: Any, b: Any) -> None:
    spellings = [(f"{a}", f"{b}"), (f"{a:,}", f"{b:,}"), (f"{a:,}", f"{b}")]
    assert all(same_text(one, other) == (a == b) for one, other in spellings)


@given(st.dates(min_value=__import__("datetime").date(1900, 1, 1), max_value=__import__("datetime").date(2199, 12, 31)))
def test_one_day_is_one_value_in_every_spelling(day: Any) -> None:
    spellings = [
        day.isoformat(), f"{day:%Y%m%d}", f"{day:%Y.%m.%d}", f"{day.year}년 {day.month}월 {day.day}일",
        f"{day:%B} {day.day}, {day.year}", f"{day.day} {day:%b} {day.year}",
    ]  # fmt: skip
    assert all(same_text(day.isoformat(), text) for text in spellings)
