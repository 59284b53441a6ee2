"""국가법령정보 공동활용: lists under a root named after the target, details as one nested document.

The user's `OC` value is the key, and every list row echoes it inside its link
columns, so it is cut out of them here.
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
    return name in _DETAIL_ROOTS or name.endswith("Service") or (operation is not None and name == operation)


def _read_list(content: dict[str, Any]) -> Answer | None:
    code, message = text_of(content.get("resultCode")), message_of(content.get("resultMsg"))
    if code is not None and code != "00":
        return failed(outcome_of_saying(message) or "server", code, message)
    total = count_of(content.get("totalCnt", content.get("검색결과개수")))
    rest = {name: item for name, item in content.items() if name not in _ENVELOPE}
    name = next((n for n, item in rest.items() if isinstance(item, list | dict)), None)
    rows = rows_of(rest[name]) if name is not None else []
    return None if rows is None else answer_of_rows([_without_key(row) for row in rows], total, code, message)


def _detail(content: dict[str, Any]) -> Record:
    """One document as one record: the block of basic facts is lifted up, so that its columns can be read by name."""
    blocks = [name for name, item in content.items() if name.endswith("기본정보") and isinstance(item, dict)]
    if len(blocks) != 1:
        return content
    rest = {name: item for name, item in content.items() if name != blocks[0]}
    return {**content[blocks[0]], **rest}


def _without_key(value: Any) -> Any:
    if isinstance(value, str):
        return _OC.sub("", value) if "OC=" in value else value
    if isinstance(value, dict):
        return {name: _without_key(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_key(item) for item in value]
    return value
