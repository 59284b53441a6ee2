"""교육데이터플랫폼 (EDSS): JSON by POST, a gateway in front of an application, each with its own look at the key.

The gateway reads the header `api_key` and echoes a refused request's headers; the application reads
`userApiAthkCn` in the body and says "Not Found" where it is missing. Counts stand in a sentence, there are no
pages, and a search name that the service does not know makes the whole call fail.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes.base import Envelope, Incoming, Outgoing, Trouble, without
from kopa_hf.sandbox.keys import valid_key
from kopa_hf.sandbox.query import Query, RefusedError, Reply, Rows

_JSON: Final = "application/json;charset=UTF-8"
_HEADER: Final = "api_key"
_KEY: Final = "userApiAthkCn"
_ID: Final = "apiId"
_SEARCH: Final = "srhParam"
_PLATFORMS: Final = ("education", "edss")


class EdssEnvelope(Envelope):
    """See the module."""

    hosts = ("openapi.edmgr.kr",)

    def address(self, incoming: Incoming) -> str:
        return incoming.path.rstrip("/") if incoming.method == "POST" else f"{incoming.method} {incoming.path}"

    def complete(self, incoming: Incoming, tool: Tool | None) -> Incoming:
        """Search values take the place of the body's frame, which stays in `body`."""
        content = _content(incoming)
        search = content.get(_SEARCH)
        found = {n: _text(v) for n, v in search.items()} if isinstance(search, dict) else {}
        # what the query string holds is unknown to the service, and refused as such
        stray = {f"?{n}": v for n, v in incoming.parameters.items() if n not in content}
        return dataclasses.replace(incoming, parameters={**stray, **found})

    def key(self, incoming: Incoming) -> str | None:
        """The header's key, where the body holds the same one."""
        key = incoming.headers.get(_HEADER)
        return key if key == _content(incoming).get(_KEY) else None

    def admits(self, platform: str, key: str | None) -> bool:
        return valid_key(platform, key) or valid_key("edss", key)

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        content = _content(incoming)
        if content.get(_ID) != incoming.operation:
            raise RefusedError("value", _ID)
        known = {p.name for p in tool.inputs} if tool is not None else set(incoming.parameters)
        for name in incoming.parameters:
            if name not in known:
                raise RefusedError("value", name)
        return Query(incoming.operation, {n: v for n, v in incoming.parameters.items() if v.strip()}, tool)

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        records = without(reply.all(), absent) if isinstance(reply, Rows) else []
        said = f"[조회건수 : {len(records):,} 건]"
        return _written({"resultData": records, "msgCd": "200 (성공)", "msgCn": said})

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        if kind == "auth":
            return _refused(incoming)
        if kind in ("rate_limit", "quota"):
            return _written({"loc": "GATEWAY", "message": "Too Many Requests"}, 429)
        if kind == "unknown":
            if incoming.method != "POST":
                return _written({"loc": "GATEWAY", "message": "Method Not Allowed"}, 405)
            return _written({"loc": "GATEWAY", "message": "API not found"}, 404)
        if kind == "server":
            return _written({"resultData": None, "msgCd": "500 (오류)", "msgCn": "시스템 오류가 발생하였습니다."}, 500)
        said = f"요청 파라미터를 확인하세요. ({name})"
        return _written({"resultData": None, "msgCd": "400 (잘못된 요청)", "msgCn": said}, 400)


def _refused(incoming: Incoming) -> Outgoing:
    """The gateway's refusal echoes the headers; the application behind it says that nothing is there."""
    if any(valid_key(platform, incoming.headers.get(_HEADER)) for platform in _PLATFORMS):
        return _written({"loc": "PROVIDER", "message": "Not Found"}, 404)
    return _written({"loc": "GATEWAY", "message": "Unauthorized", "headers": dict(incoming.headers)}, 401)


def _content(incoming: Incoming) -> Mapping[str, Any]:
    """The body's object; an unreadable body holds nothing."""
    try:
        content = json.loads(incoming.body)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _written(content: dict[str, Any], status: int = 200) -> Outgoing:
    return Outgoing(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(), _JSON, status)
