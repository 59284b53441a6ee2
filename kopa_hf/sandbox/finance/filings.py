"""Filings: every report a company sent to DART, with its receipt number.

Filings of one company are drawn together; a receipt number is the receipt day and a
serial that is unique on that day over all companies, without any global counter.
"""

from __future__ import annotations

import bisect
import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import add_months, business_day_from, compact, filing_days
from kopa_hf.sandbox.finance.companies import Company, companies
from kopa_hf.sandbox.finance.events import EVENT_KINDS, events_of
from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.rng import Stream, permuted, seed_of
from kopa_hf.sandbox.world import LAST_DAY, World

Ref = tuple[str, int, str]
"""What a filing reports: ("report", 2024, "11011"), ("cvbdIsDecsn", number, ""), …"""

REPORTS: Final[dict[str, tuple[str, int]]] = {
    "11013": ("분기보고서", 3),
    "11012": ("반기보고서", 6),
    "11014": ("분기보고서", 9),
    "11011": ("사업보고서", 12),
}
"""reprt_code → (name, months since the year's start)."""

_REPORT_DETAIL: Final = {"11011": "A001", "11012": "A002", "11013": "A003", "11014": "A003"}
_FIRST_YEAR: Final = 2022
_PER_DAY: Final = 8
_EXCHANGE: Final = (
    ("단일판매ㆍ공급계약체결", 5), ("기업설명회(IR)개최(안내공시)", 4), ("현금ㆍ현물배당결정", 3), ("주주총회소집결의", 3),
    ("최대주주변경", 1), ("타인에대한채무보증결정", 2), ("신규시설투자등", 1), ("영업(잠정)실적(공정공시)", 4),
    ("수시공시의무관련사항(공정공시)", 2), ("조회공시요구(풍문또는보도)에대한답변", 1), ("특허권취득(자율공시)", 2), ("정기주주총회결과", 2),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filing:
    """One filing, as the search prints it."""

    company: Company
    day: datetime.date
    kind: str
    """Disclosure type, A … J."""
    detail: str
    """Detailed type: A001, B001, …"""
    title: str
    filer: str
    remark: str
    ref: Ref
    rcept_no: str = ""
    superseded: bool = False
    """A later correction replaces it."""


def filings_of(world: World, company: Company) -> tuple[Filing, ...]:
    """All filings about a company, by day and receipt number."""
    tables: dict[int, tuple[Filing, ...]] = world.table("finance.filings", lambda _: {})
    found = tables.get(company.index)
    if found is None:
        found = tables[company.index] = _numbered(world, company, _drawn(world, company))
    return found


def all_filings(world: World) -> tuple[Filing, ...]:
    """Every filing of the world, by day and receipt number; built on the first market-wide search."""
    return world.table(
        "finance.all_filings",
        lambda w: tuple(sorted((f for c in companies(w) for f in filings_of(w, c)), key=lambda f: f.rcept_no)),
    )


def filings_between(world: World, first: datetime.date, last: datetime.date) -> tuple[Filing, ...]:
    """The world's filings received in a window, both days included."""
    everything = all_filings(world)
    start = bisect.bisect_left(everything, compact(first), key=lambda f: f.rcept_no[:8])
    stop = bisect.bisect_right(everything, compact(last), key=lambda f: f.rcept_no[:8])
    return everything[start:stop]


def receipt_of(world: World, company: Company, ref: Ref) -> str | None:
    """Receipt number of the filing that reports something; None where it was never filed."""
    tables: dict[int, dict[Ref, str]] = world.table("finance.receipts", lambda _: {})
    by_ref = tables.get(company.index)
    if by_ref is None:
        by_ref = tables[company.index] = {f.ref: f.rcept_no for f in filings_of(world, company)}
    return by_ref.get(ref)


def filing_by_number(world: World, rcept_no: str) -> Filing | None:
    """The filing with a receipt number."""
    everything = all_filings(world)
    position = bisect.bisect_left(everything, rcept_no, key=lambda f: f.rcept_no)
    found = everything[position] if position < len(everything) else None
    return found if found is not None and found.rcept_no == rcept_no else None


def _drawn(world: World, company: Company) -> list[Filing]:
    stream = world.identity("finance", "filings", company.index)
    filings: list[Filing] = []
    if company.reporting:
        filings += _periodic(company, stream)
        filings += _material(world, company, stream)
    else:
        filings += _audits(company, stream)
    if company.listed:
        filings += _ownership(company, stream)
        filings += _exchange(company, stream)
        filings += _securities(company, stream)
    return filings


def _periodic(company: Company, stream: Stream) -> list[Filing]:
    filings = []
    for year in range(_FIRST_YEAR, LAST_DAY.year):
        for code, (name, month) in REPORTS.items():
            due = add_months(datetime.date(year, month, 28), 3 if code == "11011" else 2)
            day = business_day_from(due.replace(day=stream.between(8, 16)))
            if code == "11011":
                day = business_day_from(datetime.date(year + 1, 3, stream.between(8, 28)))
            early = company.listed_on is not None and day < company.listed_on - datetime.timedelta(days=150)
            if not filing_days()[0] <= day <= LAST_DAY or early:
                continue
            title = f"{name} ({year}.{month:02d})"
            ref: Ref = ("report", year, code)
            filings.append(Filing(company, day, "A", _REPORT_DETAIL[code], title, company.name, "", ref))
    return filings


def _material(world: World, company: Company, stream: Stream) -> list[Filing]:
    filings = []
    for event in events_of(world, company):
        title = f"주요사항보고서({EVENT_KINDS[event.operation].title})"
        ref: Ref = (event.operation, event.number, "")
        filing = Filing(company, event.decided_on, "B", "B001", title, company.name, "", ref)
        later = business_day_from(event.decided_on + datetime.timedelta(days=stream.between(5, 40)))
        if stream.chance(0.12) and later <= LAST_DAY:
            # the first version keeps a reference of its own: terms are read from the corrected one
            first = Filing(*_plain(filing), ref=(event.operation, event.number, "first"), superseded=True)
            corrected = Filing(company, later, "B", "B001", f"[기재정정]{title}", company.name, "", ref)
            filings += [first, corrected]
        else:
            filings.append(filing)
    return filings


def _plain(filing: Filing) -> tuple[Company, datetime.date, str, str, str, str, str]:
    f = filing
    return f.company, f.day, f.kind, f.detail, f.title, f.filer, f.remark


def _audits(company: Company, stream: Stream) -> list[Filing]:
    if not stream.chance(0.45):
        return []
    filings = []
    for year in range(_FIRST_YEAR, LAST_DAY.year - 1):
        closed = add_months(datetime.date(year, 12, 28), company.closing_month - 12)
        day = business_day_from(add_months(closed, 3).replace(day=stream.between(20, 28)))
        title = f"감사보고서 ({year}.{company.closing_month:02d})"
        filings.append(Filing(company, day, "F", "F001", title, "한빛결회계법인", "", ("audit", year, "")))
    return filings


def _ownership(company: Company, stream: Stream) -> list[Filing]:
    days = filing_days()
    filings = []
    for number in range(stream.between(1, 5)):
        day = days[stream.below(len(days))]
        filer = person_name(stream) if stream.chance(0.5) else f"{stream.choice(('새결', '한들', '푸른샘'))}자산운용"
        title = f"주식등의대량보유상황보고서({'일반' if stream.chance(0.6) else '약식'})"
        filings.append(Filing(company, day, "D", "D001", title, filer, "", ("majorstock", number, "")))
    for number in range(stream.between(1, 7)):
        day = days[stream.below(len(days))]
        title = "임원ㆍ주요주주특정증권등소유상황보고서"
        filings.append(Filing(company, day, "D", "D002", title, person_name(stream), "", ("elestock", number, "")))
    return filings


def _exchange(company: Company, stream: Stream) -> list[Filing]:
    days = filing_days()
    remark = {"Y": "유", "K": "코", "N": "넥"}[company.corp_cls]
    filings = []
    for number in range(stream.between(6, 40)):
        title = stream.weighted(_EXCHANGE)
        day = days[stream.below(len(days))]
        filings.append(Filing(company, day, "I", "I001", title, company.name, remark, ("exchange", number, "")))
    return filings


def _securities(company: Company, stream: Stream) -> list[Filing]:
    """Registration statements (DS006); their content is drawn in `registrations`."""
    days = filing_days()
    filings = []
    for operation, name, share in (
        ("estkRs", "지분증권", 0.34), ("bdRs", "채무증권", 0.34), ("stkdpRs", "증권예탁증권", 0.20),
        ("mgRs", "합병", 0.24), ("extrRs", "주식의포괄적교환ㆍ이전", 0.20), ("dvRs", "분할", 0.22),
    ):  # fmt: skip
        if stream.chance(share):
            for number in range(stream.between(1, 3)):
                day = days[stream.below(len(days))]
                title = f"증권신고서({name})"
                filings.append(Filing(company, day, "C", "C001", title, company.name, "", (operation, number, "")))
    return filings


def _numbered(world: World, company: Company, drawn: list[Filing]) -> tuple[Filing, ...]:
    total = len(companies(world))
    space = max(190_000, total * _PER_DAY)
    order = seed_of("receipts", world.identity_seed)
    today: datetime.date | None = None
    position = 0
    numbered = []
    for filing in sorted(drawn, key=lambda f: (f.day, f.ref)):
        position = position + 1 if filing.day == today else 0
        today = filing.day
        if position >= _PER_DAY:  # a day holds no more serials of one company
            continue
        # each day shuffles the serials anew, else a company would keep its own
        serial = permuted(company.index * _PER_DAY + position, space, order + filing.day.toordinal() * 5)
        # filings sent to the exchange carry serials from 800000 on
        serial += 800_000 if filing.kind == "I" and space < 200_000 else 0
        number = f"{compact(filing.day)}{serial:06d}"
        numbered.append(Filing(*_plain(filing), ref=filing.ref, rcept_no=number, superseded=filing.superseded))
    return tuple(sorted(numbered, key=lambda f: f.rcept_no))
