"""Deposit insurance: institutions, the fund, failed savings banks and their estates, on 예금보험공사's wire."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import SandboxTransport, sandbox_key
from kopa_hf.sandbox.finance.companies import companies
from kopa_hf.sandbox.query import Query, Rows
from kopa_hf.sandbox.savings import HANDLERS
from kopa_hf.sandbox.savings.goods import memberships, real_estate
from kopa_hf.sandbox.savings.institutions import SAVINGS, estates, failed_banks, institutions, of_sector
from kopa_hf.sandbox.world import default_world

WORLD = default_world()
TOOLS = {tool.endpoint.operation: tool for tool in load_catalog() if tool.wire == "kdic"}
TRANSPORT = SandboxTransport(WORLD)
PRODUCTS = "https://apis.data.go.kr/B190017/service/GetInsuredProductService202008/"

Record = dict[str, Any]


def due(tool: Tool) -> dict[str, str]:
    """Values for what a tool demands: existing ones."""
    values = {
        "newDt": "20260115",
        "svbkNm": of_sector(WORLD, SAVINGS)[3].name,
        "fsclYy": "2025",
        "artslMngmNo": {
            "getMemberAndStockDetail1": memberships(WORLD)[4].number,
            "getSalesArtworkDetail1": "A201600005",
            "getRealEstateDetail202307": next(g.number for g in real_estate(WORLD) if g.number[0] == "R"),
            "getSpecialRealEstateDetail202307": next(g.number for g in real_estate(WORLD) if g.number[0] == "S"),
        }.get(tool.endpoint.operation, ""),
    }
    return {p.name: values[p.name] for p in tool.inputs if p.required and p.role == "input"}


def read(response: httpx.Response) -> Answer:
    return wire_for("kdic").parse(
        response.content, http_status=response.status_code, content_type=response.headers["content-type"]
    )


def ask(operation: str, **given_: str) -> Answer:
    """A service's answer as its adapter reads it."""
    tool = TOOLS[operation]
    request = wire_for("kdic").build_request(tool, due(tool) | given_, sandbox_key("kdic"))
    return read(TRANSPORT.handle_request(request))


def send(operation: str, **parameters: str) -> httpx.Response:
    asked = {"serviceKey": sandbox_key("kdic"), "resultType": "json"} | parameters
    asked = {name: value for name, value in asked.items() if value}
    return TRANSPORT.handle_request(httpx.Request("GET", PRODUCTS + operation, params=asked))


def rows(operation: str, **given_: str) -> list[Record]:
    """All rows of a service, straight from its handler."""
    tool = TOOLS[operation]
    reply = HANDLERS[operation](WORLD, Query(operation, due(tool) | given_, tool))
    assert isinstance(reply, Rows)
    return reply.all()


def test_every_operation_is_served_with_every_column_as_text() -> None:
    assert HANDLERS.keys() == TOOLS.keys()
    for operation, tool in TOOLS.items():
        answer = ask(operation)
        assert answer.outcome == "ok", operation
        for record in answer.records:
            assert record.keys() == {f.name for f in tool.fields}, operation
            assert all(isinstance(value, str) for value in record.values()), operation


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(TOOLS)), st.integers(0, 500), st.integers(1, 5), st.integers(1, 40), st.booleans())
def test_filtered_pages_parse_back_to_the_worlds_records(
    operation: str, turn: int, page: int, size: int, filtered: bool
) -> None:
    tool = TOOLS[operation]
    given_ = due(tool)
    whole = HANDLERS[operation](WORLD, Query(operation, given_, tool))
    assert isinstance(whole, Rows)
    free = [p for p in tool.inputs if p.role == "input" and not p.required and tool.field(p.name) is not None]
    if filtered and free:
        parameter = free[turn % len(free)]
        example = whole.slice(turn % whole.total, turn % whole.total + 1)[0]
        given_[parameter.name] = str(example[parameter.name])
    reply = HANDLERS[operation](WORLD, Query(operation, given_, tool))
    assert isinstance(reply, Rows)
    answer = ask(operation, **given_, pageNo=str(page), numOfRows=str(size))
    expected = reply.slice((page - 1) * size, page * size)
    assert answer.records == expected
    assert answer.total_count == reply.total
    assert answer.outcome == ("ok" if expected else "no_data")
    if filtered and free:
        assert reply.total > 0


# institutions


def test_securities_firms_are_companies_of_the_register() -> None:
    known = {company.jurir_no: company.name for company in companies(WORLD)}
    firms = [i for i in institutions(WORLD) if i.company is not None]
    assert len(firms) > 10
    assert all(known[i.register_no] == i.name for i in firms)
    listed = {r["crpno"]: r["dvsnNm"] for r in rows("getSccpOvrlPstaList", baseYm="202509")}
    assert all(listed[i.register_no] == i.name for i in firms)


def test_register_numbers_are_unique_and_pass_their_check_digit() -> None:
    numbers = [i.register_no for i in institutions(WORLD)] + [b.register_no for b in failed_banks(WORLD)]
    assert len(set(numbers)) == len(numbers)
    for number in numbers:
        total = sum(int(digit) * (1 + place % 2) for place, digit in enumerate(number[:12]))
        assert (total + int(number[12])) % 10 == 0


def test_a_firms_name_must_be_whole_and_a_products_may_be_a_part() -> None:
    firm = of_sector(WORLD, SAVINGS)[0]
    assert ask("getProductList202008", fncIstNm=firm.name).outcome == "ok"
    assert ask("getProductList202008", fncIstNm=firm.name[:-2]).outcome == "no_data"
    found = rows("getProductList202008", fncIstNm=firm.name, prdNm="정기예금")
    assert found
    assert all("정기예금" in r["prdNm"] for r in found)
    sector = rows("getCompanyList202008", regnNm=SAVINGS)
    assert [r["fncIstNm"] for r in sector] == [i.name for i in of_sector(WORLD, SAVINGS)]


def test_running_numbers_go_on_over_pages() -> None:
    assert [r["num"] for r in ask("getCompanyList202008", pageNo="3", numOfRows="4").records] == ["9", "10", "11", "12"]


def test_money_is_paid_by_banks_and_went_to_living_savings_banks() -> None:
    names = {i.name for i in institutions(WORLD)}
    assert {r["pymtAgncIstNm"] for r in rows("getDpstInsrncAmountPymntVrscSpotSttusList")} <= names
    living, failed = {i.name for i in of_sector(WORLD, SAVINGS)}, {b.name for b in failed_banks(WORLD)}
    for record in rows("getFnncCmpnyFundSpprDtfl"):
        assert record["fncIstNm"] in living
        assert record["spprFnccmpNm"] in failed
    assert not living & failed


# figures


@pytest.mark.parametrize(
    ("operation", "columns"),
    [
        ("getInsurgFnltSvbkDpstTrendList", ("OndmDpsamt", "SvtpDpsamt")),
        ("getInsurgFnltBkDpstTrendList", ("OndmDpsamt",)),
        ("getInsurgFnltLfinsDpstTrendList", ("SvlinsPramt",)),
        ("getInsurgFnltPrpinsDpstTrendList", ("FrinsAmt",)),
        ("getInsurgFnltFnsivDpstTrendList", ("EtrsDepamt",)),
    ],
)
def test_insured_and_uninsured_are_the_whole(operation: str, columns: tuple[str, ...]) -> None:
    for record in rows(operation):
        for name in columns:
            assert int(record[f"tgt{name}"]) + int(record[f"excd{name}"]) == int(record[f"sum{name}"]) > 0


def test_assets_are_debts_and_capital() -> None:
    for record in rows("getLfinsOvrlPstaList", baseYm="202506"):
        assert int(record["astTsum"]) == int(record["debtTsum"]) + int(record["cptTsum"])
        left = int(record["inspnl"]) + int(record["ivstPnl"])
        assert int(record["cnprfNprf"]) == (left * 76 // 100 if left > 0 else left)


def test_the_fund_only_grows() -> None:
    for sector in ("은행", "저축은행"):
        paid = [int(r["prmfeeAmt"]) for r in rows("GetDpstInsrncEndwMakeSttusList") if r["fndMakDvsnNm"] == sector]
        assert len(paid) == 132
        assert paid == sorted(paid, reverse=True)
    assert len(rows("GetDpstInsrncEndwMakeSttusList", baseTm="202510")) == 8


def test_a_quarter_lists_every_savings_bank_once() -> None:
    found = rows("getFinanceStateList", ym="202509")
    assert [r["finIstNm"] for r in found] == [bank.name for bank in of_sector(WORLD, SAVINGS)]
    assert len({r["finIstCd"] for r in found}) == len(found)
    assert all(0.5 < float(r["dpsAvgIrt"]) < 6 for r in found)
    assert ask("getFinanceStateList", ym="202510").outcome == "no_data"


# failed banks


def test_this_quarter_is_the_next_ones_last() -> None:
    bank = failed_banks(WORLD)[7].name
    for operation in ("getProfitIndex", "getBisStdrEcptlRate", "getLqdtyIdx"):
        found = rows(operation, fnccmpNm=bank)
        by_line: dict[str, list[Record]] = {}
        for record in found:
            by_line.setdefault(record["colnCd"], []).append(record)
        for line in by_line.values():
            assert len(line) == 12
            assert [r["baseYm"] for r in line] == sorted((r["baseYm"] for r in line), reverse=True)
            assert [r["lsqtedHis"] for r in line[:-1]] == [r["thyrQteHist"] for r in line[1:]]


def test_capital_ratios_follow_from_their_lines() -> None:
    bank = rows("getBisStdrEcptlRate", baseYm="201009")[0]["fnccmpNm"]
    report = rows("getBisStdrEcptlRate", baseYm="201009", fnccmpNm=bank)
    lines = {record["colnNm"]: float(record["thyrQteHist"]) for record in report}
    assert lines["자기자본"] == lines["기본자본"] + lines["보완자본"] - lines["공제항목"]
    ratio = lines["자기자본"] * 100 / lines["위험가중자산"]
    assert lines["BIS 기준 자기자본비율"] == pytest.approx(ratio, abs=0.006)
    simple = rows("getSimplEcptlRate", baseYm="201009", fnccmpNm=bank)
    assert float(simple[0]["thyrQteHist"]) == lines["자기자본"]


def test_reports_end_before_business_was_stopped() -> None:
    stopped = {bank.name: f"{bank.stopped_on:%Y%m}" for bank in failed_banks(WORLD)}
    assert all(r["baseYm"] < stopped[r["fnccmpNm"]] for r in rows("getFnnrSttusTable"))
    bankrupt = {r["bkrpFnccmpNm"] for r in rows("getBnrpcFnltInfoList")}
    assert bankrupt == {bank.name for bank in estates(WORLD)} <= stopped.keys()


# accounts and goods


def test_accounts_are_opened_on_business_days_only() -> None:
    assert ask("getAcnutAcctoRecptnNewSttus", newDt="20260117").outcome == "no_data"
    record = rows("getAcnutAcctoRecptnNewSttus", newDt="20260116")[30]
    again = rows("getAcnutAcctoRecptnNewSttus", newDt="20260116", dpsAccno=record["dpsAccno"])
    assert [{**r, "num": ""} for r in again] == [{**record, "num": ""}]


def test_numbers_of_a_list_open_the_details_of_its_kind_only() -> None:
    for record in rows("getRealEstateList202307")[:60]:
        special = record["rlestDscd"] == "특수부동산"
        number = record["artslMngmNo"]
        assert len(rows("getSpecialRealEstateDetail202307", artslMngmNo=number)) == special
        assert len(rows("getRealEstateDetail202307", artslMngmNo=number)) == (not special)
        assert rows("getSalesArtworkDetail1", artslMngmNo=number) == []


def test_ranges_choose_by_area_and_price() -> None:
    low = rows("getRealEstateList202307", landSqreFrom="100", landSqreTo="1000")
    everything = {item.number: item for item in real_estate(WORLD)}
    expected = [number for number, item in everything.items() if 100 <= item.land <= 1000]
    assert [r["artslMngmNo"] for r in low] == expected
    assert ask("getRealEstateList202307", landSqreFrom="wide").outcome == "bad_param"
    cheap = rows("getMemberAndStockList1", lwstPblslBidPrarPrcTo="50000000")
    assert len(cheap) == sum(item.lowest <= 50_000_000 for item in memberships(WORLD))


# the envelope


def test_rows_stand_beside_the_header_under_the_operation_without_its_digits() -> None:
    content = json.loads(send("getCompanyList202008", numOfRows="2").content)["getCompanyList"]
    assert content["header"] == {"resultCode": "00", "resultMsg": "NORMAL SERVICE"}
    assert (len(content["item"]), content["numOfRows"], content["pageNo"]) == (2, 2, 1)
    assert content["totalCount"] == len(institutions(WORLD))


def test_xml_comes_unless_json_is_asked_for() -> None:
    response = send("getCompanyList202008", resultType="")
    assert response.content.startswith(b'<?xml version="1.0" encoding="UTF-8"?><getCompanyList><header>')
    assert read(response).records == read(send("getCompanyList202008")).records
    assert read(response).total_count == len(institutions(WORLD))


@pytest.mark.parametrize(
    ("given_", "outcome"),
    [
        ({"serviceKey": ""}, "auth"),
        ({"serviceKey": sandbox_key("dart")}, "auth"),
        ({"pageNo": "0"}, "bad_param"),
        ({"numOfRows": "many"}, "bad_param"),
        ({"numOfRows": "5000"}, "bad_param"),
        ({"pageNo": "4000"}, "no_data"),
        ({"fncIstNm": "그런회사없음"}, "no_data"),
    ],
)
def test_refusals_have_their_outcome(given_: dict[str, str], outcome: str) -> None:
    assert read(send("getCompanyList202008", **given_)).outcome == outcome


def test_the_gateway_refuses_a_key_in_xml_though_json_was_asked() -> None:
    response = send("getCompanyList202008", serviceKey="wrong")
    assert response.content.startswith(b"<OpenAPI_ServiceResponse>")
    assert read(response).code == "30"


def test_what_is_demanded_is_demanded() -> None:
    url = TOOLS["getAcnutAcctoRecptnNewSttus"].endpoint.url
    asked = {"serviceKey": sandbox_key("kdic"), "resultType": "json"}
    response = TRANSPORT.handle_request(httpx.Request("GET", url, params=asked))
    assert (read(response).outcome, read(response).code) == ("bad_param", "11")
    assert read(send("getNothing202008")).outcome == "unknown_operation"
