"""Counts over bills, members and petitions, made from the same tables that the lists print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kopa_hf.sandbox.politics.bills import Bill, bills
from kopa_hf.sandbox.politics.committees import committees
from kopa_hf.sandbox.politics.handlers import fits, names_of, term_of
from kopa_hf.sandbox.politics.members import PARTIES, TERMS, members
from kopa_hf.sandbox.politics.petitions import HANDLERS as PETITION_HANDLERS
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import World

Count = Callable[[list[Bill]], int]


def _processed(group: list[Bill]) -> int:
    return sum(b.result is not None for b in group)


def _resulting(*results: str) -> Count:
    return lambda group: sum(b.result in results for b in group)


COUNTS: dict[str, Count] = {
    "RCP_CNT": len,
    "PROC_CNT": _processed,
    "RSVT_CNT": lambda group: len(group) - _processed(group),
    "REFT_SUBT": _resulting("원안가결", "수정가결", "대안반영폐기"),
    "OBIL_PSSG_CNT": _resulting("원안가결"),
    "AMND_PSSG_CNT": _resulting("수정가결"),
    "ALTPL_REFT_CNT": _resulting("대안반영폐기"),
    "AMND_REFT_CNT": lambda group: 0,
    "UN_REFT_SUBT": _resulting("부결", "철회", "임기만료폐기"),
    "RJCTN_CNT": _resulting("부결"),
    "DSU_CNT": _resulting("임기만료폐기"),
    "WTHD_CNT": _resulting("철회"),
    "LGSLB_ASBLM_PRPSR_CNT": lambda group: sum(b.kind == "의원" for b in group),
    "LGSLB_GVRN_PRPSR_CNT": lambda group: sum(b.kind == "정부" for b in group),
    "LGSLB_SUM": len,
    "CMIT_BY_SUM": len,
}
"""Column → how bills are counted under it; other columns of these tools count kinds of bills that there are none of."""


def _row(names: tuple[str, ...], own: dict[str, Any], group: list[Bill]) -> Record:
    return {name: own[name] if name in own else COUNTS[name](group) if name in COUNTS else 0 for name in names}


def _by_committee(world: World, query: Query) -> Reply:
    term = term_of(query, "ERACO")
    if term not in TERMS:
        return NO_ROWS
    return _committee_rows(world, query, [b for b in bills(world, term or 0)])


def _pending_by_committee(world: World, query: Query) -> Reply:
    return _committee_rows(world, query, [b for b in bills(world, 22) if b.result is None and b.referred is not None])


def _committee_rows(world: World, query: Query, pool: list[Bill]) -> Reply:
    names = names_of(query)
    groups = [(c, [b for b in pool if b.committee.index == c.index]) for c in committees(world)]
    return Rows.of([_row(names, {"CMIT_NM": c.name}, group) for c, group in groups])


def _by_proposer(world: World, query: Query) -> Reply:
    term = term_of(query, "ERACO")
    if term not in TERMS:
        return NO_ROWS
    pool, names = bills(world, term or 0), names_of(query)
    kinds = ("의원", "정부", "위원장")
    return Rows.of([_row(names, {"PRPSR_DIV_NM": kind}, [b for b in pool if b.kind == kind]) for kind in kinds])


def _overall(world: World, query: Query) -> Reply:
    term = term_of(query, "ERACO")
    if term not in TERMS:
        return NO_ROWS
    own = {"BIL_DIV_NM": "법률안", "BIL_DIV_NM2": "법률안"}
    return Rows.of([_row(names_of(query), own, list(bills(world, term or 0)))])


def _party_seats(world: World, query: Query) -> Reply:
    rows: list[Record] = []
    people = members(world, 22)
    for party, _ in PARTIES:
        own: Record = {
            "POLY_GROUP_NM": party if party in ("새봄당", "한길당") else "비교섭단체",
            "POLY_NM": party,
            "N1": sum(m.party == party and m.seat == "지역구" for m in people),
            "N2": sum(m.party == party and m.seat == "비례대표" for m in people),
            "N3": sum(m.party == party for m in people),
            "N4": round(sum(m.party == party for m in people) * 100 / len(people), 2),
        }
        if all(fits(n, own.get(n), v.strip()) for n, v in query.parameters.items() if n in own and v.strip()):
            rows.append({name: own.get(name) for name in names_of(query)})
    return Rows.of(rows)


HANDLERS: dict[str, Handler] = {
    "BILLCNTCMIT": _by_committee,
    "BILLCNTLAWCMIT": _by_committee,
    "BILLCNTMAIN": _overall,
    "OOWY4R001216HX11479": _pending_by_committee,
    "OOWY4R001216HX11477": _by_proposer,
    "OOWY4R001216HX11473": _by_committee,
    "nepjpxkkabqiqpbvk": _party_seats,
    **PETITION_HANDLERS,
}
