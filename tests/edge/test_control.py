from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.catalog.tool import Parameter
from kopa_hf.edge.control import Controls, control_arguments, fingerprint, impossible
from kopa_hf.values.formats import to_wire

from .world import DETAIL


@pytest.mark.parametrize(
    ("format", "value", "expected"),
    [
        ("YYYYMMDD", "20250102", "19010101"),
        ("YYYY-MM", "2025-01", "1901-01"),
        ("digits:7", "7339237", "9999999"),
        (None, "00126380", "99999999"),
        (None, "PRC_1", "없는값zq0"),
    ],
)
def test_an_impossible_value_has_the_form_of_a_possible_one(format: str | None, value: str, expected: str) -> None:
    parameter = Parameter("P", "무엇", format=format)
    assert impossible(parameter, value) == expected
    assert to_wire(expected, format) == expected


def test_only_the_inputs_under_test_are_replaced() -> None:
    changed = control_arguments(DETAIL, {"BILL_ID": "PRC_1", "pSize": "20"}, ["BILL_ID", "ABSENT"])
    assert changed == {"BILL_ID": "없는값zq0", "pSize": "20"}


def test_an_echo_of_the_request_does_not_make_answers_differ() -> None:
    first = fingerprint([{"CODE": "7", "N": 1}], 1, {"CODE": "7"})
    assert fingerprint([{"CODE": "9", "N": 1}], 1, {"CODE": "9"}) == first
    assert fingerprint([{"CODE": "9", "N": 2}], 1, {"CODE": "9"}) != first
    assert fingerprint([{"CODE": "9", "N": 1}], 2, {"CODE": "9"}) != first


def test_one_difference_settles_and_three_equal_answers_settle() -> None:
    controls = Controls()
    for _ in range(2):
        controls.add(("t", "p"), heeded=False)
    assert controls.verdict(("t", "p")) is None
    controls.add(("t", "p"), heeded=False)
    assert controls.verdict(("t", "p")) is False
    assert controls.ignoring() == [("t", "p")]
    controls.add(("t", "p"), heeded=True)
    assert controls.verdict(("t", "p")) is True
    assert controls.ignoring() == []


@given(st.lists(st.tuples(st.lists(st.text(), min_size=2, max_size=3), st.booleans())))
def test_controls_come_back_as_they_were(calls: list[tuple[list[str], bool]]) -> None:
    controls = Controls()
    for key, heeded in calls:
        controls.add(tuple(key), heeded)
    again = Controls()
    again.restore(controls.to_list())
    assert again.to_list() == controls.to_list()
    assert len(again) == len(controls)
    assert all(again.verdict(tuple(key)) == controls.verdict(tuple(key)) for key, _ in calls)
