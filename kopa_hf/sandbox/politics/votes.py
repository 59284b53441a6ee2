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


def choice(world: World, bill: Bill, member: Member) -> str:
    """How a member voted. Parties lean one way; values redraw who strays and who is absent."""
    leaning = mix(world.measure_seed("politics", "line", bill.id), [p for p, _ in PARTIES].index(member.party)) % 100
    draw = mix(world.measure_seed("politics", "vote", bill.id), member.index) % 1000
    if draw < 110:
        return "불참"
    against = leaning < (8 if bill.result != "부결" else 62)
    if draw < 150:
        return "기권"
    strays = draw < 185
    return "찬성" if against == strays else "반대"


def tally(world: World, bill: Bill) -> Tally:
    """The totals of the member rows."""
    tables: dict[str, Tally] = world.table("politics.tallies", lambda _: {})
    found = tables.get(bill.id)
    if found is None:
        people = members(world, bill.term)
        counts = Counter(choice(world, bill, member) for member in people)
        found = tables[bill.id] = Tally(len(people), counts["찬성"], counts["반대"], counts["기권"])
    return found
