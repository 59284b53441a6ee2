"""Numbers: whole strings read or refused, prose scanned, Hangul numerals, units."""

from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.values import ValueFailure
from kopa_hf.values.hangul import read_hangul
from kopa_hf.values.number import fold, read_quantity, scan
from kopa_hf.values.unit import unit_at, unit_scale


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1조 2,300억 원", 1_230_000_000_000, "원"), ("82,500만원", 825_000_000, "원"), ("2천5백만 원", 25_000_000, "원"),
        ("3억", 300_000_000, None), ("1,234명", 1234, "명"), ("열두 명", 12, "명"), ("삼백이십", 320, None), ("-10", -10, None),
        ("△1,234", -1234, None), ("−5%", -5, "%"), ("마이너스 3.5%p", Fraction(-7, 2), "%p"), ("3분의 1", Fraction(1, 3), None),
        ("1/3", Fraction(1, 3), None), ("₩1,234", 1234, "원"), ("-$5", -5, "달러"), ("1.5km", 1500, "m"), ("532원/주", 532, "원/주"),
        ("1시간 30분", 5400, "초"), ("１，２３４명", 1234, "명"), ("약 7건입니다.", 7, "건"), ("1e5", 100_000, None), ("12가닥", 12, "?가닥"),
        ("01", 1, None), ("1,234,567.80", Fraction("1234567.8"), None), ("100㎡", 100, "㎡"), ("금 오천 원", 5000, "원"), ("세건", 3, "건"),
    ],
)  # fmt: skip
def test_a_whole_string_is_read(text: str, value: object, unit: str | None) -> None:
    found = read_quantity(text)
    assert (found.value, found.unit) == (value, unit)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("10~20만원", "range"), ("10-20명", "range"), ("10 내지 20", "range"), ("10명에서 20명 사이", "range"), ("10명 이상", "bound"),
        ("100여 명", "bound"), ("3만원대", "bound"), ("▲5", "no number"), ("1,23", "no number"), ("1.2.3", "no number"),
        ("", "empty"), ("   ", "empty"), ("원", "no number"), ("조", "no number"), ("이사", "no number"), ("사회", "no number"), ("이번", "no number"),
        ("이이", "beside"), ("--5", "two signs"), ("$5원", "two units"), ("9" * 401, "too long"), ("A5", "no number"), ("5/0", "no number"),
        ("١٢", "no number"), ("3과 5", "beside"),
    ],
)  # fmt: skip
def test_what_is_no_number_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueFailure, match=why):
        read_quantity(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("총 1,234명 중 12명이 찬성했고 -5.2% 줄었다", [("1234", "명"), ("12", "명"), ("-26/5", "%")]),
        ("제3호, 005930 종목, A-10, 12-3, 라온(214270), 5G, 1:30", []),
        ("10~20만원, 5명 이상, 1~2~3", []),
        ("네 회사가 사회에서 이번 조건을 두 번 한 건씩 열두 명과", [("2", "회"), ("1", "건"), ("12", "명")]),
        ("(단위: 만 원) 이천 명", [("2000", "명")]),
        ("- 10명\n- -20명", [("10", "명"), ("-20", "명")]),
        ("12대학 3가구 5인가구", [("12", "?대학"), ("3", "가구"), ("5", "?인가구")]),
        ("합계는 이천삼백입니다.", [("2300", None)]),
        ("1,23 그리고 10,20,30", []),
    ],
)
def test_prose_is_scanned_for_quantities_only(text: str, found: list[tuple[str, str | None]]) -> None:
    assert [(str(q.value), q.unit) for q in scan(fold(text))] == found


@pytest.mark.parametrize(
    ("text", "value"),
    [("열두", 12), ("스물셋", 23), ("아흔아홉", 99), ("백열두", 112), ("구십구", 99), ("만", 10_000), ("일조이천삼백억", 1_230_000_000_000),
     ("육만오천", 65_000), ("영", 0), ("천이백삼십사", 1234), ("하나", 1)],
)  # fmt: skip
def test_hangul_numerals(text: str, value: int) -> None:
    assert read_hangul(text) == value


@pytest.mark.parametrize("text", ["", "억", "조", "십이백", "이이", "백천", "만억", "둘셋", "가", "열열", "이십삼십"])
def test_broken_hangul_numerals_are_refused(text: str) -> None:
    with pytest.raises(ValueFailure):
        read_hangul(text)


NATIVE_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
NATIVE_ONES = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")


@given(st.integers(1, 99))
def test_native_numerals_are_read_back(number: int) -> None:
    assert read_hangul(NATIVE_TENS[number // 10] + NATIVE_ONES[number % 10]) == number


@pytest.mark.parametrize(
    ("text", "base"),
    [("명", "명"), ("개월", "개월"), ("개사", "개사"), ("개", "개"), ("개업", None), ("%p 상승", "%p"), ("% 상승", "%"), ("원/㎡", "원/㎡"),
     (" 건", "건"), ("명으로", "명"), ("km", "m"), ("kmx", None), ("분기", "분기"), ("대학", None), ("가구가", "가구"), ("", None)],
)  # fmt: skip
def test_a_unit_is_a_whole_word(text: str, base: str | None) -> None:
    hit = unit_at(text, 0)
    assert (hit.base if hit else None) == base


@pytest.mark.parametrize(
    ("unit", "base", "factor"),
    [("천명", "명", 1000), ("만 명", "명", 10_000), ("백만 달러", "달러", 10**6), ("십억원", "원", 10**9), ("km", "m", 1000), ("천원/㎡", "원/㎡", 1000),
     ("가닥", "가닥", 1), ("  ", None, 1), ("㎢", "㎡", 10**6), ("만", None, 10_000)],
)  # fmt: skip
def test_a_field_unit_has_a_base_and_a_factor(unit: str, base: str | None, factor: int) -> None:
    assert unit_scale(unit) == (base, factor)


@given(st.text(max_size=60))
def test_no_text_breaks_the_grammar(text: str) -> None:
    list(scan(fold(text)))
    with contextlib.suppress(ValueFailure):
        assert isinstance(read_quantity(text).value, Fraction)
