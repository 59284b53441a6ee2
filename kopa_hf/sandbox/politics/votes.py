"""Plenary votes: one choice per member and bill, and the totals made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.politics.bill import PASSED, Bill
from kopa_hf.sandbox.politics.bills import bills
from kopa_hf.sandbox.politics.members import PARTIES, members
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World

CHOICES: Final = ("찬성", "반대", "기권", "불참")
_YES, _NO, _BLANK, _ABSENT = range(4)


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

    def build(w: World) -> tuple[Bill, ...]:
        found = [bill for bill in bills(w, term) if bill.plenary is not None]
        return tuple(sorted(found, key=lambda b: (b.closed, b.number), reverse=True))

    return world.table(f"politics.voted.{term}", build)


def ballot(world: World, bill: Bill) -> bytes:
    """Every member's choice as a place in `CHOICES`, in the order of `members`."""
    kept: dict[str, bytes] = world.table("politics.ballots", lambda _: {})
    found = kept.get(bill.id)
    if found is None:
        found = kept[bill.id] = bytes(_settle(_cast(world, bill), passed=bill.result in PASSED))
    return found


def tally(world: World, bill: Bill) -> Tally:
    """The totals of the member rows."""
    kept: dict[str, Tally] = world.table("politics.tallies", lambda _: {})
    found = kept.get(bill.id)
    if found is None:
        cast = ballot(world, bill)
        found = kept[bill.id] = Tally(len(cast), cast.count(_YES), cast.count(_NO), cast.count(_BLANK))
    return found


def _cast(world: World, bill: Bill) -> list[int]:
    """Parties lean one way, the proposer's own for it; values say who strays and who is absent."""
    seed = world.measure_seed("politics", "vote", bill.id)
    head = mix(seed, 1)
    absent = 30 + head % 160
    """Thousandths that stay away."""
    contested = (head >> 16) % 100 < (22 if bill.result in PASSED else 100)
    own = bill.lead.party if bill.lead is not None else None
    against = {p for place, p in enumerate(PARTIES) if contested and p != own and (head >> (24 + place)) & 1}
    choices = []
    for place, member in enumerate(members(world, bill.term)):
        if place % 4 == 0:
            draw = mix(seed, 2 + place // 4)
        part = (draw >> (16 * (place % 4))) & 0xFFFF
        chance, way = part % 1000, part // 1000
        if chance < absent:
            choices.append(_ABSENT)
        elif way < 2:
            choices.append(_BLANK)
        else:
            strays = way == 2
            choices.append(_NO if (member.party in against) != strays else _YES)
    return choices


def _settle(choices: list[int], *, passed: bool) -> list[int]:
    """A majority of those present, and half the house present, for what passed; the opposite for what failed.

    Members are turned in order until the result that the bill's history tells is reached.
    """
    half = len(choices) // 2
    for place, choice in enumerate(choices):
        if len(choices) - choices.count(_ABSENT) > half:
            break
        if choice == _ABSENT:
            choices[place] = _YES if passed else _NO
    wrong, right = (_NO, _YES) if passed else (_YES, _NO)
    for place, choice in enumerate(choices):
        yes, cast = choices.count(_YES), len(choices) - choices.count(_ABSENT)
        if (yes * 2 > cast) == passed:
            break
        if choice == wrong:
            choices[place] = right
    return choices
