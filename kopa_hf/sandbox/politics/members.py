"""Members of the 21st and 22nd term: invented people and parties on real regions."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.politics.committees import Committee, committees
from kopa_hf.sandbox.politics.districts import districts
from kopa_hf.sandbox.politics.names import Name, draw_name
from kopa_hf.sandbox.politics.terms import CURRENT, TERMS
from kopa_hf.sandbox.rng import permuted, seed_of
from kopa_hf.sandbox.world import World

SEATS: Final = 300
DISTRICT_SEATS: Final = 254
GROUP_SIZE: Final = 20
"""Members that a party needs to form a negotiation group."""
PARTIES: Final = ("새봄당", "한길당", "푸른내일", "민생연대", "다함께당", "무소속")
"""Invented parties; 무소속 (independent) is none."""
_DISTRICT_WEIGHTS: Final = (52, 41, 2, 2, 1, 2)
_LIST_WEIGHTS: Final = (17, 15, 7, 4, 3, 0)
_TERM_NAMES: Final = ("초선", "재선", "3선", "4선", "5선", "6선")
_EARLIER: Final = (((), 52), ((20,), 24), ((19, 20), 14), ((18, 19, 20), 7), ((17, 18, 19, 20), 3))
REELECTED: Final = 148


@dataclass(frozen=True, slots=True)
class Member:
    """One member in one term."""

    term: int
    index: int
    """The member's seat number; districts first, then the lists."""
    code: str
    """MONA_CD and NAAS_CD: eight signs, the same person's in every term."""
    number: str
    """MEMBER_NO of the vote tool: a system of its own."""
    office: str
    """DEPT_CD of the vote tool: the member's office, no committee."""
    name: str
    hanja: str
    english: str
    sex: str
    born: datetime.date
    lunar: bool
    """Whether the birthday counts by the lunar calendar."""
    party: str
    party_code: str
    seat: str
    """지역구 or 비례대표."""
    district: str
    terms: tuple[int, ...]
    """Terms served up to this one, the oldest first."""
    posts: tuple[tuple[Committee, str], ...]
    """Committees with the role in each (위원장, 간사, 위원); the main one first, none for the speaker."""

    @property
    def times(self) -> str:
        """초선, 재선, 3선, …"""
        return _TERM_NAMES[len(self.terms) - 1]

    @property
    def role(self) -> str:
        """The role in the main committee; 국회의장 for the speaker."""
        return self.posts[0][1] if self.posts else "국회의장"

    @property
    def committee_names(self) -> str | None:
        """All committees, separated by comma and blank; None for the speaker."""
        return ", ".join(committee.name for committee, _ in self.posts) or None


@dataclass(slots=True)
class _Draft:
    """A member before committees are filled."""

    index: int
    person: str
    name: Name
    female: bool
    party: str
    terms: tuple[int, ...]


def members(world: World, term: int) -> tuple[Member, ...]:
    """The members of a term, by name."""
    return world.table(f"politics.members.{term}", lambda w: _build(w, term))


def current_members(world: World) -> tuple[Member, ...]:
    """The members of the term that is sitting."""
    return members(world, CURRENT)


def members_by_code(world: World) -> dict[str, Member]:
    """Everybody by code, with the latest term."""
    return world.table("politics.members.codes", lambda w: {m.code: m for t in TERMS for m in members(w, t)})


def groups(world: World, term: int) -> tuple[str, ...]:
    """Parties large enough for a negotiation group."""
    people = members(world, term)
    return tuple(p for p in PARTIES if p != "무소속" and sum(m.party == p for m in people) >= GROUP_SIZE)


def roster(world: World, term: int, committee: Committee) -> tuple[tuple[Member, str], ...]:
    """A committee's members with their roles, the chair first."""
    table = world.table(f"politics.rosters.{term}", lambda w: _rosters(w, term))
    return table.get(committee.index, ())


def speaker_seat(world: World, term: int) -> int:
    """Seat of the speaker: a veteran of the largest party, in no committee."""
    drafts = _drafts(world, term)
    return max((d for d in drafts if d.party == PARTIES[0]), key=lambda d: (len(d.terms), -d.index)).index


def _rosters(world: World, term: int) -> dict[int, tuple[tuple[Member, str], ...]]:
    found: dict[int, list[tuple[Member, str]]] = {}
    for member in members(world, term):
        for committee, role in member.posts:
            found.setdefault(committee.index, []).append((member, role))
    order = {"위원장": 0, "간사": 1, "위원": 2}
    return {index: tuple(sorted(rows, key=lambda row: order[row[1]])) for index, rows in found.items()}


def _drafts(world: World, term: int) -> tuple[_Draft, ...]:
    return world.table(f"politics.drafts.{term}", lambda w: _draw(w, term))


def _draw(world: World, term: int) -> tuple[_Draft, ...]:
    again = set(world.identity("politics", "reelected").sample(range(SEATS), REELECTED)) if term == 22 else set()
    before = _drafts(world, 21) if term == 22 else ()
    found = []
    for index in range(SEATS):
        if index in again:
            old = before[index]
            found.append(_Draft(index, old.person, old.name, old.female, old.party, (*old.terms, 22)))
            continue
        # whoever is new in a term gets streams of his own
        person = f"{term}.{index}"
        stream = world.identity("politics", "person", person)
        name, female = draw_name(stream), stream.chance(0.2 if index < DISTRICT_SEATS else 0.5)
        weights = _DISTRICT_WEIGHTS if index < DISTRICT_SEATS else _LIST_WEIGHTS
        party = stream.weighted(list(zip(PARTIES, weights, strict=True)))
        earlier = stream.weighted(_EARLIER) if index < DISTRICT_SEATS and term == 21 else ()
        if term == 22 and index < DISTRICT_SEATS and stream.chance(0.08):
            earlier = (20,)  # back after one term outside
        found.append(_Draft(index, person, name, female, party, (*earlier, term)))
    newcomers = [d for d in found if d.person.startswith(f"{term}.")]
    # two namesakes a term: only the code tells them apart
    newcomers[1].name = newcomers[0].name
    return tuple(found)


def _build(world: World, term: int) -> tuple[Member, ...]:
    posts = assign_posts(world, term, half=2 if term == 21 else 1)
    names = districts()
    found = []
    for draft in _drafts(world, term):
        stream = world.identity("politics", "life", draft.person)
        listed = draft.index >= DISTRICT_SEATS
        party_place = PARTIES.index(draft.party)
        found.append(
            Member(
                term=term,
                index=draft.index,
                code=_code(world, draft.person),
                number=f"{term}{draft.index + 1001}",
                office=f"9771{draft.index + 100:03d}",
                name=draft.name.hangul,
                hanja=draft.name.hanja,
                english=draft.name.latin,
                sex="여" if draft.female else "남",
                born=datetime.date(stream.between(1950, 1984), stream.between(1, 12), stream.between(1, 28)),
                lunar=stream.chance(0.2),
                party=draft.party,
                party_code=f"10{party_place + 1:02d}",
                seat="비례대표" if listed else "지역구",
                district="비례대표" if listed else names[draft.index],
                terms=draft.terms,
                posts=tuple(posts.get(draft.index, ())),
            )
        )
    return tuple(sorted(found, key=lambda member: (member.name, member.code)))


def _code(world: World, person: str) -> str:
    term, _, index = person.partition(".")
    # 26³ · 10⁴ codes are enough for a bijection, so no two people share one
    serial = permuted(int(index) + SEATS * (int(term) - 21), 260_000, seed_of("mona", world.identity_seed))
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return f"{letters[serial % 26]}{serial % 7 + 2}{letters[serial // 26 % 26]}{serial // 26:04d}{letters[serial * 7 % 26]}"


def assign_posts(world: World, term: int, half: int) -> dict[int, list[tuple[Committee, str]]]:
    """Seat number → committees with roles, for one half of a term; every seat but the speaker's has a main one."""
    drafts = _drafts(world, term)
    speaker = speaker_seat(world, term)
    stream = world.identity("politics", "posts", term, half)
    order = stream.sample([d for d in drafts if d.index != speaker], SEATS - 1)
    posts: dict[int, list[tuple[Committee, str]]] = {d.index: [] for d in order}
    place = 0
    table = committees(world)
    for committee in sorted(table, key=lambda c: not c.main):
        if committee.main:
            seated = order[place : place + committee.seats]
            place += committee.seats
        else:
            seated = stream.sample(order, committee.seats - (committee.index % 3 == 2))
        for draft, role in _roles(seated, committee):
            posts[draft.index].append((committee, role))
    return posts


def _roles(seated: list[_Draft], committee: Committee) -> list[tuple[_Draft, str]]:
    """One chair, and one whip from each of the two largest parties."""
    chair_party = PARTIES[committee.index % 5 in (1, 3)]
    chair = next((d for d in seated if d.party == chair_party and len(d.terms) > 1), seated[0])
    whips = [next((d for d in seated if d.party == party and d is not chair), None) for party in PARTIES[:2]]
    return [(d, "위원장" if d is chair else "간사" if d in whips else "위원") for d in seated]
