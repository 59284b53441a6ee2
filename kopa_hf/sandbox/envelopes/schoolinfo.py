"""학교알리미: one address, told apart by `apiType`; a code word and a sentence say how it went.

There are no pages: an answer holds every row of a district and a level. Whatever goes wrong comes with
HTTP 200, a `resultCode` other than success and a sentence, "no data" included.
"""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.parse import parse_qsl

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes.base import Envelope, Incoming, Outgoing, Trouble, without
from kopa_hf.sandbox.keys import valid_key
from kopa_hf.sandbox.query import Query, Reply, Rows

_JSON: Final = "application/json;charset=UTF-8"
_KIND: Final = "apiType"
_SAYINGS: Final[dict[Trouble, str]] = {
    "auth": "유효하지 않은 인증키입니다.",
    "missing": "필수값이 누락되었습니다. ({name})",
    "value": "입력값을 확인하세요. ({name})",
    "range": "입력값을 확인하세요. ({name})",
    "too_many": "입력값을 확인하세요. ({name})",
    "no_file": "조회된 데이터가 없습니다.",
    "unknown": "존재하지 않는 API입니다. (apiType)",
    "quota": "일일 호출 한도를 초과하였습니다.",
    "server": "시스템 오류가 발생하였습니다.",
}
_NO_DATA: Final = "조회된 데이터가 없습니다."


class SchoolinfoEnvelope(Envelope):
    """See the module."""

    hosts = ("www.schoolinfo.go.kr",)

    def address(self, incoming: Incoming) -> str:
        return f"{incoming.path}?{incoming.parameters.get(_KIND, '')}"

    def address_of(self, tool: Tool) -> str:
        address, _, query = tool.endpoint.url.partition("?")
        path = "/" + address.partition("://")[2].partition("/")[2]
        return f"{path}?{dict(parse_qsl(query)).get(_KIND, '')}"

    def key(self, incoming: Incoming) -> str | None:
        return incoming.parameters.get("apiKey")

    def admits(self, platform: str, key: str | None) -> bool:
        return valid_key(platform, key) or valid_key("schoolinfo", key)

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        parameters = {n: v for n, v in incoming.parameters.items() if v.strip() and n not in ("apiKey", _KIND)}
        return Query(incoming.operation, parameters, tool)

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        records = without(reply.all(), absent) if isinstance(reply, Rows) else []
        if not records:
            return _written({"resultCode": "fail", "resultMsg": _NO_DATA})
        return _written({"resultCode": "success", "resultMsg": "성공", "list": records})

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        if kind == "rate_limit":
            return Outgoing(b"Too Many Requests", "text/plain", 429)
        word = "fail" if kind in ("missing", "no_file") else "error"
        return _written({"resultCode": word, "resultMsg": _SAYINGS[kind].format(name=name)})


def _written(content: dict[str, Any]) -> Outgoing:
    return Outgoing(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(), _JSON)
