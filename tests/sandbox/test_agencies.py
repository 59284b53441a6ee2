"""The agencies' codes join with the platforms', and figures by period come once a period."""

from __future__ import annotations

from typing import Any

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import SandboxTransport, sandbox_key
from kopa_hf.sandbox.agencies.registers import auction_items, brands, group_members, notices, prepaid_businesses
from kopa_hf.sandbox.agencies.securities import linked_notes, listed, receipts_abroad
from kopa_hf.sandbox.entities import kinds
from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.world import default_world

WORLD = default_world()
TRANSPORT = SandboxTransport(WORLD)


def ask(name: str, **given: str) -> Answer:
    """A service's answer as its adapter reads it."""
    tool = load_catalog().get(name)
    response = TRANSPORT.handle_request(wire_for(tool.wire).build_request(tool, given, sandbox_key(tool.platform)))
    return wire_for(tool.wire).parse(
        response.content, http_status=response.status_code, content_type=response.headers["content-type"]
    )


def rows(name: str, **given: str) -> list[dict[str, Any]]:
    answer = ask(name, **given)
    assert answer.outcome == "ok", (name, answer.outcome, answer.message)
    return list(answer.records)


@pytest.fixture(scope="module")
def company() -> Company:
    return listed(WORLD)[3]


def test_an_issuer_is_found_by_name_and_by_code_and_is_the_company_that_dart_knows(company: Company) -> None:
    by_name = rows("find_ksd_issuer_number_by_name", issucoNm=company.name)
    by_code = rows("find_ksd_issuer_number_by_short_code", shortIsin=company.stock_code)
    assert by_code[0] in by_name
    number = by_code[0]["issucoCustno"]
    assert len(number) == 5
    assert number not in (company.corp_code, company.stock_code)
    profile = rows("get_ksd_issuer_profile", issucoCustno=number)[0]
    overview = rows("get_dart_company_overview", corp_code=company.corp_code)[0]
    same = ("bizno", "bizr_no"), ("ceoNm", "ceo_nm"), ("shotnIsin", "stock_code"), ("founDt", "est_dt")
    assert [profile[ours] for ours, _ in same] == [overview[theirs] for _, theirs in same]
    share = rows("list_ksd_issuer_stocks", issucoCustno=number)[0]
    assert (share["isin"], share["totalStkCnt"]) == (company.isin, profile["totalStkCnt"])


def test_every_issuer_has_a_number_of_its_own() -> None:
    issuer = next(kind for kind in kinds() if kind.name == "issuer")
    numbers = [issuer.systems["fsc.ksd_customer_no"](c) for c in listed(WORLD)]
    assert len(set(numbers)) == len(numbers)


def test_an_unknown_number_has_no_profile() -> None:
    assert ask("get_ksd_issuer_profile", issucoCustno="99999").outcome == "no_data"


def test_a_span_has_one_row_a_month_and_a_month_has_one() -> None:
    span = rows("list_ksd_listed_bond_balances", schBeginYearMm="202411", schExpryYearMm="202502")
    assert [row["stdYymm"] for row in span] == ["202411", "202412", "202501", "202502"]
    days = rows("list_ksd_monthly_stock_settlements", schBeginDt="20241115", schExpryDt="20250103")
    assert [row["stdYymm"] for row in days] == ["202411", "202412", "202501"]
    assert len(rows("get_ksd_monthly_pledges", schStdYymm="202506")) == 1
    assert ask("get_ksd_monthly_pledges", schStdYymm="209906").outcome == "no_data"
    assert ask("get_ksd_monthly_pledges", schStdYymm="2025-6").outcome == "bad_param"


def test_a_figure_is_the_same_in_a_span_and_by_itself_and_another_choice_has_another() -> None:
    asked = {"schBeginYearMm": "202501", "schExpryYearMm": "202503", "newnListTpcd": "11"}
    quarter = rows("list_ksd_listed_stock_balances", **asked)
    february = rows(
        "list_ksd_listed_stock_balances", **asked | {"schBeginYearMm": "202502", "schExpryYearMm": "202502"}
    )
    assert quarter[1] == february[0]
    other = rows("list_ksd_listed_stock_balances", **asked | {"newnListTpcd": "12"})
    assert [row["issuQty"] for row in other] != [row["issuQty"] for row in quarter]


def test_standard_codes_end_in_their_check_digit() -> None:
    for paper in (*linked_notes(WORLD)[:50],):
        digits = "".join(str(int(char, 36)) for char in paper.isin)
        doubled = [int(d) * (2 if i % 2 else 1) for i, d in enumerate(reversed(digits))]
        assert sum(d // 10 + d % 10 for d in doubled) % 10 == 0, paper.isin  # ISO 6166
    assert {paper.base for paper in receipts_abroad(WORLD)} <= {c.isin for c in listed(WORLD)}


def test_the_depository_s_codes_lead_on() -> None:
    note = linked_notes(WORLD)[0]
    found = rows("get_ksd_derivative_linked_security", isin=note.isin)
    assert {row["isin"] for row in found} == {note.isin}
    assert ask("get_ksd_derivative_linked_security", isin="KR6E000000A0").outcome == "no_data"


def test_an_auctioned_item_is_found_in_its_place_and_has_its_rounds() -> None:
    found = rows("search_kamco_auction_real_estate", prptDivCd="0007", pvctTrgtYn="N", numOfRows="50")
    assert {row["prptDivCd"] for row in found} == {"0007"}
    assert {row["prptDivNm"] for row in found} == {"압류재산"}
    places = {item.number: item.place for item in auction_items(WORLD)}
    for row in found:
        place = places[row["cltrMngNo"]]
        assert (row["lctnSdnm"], row["lctnSggnm"]) == (place.district.province.name, place.district.name)
    here = rows("search_kamco_auction_real_estate", prptDivCd="0007", pvctTrgtYn="N", lctnSdnm=found[0]["lctnSdnm"])
    assert {row["lctnSdnm"] for row in here} == {found[0]["lctnSdnm"]}
    terms = ask("get_kamco_item_bid_terms", cltrMngNo=found[0]["cltrMngNo"], pbctCdtnNo=found[0]["pbctCdtnNo"])
    assert {row["cltrMngNo"] for row in terms.records} <= {found[0]["cltrMngNo"]}
    wrong = {"cltrMngNo": found[0]["onbidCltrno"], "pbctCdtnNo": found[0]["pbctCdtnNo"]}
    assert ask("get_kamco_item_bid_terms", **wrong).outcome == "no_data"  # the printed number is another one


def test_a_group_s_companies_are_dart_s_and_belong_to_one_group() -> None:
    members = group_members(WORLD)
    assert len({m.company.index for m in members}) == len(members)
    code = members[0].group_code
    found = rows("list_ftc_group_companies", presentnYear="202405", unityGrupCode=code, numOfRows="100")
    known = {m.company.jurir_no: m for m in members}
    assert {row["unityGrupNm"] for row in found} == {members[0].group_name}
    for row in found:
        member = known[row["jurirno"]]
        assert (row["bizrno"], row["entrprsNm"]) == (member.company.bizr_no, member.company.name)
        assert member.group_code == code


def test_a_brand_leads_to_its_franchisor_and_numbers_are_not_shared() -> None:
    brand = brands(WORLD)[5]
    listed_brands = rows("list_ftc_franchise_brands", jngBizCrtraYr="2024", numOfRows="100")
    franchisors = {b.number: b for b in brands(WORLD)}
    for row in listed_brands:
        assert row["jnghdqrtrsMnno"] == franchisors[row["brandMnno"]].franchisor_no
    assert ask("get_ftc_franchisor", jngBizCrtraYr="2024", jnghdqrtrsMnno=brand.number).outcome == "no_data"
    for numbers in (
        [n.number for n in notices(WORLD)],
        [b.number for b in brands(WORLD)],
        [i.number for i in auction_items(WORLD)],
        [p.licence for p in prepaid_businesses(WORLD)],
    ):
        assert len(set(numbers)) == len(numbers)


def test_a_documented_page_size_and_a_column_chooser_in_the_address_are_served() -> None:
    assert len(rows("search_law_acrc_corruption_report_cases", pagesize="3", pageNo="2")) == 3
    table = rows("list_law_ccourt_complaint_causes_table", year="2024", month="05")
    assert all(row.keys() == {"columnName", "rowName", "count"} for row in table)
