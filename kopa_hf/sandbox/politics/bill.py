"""What a bill is: its kind, proposer, and the stages that it went through."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.politics.committees import PLENARY, Committee
from kopa_hf.sandbox.politics.meetings import Meeting
from kopa_hf.sandbox.politics.members import Member
from kopa_hf.sandbox.rng import mix

LAW: Final = "법률안"
PASSED: Final = ("원안가결", "수정가결")
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Stage:
    """One review: presented at one meeting, decided at the same or a later one."""

    presented: Meeting | None = None
    done: Meeting | None = None
    result: str | None = None


@dataclass(slots=True)
class Bill:
    """One bill; a stage is empty where it was not reached."""

    term: int
    seed: int
    """Source of what is drawn only when asked for: partners, wording."""
    sort: str
    """의안종류: 법률안, 예산안, 결산, 동의안, 결의안, 규칙안, 선출안, 중요동의, 의원징계, 기타안."""
    law: str
    """The law's name; the bill's subject for other kinds."""
    name: str
    kind: str
    """제안자구분: 의원, 정부, 위원장, 의장."""
    lead: Member | None
    """None for bills that no single member leads."""
    supporters: int
    """Members besides the lead."""
    committee: Committee | None
    """None: the plenary itself (중요동의, 선출안)."""
    proposed: datetime.date
    referred: datetime.date | None = None
    review: Stage = Stage()
    subreview: Meeting | None = None
    """The subcommittee meeting between presentation and decision."""
    budget_referred: datetime.date | None = None
    budget: Stage = Stage()
    """예산결산특별위원회 for budgets and settlements."""
    law_referred: datetime.date | None = None
    law_review: Stage = Stage()
    """법제사법위원회's check of wording."""
    plenary: Meeting | None = None
    """Where it was voted on."""
    closed: datetime.date | None = None
    """Day of the result; the plenary's day where it was voted on."""
    result: str | None = None
    """None while pending."""
    sent: datetime.date | None = None
    """정부이송일."""
    promulgated: datetime.date | None = None
    origin: Meeting | None = None
    """The meeting that adopted a committee's own bill."""
    alternative: Bill | None = None
    """The committee's bill that took this one up."""
    id: str = ""
    number: str = ""
    promulgation: str | None = None

    @property
    def voted(self) -> bool:
        """Whether the plenary voted on it."""
        return self.plenary is not None

    @property
    def committee_code(self) -> str:
        """CURR_COMMITTEE_ID."""
        return self.committee.code if self.committee else PLENARY[0]

    @property
    def committee_name(self) -> str:
        """CURR_COMMITTEE."""
        return self.committee.name if self.committee else PLENARY[1]

    @property
    def proposer(self) -> str:
        """As lists print it: 홍길동의원 등 12인, 정부, 보건복지위원장, 의장."""
        if self.lead is not None:
            return f"{self.lead.name}의원 등 {self.supporters + 1}인"
        return self.committee.chair_title if self.kind == "위원장" and self.committee else self.kind


def finish_ids(found: list[Bill], term: int) -> None:
    """Number bills in the order of their proposal, and give each its id."""
    found.sort(key=lambda bill: (bill.proposed, bill.seed))
    for place, bill in enumerate(found, 1):
        bill.number = f"{term}{place:05d}"
        bill.id = ("ARC_" if bill.kind == "정부" else "PRC_") + spell_id(mix(bill.seed, 91), mix(bill.seed, 92))
    passed = sorted((b for b in found if b.promulgated), key=lambda b: (b.promulgated, b.number))
    first = 17_400 if term == 21 else 20_400
    for place, bill in enumerate(passed):
        bill.promulgation = str(first + place)


def spell_id(first: int, second: int) -> str:
    """Fifteen pairs of letter and digit."""
    pairs = []
    for value in (first, second):
        for _ in range(7):
            value, pair = divmod(value, 260)
            pairs.append(_LETTERS[pair // 10] + str(pair % 10))
    return "".join(pairs) + _LETTERS[first % 23] + str(second % 7)
