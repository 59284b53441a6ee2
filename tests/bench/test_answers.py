"""`compare`: typed values, whole answers, and nothing that a lister of candidates could use."""

from __future__ import annotations

import datetime
import json
import unicodedata
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.bench.answers import compare

CASES = json.loads((Path(__file__).parent / "answer_cases.json").read_text(encoding="utf-8"))
KINDS = ("number", "amount", "code", "date", "month", "time", "region", "text", "set", "list", "boolean", "no_data")


@pytest.mark.parametrize(("kind", "gold", "answer", "context", "equal"), CASES)
def test_case(kind: str, gold: Any, answer: Any, context: dict[str, Any], equal: bool) -> None:
    verdict = compare(kind, gold, answer, **context)
    assert verdict.equal is equal, verdict.reason
    assert verdict.reason


@given(st.integers(-(10**15), 10**15), st.integers(-(10**15), 10**15))
def test_two_numbers_are_equal_only_if_they_are(a: int, b: int) -> None:
    assert compare("number", str(a), str(b)).equal is (a == b)
    assert compare("number", a, f"답은 {b:,}이다").equal is (a == b)


@given(st.decimals(-(10**9), 10**9, places=3), st.decimals(-(10**9), 10**9, places=3))
def test_two_decimals_are_equal_only_if_they_are(a: Decimal, b: Decimal) -> None:
    assert compare("number", f"{a:f}", f"{b:f}").equal is (a == b)


def spellings(number: int) -> list[str]:
    """The same number as people write it; worked out here, not by the code under test."""
    found = [str(number), f"{number:,}", f"{number}.0", f"\\boxed{{{number:,}}}", f"정답은 {number:,}명"]
    eok, rest = divmod(number, 10**8)
    man, ones = divmod(rest, 10**4)
    if eok and man and ones:
        found += [f"{eok:,}억 {man:,}만 {ones}", f"{eok}억{man}만{ones}"]
    elif eok and man:
        found.append(f"{eok}억 {man:,}만")
    full = "".join(chr(ord(c) + 0xFEE0) for c in str(number))
    return [*found, full]


@given(st.integers(1, 10**13))
def test_one_number_in_any_spelling_is_equal_to_itself(number: int) -> None:
    for text in spellings(number):
        assert compare("number", str(number), text).equal, text


@given(st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 12, 31)))
def test_one_date_in_any_spelling_is_equal_to_itself(day: datetime.date) -> None:
    y, m, d = day.year, day.month, day.day
    for text in (f"{y}년 {m}월 {d}일", f"{day:%Y%m%d}", f"{day:%Y-%m-%d}", f"{y}.{m}.{d}.", f"{y}/{m:02d}/{d:02d}"):
        assert compare("date", day, text).equal, text
        assert compare("date", day, f"접수일은 {text} 입니다.").equal, text
        assert not compare("date", day + datetime.timedelta(days=1), text).equal, text


@given(st.text(st.sampled_from("0123456789ABC-"), min_size=1, max_size=8).filter(lambda t: t.strip("-.") == t))
def test_a_code_equals_itself_only(code: str) -> None:
    assert compare("code", code, code).equal
    assert not compare("code", code, code + "0").equal
    assert not compare("code", code, "0" + code).equal


@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1, max_size=12))
def test_hangul_text_is_equal_in_every_normal_form(text: str) -> None:
    assert compare("text", text, unicodedata.normalize("NFD", text)).equal
    assert not compare("text", text, text + "가").equal


anything = st.one_of(
    st.text(max_size=200), st.none(), st.binary(max_size=20), st.integers(), st.floats(), st.booleans(),
    st.lists(st.integers() | st.text(max_size=5), max_size=4), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    st.fractions(), st.decimals(), st.datetimes(), st.dates(),
)  # fmt: skip


@settings(max_examples=300)
@given(st.sampled_from(KINDS), anything, anything, st.sampled_from([None, "만원", "명", "??", ""]))
def test_no_input_makes_it_raise(kind: str, gold: Any, answer: Any, unit: Any) -> None:
    compare(kind, gold, answer, unit=unit, as_of="2024-01-01")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "answer", ["1" * 10**6, "일" * 10**5, "\ud800", "{" * 5000, "\\boxed{" * 5000, "1," * 30000, "9" * 5000 + "억"]
)
@pytest.mark.timeout(20)
def test_hostile_text_ends_quickly(kind: str, answer: str) -> None:
    assert not compare(kind, "12", answer).equal or kind in ("no_data",)


def test_a_symbolic_comparison_works_off_the_main_thread() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(compare, "number", "2\\sqrt{3}", "\\boxed{\\sqrt{12}}").result().equal
