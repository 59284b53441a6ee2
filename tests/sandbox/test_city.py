"""Seoul's businesses, air, culture, land, trade and people: what must add up, and what joins."""

from __future__ import annotations

import datetime
import re
import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.sandbox import World
from kopa_hf.sandbox.city import air, cityhall, culture, licences, living, trade
from kopa_hf.sandbox.city.ground import boroughs, dongs, dongs_in, shares, split
from kopa_hf.sandbox.city.libraries import isbn
from kopa_hf.sandbox.places import district, neighbourhoods
from kopa_hf.sandbox.query import Query
from kopa_hf.sandbox.registry import handlers
from kopa_hf.sandbox.truth import binding_truth

from .city_service import TOOLS, WORLD, ask, records

# ground


def test_the_districts_are_the_official_ones_in_the_citys_own_order() -> None:
    found = boroughs()
    assert len(found) == 25
    assert [(b.name, b.code) for b in (found[0], found[22], found[24])] == [
        ("종로구", "11110"),
        ("강남구", "11680"),
        ("강동구", "11740"),
    ]
    assert found[12].office_code == "3120000"  # 서대문구
    assert len({b.air_code for b in found}) == 25
    assert len({d.code for d in dongs(WORLD)}) == len(dongs(WORLD))
    assert all(37.4 < b.latitude < 37.7 and 126.7 < b.longitude < 127.2 for b in found)


@given(st.integers(0, 10**12), st.lists(st.integers(1, 500), min_size=1, max_size=40))
def test_a_whole_is_split_without_rest(total: int, weights: list[int]) -> None:
    parts = split(total, tuple(weights))
    assert sum(parts) == total
    assert len(parts) == len(weights)
    assert min(parts) >= 0
    assert sum(shares(total)) == total


# licences


def test_the_largest_list_is_served_without_being_made() -> None:
    tracemalloc.start()
    answer = ask("list_seoul_restaurant_licences", 224_001, 225_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert answer.total_count == licences.LARGEST == 224_958
    assert len(answer.records) == 958
    assert peak < 40_000_000
    ends = [ask("list_seoul_restaurant_licences", at, at).records[0]["MGTNO"] for at in (1, 224_958)]
    assert ends[0] != ends[1]
    assert answer.records[-1]["MGTNO"] == ends[1]


def test_a_districts_list_is_its_part_of_the_citys() -> None:
    city = {row["MGTNO"]: row for row in _all("list_seoul_lodging_licences")}
    assert len(city) == ask("list_seoul_lodging_licences", 1, 1).total_count
    for name, office in (("nowon", "3100000"), ("dobong", "3090000"), ("gwangjin", "3040000"), ("jongno", "3000000")):
        part = _all(f"list_seoul_{name}_lodging_licences")
        assert part == [city[row["MGTNO"]] for row in part]
        assert len(part) == sum(row["OPNSFTEAMCODE"] == office for row in city.values())


def _all(name: str) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = []
    while len(rows) % 1000 == 0:
        page = records(name, len(rows) + 1, len(rows) + 1000)
        if not page:
            break
        rows += page
    return rows


def test_closed_businesses_closed_after_they_opened() -> None:
    for row in records("list_seoul_cafe_licences"):
        closed = row["DCBYMD"].strip()
        assert (row["TRDSTATEGBN"] == "03") == bool(closed)
        assert not closed or row["APVPERMYMD"] <= closed <= "2026-01-30"
        assert row["DTLSTATENM"] == {"01": "영업", "02": "휴업", "03": "폐업"}[row["TRDSTATEGBN"]]


def test_businesses_stand_in_the_district_whose_office_licensed_them() -> None:
    offices = {b.office_code: b.name for b in boroughs()}
    for row in records("list_seoul_pharmacy_licences", 1, 300):
        assert f"서울특별시 {offices[row['OPNSFTEAMCODE']]} " in row["RDNWHLADDR"]
    newer = records("list_seoul_mail_order_licences", 1, 50)
    assert {row["OGDP_INST_CD"] for row in newer} <= set(offices)


def test_every_licence_service_is_served_by_hand() -> None:
    known = {t.endpoint.operation for t in TOOLS.values() if t.endpoint.operation.startswith("LOCALDATA_")}
    assert known == {operation for operation in licences.HANDLERS if operation.startswith("LOCALDATA_")}


# air


def test_air_is_one_story_in_all_services() -> None:
    districts = records("list_seoul_air_quality_by_district")
    areas = {row["MSRSTN_NM"]: row for row in records("list_seoul_air_quality_by_area")}
    assert len(districts) == len(areas) == 25
    for row in districts:
        other = areas[row["MSRSTN_NM"]]
        assert (row["CAI"], row["PM"], row["FPM"], row["OZON"]) == (
            other["CAI_IDX"], other["PM"], other["FPM"], other["OZON"],
        )  # fmt: skip
        limit = next(
            limit
            for limit, word in ((50, "좋음"), (100, "보통"), (250, "나쁨"), (500, "매우나쁨"))
            if word == row["CAI_GRD"]
        )
        assert int(row["CAI"]) <= limit
    now = records("list_seoul_hourly_average_air_quality", MSRMT_DT="202601300900")
    assert [row["PM_HOUR"] for row in now] == [row["PM"] for row in districts]
    day = records("list_seoul_hourly_average_air_quality", MSRMT_DT="20260129", SAREA_NM="도심권", MSRSTN_NM="중구")
    assert len(day) == 24
    assert sum(int(row["PM_HOUR"]) for row in day) // 24 == int(day[0]["PM_ALDY"])  # the last hour looks back a day
    mean = records("get_seoul_average_air_quality")[0]
    assert int(mean["FPM"]) == sum(int(row["FPM"]) for row in districts) // 25


def test_the_station_code_is_not_the_districts() -> None:
    one = records("list_seoul_air_quality_by_district", MSRSTN_PBADMS_CD="111261")
    assert [row["MSRSTN_NM"] for row in one] == ["강남구"]
    assert ask("list_seoul_air_quality_by_district", MSRSTN_PBADMS_CD="116800").outcome == "no_data"
    assert air.area_of(boroughs()[22]) == ("동남권", "104")


# culture


def test_events_of_a_day_run_on_that_day() -> None:
    rows = records("list_seoul_cultural_events", DATE="2026-01-10")
    assert rows
    assert all(row["STRTDATE"][:10] <= "2026-01-10" <= row["END_DATE"][:10] for row in rows)
    concerts = records("list_seoul_cultural_events", CODENAME="콘서트", DATE="2026-01-10")
    assert concerts == [row for row in rows if row["CODENAME"] == "콘서트"]


def test_searches_lead_to_details() -> None:
    genre = next(r for r in records("list_seoul_cultural_event_genres") if r["CODENAME"] == "국악")
    codes = records("search_seoul_cultural_events_by_genre", CODE=genre["CODE"])
    detail = records("get_seoul_cultural_event_detail", CULTCODE=codes[3]["CULTCODE"])[0]
    assert (detail["CODENAME"], detail["SUBJCODE"]) == ("국악", genre["CODE"])
    titled = records("search_seoul_cultural_events_by_title", TITLE=detail["TITLE"])
    assert codes[3] in titled
    span = records(
        "search_seoul_cultural_events_by_period",
        STRTDATE=detail["STRTDATE"].replace("-", ""),
        END_DATE=detail["END_DATE"].replace("-", ""),
    )
    assert codes[3] in span
    venues = {row["FAC_NAME"] for row in records("list_seoul_cultural_spaces")}
    assert detail["PLACE"] in venues
    assert detail["GCODE"] in {b.name for b in boroughs()}


def test_reservations_open_after_they_are_asked_for() -> None:
    for row in records("list_seoul_sports_reservations"):
        assert row["RCPTBGNDT"] < row["SVCOPNBGNDT"] < row["SVCOPNENDDT"]
        assert (row["SVCSTATNM"] == "안내중") == (row["RCPTBGNDT"] > "2026-01-31")
    courts = records("list_seoul_sports_reservations", MINCLASSNM="테니스장")
    assert {row["MINCLASSNM"] for row in courts} == {"테니스장"}
    detail = records("get_seoul_public_reservation_detail", SVCID=courts[0]["SVCID"])
    assert detail == [{name: courts[0][name] for name in ("SVCID", "PLACENM", "X", "Y")}]
    assert len(culture.reservation_ids(WORLD)) == len(set(culture.reservation_ids(WORLD)))


def test_libraries_and_books() -> None:
    places = {row["LBRRY_SEQ_NO"]: row for row in records("list_seoul_public_libraries")}
    hours = records("list_seoul_library_hours", LBRRY_SEQ_NO="1010")
    assert hours[0]["FDRM_CLOSE_DATE"] == places["1010"]["FDRM_CLOSE_DATE"]
    popular = records("list_seoul_library_popular_books")
    assert [int(r["CNT"]) for r in popular] == sorted((int(r["CNT"]) for r in popular), reverse=True)
    book = next(r for r in _search(popular[0]["TITLE"]) if r["CTRLNO"] == popular[0]["CONTROLNO"])
    assert (book["ISBN"], book["CLASS_NO"]) == (popular[0]["ISBN"], popular[0]["CLASS_NO"])


def _search(title: str) -> list[dict[str, str]]:
    return records("search_seoul_library_books", TITLE=title)


@given(st.integers(0, 24_599))
def test_an_isbn_has_its_check_digit(number: int) -> None:
    digits = [int(d) for d in isbn(number)]
    assert len(digits) == 13
    assert sum(d * (1 + 2 * (n % 2)) for n, d in enumerate(digits)) % 10 == 0


# land


def test_deals_are_filtered_by_year_district_and_neighbourhood() -> None:
    tool = "list_seoul_real_estate_deals"
    whole = ask(tool, 1, 1).total_count
    years = [ask(tool, 1, 1, RCPT_YR=str(year)).total_count or 0 for year in range(2020, 2027)]
    assert sum(years) == whole
    named, coded = (ask(tool, RCPT_YR="2024", **{n: v}) for n, v in (("CGG_NM", "마포구"), ("CGG_CD", "11440")))
    assert named.records == coded.records
    assert {row["CGG_NM"] for row in named.records} == {"마포구"}
    legal = {n.code[5:]: n.name for n in neighbourhoods("11440")}
    assert all(legal[row["STDG_CD"]] == row["STDG_NM"] for row in named.records)
    one = ask(tool, RCPT_YR="2024", CGG_CD="11440", STDG_CD="10200")
    assert {row["STDG_NM"] for row in one.records} == {legal["10200"]}
    days = [row["CTRT_DAY"] for row in one.records]
    assert days == sorted(days, reverse=True)
    assert {day[:4] for day in days} == {"2024"}
    assert ask(tool, CGG_CD="11440", CGG_NM="종로구").outcome == "no_data"


def test_land_prices_rise_and_name_the_same_parcels() -> None:
    before, after = (
        records("list_seoul_posted_land_prices", 1, 200, SIGUNGU_NM="성동구", YEAR=year) for year in ("2016", "2025")
    )
    assert [(r["BJDONG_CD"], r["BONBEON"], r["BUBEON"]) for r in before] == [
        (r["BJDONG_CD"], r["BONBEON"], r["BUBEON"]) for r in after
    ]
    assert all(int(a["JIGA"]) < int(b["JIGA"]) for a, b in zip(before, after, strict=True))
    one = records(
        "list_seoul_posted_land_prices",
        SIGUNGU_NM="성동구",
        BJDONG_NM="마장동",
        BONBEON="0003",
        BUBEON="0002",
        YEAR="2025",
    )
    assert [(r["BJDONG_NM"], r["BONBEON"], r["BUBEON"]) for r in one] == [("마장동", "0003", "0002")]
    assert ask("list_seoul_posted_land_prices", SIGUNGU_NM="수원시", YEAR="2025").outcome == "no_data"


# trade


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([b.code for b in boroughs()]), st.integers(0, len(trade.INDUSTRIES) - 1), st.integers(1, 4))
def test_a_districts_sales_are_those_of_its_neighbourhoods(code: str, industry: int, quarter: int) -> None:
    place = next(b for b in boroughs() if b.code == code)
    parts = trade.sales_in_dongs(WORLD, place, industry, f"2025{quarter}")
    assert len(parts) == len(dongs_in(WORLD, code))
    assert sum(parts) == trade.sales(WORLD, place, industry, f"2025{quarter}")


def test_parts_of_sales_add_up_on_the_wire() -> None:
    for name, ending, first in (
        ("list_seoul_district_sales", "SELNG_AMT", "THSMON"),
        ("list_seoul_trade_area_sales", "SELNG_AMT", "THSMON"),
        ("list_seoul_trade_area_footfall", "FLPOP_CO", "TOT"),
        ("list_seoul_district_footfall", "FLPOP_CO", "TOT"),
    ):
        for row in records(name, 1, 30, STDR_YYQU_CD="20253"):
            whole = row[f"{first}_{ending}"]
            assert whole == sum(row[f"{sex}_{ending}"] for sex in ("ML", "FML"))
            assert whole == sum(row[f"{d}_{ending}"] for d in ("MON", "TUES", "WED", "THUR", "FRI", "SAT", "SUN"))
            assert whole == sum(v for n, v in row.items() if n.startswith("TMZON_") and n.endswith(ending))
            assert whole == sum(v for n, v in row.items() if n.startswith("AGRDE_") and n.endswith(ending))
    for row in records("list_seoul_neighbourhood_sales", 1, 100, STDR_YYQU_CD="20253"):
        assert row["THSMON_SELNG_AMT"] == row["MDWK_SELNG_AMT"] + row["WKEND_SELNG_AMT"]
    for row in records("list_seoul_hinterland_spending", 1, 50):
        assert row["EXPNDTR_TOTAMT"] == sum(v for n, v in row.items() if n.endswith("_EXPNDTR_TOTAMT"))


def test_shops_of_a_trade_area() -> None:
    area = trade.areas(WORLD)[70]
    rows = records("list_seoul_trade_area_stores", STDR_YYQU_CD="20254", TRDAR_CD=area.code)
    assert [row["SVC_INDUTY_CD"] for row in rows] == [code for code, _, _ in trade.INDUSTRIES]
    assert {row["TRDAR_CD_NM"] for row in rows} == {area.name}
    for row in rows:
        assert row["STOR_CO"] + row["FRC_STOR_CO"] == row["SIMILR_INDUTY_STOR_CO"]
        assert isinstance(row["STOR_CO"], float)
    assert len({a.code for a in trade.areas(WORLD)}) == trade.AREAS
    assert ask("list_seoul_trade_area_stores", STDR_YYQU_CD="20304").outcome == "no_data"
    assert ask("list_seoul_trade_area_stores", STDR_YYQU_CD="2025x").outcome in ("bad_param", "structural")


def test_a_trade_areas_boundary_ties_it_to_its_district() -> None:
    rows = records("list_seoul_trade_area_boundaries")
    named = {a.code: a.borough for a in trade.areas(WORLD)}
    assert all(row["SIGNGU_CD"] == named[row["TRDAR_CD"]].code for row in rows)
    homes = {d.code: d.borough.code for d in dongs(WORLD)}
    assert all(homes[row["ADSTRD_CD"]] == row["SIGNGU_CD"] for row in rows)


# people


def _tens(text: str) -> int:
    whole, _, rest = text.partition(".")
    return int(whole) * 10_000 + int(rest.ljust(4, "0") or 0)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 24), st.integers(0, 23), st.integers(1, 25))
def test_people_add_up_from_ages_to_districts(number: int, hour: int, day: int) -> None:
    place, when = boroughs()[number], {"STDR_DE_ID": f"202601{day:02d}", "TMZON_PD_SE": f"{hour:02d}"}
    whole = records("list_seoul_district_living_population", **when, ADSTRD_CODE_SE=place.code)[0]
    rows = [
        r
        for r in records("list_seoul_neighbourhood_living_population", **when)
        if r["ADSTRD_CODE_SE"][:5] == place.code
    ]
    assert sum(_tens(r["TOT_LVPOP_CO"]) for r in rows) == _tens(whole["TOT_LVPOP_CO"])
    for row in rows:
        parts = [v for n, v in row.items() if re.match(r"(FE)?MALE_F", n)]
        assert len(parts) == 28
        assert sum(map(_tens, parts)) == _tens(row["TOT_LVPOP_CO"])


def test_a_day_of_people_is_the_mean_of_its_hours() -> None:
    place, day = boroughs()[4], datetime.date(2026, 1, 14)
    hours = [living.people(WORLD, place, day, hour) for hour in range(24)]
    rows = records("list_seoul_district_daily_living_population", STDR_DE_ID="20260114")
    row = next(r for r in rows if r["SIGNGU_CODE_SE"] == place.code)
    assert _tens(row["TOT_LVPOP_CO"]) == sum(hours) // 24
    assert _tens(row["DAY_LVPOP_CO"]) == sum(hours[9:18]) // 9
    assert ask("list_seoul_district_daily_living_population", STDR_DE_ID="20260129").outcome == "no_data"


# the city hall


def test_complaints_are_the_same_months_cut_three_ways() -> None:
    sectors = records("list_seoul_complaints_by_sector", YEAR="2024")
    places = records("list_seoul_complaints_by_district", YEAR="2024")
    year = records("list_seoul_complaints_by_month", YEAR="2024")[0]
    for month, (row, other) in enumerate(zip(sectors, places, strict=True), 1):
        total = row["RCPT_CNT_TOTAL"]
        assert total == sum(row[f"RCPT_CNT_{n:02d}"] for n in range(1, 13)) == year[f"MON_{month:02d}"]
        assert total == sum(v for n, v in other.items() if n.startswith("GU_NM_"))
    assert year["MON_TOTAL"] == sum(row["RCPT_CNT_TOTAL"] for row in sectors)
    coming = records("list_seoul_complaints_by_month", YEAR="2026")[0]
    assert coming["MON_TOTAL"] == 0.0


def test_works_under_way_have_days_that_add_up() -> None:
    listed = {row["PJT_CD"]: row for row in records("list_seoul_construction_projects")}
    for row in records("list_seoul_construction_progress"):
        assert int(row["DAY_ELPS"]) + int(row["DAY_JOB"]) == int(row["DAY_TOT"])
        assert listed[row["BIZ_CD"]]["PJT_FIN_YN_NM"] == "진행"
        assert listed[row["BIZ_CD"]]["GU_NAME"] == row["GU_NM"]
    photos = records("list_seoul_construction_photos", PJT_CD=cityhall.projects(WORLD)[3].code)
    assert {row["PJT_NAME"] for row in photos} == {cityhall.projects(WORLD)[3].name}


def test_the_portal_describes_its_own_services() -> None:
    listed = records("list_seoul_open_data_catalog")
    found = next(row for row in listed if "공공자전거 대여소" in row["INF_NM"])
    rows = records("list_seoul_open_api_arguments", INF_ID=found["INF_ID"])
    assert [r["COL_ENG_NM"] for r in rows if r["PTYPE_NM"] == "출력값"] == [
        f.name for f in TOOLS["list_seoul_bike_stations"].fields
    ]


def test_cases_only_grow_and_the_city_is_part_of_the_country() -> None:
    rows = records("list_seoul_covid19_cases")
    assert rows[0]["S_DT"] > rows[-1]["S_DT"]
    for later, earlier in pairwise(rows):
        assert int(later["S_HJ"]) - int(earlier["S_HJ"]) == int(later["SN_HJ"])
        assert int(later["T_HJ"]) - int(earlier["T_HJ"]) >= int(later["SN_HJ"])
    assert all(int(r["S_DEATH"]) <= int(r["DEATH"]) <= int(r["T_HJ"]) for r in rows)


def test_a_zone_moves_out_before_it_is_built() -> None:
    for row in records("list_seoul_redevelopment_projects"):
        days = [row[n] for n in ("MIGRATION_START_YMD", "MIGRATION_END_YMD", "CONSTRUCTION_START_YMD") if row[n]]
        assert days == sorted(days)
        assert not row["CONSTRUCTION_START_YMD"] or row["MIGRATION_END_YMD"]


def test_prices_are_found_by_market_good_and_month() -> None:
    rows = records("list_seoul_daily_necessity_prices", A_NAME="배추", P_YEAR_MONTH="2025-11")
    assert len(rows) == 75
    assert {row["P_DATE"][:7] for row in rows} == {"2025-11"}
    assert len(records("list_seoul_daily_necessity_prices", M_NAME=rows[0]["M_NAME"], P_YEAR_MONTH="2025-11")) == 16


# the city data


def test_a_watched_place_sees_what_the_other_services_say() -> None:
    city = records("get_seoul_city_data", AREA_NM="광화문·덕수궁")[0]
    assert city["AREA_CD"] == "POI009"
    people = records("get_seoul_place_population_now", AREA_NM="POI009")[0]
    now = city["LIVE_PPLTN_STTS"][0]
    assert {name: people[name] for name in now} == now
    assert float(now["MALE_PPLTN_RATE"]) + float(now["FEMALE_PPLTN_RATE"]) == pytest.approx(100)
    assert sum(float(now[f"PPLTN_RATE_{age}"]) for age in range(0, 80, 10)) == pytest.approx(100)
    assert int(now["AREA_PPLTN_MIN"]) < int(now["AREA_PPLTN_MAX"])
    docks = {row["stationId"]: row for row in records("list_seoul_bike_availability")}
    for spot in city["SBIKE_STTS"]:
        assert docks[spot["SBIKE_SPOT_ID"]]["parkingBikeTotCnt"] == spot["SBIKE_PARKING_CNT"]
    link = city["ROAD_TRAFFIC_STTS"]["ROAD_TRAFFIC_STTS"][0]["LINK_ID"]
    assert records("get_seoul_road_traffic_speed", LINK_ID=link)[0]["LINK_ID"] == link
    spent = records("list_seoul_place_commerce_now", AREA_NM="POI009")
    assert sum(int(r["RSB_SH_PAYMENT_CNT"]) for r in spent) == int(spent[0]["AREA_SH_PAYMENT_CNT"])


# joins and seeds


def test_every_documented_column_is_in_every_row() -> None:
    for name, tool in TOOLS.items():
        handler = handlers(tool.wire).get(tool.endpoint.operation)
        if handler is None or not tool.fields or any(p.required and p.role == "input" for p in tool.inputs):
            continue
        rows = handler(WORLD, Query(tool.endpoint.operation, {}, tool)).slice(0, 3)
        assert rows, name
        assert all(list(row) == [f.name for f in tool.fields] for row in rows), name


@pytest.mark.parametrize(
    ("binding", "valid"),
    [
        (("list_seoul_district_sales", "SIGNGU_CD", "list_seoul_real_estate_deals", "CGG_CD"), True),
        (("list_seoul_district_daily_living_population", "SIGNGU_NM", "list_seoul_rainfall", "GU_NAME"), True),
        (("list_seoul_district_living_population", "ADSTRD_CODE_SE", "list_seoul_real_estate_deals", "CGG_CD"), True),
        (("search_seoul_bus_stops_by_name", "arsId", "list_seoul_bus_arrivals_by_stop", "arsId"), True),
        (("list_seoul_bus_stops", "STOPS_NO", "list_seoul_bus_arrivals_by_stop", "arsId"), True),
        (("search_seoul_bus_routes", "busRouteId", "list_seoul_bus_stops_by_route", "busRouteId"), True),
        (
            ("list_seoul_subway_stations", "STATION_CD", "list_seoul_subway_timetable_by_station_code", "STATION_CD"),
            True,
        ),
        (("list_seoul_subway_station_locations", "ROUTE", "list_seoul_subway_train_positions", "subwayNm"), True),
        (("search_seoul_cultural_events_by_title", "CULTCODE", "get_seoul_cultural_event_detail", "CULTCODE"), True),
        (("list_seoul_construction_works", "BIZ_CD", "list_seoul_construction_photos", "PJT_CD"), True),
        (("list_seoul_trade_area_sales", "TRDAR_CD", "list_seoul_trade_area_stores", "TRDAR_CD"), True),
        (("list_seoul_hospital_licences", "OPNSFTEAMCODE", "list_seoul_real_estate_deals", "CGG_CD"), False),
        (
            ("list_seoul_neighbourhood_living_population", "ADSTRD_CODE_SE", "list_seoul_real_estate_deals", "CGG_CD"),
            False,
        ),
        (("list_seoul_subway_stations", "FR_CODE", "list_seoul_subway_timetable_by_station_code", "STATION_CD"), False),
        (("list_seoul_subway_stations", "LINE_NUM", "list_seoul_subway_train_positions", "subwayNm"), False),
        (("list_seoul_bus_positions_by_route", "vehId", "list_seoul_bus_stops_by_route", "busRouteId"), False),
        (("list_seoul_bus_stops", "NODE_ID", "list_seoul_bus_arrivals_by_stop", "arsId"), False),
        (("list_seoul_air_quality_by_district", "MSRSTN_NM", "list_seoul_air_quality_by_area", "MSRSTN_NM"), False),
    ],
)
def test_what_joins_and_what_only_looks_alike(binding: tuple[str, str, str, str], valid: bool) -> None:
    assert TRUTH[binding] is valid


TRUTH = binding_truth(WORLD, load_catalog())


def test_a_new_value_seed_redraws_figures_and_keeps_names() -> None:
    other = World(value_seed=3)
    for name, kept, moved in (
        ("list_seoul_restaurant_licences", "BPLCNM", "SITEAREA"),
        ("list_seoul_parking_availability", "PKLT_NM", "NOW_PRK_VHCL_CNT"),
        ("list_seoul_district_footfall", "SIGNGU_CD_NM", "TOT_FLPOP_CO"),
    ):
        tool = TOOLS[name]
        query = Query(tool.endpoint.operation, {}, tool)
        handler = handlers("seoul")[tool.endpoint.operation]
        one, two = (handler(w, query).slice(0, 40) for w in (WORLD, other))
        assert [r[kept] for r in one] == [r[kept] for r in two]
        assert [r[moved] for r in one] != [r[moved] for r in two]


def test_official_places_only() -> None:
    for row in records("list_seoul_cooling_shelters"):
        legal = {n.code for n in neighbourhoods(row["AREA_CD"][:5])}
        assert row["AREA_CD"] in legal
    assert district("11110") == boroughs()[0].district
