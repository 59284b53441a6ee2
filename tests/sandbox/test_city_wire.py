"""Seoul's two hosts: key and terms in the path, limits, refusals, and shapes of their own."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import Faults, SandboxTransport
from kopa_hf.sandbox.city.licences import LARGEST
from kopa_hf.sandbox.query import Query
from kopa_hf.sandbox.registry import handlers

from .city_service import HOST, KEY, SUBWAY, TOOLS, WORLD, ask, get, read

RESTAURANTS = "LOCALDATA_072404"


@pytest.mark.parametrize(
    ("path", "outcome", "code"),
    [
        (f"{KEY}/json/{RESTAURANTS}/1/5/", "ok", "INFO-000"),
        (f"{KEY}/xml/{RESTAURANTS}/1/5", "ok", "INFO-000"),
        (f"sample/json/{RESTAURANTS}/1/5", "ok", "INFO-000"),
        (f"sample/json/{RESTAURANTS}/1/6", "bad_param", "ERROR-335"),
        (f"/json/{RESTAURANTS}/1/5", "auth", "INFO-100"),
        (f"wrong/json/{RESTAURANTS}/1/5", "auth", "INFO-100"),
        (f"json/{RESTAURANTS}/1/5/", "bad_param", "ERROR-300"),
        (f"{KEY}/yaml/{RESTAURANTS}/1/5", "bad_param", "ERROR-301"),
        (f"{KEY}/json/NoSuchService/1/5", "unknown_operation", "ERROR-310"),
        (f"{KEY}/json/LOCALDATA_999999/1/5", "server", "ERROR-500"),
        (f"{KEY}/json/{RESTAURANTS}/0/5", "bad_param", "ERROR-331"),
        (f"{KEY}/json/{RESTAURANTS}/1/-5", "bad_param", "ERROR-332"),
        (f"{KEY}/json/{RESTAURANTS}/one/5", "bad_param", "ERROR-333"),
        (f"{KEY}/json/{RESTAURANTS}/5/1", "bad_param", "ERROR-334"),
        (f"{KEY}/json/{RESTAURANTS}/1/1001", "bad_param", "ERROR-336"),
        (f"{KEY}/json/{RESTAURANTS}/{LARGEST + 1}/{LARGEST + 5}", "no_data", "INFO-200"),
        (f"{KEY}/json/CardSubwayStatsNew/1/5", "bad_param", "ERROR-300"),
        (f"{KEY}/json/CardSubwayStatsNew/1/5/yesterday", "bad_param", "ERROR-300"),
        (f"{KEY}/json/CardSubwayStatsNew/1/5/20260129", "no_data", "INFO-200"),
    ],
)
def test_requests_end_as_in_the_real_service(path: str, outcome: str, code: str) -> None:
    answer = read(f"{HOST}/{path}")
    assert (answer.outcome, answer.code) == (outcome, code)


def test_some_refusals_are_xml_although_json_was_asked_for() -> None:
    for path in (f"{KEY}/json/{RESTAURANTS}/1/1001", f"wrong/json/{RESTAURANTS}/1/5"):
        assert get(f"{HOST}/{path}").content.startswith(b"<?xml")
    body = json.loads(get(f"{HOST}/{KEY}/json/{RESTAURANTS}/900001/900005").content)
    assert body == {"RESULT": {"CODE": "INFO-200", "MESSAGE": "해당하는 데이터가 없습니다."}}


def test_the_envelope_is_not_always_named_after_the_service() -> None:
    bodies = {name: json.loads(get(f"{HOST}/{KEY}/json/{name}/1/1").content) for name in ("bikeList", RESTAURANTS)}
    assert list(bodies["bikeList"]) == ["rentBikeStatus"]
    assert list(bodies[RESTAURANTS]) == [RESTAURANTS]
    assert list(bodies[RESTAURANTS][RESTAURANTS]) == ["list_total_count", "RESULT", "row"]


def test_a_blank_term_means_that_it_is_not_set() -> None:
    hours = read(f"{HOST}/{KEY}/json/SPOP_LOCAL_RESD_JACHI/1/1000/20260105//11110").records
    assert [row["TMZON_PD_SE"] for row in hours] == [f"{hour:02d}" for hour in range(24)]
    assert {row["ADSTRD_CODE_SE"] for row in hours} == {"11110"}
    spaced = read(f"{HOST}/{KEY}/json/SPOP_LOCAL_RESD_JACHI/1/1000/20260105/%20/11110").records
    assert spaced == hours


def test_a_station_without_its_area_finds_no_air() -> None:
    assert ask("list_seoul_air_quality_by_area", MSRSTN_NM="종로구").outcome == "no_data"
    assert len(ask("list_seoul_air_quality_by_area", SAREA_NM="도심권", MSRSTN_NM="종로구").records) == 1


def test_services_that_only_speak_xml() -> None:
    response = get(f"{HOST}/{KEY}/json/airPolutionInfo/1/3")
    assert response.content.startswith(b"<?xml")
    assert len(ask("list_seoul_subway_indoor_air_quality").records) > 100


def test_the_subway_says_its_status_in_a_message_of_its_own() -> None:
    name = ask("list_seoul_subway_stations", LINE_NUM="02호선").records[9]["STATION_NM"]
    body = json.loads(get(f"{SUBWAY}/{KEY}/json/realtimeStationArrival/0/5/{name}").content)
    assert list(body) == ["errorMessage", "realtimeArrivalList"]
    assert list(body["errorMessage"]) == ["status", "code", "message", "link", "developerMessage", "total"]
    assert body["errorMessage"]["total"] >= len(body["realtimeArrivalList"]) > 0
    assert list(json.loads(get(f"{SUBWAY}/{KEY}/json/realtimeStationArrival/0/5/없는곳").content)) == ["errorMessage"]
    refused = json.loads(get(f"{SUBWAY}/wrong/json/realtimeStationArrival/0/5/{name}").content)
    assert (refused["code"], refused["status"]) == ("INFO-100", 500)
    everywhere = read(f"{SUBWAY}/{KEY}/json/realtimeStationArrival/ALL")
    assert everywhere.outcome == "ok"
    assert len(everywhere.records) > 500


def test_the_city_data_is_one_object_and_its_people_have_dotted_keys() -> None:
    city = json.loads(get(f"{HOST}/{KEY}/json/citydata/1/5/POI001").content)
    assert list(city) == ["list_total_count", "RESULT", "CITYDATA"]
    assert isinstance(city["CITYDATA"]["LIVE_PPLTN_STTS"][0]["FCST_PPLTN"], list)
    people = json.loads(get(f"{HOST}/{KEY}/json/citydata_ppltn/1/5/POI001").content)
    assert list(people["RESULT"]) == ["RESULT.CODE", "RESULT.MESSAGE"]
    assert people["SeoulRtd.citydata_ppltn"][0]["AREA_CD"] == "POI001"
    nothing = json.loads(get(f"{HOST}/{KEY}/json/citydata_ppltn/1/5/없는곳").content)
    assert nothing["RESULT"]["RESULT.CODE"] == "INFO-200"
    as_xml = read(f"{HOST}/{KEY}/xml/citydata/1/5/POI001")
    assert as_xml.records[0]["AREA_CD"] == "POI001"


def test_the_sample_key_always_sees_the_same_place() -> None:
    for name in ("POI001", "POI050"):
        assert read(f"{HOST}/sample/json/citydata/1/5/{name}").records[0]["AREA_NM"] == "광화문·덕수궁"


@pytest.mark.parametrize(("fault", "outcome"), [("rate_limit", "rate_limit"), ("quota", "quota"), ("server", "server")])
def test_outages_are_told_from_refusals(fault: str, outcome: str) -> None:
    transport = SandboxTransport(WORLD, Faults(transient=((fault, 1.0),)))
    tool = TOOLS["list_seoul_bike_stations"]
    response = transport.handle_request(wire_for("seoul").build_request(tool, {}, KEY))
    assert wire_for("seoul").parse(response.content, http_status=response.status_code).outcome == outcome


PAGED = sorted(name for name, tool in TOOLS.items() if tool.wire == "seoul" and tool.paging and tool.fields)
OPEN = [name for name in PAGED if not any(p.required and p.role == "input" for p in TOOLS[name].inputs)]


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(OPEN), st.integers(1, 5_000), st.integers(1, 40), st.sampled_from(["json", "xml"]))
def test_any_window_of_any_list_parses_back_to_the_worlds_rows(name: str, first: int, size: int, form: str) -> None:
    tool = TOOLS[name]
    operation = tool.endpoint.operation
    rows = handlers("seoul")[operation](WORLD, Query(operation, {}, tool))
    wanted = rows.slice(first - 1, first - 1 + size)
    answer = read(f"{HOST}/{KEY}/{form}/{operation}/{first}/{first + size - 1}", operation)
    if form == "xml" or tool.endpoint.response_format == "xml":
        wanted = [{n: "" if v is None else str(v).strip() for n, v in row.items()} for row in wanted]
    assert answer.records == wanted
    assert answer.outcome == ("ok" if wanted else "no_data")
    if wanted:
        assert answer.total_count == rows.total
