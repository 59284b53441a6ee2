"""ACTION: hand-worked Corr, CR, MPC and Eff, and what never changes them."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.bench import golden
from kopa_hf.bench.actions import action_quality, argument_slips, count_duplicates, match_actions
from kopa_hf.bench.golden import GoldenAction, fits_type
from kopa_hf.bench.rows import Row

from .fakes import FakeCall, make_result
from .test_rows import make_row

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "region": {"type": "string"},
        "day": {"type": "string"},
        "page": {"type": "integer"},
        "names": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["region"],
}


TABLE: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def offered(*names: str) -> list[dict[str, Any]]:
    schemas = {name: TABLE if name == "save_table" else SCHEMA for name in names}
    return [{"type": "function", "function": {"name": n, "parameters": schemas[n]}} for n in names]


def gold(name: str, arguments: dict[str, Any], compared: list[str] | None = None) -> dict[str, Any]:
    compared = list(arguments) if compared is None else compared
    return {"name": name, "arguments": arguments, "value_compare_args": compared, "step": 1}


def row_of(*actions: dict[str, Any], limit: int = 9, **changes: Any) -> Row:
    tools = offered("pop", "other", "save_table", "collect_pages", "reduce_records")
    return make_row(golden_actions=list(actions), tools=tools, max_allowed_calls=limit, **changes)


def call(name: str, arguments: Any, **changes: Any) -> FakeCall:
    result_changes = {k: changes.pop(k) for k in ("outcome", "failure") if k in changes}
    result = dataclasses.replace(make_result(name, {}, [{"v": 1}]), **result_changes)
    return FakeCall("c", name, arguments, result, **changes)


SEOUL, BUSAN, DAEGU = ({"region": name} for name in ("서울", "부산", "대구"))
TWO = row_of(gold("pop", SEOUL), gold("pop", BUSAN))


@pytest.mark.parametrize(
    ("calls", "corr", "cr", "mpc", "eff"),
    [
        ([("pop", SEOUL), ("pop", BUSAN)], 1.0, 1.0, 1.0, 1.0),
        ([("pop", BUSAN), ("pop", SEOUL)], 1.0, 1.0, 1.0, 1.0),
        # one read too many: 2 golden of 3 issued
        ([("pop", SEOUL), ("pop", BUSAN), ("pop", DAEGU)], 1.0, 1.0, 2 / 3, 5 / 6),
        # the same call twice matches one golden action only
        ([("pop", SEOUL), ("pop", SEOUL)], 0.5, 0.5, 1.0, 0.75),
        ([("pop", SEOUL)], 0.5, 1.0, 1.0, 1.0),
        ([("pop", {})], 0.0, 1.0, 1.0, 1.0),
        ([("other", SEOUL)], 0.0, 1.0, 1.0, 1.0),
        ([], 0.0, 0.0, 0.0, 0.0),
    ],
)
def test_a_run_has_its_hand_worked_quality(
    calls: list[tuple[str, Any]], corr: float, cr: float, mpc: float, eff: float
) -> None:
    quality = action_quality(TWO, [call(*c) for c in calls])
    assert (quality.corr, quality.cr, quality.mpc, quality.eff) == pytest.approx((corr, cr, mpc, eff))
    assert quality.action == pytest.approx((corr + eff) / 2)


def test_without_golden_actions_only_no_call_is_perfect() -> None:
    nothing = row_of()
    assert dataclasses.astuple(action_quality(nothing, []))[:4] == (1.0, 1.0, 1.0, 1.0)
    busy = action_quality(nothing, [call("pop", SEOUL)])
    assert (busy.corr, busy.eff, busy.action) == (0.0, 0.0, 0.0)


def test_eff_is_zero_beyond_the_allowed_calls_and_not_at_the_limit() -> None:
    row = row_of(gold("pop", SEOUL), limit=2)
    calls = [call("pop", SEOUL), call("pop", BUSAN), call("pop", DAEGU)]
    assert action_quality(row, calls[:2]).eff == pytest.approx(0.75)
    over = action_quality(row, calls)
    assert (over.corr, over.eff) == (1.0, 0.0)


def test_matching_is_one_to_one_and_as_large_as_possible() -> None:
    # the first golden action fits both calls, the second only the first call: greed would lose one
    row = row_of(gold("pop", SEOUL, compared=[]), gold("pop", SEOUL))
    assert match_actions(row, [call("pop", SEOUL), call("pop", BUSAN)]) == (1, 0)


@pytest.mark.parametrize(
    ("given", "slips"),
    [
        ({"region": "서울", "day": "20240501"}, []),
        ({"region": "서울", "day": "2024-05-01"}, []),
        ({"region": "서울", "day": "20240501", "page": None}, []),
        ({"day": "20240501"}, ["missing region", "value region"]),
        ({"region": "서울"}, ["value day"]),
        ({"region": "부산", "day": "20240501"}, ["value region"]),
        ({"region": "서울", "day": 20240501}, ["type day"]),
        ({"region": "서울", "day": "20240501", "page": 2}, ["superfluous page"]),
        ({"region": "서울", "day": "20240501", "nope": "1"}, ["type nope", "superfluous nope"]),
    ],
)
def test_arguments_are_held_against_the_golden_ones_both_ways(given: dict[str, Any], slips: list[str]) -> None:
    action = gold("pop", {"region": "서울", "day": "20240501"})
    assert argument_slips(action, given, SCHEMA) == slips


def test_a_golden_argument_outside_the_compared_ones_may_differ_or_be_left_out() -> None:
    action = gold("pop", {"region": "서울", "day": "20240501"}, compared=["region"])
    assert argument_slips(action, {"region": "서울"}, SCHEMA) == []
    assert argument_slips(action, {"region": "서울", "day": "20200101"}, SCHEMA) == []


def test_a_default_spelled_out_is_not_superfluous() -> None:
    from kopa_hf.catalog.registry import load_catalog

    tool = next(t for t in load_catalog() if t.paging is not None and t.parameter(t.paging.page) is not None)
    assert tool.paging is not None
    schema = {"properties": {tool.paging.page: {"type": "string"}}}
    action = gold(tool.name, {})
    assert argument_slips(action, {tool.paging.page: "1"}, schema) == []
    assert argument_slips(action, {tool.paging.page: "2"}, schema) == [f"superfluous {tool.paging.page}"]


@pytest.mark.parametrize(
    ("value", "kind", "fits"),
    [
        ("1", "string", True), (1, "string", False), (1, "integer", True), (1.0, "integer", False),
        (True, "integer", False), (True, "boolean", True), (1, "number", True), (False, "number", False),
        (["a"], "array", True), ([1], "array", False), ({}, "object", True), ("{}", "object", False),
        ("x", ["string", "null"], True), (None, ["string", "null"], True), (None, "string", False),
    ],
)  # fmt: skip
def test_types_are_json_types(value: Any, kind: Any, fits: bool) -> None:
    assert fits_type(value, {"type": kind, "items": {"type": "string"}}) is fits
    assert not fits_type(value, None)


def test_a_refused_call_and_unread_arguments_match_nothing() -> None:
    row = row_of(gold("pop", SEOUL))
    assert match_actions(row, [call("pop", SEOUL, executed=False)]) == (None,)
    assert match_actions(row, [call("pop", '{"region": "서울"')]) == (None,)


def test_a_result_id_is_compared_by_the_tool_that_made_the_result() -> None:
    reduce = gold("reduce_records", {"result_id": "r1"}, compared=[])
    row = row_of(reduce, program={"results": {"r1": "pop"}})
    schema_free = {"type": "function", "function": {"name": "reduce_records", "parameters": {
        "properties": {"result_id": {"type": "string"}}, "required": ["result_id"]}}}  # fmt: skip
    row = dataclasses.replace(row, tools=[schema_free])
    pop, other = call("pop", SEOUL, result_id="r2"), call("other", SEOUL, result_id="r1")
    assert match_actions(row, [other, pop, call("reduce_records", {"result_id": "r2"})]) == (2,)
    assert match_actions(row, [other, pop, call("reduce_records", {"result_id": "r1"})]) == (None,)
    assert match_actions(row, [pop, call("reduce_records", {"result_id": ["r2"]})]) == (None,)


def test_each_row_is_held_against_its_own_golden_path() -> None:
    # equal ids and a path per object: what one row remembers never serves another
    for region in ("서울", "부산", "서울"):
        assert action_quality(row_of(gold("pop", {"region": region})), [call("pop", SEOUL)]).corr == (region == "서울")


def test_remembered_rows_are_bounded() -> None:
    rows = [row_of(gold("pop", SEOUL)) for _ in range(golden.KEPT_ROWS + 5)]
    assert all(golden.golden_path(row).row is row for row in rows)
    assert len(golden._PATHS) == golden.KEPT_ROWS


def test_lists_and_objects_in_arguments_tell_requests_apart() -> None:
    rows = [{"a": "1"}, {"b": "2"}]
    same, turned, other = ({"rows": r} for r in (rows, [{"a": 1}, {"b": "2"}], rows[::-1]))
    assert count_duplicates(TWO, [call("pop", same), call("pop", turned)]) == 1
    assert count_duplicates(TWO, [call("pop", same), call("pop", other), call("pop", {"rows": []})]) == 0
    assert count_duplicates(TWO, [call("pop", "{"), call("pop", "{")]) == 1


def test_repeats_count_unless_something_changed_in_between() -> None:
    again = [call("pop", SEOUL), call("pop", SEOUL)]
    assert count_duplicates(TWO, again) == 1
    assert count_duplicates(TWO, [again[0], call("save_table", {"name": "표"}), again[1]]) == 0
    refused = call("save_table", {}, outcome="bad_param", failure="structural")
    assert count_duplicates(TWO, [again[0], refused, again[1]]) == 1
    late = call("pop", SEOUL, outcome="timeout", failure="environmental")
    assert count_duplicates(TWO, [late, again[0]]) == 0
    assert (
        count_duplicates(TWO, [again[0], call("other", BUSAN, outcome="server", failure="environmental"), again[1]])
        == 0
    )
    assert count_duplicates(TWO, [call("pop", {**SEOUL, "page": 1}), call("pop", {**SEOUL, "page": 2})]) == 0
    write = call("save_table", {"name": "표"})
    assert count_duplicates(TWO, [write, write]) == 1


regions = st.lists(st.sampled_from(["서울", "부산", "대구", "광주"]), max_size=6)


@given(golden=regions.filter(bool), made=regions, seed=st.integers(0, 9))
def test_corr_does_not_depend_on_any_order(golden: list[str], made: list[str], seed: int) -> None:
    def corr(actions: list[str], calls: list[str]) -> float:
        row = row_of(*(gold("pop", {"region": r}) for r in actions))
        return action_quality(row, [call("pop", {"region": r}) for r in calls]).corr

    mixed, shuffled = golden[:], made[:]
    random.Random(seed).shuffle(mixed)
    random.Random(seed + 1).shuffle(shuffled)
    assert corr(golden, made) == corr(mixed, shuffled)
    # for equal-or-nothing arguments the best matching is the multiset intersection
    shared = sum(min(golden.count(r), made.count(r)) for r in set(golden))
    assert corr(golden, made) == shared / len(golden)


@given(golden=regions.filter(bool), extra=st.sampled_from(["울산", "세종"]))
def test_an_extra_read_lowers_eff_and_nothing_else(golden: list[str], extra: str) -> None:
    row = row_of(*(gold("pop", {"region": r}) for r in golden))
    calls = [call("pop", {"region": r}) for r in golden]
    before, after = action_quality(row, calls), action_quality(row, [*calls, call("pop", {"region": extra})])
    assert after.corr == before.corr == 1.0
    assert after.mpc < before.mpc
    assert after.cr >= before.cr


def test_only_the_same_types_are_verbatim() -> None:
    """To Python 60 is 60.0 and 1 is true; to a service they are other values."""
    action = GoldenAction({"name": "pop", "arguments": {"n": 1, "rows": [{"a": "1"}]}, "value_compare_args": []})
    assert action.is_verbatim({"rows": [{"a": "1"}], "n": 1})
    assert not action.is_verbatim({"n": True, "rows": [{"a": "1"}]})
    assert not action.is_verbatim({"n": 1.0, "rows": [{"a": "1"}]})
    assert not action.is_verbatim({"n": 1, "rows": [{"a": 1}]})
    assert not action.is_verbatim({"n": 1})
