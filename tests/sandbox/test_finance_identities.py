"""Who exists: names, codes, filings. Formats and check digits are true, nobody is real."""

from __future__ import annotations

import datetime
import re

import pytest

from kopa_hf.sandbox import World
from kopa_hf.sandbox.calendar import add_months, is_business_day, trading_days
from kopa_hf.sandbox.finance.companies import companies, company_by_code, isin_of, listed_on_market
from kopa_hf.sandbox.finance.events import events_of
from kopa_hf.sandbox.finance.filings import all_filings, filing_by_number, filings_of, receipt_of
from kopa_hf.sandbox.finance.forms import report_receipt


def test_about_fifteen_hundred_companies_of_which_four_hundred_are_listed(world: World) -> None:
    everybody = companies(world)
    assert len(everybody) == 1500
    assert {cls: len(listed_on_market(world, cls)) for cls in "YKN"} == {"Y": 150, "K": 230, "N": 40}


@pytest.mark.parametrize("attribute", ["corp_code", "name", "jurir_no", "bizr_no"])
def test_names_and_numbers_are_unique(world: World, attribute: str) -> None:
    values = [getattr(company, attribute) for company in companies(world)]
    assert len(set(values)) == len(values)


def test_listed_companies_have_a_short_and_a_standard_code_others_none(world: World) -> None:
    listed = [company for company in companies(world) if company.listed]
    assert len({company.stock_code for company in listed}) == len(listed)
    for company in listed:
        assert re.fullmatch(r"\d{5}0", company.stock_code)
        assert company.isin[3:9] == company.stock_code
    assert not any(company.stock_code or company.isin for company in companies(world) if not company.listed)


def test_a_standard_code_ends_in_its_check_digit() -> None:
    # two codes that everybody can look up
    assert isin_of("005930") == "KR7005930003"
    assert isin_of("000660") == "KR7000660001"


def test_tax_numbers_pass_the_tax_offices_check(world: World) -> None:
    for company in companies(world)[:300]:
        digits = [int(char) for char in company.bizr_no]
        total = sum(d * w for d, w in zip(digits, (1, 3, 7, 1, 3, 7, 1, 3, 5), strict=False)) + digits[8] * 5 // 10
        assert (total + digits[9]) % 10 == 0


def test_register_numbers_pass_the_courts_check(world: World) -> None:
    for company in companies(world)[:300]:
        digits = [int(char) for char in company.jurir_no]
        total = sum(d * (1 + position % 2) for position, d in enumerate(digits[:12]))
        assert (total + digits[12]) % 10 == 0


def test_another_identity_seed_makes_other_people_another_value_seed_the_same(world: World) -> None:
    same, other = World(value_seed=9), World(identity_seed=9)
    assert companies(same)[:50] == companies(world)[:50]
    assert [c.name for c in companies(other)[:50]] != [c.name for c in companies(world)[:50]]
    assert [f.rcept_no for f in filings_of(same, companies(same)[7])] == [
        f.rcept_no for f in filings_of(world, companies(world)[7])
    ]


def test_scale_changes_the_number_of_companies() -> None:
    assert len(companies(World(scale=0.1))) == 150
    assert len({c.corp_code for c in companies(World(scale=2.0))}) == 3000


def test_receipt_numbers_begin_with_a_business_day_and_never_repeat(world: World) -> None:
    filings = all_filings(world)
    numbers = [filing.rcept_no for filing in filings]
    assert len(set(numbers)) == len(numbers)
    assert numbers == sorted(numbers)
    for filing in filings[::50]:
        assert re.fullmatch(r"\d{14}", filing.rcept_no)
        assert filing.rcept_no.startswith(f"{filing.day:%Y%m%d}")
        assert is_business_day(filing.day)
        assert filing_by_number(world, filing.rcept_no) == filing


def test_every_event_was_filed_and_every_listed_company_reported(world: World) -> None:
    for company in companies(world)[:200]:
        for event in events_of(world, company):
            assert receipt_of(world, company, (event.operation, event.number, "")) is not None
        if company.listed and company.listed_on and company.listed_on.year < 2023:
            assert report_receipt(world, company, 2024, "11011") is not None
            assert report_receipt(world, company, 2025, "11011") is None  # filed in March 2026


def test_a_correction_supersedes_the_first_version(world: World) -> None:
    corrected = [f for f in all_filings(world) if f.title.startswith("[기재정정]")]
    firsts = {(f.company.index, f.ref[:2]) for f in all_filings(world) if f.superseded}
    assert corrected
    assert {(f.company.index, f.ref[:2]) for f in corrected} == firsts


def test_codes_that_nobody_has_find_nobody(world: World) -> None:
    assert company_by_code(world, "00000000") is None
    assert filing_by_number(world, "20250101000000") is None


def test_trading_days_leave_out_weekends_and_holidays() -> None:
    days = trading_days()
    assert days[0] == datetime.date(2024, 1, 2)
    assert days[-1] == datetime.date(2026, 1, 29)
    closed = ("2024-02-09", "2024-05-01", "2024-12-31", "2025-01-28", "2025-10-06", "2026-01-01")
    assert not {datetime.date.fromisoformat(day) for day in closed} & set(days)


def test_months_end_where_the_month_ends() -> None:
    assert add_months(datetime.date(2024, 1, 31), 1) == datetime.date(2024, 2, 29)
    assert add_months(datetime.date(2024, 11, 30), 3) == datetime.date(2025, 2, 28)
