"""All bills of two terms, who proposed them together, and which meetings dealt with them."""

from __future__ import annotations

from kopa_hf.sandbox.politics.bill import Bill, finish_ids
from kopa_hf.sandbox.politics.lawmaking import make_laws
from kopa_hf.sandbox.politics.meetings import Meeting
from kopa_hf.sandbox.politics.members import Member, members
from kopa_hf.sandbox.politics.otherbills import make_others
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World


def bills(world: World, term: int) -> tuple[Bill, ...]:
    """All bills of a term, the latest first."""
    return world.table(f"politics.bills.{term}", lambda w: _build(w, term))


def all_bills(world: World) -> tuple[Bill, ...]:
    """Both terms, the latest first."""
    return world.table("politics.bills", lambda w: bills(w, 22) + bills(w, 21))


def bill_by_id(world: World, bill_id: str) -> Bill | None:
    """The bill of an id."""
    return world.table("politics.bill_ids", lambda w: {b.id: b for b in all_bills(w)}).get(bill_id)


def _build(world: World, term: int) -> tuple[Bill, ...]:
    found = make_laws(world, term) + make_others(world, term)
    finish_ids(found, term)
    return tuple(reversed(found))


def partners(world: World, bill: Bill) -> tuple[Member, ...]:
    """Members who proposed a bill together with its lead, by name; mostly from the lead's party."""
    kept: dict[str, tuple[Member, ...]] = world.table("politics.partners", lambda _: {})
    if bill.lead is not None and bill.id not in kept:
        kept[bill.id] = _partners(world, bill, bill.lead)
    return kept.get(bill.id, ())


def _partners(world: World, bill: Bill, lead: Member) -> tuple[Member, ...]:
    stream = Stream(bill.seed, "partners")
    people = members(world, bill.term)
    own = [m for m in people if m.party == lead.party and m is not lead]
    others = [m for m in people if m.party != lead.party]
    home = min(bill.supporters - bill.supporters // 5, len(own))
    chosen = stream.sample(own, home)
    chosen += stream.sample(others, bill.supporters - len(chosen))
    return tuple(sorted(chosen, key=lambda m: (m.name, m.code)))


def agenda(world: World, meeting: Meeting) -> tuple[Bill, ...]:
    """Bills that a meeting dealt with, by number."""
    return world.table("politics.agendas", _agendas).get(meeting.id, ())


def meetings_of(world: World, bill: Bill) -> tuple[Meeting, ...]:
    """Meetings that dealt with a bill, the earliest first."""
    stages = (bill.review, bill.budget, bill.law_review)
    found = [m for stage in stages for m in (stage.presented, stage.done) if m is not None]
    found += [m for m in (bill.origin, bill.subreview, bill.plenary) if m is not None]
    return tuple(sorted({m.id: m for m in found}.values(), key=lambda m: m.id))


def _agendas(world: World) -> dict[str, tuple[Bill, ...]]:
    found: dict[str, list[Bill]] = {}
    for bill in sorted(all_bills(world), key=lambda b: b.number):
        for meeting in meetings_of(world, bill):
            found.setdefault(meeting.id, []).append(bill)
    return {key: tuple(group) for key, group in found.items()}
