"""Articles found by meaning, articles of a class, and what has been deleted."""

from __future__ import annotations

import datetime
from typing import Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Rows
from kopa_hf.sandbox.statutes.articles import Article, articles_of, plain_text, touched_by
from kopa_hf.sandbox.statutes.law_lists import classed
from kopa_hf.sandbox.statutes.laws import Edition, current_editions
from kopa_hf.sandbox.statutes.listing import contains, fitted, link
from kopa_hf.sandbox.statutes.ordinances import ordinances
from kopa_hf.sandbox.statutes.ordinances import row as ordinance_row
from kopa_hf.sandbox.statutes.rulebooks import Issue, current_issues
from kopa_hf.sandbox.world import LAST_DAY, World

_DELETED: Final = 3_200
_KINDS: Final = (("1", "법령"), ("2", "행정규칙"), ("3", "자치법규"), ("13", "학칙공단"))
_MOST: Final = 200
"""Articles that a search by meaning gives at most."""


def _near(world: World, query: Query) -> list[tuple[Edition, Article]]:
    """Articles whose law or title holds the words that are asked for, best first."""
    asked = query.get("query")
    if not asked:
        return []
    parts = [part for part in asked.split() if part]
    scored: list[tuple[int, str, Edition, Article]] = []
    for edition in current_editions(world):
        hits = sum(contains(edition.law.name, part) for part in parts)
        if not hits:
            continue
        for article in articles_of(world, edition):
            score = 2 * hits + sum(contains(article.title, part) for part in parts)
            scored.append((-score, edition.law.name + article.key, edition, article))
        if len(scored) > _MOST * 8:
            break
    scored.sort(key=lambda s: s[:2])
    return [(edition, article) for _, _, edition, article in scored[:_MOST]]


def _by_meaning(world: World, query: Query) -> Rows:
    def make(pair: tuple[Edition, Article]) -> Record:
        edition, article = pair
        law = edition.law
        record = {
            "법령조문ID": f"{law.law_id}{article.key}",
            "법령ID": law.law_id,
            "법령일련번호": edition.mst,
            "법령명": law.name,
            "시행일자": edition.effective,
            "공포일자": edition.promulgated,
            "공포번호": edition.number,
            "소관부처코드": law.ministry.code,
            "소관부처명": law.ministry.name,
            "법령종류명": law.kind,
            "제개정구분명": edition.change,
            "법령편장절관코드": "01",
            "조문일련번호": f"{int(edition.mst) * 100 + article.number}",
            "조문번호": article.key[:4],
            "조문가지번호": article.key[4:],
            "조문제목": article.title,
            "조문내용": plain_text(edition, article),
        }
        return fitted(record, query)

    if query.get("search", "0") != "0":  # forms and rules have columns of their own
        return NO_ROWS
    return Rows.mapped(_near(world, query), make)


def _recommended(world: World, query: Query) -> Rows:
    if query.get("search", "0") != "0":
        return NO_ROWS

    def make(pair: tuple[Edition, Article]) -> Record:
        edition, article = pair
        record = {
            "법령조문ID": f"{edition.law.law_id}{article.key}",
            "법령ID": edition.law.law_id,
            "법령명": edition.law.name,
            "시행일자": edition.effective,
            "공포일자": edition.promulgated,
            "공포번호": edition.number,
            "조문번호": article.key[:4],
            "조문가지번호": article.key[4:],
            "조문제목": article.title,
        }
        return fitted(record, query)

    return Rows.mapped(_near(world, query)[:20], make)


def _law_articles(world: World, query: Query) -> Rows:
    """The articles of the laws of a class that their last amendment touched."""
    pairs = [
        (edition, article)
        for edition in classed(current_editions(world), query.get("vcode"))
        for article in touched_by(world, edition)[:3]
    ]

    def make(pair: tuple[Edition, Article]) -> Record:
        edition, article = pair
        law = edition.law
        record = {
            "법령키": f"{law.law_id}{edition.promulgated}{edition.number}",
            "법령ID": law.law_id,
            "법령명한글": law.name,
            "공포일자": edition.promulgated,
            "공포번호": edition.number,
            "제개정구분명": edition.change,
            "법령구분명": law.kind,
            "시행일자": edition.effective,
            "조문번호": str(article.number),
            "조문가지번호": str(article.branch or ""),
            "조문제목": article.title,
            "조문시행일자": edition.effective,
            "조문제개정유형": "신설" if article.created == edition.ordinal else "개정",
            "조문제개정일자문자열": edition.promulgated,
            "조문상세링크": link(
                "lawService", target="eflaw", MST=edition.mst, JO=article.key, efYd=edition.effective, type="HTML"
            ),
        }
        return fitted(record, query)

    return Rows.mapped(pairs, make)


def _rule_articles(world: World, query: Query) -> Rows:
    vcode = query.get("vcode")
    if len(vcode) != 14 or not vcode.startswith("A") or not vcode[1:].isdigit():
        return NO_ROWS
    books = [i for i in current_issues(world, "admrul") if int(i.book.rule_id) % 20 == int(vcode[-2:]) % 20]
    pairs = [(issue, number) for issue in books for number in (1, 2, 3)]
    return Rows(len(pairs), lambda index: fitted(_rule_article(*pairs[index]), query))


def _rule_article(issue: Issue, number: int) -> Record:
    book = issue.book
    return {
        "행정규칙일련번호": issue.serial,
        "행정규칙명": book.name,
        "행정규칙ID": book.rule_id,
        "발령일자": issue.issued,
        "발령번호": issue.number,
        "행정규칙구분명": book.kind,
        "소관부처명": book.issuer,
        "제개정구분명": issue.change,
        "담당부서기관코드": f"{int(book.issuer_code) + int(book.rule_id) % 60 + 1}",
        "담당부서기관명": "총괄과",
        "담당자명": "담당자",
        "전화번호": f"044-200-{1000 + int(book.rule_id) % 9000}",
        "조문키": f"{number:04d}001",
        "조문번호": str(number),
        "조문가지번호": "",
        "조문상세링크": link("lawService", target="admrul", ID=issue.serial, type="HTML"),
    }


def _ordinance_articles(world: World, query: Query) -> Rows:
    vcode = query.get("vcode")
    if len(vcode) != 14 or not vcode.startswith("O") or not vcode[1:].isdigit():
        return NO_ROWS
    kept = [o for o in ordinances(world) if o.law.index % 20 == int(vcode[-2:]) % 20]

    def at(index: int) -> Record:
        ordinance, number = kept[index // 2], index % 2 + 1
        title = ("목적", "책무")[number - 1]
        record = {
            **ordinance_row(ordinance),
            "조문키": f"{number:04d}001",
            "조문번호": str(number),
            "조문가지번호": "",
            "조문제목": title,
            "조문내용": f"제{number}조({title}) 「{ordinance.law.name}」의 시행에 필요한 사항을 정한다.",
        }
        return fitted(record, query)

    return Rows(len(kept) * 2, at)


def _deleted(world: World, query: Query) -> Rows:
    """Serial numbers that are no longer served, the latest deletion first."""

    def build(world: World) -> tuple[tuple[str, str, str], ...]:
        found = []
        for index in range(world.count(_DELETED, 3)):
            stream = world.identity("statutes", "deleted", index)
            kind = stream.choice(_KINDS)
            day = LAST_DAY - datetime.timedelta(days=stream.between(1, 3_000))
            found.append((day.strftime("%Y%m%d"), kind[0], str(8_000_001 + index * 5)))
        return tuple(sorted(found, reverse=True))

    names = dict(_KINDS)
    first = query.get("delDt") or query.get("frmDt", "0")
    last = query.get("delDt") or query.get("toDt", "9")
    wanted = query.get("knd")
    kept = [
        row
        for row in world.table("statutes.deleted", build)
        if first <= row[0] <= last and (not wanted or row[1] == wanted)
    ]
    return Rows(
        len(kept),
        lambda index: {
            "id": str(index + 1),
            "일련번호": kept[index][2],
            "구분명": names[kept[index][1]],
            "삭제일자": kept[index][0],
        },
    )


HANDLERS: Final[dict[str, Handler]] = {
    "lawSearch/aiSearch": _by_meaning,
    "lawSearch/aiRltLs": _recommended,
    "lawSearch/couseLs/jo": _law_articles,
    "lawSearch/couseAdmrul/jo": _rule_articles,
    "lawSearch/couseOrdin/jo": _ordinance_articles,
    "lawSearch/delHst": _deleted,
}
