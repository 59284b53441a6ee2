"""Teachers and staff, counted by position, certificate and subject: every table adds up to the same heads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.schools.enrolment import Enrolment
from kopa_hf.sandbox.schools.school import ELEMENTARY, HIGH, SPECIAL, School
from kopa_hf.sandbox.world import World

POSITIONS: Final = {
    "principal": 1, "vice": 2, "master": 15, "head": 3, "teacher": 4, "special": 5, "counsellor": 6, "librarian": 7,
    "practical": 8, "nurse": 9, "nutrition": 10, "temporary": 11, "lecturer": 13,
}  # fmt: skip
"""Position → number of its columns in 학교알리미's table."""
SUBJECTS: Final = (
    "국어", "도덕", "사회", "수학", "과학", "실과", "체육", "음악", "미술", "영어", "컴퓨터", "재량활동", "통합교과", "기타",
)  # fmt: skip
_SHARES: Final = (12, 4, 11, 12, 12, 5, 9, 5, 4, 12, 3, 0, 0, 11)


@dataclass(frozen=True, slots=True)
class Heads:
    """How many, and how many of them women."""

    total: int
    women: int
    on_leave: int = 0

    @property
    def men(self) -> int:
        """The others."""
        return self.total - self.women


def teachers(world: World, school: School, pupils: Enrolment) -> dict[str, Heads]:
    """Position → heads, in the order of the table."""
    stream = world.measure("schools", "teachers", school.index, pupils.year)
    share = 0.77 if school.level == ELEMENTARY else 0.55 if school.level == HIGH else 0.68
    classes = pupils.classes
    ratio = {ELEMENTARY: 115, SPECIAL: 175, HIGH: 205}.get(school.level, 185)
    teaching = max(3, classes * (ratio + stream.below(20)) // 100)
    heads = max(1, teaching // 4)
    temporary = teaching * stream.between(6, 18) // 100
    counts = {
        "principal": 0 if school.branch else 1,
        "vice": 0 if school.branch else 1 + (classes >= 43),
        "master": int(stream.chance(0.08)),
        "head": heads,
        "teacher": max(1, teaching - heads - temporary - pupils.special[0]),
        "special": teaching // 2 if school.level == SPECIAL else pupils.special[0],
        "counsellor": int(stream.chance(0.35)),
        "librarian": int(stream.chance(0.12)),
        "practical": stream.below(3) if "특성화" in school.high_kind else 0,
        "nurse": int(classes >= 6 or stream.chance(0.4)),
        "nutrition": int(classes >= 8 or stream.chance(0.4)),
        "temporary": temporary,
        "lecturer": stream.below(4),
    }
    return {name: _heads(stream, counts[name], 0.45 if name in ("principal", "vice") else share) for name in POSITIONS}


def _heads(stream: Stream, total: int, share: float) -> Heads:
    women = stream.successes(total, share)
    return Heads(total, women, stream.successes(total, 0.04))


def total_of(parts: dict[str, Heads]) -> Heads:
    """All of them."""
    return Heads(
        sum(h.total for h in parts.values()),
        sum(h.women for h in parts.values()),
        sum(h.on_leave for h in parts.values()),
    )


def native_speakers(world: World, school: School, year: int) -> Heads:
    """원어민강사, counted apart."""
    stream = world.measure("schools", "native", school.index, year)
    return _heads(stream, int(stream.chance(0.3)), 0.5)


def split(heads: Heads, shares: tuple[int, ...]) -> list[Heads]:
    """Heads dealt out by shares; sums are kept, and no part has more women than heads."""
    whole, run, found = sum(shares), 0, []
    before, ladies_before = 0, 0
    for share in shares:
        run += share
        upto = heads.total * run // whole
        ladies = heads.women * upto // heads.total if heads.total else 0
        found.append(Heads(upto - before, ladies - ladies_before))
        before, ladies_before = upto, ladies
    return found


def by_subject(heads: Heads) -> list[Heads]:
    """Teachers by the subject on their certificate, in the order of `SUBJECTS`."""
    return split(heads, _SHARES)


def staff(world: World, school: School, pupils: Enrolment) -> tuple[Heads, Heads, Heads]:
    """일반직, 별정직, 교육공무직."""
    stream = world.measure("schools", "staff", school.index, pupils.year)
    civil = _heads(stream, 2 + pupils.classes // 12 + stream.below(2), 0.6)
    other = _heads(stream, int(stream.chance(0.03)), 0.3)
    return civil, other, _heads(stream, 3 + pupils.classes // 3 + stream.below(4), 0.9)
