"""Counts over bills and members, made from the same tables that the lists print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.politics.bill import LAW, Bill
from kopa_hf.sandbox.politics.bills import bills
from kopa_hf.sandbox.politics.committees import PLENARY, committees
from kopa_hf.sandbox.politics.districts import REGIONS
from kopa_hf.sandbox.politics.listing import Columns, serve
from kopa_hf.sandbox.politics.members import PARTIES, Member, members
from kopa_hf.sandbox.politics.terms import CURRENT, SPAN, TERMS, eraco
from kopa_hf.sandbox.query import Handler, Query
from kopa_hf.sandbox.world import World


@dataclass(frozen=True, slots=True)
class Group:
    """Bills that one row counts."""

    term: int
    name: str
    second: str
    bills: tuple[Bill, ...]


def _resulting(*results: str) -> Callable[[World, Group], int]:
    return lambda world, group: sum(b.result in results for b in group.bills)


def _sorted(*sorts: str, kind: str = "") -> Callable[[World, Group], int]:
    return lambda world, group: sum(b.sort in sorts and kind in ("", b.kind) for b in group.bills)


def _none(world: World, group: Any) -> int:
    return 0


_UNKEPT: Final = ("부결", "폐기", "철회", "임기만료폐기")

GROUP: Final[Columns] = {
    "ERACO": lambda w, g: eraco(g.term),
    **dict.fromkeys(("CMIT_NM", "PRPSR_DIV_NM", "BIL_DIV_NM"), lambda w, g: g.name),
    "BIL_DIV_NM2": lambda w, g: g.second,
    "RCP_CNT": lambda w, g: len(g.bills),
    "PROC_CNT": lambda w, g: sum(b.result is not None for b in g.bills),
    "RSVT_CNT": lambda w, g: sum(b.result is None for b in g.bills),
    "REFT_SUBT": _resulting("원안가결", "수정가결", "대안반영폐기"),
    "OBIL_PSSG_CNT": _resulting("원안가결"),
    "AMND_PSSG_CNT": _resulting("수정가결"),
    "ALTPL_REFT_CNT": _resulting("대안반영폐기"),
    "AMND_REFT_CNT": _none,
    "UN_REFT_SUBT": _resulting(*_UNKEPT),
    "RJCTN_CNT": _resulting("부결"),
    "DSU_CNT": _resulting("폐기", "임기만료폐기"),
    "WTHD_CNT": _resulting("철회"),
    **dict.fromkeys(("GVB_CNT", "PRPSTB_CNT", "CMTM_QLF_INSC_CNT", "CONSTI_RFBIL_CNT"), _none),
    "DRFBD_CNT": _sorted("예산안"),
    "STL_CNT": _sorted("결산"),
    "LGSLB_ASBLM_PRPSR_CNT": lambda w, g: sum(b.sort == LAW and b.kind != "정부" for b in g.bills),
    "LGSLB_GVRN_PRPSR_CNT": _sorted(LAW, kind="정부"),
    "LGSLB_SUM": _sorted(LAW),
    "AGMB_CNT": _sorted("동의안"),
    **dict.fromkeys(("RSLNB_CNT", "RSLNB_SUBT"), _sorted("결의안")),
    "RSLNB_GN_CNT": lambda w, g: sum(b.sort == "결의안" and "감사요구" not in b.name for b in g.bills),
    "RSLNB_ADIT_REQ_CNT": lambda w, g: sum(b.sort == "결의안" and "감사요구" in b.name for b in g.bills),
    "RULB_CNT": _sorted("규칙안"),
    "ELCTB_CNT": _sorted("선출안"),
    "IMPT_AGM_CNT": _sorted("중요동의"),
    "CMTM_DSCP_CNT": _sorted("의원징계"),
    "ETC_CNT": _sorted("기타안"),
    "CMIT_BY_SUM": lambda w, g: len(g.bills),
    "SBM": lambda w, g: len(g.bills),
    "DEAL_CN_PSSG": _resulting("원안가결", "수정가결", "보고서채택"),
    "DEAL_CN_RJCTN": _resulting("부결", "보고서미채택"),
    "DEAL_CN_DSU": _resulting("폐기", "대안반영폐기"),
    "DEAL_CN_WTHD": _resulting("철회"),
    "DEAL_CN_GVB": _none,
    "DEAL_CN_RSVT": lambda w, g: sum(b.result is None for b in g.bills),
    "TERM_EXPR_DSU": _resulting("임기만료폐기"),
}
"""Column → how bills are counted under it."""

BY_PROPOSER: Final[Columns] = {**GROUP, "ETC_CNT": _none}


def _grouped(select: Callable[[Bill], bool], *terms: int) -> Callable[[World, Query], Sequence[Group]]:
    """Bills by committee; the plenary's own come last."""

    def build(world: World) -> list[Group]:
        found = []
        for term in terms:
            kept = [b for b in bills(world, term) if select(b)]
            for name in (*(c.name for c in committees(world)), PLENARY[1]):
                own = tuple(b for b in kept if b.committee_name == name)
                if own:
                    found.append(Group(term, name, "", own))
        return found

    return lambda world, query: world.table(f"politics.groups.{query.operation}", build)


def _by_proposer(world: World, query: Query) -> Sequence[Group]:
    found = []
    for term in TERMS:
        laws = [b for b in bills(world, term) if b.sort == LAW]
        for kind in ("의원", "위원장", "정부"):
            found.append(Group(term, kind, "", tuple(b for b in laws if b.kind == kind)))
    return found


_OVERALL: Final = (
    ("법률안", "의원"), ("법률안", "위원장"), ("법률안", "정부"), ("예산안", ""), ("결산", ""), ("동의안", ""), ("결의안", ""),
    ("규칙안", ""), ("선출안", ""), ("중요동의", ""), ("의원징계", ""), ("기타안", ""),
)  # fmt: skip


def _overall(world: World, query: Query) -> Sequence[Group]:
    found = []
    for term in TERMS:
        for sort, kind in _OVERALL:
            own = tuple(b for b in bills(world, term) if b.sort == sort and kind in ("", b.kind))
            found.append(Group(term, sort, kind or sort, own))
    return found


def _by_term(world: World, query: Query) -> Sequence[Group]:
    return [Group(term, "", "", bills(world, term)) for term in reversed(TERMS)]


# members


@dataclass(frozen=True, slots=True)
class People:
    """Members that one row counts."""

    term: int
    name: str
    members: tuple[Member, ...]


_REGION_COLUMNS: Final = [
    "SEOUL",
    "BUSAN",
    "DEAGU",
    "INCHUN",
    "GWANGJU",
    "DEAJUN",
    "ULSAN",
    "SEJONG",
    "GYUNGGI",
    "GANGWON",
    "CHUNGBUK",
    "CHUNGNAM",
    "JUNBUK",
    "JUNNAM",
    "KYUNGBUK",
    "KYUNGNAM",
    "JEJU",
]


def _from(region: str) -> Callable[[World, People], int]:
    return lambda world, people: sum(m.district.split()[0] == region for m in people.members)


def _times(count: int) -> Callable[[World, People], int]:
    return lambda world, people: sum(len(m.terms) == count for m in people.members)


def _women(seat: str) -> Callable[[World, People], list[str]]:
    return lambda world, people: [m.name for m in people.members if m.sex == "여" and m.seat == seat]


PEOPLE: Final[Columns] = {
    "ERACO": lambda w, p: eraco(p.term),
    "ORD_NO": lambda w, p: str(p.term),
    **dict.fromkeys(("PLPT_NM", "DIV"), lambda w, p: p.name),
    **{column: _from(region) for column, region in zip(_REGION_COLUMNS, REGIONS, strict=True)},
    "TNCFUCT": _none,
    **dict.fromkeys(("PRPR", "PRPRR_PSNCNT"), lambda w, p: sum(m.seat == "비례대표" for m in p.members)),
    **dict.fromkeys(("SUM", "YEARPECT", "PLMST_PSNCNT"), lambda w, p: len(p.members)),
    "RMK": lambda w, p: None,
    **{
        column: _times(count)
        for count, column in enumerate(
            ["NEWELCT", "TWOTERM", "THRTERM", "FOURTERM", "FIVTERM", "SIXTERM", "SEVTERM", "EIGTERM", "NINTERM"], 1
        )
    },
    "NFVP_RT": lambda w, p: _share(w, p),
}
WOMEN: Final[Columns] = {
    "ERACO": PEOPLE["ERACO"],
    "LCST_FMLAWMKCT": lambda w, p: len(_women("지역구")(w, p)),
    "LCST_FMLAWMKNM": lambda w, p: ", ".join(_women("지역구")(w, p)),
    "NATION_FMLAWMKCT": lambda w, p: len(_women("비례대표")(w, p)),
    "NATION_FMLAWMKNM": lambda w, p: ", ".join(_women("비례대표")(w, p)),
    "SUM": lambda w, p: sum(m.sex == "여" for m in p.members),
    "RMK": lambda w, p: None,
}


def _share(world: World, people: People) -> float:
    """A party's share of the votes: near its share of the seats, redrawn by the value seed."""
    seats = len(people.members) * 100 / 300
    return round(max(seats + world.measure("politics", "ballots", people.term, people.name).bell(), 0.1), 2)


def _by_party(world: World, query: Query) -> Sequence[People]:
    return [
        People(term, party, tuple(m for m in members(world, term) if m.party == party))
        for term in reversed(TERMS)
        for party in PARTIES
    ]


def _houses(*seats: str) -> Callable[[World, Query], Sequence[People]]:
    def pool(world: World, query: Query) -> Sequence[People]:
        found = []
        for term in reversed(TERMS):
            for seat in seats:
                people = tuple(m for m in members(world, term) if seat in ("계", m.seat))
                found.append(People(term, seat, people))
        return found

    return pool


TERM: Final[Columns] = {
    "ERACO": lambda w, t: eraco(t),
    "GCL_ELEC_DIV": lambda w, t: f"{eraco(t)} 국회의원선거",
    "ELEC_DE": lambda w, t: {21: "2020-04-15", 22: "2024-04-10"}[t],
    "ASBLM_PSNUM": lambda w, t: len(members(w, t)),
    "TERM_BG": lambda w, t: f"{2020 + 4 * (t - 21)}-05-30",
    "TERM_ED": lambda w, t: f"{2024 + 4 * (t - 21)}-05-29",
    "PROD": lambda w, t: "4년",
    "RMK": lambda w, t: None if t != CURRENT else f"기록은 {SPAN[t][1].isoformat()}까지",
}


def _law(bill: Bill) -> bool:
    return bill.sort == LAW


HANDLERS: Final[dict[str, Handler]] = {
    "BILLCNTCMIT": serve(GROUP, _grouped(lambda b: True, *TERMS)),
    "BILLCNTLAWCMIT": serve(BY_PROPOSER, _grouped(_law, *TERMS)),
    "OOWY4R001216HX11473": serve(GROUP, _grouped(lambda b: b.result is not None, *TERMS)),
    "OOWY4R001216HX11479": serve(GROUP, _grouped(lambda b: b.result is None and b.referred is not None, CURRENT)),
    "BILLCNTMAIN": serve(GROUP, _overall),
    "OOWY4R001216HX11477": serve(BY_PROPOSER, _by_proposer),
    "OKAPKX000929X915616": serve(GROUP, _by_term),
    "O0MH4O001149BH11948": serve(PEOPLE, _by_party),
    "O7FHUO000928X018370": serve(PEOPLE, _by_party),
    "OKDE3A001150P113085": serve(PEOPLE, _houses("지역구", "비례대표", "계")),
    "O9RY2V0011518716129": serve(WOMEN, _houses("계")),
    "OLFZV7001148O518934": serve(TERM, lambda world, query: tuple(reversed(TERMS))),
}
