from __future__ import annotations

import random
import re

import pytest

from kopa_hf.bench.korean import particle
from kopa_hf.catalog.tool import Field, Parameter
from kopa_hf.edge import frames
from kopa_hf.edge.amounts import grouped
from kopa_hf.edge.asking import Ask
from kopa_hf.edge.clauses import asked, conditions, interrogative, source, superlative
from kopa_hf.edge.draft import DraftError
from kopa_hf.edge.frames import REGISTERS
from kopa_hf.edge.junctions import Narrowing
from kopa_hf.edge.mentions import Mention, mention_of, spoken_title, spoken_value
from kopa_hf.edge.phrasing import Usage, largest_share, phrase, reply_for
from kopa_hf.edge.story import Hop, Start, Story
from kopa_hf.edge.things import entity_noun
from kopa_hf.edge.trajectory import Junction

from . import bill_service as bills
from .world import make_tool


def story() -> Story:
    junction = Junction("SEQ", "list_bills", "BILL_ID", "get_bill_detail", "BILL_ID", 1)
    name = Mention("BILL_NAME", "도로법", "의안명", "도로법", "name")
    ask = Ask("field", {"$from": "a2", "field": "PROPOSER"}, "text", label="제안자")
    return Story("chain", [Start(bills.BILLS, (name,))], [Hop(junction, "의안", bills.DETAIL, ())], [ask])


def test_one_story_has_many_phrasings_and_each_says_all() -> None:
    made = [phrase(story(), random.Random(seed)) for seed in range(200)]
    assert len({p.text for p in made}) >= 150
    assert {p.register for p in made} == set(REGISTERS)
    for phrased in made:
        assert "의안명이 '도로법'인 의안" in phrased.text
        assert "의안 상세정보" in phrased.text
        assert "열린국회정보" in phrased.text
        assert "제안자" in phrased.text
        assert phrased.text[-1] in ".?"
        assert "  " not in phrased.text
        assert "{" not in phrased.text


def test_frames_are_used_evenly_so_that_none_marks_more_than_its_share() -> None:
    """The smallest structure of the published mixture has 48 rows: none of its frames may come twice."""
    for structure, rows in (("FAN", 48), ("MIXED", 654)):
        usage = Usage()
        made = [phrase(story(), random.Random(seed), structure, usage) for seed in range(rows)]
        shares = largest_share((structure, p.template) for p in made)
        assert shares[structure] <= 0.03
        assert usage.of(structure).total() == rows


def test_the_largest_share_is_the_most_frequent_templates() -> None:
    assert largest_share([("SEQ", "a"), ("SEQ", "a"), ("SEQ", "b"), ("SEQ", "c"), ("FAN", "a")]) == {
        "SEQ": 0.5,
        "FAN": 1.0,
    }


def test_particles_follow_the_last_sound() -> None:
    texts = " ".join(phrase(story(), random.Random(seed)).text for seed in range(100))
    for wrong in ("의안를", "의안가", "제안자을", "제안자은", "제안자이 ", "열린국회정보이 ", "목록를", "정보을"):
        assert wrong not in texts


@pytest.mark.parametrize(
    ("word", "pair", "expected"),
    [
        ("예산(안)", "을/를", "을"),
        ("3", "이/가", "이"),
        ("2", "이/가", "가"),
        ("1", "으로/로", "로"),
        ("SQL", "은/는", "은"),
        ("API", "은/는", "는"),
        ("'가온시'", "과/와", "와"),
        ("12.5%", "이/가", "가"),
    ],
)
def test_particles_after_digits_letters_and_brackets(word: str, pair: str, expected: str) -> None:
    assert particle(word, pair) == expected


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("20260105", "date", "2026년 1월 5일"),
        ("2026-01-05", "date", "2026년 1월 5일"),
        ("202601", "month", "2026년 1월"),
        ("2025", "year", "2025년"),
        ("22", "term", "제22대"),
        ("제22대", "term", "제22대"),
        ("100022", "term", None),
        ("PRC_A1", "code", None),
        ("하천법 일부개정법률안", "title", "하천법 일부개정법률안"),
        ("1234", "name", None),
        ("<b>굵게</b>", "name", None),
    ],
)
def test_values_are_said_in_everyday_words_or_not_at_all(value: str, kind: str, expected: str | None) -> None:
    assert spoken_value(value, kind) == expected  # type: ignore[arg-type]


def test_choices_are_said_by_their_meaning() -> None:
    report = Parameter("reprt_code", "보고서 코드", enum=("11011", "11012"), enum_labels=("사업보고서", "반기보고서"))
    mention = mention_of(report, "11011")
    assert mention is not None
    assert (mention.label, mention.text) == ("보고서", "사업보고서")
    assert mention_of(Parameter("x", "구분", enum=("A", "B")), "A") is None


def test_conditions_join_in_one_attribute_and_ranges_read_as_ranges() -> None:
    term = Mention("AGE", "22", "대수", "제22대", "term")
    name = Mention("NM", "가법", "의안명", "가법", "name")
    begin = Mention("bgn_de", "20250101", "시작일", "2025년 1월 1일", "date", "begin")
    end = Mention("end_de", "20260130", "종료일", "2026년 1월 30일", "date", "end")
    assert conditions([]) == ""
    assert conditions([term, name]) == "제22대 국회의 의안명이 '가법'인"
    assert conditions([begin, end]) == "2025년 1월 1일부터 2026년 1월 30일까지의"
    place = Mention("SIGUN_NM", "가온시", "시군명", "가온시", "name")
    year = Mention("YEAR", "2025", "기준년도", "2025년", "year")
    assert conditions([place, name]) == "가온시의 의안명이 '가법'인"
    assert conditions([year]) == "2025년 기준"
    assert conditions([name, Mention("KIND", "1", "종류", "의원", "category")]) == "의안명이 '가법'이고 종류가 '의원'인"


@pytest.mark.parametrize(
    ("number", "expected"),
    [("1680", "1,680"), ("82,500", "82,500"), ("-1234.5", "-1,234.5"), ("999", "999"), ("0123", "0123"), ("가", "가")],
)
def test_numbers_are_grouped_as_people_write_them(number: str, expected: str) -> None:
    assert grouped(number) == expected


def test_asks_and_replies_name_what_is_asked() -> None:
    latest = Ask("max", {}, "text", label="의안명", by="제안일", by_kind="date")
    assert asked(latest, "법률안") == "제안일이 가장 늦은 법률안의 의안명"
    assert asked(Ask("min", {}, "number", label="찬성 인원", by="찬성 인원")) == "가장 적은 찬성 인원"
    assert asked(Ask("each_set", {}, "set", label="위원회명")) == "위원회명"
    assert reply_for(latest) == "제안일이 가장 늦은 자료의 의안명은 {answer}입니다."
    counted = Ask("difference", {}, "number", "건", by="배송구분", pivot="반송")
    assert reply_for(counted) == "배송구분이 '반송'인 자료 건수의 차이는 {answer}입니다."
    assert reply_for(Ask("larger", {}, "number", label="수납액")) == "둘 중 더 큰 수납액은 {answer}입니다."
    assert reply_for(Ask("list", {}, "list", label="수납액")) == "두 값은 {answer}입니다."
    replies = {reply_for(Ask("field", {}, "date", label="제안일"), random.Random(seed)) for seed in range(60)}
    assert len(replies) >= 6
    assert all("{answer" in reply for reply in replies)


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (Ask("field", {}, "date", label="제안일"), "언제"),
        (Ask("field", {}, "text", label="대표 발의자명"), "누구"),
        (Ask("field", {}, "text", label="소재지 도로명주소"), "어디"),
        (Ask("field", {}, "text", label="위원회명"), "무엇"),
        (Ask("sum", {}, "amount", "원", label="수납액"), "얼마"),
        (Ask("sum", {}, "number", "명", label="재적 학생수"), "몇 명"),
        (Ask("count", {}, "number", "건"), "몇 건"),
    ],
)
def test_question_words_fit_what_is_asked(ask: Ask, expected: str) -> None:
    assert interrogative(ask) == expected


@pytest.mark.parametrize(
    ("operation", "kind", "label", "expected"),
    [
        ("max", "measure", "응시자 수", "가장 많은"),
        ("min", "measure", "경쟁률", "가장 낮은"),
        ("max", "measure", "소재지 면적", "가장 넓은"),
        ("max", "date", "제안일", "가장 늦은"),
        ("min", "measure", "크기", "가장 작은"),
    ],
)
def test_superlatives_are_those_that_people_use(operation: str, kind: str, label: str, expected: str) -> None:
    assert superlative(operation, kind, label) == expected


def test_titles_lose_words_for_querying_and_are_marked_where_they_would_not_read_as_titles() -> None:
    assert spoken_title(make_tool("t", title="금융회사임원보수현황조회")) == "금융회사임원보수현황"
    assert spoken_title(make_tool("t", title="NCS 분류 <코드> 검색")) == "NCS 분류 코드"
    assert source(make_tool("t", title="자동차 등록 현황")) == "자동차 등록 현황"
    assert source(make_tool("t", title="9급 공개경쟁 채용현황")) == "'9급 공개경쟁 채용현황'"
    assert source(make_tool("t", title="NABO 경제전망")) == "'NABO 경제전망' 자료"


def test_entities_are_nouns_not_codes() -> None:
    tool = make_tool(
        "t", fields=(Field("corp_code", "고유번호"), Field("BILL_ID", "의안ID"), Field("ISU_CD", "종목코드"))
    )
    assert [entity_noun(tool, name) for name in ("corp_code", "BILL_ID", "ISU_CD", "absent")] == [
        "회사",
        "의안",
        "종목",
        "",
    ]


@pytest.mark.parametrize("form", [*frames.LINKS_ONE, *frames.SHARED])
def test_every_link_says_that_the_next_data_is_about_what_was_found(form: str) -> None:
    assert "그 {noun" in form or "{entity}에 대해" in form


def test_a_question_never_asks_what_the_thing_that_it_looks_for_is_called() -> None:
    circular = story()
    circular.asks = [Ask("field", {}, "text", label="의안명")]
    with pytest.raises(DraftError, match="the name of what was looked for"):
        phrase(circular, random.Random(1))


def test_several_things_are_asked_about_one_by_one() -> None:
    several = story()
    junction = Junction("FAN", "list_bills", "BILL_ID", "get_bill_detail", "BILL_ID", 3)
    several.hops = [Hop(junction, "의안", bills.DETAIL, ())]
    several.asks = [Ask("each_set", {}, "set", label="제안자")]
    texts = {phrase(several, random.Random(seed)).text for seed in range(80)}
    assert all("제안자를 모두 " in text or "각각 누구" in text for text in texts)
    assert all(re.search(r"의안별로|각 의안의|의안마다", text) for text in texts)
    assert not any("하나하나" in text or "합계" in text for text in texts)
    several.asks = [Ask("each_sum", {}, "amount", "원", label="추계 금액")]
    assert all("추계 금액을 모두 합한 값" in phrase(several, random.Random(seed)).text for seed in range(20))


def test_a_condition_of_a_record_is_not_said_of_whom_it_belongs_to() -> None:
    reports = make_tool(
        "reports", title="재정 동향", fields=(Field("D", "부서명"), Field("R", "보고서명"), Field("DT", "발간일"))
    )
    narrowing = Narrowing("max", {"operation": "max", "field": "DT"}, reports.fields[2], "date", values=("가온과",))
    hop = Hop(Junction("DRV", "reports", "D", "t", "D", 30, "max"), "부서", bills.DETAIL, (), narrowing)
    told = Story("chain", [Start(reports, ())], [hop], [Ask("field", {}, "text", label="제안자")])
    assert "발간일이 가장 늦은 보고서의 부서" in phrase(told, random.Random(3)).text
    told.asks = [Ask("field", {}, "date", label="발간일")]
    with pytest.raises(DraftError, match="told already which one"):
        phrase(told, random.Random(3))


def test_two_values_stand_side_by_side_without_the_words_of_forms() -> None:
    def told(first: Mention, second: Mention) -> str:
        ask = Ask("sum", {}, "number", "명", label="접수자 수")
        sides = {"sides": [first, second], "how": "difference"}
        return phrase(Story("contrast", [Start(bills.BILLS, ())], asks=[ask], details=sides), random.Random(2)).text

    assert "제22대 국회와 제21대 국회" in told(
        Mention("AGE", "22", "대", "제22대", "term"), Mention("AGE", "21", "대", "제21대", "term")
    )
    day = Mention("DT", "20250103", "선고일자", "2025년 1월 3일", "date")
    other = Mention("DT", "20250204", "선고일자", "2025년 2월 4일", "date")
    assert "선고일자가 2025년 1월 3일인 경우와 2025년 2월 4일인 경우" in told(day, other)
    line = Mention("NM", "가온선", "노선명", "가온선", "name")
    assert "노선 '가온선'과 '나온선'" in told(line, Mention("NM", "나온선", "노선명", "나온선", "name"))
