"""data.go.kr and the agencies behind it: shape first, then the code."""

from __future__ import annotations

import pytest

from kopa_hf.platforms import parse_answer

from .bodies import agency_json, as_json, gateway_xml

AGENCIES = ["data_go_kr", "kdic", "hrdk"]
GATEWAY_CODES = [
    ("01", "APPLICATION_ERROR", "server"),
    ("02", "DB_ERROR", "server"),
    ("03", "NODATA_ERROR", "no_data"),
    ("04", "HTTP_ERROR", "server"),
    ("05", "SERVICETIMEOUT_ERROR", "timeout"),
    ("10", "INVALID_REQUEST_PARAMETER_ERROR", "bad_param"),
    ("11", "NO_MANDATORY_REQUEST_PARAMETERS_ERROR", "bad_param"),
    ("12", "NO_OPENAPI_SERVICE_ERROR", "unknown_operation"),
    ("20", "SERVICE_ACCESS_DENIED_ERROR", "auth"),
    ("21", "TEMPORARILY_DISABLE_THE_SERVICEKEY_ERROR", "auth"),
    ("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR", "quota"),
    ("30", "SERVICE_KEY_IS_NOT_REGISTERED_ERROR", "auth"),
    ("31", "DEADLINE_HAS_EXPIRED_ERROR", "auth"),
    ("32", "UNREGISTERED_IP_ERROR", "auth"),
    ("33", "UNSIGNED_CALL_ERROR", "auth"),
    ("99", "UNKNOWN_ERROR", "server"),
]


@pytest.mark.parametrize("wire", AGENCIES)
@pytest.mark.parametrize(("code", "message", "outcome"), GATEWAY_CODES)
def test_every_gateway_code_is_understood_in_all_its_forms(wire: str, code: str, message: str, outcome: str) -> None:
    header = {"errMsg": message, "returnAuthMsg": "SERVICE ERROR", "returnReasonCode": code}
    swapped = as_json({"OpenAPI_ServiceResponse": {"cmmMsgHeader": header}})
    for body in (gateway_xml(code, message), swapped, agency_json(code, message)):
        answer = parse_answer(wire, body)
        assert (answer.outcome, answer.code, answer.message) == (outcome, code, message)


@pytest.mark.parametrize("http_status", [200, 401, 403])
def test_a_key_that_is_not_registered_is_auth_under_any_status(http_status: int) -> None:
    body = gateway_xml("30", "SERVICE_KEY_IS_NOT_REGISTERED_ERROR")
    answer = parse_answer("data_go_kr", body, http_status=http_status, content_type="application/json")
    assert (answer.outcome, answer.failure) == ("auth", "environmental")


@pytest.mark.parametrize(
    ("code", "message", "outcome"),
    [
        ("30", "NO DATA", "no_data"),
        ("30", "조회된 데이터가 없습니다.", "no_data"),
        ("99", "java.net.SocketTimeoutException: Read timed out", "timeout"),
        ("99", "검색결과가 없습니다", "no_data"),
        ("01", "필수 파라미터 정보가 없습니다", "bad_param"),
        ("10", "base_time은 4자리입니다.", "bad_param"),
        ("4005", "존재하지 않는 인증키입니다.", "auth"),
        ("7777", "알 수 없음", "server"),
    ],
)
def test_an_agencys_own_sentence_beats_the_gateways_number(code: str, message: str, outcome: str) -> None:
    answer = parse_answer("data_go_kr", agency_json(code, message))
    assert (answer.outcome, answer.code) == (outcome, code)


@pytest.mark.parametrize("code", ["00", "0", "000", "0000", "200", 0])
def test_every_success_code_is_ok_with_records_and_no_data_without(code: object) -> None:
    header = {"resultCode": code, "resultMsg": "OK"}
    answer = parse_answer("data_go_kr", as_json({"response": {"header": header, "body": {"items": [{"id": "A1"}]}}}))
    assert (answer.outcome, answer.code) == ("ok", str(code))
    for bare in ({"header": header}, {"header": header, "body": None}, {"header": header, "body": ""}):
        assert parse_answer("data_go_kr", as_json({"response": bare})).outcome == "no_data"


def test_one_none_and_many_are_always_a_list() -> None:
    one = parse_answer("data_go_kr", agency_json("00", items={"item": {"id": "A1"}}, totalCount=1))
    assert (one.records, one.total_count) == ([{"id": "A1"}], 1)
    nothing: list[object] = ["", None, {}, [], {"item": ""}, {"item": []}, {"item": None}]
    for items in nothing:
        none = parse_answer("data_go_kr", agency_json("00", items=items, totalCount=0))
        assert (none.outcome, none.records, none.total_count, none.code) == ("no_data", [], 0, "00")
    many = agency_json("00", items=[{"id": "A1"}, {"id": "A2"}], totalCount="25", pageNo=1, numOfRows=2)
    answer = parse_answer("data_go_kr", many)
    assert (len(answer.records), answer.total_count) == (2, 25)


def test_items_that_cannot_be_rows_are_the_wrong_shape() -> None:
    for items in (5, "문장", ["A1"], {"item": 3}):
        answer = parse_answer("data_go_kr", agency_json("00", items=items))
        assert (answer.outcome, answer.failure) == ("not_a_response", "structural")


def test_xml_reads_like_json() -> None:
    item = "<item><id>A1</id><nm>가상</nm></item>"
    for times, total in ((0, 0), (1, 1), (2, 25)):
        body = (
            f"<response><header><resultCode>00</resultCode><resultMsg>NORMAL SERVICE.</resultMsg></header><body><items>"
            f"{item * times}</items><numOfRows>2</numOfRows><pageNo>1</pageNo><totalCount>{total}</totalCount></body>"
            "</response>"
        )
        answer = parse_answer("hrdk", body.encode())
        assert (answer.records, answer.total_count) == ([{"id": "A1", "nm": "가상"}] * times, total)
        assert answer.outcome == ("ok" if times else "no_data")


@pytest.mark.parametrize(
    ("value", "records", "total"),
    [
        # no `response` around, body first, the list directly under items
        ({"body": {"items": [{"id": 1}], "totalCount": 9}, "header": {"resultCode": "00"}}, [{"id": 1}], 9),
        # item without items
        ({"response": {"header": {"resultCode": "00"}, "body": {"item": {"id": 1}}}}, [{"id": 1}], None),
        # a list of another name
        ({"header": {"resultCode": "0"}, "body": {"rows": [{"id": 1}], "totalCount": 1}}, [{"id": 1}], 1),
        ({"header": {"resultCode": "0"}, "body": {"items": {"itemList": [{"id": 1}]}}}, [{"id": 1}], None),
        # one flat record as the body
        ({"header": {"resultCode": "0"}, "body": {"id": 1, "nm": "가", "pageNo": 1}}, [{"id": 1, "nm": "가"}], None),
        # everything flat
        ({"resultCode": "00", "resultMsg": "OK", "totalCount": 4, "items": [{"id": 1}]}, [{"id": 1}], 4),
        # buses
        (
            {"response": {"comMsgHeader": "", "msgHeader": {"resultCode": 0}, "msgBody": {"busList": [{"id": 1}]}}},
            [{"id": 1}],
            None,
        ),
        (
            {"ServiceResult": {"msgHeader": {"headerCd": "0", "itemCount": "0"}, "msgBody": {"itemList": {"id": 1}}}},
            [{"id": 1}],
            None,
        ),
        # the post: rows beside the header
        (
            {
                "AResponse": {
                    "cmmMsgHeader": {"returnCode": "00", "successYN": "Y", "totalCount": 40},
                    "aList": {"id": 1},
                }
            },
            [{"id": 1}],
            40,
        ),
        # odcloud
        (
            {"page": 1, "perPage": 1, "totalCount": 99, "currentCount": 1, "matchCount": 8, "data": [{"id": 1}]},
            [{"id": 1}],
            8,
        ),
        ({"page": 1, "perPage": 1, "totalCount": 99, "currentCount": 1, "data": [{"id": 1}]}, [{"id": 1}], 99),
    ],
)
def test_every_known_envelope_gives_its_rows(value: object, records: list[object], total: int | None) -> None:
    answer = parse_answer("data_go_kr", as_json(value))
    assert (answer.outcome, answer.records, answer.total_count) == ("ok", records, total)


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        ({"response": {"msgHeader": {"resultCode": 4, "resultMessage": "결과가 존재하지 않습니다."}}}, "no_data"),
        ({"ServiceResult": {"msgHeader": {"headerCd": "7", "headerMsg": "Key인증실패"}, "msgBody": ""}}, "auth"),
        ({"AResponse": {"cmmMsgHeader": {"successYN": "N", "returnCode": "99", "errMsg": "오류"}}}, "server"),
        ({"page": 1, "data": [], "totalCount": 0, "currentCount": 0}, "no_data"),
        ({"code": -401, "msg": "유효하지 않은 인증키 입니다."}, "auth"),
        ({"code": -4, "msg": "등록되지 않은 인증키 입니다."}, "auth"),
        ({"NullPointerException": {"trace": "x"}}, "server"),
    ],
)
def test_every_known_envelope_reports_its_failures(value: object, outcome: str) -> None:
    assert parse_answer("data_go_kr", as_json(value)).outcome == outcome


def test_a_gateway_message_without_the_constant_is_taken_over() -> None:
    answer = parse_answer("kdic", gateway_xml("30", ""))
    assert (answer.outcome, answer.message) == ("auth", "SERVICE ERROR")


def test_rows_beside_the_header_are_rows() -> None:
    beside = {"header": {"resultCode": "00", "resultMsg": "OK"}, "numOfRows": 10, "pageNo": 1, "totalCount": 2}
    rows = [{"num": "1", "fncIstNm": "가상저축은행"}, {"num": "2", "fncIstNm": "모의저축은행"}]
    answer = parse_answer("kdic", as_json({"getCompanyList": {**beside, "item": rows}}))
    assert (answer.outcome, answer.records, answer.total_count, answer.code) == ("ok", rows, 2, "00")
    none = parse_answer("kdic", as_json({"getCompanyList": {**beside, "totalCount": 0, "item": []}}))
    assert (none.outcome, none.total_count) == ("no_data", 0)
