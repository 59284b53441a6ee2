"""Every list of the legislature: its columns, its filters, and what lists must agree about."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.query import Query, Rows
from kopa_hf.sandbox.registry import find_handler, handlers
from kopa_hf.sandbox.world import World, default_world
from tests.timing import loops

from .test_politics import everything

Record = dict[str, Any]
TOOLS: dict[str, Tool] = {tool.endpoint.operation: tool for tool in load_catalog() if tool.wire == "assembly"}
OPEN = sorted(
    (tool for tool in TOOLS.values() if find_handler("assembly", tool.endpoint.operation)), key=lambda tool: tool.name
)
"""Tools answered by hand."""


@pytest.fixture(scope="module")
def world() -> World:
    return default_world()


@pytest.fixture(scope="module")
def executor(world: World) -> Executor:
    return Executor(world=world, faults=Faults.none())


def required(tool: Tool) -> list[str]:
    return [p.name for p in tool.inputs if p.required and p.role == "input"]


def rows(world: World, tool: Tool, **given: str) -> Rows:
    handler = find_handler("assembly", tool.endpoint.operation)
    assert handler is not None
    reply = handler(world, Query(tool.endpoint.operation, given, tool))
    assert isinstance(reply, Rows)
    return reply


def test_every_handler_belongs_to_a_tool_of_the_catalog() -> None:
    assert handlers("assembly").keys() <= TOOLS.keys()
    assert len(OPEN) >= 250


@pytest.mark.parametrize(
    "tool", [t for t in OPEN if not required(t) and t.name != "list_assembly_meeting_bills"], ids=lambda t: t.name
)
def test_records_hold_the_columns_of_the_signature_and_each_column_filters(world: World, tool: Tool) -> None:
    whole = rows(world, tool)
    first = whole.slice(0, 40)
    assert first
    assert all(tuple(record) == tuple(field.name for field in tool.fields) for record in first)
    for parameter in tool.inputs:
        record = next((r for r in first if r.get(parameter.name) is not None), None)
        if parameter.role != "input" or record is None:
            continue
        kept = rows(world, tool, **{parameter.name: str(record[parameter.name])})
        assert record in kept.slice(0, kept.total), parameter.name
        assert kept.total <= whole.total
        assert rows(world, tool, **{parameter.name: "없는값"}).total == 0, parameter.name


@pytest.mark.parametrize(
    ("operation", "given", "numbers"),
    [
        ("ncocpgfiaoituanbr", {"AGE": "22"}, "MEMBER_TCNT VOTE_TCNT YES_TCNT NO_TCNT BLANK_TCNT"),
        ("nxrvzonlafugpqjuh", {}, "LIMIT_CNT CURR_CNT POLY99_CNT POLY_CNT"),
        ("nepjpxkkabqiqpbvk", {}, "N1 N2 N3 N4"),
        ("nqflguqiachajqpaq", {}, "ANEXP_BDG_CAMT EP_AMT THISM_AGGR_EP_AMT"),
        ("nalacaiwauxiynsxt", {}, "FILE_ID"),
        ("nzmimeepazxkubdpn", {"AGE": "21"}, ""),
        ("ALLSCHEDULE", {}, ""),
        ("nvqbafvaajdiqhehi", {}, ""),
        ("njlyptmbatwuwjtxf", {}, ""),
    ],
)
def test_json_numbers_stand_where_recordings_have_them(
    world: World, operation: str, given: dict[str, str], numbers: str
) -> None:
    for record in rows(world, TOOLS[operation], **given).slice(0, 50):
        assert {name for name, value in record.items() if isinstance(value, (int, float))} == set(numbers.split())


def test_texts_that_recordings_escape_twice_come_escaped(executor: Executor) -> None:
    notice = everything(executor, "list_assembly_agenda_notices")[5]
    opening = everything(executor, "list_assembly_recruitment_notices", BRDI_SJ="공고")[0]
    for text in (notice["CONTENT"], opening["BRDI_CN"]):
        assert "&lt;" in text
        assert "&quot;" in text
        assert "<" not in text


# calendar


def test_every_meeting_lies_in_its_session(executor: Executor) -> None:
    sessions = {row["SESS"]: row for row in everything(executor, "list_assembly_sessions")}
    begins = [row["SESS_BG_DT"] for row in sessions.values()]
    assert begins == sorted(begins, reverse=True)
    for row in everything(executor, "list_assembly_committee_schedule", UNIT_CD="100022"):
        session = sessions[row["SESS"]]
        assert session["SESS_BG_DT"] <= row["MEETING_DATE"] <= session["SESS_ED_DT"]
        assert session["ERACO"] == row["UNIT_NM"]


def test_the_common_schedule_holds_every_kind_and_finds_a_day(executor: Executor) -> None:
    whole = everything(executor, "list_assembly_schedule")
    assert len(whole) > 10_000
    assert {row["SCH_KIND"] for row in whole} == {"국회행사", "위원회", "본회의", "의장단"}
    day = next(row["SCH_DT"] for row in whole if row["SCH_KIND"] == "본회의")
    compact = day.replace("-", "")
    assert everything(executor, "list_assembly_schedule", SCH_DT=compact) == [r for r in whole if r["SCH_DT"] == day]


def test_details_of_a_meeting_repeat_what_the_lists_of_minutes_say(executor: Executor) -> None:
    flags = {
        "list_assembly_public_hearing_minutes": "PBHRG_YN",
        "list_assembly_hearing_minutes": "HRG_YN",
        "list_assembly_personnel_hearing_minutes": "HR_HRG_YN",
        "list_assembly_budget_speech_minutes": "RDJM_SPH_YN",
    }
    for name, flag in flags.items():
        for row in everything(executor, name, ERACO="제22대"):
            (details,) = everything(executor, "get_assembly_minutes_details", CONF_ID=row["CONF_ID"])
            assert details[flag] == "Y"
            assert {details[column] for column in ("CONF_DT", "SESS", "DGR")} == {
                row[column] for column in ("CONF_DT", "SESS", "DGR")
            }


def test_a_committee_code_of_minutes_is_none_of_the_rosters(executor: Executor) -> None:
    on_minutes = {row["CMIT_CD"] for row in everything(executor, "list_assembly_minutes_committees", TH="22")}
    on_rosters = {row["HR_DEPT_CD"] for row in everything(executor, "list_assembly_committees")}
    assert on_minutes
    assert not on_minutes & on_rosters
    for code in sorted(on_minutes)[:5]:
        assert all(
            row["CMIT_CD"] == code
            for row in everything(executor, "list_assembly_state_audit_minutes", ERACO="제22대", CMIT_CD=code)
        )


# budgets, hearings, members


def test_budgets_pass_all_committees_before_the_budget_committee_and_the_plenary(executor: Executor) -> None:
    reviewed = everything(executor, "list_assembly_budget_bill_reviews", ERACO="제22대")
    passed = [row for row in reviewed if row["BDG_RSLN_DT"]]
    assert passed
    for row in passed:
        before = everything(executor, "list_assembly_budget_preliminary_reviews", BILL_ID=row["BILL_ID"])
        assert all(row["PPSL_DT"] <= part["ADCMIT_PROC_DT"] <= row["BDG_RSLN_DT"] for part in before)
        held = everything(executor, "list_assembly_budget_comprehensive_reviews", BILL_ID=row["BILL_ID"])
        assert [held[0]["BDG_CONF_DT"], held[-1]["BDG_CONF_DT"]] == [row["BDG_PRSNT_DT"], row["BDG_RSLN_DT"]]


def test_lawmakers_of_the_judiciary_committee_do_not_check_their_own_bills_twice(executor: Executor) -> None:
    for row in everything(executor, "list_assembly_votes_by_bill", AGE="22", CURR_COMMITTEE="법제사법위원회")[:20]:
        assert everything(executor, "list_assembly_bill_judiciary_meetings", BILL_ID=row["BILL_ID"]) == []


def test_chairs_of_committees_have_that_post_in_their_career(executor: Executor) -> None:
    for seat in everything(executor, "list_assembly_committee_members", JOB_RES_NM="위원장"):
        career = everything(executor, "list_assembly_member_committee_careers", MONA_CD=seat["MONA_CD"])
        assert f"제22대 국회 전반기 {seat['DEPT_NM']} 위원장" in {row["PROFILE_SJ"] for row in career}


def test_a_petition_stands_with_each_member_who_introduced_it(executor: Executor) -> None:
    codes = {row["NAAS_NM"]: row["NAAS_CD"] for row in everything(executor, "list_assembly_all_members")}
    counted = Counter(row["NAAS_NM"] for row in everything(executor, "list_assembly_all_members"))
    introduced = [p for p in everything(executor, "list_assembly_petitions", ERACO="제22대") if p["INTD_ASBLM_NM"]]
    assert introduced
    for petition in introduced[:12]:
        for row in everything(executor, "list_assembly_petition_introducers", PTT_ID=petition["PTT_ID"]):
            if counted[row["INTD_ASBLM_NM"]] == 1:
                code = codes[row["INTD_ASBLM_NM"]]
                own = everything(executor, "list_assembly_member_petitions", NAAS_CD=code)
                assert petition["PTT_NO"] in {entry["PTT_NO"] for entry in own}


def test_seats_by_region_and_election_are_the_members_of_the_term(executor: Executor) -> None:
    by_region = everything(executor, "list_assembly_past_party_seats_by_region", ERACO="제22대")
    people = everything(executor, "list_assembly_past_members", UNIT_CD="100022")
    assert sum(int(row["SUM"]) for row in by_region) == len(people) == 300
    assert sum(int(row["SEOUL"]) for row in by_region) == sum(p["ORIG_NM"].startswith("서울 ") for p in people) == 48
    assert len({p["ORIG_NM"] for p in people}) == 255  # 254 constituencies and the list


# administration and publications


def test_months_add_up_to_the_year_and_details_to_their_programme(executor: Executor) -> None:
    units = everything(executor, "list_assembly_expenditure_by_unit_program", FSCL_YY="2025")
    details = everything(executor, "list_assembly_expenditure_by_detailed_program", FSCL_YY="2025")
    spent: defaultdict[tuple[str, str], int] = defaultdict(int)
    for row in details:
        spent[row["ACTV_NM"], row["EXE_DATE"][4:6]] += row["EP_AMT"]
    assert {(row["ACTV_NM"], row["EXE_M"]): row["EP_AMT"] for row in units} == dict(spent)
    for unit in {row["ACTV_NM"] for row in units}:
        months = sorted((row for row in units if row["ACTV_NM"] == unit), key=lambda row: row["EXE_M"])
        assert months[-1]["THISM_AGGR_EP_AMT"] == sum(row["EP_AMT"] for row in months)
        assert months[-1]["THISM_AGGR_EP_AMT"] <= months[-1]["ANEXP_BDG_CAMT"]


def test_the_summary_of_recruitment_repeats_the_lists_by_grade(executor: Executor) -> None:
    summary = everything(executor, "list_assembly_recruitment_summary", JGRD_NM="9급")
    own = everything(executor, "list_assembly_grade9_recruitment")
    assert [{k: v for k, v in row.items() if k != "JGRD_NM"} for row in summary] == own


def test_an_institutes_common_list_holds_its_series(executor: Executor) -> None:
    common = everything(executor, "list_assembly_nabo_materials", MTR_DIV="Focus")
    own = everything(executor, "list_assembly_nabo_focus_reports")
    assert sorted(row["MTR_TTL"] for row in common) == sorted(row["SUBJECT"] for row in own)


def test_the_portal_lists_every_service_once(executor: Executor) -> None:
    listed = [row["INF_ID"] for row in everything(executor, "list_assembly_open_apis")]
    assert len(listed) == len(set(listed)) == len(TOOLS)


# size and speed


def test_a_smaller_world_has_fewer_bills_and_as_many_members() -> None:
    small = Executor(world=World(scale=0.1), faults=Faults.none())
    assert len(everything(small, "list_assembly_members")) == 300
    assert 200 < len(everything(small, "list_assembly_bills")) < 700


def test_the_first_answer_makes_only_what_it_needs() -> None:
    def first() -> None:
        assert rows(World(identity_seed=5), TOOLS["TVBPMBILL11"], AGE="22").slice(0, 100)

    assert loops(first) < 150
