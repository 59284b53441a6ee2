"""학교알리미 and EDSS: success and counts hide in words."""

from __future__ import annotations

import pytest

from kopa_hf.platforms import parse_answer

from .bodies import as_json


@pytest.mark.parametrize(
    ("code", "message", "outcome"),
    [
        ("fail", "조회된 데이터가 없습니다.", "no_data"),
        ("fail", "필수값 sggCode 누락", "bad_param"),
        ("error", "인증키 오류입니다.", "auth"),
        ("error", "pbanYr를 확인하세요", "bad_param"),
    ],
)
def test_school_info_says_in_a_sentence_what_is_wrong(code: str, message: str, outcome: str) -> None:
    answer = parse_answer("schoolinfo", as_json({"resultCode": code, "resultMsg": message}))
    assert (answer.outcome, answer.code, answer.message) == (outcome, code, message)


def test_school_info_without_schools_is_no_data() -> None:
    assert parse_answer("schoolinfo", as_json({"resultCode": "success", "list": []})).outcome == "no_data"


def test_the_count_of_edss_is_read_from_its_sentence() -> None:
    body = as_json({"resultData": [{"ctpvNm": "가도"}], "msgCd": "200 (성공)", "msgCn": "[조회건수 : 1,652 건]"})
    answer = parse_answer("edss", body)
    assert (answer.outcome, answer.total_count, answer.code) == ("ok", 1652, "200")
    empty = parse_answer("edss", as_json({"resultData": [], "msgCd": "200 (성공)", "msgCn": "[조회건수 : 0 건]"}))
    assert (empty.outcome, empty.total_count) == ("no_data", 0)


def test_a_refused_key_shows_nothing_of_the_echoed_request() -> None:
    refused = {"loc": "GATEWAY", "message": "Unauthorized", "headers": {"api_key": "s3cr3t-0001"}}
    answer = parse_answer("edss", as_json(refused), http_status=401)
    assert answer.outcome == "auth"
    assert "s3cr3t" not in str(answer)


def test_a_key_missing_in_the_body_is_auth_although_it_says_not_found() -> None:
    body = as_json({"loc": "PROVIDER", "message": "Not Found"})
    assert parse_answer("edss", body, http_status=404).outcome == "auth"


@pytest.mark.parametrize(
    ("code", "outcome"),
    [("400 (잘못된 요청)", "bad_param"), ("500 (오류)", "server"), ("500 (Read timed out)", "timeout")],
)
def test_edss_failures_carry_an_http_number_in_words(code: str, outcome: str) -> None:
    answer = parse_answer("edss", as_json({"msgCd": code, "msgCn": "", "resultData": None}))
    assert (answer.outcome, answer.code) == (outcome, code[:3])
