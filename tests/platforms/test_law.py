"""국가법령정보: roots named after targets, documents as one record, refusals that look like nothing found."""

from __future__ import annotations

import pytest

from kopa_hf.platforms import parse_answer

from .bodies import as_json


def law_list(root: str, item: str, rows: object, total: object = "1") -> bytes:
    content = {"target": "x", "키워드": "가상", "section": "lawNm", "totalCnt": total, "page": "1", "resultCode": "00"}
    return as_json({root: content if rows is None else {**content, item: rows}})


@pytest.mark.parametrize(
    ("root", "item"),
    [
        ("LawSearch", "law"),
        ("AdmRulSearch", "admrul"),
        ("OrdinSearch", "law"),
        ("lnkDepSearch", "law"),
        ("PrecSearch", "prec"),
        ("DetcSearch", "Detc"),
        ("Expc", "expc"),
        ("Decc", "decc"),
        ("CgmExpc", "cgmExpc"),
        ("thdCmpLawSearch", "thdCmp"),
        ("TrtySearch", "Trty"),
        ("Ftc", "ftc"),
    ],
)
def test_rows_are_found_under_every_root_one_or_many(root: str, item: str) -> None:
    row = {"id": "1", "법령명한글": "가상법"}
    for rows, count in (([row, row], 2), (row, 1)):
        answer = parse_answer("law", law_list(root, item, rows, str(count)))
        assert (answer.outcome, answer.records, answer.total_count, answer.code) == ("ok", [row] * count, count, "00")


def test_no_hit_has_no_row_key_and_is_no_data() -> None:
    answer = parse_answer("law", law_list("LawSearch", "law", None, "0"))
    assert (answer.outcome, answer.total_count) == ("no_data", 0)


def test_the_knowledge_base_counts_under_another_name() -> None:
    body = as_json({"lstrmAISearch": {"키워드": "가상", "검색결과개수": "3", "법령용어": [{"법령용어명": "가"}]}})
    answer = parse_answer("law", body)
    assert (answer.total_count, len(answer.records)) == (3, 1)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ("실패", "사용자 정보 검증에 실패하였습니다."),
        ("사용자 정보 검증에 실패하였습니다.", "IP주소 및 도메인주소를 등록해 주세요."),
        ("필수 입력값 검증 실패", ""),
    ],
)
def test_a_refused_user_is_auth_and_never_nothing_found(result: str, message: str) -> None:
    xml = f"<Response><result>{result}</result><msg>{message}</msg></Response>".encode()
    for body in (
        xml,
        as_json({"result": result, "msg": message}),
        as_json({"Response": {"result": result, "msg": message}}),
    ):
        answer = parse_answer("law", body)
        assert (answer.outcome, answer.failure) == ("auth", "environmental")
        assert answer.message is not None
        assert result in answer.message


@pytest.mark.parametrize(
    "body",
    [
        "<?xml version='1.0'?><Law>일치하는 행정규칙이 없습니다.  이름을 확인하여 주십시오.</Law>".encode(),
        as_json({"Law": "일치하는 법령이 없습니다."}),
        b"{}",
    ],
)
def test_an_unknown_id_is_no_data(body: bytes) -> None:
    answer = parse_answer("law", body)
    assert (answer.outcome, answer.failure) == ("no_data", "no_data")


def test_a_kind_of_data_that_was_not_applied_for_is_auth() -> None:
    page = "<!DOCTYPE html><html><body>미신청된 목록/본문에 대한 접근입니다.</body></html>"
    assert parse_answer("law", page.encode()).outcome == "auth"


def test_a_document_is_one_record_with_its_basic_facts_on_top() -> None:
    body = (
        "<AdmRulService><행정규칙기본정보><행정규칙ID>90001</행정규칙ID>"
        "<행정규칙명><![CDATA[가상 고시]]></행정규칙명></행정규칙기본정보>"
        "<조문내용><![CDATA[제1조]]></조문내용><조문내용><![CDATA[제2조]]></조문내용></AdmRulService>"
    )
    answer = parse_answer("law", body.encode())
    assert answer.records == [{"행정규칙ID": "90001", "행정규칙명": "가상 고시", "조문내용": ["제1조", "제2조"]}]
    assert answer.total_count is None


def test_two_blocks_of_basic_facts_stay_apart() -> None:
    old, new = {"시행일자": "20250101"}, {"시행일자": "20260101"}
    body = as_json({"OldAndNewService": {"구조문_기본정보": old, "신조문_기본정보": new}})
    assert parse_answer("law", body).records == [{"구조문_기본정보": old, "신조문_기본정보": new}]


def test_nested_articles_keep_their_lists() -> None:
    law = {"기본정보": {"법령ID": "900001"}, "조문": {"조문단위": [{"조문번호": "1", "항": {"호": [{"목": "가"}]}}]}}
    answer = parse_answer("law", as_json({"법령": law}))
    assert answer.records == [{"법령ID": "900001", "조문": law["조문"]}]


def test_the_users_id_inside_links_is_cut_out() -> None:
    row = {
        "법령상세링크": "/DRF/lawService.do?OC=honggd&target=law&MST=90",
        "부속": [{"링크": "x?target=law&OC=honggd"}],
    }
    answer = parse_answer("law", law_list("LawSearch", "law", [row]))
    assert "honggd" not in str(answer)
    assert answer.records[0]["법령상세링크"] == "/DRF/lawService.do?target=law&MST=90"


def test_a_failed_query_is_a_failure() -> None:
    body = as_json({"LawSearch": {"target": "law", "totalCnt": "0", "resultCode": "01", "resultMsg": "fail"}})
    answer = parse_answer("law", body)
    assert (answer.outcome, answer.code) == ("server", "01")


def test_links_of_the_knowledge_base_are_rows_of_their_own() -> None:
    links = [{"id": "1", "일상용어명": "가게"}, {"id": "2", "일상용어명": "쉼터"}]
    body = as_json({"lstrmRltService": {"검색결과개수": "1", "법령용어": {"법령용어명": "운영자", "연계용어": links}}})
    answer = parse_answer("law", body)
    assert answer.records == [{"법령용어명": "운영자", **link} for link in links]
    assert answer.total_count is None


def test_delegations_are_one_row_per_target_with_the_same_columns() -> None:
    law = {
        "법령정보": {"법령ID": "900001", "법령명": "가상법"},
        "위임조문정보": [
            {
                "조정보": {"조문번호": "4", "조문제목": "등록"},
                "위임정보": [
                    {
                        "위임구분": "시행령",
                        "위임법령일련번호": "90",
                        "위임법령제목": "가상법 시행령",
                        "위임법령조문정보": [{"위임법령조문번호": "2"}, {"위임법령조문번호": "3"}],
                    },
                    {"위임구분": "위임행정규칙", "위임행정규칙조문정보": {"위임행정규칙제목": "가상 고시"}},
                ],
            }
        ],
    }
    for operation in ("lsDelegated", "lawService/lsDelegated", None):
        records = parse_answer("law", as_json({"lsDelegated": {"법령": law}}), operation=operation).records
        assert [r["위임법령조문번호"] for r in records] == ["2", "3", ""]
        assert [r["위임행정규칙제목"] for r in records] == ["", "", "가상 고시"]
        assert {(r["법령ID"], r["조문제목"]) for r in records} == {("900001", "등록")}
        assert len({frozenset(r) for r in records}) == 1


def test_an_attributed_text_and_a_single_article_are_read_by_name() -> None:
    unit = {"조문번호": "2", "조문제목": "정의", "항": {"호": []}}
    law = {
        "기본정보": {"법령ID": "900001", "소관부처": {"content": "법제처", "소관부처코드": "1170000"}},
        "조문": {"조문단위": unit},
    }
    (record,) = parse_answer("law", as_json({"법령": law})).records
    assert record == {
        "조문번호": "2",
        "조문제목": "정의",
        "법령ID": "900001",
        "소관부처": "법제처",
        "소관부처코드": "1170000",
        "조문": {"조문단위": unit},
    }


def test_article_changes_carry_their_law_on_top() -> None:
    row = {"id": "1", "법령정보": {"법령ID": "900001"}, "조문정보": {"jo": [{"num": "1"}, {"num": "2"}]}}
    assert parse_answer("law", law_list("LawSearch", "law", row)).records == [
        {"id": "1", "법령ID": "900001", "조문정보": {"jo": [{"num": "1"}, {"num": "2"}]}}
    ]
