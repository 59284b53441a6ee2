"""한국도로공사's envelope: code, message and count beside rows under a name of their own.

Numbers of the envelope travel as text on some operations, `pageSize` is the number of pages, no
more than 99 rows fit a page whatever is asked, a bad key gives `"list": null` with HTTP 200, a
crash gives a page or (where JSON is accepted) an `exception`, and clients that do not name
themselves are turned away.
"""

from __future__ import annotations

import json
from typing import Any, Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes.base import XML_HEAD, Envelope, Incoming, Outgoing, Trouble, without, xml_row
from kopa_hf.sandbox.keys import valid_key
from kopa_hf.sandbox.query import Query, Record, RefusedError, Reply, Rows

_JSON: Final = "application/json;charset=UTF-8"
_XML: Final = "text/xml;charset=UTF-8"
_HTML: Final = "text/html;charset=UTF-8"
_VALID: Final = "인증키가 유효합니다."
_WRAPPER: Final = frozenset({"key", "type", "pageNo", "numOfRows"})
_DEFAULT_SIZE: Final = 10
_MAX_SIZE: Final = 99
_BLOCKED_AGENTS: Final = ("curl/", "node", "undici", "axios/")

_TEXT_COUNTS: Final = frozenset({"locationinfoRest", "restWeatherList"})
"""Operations whose envelope spells its numbers as text."""
_SILENT: Final = frozenset({"restWeatherList"})
"""Operations that send no message."""
_WHOLE: Final = frozenset({"restThemeList"})
"""Operations that send everything unless a page is asked for."""
_PAGE_CELLS: Final[dict[str, tuple[str, ...]]] = {"restThemeList": (), "locationinfoRest": ("pageSize",)}
"""What is said about the page, where that is less than usual."""
_ALL_CELLS: Final = ("pageNo", "numOfRows", "pageSize")
_FIXED_CELLS: Final[dict[str, dict[str, int]]] = {"restWeatherList": {"pageNo": 1, "numOfRows": 1000}}
"""What is said about pages although there are none."""
_ECHOES: Final = frozenset({"curStateStation", "restBestfoodList", "realUnitTrtm", "locationinfoUnit"})
"""Operations whose rows repeat the page parameters as null."""
_PADDED: Final[dict[str, tuple[str, ...]]] = {
    "realUnitTrtm": ("startUnitCode", "endUnitCode"),
    "restWeatherList": ("unitCode",),
}
"""Columns whose codes are padded with a blank."""


class ExpresswayEnvelope(Envelope):
    """See the module."""

    hosts = ("data.ex.co.kr",)

    def key(self, incoming: Incoming) -> str | None:
        return None if _blocked(incoming) else incoming.parameters.get("key")

    def admits(self, platform: str, key: str | None) -> bool:
        return valid_key(platform, key)

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        if not incoming.parameters.get("type", "").strip():
            raise RefusedError("missing", "type")
        parameters = {n: v for n, v in incoming.parameters.items() if v.strip() and n not in _WRAPPER}
        page = _whole(incoming.parameters.get("pageNo") or "1", "pageNo")
        size = _whole(incoming.parameters.get("numOfRows") or str(_DEFAULT_SIZE), "numOfRows")
        return Query(incoming.operation, parameters, tool, page, min(size, _MAX_SIZE))

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        rows = reply if isinstance(reply, Rows) else Rows.of(())
        tool = query.tool
        paged = tool is not None and tool.paging is not None
        if query.operation in _WHOLE and not {"pageNo", "numOfRows"} & incoming.parameters.keys():
            paged = False
        if incoming.parameters.get("pagingYn", "").strip() == "N":
            paged = False
        if paged:
            records = rows.slice((query.page - 1) * query.size, query.page * query.size)
        else:
            records = rows.all()
        records = [_on_wire(query.operation, record, paged) for record in without(records, absent)]
        name = (tool.endpoint.rows_at if tool is not None else "") or "list"
        content: dict[str, Any] = {"count": rows.total, name: records}
        if paged:
            cells = {"pageNo": query.page, "numOfRows": query.size, "pageSize": -(-rows.total // query.size)}
            content |= {cell: cells[cell] for cell in _PAGE_CELLS.get(query.operation, _ALL_CELLS)}
        content |= _FIXED_CELLS.get(query.operation, {})
        if query.operation in _TEXT_COUNTS:
            content = {n: v if n == name else str(v) for n, v in content.items()}
        if query.operation not in _SILENT:
            content["message"] = _VALID
        content["code"] = "SUCCESS"
        return _written(content, incoming, name)

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        if kind == "auth":
            if _blocked(incoming):
                return Outgoing(b"<html><body>Request Blocked</body></html>", _HTML, 400)
            return _refused("인증키가 유효하지 않습니다.", incoming)
        if kind == "unknown":
            return Outgoing(b"<html><head><title>404</title></head><body>Not Found</body></html>", _HTML, 404)
        if kind == "rate_limit":
            return Outgoing(b"<html><body>Too Many Requests</body></html>", _HTML, 429)
        if kind == "quota":
            return _refused("인증키의 하루 호출 한도를 초과하였습니다.", incoming)
        if kind == "server":
            return _crash(incoming)
        what = "필수 요청변수가 없습니다." if kind == "missing" else "요청변수의 값이 올바르지 않습니다."
        return _refused(f"{what} ({name})", incoming)


def _blocked(incoming: Incoming) -> bool:
    return incoming.headers.get("user-agent", "").lower().startswith(_BLOCKED_AGENTS)


def _on_wire(operation: str, record: Record, paged: bool) -> Record:
    """A record as the service prints it: padded codes, echoed page parameters."""
    padded = _PADDED.get(operation)
    if padded:
        record = record | {name: f"{record[name]} " for name in padded if name in record}
    if paged and operation in _ECHOES:
        record = record | {"pageNo": None, "numOfRows": None}
    return record


def _refused(message: str, incoming: Incoming) -> Outgoing:
    return _written({"count": 0, "list": None, "message": message, "code": "ERROR"}, incoming, "list")


def _crash(incoming: Incoming) -> Outgoing:
    """HTTP 200 either way: an exception for clients that accept JSON, a page for the others."""
    text = "처리 중 오류가 발생하였습니다. java.lang.NullPointerException"
    if "json" in incoming.headers.get("accept", ""):
        body = json.dumps({"exception": {"message": text}}, ensure_ascii=False, separators=(",", ":"))
        return Outgoing(body.encode(), _JSON)
    return Outgoing(f"<html><head><title>오류</title></head><body><h1>{text}</h1></body></html>".encode(), _HTML)


def _written(content: dict[str, Any], incoming: Incoming, name: str) -> Outgoing:
    if incoming.parameters.get("type", "").strip().lower() != "xml":
        return Outgoing(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(), _JSON)
    cells = {n: v for n, v in content.items() if n != name}
    rows = "".join([xml_row(name, record) for record in content[name] or ()])
    head = xml_row("data", cells).removesuffix("</data>")
    return Outgoing(f"{XML_HEAD}{head}{rows}</data>".encode(), _XML)


def _whole(text: str, name: str) -> int:
    """A positive whole number."""
    text = text.strip()
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        raise RefusedError("value", name)
    return int(text)
