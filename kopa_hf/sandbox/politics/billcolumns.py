"""What the columns of bill operations hold."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, Final

from kopa_hf.sandbox.politics.bill import LAW, Bill, Stage
from kopa_hf.sandbox.politics.bills import partners
from kopa_hf.sandbox.politics.listing import Columns, alike, spelled
from kopa_hf.sandbox.politics.meetings import Meeting
from kopa_hf.sandbox.politics.terms import eraco, session_on
from kopa_hf.sandbox.politics.votes import tally
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World

BILL_SITE: Final = "https://likms.sandbox.invalid/bill/billDetail.do?billId="
NOTICE_DAYS: Final = 14
"""How long a bill is open to opinions after its referral."""
_REASONS: Final = (
    "현행 제도의 미비점을 보완", "국민의 부담을 완화", "행정 절차를 간소화", "안전 기준을 강화", "지원 대상을 확대", "관리 체계를 정비",
)  # fmt: skip
_MEANS: Final = (
    "실태조사를 3년마다 실시하도록", "지원센터를 설치할 수 있도록", "과태료 부과 기준을 정하도록", "위원회를 두도록", "공개 대상을 넓히도록",
)  # fmt: skip


def day_of(meeting: Meeting | None) -> str | None:
    """A meeting's day."""
    return meeting.day.isoformat() if meeting else None


def notice_end(bill: Bill) -> datetime.date | None:
    """Last day of the legislative notice; only law bills of members and committees' referrals have one."""
    if bill.referred is None or bill.sort != LAW:
        return None
    return bill.referred + datetime.timedelta(days=NOTICE_DAYS)


def summary(bill: Bill) -> str:
    """Reason and main contents."""
    reason = _REASONS[bill.seed % len(_REASONS)]
    means = _MEANS[mix(bill.seed, 5) % len(_MEANS)]
    article = mix(bill.seed, 6) % 90 + 3
    return f"제안이유 및 주요내용\r\n\r\n{bill.law}의 규정을 고쳐 {reason}하고, {means} 하려는 것임(안 제{article}조 신설)."


def _stage(pick: Callable[[Bill], Stage], part: str) -> Callable[[World, Bill], Any]:
    if part == "result":
        return lambda world, bill: pick(bill).result
    return lambda world, bill: day_of(getattr(pick(bill), part))


def _lead(attribute: str) -> Callable[[World, Bill], Any]:
    return lambda world, bill: getattr(bill.lead, attribute) if bill.lead else None


def _partners(attribute: str) -> Callable[[World, Bill], Any]:
    def column(world: World, bill: Bill) -> str | None:
        if bill.lead is None:
            return None
        kept: dict[str, str] = world.table(f"politics.partners.{attribute}", lambda _: {})
        text = kept.get(bill.id)
        if text is None:
            text = kept[bill.id] = ",".join(getattr(member, attribute) for member in partners(world, bill))
        return text

    return column


def _link(world: World, bill: Bill) -> str:
    return BILL_SITE + bill.id


def _review(bill: Bill) -> Stage:
    return bill.review


def _law(bill: Bill) -> Stage:
    return bill.law_review


def _budget(bill: Bill) -> Stage:
    return bill.budget


BILL: Final[Columns] = {
    "BILL_ID": lambda w, b: b.id,
    "BILL_NO": lambda w, b: b.number,
    "AGE": lambda w, b: str(b.term),
    "ERACO": lambda w, b: eraco(b.term),
    "LAW_TITLE": lambda w, b: b.law,
    **alike("BILL_NAME BILL_NM", lambda w, b: b.name),
    **alike("BILL_KIND BILL_KND BILL_KIND_CD", lambda w, b: b.sort),
    **alike("PROPOSER PPSR PPSR_NM PPSR_CN", lambda w, b: b.proposer),
    **alike("PROPOSER_KIND PROPOSER_KIND_CD PPSR_KIND PPSR_KND PPSR_KIND_NM", lambda w, b: b.kind),
    **alike("PROPOSE_DT PPSL_DT", lambda w, b: b.proposed.isoformat()),
    "PPSL_SESS": lambda w, b: session_on(w, b.proposed).label,
    **alike("CURR_COMMITTEE_ID COMMITTEE_ID", lambda w, b: b.committee_code),
    **alike("CURR_COMMITTEE COMMITTEE JRCMIT_NM COMMITTEE_NM CMIT_NM", lambda w, b: b.committee_name),
    **alike("COMMITTEE_DT JRCMIT_CMMT_DT COMMITTEE_SUBMIT_DT SUBMIT_DT", lambda w, b: spelled(b.referred)),
    **alike("CMT_PRESENT_DT JRCMIT_PRSNT_DT COMMITTEE_PRESENT_DT PRESENT_DT", _stage(_review, "presented")),
    **alike("CMT_PROC_DT JRCMIT_PROC_DT COMMITTEE_PROC_DT", _stage(_review, "done")),
    **alike("CMT_PROC_RESULT_CD JRCMIT_PROC_RSLT COMMITTEE_RESULT", _stage(_review, "result")),
    **alike("LAW_SUBMIT_DT LAW_CMMT_DT", lambda w, b: spelled(b.law_referred)),
    **alike("LAW_PRESENT_DT LAW_PRSNT_DT", _stage(_law, "presented")),
    "LAW_PROC_DT": _stage(_law, "done"),
    **alike("LAW_PROC_RESULT_CD LAW_PROC_RSLT", _stage(_law, "result")),
    **alike("BDG_SUBMIT_DT BDG_CMMT_DT", lambda w, b: spelled(b.budget_referred)),
    **alike("BDG_PRESENT_DT BDG_PRSNT_DT", _stage(_budget, "presented")),
    **alike("BDG_PROC_DT BDG_RSLN_DT", _stage(_budget, "done")),
    "BDG_PROC_RSLT": _stage(_budget, "result"),
    "BDG_CMIT_NM": lambda w, b: b.committee_name if b.budget_referred else None,
    **alike("RGS_PRSNT_DT RGS_PRESENT_DT RGS_RSLN_DT RGS_PROC_DT MSESS_RSLN_DT", lambda w, b: day_of(b.plenary)),
    "PROC_DT": lambda w, b: spelled(b.closed),
    "RGS_CONF_NM": lambda w, b: b.plenary.title if b.plenary else None,
    "RGS_CONF_RSLT": lambda w, b: b.result if b.plenary else None,
    **alike("PROC_RESULT_CD PROC_RESULT PROC_RSLT", lambda w, b: b.result),
    **alike("GVRN_TRSF_DT CURR_TRANS_DT", lambda w, b: spelled(b.sent)),
    **alike("PROM_DT ANNOUNCE_DT", lambda w, b: spelled(b.promulgated)),
    "PROM_NO": lambda w, b: b.promulgation,
    "PROM_LAW_NM": lambda w, b: b.law if b.promulgated else None,
    **alike("LINK_URL DETAIL_LINK URL BILL_URL BILL_NAME_URL MEMBER_LIST", _link),
    "RST_PROPOSER": _lead("name"),
    "RST_MONA_CD": _lead("code"),
    "PUBL_PROPOSER": _partners("name"),
    "PUBL_MONA_CD": _partners("code"),
    "NOTI_ED_DT": lambda w, b: spelled(notice_end(b)),
    "SUMMARY": lambda w, b: summary(b),
    "MEMBER_TCNT": lambda w, b: tally(w, b).members,
    "VOTE_TCNT": lambda w, b: tally(w, b).votes,
    "YES_TCNT": lambda w, b: tally(w, b).yes,
    "NO_TCNT": lambda w, b: tally(w, b).no,
    "BLANK_TCNT": lambda w, b: tally(w, b).blank,
    "BILL_ID_REF": lambda w, b: b.alternative.id if b.alternative else None,
}
"""Column → value. Dates are null where a stage was not reached."""

REVIEWED: Final[Columns] = {**BILL, "BDG_CMMT_DT": BILL["COMMITTEE_DT"]}
"""BILLJUDGE calls the referral to the standing committee BDG_CMMT_DT."""

ALTERNATIVE: Final[Columns] = {
    **BILL,
    "COMMITTEE_RESULT": lambda w, b: "원안가결" if b.origin else None,
    "COMMITTEE_PROC_DT": lambda w, b: day_of(b.origin),
}
"""Committees' own bills are never referred; what counts is the meeting that adopted them."""
