"""Members of the 21st and 22nd term: invented people and parties on real regions."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.people import person_name, sex
from kopa_hf.sandbox.politics.committees import Committee, committees
from kopa_hf.sandbox.rng import Stream, permuted, seed_of
from kopa_hf.sandbox.world import World

TERMS: Final = (21, 22)
SEATS: Final = 300
_DISTRICT_SEATS: Final = 254
PARTIES: Final = (("새봄당", 43), ("한길당", 36), ("푸른내일", 9), ("민생연대", 6), ("다함께당", 4), ("무소속", 2))
"""(invented party, weight)."""
_REGIONS: Final = (
    ("서울", ("종로구", "마포구갑", "마포구을", "강서구갑", "송파구병", "노원구을", "관악구갑", "성북구을", "은평구갑"), 48),
    ("부산", ("해운대구갑", "사하구을", "남구", "북구갑", "연제구"), 18), ("대구", ("수성구을", "달서구병", "중구남구"), 12),
    ("인천", ("연수구갑", "남동구을", "부평구갑", "서구병"), 14), ("광주", ("북구갑", "광산구을", "서구을"), 8),
    ("대전", ("유성구갑", "서구을", "대덕구"), 7), ("울산", ("남구갑", "북구"), 6), ("세종", ("갑", "을"), 2),
    ("경기", ("수원시갑", "성남시분당구을", "고양시병", "용인시정", "화성시을", "평택시갑", "안산시을", "부천시갑"), 60),
    ("강원", ("춘천시갑", "원주시을", "강릉시"), 8), ("충북", ("청주시흥덕구", "충주시", "증평군진천군음성군"), 8),
    ("충남", ("천안시을", "아산시갑", "당진시"), 11), ("전북", ("전주시병", "군산시", "익산시갑"), 10),
    ("전남", ("목포시", "여수시을", "순천시갑"), 10), ("경북", ("포항시북구", "구미시을", "경주시"), 13),
    ("경남", ("창원시성산구", "김해시갑", "진주시을"), 16), ("제주", ("제주시갑", "서귀포시"), 3),
)  # fmt: skip
_HANJA: Final = "金李朴崔鄭姜趙尹張林韓吳徐申權黃安宋柳洪全高文孫梁裵白許南盧"
_TERM_NAMES: Final = ("초선", "재선", "3선", "4선")


@dataclass(frozen=True, slots=True)
class Member:
    """One member in one term."""

    term: int
    index: int
    """Place in the term's list."""
    code: str
    """MONA_CD and NAAS_CD: eight signs, the same person's in both terms."""
    number: str
    """MEMBER_NO of the vote tool: a system of its own."""
    office: str
    """DEPT_CD of the vote tool: the member's office, no committee."""
    name: str
    hanja: str
    english: str
    sex: str
    born: datetime.date
    party: str
    party_code: str
    seat: str
    """지역구 or 비례대표."""
    district: str
    times: str
    """초선, 재선, …"""
    terms: tuple[int, ...]
    """Terms served, the oldest first."""
    committee: Committee
    role: str
    """위원장, 간사 or 위원 in that committee."""


def members(world: World, term: int) -> tuple[Member, ...]:
    """The members of a term, by name."""
    return world.table(f"politics.members.{term}", lambda w: _build(w, term))


def _build(world: World, term: int) -> tuple[Member, ...]:
    again = set(world.identity("politics", "reelected").sample(range(SEATS), 110))
    table = committees(world)
    drawn = []
    for index in range(SEATS):
        # a re-elected person keeps name, code and birth; whoever is new in 22 gets streams of his own
        person = f"p{index}" if term == 21 or index in again else f"q{index}"
        drawn.append(_member(world, term, index, person, table, both=term == 22 and index in again))
    return tuple(sorted(drawn, key=lambda member: (member.name, member.code)))


def _member(world: World, term: int, index: int, person: str, table: tuple[Committee, ...], *, both: bool) -> Member:
    stream = world.identity("politics", "person", person)
    name = person_name(stream)
    if index == 7:
        # two namesakes a term: only the code tells them apart
        name = person_name(world.identity("politics", "person", person.replace("7", "8", 1)))
    gender, born = sex(stream), datetime.date(stream.between(1950, 1988), stream.between(1, 12), stream.between(1, 28))
    serial = permuted(index + (0 if person.startswith("p") else 1000), 4096, seed_of("mona", world.identity_seed))
    local = world.identity("politics", "mandate", term, index)
    district_seat = index < _DISTRICT_SEATS
    region, places, _ = local.weighted([(entry, entry[2]) for entry in _REGIONS])
    party = local.weighted([(p, w) for p, w in PARTIES])
    committee = table[index % len(table)]
    place = index // len(table)
    earlier = () if not both else (21,)
    return Member(
        term=term,
        index=index,
        code=f"{'ABCDEFGHKM'[serial % 10]}{serial:04d}{'QRSTUVWXYZ'[serial % 7]}{'0123456789'[serial % 3]}{'GHJKLMNPQR'[serial % 9]}",
        number=f"{term}{index + 1001}",
        office=f"9771{index + 100:03d}",
        name=name,
        hanja=_hanja(stream, name),
        english=f"MEMBER {serial:04d}",
        sex=gender,
        born=born,
        party=party,
        party_code=f"10{1 + [p for p, _ in PARTIES].index(party):02d}",
        seat="지역구" if district_seat else "비례대표",
        district=f"{region} {local.choice(places)}" if district_seat else "비례대표",
        times=_TERM_NAMES[len(earlier)],
        terms=(*earlier, term),
        committee=committee,
        role=("위원장", "간사", "간사")[place] if place < 3 else "위원",
    )


def _hanja(stream: Stream, name: str) -> str:
    return "".join(_HANJA[(ord(char) + stream.below(3)) % len(_HANJA)] for char in name)
