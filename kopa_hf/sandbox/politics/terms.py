"""Terms and sessions of the Assembly, and how its services spell them.

One term has four spellings that look alike and do not join: AGE 22, ERACO 제22대, UNIT_CD 100022.
"""

from __future__ import annotations

import bisect
import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import is_business_day
from kopa_hf.sandbox.world import LAST_DAY, World

TERMS: Final = (21, 22)
CURRENT: Final = 22
SPAN: Final = {
    21: (datetime.date(2020, 6, 1), datetime.date(2024, 5, 29)),
    22: (datetime.date(2024, 5, 30), LAST_DAY),
}
"""First and last day of each term's records; the current term ends with the world's today."""

_FIRST_NUMBER: Final = 379
"""Number of the session with which the 21st term began."""


def eraco(term: int) -> str:
    """제22대: how ERACO columns spell a term."""
    return f"제{term}대"


def unit_code(term: int) -> str:
    """100022: how UNIT_CD columns spell a term."""
    return f"{100_000 + term}"


def term_on(day: datetime.date) -> int:
    """The term that a day belongs to."""
    return 21 if day <= SPAN[21][1] else 22


@dataclass(frozen=True, slots=True)
class Session:
    """One session (회기)."""

    term: int
    number: int
    regular: bool
    """True for the yearly 정기회 from September, False for a 임시회."""
    begins: datetime.date
    ends: datetime.date

    @property
    def label(self) -> str:
        """제415회."""
        return f"제{self.number}회"

    @property
    def kind(self) -> str:
        """정기회 or 임시회."""
        return "정기회" if self.regular else "임시회"


def sessions(world: World) -> tuple[Session, ...]:
    """All sessions, the first one first; a session that is still sitting ends with its announced day."""
    return world.table("politics.sessions", _build)


def session_on(world: World, day: datetime.date) -> Session:
    """The session in which a day lies, else the last one before it."""
    starts: list[datetime.date] = world.table("politics.session_starts", lambda w: [s.begins for s in sessions(w)])
    return sessions(world)[max(bisect.bisect_right(starts, day) - 1, 0)]


def _build(world: World) -> tuple[Session, ...]:
    found: list[Session] = []
    for year in range(2020, LAST_DAY.year + 1):
        for month in range(2, 13):
            if month in (10, 11) or (year == 2020 and month < 6):
                continue
            stream = world.identity("politics", "session", year, month)
            begins = datetime.date(year, month, stream.between(2, 6))
            ends = begins + datetime.timedelta(days=stream.between(20, 23))
            if month == 9:
                begins, ends = datetime.date(year, 9, 1), datetime.date(year, 12, 9)
            elif month == 12:
                begins, ends = datetime.date(year, 12, 10 + stream.below(3)), datetime.date(year + 1, 1, 9)
            elif month == 5:
                ends = min(ends, datetime.date(year, 5, 29))
            if begins <= LAST_DAY:
                number = _FIRST_NUMBER + len(found)
                found.append(Session(term_on(begins), number, month == 9, begins, ends))
    return tuple(found)


def days_of(session: Session, weekdays: tuple[int, ...]) -> list[datetime.date]:
    """Working days of a session on the given weekdays, up to the world's today."""
    last = min(session.ends, LAST_DAY)
    span = ((session.begins + datetime.timedelta(days=n)) for n in range((last - session.begins).days + 1))
    return [day for day in span if day.weekday() in weekdays and is_business_day(day)]
