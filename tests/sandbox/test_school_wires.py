"""NEIS, 학교알리미 and EDSS over their wires: bytes that give back the world's rows, refusals in each one's words."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import sandbox_key
from kopa_hf.sandbox.places import districts
from kopa_hf.sandbox.schools.school import schools

from .schooling import CATALOG, TRANSPORT, WORLD, ask, codes_of, held, one, send

NEIS = "https://open.neis.go.kr/hub/"
SCHOOLINFO = "https://www.schoolinfo.go.kr/openApi.do"
EDSS = "https://openapi.edmgr.kr/openAPI/service/"
ITEMS = [tool for tool in CATALOG if tool.wire == "schoolinfo"]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 12_099),
    st.sampled_from(
        [
            "list_neis_school_meals",
            "list_neis_school_schedule",
            "list_neis_school_classes",
            "list_neis_timetable_classrooms",
        ]
    ),
    st.integers(1, 4),
    st.integers(1, 60),
)
def test_neis_gives_back_the_worlds_rows(number: int, name: str, page: int, size: int) -> None:
    tool, arguments = CATALOG.get(name), codes_of(schools(WORLD)[number])
    answer = send(tool, {**arguments, "pIndex": str(page), "pSize": str(size)})
    rows = held(tool, arguments)
    assert answer.records == rows.slice((page - 1) * size, page * size)
    assert answer.outcome == ("ok" if answer.records else "no_data")
    assert not answer.records or answer.total_count == rows.total


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(ITEMS),
    st.sampled_from(districts()),
    st.sampled_from(["02", "03", "04", "05"]),
    st.integers(2022, 2026),
)
def test_schoolinfo_gives_back_the_worlds_rows(tool: Tool, district: Any, level: str, year: int) -> None:
    arguments = {"schulKndCode": level, "sggCode": district.code, "sidoCode": district.province.code}
    if tool.parameter("pbanYr") is not None:
        arguments["pbanYr"] = str(year)
    if tool.parameter("depthNo") is not None:
        arguments["depthNo"] = "10"
    answer = send(tool, arguments)
    if tool.endpoint.operation == "55" and level == "02":
        assert answer.outcome == "bad_param"
        return
    expected = held(tool, arguments).all()
    assert answer.records == expected
    assert answer.outcome == ("ok" if expected else "no_data")
    assert all(record.keys() == {field.name for field in tool.fields} for record in answer.records)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["서울", "경북", "제주", "경상북도", "없는곳"]), st.integers(2015, 2026))
def test_edss_gives_back_the_worlds_rows_and_counts_them_in_words(province: str, year: int) -> None:
    tool = CATALOG.get("list_edss_class_status")
    arguments = {"crtrYr": str(year), "ctpvNm": province}
    answer = send(tool, arguments)
    rows = held(tool, arguments)
    assert answer.records == rows.all()
    assert answer.total_count == rows.total
    assert bool(answer.records) == (len(province) == 2 and 2016 <= year <= 2025)


def test_provinces_are_spelled_as_each_table_wants_them() -> None:
    assert len(ask("list_edss_special_class_status", trgtYr="2024", ctpvNm="경상북도")) > 500
    assert ask("list_edss_special_class_status", trgtYr="2024", ctpvNm="경북") == []


def test_neis_without_a_key_shows_five_rows() -> None:
    answer = send(CATALOG.get("search_neis_schools"), {"SCHUL_NM": "서울"}, key=None)
    assert (answer.outcome, len(answer.records)) == ("ok", 5)
    assert answer.total_count is not None
    assert answer.total_count > 1000


@pytest.mark.parametrize(
    ("arguments", "key", "outcome", "code"),
    [
        ({"SD_SCHUL_CODE": "7000000"}, "", "bad_param", "ERROR-300"),
        ({"ATPT_OFCDC_SC_CODE": "B10", "SD_SCHUL_CODE": "0000000"}, "", "no_data", "INFO-200"),
        ({"ATPT_OFCDC_SC_CODE": "B10", "SD_SCHUL_CODE": "0000000"}, "wrong", "auth", "ERROR-290"),
        ({"ATPT_OFCDC_SC_CODE": "B10", "SD_SCHUL_CODE": "1", "pSize": "1001"}, "", "bad_param", "ERROR-336"),
        ({"ATPT_OFCDC_SC_CODE": "B10", "SD_SCHUL_CODE": "1", "pIndex": "0"}, "", "bad_param", "ERROR-333"),
    ],
)
def test_neis_refuses_with_its_codes(arguments: dict[str, str], key: str, outcome: str, code: str) -> None:
    answer = send(CATALOG.get("list_neis_school_meals"), arguments, key)
    assert (answer.outcome, answer.code) == (outcome, code)


def test_neis_understands_a_month_and_lower_case_names() -> None:
    school = one("02")
    asked = {**codes_of(school), "MLSV_YMD": "202506", "type": "json", "KEY": sandbox_key("education")}
    response = TRANSPORT.handle_request(httpx.Request("GET", NEIS + "mealServiceDietInfo", params=asked))
    rows = json.loads(response.content)["mealServiceDietInfo"][1]["row"]
    assert rows
    assert all(row["MLSV_YMD"].startswith("202506") for row in rows)
    response = TRANSPORT.handle_request(httpx.Request("GET", NEIS + "noSuchService", params=asked))
    assert json.loads(response.content)["RESULT"]["CODE"] == "ERROR-310"


def test_schoolinfo_says_in_sentences_what_is_wrong() -> None:
    tool = CATALOG.get("list_schoolinfo_school_status")
    asked = {"schulKndCode": "02", "sggCode": "11110", "pbanYr": "2025"}
    assert send(tool, asked, key=None).outcome == "auth"
    assert send(tool, asked, key="0" * 32).outcome == "auth"
    missing = send(tool, {"schulKndCode": "02", "sggCode": "11110"})
    assert missing.outcome == "bad_param"
    assert "pbanYr" in (missing.message or "")
    assert send(tool, {**asked, "sggCode": "41110"}).outcome == "no_data"  # 수원시: its districts are asked one by one
    assert send(tool, {**asked, "pbanYr": "2021"}).outcome == "no_data"
    response = TRANSPORT.handle_request(
        httpx.Request("GET", SCHOOLINFO, params={"apiType": "999", "apiKey": sandbox_key("education")})
    )
    assert (response.status_code, json.loads(response.content)["resultCode"]) == (200, "error")


def _edss(method: str = "POST", service: str = "SA00202400014", **changes: Any) -> tuple[int, dict[str, Any]]:
    key = sandbox_key("education")
    body = {
        "apiId": service,
        "userApiAthkCn": key,
        "srhParam": {"crtrYr": "2023", "ctpvNm": "제주"},
        **changes.get("body", {}),
    }
    request = httpx.Request(
        method,
        EDSS + service + changes.get("query", ""),
        headers={"api_key": changes.get("header", key)},
        json={name: value for name, value in body.items() if value is not None},
    )
    response = TRANSPORT.handle_request(request)
    content: dict[str, Any] = json.loads(response.content)
    return response.status_code, content


def test_edss_looks_at_the_key_twice() -> None:
    status, content = _edss()
    assert (status, content["msgCd"]) == (200, "200 (성공)")
    assert content["msgCn"] == f"[조회건수 : {len(content['resultData']):,} 건]"
    status, content = _edss(header="bad")
    assert (status, content["loc"], content["headers"]["api_key"]) == (401, "GATEWAY", "bad")
    status, content = _edss(body={"userApiAthkCn": None})
    assert (status, content) == (404, {"loc": "PROVIDER", "message": "Not Found"})


def test_edss_refuses_other_methods_services_and_names() -> None:
    assert _edss("GET")[0] == 405
    assert _edss(service="SA00000000000")[0] == 404
    assert _edss(query="?crtrYr=2023")[0] == 400
    assert _edss(body={"srhParam": {"year": "2023"}})[0] == 400
    assert _edss(body={"apiId": "SA00202400013"})[0] == 400


def test_refusals_are_understood_by_the_adapter() -> None:
    tool = CATALOG.get("list_edss_student_status")
    assert send(tool, {"crtrYr": "2023"}, key="bad").outcome == "auth"
    assert send(tool, {"crtrYr": "2023"}, key=None).outcome == "auth"
    assert send(tool, {"year": "2023"}).outcome == "bad_param"


def test_neis_speaks_xml_too() -> None:
    school = one("04", 2)
    asked = {**codes_of(school), "KEY": sandbox_key("education"), "MLSV_YMD": "20250512"}
    response = TRANSPORT.handle_request(httpx.Request("GET", NEIS + "mealServiceDietInfo", params=asked))
    answer = wire_for("neis").parse(response.content, operation="mealServiceDietInfo")
    expected = held(CATALOG.get("list_neis_school_meals"), {**codes_of(school), "MLSV_YMD": "20250512"}).all()
    assert answer.records == [{name: str(value) for name, value in row.items()} for row in expected] != []
    assert answer.total_count == len(expected)
