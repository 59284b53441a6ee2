"""`compare`: typed values, whole answers, and nothing that a lister of candidates could use."""

from __future__ import annotations

import datetime
import json
import signal
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.bench.answers import Verdict, compare
from kopa_hf.bench.symbolic import is_expression
from tests.timing import loops

CASES = json.loads((Path(__file__).parent / "answer_cases.json").read_text(encoding="utf-8"))
KINDS = ("number", "amount", "code", "date", "month", "time", "region", "text", "set", "list", "boolean", "no_data")


@pytest.mark.parametrize(("kind", "gold", "answer", "context", "equal"), CASES)
def test_case(kind: str, gold: Any, answer: Any, context: dict[str, Any], equal: bool) -> None:
    verdict = compare(kind, gold, answer, **context)
    assert verdict.equal is equal, verdict.reason
    assert verdict.reason


@pytest.mark.parametrize("kind", KINDS)
def test_further_cases_as_a_reader_would_decide_them(kind: str) -> None:
    cases = json.loads((Path(__file__).parent / "answer_cases_more.json").read_text(encoding="utf-8"))
    wrong = [
        (gold, answer, context, equal)
        for of_kind, gold, answer, context, equal in cases
        if of_kind == kind and compare(kind, gold, answer, **context).equal is not equal
    ]
    assert wrong == []


DAY_STYLES = (
    "%Y-%m-%d",
    "%Y. %m. %d.",
    "%Y.%m.%d",
    "%Y년 %m월 %d일",
    "%Y%m%d",
    "'%Y. %m. %d.'",
    "(%Y. %m. %d.)",
    "“%Y.%m.%d.”",
)
SENTENCES = (
    "접수일은 {}이고 처리일은 {}이다.", "{} {}", "{}, {}", "{}\n{}와 {}", "1. 접수 {} 2. 처리 {}", "가. {} 나. {}", "접수 {} 처리 {}", "{} 접수, {} 처리",
    "[{}] [{}]", "'{}', '{}'", "값은 {}, 예, {}, 아니오입니다.", "{} → {}", "{} 또는 {}입니다.", "{}부터 {}까지", "{} ~ {}", "접수: {} / 처리: {}", "{}(접수), {}(처리)",
)  # fmt: skip


@given(
    st.dates(datetime.date(1990, 1, 1), datetime.date(2090, 1, 1)),
    st.dates(datetime.date(1990, 1, 1), datetime.date(2090, 1, 1)),
    st.sampled_from(DAY_STYLES),
    st.sampled_from(DAY_STYLES),
    st.sampled_from(SENTENCES),
)
def test_a_sentence_with_two_days_is_never_right(
    one: datetime.date, other: datetime.date, style: str, second: str, sentence: str
) -> None:
    """Dots of a date, of numbering and of what stands in quotes end no sentence, so no day is cut off the other."""
    text = sentence.format(one.strftime(style), other.strftime(second), other.strftime(second))
    if one != other and "\n" not in sentence:
        assert not compare("date", one.isoformat(), text).equal, text
        assert not compare("date", other.isoformat(), text).equal, text


@given(st.dates(datetime.date(1990, 1, 1), datetime.date(2090, 1, 1)), st.sampled_from(DAY_STYLES))
def test_what_is_denied_is_not_the_value(day: datetime.date, style: str) -> None:
    other = day + datetime.timedelta(days=40)
    text = f"{day.strftime(style)}이 아니라 {other.strftime(style)}입니다."
    assert compare("date", other.isoformat(), text).equal, text
    assert not compare("date", day.isoformat(), text).equal


@pytest.mark.parametrize(
    ("kind", "gold", "spelled"),
    [
        ("date", "2026-01-08", "2026년 1월 8일"),
        ("date", "2026-01-08", "2026. 1. 8."),
        ("date", "2026-01-08", "**2026-01-08**"),
        ("month", "2025-05", "2025년 5월"),
        ("time", "14:53", "14:53"),
        ("time", "14:53", "오후 2시 53분"),
        ("time", "2026-01-08 14:53", "2026-01-08 14:53"),
    ],
)
@pytest.mark.parametrize("moved", [
    " 다음 날", "의 전날", " 하루 전입니다", "로부터 사흘 뒤", " 전에 열렸습니다", " 다음 달", "에서 10분 뒤", " 직전입니다", "의 두 달 후입니다", " 2주 뒤에 열렸습니다",
    "보다 하루 늦습니다", "로부터 3일 후",
])  # fmt: skip
def test_what_is_moved_by_what_follows_is_not_the_value(kind: str, gold: str, spelled: str, moved: str) -> None:
    assert compare(kind, gold, f"{spelled}입니다.").equal
    assert not compare(kind, gold, spelled + moved).equal
    assert not compare(kind, gold, f"\\boxed{{{spelled}{moved}}}").equal


@pytest.mark.parametrize("follows", [
    " 전국대회가 열렸습니다", "에 전달했습니다", " 후원회가 열렸습니다", " 다음과 같이 의결했습니다", "(목) 전원이 참석했습니다", " 전체회의에서 의결했습니다",
    ", 다음 회의는 미정입니다", " 후반기에 들었습니다", " 하루 동안 열립니다", " 3일간 열립니다", " 전달 예정입니다",
])  # fmt: skip
def test_words_that_only_begin_like_before_and_after_move_nothing(follows: str) -> None:
    assert compare("date", "2026-01-08", f"2026년 1월 8일{follows}").equal


@pytest.mark.parametrize("said", [
    "{}은 오답", "{}은 틀린 값입니다", "{}이라고 말할 수 없습니다", "{}은 확실하지 않습니다", "{}인지 확실하지 않습니다", "{}은 맞지 않습니다", "{}(오답)", "{}이라고 단언하기 어렵습니다",
    "**{}**은 오답입니다", "{}은 불확실합니다", "{}인지는 모르겠습니다", "정답: {}은 오답", "\\boxed{{{}은 틀린 값}}",
])  # fmt: skip
@pytest.mark.parametrize(("kind", "gold", "value"), [
    ("number", "71", "71명"), ("number", "-3", "-3건"), ("date", "2026-01-08", "2026년 1월 8일"), ("month", "2025-05", "2025년 5월"), ("time", "14:53", "14:53"),
    ("code", "11110", "11110"),
])  # fmt: skip
def test_what_is_called_wrong_or_unsure_is_not_the_value(kind: str, gold: str, value: str, said: str) -> None:
    assert compare(kind, gold, f"{value}입니다.").equal
    assert not compare(kind, gold, said.format(value)).equal


@pytest.mark.parametrize("answer", [
    "72명은 오답이고 71명이 정답입니다", "71명입니다. 72명은 틀린 값입니다.", "71명이 확실합니다", "71명은 오답률이 낮습니다", "71명이 틀렸습니다", "71명의 의원이 반대했습니다",
    "71명의 반대표가 나왔습니다", "71명의 배우가 출연합니다", "71명의 절대다수가 찬성했습니다",
])  # fmt: skip
def test_another_value_that_is_called_wrong_leaves_the_right_one(answer: str) -> None:
    assert compare("number", 71, answer, unit="명").equal


@pytest.mark.parametrize("part", [
    "두 배입니다", "2배입니다", "약 1.5배", "절반입니다", "1/2입니다", "3분의 1입니다", "50%입니다", "세 배에 달합니다", "반입니다", "갑절입니다", "열 배", "삼분의 일입니다",
])  # fmt: skip
def test_a_multiple_or_a_part_of_a_value_is_not_the_value(part: str) -> None:
    for unit in ("명", None):
        assert not compare("number", 71, f"71명의 {part}", unit=unit).equal
        assert not compare("number", 71, f"\\boxed{{71명의 {part}}}", unit=unit).equal


@pytest.mark.parametrize("answer", [
    "반대표는 3표입니다. 기권 자료는 없습니다.", "\\boxed{3표 (기타 자료 없음)}", "3표 (다른 자료 없음)", "정답: 반대표는 3표입니다. 기권 자료는 없습니다.", "\\boxed{3표, 자료 없음}",
    "반대표는 3표입니다. 다만, 기권 자료는 없습니다.", "그 외 자료는 없습니다.", "나머지 회사의 자료는 없습니다.", "3표입니다. 그 밖의 기록은 없습니다.", "자료 없음(3표)",
])  # fmt: skip
def test_who_gives_a_value_does_not_say_that_there_is_none(answer: str) -> None:
    assert not compare("no_data", "", answer).equal


@pytest.mark.parametrize("answer", [
    "검색 결과는 5건입니다. 그중 해당하는 자료는 없습니다.", "조회 결과는 0건입니다. 자료가 없습니다.", "자료가 없습니다. 다른 자료도 없습니다.", "전체 5건 중 해당 자료는 없습니다.",
    "2023년 매출은 5억 원입니다. 2024년 자료는 없습니다.", "다른 보고서에도 공시는 없습니다.", "안건은 3건이 있었으나 표결 기록은 없습니다.",
])  # fmt: skip
def test_numbers_beside_it_leave_a_statement_that_there_is_none(answer: str) -> None:
    assert compare("no_data", "", answer).equal


@pytest.mark.parametrize(("gold", "answer", "equal"), [
    ("22:00", "\\boxed{22:00까지}", True), ("22:00", "22시까지", True), ("22:00", "오후 10시까지입니다.", True), ("22:00", "22:00까지 23:00", False),
    ("22:00", "21:00부터 22:00까지", False), ("22:00", "22:00까지 또는 23:00까지", False), ("22:00", "\\boxed{10시까지}", False), ("22:00", "약 22:00까지", False),
])  # fmt: skip
def test_a_single_time_may_bear_until_or_from(gold: str, answer: str, equal: bool) -> None:
    assert compare("time", gold, answer).equal is equal


@pytest.mark.parametrize(("gold", "answer", "unit", "equal"), [
    ("8", "8개 정거장", "정거장", True), ("8", "\\boxed{8개 정거장}", "정거장", True), ("8", "여덟 개 정거장입니다.", "정거장", True), ("8", "8개 정거장", "개", True),
    ("8", "8개 노선", "정거장", False), ("8", "8개", "정거장", False), ("1079", "1,079개교", "개", True), ("1079", "모두 1,079개교입니다.", "개", True),
    ("3", "3개사", "개", False), ("1079", "1,079개 학교", "학교", True), ("1979.24", "1,979.24원/L", "원", True), ("1979.24", "1,979.24원/ℓ입니다.", "원", True),
    ("1979.24", "리터당 1,979.24원", "원", True), ("1979.24", "1,979.24원/㎡", "원", False), ("1979.24", "1.97924원/mL", "원", True),
])  # fmt: skip
def test_a_counter_may_be_said_with_its_thing(gold: str, answer: str, unit: str, equal: bool) -> None:
    assert compare("number", gold, answer, unit=unit).equal is equal


@pytest.mark.parametrize("frame", [
    "```\n{}\n```", "```text\n{}\n```", "찾은 값은 다음과 같습니다.\n\n```\n{}\n```\n", "최종 답:\n```\n{}\n```", '{{"answer": "{}"}}', '```json\n{{"answer": "{}"}}\n```',
    '찾은 값을 적습니다.\n```json\n{{\n  "answer": "{}"\n}}\n```', "```{}```",
])  # fmt: skip
@pytest.mark.parametrize(("kind", "gold", "value", "other"), [
    ("text", "김가온", "김가온", "이나래"), ("set", ["가온", "나래"], "나래, 가온", "가온, 다솜"), ("list", ["가온", "나래"], "가온, 나래", "나래, 가온"),
    ("number", "5", "5건", "6건"), ("date", "2026-01-08", "2026. 1. 8.", "2026. 1. 9."), ("region", "서울특별시", "서울", "부산"), ("boolean", "예", "예", "아니오"),
    ("no_data", "", "자료가 없습니다", "5건"), ("code", "005930", "005930", "000660"), ("time", "14:53", "14:53", "14:54"),
])  # fmt: skip
def test_a_code_fence_or_an_object_of_one_key_around_an_answer_changes_nothing(
    kind: str, gold: Any, value: str, other: str, frame: str
) -> None:
    assert compare(kind, gold, frame.format(value)).equal
    assert not compare(kind, gold, frame.format(other)).equal


@pytest.mark.parametrize(("kind", "gold", "answer", "equal"), [
    ("list", ["가온", "나래"], '```json\n{"answer": ["가온", "나래"]}\n```', True), ("list", ["가온", "나래"], '{"answer": ["나래", "가온"]}', False),
    ("set", ["3", "5"], '{"answer": [5, 3]}', True), ("list", ["가온", "나래"], "```\n- 가온\n- 나래\n```", True), ("list", ["가온", "나래"], "```\n가온\n나래\n```", True),
    ("number", "5", '{"answer": 5}', True), ("number", "5", '{"answer": [5, 6]}', False), ("number", "5", '{"a": 5, "b": 6}', False),
    ("text", "김가온", '{"answer": "김가온", "other": "이나래"}', False), ("text", "김가온", '\\boxed{이나래}\n```\n김가온\n```', False),
    ("number", "5", "정답은 5건입니다.\n```\n6건\n```", False),
])  # fmt: skip
def test_what_stands_in_a_fence_or_an_object_counts_as_it_would_outside(
    kind: str, gold: Any, answer: str, equal: bool
) -> None:
    assert compare(kind, gold, answer).equal is equal


@pytest.mark.parametrize("answer", [
    "about 48 cases", "approximately 48", "at least 48 cases", "more than 48", "fewer than 48", "probably 48", "I think it is 48", "48 or so", "48 or more", "48 at most",
    "The answer is not 48.", "It isn't 48", "48 is wrong.", "48 is not certain", "48 thousand", "4.8 million", "48 percent", "48 hours", "48 people", "48+건", "아마 48건입니다",
])  # fmt: skip
def test_english_words_that_bound_guess_deny_or_scale_a_number_leave_none(answer: str) -> None:
    assert not compare("number", 48, answer, unit="건").equal
    assert not compare("number", 48, f"\\boxed{{{answer}}}", unit="건").equal


@pytest.mark.parametrize(("kind", "gold", "answer", "unit"), [
    ("number", 48, "There are 48 cases.", "건"), ("number", 48, "Not 47 but 48.", "건"), ("number", 48, "The number of cases is **48**.", "건"),
    ("number", 48, "over the year: 50 - 2 = 48", "건"), ("number", "3.2", "3.2 percentage points", "%포인트"), ("number", "3.2", "3.2 percent", "%"),
    ("number", 90, "1 hour 30 minutes", "분"), ("number", 90, "90 minutes", "분"), ("amount", 2_300_000, "2.3 million won", None), ("amount", 1_234_000, "1,234 thousand won", None),
    ("number", 48, "48 people", "명"), ("date", "2024-02-29", "The date is 2024-02-29.", None), ("code", "472150", "The code is 472150.", None), ("time", "14:53", "at 14:53", None),
])  # fmt: skip
def test_english_sentences_that_state_a_value_count(kind: str, gold: Any, answer: str, unit: str | None) -> None:
    assert compare(kind, gold, answer, unit=unit).equal


@pytest.mark.parametrize(
    ("kind", "gold"), [("date", "2024-02-29"), ("month", "2024-02"), ("time", "14:53"), ("code", "472150")]
)
@pytest.mark.parametrize(
    "words", ["not {}", "It is not {}.", "probably {}", "around {}", "{} is wrong", "이르면 {}", "아마 {}"]
)
def test_a_day_a_time_or_a_code_that_english_denies_or_doubts_is_none(kind: str, gold: str, words: str) -> None:
    if kind != "code" or words.isascii():
        assert not compare(kind, gold, words.format(gold)).equal


@pytest.mark.parametrize(
    "words", ["before {}", "after {}", "by {}", "since {}", "until {}", "{} at the earliest", "the day after {}"]
)
def test_before_and_after_in_english_move_a_day(words: str) -> None:
    assert not compare("date", "2024-02-29", words.format("2024-02-29")).equal


@pytest.mark.parametrize(("gold", "answer", "equal"), [
    ("3", "3도 낮았습니다", False), ("3", "3도만큼 더 낮았습니다", False), ("3", "3도 높았습니다", True), ("3", "\\boxed{3}", True), ("3", "차이는 3도입니다", True),
    ("-3", "-3도입니다", True), ("-3", "-3도 낮았습니다", True), ("-3", "3도 낮았습니다", False), ("3", "**3도** 낮습니다", False), ("3", "3 degrees lower", True),
])  # fmt: skip
def test_a_direction_against_the_sign_is_another_value(gold: str, answer: str, equal: bool) -> None:
    assert compare("number", gold, answer, unit="도", signed=True).equal is equal
    assert compare("number", "3", "3도 낮았습니다", unit="도").equal  # the question may ask how much lower


@pytest.mark.parametrize(("gold", "answer", "equal"), [
    (12, "12건(가온 5건, 나래 7건)입니다.", True), (12, "**12건** (가온 5건, 나래 7건)", True), (12, "\\boxed{12건 (5건 + 7건)}", True), (5, "12건(가온 5건, 나래 7건)", False),
    (12, "12건(가온 5건, 나래 8건)", False), (12, "12건 (5건, 7건) 또는 (6건, 6건)", False), (12, "12건, 가온 5건, 나래 7건", False), (12, "12건 또는 13건 (5건, 8건)", False),
    (12, "가온 5건, 나래 7건 (12건)", False), (12, "12건(가온 약 5건, 나래 7건, 다솜 0건)", False), (7, "12건(가온 5건, 나래 7건)", False),
])  # fmt: skip
def test_a_number_with_its_parts_in_brackets_behind_it_is_their_total(gold: int, answer: str, equal: bool) -> None:
    assert compare("number", gold, answer, unit="건").equal is equal


@pytest.mark.parametrize(("gold", "answer", "equal"), [
    ("예", "예라고 할 수 없습니다.", False), ("예", "예, 하지만 아니오일 수도 있습니다.", False), ("아니오", "아니오라고 보기 어렵습니다.", False), ("예", "아마 예입니다.", False),
    ("예", "probably yes", False), ("예", "not yes", False), ("예", "예입니다.", True), ("예", "예라고 할 수 있습니다.", True), ("아니오", "아니오라고 답합니다.", True),
])  # fmt: skip
def test_a_yes_or_a_no_that_may_not_be_said_is_none(gold: str, answer: str, equal: bool) -> None:
    assert compare("boolean", gold, answer).equal is equal


@pytest.mark.parametrize(("gold", "answer", "equal"), [
    ("06:20", "여섯 시 이십 분", True), ("06:00", "여섯 시 이십 분", False), ("06:20", "오전 6시 이십분입니다.", True), ("18:35", "오후 여섯 시 삼십오 분", True),
    ("06:00", "6시 이십분", False), ("06:21", "여섯 시 이십 분", False),
])  # fmt: skip
def test_minutes_may_be_spelled_in_hangul(gold: str, answer: str, equal: bool) -> None:
    assert compare("time", gold, answer).equal is equal


@pytest.mark.parametrize(("kind", "answer", "equal"), [
    ("list", "1위: 가온, 2위: 나래", True), ("list", "2위: 가온, 1위: 나래", False), ("list", "2위: 나래, 1위: 가온", True), ("list", "1위는 가온, 2위는 나래입니다.", True),
    ("list", "순위는 2위: 가온, 1위: 나래", False), ("list", "정답: 2위 가온, 1위 나래", False), ("list", "첫 번째는 가온, 두 번째는 나래입니다.", True),
    ("list", "두 번째는 가온, 첫 번째는 나래입니다.", False), ("list", "1순위 가온, 2순위 나래", True), ("list", "1위: 가온\n2위: 나래", True), ("list", "2위: 가온\n1위: 나래", False),
    ("list", "- 1위: 가온 (5건)\n- 2위: 나래 (3건)", True), ("list", "가온(5건), 나래(3건)", True), ("list", "나래(5건), 가온(3건)", False), ("set", "나래(3건), 가온(1,205건)", True),
    ("set", "- **가온**: 3건\n- **나래**: 2건", True), ("set", "가온 3건, 나래 2건", True), ("set", "가온(3건), 나래(0건)", False), ("set", "가온, 나래(3곳)", False),
    ("set", "가온(2급), 나래(3급)", False), ("set", "가온(3건), 나래(제외)", False), ("set", "가온(3건), 나래(2건), 다솜(1건)", False), ("set", "가온 and 나래", True),
    ("list", "차례로 가온, 나래입니다.", True), ("list", "차례로 나래, 가온입니다.", False), ("list", "(가온, 나래)", True), ("list", "[가온, 나래", False),
])  # fmt: skip
def test_ranks_order_a_list_and_counts_behind_names_are_no_part_of_them(kind: str, answer: str, equal: bool) -> None:
    assert compare(kind, ["가온", "나래"], answer).equal is equal
    assert compare(kind, ["가온", "나래"], f"\\boxed{{{answer}}}").equal is equal


def test_what_belongs_to_a_name_is_not_taken_off() -> None:
    assert not compare("set", ["가온 1급", "나래 2급"], "가온, 나래").equal
    assert not compare("set", ["가온(5건)", "나래"], "가온, 나래").equal
    assert compare("list", ["(주)가온", "나래(주)"], "(주)가온, 나래(주)").equal
    assert compare("list", ["(주)가온", "나래(주)"], "[㈜가온, 나래㈜]").equal


@pytest.mark.parametrize(("gold", "answer", "equal"), [
    ("주식회사 가온", "(주)가온", True), ("(주)가온", "㈜ 가온", True), ("(주)가온", "주식회사가온입니다.", True), ("(주)가온", "가온(주)", False), ("(주)가온", "가온", False),
    ("가온", "(주)가온", False), ("(주)가온", "(유)가온", False), ("(주)가온", "㈜나래", False), ("02-2133-1234", "02)2133-1234", True),
    ("02-2133-1234", "전화번호는 (02) 2133-1234입니다.", True), ("02-2133-1234", "+82-2-2133-1234", True), ("02-2133-1234", "０２-２１３３-１２３４", True),
    ("02-2133-1234", "02-2133-1243", False), ("02-2133-1234", "2133-1234", False), ("02-2133-1234", "031-2133-1234", False), ("02-2133-1234", "02-2133-1234, 02-2133-1235", False),
    ("02-2133-1234", "02-2133-1234~5", False), ("273", "273번입니다.", True), ("273번", "273", True), ("9401-1", "9401-1번 버스", True), ("273", "2730번", False), ("273", "273-1번", False),
    ("273", "273호선", False), ("123-4567-8901", "12345678901", False),
])  # fmt: skip
def test_companies_telephones_and_routes_as_people_write_them(gold: str, answer: str, equal: bool) -> None:
    assert compare("text", gold, answer).equal is equal


@pytest.mark.parametrize(("kind", "gold", "answer", "equal"), [
    ("date", "2024-02-29", "February 29, 2024", True), ("date", "2024-02-29", "\\boxed{29 February 2024}", True), ("date", "2024-02-29", "Feb 29th, 2024", True),
    ("date", "2024-02-29", "February 28, 2024", False), ("date", "2024-02-29", "February 30, 2024", False), ("date", "2024-02-29", "not February 29, 2024", False),
    ("date", "2024-02-29", "29 February 2024 or 1 March 2024", False), ("date", "2024-02-29", "2024年 2月 29日", True), ("date", "2024-02-29", "2024年 2月 28日", False),
    ("date", "2024-02-29", "2024年 2月 29日이 아닙니다", False), ("month", "2024-02", "February 2024", True), ("month", "2024-02", "29 February 2024", False),
    ("number", 48, "四十八건입니다.", True), ("number", 48, "四十九건", False), ("number", 48, "약 四十八건", False), ("number", 48, "약 ４８건", False), ("number", 48, "四十八건 이상", False),
    ("amount", 32000, "三萬二千원", True), ("amount", 32000, "三萬二百원", False),
])  # fmt: skip
def test_hanja_and_english_days_are_read(kind: str, gold: Any, answer: str, equal: bool) -> None:
    assert compare(kind, gold, answer, unit="건" if kind == "number" else None).equal is equal


@pytest.mark.parametrize("joint", [" / ", " + ", " - ", " × "])
def test_long_chains_of_terms_are_read_in_no_time(joint: str) -> None:
    """Each blank of a chain could be matched in three ways; sixty of them would never end."""
    text = joint.join(f"{number}건" for number in range(60))
    assert not compare("number", 0, f"정답: {text}", unit="건").equal
    assert loops(lambda: compare("number", 0, f"정답: {text}", unit="건")) < 60


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


DIGITS = "영일이삼사오육칠팔구"


def in_hangul(number: int) -> str:
    """An independent writer of numbers below 10,000."""
    out = ""
    for unit, size in (("천", 1000), ("백", 100), ("십", 10), ("", 1)):
        digit, number = divmod(number, size)
        out += ("" if digit == 1 and unit else DIGITS[digit]) + unit if digit else ""
    return out


@given(st.integers(11, 9999), st.integers(11, 9999))
def test_hangul_and_digits_are_equal_only_for_one_number(a: int, b: int) -> None:
    assert compare("number", a, in_hangul(b)).equal is (a == b)
    assert compare("number", a, f"정답은 {in_hangul(b)} 명입니다.", unit="명").equal is (a == b)


@given(st.integers(1, 10**7), st.sampled_from([("만원", 10**4), ("백만원", 10**6), ("억원", 10**8), ("천원", 1000)]))
def test_an_explicit_unit_beats_the_fields(number: int, unit: tuple[str, int]) -> None:
    name, scale = unit
    assert compare("amount", number, f"{number:,}", unit=name).equal
    assert compare("amount", number, f"{number * scale:,}원", unit=name).equal
    assert compare("amount", number, f"{number:,}{name}", unit="원").equal is (scale == 1)
    assert not compare("amount", number, f"{number:,}원", unit=name).equal


@given(
    st.integers(0, 10**6),
    st.sampled_from(["명", "건", "원", "%", "%p", "주", "개", "개사", "세", "km"]),
    st.sampled_from(["명", "건", "원", "%p"]),
)
def test_another_unit_is_another_value(number: int, unit: str, field: str) -> None:
    assert compare("number", number, f"모두 {number:,}{unit}입니다.", unit=field).equal is (unit == field)


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=8, unique=True), st.data())
def test_who_lists_every_value_is_never_right(numbers: list[int], data: st.DataObject) -> None:
    gold = data.draw(st.sampled_from(numbers))
    for answer in (
        ", ".join(f"{n}건" for n in numbers),
        " / ".join(f"{n}건" for n in numbers),
        "\n".join(f"{n}건" for n in numbers),
    ):
        for text in (f"\\boxed{{{answer}}}", f"정답: {answer}"):
            assert compare("number", gold, text, unit="건") == Verdict(False, "ambiguous")


@pytest.mark.parametrize(
    ("kind", "gold", "answer", "reason"),
    [
        ("number", "5", "5건 또는 6건", "ambiguous"), ("date", "2021-03-02", "2021-03-02, 2021-03-03", "ambiguous"),
        ("region", "광주광역시", "광주", "ambiguous"), ("region", "서울", "서울, 부산", "ambiguous"), ("boolean", "예", "예/아니오", "ambiguous"),
        ("code", "005930", "005930, 000660", "ambiguous"), ("number", "5", "6", "different"), ("number", "5", "5", "equal"),
        ("text", "가온", "", "empty"), ("no_data", "", "", "empty"),
    ],
)  # fmt: skip
def test_the_reason_is_one_word(kind: str, gold: str, answer: str, reason: str) -> None:
    assert compare(kind, gold, answer).reason == reason


@pytest.mark.parametrize(
    ("kind", "gold", "answer", "start"),
    [
        ("number", "5", "10~20", "no_value"), ("number", "x", "5", "unreadable"), ("date", "2021-03-02", "2021-02-30", "unreadable"),
        ("date", "2021-02-30", "2021-02-30", "unreadable"), ("number", 1, None, "unreadable"), ("number", 1, float("nan"), "unreadable"),
        ("number", 1, float("inf"), "unreadable"), ("number", 1, 10**400, "unreadable"), ("number", 1, b"1", "unreadable"),
        ("number", 1, Decimal("1e999999"), "unreadable"), ("region", "강원도", "강원도", "unreadable"), ("set", ["가"], [["가"]], "unreadable"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_so(kind: str, gold: Any, answer: Any, start: str) -> None:
    verdict = compare(kind, gold, answer, as_of="2024-01-01")
    assert not verdict.equal
    assert verdict.reason.startswith(start + ": ")


@given(st.sampled_from(KINDS), st.text(max_size=80), st.text(max_size=80))
def test_text_never_meets_an_error_of_our_own(kind: str, gold: str, answer: str) -> None:
    assert not compare(kind, gold, answer).reason.endswith("Error")


class Rude:
    """An object whose every method raises."""

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __hash__ = __str__  # type: ignore[assignment]


def test_rude_objects_and_contexts_end_as_verdicts() -> None:
    for kind in KINDS:
        assert not compare(kind, "1", Rude()).equal
        assert not compare(kind, Rude(), "1").equal
    assert not compare("number", "1", "1", unit=Rude()).equal
    assert not compare(["number"], "1", "1").equal  # type: ignore[arg-type]


def test_huge_integers_end_as_verdicts() -> None:
    assert not compare("number", 10**5000, 10**5000).equal
    assert not compare("code", "1", -(10**5000)).equal


def test_a_cut_answer_never_makes_a_number_of_the_rest_of_one() -> None:
    assert not compare("number", "9" * 30, "8" * 10 + "9" * 99_999).equal
    assert compare("number", "7", "가 " * 60_000 + "\\boxed{7}").equal


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


@settings(max_examples=300, deadline=None)
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


@pytest.mark.parametrize(
    ("kind", "gold", "piece"),
    [
        ("time", "10:00", "10:00 "),
        ("number", "5", "5건 "),
        ("date", "2026-03-02", "2026-03-02 "),
        ("number", "5", "3건과 "),
    ],
)
def test_a_value_said_very_often_is_read_in_no_time(kind: str, gold: str, piece: str) -> None:
    assert loops(lambda: compare(kind, gold, piece * 50_000)) < 150


@pytest.mark.parametrize("tolerance", ["x", float("nan"), float("inf"), [], -1])
def test_a_tolerance_that_is_none_is_named_in_the_reason(tolerance: Any) -> None:
    assert compare("number", 5, 5, tolerance=tolerance).reason.startswith("unreadable: the tolerance ")


def test_a_symbolic_comparison_works_off_the_main_thread() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(compare, "number", "2\\sqrt{3}", "\\boxed{\\sqrt{12}}").result().equal


def test_a_symbolic_comparison_leaves_other_alarms_alone() -> None:
    signal.alarm(500)
    try:
        assert compare("number", "2\\sqrt{3}", "\\boxed{\\sqrt{12}}").equal
        assert signal.alarm(0) > 400
    finally:
        signal.alarm(0)


@pytest.mark.parametrize(
    "text",
    ["9^{9^{9}}", "((9^{64})^{64})^{64}", "x^{64}+y", "\\int x", "1.5", "2**9", "9" * 20 + "+1", "a" * 200, "", "-5"],
)
def test_what_could_run_long_is_no_expression(text: str) -> None:
    assert not is_expression(text)
