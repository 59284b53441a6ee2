"""What the Election Commission's operations hang on: past elections, their kinds, and invented candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.agencies.numbered import fixed
from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.places import District, districts
from kopa_hf.sandbox.politics.members import PARTIES
from kopa_hf.sandbox.world import World

_ELECTIONS: Final = ("20240410", "20220601", "20250603", "20220309", "20200415", "20180613")
"""Days of general, local and presidential elections; the commission numbers them so."""
_CANDIDATES: Final = 7_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """One who stands for an office."""

    number: str
    name: str
    party: str
    district: District


def candidates(world: World) -> tuple[Candidate, ...]:
    """All of them; a name may be borne by several, a number is not."""

    def build(world: World) -> tuple[Candidate, ...]:
        everywhere = districts()
        found = []
        for index in range(_CANDIDATES):
            stream = world.identity("agencies", "candidate", index)
            number = f"100{100_000 + index * 7}"
            found.append(Candidate(number, person_name(stream), stream.choice(PARTIES), stream.choice(everywhere)))
        return tuple(found)

    return world.table("agencies.candidates", build)


KINDS: Final = (
    Kind("election", fixed(_ELECTIONS), {"nec.election_id": str}),
    Kind("kind of election", fixed(tuple(str(i) for i in range(1, 12))), {"nec.election_type": str}),
    Kind(
        "candidate",
        candidates,
        {
            "nec.candidate_id": lambda c: c.number,
            "nec.candidate_name": lambda c: c.name,
            "assembly.party": lambda c: c.party,
            "region.sido_name": lambda c: c.district.province.name,
            "region.sgg_name": lambda c: c.district.name,
        },
    ),
)
