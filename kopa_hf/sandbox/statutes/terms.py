"""Legal terms, everyday words, and how both hang on each other and on articles of laws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Rows
from kopa_hf.sandbox.statutes.articles import Article, all_articles, find_article, plain_text
from kopa_hf.sandbox.statutes.decisions import acts_with_articles
from kopa_hf.sandbox.statutes.laws import Edition, Law, law_by_id, law_by_name
from kopa_hf.sandbox.statutes.listing import chosen, contains, fitted, initial_of, link, numbered, ordered
from kopa_hf.sandbox.statutes.wording import COINED, SUBJECTS
from kopa_hf.sandbox.world import World

_HEADS: Final = (
    "운영자", "이용자", "기본계획", "시행계획", "등록증", "안전점검", "표준계약서", "보조금", "심의위원회", "전문인력",
    "정보시스템", "실태조사", "포상금", "이용료", "협회", "자격증", "지정기관", "부담금",
)  # fmt: skip
_EVERYDAY: Final = (
    "가게", "쉼터", "모임", "장부", "신고서", "딱지", "벌금", "허가증", "안내판", "회비", "점검표", "수첩", "도움말", "창구",
    "접수처", "알림글", "약속", "심부름",
)  # fmt: skip
_RELATIONS: Final = (
    ("140301", "동의어"), ("140302", "반의어"), ("140303", "상위어"), ("140304", "하위어"), ("140305", "연관어"),
)  # fmt: skip
_CLASSES: Final = (("140101", "핵심용어"), ("140102", "선정용어"))
_LAW_RELATIONS: Final = (("140501", "1유형(기본법)"), ("140503", "3유형(유사법)"), ("140506", "6유형(하위법)"))


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the law."""

    index: int
    name: str
    law: Law
    """The act that defines it."""

    @property
    def term_id(self) -> str:
        """법령용어ID."""
        return str(100_001 + self.index * 3)

    @property
    def node(self) -> str:
        """The number by which the knowledge base links it."""
        return str(700_001 + self.index * 2)


@dataclass(frozen=True, slots=True)
class Word:
    """An everyday word."""

    index: int
    name: str

    @property
    def node(self) -> str:
        """The number by which the knowledge base links it."""
        return str(400_001 + self.index * 2)


def terms(world: World) -> tuple[Term, ...]:
    """All legal terms, by name: each begins with the subject of the act that defines it."""

    def build(world: World) -> tuple[Term, ...]:
        found: dict[str, Law] = {}
        for law in acts_with_articles(world):
            stream = world.identity("statutes", "terms", law.index)
            for head in stream.sample(_HEADS, stream.between(3, 10)):
                found.setdefault(f"{law.subject} {head}", law)
        return tuple(Term(i, name, found[name]) for i, name in enumerate(sorted(found)))

    return world.table("statutes.terms", build)


def words(world: World) -> tuple[Word, ...]:
    """All everyday words, by name."""

    def build(world: World) -> tuple[Word, ...]:
        names = sorted(f"{coined}{subject} {word}" for coined in COINED for subject in SUBJECTS for word in _EVERYDAY)
        return tuple(Word(i, name) for i, name in enumerate(names))

    return world.table("statutes.words", build)


def _list(world: World, query: Query) -> Rows:
    tests = {
        "query": lambda t, v: contains(t.name, v),
        "gana": lambda t, v: initial_of(t.name) == v,
        "dicKndCd": lambda t, v: ("010102" if t.index % 7 == 0 else "010101") == v,
    }
    items = ordered(chosen(terms(world), query, tests), query, {"l": lambda t: t.name, "r": lambda t: t.index})

    def make(term: Term) -> Record:
        return {
            "법령용어ID": term.term_id,
            "법령용어명": term.name,
            "법령용어상세검색": link("lawService", target="lstrm", trmSeqs=term.term_id, type="HTML"),
            "사전구분코드": "011402",
            "법령용어상세링크": link("lawService", target="lstrm", trmSeqs=term.term_id, type="HTML"),
            "법령종류코드": "010102" if term.index % 7 == 0 else "010101",
        }

    return numbered(items, make)


def _named(world: World, query: Query) -> Term | None:
    """The term of that name, or of a number (`trmSeqs`, `MST`)."""
    by_name: Mapping[str, Term] = world.table("statutes.term_names", lambda w: {t.name: t for t in terms(w)})
    numbers: Mapping[str, Term] = world.table(
        "statutes.term_numbers", lambda w: {n: t for t in terms(w) for n in (t.term_id, t.node)}
    )
    if name := query.get("query"):
        return by_name.get(name)
    return numbers.get(query.get("trmSeqs") or query.get("MST"))


def _definition(world: World, query: Query) -> Rows:
    term = _named(world, query)
    if term is None:
        return NO_ROWS
    law = term.law
    record = {
        "법령용어일련번호": term.term_id,
        "법령용어명_한글": term.name,
        "법령용어명_한자": "",
        "법령용어코드": "011402",
        "법령용어코드명": "법령정의사전",
        "출처": f"{law.name}[{law.kind} 제{(law.current or law.editions[-1]).number}호]",
        "법령용어정의": f'"{term.name}"란 「{law.name}」에 따라 {law.ministry.head}이 정하여 고시한 것을 말한다.',
    }
    return Rows.of((fitted(record, query),))


def _kb_terms(world: World, query: Query) -> Rows:
    tests = {
        "query": lambda t, v: contains(t.name, v),
        "homonymYn": lambda t, v: (t.index % 40 == 0) == (v == "Y"),
    }

    def make(term: Term) -> Record:
        return {
            "법령용어명": term.name,
            "동음이의어존재여부": "Y" if term.index % 40 == 0 else "N",
            "비고": "",
            "용어간관계링크": link("lawService", target="lstrmRlt", MST=term.node, type="XML"),
            "조문간관계링크": link("lawService", target="lstrmRltJo", MST=term.node, type="XML"),
        }

    return numbered(chosen(terms(world), query, tests), make)


def _kb_words(world: World, query: Query) -> Rows:
    def make(word: Word) -> Record:
        return {
            "일상용어명": word.name,
            "출처": "생활용어집",
            "용어간관계링크": link("lawService", target="dlytrmRlt", MST=word.node, type="XML"),
        }

    return numbered(chosen(words(world), query, {"query": lambda w, v: contains(w.name, v)}), make)


def _pairs(world: World) -> tuple[Mapping[int, list[Word]], Mapping[int, list[Term]]]:
    """Which words a term hangs on, and the other way round: they share subject and, often, more."""

    def build(world: World) -> tuple[dict[int, list[Word]], dict[int, list[Term]]]:
        by_subject: dict[str, list[Word]] = {}
        for word in words(world):
            by_subject.setdefault(word.name.split(" ")[0], []).append(word)
        of_term: dict[int, list[Word]] = {}
        of_word: dict[int, list[Term]] = {}
        for term in terms(world):
            near = by_subject.get(term.name.split(" ")[0], ())
            for word in near[term.index % 4 :: 4]:
                of_term.setdefault(term.index, []).append(word)
                of_word.setdefault(word.index, []).append(term)
        return of_term, of_word

    return world.table("statutes.term_pairs", build)


def _relation(term: Term, word: Word) -> tuple[str, str]:
    return _RELATIONS[(term.index + word.index) % len(_RELATIONS)]


def _term_words(world: World, query: Query) -> Rows:
    term = _named(world, query)
    if term is None:
        return NO_ROWS
    wanted = query.get("trmRltCd")
    found = [w for w in _pairs(world)[0].get(term.index, ()) if not wanted or _relation(term, w)[0] == wanted]

    def make(word: Word) -> Record:
        code, name = _relation(term, word)
        return {
            "법령용어명": term.name,
            "비고": "",
            "일상용어명": word.name,
            "용어관계코드": code,
            "용어관계": name,
            "일상용어조회링크": link("lawSearch", target="dlytrm", query=word.name, type="XML"),
            "용어간관계링크": link("lawService", target="dlytrmRlt", MST=word.node, type="XML"),
        }

    return numbered(found, make)


def _word_terms(world: World, query: Query) -> Rows:
    wanted = query.get("trmRltCd")
    word = next((w for w in words(world) if w.name == query.get("query") or w.node == query.get("MST")), None)
    if word is None:
        return NO_ROWS
    found = [t for t in _pairs(world)[1].get(word.index, ()) if not wanted or _relation(t, word)[0] == wanted]

    def make(term: Term) -> Record:
        code, name = _relation(term, word)
        return {
            "일상용어명": word.name,
            "출처": "생활용어집",
            "법령용어명": term.name,
            "비고": "",
            "용어관계코드": code,
            "용어관계": name,
            "용어간관계링크": link("lawService", target="lstrmRlt", MST=term.node, type="XML"),
            "조문간관계링크": link("lawService", target="lstrmRltJo", MST=term.node, type="XML"),
        }

    return numbered(found, make)


def _edition(law: Law) -> Edition:
    return law.current or law.editions[-1]


def _term_articles(world: World, query: Query) -> Rows:
    """The articles of the act that defines a term, where the term is used."""
    term = _named(world, query)
    if term is None:
        return NO_ROWS
    edition = _edition(term.law)
    articles = [a for a in all_articles(world, term.law) if a.created <= edition.ordinal]
    used = [articles[1], *articles[3 + term.index % 3 :: 3]]

    def make(article: Article) -> Record:
        code, name = _CLASSES[0 if article is used[0] else 1]
        key = article.key
        return {
            "법령용어명": term.name,
            "비고": "",
            "용어간관계링크": link("lawService", target="lstrmRlt", MST=term.node, type="XML"),
            "법령명": term.law.name,
            "조번호": key[:4],
            "조가지번호": key[4:],
            "조문내용": plain_text(edition, article),
            "용어구분코드": code,
            "용어구분": name,
            "조문연계용어링크": link("lawService", target="joRltLstrm", ID=term.law.law_id, JO=key, type="XML"),
        }

    return numbered(used, make)


def _article_terms(world: World, query: Query) -> Rows:
    law = law_by_id(world).get(query.get("ID")) or law_by_name(world).get(query.get("query"))
    article = None if law is None else find_article(world, _edition(law), query.get("JO"))
    if law is None or article is None:
        return NO_ROWS
    by_law = world.table("statutes.terms_of_law", _terms_by_law)
    edition = _edition(law)
    text = plain_text(edition, article)

    def make(term: Term) -> Record:
        code, name = _CLASSES[0 if article.title == "정의" else 1]
        return {
            "법령명": law.name,
            "조번호": article.key[:4],
            "조가지번호": article.key[4:],
            "조문내용": text,
            "법령용어명": term.name,
            "비고": "",
            "용어구분코드": code,
            "용어구분": name,
            "용어간관계링크": link("lawService", target="lstrmRlt", MST=term.node, type="XML"),
            "용어연계조문링크": link("lawService", target="lstrmRltJo", MST=term.node, type="XML"),
        }

    return numbered(by_law.get(law.index, ()), make)


def _terms_by_law(world: World) -> Mapping[int, Sequence[Term]]:
    found: dict[int, list[Term]] = {}
    for term in terms(world):
        found.setdefault(term.law.index, []).append(term)
    return found


def _related(world: World, query: Query) -> Rows:
    """A law's decree and rule, and acts on the same subject."""
    law = law_by_id(world).get(query.get("ID")) or law_by_name(world).get(query.get("query"))
    if law is None:
        return NO_ROWS
    below = [(other, _LAW_RELATIONS[2]) for child in law.children for other in (child, *child.children)]
    same = [a for a in acts_with_articles(world) if a.subject[2:] == law.subject[2:] and a is not law]
    found = [*below, *((other, _LAW_RELATIONS[1]) for other in same[:8])]
    wanted = query.get("rltClsCd")
    found = [pair for pair in found if not wanted or pair[1][0] == wanted]

    def make(pair: tuple[Law, tuple[str, str]]) -> Record:
        other, (code, name) = pair
        return {
            "기준법령ID": law.law_id,
            "기준법령명": law.name,
            "기준법령상세링크": link("lawService", target="law", ID=law.law_id, type="HTML"),
            "관련법령ID": other.law_id,
            "관련법령명": other.name,
            "법령간관계코드": code,
            "법령간관계": name,
            "관련법령상세링크": link("lawService", target="law", ID=other.law_id, type="HTML"),
            "관련법령조회링크": link("lawSearch", target="lsRlt", ID=other.law_id, type="XML"),
        }

    return numbered(found, make)


HANDLERS: Final[dict[str, Handler]] = {
    "lawSearch/lstrm": _list,
    "lawSearch/lstrm/mobile": _list,
    "lawService/lstrm": _definition,
    "lawSearch/lstrmAI": _kb_terms,
    "lawSearch/dlytrm": _kb_words,
    "lawService/lstrmRlt": _term_words,
    "lawService/dlytrmRlt": _word_terms,
    "lawService/lstrmRltJo": _term_articles,
    "lawService/joRltLstrm": _article_terms,
    "lawSearch/lsRlt": _related,
}
