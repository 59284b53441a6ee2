"""Schools: one population behind three services; tables that count the same pupils and teachers agree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.sandbox import World
from kopa_hf.sandbox.codes import system_of
from kopa_hf.sandbox.places import districts
from kopa_hf.sandbox.schools.enrolment import enrolment
from kopa_hf.sandbox.schools.lessons import Timetable, classes
from kopa_hf.sandbox.schools.offices import offices
from kopa_hf.sandbox.schools.school import schools
from kopa_hf.sandbox.schools.terms import holidays, school_days

from .schooling import CATALOG, WORLD, ask, codes_of, one, send


def test_codes_and_names_are_unique_and_formed_as_their_services_print_them() -> None:
    every = schools(WORLD)
    assert len(every) == 12_100
    for values in ([s.code for s in every], [s.disclosure for s in every], [s.kedi for s in every]):
        assert len(set(values)) == len(every)
    assert len({s.name for s in every}) == len(every)
    assert all(len(s.code) == 7 and s.code.isdigit() and len(s.kedi) == 9 for s in every)
    assert all(s.disclosure[0] == s.office.code[0] and s.disclosure[1:].isdigit() for s in every)


def test_every_district_has_all_three_levels() -> None:
    found = {(s.district.code, s.level) for s in schools(WORLD)}
    assert {(d.code, level) for d in districts() for level in ("02", "03", "04")} <= found


def test_offices_are_the_official_ones() -> None:
    assert len(offices()) == 17
    named = {office.code: office.name for office in offices()}
    assert (named["B10"], named["J10"], named["T10"]) == ("서울특별시교육청", "경기도교육청", "제주특별자치도교육청")


def test_look_alike_codes_stand_in_systems_of_their_own() -> None:
    bound = {
        system_of("neis", "schoolInfo", "fields", "SD_SCHUL_CODE"),
        system_of("schoolinfo", "0", "fields", "SCHUL_CODE"),
        system_of("edss", "SA00202400040", "fields", "schlKediCd"),
        system_of("data_go_kr", "getUniversityCode", "fields", "schlId"),
    }
    assert len(bound) == 4
    assert system_of("edss", "SA00202400040", "fields", "neisSchlCd") == "school.code"
    assert system_of("neis", "schoolInfo", "fields", "ATPT_OFCDC_SC_CODE") != system_of(
        "schoolinfo", "0", "fields", "ATPT_OFCDC_ORG_CODE"
    )


def test_a_new_value_seed_keeps_schools_and_redraws_pupils() -> None:
    other = World(0, 7)
    a, b = schools(WORLD)[40], schools(other)[40]
    assert a == b
    first, second = enrolment(WORLD, a, 2025), enrolment(other, b, 2025)
    assert [g.classes for g in first.grades] == [g.classes for g in second.grades]
    assert [g.pupils for g in first.grades] != [g.pupils for g in second.grades]


def test_pupils_of_a_grade_are_those_below_a_year_before_with_those_who_moved() -> None:
    for school in schools(WORLD)[::397]:
        before, now = enrolment(WORLD, school, 2024), enrolment(WORLD, school, 2025)
        for low, high in zip(before.grades, now.grades[1:], strict=False):
            if low.part == high.part:
                assert low.pupils + low.moved_in - low.moved_out == high.pupils
        left, girls = now.graduates()
        last = before.grades[-1]
        assert left == last.pupils + last.moved_in - last.moved_out
        assert 0 <= girls <= left


@pytest.mark.parametrize("level", ["02", "03", "04", "05"])
def test_tables_of_pupils_agree(level: str) -> None:
    asked = {"schulKndCode": level, "sggCode": "11680", "pbanYr": "2025"}
    by_class = {r["SCHUL_CODE"]: r for r in ask("list_schoolinfo_students_by_grade_class", **asked)}
    by_sex = {r["SCHUL_CODE"]: r for r in ask("list_schoolinfo_students_by_gender", **asked)}
    status = {r["SCHUL_CODE"]: r for r in ask("list_schoolinfo_school_status", **asked)}
    moves = {r["SCHUL_CODE"]: r for r in ask("list_schoolinfo_transfers_and_dropouts", **asked)}
    assert by_class.keys() == by_sex.keys() == status.keys() == moves.keys() != set()
    for code, row in by_class.items():
        if row["PBAN_EXCP_YN"] == "Y":
            assert row["COL_S_SUM"] is None
            assert row["PBAN_EXCP_RSN"]
            continue
        assert row["COL_S_SUM"] == sum(row[f"COL_S{n}"] for n in range(1, 19)) == row["COL_SUM_S4"]
        assert row["COL_C_SUM"] == sum(row[f"COL_C{n}"] for n in range(1, 19))
        assert row["COL_S_SUM"] == by_sex[code]["SUM"] == by_sex[code]["COL_MSUM"] + by_sex[code]["COL_WSUM"]
        assert row["COL_S_SUM"] == status[code]["COL_FGR_SUM"]
        assert row["COL_C_SUM"] == status[code]["COL_SUM"]
        ordinary = row["COL_S_SUM"] - row["COL_S7"] - row["COL_S13"] - row["COL_S17"]
        assert moves[code]["STDNT_SUM"] == ordinary


def test_every_table_of_teachers_counts_the_same_heads() -> None:
    asked = {"schulKndCode": "04", "sggCode": "11680", "pbanYr": "2024"}
    positions = {r["SCHUL_CODE"]: r for r in ask("list_schoolinfo_teachers_by_position", **asked)}
    certificates = {r["SCHUL_CODE"]: r for r in ask("list_schoolinfo_teachers_by_certificate", **asked)}
    subjects: dict[str, int] = {}
    for row in ask("list_schoolinfo_teachers_by_subject", **asked, depthNo="10"):
        subjects[row["SCHUL_CODE"]] = subjects.get(row["SCHUL_CODE"], 0) + (row["SUM_CNT"] or 0)
    for code, row in positions.items():
        if row["PBAN_EXCP_YN"] == "N":
            numbers = (*range(1, 12), 13, 15)
            assert row["COL_S"] == sum(row[f"COL_{n}"] for n in numbers) == row["COL_SM"] + row["COL_SW"]
            assert row["COL_S"] == certificates[code]["COL_S"] == subjects[code]


def test_the_statistics_and_the_disclosure_count_the_same_school() -> None:
    school = one("02", 5)
    named = {r["schlNm"]: r for r in ask("list_edss_student_status", crtrYr="2025", ctpvNm="서울")}
    overview = {r["schlNm"]: r for r in ask("list_edss_school_overview", crtrYr="2025")}
    asked = {"schulKndCode": "02", "sggCode": school.district.code, "pbanYr": "2025"}
    rows = {r["SCHUL_NM"]: r for r in ask("list_schoolinfo_school_status", **asked)}
    assert rows[school.name]["COL_FGR_SUM"] == named[school.name]["kescStdntNope"]
    assert overview[school.name]["kescSchlStdntNope"] == named[school.name]["kescStdntNope"]
    row = named[school.name]
    assert row["fstnClasStdntNope"] == sum(row[f"grdr{n}FstnClasStdntNope"] for n in range(1, 7))
    assert row["kescStdntNope"] == row["fstnClasStdntNope"] + row["sclsStdntNope"]


def test_one_list_pairs_the_statistics_code_with_the_standard_one() -> None:
    school = one("03", 3)
    pair = next(r for r in ask("list_edss_school_codes") if r["neisSchlCd"] == school.code)
    place = next(r for r in ask("list_edss_school_locations") if r["schlCd"] == pair["schlKediCd"])
    found = send(CATALOG.get("search_neis_schools"), {"SD_SCHUL_CODE": school.code}).records[0]
    assert (pair["schlNm"], place["schlRdnmAddr"], place["zip"]) == (
        found["SCHUL_NM"], found["ORG_RDNMA"], found["ORG_RDNZC"],
    )  # fmt: skip


def test_meals_are_served_on_school_days_to_the_pupils_of_the_year() -> None:
    school = one("02", 9)
    meals = ask("list_neis_school_meals", **codes_of(school), MLSV_FROM_YMD="20250501", MLSV_TO_YMD="20250531")
    days = {day.strftime("%Y%m%d") for day in school_days(school, 2025) if (day.year, day.month) == (2025, 5)}
    assert {meal["MLSV_YMD"] for meal in meals} == days
    assert not days & {day.strftime("%Y%m%d") for day in holidays(2025)}
    assert {meal["MLSV_FGR"] for meal in meals} == {float(enrolment(WORLD, school, 2025).pupils)}


def test_timetables_hold_every_period_of_every_class_once() -> None:
    school = one("04", 12)
    day = school_days(school, 2025)[30]
    lessons = ask("list_neis_high_timetable", **codes_of(school), ALL_TI_YMD=day.strftime("%Y%m%d"), pSize="1000")
    places = [(r["GRADE"], r["CLASS_NM"], r["PERIO"]) for r in lessons]
    assert len(set(places)) == len(places)
    named = {(r["GRADE"], r["CLASS_NM"]) for r in ask("list_neis_school_classes", **codes_of(school), AY="2025")}
    assert {place[:2] for place in places} == named
    assert ask("list_neis_middle_timetable", **codes_of(school)) == []


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 12_099), st.sampled_from(["", "1", "7"]), st.floats(0, 1, exclude_max=True))
def test_a_lesson_by_position_is_the_lesson_of_the_walk(number: int, period: str, place: float) -> None:
    school = schools(WORLD)[number]
    table = Timetable(school_days(school, 2025)[:12], classes(WORLD, school, 2025)[:9], period)
    walk = [table.at(index) for index in range(table.total)]
    assert len({(lesson.day, lesson.of, lesson.period) for lesson in walk}) == table.total
    if walk:
        assert walk[int(place * table.total)] == table.at(int(place * table.total))
        assert [lesson.day for lesson in walk] == sorted(lesson.day for lesson in walk)


def test_academies_are_filtered_without_being_made() -> None:
    found = send(CATALOG.get("search_neis_academies"), {"ATPT_OFCDC_SC_CODE": "B10", "ADMST_ZONE_NM": "강남구"})
    assert found.total_count is not None
    assert 0 < found.total_count < 2000
    assert all(r["ADMST_ZONE_NM"] == "강남구" for r in found.records)
    number = found.records[0]["ACA_ASNUM"]
    again = ask("search_neis_academies", ATPT_OFCDC_SC_CODE="B10", ACA_ASNUM=number)
    assert again == found.records[:1]


def test_what_is_settled_was_planned_and_what_is_spent_came_in() -> None:
    asked = {"schulKndCode": "03", "sggCode": "11680", "pbanYr": "2025"}
    budgets: dict[str, dict[str, int]] = {}
    for row in ask("list_schoolinfo_public_school_budgets", **asked):
        if row["PBAN_EXCP_YN"] == "N":
            total = sum(row[f"AMT{n}"] for n in range(1, 9))
            budgets.setdefault(row["SCHUL_CODE"], {})[row["FAS_DTN_SC_CODE"]] = total
    assert budgets
    assert all(b["결산"] <= b["예산"] for b in budgets.values())
    for row in ask("list_schoolinfo_school_donations", **asked):
        if row["PBAN_EXCP_YN"] == "N":
            assert row["EXPNT_AMT_SMTOT"] <= row["AMT_SMTOT"]
    for row in ask("list_schoolinfo_meal_expenses", **asked, depthNo="10"):
        if row["PBAN_EXCP_YN"] == "N":
            parts = ("OFCDC_SUF", "SFRND_SUF", "SCHUL_ONSLF_SUF", "GU_SUF", "ETC_SPRT_AMT")
            assert sum(row[name] for name in parts) == row["TOTAL_AMT"]


def test_public_and_private_budgets_share_no_school() -> None:
    asked = {"schulKndCode": "04", "sggCode": "11680", "pbanYr": "2025"}
    public = {r["SCHUL_CODE"] for r in ask("list_schoolinfo_public_school_budgets", **asked)}
    private = {r["SCHUL_CODE"] for r in ask("list_schoolinfo_private_school_budgets", **asked)}
    every = {r["SCHUL_CODE"] for r in ask("list_schoolinfo_school_profiles", schulKndCode="04", sggCode="11680")}
    assert not public & private
    assert public | private == every
