"""The Assembly, 나이스, 경기 and 서울: one family of codes, four ways to wrap rows."""

from __future__ import annotations

import pytest

from kopa_hf.platforms import parse_answer

from .bodies import as_json, bare_result, portal_json

CODES = [
    ("INFO-100", "auth", "environmental"),
    ("INFO-200", "no_data", "no_data"),
    ("INFO-300", "auth", "environmental"),
    ("ERROR-290", "auth", "environmental"),
    ("ERROR-300", "bad_param", "structural"),
    ("ERROR-301", "bad_param", "structural"),
    ("ERROR-310", "unknown_operation", "structural"),
    ("ERROR-331", "bad_param", "structural"),
    ("ERROR-332", "bad_param", "structural"),
    ("ERROR-333", "bad_param", "structural"),
    ("ERROR-334", "bad_param", "structural"),
    ("ERROR-335", "bad_param", "structural"),
    ("ERROR-336", "bad_param", "structural"),
    ("ERROR-337", "quota", "environmental"),
    ("ERROR-500", "server", "environmental"),
    ("ERROR-600", "server", "environmental"),
    ("ERROR-601", "server", "environmental"),
    ("ERROR-999", "server", "environmental"),
]
PORTALS = ["assembly", "neis", "gyeonggi", "seoul"]


@pytest.mark.parametrize("wire", PORTALS)
@pytest.mark.parametrize(("code", "outcome", "failure"), CODES)
def test_every_code_means_the_same_bare_wrapped_and_in_xml(wire: str, code: str, outcome: str, failure: str) -> None:
    inside = {"Svc": {"list_total_count": 0, "RESULT": {"CODE": code, "MESSAGE": "알림"}}}
    xml = f"<RESULT><CODE>{code}</CODE><MESSAGE><![CDATA[알림]]></MESSAGE></RESULT>"
    for body in (bare_result(code), as_json(inside), portal_json("Svc", [], 0, code), xml.encode()):
        answer = parse_answer(wire, body, operation="Svc")
        assert (answer.outcome, answer.failure, answer.code, answer.records) == (outcome, failure, code, [])


@pytest.mark.parametrize("wire", PORTALS)
def test_success_without_rows_is_no_data(wire: str) -> None:
    for body in (portal_json("Svc", [], 0), as_json({"Svc": [{"head": [{"list_total_count": 7}]}, {"row": []}]})):
        assert parse_answer(wire, body).outcome == "no_data"


def test_counts_may_be_text_and_columns_keep_their_json_types() -> None:
    row = {"BILL_NO": "2299001", "MEMBER_TCNT": 296, "ANEXP": 31679000000, "N4": 55.7, "LAW_PROC_DT": None}
    body = as_json(
        {"svc": [{"head": [{"list_total_count": "1,203"}, {"RESULT": {"CODE": "INFO-000"}}]}, {"row": [row]}]}
    )
    answer = parse_answer("assembly", body, content_type="text/html;charset=UTF-8")
    assert (answer.records, answer.total_count, answer.code) == ([row], 1203, "INFO-000")


def test_head_and_row_in_any_order_and_in_pieces() -> None:
    head = {"head": [{"RESULT": {"CODE": "INFO-000", "MESSAGE": "정상"}}, {"list_total_count": 3}]}
    body = as_json({"svc": [{"row": [{"A": 1}]}, head, {"row": {"A": 2}}]})
    answer = parse_answer("assembly", body)
    assert (answer.records, answer.total_count) == ([{"A": 1}, {"A": 2}], 3)


def test_a_wrapper_under_another_name_than_the_operation_is_found() -> None:
    body = as_json({"rentBikeStatus": {"list_total_count": 1, "RESULT": {"CODE": "INFO-000"}, "row": [{"ID": "가-1"}]}})
    assert parse_answer("seoul", body, operation="bikeList").records == [{"ID": "가-1"}]


def test_xml_of_one_row_is_a_list_of_one() -> None:
    body = (
        "<Gasang><head><list_total_count>1</list_total_count><RESULT><CODE>INFO-000</CODE><MESSAGE>정상</MESSAGE></RESULT>"
        "<api_version>1.0</api_version></head><row><SIGUN_NM>가상시 </SIGUN_NM><ZIP/></row></Gasang>"
    )
    answer = parse_answer("gyeonggi", body.encode(), operation="Gasang")
    assert (answer.records, answer.total_count) == ([{"SIGUN_NM": "가상시", "ZIP": ""}], 1)


def test_a_row_that_is_no_row_is_the_wrong_shape() -> None:
    answer = parse_answer("neis", as_json({"svc": [{"head": [{"list_total_count": 1}]}, {"row": "하나"}]}))
    assert (answer.outcome, answer.failure) == ("not_a_response", "structural")


def test_the_subways_status_object_and_rows_are_read() -> None:
    status = {"status": 200, "code": "INFO-000", "message": "정상 처리되었습니다.", "total": 2}
    rows = [{"statnNm": "가상역", "btrainNo": "9001"}, {"statnNm": "가상역", "btrainNo": "9002"}]
    answer = parse_answer("seoul", as_json({"errorMessage": status, "realtimeArrivalList": rows}))
    assert (answer.outcome, answer.records, answer.total_count) == ("ok", rows, 2)
    for code in ("INFO-200", "INFO-000"):
        answer = parse_answer("seoul", as_json({"errorMessage": {**status, "code": code, "total": 0}}))
        assert (answer.outcome, answer.code) == ("no_data", code)


def test_a_subway_failure_without_wrapper_is_read() -> None:
    body = as_json({"status": 500, "code": "ERROR-337", "message": "한도", "link": "", "total": 0})
    assert parse_answer("seoul", body).outcome == "quota"


def test_the_subway_in_xml_has_lower_case_codes() -> None:
    body = (
        "<realtimeStationArrival><RESULT><code>INFO-000</code><message>정상</message><total>1</total></RESULT>"
        "<row><statnNm>가상역</statnNm></row></realtimeStationArrival>"
    )
    answer = parse_answer("seoul", body.encode())
    assert (answer.records, answer.total_count, answer.code) == ([{"statnNm": "가상역"}], 1, "INFO-000")


def test_city_data_is_one_object_and_its_population_has_dotted_keys() -> None:
    city = {"AREA_NM": "가상광장", "LIVE": [{"A": 1}]}
    dotted = {"RESULT.CODE": "INFO-000", "RESULT.MESSAGE": "정상"}
    whole = parse_answer("seoul", as_json({"list_total_count": 1, "RESULT": {"CODE": "INFO-000"}, "CITYDATA": city}))
    people = parse_answer("seoul", as_json({"SeoulRtd.citydata_ppltn": [city], "RESULT": dotted}))
    assert (whole.records, whole.total_count) == ([city], 1)
    assert (people.records, people.code) == ([city], "INFO-000")
    assert parse_answer("seoul", as_json({"RESULT": {"RESULT.CODE": "INFO-200"}})).outcome == "no_data"


def test_a_notice_page_in_euc_kr_is_no_answer() -> None:
    body = "<html><body>제공이 종료된 자료입니다</body></html>".encode("euc-kr")
    answer = parse_answer("gyeonggi", body, content_type="text/html; charset=euc-kr")
    assert (answer.outcome, answer.failure) == ("not_a_response", "environmental")
