"""Bills of two terms and their way: proposal, committee, judiciary committee, plenary, promulgation."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import business_day_from
from kopa_hf.sandbox.politics.committees import Committee, committee_for_bill
from kopa_hf.sandbox.politics.members import Member, members
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import LAST_DAY, World

SPAN: Final = {
    21: (datetime.date(2020, 6, 1), datetime.date(2024, 5, 29)),
    22: (datetime.date(2024, 5, 30), LAST_DAY),
}
BILLS: Final = {21: 2600, 22: 1900}
_SHAPES: Final = (("일부개정법률안", 88), ("전부개정법률안", 4), ("제정법률안", 8))
_PASSED: Final = ("원안가결", "수정가결")

Date = datetime.date | None


@dataclass(frozen=True, slots=True)
class Bill:
    """One bill; a date is None where that stage was not reached."""

    term: int
    index: int
    id: str
    number: str
    law: str
    name: str
    kind: str
    """의원, 정부 or 위원장."""
    lead: Member | None
    """None for bills of the government and of committees."""
    partners: tuple[Member, ...]
    committee: Committee
    proposed: datetime.date
    referred: Date
    presented: Date
    committee_done: Date
    committee_result: str | None
    judiciary_in: Date
    judiciary_done: Date
    plenary_in: Date
    plenary_done: Date
    result: str | None
    """None while the bill is pending."""
    promulgated: Date
    promulgation: str | None
    alternative: str | None
    """Id of the committee's bill that took this one up (대안반영폐기)."""

    @property
    def voted(self) -> bool:
        """Whether the plenary voted on it."""
        return self.result in (*_PASSED, "부결")

    @property
    def proposer(self) -> str:
        """As lists print it."""
        if self.lead is None:
            return "정부" if self.kind == "정부" else f"{self.committee.name}위원장".replace("위원회위원장", "위원장")
        return f"{self.lead.name}의원 등 {len(self.partners) + 1}인"


def bills(world: World, term: int) -> tuple[Bill, ...]:
    """All bills of a term, the latest first."""
    return world.table(f"politics.bills.{term}", lambda w: _build(w, term))


def all_bills(world: World) -> tuple[Bill, ...]:
    """Both terms, the latest first."""
    return world.table("politics.bills", lambda w: bills(w, 22) + bills(w, 21))


def bill_by_id(world: World, bill_id: str) -> Bill | None:
    """The bill of an id."""
    return world.table("politics.bill_ids", lambda w: {b.id: b for b in all_bills(w)}).get(bill_id)


def bill_by_number(world: World, number: str) -> Bill | None:
    """The bill of a number."""
    return world.table("politics.bill_numbers", lambda w: {b.number: b for b in all_bills(w)}).get(number)


def _build(world: World, term: int) -> tuple[Bill, ...]:
    total = world.count(BILLS[term], 60)
    first, last = SPAN[term]
    stream = world.identity("politics", "bill_days", term)
    days = sorted(
        business_day_from(first + datetime.timedelta(days=stream.below((last - first).days))) for _ in range(total)
    )
    people = members(world, term)
    drawn: list[Bill] = []
    alternatives: dict[int, list[str]] = {}
    for index in range(total):
        bill = _bill(world, term, index, min(days[index], last), people, alternatives)
        drawn.append(bill)
        if bill.kind == "위원장":
            alternatives.setdefault(bill.committee.index, []).append(bill.id)
    return tuple(reversed(drawn))


def _bill(
    world: World,
    term: int,
    index: int,
    day: datetime.date,
    people: tuple[Member, ...],
    alternatives: dict[int, list[str]],
) -> Bill:
    stream = world.identity("politics", "bill", term, index)
    committee = committee_for_bill(world, stream)
    law = stream.choice(committee.laws)
    kind = stream.weighted((("의원", 86), ("정부", 6), ("위원장", 8)))
    lead: Member | None = None
    partners: tuple[Member, ...] = ()
    if kind == "의원":
        lead = people[stream.below(len(people))]
        others = [p for p in stream.sample(people, stream.between(10, 24)) if p.code != lead.code]
        partners = tuple(others[: max(9, stream.between(9, 20))])
    shape = "일부개정법률안(대안)" if kind == "위원장" else stream.weighted(_SHAPES)
    ends = SPAN[term][1]
    way = _way(stream, day, ends, term, kind)
    alternative = None
    if way.result == "대안반영폐기":
        found = alternatives.get(committee.index)
        alternative = found[-1] if found else None
    letters = "".join(f"{'ABCDEFGHKLMNPQRSTUVWXYZ'[stream.below(23)]}{stream.below(10)}" for _ in range(14))
    passed = way.result in _PASSED
    promulgated = (
        business_day_from(way.plenary_done + datetime.timedelta(days=stream.between(12, 30)))
        if passed and way.plenary_done
        else None
    )
    if promulgated is not None and promulgated > LAST_DAY:
        promulgated = None
    return Bill(
        term=term,
        index=index,
        id=f"PRC_{letters}",
        number=f"{term}{index + 1:05d}",
        law=law,
        name=f"{law} {shape}",
        kind=kind,
        lead=lead,
        partners=partners,
        committee=committee,
        proposed=day,
        referred=way.referred,
        presented=way.presented,
        committee_done=way.committee_done,
        committee_result=way.committee_result,
        judiciary_in=way.judiciary_in,
        judiciary_done=way.judiciary_done,
        plenary_in=way.plenary_done,
        plenary_done=way.plenary_done,
        result=way.result,
        promulgated=promulgated,
        promulgation=f"{term - 21 + 1}{index + 7000:04d}" if promulgated else None,
        alternative=alternative,
    )


@dataclass(slots=True)
class _Way:
    referred: Date = None
    presented: Date = None
    committee_done: Date = None
    committee_result: str | None = None
    judiciary_in: Date = None
    judiciary_done: Date = None
    plenary_done: Date = None
    result: str | None = None


def _way(stream: Stream, day: datetime.date, ends: datetime.date, term: int, kind: str) -> _Way:
    """Stages in order, each some days after the one before; what lies past the term's end did not happen."""

    def later(since: datetime.date, low: int, high: int) -> Date:
        found = business_day_from(since + datetime.timedelta(days=stream.between(low, high)))
        return found if found <= ends else None

    way = _Way()
    fate = stream.weighted(
        (("원안가결", 12), ("수정가결", 12), ("부결", 2), ("대안반영폐기", 30), ("철회", 3), ("pending", 41))
    )
    if kind == "위원장":
        fate = stream.weighted((("원안가결", 94), ("부결", 6)))
        way.presented = way.committee_done = day
        way.committee_result = "원안가결"
    else:
        way.referred = later(day, 1, 5)
        if way.referred is not None and fate != "철회" and (fate != "pending" or stream.chance(0.5)):
            way.presented = later(way.referred, 20, 120)
        if way.presented is not None and fate not in ("철회", "pending"):
            way.committee_done = later(way.presented, 10, 150)
            way.committee_result = fate if way.committee_done else None
    if fate == "철회":
        way.result = "철회" if way.referred else None
    elif fate == "대안반영폐기":
        way.plenary_done = way.committee_done
        way.result = fate if way.committee_done else None
    elif fate != "pending" and way.committee_done is not None:
        way.judiciary_in = later(way.committee_done, 1, 10)
        way.judiciary_done = later(way.judiciary_in, 5, 60) if way.judiciary_in else None
        way.plenary_done = later(way.judiciary_done, 1, 20) if way.judiciary_done else None
        way.result = fate if way.plenary_done else None
    if way.result is None and term == 21:
        way.result = "임기만료폐기"
        way.plenary_done = ends
    return way
