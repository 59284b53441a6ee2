"""Figures agree with each other, whatever the value seed."""

from __future__ import annotations

import datetime
import itertools
import re
from typing import Any

import pytest

from kopa_hf.catalog.registry import Catalog
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox import World
from kopa_hf.sandbox.calendar import trading_days
from kopa_hf.sandbox.finance.accounts import FIRST_YEAR, LAST_YEAR, books
from kopa_hf.sandbox.finance.bonds_to_shares import bond_terms
from kopa_hf.sandbox.finance.companies import Company, companies, listed_on_market
from kopa_hf.sandbox.finance.events import Event, events_of
from kopa_hf.sandbox.finance.holdings import holders, treasury_shares
from kopa_hf.sandbox.finance.indices import indices, level
from kopa_hf.sandbox.finance.prices import bar, closes, shares, tick


@pytest.fixture(scope="module")
def executor(world: World, catalog: Catalog) -> Executor:
    return Executor(world=world, catalog=catalog)


def listed(world: World) -> list[Company]:
    return [company for company in companies(world) if company.listed]


def number(text: str) -> int:
    return 0 if text == "-" else int(text.replace(",", ""))


def korean_day(text: str) -> datetime.date:
    found = re.fullmatch(r"(\d{4})년 (\d{2})월 (\d{2})일", text)
    assert found is not None
    return datetime.date(*map(int, found.groups()))


def events(world: World, operation: str, count: int = 40) -> list[Event]:
    found = (event for company in companies(world) for event in events_of(world, company))
    return [event for event in found if event.operation == operation][:count]


@pytest.mark.parametrize("value_seed", [0, 1])
@pytest.mark.parametrize("consolidated", [True, False])
def test_assets_are_liabilities_plus_equity_in_every_quarter(value_seed: int, consolidated: bool) -> None:
    world = World(value_seed=value_seed)
    for company in listed(world)[:60]:
        for year in range(FIRST_YEAR, LAST_YEAR + 1):
            for month in (3, 6, 9, 12):
                sheet = books(world, company, year, month, consolidated)
                assert sheet is not None
                assert sheet.assets == sheet.liabilities + sheet.equity
                assert sheet.gross_profit - sheet.selling_expenses == sheet.operating_income
                assert sheet.pretax_income - sheet.tax == sheet.net_income


def test_quarters_add_up_and_retained_earnings_carry_over(world: World) -> None:
    for company in listed(world)[:40]:
        revenues = [books(world, company, 2024, month, False) for month in (3, 6, 9, 12)]
        texts = [sheet.revenue for sheet in revenues if sheet is not None]
        assert texts == sorted(texts)
        last, before = books(world, company, 2024, 12, False), books(world, company, 2023, 12, False)
        assert last is not None
        assert before is not None
        assert last.retained == before.retained + last.net_income


def test_the_three_statement_tools_print_the_same_books(world: World, executor: Executor) -> None:
    company = next(c for c in listed(world) if c.consolidated)
    given: dict[str, Any] = {"corp_code": company.corp_code, "bsns_year": "2024", "reprt_code": "11011"}
    key = executor.call_sync("get_dart_single_company_key_accounts", given).records
    several = executor.call_sync("get_dart_multi_company_key_accounts", given).records
    full = executor.call_sync("get_dart_single_company_full_financials", {**given, "fs_div": "CFS"}).records
    assert key == several
    amounts = {row["account_nm"]: number(row["thstrm_amount"]) for row in key if row["fs_div"] == "CFS"}
    plain = {row["account_nm"]: int(row["thstrm_amount"]) for row in full if row["sj_div"] in ("BS", "IS")}
    assert {name: plain[name] for name in amounts} == amounts
    assert amounts["자산총계"] == amounts["부채총계"] + amounts["자본총계"]
    ratio = executor.call_sync("get_dart_single_company_financial_ratios", {**given, "idx_cl_code": "M220000"}).records
    debt = next(float(row["idx_val"]) for row in ratio if row["idx_nm"] == "부채비율")
    assert debt == pytest.approx(amounts["부채총계"] * 100 / amounts["자본총계"], abs=0.001)


def test_interim_reports_print_the_quarter_and_the_sum_since_january(world: World, executor: Executor) -> None:
    company = listed(world)[0]
    given = {"corp_code": company.corp_code, "bsns_year": "2024"}

    def revenue(code: str, column: str) -> int:
        rows = executor.call_sync("get_dart_single_company_key_accounts", {**given, "reprt_code": code}).records
        return next(number(r[column]) for r in rows if r["fs_div"] == "OFS" and r["account_nm"] == "매출액")

    first, second, third = (revenue(code, "thstrm_amount") for code in ("11013", "11012", "11014"))
    assert revenue("11012", "thstrm_add_amount") == first + second
    assert revenue("11014", "thstrm_add_amount") == first + second + third


@pytest.mark.parametrize("operation", ["cvbdIsDecsn", "bdwtIsDecsn", "exbdIsDecsn"])
def test_bond_terms_obey_their_order(world: World, operation: str) -> None:
    for event in events(world, operation):
        terms = bond_terms(world, event)
        assert 0 < terms.floor < terms.price
        assert terms.floor * 10 >= min(terms.price * 7, event.company.par_value * 10)
        assert event.decided_on < terms.paid_on < terms.requests_from < terms.requests_to < terms.matures_on
        assert terms.shares == terms.amount // terms.price
        assert terms.coupon <= terms.yield_to_maturity


def test_uses_of_a_bonds_money_add_up_to_its_amount(world: World, executor: Executor) -> None:
    event = events(world, "cvbdIsDecsn")[0]
    given = {"corp_code": event.company.corp_code, "bgn_de": "20230101", "end_de": "20260130"}
    for row in executor.call_sync("get_dart_convertible_bond_issue_decision", given).records:
        uses = ("fdpp_fclt", "fdpp_bsninh", "fdpp_op", "fdpp_dtrp", "fdpp_ocsa", "fdpp_etc")
        assert sum(number(row[use]) for use in uses) == number(row["bd_fta"])
        assert number(row["act_mktprcfl_cvprc_lwtrsprc"]) < number(row["cv_prc"])
        assert korean_day(row["bd_mtd"]) > korean_day(row["bddd"])


def test_the_window_is_over_the_first_filing_day(world: World, executor: Executor) -> None:
    event = events(world, "piicDecsn")[0]
    day = f"{event.decided_on:%Y%m%d}"
    before = f"{event.decided_on - datetime.timedelta(days=1):%Y%m%d}"
    call = executor.call_sync
    given = {"corp_code": event.company.corp_code}
    name = "get_dart_paid_in_capital_increase_decision"
    assert call(name, {**given, "bgn_de": day, "end_de": day}).outcome == "ok"
    assert call(name, {**given, "bgn_de": before, "end_de": before}).outcome == "no_data"


def test_disposals_never_exceed_treasury_shares(world: World, executor: Executor) -> None:
    for event in events(world, "tsstkDpDecsn", 15):
        given = {"corp_code": event.company.corp_code, "bgn_de": "20230101", "end_de": "20260130"}
        for row in executor.call_sync("get_dart_treasury_stock_disposal_decision", given).records:
            assert 0 < number(row["dppln_stk_ostk"]) <= number(row["aq_wtn_div_ostk"])


def test_share_counts_agree_between_dart_and_krx(world: World, executor: Executor) -> None:
    master = executor.call_sync("get_krx_kospi_stock_base_info", {"basDd": "20250513"}).records
    for row in master[:10]:
        company = next(c for c in companies(world) if c.stock_code == row["ISU_SRT_CD"])
        given = {"corp_code": company.corp_code, "bsns_year": "2024", "reprt_code": "11011"}
        total = executor.call_sync("get_dart_total_shares_status", given).records[0]
        assert number(total["istc_totqy"]) == int(row["LIST_SHRS"])
        assert number(total["istc_totqy"]) == number(total["tesstk_co"]) + number(total["distb_stock_co"])
        changes = executor.call_sync("get_dart_treasury_stock_status", given).records[0]
        moves = (
            number(changes["change_qy_acqs"]) - number(changes["change_qy_dsps"]) - number(changes["change_qy_incnr"])
        )
        assert number(changes["bsis_qy"]) + moves == number(changes["trmend_qy"]) == number(total["tesstk_co"])


def test_owners_and_staff_add_up(world: World, executor: Executor) -> None:
    company = listed(world)[3]
    given = {"corp_code": company.corp_code, "bsns_year": "2024", "reprt_code": "11011"}
    owners = executor.call_sync("get_dart_largest_shareholders", given).records
    assert sum(number(o["trmend_posesn_stock_co"]) for o in owners[:-1]) == number(owners[-1]["trmend_posesn_stock_co"])
    assert sum(h.shares for h in holders(world, company, 2024)) + treasury_shares(world, company, 2024) < shares(
        world, company
    )
    for row in executor.call_sync("get_dart_employees", given).records:
        assert number(row["rgllbr_co"]) + number(row["cnttk_co"]) == number(row["sm"])
        assert number(row["fyer_salary_totamt"]) == number(row["sm"]) * number(row["jan_salary_am"])
    for row in executor.call_sync("get_dart_corporate_bond_outstanding", given).records:
        assert sum(number(v) for n, v in row.items() if n.startswith("yy")) == number(row["sm"])


# prices


def test_prices_stay_on_the_grid_and_inside_the_daily_limit(world: World) -> None:
    for company in listed(world)[::20]:
        path = closes(world, company)
        assert len(path) == len(trading_days())
        for before, close in itertools.pairwise(path):
            assert close == tick(close)
            assert abs(close / before - 1) < 0.31


def test_a_day_holds_together(world: World) -> None:
    for company in listed(world)[::7]:
        for position in (0, 1, 250, -1):
            day = bar(world, company, position % len(trading_days()))
            if day.volume:
                assert day.low <= min(day.open, day.close) <= max(day.open, day.close) <= day.high
                assert day.low * day.volume <= day.value <= day.high * day.volume
            else:
                assert (day.open, day.high, day.low, day.value) == (0, 0, 0, 0)


def test_change_is_against_the_day_before(world: World, executor: Executor) -> None:
    today = executor.call_sync("get_krx_kospi_stock_daily", {"basDd": "20250513"}).records
    before = executor.call_sync("get_krx_kospi_stock_daily", {"basDd": "20250512"}).records
    known = {row["ISU_CD"]: int(row["TDD_CLSPRC"]) for row in before}
    for row in today:
        if row["ISU_CD"] in known and row["ACC_TRDVOL"] != "0":
            assert int(row["TDD_CLSPRC"]) - known[row["ISU_CD"]] == int(row["CMPPREVDD_PRC"])


def test_the_market_index_is_the_market(world: World, executor: Executor) -> None:
    rows = executor.call_sync("get_krx_kospi_index_daily", {"basDd": "20250513"}).records
    kospi = next(row for row in rows if row["IDX_NM"] == "코스피")
    stocks = executor.call_sync("get_krx_kospi_stock_daily", {"basDd": "20250513"}).records
    late = sum(
        c.listed_on is not None and c.listed_on > datetime.date(2025, 5, 13) for c in listed_on_market(world, "Y")
    )
    if late == 0:
        assert int(kospi["MKTCAP"]) == sum(int(row["MKTCAP"]) for row in stocks)
    index = indices(world, "KOSPI")[0]
    assert level(world, index, 0) == 2669.0
    assert float(kospi["LWPRC_IDX"]) <= float(kospi["CLSPRC_IDX"]) <= float(kospi["HGPRC_IDX"])


def test_a_new_value_seed_redraws_prices_and_keeps_who_trades(world: World) -> None:
    other = World(value_seed=5)
    company = listed(world)[0]
    assert closes(other, company) != closes(world, company)
    assert shares(other, company) != shares(world, company)
    assert [c.stock_code for c in listed_on_market(other, "K")] == [c.stock_code for c in listed_on_market(world, "K")]
    events_here, events_there = events_of(world, company), events_of(other, listed(other)[0])
    assert [(e.operation, e.decided_on) for e in events_here] == [(e.operation, e.decided_on) for e in events_there]
