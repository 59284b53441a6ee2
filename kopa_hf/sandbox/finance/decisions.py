"""Terms of material events (DS005) beside bonds: capital measures, treasury shares, acquisitions, mergers, troubles."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, Final

from kopa_hf.sandbox.calendar import add_months, business_day_from, hangul
from kopa_hf.sandbox.finance.accounts import books
from kopa_hf.sandbox.finance.banks import AUDITORS, BANKS, COURTS, broker
from kopa_hf.sandbox.finance.bonds_to_shares import convertible, exchangeable, purposes, with_warrant
from kopa_hf.sandbox.finance.companies import Company, companies
from kopa_hf.sandbox.finance.events import Event, events_of
from kopa_hf.sandbox.finance.filings import receipt_of
from kopa_hf.sandbox.finance.forms import NOTHING, asked_company, asked_window, commas, head, in_order, percent
from kopa_hf.sandbox.finance.holdings import treasury_shares
from kopa_hf.sandbox.finance.meetings import board
from kopa_hf.sandbox.finance.prices import price_on, shares, tick
from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Reply, Rows
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World

Terms = Callable[[World, Event], dict[str, Any]]

_HUNDRED: Final = 100


def _streams(world: World, event: Event) -> tuple[Stream, Stream]:
    """(identity, measure) of an event's terms."""
    key = ("finance", event.operation, "terms", event.company.index, event.number)
    return world.identity(*key), world.measure(*key)


def _later(day: datetime.date, days: int) -> datetime.date:
    return business_day_from(day + datetime.timedelta(days=days))


def paid_in_increase(world: World, event: Event) -> dict[str, Any]:
    """유상증자: the proceeds are new shares times a discounted price, and all uses add up to them."""
    identity, measure = _streams(world, event)
    issued = shares(world, event.company)
    new = max(issued * measure.between(3, 28) // 100 // _HUNDRED * _HUNDRED, 10_000)
    price = max(tick(price_on(world, event.company, event.decided_on) * 0.9), event.company.par_value)
    return {
        "nstk_ostk_cnt": commas(new),
        "fv_ps": commas(event.company.par_value),
        "bfic_tisstk_ostk": commas(issued),
        **purposes(identity, new * price),
        "ic_mthn": identity.choice(
            ("제3자배정증자", "제3자배정증자", "주주배정증자", "주주배정후 실권주 일반공모", "일반공모증자")
        ),
        "ssl_at": "아니오",
    }


def bonus_issue(world: World, event: Event) -> dict[str, Any]:
    """무상증자: new shares are the ratio times shares outstanding, treasury shares aside."""
    identity, measure = _streams(world, event)
    issued = shares(world, event.company)
    outstanding = issued - treasury_shares(world, event.company, event.decided_on.year)
    ratio = measure.choice((10, 20, 30, 50, 100, 200))
    based = _later(event.decided_on, identity.between(12, 25))
    return {
        "nstk_ostk_cnt": commas(outstanding * ratio // 100),
        "fv_ps": commas(event.company.par_value),
        "bfic_tisstk_ostk": commas(issued),
        "nstk_asstd": hangul(based),
        "nstk_ascnt_ps_ostk": f"{ratio / 100:.1f}",
        "nstk_dividrk": hangul(datetime.date(event.decided_on.year, 1, 1)),
        "nstk_dlprd": NOTHING,
        "nstk_lstprd": hangul(_later(based, identity.between(18, 28))),
        **board(identity, event.decided_on),
    }


def capital_reduction(world: World, event: Event) -> dict[str, Any]:
    """감자: capital and shares shrink by the same ratio."""
    identity, measure = _streams(world, event)
    issued, par = shares(world, event.company), event.company.par_value
    percents = measure.choice((50, 66, 75, 80, 90))
    gone = issued * percents // 100
    meeting = _later(event.decided_on, identity.between(35, 50))
    return {
        "crstk_ostk_cnt": commas(gone),
        "fv_ps": commas(par),
        "bfcr_cpt": commas(issued * par),
        "atcr_cpt": commas((issued - gone) * par),
        "bfcr_tisstk_ostk": commas(issued),
        "atcr_tisstk_ostk": commas(issued - gone),
        "cr_rt_ostk": percent(gone, issued),
        "cr_std": hangul(_later(meeting, 20)),
        "cr_mth": "무상감자(주식병합)",
        "cr_rs": "결손금 보전 및 재무구조 개선",
        "crsc_gmtsck_prd": hangul(meeting),
        "cdobprpd_bgd": hangul(meeting),
        "cdobprpd_edd": hangul(add_months(meeting, 1)),
        **board(identity, event.decided_on),
        "ftc_stt_atn": "미해당",
    }


def treasury_acquisition(world: World, event: Event) -> dict[str, Any]:
    """자기주식 취득: planned shares times the day's price."""
    identity, measure = _streams(world, event)
    issued = shares(world, event.company)
    planned = max(issued * measure.between(3, 30) // 1_000 // 10 * 10, 1_000)
    start = _later(event.decided_on, 1)
    held = treasury_shares(world, event.company, event.decided_on.year - 1)
    return {
        "aqpln_stk_ostk": commas(planned),
        "aqpln_prc_ostk": commas(planned * price_on(world, event.company, event.decided_on)),
        "aqexpd_bgd": hangul(start),
        "aqexpd_edd": hangul(add_months(start, 3)),
        "aq_pp": identity.choice(("주가안정 및 주주가치 제고", "임직원 성과보상", "주주환원(소각 예정)")),
        "aq_mth": "유가증권시장을 통한 장내 직접취득"
        if event.company.corp_cls == "Y"
        else "코스닥시장을 통한 장내 직접취득",
        "cs_iv_bk": broker(identity),
        "aq_wtn_div_ostk": commas(held),
        "aq_wtn_div_ostk_rt": percent(held, issued),
        **board(identity, event.decided_on, "aq_dd"),
        "d1_prodlm_ostk": commas(max(planned // 10, 1)),
    }


def treasury_disposal(world: World, event: Event) -> dict[str, Any]:
    """자기주식 처분: never more than the company holds."""
    identity, measure = _streams(world, event)
    held = treasury_shares(world, event.company, event.decided_on.year - 1)
    planned = max(held * measure.between(5, 60) // 100, 1)
    price = price_on(world, event.company, event.decided_on)
    start = _later(event.decided_on, 1)
    inside = identity.chance(0.3)
    return {
        "dppln_stk_ostk": commas(planned),
        "dpstk_prc_ostk": commas(price),
        "dppln_prc_ostk": commas(planned * price),
        "dpprpd_bgd": hangul(start),
        "dpprpd_edd": hangul(_later(start, identity.between(5, 60))),
        "dp_pp": identity.choice(("임직원 상여금 지급", "주식매수선택권 행사", "교환사채 발행", "유통주식수 확대")),
        "dp_m_mkt": commas(planned) if inside else NOTHING,
        "dp_m_otc": NOTHING if inside else commas(planned),
        "cs_iv_bk": broker(identity),
        "aq_wtn_div_ostk": commas(held),
        "aq_wtn_div_ostk_rt": percent(held, shares(world, event.company)),
        **board(identity, event.decided_on, "dp_dd"),
    }


def _other_company(world: World, identity: Stream, own: Company) -> Company:
    pool = companies(world)
    found = pool[identity.below(len(pool))]
    return found if found.index != own.index else pool[(own.index + 1) % len(pool)]


def stake_purchase(world: World, event: Event) -> dict[str, Any]:
    """타법인 주식 양수: price against the buyer's own assets and equity."""
    identity, measure = _streams(world, event)
    target = _other_company(world, identity, event.company)
    own = books(world, event.company, event.decided_on.year - 1, 12, event.company.consolidated)
    assert own is not None  # events begin in 2023, books in 2019
    total = shares(world, target)
    bought = total * measure.between(8, 70) // 100
    price = max(own.assets * measure.between(2, 18) // 100 // 1_000_000 * 1_000_000, 100_000_000)
    return {
        "iscmp_cmpnm": target.name,
        "iscmp_nt": "대한민국",
        "iscmp_rp": target.ceo.split(",")[0],
        "iscmp_cpt": commas(total * target.par_value),
        "iscmp_rl_cmpn": identity.choice(("-", "계열회사", "종속회사")),
        "iscmp_tisstk": commas(total),
        "iscmp_mbsn": f"{target.industry} 관련 사업",
        "l6m_tpa_nstkaq_atn": "아니오",
        "inhdtl_stkcnt": commas(bought),
        "inhdtl_inhprc": commas(price),
        "inhdtl_tast": commas(own.assets),
        "inhdtl_tast_vs": percent(price, own.assets),
        "inhdtl_ecpt": commas(own.equity),
        "inhdtl_ecpt_vs": percent(price, own.equity),
        "atinh_owstkcnt": commas(bought),
        "atinh_eqrt": percent(bought, total),
        "inh_pp": identity.choice(("사업 다각화", "경영권 확보를 통한 시너지 창출", "신규 사업 진출")),
        "inh_prd": hangul(_later(event.decided_on, identity.between(10, 80))),
        "dlptn_cmpnm": person_name(identity),
        "dl_pym": "현금 지급",
        "exevl_atn": "예",
        "exevl_intn": identity.choice(AUDITORS),
        **board(identity, event.decided_on),
        "bdlst_atn": "아니오",
        "n6m_tpai_plann": "아니오",
        "ftc_stt_atn": "미해당",
        "popt_ctr_atn": "아니오",
    }


def merger(world: World, event: Event) -> dict[str, Any]:
    """회사합병: the other company's latest books, and a schedule in order."""
    identity, measure = _streams(world, event)
    other = _other_company(world, identity, event.company)
    year = event.decided_on.year - 1
    theirs = books(world, other, year, 12, consolidated=False)
    assert theirs is not None  # events begin in 2023, books in 2019
    small = identity.chance(0.7)
    ratio = 0.0 if small else measure.between(100, 9_000) / 10_000
    contract = _later(event.decided_on, 1)
    meeting = _later(contract, identity.between(30, 45))
    effective = _later(add_months(meeting, 1), identity.between(3, 10))
    return {
        "mg_mth": f"흡수합병(존속회사: {event.company.legal_name}, 소멸회사: {other.legal_name})",
        "mg_stn": "소규모합병" if small else "해당사항없음",
        "mg_pp": "경영 효율성 제고",
        "mg_rt": f"{event.company.name} : {other.name} = 1.0000000 : {ratio:.7f}",
        "exevl_atn": "미해당" if small else "예",
        "exevl_intn": NOTHING if small else identity.choice(AUDITORS),
        "mgnstk_ostk_cnt": NOTHING if small else commas(int(shares(world, other) * ratio)),
        "mgptncmp_cmpnm": other.name,
        "mgptncmp_mbsn": f"{other.industry} 관련 사업",
        "mgptncmp_rl_cmpn": "자회사" if small else "계열회사",
        "rbsnfdtl_tast": commas(theirs.assets),
        "rbsnfdtl_tdbt": commas(theirs.liabilities),
        "rbsnfdtl_teqt": commas(theirs.equity),
        "rbsnfdtl_cpt": commas(theirs.capital),
        "rbsnfdtl_sl": commas(theirs.revenue),
        "rbsnfdtl_nic": commas(theirs.net_income),
        "eadtat_intn": identity.choice(AUDITORS),
        "eadtat_op": "적정",
        "mgsc_mgctrd": hangul(contract),
        "mgsc_shddstd": hangul(_later(contract, 14)),
        "mgsc_gmtsck_prd": NOTHING if small else hangul(meeting),
        "mgsc_cdobprpd_bgd": hangul(meeting),
        "mgsc_cdobprpd_edd": hangul(add_months(meeting, 1)),
        "mgsc_mgdt": hangul(effective),
        "mgsc_mgrgsprd": hangul(_later(effective, 3)),
        "bdlst_atn": "해당사항없음",
        **board(identity, event.decided_on),
        "popt_ctr_atn": "아니오",
        "rs_sm_atn": "아니오" if small else "예",
    }


def business_suspension(world: World, event: Event) -> dict[str, Any]:
    """영업정지: the stopped part of the last year's revenue."""
    identity, measure = _streams(world, event)
    last = books(world, event.company, event.decided_on.year - 1, 12, event.company.consolidated)
    assert last is not None  # events begin in 2023, books in 2019
    stopped = last.revenue * measure.between(3, 60) // 100
    return {
        "bsnsp_rm": f"{event.company.industry} 부문 일부",
        "bsnsp_amt": commas(stopped),
        "rsl": commas(last.revenue),
        "sl_vs": percent(stopped, last.revenue),
        "ls_atn": "미해당",
        "krx_stt_atn": "해당",
        "bsnsp_cn": f"{event.company.industry} 생산라인 가동 중단",
        "bsnsp_rs": identity.choice(("시장 수요 감소에 따른 사업 재편", "설비 사고에 따른 행정처분", "수익성 악화")),
        "ft_ctp": "잔여 사업부문에 역량 집중",
        "bsnsp_af": "매출 감소가 예상되나 손익 개선 기대",
        "bsnspd": hangul(_later(event.decided_on, identity.between(1, 30))),
        **board(identity, event.decided_on),
    }


def default_of_notes(world: World, event: Event) -> dict[str, Any]:
    """부도발생."""
    identity, measure = _streams(world, event)
    return {
        "df_cn": "만기 도래 약속어음 미결제",
        "df_amt": commas(measure.octave(30_000_000, 9_000_000_000)),
        "df_bnk": f"{identity.choice(BANKS)} {identity.choice(('본점', '강남지점', '구미지점'))}",
        "dfd": NOTHING,
        "df_rs": "예금부족",
    }


def lawsuit(world: World, event: Event) -> dict[str, Any]:
    """소송 등의 제기."""
    identity, measure = _streams(world, event)
    filed = event.decided_on - datetime.timedelta(days=identity.between(1, 9))
    return {
        "icnm": identity.choice(
            ("손해배상", "신주발행금지 가처분", "주주총회결의 취소", "전환사채발행무효", "회계장부 열람 가처분")
        ),
        "ac_ap": person_name(identity),
        "rq_cn": f"청구금액 {commas(measure.octave(50_000_000, 30_000_000_000))}원",
        "cpct": identity.choice(COURTS),
        "ft_ctp": "소송대리인을 선임하여 법적 절차에 따라 대응할 예정",
        "lgd": hangul(filed),
        "cfd": hangul(event.decided_on),
    }


TERMS: Final[dict[str, Terms]] = {
    "cvbdIsDecsn": convertible,
    "bdwtIsDecsn": with_warrant,
    "exbdIsDecsn": exchangeable,
    "piicDecsn": paid_in_increase,
    "fricDecsn": bonus_issue,
    "crDecsn": capital_reduction,
    "tsstkAqDecsn": treasury_acquisition,
    "tsstkDpDecsn": treasury_disposal,
    "otcprStkInvscrInhDecsn": stake_purchase,
    "cmpMgDecsn": merger,
    "bsnSp": business_suspension,
    "dfOcr": default_of_notes,
    "lwstLg": lawsuit,
}


def decisions(world: World, query: Query) -> Reply:
    """A company's events of one kind that were first filed in the window."""
    first, last = asked_window(query)
    company = asked_company(world, query)
    if company is None:
        return NO_ROWS
    terms = TERMS[query.operation]
    found = []
    for event in events_of(world, company):
        if event.operation == query.operation and first <= event.decided_on <= last:
            receipt = receipt_of(world, company, (event.operation, event.number, ""))
            if receipt is not None:
                found.append(in_order(query.tool, {**head(company, receipt), **terms(world, event)}))
    return Rows.of(found)


HANDLERS: dict[str, Handler] = dict.fromkeys(TERMS, decisions)
