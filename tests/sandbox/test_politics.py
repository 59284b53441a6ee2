"""The legislature agrees with itself: asked through the executor, as everybody asks it."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.world import World

Record = dict[str, Any]
TERMS = {"21": "제21대", "22": "제22대"}


def ask(executor: Executor, name: str, **given: str) -> CallResult:
    return executor.call_sync(name, given)


def everything(executor: Executor, name: str, **given: str) -> list[Record]:
    """All pages, 1,000 rows a page; none where the service has no data."""
    found: list[Record] = []
    for page in itertools.count(1):
        result = ask(executor, name, **given, pIndex=str(page), pSize="1000")
        assert result.outcome in ("ok", "no_data"), (name, given, result.code, result.message)
        found += result.records
        if result.next_page is None:
            return found
    raise AssertionError("pages never end")


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor(faults=Faults.none())


@pytest.fixture(scope="module")
def bills(executor: Executor) -> dict[str, list[Record]]:
    return {age: everything(executor, "search_assembly_bills", AGE=age) for age in TERMS}


@pytest.fixture(scope="module")
def votes(executor: Executor) -> dict[str, list[Record]]:
    return {age: everything(executor, "list_assembly_votes_by_bill", AGE=age) for age in TERMS}


# votes


@pytest.mark.parametrize("age", TERMS)
def test_totals_of_a_vote_are_the_sums_of_its_member_rows(
    executor: Executor, votes: dict[str, list[Record]], age: str
) -> None:
    for vote in votes[age][:: max(1, len(votes[age]) // 12)]:
        rows = everything(executor, "list_assembly_member_plenary_votes", AGE=age, BILL_ID=vote["BILL_ID"])
        cast = Counter(row["RESULT_VOTE_MOD"] for row in rows)
        assert cast.keys() <= {"찬성", "반대", "기권", "불참"}
        assert vote["MEMBER_TCNT"] == len(rows) == len({row["MONA_CD"] for row in rows})
        assert (vote["YES_TCNT"], vote["NO_TCNT"], vote["BLANK_TCNT"]) == (cast["찬성"], cast["반대"], cast["기권"])
        assert vote["VOTE_TCNT"] == len(rows) - cast["불참"]


@pytest.mark.parametrize("value_seed", [0, 1, 2])
def test_the_majority_carries_the_result_under_every_value_seed(value_seed: int) -> None:
    executor = Executor(world=World(value_seed=value_seed), faults=Faults.none())
    for age in TERMS:
        for vote in everything(executor, "list_assembly_votes_by_bill", AGE=age):
            passed = vote["YES_TCNT"] * 2 > vote["VOTE_TCNT"]
            assert passed == (vote["PROC_RESULT_CD"] != "부결"), vote


def test_a_pending_bill_has_no_member_votes(executor: Executor) -> None:
    pending = ask(executor, "list_assembly_pending_bills").records[0]
    result = ask(executor, "list_assembly_member_plenary_votes", AGE="22", BILL_ID=pending["BILL_ID"])
    assert (result.outcome, result.code) == ("no_data", "INFO-200")


def test_a_vote_asked_under_the_other_term_has_no_rows(executor: Executor, votes: dict[str, list[Record]]) -> None:
    wrong = ask(executor, "list_assembly_member_plenary_votes", AGE="22", BILL_ID=votes["21"][0]["BILL_ID"])
    assert wrong.outcome == "no_data"


# statistics


@pytest.mark.parametrize(("age", "eraco"), TERMS.items())
def test_counts_by_committee_equal_the_list_of_bills(
    executor: Executor, bills: dict[str, list[Record]], age: str, eraco: str
) -> None:
    rows = everything(executor, "list_assembly_bill_counts_by_committee", ERACO=eraco)
    received = Counter(bill["CURR_COMMITTEE"] for bill in bills[age])
    settled = Counter(bill["CURR_COMMITTEE"] for bill in bills[age] if bill["PROC_RESULT_CD"] is not None)
    assert {row["CMIT_NM"]: row["RCP_CNT"] for row in rows if row["RCP_CNT"]} == dict(received)
    assert {row["CMIT_NM"]: row["PROC_CNT"] for row in rows if row["PROC_CNT"]} == dict(settled)
    overall = everything(executor, "list_assembly_bill_counts", ERACO=eraco)
    assert sum(row["RCP_CNT"] for row in overall) == len(bills[age])
    for row in rows + overall:
        assert row["RCP_CNT"] == row["PROC_CNT"] + row["RSVT_CNT"]


@pytest.mark.parametrize("eraco", TERMS.values())
@pytest.mark.parametrize(
    "name", ["list_assembly_legislation_counts_by_committee", "list_assembly_bill_counts_by_proposer"]
)
def test_parts_of_the_counts_add_up(executor: Executor, name: str, eraco: str) -> None:
    for row in everything(executor, name, ERACO=eraco):
        assert row["REFT_SUBT"] == row["OBIL_PSSG_CNT"] + row["AMND_PSSG_CNT"] + row["ALTPL_REFT_CNT"]
        assert row["UN_REFT_SUBT"] == row["RJCTN_CNT"] + row["DSU_CNT"] + row["WTHD_CNT"]
        assert row["PROC_CNT"] == row["REFT_SUBT"] + row["UN_REFT_SUBT"] + row["ETC_CNT"] + row["GVB_CNT"]


def test_pending_counts_equal_the_pending_lists_of_the_committees(executor: Executor) -> None:
    counts = everything(executor, "list_assembly_pending_bill_counts")
    assert any(row["LGSLB_SUM"] for row in counts)
    for row in counts:
        listed = everything(executor, "list_assembly_committee_pending_bills", CURR_COMMITTEE=row["CMIT_NM"])
        assert len(listed) == row["LGSLB_SUM"] == row["LGSLB_ASBLM_PRPSR_CNT"] + row["LGSLB_GVRN_PRPSR_CNT"]


def test_seats_of_the_parties_equal_the_list_of_members(executor: Executor) -> None:
    people = everything(executor, "list_assembly_members")
    seats = everything(executor, "list_assembly_party_seats")
    assert len(people) == 300
    assert {row["POLY_NM"]: row["N3"] for row in seats if row["POLY_NM"] != "합계"} == dict(
        Counter(person["POLY_NM"] for person in people)
    )
    assert all(row["N3"] == row["N1"] + row["N2"] for row in seats)


# bills


def test_the_stages_of_a_bill_come_in_order(bills: dict[str, list[Record]]) -> None:
    stages = ("PROPOSE_DT", "COMMITTEE_DT", "CMT_PRESENT_DT", "CMT_PROC_DT", "LAW_SUBMIT_DT", "LAW_PROC_DT", "PROC_DT")
    for bill in bills["21"] + bills["22"]:
        days = [bill[stage] for stage in stages if bill.get(stage)]
        assert days == sorted(days), bill
        assert days[-1] <= "2026-01-30"
        assert (bill["PROC_DT"] is None) == (bill["PROC_RESULT_CD"] is None), bill


def test_numbers_and_ids_of_bills_are_their_own(bills: dict[str, list[Record]]) -> None:
    every = bills["21"] + bills["22"]
    for column in ("BILL_ID", "BILL_NO"):
        assert len({bill[column] for bill in every}) == len(every)
    for bill in every:
        assert bill["BILL_ID"].startswith("ARC_" if bill["PROPOSER_KIND"] == "정부" else "PRC_")
    assert all(bill["BILL_NO"].startswith(age) and len(bill["BILL_NO"]) == 7 for age in TERMS for bill in bills[age])


BILL_LISTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("search_assembly_bills", {"AGE": "22"}),
    ("list_assembly_member_proposed_bills", {"AGE": "21"}),
    ("list_assembly_pending_bills", {}),
    ("list_assembly_processed_bills", {"AGE": "22"}),
    ("list_assembly_votes_by_bill", {"AGE": "22"}),
    ("list_assembly_plenary_bill_votes", {"AGE": "22"}),
    ("list_assembly_ongoing_legislative_notices", {}),
    ("list_assembly_ended_legislative_notices", {"AGE": "22"}),
    ("list_assembly_personnel_hearings", {"AGE": "22"}),
)


@pytest.mark.parametrize(("name", "given"), BILL_LISTS, ids=lambda value: value if isinstance(value, str) else "")
def test_every_bill_of_a_list_has_details_and_proposers(executor: Executor, name: str, given: dict[str, str]) -> None:
    listed = everything(executor, name, **given)
    assert listed
    for bill in listed[:: max(1, len(listed) // 25)]:
        details = ask(executor, "get_assembly_bill_details", BILL_ID=bill["BILL_ID"])
        assert details.total_count == 1
        assert details.records[0]["BILL_NO"] == bill["BILL_NO"]
        assert ask(executor, "list_assembly_bill_proposers", BILL_ID=bill["BILL_ID"]).ok


def test_absorbed_bills_were_proposed_before_their_alternative_and_amend_the_same_law(
    executor: Executor, bills: dict[str, list[Record]]
) -> None:
    # the committee drops the absorbed bills, whatever the plenary then makes of the alternative
    decided = ("원안가결", "부결")
    alternatives = [b for b in bills["22"] if b["PROPOSER_KIND"] == "위원장" and b["PROC_RESULT_CD"] in decided]
    absorbed: set[str] = set()
    for alternative in alternatives:
        law = alternative["BILL_NAME"].removesuffix(" 일부개정법률안(대안)")
        for bill in everything(executor, "search_assembly_bills", AGE="22", BILL_ID_REF=alternative["BILL_ID"]):
            assert bill["PROC_RESULT_CD"] == "대안반영폐기"
            assert bill["PROPOSE_DT"] <= alternative["PROPOSE_DT"]
            assert bill["BILL_NAME"].startswith(law)
            assert bill["PROC_DT"] == alternative["PROC_DT"]
            absorbed.add(bill["BILL_ID"])
    assert absorbed == {b["BILL_ID"] for b in bills["22"] if b["PROC_RESULT_CD"] == "대안반영폐기"}


# members and committees


def test_members_of_proposals_votes_and_committees_are_known(executor: Executor) -> None:
    known = {row["NAAS_CD"]: row["NAAS_NM"] for row in everything(executor, "list_assembly_all_members")}
    current = {row["MONA_CD"] for row in everything(executor, "list_assembly_members")}
    led = everything(executor, "list_assembly_member_proposed_bills", AGE="22")
    assert all(known[bill["RST_MONA_CD"]] == bill["RST_PROPOSER"] for bill in led)
    assert all(code in known for bill in led for code in bill["PUBL_MONA_CD"].split(","))
    speaker = {row["MONA_CD"] for row in everything(executor, "list_assembly_members") if row["CMITS"] is None}
    assert len(speaker) == 1
    assert {row["MONA_CD"] for row in everything(executor, "list_assembly_committee_members")} == current - speaker
    assert current <= known.keys()


def test_two_members_share_a_name_and_only_the_code_tells_them_apart(executor: Executor) -> None:
    people = everything(executor, "list_assembly_members")
    name, count = Counter(person["HG_NM"] for person in people).most_common(1)[0]
    assert count > 1
    both = everything(executor, "list_assembly_members", HG_NM=name)
    assert len({person["MONA_CD"] for person in both}) == count == len(both)
    assert everything(executor, "list_assembly_members", MONA_CD=both[0]["MONA_CD"]) == [both[0]]


def test_a_re_elected_member_keeps_the_code_and_has_a_history_row_a_term(executor: Executor) -> None:
    again = next(p for p in everything(executor, "list_assembly_members") if p["REELE_GBN_NM"] == "재선")
    rows = everything(executor, "list_assembly_member_histories", MONA_CD=again["MONA_CD"])
    assert ", ".join(row["UNIT_NM"] for row in rows) == again["UNITS"]
    assert len(rows) == 2
    assert rows[-1]["UNIT_CD"] == "100022"
    assert {row["HG_NM"] for row in rows} == {again["HG_NM"]}


def test_members_of_two_terms_keep_their_code(executor: Executor) -> None:
    before, after = (
        {row["MONA_CD"]: row["HG_NM"] for row in everything(executor, "list_assembly_past_members", UNIT_CD=unit)}
        for unit in ("100021", "100022")
    )
    both = before.keys() & after.keys()
    assert 100 < len(both) < 200
    assert all(before[code] == after[code] for code in both)


def test_every_committee_has_one_chair_and_the_members_it_counts(executor: Executor) -> None:
    committees = everything(executor, "list_assembly_committees")
    standing = [row for row in committees if row["CMT_DIV_NM"] == "상임위원회"]
    assert len(standing) == 17
    for committee in standing:
        seats = everything(executor, "list_assembly_committee_members", DEPT_CD=committee["HR_DEPT_CD"])
        chairs = [seat for seat in seats if seat["JOB_RES_NM"] == "위원장"]
        assert [f"{chair['HG_NM']} ({chair['POLY_NM']})" for chair in chairs] == [committee["HG_NM"]]
        assert len(seats) == committee["CURR_CNT"] == committee["POLY_CNT"] + committee["POLY99_CNT"]


# meetings


def test_minutes_of_a_bill_lead_to_a_meeting_that_treated_it(
    executor: Executor, votes: dict[str, list[Record]]
) -> None:
    for vote in votes["22"][::40]:
        details = ask(executor, "get_assembly_bill_details", BILL_ID=vote["BILL_ID"]).records[0]
        minutes = everything(executor, "list_assembly_minutes_by_bill", BILL_ID=vote["BILL_ID"])
        plenary = [row for row in minutes if row["CONF_KND"] == "국회본회의"]
        assert [row["CONF_DT"] for row in plenary] == [details["RGS_RSLN_DT"]]
        meeting = ask(executor, "get_assembly_minutes_details", CONF_ID=plenary[0]["CONF_ID"]).records[0]
        assert meeting["CONF_DT"] == plenary[0]["CONF_DT"]
        assert meeting["BG_PTM"] < meeting["ED_PTM"]
        treated = everything(executor, "list_assembly_meeting_bills", CONF_ID=plenary[0]["CONF_ID"])
        assert vote["BILL_ID"] in {row["BILL_ID"] for row in treated}


def test_a_plenary_treats_many_bills(executor: Executor, votes: dict[str, list[Record]]) -> None:
    days = Counter(vote["PROC_DT"] for vote in votes["22"])
    assert sum(days.values()) / len(days) >= 10
    by_sort = (
        everything(executor, f"list_assembly_plenary_{sort}_votes", AGE="22")
        for sort in ("bill", "budget", "settlement", "other")
    )
    assert Counter(row["RGS_PROC_DT"] for rows in by_sort for row in rows) == days


# petitions


def test_a_petition_is_no_bill_although_its_numbers_look_alike(executor: Executor) -> None:
    for petition in everything(executor, "list_assembly_petitions", ERACO="제22대")[::10]:
        details = ask(executor, "get_assembly_petition_details", PTT_ID=petition["PTT_ID"])
        assert details.records[0]["PTT_NM"] == petition["PTT_NM"]
        assert ask(executor, "get_assembly_bill_details", BILL_ID=petition["PTT_ID"]).outcome == "no_data"


def test_pending_and_processed_petitions_make_up_the_counts(executor: Executor) -> None:
    counts = everything(executor, "list_assembly_petition_counts", ERACO="제22대")
    pending = everything(executor, "list_assembly_pending_petitions")
    processed = everything(executor, "list_assembly_processed_petitions", AGE="22")
    assert sum(row["NOT_FINISH_CNT"] for row in counts) == len(pending) > 0
    assert sum(row["RCP_CNT"] for row in counts) == len(pending) + len(processed)
    assert len(everything(executor, "list_assembly_petitions", ERACO="제22대")) == len(pending) + len(processed)


# filters and pages


@pytest.mark.parametrize(
    ("name", "given", "column", "keeps"),
    [
        ("search_assembly_bills", {"AGE": "22", "BILL_NAME": "주택법"}, "BILL_NAME", lambda v: "주택법" in v),
        ("search_assembly_bills", {"AGE": "22", "PROC_RESULT_CD": "부결"}, "PROC_RESULT_CD", lambda v: v == "부결"),
        ("list_assembly_committee_members", {"JOB_RES_NM": "위원"}, "JOB_RES_NM", lambda v: v == "위원"),
        ("list_assembly_members", {"HG_NM": "김"}, "HG_NM", lambda v: "김" in v),
        ("list_assembly_members", {"POLY_NM": "한길당"}, "POLY_NM", lambda v: v == "한길당"),
        ("list_assembly_votes_by_bill", {"AGE": "21", "BILL_NAME": "대안"}, "BILL_NAME", lambda v: "대안" in v),
    ],
)
def test_filters_keep_all_that_fit_and_nothing_else(
    executor: Executor, name: str, given: dict[str, str], column: str, keeps: Any
) -> None:
    whole = everything(executor, name, **{key: value for key, value in given.items() if key == "AGE"})
    kept = everything(executor, name, **given)
    assert kept == [row for row in whole if row[column] is not None and keeps(row[column])]
    assert 0 < len(kept) < len(whole)


def test_a_part_of_an_id_finds_nothing(executor: Executor, bills: dict[str, list[Record]]) -> None:
    part = bills["22"][0]["BILL_ID"][:-1]
    assert ask(executor, "search_assembly_bills", AGE="22", BILL_ID=part).outcome == "no_data"


@pytest.mark.parametrize("size", [7, 100, 999])
def test_pages_of_any_size_make_the_whole(executor: Executor, size: int) -> None:
    whole = everything(executor, "list_assembly_members")
    pages: list[Record] = []
    for page in range(1, -(-len(whole) // size) + 1):
        result = ask(executor, "list_assembly_members", pIndex=str(page), pSize=str(size))
        assert result.total_count == len(whole)
        pages += result.records
    assert pages == whole
    beyond = ask(executor, "list_assembly_members", pIndex=str(len(whole)), pSize=str(size))
    assert beyond.outcome == "no_data"


# seeds


CALLS: tuple[tuple[str, dict[str, str]], ...] = (
    ("list_assembly_members", {}),
    ("search_assembly_bills", {"AGE": "22"}),
    ("list_assembly_votes_by_bill", {"AGE": "22"}),
    ("list_assembly_petitions", {"ERACO": "제22대"}),
    ("list_assembly_bill_counts_by_committee", {"ERACO": "제21대"}),
)


def digest(identity_seed: int = 0, value_seed: int = 0) -> str:
    """SHA-256 over the first pages of some answers."""
    executor = Executor(world=World(identity_seed, value_seed), faults=Faults.none())
    records = [executor.call_sync(name, given).records for name, given in CALLS]
    return hashlib.sha256(json.dumps(records, ensure_ascii=False).encode()).hexdigest()


def test_a_value_seed_redraws_votes_and_leaves_who_and_what_and_when() -> None:
    one, other = (Executor(world=World(value_seed=seed), faults=Faults.none()) for seed in (0, 1))
    for name in ("list_assembly_members", "list_assembly_pending_bills", "list_assembly_committees"):
        assert everything(one, name) == everything(other, name)
    before, after = (everything(e, "list_assembly_votes_by_bill", AGE="22") for e in (one, other))
    counted = ("YES_TCNT", "NO_TCNT", "BLANK_TCNT", "VOTE_TCNT")
    rest = [{k: v for k, v in row.items() if k not in counted} for row in before]
    assert rest == [{k: v for k, v in row.items() if k not in counted} for row in after]
    assert [row["YES_TCNT"] for row in before] != [row["YES_TCNT"] for row in after]


def test_an_identity_seed_makes_other_people_and_bills() -> None:
    one, other = (Executor(world=World(identity_seed=seed), faults=Faults.none()) for seed in (0, 1))
    for name, given, column in (
        ("list_assembly_members", {}, "MONA_CD"),
        ("search_assembly_bills", {"AGE": "22"}, "BILL_ID"),
    ):
        before, after = ({row[column] for row in everything(e, name, **given)} for e in (one, other))
        assert len(before & after) < len(before) / 2


@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_another_process_with_another_hash_seed_answers_the_same(hash_seed: str) -> None:
    code = "from tests.sandbox.test_politics import digest; print(digest())"
    path = os.pathsep.join(sys.path)
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest()


# schedules, nominations, groups


def test_what_happened_on_a_day_is_what_the_bills_say(executor: Executor, bills: dict[str, list[Record]]) -> None:
    day = max(bill["PROC_DT"] for bill in bills["22"] if bill["PROC_RESULT_CD"] == "원안가결")
    activities = everything(executor, "list_assembly_daily_activities", DT=day, AGE="22")
    proposed = {bill["BILL_ID"] for bill in bills["22"] if bill["PROPOSE_DT"] == day}
    assert {row["BILL_ID"] for row in activities if row["STAGE"] == "접수"} == proposed
    voted = {row["BILL_ID"] for row in activities if row["DTL_STAGE"] == "본회의 의결"}
    listed = [row for row in everything(executor, "list_assembly_votes_by_bill", AGE="22") if row["PROC_DT"] == day]
    assert voted == {row["BILL_ID"] for row in listed} != set()


def test_the_hearing_of_a_nominee_is_a_meeting_of_the_bill(executor: Executor) -> None:
    for row in everything(executor, "list_assembly_personnel_hearings", AGE="22"):
        again = everything(executor, "list_assembly_personnel_hearings", AGE="22", APPOINT_NAME=row["APPOINT_NAME"])
        assert row in again
        held = everything(executor, "list_assembly_bill_committee_meetings", BILL_ID=row["BILL_ID"])
        stages = {row["PRESENT_DT"], row["PROC_DT"]} - {None}
        assert [meeting["JRCMIT_CONF_DT"] for meeting in held] == sorted(stages)


def test_a_member_sits_where_the_committee_list_says(executor: Executor) -> None:
    member = everything(executor, "list_assembly_members")[17]
    seats = everything(executor, "list_assembly_committee_members", MONA_CD=member["MONA_CD"])
    own = everything(executor, "list_assembly_member_committee_schedule", NAAS_CD=member["MONA_CD"])
    assert ", ".join(seat["DEPT_NM"] for seat in seats) == member["CMITS"]
    for seat in seats:
        calendar = everything(
            executor, "list_assembly_committee_schedule", UNIT_CD="100022", HR_DEPT_CD=seat["DEPT_CD"]
        )
        attended = {row["SCH_DT"] for row in own if row["CMIT_NM"] == seat["DEPT_NM"]}
        assert {row["MEETING_DATE"] for row in calendar} <= attended


def test_leaders_of_research_groups_are_members(executor: Executor) -> None:
    groups = everything(executor, "list_assembly_research_groups", REGDAESU="22")
    assert len({group["RE_NAME"] for group in groups}) == len(groups) > 20
    for group in groups:
        assert everything(executor, "list_assembly_members", HG_NM=group["MAIN_MEM"])
        assert group["MEMBER_CNT"] == 1 + len(group["RE_MEM"].split(", ")) + len(group["OBJ_MEM"].split(", "))


def test_agenda_items_are_the_bills_of_the_meeting(executor: Executor, votes: dict[str, list[Record]]) -> None:
    minutes = everything(executor, "list_assembly_minutes_by_bill", BILL_ID=votes["22"][0]["BILL_ID"])
    for meeting in minutes:
        items = everything(executor, "list_assembly_meeting_agenda_items", CONF_ID=meeting["CONF_ID"])
        treated = everything(executor, "list_assembly_meeting_bills", CONF_ID=meeting["CONF_ID"])
        assert [item["BLL_NM"] for item in items] == [bill["BILL_NM"] for bill in treated]
        assert [item["BLL_NO"] for item in items] == [str(place) for place in range(1, len(items) + 1)]
