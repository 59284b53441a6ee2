"""KRX Open API's envelope: `OutBlock_1` and nothing else, no count, no status, no paging."""

from __future__ import annotations

import json
from typing import Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes.base import XML_HEAD, Envelope, Incoming, Outgoing, Trouble, without, xml_row
from kopa_hf.sandbox.keys import valid_key
from kopa_hf.sandbox.query import Query, Reply, Rows

_JSON: Final = "application/json;charset=UTF-8"
_XML: Final = "application/xml;charset=UTF-8"
_HTML: Final = "text/html;charset=UTF-8"


class KrxEnvelope(Envelope):
    """See the module."""

    hosts = ("data-dbg.krx.co.kr",)

    def key(self, incoming: Incoming) -> str | None:
        # some clients send it as a query parameter of the same name
        return incoming.headers.get("auth_key") or incoming.parameters.get("AUTH_KEY")

    def admits(self, platform: str, key: str | None) -> bool:
        return valid_key(platform, key)

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        parameters = {n: v for n, v in incoming.parameters.items() if v.strip() and n != "AUTH_KEY"}
        return Query(incoming.operation, parameters, tool)

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        records = without(reply.all(), absent) if isinstance(reply, Rows) else []
        if incoming.suffix == "xml":
            rows = "".join(xml_row("row", record) for record in records)
            return Outgoing(f"{XML_HEAD}<root><OutBlock_1>{rows}</OutBlock_1></root>".encode(), _XML)
        body = json.dumps({"OutBlock_1": records}, ensure_ascii=False, separators=(",", ":"))
        return Outgoing(body.encode(), _JSON)

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        if kind == "auth":
            return self._code("401", "Unauthorized API Call", 401)
        if kind in ("rate_limit", "quota"):
            return Outgoing(b'{"respCode":"429","respMsg":"Too Many Requests"}', _JSON, 429)
        if kind == "unknown":
            return Outgoing(b"<html><head><title>404 Not Found</title></head><body></body></html>", _HTML, 404)
        if kind == "server":
            return Outgoing(b"<html><head><title>500 Internal Server Error</title></head></html>", _HTML, 500)
        return self._code("400", f"Bad Request: {name}", 400)

    def _code(self, code: str, message: str, status: int) -> Outgoing:
        body = json.dumps({"respCode": code, "respMsg": message}, separators=(",", ":"))
        return Outgoing(body.encode(), _JSON, status)
