"""Bonds with their terms: the bonds that the exchange lists, their issuers' register numbers, their payments."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any, Final, NamedTuple

from kopa_hf.sandbox.calendar import add_months, business_day_from, compact, trading_days
from kopa_hf.sandbox.finance.banks import BROKERS
from kopa_hf.sandbox.finance.bonds import Bond, corporate_bonds, government_bonds
from kopa_hf.sandbox.finance.companies import Company, companies
from kopa_hf.sandbox.market.daily import DailyTable, daily, in_order
from kopa_hf.sandbox.market.exchange import changing, exchange
from kopa_hf.sandbox.market.filters import select
from kopa_hf.sandbox.query import Handler, Query, Record, Reply
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World

_UNIT: Final = 10_000_000_000
_STATE: Final = "대한민국"
_GRADES: Final = ("AA-", "A+", "A0", "A-", "BBB+")


class Issue(NamedTuple):
    """A bond with its issuer; the state has no register number."""

    bond: Bond
    company: Company | None

    @property
    def crno(self) -> str:
        """법인등록번호."""
        return self.company.jurir_no if self.company is not None else ""


def issues(world: World) -> tuple[Issue, ...]:
    """Every bond that the exchange lists, newest issues first."""

    def build(w: World) -> tuple[Issue, ...]:
        by_name = {company.name: company for company in companies(w)}
        bonds = [
            *government_bonds(w),
            *corporate_bonds(w, "일반채권시장", 180),
            *corporate_bonds(w, "소액채권시장", 25),
            *corporate_bonds(w, "사회책임투자", 140),
        ]
        bonds.sort(key=lambda bond: (bond.issued_on, bond.isin), reverse=True)
        return tuple(Issue(bond, by_name.get(bond.issuer)) for bond in bonds)

    return world.table("market.bonds", build)


def amount(world: World, bond: Bond) -> int:
    """Face value issued, in won; what the list of responsible bonds prints too."""
    return (1 + mix(world.measure_seed("finance", "sri", bond.isin), 0) % 40) * _UNIT


def _names(issue: Issue) -> dict[str, Any]:
    bond = issue.bond
    state = issue.company is None
    return {
        "crno": issue.crno,
        "isinCd": bond.isin,
        "isinCdNm": bond.name,
        "bondIsurNm": bond.issuer,
        "scrsItmsKcd": "1110" if state else "1161",
        "scrsItmsKcdNm": "국고채" if state else "일반회사채",
        "bondIssuCurCd": "KRW",
        "bondIssuCurCdNm": "원",
        "bondIssuDt": compact(bond.issued_on),
        "bondExprDt": compact(bond.redeemed_on),
        "bondSrfcInrt": f"{bond.coupon / 1000:.3f}",
        "irtChngDcd": "1",
        "irtChngDcdNm": "고정",
        "bondIntTcd": "1",
        "bondIntTcdNm": "이표채",
    }


def _terms(world: World, issue: Issue) -> dict[str, Any]:
    """All columns of the master record."""
    bond, state = issue.bond, issue.company is None
    face = str(amount(world, bond))
    step = 6 if state else 3
    today = trading_days()[-1]
    coupons = coupon_days(bond, step)
    before = [day for day in coupons if day <= today]
    after = [day for day in coupons if day > today]
    grade = _GRADES[bond.coupon // 10 % len(_GRADES)]
    cells = _names(issue) | {
        "sicNm": "" if issue.company is None else f"{issue.company.industry} 관련 업종",
        "grnDcd": "4",
        "grnDcdNm": "무보증",
        "bondRnknDcd": "1",
        "bondRnknDcdNm": "선순위",
        "optnTcd": "0000",
        "optnTcdNm": "해당없음",
        "bondIssuAmt": face,
        "bondPymtAmt": face,
        "bondBal": face if bond.redeemed_on > today else "0",
        "bondOffrMcd": "11" if state else "21",
        "bondOffrMcdNm": "공모(국고채 입찰)" if state else "공모(일반)",
        "lstgDt": compact(bond.issued_on),
        "txtnDcd": "1",
        "txtnDcdNm": "과세",
        "pamtRdptMcd": "11",
        "pamtRdptMcdNm": "만기상환",
        "stripsPsblYn": "Y" if state and bond.years >= 10 else "N",
        "prisLnkgBondYn": "N",
        "piamPayInstNm": "가온은행" if state else f"{BROKERS[bond.coupon % len(BROKERS)]}",
        "bondUndtInstNm": "" if state else BROKERS[bond.coupon // 10 % len(BROKERS)],
        "cpbdMngCmpyNm": "" if state else BROKERS[bond.coupon // 20 % len(BROKERS)],
        "crfndYn": "N",
        "prmncBondYn": "N",
        "qibTrgtScrtYn": "N",
        "intCmpuMcd": "1",
        "intCmpuMcdNm": "단리",
        "intPayCyclCtt": f"{step}개월",
        "nxtmCopnDt": compact(after[0]) if after else "",
        "rbfCopnDt": compact(before[-1]) if before else "",
        "intPayMmntDcd": "2",
        "intPayMmntDcdNm": "후급",
        "elpsIntPayYn": "Y",
    }
    if not state:
        cells |= {"kisScrsItmsKcdNm": grade, "niceScrsItmsKcdNm": grade}
    return cells


def bonds(world: World, query: Query) -> Reply:
    """채권기본정보, 발행자별 발행종목: the state of every bond on the day asked, today's without one."""
    day = query.get("basDt") or compact(trading_days()[-1])
    alive = [i for i in issues(world) if compact(i.bond.issued_on) <= day < compact(i.bond.redeemed_on)]
    return select(
        query,
        alive,
        lambda issue: {"basDt": day, **_names(issue)},
        lambda issue: in_order(query, {"basDt": day, "bondIssuFrmtNm": "공모", **_terms(world, issue)}),
    )


def coupon_days(bond: Bond, months: int) -> list[datetime.date]:
    """Days on which interest falls due, the last one at maturity."""
    return [add_months(bond.issued_on, step) for step in range(months, 12 * bond.years + 1, months)]


class Payment(NamedTuple):
    """Interest or principal of a bond on a day."""

    issue: Issue
    day: datetime.date
    principal: bool


def payments(world: World) -> tuple[Payment, ...]:
    """All payments, by day: coupons, and the principal at maturity."""

    def build(w: World) -> tuple[Payment, ...]:
        found = []
        for issue in issues(w):
            step = 6 if issue.company is None else 3
            found += [Payment(issue, day, principal=False) for day in coupon_days(issue.bond, step)]
            found.append(Payment(issue, issue.bond.redeemed_on, principal=True))
        return tuple(sorted(found, key=lambda p: (p.day, p.issue.bond.isin, p.principal)))

    return world.table("market.payments", build)


def _payment_names(payment: Payment) -> dict[str, Any]:
    kind = ("02", "원금") if payment.principal else ("01", "이자")
    return _names(payment.issue) | {"piamPayDt": compact(payment.day), "piamDcd": kind[0], "piamDcdNm": kind[1]}


def payment_list(world: World, query: Query) -> Reply:
    """채권원리금: interest is the face value times the coupon for the part of the year."""

    def make(payment: Payment) -> Record:
        bond = payment.issue.bond
        face = amount(world, bond)
        yearly = 2 if payment.issue.company is None else 4
        cells = _payment_names(payment) | {
            "hldyAplPiamPayDt": compact(business_day_from(payment.day)),
            "pamtPayAmt": str(face if payment.principal else 0),
            "intPayAmt": "0" if payment.principal else str(face * bond.coupon // 100_000 // yearly),
            "ttwBasInt": "0" if payment.principal else f"{bond.coupon / 1000 / yearly:.6f}",
            "rmanDpsgCnt": str(face // 10_000),
        }
        return in_order(query, cells)

    return select(query, _of_issuer(world, query), _payment_names, make)


def _of_issuer(world: World, query: Query) -> tuple[Payment, ...]:
    """All payments, or those of the register number asked for."""
    number = query.get("crno")
    return tuple(p for p in payments(world) if p.issue.crno == number) if number else payments(world)


def schedule(world: World, query: Query) -> Reply:
    """채권권리일정: the same payments as a calendar of one issuer's bonds."""

    def names(payment: Payment) -> dict[str, Any]:
        kind = ("40", "원금상환") if payment.principal else ("20", "이자지급")
        cells = {"basDt": compact(payment.day), "scrsScedDcd": kind[0], "scrsScedDcdNm": kind[1]}
        return _names(payment.issue) | cells

    def make(payment: Payment) -> Record:
        face = str(amount(world, payment.issue.bond))
        return in_order(query, names(payment) | {"bondIssuFrmtNm": "공모", "bondIssuAmt": face})

    return select(query, _of_issuer(world, query), names, make)


# responsible bonds and retail yields by day


def _responsible_names(record: Record) -> dict[str, Any]:
    return {
        "issuInstNm": record["ISUR_NM"],
        "bondStdCd": record["ISU_CD"],
        "bondKindNm": record["BND_TP_NM"],
        "itmsNm": record["ISU_NM"],
        "lstgDt": record["LIST_DD"],
        "issuDt": record["ISU_DD"],
        "rdptDt": record["REDMPT_DD"],
        "bondPtrnNm": record["SRI_BND_TP_NM"],
    }


_RESPONSIBLE: Final = {"srfcIrt": "ISU_RT", "issuAmt": "ISU_AMT", "lstgBal": "LIST_AMT"}
_RETAIL: Final = (("국고채", "AAA"), ("회사채", "AA-"), ("회사채", "A0"), ("회사채", "BBB+"))


def _retail(world: World, item: tuple[str, str], position: int) -> dict[str, Any]:
    market = float(exchange(world, "bon_dd_trd", position).slice(0, 1)[0]["BND_IDX_AVG_YD"])
    spread = {"AAA": 0.0, "AA-": 0.62, "A0": 1.15, "BBB+": 4.9}[item[1]]
    return {"bnfRt": f"{market + spread:.3f}"}


HANDLERS: dict[str, Handler] = {
    "getBondBasiInfo_V2": bonds,
    "getIssuIssuItemStat_V2": bonds,
    "getBondPrinAndInte_V2": payment_list,
    "getBondRighExerSche_V2": schedule,
    "getSocialBondStatus": daily(replace(changing(("sri_bond_info",), _responsible_names, _RESPONSIBLE), day="trDt")),
    "getBondSecurityBenefitRate": daily(
        DailyTable(lambda *_: _RETAIL, lambda item: {"ctg": item[0], "crdtSc": item[1]}, _retail)
    ),
}
