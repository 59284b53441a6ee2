"""Counts over bills, members and petitions, made from the same tables that the lists print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kopa_hf.sandbox.politics.bills import LAW, NOMINATION, Bill, bills
from kopa_hf.sandbox.politics.columns import eraco
from kopa_hf.sandbox.politics.committees import committees
from kopa_hf.sandbox.politics.handlers import fits, names_of, term_of
from kopa_hf.sandbox.politics.members import PARTIES, TERMS, members
from kopa_hf.sandbox.politics.petitions import HANDLERS as PETITION_HANDLERS
from kopa_hf.sandbox.politics.petitions import petitions
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
    "LGSLB_ASBLM_PRPSR_CNT": lambda group: sum(b.sort == LAW and b.kind != "정부" for b in group),
    "LGSLB_GVRN_PRPSR_CNT": lambda group: sum(b.sort == LAW and b.kind == "정부" for b in group),
    "LGSLB_SUM": lambda group: sum(b.sort == LAW for b in group),
    "AGMB_CNT": lambda group: sum(b.sort == NOMINATION for b in group),
    "CMIT_BY_SUM": len,
}
"""Column → how bills are counted under it; other columns of these tools count kinds of bills that there are none of."""


def _row(names: tuple[str, ...], own: dict[str, Any], group: list[Bill]) -> Record:
    return {name: own[name] if name in own else COUNTS[name](group) if name in COUNTS else 0 for name in names}


def _by_committee(*sorts: str) -> Handler:
    def handler(world: World, query: Query) -> Reply:
        term = term_of(query, "ERACO")
        if term not in TERMS:
            return NO_ROWS
        return _committee_rows(world, query, [b for b in bills(world, term or 0) if b.sort in sorts])

    return handler


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
    pool, names = [b for b in bills(world, term or 0) if b.sort == LAW], names_of(query)
    kinds = ("의원", "정부", "위원장")
    return Rows.of([_row(names, {"PRPSR_DIV_NM": kind}, [b for b in pool if b.kind == kind]) for kind in kinds])


def _overall(world: World, query: Query) -> Reply:
    term = term_of(query, "ERACO")
    if term not in TERMS:
        return NO_ROWS
    names, pool = names_of(query), bills(world, term or 0)
    kinds = {LAW: [b for b in pool if b.sort == LAW], NOMINATION: [b for b in pool if b.sort == NOMINATION]}
    return Rows.of([_row(names, {"BIL_DIV_NM": kind, "BIL_DIV_NM2": kind}, group) for kind, group in kinds.items()])


def _past_counts(world: World, query: Query) -> Reply:
    """One row a term; this list has its figures as text."""
    found = []
    for term in reversed(TERMS):
        if query.get("ERACO") in ("", eraco(term)):
            group = list(bills(world, term))
            own = {
                "ERACO": eraco(term),
                "SBM": len(group),
                "DEAL_CN_PSSG": _resulting("원안가결", "수정가결", "채택")(group),
                "DEAL_CN_RJCTN": _resulting("부결", "미채택")(group),
                "DEAL_CN_DSU": _resulting("대안반영폐기")(group),
                "DEAL_CN_WTHD": _resulting("철회")(group),
                "DEAL_CN_RSVT": len(group) - _processed(group),
                "TERM_EXPR_DSU": _resulting("임기만료폐기")(group),
            }
            found.append({name: str(own.get(name, 0)) for name in names_of(query)})
    return Rows.of(found)


def _petition_counts(world: World, query: Query) -> Reply:
    term = term_of(query, "ERACO")
    if term not in TERMS:
        return NO_ROWS
    names, found = names_of(query), []
    for committee in committees(world):
        group = [p for p in petitions(world, term or 0) if p.committee.index == committee.index]
        own: Record = {
            "ERACO": eraco(term or 0),
            "CMIT_NM": committee.name,
            "RCP_CNT": len(group),
            "ACP_CNT": sum(p.result == "채택" for p in group),
            "NOT_SUBMIT_CNT": sum(p.result == "본회의불부의" for p in group),
            "WTHD_CNT": sum(p.result == "철회" for p in group),
            "DSU_CNT": 0,
            "REFT_SUBT": sum(p.result is not None for p in group),
            "NOT_FINISH_CNT": sum(p.result is None for p in group),
        }
        found.append({name: own.get(name) for name in names})
    return Rows.of(found)


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
    "BILLCNTCMIT": _by_committee(LAW, NOMINATION),
    "BILLCNTLAWCMIT": _by_committee(LAW),
    "BILLCNTMAIN": _overall,
    "OOWY4R001216HX11479": _pending_by_committee,
    "OOWY4R001216HX11477": _by_proposer,
    "OOWY4R001216HX11473": _by_committee(LAW, NOMINATION),
    "OKAPKX000929X915616": _past_counts,
    "OOWY4R001216HX11496": _petition_counts,
    "nepjpxkkabqiqpbvk": _party_seats,
    **PETITION_HANDLERS,
}
