"""Administrative rules, and the rulebooks of universities, local corporations and public institutions.

A rule keeps its 행정규칙ID; every issue of it has a 행정규칙일련번호 of 13 digits, another number.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.rng import Stream, permuted
from kopa_hf.sandbox.statutes.articles import Article, all_articles
from kopa_hf.sandbox.statutes.laws import ACT, Law, laws
from kopa_hf.sandbox.statutes.ministries import MINISTRIES, Ministry
from kopa_hf.sandbox.statutes.wording import COINED, compact_day
from kopa_hf.sandbox.universities.university import universities
from kopa_hf.sandbox.world import LAST_DAY, World

_TODAY: Final = LAST_DAY.toordinal()
_KINDS: Final = (("고시", 60), ("훈령", 14), ("예규", 12), ("지침", 10), ("공고", 4))
_INTERNAL: Final = (
    "보안업무 규정", "당직 및 비상근무 규정", "기록물 관리 규정", "포상 업무 지침", "청렴 실천 지침", "민원사무 처리 규정",
    "정보공개 운영 규정", "위임전결 규정", "연구용역 관리 규정", "성과평가 운영 규정", "인사운영 규정", "홍보업무 지침",
    "재난상황 관리 규정", "개인정보 보호 지침", "국고보조금 관리 지침", "자체감사 규정", "적극행정 운영 지침", "통계 관리 규정",
    "차량 관리 규정", "교육훈련 운영 규정",
)  # fmt: skip
_CHANGES: Final = (("일부개정", 70), ("전부개정", 8), ("타법개정", 22))
CHANGE_CODES: Final = {
    "제정": "200401", "전부개정": "200402", "일부개정": "200403", "폐지": "200404", "타법개정": "200409",
}  # fmt: skip
BOOK_KINDS: Final = {"1": "학칙", "2": "학교규정", "3": "학교지침", "4": "학교시행세칙", "5": "공단·공공기관 규정"}
_BOOKS: Final[Mapping[str, tuple[str, tuple[str, ...], int]]] = {
    "school": (
        "대학교",
        ("학칙", "학사운영 규정", "장학금 지급 규정", "교원 인사 규정", "도서관 운영 규정", "생활관 운영 지침",
         "연구윤리 규정", "평생교육원 운영 규정", "학생 자치활동 지침", "대학원 시행세칙"),
        2_400,
    ),
    "public": (
        "도시공사",
        ("인사 규정", "보수 규정", "회계 규정", "계약사무 처리 규정", "감사 규정", "주차장 운영 규정", "체육시설 운영 규정"),
        900,
    ),
    "pi": (
        "진흥원",
        ("인사 규정", "보수 규정", "여비 규정", "연구관리 규정", "사업비 집행 규정", "이사회 운영 규정", "정보공개 지침"),
        1_800,
    ),
}  # fmt: skip
_PLACES: Final = ("산울", "들녘", "물빛", "솔숲", "햇살", "바람", "너른", "푸른", "고운", "맑은", "새벽", "여울")


@dataclass(slots=True, eq=False)
class Rulebook:
    """A rule through all its issues."""

    family: str
    """admrul, school, public or pi."""
    name: str
    rule_id: str
    """Five digits; the LID of requests."""
    kind: str
    issuer: str
    """Who issued it: a ministry, a university, a corporation."""
    issuer_code: str
    law: Law | None = None
    """The act that it carries out."""
    article: str = ""
    """Key of that act's article."""
    issues: tuple[Issue, ...] = ()

    @property
    def current(self) -> Issue:
        """The issue in force."""
        return next((i for i in reversed(self.issues) if i.effective <= TODAY), self.issues[0])


TODAY: Final = LAST_DAY.strftime("%Y%m%d")


@dataclass(frozen=True, slots=True, eq=False)
class Issue:
    """A rule as one issue left it."""

    book: Rulebook
    ordinal: int
    serial: str
    issued: str
    number: str
    effective: str
    change: str

    @property
    def state(self) -> str:
        """현행 or 연혁."""
        return "현행" if self.book.current is self else "연혁"

    @property
    def change_code(self) -> str:
        """200401 for 제정."""
        return CHANGE_CODES[self.change]


def books(world: World, family: str) -> tuple[Rulebook, ...]:
    """All rules of a family, by name."""
    return world.table(
        f"statutes.books.{family}", lambda w: _admin_rules(w) if family == "admrul" else _books(w, family)
    )


def issues(world: World, family: str) -> tuple[Issue, ...]:
    """Every issue, by name and day."""
    return world.table(f"statutes.issues.{family}", lambda w: tuple(i for b in books(w, family) for i in b.issues))


def current_issues(world: World, family: str) -> tuple[Issue, ...]:
    """The issue in force of every rule, by name."""
    return world.table(f"statutes.current.{family}", lambda w: tuple(b.current for b in books(w, family)))


def issue_by_serial(world: World, family: str) -> Mapping[str, Issue]:
    """행정규칙일련번호 → issue."""
    return world.table(f"statutes.serials.{family}", lambda w: {i.serial: i for i in issues(w, family)})


def book_by_id(world: World, family: str) -> Mapping[str, Rulebook]:
    """행정규칙ID → rule."""
    return world.table(f"statutes.ids.{family}", lambda w: {b.rule_id: b for b in books(w, family)})


def books_of_law(world: World, law: Law) -> tuple[Rulebook, ...]:
    """The administrative rules that carry out an act."""

    def build(world: World) -> dict[int, list[Rulebook]]:
        found: dict[int, list[Rulebook]] = {}
        for book in books(world, "admrul"):
            if book.law is not None:
                found.setdefault(book.law.index, []).append(book)
        return found

    return tuple(world.table("statutes.books_of_law", build).get(law.index, ()))


def _admin_rules(world: World) -> tuple[Rulebook, ...]:
    found: list[Rulebook] = []
    for law in laws(world):
        if law.level == ACT and law.current is not None:
            found.extend(_of_act(world, law, all_articles(world, law)))
    for ministry in MINISTRIES:
        found.extend(_internal(world, ministry))
    return _finished(world, "admrul", found, 30_000)


def _of_act(world: World, law: Law, articles: tuple[Article, ...]) -> list[Rulebook]:
    stream = world.identity("statutes", "notices", law.index)
    bases = [a for a in articles if a.created == 0 and (a.clause.decree or a.clause.rule)]
    found = []
    for article in stream.sample(bases, stream.between(0, min(6, len(bases)))):
        kind = stream.weighted(_KINDS)
        title = article.clause.rule or article.clause.decree
        name = f"{law.name.split(' ')[0].removesuffix('의')} {title}에 관한 {kind}"
        found.append(Rulebook("admrul", name, "", kind, law.ministry.name, law.ministry.code, law, article.key))
    return found


def _internal(world: World, ministry: Ministry) -> list[Rulebook]:
    stream = world.identity("statutes", "internal", ministry.code)
    return [
        Rulebook(
            "admrul",
            f"{ministry.name} {topic}",
            "",
            "훈령" if "규정" in topic else "예규",
            ministry.name,
            ministry.code,
        )
        for topic in stream.sample(_INTERNAL, stream.between(12, 20))
    ]


def _houses(world: World, family: str, topics: int) -> list[tuple[str, str]]:
    """(name, code) of those who make rulebooks: the universities (by a code that is not 학교아이디), or invented corporations and institutes."""
    if family == "school":
        return [(university.name, str(7_200_000 + university.index * 7)) for university in universities(world)]
    ending, _, base = _BOOKS[family]
    count = max(1, world.count(base) // topics)
    return [
        (f"{COINED[n % 12]}{_PLACES[n // 12 % 12]}{ending}", f"{7_000_000 + n * 7 + len(family)}")
        for n in range(min(count, 144))
    ]


def _books(world: World, family: str) -> tuple[Rulebook, ...]:
    topics = _BOOKS[family][1]
    found = []
    for name, code in _houses(world, family, len(topics)):
        for position, topic in enumerate(topics):
            kind = "공단·공공기관 규정"
            if family == "school":
                kind = "학칙" if position == 0 else "학교규정"
                kind = {"지침": "학교지침", "세칙": "학교시행세칙"}.get(topic[-2:], kind)
            found.append(Rulebook(family, f"{name} {topic}", "", kind, name, code))
    return _finished(world, family, found, {"school": 60_000, "public": 72_000, "pi": 80_000}[family])


def _finished(world: World, family: str, found: list[Rulebook], first_id: int) -> tuple[Rulebook, ...]:
    """Gives ids, issues and serial numbers, in which the day of issue shows."""
    by_name: dict[str, Rulebook] = {}
    for book in found:
        by_name.setdefault(book.name, book)
    kept = sorted(by_name.values(), key=lambda b: b.name)
    seed = world.identity("statutes", "rule ids", family).u64()
    drafts: list[tuple[str, int, Rulebook, int, str, str]] = []
    for position, book in enumerate(kept):
        book.rule_id = str(first_id + permuted(position, 20_000 if family == "admrul" else 8_000, seed))
        stream = world.identity("statutes", "issues", book.name)
        for ordinal, (issued, effective, change) in enumerate(_dates(stream, book)):
            drafts.append((issued, position, book, ordinal, effective, change))
    drafts.sort(key=lambda d: (d[0], d[1]))
    made: dict[int, list[Issue]] = {}
    base = 2_100_000_000_000 + {"admrul": 0, "school": 600_000, "public": 700_000, "pi": 800_000}[family]
    for rank, (issued, position, book, ordinal, effective, change) in enumerate(drafts):
        number = (
            f"{issued[:4]}-{1 + (position * 7 + ordinal) % 300}"
            if book.kind in ("고시", "공고")
            else str(10 + position % 900)
        )
        made.setdefault(position, []).append(
            Issue(book, ordinal, str(base + 101 + rank * 3 + position % 3), issued, number, effective, change)
        )
    for position, book in enumerate(kept):
        book.issues = tuple(sorted(made[position], key=lambda i: i.ordinal))
    return tuple(kept)


def _dates(stream: Stream, book: Rulebook) -> list[tuple[str, str, str]]:
    first = stream.between(_TODAY - 20 * 365, _TODAY - 120)
    if book.law is not None:  # a notice comes with its act, or later
        enacted = datetime.date.fromisoformat(book.law.editions[0].effective).toordinal()
        first = min(max(first, enacted), _TODAY - 10)
    days = [first]
    step = (_TODAY - 5 - first) // (stream.octave(1, 7) + 1)
    while step > 60 and days[-1] + step < _TODAY:
        days.append(days[-1] + stream.between(step // 2, step))
    found = []
    for ordinal, day in enumerate(days):
        start = day + stream.weighted(((0, 6), (15, 1), (30, 1)))
        change = "제정" if ordinal == 0 else stream.weighted(_CHANGES)
        found.append((compact_day(day), compact_day(start), change))
    return found
