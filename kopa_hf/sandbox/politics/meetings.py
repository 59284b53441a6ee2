"""Meetings of plenary, committees and subcommittees: when, where, in which session, with which number."""

from __future__ import annotations

import bisect
import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.politics.committees import (
    PLENARY,
    PLENARY_MINUTES_CODE,
    Committee,
    committees,
    investigating,
)
from kopa_hf.sandbox.politics.terms import Session, days_of, sessions
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World

PLENARY_KIND: Final = "국회본회의"
COMMITTEE_KIND: Final = "상임위원회"
SPECIAL_KIND: Final = "특별위원회"
BUDGET_KIND: Final = "예산결산특별위원회"
SUB_KIND: Final = "소위원회"
AUDIT_KIND: Final = "국정감사"
INQUIRY_KIND: Final = "국정조사"
WHOLE_KIND: Final = "전원위원회"
_FIRST_ID: Final = 48_000
_SUBCOMMITTEES: Final = ("법안심사소위원회", "예산결산심사소위원회", "청원심사소위원회")


@dataclass(frozen=True, slots=True)
class Meeting:
    """One meeting; `marks` names what it held besides bills."""

    id: str
    """CONF_ID: six digits with leading zeros, one system over all minutes tools."""
    kind: str
    committee: Committee | None
    """None: the plenary."""
    sub: int | None
    """Place of the subcommittee in its committee; None: the whole committee."""
    day: datetime.date
    session: Session
    order: int
    """차수 within session and committee."""
    begins: int
    """Minutes after midnight."""
    lasts: int
    """Minutes."""
    mark: str
    """공청회, 청문회, 연석회의, 시정연설, 외빈연설, 취임연설 or empty."""

    @property
    def term(self) -> int:
        """The term of its session."""
        return self.session.term

    @property
    def full(self) -> bool:
        """Whether the whole committee (or the plenary) met to legislate."""
        return self.sub is None and self.kind not in (AUDIT_KIND, INQUIRY_KIND, WHOLE_KIND)

    @property
    def body(self) -> str:
        """Committee's name, 본회의 or 전원위원회."""
        return self.committee.name if self.committee else WHOLE_KIND if self.kind == WHOLE_KIND else PLENARY[1]

    @property
    def minutes_code(self) -> str:
        """CMIT_CD."""
        return self.committee.minutes_code if self.committee else PLENARY_MINUTES_CODE

    @property
    def sub_name(self) -> str | None:
        """The subcommittee's name."""
        return None if self.sub is None else _SUBCOMMITTEES[self.sub]

    @property
    def sub_code(self) -> str | None:
        """The subcommittee's minutes code."""
        return None if self.sub is None else f"{self.minutes_code}{self.sub + 1}"

    @property
    def title(self) -> str:
        """제415회국회(임시회) 제2차 법제사법위원회."""
        name = f"{self.committee.short} {self.sub_name}" if self.committee and self.sub_name else self.body
        word = "국정감사 " if self.kind == AUDIT_KIND else "국정조사 " if self.kind == INQUIRY_KIND else ""
        return f"{self.session.label}국회({self.session.kind}) 제{self.order}차 {word}{name}"

    @property
    def place(self) -> str:
        """Where it met."""
        if self.committee is None:
            return "국회 본회의장"
        return f"국회 본관 {401 + 7 * (self.committee.index % 31)}호"


def clock(minutes: int) -> str:
    """10:05 for 605 minutes after midnight."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def meetings(world: World) -> tuple[Meeting, ...]:
    """All meetings, the earliest first."""
    return world.table("politics.meetings", _build)


def meeting_by_id(world: World, conf_id: str) -> Meeting | None:
    """The meeting of an id."""
    return world.table("politics.meeting_ids", lambda w: {m.id: m for m in meetings(w)}).get(conf_id)


class Diary:
    """Full meetings of one body in one term, to be asked for the next one after a day."""

    __slots__ = ("_days", "meetings")

    def __init__(self, found: list[Meeting]) -> None:
        self.meetings = found
        self._days = [meeting.day for meeting in found]

    def after(self, day: datetime.date, skip: int = 0) -> Meeting | None:
        """The first meeting on or after a day, or the `skip`-th behind it; None where the term ends before."""
        place = bisect.bisect_left(self._days, day) + skip
        return self.meetings[place] if place < len(self.meetings) else None


def diary(world: World, term: int, committee: Committee | None) -> Diary:
    """Full meetings of a committee, or of the plenary, in a term."""
    table = world.table("politics.diaries", _diaries)
    return table.get((term, committee.index if committee else -1), Diary([]))


def sub_diary(world: World, term: int, committee: Committee) -> Diary:
    """Meetings of a committee's subcommittee for bills in a term."""
    table = world.table("politics.sub_diaries", _sub_diaries)
    return table.get((term, committee.index), Diary([]))


def _diaries(world: World) -> dict[tuple[int, int], Diary]:
    found: dict[tuple[int, int], list[Meeting]] = {}
    for meeting in meetings(world):
        if meeting.full:
            found.setdefault((meeting.term, meeting.committee.index if meeting.committee else -1), []).append(meeting)
    return {key: Diary(group) for key, group in found.items()}


def _sub_diaries(world: World) -> dict[tuple[int, int], Diary]:
    found: dict[tuple[int, int], list[Meeting]] = {}
    for meeting in meetings(world):
        if meeting.sub == 0 and meeting.committee is not None:
            found.setdefault((meeting.term, meeting.committee.index), []).append(meeting)
    return {key: Diary(group) for key, group in found.items()}


@dataclass(frozen=True, slots=True)
class _Slot:
    day: datetime.date
    place: int
    """-1 the plenary, else the committee's index; orders meetings of one day."""
    kind: str
    committee: Committee | None
    sub: int | None
    session: Session


def _build(world: World) -> tuple[Meeting, ...]:
    slots: list[_Slot] = []
    for session in sessions(world):
        slots.extend(_plenary(world, session))
        for committee in committees(world):
            slots.extend(_committee(world, session, committee))
    slots.sort(key=lambda s: (s.day, s.place, -1 if s.sub is None else s.sub, s.kind))
    orders: dict[tuple[int, int, int | None, bool], int] = {}
    found = []
    for serial, slot in enumerate(slots):
        apart = slot.kind in (AUDIT_KIND, INQUIRY_KIND)
        key = (slot.session.number, slot.place, slot.sub, apart)
        orders[key] = order = orders.get(key, 0) + 1
        found.append(_meeting(world, serial, slot, order))
    return tuple(found)


def _plenary(world: World, session: Session) -> list[_Slot]:
    """One or two Thursdays of an extraordinary session, five to seven of a regular one."""
    stream = world.identity("politics", "plenary", session.number)
    thursdays = days_of(session, (3,))
    wanted = stream.between(5, 7) if session.regular else stream.between(1, 2)
    if session.begins.month == 12:
        # the winter session votes before the year ends; what committees finish later waits for February
        thursdays = [day for day in thursdays if day.month == 12]
    days = sorted(stream.sample(thursdays, wanted))
    found = [_Slot(day, -1, PLENARY_KIND, None, None, session) for day in days]
    if session.number == 404:
        # the house sat as a committee of the whole once, to debate the electoral system
        found += [_Slot(day, -2, WHOLE_KIND, None, None, session) for day in days_of(session, (0, 1, 2))[:4]]
    return found


def _committee(world: World, session: Session, committee: Committee) -> list[_Slot]:
    stream = world.identity("politics", "sittings", session.number, committee.index)
    days = days_of(session, (0, 1, 2, 4))
    autumn = [day for day in days if day.month == 10 and session.regular]
    days = [day for day in days if day not in autumn]
    if committee in investigating(world):
        # each inquiry sat for one session of its own
        if session.number != (393 if committee.index % 2 else 423):
            return []
        return _slots(stream, days, stream.between(7, 10), INQUIRY_KIND, committee, session)
    special = committee.kind != "상임위원회"
    kind = BUDGET_KIND if committee.kind == "상설특별위원회" else SPECIAL_KIND if special else COMMITTEE_KIND
    fewer = special or not committee.main
    most = (5 if fewer else 9) if session.regular else (1 if fewer else 3)
    found = _slots(stream, days, stream.between(max(most - 2, 1), most), kind, committee, session)
    if not special:
        for sub, most_subs in enumerate((2, 1, 1)):
            wanted = stream.between(0 if sub else 1, most_subs)
            found += _slots(stream, days, wanted, SUB_KIND, committee, session, sub)
        if autumn and committee.main:
            found += _slots(stream, autumn, stream.between(7, 9), AUDIT_KIND, committee, session)
    return found


def _slots(
    stream: Stream,
    days: list[datetime.date],
    wanted: int,
    kind: str,
    committee: Committee,
    session: Session,
    sub: int | None = None,
) -> list[_Slot]:
    return [_Slot(day, committee.index, kind, committee, sub, session) for day in stream.sample(days, wanted)]


def _meeting(world: World, serial: int, slot: _Slot, order: int) -> Meeting:
    stream = world.identity("politics", "meeting", slot.day.toordinal(), slot.place, slot.sub, slot.kind)
    return Meeting(
        id=f"{_FIRST_ID + serial:06d}",
        kind=slot.kind,
        committee=slot.committee,
        sub=slot.sub,
        day=slot.day,
        session=slot.session,
        order=order,
        begins=(14 if slot.place < 0 else stream.choice((9, 10, 10, 14))) * 60 + stream.below(15),
        lasts=stream.between(40, 420),
        mark=_mark(stream, slot, order),
    )


def _mark(stream: Stream, slot: _Slot, order: int) -> str:
    """What a meeting held besides bills."""
    if slot.place == -1:
        if slot.session.regular and order == 4:
            return "시정연설"
        if slot.session.number == 396 and order == 1:
            return "취임연설"
        return "외빈연설" if stream.chance(0.03) else ""
    if slot.kind == COMMITTEE_KIND:
        return stream.weighted((("", 90), ("공청회", 7), ("청문회", 2), ("연석회의", 1)))
    return ""
