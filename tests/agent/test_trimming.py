"""Texts that fit their budget."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.agent.trimming import MIN_BUDGET, dump, estimate_tokens, fit_frame, fit_records

HEAD = {"result_id": "r1", "total": 500, "truncated": True, "next_page": 2, "source": "sandbox"}

CELLS = st.none() | st.integers() | st.text(max_size=900) | st.floats(allow_nan=False, allow_infinity=False)
RECORDS = st.lists(st.dictionaries(st.text(max_size=12), CELLS, max_size=12), max_size=20)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("가나다", 3), ("2026", 4), ("abc", 1), ("abcd", 2), ("漢字", 4), ("{}", 2), ('{"a":1}', 5)],
)
def test_an_estimate_is_worked_out_by_hand(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(st.text())
def test_an_estimate_is_the_sum_of_its_characters(text: str) -> None:
    thirds = 0
    for sign in text:
        if "가" <= sign <= "힣" or sign in "0123456789":
            thirds += 3
        elif sign > "\x7f":
            thirds += 6
        else:
            thirds += 1 if sign.isalpha() else 2
    assert estimate_tokens(text) == -(-thirds // 3)


@given(RECORDS, st.integers(MIN_BUDGET, 3000))
def test_any_records_fit_any_budget_as_valid_json(records: list[dict[str, Any]], budget: int) -> None:
    text = fit_records(HEAD, records, budget)
    assert estimate_tokens(text) <= budget
    answer = json.loads(text)
    assert answer["result_id"] == "r1"
    shown = answer["records"]
    assert answer["returned"] == len(shown)
    assert answer.get("kept", len(shown)) == len(records)
    if not answer.get("shortened"):
        assert shown == json.loads(dump(records[: len(shown)]))


@given(RECORDS)
def test_a_counter_of_ones_own_is_obeyed(records: list[dict[str, Any]]) -> None:
    count = lambda text: len(text.encode("utf-8", "surrogatepass"))  # noqa: E731  # bytes: a vocabulary without Korean
    text = fit_records(HEAD, records, 400, count)
    assert count(text) <= 400
    assert isinstance(json.loads(text), dict)


@given(st.dictionaries(st.text(max_size=8), CELLS, max_size=8), st.integers(MIN_BUDGET, 1000))
def test_a_frame_without_rows_fits_too(payload: dict[str, Any], budget: int) -> None:
    text = fit_frame({**payload, "source": "local"}, budget)
    assert estimate_tokens(text) <= budget
    assert json.loads(text)["source"] == "local"


def test_everything_is_shown_where_it_fits() -> None:
    records = [{"회사": "가온", "값": n} for n in range(5)]
    answer = json.loads(fit_records({**HEAD, "truncated": False, "total": 5}, records, 2000))
    assert answer["records"] == records
    assert (answer["truncated"], "kept" in answer, "shortened" in answer) == (False, False, False)


def test_one_long_text_is_shortened_and_says_by_how_much() -> None:
    answer = json.loads(fit_records({**HEAD, "total": 1}, [{"제목": "조문", "본문": "가" * 5000}], 700))
    assert answer["shortened"] is True
    assert answer["records"][0]["본문"] == "가" * 400 + "… (+4600)"
    assert answer["records"][0]["제목"] == "조문"


def test_a_record_with_too_many_columns_says_how_many_it_lost() -> None:
    record = {f"열{n}": "가나다라마바" for n in range(100)}
    answer = json.loads(fit_records({**HEAD, "total": 1}, [record], 300))
    assert answer["fields_left_out"] + len(answer["records"][0]) == 100
