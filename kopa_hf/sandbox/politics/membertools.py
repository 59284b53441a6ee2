"""Operations about members and committees: profiles, rosters, careers, seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any, Final

from kopa_hf.sandbox.politics.committees import Committee, committees
from kopa_hf.sandbox.politics.english import COMMITTEES, PARTIES_ENGLISH, district_english
from kopa_hf.sandbox.politics.listing import Columns, serve, through
from kopa_hf.sandbox.politics.membercolumns import MEMBER
from kopa_hf.sandbox.politics.members import (
    PARTIES,
    Member,
    assign_posts,
    current_members,
    groups,
    members,
    members_by_code,
    roster,
)
from kopa_hf.sandbox.politics.terms import CURRENT, TERMS, eraco, unit_code
from kopa_hf.sandbox.query import Handler, Query
from kopa_hf.sandbox.world import World


def first_year(term: int) -> int:
    """The year in which a term begins."""
    return 2020 + 4 * (term - 21)


# members


def _sitting(world: World, query: Query) -> Sequence[Member]:
    return current_members(world)


def _everybody(world: World, query: Query) -> Sequence[Member]:
    """Everybody once, with the latest term, by name."""
    found = members_by_code(world).values()
    return world.table("politics.everybody", lambda w: sorted(found, key=lambda m: (m.name, m.code)))


def _of_terms(world: World, query: Query) -> Sequence[Member]:
    return [member for term in reversed(TERMS) for member in members(world, term)]


PAST: Final[Columns] = {
    **MEMBER,
    "DAESU": lambda w, m: str(m.term),
    "DAE": lambda w, m: f"{m.term}대({m.party})",
    "DAE_NM": lambda w, m: eraco(m.term),
    "NAME": lambda w, m: m.name,
    "NAME_HAN": lambda w, m: m.hanja,
    **dict.fromkeys(("JA", "HO", "BOOK", "SANG", "DEAD"), lambda w, m: None),
    "BIRTH": lambda w, m: m.born.isoformat(),
    "BON": lambda w, m: f"{('가온', '나래', '다솜', '라온')[m.index % 4]} {m.hanja[0]}씨",
    "POSI": lambda w, m: m.district if m.seat == "지역구" else "서울",
    "HAK": lambda w, m: MEMBER["MEM_TITLE"](w, m),
    "HOBBY": lambda w, m: ("등산", "독서", "음악감상", "바둑", "달리기")[m.index % 5],
    "URL": lambda w, m: f"https://rokps.sandbox.invalid/{m.code}",
}

ENGLISH: Final[Columns] = {
    **MEMBER,
    "NTR_DIV": lambda w, m: "Female" if m.sex == "여" else "Male",
    "BTH_GBN_NM": lambda w, m: "Lunar" if m.lunar else "Solar",
    "PLPT_NM": lambda w, m: PARTIES_ENGLISH[m.party],
    "ELECD_NM": lambda w, m: district_english(m.district),
    "ELECD_DIV_NM": lambda w, m: "Constituency" if m.seat == "지역구" else "Proportional Representation",
    "CMIT_NM": lambda w, m: COMMITTEES.get(m.posts[0][0].name) if m.posts else None,
    "CMIT_DTY_NM": lambda w, m: {"위원장": "Chairperson", "간사": "Executive Secretary"}.get(m.role, "Member"),
    "BLNG_CMIT_NM": lambda w, m: ", ".join(COMMITTEES.get(c.name, c.name) for c, _ in m.posts) or None,
    "RLCT_DIV_NM": lambda w, m: f"{len(m.terms)}-term",
}


# careers


@dataclass(frozen=True, slots=True)
class Post:
    """One entry of a career."""

    member: Member
    term: int
    text: str
    period: str


def _histories(world: World) -> tuple[Post, ...]:
    """One entry per person and term served, by name."""
    found = []
    for member in sorted(members_by_code(world).values(), key=lambda m: (m.name, m.code)):
        for term in member.terms:
            ends = "" if term == CURRENT else f"{first_year(term) + 4}.05.29"
            found.append(Post(member, term, f"{eraco(term)} 국회의원", f"{first_year(term)}.05.30 ~ {ends}".strip()))
    return tuple(found)


def _careers(world: World) -> tuple[Post, ...]:
    """One entry per person, half of a term and committee."""
    found: list[Post] = []
    for term, half in ((21, 1), (21, 2), (22, 1)):
        begins = first_year(term) + 2 * (half - 1)
        period = f"{begins}.06.05 ~ " + ("" if term == CURRENT else f"{begins + 2}.05.29")
        posts = assign_posts(world, term, half)
        for member in members(world, term):
            for committee, role in posts.get(member.index, []):
                text = f"{eraco(term)} 국회 {'전반기' if half == 1 else '후반기'} {committee.name} {role}"
                found.append(Post(member, term, text, period.strip()))
    return tuple(sorted(found, key=lambda p: (p.member.name, p.member.code, p.period)))


CAREER: Final[Columns] = {
    **through(MEMBER, attrgetter("member")),
    "FRTO_DATE": lambda w, p: p.period,
    "PROFILE_SJ": lambda w, p: p.text,
    **dict.fromkeys(("UNIT_CD", "PROFILE_UNIT_CD"), lambda w, p: unit_code(p.term)),
    **dict.fromkeys(("UNIT_NM", "PROFILE_UNIT_NM"), lambda w, p: eraco(p.term)),
    "PROFILE_CD": lambda w, p: "02",
    "PROFILE_NM": lambda w, p: "위원회 경력",
}


def _table(name: str, build: Callable[[World], Any]) -> Callable[[World, Query], Any]:
    return lambda world, query: world.table(f"politics.{name}", build)


# committees


Seat = tuple[Committee, Member, str]


def _seats(world: World) -> tuple[Seat, ...]:
    return tuple((c, member, role) for c in committees(world) for member, role in roster(world, CURRENT, c))


ROSTER: Final[Columns] = {
    **through(MEMBER, itemgetter(1)),
    "DEPT_CD": lambda w, s: s[0].code,
    "DEPT_NM": lambda w, s: s[0].name,
    "JOB_RES_NM": lambda w, s: s[2],
}
"""A seat in a committee; JOB_RES_NM is the role in that committee."""


def _printed(member: Member) -> str:
    return f"{member.name} ({member.party})"


def _with_role(world: World, committee: Committee, wanted: str) -> list[Member]:
    return [member for member, role in roster(world, CURRENT, committee) if role == wanted]


def _chair(world: World, committee: Committee) -> str | None:
    return next((_printed(m) for m in _with_role(world, committee, "위원장")), None)


def _grouped(world: World, committee: Committee) -> int:
    large = groups(world, CURRENT)
    return sum(member.party in large for member, _ in roster(world, CURRENT, committee))


COMMITTEE: Final[Columns] = {
    "CMT_DIV_CD": lambda w, c: c.kind_code,
    "CMT_DIV_NM": lambda w, c: c.kind,
    "HR_DEPT_CD": lambda w, c: c.code,
    "COMMITTEE_NAME": lambda w, c: c.name,
    "HG_NM": _chair,
    "HG_NM_LIST": lambda w, c: ",".join(map(_printed, _with_role(w, c, "간사"))) or None,
    "LIMIT_CNT": lambda w, c: c.seats,
    "CURR_CNT": lambda w, c: len(roster(w, CURRENT, c)),
    "POLY99_CNT": lambda w, c: len(roster(w, CURRENT, c)) - _grouped(w, c),
    "POLY_CNT": _grouped,
}

COMMITTEE_ENGLISH: Final[Columns] = {
    "CMIT_DIV_CD": lambda w, c: c.kind_code,
    "CMIT_NM": lambda w, c: COMMITTEES[c.name],
    "CRMN_NM": lambda w, c: next((m.english for m in _with_role(w, c, "위원장")), None),
    "CMTM_PSNUM": lambda w, c: c.seats,
    "CMTM_CNT": lambda w, c: len(roster(w, CURRENT, c)),
    "LINK_URL": lambda w, c: f"https://committee.sandbox.invalid/eng/{c.code}",
}


def _committees(world: World, query: Query) -> Sequence[Committee]:
    return committees(world)


# parties


def _of_party(world: World, party: str, seat: str = "") -> int:
    return sum(m.party == party and seat in ("", m.seat) for m in current_members(world))


PARTY: Final[Columns] = {
    "POLY_GROUP_NM": lambda w, p: p if p in groups(w, CURRENT) else "비교섭단체",
    "POLY_NM": lambda w, p: p,
    "N1": lambda w, p: _of_party(w, p, "지역구"),
    "N2": lambda w, p: _of_party(w, p, "비례대표"),
    "N3": lambda w, p: _of_party(w, p),
    "N4": lambda w, p: round(_of_party(w, p) * 100 / len(current_members(w)), 1),
}


HANDLERS: Final[dict[str, Handler]] = {
    "nwvrqwxyaytdsfvhu": serve(MEMBER, _sitting),
    "ALLNAMEMBER": serve(MEMBER, _everybody),
    "OET0D9001078G318850": serve(MEMBER, _sitting),
    "OOWY4R001216HX11447": serve(ENGLISH, _sitting),
    "OBL7NF0011935G18076": serve(MEMBER, _of_terms),
    "OQG5IZ0011449610187": serve(PAST, _of_terms),
    "OAJPOY0010182J19421": serve(CAREER, _table("histories", _histories)),
    "OD21030011944P19666": serve(CAREER, _table("histories", _histories)),
    "ORNDP7000993P115502": serve(CAREER, _table("careers", _careers)),
    "OXJNQM001195IT17281": serve(CAREER, _table("careers", _careers)),
    "nktulghcadyhmiqxi": serve(ROSTER, _table("seats", _seats)),
    "nxrvzonlafugpqjuh": serve(COMMITTEE, _committees),
    "OOWY4R001216HX11449": serve(COMMITTEE_ENGLISH, _committees),
    "nepjpxkkabqiqpbvk": serve(PARTY, lambda world, query: PARTIES),
}
