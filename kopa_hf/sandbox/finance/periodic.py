"""Periodic reports (DS002): shares, owners, dividends, staff, officers, debts outstanding.

A report answers only where it was filed; its figures belong to its closing day and agree
with the books, the share counts and each other.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.calendar import hangul
from kopa_hf.sandbox.finance.accounts import Books, books
from kopa_hf.sandbox.finance.banks import AUDITORS
from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.finance.filings import REPORTS
from kopa_hf.sandbox.finance.forms import (
    NOTHING,
    asked_company,
    asked_report,
    closing_day,
    commas,
    dash_if_zero,
    head,
    in_order,
    percent,
    report_receipt,
)
from kopa_hf.sandbox.finance.holdings import holders, treasury_shares
from kopa_hf.sandbox.finance.officers import Officer, officers
from kopa_hf.sandbox.finance.prices import price_on, shares
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Reply, Rows
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World


@dataclass(frozen=True, slots=True)
class Report:
    """A filed periodic report, and what its answers are drawn from."""

    world: World
    company: Company
    year: int
    code: str
    rcept_no: str

    @property
    def closed_on(self) -> datetime.date:
        """Last day of the period."""
        return closing_day(self.year, self.code)

    def measure(self, *key: object) -> Stream:
        """Figures of this report."""
        return self.world.measure("finance", "report", self.company.index, self.year, self.code, *key)

    def identity(self, *key: object) -> Stream:
        """Wording of this report."""
        return self.world.identity("finance", "report", self.company.index, self.year, self.code, *key)

    def books(self, years_back: int = 0) -> Books:
        """The books that the report is about: separate ones, at its closing day (earlier years: at theirs)."""
        found = books(self.world, self.company, self.year - years_back, REPORTS[self.code][1], consolidated=False)
        assert found is not None  # reports begin in 2022, books in 2019
        return found


Lines = Callable[[Report], list[dict[str, Any]]]


def dividends(report: Report) -> list[dict[str, Any]]:
    """배당: cash a share times shares outstanding is the total; payout and yield follow from it."""
    terms = [_dividend(report, back) for back in range(3)]
    rows: list[dict[str, Any]] = []
    for position, name in enumerate(_DIVIDEND_LINES):
        texts = [line[position] for line in terms]
        kind = "보통주" if name in ("현금배당수익률(%)", "주당 현금배당금(원)") else NOTHING
        rows.append({"se": name, "stock_knd": kind, "thstrm": texts[0], "frmtrm": texts[1], "lwfr": texts[2]})
    return rows


_DIVIDEND_LINES: Final = (
    "주당액면가액(원)",
    "(연결)당기순이익(백만원)",
    "(별도)당기순이익(백만원)",
    "(연결)주당순이익(원)",
    "현금배당금총액(백만원)",
    "(연결)현금배당성향(%)",
    "현금배당수익률(%)",
    "주당 현금배당금(원)",
)


def dividend_per_share(world: World, company: Company, year: int) -> int:
    """Cash dividend a share for a year in won; 0 for years without profit and for companies that pay none."""
    sheet = books(world, company, year, 12, consolidated=False)
    if sheet is None or sheet.net_income <= 0 or not world.identity("finance", "payer", company.index).chance(0.6):
        return 0
    outstanding = shares(world, company) - treasury_shares(world, company, year)
    paid = sheet.net_income * world.measure("finance", "payout", company.index).between(8, 40) // 100
    return paid // outstanding // 5 * 5


def _dividend(report: Report, back: int) -> list[str]:
    world, company, year = report.world, report.company, report.year - back
    month = REPORTS[report.code][1]
    separate = books(world, company, year, month, consolidated=False)
    group = books(world, company, year, month, company.consolidated)
    assert separate is not None  # reports begin in 2022, books in 2019
    assert group is not None
    # dividends are decided once a year; interim reports print dashes
    each = dividend_per_share(world, company, year) if report.code == "11011" else 0
    outstanding = shares(world, company) - treasury_shares(world, company, year)
    total = each * outstanding
    price = price_on(world, company, closing_day(year, report.code))
    return [
        commas(company.par_value),
        commas(group.net_income // 1_000_000),
        commas(separate.net_income // 1_000_000),
        commas(group.net_income // outstanding),
        dash_if_zero(total // 1_000_000),
        percent(total, group.net_income) if total and group.net_income > 0 else NOTHING,
        percent(each, price) if each else NOTHING,
        dash_if_zero(each),
    ]


def largest_shareholders(report: Report) -> list[dict[str, Any]]:
    """최대주주 현황: each person's stock, and a last line that adds them up."""
    total = shares(report.world, report.company)
    start = holders(report.world, report.company, report.year - 1)
    end = holders(report.world, report.company, report.year)
    pairs = [
        (holder.name, holder.relation, before.shares, holder.shares) for before, holder in zip(start, end, strict=True)
    ]
    pairs.append(("계", NOTHING, sum(h.shares for h in start), sum(h.shares for h in end)))
    return [
        {
            "nm": name,
            "relate": relation,
            "stock_knd": "보통주",
            "bsis_posesn_stock_co": commas(before),
            "bsis_posesn_stock_qota_rt": percent(before, total),
            "trmend_posesn_stock_co": commas(after),
            "trmend_posesn_stock_qota_rt": percent(after, total),
        }
        for name, relation, before, after in pairs
    ]


def minority_shareholders(report: Report) -> list[dict[str, Any]]:
    """소액주주 현황: whoever owns less than 1%."""
    measure, total = report.measure("minority"), shares(report.world, report.company)
    others = sum(h.shares for h in holders(report.world, report.company, report.year))
    held = (total - others) * measure.between(60, 95) // 100
    people = measure.octave(800, 90_000)
    everybody = people + measure.between(3, 30)
    return [
        {
            "se": "소액주주",
            "shrholdr_co": commas(people),
            "shrholdr_tot_co": commas(everybody),
            "shrholdr_rate": percent(people, everybody),
            "hold_stock_co": commas(held),
            "stock_tot_co": commas(total),
            "hold_stock_rate": percent(held, total),
        }
    ]


def employees(report: Report) -> list[dict[str, Any]]:
    """직원 현황 by division and sex: regular plus contract staff are the sum, pay over heads is the average."""
    company = report.company
    size = report.world.measure("finance", "staff", company.index).octave(40, 6_000)
    divisions = report.world.identity("finance", "divisions", company.index).sample(_DIVISIONS, 2 if size > 300 else 1)
    rows = []
    for division in divisions:
        for sex in ("남", "여"):
            measure = report.measure("staff", division, sex)
            regular = max(size * measure.between(30, 60) // 100 // (len(divisions) * (1 if sex == "남" else 2)), 3)
            contract = regular * measure.between(0, 9) // 100
            months = REPORTS[report.code][1]
            average = measure.between(38, 92) * 1_000_000 * months // 12
            rows.append(
                {
                    "fo_bbm": division,
                    "sexdstn": sex,
                    "rgllbr_co": commas(regular),
                    "cnttk_co": dash_if_zero(contract),
                    "sm": commas(regular + contract),
                    "avrg_cnwk_sdytrn": f"{measure.between(20, 190) / 10:.1f}",
                    "fyer_salary_totamt": commas(average * (regular + contract)),
                    "jan_salary_am": commas(average),
                }
            )
    return rows


_DIVISIONS: Final = ("제조", "연구개발", "영업", "관리", "서비스", "생산")


def _officer_line(report: Report, officer: Officer) -> dict[str, Any]:
    served = (report.closed_on - officer.since).days / 365.25
    return {
        "nm": officer.name,
        "sexdstn": officer.sex,
        "birth_ym": f"{officer.born.year}년 {officer.born.month:02d}월",
        "ofcps": officer.title,
        "rgist_exctv_at": officer.registered,
        "fte_at": "상근" if officer.full_time else "비상근",
        "chrg_job": officer.job,
        "main_career": officer.career,
        "mxmm_shrholdr_relate": "본인" if officer.is_owner else "-",
        "hffc_pd": f"{max(served, 0.1):.1f}년",
        "tenure_end_on": hangul(officer.until),
    }


def executives(report: Report) -> list[dict[str, Any]]:
    """임원 현황: the representative first."""
    return [_officer_line(report, o) for o in officers(report.world, report.company) if o.since <= report.closed_on]


def total_shares(report: Report) -> list[dict[str, Any]]:
    """주식의 총수: issued less treasury is outstanding, for common shares and in all."""
    issued = shares(report.world, report.company)
    own = treasury_shares(report.world, report.company, report.year)
    ever = issued + report.world.measure("finance", "retired", report.company.index).between(0, 4) * issued // 50
    empty = {"se": "우선주", "stock_knd": "우선주"}
    line = {
        "isu_stock_totqy": commas(max(100_000_000, -(-issued // 100_000_000) * 200_000_000)),
        "now_to_isu_stock_totqy": commas(ever),
        "now_to_dcrs_stock_totqy": dash_if_zero(ever - issued),
        "profit_incnr": dash_if_zero(ever - issued),
        "istc_totqy": commas(issued),
        "tesstk_co": commas(own),
        "distb_stock_co": commas(issued - own),
    }
    return [{"se": "보통주", **line}, empty, {"se": "합계", **line}]


def treasury_changes(report: Report) -> list[dict[str, Any]]:
    """자기주식 취득·처분: opening plus bought less sold and retired is closing."""
    opening = treasury_shares(report.world, report.company, report.year - 1)
    closing = treasury_shares(report.world, report.company, report.year)
    measure = report.measure("treasury")
    sold = opening * measure.between(0, 5) // 100
    retired = opening * measure.choice((0, 0, 0, 3)) // 100
    line = {
        "stock_knd": "보통주",
        "bsis_qy": commas(opening),
        "change_qy_acqs": dash_if_zero(closing - opening + sold + retired),
        "change_qy_dsps": dash_if_zero(sold),
        "change_qy_incnr": dash_if_zero(retired),
        "trmend_qy": commas(closing),
    }
    direct = {"acqs_mth1": "배당가능이익범위이내취득", "acqs_mth2": "직접취득", "acqs_mth3": "장내직접취득"}
    return [{**direct, **line}, {"acqs_mth1": "총계", "acqs_mth2": "총계", "acqs_mth3": "총계", **line}]


def auditors(report: Report) -> list[dict[str, Any]]:
    """감사인과 감사의견, three years; a company keeps its auditor for some years."""
    rows = []
    for back in range(3):
        year = report.year - back
        house = AUDITORS[(report.company.index + year // 3) % len(AUDITORS)]
        opinion = report.world.identity("finance", "opinion", report.company.index, year)
        rows.append(
            {
                "bsns_year": f"제{year - report.company.founded.year + 1}기({'당기' if not back else '전기' if back == 1 else '전전기'})",
                "adtor": house,
                "adt_opinion": "적정" if opinion.chance(0.97) else "한정",
                "adt_reprt_spcmnt_matter": "해당사항 없음",
                "emphs_matter": "해당사항 없음",
                "core_adt_matter": opinion.choice(("수익인식", "영업권 손상평가", "재고자산 평가", "개발비 자산화")),
            }
        )
    return rows


def outside_directors(report: Report) -> list[dict[str, Any]]:
    """사외이사: counted from the officers themselves."""
    everybody = [o for o in officers(report.world, report.company) if o.since <= report.closed_on]
    directors = [o for o in everybody if o.registered != "미등기"]
    outside = [o for o in directors if o.registered == "사외이사"]
    appointed = sum(o.since.year == report.year for o in outside)
    return [
        {
            "drctr_co": str(len(directors)),
            "otcmp_drctr_co": str(len(outside)),
            "apnt": str(appointed) if appointed else NOTHING,
        }
    ]


def total_pay(report: Report) -> list[dict[str, Any]]:
    """이사·감사 전체 보수: heads times the average."""
    heads = sum(o.registered != "미등기" for o in officers(report.world, report.company))
    average = report.measure("pay").between(60, 480) * 1_000_000 * REPORTS[report.code][1] // 12
    return [
        {
            "nmpr": str(heads),
            "mendng_totamt": commas(average * heads),
            "jan_avrg_mendng_am": commas(average),
            "fscl_year": str(report.year),
        }
    ]


def top_pay(report: Report) -> list[dict[str, Any]]:
    """개인별 보수 (상위 5인, 5억원 이상): highest first."""
    found = []
    for officer in officers(report.world, report.company)[:5]:
        pay = report.measure("top", officer.name).octave(510_000_000, 4_000_000_000) // 1_000_000 * 1_000_000
        found.append((pay * REPORTS[report.code][1] // 12, officer))
    found.sort(key=lambda pair: (-pair[0], pair[1].name))
    return [
        {"nm": o.name, "ofcps": o.title, "mendng_totamt": commas(pay), "fscl_year": str(report.year)}
        for pay, o in found
    ]


def _balances(buckets: tuple[str, ...], limits: bool = False) -> Lines:
    """Debts outstanding by time left: public and private lines, and a sum line; every line adds up."""

    def lines(report: Report) -> list[dict[str, Any]]:
        measure = report.measure("balances", buckets[0], len(buckets))
        rows, totals = [], dict.fromkeys(buckets, 0)
        for kind in ("공모", "사모"):
            amounts = {b: measure.between(0, 60) * 1_000_000_000 if measure.chance(0.4) else 0 for b in buckets}
            totals = {bucket: totals[bucket] + amounts[bucket] for bucket in buckets}
            rows.append(_balance_line(kind, amounts, limits))
        return [*rows, _balance_line("합계", totals, limits)]

    return lines


def _balance_line(kind: str, amounts: dict[str, int], limits: bool) -> dict[str, Any]:
    line: dict[str, Any] = {"remndr_exprtn1": "미상환 잔액", "remndr_exprtn2": kind}
    line |= {bucket: dash_if_zero(amount) for bucket, amount in amounts.items()}
    total = sum(amounts.values())
    line["sm"] = dash_if_zero(total)
    if limits:
        line |= {"isu_lmt": commas(total + 100_000_000_000), "remndr_lmt": commas(100_000_000_000)}
    return line


_SHORT: Final = ("de10_below", "de10_excess_de30_below", "de30_excess_de90_below", "de90_excess_de180_below")
_TO_YEAR: Final = "de180_excess_yy1_below"
_BY_YEAR: Final = tuple(f"yy{n}_excess_yy{n + 1}_below" for n in range(1, 5))

LINES: Final[dict[str, Lines]] = {
    "alotMatter": dividends,
    "hyslrSttus": largest_shareholders,
    "mrhlSttus": minority_shareholders,
    "empSttus": employees,
    "exctvSttus": executives,
    "stockTotqySttus": total_shares,
    "tesstkAcqsDspsSttus": treasury_changes,
    "accnutAdtorNmNdAdtOpinion": auditors,
    "outcmpnyDrctrNdChangeSttus": outside_directors,
    "hmvAuditAllSttus": total_pay,
    "indvdlByPay": top_pay,
    "hmvAuditIndvdlBySttus": top_pay,
    "entrprsBilScritsNrdmpBlce": _balances((*_SHORT, _TO_YEAR, *_BY_YEAR[:2], "yy3_excess")),
    "srtpdPsndbtNrdmpBlce": _balances((*_SHORT, _TO_YEAR), limits=True),
    "cprndNrdmpBlce": _balances(("yy1_below", *_BY_YEAR, "yy5_excess_yy10_below", "yy10_excess")),
}


def periodic(world: World, query: Query) -> Reply:
    """The lines of one company's report, each with the report's head and closing day."""
    year, code = asked_report(query)
    company = asked_company(world, query)
    if company is None:
        return NO_ROWS
    receipt = report_receipt(world, company, year, code)
    if receipt is None:
        return NO_ROWS
    report = Report(world, company, year, code, receipt)
    common = {**head(company, receipt), "stlm_dt": report.closed_on.isoformat()}
    return Rows.of([in_order(query.tool, {**common, **line}) for line in LINES[query.operation](report)])


HANDLERS: dict[str, Handler] = dict.fromkeys(LINES, periodic)
