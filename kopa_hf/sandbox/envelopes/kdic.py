"""예금보험공사 behind the gateway of data.go.kr: rows beside the header, under the operation's own name.

The root is the operation's name without the digits at its end, every value of a row is text, and
XML comes unless `resultType` asks for JSON:
`{"getCompanyList": {"header": {…}, "item": [{…}], "numOfRows": 10, "pageNo": 1, "totalCount": 320}}`.
What the gateway itself refuses, it refuses in its own words.
"""

from __future__ import annotations

import json
from typing import Any, Final

from kopa_hf.sandbox.envelopes.base import XML_HEAD, Incoming, Outgoing, Trouble, without, xml_row
from kopa_hf.sandbox.envelopes.gateway import GatewayEnvelope
from kopa_hf.sandbox.query import Query, Reply, Rows

_JSON: Final = "application/json;charset=UTF-8"
_XML: Final = "application/xml;charset=UTF-8"
_CODES: Final[dict[Trouble, tuple[str, str]]] = {
    "server": ("01", "APPLICATION ERROR"),
    "no_file": ("03", "NODATA ERROR"),
    "value": ("10", "INVALID REQUEST PARAMETER ERROR"),
    "range": ("10", "INVALID REQUEST PARAMETER ERROR"),
    "too_many": ("10", "INVALID REQUEST PARAMETER ERROR"),
    "missing": ("11", "NO MANDATORY REQUEST PARAMETERS ERROR"),
}
_OK: Final = ("00", "NORMAL SERVICE")


class KdicEnvelope(GatewayEnvelope):
    """See the module."""

    hosts = ("apis.data.go.kr",)

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        rows = reply if isinstance(reply, Rows) else Rows.of(())
        records = without(rows.slice((query.page - 1) * query.size, query.page * query.size), absent)
        counts = {"numOfRows": query.size, "pageNo": query.page, "totalCount": rows.total}
        return _written({"header": _header(*_OK), "item": records, **counts}, incoming)

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        code = _CODES.get(kind)
        if code is None:
            return super().trouble(kind, incoming, name)
        return _written({"header": _header(*code)}, incoming)


def _header(code: str, message: str) -> dict[str, str]:
    return {"resultCode": code, "resultMsg": message}


def _written(content: dict[str, Any], incoming: Incoming) -> Outgoing:
    root = incoming.operation.rstrip("0123456789") or incoming.operation
    if incoming.parameters.get("resultType", "").strip().lower() == "json":
        body = json.dumps({root: content}, ensure_ascii=False, separators=(",", ":"))
        return Outgoing(body.encode(), _JSON)
    cells = {name: value for name, value in content.items() if name not in ("header", "item")}
    items = "".join([xml_row("item", record) for record in content.get("item", ())])
    numbers = xml_row(root, cells).removeprefix(f"<{root}>")
    return Outgoing(f"{XML_HEAD}<{root}>{xml_row('header', content['header'])}{items}{numbers}".encode(), _XML)
