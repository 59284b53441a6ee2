"""Gyeonggi agrees with itself: one population of places under all services."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import SandboxTransport, World, sandbox_key
from kopa_hf.sandbox.finance.companies import companies
from kopa_hf.sandbox.places import all_neighbourhoods, municipalities
from kopa_hf.sandbox.province import learning
from kopa_hf.sandbox.province.columns import COMMON
from kopa_hf.sandbox.province.municipalities import Shares, hoods, shares, sigun_of, siguns
from kopa_hf.sandbox.province.premises import register
from kopa_hf.sandbox.province.services import HANDLERS
from kopa_hf.sandbox.province.trades import RESTAURANTS
from kopa_hf.sandbox.query import Query, Rows
from kopa_hf.sandbox.schools.school import schools
from kopa_hf.sandbox.universities.figures import figures
from kopa_hf.sandbox.universities.university import universities as everywhere
from kopa_hf.sandbox.world import default_world

WORLD = default_world()
TOOLS = {tool.endpoint.operation: tool for tool in load_catalog() if tool.wire == "gyeonggi"}
LISTS = sorted(name for name, tool in TOOLS.items() if tool.fields)
BY_SIGUN = [n for n in LISTS if TOOLS[n].field("SIGUN_CD") and TOOLS[n].parameter("SIGUN_CD") and n != "GENRESTRT"]
TRANSPORT = SandboxTransport(WORLD)
OF_UNIVERSITIES = set(learning.HANDLERS)

Record = dict[str, Any]


def rows_of(operation: str, world: World = WORLD, **given_: str) -> Rows:
    """A service's rows, without its wire."""
    reply = HANDLERS[operation](world, Query(operation, given_, TOOLS[operation]))
    assert isinstance(reply, Rows)
    return reply


def numbers(record: Record, *names: str) -> list[int]:
    return [int(record[name]) for name in names]


# the places


def test_the_31_places_have_their_official_names_and_codes() -> None:
    assert [(s.name, s.code) for s in siguns()] == [(d.name, d.code) for d in municipalities("41")]
    assert len(siguns()) == 31
    assert sigun_of(" 수원시 ") is sigun_of("41110")
    assert sigun_of("서울특별시") is None


def test_cities_with_districts_have_the_neighbourhoods_of_all_of_them() -> None:
    suwon = sigun_of("수원시")
    assert suwon is not None
    assert {hood.district.name for hood in hoods(suwon.position)} == {
        "수원시 장안구",
        "수원시 권선구",
        "수원시 팔달구",
        "수원시 영통구",
    }
    assert all(hoods(place.position) for place in siguns())


@settings(deadline=None)
@given(st.integers(0, 300_000))
def test_shares_add_up_and_follow_the_inhabitants(total: int) -> None:
    share = shares(total)
    counts = [len(share.span(place)) for place in siguns()]
    assert sum(counts) == total
    whole = sum(place.inhabitants for place in siguns())
    assert all(abs(n - total * p.inhabitants / whole) < 1 for n, p in zip(counts, siguns(), strict=True))


def test_every_number_belongs_to_the_place_whose_range_holds_it() -> None:
    share = Shares(500)
    for place in siguns():
        assert all(share.sigun_at(number) is place for number in share.span(place))


# one population under many services


def test_the_kinds_of_restaurant_are_parts_of_the_whole_register() -> None:
    whole = rows_of("GENRESTRT")
    assert whole.total == len(register(WORLD, RESTAURANTS)) > 224_958
    chinese = rows_of("Genrestrtchifood")
    first = chinese.slice(0, 1)[0]
    book = register(WORLD, RESTAURANTS)
    place = next(p for i in range(book.shares[0].total) if (p := book.at(i)).trade.label == "한식")
    assert place.trade.label != first["SANITTN_BIZCOND_NM"] == "중국식"


def test_the_whole_register_ignores_its_filter_and_leaves_the_code_empty() -> None:
    assert rows_of("GENRESTRT", SIGUN_NM="과천시").total == rows_of("GENRESTRT").total
    assert {record["SIGUN_CD"] for record in rows_of("GENRESTRT").slice(0, 50)} == {None}


@pytest.mark.parametrize("operation", BY_SIGUN)
def test_a_place_has_its_own_rows_by_code_and_by_name(operation: str) -> None:
    by_code = rows_of(operation, SIGUN_CD="41590")
    assert by_code.total <= rows_of(operation).total
    for record in by_code.slice(0, 20):
        assert record["SIGUN_CD"] == "41590"
        assert record.get("SIGUN_NM", "화성시") == "화성시"
    if TOOLS[operation].parameter("SIGUN_NM"):
        assert rows_of(operation, SIGUN_NM="화성시").slice(0, 20) == by_code.slice(0, 20)
        assert rows_of(operation, SIGUN_NM="화성시", SIGUN_CD="41110").total == 0
    assert rows_of(operation, SIGUN_CD="11110").total == 0


def test_places_together_have_everything() -> None:
    for operation in ("Genrestrtjpnfood", "RegionMnyFacltStus", "Library", "BusStation", "AbdmAnimalProtect"):
        parts = [rows_of(operation, SIGUN_NM=place.name).total for place in siguns()]
        assert sum(parts) == rows_of(operation).total, operation


def test_one_operation_has_224_958_records_and_makes_only_what_is_asked() -> None:
    merchants = rows_of("RegionMnyFacltStus", World(identity_seed=5))
    assert merchants.total == 224_958
    assert len(merchants.slice(224_950, 224_960)) == 8


def test_merchants_are_premises_that_the_licences_know() -> None:
    found = rows_of("RegionMnyFacltStus", SIGUN_NM="연천군")
    names = {place.name for place in _shops("연천군")}
    for record in found.slice(0, 200):
        assert record["CMPNM_NM"] in names
        assert record["REGION_MNY_NM"] == "연천페이"
        assert (record["CLSBIZ_DAY"] is None) == (record["LEAD_TAX_MAN_STATE_CD"] != "03")
    closed = [record["CLSBIZ_DAY"] for record in rows_of("RegionMnyFacltStus").slice(0, 1000) if record["CLSBIZ_DAY"]]
    assert len(closed) < 350  # most of them run
    assert sum(day < "20190401" for day in closed) < 20  # a local currency is younger than most shops


@pytest.mark.parametrize("scale", [0.001, 0.02])
def test_a_small_world_has_each_merchant_once(scale: float) -> None:
    found = rows_of("RegionMnyFacltStus", World(scale=scale)).all()
    assert len({record["BIZREGNO"] for record in found}) == len(found)


def test_a_place_is_what_its_name_says() -> None:
    for record in rows_of("PrivateHospital").slice(0, 300):
        *_, subject = record["TREAT_SBJECT_CONT"].split(", ")
        assert subject in record["BIZPLC_NM"]
    for record in rows_of("RESRESTRT").slice(0, 20):
        assert record.get("SANITTN_INDUTYPE_NM") in (None, "휴게음식점")


def _shops(sigun: str) -> list[Any]:
    from kopa_hf.sandbox.province.merchants import _SHOPS

    book = register(WORLD, _SHOPS)
    return [book.at(number) for number in book.numbers(sigun_of(sigun))]


def test_a_merchants_name_finds_it() -> None:
    record = rows_of("RegionMnyFacltStus", SIGUN_NM="과천시").slice(3, 4)[0]
    found = rows_of("RegionMnyFacltStus", SIGUN_NM="과천시", CMPNM_NM=record["CMPNM_NM"]).all()
    assert record in found
    assert all(record["CMPNM_NM"] in other["CMPNM_NM"] for other in found)


def test_a_closed_place_has_a_day_after_its_opening_and_no_other_has() -> None:
    for record in rows_of("Genrestrtlunch").slice(0, 400):
        closed = record["BSN_STATE_NM"] == "폐업 등"
        assert (record["CLSBIZ_DE"] is not None) == closed
        assert not closed or record["LICENSG_DE"] <= record["CLSBIZ_DE"] <= "20260130"
        assert int(record["TOT_EMPLY_CNT"]) == sum(numbers(record, "MALE_ENFLPSN_CNT", "FEMALE_ENFLPSN_CNT"))


def test_lists_of_what_runs_hold_nothing_closed() -> None:
    licences = {
        r["BIZPLC_NM"] for r in rows_of("PrivateHospital", SIGUN_NM="동두천시").all() if "영업" in r["BSN_STATE_NM"]
    }
    running = [record["BIZPLC_NM"] for record in rows_of("AsembyStus").slice(0, 3000)]
    assert running
    assert licences & set(running)
    assert rows_of("AsembyStus").total < rows_of("PrivateHospital").total


def test_three_services_name_the_same_libraries() -> None:
    first, second = rows_of("Library"), rows_of("TBGGIBLLBR")
    assert [r["LIBRRY_NM"] for r in first.slice(0, 50)] == [r["LIBRRY_NM"] for r in second.slice(0, 50)]
    assert first.total == second.total == rows_of("Tbggibllbrm").total


# sums


def test_residents_and_staff_of_care_homes_add_up() -> None:
    for record in rows_of("OldpsnMedcareWelfac").slice(0, 300):
        total, *parts = numbers(record, "ENTRNC_PSTPSN_SUM", "ENTRNC_PSTPSN_MALE_CNT", "ENTRNC_PSTPSN_FEMALE_CNT")
        assert total == sum(parts) <= int(record["ENTRNC_PSN_CAPA"])
        assert total == sum(numbers(record, "ENTRNC_PSTPSN_GRAD_ISE_CNT", "ENTRNC_PSTPSN_GRAD_ELSE_CNT"))
        assert total == sum(numbers(record, "ENTRNC_PSTPSN_BASE_RECIPNT_CNT", "ENTRNC_PSTPSN_GENRL_CNT"))
        staff = int(record["ENFLPSN_PSTPSN_SUM"])
        assert staff == sum(numbers(record, "ENFLPSN_PSTPSN_MALE_CNT", "ENFLPSN_PSTPSN_FEMALE_CNT"))
        assert staff == sum(numbers(record, "ENFLPSN_PSTPSN_RGLLBR_CNT", "ENFLPSN_PSTPSN_IRGLLBR_CNT"))
        assert (record["LOCGOV_INSTL_DIV_NM"] is None) != (record["PRVATE_INSTL_DIV_NM"] is None)


def test_the_hours_of_a_road_add_up_to_its_day() -> None:
    for record in rows_of("ORDNTMTRNSPORTGENRLTM").slice(5_000, 5_100):
        hours = numbers(record, *(f"TM{hour:02d}_TRNSPORT_AMNT" for hour in range(1, 25)))
        assert int(record["TDAY_SUM"]) == sum(hours)
        datetime.date(*numbers(record, "YY", "MT", "DE"))


def test_freshmen_are_those_that_the_disclosure_counts() -> None:
    by_name = {university.name: university for university in everywhere(WORLD)}
    for record in rows_of("Ncmstus").all():
        of = figures(WORLD, by_name[record["SCHOOL_NM"]], int(record["STD_YY"]))
        assert numbers(record, "ENSCH_PSN_CAPA", "APLCT_SUM", "NSTD_SUM") == [of.places, of.applicants, of.entered]
    assert {r["SCHOOL_NM"] for r in rows_of("Univmjrm").slice(0, 300)} <= set(by_name)
    assert {r["FACLT_NM"] for r in rows_of("Univ").all()} < {r["FACLT_NM"] for r in rows_of("Jnclluniv").all()}


def test_neighbourhoods_add_up_to_districts_and_districts_to_their_city() -> None:
    month = [r for r in rows_of("AgeAcctoPopltn").slice(0, 2_000) if (r["EXAMIN_YY"], r["EXAMIN_MT"]) == ("2025", "12")]
    people = {r["LEGALDONG_CD"]: int(r["TOT_POPLTN_CNT"]) for r in month}
    suwon = {r["LEGALDONG_CD"]: r for r in month if r["ADMZONE_NM"].startswith("경기도 수원시")}
    districts = [code for code, r in suwon.items() if r["ADMZONE_DIV_NM"] == "구"]
    assert len(districts) == 4
    assert people["4111000000"] == sum(people[code] for code in districts)
    for district in districts:
        parts = [c for c, r in suwon.items() if r["ADMZONE_DIV_NM"] == "읍면동" and c[:5] == district[:5]]
        assert people[district] == sum(people[code] for code in parts)
    codes = {hood.code for hood in all_neighbourhoods()}
    assert {r["LEGALDONG_CD"] for r in month if r["ADMZONE_DIV_NM"] == "읍면동"} <= codes


def test_codes_of_card_sales_look_like_statutory_ones_and_are_not() -> None:
    rows = rows_of("TB25BPTCARDDONGM")
    assert rows.total > 1_000_000
    codes = {record["ADMDONG_CD"] for record in rows.slice(0, 50_000)}
    assert all(len(code) == 10 for code in codes)
    assert not codes & {hood.code for hood in all_neighbourhoods()}


def test_kinds_of_admission_add_up_to_a_universitys_year() -> None:
    kinds = rows_of("Enschscritypeselectn").all()
    for record in rows_of("Ncmstus").all():
        own = [k for k in kinds if (k["SCHOOL_NM"], k["STD_YY"]) == (record["SCHOOL_NM"], record["STD_YY"])]
        places, enrolled, applied = numbers(record, "RECRUT_PSN_CNT_SUM", "NSTD_SUM", "APLCT_SUM")
        assert places == sum(int(k["LAST_RECRUT_PSN_CNT"]) for k in own)
        assert enrolled == sum(int(k["LAST_REGIST_PSN_CNT"]) for k in own) <= places <= applied


def test_dropouts_are_the_sum_of_courses_and_courses_of_reasons() -> None:
    for record in rows_of("Hfwydrotmasterdr").slice(0, 100):
        for course in ("MASTER", "DR", "MDR_UNITY"):
            reasons = [n for n in record if n.startswith(f"{course}_") and n.endswith("_CNT")]
            assert int(record[f"{course}_SUM"]) == sum(numbers(record, *reasons))
        total = sum(numbers(record, "MASTER_SUM", "DR_SUM", "MDR_UNITY_SUM"))
        assert int(record["TOTSUM"]) == total <= int(record["ERSTD_CNT"])
        assert record["HFWY_DROT_STDNT_RT"] == f"{total * 100 / int(record['ERSTD_CNT']):.1f}"


def test_graduates_are_in_work_in_study_or_neither() -> None:
    for record in rows_of("Grduemplymtgenrlgdhl").slice(0, 100):
        for sex in ("MALE", "FEMALE"):
            parts = [
                f"HTIR_CONCTN_{sex}_EMPLYE_CNT", f"OVSEA_{sex}_EMPLYE_CNT", f"FARMJ_{sex}_ENFLPSN_CNT",
                f"INDVDL_CRAT_{sex}_ENFLPSN_CNT", f"PSN1_{sex}_FUDR_CNT", f"{sex}_FRLAC_CNT", f"ETSHP_{sex}_CNT",
                f"EMPLYMT_NO_POSBL_{sex}_CNT", f"FRGNR_INTSTD_{sex}_CNT", f"HTIR_JOSUBSE_{sex}_TRGTER_CNT",
                f"{sex}_ETC_PSN_CNT", f"{sex}_UKNWN_PSN_CNT",
            ]  # fmt: skip
            assert sum(numbers(record, *parts)) == int(record[f"{sex}_GRA_CNT"])
        assert 0 <= float(record["EMPLYMT_RT"]) <= 100


def test_casualties_are_the_dead_and_the_hurt() -> None:
    for record in rows_of("TfcacdarM").slice(0, 200):
        hurt = sum(record[n] for n in ("SERINJRY_INDVDL_CNT", "SLTINJRY_INDVDL_CNT", "INJURY_APLCNT_CNT"))
        assert record["CASLT_CNT"] == record["DPRS_CNT"] + hurt
        assert record["OCCUR_CNT"] <= record["CASLT_CNT"]


def test_redevelopment_days_follow_each_other_up_to_the_step_reached() -> None:
    for record in rows_of("GenrlimprvBizpropls").all():
        days = [value for name, value in record.items() if name.endswith("_DE") and value]
        assert days == sorted(days)
        assert all(day <= "20260130" for day in days)


def test_fine_dust_is_part_of_the_dust() -> None:
    for record in rows_of("Sidoatmospolutnmesure").all():
        assert int(record["FINEDUST_PM2_5_DNST_VL"]) <= int(record["FINEDUST_PM10_DNST_VL"])


# joins beyond the province


def test_factories_and_postings_name_companies_that_file() -> None:
    names = {company.name for company in companies(WORLD)}
    assert any(record["COMPNY_GRP_NM"] in names for record in rows_of("FACTRYREGISTTM").slice(0, 40))
    assert {record["COMPNY_NM"] for record in rows_of("EmplmntInfoStus").slice(0, 40)} <= names


def test_pupils_belong_to_schools_that_neis_knows() -> None:
    known = {school.name for school in schools(WORLD) if school.district.province.code == "41"}
    assert {record["SCHOOL_NM"] for record in rows_of("Schoolstdntcntsecndhd").all()} <= known
    assert {r["SIGUN_CD"] for r in rows_of("Schoolstdntcntsecndhd").all()} <= {s.code for s in siguns()}


def test_places_of_accidents_lie_in_registered_neighbourhoods() -> None:
    codes = {hood.code for hood in all_neighbourhoods()}
    assert {record["LEGALDONG_CD_NO"] for record in rows_of("TfcacdarM").slice(0, 200)} <= codes


def test_strays_are_in_shelters_of_their_place() -> None:
    shelters = {(r["SIGUN_NM"], r["ENTRPS_NM"]) for r in rows_of("OrganicAnimalProtectionFacilit").all()}
    for record in rows_of("AbdmAnimalProtect").slice(0, 200):
        assert (record["SIGUN_NM"], record["SHTER_NM"]) in shelters
        assert record["RECEPT_DE"] == record["PBLANC_BEGIN_DE"] < record["PBLANC_END_DE"]
        assert record["STATE_NM"] == "보호중" or record["PBLANC_END_DE"] < "20260130"


def test_strays_are_found_by_state_species_shelter_and_notice() -> None:
    record = rows_of("AbdmAnimalProtect").slice(7, 8)[0]
    same = {n: record[n] for n in ("STATE_NM", "SPECIES_NM", "SHTER_NM", "PBLANC_BEGIN_DE", "SIGUN_CD")}
    assert record in rows_of("AbdmAnimalProtect", **same).all()
    assert rows_of("AbdmAnimalProtect", PBLANC_BEGIN_DE="20200101").total == 0


def test_calls_have_closed_once_their_day_has_come() -> None:
    for record in rows_of("ServicPartcptnInfo").slice(0, 300):
        assert (record["RECRUT_STATE_NM"] == "모집완료") == (record["SERVIC_BEGIN_DE"] <= "20260130")


# the signatures


@pytest.mark.parametrize("operation", LISTS)
def test_every_known_list_is_modelled_and_fills_its_columns(operation: str) -> None:
    tool = TOOLS[operation]
    rows = rows_of(operation)
    records = rows.slice(0, 5) + rows.slice(rows.total - 2, rows.total)
    assert records
    for record in records:
        assert list(record) == [field.name for field in tool.fields] or set(record) == {f.name for f in tool.fields}
        for field in tool.fields:
            value = record[field.name]
            assert value is None or isinstance(value, str) == (field.type == "string"), (field.name, value)
    assert rows.slice(rows.total, rows.total + 5) == []


def test_common_columns_are_columns_of_the_catalog() -> None:
    used = {field.name for tool in TOOLS.values() for field in tool.fields}
    assert set(COMMON) - used <= {"DETAIL_FAXNO"}


# determinism


def test_a_new_value_seed_redraws_figures_only() -> None:
    other = World(value_seed=1)
    before, after = rows_of("OldpsnMedcareWelfac").slice(0, 40), rows_of("OldpsnMedcareWelfac", other).slice(0, 40)
    for name in ("FACLT_NM", "SIGUNGU_NM", "REFINE_ROADNM_ADDR", "FACLT_INSTL_DETAIL_DE", "COPRTN_GRP_NM"):
        assert [r[name] for r in before] == [r[name] for r in after]
    assert [r["ENTRNC_PSTPSN_SUM"] for r in before] != [r["ENTRNC_PSTPSN_SUM"] for r in after]


def test_a_small_world_has_every_list_too() -> None:
    small = World(scale=0.02)
    empty = {operation for operation in LISTS if rows_of(operation, small).total == 0}
    assert empty <= OF_UNIVERSITIES  # a small country may have none in one province


def test_answers_are_the_same_bytes_again() -> None:
    again = SandboxTransport(World())
    for operation in ("RegionMnyFacltStus", "GGCULTUREVENTSTUS", "AWS1hourObser"):
        request = wire_for("gyeonggi").build_request(TOOLS[operation], {"pIndex": "3"}, sandbox_key("gyeonggi"))
        assert TRANSPORT.handle_request(request).content == again.handle_request(request).content
