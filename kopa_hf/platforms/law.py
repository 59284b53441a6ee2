"""국가법령정보 공동활용: lists under a root named after the target, details as one nested document.

The user's `OC` value is the key, and every list row echoes it inside its link
columns, so it is cut out of them here. Answers that hang many links on one term,
article or law become one row per link, with the columns of what they hang on.
"""

from __future__ import annotations

import re
from typing import Any, Final

from kopa_hf.platforms.adapter import Adapter
from kopa_hf.platforms.base import Answer, Record
from kopa_hf.platforms.body import Document
from kopa_hf.platforms.codes import outcome_of_saying
from kopa_hf.platforms.failures import Outcome
from kopa_hf.platforms.shapes import answer_of_rows, count_of, failed, is_blank, message_of, only_root, rows_of, text_of

_ENVELOPE: Final = frozenset(
    {
        "target",
        "키워드",
        "section",
        "totalCnt",
        "검색결과개수",
        "page",
        "numOfRows",
        "display",
        "resultCode",
        "resultMsg",
        "vcode",
    }
)
_LIST_ROOTS: Final = frozenset({"Expc", "Decc", "CgmExpc", "BaiPvcs", "aiSearch"})
_DETAIL_ROOTS: Final = frozenset({"법령", "Law", "LsStmd", "items"})
_LINKS: Final = ("연계용어", "연계법령", "관련법령")
"""Lists inside a row of the knowledge base: each item is a row of its own."""
_BLOCKS: Final = ("InfSection", "법령정보", "추가정보")
"""Blocks of basic facts whose name does not end in 기본정보."""
_DELEGATED: Final = (
    "위임구분",
    "위임법령일련번호",
    "위임법령제목",
    "위임법령조문번호",
    "위임법령조문가지번호",
    "위임법령조문제목",
    "링크텍스트",
    "라인텍스트",
    "조항호목",
    "위임행정규칙일련번호",
    "위임행정규칙제목",
    "위임자치법규일련번호",
    "위임자치법규제목",
)
"""Columns of a delegation; which of them are sent depends on what is delegated to."""
_OC = re.compile(r"\bOC=[^&\s\"'<>]*&?")
_REFUSED = re.compile(r"미신청|신청하지 ?않|신청 ?(?:후|하신)")


class LawAdapter(Adapter):
    """A request needs a referer: without one the service answers as if the user were unknown."""

    name = "law"
    format_parameter = "type"
    format_upper = True
    headers = {"Referer": "https://www.law.go.kr/"}

    def read(self, value: Any, operation: str | None) -> Answer | None:
        if not isinstance(value, dict):
            return None
        if not value:
            return Answer("no_data")  # an article that does not exist
        refusal = value.get("Response") if len(value) == 1 else value
        if isinstance(refusal, dict) and "result" in refusal and set(refusal) <= {"result", "msg"}:
            said = [text for name in ("result", "msg") if (text := message_of(refusal.get(name)))]
            return failed("auth", None, ": ".join(said) or None) if said else None
        root = only_root(value)
        if root is None:
            return None
        name, content = root
        if name == "Law" and isinstance(content, str):
            return Answer("no_data", message=message_of(content))
        if isinstance(content, list) and name in _DETAIL_ROOTS:
            content = {"item": content}
        if not isinstance(content, dict):
            return Answer("no_data") if is_blank(content) and _documented(name, operation) else None
        if "totalCnt" in content or "검색결과개수" in content:
            return _read_list(content)
        if name.endswith("Search") or name in _LIST_ROOTS:
            return _read_list(content) if _ENVELOPE.intersection(content) or name == "aiSearch" else None
        if name == "lsDelegated":
            return answer_of_rows([_without_key(row) for row in _delegations(content)], None, None)
        if not _documented(name, operation):
            return None
        rows = rows_of(content["item"]) if set(content) == {"item"} else [_detail(content)] if content else []
        return None if rows is None else answer_of_rows([_without_key(row) for row in rows], None, None)

    def read_text(self, document: Document) -> Answer | None:
        if document.kind == "html" and _REFUSED.search(document.text):
            return failed("auth", None, "This kind of data was not applied for at open.law.go.kr.")
        return super().read_text(document)

    def outcome_of_status(self, http_status: int) -> Outcome | None:
        """Both addresses always exist: a 404 comes under bursts, and passes."""
        return "server" if http_status == 404 else super().outcome_of_status(http_status)


def _documented(name: str, operation: str | None) -> bool:
    """`operation` is a target, or the page and the target: lawService/law."""
    return name in _DETAIL_ROOTS or name.endswith("Service") or name in (operation or "").split("/")


def _read_list(content: dict[str, Any]) -> Answer | None:
    code, message = text_of(content.get("resultCode")), message_of(content.get("resultMsg"))
    if code is not None and code != "00":
        return failed(outcome_of_saying(message) or "server", code, message)
    total = count_of(content.get("totalCnt", content.get("검색결과개수")))
    rest = {name: item for name, item in content.items() if name not in _ENVELOPE}
    name = next((n for n, item in rest.items() if isinstance(item, list | dict)), None)
    rows = rows_of(rest[name]) if name is not None else []
    if rows is None:
        return None
    flat = [row for found in rows for row in _rows_of_row(found)]
    if len(flat) != len(rows):
        total = None  # it counts what the links hang on
    return answer_of_rows([_without_key(row) for row in flat], total, code, message)


def _rows_of_row(row: Record) -> list[Record]:
    """A row as it is; or its links one by one, each with the row's own columns; blocks inside are opened."""
    links = next((name for name in _LINKS if isinstance(row.get(name), list | dict)), None)
    if links is None:
        return [_opened(row)] if "법령정보" in row else [row]
    shared = {name: item for name, item in row.items() if name != links}
    return [{**shared, **link} for link in rows_of(row[links]) or ()]


def _opened(row: Record) -> Record:
    """A row of article changes: the law's block is lifted up, and the article's where there is but one."""
    opened: Record = {}
    for name, item in row.items():
        if isinstance(item, dict) and (name == "법령정보" or (name == "조문정보" and "jo" not in item)):
            opened.update(item)
        else:
            opened[name] = item
    return opened


def _delegations(content: dict[str, Any]) -> list[Record]:
    """One row per article delegated to: the law, its article, and the rule that carries it out."""
    law = content.get("법령")
    if not isinstance(law, dict):
        return []
    found: list[Record] = []
    facts = law.get("법령정보")
    for article in rows_of(law.get("위임조문정보")) or ():
        own = article.get("조정보")
        shared = {**(facts if isinstance(facts, dict) else {}), **(own if isinstance(own, dict) else {})}
        for delegation in rows_of(article.get("위임정보")) or ():
            plain = {name: item for name, item in delegation.items() if not isinstance(item, dict | list)}
            inner = [item for name, item in delegation.items() if name.endswith("조문정보")]
            for target in (row for item in inner for row in rows_of(item) or ()) if inner else ({},):
                found.append({**shared, **dict.fromkeys(_DELEGATED, ""), **plain, **target})
    return found


def _detail(content: dict[str, Any]) -> Record:
    """One document as one record: the block of basic facts is lifted up, so that its columns can be read by name."""
    named = [name for name in content if name.endswith("기본정보") or name in _BLOCKS]
    blocks = [name for name in named if isinstance(content[name], dict)]
    if sum(name.endswith("기본정보") for name in blocks) > 1 or not blocks:
        return content
    record: Record = {}
    for name in blocks:
        for column, item in content[name].items():
            record.update(_split(column, item))
    record.update((name, item) for name, item in content.items() if name not in blocks)
    articles = content.get("조문")
    if isinstance(articles, dict) and isinstance(articles.get("조문단위"), dict):  # a single article
        lifted = {n: v for n, v in articles["조문단위"].items() if not isinstance(v, dict | list)}
        record = {**lifted, **record}
    return record


def _split(column: str, item: Any) -> Record:
    """A text with attributes as columns side by side: 소관부처 and 소관부처코드."""
    if isinstance(item, dict) and "content" in item and not any(isinstance(v, dict | list) for v in item.values()):
        return {column if name == "content" else name: value for name, value in item.items()}
    return {column: item}


def _without_key(value: Any) -> Any:
    if isinstance(value, str):
        return _OC.sub("", value) if "OC=" in value else value
    if isinstance(value, dict):
        return {name: _without_key(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_key(item) for item in value]
    return value
