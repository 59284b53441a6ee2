"""Petitions: PTT_ID looks like a bill's id and is none; numbers look alike too."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.calendar import business_day_from
from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.politics.columns import eraco, spelled
from kopa_hf.sandbox.politics.committees import Committee, committee_for_bill
from kopa_hf.sandbox.politics.handlers import fits, names_of, term_of
from kopa_hf.sandbox.politics.members import TERMS, Member, members
from kopa_hf.sandbox.politics.ways import SPAN
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

PETITIONS: Final = {21: 190, 22: 140}
_WISHES: Final = ("개정 촉구", "폐지 반대", "제도 개선", "지원 확대", "감독 강화")


@dataclass(frozen=True, slots=True)
class Petition:
    """One petition."""

    term: int
    id: str
    number: str
    name: str
    kind: str
    """의원소개청원 or 국민동의청원."""
    petitioner: str
    introducer: Member | None
    agreeing: int | None
    """Citizens who agreed; None for petitions that a member introduced."""
    received: datetime.date
    committee: Committee
    referred: datetime.date
    result: str | None
    done: datetime.date | None


def petitions(world: World, term: int) -> tuple[Petition, ...]:
    """Petitions of a term, the latest first."""
    return world.table(f"politics.petitions.{term}", lambda w: _build(w, term))


def _build(world: World, term: int) -> tuple[Petition, ...]:
    first, last = SPAN[term]
    found = []
    for index in range(world.count(PETITIONS[term], 5)):
        stream = world.identity("politics", "petition", term, index)
        received = business_day_from(first + datetime.timedelta(days=30 + stream.below((last - first).days - 60)))
        committee = committee_for_bill(world, stream)
        introduced = stream.chance(0.35)
        people = members(world, term)
        done = business_day_from(received + datetime.timedelta(days=stream.between(60, 400)))
        settled = done <= LAST_DAY and stream.chance(0.4)
        letters = "".join(f"{'ABCDEFGHKLMNPQRSTUVWXYZ'[stream.below(23)]}{stream.below(10)}" for _ in range(14))
        found.append(
            Petition(
                term=term,
                id=f"PRC_{letters}",
                number=f"{term}{index + 1:05d}",
                name=f"{stream.choice(committee.laws)} {stream.choice(_WISHES)}에 관한 청원",
                kind="의원소개청원" if introduced else "국민동의청원",
                petitioner=f"{person_name(stream)} 외 {stream.between(1, 900)}인",
                introducer=people[stream.below(len(people))] if introduced else None,
                agreeing=None
                if introduced
                else world.measure("politics", "agreeing", term, index).octave(50_000, 400_000),
                received=received,
                committee=committee,
                referred=business_day_from(received + datetime.timedelta(days=2)),
                result=stream.choice(("본회의불부의", "채택", "철회")) if settled else None,
                done=done if settled else None,
            )
        )
    return tuple(sorted(found, key=lambda p: (p.received, p.number), reverse=True))


def _columns(petition: Petition) -> dict[str, Any]:
    return {
        "PTT_ID": petition.id,
        "PTT_NO": petition.number,
        "PTT_NM": petition.name,
        "PTT_KIND": petition.kind,
        "PTTR_NM": petition.petitioner,
        "INTD_ASBLM_NM": petition.introducer.name if petition.introducer else None,
        "CITZN_AGM_CNT": petition.agreeing,
        "ERACO": eraco(petition.term),
        "RCP_DT": spelled(petition.received),
        "JRCMIT_NM": petition.committee.name,
        "JRCMIT_CMMT_DT": spelled(petition.referred),
        "JRCMIT_PRSNT_DT": spelled(petition.done),
        "JRCMIT_PROC_DT": spelled(petition.done),
        "JRCMIT_PROC_RSLT": petition.result,
        "REP_DIV": "대표소개" if petition.introducer else None,
        "LINK_URL": f"https://petition.sandbox.invalid/{petition.id}",
        "PTT_TTL": petition.name,
        "RSLN_DT": spelled(petition.done),
        "RSLN_RSLT": petition.result,
        # two lists print petitions under the names of bills; ids and numbers stay the petition's own
        "BILL_ID": petition.id,
        "BILL_NO": petition.number,
        "BILL_NAME": petition.name,
        "AGE": str(petition.term),
        "PROPOSER": petition.petitioner,
        "APPROVER": f"{petition.introducer.name}의원" if petition.introducer else petition.kind,
        "PROPOSE_DT": spelled(petition.received),
        "PROC_RESULT_CD": petition.result,
        "CURR_COMMITTEE_ID": petition.committee.code,
        "CURR_COMMITTEE": petition.committee.name,
        "COMMITTEE_DT": spelled(petition.referred),
    }


def _rows(found: list[Petition], query: Query) -> Reply:
    names = names_of(query)

    def record(petition: Petition) -> Record:
        own = _columns(petition)
        return {name: own.get(name) for name in names}

    return Rows.mapped(found, record)


def _list(world: World, query: Query) -> Reply:
    term = term_of(query, "ERACO")
    return _rows(list(petitions(world, term)), query) if term in TERMS and term else NO_ROWS


def _details(world: World, query: Query) -> Reply:
    wanted = query.get("PTT_ID")
    return _rows([p for term in TERMS for p in petitions(world, term) if p.id == wanted], query)


def _introducers(world: World, query: Query) -> Reply:
    wanted = query.get("PTT_ID")
    return _rows([p for t in TERMS for p in petitions(world, t) if p.id == wanted and p.introducer], query)


def _filtered(select: Callable[[Petition], bool]) -> Handler:
    """Petitions that fit every given parameter with a column of its name."""

    def handler(world: World, query: Query) -> Reply:
        names = names_of(query)
        given = [(n, v.strip()) for n, v in query.parameters.items() if v.strip() and n in names]
        found = []
        for petition in (p for term in reversed(TERMS) for p in petitions(world, term) if select(p)):
            own = _columns(petition)
            if all(fits(name, own.get(name), value) for name, value in given):
                found.append(petition)
        return _rows(found, query)

    return handler


def _of_member(world: World, query: Query) -> Reply:
    wanted = query.get("NAAS_CD")
    found = [p for t in reversed(TERMS) for p in petitions(world, t) if p.introducer and p.introducer.code == wanted]
    return _rows(found, query)


HANDLERS: dict[str, Handler] = {
    "PTTRCP": _list,
    "PTTINFODETAIL": _details,
    "OOWY4R001216HX11486": _introducers,
    "OOWY4R001216HX11425": _of_member,
    "OOWY4R001216HX11490": _filtered(lambda p: True),
    "nvqbafvaajdiqhehi": _filtered(lambda p: p.result is None and p.term == 22),
    "OQ50H1000962NX16376": _filtered(lambda p: p.result is not None),
}
