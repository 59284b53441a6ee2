"""경기데이터드림's envelope: a head of three entries, rows beside it, a bare RESULT for everything else.

XML comes unless `Type` says json. Parameter names are read in any case. Without a key the service shows its
first five rows; a request whose agent looks like no browser meets the firewall and its page.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes.base import XML_HEAD, Envelope, Incoming, Outgoing, Trouble, without, xml_row
from kopa_hf.sandbox.keys import valid_key
from kopa_hf.sandbox.query import Query, RefusedError, Reply, Rows

_JSON: Final = "application/json;charset=UTF-8"
_XML: Final = "text/xml;charset=UTF-8"
_HTML: Final = "text/html;charset=UTF-8"
_VERSION: Final = "1.0"
_XML_VERSION: Final = "1.0v"
"""The two formats print the version differently."""
_SAMPLE_ROWS: Final = 5
_DEFAULT_SIZE: Final = 100
_MAX_SIZE: Final = 1000
_NAMES: Final = {"key": "KEY", "type": "Type", "pindex": "pIndex", "psize": "pSize"}

_RESULT: Final[dict[str, tuple[str, str]]] = {
    "ok": ("INFO-000", "정상 처리되었습니다."),
    "none": ("INFO-200", "해당하는 데이터가 없습니다."),
    "auth": ("ERROR-290", "인증키가 유효하지 않습니다. 인증키가 없는 경우, 홈페이지에서 인증키를 신청하십시오."),
    "missing": ("ERROR-300", "필수 값이 누락되어 있습니다. 요청인자를 참고 하십시오."),
    "unknown": ("ERROR-310", "해당하는 서비스를 찾을 수 없습니다. 요청인자 중 SERVICE를 확인하십시오."),
    "value": ("ERROR-333", "요청위치 값의 타입이 유효하지 않습니다. 요청위치 값은 정수를 입력하세요."),
    "too_many": ("ERROR-336", "데이터요청은 한번에 최대 1,000건을 넘을 수 없습니다."),
    "quota": ("ERROR-337", "일별 트래픽 제한을 넘은 호출입니다. 오늘은 더이상 호출할 수 없습니다."),
    "server": ("ERROR-500", "서버 오류입니다. 지속적으로 발생시 홈페이지로 문의 바랍니다."),
}
_FIREWALL: Final = (
    "<!DOCTYPE html><html><head><title>Request Blocked</title></head>"
    "<body><h1>Request Blocked</h1><p>The request was rejected by the web firewall.</p></body></html>"
)


class GyeonggiEnvelope(Envelope):
    """See the module."""

    hosts = ("openapi.gg.go.kr",)

    def complete(self, incoming: Incoming, tool: Tool | None) -> Incoming:
        named = {_NAMES.get(name.lower(), name): value for name, value in incoming.parameters.items()}
        return dataclasses.replace(incoming, parameters=named)

    def key(self, incoming: Incoming) -> str | None:
        return incoming.parameters.get("KEY")

    def admits(self, platform: str, key: str | None) -> bool:
        return not key or valid_key(platform, key)

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        if _blocked(incoming):
            raise RefusedError("value", "User-Agent")
        skipped = frozenset(_NAMES.values())
        parameters = {n: v for n, v in incoming.parameters.items() if v.strip() and n not in skipped}
        page = _position(incoming.parameters.get("pIndex") or "1", "pIndex")
        size = _position(incoming.parameters.get("pSize") or str(_DEFAULT_SIZE), "pSize")
        if size > _MAX_SIZE:
            raise RefusedError("too_many", "pSize")
        if not self.key(incoming):
            page, size = 1, min(size, _SAMPLE_ROWS)
        return Query(incoming.operation, parameters, tool, page, size)

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        rows = reply if isinstance(reply, Rows) else Rows.of(())
        records = without(rows.slice((query.page - 1) * query.size, query.page * query.size), absent)
        if not records:
            return self._result("none", incoming)
        code, message = _RESULT["ok"]
        name = query.operation
        if _wants_json(incoming):
            result = {"RESULT": {"CODE": code, "MESSAGE": message}}
            head = [{"list_total_count": rows.total}, result, {"api_version": _VERSION}]
            body = json.dumps({name: [{"head": head}, {"row": records}]}, ensure_ascii=False, separators=(",", ":"))
            return Outgoing(body.encode(), _JSON)
        result_xml = xml_row("RESULT", {"CODE": code, "MESSAGE": message})
        count = f"<list_total_count>{rows.total}</list_total_count>"
        head_xml = f"<head>{count}{result_xml}<api_version>{_XML_VERSION}</api_version></head>"
        rows_xml = "".join([xml_row("row", record) for record in records])
        return Outgoing(f"{XML_HEAD}<{name}>{head_xml}{rows_xml}</{name}>".encode(), _XML)

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        if kind == "rate_limit":
            return Outgoing(b"Too Many Requests", "text/plain", 429)
        if _blocked(incoming):
            return Outgoing(_FIREWALL.encode(), _HTML)
        return self._result(kind if kind in _RESULT else "missing", incoming)

    def _result(self, kind: str, incoming: Incoming) -> Outgoing:
        code, message = _RESULT[kind]
        result = {"CODE": code, "MESSAGE": message}
        if _wants_json(incoming):
            body = json.dumps({"RESULT": result}, ensure_ascii=False, separators=(",", ":"))
            return Outgoing(body.encode(), _JSON)
        return Outgoing(f"{XML_HEAD}{xml_row('RESULT', result)}".encode(), _XML)


def _blocked(incoming: Incoming) -> bool:
    """Whether the firewall turns the request away: it wants an agent that begins as browsers' do."""
    return not incoming.headers.get("user-agent", "").startswith("Mozilla/")


def _wants_json(incoming: Incoming) -> bool:
    return incoming.parameters.get("Type", "xml").strip().lower() == "json"


def _position(text: str, name: str) -> int:
    """A page number or size; the service refuses anything but a positive whole number."""
    text = text.strip()
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        raise RefusedError("value", name)
    return int(text)
