"""The expressways: one network under all services, and the service's own way of answering."""

from __future__ import annotations

import datetime
import json
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import SandboxTransport, World, sandbox_key
from kopa_hf.sandbox.envelopes import ENVELOPES, Incoming
from kopa_hf.sandbox.finance.companies import companies
from kopa_hf.sandbox.highway import HANDLERS
from kopa_hf.sandbox.highway.flows import IN, OUT, class_volume, day_volume, hour_volume, national_day, part_volume
from kopa_hf.sandbox.highway.sections import conzones
from kopa_hf.sandbox.highway.stops import rest_areas
from kopa_hf.sandbox.highway.tollgates import fare, tollgate_by_code, tollgates, trip_km
from kopa_hf.sandbox.query import Query, Rows
from kopa_hf.sandbox.world import LAST_DAY, default_world

WORLD = default_world()
TOOLS = {tool.endpoint.operation: tool for tool in load_catalog() if tool.wire == "expressway"}
TRANSPORT = SandboxTransport(WORLD)
URL = "https://data.ex.co.kr/openapi/"
DUE = {
    "tmType": "1", "sumDate": "20260129", "sumTmUnitTypeCode": "3", "stdHour": "08", "sdate": "20260129",
    "totlDates": "20260129", "routeNo": "0010",
}  # fmt: skip

Record = dict[str, Any]


def due(tool: Tool) -> dict[str, str]:
    """Values for what a tool demands."""
    return {p.name: DUE[p.name] for p in tool.inputs if p.required and p.role == "input"}


def ask(operation: str, **given_: str) -> Answer:
    """A service's answer as its adapter reads it."""
    tool = TOOLS[operation]
    request = wire_for("expressway").build_request(tool, due(tool) | given_, sandbox_key("expressway"))
    return read(TRANSPORT.handle_request(request))


def read(response: httpx.Response) -> Answer:
    return wire_for("expressway").parse(
        response.content, http_status=response.status_code, content_type=response.headers["content-type"]
    )


def send(path: str, **parameters: str) -> httpx.Response:
    headers = {"accept": parameters.pop("accept", "*/*"), "user-agent": parameters.pop("agent", "kopa")}
    asked = {"key": sandbox_key("expressway"), "type": "json"} | parameters
    asked = {name: value for name, value in asked.items() if value}
    return TRANSPORT.handle_request(httpx.Request("GET", URL + path, params=asked, headers=headers))


def rows(operation: str, **given_: str) -> list[Record]:
    """All rows of a service, straight from its handler."""
    tool = TOOLS[operation]
    reply = HANDLERS[operation](WORLD, Query(operation, due(tool) | given_, tool))
    assert isinstance(reply, Rows)
    return reply.all()


def test_every_operation_is_served_with_every_column() -> None:
    assert HANDLERS.keys() == TOOLS.keys()
    for operation, tool in TOOLS.items():
        answer = ask(operation)
        assert answer.outcome == "ok", operation
        assert all(record.keys() == {f.name for f in tool.fields} for record in answer.records), operation


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(TOOLS)), st.integers(0, 200), st.integers(1, 5), st.integers(1, 40), st.booleans())
def test_filtered_pages_parse_back_to_the_worlds_records(
    operation: str, turn: int, page: int, size: int, filtered: bool
) -> None:
    tool = TOOLS[operation]
    handler = HANDLERS[operation]
    given_ = due(tool)
    whole = handler(WORLD, Query(operation, given_, tool))
    assert isinstance(whole, Rows)
    free = [p for p in tool.inputs if p.role == "input" and not p.required and tool.field(p.name) is not None]
    if filtered and free:
        parameter = free[turn % len(free)]
        example = whole.slice(turn % whole.total, turn % whole.total + 1)[0]
        given_[parameter.name] = str(example[parameter.name])
    reply = handler(WORLD, Query(operation, given_, tool))
    assert isinstance(reply, Rows)
    if tool.paging is None:
        answer, expected = ask(operation, **given_), reply.all()
    else:
        answer = ask(operation, **given_, pageNo=str(page), numOfRows=str(size))
        expected = reply.slice((page - 1) * size, page * size)
    assert answer.records == expected
    assert answer.total_count == reply.total
    assert answer.outcome == ("ok" if expected else "no_data")


# counted traffic


def test_hours_lanes_classes_and_parts_add_up_exactly() -> None:
    for gate in tollgates(WORLD)[::40]:
        for way in (IN, OUT):
            day = day_volume(WORLD, gate, LAST_DAY, way)
            hours = [hour_volume(WORLD, gate, LAST_DAY, way, hour) for hour in range(24)]
            assert sum(hours) == day > 0
            cells = [class_volume(hours[17], lane, car) for lane in (0, 1) for car in range(6)]
            assert sum(cells) == hours[17]
            assert sum(part_volume(cells[6], "2", part) for part in range(4)) == cells[6]
            assert sum(part_volume(cells[6], "3", part) for part in range(12)) == cells[6]


def test_the_nation_is_the_sum_of_its_tollgates() -> None:
    day = datetime.date(2026, 1, 29)
    listed = sum(int(r["trafficVolumn"]) for r in rows("nationalTrafficVolumn", sumDate="20260129"))
    assert listed == sum(national_day(WORLD, day).values())
    assert listed == sum(day_volume(WORLD, gate, day, OUT) for gate in tollgates(WORLD))


@pytest.mark.parametrize("unit", ["1", "2"])
def test_tollgates_regions_and_the_nation_agree(unit: str) -> None:
    def total(operation: str, **given_: str) -> int:
        return sum(int(r["trafficAmout"]) for r in rows(operation, tmType=unit, **given_))

    nation = total("trafficAll")
    assert nation == total("trafficIc", inoutType="1") == total("trafficRegion", inoutType="1")
    hipass = total("trafficAll", tcsType="2")
    assert 0 < hipass < nation
    assert hipass == total("trafficIc", inoutType="1", tcsType="2")


def test_trips_to_a_tollgate_add_up_to_what_it_counts() -> None:
    unit, lane = rows("trafficAmountByUnit", stdHour="09"), rows("trafficAmountByLane", stdHour="09")
    for code in ("101", "250", "417"):
        for car in ("1", "4"):
            left = [r for r in unit if (r["unitCode"], r["inoutName"], r["tcsCarTypeCd"]) == (code, "출구", car)]
            trips = [r for r in lane if (r["unitCode"], r["tcsCarTypeCd"]) == (code, car)]
            assert len(left) == 1
            assert sum(int(r["trafficAmout"]) for r in trips) == int(left[0]["trafficAmout"])
            assert all(r["unitName"].endswith("->" + left[0]["unitName"]) for r in trips)


def test_hours_still_to_come_are_yesterdays() -> None:
    assert {r["stdDate"] for r in ask("trafficAmountByUnit", stdHour="17").records} == {"20260130"}
    assert {r["stdDate"] for r in ask("trafficAmountByUnit", stdHour="18").records} == {"20260129"}
    assert ask("nationalTrafficVolumn", sumDate="20260130").outcome == "no_data"


def test_congestion_is_the_congested_part_of_the_flow() -> None:
    flow = rows("trafficAmountByRealtime")
    assert rows("trafficAmountByCongest") == [r for r in flow if r["grade"] == "3"]
    for record in flow:
        speed = int(record["speed"])
        expected = "0" if speed < 0 else "1" if speed >= 80 else "2" if speed >= 40 else "3"
        assert record["grade"] == expected
    assert {r["conzoneId"] for r in flow} == {zone.id for zone in conzones(WORLD)}


# trips


def test_a_fare_worked_by_hand() -> None:
    one, other = tollgates(WORLD)[0], tollgates(WORLD)[30]
    km = trip_km(one, other)
    assert km == round(abs(one.at.km - other.at.km), 2)
    # 900 won and 44.3 won a kilometre, to the next hundred
    assert fare(one, other, 0) == round((900 + km * 44.3) / 100) * 100
    assert abs(fare(one, other, 5) * 2 - fare(one, other, 0)) <= 100


def test_fares_are_the_same_both_ways_and_cover_every_pair() -> None:
    count = len(tollgates(WORLD))
    assert ask("bhoinstIntoTollList").total_count == count * (count - 1) > 224_958
    there = ask("bhoinstIntoTollList", dprtrTolofCd="101", arrvTolofCd="300").records
    back = ask("bhoinstIntoTollList", dprtrTolofCd="300", arrvTolofCd="101").records
    assert len(there) == len(back) == 1
    assert there[0]["nrmlKnd1Amt"] == back[0]["nrmlKnd1Amt"]
    assert int(there[0]["odn1DcKnd1Amt"]) < int(there[0]["nrmlKnd1Amt"])
    assert ask("bhoinstIntoTollList", dprtrTolofCd="101", arrvTolofCd="101").outcome == "no_data"
    assert ask("bhoinstIntoTollList", dprtrTolofCd="101").total_count == count - 1


def test_travel_times_are_ordered_and_travel_codes_are_padded() -> None:
    answer = ask("realUnitTrtm", iStartUnitCode="101", iEndUnitCode="103", numOfRows="99")
    assert answer.records[0]["startUnitCode"] == "101"
    assert answer.total_count == 15 * 6
    assert [r["stdTime"] for r in answer.records[:15]] == [f"{hour:02d}:00" for hour in range(14, -1, -1)]
    assert all(float(r["timeMin"]) < float(r["timeAvg"]) < float(r["timeMax"]) for r in answer.records)
    raw = json.loads(send("trtm/realUnitTrtm", iStartUnitCode="101", iEndUnitCode="103", sumTmUnitTypeCode="3").content)
    assert raw["realUnitTrtmVO"][0]["startUnitCode"] == "101 "


# places


def test_codes_join_the_services_of_a_rest_area() -> None:
    area = rest_areas(WORLD)[20]
    here = ask("locationinfoRest", stdRestCd=area.code).records
    assert [r["unitName"] for r in here] == [area.name]
    menu = rows("restBestfoodList", stdRestCd=area.code)
    assert {r["stdRestNm"] for r in menu} == {area.name}
    facilities = {r["psName"] for r in rows("restConvList", stdRestCd=area.code)}
    summary = ask("conveniServiceArea", serviceAreaCode=here[0]["serviceAreaCode"]).records[0]
    assert facilities == set(summary["convenience"].split("|"))
    best = [r for r in menu if r["bestfoodyn"] == "Y"]
    signature = ask("representFoodServiceArea", serviceAreaName=area.name).records
    assert [(r["batchMenu"], r["salePrice"]) for r in signature] == [(best[0]["foodNm"], best[0]["foodCost"])]


def test_a_stations_code_is_not_its_rest_areas() -> None:
    station = ask("curStateStation").records[0]
    assert {r["stdRestNm"] for r in rows("restOilList", stdRestCd=station["serviceAreaCode2"])} == {
        station["serviceAreaName"]
    }
    assert ask("restConvList", stdRestCd=station["serviceAreaCode2"]).outcome == "no_data"
    master = rows("hiwaySvarInfoList", svarCd=station["serviceAreaCode2"], svarGsstClssCd="1")
    assert [r["bsopAdtnlFcltCd"] for r in master] == [station["serviceAreaCode"]]


def test_prices_are_text_and_the_cheap_brand_is_listed_apart() -> None:
    stations = rows("curStateStation")
    for record in stations:
        assert record["gasolinePrice"].endswith("원")
        assert (record["lpgPrice"] == "X") == (record["lpgYn"] == "N")
    cheap = {r["serviceAreaCode"] for r in rows("frugalStationInfo")}
    assert cheap == {r["serviceAreaCode"] for r in stations if r["oilCompany"] == "AD"}


def test_route_numbers_have_three_digits_at_tollgates_only() -> None:
    gate = tollgate_by_code(WORLD, "150")
    assert gate is not None
    assert ask("locationinfoUnit", unitCode="150").records[0]["routeNo"] == gate.at.route.number[1:]
    assert all(len(r["routeNo"]) == 4 for r in rows("locationinfoIc"))


def test_contracts_are_made_with_the_companies_of_the_register() -> None:
    known = {company.bizr_no: company.name for company in companies(WORLD)}
    assert all(known[r["crno"]] == r["cntrtCrprNm"] for r in rows("elctPrcmCntrtOppubPrss")[:200])
    few = rows("elctPrcmCntrtOppubPrss", sCntrtCntgDates="20250101", eCntrtCntgDates="20250131")
    assert few
    assert all("20250101" <= r["cntrtCntgDates"] <= "20250131" for r in few)


def test_a_contract_is_about_what_its_notice_says() -> None:
    last = {"공사": "공사", "용역": "용역", "물품": "구매"}
    contracts = rows("elctPrcmCntrtOppubPrss", sCntrtCntgDates="20250101", eCntrtCntgDates="20251231")
    assert {r["pbanClssNm"] for r in contracts} == set(last)
    assert all(r["cntrtNm"].endswith(last[r["pbanClssNm"]]) for r in contracts)


def test_missing_weather_is_a_sentinel() -> None:
    for record in rows("restWeatherList", sdate="20250715", stdHour="13"):
        assert record["snowValue"] == "-99.000000"
        assert 10 < float(record["tempValue"]) < 42
    assert ask("restWeatherList", sdate="20270101").outcome == "no_data"


def test_figures_change_with_the_value_seed_and_names_do_not() -> None:
    other = World(value_seed=1)
    assert [g.name for g in tollgates(other)] == [g.name for g in tollgates(WORLD)]
    assert [a.name for a in rest_areas(other)] == [a.name for a in rest_areas(WORLD)]
    gate = tollgates(WORLD)[5]
    assert day_volume(other, gate, LAST_DAY, OUT) != day_volume(WORLD, gate, LAST_DAY, OUT)


# the envelope


def test_a_bad_key_gives_null_for_rows_with_http_200() -> None:
    for key in ("", "0123456789", sandbox_key("dart")):
        response = send("basicinfo/unitList", key=key)
        assert response.status_code == 200
        assert json.loads(response.content)["list"] is None
        assert read(response).outcome == "auth"


@pytest.mark.parametrize(
    ("path", "given_", "outcome"),
    [
        ("trafficapi/trafficIc", {}, "bad_param"),
        ("trafficapi/trafficIc", {"tmType": "1", "type": ""}, "bad_param"),
        ("restinfo/restWeatherList", {"sdate": "2026-01-29", "stdHour": "12"}, "bad_param"),
        ("basicinfo/unitList", {"pageNo": "0"}, "bad_param"),
        ("basicinfo/unitList", {"numOfRows": "ten"}, "bad_param"),
        ("basicinfo/unitList", {"pageNo": "9999"}, "no_data"),
        ("basicinfo/unitList", {"unitName": "그런곳없음"}, "no_data"),
        ("burstInfo/realTimeIncidentInfo", {}, "unknown_operation"),
        ("basicinfo/unitList", {"agent": "curl/8.5.0"}, "auth"),
    ],
)
def test_refusals_have_their_outcome(path: str, given_: dict[str, str], outcome: str) -> None:
    assert read(send(path, **given_)).outcome == outcome


def test_a_missing_parameter_is_named() -> None:
    assert "tmType" in (read(send("trafficapi/trafficIc")).message or "")
    assert send("basicinfo/unitList", agent="curl/8.5.0").status_code == 400


def test_ninety_nine_rows_are_the_most_and_page_size_is_the_number_of_pages() -> None:
    content = json.loads(send("basicinfo/unitList", numOfRows="500").content)
    assert (len(content["unitLists"]), content["numOfRows"]) == (99, 99)
    assert content["pageSize"] == -(-content["count"] // 99)


def test_paging_can_be_turned_off_where_a_service_lets_it() -> None:
    whole = ask("realTimeSms", pagingYn="N")
    assert len(whole.records) == whole.total_count == 270
    assert len(ask("realTimeSms", pagingYn="Y").records) == 10


def test_counts_are_text_where_the_service_spells_them_so() -> None:
    rest = json.loads(send("locationinfo/locationinfoRest").content)
    assert rest["count"] == str(len(rest_areas(WORLD)))
    assert isinstance(json.loads(send("business/curStateStation").content)["count"], int)
    assert read(send("locationinfo/locationinfoRest")).total_count == len(rest_areas(WORLD))


def test_some_rows_repeat_the_page_parameters_as_null() -> None:
    raw = json.loads(send("business/curStateStation").content)["list"][0]
    assert (raw["pageNo"], raw["numOfRows"]) == (None, None)
    assert "pageNo" not in read(send("business/curStateStation")).records[0]


def test_xml_holds_the_same_rows_under_data() -> None:
    response = send("trtm/realUnitTrtm", type="xml", sumTmUnitTypeCode="3")
    assert response.content.startswith(b'<?xml version="1.0" encoding="UTF-8"?><data>')
    assert read(response).records == read(send("trtm/realUnitTrtm", sumTmUnitTypeCode="3")).records
    assert read(send("basicinfo/unitList", type="xml", key="nothing")).outcome == "auth"


@pytest.mark.parametrize(("accept", "outcome"), [("application/json", "server"), ("*/*", "not_a_response")])
def test_a_crash_is_an_exception_or_a_page(accept: str, outcome: str) -> None:
    asked = Incoming("GET", "data.ex.co.kr", "/openapi/basicinfo/unitList", headers={"accept": accept})
    crash = ENVELOPES["expressway"].trouble("server", asked)
    assert crash.status == 200
    assert wire_for("expressway").parse(crash.body, content_type=crash.content_type).outcome == outcome
