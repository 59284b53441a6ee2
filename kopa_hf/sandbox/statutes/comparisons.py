"""Laws side by side: old and new text, act and decree and rule, the family tree, delegations, histories of articles."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.envelopes.law_layout import one_or_many
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Rows
from kopa_hf.sandbox.statutes.articles import Article, all_articles, articles_of, plain_text, touched_by
from kopa_hf.sandbox.statutes.columns import BLANK, pairs
from kopa_hf.sandbox.statutes.law_bodies import office_of
from kopa_hf.sandbox.statutes.law_lists import TESTS, law_of
from kopa_hf.sandbox.statutes.laws import DECREE, Edition, Law, editions, law_by_id
from kopa_hf.sandbox.statutes.listing import chosen, link, numbered, single
from kopa_hf.sandbox.statutes.rules import delegated_to
from kopa_hf.sandbox.world import World

_NEW: Final = "<신  설>"


def _facts(edition: Edition) -> Record:
    return {
        "법령일련번호": edition.mst,
        "법령ID": edition.law.law_id,
        "시행일자": edition.effective,
        "공포일자": edition.promulgated,
        "공포번호": edition.number,
        "현행여부": "Y" if edition.state == "현행" else "N",
        "제개정구분명": edition.change,
        "법령명": edition.law.name,
        "법종구분": edition.law.kind,
    }


def _old_new(world: World, query: Query) -> Rows:
    edition = law_of(world, query)
    if edition is None or edition.ordinal == 0 or edition.change == "폐지":
        return NO_ROWS
    before = edition.law.editions[edition.ordinal - 1]
    old, new = [], []
    for article in touched_by(world, edition):
        fresh = article.created == edition.ordinal
        old.append(f"<P>{_NEW}</P>" if fresh else f"<P>{plain_text(before, article)}</P>")
        new.append(f"<P>{plain_text(edition, article)}</P>")
    first, second = pairs(old, new)
    return single(
        {
            "구조문_기본정보": _facts(before),
            "신조문_기본정보": _facts(edition),
            "구조문목록": first,
            "신조문목록": second,
            "신구법존재여부": "Y",
        }
    )


def _family(edition: Edition) -> tuple[Law, Law | None, Law | None]:
    """(act, decree, rule) of a law's family."""
    act = edition.law.act
    decree = act.children[0] if act.children else None
    rule = decree.children[0] if decree is not None and decree.children else None
    return act, decree, rule


def _tree_facts(law: Law) -> Record:
    edition = law.current or law.editions[-1]
    return {
        "기본정보": {
            "법령ID": law.law_id,
            "법령일련번호": edition.mst,
            "공포일자": edition.promulgated,
            "공포번호": edition.number,
            "법종구분": law.kind,
            "법령명": law.name,
            "시행일자": edition.effective,
            "제개정구분": edition.change,
            "본문상세링크": link("lawService", target="law", MST=edition.mst, type="HTML"),
        }
    }


def _tree(world: World, query: Query) -> Rows:
    edition = law_of(world, query)
    if edition is None:
        return NO_ROWS
    act, decree, rule = _family(edition)
    tree: Record = _tree_facts(act)
    if decree is not None:
        tree["시행령"] = _tree_facts(decree)
        if rule is not None:
            tree["시행령"]["시행규칙"] = _tree_facts(rule)
    top = act.kind if act.kind == "법률" else "시행령"
    facts = {n: v for n, v in _tree_facts(edition.law)["기본정보"].items() if n != "본문상세링크"}
    return single({**facts, "상하위법": {top: tree}})


def _three_way(world: World, query: Query) -> Rows:
    """An act's articles beside those of its decree and rule; knd 1 by citation, 2 by delegation."""
    edition = law_of(world, query)
    if edition is None or edition.law.act.current is None:
        return NO_ROWS
    act, decree, rule = _family(edition)
    top = act.current
    assert top is not None
    rows = [_compared(world, top, article, decree, rule) for article in articles_of(world, top)]
    rows = [row for row in rows if "시행령조문" in row or "시행규칙조문" in row]
    if not rows:
        return NO_ROWS
    name = "인용조문삼단비교" if query.get("knd") == "1" else "위임조문삼단비교"
    other = "위임조문삼단비교" if query.get("knd") == "1" else "인용조문삼단비교"
    record: Record = {
        "법령ID": act.law_id,
        "시행령ID": decree.law_id if decree else "",
        "시행규칙ID": rule.law_id if rule else "",
        "법령명": act.name,
        "시행령명": decree.name if decree else "",
        "시행규칙명": rule.name if rule else "",
        "법령요약정보": _summary(act),
        "시행령요약정보": _summary(decree),
        "시행규칙요약정보": _summary(rule),
        "삼단비교기준": "L",
        "삼단비교존재여부": "Y",
        "시행일자": top.effective,
        "관련삼단비교목록": {"목록명": "", "삼단비교목록상세링크": ""},
        name: {"법률조문": one_or_many(rows)},
        other: {},
    }
    return single(record)


def _summary(law: Law | None) -> str:
    edition = law.current if law is not None else None
    return f"[시행 {edition.effective}] [제{edition.number}호, {edition.promulgated}]" if edition is not None else ""


def _compared(world: World, top: Edition, article: Article, decree: Law | None, rule: Law | None) -> Record:
    row: Record = {
        "조번호": article.key[:4],
        "조가지번호": article.key[4:],
        "조제목": article.title,
        "조내용": plain_text(top, article),
    }
    for name, law in (("시행령조문", decree), ("시행규칙조문", rule)):
        edition = law.current if law is not None else None
        if edition is None:
            continue
        carried = [a for a in articles_of(world, edition) if a.source == article.key]
        if carried:
            row[name] = one_or_many(
                [
                    {
                        "법령명": edition.law.name,
                        "조번호": a.key[:4],
                        "조가지번호": a.key[4:],
                        "조제목": a.title,
                        "조내용": plain_text(edition, a),
                    }
                    for a in carried
                ]
            )
    return row


def _delegations(world: World, query: Query) -> Rows:
    """Which articles of a law are carried out by which article of its decree or rule, or by which notice."""
    edition = law_of(world, query)
    if edition is None:
        return NO_ROWS
    law = edition.law
    facts = {
        "법령일련번호": edition.mst,
        "법령명": law.name,
        "법령ID": law.law_id,
        "공포일자": edition.promulgated,
        "공포번호": edition.number,
        "소관부처코드": law.ministry.code,
        "전화번호": office_of(world, edition)[1],
        "시행일자": edition.effective,
    }
    below = (
        [law.act.children[0], *law.act.children[0].children] if law.parent is None and law.children else law.children
    )
    rows: list[Record] = []
    for article in articles_of(world, edition):
        own = {"조문번호": str(article.number), "조문제목": article.title}
        for target in below:
            rows.extend({**facts, **own, **part} for part in _carried_by(world, edition, article, target))
        rows.extend({**facts, **own, **part} for part in delegated_to(world, edition, article))
    return Rows.of(rows)


def _carried_by(world: World, edition: Edition, article: Article, law: Law) -> list[Record]:
    target = law.current
    if target is None:
        return []
    decree = law.level == DECREE
    found = []
    for carried in articles_of(world, target):
        if carried.source == article.key:
            found.append(
                BLANK
                | {
                    "위임구분": "시행령" if decree else "시행규칙",
                    "위임법령일련번호": target.mst,
                    "위임법령제목": law.name,
                    "위임법령조문번호": str(carried.number),
                    "위임법령조문가지번호": carried.key[4:] if carried.branch else "",
                    "위임법령조문제목": carried.title,
                    "링크텍스트": "대통령령" if decree else "부령",
                    "라인텍스트": plain_text(edition, article),
                    "조항호목": article.label,
                }
            )
    return found


def _law_facts(edition: Edition) -> Record:
    law = edition.law
    return {
        "법령일련번호": edition.mst,
        "법령명한글": law.name,
        "법령ID": law.law_id,
        "공포일자": edition.promulgated,
        "공포번호": edition.number,
        "제개정구분명": edition.change,
        "소관부처명": law.ministry.name,
        "소관부처코드": law.ministry.code,
        "법령구분명": law.kind,
        "시행일자": edition.effective,
    }


def _daily(world: World, query: Query) -> Rows:
    """Laws with articles that were amended on a day or in a span; one row per edition, its articles inside."""
    first = query.get("regDt") or query.get("fromRegDt", "0")
    last = query.get("regDt") or query.get("toRegDt", "9")
    wanted = query.get("JO")

    def build(world: World) -> tuple[Edition, ...]:
        kept = (e for e in editions(world) if e.ordinal and e.change not in ("폐지", "제정"))
        return tuple(sorted(kept, key=lambda e: (e.promulgated, e.law.name)))

    items = [e for e in world.table("statutes.amending", build) if first <= e.promulgated <= last]
    items = list(chosen(items, query, {"ID": TESTS["ID"], "org": TESTS["org"]}))
    if wanted:
        items = [e for e in items if any(a.key == wanted for a in touched_by(world, e))]

    def make(edition: Edition) -> Record:
        touched = [a for a in touched_by(world, edition) if not wanted or a.key == wanted]
        return {
            **_law_facts(edition),
            "조문정보": {"jo": one_or_many([_jo(n, edition, a) for n, a in enumerate(touched, start=1)])},
        }

    return numbered(items, make)


def _jo(position: int, edition: Edition, article: Article) -> Record:
    return {
        "num": str(position),
        "조문번호": article.key,
        "변경사유": "신설" if article.created == edition.ordinal else "개정",
        "조문링크": link(
            "lawService", target="eflaw", MST=edition.mst, JO=article.key, efYd=edition.effective, type="HTML"
        ),
        "조문변경이력상세링크": link(
            "lawService", target="lsJoHstInf", ID=edition.law.law_id, JO=article.key, type="XML"
        ),
        "조문개정일": edition.promulgated,
        "조문시행일": edition.effective,
    }


def _history(world: World, query: Query) -> Rows:
    """Every edition that brought or amended an article, the latest first."""
    law = law_by_id(world).get(query.get("ID"))
    article = None if law is None else next((a for a in all_articles(world, law) if a.key == query.get("JO")), None)
    if law is None or article is None:
        return NO_ROWS
    ordinals = sorted({article.created, *article.changed}, reverse=True)

    def make(edition: Edition) -> Record:
        reason = "제정" if edition.ordinal == 0 else "신설" if edition.ordinal == article.created else "개정"
        return {
            **_law_facts(edition),
            "조문번호": article.key,
            "변경사유": reason,
            "조문링크": link(
                "lawService", target="eflaw", MST=edition.mst, JO=article.key, efYd=edition.effective, type="HTML"
            ),
            "조문변경일": edition.promulgated,
        }

    return Rows.mapped([law.editions[o] for o in ordinals], make)


HANDLERS: Final[dict[str, Handler]] = {
    "lawService/oldAndNew": _old_new,
    "lawService/lsStmd": _tree,
    "lawService/thdCmp": _three_way,
    "lawService/lsDelegated": _delegations,
    "lawSearch/lsJoHstInf": _daily,
    "lawService/lsJoHstInf": _history,
}
