"""The gateway of data.go.kr and the agencies behind it.

The gateway has errors of its own: XML with HTTP 200, whatever format was asked for. What an
agency answers follows from `Endpoint.rows_at`, the place of its rows:

- `response.body.items.item` (also where `rows_at` is empty): header and body under `response`;
  one row is an object instead of a list, none is `"items": ""`.
- `body.items`: no `response` around them in JSON, and `items` is always the list itself.
- `response.body.tableList.items.item`: statistics in titled tables, each with its own counts; a row's `title` is its table's.
- `msgBody.NAME`, `response.msgBody.NAME`: the buses, with a header of their own; XML stands under `ServiceResult`.

Formats: JSON where a format parameter says so, else XML; a service without such a parameter has
one format, its signature's. Paging is honoured wherever it is sent; without it an operation that pages
sends its first page, any other everything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes.base import XML_HEAD, Envelope, Incoming, Outgoing, Trouble, without, xml_row
from kopa_hf.sandbox.keys import valid_key
from kopa_hf.sandbox.query import Query, Record, RefusedError, Reply, Rows

_JSON: Final = "application/json;charset=UTF-8"
_XML: Final = "application/xml;charset=UTF-8"
_TEXT: Final = "text/plain;charset=UTF-8"
_KEYS: Final = ("servicekey", "authapikey")
_FORMATS: Final = frozenset({"_type", "type", "format", "resulttype", "datatype", "returntype", "dataformat"})
_PLACE: Final = "response.body.items.item"
_BARE: Final = "body.items"
_TABLES: Final = "response.body.tableList"
_BUS_HOST: Final = "ws.bus.go.kr"
_PAGE: Final = "pageNo"
_SIZE: Final = "numOfRows"
_EVERYTHING: Final = 1_000_000
_MAX_SIZE: Final = 10_000

_GATEWAY: Final[dict[Trouble, tuple[str, str]]] = {
    "unknown": ("12", "NO_OPENAPI_SERVICE_ERROR"),
    "quota": ("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR"),
    "auth": ("30", "SERVICE_KEY_IS_NOT_REGISTERED_ERROR"),
}
_AGENCY: Final[dict[Trouble, tuple[str, str]]] = {
    "server": ("01", "APPLICATION_ERROR"),
    "no_file": ("03", "NODATA_ERROR"),
    "value": ("10", "INVALID_REQUEST_PARAMETER_ERROR"),
    "range": ("10", "INVALID_REQUEST_PARAMETER_ERROR"),
    "too_many": ("10", "INVALID_REQUEST_PARAMETER_ERROR"),
    "missing": ("11", "NO_MANDATORY_REQUEST_PARAMETERS_ERROR"),
}
_BUS: Final[dict[Trouble, tuple[str, str]]] = {
    "auth": ("7", "Key인증실패: SERVICE KEY IS NOT REGISTERED ERROR.[인증모듈 에러코드(30)]"),
    "quota": ("7", "Key인증실패: LIMITED NUMBER OF SERVICE REQUESTS EXCEEDS ERROR.[인증모듈 에러코드(22)]"),
    "server": ("1", "시스템에 오류가 발생하였습니다."),
    "missing": ("2", "잘못된 쿼리 요청입니다. 쿼리 변수가 정확한지 확인하세요."),
    "value": ("2", "잘못된 쿼리 요청입니다. 쿼리 변수가 정확한지 확인하세요."),
}
_BUS_OK: Final = ("0", "정상적으로 처리되었습니다.")
_BUS_NONE: Final = ("4", "결과가 없습니다.")


class GatewayEnvelope(Envelope):
    """See the module."""

    hosts: ClassVar[tuple[str, ...]] = (
        "apis.data.go.kr",
        "openapi.q-net.or.kr",
        "open.api.q-net.or.kr",
        "c.q-net.or.kr",
        "meister.hrdkorea.or.kr",
        "openapi.academyinfo.go.kr",
        "data.sisul.or.kr",
        _BUS_HOST,
    )

    def key(self, incoming: Incoming) -> str | None:
        return next((v for n, v in incoming.parameters.items() if n.lower() in _KEYS), None)

    def admits(self, platform: str, key: str | None) -> bool:
        """One account's key opens every service behind the gateway, so the gateway's own key does too."""
        return valid_key(platform, key) or valid_key("data_go_kr", key)

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        paging = tool.paging if tool is not None else None
        page_name, size_name = (paging.page, paging.size) if paging is not None else (_PAGE, _SIZE)
        inputs = {p.name for p in tool.inputs} if tool is not None else set()
        parameters: dict[str, str] = {}
        for name, value in incoming.parameters.items():
            known = name in inputs or name.lower() not in _FORMATS
            if known and value.strip() and name.lower() not in _KEYS and name not in (page_name, size_name):
                parameters[name] = value
        page = _whole(incoming.parameters.get(page_name) or "1", page_name)
        ranged = paging is not None and paging.style == "range"
        default = paging.default_size if paging is not None else _EVERYTHING
        sent = incoming.parameters.get(size_name)
        size = _whole(sent, size_name) if sent else default
        if ranged:  # first and last row
            size = size - page + 1 if sent else default
            if size < 1:
                raise RefusedError("value", size_name)
        if sent and size > (paging.max_size if paging is not None else _MAX_SIZE):
            raise RefusedError("too_many", size_name)
        return Query(incoming.operation, parameters, tool, page, size)

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        rows = reply if isinstance(reply, Rows) else Rows.of(())
        ranged = query.tool is not None and query.tool.paging is not None and query.tool.paging.style == "range"
        start = query.page - 1 if ranged else (query.page - 1) * query.size
        records = without(rows.slice(start, start + query.size), absent)
        as_json = _wants_json(incoming, query.tool)
        place = query.tool.endpoint.rows_at if query.tool is not None else ""
        if incoming.host == _BUS_HOST or "msgBody" in place:
            return _bus(records, place, incoming, as_json)
        counts: dict[str, Any] = {"totalCount": rows.total}
        if query.size < _EVERYTHING and not ranged:
            counts = {_SIZE: query.size, _PAGE: query.page, "totalCount": rows.total}
        if place.startswith(_TABLES):
            return _table(records, counts, as_json)
        if as_json:
            return _agency_json(records, counts, bare=place == _BARE)
        items = "".join([xml_row("item", record) for record in records])
        numbers = "".join([f"<{name}>{value}</{name}>" for name, value in counts.items()])
        body = f"<body><items>{items}</items>{numbers}</body>"
        return _xml("response", f"{xml_row('header', _header('00', 'NORMAL SERVICE.'))}{body}")

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        if kind == "rate_limit":
            return Outgoing(b"API rate limit exceeded", _TEXT, 429)
        if kind == "unknown" and "/service" not in incoming.path:
            return Outgoing(b"API not found", _TEXT, 404)
        as_json = _wants_json(incoming, None)
        if incoming.host == _BUS_HOST and kind != "unknown":
            return _bus_answer(_BUS.get(kind, _BUS["value"]), [], "itemList", as_json, response=False)
        if kind in _GATEWAY:
            return _gateway_error(*_GATEWAY[kind])
        header = _header(*_AGENCY[kind])
        if not as_json:
            return _xml("response", xml_row("header", header))
        return _json({"header": header} if "dataFormat" in incoming.parameters else {"response": {"header": header}})


def _agency_json(records: list[Record], counts: Mapping[str, Any], *, bare: bool) -> Outgoing:
    """Header and body as JSON; see the module for the two forms."""
    if bare:
        return _json({"header": _header("00", "NORMAL SERVICE"), "body": {"items": records, **counts}})
    items: Any = {"item": records if len(records) > 1 else records[0]} if records else ""
    return _json({"response": {"header": _header("00", "NORMAL SERVICE."), "body": {"items": items, **counts}}})


def _table(records: list[Record], counts: Mapping[str, Any], as_json: bool) -> Outgoing:
    """A page of one titled table; the title stands beside the rows, not in them."""
    title = next((record.get("title", "") for record in records), "")
    rows = [{name: value for name, value in record.items() if name != "title"} for record in records]
    if as_json:
        table = {"title": title, **counts, "items": {"item": rows} if rows else ""}
        return _json({"response": {"header": _header("00", "NORMAL SERVICE."), "body": {"tableList": [table]}}})
    items = "".join([xml_row("item", row) for row in rows])
    head = xml_row("head", {"title": title, **counts}).removeprefix("<head>").removesuffix("</head>")
    body = f"<body><tableList>{head}<items>{items}</items></tableList></body>"
    return _xml("response", f"{xml_row('header', _header('00', 'NORMAL SERVICE.'))}{body}")


def _bus(records: list[Record], place: str, incoming: Incoming, as_json: bool) -> Outgoing:
    name = place.rpartition("msgBody")[2].strip(".") or "itemList"
    response = place.startswith("response.") and incoming.host != _BUS_HOST
    return _bus_answer(_BUS_OK if records else _BUS_NONE, records, name, as_json, response=response)


def _bus_answer(
    status: tuple[str, str], records: list[Record], name: str, as_json: bool, *, response: bool
) -> Outgoing:
    """Seoul's buses say headerCd, Gyeonggi's resultCode (a number) under `response`."""
    code, message = status
    header: dict[str, Any] = {"headerCd": code, "headerMsg": message, "itemCount": 0}
    if response:
        header = {"queryTime": "2026-01-30 09:00:00.000", "resultCode": int(code), "resultMessage": message}
    if as_json:
        # a list of one stays a list; operations about one thing send the thing itself
        rows: Any = records[0] if records and response and name.endswith(("Item", "Info", "Infov2")) else records
        content = {"comMsgHeader": "" if response else {}, "msgHeader": header}
        content["msgBody"] = {name: rows if records else None}
        return _json({"response": content} if response else content)
    rows_xml = "".join([xml_row(name, record) for record in records])
    inner = f"<comMsgHeader/>{xml_row('msgHeader', header)}<msgBody>{rows_xml}</msgBody>"
    return _xml("response" if response else "ServiceResult", inner)


def _gateway_error(code: str, message: str) -> Outgoing:
    cells = {"errMsg": "SERVICE ERROR", "returnAuthMsg": message, "returnReasonCode": code}
    return _xml("OpenAPI_ServiceResponse", xml_row("cmmMsgHeader", cells), head="")


def _header(code: str, message: str) -> dict[str, str]:
    return {"resultCode": code, "resultMsg": message}


def _json(content: object) -> Outgoing:
    return Outgoing(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(), _JSON)


def _xml(root: str, inner: str, head: str = XML_HEAD) -> Outgoing:
    return Outgoing(f"{head}<{root}>{inner}</{root}>".encode(), _XML)


def _wants_json(incoming: Incoming, tool: Tool | None) -> bool:
    """Whether the request asks for JSON, or the service has nothing else."""
    formats = {name: value for name, value in incoming.parameters.items() if name.lower() in _FORMATS}
    if any(value.strip().lower() == "json" for value in formats.values()):
        return True
    if tool is None:
        return False
    parameter = next((p for p in tool.parameters if p.role == "format"), None)
    if parameter is not None:
        sent = formats.get(parameter.name, "").strip()
        return not sent and (parameter.default or "").lower() == "json"
    return tool.endpoint.response_format == "json"


def _whole(text: str, name: str) -> int:
    """A positive whole number."""
    text = text.strip()
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        raise RefusedError("value", name)
    return int(text)
