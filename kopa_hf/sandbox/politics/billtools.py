"""Operations about bills: lists by stage, one bill's details, proposers, reviews, votes."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from operator import attrgetter, itemgetter
from typing import Final

from kopa_hf.sandbox.politics.bill import LAW, Bill, Stage
from kopa_hf.sandbox.politics.billcolumns import ALTERNATIVE, BILL, REVIEWED, day_of, notice_end
from kopa_hf.sandbox.politics.bills import all_bills, bill_by_id, partners
from kopa_hf.sandbox.politics.committees import standing
from kopa_hf.sandbox.politics.listing import Columns, Pool, as_day, chosen, rows, serve, through
from kopa_hf.sandbox.politics.meetings import Meeting, diary
from kopa_hf.sandbox.politics.membercolumns import MEMBER
from kopa_hf.sandbox.politics.members import Member, members
from kopa_hf.sandbox.politics.otherbills import Nomination, nominations
from kopa_hf.sandbox.politics.terms import CURRENT, TERMS
from kopa_hf.sandbox.politics.votes import CHOICES, ballot, voted_bills
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Reply
from kopa_hf.sandbox.world import LAST_DAY, World

RECENT: Final = datetime.timedelta(days=120)
"""How far back the list of recently decided bills reaches."""


def those(select: Callable[[Bill], bool]) -> Pool:
    """All bills that a condition selects, the latest first; kept after the first call."""

    def pool(world: World, query: Query) -> Sequence[Bill]:
        return world.table(f"politics.pool.{query.operation}", lambda w: tuple(b for b in all_bills(w) if select(b)))

    return pool


def _every(world: World, query: Query) -> Sequence[Bill]:
    return all_bills(world)


def _one(world: World, query: Query) -> Sequence[Bill]:
    found = bill_by_id(world, query.get("BILL_ID"))
    return (found,) if found else ()


def _voted(*sorts: str) -> Pool:
    def pool(world: World, query: Query) -> Sequence[Bill]:
        term = query.get("AGE")
        found = voted_bills(world, int(term)) if term in map(str, TERMS) else ()
        return [b for b in found if b.sort in sorts] if sorts else found

    return pool


def _notice(open_now: bool) -> Callable[[Bill], bool]:
    def select(bill: Bill) -> bool:
        ends = notice_end(bill)
        return ends is not None and (ends >= LAST_DAY) == open_now

    return select


def _pending(bill: Bill) -> bool:
    return bill.result is None


# proposers and member votes


def _proposers(world: World, query: Query) -> Reply:
    pairs: list[tuple[Bill, Member | None]] = []
    for bill in _one(world, query):
        people = (bill.lead, *partners(world, bill)) if bill.lead else (None,)
        pairs = [(bill, member) for member in people]
    columns: Columns = {
        **through(BILL, itemgetter(0)),
        "PPSR_NM": lambda w, p: p[1].name if p[1] else p[0].proposer,
        "PPSR_POLY_NM": lambda w, p: p[1].party if p[1] else None,
        "PPSR_CH_NM": lambda w, p: p[1].hanja if p[1] else None,
        "REP_DIV": lambda w, p: None if p[1] is None else "대표발의" if p[1] is p[0].lead else "공동발의",
    }
    return rows(world, query, pairs, columns)


def _ballot_place(world: World, pair: tuple[Bill, Member, int]) -> str:
    bill, _, place = pair
    return CHOICES[ballot(world, bill)[place]]


def _vote_moment(world: World, pair: tuple[Bill, Member, int]) -> str | None:
    bill = pair[0]
    if bill.plenary is None:
        return None
    minutes = bill.plenary.begins + 30 + int(bill.number) % 90
    return f"{bill.plenary.day:%Y%m%d} {minutes // 60:02d}{minutes % 60:02d}{int(bill.number) % 60:02d}"


MEMBER_VOTE: Final[Columns] = {
    **through(MEMBER, itemgetter(1)),
    **through(BILL, itemgetter(0)),
    "MEMBER_NO": lambda w, p: p[1].number,
    "POLY_CD": lambda w, p: p[1].party_code,
    "ORIG_CD": lambda w, p: f"{p[1].index + 1:03d}",
    "VOTE_DATE": _vote_moment,
    "RESULT_VOTE_MOD": _ballot_place,
    "DEPT_CD": lambda w, p: p[1].office,
    "DISP_ORDER": lambda w, p: p[2] + 1,
    "SESSION_CD": lambda w, p: p[0].plenary.session.number if p[0].plenary else None,
    "CURRENTS_CD": lambda w, p: p[0].plenary.order if p[0].plenary else None,
}
"""One member's vote on one bill; entities are (bill, member, place in the ballot)."""


def _member_votes(world: World, query: Query) -> Reply:
    bill = bill_by_id(world, query.get("BILL_ID"))
    if bill is None or bill.plenary is None:
        return NO_ROWS
    pool = [(bill, member, place) for place, member in enumerate(members(world, bill.term))]
    return rows(world, query, chosen(world, query, pool, MEMBER_VOTE), MEMBER_VOTE)


# reviews of one bill


def _review_rows(prefix: str, stage: Callable[[Bill], Stage]) -> Handler:
    """One row per meeting of a committee that dealt with a bill."""
    columns: Columns = {
        **through(BILL, itemgetter(0)),
        f"{prefix}_CONF_NM": lambda w, p: p[1].title,
        f"{prefix}_CONF_DT": lambda w, p: day_of(p[1]),
        f"{prefix}_CONF_RSLT": lambda w, p: (stage(p[0]).result or "상정") if p[1] is stage(p[0]).done else "상정",
    }

    def handle(world: World, query: Query) -> Reply:
        pairs: list[tuple[Bill, Meeting]] = []
        for bill in _one(world, query):
            both = (stage(bill).presented, stage(bill).done)
            found = {meeting.id: meeting for meeting in both if meeting is not None}
            pairs = [(bill, found[key]) for key in sorted(found)]
        return rows(world, query, pairs, columns)

    return handle


def _preliminary(world: World, query: Query) -> Reply:
    """Each standing committee's look at a budget or settlement before the budget committee's."""
    columns: Columns = {
        **through(BILL, itemgetter(0)),
        "ADCMIT_NM": lambda w, p: p[1].committee.name,
        "ADCMIT_CMMT_DT": lambda w, p: p[0].referred.isoformat(),
        "ADCMIT_PRSNT_DT": lambda w, p: day_of(p[1]),
        "ADCMIT_PROC_DT": lambda w, p: day_of(p[1]),
        "ADCMIT_PROC_RSLT": lambda w, p: "수정의견" if (p[0].seed >> p[1].committee.index) % 3 else "원안의견",
    }
    pairs = []
    for bill in _one(world, query):
        if bill.budget.done is None or bill.referred is None:
            continue
        sittings = (diary(world, bill.term, c).after(bill.referred) for c in standing(world))
        pairs = [(bill, m) for m in sittings if m is not None and m.day <= bill.budget.done.day]
    return rows(world, query, pairs, columns)


# days and nominations


STAGES: Final[tuple[tuple[str, str, str, Callable[[Bill], datetime.date | None]], ...]] = (
    ("접수", "접수", "접수", lambda b: b.proposed),
    ("위원회심사", "소관위 회부", "회부", lambda b: b.referred),
    ("위원회심사", "소관위 상정", "상정", lambda b: b.review.presented.day if b.review.presented else None),
    ("위원회심사", "소관위 처리", "처리", lambda b: b.review.done.day if b.review.done else None),
    ("체계자구심사", "법사위 회부", "회부", lambda b: b.law_referred),
    ("체계자구심사", "법사위 처리", "처리", lambda b: b.law_review.done.day if b.law_review.done else None),
    ("본회의심의", "본회의 의결", "의결", lambda b: b.plenary.day if b.plenary else None),
    ("정부이송", "정부 이송", "이송", lambda b: b.sent),
    ("공포", "공포", "공포", lambda b: b.promulgated),
)
"""(stage, detailed stage, status, day of a bill)."""


def _by_day(world: World) -> dict[str, list[tuple[Bill, int]]]:
    found: dict[str, list[tuple[Bill, int]]] = {}
    for bill in all_bills(world):
        for place, (_, _, _, day_in) in enumerate(STAGES):
            day = day_in(bill)
            if day is not None:
                found.setdefault(day.isoformat(), []).append((bill, place))
    return found


DAILY: Final[Columns] = {
    **through(BILL, itemgetter(0)),
    "SEQ": lambda w, p: int(p[0].number) * 10 + p[1],
    "DT": lambda w, p: str(STAGES[p[1]][3](p[0])),
    "STAGE": lambda w, p: STAGES[p[1]][0],
    "DTL_STAGE": lambda w, p: STAGES[p[1]][1],
    "ACT_STATUS": lambda w, p: STAGES[p[1]][2],
}
"""What happened to a bill on a day; entities are (bill, place in STAGES)."""


def _daily(world: World, query: Query) -> Sequence[tuple[Bill, int]]:
    return world.table("politics.days", _by_day).get(as_day(query.get("DT")), [])


HEARING: Final[Columns] = {
    **through(BILL, attrgetter("bill")),
    "APPOINT_GRADE": lambda w, n: n.grade,
    "APPOINT_NAME": lambda w, n: n.name,
    "PROC_DT": lambda w, n: day_of(n.bill.review.done),
    "PROC_RESULT": lambda w, n: n.bill.result,
    "MP_BOOK_URL": lambda w, n: f"https://likms.sandbox.invalid/hearing/{n.bill.id}",
}
"""A nomination; PROC_DT is the committee's decision here."""


def _nominated(world: World, query: Query) -> Sequence[Nomination]:
    found = [n for term in TERMS for n in nominations(world, term)]
    return sorted(found, key=lambda n: n.bill.number, reverse=True)


INQUIRY: Final[Columns] = {
    **BILL,
    "HWP_DWLD_URL": lambda w, b: f"https://likms.sandbox.invalid/report/{b.id}.hwp",
    "PDF_DWLD_URL": lambda w, b: f"https://likms.sandbox.invalid/report/{b.id}.pdf",
}


def _members_law(bill: Bill) -> bool:
    return bill.sort == LAW and bill.lead is not None


HANDLERS: Final[dict[str, Handler]] = {
    "TVBPMBILL11": serve(BILL, _every),
    "BILLRCP": serve(BILL, _every),
    "BILLINFODETAIL": serve(BILL, _one),
    "OOWY4R001216HX11440": serve(BILL, _every),
    "OS46YD0012559515463": serve(BILL, those(lambda b: b.sort == LAW)),
    "BILLJUDGE": serve(REVIEWED, those(lambda b: b.referred is not None and b.budget_referred is None)),
    "OOWY4R001216HX11468": serve(BILL, those(lambda b: b.budget_referred is not None)),
    "OOWY4R001216HX11494": _preliminary,
    "OOWY4R001216HX11495": _review_rows("BDG", lambda b: b.budget),
    "nzmimeepazxkubdpn": serve(BILL, those(_members_law)),
    "nwbqublzajtcqpdae": serve(BILL, those(_pending)),
    "OY18U4001075AG16626": serve(BILL, those(lambda b: _pending(b) and b.sort == LAW and b.referred is not None)),
    "nayjnliqaexiioauy": serve(
        BILL,
        those(lambda b: b.plenary is None and b.result is None and b.law_review.done is not None),
    ),
    "OG88RA000978S210177": serve(ALTERNATIVE, those(lambda b: b.origin is not None and b.term == CURRENT)),
    "nzpltgfqabtcpsmai": serve(BILL, those(lambda b: b.result is not None)),
    "nxjuyqnxadtotdrbw": serve(BILL, those(lambda b: b.plenary is not None and b.plenary.day >= LAST_DAY - RECENT)),
    "OOWY4R001216HX11498": serve(BILL, those(lambda b: b.plenary is not None and b.plenary.day >= LAST_DAY - RECENT)),
    "O8U5BW001076JT16522": serve(DAILY, _daily),
    "OOWY4R001216HX11492": _review_rows("JRCMIT", lambda b: b.review),
    "OOWY4R001216HX11493": _review_rows("LWCMIT", lambda b: b.law_review),
    "nknalejkafmvgzmpt": serve(BILL, those(_notice(True))),
    "nohgwtzsamojdozky": serve(BILL, those(_notice(False))),
    "ncocpgfiaoituanbr": serve(BILL, _voted()),
    "nwbpacrgavhjryiph": serve(BILL, _voted(LAW)),
    "O32948001073L213726": serve(BILL, _voted("예산안")),
    "OW1R4X0010744X17495": serve(BILL, _voted("결산")),
    "ODFFIG001072OX10139": serve(BILL, _voted("동의안", "결의안", "규칙안", "선출안", "중요동의", "기타안")),
    "OOWY4R001216HX11460": _proposers,
    "OPR1MQ000998LC12535": _member_votes,
    "O4W19G001189TV11044": serve(HEARING, _nominated),
    "OOWY4R001216HX11418": serve(INQUIRY, those(lambda b: "국정조사" in b.name)),
}
