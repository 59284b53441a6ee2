"""Reductions over the records of a kept result, worked by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.execution.cells import matcher, read_date, read_number
from kopa_hf.execution.reduce import Reduced, Reduction, ReductionError, reduce_records

ROWS: list[dict[str, Any]] = [
    {"name": "가온", "code": "005930", "close": "1,680", "day": "2026-01-29", "market": "KOSPI"},
    {"name": "나래", "code": "5930", "close": "532", "day": "20260128", "market": "KOSDAQ"},
    {"name": "다솜", "code": "000660", "close": "-", "day": "2026-01-27", "market": "KOSPI"},
    {"name": "라온", "code": "035420", "close": "1,680", "day": "2025-12-30", "market": "KONEX"},
    {"name": "마루", "code": "035720", "close": "거래정지", "day": "2026-01-05", "market": "KOSDAQ"},
]


def reduced(operation: str, **request: Any) -> Reduced:
    return reduce_records(ROWS, Reduction(operation, **request))


def names(out: Reduced) -> list[str]:
    return [record["name"] for record in out.records]


def test_count_counts_the_records_that_match() -> None:
    assert reduced("count").value == 5
    assert reduced("count", where_field="market", where_value="KOSPI").value == 2
    assert reduced("count", where_field="market", where_value="없음").value == 0


def test_sum_and_mean_are_exact_and_say_what_they_left_out() -> None:
    out = reduced("sum", field="close")
    assert out.value == "3892"  # 1,680 + 532 + 1,680
    assert out.notes == [
        "1 records without a value in close left out",
        "1 cells of close could not be read as a number and were left out",
    ]
    assert reduced("mean", field="close").value == "1297.333333333333333333333333"


def test_max_gives_the_value_and_every_record_that_holds_it() -> None:
    out = reduced("max", field="close")
    assert out.value == "1680"
    assert names(out) == ["가온", "라온"]
    assert "2 records share this value" in out.notes
    assert names(reduced("min", field="close")) == ["나래"]


def test_dates_in_two_spellings_are_ordered_as_dates() -> None:
    out = reduced("max", field="day")
    assert (out.value, names(out)) == ("2026-01-29", ["가온"])
    assert names(reduced("min", field="day")) == ["라온"]
    assert names(reduced("filter", where_field="day", where_op="ge", where_value="20260128")) == ["가온", "나래"]


def test_comparisons_read_thousands_separators_and_leave_out_what_they_cannot_read() -> None:
    out = reduced("filter", where_field="close", where_op="gt", where_value="600")
    assert names(out) == ["가온", "라온"]
    assert out.notes == [
        "1 records without a value in close left out",
        "1 cells of close could not be read as a number and were left out",
    ]


def test_equality_holds_a_code_by_its_digits_and_a_number_by_its_value() -> None:
    assert names(reduced("filter", where_field="code", where_value="005930")) == ["가온"]
    assert names(reduced("filter", where_field="code", where_value="5930")) == ["나래"]
    assert names(reduced("filter", where_field="close", where_value="1680")) == ["가온", "라온"]
    assert names(reduced("filter", where_field="close", where_value="")) == ["다솜"]
    assert names(reduced("filter", where_field="market", where_op="ne", where_value="KOSPI")) == [
        "나래",
        "라온",
        "마루",
    ]
    assert names(reduced("filter", where_field="name", where_op="contains", where_value="온")) == ["가온", "라온"]


def test_sort_is_stable_and_tells_of_a_tie_at_the_cut() -> None:
    out = reduced("sort", field="close", limit=1)
    assert names(out) == ["가온"]
    assert out.total == 3
    assert "the record after the last one shown has the same close" in out.notes
    assert "1 of 3 records shown (limit)" in out.notes
    assert names(reduced("sort", field="close", order="asc")) == ["나래", "가온", "라온"]
    assert names(reduced("sort", field="name", order="asc", limit=2)) == ["가온", "나래"]


def test_the_most_frequent_value_is_none_where_several_tie() -> None:
    out = reduced("most_frequent", field="market")
    assert out.value is None
    assert out.records == [{"market": "KOSDAQ", "count": 2}, {"market": "KOSPI", "count": 2}]
    assert "2 values are equally frequent" in out.notes
    single = reduced("most_frequent", field="market", where_field="name", where_op="ne", where_value="가온")
    assert single.value == "KOSDAQ"


def test_groups_are_counted_and_summed_largest_first() -> None:
    assert reduced("group_count", group_by="market").records == [
        {"market": "KOSDAQ", "count": 2},
        {"market": "KOSPI", "count": 2},
        {"market": "KONEX", "count": 1},
    ]
    out = reduced("group_sum", field="close", group_by="market")
    assert out.records == [
        {"market": "KONEX", "sum": "1680"},
        {"market": "KOSPI", "sum": "1680"},
        {"market": "KOSDAQ", "sum": "532"},
    ]
    assert len(out.notes) == 2


def test_distinct_keeps_first_appearances_and_counts_them() -> None:
    out = reduced("distinct", field="market")
    assert out.value == 3
    assert out.records == [{"market": "KOSPI"}, {"market": "KOSDAQ"}, {"market": "KONEX"}]


def test_nothing_to_reduce_gives_no_value_rather_than_zero() -> None:
    out = reduced("sum", field="close", where_field="name", where_value="다솜")
    assert out.value is None
    assert reduced("max", field="close", where_field="name", where_value="없음").records == []


@pytest.mark.parametrize(
    ("request_", "what"),
    [
        ({"operation": "median"}, "one of: count, sum"),
        ({"operation": "sum"}, "sum needs field"),
        ({"operation": "sum", "field": "closing"}, "did you mean close?"),
        ({"operation": "max", "field": "name"}, "holds neither"),
        ({"operation": "filter"}, "needs where_field"),
        ({"operation": "filter", "where_field": "close"}, "needs where_value"),
        ({"operation": "count", "where_op": "eq"}, "need where_field"),
        ({"operation": "count", "where_field": "close", "where_op": "like", "where_value": "1"}, "'like' is unknown"),
        ({"operation": "count", "where_field": "close", "where_op": "gt", "where_value": "많음"}, "neither a number"),
        ({"operation": "group_sum", "field": "close"}, "needs group_by"),
        ({"operation": "sum", "field": "close", "group_by": "market"}, "group_by goes with"),
        ({"operation": "sort", "field": "close", "order": "up"}, "asc or desc"),
        ({"operation": "sort", "field": "close", "limit": 0}, "at least 1"),
    ],
)
def test_a_request_that_does_not_fit_says_what_would(request_: dict[str, Any], what: str) -> None:
    with pytest.raises(ReductionError, match=None) as caught:
        reduce_records(ROWS, Reduction(**request_))
    assert what in str(caught.value)


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("1,680", 1680),
        (" -3.20 ", Fraction("-3.2")),
        ("△1,234", -1234),
        ("(500)", -500),
        ("3만원", 30000),
        ("1조 2,300억 원", 1230000000000),
        ("이사", None),
        ("2026-01-30", None),
        ("35.1%", Fraction("35.1")),
        ("532원", 532),
        ("１２", 12),
        (0.1, Fraction("0.1")),
        (7, 7),
        ("-", None),
        ("", None),
        ("1,68", None),
        ("10~20", None),
        ("12a34", None),
        ("1 2", None),
        (True, None),
        (None, None),
        (float("nan"), None),
    ],
)
def test_a_cell_is_a_number_as_a_whole_or_not_at_all(cell: Any, number: Any) -> None:
    assert read_number(cell) == number


@pytest.mark.parametrize(
    ("cell", "date"),
    [
        ("20260130", "2026-01-30"),
        ("2026.01.30", "2026-01-30"),
        ("2026년 1월 5일", "2026-01-05"),
        ("2026-01-30 14:05", "2026-01-30 14:05"),
        ("2016-04-23 24:00", "2016-04-24 00:00"),
        ("2016-04-23 25:00", None),
        ("2021-02-30", None),
        ("2026-01", None),
        ("1,680", None),
        (None, None),
    ],
)
def test_a_cell_is_a_real_date_or_none(cell: Any, date: str | None) -> None:
    assert read_date(cell) == date


@given(st.lists(st.decimals(-(10**9), 10**9, allow_nan=False, places=2), min_size=1, max_size=30))
def test_sums_agree_with_exact_fractions_whatever_the_separators(numbers: list[Any]) -> None:
    rows = [{"v": f"{number:,}"} for number in numbers]
    out = reduce_records(rows, Reduction("sum", field="v"))
    assert Fraction(out.value) == sum(map(Fraction, numbers))
    top = reduce_records(rows, Reduction("max", field="v"))
    assert Fraction(top.value) == max(map(Fraction, numbers))
    assert len(top.records) == numbers.count(max(numbers))


@given(st.text(alphabet="0123456789", min_size=1, max_size=8), st.text(alphabet="0123456789", min_size=1, max_size=8))
def test_two_digit_texts_are_the_same_only_where_equal_or_equal_numbers_without_leading_zeros(a: str, b: str) -> None:
    assert matcher(b)(a) == (a == b)
