"""HRD Korea and Q-Net: sums that must agree, days that must be in order, codes that must join, and the wire."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import SandboxTransport, World, sandbox_key
from kopa_hf.sandbox.finance.companies import companies
from kopa_hf.sandbox.query import Query, Rows
from kopa_hf.sandbox.registry import handlers
from kopa_hf.sandbox.skills.fields import REGIONS
from kopa_hf.sandbox.skills.ncs import duties, units_of
from kopa_hf.sandbox.skills.outcomes import ELIGIBILITY, eligibility_tally
from kopa_hf.sandbox.skills.qualifications import Qualification, qualifications, technical
from kopa_hf.sandbox.skills.results import (
    apportion,
    by_age,
    by_region,
    by_sex,
    by_sex_and_age,
    round_tallies,
    year_split,
    year_tally,
)
from kopa_hf.sandbox.skills.rounds import FIRST_YEAR, LAST_YEAR, PLANNED_YEAR, rounds
from kopa_hf.sandbox.statutes.laws import law_by_name
from kopa_hf.sandbox.universities.university import universities
from kopa_hf.sandbox.world import default_world

WORLD = default_world()
WIRE = wire_for("hrdk")
KEY = sandbox_key("hrdk")
ADDRESS = "https://openapi.q-net.or.kr/api/service/rest/"


@cache
def tools() -> dict[str, Tool]:
    return {tool.name: tool for tool in load_catalog() if tool.wire == "hrdk"}


@cache
def transport() -> SandboxTransport:
    return SandboxTransport(WORLD, catalog=tools().values())


def ask(name: str, **given_: str) -> Answer:
    tool = tools()[name]
    response = transport().handle_request(WIRE.build_request(tool, given_, KEY))
    return WIRE.parse(
        response.content,
        http_status=response.status_code,
        content_type=response.headers["content-type"],
        operation=tool.endpoint.operation,
    )


def rows(name: str, **given_: str) -> list[dict[str, Any]]:
    """All pages."""
    found: list[dict[str, Any]] = []
    page = 1
    while True:
        answer = ask(name, **given_, pageNo=str(page), numOfRows="1000")
        found += answer.records
        if len(found) >= (answer.total_count or 0) or not answer.records:
            return found
        page += 1


def popular() -> Qualification:
    return max((q for q in technical(WORLD) if q.course_based and q.work_study), key=lambda q: q.applicants)


# the wire


@cache
def arguments() -> dict[str, str]:
    """A value for every demanded input of the hand-made operations."""
    q, duty = popular(), duties(WORLD)[40]
    large, middle, small, sub = duty.parts
    return {
        "jmCd": q.code, "jmcd": q.code, "baseYY": "2024", "seriesCd": "03", "implYy": "2025", "year": "2025",
        "brchCd": "02", "rgnCd": "A108", "quart": "2", "fromYearMonth": "202401", "toYearMonth": "202406",
        "dutyCd": duty.code, "NCS_LCLAS_CD": large, "NCS_MCLAS_CD": middle, "NCS_SCLAS_CD": small,
        "NCS_SUBD_CD": sub, "NCS_CL_CD": units_of(WORLD, duty)[0].code, "COMPE_UNIT_FACTR_NO": "1",
        "compUnitCd": "01", "SWRD": "점검", "LVL": "5", "queryNo": "10007",
        "yyyy": "2024", "ncsLclasCd": "20", "targYy": "2024", "mcdNm": "과", "stDt": "20250101", "fairLocName": "서울",
        "airWhatday": "월", "programNm": "장인", "sido": "서울특별시", "gun": "종로구", "searchLanguage": "영어",
        "searchMain": "인사하기", "searchSub": "일터",
    }  # fmt: skip


HAND_MADE = sorted(name for name, tool in tools().items() if tool.endpoint.operation in handlers("hrdk"))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(HAND_MADE), st.integers(1, 4), st.integers(1, 30))
def test_every_answer_reads_back_to_the_worlds_records(name: str, page: int, size: int) -> None:
    tool = tools()[name]
    sent = {p.name: arguments().get(p.name, "1") for p in tool.inputs if p.required and p.role == "input"}
    reply = handlers("hrdk")[tool.endpoint.operation](WORLD, Query(tool.endpoint.operation, sent, tool))
    assert isinstance(reply, Rows)
    assert tool.paging is not None
    first = (page - 1) * size
    paged = {tool.paging.page: str(page), tool.paging.size: str(size)}
    if tool.paging.style == "range":
        paged = {tool.paging.page: str(first + 1), tool.paging.size: str(first + size)}
    answer = ask(name, **sent, **paged)
    expected = reply.slice(first, first + size)
    assert answer.records == expected
    assert answer.outcome == ("ok" if expected else "no_data")
    assert answer.total_count == reply.total
    for record in expected:
        assert list(record) == [field.name for field in tool.fields]


@pytest.mark.parametrize("key", ["", "wrong"])
def test_a_wrong_key_is_refused_by_the_gateway(key: str) -> None:
    url = f"{ADDRESS}InquiryTestInformationNTQSVC/getPEList"
    with httpx.Client(transport=transport(), trust_env=False) as client:
        response = client.get(url, params={"serviceKey": key} if key else {})
    answer = WIRE.parse(response.content)
    assert (response.status_code, answer.outcome, answer.code) == (200, "auth", "30")


@pytest.mark.parametrize(
    ("name", "given_", "outcome"),
    [
        ("get_qnet_exam_fee", {}, "bad_param"),
        ("get_qnet_exam_fee", {"jmcd": "9998"}, "no_data"),
        ("list_qnet_holders_by_year_and_grade", {"baseYY": "20x4"}, "bad_param"),
        ("list_qnet_holders_by_year_and_grade", {"baseYY": "1999"}, "no_data"),
        ("list_qnet_holders_by_year_and_grade", {"baseYY": "2026"}, "no_data"),
        ("list_qnet_qualifications", {"pageNo": "999"}, "no_data"),
        ("list_qnet_qualifications", {"pageNo": "0"}, "bad_param"),
        ("list_qnet_qualifications", {"numOfRows": "1001"}, "bad_param"),
        (
            "list_qnet_regional_acquisition_by_age",
            {"rgnCd": "11", "seriesCd": "03", "baseYY": "2024", "quart": "1"},
            "no_data",
        ),
        (
            "list_qnet_regional_acquisition_by_age",
            {"rgnCd": "A101", "seriesCd": "03", "baseYY": "2024", "quart": "5"},
            "bad_param",
        ),
        (
            "list_hrdk_overseas_job_postings_by_month",
            {"fromYearMonth": "202413", "toYearMonth": "202412"},
            "bad_param",
        ),
    ],
)
def test_refusals_and_empty_answers_have_their_outcomes(name: str, given_: dict[str, str], outcome: str) -> None:
    assert ask(name, **given_).outcome == outcome


def test_an_unknown_operation_is_unknown() -> None:
    with httpx.Client(transport=transport(), trust_env=False) as client:
        for path in ("https://apis.data.go.kr/B490007/nothing/none", f"{ADDRESS}NothingSVC/getList"):
            response = client.get(path, params={"serviceKey": KEY})
            answer = WIRE.parse(response.content, http_status=response.status_code)
            assert answer.outcome == "unknown_operation"


def test_the_joint_schedule_comes_without_a_wrapper_and_with_a_number() -> None:
    tool = tools()["list_qnet_exam_schedule"]
    given_ = {"implYy": "2025", "qualgbCd": "T", "jmCd": popular().code, "numOfRows": "30"}
    response = transport().handle_request(WIRE.build_request(tool, given_, KEY))
    body = json.loads(response.content)
    assert list(body) == ["header", "body"]
    first = body["body"]["items"][0]
    assert (first["implYy"], first["implSeq"], first["qualgbCd"]) == ("2025", 1, "T")


# identities


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 500), st.integers(FIRST_YEAR, LAST_YEAR))
def test_nobody_passes_without_sitting_the_exam(position: int, year: int) -> None:
    held = technical(WORLD)
    q = held[position % len(held)]
    for _, tally in round_tallies(WORLD, q, year):
        assert tally.passed <= tally.taken <= tally.applied
        assert tally.acquired <= tally.practical_taken <= tally.practical_applied
        for number in range(len(ELIGIBILITY)):
            part = eligibility_tally(WORLD, tally, number, "x")
            assert part.passed <= part.taken <= part.applied
    split = year_split(WORLD, q, year)
    acquired = year_tally(WORLD, q, year).acquired
    assert sum(by_region(split)) == sum(by_sex(split)) == sum(by_age(split)) == acquired
    assert [sum(ages) for ages in by_sex_and_age(split)] == by_sex(split)
    quarters = [sum(year_split(WORLD, q, year, quarter)) for quarter in (1, 2, 3, 4)]
    assert sum(quarters) == acquired


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(1, 500), min_size=1, max_size=20), st.integers(0, 2**64 - 1))
def test_shares_add_up_and_follow_their_weights(total: int, weights: list[int], seed: int) -> None:
    shares = apportion(total, weights, seed)
    assert sum(shares) == total
    for share, weight in zip(shares, weights, strict=True):
        assert abs(share - total * weight / sum(weights)) <= 1


def test_days_of_a_round_are_in_order_and_within_its_year() -> None:
    for year in range(FIRST_YEAR, PLANNED_YEAR + 1):
        for series in ("01", "02", "03", "04", "21"):
            for exam in rounds(WORLD, series, year):
                days = [getattr(exam, name) for name in type(exam).__slots__[3:]]
                assert days == sorted(days)
                assert exam.doc_reg_start.year == exam.prac_pass.year == year


def test_tables_of_one_year_agree_to_the_last_person() -> None:
    by_grade = rows("list_qnet_holders_by_year_and_grade", baseYY="2024")
    by_age_group = rows("list_qnet_holders_by_year_and_age", baseYY="2024")
    new = sum(int(row["statisyy6"]) for row in by_grade)
    assert new == sum(int(row["statisyy6"]) for row in by_age_group)
    assert new == sum(year_tally(WORLD, q, 2024).acquired for q in technical(WORLD))
    ever = sum(int(row[f"statisyy{n}"]) for row in by_grade for n in range(1, 7))
    by_province = rows("list_qnet_acquisition_by_province_and_gender", baseYY="2024")
    assert ever == sum(int(row["accumAcquCnt"]) for row in by_province)
    (totals,) = rows("get_qnet_total_examinees_by_year", baseYY="2024")
    examinees = rows("list_qnet_written_examinees_by_grade", baseYY="2024")
    for n in range(1, 7):
        assert int(totals[f"pilrccnt{n}"]) == sum(int(row[f"statisyy{n}"]) for row in examinees)


def test_the_regions_of_a_qualification_add_up_to_its_holders() -> None:
    q = popular()
    sexes = rows("list_qnet_holders_of_qualification_by_gender", baseYY="2024", jmCd=q.code)
    found = {"남자": 0, "여자": 0}
    for code, *_ in REGIONS:
        for quarter in "1234":
            given_ = {"rgnCd": code, "seriesCd": q.series, "baseYY": "2024", "quart": quarter}
            for row in rows("list_qnet_regional_acquisition_by_gender", **given_):
                assert int(row["cnt"]) == int(row["acquCnt1"]) + int(row["acquCnt2"])
                if row["jmNm"] == q.name:
                    found["남자"] += int(row["acquCnt1"])
                    found["여자"] += int(row["acquCnt2"])
    assert {row["sexnm"]: int(row["ilpcnt1"]) for row in sexes} == found


def test_age_and_schooling_split_the_same_examinees() -> None:
    def sums(name: str) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for row in rows(name, baseYY="2024"):
            taken, passed = found.get(row["jmCd"], (0, 0))
            found[row["jmCd"]] = (taken + int(row["lastRsltExamCnt"]), passed + int(row["lastRsltPassCnt"]))
        return found

    by_age_group = sums("list_qnet_exam_results_by_age")
    assert by_age_group == sums("list_qnet_acquisition_by_education")
    q = popular()
    tally = year_tally(WORLD, q, 2024)
    assert by_age_group[q.code] == (tally.practical_taken, tally.acquired)


def test_rates_follow_their_counts_and_rankings_their_order() -> None:
    for row in rows("list_qnet_pass_rates_by_round", baseYY="2024", grdCd="20"):
        passed, taken = int(row["examPassCnt"]), int(row["recptNoCnt"])
        assert row["passRate"] == (f"{passed * 100 / taken:.2f}" if taken else "0.00")
    ranked = [int(row["qualAcquCnt"]) for row in rows("list_qnet_acquisition_ranking", baseYY="2024", grdCd="30")]
    assert ranked == sorted(ranked, reverse=True)
    assert len(ranked) == 10


def test_residences_and_trends_add_up_to_the_applicants() -> None:
    q = popular()
    tally = year_tally(WORLD, q, LAST_YEAR)
    lived = [row for row in rows("list_qnet_applications_by_residence", grdCd=q.grade) if row["jmFldNm"] == q.name]
    assert sum(int(row["recptCnt"]) for row in lived) == tally.applied
    for axis in "123":
        trend = rows("list_qnet_application_trends", jmCD=q.code, trendDiv=axis)
        columns = ("cnclManCnt", "abseManCnt", "exameeCnt")
        assert sum(int(row[name]) for row in trend for name in columns) == tally.applied
        assert sum(int(row["passManCnt"]) for row in trend) == tally.passed


def test_a_courses_hours_add_up_and_its_units_exist() -> None:
    q = popular()
    (course,) = rows("get_qnet_course_based_qualification_detail", jmCd=q.code)
    (work,) = rows("get_qnet_work_study_qualification_detail", jmCd=q.code)
    parts = ("jobBasisAbltStdTm", "mandAbltUnitStdTm", "selAbltUnitStdTm")
    assert int(work["eduTrngStdTmSum"]) == sum(int(work[name]) for name in parts)
    assert course["eduTrngStdTmSum"] == work["eduTrngStdTmSum"]
    for unit in rows("list_qnet_course_based_ncs_units", jmCd=q.code):
        known = rows("list_hrdk_ncs_competency_units", dutyCd=unit["ncsClCd"][:8])
        assert unit["ncsClCd"] in {row["ncsClCd"] for row in known}
        assert q.code in {row["jmCd"] for row in rows("list_hrdk_qualifications_by_ncs_unit", ncsClCd=unit["ncsClCd"])}


def test_standards_are_reached_level_by_level() -> None:
    large = rows("list_hrdk_ncs_large_categories")[19]
    path = {"NCS_LCLAS_CD": large["NCS_LCLAS_CD"]}
    levels = (
        ("list_hrdk_ncs_middle_categories", "NCS_MCLAS_CD"),
        ("list_hrdk_ncs_small_categories", "NCS_SCLAS_CD"),
        ("list_hrdk_ncs_duty_categories", "NCS_SUBD_CD"),
    )
    for name, column in levels:
        path[column] = rows(name, **path)[-1][column]
    units = rows("list_hrdk_ncs_competency_units_by_category", **path)
    duty = "".join(path.values())
    assert len(units) == len(rows("list_hrdk_ncs_competency_units", dutyCd=duty))
    code = rows("list_hrdk_ncs_competency_units", dutyCd=duty)[0]["ncsClCd"]
    (element,) = rows("list_hrdk_ncs_unit_elements_by_code", NCS_CL_CD=code, COMPE_UNIT_FACTR_NO="1")
    assert element["COMPE_UNIT_FACTR_NAME"].startswith(element["COMPE_UNIT_NAME"])


def test_entrants_of_a_contest_stay_or_leave() -> None:
    for row in rows("list_hrdk_local_skill_contest_entrants"):
        assert int(row["totalCnt"]) == int(row["attendCnt"]) + int(row["notattendCnt"])
        left = int(row["giveupCnt"]) + int(row["disqualifiedCnt"])
        assert int(row["attendCnt"]) == int(row["silcham_cnt"]) + left


def test_employees_abroad_add_up_by_month_and_by_occupation() -> None:
    given_ = {"fromYearMonth": "202401", "toYearMonth": "202412"}
    months = rows("list_hrdk_overseas_employment_by_month_and_country", **given_)
    trades = rows("list_hrdk_overseas_employment_by_occupation", searchYear="2024")
    assert sum(int(row["cnt"]) for row in months) == sum(int(row["cnt"]) for row in trades)


def test_the_seven_cuts_of_apprenticeship_courses_agree() -> None:
    span = {"startYyyy": "2020", "endYyyy": "2023"}
    by_year = rows("list_hrdk_work_study_courses_by_year", **span)
    whole = sum(int(row["tracseCnt"]) for row in by_year)
    assert whole > 300
    for name in ("participation", "occupation", "qualification"):
        assert sum(int(row["tracseCnt"]) for row in rows(f"list_hrdk_work_study_courses_by_{name}", **span)) == whole
    for name in ("period", "hours"):
        cut = rows(f"list_hrdk_work_study_courses_by_{name}", **span)
        assert sum(int(count) for row in cut for column, count in row.items() if column != "confmYYYY") == whole


def test_holders_of_several_qualifications_are_the_years_holders() -> None:
    by_grade = {row["gradename"]: int(row["statisyy6"]) for row in rows(
        "list_qnet_holders_by_year_and_grade", baseYY="2024"
    )}  # fmt: skip
    several = rows("list_qnet_other_grade_acquisition", baseYY="2024")
    assert [int(row["acquCnt"]) for row in several] == list(by_grade.values())
    for row in several:
        assert sum(int(count) for name, count in row.items() if name.startswith("qualAcqu")) <= int(row["acquCnt"])


def test_books_of_remote_training_add_up() -> None:
    for row in ask("list_hrdk_elearning_cleaning_logs", numOfRows="200").records:
        assert int(row["TOT_CNT"]) == int(row["NOR_CNT"]) + int(row["ERR_CNT"])
    for row in ask("list_hrdk_elearning_yearly_statistics", numOfRows="200").records:
        assert int(row["CNT_ATTEND_PASS_ALL"]) <= int(row["CNT_ATTEND_ALL"])


def test_every_step_towards_work_abroad_loses_people() -> None:
    for centre in {row["areaGbnNm"] for row in rows("list_hrdk_overseas_jobseekers_by_step")}:
        steps = [row for row in rows("list_hrdk_overseas_jobseekers_by_step") if row["areaGbnNm"] == centre]
        counts = [int(row["areaGbnCnt"]) for row in steps]
        assert counts == sorted(counts, reverse=True)


# joins


def test_codes_of_the_list_open_every_other_service() -> None:
    listed = rows("list_qnet_qualifications")
    assert len(listed) == len(qualifications(WORLD)) > 500
    assert all(len(row["jmcd"]) == 4 for row in listed)
    some = next(row for row in listed if row["qualgbcd"] == "T")
    (fee,) = rows("get_qnet_exam_fee", jmcd=some["jmcd"])
    assert fee["jmfldnm"] == some["jmfldnm"]
    assert rows("list_qnet_exam_schedule", implYy="2026", jmCd=some["jmcd"])


def test_apprenticeships_are_run_by_companies_that_dart_knows() -> None:
    known = {company.name for company in companies(WORLD)}
    providers = rows("search_qnet_participating_institutions", qualgbCd="W")
    assert len(providers) > 300
    assert {row["instiNm"] for row in providers} <= known


def test_qualifications_rest_on_laws_that_the_law_service_knows() -> None:
    changed = ask("list_qnet_changed_laws", numOfRows="50").records
    assert {row["lawNm"] for row in changed} <= law_by_name(WORLD).keys()
    revised = rows("list_qnet_law_revisions")
    for name in {row["lawNm"] for row in changed}:
        editions = [row for row in revised if row["lawNm"] == name]
        assert len(editions) == len(law_by_name(WORLD)[name].editions)


def test_universities_have_their_own_numbers_here_but_their_common_names() -> None:
    known = {university.name: university.code for university in universities(WORLD)}
    listed = ask("list_qnet_university_departments", numOfRows="300").records
    assert {row["univnm"] for row in listed} <= known.keys()
    assert not {row["univcd"] for row in listed} & set(known.values())


def test_details_open_with_the_numbers_of_their_lists() -> None:
    post = rows("search_qnet_open_exam_questions", jmCd=popular().code)[0]
    (detail,) = rows("get_qnet_open_exam_question", artlSeq=post["artlSeq"])
    assert detail["title"] == post["title"]
    product = ask("list_hrdk_meisternet_products").records[3]
    (work,) = rows("get_hrdk_meisternet_product", queryNo=product["productNo"])
    assert work["imgFile"] == product["imgFile"]
    artisan = ask("search_hrdk_skilled_artisans", areaCd="A102").records[0]
    (person,) = rows("get_hrdk_meisternet_artisan", queryNo=artisan["meiNo"])
    assert (person["meiNm"], person["areaNm"]) == (artisan["meiNm"], "부산")
    plan = rows("list_qnet_unfunded_course_applications")[4]["apevalPlanSeq"]
    assert len(rows("list_qnet_review_results_by_domain", apevalPlanSeq=plan)) == 4


def test_text_filters_search_and_codes_are_equal() -> None:
    found = rows("search_hrdk_overseas_recruitments", searchNationNm="일본", searchKscoNm="정보")
    assert found
    assert all("일본" in row["rctntcSj"] and "정보기술" in row["rctntcSj"] for row in found)
    assert ask("search_hrdk_job_tv_programs", programNm="장인").records
    assert ask("list_hrdk_job_tv_schedule", airWhatday="수").total_count == 18


def test_every_district_has_one_branch_and_every_branch_an_exam_place() -> None:
    districts = rows("list_qnet_branch_jurisdictions")
    assert len({(row["sido"], row["sigungu"]) for row in districts}) == len(districts) == 250
    names = {row["brchNm"] for row in rows("list_qnet_branches")}
    assert {row["brchNm"] for row in districts} == names
    for number in range(1, len(names) + 1):
        places = rows("list_qnet_exam_places", brchCd=f"{number:02d}")
        assert {row["brchNm"] for row in places} <= names
        assert places


# worlds


def test_a_new_value_seed_keeps_names_and_redraws_figures() -> None:
    other = World(value_seed=1)
    assert qualifications(other) == qualifications(WORLD)
    assert rounds(other, "03", 2025) == rounds(WORLD, "03", 2025)
    q = popular()
    assert year_tally(other, q, 2024) != year_tally(WORLD, q, 2024)


def test_another_identity_has_other_qualifications() -> None:
    assert {q.code for q in qualifications(World(identity_seed=1))} != {q.code for q in qualifications(WORLD)}


@pytest.mark.parametrize("scale", [0.2, 2.0])
def test_the_world_scales(scale: float) -> None:
    scaled = qualifications(World(scale=scale))
    assert (len(scaled) < len(qualifications(WORLD))) == (scale < 1)
    assert len({q.code for q in scaled}) == len(scaled)
