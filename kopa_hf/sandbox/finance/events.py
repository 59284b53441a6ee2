"""Material events of companies: which happen, and when. Their terms are drawn in `decisions`."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import filing_days
from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.world import World


@dataclass(frozen=True, slots=True)
class EventKind:
    """One DART operation of material-event reports (DS005)."""

    operation: str
    title: str
    """As the filing's name prints it."""
    share: float
    """Share of listed companies with at least one such event: denser than life, so that chains find records."""
    often: float = 0.35
    """Chance of one more, again and again (at most four)."""


EVENT_KINDS: Final[dict[str, EventKind]] = {
    kind.operation: kind
    for kind in (
        EventKind("cvbdIsDecsn", "전환사채권발행결정", 0.62, 0.45),
        EventKind("bdwtIsDecsn", "신주인수권부사채권발행결정", 0.35),
        EventKind("exbdIsDecsn", "교환사채권발행결정", 0.35),
        EventKind("piicDecsn", "유상증자결정", 0.58, 0.4),
        EventKind("fricDecsn", "무상증자결정", 0.40, 0.2),
        EventKind("pifricDecsn", "유무상증자결정", 0.28, 0.1),
        EventKind("crDecsn", "감자결정", 0.30, 0.15),
        EventKind("tsstkAqDecsn", "자기주식취득결정", 0.52, 0.4),
        EventKind("tsstkDpDecsn", "자기주식처분결정", 0.46, 0.4),
        EventKind("tsstkAqTrctrCnsDecsn", "자기주식취득신탁계약체결결정", 0.42),
        EventKind("tsstkAqTrctrCcDecsn", "자기주식취득신탁계약해지결정", 0.36),
        EventKind("bsnInhDecsn", "영업양수결정", 0.28, 0.1),
        EventKind("bsnTrfDecsn", "영업양도결정", 0.28, 0.1),
        EventKind("tgastInhDecsn", "유형자산양수결정", 0.38, 0.2),
        EventKind("tgastTrfDecsn", "유형자산양도결정", 0.34, 0.2),
        EventKind("otcprStkInvscrInhDecsn", "타법인주식및출자증권양수결정", 0.48),
        EventKind("otcprStkInvscrTrfDecsn", "타법인주식및출자증권양도결정", 0.38),
        EventKind("stkrtbdInhDecsn", "주권관련사채권양수결정", 0.30, 0.2),
        EventKind("stkrtbdTrfDecsn", "주권관련사채권양도결정", 0.28, 0.2),
        EventKind("cmpMgDecsn", "회사합병결정", 0.38, 0.2),
        EventKind("cmpDvDecsn", "회사분할결정", 0.32, 0.1),
        EventKind("cmpDvmgDecsn", "회사분할합병결정", 0.26, 0.1),
        EventKind("stkExtrDecsn", "주식교환ㆍ이전결정", 0.26, 0.1),
        EventKind("astInhtrfEtcPtbkOpt", "자산양수도(기타)ㆍ풋백옵션", 0.26, 0.1),
        EventKind("dfOcr", "부도발생", 0.20, 0.1),
        EventKind("bsnSp", "영업정지", 0.30, 0.2),
        EventKind("ctrcvsBgrq", "회생절차개시신청", 0.20, 0.1),
        EventKind("dsRsOcr", "해산사유발생", 0.15, 0.0),
        EventKind("bnkMngtPcbg", "채권은행등의관리절차개시", 0.20, 0.0),
        EventKind("bnkMngtPcsp", "채권은행등의관리절차중단", 0.20, 0.0),
        EventKind("lwstLg", "소송등의제기", 0.38, 0.3),
        EventKind("ovLstDecsn", "해외증권시장주권등상장결정", 0.22, 0.1),
        EventKind("ovDlstDecsn", "해외증권시장주권등상장폐지결정", 0.20, 0.0),
        EventKind("ovLst", "해외증권시장주권등상장", 0.20, 0.0),
        EventKind("ovDlst", "해외증권시장주권등상장폐지", 0.20, 0.0),
        EventKind("wdCocobdIsDecsn", "상각형조건부자본증권발행결정", 0.25, 0.4),
    )
}
_MOST: Final = 4


@dataclass(frozen=True, slots=True)
class Event:
    """The n-th event of a kind at a company."""

    company: Company
    operation: str
    number: int
    decided_on: datetime.date
    """Board resolution, and the day of the filing."""


def events_of(world: World, company: Company) -> tuple[Event, ...]:
    """All material events of a company, by day."""
    tables: dict[int, tuple[Event, ...]] = world.table("finance.events", lambda _: {})
    found = tables.get(company.index)
    if found is None:
        found = tables[company.index] = tuple(_draw(world, company))
    return found


def _draw(world: World, company: Company) -> list[Event]:
    if not company.reporting:
        return []
    days = filing_days()
    stream = world.identity("finance", "events", company.index)
    # unlisted filers report such events too, but seldom
    factor = 1.0 if company.listed else 0.2
    events: list[Event] = []
    for kind in EVENT_KINDS.values():
        if not stream.chance(kind.share * factor):
            continue
        count = 1
        while count < _MOST and stream.chance(kind.often):
            count += 1
        dates = sorted(days[position] for position in stream.sample(range(len(days)), count))
        events += [Event(company, kind.operation, number, day) for number, day in enumerate(dates)]
    return sorted(events, key=lambda event: (event.decided_on, event.operation, event.number))
