"""Overlap of a training set with the benchmark, by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.bench.overlapping import chain_of, dependency_edges, edges_of, jaccard, nearest, ngrams, overlap
from kopa_hf.bench.rows import Row

from .test_rows import make_row


def chain(question: str, *names: str, key: str = "x") -> Row:
    """Each action takes a value from the one before."""
    actions: list[dict[str, Any]] = []
    for number, name in enumerate(names):
        source = {"v": {"$from": f"a{number - 1}", "field": "f"}} if number else {}
        actions.append({"id": f"a{number}", "step": number, "name": name, "arguments": source})
    golden = [{"name": n, "arguments": {}, "value_compare_args": [], "step": i} for i, n in enumerate(names)]
    prompt = [{"role": "user", "content": question}]
    return make_row(id=key, prompt=prompt, program={"actions": actions}, golden_actions=golden, max_allowed_calls=9)


def test_edges_and_chains_come_from_the_program() -> None:
    row = chain("?", "find", "get", "sum")
    assert dependency_edges(row) == {("find", "get"), ("get", "sum")}
    assert chain_of(row) == ("find", "get", "sum")
    assert edges_of([row, chain("?", "find", "list")]) == {("find", "get"), ("get", "sum"), ("find", "list")}


def test_jaccard_and_ngrams_have_their_hand_worked_values() -> None:
    assert jaccard("ab", "bc") == pytest.approx(1 / 3)
    assert jaccard([], []) == 0.0
    assert ngrams("가 나다", 2) == {"가나", "나다"}
    assert ngrams("가", 8) == {"가"}


GRAMS = st.lists(st.frozensets(st.sampled_from("abcdefg"), min_size=1), max_size=5)


@given(GRAMS, GRAMS)
def test_the_nearest_is_that_of_all_pairs(ours: list[frozenset[str]], theirs: list[frozenset[str]]) -> None:
    assert nearest(ours, theirs) == max((jaccard(a, b) for a in ours for b in theirs), default=0.0)


def test_a_shared_question_is_found_whatever_its_blanks() -> None:
    bench = [chain("가온의 종가는 얼마야?", "find", "get", key="b1"), chain("전혀 다른 질문입니다", "other", key="b2")]
    training = [chain("가온의  종가는 얼마야 ?", "find", "list", key="t1")]
    found = overlap(bench, training)
    assert found.verbatim == ("b1",)
    assert found.nearest_question == 1.0
    # golden tools find, get, other: training calls one of them
    assert found.tools == pytest.approx(1 / 3)
    assert (found.edges, found.shapes) == (0.0, 0.0)


def test_nothing_shared_is_zero_and_everything_shared_is_one() -> None:
    bench = [chain("가온의 종가는 얼마야?", "find", "get")]
    same = overlap(bench, bench)
    assert (same.tools, same.edges, same.shapes, same.nearest_question) == (1.0, 1.0, 1.0, 1.0)
    none = overlap(bench, [])
    assert (none.verbatim, none.tools, none.edges, none.shapes, none.nearest_question) == ((), 0.0, 0.0, 0.0, 0.0)


def test_local_tools_are_passed_through() -> None:
    """list → collect → reduce → get depends on the list; what a calculation takes depends on nothing further."""
    row = chain("?", "list", "collect_pages", "reduce_records", "get", "evaluate_expression")
    assert dependency_edges(row) == {("list", "get")}
