"""The articles of a law: which there are, which amendment touched them, and what they say in each edition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.envelopes.law_layout import one_or_many
from kopa_hf.sandbox.statutes.laws import ACT, Edition, Law
from kopa_hf.sandbox.statutes.wording import CLOSING, MIDDLE, OPENING, Clause, topic, with_particle
from kopa_hf.sandbox.world import World

_CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨⑩"
_CARRIED: Final = Clause("", ("법 제{a}조에 따른 사항의 세부 기준은 별표 {b}{gwa} 같다.",), numbers=(1, 2, 3, 4))
_PURPOSE: Final = Clause(
    "목적", ("이 {level}은 「{act}」에서 위임된 사항과 그 시행에 필요한 사항을 규정함을 목적으로 한다.",)
)
_FREE: Final = (
    Clause("목적", ("이 영은 {s}에 관하여 필요한 사항을 규정함을 목적으로 한다.",)),
    Clause("기능", ("{m}은 {s}에 관한 사항을 {n}년마다 점검한다.",), numbers=(1, 2, 3)),
    Clause("구성", ("위원회는 위원장을 포함한 {n}명 이내의 위원으로 구성한다.",), numbers=(7, 9, 11, 15)),
    Clause("회의", ("회의는 해마다 {n}회 이상 개최한다.",), numbers=(1, 2, 4)),
    Clause("간사", ("위원회의 사무를 처리하기 위하여 간사 {n}명을 둔다.",), numbers=(1, 2)),
    Clause("운영세칙", ("이 영에서 정한 것 말고 필요한 사항은 {m}이 정한다.",)),
)


@dataclass(frozen=True, slots=True)
class Article:
    """One article through all editions."""

    number: int
    branch: int
    """2 in 제5조의2; 0 for 제5조."""
    clause: Clause
    title: str
    created: int
    """Ordinal of the edition that brought it."""
    changed: tuple[int, ...]
    """Ordinals of the editions that amended it, in order."""
    source: str = ""
    """For decrees and rules: key of the act's article that it carries out."""

    @property
    def key(self) -> str:
        """Six digits: 000502 for 제5조의2."""
        return f"{self.number:04d}{self.branch:02d}"

    @property
    def label(self) -> str:
        """제5조의2."""
        return label_of(self.key)

    def last_change(self, ordinal: int) -> int:
        """The latest edition up to this one that touched the article."""
        return max((o for o in self.changed if o <= ordinal), default=self.created)


def label_of(key: str) -> str:
    """제5조의2 for 000502."""
    return f"제{int(key[:4])}조" + (f"의{int(key[4:])}" if key[4:] != "00" else "")


def all_articles(world: World, law: Law) -> tuple[Article, ...]:
    """Every article that the law ever had, in order."""
    return world.table(f"statutes.articles.{law.index}", lambda w: _plan(w, law))


def articles_of(world: World, edition: Edition) -> tuple[Article, ...]:
    """The articles of one edition."""
    return tuple(a for a in all_articles(world, edition.law) if a.created <= edition.ordinal)


def touched_by(world: World, edition: Edition) -> tuple[Article, ...]:
    """The articles that an edition brought or amended."""
    ordinal = edition.ordinal
    return tuple(a for a in all_articles(world, edition.law) if a.created == ordinal or ordinal in a.changed)


def find_article(world: World, edition: Edition, key: str) -> Article | None:
    """The article of a six-digit key in an edition."""
    return next((a for a in articles_of(world, edition) if a.key == key), None)


def _plan(world: World, law: Law) -> tuple[Article, ...]:
    stream = world.identity("statutes", "articles", law.index)
    drafts = _drafts(world, law)  # (number, branch, clause, title, created, source)
    changed: list[list[int]] = [[] for _ in drafts]
    for edition in law.editions[1:]:
        there = [i for i, draft in enumerate(drafts) if draft[4] < edition.ordinal]
        if edition.change == "폐지":
            continue
        if edition.change == "전부개정":
            touched = there
        else:
            most = 1 if edition.change == "타법개정" else min(4, len(there))
            touched = stream.sample(there, stream.between(1, most))
        for i in touched:
            changed[i].append(edition.ordinal)
    return tuple(
        Article(number, branch, clause, title, created, tuple(ordinals), source)
        for (number, branch, clause, title, created, source), ordinals in zip(drafts, changed, strict=True)
    )


_Draft = tuple[int, int, Clause, str, int, str]


def _drafts(world: World, law: Law) -> list[_Draft]:
    if law.level == ACT:
        return _act_drafts(world, law)
    if law.parent is None:
        return [(n, 0, clause, clause.title, 0, "") for n, clause in enumerate(_FREE, start=1)]
    return _carried_drafts(world, law)


def _act_drafts(world: World, law: Law) -> list[_Draft]:
    stream = world.identity("statutes", "clauses", law.index)
    order = stream.sample(range(len(MIDDLE)), len(MIDDLE))
    base = sorted(order[: stream.between(5, 11)])
    later = [i for i in order[len(base) :]]
    clauses = [*OPENING, *(MIDDLE[i] for i in base), *CLOSING]
    drafts = [(number, 0, clause, clause.title, 0, "") for number, clause in enumerate(clauses, start=1)]
    for edition in law.editions[1:]:  # an amendment now and then adds an article behind another
        if later and edition.change == "일부개정" and stream.chance(0.25):
            behind = stream.between(4, len(clauses) - 3)
            branch = 2 + sum(d[0] == behind and d[1] > 0 for d in drafts)
            clause = MIDDLE[later.pop()]
            drafts.append((behind, branch, clause, clause.title, edition.ordinal, ""))
    return sorted(drafts, key=lambda d: (d[0], d[1]))


def _carried_drafts(world: World, law: Law) -> list[_Draft]:
    """A decree or rule has an article for each article of the act that delegates to it from the start."""
    decree = law.level == "대통령령"
    drafts: list[_Draft] = [(1, 0, _PURPOSE, "목적", 0, "")]
    for article in all_articles(world, law.act):
        title = article.clause.decree if decree else article.clause.rule
        if title and article.created == 0:
            drafts.append((len(drafts) + 1, 0, _CARRIED, title, 0, article.key))
    return drafts


# texts


def paragraphs_of(edition: Edition, article: Article) -> tuple[list[str], list[str]]:
    """(paragraphs, items) of an article as an edition has it; amended ones say when."""
    law = edition.law
    turns = sum(o <= edition.ordinal for o in article.changed)
    clause = article.clause
    number = clause.numbers[(law.index + article.number + turns) % len(clause.numbers)]
    words = {
        "s": law.subject,
        "eunneun": topic(law.subject),
        "m": law.ministry.head,
        "n": number,
        "level": "영" if law.level == "대통령령" else "규칙",
        "act": law.act.name,
        "a": int(article.source[:4]) if article.source else 1,
        "b": number,
        "gwa": with_particle(str(number)),
    }
    paragraphs = [text.format(**words) for text in clause.paragraphs]
    items = [text.format(**words) for text in clause.items]
    last = article.last_change(edition.ordinal)
    if last:
        word = "신설" if last == article.created else "개정"
        paragraphs[-1] += f" <{word} {_spoken(law.editions[last].promulgated)}>"
    return paragraphs, items


def _spoken(day: str) -> str:
    return f"{day[:4]}. {int(day[4:6])}. {int(day[6:])}."


def head_of(article: Article) -> str:
    """제5조(등록)."""
    return f"{article.label}({article.title})"


def plain_text(edition: Edition, article: Article) -> str:
    """The whole article in one text."""
    paragraphs, items = paragraphs_of(edition, article)
    marked = paragraphs if len(paragraphs) == 1 else [f"{_CIRCLED[i]} {p}" for i, p in enumerate(paragraphs)]
    return " ".join([head_of(article), *marked, *(f"{i}. {item}" for i, item in enumerate(items, start=1))])


def unit_of(edition: Edition, article: Article) -> dict[str, Any]:
    """An article as answers nest it: 조문단위 with 항 and 호."""
    paragraphs, items = paragraphs_of(edition, article)
    last = article.last_change(edition.ordinal)
    changed = last == edition.ordinal and edition.ordinal > 0
    unit: dict[str, Any] = {"조문키": f"{article.key[:4]}{article.key[4:]}1", "조문번호": str(article.number)}
    if article.branch:
        unit["조문가지번호"] = str(article.branch)
    unit |= {
        "조문여부": "조문",
        "조문제목": article.title,
        "조문시행일자": edition.law.editions[last].effective,
        "조문이동이전": "",
        "조문이동이후": "",
        "조문변경여부": "Y" if changed else "N",
    }
    numbered = [{"호번호": f"{i}.", "호내용": f"{i}. {item}"} for i, item in enumerate(items, start=1)]
    if len(paragraphs) == 1:
        unit["조문내용"] = f"{head_of(article)} {paragraphs[0]}"
        if numbered:
            unit["항"] = {"호": one_or_many(numbered)}
        return unit
    unit["조문내용"] = head_of(article)
    blocks: list[dict[str, Any]] = [
        {"항번호": _CIRCLED[i], "항내용": f"{_CIRCLED[i]} {text}"} for i, text in enumerate(paragraphs)
    ]
    if numbered:
        blocks[-1]["호"] = one_or_many(numbered)
    unit["항"] = one_or_many(blocks)
    return unit
