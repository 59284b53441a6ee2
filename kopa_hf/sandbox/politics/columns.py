"""What the columns of the Assembly's operations hold: one table per entity, keyed by column name.

The same thing goes by many names (BILL_NAME, BILL_NM), so a record is made by looking
each of an operation's columns up here.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, Final

from kopa_hf.sandbox.politics.bills import LAW, Bill
from kopa_hf.sandbox.politics.meetings import Meeting, session_number
from kopa_hf.sandbox.politics.members import Member
from kopa_hf.sandbox.politics.votes import tally
from kopa_hf.sandbox.world import World

BillColumn = Callable[[World, Bill], Any]
MemberColumn = Callable[[World, Member], Any]

BILL_SITE: Final = "https://bill.sandbox.invalid/detail?id="


def eraco(term: int) -> str:
    """제22대: how ERACO columns spell a term. AGE columns have 22, UNIT_CD columns 100022."""
    return f"제{term}대"


def spelled(day: datetime.date | None) -> str | None:
    """A date as this service writes it; null where there is none."""
    return None if day is None else day.isoformat()


def _several(names: tuple[str, ...], column: BillColumn) -> dict[str, BillColumn]:
    return dict.fromkeys(names, column)


def notice_ends(bill: Bill) -> datetime.date | None:
    """Last day on which a law bill is open to opinions: two weeks from its referral."""
    return bill.referred + datetime.timedelta(days=14) if bill.referred and bill.sort == LAW else None


def _notice_end(world: World, bill: Bill) -> str | None:
    return spelled(notice_ends(bill))


def _summary(world: World, bill: Bill) -> str:
    reason = ("현행 제도의 미비점을 보완", "국민 부담을 완화", "행정 절차를 간소화", "안전 기준을 강화")[bill.index % 4]
    return f"제안이유 및 주요내용\n\n{bill.law}의 규정을 고쳐 {reason}하려는 것임(안 제{bill.index % 90 + 3}조)."


def _lead(attribute: str) -> BillColumn:
    return lambda world, bill: getattr(bill.lead, attribute) if bill.lead else None


def _partners(attribute: str) -> BillColumn:
    return lambda world, bill: ",".join(getattr(m, attribute) for m in bill.partners) if bill.lead else None


BILL: Final[dict[str, BillColumn]] = {
    "BILL_ID": lambda w, b: b.id,
    "BILL_NO": lambda w, b: b.number,
    "AGE": lambda w, b: str(b.term),
    "ERACO": lambda w, b: eraco(b.term),
    "LAW_TITLE": lambda w, b: b.law,
    **_several(("BILL_NAME", "BILL_NM"), lambda w, b: b.name),
    **_several(("BILL_KIND", "BILL_KND", "BILL_KIND_CD"), lambda w, b: b.sort),
    **_several(("PROPOSER", "PPSR", "PPSR_NM", "PPSR_CN"), lambda w, b: b.proposer),
    **_several(("PROPOSER_KIND", "PROPOSER_KIND_CD", "PPSR_KIND", "PPSR_KND", "PPSR_KIND_NM"), lambda w, b: b.kind),
    **_several(("PROPOSE_DT", "PPSL_DT"), lambda w, b: spelled(b.proposed)),
    "PPSL_SESS": lambda w, b: f"제{session_number(b.proposed)}회",
    **_several(("CURR_COMMITTEE_ID", "COMMITTEE_ID"), lambda w, b: b.committee.code),
    **_several(("CURR_COMMITTEE", "COMMITTEE", "JRCMIT_NM", "COMMITTEE_NM", "CMIT_NM"), lambda w, b: b.committee.name),
    **_several(("COMMITTEE_DT", "JRCMIT_CMMT_DT", "COMMITTEE_SUBMIT_DT"), lambda w, b: spelled(b.referred)),
    **_several(("CMT_PRESENT_DT", "JRCMIT_PRSNT_DT", "COMMITTEE_PRESENT_DT"), lambda w, b: spelled(b.presented)),
    **_several(("CMT_PROC_DT", "JRCMIT_PROC_DT", "COMMITTEE_PROC_DT"), lambda w, b: spelled(b.committee_done)),
    **_several(("CMT_PROC_RESULT_CD", "JRCMIT_PROC_RSLT", "COMMITTEE_RESULT"), lambda w, b: b.committee_result),
    **_several(
        ("LAW_SUBMIT_DT", "LAW_CMMT_DT", "LAW_PRESENT_DT", "LAW_PRSNT_DT"), lambda w, b: spelled(b.judiciary_in)
    ),
    "LAW_PROC_DT": lambda w, b: spelled(b.judiciary_done),
    **_several(("LAW_PROC_RESULT_CD", "LAW_PROC_RSLT"), lambda w, b: b.committee_result if b.judiciary_done else None),
    **_several(("RGS_PRSNT_DT", "RGS_PRESENT_DT"), lambda w, b: spelled(b.plenary_in) if b.voted else None),
    **_several(("PROC_DT", "RGS_RSLN_DT", "RGS_PROC_DT", "MSESS_RSLN_DT"), lambda w, b: spelled(b.plenary_done)),
    "RGS_CONF_NM": lambda w, b: f"제{session_number(b.plenary_done)}회 본회의" if b.voted and b.plenary_done else None,
    **_several(("PROC_RESULT_CD", "PROC_RESULT", "PROC_RSLT", "RGS_CONF_RSLT"), lambda w, b: b.result),
    **_several(("GVRN_TRSF_DT", "CURR_TRANS_DT"), lambda w, b: spelled(b.plenary_done) if b.promulgated else None),
    **_several(("PROM_DT", "ANNOUNCE_DT"), lambda w, b: spelled(b.promulgated)),
    "PROM_NO": lambda w, b: b.promulgation,
    "PROM_LAW_NM": lambda w, b: b.law if b.promulgated else None,
    **_several(
        ("LINK_URL", "DETAIL_LINK", "URL", "BILL_URL", "BILL_NAME_URL", "MEMBER_LIST"), lambda w, b: BILL_SITE + b.id
    ),
    "RST_PROPOSER": _lead("name"),
    "RST_MONA_CD": _lead("code"),
    "PUBL_PROPOSER": _partners("name"),
    "PUBL_MONA_CD": _partners("code"),
    "NOTI_ED_DT": _notice_end,
    "SUMMARY": _summary,
    "MEMBER_TCNT": lambda w, b: tally(w, b).members,
    "VOTE_TCNT": lambda w, b: tally(w, b).votes,
    "YES_TCNT": lambda w, b: tally(w, b).yes,
    "NO_TCNT": lambda w, b: tally(w, b).no,
    "BLANK_TCNT": lambda w, b: tally(w, b).blank,
    "JRCMIT_CONF_NM": lambda w, b: f"제{session_number(b.presented)}회 {b.committee.name}" if b.presented else None,
    "JRCMIT_CONF_DT": lambda w, b: spelled(b.presented),
    "JRCMIT_CONF_RSLT": lambda w, b: b.committee_result or "상정",
    "LWCMIT_CONF_NM": lambda w, b: (
        f"제{session_number(b.judiciary_done)}회 법제사법위원회" if b.judiciary_done else None
    ),
    "LWCMIT_CONF_DT": lambda w, b: spelled(b.judiciary_done),
    "LWCMIT_CONF_RSLT": lambda w, b: b.committee_result if b.judiciary_done else None,
}

MEMBER: Final[dict[str, MemberColumn]] = {
    "HG_NM": lambda w, m: m.name,
    "HJ_NM": lambda w, m: m.hanja,
    "ENG_NM": lambda w, m: m.english,
    "NAAS_NM": lambda w, m: m.name,
    "NAAS_CH_NM": lambda w, m: m.hanja,
    "NAAS_EN_NM": lambda w, m: m.english,
    **dict.fromkeys(("MONA_CD", "NAAS_CD"), lambda w, m: m.code),
    **dict.fromkeys(("BTH_GBN_NM", "BIRDY_DIV_CD"), lambda w, m: "음" if m.index % 5 == 0 else "양"),
    **dict.fromkeys(("BTH_DATE", "BIRDY_DT"), lambda w, m: m.born.isoformat()),
    **dict.fromkeys(("JOB_RES_NM", "DTY_NM"), lambda w, m: m.role),
    **dict.fromkeys(("POLY_NM", "PLPT_NM"), lambda w, m: m.party),
    **dict.fromkeys(("ORIG_NM", "ELECD_NM"), lambda w, m: m.district),
    **dict.fromkeys(("ELECT_GBN_NM", "ELECD_DIV_NM"), lambda w, m: m.seat),
    **dict.fromkeys(("CMIT_NM", "CMITS", "BLNG_CMIT_NM", "DEPT_NM"), lambda w, m: m.committee.name),
    **dict.fromkeys(("REELE_GBN_NM", "RLCT_DIV_NM"), lambda w, m: m.times),
    **dict.fromkeys(("UNITS", "GTELT_ERACO"), lambda w, m: ", ".join(eraco(t) for t in m.terms)),
    **dict.fromkeys(("SEX_GBN_NM", "NTR_DIV"), lambda w, m: m.sex),
    **dict.fromkeys(("TEL_NO", "NAAS_TEL_NO", "ASSEM_TEL"), lambda w, m: "02-000-0000"),
    **dict.fromkeys(("E_MAIL", "NAAS_EMAIL_ADDR", "ASSEM_EMAIL"), lambda w, m: f"{m.code.lower()}@sandbox.invalid"),
    **dict.fromkeys(("HOMEPAGE", "NAAS_HP_URL", "NAAS_PIC"), lambda w, m: f"https://sandbox.invalid/members/{m.code}"),
    **dict.fromkeys(("STAFF", "SECRETARY", "SECRETARY2", "AIDE_NM", "CHF_SCRT_NM", "SCRT_NM"), lambda w, m: None),
    **dict.fromkeys(("MEM_TITLE", "BRF_HST"), lambda w, m: f"제{m.term}대 국회의원 ({m.district}/{m.party})"),
    **dict.fromkeys(("ASSEM_ADDR", "OFFM_RNUM_NO", "ROOM_NO"), lambda w, m: f"의원회관 {m.index + 201}호"),
    "DEPT_CD": lambda w, m: m.committee.code,
    **dict.fromkeys(("UNIT_CD", "PROFILE_UNIT_CD"), lambda w, m: f"1000{m.term}"),
    **dict.fromkeys(("UNIT_NM", "PROFILE_UNIT_NM"), lambda w, m: eraco(m.term)),
    "FRTO_DATE": lambda w, m: f"{2020 + 4 * (m.term - 21)}.05.30 ~",
    "PROFILE_SJ": lambda w, m: f"제{m.term}대 국회 {m.committee.name} {m.role}",
}

MEETING: Final[dict[str, Callable[[Meeting], Any]]] = {
    "CONF_ID": lambda m: m.id,
    "CONFER_NUM": lambda m: m.id,
    "ERACO": lambda m: eraco(m.term),
    "DAE_NUM": lambda m: str(m.term),
    "SESS": lambda m: f"제{m.session}회",
    "DGR": lambda m: f"제{m.order}차",
    **dict.fromkeys(("CONF_DT", "CONF_DATE"), lambda m: m.day.isoformat()),
    **dict.fromkeys(("CONF_KND", "CLASS_NAME"), lambda m: m.kind),
    **dict.fromkeys(("CMIT_NM", "COMM_NAME"), lambda m: m.name),
    "CMIT_CD": lambda m: m.committee.minutes_code if m.committee else None,
    "DEPT_CD": lambda m: m.committee.code if m.committee else None,
    "TITLE": lambda m: f"제{m.term}대 제{m.session}회 제{m.order}차 {m.name}",
    "SB_CMIT_NM": lambda m: None,
    "SUB_NAME": lambda m: f"{len(m.bills)}건의 법률안 심사",
    "CONF_PLC": lambda m: "본회의장" if m.committee is None else f"{m.committee.name} 회의실",
    "BG_PTM": lambda m: m.begins,
    "ED_PTM": lambda m: m.ends,
    "CONF_PTM": lambda m: f"{m.minutes // 60}시간 {m.minutes % 60}분",
    **dict.fromkeys(
        ("DOWN_URL", "VOD_LINK_URL", "CONF_LINK_URL", "PDF_LINK_URL"),
        lambda m: f"https://sandbox.invalid/minutes/{m.id}",
    ),
    "PDF_FILE_ID": lambda m: f"F{m.id}",
    "VODCOMM_CODE": lambda m: m.committee.minutes_code[-3:] if m.committee else None,
    **dict.fromkeys(
        ("HR_HRG_YN", "PBHRG_YN", "HRG_YN", "SITG_YN", "RMND_SPH_YN", "RDJM_SPH_YN", "FRNGUS_SPH_YN"), lambda m: "N"
    ),
}
