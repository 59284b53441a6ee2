"""Gyeonggi's buses: stops, routes and buses tell one story, over their own wire."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import SandboxTransport, sandbox_key
from kopa_hf.sandbox.probing import Prober
from kopa_hf.sandbox.province.routes import buses, calls, route, route_count, route_of_id
from kopa_hf.sandbox.province.stations import distance, pair_count, search, station, station_of_id
from kopa_hf.sandbox.world import default_world

WORLD = default_world()
TOOLS = {tool.name: tool for tool in load_catalog() if tool.platform == "gyeonggi" and tool.wire == "data_go_kr"}
TRANSPORT = SandboxTransport(WORLD)

Record = dict[str, Any]
STOPS = st.integers(0, pair_count(WORLD) * 2 - 1)
ROUTES = st.integers(0, route_count(WORLD) - 1)


def body_of(name: str, **given_: str) -> tuple[bytes, str]:
    request = wire_for("data_go_kr").build_request(TOOLS[name], given_, sandbox_key("gyeonggi"))
    response = TRANSPORT.handle_request(request)
    return response.content, response.headers["content-type"]


def ask(name: str, **given_: str) -> Answer:
    content, content_type = body_of(name, **given_)
    return wire_for("data_go_kr").parse(content, content_type=content_type)


def records(name: str, **given_: str) -> list[Record]:
    answer = ask(name, **given_)
    assert answer.outcome in ("ok", "no_data"), (name, answer)
    return answer.records


@settings(deadline=None)
@given(STOPS)
def test_a_stop_is_found_again_by_its_number(index: int) -> None:
    stop = station(WORLD, index)
    assert station_of_id(WORLD, str(stop.identifier)) == stop
    assert stop in search(WORLD, str(stop.number))


@settings(deadline=None)
@given(ROUTES)
def test_a_route_is_found_again_and_turns_halfway(index: int) -> None:
    line = route(WORLD, index)
    assert route_of_id(WORLD, str(line.identifier)) == line
    assert len(set(line.stops)) == len(line.stops) == line.turn * 2
    out, back = line.stops[: line.turn], line.stops[line.turn :]
    assert [number + 1 for number in reversed(out)] == list(back)


def test_numbers_of_stops_and_routes_are_unique_each() -> None:
    stops = [station(WORLD, index) for index in range(0, pair_count(WORLD) * 2, 7)]
    assert len({stop.identifier for stop in stops}) == len({stop.number for stop in stops}) == len(stops)
    assert len({route(WORLD, index).identifier for index in range(route_count(WORLD))}) == route_count(WORLD)


@pytest.mark.parametrize("text", ["", "abc", "299999999", "200999999", "20000000", "2000000001"])
def test_what_is_no_number_of_a_stop_or_route_finds_none(text: str) -> None:
    assert station_of_id(WORLD, text) is None
    assert route_of_id(WORLD, text) is None


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STOPS)
def test_routes_of_a_stop_stop_there(index: int) -> None:
    stop = station(WORLD, index)
    for line, order in calls(WORLD, stop):
        assert line.stops[order - 1] == stop.index
    given_ = {"stationId": str(stop.identifier)}
    through = records("list_gyeonggi_bus_routes_of_station", **given_)
    coming = records("list_gyeonggi_bus_arrivals", **given_)
    assert [(r["routeId"], r["staOrder"]) for r in through] == [(r["routeId"], r["staOrder"]) for r in coming]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ROUTES)
def test_arrivals_follow_from_where_the_buses_are(index: int) -> None:
    line = route(WORLD, index)
    where = records("list_gyeonggi_bus_locations", routeId=str(line.identifier))
    assert [r["stationSeq"] for r in where] == [bus.order for bus in buses(WORLD, line)]
    order = line.turn
    stop = station(WORLD, line.stops[order - 1])
    (item,) = records(
        "get_gyeonggi_bus_arrival",
        stationId=str(stop.identifier),
        routeId=str(line.identifier),
        staOrder=str(order),
    )
    before = [r for r in where if r["stationSeq"] < order]
    assert item["flag"] == ("RUN" if before else "PASS" if where else "STOP")
    if before:
        nearest = before[-1]
        assert (item["vehId1"], item["plateNo1"]) == (nearest["vehId"], nearest["plateNo"])
        assert item["locationNo1"] == order - nearest["stationSeq"]
        assert item["predictTime1"] == -(-item["predictTimeSec1"] // 60)
    if len(before) > 1:
        assert item["predictTimeSec1"] < item["predictTimeSec2"]
    else:
        assert item["predictTime2"] == item["vehId2"] == ""
    listed = records("list_gyeonggi_bus_arrivals", stationId=str(stop.identifier))
    assert any(item.items() <= other.items() for other in listed)


def test_a_route_begins_ends_and_turns_where_its_stops_do() -> None:
    for found in records("search_gyeonggi_bus_routes", keyword="7")[:20]:
        key = {"routeId": str(found["routeId"])}
        (info,) = records("get_gyeonggi_bus_route", **key)
        stops = records("list_gyeonggi_bus_stations_of_route", **key)
        assert found["routeName"].startswith("7")
        assert found.items() <= info.items()
        assert [r["stationSeq"] for r in stops] == list(range(1, len(stops) + 1))
        assert (info["startStationId"], info["startMobileNo"]) == (stops[0]["stationId"], stops[0]["mobileNo"])
        (turn,) = [r for r in stops if r["turnYn"] == "Y"]
        assert turn["stationId"] == info["turnStID"] == info["endStationId"]
        shape = records("list_gyeonggi_bus_route_shape", **key)
        assert [(r["x"], r["y"]) for r in shape] == [(r["x"], r["y"]) for r in stops]


def test_stops_around_a_point_come_nearest_first() -> None:
    start = station(WORLD, 4_000)
    found = records("list_gyeonggi_nearby_bus_stations", x=str(start.x), y=str(start.y))
    away = [r["distance"] for r in found]
    assert found[0]["stationId"] == start.identifier
    assert away == sorted(away)
    assert away[0] == 0
    assert away[-1] <= 500
    assert away == [distance(start.x, start.y, r["x"], r["y"]) for r in found]


def test_the_portal_lists_the_same_stops_and_routes() -> None:
    portal = {tool.name: tool for tool in load_catalog() if tool.wire == "gyeonggi"}

    def listed(name: str) -> list[Record]:
        request = wire_for("gyeonggi").build_request(portal[name], {"pSize": "20"}, sandbox_key("gyeonggi"))
        answer = wire_for("gyeonggi").parse(TRANSPORT.handle_request(request).content)
        return answer.records

    for row in listed("list_gyeonggi_bus_stations"):
        (stop,) = records("get_gyeonggi_bus_station", stationId=row["STATION_ID"])
        assert (stop["stationName"], str(stop["mobileNo"])) == (row["STATION_NM_INFO"], row["STATION_MANAGE_NO"])
    for row in listed("list_gyeonggi_bus_route_stations"):
        stops = records("list_gyeonggi_bus_stations_of_route", routeId=row["ROUTE_ID"])
        assert str(stops[row["STTN_ORDR"] - 1]["stationId"]) == row["STTN_ID"]


def test_metres_driven_grow_along_a_route() -> None:
    tool = next(t for t in load_catalog() if t.endpoint.operation == "TBBMSROUTESTATIONM")
    request = wire_for("gyeonggi").build_request(tool, {"pSize": "60"}, sandbox_key("gyeonggi"))
    rows = wire_for("gyeonggi").parse(TRANSPORT.handle_request(request).content).records
    first = [r for r in rows if r["ROUTE_ID"] == rows[0]["ROUTE_ID"]]
    driven = 0
    for row in first:
        driven += row["GIS_DSTN"]
        assert row["ACCMLT_DSTN"] == driven
    assert first[0]["ACCMLT_DSTN"] == 0


# the wire


def test_one_thing_is_an_object_and_a_list_of_one_a_list() -> None:
    stop = next(s for s in (station(WORLD, i) for i in range(500)) if len(calls(WORLD, s)) == 1)
    content, _ = body_of("list_gyeonggi_bus_arrivals", stationId=str(stop.identifier))
    answer = json.loads(content)["response"]
    assert answer["comMsgHeader"] == ""
    assert answer["msgHeader"]["resultCode"] == 0
    assert isinstance(answer["msgBody"]["busArrivalList"], list)
    content, _ = body_of("get_gyeonggi_bus_station", stationId=str(stop.identifier))
    assert isinstance(json.loads(content)["response"]["msgBody"]["busStationInfo"], dict)


def test_xml_says_the_same() -> None:
    stop = str(station(WORLD, 10).identifier)
    as_json = records("list_gyeonggi_bus_routes_of_station", stationId=stop)
    as_xml = records("list_gyeonggi_bus_routes_of_station", stationId=stop, format="xml")
    assert [{n: str(v) for n, v in record.items()} for record in as_json] == as_xml


@pytest.mark.parametrize(
    ("name", "given_", "outcome"),
    [
        ("list_gyeonggi_bus_arrivals", {"stationId": "299999999"}, "no_data"),
        ("list_gyeonggi_bus_arrivals", {}, "bad_param"),
        ("list_gyeonggi_nearby_bus_stations", {"x": "east", "y": "37"}, "bad_param"),
        ("search_gyeonggi_bus_stations", {"keyword": "없는정류소"}, "no_data"),
    ],
)
def test_refusals(name: str, given_: dict[str, str], outcome: str) -> None:
    assert ask(name, **given_).outcome == outcome


def test_a_wrong_key_is_refused() -> None:
    request = wire_for("data_go_kr").build_request(
        TOOLS["list_gyeonggi_bus_arrivals"], {"stationId": "200000001"}, "wrong-key"
    )
    response = TRANSPORT.handle_request(request)
    answer = wire_for("data_go_kr").parse(response.content, http_status=response.status_code)
    assert (answer.outcome, answer.code) == ("auth", "30")


@pytest.mark.parametrize(("of", "field"), [("getBusRouteListv2", "routeId"), ("getBusArrivalListv2", "staOrder")])
def test_probes_ask_for_a_bus_at_a_stop_of_its_route(of: str, field: str) -> None:
    """Three demanded values that only make sense together."""
    prober = Prober(WORLD, TOOLS.values())
    arrival = TOOLS["get_gyeonggi_bus_arrival"]
    assert [total for _, _, total in prober.answers(arrival)] == [1] * 4
    values = prober.values(next(tool for tool in TOOLS.values() if tool.endpoint.operation == of), field)
    parameter = next(p for p in arrival.inputs if p.name == field)
    assert values
    assert all(prober.accepts(arrival, parameter, value) for value in values)
    assert not prober.accepts(arrival, parameter, "999999999")
