"""Seoul's subway, buses and bikes: sums over hours and days, and services that tell one story."""

from __future__ import annotations

import datetime
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.sandbox import World
from kopa_hf.sandbox.city import buses, subway
from kopa_hf.sandbox.city.rides import car_parks, cars, docks, rentals_of_day

from .city_service import WORLD, ask, records

MONTHS = st.tuples(st.sampled_from([2024, 2025]), st.integers(1, 12))


def _days(year: int, month: int) -> list[datetime.date]:
    first = datetime.date(year, month, 1)
    return [day for n in range(31) if (day := first + datetime.timedelta(days=n)).month == month]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, len(subway.stops(WORLD)) - 1), MONTHS)
def test_a_stations_hours_add_up_to_the_months_days(index: int, month: tuple[int, int]) -> None:
    stop = subway.stops(WORLD)[index]
    on, off = subway.month_by_hour(WORLD, stop, *month)
    days = [subway.riders(WORLD, stop, day) for day in _days(*month)]
    assert (len(on), len(off)) == (24, 24)
    assert (sum(on), sum(off)) == (sum(d[0] for d in days), sum(d[1] for d in days))


def test_the_wire_says_the_same_of_hours_and_days() -> None:
    station = records("list_seoul_subway_stations", LINE_NUM="05호선")[20]["STATION_NM"]
    chosen = {"SBWY_ROUT_LN_NM": "5호선"}
    hours = records("list_seoul_subway_hourly_ridership", USE_MM="202502", STTN=station, **chosen)
    assert len(hours) == 1
    by_hour = sum(int(hours[0][f"HR_{hour}_GET_ON_NOPE"]) for hour in range(24))
    by_day = 0
    for day in _days(2025, 2):
        rows = records("list_seoul_subway_daily_ridership", USE_YMD=f"{day:%Y%m%d}", SBWY_STNS_NM=station, **chosen)
        by_day += int(rows[0]["GTON_TNOPE"])
    assert by_hour == by_day > 0


def test_stations_have_one_stop_per_line() -> None:
    rows = records("list_seoul_subway_stations")
    assert len({row["STATION_CD"] for row in rows}) == len({row["FR_CODE"] for row in rows}) == len(rows)
    assert len({(row["STATION_NM"], row["LINE_NUM"]) for row in rows}) == len(rows)
    names = [row["STATION_NM"] for row in rows]
    changing = {name for name in names if names.count(name) > 1}
    assert 10 < len(changing) < len(rows) / 4
    name = sorted(changing)[0]
    found = records("search_seoul_subway_station_by_name", STATION_NM=name)
    assert len({row["LINE_NUM"] for row in found}) == len(found) > 1
    places = [row for row in records("list_seoul_subway_station_locations") if row["BLDN_NM"] == name]
    assert len({(row["LAT"], row["LOT"]) for row in places}) == 1


def test_arriving_trains_are_where_the_positions_say() -> None:
    stop = next(s for s in subway.stops(WORLD) if s.line.number == 3 and s.order == 12)
    running = [row["statnNm"] for row in records("list_seoul_subway_train_positions", subwayNm="3호선")]
    coming = [r for r in records("list_seoul_subway_arrivals", statnNm=stop.name) if r["subwayId"] == "1003"]
    assert coming
    assert {row["arvlMsg3"] for row in coming} <= set(running)
    assert {row["statnNm"] for row in coming} == {stop.name}
    assert all(int(row["barvlDt"]) % 130 == 0 for row in coming)


def test_ids_of_stops_and_routes_are_unique() -> None:
    stops, routes = buses.stops(WORLD), buses.routes(WORLD)
    assert len(stops) == buses.STOPS
    assert len({s.node_id for s in stops}) == len({s.number for s in stops}) == len(stops)
    assert len({r.route_id for r in routes}) == len({r.number for r in routes}) == len(routes)
    every = [v.vehicle_id for r in routes for v in buses.vehicles(WORLD, r)]
    assert len(set(every)) == len(every)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, buses.ROUTES - 1), st.data())
def test_a_halts_hours_add_up_to_the_months_days(index: int, data: st.DataObject) -> None:
    route = buses.routes(WORLD)[index]
    order = data.draw(st.integers(0, route.length - 1))
    year, month = data.draw(MONTHS)
    on, off = buses.month_by_hour(WORLD, route, order, year, month)
    days = [buses.riders(WORLD, route, order, day) for day in _days(year, month)]
    assert (sum(on), sum(off)) == (sum(d[0] for d in days), sum(d[1] for d in days))


def test_a_days_riders_name_the_course_of_each_route() -> None:
    route = buses.routes(WORLD)[17]
    rows = records("list_seoul_bus_daily_ridership", USE_YMD="20260106", RTE_NO=route.number)
    course = records("list_seoul_bus_stops_by_route", busRouteId=route.route_id)
    assert [r["STOPS_ID"] for r in rows] == [r["station"] for r in course]
    assert [r["STOPS_ARS_NO"] for r in rows] == [r["arsId"] for r in course]
    assert {r["RTE_ID"] for r in rows} == {route.route_id}
    whole = ask("list_seoul_bus_daily_ridership", USE_YMD="20260106")
    assert whole.total_count == sum(r.length for r in buses.routes(WORLD))
    assert ask("list_seoul_bus_daily_ridership", USE_YMD="20260129").outcome == "no_data"


def test_a_month_of_all_halts_is_served_page_by_page() -> None:
    total = ask("list_seoul_bus_hourly_ridership", 1, 1, USE_YM="202511").total_count
    assert total is not None
    assert total > 38_000
    assert len(records("list_seoul_bus_hourly_ridership", total - 4, total + 90, USE_YM="202511")) == 5


def test_arrivals_follow_from_positions() -> None:
    route = buses.routes(WORLD)[40]
    buses_now = records("list_seoul_bus_positions_by_route", busRouteId=route.route_id)
    orders = {row["vehId"]: int(row["sectOrd"]) for row in buses_now}
    rows = records("list_seoul_bus_arrivals_by_route", busRouteId=route.route_id)
    assert len(rows) == route.length
    for row in rows:
        if row["vehId1"] != "0":
            ahead = [order for order in orders.values() if order < int(row["staOrd"])]
            assert orders[row["vehId1"]] == int(row["sectOrd1"]) == max(ahead)
        if row["vehId2"] != "0":
            assert int(row["traTime1"]) <= int(row["traTime2"])
    later = [int(r["traTime1"]) for r in rows if r["vehId1"] == rows[-1]["vehId1"]]
    assert all(after - before == 95 for before, after in pairwise(later))


def test_a_stop_its_routes_and_their_arrivals_agree() -> None:
    route = buses.routes(WORLD)[3]
    halt = records("list_seoul_bus_stops_by_route", busRouteId=route.route_id)[7]
    passing = records("list_seoul_bus_routes_by_stop", arsId=halt["arsId"])
    assert route.route_id in {row["busRouteId"] for row in passing}
    coming = records("list_seoul_bus_arrivals_by_stop", arsId=halt["arsId"])
    assert [r["busRouteId"] for r in coming] == [r["busRouteId"] for r in passing]
    one = records(
        "list_seoul_bus_arrivals_by_stop_and_route", stId=halt["station"], busRouteId=route.route_id, ord=halt["seq"]
    )
    assert [(r["stId"], r["staOrd"]) for r in one] == [(halt["station"], "8")]
    elsewhere = records(
        "list_seoul_bus_arrivals_by_stop_and_route", stId=halt["station"], busRouteId=route.route_id, ord="1"
    )
    assert elsewhere == []
    times = records("get_seoul_bus_first_last_time", arsId=halt["arsId"], busRouteId=route.route_id)
    info = records("get_seoul_bus_route", busRouteId=route.route_id)[0]
    assert times[0]["firstBusTm"] == info["firstBusTm"] < info["lastBusTm"]


def test_only_low_floor_buses_are_low() -> None:
    route = buses.routes(WORLD)[40]
    low = records("list_seoul_low_floor_bus_positions", busRouteId=route.route_id)
    whole = records("list_seoul_bus_positions_by_route", busRouteId=route.route_id)
    assert [r["vehId"] for r in low] == [r["vehId"] for r in whole if r["busType"] == "1"]
    one = records("get_seoul_bus_position_by_vehicle", vehId=whole[0]["vehId"])
    assert one[0]["plainNo"] == whole[0]["plainNo"]


def test_stops_are_found_by_name_number_and_place() -> None:
    stop = buses.stops(WORLD)[4321]
    named = records("search_seoul_bus_stops_by_name", stSrch=stop.name)
    assert stop.node_id in {row["stId"] for row in named}
    near = records("list_seoul_bus_stops_nearby", tmX=f"{stop.longitude}", tmY=f"{stop.latitude}", radius="400")
    assert (near[0]["stationId"], near[0]["dist"]) == (stop.node_id, "0")
    assert [int(r["dist"]) for r in near] == sorted(int(r["dist"]) for r in near)
    assert max(int(r["dist"]) for r in near) <= 400


def test_a_ride_gets_from_one_point_to_the_other() -> None:
    course = buses.course(WORLD, buses.routes(WORLD)[9])
    start, end = course[2], course[11]
    ways = records(
        "list_seoul_transit_paths",
        startX=f"{start.longitude}",
        startY=f"{start.latitude}",
        endX=f"{end.longitude}",
        endY=f"{end.latitude}",
    )
    assert ways
    for way in ways:
        route = next(r for r in buses.routes(WORLD) if r.number == way["routeNm"])
        names = [s.name for s in buses.course(WORLD, route)]
        assert names.index(way["fname"]) < len(names) - 1 - names[::-1].index(way["tname"])


@pytest.mark.parametrize(
    ("tool", "given", "outcome"),
    [
        ("list_seoul_bus_stops_by_route", {"busRouteId": "999999999"}, "no_data"),
        ("list_seoul_bus_arrivals_by_stop", {"arsId": "99999"}, "no_data"),
        ("list_seoul_bus_arrivals_by_stop", {}, "bad_param"),
        ("list_seoul_bus_stops_nearby", {"tmX": "east", "tmY": "37.5", "radius": "100"}, "bad_param"),
    ],
)
def test_the_buses_host_refuses_in_its_own_words(tool: str, given: dict[str, str], outcome: str) -> None:
    assert ask(tool, **given).outcome == outcome


def test_docks_and_car_parks_hold_what_they_can() -> None:
    now = records("list_seoul_bike_availability")
    assert ask("list_seoul_bike_availability").total_count == len(docks(WORLD))
    for row in now:
        assert int(row["shared"]) == int(row["parkingBikeTotCnt"]) * 100 // int(row["rackTotCnt"])
    places = {row["RENT_ID"]: row for row in records("list_seoul_bike_stations")}
    assert all(places[row["stationId"]]["HOLD_NUM"] == row["rackTotCnt"] for row in now)
    assert all(0 <= cars(WORLD, park) <= park.spaces for park in car_parks(WORLD))
    months = records("list_seoul_bike_monthly_rentals", RENT_NM=docks(WORLD)[5].name)
    assert [row["RENT_DATE"] for row in months] == [f"2025{month:02d}" for month in range(12, 0, -1)]


def test_a_new_value_seed_moves_riders_and_leaves_names() -> None:
    other = World(value_seed=1)
    assert subway.stops(other) == subway.stops(WORLD)
    assert buses.routes(other)[:50] == buses.routes(WORLD)[:50]
    day = datetime.date(2025, 6, 3)
    before, after = (subway.riders(w, subway.stops(w)[8], day) for w in (WORLD, other))
    assert before != after
    assert subway.stops(World(identity_seed=1))[0].name != subway.stops(WORLD)[0].name


def test_a_docks_days_add_up_to_its_month() -> None:
    dock = docks(WORLD)[77]
    month = next(r for r in records("list_seoul_bike_monthly_rentals", RENT_NM=dock.name) if r["RENT_DATE"] == "202504")
    for number, column in enumerate(("RENT_USE_CNT", "MOVE_TIME", "MOVE_METER")):
        assert sum(rentals_of_day(WORLD, dock, day)[number] for day in _days(2025, 4)) == int(month[column])
    day = records("list_seoul_bike_daily_rentals", RENT_DT="20250412")
    row = next(r for r in day if r["RENT_ID"] == dock.dock_id)
    assert int(row["USE_CNT"]) == rentals_of_day(WORLD, dock, datetime.date(2025, 4, 12))[0]


def test_an_incident_names_a_link_whose_speed_is_known() -> None:
    rows = records("list_seoul_traffic_incidents")
    assert all(row["occr_date"] <= "20260130" <= row["exp_clr_date"] for row in rows)
    speed = records("get_seoul_road_traffic_speed", LINK_ID=rows[0]["link_id"])
    assert [row["LINK_ID"] for row in speed] == [rows[0]["link_id"]]


def test_lost_articles_are_kept_by_carrier() -> None:
    rows = records("list_seoul_transit_lost_articles", WB_CODE="s1")
    assert {row["GET_POSITION"] for row in rows} == {"지하철(1~4호선)"}
    days = [row["GET_DATE"] for row in rows]
    assert days == sorted(days, reverse=True)
    assert ask("list_seoul_transit_lost_articles").outcome == "bad_param"
