"""Who owns a company: largest shareholders, treasury shares, large holdings and insiders' reports (DS004)."""

from __future__ import annotations

from dataclasses import dataclass

from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.finance.filings import Filing, filings_of
from kopa_hf.sandbox.finance.forms import asked_company, commas, percent
from kopa_hf.sandbox.finance.prices import shares
from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import World


@dataclass(frozen=True, slots=True)
class Holder:
    """One of the largest shareholder's circle."""

    name: str
    relation: str
    shares: int


def treasury_shares(world: World, company: Company, year: int) -> int:
    """Own shares at the end of a year; at least one thousandth of the issue, so that disposals have a stock."""
    stream = world.measure("finance", "treasury", company.index)
    base = shares(world, company) * stream.between(4, 60) // 1_000
    step = base * stream.between(1, 8) // 100
    return base + step * (year - 2022)


def holders(world: World, company: Company, year: int) -> tuple[Holder, ...]:
    """The largest shareholder and related persons at the end of a year."""
    identity = world.identity("finance", "holders", company.index)
    measure = world.measure("finance", "holders", company.index)
    total = shares(world, company)
    circle = [Holder(company.ceo.split(",")[0], "본인", total * measure.between(12, 38) // 100)]
    for _ in range(identity.between(1, 4)):
        part = total * measure.between(1, 40) // 1_000
        circle.append(Holder(person_name(identity), identity.choice(("친인척", "임원", "계열회사 임원")), part))
    # the main holder sells a little every year
    drift = total * measure.between(0, 6) // 1_000 * (year - 2022)
    main = circle[0]
    circle[0] = Holder(main.name, main.relation, max(main.shares - drift, total // 20))
    return tuple(circle)


def _reports(world: World, company: Company, operation: str) -> list[Filing]:
    return [filing for filing in filings_of(world, company) if filing.ref[0] == operation]


def large_holdings(world: World, query: Query) -> Reply:
    """대량보유: one reporter's stock goes up and down from report to report, newest first."""
    company = asked_company(world, query)
    if company is None:
        return NO_ROWS
    total = shares(world, company)
    measure = world.measure("finance", "major", company.index)
    held: dict[str, int] = {}
    rows: list[Record] = []
    for filing in _reports(world, company, "majorstock"):
        # the search prints the same filer
        before = held.get(filing.filer, 0)
        after = (
            before + total * measure.between(-20, 35) // 1_000 if before else total * measure.between(51, 120) // 1_000
        )
        after = max(after, total // 1_000)
        held[filing.filer] = after
        contracts = total * measure.between(0, 12) // 1_000
        rows.append(
            {
                "rcept_no": filing.rcept_no,
                "rcept_dt": filing.day.isoformat(),
                "corp_code": company.corp_code,
                "corp_name": company.name,
                "report_tp": "약식" if "약식" in filing.title else "일반",
                "repror": filing.filer,
                "stkqy": commas(after),
                "stkqy_irds": commas(after - before),
                "stkrt": percent(after, total),
                "stkrt_irds": percent(after - before, total),
                "ctr_stkqy": commas(contracts),
                "ctr_stkrt": percent(contracts, total),
                "report_resn": _reason(before, after),
            }
        )
    return Rows.of(rows[::-1])


def _reason(before: int, after: int) -> str:
    if not before:
        return "신규보고(5% 이상 보유)"
    return "장내매수에 따른 보유비율 증가" if after > before else "장내매도에 따른 보유비율 감소"


def insider_reports(world: World, query: Query) -> Reply:
    """임원·주요주주 소유보고, newest first."""
    company = asked_company(world, query)
    if company is None:
        return NO_ROWS
    total = shares(world, company)
    measure = world.measure("finance", "insider", company.index)
    identity = world.identity("finance", "insider", company.index)
    rows: list[Record] = []
    for filing in _reports(world, company, "elestock"):
        registered = identity.chance(0.5)
        held = total * measure.between(1, 60) // 10_000
        change = held * measure.between(-40, 60) // 100
        rows.append(
            {
                "rcept_no": filing.rcept_no,
                "rcept_dt": filing.day.isoformat(),
                "corp_code": company.corp_code,
                "corp_name": company.name,
                "repror": filing.filer,
                "isu_exctv_rgist_at": "등기임원" if registered else "비등기임원",
                "isu_exctv_ofcps": identity.choice(("대표이사", "사내이사", "전무", "상무", "이사")),
                "isu_main_shrholdr": "-" if identity.chance(0.8) else "10%이상주주",
                "sp_stock_lmp_cnt": commas(held),
                "sp_stock_lmp_irds_cnt": commas(change),
                "sp_stock_lmp_rate": percent(held, total),
                "sp_stock_lmp_irds_rate": percent(change, total),
            }
        )
    return Rows.of(rows[::-1])


HANDLERS: dict[str, Handler] = {"majorstock": large_holdings, "elestock": insider_reports}
