"""How far a bill gets and when: committee, judiciary committee, plenary; on days on which they meet."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import business_day_from
from kopa_hf.sandbox.politics.committees import Committee
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import LAST_DAY

SPAN: Final = {
    21: (datetime.date(2020, 6, 1), datetime.date(2024, 5, 29)),
    22: (datetime.date(2024, 5, 30), LAST_DAY),
}
"""First and last day with bills, by term."""
JUDICIARY: Final = 1
"""Place of the judiciary committee, which sees every bill before the plenary does."""

Date = datetime.date | None


def plenary_day(day: datetime.date) -> datetime.date:
    """The plenary's next day: it votes on the fourth Thursday of a month."""
    while True:
        fourth = datetime.date(day.year, day.month, 28)
        fourth = business_day_from(fourth - datetime.timedelta(days=(fourth.weekday() - 3) % 7))
        if fourth >= day:
            return fourth
        day = (day.replace(day=1) + datetime.timedelta(days=32)).replace(day=1)


def sitting_day(day: datetime.date, committee: int) -> datetime.date:
    """A committee's next day: it sits every second week, on a weekday of its own."""
    turn = 1 + committee % 3 + 7 * (committee % 2)
    return business_day_from(day + datetime.timedelta(days=(turn - day.toordinal()) % 14))


@dataclass(slots=True)
class Way:
    """Days and results of the stages that a bill reached."""

    referred: Date = None
    presented: Date = None
    committee_done: Date = None
    committee_result: str | None = None
    judiciary_in: Date = None
    judiciary_done: Date = None
    plenary_done: Date = None
    result: str | None = None


def draw_way(
    stream: Stream, day: datetime.date, ends: datetime.date, term: int, kind: str, committee: Committee
) -> Way:
    """Stages in order, each some days after the one before; what lies past the term's end did not happen."""

    def later(since: datetime.date, low: int, high: int) -> datetime.date:
        return business_day_from(since + datetime.timedelta(days=stream.between(low, high)))

    def within(found: datetime.date) -> Date:
        return found if found <= ends else None

    way = Way()
    fate = stream.weighted(
        (("원안가결", 12), ("수정가결", 12), ("부결", 2), ("대안반영폐기", 30), ("철회", 3), ("pending", 41))
    )
    if kind == "위원장":
        fate = stream.weighted((("원안가결", 94), ("부결", 6)))
        way.presented = way.committee_done = day
        way.committee_result = "원안가결"
    else:
        way.referred = within(later(day, 1, 5))
        if way.referred is not None and fate != "철회" and (fate != "pending" or stream.chance(0.5)):
            way.presented = within(sitting_day(later(way.referred, 20, 120), committee.index))
        if way.presented is not None and fate not in ("철회", "pending"):
            way.committee_done = within(sitting_day(later(way.presented, 10, 150), committee.index))
            way.committee_result = fate if way.committee_done else None
    if fate == "철회":
        way.plenary_done = within(later(way.referred, 5, 60)) if way.referred else None
        way.result = fate if way.plenary_done else None
    elif fate == "대안반영폐기":
        way.plenary_done = way.committee_done
        way.result = fate if way.committee_done else None
    elif fate != "pending" and way.committee_done is not None:
        way.judiciary_in = within(later(way.committee_done, 1, 10))
        if way.judiciary_in:
            way.judiciary_done = within(sitting_day(later(way.judiciary_in, 5, 45), JUDICIARY))
        if way.judiciary_done:
            way.plenary_done = within(plenary_day(later(way.judiciary_done, 1, 5)))
        way.result = fate if way.plenary_done else None
    if way.result is None and term == 21:
        way.result = "임기만료폐기"
        way.plenary_done = ends
    return way


def hearing_way(stream: Stream, day: datetime.date, ends: datetime.date, term: int, committee: Committee) -> Way:
    """A nomination's way: referral, a hearing, the committee's report; the plenary does not vote on it."""
    way = Way(referred=business_day_from(day + datetime.timedelta(days=stream.between(1, 3))))
    assert way.referred is not None
    presented = sitting_day(way.referred + datetime.timedelta(days=stream.between(7, 15)), committee.index)
    done = business_day_from(presented + datetime.timedelta(days=stream.between(1, 6)))
    way.presented = presented if presented <= ends else None
    if done <= ends:
        way.committee_done = way.plenary_done = done
        way.committee_result = way.result = "채택" if stream.chance(0.75) else "미채택"
    elif term == 21:
        way.plenary_done, way.result = ends, "임기만료폐기"
    if way.referred > ends:
        way.referred = None
    return way
