"""Terms of convertible, warrant and exchangeable bonds.

The conversion price stands near the share's price on the day of the decision, the
refixing floor is 70% of it (or the par value), the request period opens a year after
payment and closes a month before maturity, and the shares are the amount divided by the price.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.calendar import add_months, business_day_from, hangul
from kopa_hf.sandbox.finance.banks import broker
from kopa_hf.sandbox.finance.events import Event
from kopa_hf.sandbox.finance.forms import NOTHING, commas, dash_if_zero, percent
from kopa_hf.sandbox.finance.meetings import board
from kopa_hf.sandbox.finance.prices import price_on, shares, tick
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World

_PURPOSES: Final = ("fdpp_fclt", "fdpp_bsninh", "fdpp_op", "fdpp_dtrp", "fdpp_ocsa", "fdpp_etc")
_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class BondTerms:
    """What the three kinds of bonds share."""

    series: int
    amount: int
    """Face value in won, full hundreds of millions."""
    coupon: float
    yield_to_maturity: float
    price: int
    """Conversion, exercise or exchange price in won a share."""
    floor: int
    """Lowest price after refixing; below `price`."""
    shares: int
    paid_on: datetime.date
    matures_on: datetime.date
    requests_from: datetime.date
    requests_to: datetime.date


def bond_terms(world: World, event: Event) -> BondTerms:
    """Dates and series are the event's identity; amount, rates and prices are measures."""
    identity = world.identity("finance", event.operation, "terms", event.company.index, event.number)
    measure = world.measure("finance", event.operation, "terms", event.company.index, event.number)
    paid = business_day_from(event.decided_on + datetime.timedelta(days=identity.between(7, 45)))
    years = identity.weighted(((3, 6), (5, 3), (4, 1), (2, 1)))
    matures = add_months(paid, 12 * years)
    # the reference price of such bonds lies a little above or below the day's close
    price = max(tick(price_on(world, event.company, event.decided_on) * (0.97 + measure.unit() * 0.12)), 500)
    floor = max(-(-price * 7 // 10), min(event.company.par_value, price - 1))
    worth = price * shares(world, event.company)
    amount = min(max(round(worth * (0.02 + measure.unit() * 0.10) / (100 * _MILLION)), 5), 3_000) * 100 * _MILLION
    coupon = measure.choice((0.0, 0.0, 0.0, 1.0, 2.0))
    return BondTerms(
        series=identity.between(1, 9) * 2 + event.number,
        amount=amount,
        coupon=coupon,
        yield_to_maturity=coupon + measure.choice((0.0, 1.0, 2.0, 3.0, 4.0)),
        price=price,
        floor=floor,
        shares=amount // price,
        paid_on=paid,
        matures_on=matures,
        requests_from=add_months(paid, 12),
        requests_to=add_months(matures, -1),
    )


def purposes(stream: Stream, amount: int) -> dict[str, str]:
    """The amount split over one or two uses; all six add up to it."""
    first, second = stream.sample(("fdpp_op", "fdpp_fclt", "fdpp_dtrp", "fdpp_ocsa"), 2)
    tenths = stream.choice((10, 10, 7, 6, 5))
    part = amount if tenths == 10 else amount * tenths // 10 // _MILLION * _MILLION
    split = dict.fromkeys(_PURPOSES, 0) | {first: part, second: amount - part}
    return {name: dash_if_zero(split[name]) for name in _PURPOSES}


def _common(world: World, event: Event, terms: BondTerms, kind: str) -> dict[str, Any]:
    identity = world.identity("finance", event.operation, "wording", event.company.index, event.number)
    private = identity.chance(0.9)
    overseas = ("ovis_fta", "ovis_fta_crn", "ovis_ster", "ovis_isar", "ovis_mktnm", "ovis_ltdtl")
    return {
        **dict.fromkeys(overseas, NOTHING),
        "bd_tm": str(terms.series),
        "bd_knd": f"무기명식 이권부 무보증 사모 {kind}" if private else f"무기명식 이권부 무보증 공모 {kind}",
        "bd_fta": commas(terms.amount),
        **purposes(identity, terms.amount),
        "bd_intr_ex": f"{terms.coupon:.1f}",
        "bd_intr_sf": f"{terms.yield_to_maturity:.1f}",
        "bd_mtd": hangul(terms.matures_on),
        "bdis_mthn": "사모" if private else "공모",
        "sbd": hangul(terms.paid_on if private else terms.paid_on - datetime.timedelta(days=2)),
        "pymd": hangul(terms.paid_on),
        "rpmcmp": NOTHING if private else broker(identity),
        "grint": NOTHING,
        **board(identity, event.decided_on),
        "rs_sm_atn": "아니오" if private else "예",
        "ex_sm_r": "사모발행(1년간 전환 및 분할 금지)" if private else NOTHING,
        "ftc_stt_atn": "미해당",
    }


def _refixing(terms: BondTerms, event: Event) -> dict[str, str]:
    return {
        "act_mktprcfl_cvprc_lwtrsprc": commas(terms.floor),
        "act_mktprcfl_cvprc_lwtrsprc_bs": "증권의 발행 및 공시 등에 관한 규정에 따라 발행 당시 가액의 70% 이상",
        "rmislmt_lt70p": NOTHING,
        "abmg": NOTHING,
        "atcsc_rmislmt": commas(terms.amount * (2 + event.number)),
    }


def convertible(world: World, event: Event) -> dict[str, Any]:
    """전환사채."""
    terms = bond_terms(world, event)
    issued = shares(world, event.company)
    return {
        **_common(world, event, terms, "전환사채"),
        **_refixing(terms, event),
        "cv_rt": "100",
        "cv_prc": commas(terms.price),
        "cvisstk_knd": f"{event.company.name} 기명식 보통주",
        "cvisstk_cnt": commas(terms.shares),
        "cvisstk_tisstk_vs": percent(terms.shares, issued + terms.shares),
        "cvrqpd_bgd": hangul(terms.requests_from),
        "cvrqpd_edd": hangul(terms.requests_to),
    }


def with_warrant(world: World, event: Event) -> dict[str, Any]:
    """신주인수권부사채."""
    terms = bond_terms(world, event)
    issued = shares(world, event.company)
    detachable = world.identity("finance", "warrant", event.company.index, event.number).chance(0.3)
    return {
        **_common(world, event, terms, "신주인수권부사채"),
        **_refixing(terms, event),
        "ex_rt": "100",
        "ex_prc": commas(terms.price),
        "ex_prc_dmth": "이사회 결의일 전일을 기산일로 하여 산정한 가중산술평균주가",
        "bdwt_div_atn": "분리" if detachable else "비분리",
        "nstk_pym_mth": "현금납입 및 사채대용납입",
        "nstk_isstk_knd": f"{event.company.name} 기명식 보통주",
        "nstk_isstk_cnt": commas(terms.shares),
        "nstk_isstk_tisstk_vs": percent(terms.shares, issued + terms.shares),
        "expd_bgd": hangul(terms.requests_from),
        "expd_edd": hangul(terms.requests_to),
    }


def exchangeable(world: World, event: Event) -> dict[str, Any]:
    """교환사채: into treasury shares that exist, so their share of the total has no addend."""
    terms = bond_terms(world, event)
    issued = shares(world, event.company)
    return {
        **_common(world, event, terms, "교환사채"),
        "ex_rt": "100",
        "ex_prc": commas(terms.price),
        "ex_prc_dmth": "기준주가의 110%에 해당하는 금액을 원단위로 절상",
        "extg": f"{event.company.name} 기명식 보통주(자기주식)",
        "extg_stkcnt": commas(terms.shares),
        "extg_tisstk_vs": percent(terms.shares, issued),
        "exrqpd_bgd": hangul(terms.requests_from),
        "exrqpd_edd": hangul(terms.requests_to),
    }
