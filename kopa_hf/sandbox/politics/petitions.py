"""Petitions: their ids and numbers look like bills' and belong to other systems."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import business_day_from
from kopa_hf.sandbox.politics.bill import Stage, spell_id
from kopa_hf.sandbox.politics.billcolumns import day_of
from kopa_hf.sandbox.politics.committees import Committee, committee_for_bill
from kopa_hf.sandbox.politics.listing import Columns, Pool, alike, serve, spelled
from kopa_hf.sandbox.politics.meetings import Meeting, diary
from kopa_hf.sandbox.politics.members import Member, members
from kopa_hf.sandbox.politics.names import draw_name
from kopa_hf.sandbox.politics.terms import SPAN, TERMS, eraco
from kopa_hf.sandbox.query import Handler, Query
from kopa_hf.sandbox.world import LAST_DAY, World

PETITIONS: Final = {21: 260, 22: 190}
QUORUM: Final = 50_000
"""Citizens who must agree before a public petition is received."""
_WISHES: Final = ("개정 촉구", "폐지 반대", "제도 개선", "지원 확대", "감독 강화", "전면 재검토")
_RESULTS: Final = (("본회의불부의", 60), ("채택", 12), ("철회", 10))


@dataclass(slots=True)
class Petition:
    """One petition."""

    term: int
    id: str
    name: str
    introducers: tuple[Member, ...]
    """Members who brought it in; none for a public petition."""
    petitioner: str
    agreeing: int
    """Citizens who agreed; 0 for petitions that members introduced."""
    received: datetime.date
    committee: Committee
    referred: datetime.date | None
    review: Stage
    result: str | None
    closed: datetime.date | None
    plenary: Meeting | None = None
    """Where an adopted petition was passed on to the government."""
    number: str = ""

    @property
    def kind(self) -> str:
        """의원소개청원 or 국민동의청원."""
        return "의원소개청원" if self.introducers else "국민동의청원"

    @property
    def brought_by(self) -> str:
        """소개의원 column: the first introducer's name, or the kind of petition."""
        if not self.introducers:
            return self.kind
        rest = len(self.introducers) - 1
        return f"{self.introducers[0].name}의원" + (f" 등 {rest + 1}인" if rest else "")


def petitions(world: World, term: int) -> tuple[Petition, ...]:
    """Petitions of a term, the latest first."""
    return world.table(f"politics.petitions.{term}", lambda w: _build(w, term))


def _build(world: World, term: int) -> tuple[Petition, ...]:
    found = sorted(
        (_petition(world, term, i) for i in range(world.count(PETITIONS[term], 5))), key=lambda p: p.received
    )
    for place, petition in enumerate(found, 1):
        petition.number = f"{term}{place:05d}"
    return tuple(reversed(found))


def _petition(world: World, term: int, index: int) -> Petition:
    first, last = SPAN[term]
    stream = world.identity("politics", "petition", term, index)
    received = business_day_from(first + datetime.timedelta(days=20 + stream.below((last - first).days - 25)))
    committee = committee_for_bill(world, stream)
    public = stream.chance(0.65)
    introducers = () if public else tuple(stream.sample(members(world, term), stream.octave(1, 3)))
    referred: datetime.date | None = business_day_from(received + datetime.timedelta(days=stream.between(2, 9)))
    if referred is not None and referred > last:
        referred = None
    sittings = diary(world, term, committee)
    presented = sittings.after(referred + datetime.timedelta(days=40)) if referred and stream.chance(0.7) else None
    done = sittings.after(presented.day, stream.below(4)) if presented and stream.chance(0.6) else None
    decided = stream.weighted(_RESULTS) if done else None
    result, closed, vote = decided, done.day if done else None, None
    if decided == "채택" and done is not None:
        vote = diary(world, term, None).after(done.day + datetime.timedelta(days=1))
        result, closed = ("채택", vote.day) if vote else (None, None)
    if result is None and term == 21:
        result, closed = "임기만료폐기", last
    agreeing = world.measure("politics", "agreeing", term, index).octave(QUORUM, 8 * QUORUM) if public else 0
    name = f"{stream.choice(committee.laws)} {stream.choice(_WISHES)}에 관한 청원"
    return Petition(
        term=term,
        id="PRC_" + spell_id(stream.u64(), stream.u64()),
        name=name,
        introducers=introducers,
        petitioner=draw_name(stream).hangul,
        agreeing=agreeing,
        received=received,
        committee=committee,
        referred=referred,
        review=Stage(presented, done, decided),
        result=result,
        closed=closed,
        plenary=vote,
    )


def _all(world: World, query: Query) -> Sequence[Petition]:
    return world.table("politics.petitions", lambda w: petitions(w, 22) + petitions(w, 21))


def _settled(done: bool) -> Pool:
    def pool(world: World, query: Query) -> Sequence[Petition]:
        return [p for p in _all(world, query) if (p.result is not None) == done]

    return pool


def _petitioner(petition: Petition) -> str:
    return f"{petition.petitioner}외 {petition.agreeing:,}인" if petition.agreeing else petition.petitioner


def _after_vote(petition: Petition, days: int) -> str | None:
    if petition.plenary is None:
        return None
    day = business_day_from(petition.plenary.day + datetime.timedelta(days=days))
    return day.isoformat() if day <= LAST_DAY else None


PETITION: Final[Columns] = {
    **alike("PTT_ID BILL_ID", lambda w, p: p.id),
    **alike("PTT_NO BILL_NO", lambda w, p: p.number),
    **alike("PTT_NM BILL_NAME PTT_TTL", lambda w, p: p.name),
    "PTT_KIND": lambda w, p: p.kind,
    "PTTR_NM": lambda w, p: p.petitioner,
    "PROPOSER": lambda w, p: _petitioner(p),
    "APPROVER": lambda w, p: p.brought_by,
    "INTD_ASBLM_NM": lambda w, p: p.introducers[0].name if p.introducers else None,
    "CITZN_AGM_CNT": lambda w, p: p.agreeing or None,
    "ACHV_RATIO": lambda w, p: f"{p.agreeing * 100 // QUORUM}%" if p.agreeing else None,
    "AGE": lambda w, p: str(p.term),
    "ERACO": lambda w, p: eraco(p.term),
    **alike("RCP_DT PROPOSE_DT", lambda w, p: p.received.isoformat()),
    **alike("JRCMIT_NM CURR_COMMITTEE", lambda w, p: p.committee.name if p.referred else None),
    "CURR_COMMITTEE_ID": lambda w, p: p.committee.code if p.referred else None,
    **alike("JRCMIT_CMMT_DT COMMITTEE_DT", lambda w, p: spelled(p.referred)),
    "JRCMIT_PRSNT_DT": lambda w, p: day_of(p.review.presented),
    "JRCMIT_PROC_DT": lambda w, p: day_of(p.review.done),
    "JRCMIT_PROC_RSLT": lambda w, p: p.review.result,
    **alike("RSLN_DT", lambda w, p: spelled(p.closed)),
    **alike("RSLN_RSLT PROC_RESULT_CD", lambda w, p: p.result),
    "PASS_GUBUN": lambda w, p: "처리" if p.result else "계류",
    **alike("RGS_PRSNT_DT RGS_RSLN_DT", lambda w, p: day_of(p.plenary)),
    "RGS_CONF_NM": lambda w, p: p.plenary.title if p.plenary else None,
    "RGS_CONF_RSLT": lambda w, p: p.result if p.plenary else None,
    "GVRN_TRSF_DT": lambda w, p: _after_vote(p, 7),
    "GVRN_RSLT_DT": lambda w, p: _after_vote(p, 60),
    "GVRN_OC_NM": lambda w, p: p.committee.ministry if p.plenary else None,
    "PROC_NTC_DT": lambda w, p: spelled(p.closed),
    "LINK_URL": lambda w, p: f"https://petition.sandbox.invalid/{p.id}",
}
"""Only adopted petitions reach the plenary and then the government."""


def _introduced(world: World, query: Query) -> Sequence[tuple[Petition, Member]]:
    wanted = query.get("PTT_ID")
    return [(p, member) for p in _all(world, query) if p.id == wanted for member in p.introducers]


INTRODUCER: Final[Columns] = {
    "PTT_ID": lambda w, pair: pair[0].id,
    "PTT_NO": lambda w, pair: pair[0].number,
    "PTTR_NM": lambda w, pair: pair[0].petitioner,
    "REP_DIV": lambda w, pair: "대표소개" if pair[1] is pair[0].introducers[0] else "공동소개",
    "INTD_ASBLM_NM": lambda w, pair: pair[1].name,
}


def _of_member(world: World, query: Query) -> Sequence[Petition]:
    code = query.get("NAAS_CD")
    return [p for p in _all(world, query) if any(member.code == code for member in p.introducers)]


# counts


def _counted(world: World, query: Query) -> Sequence[tuple[int, str, Counter[str]]]:
    def build(w: World) -> list[tuple[int, str, Counter[str]]]:
        found: dict[tuple[int, str], Counter[str]] = {}
        for term in TERMS:
            for petition in petitions(w, term):
                body = petition.committee.name if petition.referred else "미회부"
                count = found.setdefault((term, body), Counter())
                count[petition.result or "계류"] += 1
        return [(term, body, count) for (term, body), count in sorted(found.items(), key=lambda e: (-e[0][0], e[0][1]))]

    return world.table("politics.petition_counts", build)


COUNT: Final[Columns] = {
    "ERACO": lambda w, c: eraco(c[0]),
    "CMIT_NM": lambda w, c: c[1],
    "RCP_CNT": lambda w, c: sum(c[2].values()),
    "ACP_CNT": lambda w, c: c[2]["채택"],
    "NOT_SUBMIT_CNT": lambda w, c: c[2]["본회의불부의"],
    "WTHD_CNT": lambda w, c: c[2]["철회"],
    "DSU_CNT": lambda w, c: c[2]["임기만료폐기"],
    "REFT_SUBT": lambda w, c: sum(c[2].values()) - c[2]["계류"],
    "NOT_FINISH_CNT": lambda w, c: c[2]["계류"],
}


HANDLERS: Final[dict[str, Handler]] = {
    "PTTRCP": serve(PETITION, _all),
    "PTTINFODETAIL": serve(PETITION, _all),
    "OOWY4R001216HX11490": serve(PETITION, _all),
    "nvqbafvaajdiqhehi": serve(PETITION, _settled(False)),
    "OQ50H1000962NX16376": serve(PETITION, _settled(True)),
    "OOWY4R001216HX11486": serve(INTRODUCER, _introduced),
    "OOWY4R001216HX11425": serve(PETITION, _of_member),
    "OOWY4R001216HX11496": serve(COUNT, _counted),
}
