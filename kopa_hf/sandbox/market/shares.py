"""Shares as the depository keeps them: items, issues, dividends, distribution, lock-ups, meetings."""

from __future__ import annotations

import datetime
from typing import Any, Final, NamedTuple

from kopa_hf.sandbox.calendar import add_months, business_day_from, compact, trading_days
from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.finance.periodic import dividend_per_share
from kopa_hf.sandbox.finance.prices import shares
from kopa_hf.sandbox.market.companies import YEARS
from kopa_hf.sandbox.market.daily import in_order
from kopa_hf.sandbox.market.filters import select
from kopa_hf.sandbox.market.stocks import listed
from kopa_hf.sandbox.query import Handler, Query, RefusedError, Reply
from kopa_hf.sandbox.world import LAST_DAY, World

_AGENTS: Final = (("01", "가온예탁원"), ("02", "누리은행 증권대행부"), ("03", "다온은행 증권대행부"))
"""Transfer agents."""
_COMMON: Final = {"scrsItmsKcd": "0101", "scrsItmsKcdNm": "보통주"}


def customer_no(company: Company) -> str:
    """The depository's own number of an issuer: a look-alike of DART's, and not the same."""
    return str(10_000 + company.index * 7 % 89_989)


def _today() -> datetime.date:
    return trading_days()[-1]


def _asked_day(query: Query) -> str:
    """`basDt` of lists that are kept per day: any trading day up to the last has the same holdings."""
    day = query.get("basDt")
    if day and (len(day) != 8 or not day.isdigit()):
        raise RefusedError("value", "basDt")
    return day or compact(_today())


def _on_day(day: str, company: Company) -> bool:
    return company.listed_on is None or compact(company.listed_on) <= day


def _share_names(company: Company) -> dict[str, Any]:
    return {
        "crno": company.jurir_no,
        "isinCd": company.isin,
        "isinCdNm": f"{company.name}보통주",
        "stckIssuCmpyNm": company.name,
        "itmsShrtnCd": company.stock_code,
        "stckParPrc": str(company.par_value),
        **_COMMON,
    }


def _item(world: World, company: Company) -> dict[str, Any]:
    assert company.listed_on is not None  # only listed companies are asked
    return _share_names(company) | {
        "issuFrmtClsfNm": "전자증권",
        "issuStckCnt": str(shares(world, company)),
        "onskTisuCnt": str(shares(world, company)),
        "pfstTisuCnt": "0",
        "lstgDt": compact(company.listed_on),
        "dpsgRegDt": compact(company.listed_on),
        "stckIssuFrmtNm": "전자증권",
        "dpsgPsblYn": "Y",
    }


def items(world: World, query: Query) -> Reply:
    """종목기본정보, 주식발행현황, 예탁가능: one line per listed share on the day asked."""
    day = _asked_day(query)
    found = [c for c in listed(world) if _on_day(day, c)] if day <= compact(LAST_DAY) else []
    return select(
        query,
        found,
        lambda c: {"basDt": day, **_share_names(c)},
        lambda c: in_order(query, {"basDt": day, **_item(world, c)}),
    )


class _Issue(NamedTuple):
    """One time that a company issued shares."""

    company: Company
    number: int
    day: datetime.date
    reason: tuple[str, str]
    amount: int


_FOUNDING: Final = ("01", "설립")
_REASONS: Final = (("02", "유상증자"), ("03", "무상증자"), ("06", "전환권행사"), ("05", "주식배당"))


def issues(world: World, company: Company) -> list[_Issue]:
    """Issues from the founding on; their counts add up to the shares that the exchange lists."""
    identity = world.identity("market", "issues", company.index)
    times = identity.between(2, 7)
    years = sorted(identity.between(company.founded.year, 2023) for _ in range(times - 1))
    measure = world.measure("market", "issues", company.index)
    weights = [measure.between(1, 30) for _ in range(times)]
    left, found = shares(world, company), []
    for number, weight in enumerate(weights):
        last = number == times - 1
        count = left if last else max(shares(world, company) * weight // sum(weights), 1)
        left -= count
        day = company.founded if number == 0 else datetime.date(years[number - 1], identity.between(1, 12), 15)
        day = max(day, company.founded)
        found.append(_Issue(company, number + 1, day, identity.choice(_REASONS) if number else _FOUNDING, count))
    return sorted(found, key=lambda issue: issue.day)


def issue_list(world: World, query: Query) -> Reply:
    """주식발행내역: every issue of every listed share."""
    day = _asked_day(query)
    number = query.get("crno")
    found = [
        issue
        for company in listed(world)
        if (not number or company.jurir_no == number) and _on_day(day, company)
        for issue in issues(world, company)
    ]

    def make(issue: _Issue) -> dict[str, Any]:
        code, reason = issue.reason
        cells = {
            "basDt": day,
            **_share_names(issue.company),
            "scrsDcd": "01",
            "stckIssuSqno": str(issue.number),
            "stckIssuDcnt": str(issue.number),
            "stckIssuDt": compact(issue.day),
            "lstgDt": compact(max(issue.day, issue.company.listed_on or issue.day)),
            "stckIssuRcd": code,
            "stckIssuRcdNm": reason,
            "issuStckCnt": str(issue.amount),
        }
        return in_order(query, cells)

    return select(query, found, lambda i: {"basDt": day, **_share_names(i.company)}, make)


class _Dividend(NamedTuple):
    """What a company paid for a year."""

    company: Company
    year: int
    each: int


def dividends(world: World, query: Query) -> Reply:
    """배당정보: the sums that DART's annual reports print, with the depository's dates."""

    def build(w: World) -> tuple[_Dividend, ...]:
        every = (
            _Dividend(company, year, dividend_per_share(w, company, year))
            for year in reversed(YEARS)
            for company in listed(w)
        )
        return tuple(d for d in every if d.each and _was_listed(d))

    def make(dividend: _Dividend) -> dict[str, Any]:
        company, year, each = dividend
        agent = _AGENTS[company.index % len(_AGENTS)]
        cells = {
            **_dividend_names(dividend),
            "stckStacMd": "1231",
            "cashDvdnPayDt": compact(business_day_from(datetime.date(year + 1, 4, 10 + company.index % 12))),
            "stckHndvDt": "",
            "stckDvdnRcd": "01",
            "stckDvdnRcdNm": "현금배당",
            "trsnmDptyDcd": agent[0],
            "trsnmDptyDcdNm": agent[1],
            "stckGenrDvdnAmt": str(each),
            "stckGrdnDvdnAmt": "0",
            "stckGenrCashDvdnRt": f"{each * 100 / company.par_value:.2f}",
            "stckGenrDvdnRt": "0.00",
            "cashGrdnDvdnRt": "0.00",
            "stckGrdnDvdnRt": "0.00",
        }
        return in_order(query, cells)

    return select(query, world.table("market.dividends", build), _dividend_names, make)


def _was_listed(dividend: _Dividend) -> bool:
    company = dividend.company
    return company.listed_on is None or company.listed_on <= datetime.date(dividend.year, 12, 31)


def _dividend_names(dividend: _Dividend) -> dict[str, Any]:
    base = f"{dividend.year}1231"
    return {"basDt": base, "dvdnBasDt": base, **_share_names(dividend.company)}


_HOLDERS: Final = (
    ("01", "소액주주", 880, 300),
    ("02", "법인", 90, 350),
    ("03", "외국인", 20, 150),
    ("04", "기타", 10, 0),
)
"""(code, kind, per mille of holders, per mille of shares); the last kind takes what is left."""


class _Part(NamedTuple):
    """One kind of holders of a company's shares."""

    company: Company
    year: int
    number: int


def distribution(world: World, query: Query) -> Reply:
    """주식분포: holders and shares by kind; both add up to the whole."""
    number = query.get("crno")
    found = [
        _Part(company, year, kind)
        for year in reversed(YEARS)
        for company in listed(world)
        if (not number or company.jurir_no == number) and (company.listed_on is None or company.listed_on.year <= year)
        for kind in range(len(_HOLDERS))
    ]

    def names(part: _Part) -> dict[str, Any]:
        return {
            "rgtExertQualBasDt": f"{part.year}1231",
            "crno": part.company.jurir_no,
            "issuCmpyKsdCustNo": customer_no(part.company),
            "stckIssuCmpyNm": part.company.name,
        }

    def make(part: _Part) -> dict[str, Any]:
        total = shares(world, part.company)
        people = world.measure("market", "holders", part.company.index, part.year).octave(800, 90_000)
        held = [total * share // 1000 for _, _, _, share in _HOLDERS]
        heads = [people * share // 1000 for _, _, share, _ in _HOLDERS]
        held[-1], heads[-1] = total - sum(held[:-1]), people - sum(heads[:-1])
        code, kind, _, _ = _HOLDERS[part.number]
        cells = names(part) | {
            "stckDbtnDcd": code,
            "stckDbtnDcdNm": kind,
            "sthdNopeCnt": str(heads[part.number]),
            "sthdNopeRto": f"{heads[part.number] * 100 / people:.2f}",
            "issuStckCnt": str(held[part.number]),
            "issuStckRto": f"{held[part.number] * 100 / total:.2f}",
        }
        return in_order(query, cells)

    return select(query, found, names, make)


def lock_ups(world: World, query: Query) -> Reply:
    """의무보호예수 반환: shares of companies that were listed of late, given back after six or twelve months."""
    day = _asked_day(query)
    fresh = [c for c in listed(world) if c.listed_on is not None and c.listed_on.year >= 2023]

    def make(company: Company) -> dict[str, Any]:
        assert company.listed_on is not None  # chosen by it
        held = shares(world, company) * world.measure("market", "lock-up", company.index).between(5, 40) // 100
        months = 12 if company.index % 3 else 6
        cells = {
            "basDt": day,
            **_share_names(company),
            "lstgDcd": "01",
            "lstgDcdNm": "상장",
            "stckLblHoldRcd": "11" if months == 12 else "12",
            "stckLblHoldRcdNm": "최대주주 등" if months == 12 else "벤처금융",
            "lkupRegDt": compact(company.listed_on),
            "lkupRegStckCnt": str(held),
            "rsrnDt": compact(add_months(company.listed_on, months)),
            "rsrnStckCnt": str(held),
            "afrsRsqtCnt": "0",
            "lblProtTsumIssuStckCnt": str(shares(world, company)),
        }
        return in_order(query, cells)

    return select(query, fresh, lambda c: {"basDt": day, **_share_names(c)}, make)


def schedules(world: World, query: Query) -> Reply:
    """권리행사 일정: each listed company's yearly meeting, with the closing of the register before it."""
    found = [_Part(c, year, 0) for year in reversed(YEARS) for c in listed(world)]

    def names(part: _Part) -> dict[str, Any]:
        return {
            "basDt": f"{part.year}1231",
            "crno": part.company.jurir_no,
            "issuCmpyKsdCustNo": customer_no(part.company),
            "stckIssuCmpyNm": part.company.name,
        }

    def make(part: _Part) -> dict[str, Any]:
        meeting = business_day_from(datetime.date(part.year + 1, 3, 20 + part.company.index % 9))
        agent = _AGENTS[part.company.index % len(_AGENTS)]
        cells = names(part) | {
            "scrsIssuMnbdCd": "01",
            "scrsIssuMnbdCdNm": "일반법인",
            "stckIssuRcd": "",
            "stckIssuRcdNm": "",
            "rgtExertRcd": "11",
            "rgtExertRcdNm": "정기주주총회",
            "rgtExertSttgDt": compact(meeting),
            "rgtExertEdDt": compact(meeting),
            "trsnmDptyDcd": agent[0],
            "trsnmDptyDcdNm": agent[1],
            "stckParPrc": str(part.company.par_value),
            "stckStacMd": "1231",
            "nmlsLckSttgDt": f"{part.year + 1}0101",
            "nmlsLckEdDt": f"{part.year + 1}0115",
        }
        return in_order(query, cells)

    return select(query, found, names, make)


HANDLERS: dict[str, Handler] = {
    "getItemBasiInfo_V3": items,
    "getStocIssuStat_V3": items,
    "getDepoAvaiWhet_V2": items,
    "getStocIssuInfo_V3": issue_list,
    "getDiviInfo_V2": dividends,
    "getStocDistInfo_V2": distribution,
    "getLockUpRetuInfo_V3": lock_ups,
    "getRighExerReasSche_V2": schedules,
}
