"""Bills of two terms and their way: proposal, committee, judiciary committee, plenary, promulgation."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from typing import Final

from kopa_hf.sandbox.calendar import business_day_from
from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.politics.committees import Committee, committee_for_bill
from kopa_hf.sandbox.politics.members import Member, members
from kopa_hf.sandbox.politics.ways import SPAN, Date, draw_way, hearing_way
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import LAST_DAY, World

BILLS: Final = {21: 2600, 22: 1900}
_SHAPES: Final = (("일부개정법률안", 88), ("전부개정법률안", 4), ("제정법률안", 8))
LAW: Final = "법률안"
NOMINATION: Final = "동의안"
_NOMINATED: Final = 0.014
_POSTS: Final = ("장관", "청장", "위원장", "헌법재판소 재판관", "대법관", "국가정보원장", "한국은행 총재")
_PASSED: Final = ("원안가결", "수정가결")


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
    sort: str = LAW
    """LAW, or NOMINATION: a candidate for an office, whom a committee hears."""
    nominee: str | None = None
    """Who is to be heard, of a nomination."""
    post: str | None = None

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
    drawn = []
    for index in range(total):
        day = min(days[index], last)
        heard = world.identity("politics", "nomination", term, index).chance(_NOMINATED)
        drawn.append(_nomination(world, term, index, day) if heard else _bill(world, term, index, day, people))
    return tuple(reversed(_absorbed(drawn)))


def _bill(world: World, term: int, index: int, day: datetime.date, people: tuple[Member, ...]) -> Bill:
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
    way = draw_way(stream, day, SPAN[term][1], term, kind, committee)
    bill_id = _bill_id(stream)
    promulgated = (
        business_day_from(way.plenary_done + datetime.timedelta(days=stream.between(12, 30)))
        if way.result in _PASSED and way.plenary_done
        else None
    )
    if promulgated is not None and promulgated > LAST_DAY:
        promulgated = None
    return Bill(
        term=term,
        index=index,
        id=bill_id,
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
        alternative=None,
    )


def _nomination(world: World, term: int, index: int, day: datetime.date) -> Bill:
    """A nomination shares the series of numbers and ids with law bills, and nothing else."""
    stream = world.identity("politics", "nominee", term, index)
    committee = committee_for_bill(world, stream)
    way = hearing_way(stream, day, SPAN[term][1], term, committee)
    nominee, post = person_name(stream), stream.choice(_POSTS)
    if post in ("장관", "청장", "위원장"):
        post = f"{committee.name.removesuffix('위원회')} {post}"
    name = f"{post} 후보자({nominee}) 인사청문요청안"
    return Bill(
        term=term,
        index=index,
        id=_bill_id(stream),
        number=f"{term}{index + 1:05d}",
        law=name,
        name=name,
        kind="정부",
        lead=None,
        partners=(),
        committee=committee,
        proposed=day,
        referred=way.referred,
        presented=way.presented,
        committee_done=way.committee_done,
        committee_result=way.committee_result,
        judiciary_in=None,
        judiciary_done=None,
        plenary_in=None,
        plenary_done=way.plenary_done,
        result=way.result,
        promulgated=None,
        promulgation=None,
        alternative=None,
        sort=NOMINATION,
        nominee=nominee,
        post=post,
    )


def _bill_id(stream: Stream) -> str:
    return "PRC_" + "".join(f"{'ABCDEFGHKLMNPQRSTUVWXYZ'[stream.below(23)]}{stream.below(10)}" for _ in range(14))


def _absorbed(drawn: list[Bill]) -> list[Bill]:
    """Gives every absorbed bill its alternative: the committee's next bill that passed, on the same law.

    The committee decides on both at once and the plenary's vote on the one disposes of the other.
    Where the committee proposed nothing any more, nothing was absorbed and the bill stays in committee.
    """
    passed = [b for b in drawn if b.kind == "위원장" and b.result in _PASSED]
    found = []
    for bill in drawn:
        if bill.result == "대안반영폐기":
            since, own = bill.committee_done or bill.proposed, bill.committee.index
            taken = next((a for a in passed if a.committee.index == own and a.proposed >= since), None)
            if taken is None:
                gone = bill.term == 21
                bill = replace(
                    bill,
                    committee_done=None,
                    committee_result=None,
                    plenary_in=SPAN[21][1] if gone else None,
                    plenary_done=SPAN[21][1] if gone else None,
                    result="임기만료폐기" if gone else None,
                )
            else:
                bill = replace(
                    bill,
                    law=taken.law,
                    name=bill.name.replace(bill.law, taken.law),
                    committee_done=taken.proposed,
                    plenary_in=taken.plenary_done,
                    plenary_done=taken.plenary_done,
                    alternative=taken.id,
                )
        found.append(bill)
    return found
