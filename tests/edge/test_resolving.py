from __future__ import annotations

import pytest

from kopa_hf.catalog.tool import Field
from kopa_hf.edge.reading import find_conditions, find_literals, find_titles, last_label
from kopa_hf.edge.resolving import resolve

from . import bill_service as bills

OFFERED = ("list_bills", "get_bill_detail", "get_bill_committee", "list_bill_votes", "reduce_records", "collect_pages")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        # written by hand; answers follow from the rows of the bill service
        ("열린국회정보의 의안 목록에서 의안명이 '도로법'인 의안을 찾아 의안 상세정보에서 제안자가 누구인지 알려 주세요.", "나온결"),
        ("의안 목록(열린국회정보)에서 제안일이 가장 늦은 의안에 대해 의안 심사정보에서 위원회명은 무엇인가요?", "아람위원회"),
        ("열린국회정보 의안 목록 기준으로 찬성 의원수가 가장 적은 의안을 찾아 의안 상세정보에서 추계 금액을 구하시오.", "1,500"),
        ("열린국회정보의 의안 목록에서 제안일이 2025년 3월 15일보다 늦은 의안을 모두 찾아 각각의 의안 심사정보에서 위원회명 전부를 알려 줘.",
         '["사람위원회", "아람위원회"]'),
        ("열린국회정보의 의안 목록에서 의안명이 '하천법'인 의안을 모두 찾아 각각의 의안 표결 명단에서 건수의 합계는 몇 건인가요?", "10"),
        ("열린국회정보의 의안 목록에서 의안명이 '도로법'인 의안을 찾아 의안 표결 명단에서 정당명이 '새길당'인 건수를 알려 줘.", "3"),
        ("열린국회정보의 의안 목록에서 의안명이 '도로법'인 의안에 대해 의안 상세정보의 추계 금액과 의안 심사정보의 회의 횟수를 차례로 알려 줘.",
         '["3000", "41"]'),
        ("열린국회정보의 의안 목록에서 의안명 '도로법'과 '산림법' 두 의안의 의안 상세정보에서 추계 금액 차이는 얼마인가요?", "1500"),
        ("열린국회정보의 의안 목록에서 의안명이 '도로법'인 의안의 찬성 의원수가 200 이상이면 의안 상세정보의 제안자를, "
         "그렇지 않으면 의안 심사정보의 위원회명을 알려 주세요.", "나람위원회"),
        ("열린국회정보의 의안 목록에서 의안명이 '도로법'인 의안의 찬성 의원수가 200 미만이면 의안 상세정보의 제안자를, "
         "그 이상이면 의안 심사정보의 위원회명을 알려 주세요.", "나온결"),
        ("열린국회정보의 의안 목록에서 의안명이 '하천법'인 의안을 모두 찾아 의안별로 의안 상세정보에서 확인한 추계 금액을 모두 합한 값은 얼마인가요?",
         "9000"),
        ("열린국회정보의 의안 목록에서 의안명이 '하천법'인 의안을 빠짐없이 찾고 각 의안의 의안 표결 명단에 나온 자료 건수를 모두 합한 값은 몇 건인가요?",
         "10"),
        ("열린국회정보의 의안 목록에서 의안명이 '하천법'인 의안을 모두 고른 뒤 의안마다 의안 심사정보에서 찾은 위원회명이 각각 무엇인지 알려 줘.",
         '["가람위원회", "마람위원회"]'),
        ("열린국회정보의 의안 목록에서 의안명이 '도로법'인 의안을 찾아 의안 표결 명단에서 정당명이 '새길당'인 자료 건수를 알려 줘.", "3"),
        ("열린국회정보의 의안 목록에서 의안 '도로법'과 '산림법'의 찬성 의원수 가운데 더 큰 값은 몇 명인가요?", "154"),
    ],
)  # fmt: skip
def test_questions_are_solved_from_their_words_alone(question: str, expected: str) -> None:
    found = resolve(question, OFFERED, bills.executor())
    assert found.text() == expected, found.problem


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("오늘 날씨가 어떤가요?", "names no data"),
        ("열린국회정보의 의안 상세정보에서 제안자는 누구인가요?", "의안ID is not stated"),
        ("열린국회정보의 의안 목록에서 의안을 찾아 의안 상세정보에서 제안자를 알려 줘.", "8 values where one is due"),
        ("열린국회정보의 의안 목록에서 의안명이 '없는법'인 의안을 찾아 의안 상세정보에서 제안자를 알려 줘.", "answered no_data"),
        ("열린국회정보의 의안 목록에서 의안명이 '도로법'인 의안을 찾아 의안 상세정보에서 색깔을 알려 줘.", "not clear"),
    ],
)  # fmt: skip
def test_what_cannot_be_solved_says_at_what_it_failed(question: str, problem: str) -> None:
    found = resolve(question, OFFERED, bills.executor())
    assert found.text() is None
    assert problem in found.problem


def test_a_solver_keeps_to_the_limits_of_the_row_and_to_its_tools() -> None:
    question = "열린국회정보의 의안 목록에서 의안명이 '도로법'인 의안을 찾아 의안 상세정보에서 제안자를 알려 줘."
    assert resolve(question, OFFERED, bills.executor(), max_calls=2).text() == "나온결"
    assert resolve(question, OFFERED, bills.executor(), max_calls=1).text() is None
    assert "names no data" in resolve(question, ("reduce_records",), bills.executor()).problem
    assert "does not exist" in resolve(question, ("list_bill_colors",), bills.executor()).problem


def test_titles_are_found_longest_first_and_hide_their_words() -> None:
    question = "의안 표결 명단에서 '가법'과 2025년 3월 5일을 보세요."
    titles = find_titles(question, bills.TOOLS)
    assert [t.tool.name for t in titles] == ["list_bill_votes"]
    said = find_literals(question, titles)
    assert [(s.kind, s.text) for s in said] == [("text", "가법"), ("date", "2025년 3월 5일")]


def test_conditions_and_labels_are_read_as_whole_words() -> None:
    columns = (Field("YES", "찬성 의원수"), Field("N", "의원수"), Field("DT", "제안일"))
    (most,) = find_conditions("찬성 의원수가 가장 많은 의안", columns)
    assert (most.column.name, most.operation) == ("YES", "max")
    (late,) = find_conditions("제안일이 2025년 3월 5일보다 늦은 의안", columns)
    assert (late.column.name, late.operation, late.value) == ("DT", "gt", "2025년 3월 5일")
    (least,) = find_conditions("의원수가 1,200명 이상인 의안", columns)
    assert (least.column.name, least.operation, least.value) == ("N", "ge", "1,200")
    assert last_label("제안일과 찬성 의원수", columns) == columns[0]
    assert last_label("아무것도", columns) is None


def test_money_and_places_are_read_as_people_say_them() -> None:
    columns = (Field("A", "예산총액(천원)"), Field("LAT", "위도"), Field("LOT", "경도"))
    (rich,) = find_conditions("예산총액이 12억 3,456만 7,000원 이상인 기관", columns)
    assert (rich.column.name, rich.operation, rich.value) == ("A", "ge", "1234567")
    (north,) = find_conditions("가장 북쪽에 있는 도서관", columns)
    assert (north.column.name, north.operation) == ("LAT", "max")
    (west,) = find_conditions("가장 서쪽에 있는 도서관", columns)
    assert (west.column.name, west.operation) == ("LOT", "min")
