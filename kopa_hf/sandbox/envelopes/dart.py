"""OpenDART's envelope: status and message in the body, HTTP 200 whatever happened.

An empty result is status 013, not an empty list. Only `list.json` pages. The
download operations answer a ZIP, and their errors as small XML.
"""

from __future__ import annotations

import json
from typing import Any, Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes.base import XML_HEAD, Envelope, Incoming, Outgoing, Trouble, without, xml_row
from kopa_hf.sandbox.keys import valid_key
from kopa_hf.sandbox.query import Archive, Groups, Query, RefusedError, Reply, Rows

_JSON: Final = "application/json;charset=UTF-8"
_XML: Final = "application/xml;charset=UTF-8"
_ZIP: Final = "application/zip"
_DOWNLOADS: Final = frozenset({"corpCode", "document", "fnlttXbrl"})
_MAX_SIZE: Final = 100

_STATUS: Final[dict[Trouble, tuple[str, str]]] = {
    "auth": ("010", "등록되지 않은 인증키입니다."),
    "no_file": ("014", "파일이 존재하지 않습니다."),
    "quota": ("020", "요청 제한을 초과하였습니다."),
    "too_many": ("021", "조회 가능한 회사 개수가 초과하였습니다.(최대 100건)"),
    "missing": ("100", "필드의 부적절한 값입니다. 필수값({name})이 없습니다."),
    "value": ("100", "필드의 부적절한 값입니다. ({name})"),
    "range": ("100", "회사 고유번호(corp_code)가 없는 경우 검색기간은 3개월만 가능합니다."),
    "unknown": ("101", "부적절한 접근입니다."),
    "server": ("900", "정의되지 않은 오류가 발생하였습니다."),
}
_NO_DATA: Final = ("013", "조회된 데이타가 없습니다.")


class DartEnvelope(Envelope):
    """See the module."""

    hosts = ("opendart.fss.or.kr",)

    def key(self, incoming: Incoming) -> str | None:
        return incoming.parameters.get("crtfc_key")

    def admits(self, platform: str, key: str | None) -> bool:
        return valid_key(platform, key)

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        parameters = {n: v for n, v in incoming.parameters.items() if v.strip() and n != "crtfc_key"}
        page, size = 1, _MAX_SIZE
        if tool is not None and tool.paging is not None:
            page = _whole(parameters.pop(tool.paging.page, "1"), tool.paging.page)
            size = _whole(parameters.pop(tool.paging.size, str(tool.paging.default_size)), tool.paging.size)
            if size > tool.paging.max_size:
                raise RefusedError("value", tool.paging.size)
        return Query(incoming.operation, parameters, tool, page, size)

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        if isinstance(reply, Archive):
            return Outgoing(reply.packed(), _ZIP)
        content: dict[str, Any] = {"status": "000", "message": "정상"}
        if isinstance(reply, Groups):
            groups = [{"title": title, "list": without(rows.all(), absent)} for title, rows in reply.groups]
            content["group"] = [group for group in groups if group["list"]]
            return self._written(content, incoming) if content["group"] else self._status(*_NO_DATA, incoming)
        return self._listed(content, reply, query, incoming, absent)

    def _listed(
        self, content: dict[str, Any], rows: Rows, query: Query, incoming: Incoming, absent: frozenset[str]
    ) -> Outgoing:
        tool = query.tool
        if tool is not None and tool.paging is not None:
            records = rows.slice((query.page - 1) * query.size, query.page * query.size)
            content["page_no"], content["page_count"] = query.page, query.size
            content["total_count"], content["total_page"] = rows.total, -(-rows.total // query.size)
        else:
            records = rows.all()
        if not records:
            return self._status(*_NO_DATA, incoming)
        records = without(records, absent)
        if tool is not None and tool.endpoint.response_kind == "object":
            return self._written({**content, **records[0]}, incoming)
        return self._written({**content, "list": records}, incoming)

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        if kind == "rate_limit":
            return Outgoing(b"Too Many Requests", "text/plain", 429)
        code, message = _STATUS[kind]
        return self._status(code, message.format(name=name), incoming)

    def _status(self, code: str, message: str, incoming: Incoming) -> Outgoing:
        return self._written({"status": code, "message": message}, incoming)

    def _written(self, content: dict[str, Any], incoming: Incoming) -> Outgoing:
        if incoming.suffix != "xml" and incoming.operation not in _DOWNLOADS:
            return Outgoing(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(), _JSON)
        parts = [XML_HEAD, "<result>"]
        for name, value in content.items():
            if name == "list":
                parts.extend(xml_row("list", record) for record in value)
            elif name == "group":
                for group in value:
                    rows = "".join(xml_row("list", record) for record in group["list"])
                    parts.append(f"<group><title>{group['title']}</title>{rows}</group>")
            else:
                parts.append(xml_row("x", {name: value})[3:-4])
        parts.append("</result>")
        return Outgoing("".join(parts).encode(), _XML)


def _whole(text: str, name: str) -> int:
    """A positive whole number."""
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        raise RefusedError("value", name)
    return int(text)
