"""Laws and their editions: acts, presidential decrees and ministerial rules from promulgation to today.

A law keeps its 법령ID for life; each promulgation is an edition with a 법령일련번호 (MST) of its own.
An edition takes effect on the day of its promulgation or later, and a later one never before an
earlier one. A decree follows its act, a rule its decree.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kopa_hf.sandbox.rng import Stream, permuted
from kopa_hf.sandbox.statutes.ministries import Ministry, lawmaking
from kopa_hf.sandbox.statutes.wording import COINED, PURPOSES, RULE_FORMS, SUBJECTS, compact_day
from kopa_hf.sandbox.world import LAST_DAY, World

ACTS: Final = 1_600
FREE_DECREES: Final = 480
"""Presidential decrees that carry out no act of their own name."""
_MOST_ACTS, _MOST_DECREES = 4_000, 2_000
"""However large the world: there are only so many names and six-digit ids."""
ACT, DECREE, RULE = "법률", "대통령령", "부령"
_FIRST_DAY: Final = datetime.date(1988, 3, 1).toordinal()
_LATEST_ACT: Final = datetime.date(2025, 3, 31).toordinal()
_TODAY: Final = LAST_DAY.toordinal()
_LATEST_EDITION: Final = _TODAY - 2
_KINDS: Final = (("일부개정", 70), ("타법개정", 26), ("전부개정", 4))
_DELAYS: Final = ((0, 34), (90, 18), (180, 30), (365, 18))
_IDS: Final = 14_500
_NUMBERS: Final = {ACT: 9_200, DECREE: 14_800}


@dataclass(slots=True, eq=False)
class Law:
    """An act, decree or rule through all its editions."""

    index: int
    level: str
    """법률, 대통령령 or 부령."""
    name: str
    law_id: str
    """Six digits."""
    ministry: Ministry
    subject: str
    """What it is about: 누리골목상권."""
    abbreviation: str = ""
    parent: Law | None = None
    """The act that a decree carries out, the decree that a rule carries out."""
    children: list[Law] = field(default_factory=list)
    editions: tuple[Edition, ...] = ()
    """In order of promulgation."""

    @property
    def kind(self) -> str:
        """As lists print it: 법률, 대통령령, 국토교통부령."""
        return f"{self.ministry.name}령" if self.level == RULE else self.level

    @property
    def current(self) -> Edition | None:
        """The edition in force today; None once the law is repealed."""
        found = [edition for edition in self.editions if edition.effective <= TODAY]
        return None if not found or found[-1].change == "폐지" else found[-1]

    @property
    def act(self) -> Law:
        """The top of its family."""
        return self if self.parent is None else self.parent.act

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Law) and other.law_id == self.law_id

    def __hash__(self) -> int:
        return self.index


TODAY: Final = LAST_DAY.strftime("%Y%m%d")


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """A law as one promulgation left it."""

    law: Law
    ordinal: int
    """0 for the enactment."""
    mst: str
    promulgated: str
    """YYYYMMDD."""
    number: str
    """공포번호, five digits."""
    effective: str
    change: str
    """제정, 일부개정, 타법개정, 전부개정 or 폐지."""

    @property
    def state(self) -> str:
        """현행, 시행예정 or 연혁."""
        if self.effective > TODAY:
            return "시행예정"
        return "현행" if self.law.current is self else "연혁"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edition) and other.mst == self.mst

    def __hash__(self) -> int:
        return int(self.mst)


def laws(world: World) -> tuple[Law, ...]:
    """All laws in force or repealed, by index."""
    return world.table("statutes.laws", _build)


def editions(world: World) -> tuple[Edition, ...]:
    """Every edition, by name and then by day of effect."""
    return world.table(
        "statutes.editions",
        lambda w: tuple(sorted((e for law in laws(w) for e in law.editions), key=lambda e: (e.law.name, e.effective))),
    )


def current_editions(world: World) -> tuple[Edition, ...]:
    """The edition in force of every law that is, by name."""
    return world.table("statutes.current", lambda w: tuple(e for e in editions(w) if e.state == "현행"))


def edition_by_mst(world: World) -> Mapping[str, Edition]:
    """법령일련번호 → edition."""
    return world.table("statutes.by_mst", lambda w: {e.mst: e for e in editions(w)})


def law_by_id(world: World) -> Mapping[str, Law]:
    """법령ID → law."""
    return world.table("statutes.by_id", lambda w: {law.law_id: law for law in laws(w)})


def law_by_name(world: World) -> Mapping[str, Law]:
    """Name → law; names are unique."""
    return world.table("statutes.by_name", lambda w: {law.name: law for law in laws(w)})


def _build(world: World) -> tuple[Law, ...]:
    names = world.identity("statutes", "names").u64()
    found: list[Law] = []
    raw: list[tuple[int, Law, int, int, str]] = []

    def add(law: Law, history: list[tuple[int, int, str]]) -> None:
        found.append(law)
        raw.extend((promulgated, law, ordinal, effective, change) for ordinal, (promulgated, effective, change) in
                   enumerate(history))  # fmt: skip

    def new(level: str, name: str, ministry: Ministry, subject: str, short: str = "", parent: Law | None = None) -> Law:
        index = len(found)
        law = Law(index, level, name, f"{permuted(index, _IDS, names) + 1:06d}", ministry, subject, short, parent)
        if parent is not None:
            parent.children.append(law)
        return law

    for position in range(min(world.count(ACTS, 12), _MOST_ACTS)):
        stream = world.identity("statutes", "act", position)
        choice = permuted(position, len(COINED) * len(SUBJECTS) * len(PURPOSES), names)
        subject = COINED[choice % len(COINED)] + SUBJECTS[choice // len(COINED) % len(SUBJECTS)]
        ending, short = PURPOSES[choice // len(COINED) // len(SUBJECTS)]
        ministry = stream.weighted(lawmaking())
        abbreviation = subject + short if stream.chance(0.5) and " " in ending.strip() else ""
        act = new(ACT, subject + ending, ministry, subject, abbreviation)
        history = _history(stream, _enacted(stream), stream.octave(1, 15), stream.chance(0.04))
        add(act, history)
        gone = history[-1][2] == "폐지"
        if stream.chance(0.88):
            decree = new(DECREE, f"{act.name} 시행령", ministry, subject, "", act)
            add(decree, _following(stream, history, stream.octave(1, 15), gone))
            if stream.chance(0.82):
                rule = new(RULE, f"{act.name} 시행규칙", ministry, subject, "", decree)
                add(rule, _following(stream, history, stream.octave(1, 10), gone))
    for position in range(min(world.count(FREE_DECREES, 3), _MOST_DECREES)):
        stream = world.identity("statutes", "decree", position)
        choice = permuted(position, len(COINED) * len(SUBJECTS) * len(RULE_FORMS), names + 1)
        subject = COINED[choice % len(COINED)] + SUBJECTS[choice // len(COINED) % len(SUBJECTS)]
        form = RULE_FORMS[choice // len(COINED) // len(SUBJECTS)]
        law = new(DECREE, f"{subject} {form}", stream.weighted(lawmaking()), subject)
        add(law, _history(stream, _enacted(stream), stream.octave(1, 15), stream.chance(0.04)))
    _number(raw, found)
    return tuple(found)


def _enacted(stream: Stream) -> int:
    return stream.between(_FIRST_DAY, _LATEST_ACT)


def _history(stream: Stream, first: int, amendments: int, repealed: bool) -> list[tuple[int, int, str]]:
    """(promulgated, effective, change) of every edition."""
    history = [(first, first + stream.weighted(((90, 2), (180, 5), (365, 4))), "제정")]
    step = (_LATEST_EDITION - history[0][1]) // (amendments + 1)
    if step < 40:  # a young law has not been amended yet
        return history
    for turn in range(amendments):
        promulgated = history[0][1] + step * turn + stream.between(step // 4, step)
        change = stream.weighted(_KINDS)
        if turn == amendments - 1 and repealed:
            change = "폐지"
        effective = max(promulgated + stream.weighted(_DELAYS), history[-1][1] + 1)
        history.append((promulgated, effective, change))
    return history


def _following(
    stream: Stream, above: list[tuple[int, int, str]], amendments: int, gone: bool
) -> list[tuple[int, int, str]]:
    """A decree's or rule's history: promulgated shortly before the act takes effect, ended with it."""
    effective = above[0][1]
    first = max(above[0][0] + 1, effective - stream.between(1, 20))
    history = _history(stream, min(first, _LATEST_EDITION), amendments, gone)
    history[0] = (min(first, _LATEST_EDITION), effective, "제정")
    return [history[0], *((p, max(e, effective + 1 + n), c) for n, (p, e, c) in enumerate(history[1:]))]


def _number(raw: list[tuple[int, Law, int, int, str]], found: list[Law]) -> None:
    """Serial numbers grow with the day of promulgation; each kind of law counts its own 공포번호."""
    raw.sort(key=lambda row: (row[0], row[1].index))
    counts: dict[str, int] = dict(_NUMBERS)
    made: dict[int, list[Edition]] = {law.index: [] for law in found}
    for position, (promulgated, law, ordinal, effective, change) in enumerate(raw):
        number = counts[law.kind] = counts.get(law.kind, 0) + 1
        mst = str(2_000 + position * 8 + law.index % 8)
        made[law.index].append(
            Edition(law, ordinal, mst, compact_day(promulgated), f"{number:05d}", compact_day(effective), change)
        )
    for law in found:
        law.editions = tuple(made[law.index])
