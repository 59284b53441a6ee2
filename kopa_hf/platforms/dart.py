"""OpenDART: `status` in the body, rows under `list` or in titled groups, three downloads as ZIP."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.platforms.adapter import Adapter
from kopa_hf.platforms.archives import read_archive
from kopa_hf.platforms.base import Answer, Record
from kopa_hf.platforms.codes import DART
from kopa_hf.platforms.shapes import answer_of_rows, count_of, failed, message_of, rows_of, text_of

_ENVELOPE: Final = frozenset({"status", "message", "page_no", "page_count", "total_count", "total_page"})


class DartAdapter(Adapter):
    """Errors keep HTTP 200, and those of the ZIP operations come as small XML."""

    name = "dart"

    def read(self, value: Any, operation: str | None) -> Answer | None:
        if not isinstance(value, dict):
            return None
        root = value.get("result") if len(value) == 1 else value
        if not isinstance(root, dict):
            return None
        code = text_of(root.get("status"))
        if code is None or not (code.isascii() and code.isdigit() and len(code) <= 3):
            return None
        code = code.zfill(3)
        message = message_of(root.get("message"))
        outcome = DART.get(code, "server")
        if outcome != "ok":
            return failed(outcome, code, message)
        rows = _rows(root)
        return None if rows is None else answer_of_rows(rows, count_of(root.get("total_count")), code, message)

    def read_archive(self, body: bytes, operation: str | None) -> Answer | None:
        return read_archive(body)


def _rows(root: dict[str, Any]) -> list[Record] | None:
    if "list" in root:
        return rows_of(root["list"])
    if "group" in root:
        groups = rows_of(root["group"])
        if groups is None:
            return None
        rows: list[Record] = []
        for group in groups:
            inside = rows_of(group.get("list"))
            if inside is None:
                return None
            title = group.get("title")
            rows += [{"title": title, **row} for row in inside] if isinstance(title, str) else inside
        return rows
    # company.json: the record lies in the envelope itself
    record = {name: item for name, item in root.items() if name not in _ENVELOPE}
    return [record] if record else []
