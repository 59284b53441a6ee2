"""Local tools: their arguments, the clock, and what writes leave in an episode."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.catalog.local import COMPARISONS, OPERATIONS, local_tools
from kopa_hf.execution import local, reduce
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.local import run_local
from kopa_hf.execution.result import CallResult
from kopa_hf.execution.writes import WriteError, save_table
from kopa_hf.sandbox.keys import valid_key

TOOLS = {tool.name: tool for tool in local_tools()}


def no_fetch(*args: Any, **kwargs: Any) -> CallResult:
    raise AssertionError("no page may be asked for")


def run(name: str, episode: Episode | None = None, /, **arguments: Any) -> CallResult:
    return run_local(TOOLS[name], arguments, episode or Episode(), no_fetch)


def test_every_local_tool_of_the_catalog_is_carried_out_here() -> None:
    assert set(TOOLS) == {*local._HANDLERS, "collect_pages"}
    assert set(OPERATIONS) == set(reduce.OPERATIONS)
    assert set(COMPARISONS) == set(reduce.COMPARISONS)


def test_arithmetic_returns_text_and_a_broken_expression_is_a_bad_argument() -> None:
    result = run("evaluate_expression", expression="(1680-532)/532*100")
    assert (result.outcome, result.value, result.source, result.requests) == (
        "ok",
        "215.7894736842105263157894737",
        "local",
        0,
    )
    broken = run("evaluate_expression", expression="1/0")
    assert (broken.outcome, broken.failure) == ("bad_param", "structural")
    assert "division by zero at position 2" in (broken.message or "")


def test_the_date_is_the_episodes_own() -> None:
    episode = Episode(clock=datetime.date(2024, 2, 29))
    result = run("get_current_date", episode)
    assert result.value == "2024-02-29"
    assert result.records == [{"date": "2024-02-29", "yyyymmdd": "20240229", "weekday": "목요일"}]


@pytest.mark.parametrize(
    ("name", "arguments", "what"),
    [
        ("evaluate_expression", {}, "expression is missing"),
        ("evaluate_expression", {"expression": ["1"]}, "list given where a text is due"),
        ("evaluate_expression", {"expression": "1", "digits": 3}, "digits is no parameter; parameters: expression"),
        ("get_current_date", {"zone": "KST"}, "parameters: none"),
        ("reduce_records", {"operation": "count"}, "result_id is missing"),
        ("reduce_records", {"result_id": "r1", "operation": "median"}, "none of count, sum"),
        ("reduce_records", {"result_id": "r1", "operation": "sort", "field": "a", "limit": "x"}, "is no integer"),
        ("reduce_records", {"result_id": "r1", "operation": "count"}, "kept: none yet"),
        ("collect_pages", {"result_id": "r1", "max_pages": 0}, "0 is below 1"),
        ("collect_pages", {"result_id": "r1", "max_pages": True}, "is no integer"),
        ("request_api_key", {"platform": "naver"}, "none of dart, krx"),
        ("save_table", {"name": "표"}, "rows is missing"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_and_change_nothing(
    name: str, arguments: dict[str, Any], what: str
) -> None:
    episode = Episode()
    before = episode.state_hash()
    result = run(name, episode, **arguments)
    assert (result.outcome, result.failure, result.arguments) == ("bad_param", "structural", arguments)
    assert what in (result.message or "")
    assert episode.state_hash() == before


def test_a_number_for_a_text_is_forgiven_and_noted() -> None:
    result = run("evaluate_expression", expression=12)
    assert (result.value, result.slips) == ("12", ("expression: a number for a text",))


def test_a_reduction_without_a_match_is_no_data_but_a_count_of_none_is_zero() -> None:
    episode = Episode()
    episode.keep(CallResult("list_x", {}, "ok", records=[{"a": "1"}], total_count=1))
    where = {"where_field": "a", "where_value": "2"}
    assert run("reduce_records", episode, result_id="r1", operation="filter", **where).outcome == "no_data"
    counted = run("reduce_records", episode, result_id="r1", operation="count", **where)
    assert (counted.outcome, counted.value) == ("ok", 0)


def test_an_issued_key_is_in_force_but_never_shown_or_hashed_in_the_open() -> None:
    episode = Episode(seed="task-1")
    result = run("request_api_key", episode, platform="education")
    key = episode.keys["education"]
    assert valid_key("education", key)
    assert key not in json.dumps([result.value, result.records, result.message, episode.entries])
    assert episode.entries[0]["platform"] == "education"


def test_keys_are_fixed_by_the_seed_and_differ_between_tasks() -> None:
    hashes = []
    for seed in ("task-1", "task-1", "task-2"):
        episode = Episode(seed=seed)
        run("request_api_key", episode, platform="dart")
        hashes.append(episode.state_hash())
    assert hashes[0] == hashes[1] != hashes[2]


def test_every_accepted_write_counts_and_a_repeat_changes_the_state() -> None:
    once, twice = Episode(), Episode()
    rows = [{"종목": "가온", "값": 1680}]
    run("save_table", once, name="표", rows=rows)
    for _ in range(2):
        run("save_table", twice, name="표", rows=rows)
    assert once.state_hash() != twice.state_hash()


def table_hash(rows: Any, name: str = "표") -> str:
    episode = Episode()
    result = run("save_table", episode, name=name, rows=rows)
    assert result.ok, result.message
    return episode.state_hash()


def test_harmless_spellings_of_a_table_give_one_state() -> None:
    plain = table_hash([{"종목": "가온", "값": 1680}, {"종목": "나래", "값": 2.5}])
    assert plain == table_hash([{"값": "2.50", "종목": "나래"}, {"값": "1,680", "종목": " 가온 "}])
    assert plain == table_hash(json.dumps([{"종목": "가온", "값": 1680.0}, {"종목": "나래", "값": "2.5"}]))
    assert plain == table_hash([{"종목": "가온", "값": 1680}, {"종목": "나래", "값": 2.5}], name=" 표")


def test_different_tables_never_give_one_state() -> None:
    hashes = [
        table_hash([{"값": "01"}]),
        table_hash([{"값": "1"}]),
        table_hash([{"값": "-1"}]),
        table_hash([{"값": None}]),
        table_hash([{"값": ""}]),
        table_hash([{"값": "1"}, {"값": "1"}]),
        table_hash([{"열": "1"}]),
        table_hash([{"값": "1"}], name="다른 표"),
        table_hash([{"값": "1.05"}]),
        table_hash([{"값": "105"}]),
    ]
    assert len(set(hashes)) == len(hashes)


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([], "at least one row"),
        ("[{", "no JSON"),
        ([1], "row 1 must be an object"),
        ([{}], "row 1 must be an object"),
        ([{"a": [1]}], "holds a list"),
        ([{"a": float("inf")}], "not finite"),
        ([{"": 1}], "empty or repeated column"),
        ([{"a": 1, " a": 2}], "empty or repeated column"),
        ([{"a": "가" * 2001}], "2001 characters"),
        ([{"a": 1}] * 1001, "at most 1000"),
        ([{"a": "\ud800"}], "half a character"),
    ],
)
def test_a_table_that_cannot_be_kept_is_refused_with_the_reason(rows: Any, what: str) -> None:
    episode = Episode()
    with pytest.raises(WriteError) as caught:
        save_table(episode, "표", rows)
    assert what in str(caught.value)
    assert episode.entries == []


@given(
    st.lists(
        st.dictionaries(st.sampled_from("가나다"), st.integers() | st.text(max_size=5), min_size=1),
        min_size=1,
        max_size=6,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_rows_and_columns_is_no_content(rows: list[dict[str, Any]], random: Any) -> None:
    shuffled = [dict(random.sample(list(row.items()), len(row))) for row in rows]
    random.shuffle(shuffled)
    assert table_hash(rows) == table_hash(shuffled)
