"""The way of law bills: proposal, committee, judiciary committee, plenary, promulgation."""

from __future__ import annotations

import bisect
import datetime
from typing import Final

from kopa_hf.sandbox.calendar import business_day_from
from kopa_hf.sandbox.politics.bill import LAW, PASSED, Bill, Stage
from kopa_hf.sandbox.politics.committees import Committee, committee_for_bill, judiciary, standing
from kopa_hf.sandbox.politics.meetings import Meeting, diary, sub_diary
from kopa_hf.sandbox.politics.members import Member, members
from kopa_hf.sandbox.politics.terms import SPAN
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import LAST_DAY, World

LAWS: Final = {21: 2350, 22: 1650}
"""Law bills of members and the government; committees' alternatives come on top."""
_SHAPES: Final = (("일부개정법률안", 92), ("전부개정법률안", 2), ("제정", 6))
_NEW_LAWS: Final = (
    "지원에 관한 특별법안", "진흥법안", "관리 및 이용에 관한 법률안", "기본법안", "안전에 관한 법률안", "피해구제법안",
)  # fmt: skip
_TOPICS: Final = (
    "청년주거", "도시하천", "전기이동수단", "소형상가", "지역돌봄", "산림치유", "공공데이터", "빈집정비", "고향사랑", "야간관광",
    "도서지역", "재생에너지", "무인항공", "반려동물", "느린학습", "해양치유", "생활체육", "농촌빈터", "지하안전", "마을기업",
)  # fmt: skip
_FATES: Final = (
    ("원안가결", 7), ("수정가결", 9), ("부결", 1), ("대안반영폐기", 27), ("폐기", 1), ("철회", 2), ("pending", 53),
)  # fmt: skip


def days(count: int) -> datetime.timedelta:
    """A span of days."""
    return datetime.timedelta(days=count)


def make_laws(world: World, term: int) -> list[Bill]:
    """Law bills of a term, unnumbered and in no order."""
    first, last = SPAN[term]
    people = members(world, term)
    weights = _diligence(world, term, people)
    found: list[Bill] = []
    taken: dict[tuple[int, str], list[Bill]] = {}
    for index in range(world.count(LAWS[term], 60)):
        stream = world.identity("politics", "law", term, index)
        day = business_day_from(first + days(stream.below((last - first).days)))
        bill, fate = _propose(world, stream, term, min(day, last), people, weights)
        found.append(bill)
        if fate == "대안반영폐기" and bill.review.presented is not None and bill.committee is not None:
            taken.setdefault((bill.committee.index, bill.law), []).append(bill)
    for key in sorted(taken):
        found.extend(_alternatives(world, term, key, taken[key]))
    if term == 21:
        for bill in found:
            if bill.result is None:
                bill.result, bill.closed = "임기만료폐기", last
    return found


def _diligence(world: World, term: int, people: tuple[Member, ...]) -> list[int]:
    """Running sums of how often each member leads a bill: a few lead very many."""
    sums, total = [], 0
    for member in people:
        total += world.identity("politics", "diligence", term, member.code).octave(1, 64)
        sums.append(total)
    return sums


def _lead(stream: Stream, people: tuple[Member, ...], weights: list[int]) -> Member:
    return people[bisect.bisect_right(weights, stream.below(weights[-1]))]


def _propose(
    world: World,
    stream: Stream,
    term: int,
    day: datetime.date,
    people: tuple[Member, ...],
    weights: list[int],
) -> tuple[Bill, str]:
    """A bill with its way through the committee, and how it is to end."""
    lead = None if stream.chance(0.05) else _lead(stream, people, weights)
    committee = committee_for_bill(world, stream)
    if lead is not None and lead.posts and stream.chance(0.4) and lead.posts[0][0].laws:
        committee = lead.posts[0][0]
    shape = stream.weighted(_SHAPES)
    law = stream.choice(committee.laws)
    name = f"{law} {shape}"
    if shape == "제정":
        name = f"{stream.choice(_TOPICS)} {stream.choice(_NEW_LAWS)}"
        law = name.removesuffix("안")
    bill = Bill(
        term=term,
        seed=stream.u64(),
        sort=LAW,
        law=law,
        name=name,
        kind="정부" if lead is None else "의원",
        lead=lead,
        supporters=9 + stream.octave(1, 64) - 1,
        committee=committee,
        proposed=day,
    )
    fate = stream.weighted(_FATES)
    _review(world, stream, bill, fate)
    return bill, fate


def _within(day: datetime.date, term: int) -> datetime.date | None:
    return day if day <= SPAN[term][1] else None


def _review(world: World, stream: Stream, bill: Bill, fate: str) -> None:
    """Referral, presentation and decision in the committee, then whatever follows."""
    assert bill.committee is not None
    term = bill.term
    bill.referred = _within(business_day_from(bill.proposed + days(stream.between(1, 4))), term)
    if bill.referred is None:
        return
    if fate == "철회":
        bill.closed = _within(business_day_from(bill.referred + days(stream.between(3, 40))), term)
        bill.result = "철회" if bill.closed else None
        return
    if fate == "pending" and stream.chance(0.4):
        return
    presented = diary(world, term, bill.committee).after(bill.referred + days(stream.between(15, 90)))
    bill.review = Stage(presented)
    if presented is None:
        return
    bill.subreview = sub_diary(world, term, bill.committee).after(presented.day + days(1), stream.below(2))
    if fate in ("pending", "대안반영폐기"):
        return
    since = bill.subreview.day if bill.subreview else presented.day
    done = diary(world, term, bill.committee).after(since + days(1), stream.below(3))
    if done is None:
        return
    if fate == "폐기":
        bill.review = Stage(presented, done, "폐기")
        bill.result, bill.closed = "폐기", done.day
        return
    bill.review = Stage(presented, done, "원안가결" if fate == "부결" else fate)
    to_plenary(world, stream, bill, fate, done.day)


def to_plenary(world: World, stream: Stream, bill: Bill, fate: str, since: datetime.date) -> None:
    """From the committee's decision over the judiciary committee to vote and promulgation."""
    term, checker = bill.term, judiciary(world)
    if bill.committee is not checker:
        bill.law_referred = _within(business_day_from(since + days(stream.between(0, 3))), term)
        if bill.law_referred is None:
            return
        presented = diary(world, term, checker).after(bill.law_referred + days(stream.between(5, 40)))
        done = presented if stream.chance(0.7) or presented is None else _next(world, term, checker, presented.day)
        result = "수정가결" if bill.review.result == "수정가결" and stream.chance(0.5) else "원안가결"
        bill.law_review = Stage(presented, done, result if done else None)
        if done is None:
            return
        since = done.day
    vote = diary(world, term, None).after(since + days(1), stream.below(10) // 8)
    if vote is not None:
        decide(stream, bill, vote.day, fate)
        bill.plenary = vote


def _next(world: World, term: int, committee: Committee, day: datetime.date) -> Meeting | None:
    return diary(world, term, committee).after(day + days(1))


def decide(stream: Stream, bill: Bill, day: datetime.date, result: str) -> None:
    """The result on the plenary's day; what passed is sent to the government and, if a law, promulgated."""
    bill.result, bill.closed = result, day
    if result not in PASSED or bill.sort not in (LAW, "예산안", "동의안"):
        return
    sent = business_day_from(day + days(stream.between(6, 12)))
    bill.sent = sent if sent <= LAST_DAY else None
    promulgated = business_day_from(sent + days(stream.between(5, 14)))
    if bill.sort == LAW and bill.sent and promulgated <= LAST_DAY:
        bill.promulgated = promulgated


def _alternatives(world: World, term: int, key: tuple[int, str], waiting: list[Bill]) -> list[Bill]:
    """Committee bills that each take up two to seven bills to one law."""
    place, law = key
    committee = standing(world)[place]
    stream = world.identity("politics", "alternative", term, place, law)
    waiting = sorted(waiting, key=_presented_on)
    found: list[Bill] = []
    while len(waiting) >= 2:
        size = stream.between(2, 6)
        group, waiting = waiting[:size], waiting[size:]
        since = max(b.subreview.day if b.subreview else _presented_on(b) for b in group)
        done = diary(world, term, committee).after(since + days(1), stream.below(3))
        if done is None:
            break
        for bill in group:
            bill.review = Stage(bill.review.presented, done, "대안반영폐기")
        day = _within(business_day_from(done.day + days(stream.between(1, 4))), term)
        if day is None:
            continue
        own = Bill(term, stream.u64(), LAW, law, f"{law} 일부개정법률안(대안)", "위원장", None, 0, committee, day)
        own.origin = done
        to_plenary(world, stream, own, "부결" if stream.chance(0.02) else "원안가결", day)
        for bill in group:
            bill.alternative = own
            if own.plenary is not None:
                bill.result, bill.closed = "대안반영폐기", own.plenary.day
        found.append(own)
    return found


def _presented_on(bill: Bill) -> datetime.date:
    assert bill.review.presented is not None
    return bill.review.presented.day
