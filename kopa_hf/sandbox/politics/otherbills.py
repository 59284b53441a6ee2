"""Bills that are no laws: budgets, settlements, consents, resolutions, rules, elections, nominations."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import business_day_from
from kopa_hf.sandbox.politics.bill import Bill, Stage
from kopa_hf.sandbox.politics.committees import (
    Committee,
    budget_committee,
    committee_named,
    committees,
    investigating,
    standing,
)
from kopa_hf.sandbox.politics.lawmaking import days, decide
from kopa_hf.sandbox.politics.meetings import diary
from kopa_hf.sandbox.politics.members import Member, members
from kopa_hf.sandbox.politics.names import draw_name
from kopa_hf.sandbox.politics.terms import SPAN
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import LAST_DAY, World

HEARING: Final = "인사청문요청안"
_GRADES: Final = (
    ("장관", "국무위원"), ("위원장", "위원회 위원장"), ("청장", "청장"), ("재판관", "헌법재판소 재판관"), ("대법관", "대법관"),
)  # fmt: skip
_TROOPS: Final = ("해양안전부대", "평화유지부대", "재건지원부대", "의료지원부대")
_TREATIES: Final = ("항공운송 협정", "이중과세방지 협정", "범죄인 인도조약", "사회보장 협정", "자유무역협정 개정의정서")
_COUNTRIES: Final = ("가온", "나래", "다온", "라온", "마루", "바론")
_CALLS: Final = (
    "지역의료 공백 해소", "쌀값 안정", "전세피해 지원", "철도요금 동결", "산불피해 복구", "어업협정 준수", "소상공인 에너지비용 지원",
    "학교 통학로 안전", "군 급식 개선", "청년 일자리 확대",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Nomination:
    """Who is to be heard for which post."""

    grade: str
    """직위정보: 국무위원(환경부장관)."""
    name: str
    """The candidate."""
    bill: Bill


def make_others(world: World, term: int) -> list[Bill]:
    """All bills of a term that are no laws, unnumbered and in no order."""
    found = [*_money(world, term), *_consents(world, term), *_resolutions(world, term), *_house(world, term)]
    found += [nomination.bill for nomination in nominations(world, term)]
    if term == 21:
        for bill in found:
            if bill.result is None:
                bill.result, bill.closed = "임기만료폐기", SPAN[21][1]
    return found


def _inside(day: datetime.date, term: int) -> bool:
    return SPAN[term][0] <= day <= SPAN[term][1]


def _new(
    stream: Stream,
    term: int,
    sort: str,
    name: str,
    kind: str,
    committee: Committee | None,
    day: datetime.date,
    lead: Member | None = None,
) -> Bill:
    supporters = stream.between(10, 60) if lead is not None else 0
    return Bill(term, stream.u64(), sort, name, name, kind, lead, supporters, committee, business_day_from(day))


def _money(world: World, term: int) -> list[Bill]:
    """The government's budget each September and settlement each May, reviewed by the budget committee."""
    found = []
    for year in range(2020, LAST_DAY.year + 1):
        stream = world.identity("politics", "money", year)
        plans = [
            ("예산안", f"{year + 1}년도 예산안", datetime.date(year, 9, 2), "수정가결"),
            ("예산안", f"{year + 1}년도 기금운용계획안", datetime.date(year, 9, 2), "수정가결"),
            ("결산", f"{year - 1}회계연도 결산", datetime.date(year, 5, 30), "원안가결"),
            ("결산", f"{year - 1}회계연도 예비비지출 승인의 건", datetime.date(year, 5, 30), "원안가결"),
        ]
        if stream.chance(0.5):
            day = datetime.date(year, 3, stream.between(5, 25))
            plans.append(("예산안", f"{year}년도 제1회 추가경정예산안", day, "수정가결"))
        for sort, name, day, result in plans:
            if _inside(day, term):
                # a year may lie in two terms, so each bill draws from a stream of its own
                own = world.identity("politics", "money", year, name)
                bill = _new(own, term, sort, name, "정부", budget_committee(world), day)
                _budget_way(world, own, bill, result)
                found.append(bill)
    return found


def _budget_way(world: World, stream: Stream, bill: Bill, result: str) -> None:
    bill.referred = business_day_from(bill.proposed + days(stream.between(1, 3)))
    bill.budget_referred = business_day_from(bill.referred + days(stream.between(8, 20)))
    sittings = diary(world, bill.term, budget_committee(world))
    presented = sittings.after(bill.budget_referred)
    done = sittings.after(presented.day + days(1), stream.below(2)) if presented else None
    bill.budget = Stage(presented, done, result if done else None)
    vote = diary(world, bill.term, None).after(done.day + days(1)) if done else None
    if vote is not None:
        bill.plenary = vote
        decide(stream, bill, vote.day, result)


def _through(world: World, stream: Stream, bill: Bill, result: str | None) -> None:
    """Referral, review and vote of a bill that the judiciary committee does not check; None: it stays pending."""
    last = SPAN[bill.term][1]
    referred = business_day_from(bill.proposed + days(stream.between(1, 4)))
    if referred > last or bill.committee is None:
        return
    bill.referred = referred
    sittings = diary(world, bill.term, bill.committee)
    presented = sittings.after(referred + days(stream.between(5, 60)))
    if presented is None or (result is None and stream.chance(0.5)):
        return
    bill.review = Stage(presented)
    done = sittings.after(presented.day, stream.below(2)) if result else None
    if result is None or done is None:
        return
    bill.review = Stage(presented, done, result)
    vote = diary(world, bill.term, None).after(done.day + days(1))
    if vote is not None:
        bill.plenary = vote
        decide(stream, bill, vote.day, result)


def _spread(world: World, term: int, name: str, count: int) -> list[tuple[Stream, datetime.date]]:
    """Streams and days of `count` events over a term."""
    first, last = SPAN[term]
    streams = [world.identity("politics", name, term, index) for index in range(world.count(count))]
    return [(stream, first + days(10 + stream.below((last - first).days - 30))) for stream in streams]


def _consents(world: World, term: int) -> list[Bill]:
    found = []
    for stream, day in _spread(world, term, "consent", 34 if term == 21 else 16):
        country = stream.choice(_COUNTRIES)
        abroad = stream.chance(0.65)
        name = f"대한민국과 {country}공화국 간의 {stream.choice(_TREATIES)} 비준동의안"
        if not abroad:
            name = f"국군부대의 {country} 지역 {stream.choice(_TROOPS)} 파견연장 동의안"
        committee = committee_named(world, "외교통일위원회" if abroad else "국방위원회")
        bill = _new(stream, term, "동의안", name, "정부", committee, day)
        _through(world, stream, bill, "원안가결" if stream.chance(0.85) else None)
        found.append(bill)
    return found


def _resolutions(world: World, term: int) -> list[Bill]:
    found = []
    people = members(world, term)
    for stream, day in _spread(world, term, "resolution", 90 if term == 21 else 52):
        lead, committee = stream.choice(people), stream.choice([c for c in standing(world) if c.laws])
        audit = stream.chance(0.12)
        name = f"{committee.ministry}의 {stream.choice(_CALLS)} 대책 마련 촉구 결의안"
        if audit:
            name = f"{committee.ministry}에 대한 감사요구안"
        bill = _new(stream, term, "결의안", name, "의원", committee, day, lead)
        fate = stream.weighted((("원안가결", 20), ("수정가결", 12), ("", 68)))
        _through(world, stream, bill, fate or None)
        found.append(bill)
    return found


def _house(world: World, term: int) -> list[Bill]:
    """The house's own affairs: rules, elections, motions on the agenda, discipline, inquiries."""
    found = []
    people = members(world, term)
    steering = committee_named(world, "국회운영위원회")
    for stream, day in _spread(world, term, "rule", 9 if term == 21 else 5):
        bill = _new(stream, term, "규칙안", f"{stream.choice(('국회상임위원회 위원 정수', '국회도서관 직제', '국회인사'))}에 관한 규칙 "
                    "일부개정규칙안", "위원장", steering, day)  # fmt: skip
        _at_once(world, stream, bill, "원안가결")
        found.append(bill)
    for stream, day in _spread(world, term, "election", 10 if term == 21 else 6):
        person, post = (
            draw_name(stream).hangul,
            stream.choice(("헌법재판소 재판관", "중앙선거관리위원회 위원", "국민권익위원회 위원")),
        )
        bill = _new(stream, term, "선출안", f"{post}({person}) 선출안", "의장", None, day)
        _at_once(world, stream, bill, "원안가결" if stream.chance(0.9) else "부결")
        found.append(bill)
    for stream, day in _spread(world, term, "motion", 12 if term == 21 else 7):
        lead = stream.choice(people)
        bill = _new(stream, term, "중요동의", "", "의원", None, day, lead)
        bill.name = bill.law = f"의사일정 변경동의의 건({bill.proposer})"
        _at_once(world, stream, bill, "원안가결" if stream.chance(0.7) else "부결")
        found.append(bill)
    for stream, day in _spread(world, term, "discipline", 18 if term == 21 else 11):
        accused, lead = stream.sample(people, 2)
        name = f"국회의원({accused.name}) 징계안"
        bill = _new(stream, term, "의원징계", name, "의원", committee_named(world, "윤리특별위원회"), day, lead)
        _through(world, stream, bill, None)
        found.append(bill)
    return [*found, *_inquiries(world, term)]


def _at_once(world: World, stream: Stream, bill: Bill, result: str) -> None:
    """Straight to the next plenary."""
    vote = diary(world, bill.term, None).after(bill.proposed)
    if vote is not None:
        bill.plenary = vote
        decide(stream, bill, vote.day, result)


def _inquiries(world: World, term: int) -> list[Bill]:
    """Reports of the two state investigations, for the plenary to adopt."""
    found = []
    for committee in investigating(world):
        day = datetime.date(2022, 3, 28) if committee.index % 2 else datetime.date(2025, 6, 2)
        if _inside(day, term):
            stream = world.identity("politics", "inquiry", committee.index)
            subject = committee.short.removesuffix("국정조사특별")
            bill = _new(
                stream, term, "기타안", f"{subject} 사건에 관한 국정조사 결과보고서 채택의 건", "위원장", committee, day
            )
            _at_once(world, stream, bill, "원안가결")
            found.append(bill)
    return found


def nominations(world: World, term: int) -> tuple[Nomination, ...]:
    """Nominations of a term with their hearing bills."""
    return world.table(f"politics.nominations.{term}", lambda w: _nominations(w, term))


def _nominations(world: World, term: int) -> tuple[Nomination, ...]:
    found = []
    for stream, day in _spread(world, term, "nomination", 46 if term == 21 else 30):
        kind, grade = stream.weighted([(pair, 6 - 2 * (place > 2)) for place, pair in enumerate(_GRADES)])
        committee = stream.choice([c for c in committees(world) if c.main])
        if kind in ("재판관", "대법관"):
            committee = committee_named(world, "법제사법위원회")
        minister = f"{committee.ministry}장관" if committee.ministry.endswith("부") else f"{committee.short}특임장관"
        post = {"장관": minister, "위원장": f"{committee.short}심의위원장",
                "청장": f"{committee.short}청장"}.get(kind, grade)  # fmt: skip
        name = draw_name(stream).hangul
        voted = kind == "대법관"
        title = f"{post} 후보자({name}) 인사청문요청안" if not voted else f"대법관({name}) 임명동의안"
        bill = _new(stream, term, "동의안" if voted else "기타안", title, "정부", committee, day)
        _heard(world, stream, bill, voted)
        label = f"{grade}({post})" if kind in ("장관", "위원장", "청장") else grade
        found.append(Nomination(label, name, bill))
    return tuple(found)


def _heard(world: World, stream: Stream, bill: Bill, voted: bool) -> None:
    """A hearing within the following weeks; only some posts need the plenary's consent."""
    assert bill.committee is not None
    referred = business_day_from(bill.proposed + days(stream.between(1, 3)))
    if referred > SPAN[bill.term][1]:
        return
    bill.referred = referred
    sittings = diary(world, bill.term, bill.committee)
    presented = sittings.after(referred + days(5))
    done = sittings.after(presented.day + days(1)) if presented else None
    bill.review = Stage(presented, done, ("보고서채택" if stream.chance(0.75) else "보고서미채택") if done else None)
    if done is None:
        return
    if not voted:
        bill.result, bill.closed = bill.review.result, done.day
        return
    vote = diary(world, bill.term, None).after(done.day + days(1))
    if vote is not None:
        bill.plenary = vote
        decide(stream, bill, vote.day, "원안가결")
