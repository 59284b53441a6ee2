"""Requests: every part where its service looks for it, and the key in one place and one spelling."""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import parse_qsl

import httpx
import pytest

from kopa_hf.catalog.tool import Endpoint, Paging, Parameter, Tool
from kopa_hf.platforms import wire_for
from tests.timing import loops

KEY = "ab%2Bcd%3D%3D"


def make_tool(wire: str, endpoint: Endpoint, *parameters: Parameter, paging: Paging | None = None) -> Tool:
    return Tool("tool", wire, wire, "domain", "제목", "설명", endpoint, parameters, paging=paging)


def query_of(request: httpx.Request) -> dict[str, str]:
    return dict(parse_qsl(request.url.query.decode("ascii"), keep_blank_values=True))


ASSEMBLY = make_tool(
    "assembly",
    Endpoint("https://open.assembly.go.kr/portal/openapi/nabcdefghijklmnop", auth="KEY", operation="nabcdefghijklmnop"),
    Parameter("AGE", "대수"),
    Parameter("BILL_NAME", "의안명"),
    Parameter("pIndex", "쪽", role="page"),
    Parameter("pSize", "쪽당 건수", role="size"),
    paging=Paging("pIndex", "pSize", default_size=100, max_size=1000),
)
DART = make_tool(
    "dart",
    Endpoint("https://opendart.fss.or.kr/api/list.json", auth="crtfc_key", operation="list"),
    Parameter("corp_code", "고유번호"),
)
KRX = make_tool(
    "krx",
    Endpoint("https://data-dbg.krx.co.kr/svc/apis/sto/stk_bydd_trd", auth="AUTH_KEY", auth_in="header"),
    Parameter("basDd", "기준일자", required=True),
)
SEOUL = make_tool(
    "seoul",
    Endpoint(
        "http://openapi.seoul.go.kr:8088/{KEY}/{TYPE}/GasangAir/{START_INDEX}/{END_INDEX}/{AREA}/{STATION}",
        auth="KEY",
        auth_in="path",
    ),
    Parameter("TYPE", "형식", role="format", location="path"),
    Parameter("START_INDEX", "처음", role="page", location="path"),
    Parameter("END_INDEX", "끝", role="size", location="path"),
    Parameter("AREA", "권역", location="path"),
    Parameter("STATION", "측정소", location="path"),
    paging=Paging("START_INDEX", "END_INDEX", style="range", default_size=10, max_size=1000),
)
EDSS = make_tool(
    "edss",
    Endpoint(
        "https://openapi.edmgr.kr/openAPI/service/SA99900000001",
        method="POST",
        auth="api_key",
        auth_in="header",
        operation="SA99900000001",
    ),
    Parameter("crtrYr", "기준연도", location="body"),
)


def test_the_assembly_gets_format_and_page_with_every_request() -> None:
    request = wire_for("assembly").build_request(ASSEMBLY, {"AGE": "22"}, KEY)
    assert query_of(request) == {"KEY": "ab+cd==", "Type": "json", "pIndex": "1", "pSize": "100", "AGE": "22"}
    request = wire_for("assembly").build_request(ASSEMBLY, {"pSize": "5", "pIndex": "3"}, KEY)
    assert query_of(request) == {"KEY": "ab+cd==", "Type": "json", "pIndex": "3", "pSize": "5"}


@pytest.mark.parametrize("key", ["ab%2Bcd%3D%3D", "ab+cd=="])
def test_both_spellings_of_a_key_go_out_encoded_once(key: str) -> None:
    for tool, name in ((ASSEMBLY, "KEY"), (DART, "crtfc_key")):
        query = wire_for(tool.wire).build_request(tool, {}, key).url.query.decode()
        assert f"{name}=ab%2Bcd%3D%3D" in query.split("&")
    assert wire_for("seoul").build_request(SEOUL, {}, key).url.raw_path.startswith(b"/ab%2Bcd%3D%3D/json/")
    assert wire_for("krx").build_request(KRX, {"basDd": "20250102"}, key).headers["AUTH_KEY"] == "ab+cd=="


def test_krx_shows_its_key_in_a_header_only() -> None:
    request = wire_for("krx").build_request(KRX, {"basDd": "20250102"}, KEY)
    assert str(request.url) == "https://data-dbg.krx.co.kr/svc/apis/sto/stk_bydd_trd?basDd=20250102"
    assert request.headers["AUTH_KEY"] == "ab+cd=="
    again = wire_for("krx").build_request(KRX, {"basDd": "20250103"}, None)
    assert "AUTH_KEY" not in again.headers


@pytest.mark.parametrize("tool", [ASSEMBLY, DART, KRX, SEOUL, EDSS], ids=lambda tool: tool.wire)
def test_without_a_key_its_place_is_left_out(tool: Tool) -> None:
    for key in (None, ""):
        request = wire_for(tool.wire).build_request(tool, {}, key)
        written = f"{request.url} {request.headers.raw} {request.content!r}"
        assert "ab+cd" not in written
        assert not (tool.endpoint.auth_in == "query" and f"{tool.endpoint.auth}=" in str(request.url))
        assert tool.endpoint.auth_in != "header" or tool.endpoint.auth not in request.headers
        assert "userApiAthkCn" not in written


def test_hangul_blanks_and_signs_arrive_as_they_were() -> None:
    value = "가상 수목원&KEY=1?#/%2F+~*,"
    request = wire_for("assembly").build_request(ASSEMBLY, {"BILL_NAME": value}, KEY)
    assert query_of(request)["BILL_NAME"] == value
    assert query_of(request)["KEY"] == "ab+cd=="
    assert b"%20" in request.url.query
    assert b"BILL_NAME=%EA%B0%80" in request.url.query


def test_seouls_terms_stand_in_the_path_in_order() -> None:
    wire = wire_for("seoul")
    arguments = {"START_INDEX": "11", "END_INDEX": "20", "AREA": "가상권", "STATION": "가/나"}
    path = wire.build_request(SEOUL, arguments, "sample").url.raw_path
    assert path == b"/sample/json/GasangAir/11/20/%EA%B0%80%EC%83%81%EA%B6%8C/%EA%B0%80%2F%EB%82%98"
    assert wire.build_request(SEOUL, {}, "sample").url.raw_path == b"/sample/json/GasangAir/1/10"
    assert wire.build_request(SEOUL, {"STATION": "A"}, "sample").url.raw_path == b"/sample/json/GasangAir/1/10/%20/A"
    assert wire.build_request(SEOUL, {"START_INDEX": "31"}, "sample").url.raw_path == b"/sample/json/GasangAir/31/40"
    assert wire.build_request(SEOUL, {}, None).url.raw_path == b"//json/GasangAir/1/10"


def test_a_path_value_of_dots_cannot_climb() -> None:
    path = wire_for("seoul").build_request(SEOUL, {"AREA": "..", "STATION": "."}, "sample").url.raw_path
    assert path == b"/sample/json/GasangAir/1/10/%2E%2E/%2E"


def test_edss_posts_the_key_twice_and_the_service_once_more() -> None:
    request = wire_for("edss").build_request(EDSS, {"crtrYr": "2024"}, KEY)
    assert (request.method, str(request.url)) == ("POST", "https://openapi.edmgr.kr/openAPI/service/SA99900000001")
    assert request.headers["api_key"] == "ab+cd=="
    assert request.headers["content-type"].startswith("application/json")
    assert json.loads(request.content) == {
        "apiId": "SA99900000001",
        "userApiAthkCn": "ab+cd==",
        "srhParam": {"crtrYr": "2024"},
    }


def test_a_fixed_query_of_an_address_stays_and_decides_the_format() -> None:
    tool = make_tool(
        "law",
        Endpoint("https://www.law.go.kr/DRF/lawSearch.do?target=eflaw&type=XML", auth="OC", operation="eflaw"),
        Parameter("query", "검색어"),
        paging=Paging("page", "display", default_size=20),
    )
    request = wire_for("law").build_request(tool, {"query": "가상법"}, "oc")
    expected = {"OC": "oc", "target": "eflaw", "type": "XML", "page": "1", "display": "20", "query": "가상법"}
    assert query_of(request) == expected
    assert request.headers["Referer"] == "https://www.law.go.kr/"


@pytest.mark.parametrize(
    ("wire", "expected"),
    [("neis", "Type=json"), ("gyeonggi", "Type=json"), ("kdic", "resultType=json"), ("expressway", "type=json")],
)
def test_json_is_asked_for_where_the_service_has_a_word_for_it(wire: str, expected: str) -> None:
    tool = make_tool(wire, Endpoint("https://api.example/x"))
    assert wire_for(wire).build_request(tool, {}, None).url.query.decode() == expected


def test_a_signature_that_names_its_format_parameter_is_obeyed() -> None:
    plain = Parameter("_type", "형식", role="format")
    listed = replace(plain, name="dataType", enum=("XML", "JSON"))
    preset = replace(plain, name="returnType", default="xml")
    for parameter, expected in ((plain, "_type=json"), (listed, "dataType=JSON"), (preset, "returnType=xml")):
        tool = make_tool("data_go_kr", Endpoint("https://api.example/x"), parameter)
        assert wire_for("data_go_kr").build_request(tool, {}, None).url.query.decode() == expected


def test_every_request_carries_an_agent_that_firewalls_let_through() -> None:
    for tool in (ASSEMBLY, KRX, EDSS):
        assert wire_for(tool.wire).build_request(tool, {}, None).headers["User-Agent"].startswith("Mozilla/5.0")


def test_header_and_body_parameters_go_where_the_signature_says() -> None:
    tool = make_tool(
        "data_go_kr",
        Endpoint("https://api.example/x", method="POST", auth="serviceKey", auth_in="body"),
        Parameter("X-Kind", "종류", location="header"),
        Parameter("items", "항목", location="body"),
        Parameter("year", "연도"),
    )
    request = wire_for("data_go_kr").build_request(tool, {"X-Kind": "a", "items": "가", "year": "2025"}, KEY)
    assert (request.url.query, request.headers["X-Kind"]) == (b"year=2025", "a")
    assert json.loads(request.content) == {"items": "가", "serviceKey": "ab+cd=="}


def test_two_tools_of_one_name_do_not_share_a_plan() -> None:
    other = replace(DART, endpoint=replace(DART.endpoint, url="https://opendart.fss.or.kr/api/company.json"))
    wire = wire_for("dart")
    assert [wire.build_request(tool, {}, None).url.path for tool in (DART, other, DART)] == [
        "/api/list.json",
        "/api/company.json",
        "/api/list.json",
    ]


def test_building_a_request_stays_cheap() -> None:
    wire = wire_for("assembly")
    arguments = {"AGE": "22", "BILL_NAME": "가상수목원법안"}

    def requests() -> None:
        for _ in range(400):
            wire.build_request(ASSEMBLY, arguments, KEY)

    assert min(loops(requests) for _ in range(5)) < 6
