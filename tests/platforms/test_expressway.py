"""한국도로공사: a rows' key per operation, counts as text, and the sister portal's envelopes."""

from __future__ import annotations

import pytest

from kopa_hf.platforms import parse_answer

from .bodies import as_json, gateway_xml

ROW = {"unitCode": "901", "unitName": "가상TG"}


@pytest.mark.parametrize(
    "key",
    ["list", "trafficIc", "realUnitTrtmVO", "realTimeSMSList", "unitLists", "vmsMessageSrchLists", "emrgRampLists"],
)
def test_rows_are_found_under_every_operations_key(key: str) -> None:
    envelope = {"code": "SUCCESS", "message": "인증키가 유효합니다.", "count": "203", "pageNo": 1, "pageSize": "3"}
    answer = parse_answer("expressway", as_json({**envelope, key: [ROW]}))
    assert (answer.outcome, answer.records, answer.total_count, answer.code) == ("ok", [ROW], 203, "SUCCESS")


def test_padding_blanks_of_codes_are_trimmed() -> None:
    body = as_json({"code": "SUCCESS", "count": 1, "list": [{"unitCode": "103 ", "speed": None}]})
    assert parse_answer("expressway", body).records == [{"unitCode": "103", "speed": None}]


@pytest.mark.parametrize("rows", [[], None, ""])
def test_nothing_found_is_no_data(rows: object) -> None:
    answer = parse_answer("expressway", as_json({"code": "SUCCESS", "count": 0, "list": rows}))
    assert (answer.outcome, answer.total_count) == ("no_data", 0)


def test_rows_without_a_code_are_rows() -> None:
    answer = parse_answer("expressway", as_json({"count": 1, "list": [ROW]}))
    assert (answer.outcome, answer.code) == ("ok", None)


@pytest.mark.parametrize(
    ("message", "outcome"),
    [
        ("인증키가 유효하지 않습니다.", "auth"),
        ("tmType 값이 없습니다.", "bad_param"),
        ("필수 요청변수 iStartUnitCode", "bad_param"),
        ("시스템 오류", "server"),
        (None, "bad_param"),
    ],
)
def test_an_error_is_never_taken_for_an_empty_list(message: str | None, outcome: str) -> None:
    answer = parse_answer("expressway", as_json({"count": 0, "list": None, "message": message, "code": "ERROR"}))
    assert (answer.outcome, answer.code) == (outcome, "ERROR")


def test_a_crash_of_the_provider_is_a_server_failure() -> None:
    answer = parse_answer("expressway", as_json({"exception": {"message": "NullPointerException"}}))
    assert (answer.outcome, answer.message) == ("server", "NullPointerException")


def test_the_xml_form_reads_like_json() -> None:
    rows = "<list><unitCode>901</unitCode></list><list><unitCode>902</unitCode></list>"
    body = f"<data><code>SUCCESS</code><count>2</count>{rows}</data>"
    answer = parse_answer("expressway", body.encode())
    assert ([record["unitCode"] for record in answer.records], answer.total_count) == (["901", "902"], 2)


def test_the_sister_portals_rows_and_errors_are_read() -> None:
    body = (
        b"<response><coordtype>1</coordtype><datacount>1</datacount><data><cctvname>gasang</cctvname></data></response>"
    )
    answer = parse_answer("expressway", body)
    assert (answer.records, answer.total_count) == ([{"cctvname": "gasang"}], 1)
    refused = as_json({"header": {"resultCode": 4005, "resultMsg": "존재하지 않는 인증키입니다."}, "body": ""})
    answer = parse_answer("expressway", refused, http_status=401)
    assert (answer.outcome, answer.code) == ("auth", "4005")


def test_the_older_address_answers_with_gateway_errors() -> None:
    assert parse_answer("expressway", gateway_xml("30", "SERVICE_KEY_IS_NOT_REGISTERED_ERROR")).outcome == "auth"


def test_a_blocked_client_is_turned_away_not_told_about_parameters() -> None:
    answer = parse_answer("expressway", b"Request Blocked", http_status=400)
    assert (answer.outcome, answer.failure) == ("auth", "environmental")


def test_page_parameters_repeated_as_null_are_no_columns() -> None:
    rows = [{"pageNo": None, "numOfRows": None, "unitCode": "101"}]
    answer = parse_answer("expressway", as_json({"code": "SUCCESS", "count": 1, "list": rows}))
    assert answer.records == [{"unitCode": "101"}]
