"""The envelope of 국가법령정보: two addresses, the data set named by `target`.

HTTP 200 whatever happened: a refused user is a small `Response`, an unknown number a sentence
under `Law`, an unknown target an empty body, a format that a data set does not have an HTML page.
Handlers give records as the adapter reads them; `envelopes.law_layout` puts their columns back into
blocks. Every link that a list sends carries the caller's own `OC`.
"""

from __future__ import annotations

import json
from typing import Any, Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes.base import XML_HEAD, Envelope, Incoming, Outgoing, Trouble
from kopa_hf.sandbox.envelopes.law_layout import laid_out, listed
from kopa_hf.sandbox.envelopes.law_xml import xml_element
from kopa_hf.sandbox.keys import valid_key
from kopa_hf.sandbox.query import NO_ROWS, Query, Reply, Rows

_JSON: Final = "application/json;charset=UTF-8"
_XML: Final = "application/xml;charset=UTF-8"
_HTML: Final = "text/html;charset=UTF-8"
_DEFAULT_SIZE: Final = 20
_MAX_SIZE: Final = 500
"""More is cut without a word."""
_CHOICES: Final = ("target", "mobileYn", "lj")
_NO_PAGES: Final = frozenset(
    {"lsDelegated", "lsJoHstInf", "delHst", "lsAbrv", "lstrmAI", "dlytrm", "lstrmRlt", "dlytrmRlt", "lstrmRltJo",
     "joRltLstrm", "lsRlt", "aiSearch", "aiRltLs"}
)  # fmt: skip
"""Data sets that are never sent as HTML."""
_RESULT_CODES: Final = frozenset(
    {"law", "eflaw", "elaw", "ordin", "lsStmd", "oldAndNew", "thdCmp", "admrulOldAndNew", "school", "public", "pi"}
)
"""Lists that state numOfRows, resultCode and resultMsg."""
_PAGE_NOT_APPLIED: Final = (
    "<!DOCTYPE html>\n<html>\n<head><title>국가법령정보 공동활용</title></head>\n<body>\n"
    "<p>미신청된 목록/본문에 대한 접근입니다.</p>\n"
    "<p>OPEN API 신청 화면에서 법령 종류를 선택하여 신청하신 뒤 이용하여 주십시오.</p>\n</body>\n</html>"
)
_PAGE_BROKEN: Final = (
    "<!DOCTYPE html>\n<html>\n<head><title>Error</title></head>\n<body>처리 중 오류 발생</body>\n</html>"
)
_UNKNOWN_USER: Final = (
    "사용자 정보 검증에 실패하였습니다.",
    "OPEN API 호출 시 사용자 검증을 위하여 정확한 서버장비의 IP주소 및 도메인주소를 등록해 주세요.",
)
_NO_USER: Final = ("필수 입력값 검증에 실패하였습니다.", "OPEN API 호출 시 필요한 인증값(OC)을 입력해 주세요.")
_KINDS: Final = {
    "admrul": "행정규칙", "admrulOldAndNew": "행정규칙", "school": "학칙", "public": "규정", "pi": "규정",
    "ordin": "자치법규", "prec": "판례", "detc": "헌재결정례", "expc": "법령해석례", "decc": "행정심판례",
    "trty": "조약", "lstrm": "법령용어", "oldAndNew": "신구법", "thdCmp": "삼단비교", "lsStmd": "체계도",
}  # fmt: skip


class LawEnvelope(Envelope):
    """See the module."""

    hosts = ("www.law.go.kr",)

    def address(self, incoming: Incoming) -> str:
        return _address(incoming.path, incoming.parameters)

    def address_of(self, tool: Tool) -> str:
        address, _, query = tool.endpoint.url.partition("?")
        fixed = dict(part.split("=", 1) for part in query.split("&") if part)
        return _address("/" + address.partition("://")[2].partition("/")[2], fixed)

    def key(self, incoming: Incoming) -> str | None:
        """Without a referer the service does not know the user, whatever the key."""
        key = incoming.parameters.get("OC", "").strip()
        return key if key and incoming.headers.get("referer") else None

    def admits(self, platform: str, key: str | None) -> bool:
        return valid_key(platform, key)

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        parameters = {n: v for n, v in incoming.parameters.items() if v.strip() and n not in ("OC", "type", *_CHOICES)}
        page, size = 1, _DEFAULT_SIZE
        if tool is not None and tool.paging is not None:
            page = _whole(parameters.pop(tool.paging.page, ""), 1)
            size = min(_whole(parameters.pop(tool.paging.size, ""), tool.paging.default_size), _MAX_SIZE)
        return Query(incoming.operation, parameters, tool, page, size)

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        target = incoming.parameters.get("target", "")
        form = _form(incoming)
        if form == "HTML" and target in _NO_PAGES:
            return Outgoing(_PAGE_NOT_APPLIED.encode(), _HTML)
        if query.tool is None or form == "HTML" or not query.tool.endpoint.rows_at:
            return _page(query, form)
        if query.tool.fields_unknown:  # nothing is known of its rows
            reply = NO_ROWS
        assert isinstance(reply, Rows)
        root, _, item = query.tool.endpoint.rows_at.partition(".")
        if target == "thdCmp" and not item and query.get("knd") == "1":
            root = "ThdCmpLawXService"
        if "lawSearch" not in incoming.path and not item:
            records = reply.all() if root in ("items", "lsDelegated") else reply.slice(0, 1)
            if not records:
                return self._nothing(incoming)
            return _written(root, laid_out(root, target, records, absent), form)
        records = reply.all() if query.tool.paging is None else _cut(reply, query)
        if not records and "lawSearch" not in incoming.path:
            return self._nothing(incoming)
        key = incoming.parameters.get("OC", "")
        head = _head(target, incoming, query, reply.total)
        content = {
            **head,
            **listed(item, target, _with_key(records, key), absent, at_search="lawSearch" in incoming.path),
        }
        if target in _RESULT_CODES and "totalCnt" in head:
            counted = {"numOfRows": str(len(records))} if records else {}
            content = {
                **_before(content, item),
                **counted,
                "resultCode": "00",
                "resultMsg": "success",
                **_rows(content, item),
            }
        return _written(root, content, form)

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        if kind == "auth":
            result, message = _UNKNOWN_USER if incoming.parameters.get("OC", "").strip() else _NO_USER
            content = {"result": result, "msg": message}
            if _form(incoming) == "JSON":
                return Outgoing(json.dumps(content, ensure_ascii=False).encode(), _JSON)
            return _written("Response", content, "XML")
        if kind == "unknown":
            return Outgoing(b"", _HTML)
        if kind in ("rate_limit", "quota"):
            return Outgoing(_PAGE_BROKEN.encode(), _HTML, 404)
        if kind == "server":
            return Outgoing(_PAGE_BROKEN.encode(), _HTML)
        if kind == "no_file":
            return Outgoing(_PAGE_NOT_APPLIED.encode(), _HTML)
        return self._nothing(incoming)

    def _nothing(self, incoming: Incoming) -> Outgoing:
        if incoming.parameters.get("target") == "eflawjosub" and _form(incoming) == "JSON":
            return Outgoing(b"{}", _JSON)
        kind = _KINDS.get(incoming.parameters.get("target", ""), "법령")
        subject = kind + ("이" if (ord(kind[-1]) - 0xAC00) % 28 else "가")
        text = f"일치하는 {subject} 없습니다.  {kind}명을 확인하여 주십시오."
        return _written("Law", text, _form(incoming))


def _address(path: str, parameters: Any) -> str:
    chosen = [f"{name}={parameters[name]}" for name in _CHOICES if parameters.get(name, "").strip()]
    return f"{path.rstrip('/')}?{'&'.join(chosen)}"


def _form(incoming: Incoming) -> str:
    """XML where nothing, or something unknown, is asked."""
    asked = incoming.parameters.get("type", "").upper()
    return asked if asked in ("JSON", "HTML") else "XML"


def _whole(text: str, default: int) -> int:
    """A positive whole number; the service reads anything else as left out."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0 else default


def _cut(rows: Rows, query: Query) -> list[dict[str, Any]]:
    return rows.slice((query.page - 1) * query.size, query.page * query.size)


def _head(target: str, incoming: Incoming, query: Query, total: int) -> dict[str, Any]:
    """What stands before the rows of a list."""
    head: dict[str, Any] = {"target": target}
    if query.tool is not None and query.tool.endpoint.rows_at.split(".")[0] in _COUNTED:
        return {**head, "키워드": query.get("query", "*"), "검색결과개수": str(total)}
    if target.startswith("couse"):
        head["vcode"] = query.get("vcode")
    elif "lawSearch" in incoming.path and target not in ("lsAbrv", "lsJoHstInf", "lsHstInf", "delHst"):
        head["키워드"] = query.get("query", "*")
        head["section"] = _SECTIONS.get(target, "lawNm") if query.get("search", "1") != "2" else "bdyText"
    return {**head, "totalCnt": str(total), "page": str(query.page)}


_SECTIONS: Final = {
    "prec": "evtNm", "detc": "EventNm", "expc": "lawNm", "decc": "EventNm", "trty": "TrtyNm", "lstrm": "lsTrmNm",
    "admrul": "admRulNm", "ordin": "ordinNm", "lnkDep": "lsNm", "licbyl": "bylNm", "admbyl": "bylNm",
    "ordinbyl": "bylNm", "elaw": "lawNm",
}  # fmt: skip
_COUNTED: Final = frozenset(
    {"lstrmAISearch", "dlytrmSearch", "lsRltSearch", "aiSearch", "aiRltLsSearch", "lstrmRltService", "dlytrmRltService",
     "lstrmRltJoService", "joRltLstrmService"}
)  # fmt: skip
"""Roots that count under another name."""


def _before(content: dict[str, Any], item: str) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != item}


def _rows(content: dict[str, Any], item: str) -> dict[str, Any]:
    return {item: content[item]} if item in content else {}


def _with_key(records: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """Links of the service's own carry the caller's key first."""
    found: list[dict[str, Any]] = _keyed(records, key)
    return found


def _keyed(value: Any, key: str) -> Any:
    if isinstance(value, str):
        return value.replace(".do?target=", f".do?OC={key}&target=") if value.startswith("/DRF/") else value
    if isinstance(value, dict):
        return {name: _keyed(item, key) for name, item in value.items()}
    if isinstance(value, list):
        return [_keyed(item, key) for item in value]
    return value


def _page(query: Query, form: str) -> Outgoing:
    """The page for people; a data set without such a page has nothing to send in another format."""
    if form != "HTML":
        return Outgoing(_PAGE_NOT_APPLIED.encode(), _HTML)
    title = query.tool.title if query.tool is not None else "국가법령정보"
    return Outgoing(
        f"<!DOCTYPE html>\n<html>\n<head><title>{title}</title></head>\n<body><h1>{title}</h1></body>\n</html>".encode(),
        _HTML,
    )


def _written(root: str, content: Any, form: str) -> Outgoing:
    if form == "JSON":
        return Outgoing(json.dumps({root: content}, ensure_ascii=False, separators=(",", ":")).encode(), _JSON)
    return Outgoing((XML_HEAD + xml_element(root, content)).encode(), _XML)
