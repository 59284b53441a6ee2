"""Flat records of 국가법령정보 put back into the blocks that its answers have.

The counterpart of the adapter's reading: the adapter lifts blocks of basic facts and turns links
into rows of their own, so that columns can be read by name; here they return to their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

Record = dict[str, Any]

_BLOCKS: Final = {
    "법령": "기본정보",
    "Law": "InfSection",
    "LsStmd": "기본정보",
    "AdmRulService": "행정규칙기본정보",
    "LawService": "자치법규기본정보",
    "BothTrtyService": "조약기본정보",
    "LspttnThdCmpLawXService": "기본정보",
    "ThdCmpLawXService": "기본정보",
}
_OUTSIDE: Final = frozenset({"조문내용"})
"""Plain columns that stand beside the block of basic facts."""
_EXTRA: Final = ("체결대상국가", "체결대상국가한글", "우리측국내절차완료통보", "상대국측국내절차완료통보", "양자조약분야코드",
                 "양자조약분야명", "제2외국어종류", "국가코드")  # fmt: skip
"""What a treaty's second block holds."""
_ATTRIBUTED: Final = (("소관부처", "소관부처코드"), ("법종구분", "법종구분코드"))
_LINKS: Final[dict[str, tuple[str, frozenset[str]]]] = {
    "lstrmRlt": ("연계용어", frozenset({"법령용어명", "비고"})),
    "dlytrmRlt": ("연계용어", frozenset({"일상용어명", "출처"})),
    "lstrmRltJo": ("연계법령", frozenset({"법령용어명", "비고", "용어간관계링크"})),
    "joRltLstrm": ("연계용어", frozenset({"법령명", "조번호", "조가지번호", "조문내용"})),
    "lsRlt": ("관련법령", frozenset({"기준법령ID", "기준법령명", "기준법령상세링크"})),
}
"""Target → the list of links, and the columns of what they hang on."""
_LAW: Final = (
    "법령일련번호", "법령명한글", "법령명", "법령ID", "공포일자", "공포번호", "제개정구분명", "소관부처명", "소관부처코드",
    "법령구분명", "시행일자", "전화번호",
)  # fmt: skip


def one_or_many(items: Sequence[Any]) -> Any:
    """A list of one is sent as the item itself."""
    return items[0] if len(items) == 1 else list(items)


def laid_out(root: str, target: str, records: list[Record], absent: frozenset[str]) -> Any:
    """A document: its basic facts in their block, everything nested beside it."""
    if root == "items":
        return [_less(record, absent) for record in records]
    if root == "lsDelegated":
        return {"법령": _delegations(records, absent)}
    record = _less(records[0], absent)
    block = _BLOCKS.get(root)
    if block is None:
        return record
    lifted = _lifted(record)
    nested = {n: v for n, v in record.items() if n not in lifted and (isinstance(v, dict | list) or n in _OUTSIDE)}
    basic = {n: v for n, v in record.items() if n not in nested and n not in lifted}
    if root == "법령":
        basic = _attributed(basic)
    if root == "BothTrtyService":
        more = {n: v for n, v in basic.items() if n in _EXTRA}
        return {block: {n: v for n, v in basic.items() if n not in _EXTRA}, "추가정보": more, **nested}
    return {block: basic, **nested}


def _lifted(record: Record) -> frozenset[str]:
    """Columns that the adapter takes out of a single article; they stand there, not in the basic facts."""
    articles = record.get("조문")
    unit = articles.get("조문단위") if isinstance(articles, dict) else None
    return (
        frozenset(n for n, v in unit.items() if not isinstance(v, dict | list))
        if isinstance(unit, dict)
        else frozenset()
    )


def listed(item: str, target: str, records: list[Record], absent: frozenset[str], *, at_search: bool) -> Record:
    """The rows of a list under their key; no key where there are none."""
    rows = [_less(record, absent) for record in records]
    if target in _LINKS:
        rows = list(_grouped_links(target, rows))
    elif target == "lsJoHstInf":
        rows = [_changed(row, at_search) for row in rows]
    return {item: one_or_many(rows)} if rows else {}


def _less(record: Record, absent: frozenset[str]) -> Record:
    return {name: value for name, value in record.items() if name not in absent} if absent else record


def _attributed(basic: Record) -> Record:
    """소관부처 and 소관부처코드 as one text with an attribute."""
    found = dict(basic)
    for name, code in _ATTRIBUTED:
        if name in found and code in found:
            found[name] = {code: found.pop(code), "content": found[name]}
    return found


def _grouped_links(target: str, rows: list[Record]) -> Iterator[Record]:
    name, outer = _LINKS[target]
    for _, group in _runs(rows, lambda row: tuple(row.get(n) for n in sorted(outer))):
        shared = {n: v for n, v in group[0].items() if n in outer}
        yield {**shared, name: one_or_many([{n: v for n, v in row.items() if n not in outer} for row in group])}


def _changed(row: Record, at_search: bool) -> Record:
    """A row of article changes: the law's facts in one block, the article's in another."""
    law = {n: v for n, v in row.items() if n in _LAW}
    rest = {n: v for n, v in row.items() if n not in _LAW}
    if at_search:
        return {**{n: v for n, v in rest.items() if n != "조문정보"}, "법령정보": law, "조문정보": rest.get("조문정보")}
    return {"법령정보": law, "조문정보": rest}


def _delegations(records: list[Record], absent: frozenset[str]) -> Record:
    """Rows of delegation under their articles, articles under the law."""
    rows = [_less(record, absent) for record in records]
    articles = []
    for _, of_article in _runs(rows, lambda row: row.get("조문번호")):
        own = {n: v for n, v in of_article[0].items() if n in ("조문번호", "조문제목")}
        parts = []
        for _, group in _runs(of_article, lambda row: (row.get("위임구분"), row.get("위임법령일련번호"))):
            parts.append(_delegation(group))
        articles.append({"조정보": own, "위임정보": one_or_many(parts)})
    facts = {n: v for n, v in rows[0].items() if n in _LAW}
    return {"법령정보": facts, "위임조문정보": one_or_many(articles)}


def _delegation(group: list[Record]) -> Record:
    kind = {"위임행정규칙": "위임행정규칙", "위임자치법규": "위임자치법규"}.get(
        str(group[0].get("위임구분")), "위임법령"
    )
    head = ("위임구분", "위임법령일련번호", "위임법령제목") if kind == "위임법령" else ("위임구분",)
    own = {n: v for n, v in group[0].items() if n in head}
    inner = [
        {
            n: v
            for n, v in row.items()
            if n not in _LAW and n not in head and n not in ("조문번호", "조문제목") and v != ""
        }
        for row in group
    ]
    return {**own, f"{kind}조문정보": one_or_many(inner)}


def _runs(rows: Iterable[Record], key: Callable[[Record], Any]) -> Iterator[tuple[Any, list[Record]]]:
    """Neighbours that agree, as lists."""
    for value, group in groupby(rows, key):
        yield value, list(group)
