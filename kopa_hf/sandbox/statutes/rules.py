"""Administrative rules and rulebooks as lists, documents, comparisons, annexes and delegations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from kopa_hf.sandbox.envelopes.law_layout import one_or_many
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Rows
from kopa_hf.sandbox.statutes.annexes import KINDS, Annex, by_scope, draw_annexes
from kopa_hf.sandbox.statutes.articles import Article, label_of, plain_text
from kopa_hf.sandbox.statutes.columns import BLANK, pairs
from kopa_hf.sandbox.statutes.laws import Edition
from kopa_hf.sandbox.statutes.listing import (
    Test,
    chosen,
    contains,
    fitted,
    initial_of,
    link,
    numbered,
    ordered,
    single,
    within,
)
from kopa_hf.sandbox.statutes.rulebooks import (
    BOOK_KINDS,
    CHANGE_CODES,
    Issue,
    book_by_id,
    books_of_law,
    current_issues,
    issue_by_serial,
    issues,
)
from kopa_hf.sandbox.statutes.wording import spoken_day, topic
from kopa_hf.sandbox.world import World

_RULE_KINDS: Final = {"1": "훈령", "2": "예규", "3": "고시", "4": "공고", "5": "지침", "6": "기타"}
_KIND_CODES: Final = {"훈령": "B0001", "예규": "B0002", "고시": "B0003", "공고": "B0004", "지침": "B0005"}
_TITLES: Final = ("신청서", "점검표", "세부 기준", "평가표", "보고서", "수수료 산정표")
_SORTS: Final[Mapping[str, Callable[[Issue], Any]]] = {
    "l": lambda i: i.book.name,
    "d": lambda i: i.issued,
    "n": lambda i: i.number,
    "ef": lambda i: i.effective,
}


def _tests(family: str) -> Mapping[str, Test[Issue]]:
    kinds = _RULE_KINDS if family == "admrul" else BOOK_KINDS
    return {
        "query": lambda i, v: contains(i.book.name, v),
        "org": lambda i, v: i.book.issuer_code == v,
        "knd": lambda i, v: i.book.kind == kinds.get(v),
        "gana": lambda i, v: initial_of(i.book.name) == v,
        "date": lambda i, v: i.issued == v,
        "prmlYd": lambda i, v: within(i.issued, v),
        "modYd": lambda i, v: within(i.effective, v),
        "nb": lambda i, v: i.number == v,
        "rrClsCd": lambda i, v: i.change_code == v,
    }


def _found(world: World, query: Query, family: str) -> Sequence[Issue]:
    pool = current_issues(world, family)
    if query.get("nw", "1") == "2":
        pool = world.table(
            f"statutes.past.{family}", lambda w: tuple(i for i in issues(w, family) if i.state == "연혁")
        )
    return ordered(chosen(pool, query, _tests(family)), query, _SORTS)


def _row(issue: Issue, target: str) -> Record:
    book = issue.book
    return {
        "행정규칙일련번호": issue.serial,
        "행정규칙명": book.name,
        "행정규칙종류": book.kind,
        "발령일자": issue.issued,
        "발령번호": issue.number,
        "소관부처명": book.issuer,
        "현행연혁구분": issue.state,
        "제개정구분코드": issue.change_code,
        "제개정구분명": issue.change,
        "법령분류코드": "" if book.family == "admrul" else "88",
        "법령분류명": "" if book.family == "admrul" else "학칙공단",
        "행정규칙ID": book.rule_id,
        "행정규칙상세링크": link("lawService", target=target, ID=issue.serial, type="HTML", mobileYn=""),
        "시행일자": issue.effective,
        "생성일자": issue.issued,
    }


def _list(world: World, query: Query, family: str) -> Rows:
    return numbered(_found(world, query, family), lambda i: fitted(_row(i, family), query))


def _named(world: World, query: Query, family: str) -> Issue | None:
    """The issue that ID (a serial number), LID (a rule's id) or LM names; one is no substitute for the other."""
    if serial := query.get("ID"):
        return issue_by_serial(world, family).get(serial)
    book = book_by_id(world, family).get(query.get("LID"))
    if book is None and (name := query.get("LM")):
        book = next((i.book for i in current_issues(world, family) if i.book.name == name), None)
    return None if book is None else book.current


def _texts(issue: Issue) -> list[str]:
    """The articles of an issue; the second says in which year it was last changed."""
    book = issue.book
    based = f"「{book.law.name}」 {label_of(book.article)}에 따라 " if book.law is not None else ""
    return [
        f"제1조(목적) 이 {'기준' if book.kind in ('고시', '지침') else '규정'}은 {based}필요한 사항을 정함을 목적으로 한다.",
        f"제2조(적용범위) {book.name}{topic(book.name)} {issue.issued[:4]}년 이후의 업무에 적용한다.",
        f"제3조(업무의 처리) 담당자는 접수한 날부터 {7 + issue.ordinal * 3}일 이내에 처리하여야 한다.",
        f"제4조(재검토기한) {int(issue.issued[:4]) + 3}년 12월 31일까지 그 타당성을 검토하여 개선하여야 한다.",
    ]


def annexes_of(world: World, issue: Issue) -> tuple[Annex, ...]:
    """The annexes and forms of a rule."""
    return draw_annexes(
        world.identity("statutes", "rule annexes", issue.book.name), _TITLES, 5_000_000 + int(issue.book.rule_id) * 8, 4
    )


def _document(world: World, query: Query, family: str) -> Rows:
    issue = _named(world, query, family)
    if issue is None:
        return NO_ROWS
    book = issue.book
    stream = world.identity("statutes", "rule office", book.name)
    history = book.issues[: issue.ordinal + 1]
    annexes = [annex.short_unit() for annex in annexes_of(world, issue)]
    record: Record = {
        "행정규칙일련번호": issue.serial,
        "행정규칙명": book.name,
        "행정규칙종류": book.kind,
        "행정규칙종류코드": _KIND_CODES.get(book.kind, "B0006"),
        "발령일자": issue.issued,
        "발령번호": issue.number,
        "제개정구분명": issue.change,
        "제개정구분코드": CHANGE_CODES[issue.change],
        "조문형식여부": "Y",
        "행정규칙ID": book.rule_id,
        "소관부처명": book.issuer,
        "소관부처코드": book.issuer_code,
        "상위부처명": "",
        "담당부서기관코드": f"{int(book.issuer_code) + stream.between(1, 60)}",
        "담당부서기관명": stream.choice(("총괄과", "정책과", "제도과", "운영과")),
        "담당자명": "담당자",
        "전화번호": f"044-200-{stream.between(1000, 9999)}",
        "현행여부": "Y" if issue.state == "현행" else "N",
        "시행일자": issue.effective,
        "생성일자": issue.issued,
        "조문내용": _texts(issue),
        "부칙": {
            "부칙공포일자": one_or_many([i.issued for i in history]),
            "부칙공포번호": one_or_many([i.number for i in history]),
            "부칙내용": one_or_many(
                [f"이 {book.kind}{topic(book.kind)} {spoken_day(i.effective)}부터 시행한다." for i in history]
            ),
        },
        "별표": {"별표단위": one_or_many(annexes)} if annexes else {},
        "첨부파일": {"첨부파일명": f"{book.name}.hwp", "첨부파일링크": f"/LSW/flDownload.do?flSeq={issue.serial[-7:]}"},
        "개정문": {"개정문내용": f"{book.name} 일부를 다음과 같이 한다."},
        "제개정이유": {"제개정이유내용": "운영 과정에서 나타난 미비점을 고치려는 것임."},
    }
    return single(fitted(record, query))


def _compared(world: World) -> tuple[Issue, ...]:
    return world.table(
        "statutes.rules_amended", lambda w: tuple(i for i in current_issues(w, "admrul") if i.ordinal > 0)
    )


def _old_new_list(world: World, query: Query) -> Rows:
    items = ordered(chosen(_compared(world), query, _tests("admrul")), query, _SORTS)

    def make(issue: Issue) -> Record:
        own = {
            "신구법일련번호": issue.serial,
            "신구법명": issue.book.name,
            "신구법ID": issue.book.rule_id,
            "소관부처코드": issue.book.issuer_code,
            "법령구분명": issue.book.kind,
            "신구법상세링크": link("lawService", target="admrulOldAndNew", ID=issue.serial, type="HTML"),
        }
        return fitted(_row(issue, "admrul") | own, query)

    return numbered(items, make)


def _facts(issue: Issue) -> Record:
    return {
        "행정규칙일련번호": issue.serial,
        "행정규칙ID": issue.book.rule_id,
        "시행일자": issue.effective,
        "발령일자": issue.issued,
        "발령번호": issue.number,
        "현행여부": "Y" if issue.state == "현행" else "N",
        "제개정구분명": issue.change,
        "행정규칙명": issue.book.name,
        "행정규칙종류": issue.book.kind,
    }


def _old_new(world: World, query: Query) -> Rows:
    issue = _named(world, query, "admrul")
    if issue is None or issue.ordinal == 0:
        return NO_ROWS
    before = issue.book.issues[issue.ordinal - 1]
    changed = [(a, b) for a, b in zip(_texts(before), _texts(issue), strict=True) if a != b]
    old, new = pairs([f"<P>{a}</P>" for a, _ in changed], [f"<P>{b}</P>" for _, b in changed])
    return single(
        {
            "구조문_기본정보": _facts(before),
            "신조문_기본정보": _facts(issue),
            "구조문목록": old,
            "신조문목록": new,
            "신구법존재여부": "Y",
        }
    )


def _annexes(world: World, query: Query) -> Rows:
    def build(world: World) -> tuple[tuple[Issue, Annex], ...]:
        found = [(i, a) for i in current_issues(world, "admrul") for a in annexes_of(world, i)]
        return tuple(sorted(found, key=lambda p: (p[1].title, p[0].book.name)))

    tests = {
        **by_scope(query, lambda p: p[1].title, lambda p: p[0].book.name),
        "org": lambda p, v: p[0].book.issuer_code == v,
        "knd": lambda p, v: p[1].kind == KINDS.get(v),
    }

    def make(pair: tuple[Issue, Annex]) -> Record:
        issue, annex = pair
        return {
            "별표일련번호": annex.serial,
            "관련행정규칙일련번호": issue.serial,
            "별표명": annex.title,
            "관련행정규칙명": issue.book.name,
            "별표번호": f"{annex.number:04d}{annex.branch:02d}",
            "별표종류": annex.kind,
            "소관부처명": issue.book.issuer,
            "발령일자": issue.issued,
            "발령번호": issue.number,
            "관련법령ID": issue.book.law.law_id if issue.book.law is not None else "",
            "행정규칙종류": issue.book.kind,
            "별표서식파일링크": annex.file,
            "별표행정규칙상세링크": link("lawService", target="admrul", ID=issue.serial, type="HTML"),
        }

    return numbered(chosen(world.table("statutes.rule_annexes", build), query, tests), make)


def delegated_to(world: World, edition: Edition, article: Article) -> list[Record]:
    """The administrative rules that carry out an article of an act, as rows of delegation."""
    return [
        BLANK
        | {
            "위임구분": "위임행정규칙",
            "위임행정규칙일련번호": book.current.serial,
            "위임행정규칙제목": book.name,
            "링크텍스트": "정하여 고시",
            "라인텍스트": plain_text(edition, article),
            "조항호목": article.label,
        }
        for book in books_of_law(world, edition.law)
        if book.article == article.key
    ]


def _custom(world: World, query: Query) -> Rows:
    """Rules of a class code: A and 13 digits whose last two choose one part of twenty."""
    vcode = query.get("vcode")
    if len(vcode) != 14 or not vcode.startswith("A") or not vcode[1:].isdigit():
        return NO_ROWS
    items = [i for i in current_issues(world, "admrul") if int(i.book.rule_id) % 20 == int(vcode[-2:]) % 20]

    def make(issue: Issue) -> Record:
        own = {"행정규칙구분명": issue.book.kind, "소관부처코드": issue.book.issuer_code}
        return fitted(_row(issue, "admrul") | own, query)

    return numbered(items, make)


HANDLERS: Final[dict[str, Handler]] = {
    **{f"lawSearch/{family}": partial(_list, family=family) for family in ("admrul", "school", "public", "pi")},
    **{f"lawService/{family}": partial(_document, family=family) for family in ("admrul", "school", "public", "pi")},
    "lawSearch/admrul/mobile": partial(_list, family="admrul"),
    "lawSearch/admrulOldAndNew": _old_new_list,
    "lawService/admrulOldAndNew": _old_new,
    "lawSearch/admbyl": _annexes,
    "lawSearch/couseAdmrul": _custom,
}
