"""서울 열린데이터광장's two hosts: everything in the path, the key first.

A request is `/KEY/TYPE/SERVICE/START/END/term/term…`; terms are known by their position and may be
blank. Rows come under the service's name, errors as a bare RESULT; some refusals are XML although
JSON was asked for. Real-time subway lives on a host of its own, begins at row 0 and says its status in
`errorMessage`. The city data is one object, its population part has dotted keys.
"""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any, Final
from urllib.parse import unquote

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes.base import XML_HEAD, Envelope, Incoming, Outgoing, Trouble, without, xml_row
from kopa_hf.sandbox.keys import valid_key
from kopa_hf.sandbox.query import Query, Record, RefusedError, Reply, Rows

_JSON: Final = "application/json;charset=UTF-8"
_XML: Final = "application/xml;charset=UTF-8"
_SUBWAY_HOST: Final = "swopenapi.seoul.go.kr"
_SUBWAY_PLACE: Final = "/api/subway/"
_TYPES: Final = frozenset({"xml", "xmlf", "xls", "json"})
_SAMPLE: Final = "sample"
_SAMPLE_ROWS: Final = 5
_SAMPLE_PLACE: Final = "광화문·덕수궁"
_MAX_ROWS: Final = 1000
_LEAST_PARTS: Final = 5
"""Key, type, service, first and last row; a path without its key is one short."""
_CITY: Final = "CITYDATA"
_FIXED: Final = re.compile(r"\{([^{}]+)\}")

_RESULT: Final[dict[str, str]] = {
    "INFO-000": "정상 처리되었습니다",
    "INFO-100": "인증키가 유효하지 않습니다. 인증키가 없는 경우, 열린 데이터 광장 홈페이지에서 인증키를 신청하십시오.",
    "INFO-200": "해당하는 데이터가 없습니다.",
    "ERROR-300": "필수 값이 누락되어 있습니다. 요청인자를 참고 하십시오.",
    "ERROR-301": "파일타입 값이 누락 혹은 유효하지 않습니다. 요청인자 중 TYPE을 확인하십시오.",
    "ERROR-310": "해당하는 서비스를 찾을 수 없습니다. 요청인자 중 SERVICE를 확인하십시오.",
    "ERROR-331": "요청시작위치 값을 확인하십시오. 요청인자 중 START_INDEX를 확인하십시오.",
    "ERROR-332": "요청종료위치 값을 확인하십시오. 요청인자 중 END_INDEX를 확인하십시오.",
    "ERROR-333": "요청위치 값의 타입이 유효하지 않습니다. 요청위치 값은 정수를 입력하세요.",
    "ERROR-334": "요청종료위치 보다 요청시작위치가 더 큽니다. 요청시작조회건수는 정수를 입력하세요.",
    "ERROR-335": "샘플데이터(샘플키:sample) 는 한번에 최대 5건을 넘을 수 없습니다.",
    "ERROR-336": "데이터요청은 한번에 최대 1000건을 넘을 수 없습니다.",
    "ERROR-337": "일별 트래픽 제한을 넘은 호출입니다. 오늘은 더이상 호출할 수 없습니다.",
    "ERROR-500": "서버 오류입니다. 지속적으로 발생시 열린 데이터 광장으로 문의(Q&A) 바랍니다.",
}
_CODES: Final[dict[Trouble, str]] = {
    "auth": "INFO-100",
    "missing": "ERROR-300",
    "value": "ERROR-300",
    "range": "ERROR-300",
    "too_many": "ERROR-336",
    "no_file": "INFO-200",
    "unknown": "ERROR-310",
    "quota": "ERROR-337",
    "server": "ERROR-500",
}
_ALWAYS_XML: Final = frozenset({"INFO-100", "ERROR-301", "ERROR-335", "ERROR-336"})
"""Codes that were seen as XML although JSON was asked for."""


class SeoulEnvelope(Envelope):
    """See the module."""

    hosts = ("openapi.seoul.go.kr", _SUBWAY_HOST)

    def address(self, incoming: Incoming) -> str:
        return _part(_segments(incoming), 2)

    def address_of(self, tool: Tool) -> str:
        return tool.endpoint.operation

    def complete(self, incoming: Incoming, tool: Tool | None) -> Incoming:
        segments = _segments(incoming)
        named = {"KEY": _part(segments, 0), "TYPE": _part(segments, 1), "SERVICE": _part(segments, 2)}
        if tool is not None:
            path = tool.endpoint.url.partition("?")[0].rpartition(f"/{tool.endpoint.operation}/")[2]
            for name, value in zip(path.split("/"), segments[3:], strict=False):
                place = _FIXED.fullmatch(name)
                named[place.group(1) if place else "START_INDEX" if "START_INDEX" not in named else "END_INDEX"] = value
        if _part(segments, 3) == "ALL":  # every station at once
            named |= {"START_INDEX": "0", "END_INDEX": "999", "ALL": "Y"}
            named.update({p.name: "ALL" for p in tool.inputs if p.required} if tool is not None else {})
        return dataclasses.replace(
            incoming, parameters=named, named=named["SERVICE"] if tool is None else incoming.named
        )

    def key(self, incoming: Incoming) -> str | None:
        return _part(_segments(incoming), 0) or None

    def admits(self, platform: str, key: str | None) -> bool:
        return key == _SAMPLE or valid_key(platform, key)

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        code = _position_fault(incoming)
        if code is not None:
            raise RefusedError("too_many" if code == "ERROR-336" else "value", code)
        skipped = ("KEY", "TYPE", "SERVICE", "START_INDEX", "END_INDEX", "ALL")
        parameters = {n: v.strip() for n, v in incoming.parameters.items() if v.strip() and n not in skipped}
        if self.key(incoming) == _SAMPLE and tool is not None and tool.endpoint.rows_at == _CITY:
            parameters["AREA_NM"] = _SAMPLE_PLACE
        first, last = _positions(incoming)
        return Query(incoming.operation, parameters, tool, first, last - first + 1)

    def answer(self, reply: Reply, query: Query, incoming: Incoming, absent: frozenset[str]) -> Outgoing:
        rows = reply if isinstance(reply, Rows) else Rows.of(())
        first, last = _positions(incoming)
        records = without(rows.slice(first - 1, last), absent)
        place = query.tool.endpoint.rows_at if query.tool is not None else "row"
        as_json = _wants_json(incoming) and not (
            query.tool is not None and query.tool.endpoint.response_format == "xml"
        )
        if _of_subway(incoming):
            return _subway(records, rows.total, place, query.operation, as_json)
        dotted = "." in place and not place.endswith(".row")
        if not records:
            return _result("INFO-200", as_json, dotted=dotted)
        if place == _CITY or dotted:
            return _whole(records, place, as_json, dotted=dotted)
        name = place.removesuffix(".row") if place.endswith(".row") else query.operation
        status = {"CODE": "INFO-000", "MESSAGE": _RESULT["INFO-000"]}
        if as_json:
            return _json({name: {"list_total_count": rows.total, "RESULT": status, "row": records}})
        rows_xml = "".join([xml_row("row", record) for record in records])
        count = f"<list_total_count>{rows.total}</list_total_count>"
        return _xml(f"<{name}>{count}{xml_row('RESULT', status)}{rows_xml}</{name}>")

    def trouble(self, kind: Trouble, incoming: Incoming, name: str = "") -> Outgoing:
        if kind == "rate_limit":
            return Outgoing(b"Too Many Requests", "text/plain", 429)
        code = name if name in _RESULT else _CODES[kind]
        if kind == "unknown" and len("/".join(_segments(incoming)).rstrip("/").split("/")) < _LEAST_PARTS:
            code = "ERROR-300"
        elif kind == "unknown" and incoming.parameters.get("SERVICE", "").startswith("LOCALDATA_"):
            code = "ERROR-310" if incoming.parameters.get("START_INDEX") else "ERROR-500"  # unlisted licence codes
        elif kind in ("unknown", "missing", "value") and incoming.parameters.get("TYPE", "").lower() not in _TYPES:
            code = "ERROR-301"
        as_json = _wants_json(incoming) and code not in _ALWAYS_XML
        if _of_subway(incoming):
            return _subway_trouble(code, as_json=_wants_json(incoming))
        return _result(code, as_json)


def _of_subway(incoming: Incoming) -> bool:
    """Whether a request is for the real-time subway; its address says so as well as its host."""
    return incoming.host == _SUBWAY_HOST or incoming.path.startswith(_SUBWAY_PLACE)


def _segments(incoming: Incoming) -> list[str]:
    """The path's parts from the key on; an empty key is an empty part."""
    decoded = incoming.path if not incoming.suffix else f"{incoming.path}.{incoming.suffix}"
    path = incoming.raw_path or decoded
    if _of_subway(incoming):
        path = "/" + path.removeprefix(_SUBWAY_PLACE)
    # split first: an escaped slash belongs to its segment
    return [unquote(part) if incoming.raw_path else part for part in path.removeprefix("/").split("/")]


def _part(segments: list[str], index: int) -> str:
    return segments[index].strip() if index < len(segments) else ""


def _position_fault(incoming: Incoming) -> str | None:
    """The code of a refusal for the first and last row; None where they are sound."""
    texts = [incoming.parameters.get(name, "").strip() for name in ("START_INDEX", "END_INDEX")]
    if incoming.parameters.get("TYPE", "").lower() not in _TYPES:
        return "ERROR-301"
    if not all(texts):
        return "ERROR-300"
    if not all(re.fullmatch(r"-?[0-9]{1,9}", text) for text in texts):
        return "ERROR-333"
    first, last = (int(text) for text in texts)
    least = 0 if _of_subway(incoming) else 1
    if first < least:
        return "ERROR-331"
    if last < least:
        return "ERROR-332"
    if first > last:
        return "ERROR-334"
    if last - max(first, 1) + 1 > _MAX_ROWS:
        return "ERROR-336"
    sample = incoming.parameters.get("KEY") == _SAMPLE
    return "ERROR-335" if sample and last - max(first, 1) + 1 > _SAMPLE_ROWS else None


def _positions(incoming: Incoming) -> tuple[int, int]:
    """First and last row, counted from 1; the subway's row 0 is the first one too."""
    return max(int(incoming.parameters["START_INDEX"]), 1), max(int(incoming.parameters["END_INDEX"]), 1)


def _wants_json(incoming: Incoming) -> bool:
    return _part(_segments(incoming), 1).lower() == "json"


def _result(code: str, as_json: bool, *, dotted: bool = False) -> Outgoing:
    """A bare RESULT."""
    if as_json:
        prefix = "RESULT." if dotted else ""
        return _json({"RESULT": {f"{prefix}CODE": code, f"{prefix}MESSAGE": _RESULT[code]}})
    return _xml(f"<RESULT><CODE>{code}</CODE><MESSAGE><![CDATA[{_RESULT[code]}]]></MESSAGE></RESULT>")


def _whole(records: list[Record], place: str, as_json: bool, *, dotted: bool) -> Outgoing:
    """The city data: one object, or (its population part) a list of one under a dotted name."""
    code, message = "INFO-000", f"{_RESULT['INFO-000']}."
    if not as_json:
        status = xml_row("RESULT", {"CODE": code, "MESSAGE": message})
        row = _nested_xml(place, records[0])
        return _xml(f"<Map><list_total_count>1</list_total_count>{status}{row}</Map>")
    if dotted:
        return _json({place: records, "RESULT": {"RESULT.CODE": code, "RESULT.MESSAGE": message}})
    return _json({"list_total_count": 1, "RESULT": {"CODE": code, "MESSAGE": message}, place: records[0]})


def _nested_xml(tag: str, value: Any) -> str:
    if isinstance(value, list):
        return f"<{tag}>{''.join([_nested_xml(tag, item) for item in value])}</{tag}>"
    if isinstance(value, dict):
        return f"<{tag}>{''.join([_nested_xml(name, item) for name, item in value.items()])}</{tag}>"
    return xml_row("x", {tag: value})[3:-4]


def _subway(records: list[Record], total: int, place: str, service: str, as_json: bool) -> Outgoing:
    """Status first, rows under a name of their own; without rows the status stands alone."""
    code = "INFO-000" if records else "INFO-200"
    status = _subway_status(code, 200 if records else 500, total)
    if as_json:
        return _json({"errorMessage": status, place: records} if records else {"errorMessage": status})
    rows_xml = "".join([xml_row("row", record) for record in records])
    return _xml(f"<{service}>{xml_row('RESULT', status)}{rows_xml}</{service}>")


def _subway_trouble(code: str, *, as_json: bool) -> Outgoing:
    """The same status without a wrapper."""
    status = _subway_status(code, 500, 0)
    return _json(status) if as_json else _xml(xml_row("RESULT", status))


def _subway_status(code: str, status: int, total: int) -> dict[str, Any]:
    message = _RESULT[code] + ("." if code == "INFO-000" else "")
    return {"status": status, "code": code, "message": message, "link": "", "developerMessage": "", "total": total}


def _json(content: object) -> Outgoing:
    return Outgoing(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(), _JSON)


def _xml(content: str) -> Outgoing:
    return Outgoing(f"{XML_HEAD}{content}".encode(), _XML)
