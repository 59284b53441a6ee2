"""Plenary votes: one choice per member and bill, and the totals made of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.politics.bills import Bill, all_bills
from kopa_hf.sandbox.politics.members import PARTIES, Member, members
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World

CHOICES: Final = ("찬성", "반대", "기권", "불참")
_ABSENT: Final = 110
_BLANK: Final = 150
_STRAYS: Final = 185
"""Of a thousand members so many are absent, then abstain, then vote against their party."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Totals of one vote."""

    members: int
    yes: int
    no: int
    blank: int

    @property
    def votes(self) -> int:
        """Votes cast: absentees are not in it."""
        return self.yes + self.no + self.blank


def voted_bills(world: World, term: int) -> tuple[Bill, ...]:
    """Bills of a term that the plenary voted on, the latest vote first."""
    return world.table(
        f"politics.voted.{term}",
        lambda w: tuple(
            sorted(
                (b for b in all_bills(w) if b.term == term and b.voted and b.plenary_done is not None),
                key=lambda b: (b.plenary_done, b.number),
                reverse=True,
            )
        ),
    )


def ballot(world: World, bill: Bill) -> tuple[str, ...]:
    """How everybody voted, by the member's place in the term."""
    kept: dict[str, tuple[str, ...]] = world.table("politics.ballots", lambda _: {})
    found = kept.get(bill.id)
    if found is None:
        against = _lines(bill, world.measure_seed("politics", "line", bill.id))
        seed = world.measure_seed("politics", "vote", bill.id)
        choices = [""] * len(members(world, bill.term))
        for member in members(world, bill.term):
            draw = mix(seed, member.index) % 1000
            if draw < _ABSENT:
                choices[member.index] = "불참"
            elif draw < _BLANK:
                choices[member.index] = "기권"
            else:
                choices[member.index] = "찬성" if (member.party in against) == (draw < _STRAYS) else "반대"
        found = kept[bill.id] = tuple(choices)
    return found


def _lines(bill: Bill, seed: int) -> frozenset[str]:
    """Parties that vote no. The bill's result stands in every world, so a majority always carries it.

    The largest party decides; either the second or the small ones may be on the other side, never both.
    """
    largest, second, *small = (party for party, _ in PARTIES)
    draw = mix(seed, 0) % 100
    if bill.result != "부결":
        if draw < 15:
            return frozenset((second,))
        return frozenset(party for place, party in enumerate(small) if mix(seed, 1 + place) % 100 < 12)
    if draw < 50:
        return frozenset((largest, second, *(p for place, p in enumerate(small) if mix(seed, 1 + place) % 2)))
    return frozenset((largest, *small))


def choice(world: World, bill: Bill, member: Member) -> str:
    """How a member voted. Values redraw the parties' lines, who strays and who is absent; the result stays."""
    return ballot(world, bill)[member.index]


def tally(world: World, bill: Bill) -> Tally:
    """The totals of the member rows."""
    tables: dict[str, Tally] = world.table("politics.tallies", lambda _: {})
    found = tables.get(bill.id)
    if found is None:
        counts = Counter(ballot(world, bill))
        found = tables[bill.id] = Tally(counts.total(), counts["찬성"], counts["반대"], counts["기권"])
    return found
