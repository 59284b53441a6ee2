"""Meetings and their minutes: plenary days and committee days on which bills were dealt with."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.politics.bills import Bill, all_bills
from kopa_hf.sandbox.politics.committees import PLENARY, Committee, committees
from kopa_hf.sandbox.politics.ways import JUDICIARY
from kopa_hf.sandbox.rng import Stream, permuted, seed_of
from kopa_hf.sandbox.world import World

_PLENARY: Final = -1
"""The plenary's place among the committees' indices."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """One meeting."""

    id: str
    """CONF_ID, six digits; one system over all minutes tools."""
    term: int
    kind: str
    """국회본회의 or 상임위원회."""
    committee: Committee | None
    day: datetime.date
    session: int
    order: int
    begins: str
    ends: str
    minutes: int
    bills: tuple[Bill, ...]

    @property
    def name(self) -> str:
        """Committee's or plenary's name."""
        return self.committee.name if self.committee else PLENARY[1]


def session_number(day: datetime.date) -> int:
    """Number of the session that a day falls into: one a month, counted on from the 379th (June 2020)."""
    return 379 + (day.year - 2020) * 12 + day.month - 6


def meetings(world: World) -> tuple[Meeting, ...]:
    """All meetings, the latest first."""
    return world.table("politics.meetings", _build)


def meeting_by_id(world: World, conf_id: str) -> Meeting | None:
    """The meeting of an id."""
    return world.table("politics.meeting_ids", lambda w: {m.id: m for m in meetings(w)}).get(conf_id)


def meetings_of(world: World, bill: Bill) -> tuple[Meeting, ...]:
    """Meetings that dealt with a bill, in order."""
    by_bill = world.table("politics.meetings_of", _by_bill)
    return by_bill.get(bill.id, ())


def _by_bill(world: World) -> dict[str, tuple[Meeting, ...]]:
    found: dict[str, list[Meeting]] = {}
    for meeting in reversed(meetings(world)):
        for bill in meeting.bills:
            found.setdefault(bill.id, []).append(meeting)
    return {key: tuple(group) for key, group in found.items()}


def _build(world: World) -> tuple[Meeting, ...]:
    agenda: dict[tuple[datetime.date, int], dict[str, Bill]] = {}
    for bill in all_bills(world):
        own = bill.committee.index
        days = [(bill.presented, own), (bill.committee_done, own), (bill.judiciary_done, JUDICIARY)]
        days += [(bill.plenary_done, _PLENARY)] if bill.voted else []
        for day, place in days:
            if day is not None:
                agenda.setdefault((day, place), {})[bill.id] = bill
    orders: dict[tuple[int, int], int] = {}
    found = []
    for serial, (day, place) in enumerate(sorted(agenda)):
        session = session_number(day)
        orders[session, place] = orders.get((session, place), 0) + 1
        treated = list(agenda[day, place].values())
        found.append(_meeting(world, serial, day, place, treated, session, orders[session, place]))
    return tuple(reversed(found))


def _meeting(
    world: World, serial: int, day: datetime.date, place: int, treated: list[Bill], session: int, order: int
) -> Meeting:
    stream: Stream = world.identity("politics", "meeting", day.isoformat(), place)
    begins = 9 * 60 + 10 * stream.below(36)
    lasts = 20 + 5 * stream.below(60)
    ends = min(begins + lasts, 23 * 60 + 55)
    return Meeting(
        id=str(100_000 + permuted(serial, 900_000, seed_of("meeting", world.identity_seed))),
        term=treated[0].term,
        kind="국회본회의" if place == _PLENARY else "상임위원회",
        committee=None if place == _PLENARY else committees(world)[place],
        day=day,
        session=session,
        order=order,
        begins=f"{begins // 60:02d}:{begins % 60:02d}",
        ends=f"{ends // 60:02d}:{ends % 60:02d}",
        minutes=ends - begins,
        bills=tuple(sorted(treated, key=lambda bill: bill.number)),
    )
