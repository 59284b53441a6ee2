"""Dates, months and times of day."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.values import ValueFailure
from kopa_hf.values.date import read_date, read_month, scan_dates, scan_months
from kopa_hf.values.time import read_time, scan_times

DAY = datetime.date(2021, 3, 2)


@pytest.mark.parametrize(
    "text",
    ["2021년 3월 2일", "20210302", "2021-03-02", "2021.3.2.", "2021. 3. 2.", "2021/03/02", "2021년3월2일(화)", "２０２１년 ３월 ２일",
     "2021-03-01 24:00", "2021년 3월 1일 24시", "2021-03-02T23:59", "2021년 3월 2일입니다.", "2021-03-02 화요일", "2021년 3월 2일 기준"],
)  # fmt: skip
def test_every_spelling_is_the_same_day(text: str) -> None:
    assert read_date(text) == DAY


@pytest.mark.parametrize(
    "text",
    ["2021-02-30", "2021-13-01", "2021-00-10", "3월 2일", "21.3.2", "2021-03-02 25:00", "2021-03-02 24:30", "2021-03", "120210302",
     "2021-03-02 ~ 2021-03-05", "2021-03.02", "", "날짜", "2021-03-02 외 3건", "x" * 500],
)  # fmt: skip
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(ValueFailure):
        read_date(text)


def test_an_impossible_day_is_found_and_marked_never_moved() -> None:
    assert [value for value, _ in scan_dates("2021-02-30과 2021-03-02")] == [None, DAY]


@given(st.dates(datetime.date(1800, 1, 1), datetime.date(2199, 12, 30)))
def test_midnight_at_the_end_of_a_day_is_the_next_day(day: datetime.date) -> None:
    assert read_date(f"{day.year}-{day.month:02d}-{day.day:02d} 24:00") == day + datetime.timedelta(days=1)


@pytest.mark.parametrize("text", ["2021년 3월", "2021-03", "202103", "2021.3", "2021/3", "2021년 03월이다."])
def test_every_spelling_is_the_same_month(text: str) -> None:
    assert read_month(text) == (2021, 3)


@pytest.mark.parametrize("text", ["2021-13", "202100", "3월", "2021년 3월 2일", "20210302", "2021", ""])
def test_what_is_no_month_is_refused(text: str) -> None:
    with pytest.raises(ValueFailure):
        read_month(text)


def test_months_inside_dates_are_none() -> None:
    assert [value for value, _ in scan_months("2021년 3월 2일, 2021-04, 2021-05-06")] == [(2021, 4)]


@pytest.mark.parametrize(
    ("text", "hour", "minute"),
    [("14:30", 14, 30), ("1430", 14, 30), ("오후 2시 30분", 14, 30), ("오후 2시 반", 14, 30), ("2:30 PM", 14, 30), ("14시", 14, 0), ("24:00", 0, 0),
     ("오전 12시", 0, 0), ("오후 12시", 12, 0), ("정오", 12, 0), ("자정", 0, 0), ("밤 12시", 0, 0), ("새벽 2시", 2, 0), ("14:30:15", 14, 30)],
)  # fmt: skip
def test_times_of_day(text: str, hour: int, minute: int) -> None:
    found = read_time(text)
    assert (found.hour, found.minute) == (hour, minute)


@pytest.mark.parametrize("text", ["25:00", "24:30", "14:60", "3시간", "14", "143", "2시 61분", "", "시"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueFailure):
        read_time(text)


def test_durations_and_ratios_are_no_times() -> None:
    assert list(scan_times("3시간 동안 1:3으로 5분")) == []
