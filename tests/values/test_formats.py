"""Normal forms under format names."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.values import ValueFailure
from kopa_hf.values.formats import matches, to_wire
from kopa_hf.values.number import read_quantity, unit_scale
from kopa_hf.values.region import read_region, region_names


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        ("2021년 3월 2일", "YYYYMMDD", "20210302"), ("2021.3.2.", "YYYY-MM-DD", "2021-03-02"),
        (20260129, "YYYYMMDD", "20260129"), ("2016-04-23 24:00", "YYYYMMDD", "20160424"),
        ("２０２１０３０２", "YYYYMMDD", "20210302"), (400, "HHMM", "0400"), ("오후 2시 30분", "HHMM", "1430"),
        ("24:00", "HHMM", "0000"), (1, "digits:2", "01"), ("01", "digits:2", "01"), ("202103", "YYYYMM", "202103"),
        ("2021년 3월", "YYYY-MM", "2021-03"), ("60", "integer", "60"), (60, "integer", "60"), ("1,234.50", "number", "1234.5"),
        ("-0", "number", "0"), ("2024년", "YYYY", "2024"), (2024, "YYYY", "2024"), (7, "MM", "07"), ("9시", "HH", "09"),
        (22, None, "22"), ("  가온 ", None, "가온"), (1.0, "integer", "1"),
    ],
)  # fmt: skip
def test_normal_form(value: object, form: str | None, expected: str) -> None:
    assert to_wire(value, form) == expected


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("2021-02-30", "YYYYMMDD"), ("3월 2일", "YYYYMMDD"), ("20211", "YYYYMMDD"), ("1", "digits:2"), ("1234-5", "digits:5"),
        ("2021-13", "YYYYMM"), ("25:00", "HHMM"), ("abc", "integer"), ("1.5", "integer"), (1.5, "integer"), (True, "integer"),
        (None, None), ([], None), ({}, "YYYY"), ("13", "MM"), ("24", "HH"), ("2024-01-01", "YYYY"), ("1" * 300, "integer"),
        ("x", "no such format"), ("12,34", "number"),
    ],
)  # fmt: skip
def test_what_is_no_value_of_the_format_fails(value: object, form: str | None) -> None:
    with pytest.raises(ValueFailure):
        to_wire(value, form)


@given(st.dates(datetime.date(1850, 1, 1), datetime.date(2150, 1, 1)), st.sampled_from(["YYYYMMDD", "YYYY-MM-DD"]))
def test_dates_come_back(day: datetime.date, form: str) -> None:
    text = to_wire(day.isoformat(), form)
    assert datetime.date.fromisoformat(to_wire(text, "YYYY-MM-DD")) == day


FORMS = [
    None,
    "YYYYMMDD",
    "YYYY-MM-DD",
    "YYYYMM",
    "YYYY-MM",
    "YYYY",
    "MM",
    "HHMM",
    "HH",
    "digits:6",
    "integer",
    "number",
]


@given(st.text(max_size=30) | st.integers() | st.floats(), st.sampled_from(FORMS))
def test_a_normal_form_is_its_own_normal_form(value: object, form: str | None) -> None:
    try:
        once = to_wire(value, form)
    except ValueFailure:
        return
    assert to_wire(once, form) == once
    assert matches(once, form)


@given(st.integers(0, 9999_9999_9999_9999))
def test_korean_grouping_is_read_back(number: int) -> None:
    """Against an independent writer: groups of four digits, each with its unit."""
    text, rest = "", number
    for unit, size in (("조", 10**12), ("억", 10**8), ("만", 10**4), ("", 1)):
        group, rest = divmod(rest, size)
        text += f" {group}{unit}" if group else ""
    assert read_quantity(text.strip() or "0").value == number


DIGITS = "영일이삼사오육칠팔구"


@given(st.integers(1, 9999_9999))
def test_hangul_numbers_are_read_back(number: int) -> None:
    def below(n: int) -> str:
        out = ""
        for unit, size in (("천", 1000), ("백", 100), ("십", 10), ("", 1)):
            digit, n = divmod(n, size)
            out += ("" if digit == 1 and unit else DIGITS[digit]) + unit if digit else ""
        return out

    man, ones = divmod(number, 10_000)
    text = (f"{below(man)}만" if man else "") + below(ones)
    assert read_quantity(text).value == number


@pytest.mark.parametrize(
    ("unit", "name", "factor"),
    [("만원", "원", 10_000), ("백만원", "원", 10**6), ("억원", "원", 10**8), ("천 원", "원", 1000), ("명", "명", 1), ("%", "%", 1), (None, None, 1), ("톤", "kg", 1000), ("필지들", "필지들", 1)],
)  # fmt: skip
def test_units_scale_to_their_base(unit: str | None, name: str | None, factor: int) -> None:
    assert unit_scale(unit) == (name, factor)


def test_every_region_name_reads_as_its_region_while_in_force() -> None:
    for region in region_names():
        day = region.since or region.until
        assert read_region(region.name, day) == region.region
        if region.until is not None:
            with pytest.raises(ValueFailure, match="no name in force"):
                read_region(region.name, region.until + datetime.timedelta(days=1))
