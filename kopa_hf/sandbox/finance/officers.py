"""Officers of a company; the representative is the company's own, and the main owner where the two are one."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.people import person_name, sex
from kopa_hf.sandbox.world import World

_INSIDE: Final = ("사내이사", "전무이사", "상무이사", "부사장")
_JOBS: Final = ("경영총괄", "재무", "연구개발", "생산", "영업", "전략기획", "법무", "해외사업")
_SCHOOLS: Final = (
    "가온대학교 경영학과",
    "누리대학교 기계공학과",
    "다온대학교 법학과",
    "마루대학교 화학과",
    "한들대학교 회계학과",
)


@dataclass(frozen=True, slots=True)
class Officer:
    """One officer."""

    name: str
    sex: str
    born: datetime.date
    title: str
    registered: str
    """사내이사, 사외이사, 감사 or 미등기."""
    full_time: bool
    job: str
    career: str
    is_owner: bool
    since: datetime.date
    until: datetime.date


def officers(world: World, company: Company) -> tuple[Officer, ...]:
    """All officers, representatives first."""
    tables: dict[int, tuple[Officer, ...]] = world.table("finance.officers", lambda _: {})
    found = tables.get(company.index)
    if found is None:
        found = tables[company.index] = tuple(_drawn(world, company))
    return found


def _drawn(world: World, company: Company) -> list[Officer]:
    stream = world.identity("finance", "officers", company.index)
    roles = [(name.strip(), "대표이사", "사내이사") for name in company.ceo.split(",")]
    roles += [(person_name(stream), stream.choice(_INSIDE), "사내이사") for _ in range(stream.between(1, 3))]
    roles += [(person_name(stream), "사외이사", "사외이사") for _ in range(stream.between(1, 4))]
    roles += [(person_name(stream), "감사", "감사") for _ in range(1)]
    roles += [(person_name(stream), stream.choice(("전무", "상무")), "미등기") for _ in range(stream.between(0, 5))]
    found = []
    for number, (name, title, registered) in enumerate(roles):
        since = datetime.date(stream.between(2012, 2022 if number == 0 else 2025), stream.between(1, 12), 28)
        outside = registered in ("사외이사", "감사")
        found.append(
            Officer(
                name=name,
                sex=sex(stream),
                born=datetime.date(stream.between(1948, 1984), stream.between(1, 12), 1),
                title=title,
                registered=registered,
                full_time=not outside,
                job="사외이사" if outside else "경영총괄" if number == 0 else stream.choice(_JOBS),
                career=f"{stream.choice(_SCHOOLS)} 졸업, {'전' if outside else '현'} {company.industry} 분야 {stream.between(8, 30)}년",
                is_owner=number == 0,
                since=since,
                until=datetime.date(stream.between(2026, 2028), 3, 28),
            )
        )
    return found
