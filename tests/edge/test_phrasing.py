from __future__ import annotations

import random

import pytest

from kopa_hf.catalog.tool import Field, Parameter
from kopa_hf.edge.asking import Ask
from kopa_hf.edge.mentions import Mention, entity_noun, mention_of, spoken_value
from kopa_hf.edge.phrasing import asked, conditions, grouped, phrase, reply_for
from kopa_hf.edge.trajectory import Junction
from kopa_hf.edge.workshop import Hop, Start, Story

from . import bill_service as bills
from .world import make_tool


def story() -> Story:
    junction = Junction("SEQ", "list_bills", "BILL_ID", "get_bill_detail", "BILL_ID", 1)
    name = Mention("BILL_NAME", "도로법", "의안명", "도로법", "name")
    ask = Ask("field", {"$from": "a2", "field": "PROPOSER"}, "text", label="제안자")
    return Story("chain", [Start(bills.BILLS, (name,))], [Hop(junction, "의안", bills.DETAIL, ())], [ask])


def test_one_story_has_many_phrasings_and_each_says_all() -> None:
    made = [phrase(story(), random.Random(seed)) for seed in range(200)]
    assert len({p.text for p in made}) >= 60
    assert len({p.template for p in made}) >= 60
    for phrased in made:
        assert "의안명이 '도로법'인 의안" in phrased.text
        assert "의안 상세정보" in phrased.text
        assert "제안자" in phrased.text
        assert phrased.text[-1] in ".?"
        assert "  " not in phrased.text
        assert "{" not in phrased.text


def test_particles_follow_the_last_sound() -> None:
    texts = " ".join(phrase(story(), random.Random(seed)).text for seed in range(100))
    for wrong in ("의안를", "의안가", "제안자을", "제안자은", "제안자이 ", "열린국회정보이 "):
        assert wrong not in texts


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
    assert conditions([term, name]) == "대수가 제22대이고 의안명이 '가법'인"
    assert conditions([begin, end]) == "2025년 1월 1일부터 2026년 1월 30일까지"


@pytest.mark.parametrize(
    ("number", "expected"),
    [("1680", "1,680"), ("82,500", "82,500"), ("-1234.5", "-1,234.5"), ("999", "999"), ("0123", "0123"), ("가", "가")],
)
def test_numbers_are_grouped_as_people_write_them(number: str, expected: str) -> None:
    assert grouped(number) == expected


def test_asks_and_replies_name_what_is_asked() -> None:
    latest = Ask("max", {}, "text", label="의안명", by="제안일", by_kind="date")
    assert asked(latest)[0] == "제안일이 가장 늦은 행의 의안명"
    assert asked(Ask("min", {}, "number", label="찬성", by="찬성")) == ("가장 작은 찬성", "얼마인가요")
    assert asked(Ask("field", {}, "date", label="제안일"))[1] == "언제인가요"
    assert reply_for(latest) == "제안일이 가장 늦은 행의 의안명은 {answer}입니다."


def test_entities_are_nouns_not_codes() -> None:
    tool = make_tool(
        "t", fields=(Field("corp_code", "고유번호"), Field("BILL_ID", "의안ID"), Field("ISU_CD", "종목코드"))
    )
    assert [entity_noun(tool, name) for name in ("corp_code", "BILL_ID", "ISU_CD", "absent")] == [
        "회사",
        "의안",
        "종목",
        "항목",
    ]
