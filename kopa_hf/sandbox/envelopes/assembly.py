"""열린국회정보's envelope: head and row under the service's code; a bare RESULT for everything else.

JSON is served with content type text/html; XML comes when `Type` is left out.
"""

from __future__ import annotations

import json
from typing import Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes.base import XML_HEAD, Envelope, Incoming, Outgoing, Trouble, without, xml_row
from kopa_hf.sandbox.keys import valid_key
from kopa_hf.sandbox.politics.services import service_of_code
from kopa_hf.sandbox.query import Query, RefusedError, Reply, Rows

_JSON: Final = "text/html;charset=UTF-8"
_XML: Final = "text/xml;charset=UTF-8"
_SAMPLE: Final = "sample"
_SAMPLE_ROWS: Final = 10
_DEFAULT_SIZE: Final = 100
_MAX_SIZE: Final = 1000

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


class AssemblyEnvelope(Envelope):
    """See the module."""

    hosts = ("open.assembly.go.kr",)

    def address(self, incoming: Incoming) -> str:
        """A service is found by its code, and where that is not public by the code that our list of services tells."""
        folder, _, code = incoming.path.rstrip("/").rpartition("/")
        return f"{folder}/{service_of_code().get(code, code)}"

    def key(self, incoming: Incoming) -> str | None:
        return incoming.parameters.get("KEY")

    def admits(self, platform: str, key: str | None) -> bool:
        return key == _SAMPLE or valid_key(platform, key)

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        skipped = ("KEY", "Type", "pIndex", "pSize")
        parameters = {n: v for n, v in incoming.parameters.items() if v.strip() and n not in skipped}
        default = tool.paging.default_size if tool is not None and tool.paging is not None else _DEFAULT_SIZE
        page = _position(incoming.parameters.get("pIndex", "1"))
        size = _position(incoming.parameters.get("pSize", str(default)))
        if size > _MAX_SIZE:
            raise RefusedError("too_many", "pSize")
        if self.key(incoming) == _SAMPLE:
            size = min(size, _SAMPLE_ROWS)
        return Query(incoming.operation, parameters, tool, page, size)

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        rows = reply if isinstance(reply, Rows) else Rows.of(())
        records = without(rows.slice((query.page - 1) * query.size, query.page * query.size), absent)
        if not records:
            return self._result("none", incoming)
        code, message = _RESULT["ok"]
        name = query.operation
        if _wants_json(incoming):
            head = [{"list_total_count": rows.total}, {"RESULT": {"CODE": code, "MESSAGE": message}}]
            body = json.dumps({name: [{"head": head}, {"row": records}]}, ensure_ascii=False, separators=(",", ":"))
            return Outgoing(body.encode(), _JSON)
        result = xml_row("RESULT", {"CODE": code, "MESSAGE": message})
        head_xml = f"<head><list_total_count>{rows.total}</list_total_count>{result}</head>"
        rows_xml = "".join(xml_row("row", record) for record in records)
        return Outgoing(f"{XML_HEAD}<{name}>{head_xml}{rows_xml}</{name}>".encode(), _XML)

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        if kind == "rate_limit":
            return Outgoing(b"Too Many Requests", "text/plain", 429)
        return self._result(kind if kind in _RESULT else "missing", incoming)

    def _result(self, kind: str, incoming: Incoming) -> Outgoing:
        code, message = _RESULT[kind]
        result = {"CODE": code, "MESSAGE": message}
        if _wants_json(incoming):
            body = json.dumps({"RESULT": result}, ensure_ascii=False, separators=(",", ":"))
            return Outgoing(body.encode(), _JSON)
        return Outgoing(f"{XML_HEAD}{xml_row('RESULT', result)}".encode(), _XML)


def _wants_json(incoming: Incoming) -> bool:
    return incoming.parameters.get("Type", "xml").strip().lower() == "json"


def _position(text: str) -> int:
    """A page number or size; the service refuses anything but a positive whole number."""
    text = text.strip()
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        raise RefusedError("value", text)
    return int(text)
