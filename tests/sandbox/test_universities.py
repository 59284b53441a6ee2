"""Universities: every rate is a quotient of two disclosed counts, every region the sum of its universities."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.codes import system_of
from kopa_hf.sandbox.universities.fields import fields
from kopa_hf.sandbox.universities.figures import YEARS, figures
from kopa_hf.sandbox.universities.indicators import ALL, INDICATORS
from kopa_hf.sandbox.universities.university import JUNIOR, SENIOR, University, majors, universities

from .schooling import CATALOG, WORLD, ask, held, send

TOOLS = [tool for tool in CATALOG if "_academyinfo_" in tool.name]


def some(division: str = SENIOR, number: int = 0) -> University:
    return [u for u in universities(WORLD) if u.division == division][number]


def demanded(tool: Tool, university: University, year: str = "2025") -> dict[str, str]:
    known = {"svyYr": year, "schlId": university.code, "schlDivCd": university.division, "schlKrnNm": university.name}
    asked = {p.name: known[p.name] for p in tool.inputs if p.required and p.name in known}
    stem = tool.endpoint.operation.removeprefix("getComparison")
    return asked | ({"indctId": INDICATORS[stem][0].code} if tool.name.endswith(("_research", "securing_rate")) else {})


def test_codes_and_names_are_unique() -> None:
    every = universities(WORLD)
    assert len(every) == 400
    assert len({u.code for u in every}) == len({u.name for u in every}) == 400
    assert all(len(u.code) == 7 for u in every)
    assert len({field.small for field in fields()}) == len(fields())
    assert len({indicator.code for indicator in ALL}) == len(ALL)


def test_majors_share_a_universitys_places() -> None:
    for university in universities(WORLD)[::13]:
        held_majors = majors(WORLD, university)
        assert sum(major.places for major in held_majors) == university.size
        assert len({major.code for major in held_majors}) == len(held_majors)


def test_counts_keep_their_order() -> None:
    for university in universities(WORLD)[::7]:
        for year in YEARS:
            f = figures(WORLD, university, year)
            assert f.applicants >= f.admitted >= f.entered >= f.equal_chance >= 0
            assert f.places >= f.entered
            assert f.graduates >= f.further + f.employable >= f.employable >= f.employed
            assert f.on_roll == f.enrolled + f.on_leave >= f.dropped
            assert f.credits == f.full_time_credits + f.part_time_credits
            assert f.foreigners >= f.foreign_dropped


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(TOOLS), st.integers(0, 399), st.integers(2015, 2026), st.integers(1, 3), st.integers(1, 40))
def test_the_wire_gives_back_the_worlds_rows(tool: Tool, number: int, year: int, page: int, size: int) -> None:
    arguments = demanded(tool, universities(WORLD)[number], str(year))
    answer = send(tool, {**arguments, "pageNo": str(page), "numOfRows": str(size)})
    rows = held(tool, arguments)
    printed = [
        {n: "" if v is None else str(v) for n, v in row.items()} for row in rows.slice((page - 1) * size, page * size)
    ]
    assert answer.records == printed
    assert answer.outcome == ("ok" if printed else "no_data")
    assert not printed or answer.total_count == rows.total
    assert all(record.keys() == {field.name for field in tool.fields} for record in answer.records)


def test_refusals_are_the_gateways_and_the_agencys() -> None:
    tool, asked = CATALOG.get("get_academyinfo_tuition"), {"schlId": some().code, "svyYr": "2025"}
    assert send(tool, asked).outcome == "ok"
    assert send(tool, asked, key="wrong").outcome == "auth"
    assert send(tool, asked, key=None).outcome == "auth"
    assert send(tool, {"svyYr": "2025"}).outcome == "bad_param"
    assert send(tool, {**asked, "svyYr": "올해"}).outcome == "bad_param"
    assert send(tool, {**asked, "svyYr": "1999"}).outcome == "no_data"
    assert send(tool, {**asked, "schlId": "7000000"}).outcome == "no_data"
    assert send(tool, {**asked, "pageNo": "2"}).outcome == "no_data"
    assert send(tool, {**asked, "pageNo": "0"}).outcome == "bad_param"


def test_the_employment_rate_is_the_employed_of_the_employable() -> None:
    for number in range(12):
        university = some(SENIOR, number * 7)
        row = ask("get_academyinfo_employment_standing", schlId=university.code, svyYr="2025")[0]
        f = figures(WORLD, university, 2025)
        assert (row["indctVal1"], row["indctVal2"], row["apyYr"]) == (str(f.employable), str(f.employed), "2024")
        if f.employable:
            assert row["indctVal4"] == f"{f.employed * 100 / f.employable:.1f}"


def test_three_services_give_one_fill_rate() -> None:
    university = some(JUNIOR, 4)
    compared = ask("get_academyinfo_freshman_fill_rate", schlId=university.code, svyYr="2024")[0]
    standing = ask("get_academyinfo_freshman_fill_standing", schlId=university.code, svyYr="2024")[0]
    assert compared["indctVal1"] == standing["indctVal4"]
    rate = int(standing["indctVal2"]) * 100 / int(standing["indctVal1"])
    assert standing["indctVal4"] == f"{rate:.1f}"


def test_a_region_is_counted_from_its_universities() -> None:
    rows = {r["znNm"]: r for r in ask("list_academyinfo_competition_rate_by_region", schlDivCd=SENIOR, numOfRows="50")}
    seoul = [u for u in universities(WORLD) if u.division == SENIOR and u.zone_name == "서울"]
    numbers = [figures(WORLD, u, 2025) for u in seoul]
    expected = sum(f.applicants for f in numbers) / sum(f.places for f in numbers)
    assert rows["서울"]["indctThirdSchlCnt"] == str(len(seoul))
    assert rows["서울"]["indctThirdVal"] == f"{expected:.2f}"
    country = sum(int(r["indctThirdSchlCnt"]) for name, r in rows.items() if name != "전국")
    assert rows["전국"]["indctThirdSchlCnt"] == str(country)


def test_named_columns_say_which_year_they_are_of() -> None:
    row = ask("list_academyinfo_dropouts_by_region", schlDivCd=JUNIOR)[0]
    assert [row[f"fieldType{n}"] for n in (1, 2, 3)] == ["지역", "2023년 학교수", "2023년 중도탈락 학생 비율"]
    assert row["fieldVal2"].isdigit()


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("list_academyinfo_region_codes", "university.zone"),
        ("list_academyinfo_school_kind_codes", "university.division"),
        ("list_academyinfo_school_type_codes", "university.kind"),
        ("list_academyinfo_foundation_codes", "university.founder"),
    ],
)
def test_lists_of_codes_hold_every_code_that_universities_carry(name: str, system: str) -> None:
    tool = CATALOG.get("search_academyinfo_universities")
    column = next(
        f.name for f in tool.fields if system_of("data_go_kr", "getUniversityCode", "fields", f.name) == system
    )
    codes = {row["cdid"] for row in ask(name, numOfRows="100")}
    assert {row[column] for row in ask(tool.name, svyYr="2025", numOfRows="1000")} <= codes


def test_a_major_stands_in_both_lists_under_its_field() -> None:
    university = some(SENIOR, 9)
    coded = ask("list_academyinfo_university_majors", schlId=university.code, svyYr="2025", numOfRows="100")
    told = ask("search_academyinfo_majors", schlKrnNm=university.name, svyYr="2025", numOfRows="100")
    assert [r["korMjrNm"] for r in coded] == [r["korMjrNm"] for r in told]
    small = {r["cdid"]: r["cdnm"] for r in ask("list_academyinfo_small_field_codes", svyYr="2025", numOfRows="200")}
    assert all(small[r["srsSclftCd"]] == r["korSrsSclftNm"] for r in coded)


def test_patents_are_granted_out_of_those_applied_for() -> None:
    for row in ask("list_edss_university_patents", exmnYr="2024"):
        assert row["dmstPtntApplNocs"] >= row["dmstPtntRegNocs"] >= 0
        assert row["ovrsPtntApplNocs"] >= row["ovrsPtntRegNocs"] >= 0
