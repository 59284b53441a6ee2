"""What can be said of columns and records, in which words and units; expected values are written by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.bench.answers import compare
from kopa_hf.catalog.tool import Field
from kopa_hf.edge.amounts import read_amount, spoken_amount
from kopa_hf.edge.asking import Ask
from kopa_hf.edge.clauses import asked
from kopa_hf.edge.labels import factor_of, is_rankable, is_speakable, is_word, spoken_label, unit_of
from kopa_hf.edge.things import counted, counter_of, demanded_unit, entity_noun, names_entity, row_noun

from .world import make_tool


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("제개정구분명", "제개정 구분"),
        ("영업상태명", "영업 상태"),
        ("업종명", "업종"),
        ("학교한글명", "학교명"),
        ("법령명한글", "법령명"),
        ("자전거이용요금정보", "자전거이용요금"),
        ("기준년도 4년전 실기시험 접수자 수", "4년 전 실기시험 접수자 수"),
        ("기준년도 필기시험 접수자 수", "해당 연도 필기시험 접수자 수"),
        ("회계년도", "회계연도"),
        ("전년도 접수자 수", "전년도 접수자 수"),
        ("찬성", "찬성표 수"),
        ("종목명", "종목명"),
        ("예산총액(천원)", "예산총액"),
    ],
)
def test_labels_lose_the_words_of_forms(label: str, expected: str) -> None:
    assert spoken_label(Field("X", label)) == expected


@pytest.mark.parametrize(
    ("label", "speakable"),
    [
        ("LPG 충전소 여부", False),
        ("최신차수 여부 Y/N", False),
        ("최종변경자", False),
        ("데이터기준일시", False),
        ("첨부파일명", False),
        ("순위", False),
        ("위도", False),
        ("금액합계", False),
        ("시설명건물명정보", False),
        ("계약금액", True),
        ("장학금 금액(천원)", True),
        ("발간일", True),
        ("보고서명", True),
    ],
)
def test_columns_that_nobody_would_ask_for_are_refused(label: str, speakable: bool) -> None:
    assert is_speakable(Field("X", label)) is speakable


def test_degrees_of_a_map_only_put_things_in_order() -> None:
    assert is_rankable(Field("LAT", "위도"))
    assert is_rankable(Field("LOT", "WGS84경도"))
    assert not is_rankable(Field("RANK", "순위"))
    assert asked(Ask("max", {}, "text", label="도서관명", by="위도"), "도서관") == "가장 북쪽에 있는 도서관의 이름"
    assert asked(Ask("min", {}, "text", label="도서관명", by="경도"), "도서관") == "가장 서쪽에 있는 도서관의 이름"


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("Y", "판정", False),
        ("1", "차량구분", False),
        ("2025-01-03", "등록", False),
        ("09:00~18:00", "운영", False),
        ("지역경제 사건명", "사건명", False),
        ("차온울대학교 _본교", "학교명", False),
        ("남", "성별", True),
        ("BlueWorks", "회사명", True),
        ("운영안함", "공휴일운영", True),
    ],
)
def test_only_words_are_answers_and_pivots(text: str, label: str, expected: bool) -> None:
    assert is_word(text, label) is expected


@pytest.mark.parametrize(
    ("label", "unit", "expected"),
    [
        ("예산총액(천원)", None, "천원"),
        ("예산_백만원", None, "백만원"),
        ("예산총액", None, "원"),
        ("총종업원수", None, "명"),
        ("필기시험 접수자 수", None, "명"),
        ("처리건수", None, "건"),
        ("총투표수", None, "표"),
        ("병상수", None, "개"),
        ("조회수", None, "회"),
        ("경쟁률", None, ""),
        ("전체 학생", "명", "명"),
    ],
)
def test_units_are_those_of_the_signature_else_of_the_label(label: str, unit: str | None, expected: str) -> None:
    assert unit_of(Field("X", label, unit=unit)) == expected


@pytest.mark.parametrize(
    ("number", "unit", "expected"),
    [
        ("600000000", "천원", "6,000억 원"),
        ("60000", "천원", "6,000만 원"),
        ("1234567", "천원", "12억 3,456만 7,000원"),
        ("80000000000", "원", "800억 원"),
        ("1500", "원", "1,500원"),
        ("2500000", "백만원", "2조 5,000억 원"),
        ("1200", "명", "1,200명"),
        ("0.5", "%", "0.5%"),
        ("45", "", "45"),
    ],
)
def test_amounts_are_said_in_hundred_millions_not_in_thousands_of_won(number: str, unit: str, expected: str) -> None:
    assert spoken_amount(number, unit) == expected


@given(st.integers(0, 10**16), st.sampled_from(("원", "천원", "만원", "백만원", "억원")))
def test_a_spoken_amount_is_read_back_as_the_same_money(number: int, unit: str) -> None:
    assert read_amount(spoken_amount(str(number), unit)) == number * factor_of(unit)


@pytest.mark.parametrize("text", ["원", "12명", "아홉 원", ""])
def test_what_is_no_amount_is_not_read_as_one(text: str) -> None:
    assert read_amount(text) is None


@pytest.mark.parametrize(
    ("title", "noun", "number", "counter"),
    [
        ("일반음식점(출장조리) 현황", "일반음식점", "일반음식점 수", "곳"),
        ("위원회 위원 명단", "위원", "위원 수", "명"),
        ("일학습병행제 종목 목록 조회", "종목", "종목 수", "개"),
        ("위원회 계류법률안", "법률안", "법률안 건수", "건"),
        ("처리 의안통계 위원회별 법률안", "자료", "자료 건수", "건"),
        ("숙박업 현황", "업소", "업소 수", "곳"),
    ],
)
def test_records_are_counted_as_people_count_them(title: str, noun: str, number: str, counter: str) -> None:
    assert row_noun(make_tool("t", title=title)) == noun
    assert (counted(noun), counter_of(noun)) == (number, counter)


def test_what_no_noun_calls_is_no_link() -> None:
    fields = (
        Field("A", "도공/민자 구분코드"), Field("B", "제목"), Field("C", "성명"), Field("D", "공포번호"),
    )  # fmt: skip
    nouns = [entity_noun(make_tool("t", title="행정규칙 목록", fields=fields), name) for name in "ABCD"]
    assert nouns == ["", "", "인물", "행정규칙"]
    assert entity_noun(make_tool("t", title="한눈보기 목록", fields=fields), "D") == ""


@pytest.mark.parametrize(
    ("label", "entity", "expected"),
    [("소관위원회명", "위원회", True), ("시군명", "지역", True), ("이름", "의원", True), ("제안자", "의안", False)],
)
def test_a_label_may_call_the_thing_itself(label: str, entity: str, expected: bool) -> None:
    assert names_entity(label, entity) is expected


@pytest.mark.parametrize(
    "title", ["직위별 교원 현황", "졸업생 취업현황", "신입생 충원 현황", "출산지원금 지원사업 현황"]
)
def test_rows_of_tables_and_acts_are_no_things(title: str) -> None:
    assert row_noun(make_tool("t", title=title)) == "자료"


@pytest.mark.parametrize("said", ["326개", "326곳", "326개소", "326"])
def test_places_may_be_counted_in_several_ways(said: str) -> None:
    assert compare("number", "326", f"모두 {said}입니다.", unit=demanded_unit("곳")).equal
    assert not compare("number", "326", "모두 325개입니다.", unit=demanded_unit("곳")).equal
    # people and cases are not
    assert demanded_unit("명") == "명"
    assert not compare("number", "326", "모두 326건입니다.", unit=demanded_unit("명")).equal
