"""data.go.kr and the agencies behind its gateway (한국산업인력공단, 예금보험공사, 금융위원회, …).

The gateway fixes the address and its own errors; each agency builds its
envelope. The usual one is header and body, with or without `response` around
them; buses, the post and odcloud have their own.
"""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.platforms.adapter import Adapter
from kopa_hf.platforms.base import Answer, Record
from kopa_hf.platforms.codes import GATEWAY, outcome_of_saying, outcome_of_status
from kopa_hf.platforms.failures import Outcome
from kopa_hf.platforms.gateway_errors import gateway_outcome, read_gateway_error
from kopa_hf.platforms.shapes import answer_of_rows, count_of, failed, is_blank, message_of, only_root, rows_of, text_of

_SUCCESS: Final = frozenset({"00", "0", "000", "0000", "200", "INFO-0", "INFO-000", "OK", "SUCCESS"})
_ENVELOPE: Final = frozenset(
    {
        "header",
        "resultCode",
        "resultMsg",
        "dataType",
        "numOfRows",
        "pageNo",
        "pageIndex",
        "pageSize",
        "startPage",
        "totalPage",
        "totalCount",
        "currentCount",
        "matchCount",
        "page",
        "perPage",
    }
)
_BUS: Final[dict[str, Outcome]] = {"0": "ok", "1": "server", "2": "bad_param", "3": "bad_param", "4": "no_data"}


class DataGoKrAdapter(Adapter):
    """A service names its format parameter as it likes, so only the signature can ask for one."""

    name = "data_go_kr"

    def read(self, value: Any, operation: str | None) -> Answer | None:
        return read_agency(value)


class KdicAdapter(DataGoKrAdapter):
    """예금보험공사."""

    name = "kdic"
    format_parameter = "resultType"


class HrdkAdapter(DataGoKrAdapter):
    """한국산업인력공단 and Q-Net, which answer XML unless a signature asks for JSON."""

    name = "hrdk"


def read_agency(value: Any) -> Answer | None:
    """Understand any of the envelopes behind the gateway; None for other shapes."""
    if not isinstance(value, dict):
        return None
    error = read_gateway_error(value)
    if error is not None:
        return error
    root = only_root(value)
    inner = root[1] if root is not None else None
    for envelope in (value, inner):
        if isinstance(envelope, dict):
            answer = _read_envelope(envelope)
            if answer is not None:
                return answer
    if root is not None and root[0].rpartition(".")[2].endswith(("Exception", "Error")):
        return failed("server", message=root[0])
    return None


def _read_envelope(envelope: dict[str, Any]) -> Answer | None:
    if isinstance(envelope.get("cmmMsgHeader"), dict):
        return _read_post(envelope, envelope["cmmMsgHeader"])
    if isinstance(envelope.get("msgHeader"), dict):
        return _read_bus(envelope["msgHeader"], envelope.get("msgBody"))
    header = envelope.get("header")
    if isinstance(header, dict) and ("resultCode" in header or "body" in envelope):
        # 예금보험공사 puts rows and counts beside the header instead of into a body
        beside = {name: item for name, item in envelope.items() if name != "header"}
        return _read_agency_body(header, envelope.get("body", beside))
    if "resultCode" in envelope:
        return _read_agency_body(envelope, envelope)
    if "body" in envelope and isinstance(envelope["body"], dict):
        return _read_agency_body({}, envelope["body"])
    if "data" in envelope and _ENVELOPE.intersection(envelope):
        return _read_odcloud(envelope)
    if "code" in envelope and "msg" in envelope:
        return _read_odcloud_error(envelope)
    return None


def _read_agency_body(header: dict[str, Any], body: Any) -> Answer | None:
    code, message = text_of(header.get("resultCode")), message_of(header.get("resultMsg"))
    if code is not None and code.upper() not in _SUCCESS:
        # Agencies reuse the gateway's numbers for their own purposes; their sentence is the safer witness.
        outcome = outcome_of_saying(message) or gateway_outcome(code, None)
        return failed(outcome, code, message)
    if isinstance(body, dict) and "tableList" in body:
        rows, total = _rows_of_tables(body["tableList"])
    elif isinstance(body, dict):
        rows, total = _rows_of_body(body), count_of(body.get("totalCount"))
    else:
        rows, total = (rows_of(body) if isinstance(body, list) or is_blank(body) else None), None
    if rows is None or (code is None and not rows and total is None):
        return None
    return answer_of_rows(rows, total, code, message)


def _rows_of_tables(tables: Any) -> tuple[list[Record] | None, int | None]:
    """금융위원회's statistics: titled tables, each with rows and a count; a row gets its table's title."""
    found: list[Record] = []
    total = 0
    for table in rows_of(tables) or []:
        rows = _rows_of_body({"items": table.get("items")})
        if rows is None:
            return None, None
        title = text_of(table.get("title"))
        found += [{"title": title, **row} for row in rows] if title else rows
        total += count_of(table.get("totalCount")) or len(rows)
    return found, total


def _rows_of_body(body: dict[str, Any]) -> list[Record] | None:
    """`items.item`, `items`, `item`, another list, or the body itself where it is one flat record."""
    if "items" in body:
        items = body["items"]
        if not isinstance(items, dict):
            return rows_of(items)
        if "item" in items:
            return rows_of(items["item"])
        root = only_root(items)
        return rows_of(root[1]) if root is not None and isinstance(root[1], dict | list) else rows_of(items)
    if "item" in body:
        return rows_of(body["item"])
    rest = {name: item for name, item in body.items() if name not in _ENVELOPE}
    name = next((n for n, item in rest.items() if isinstance(item, list)), None)
    if name is None and len(rest) == 1 and isinstance(next(iter(rest.values())), dict):
        name = next(iter(rest))
    if name is not None:
        return rows_of(rest[name])
    return [rest] if any(not is_blank(item) for item in rest.values()) else []


def _read_bus(header: dict[str, Any], body: Any) -> Answer | None:
    """Bus services: `msgHeader` and `msgBody`."""
    code = text_of(header.get("resultCode", header.get("headerCd")))
    message = message_of(header.get("resultMessage", header.get("headerMsg")))
    outcome = _BUS.get(code) if code is not None else None
    if outcome != "ok":
        return failed(outcome_of_saying(message) or outcome or "server", code, message)
    if isinstance(body, dict):
        rows = _rows_of_body(body if "itemList" not in body else {"item": body["itemList"]})
    else:
        rows = [] if is_blank(body) else None
    return None if rows is None else answer_of_rows(rows, None, code, message)


def _read_post(envelope: dict[str, Any], header: dict[str, Any]) -> Answer | None:
    """우정사업본부: counts inside `cmmMsgHeader`, rows beside it."""
    code, message = text_of(header.get("returnCode")), message_of(header.get("errMsg"))
    if code is None and "successYN" not in header:
        return None
    if (code or "00") not in _SUCCESS or text_of(header.get("successYN")) == "N":
        return failed(outcome_of_saying(message) or gateway_outcome(code, None), code, message)
    rest = {name: item for name, item in envelope.items() if name != "cmmMsgHeader"}
    rows = rows_of(next(iter(rest.values()))) if rest else []
    return None if rows is None else answer_of_rows(rows, count_of(header.get("totalCount")), code, message)


def _read_odcloud(envelope: dict[str, Any]) -> Answer | None:
    """odcloud: `data` and counts, no code. With a condition `matchCount` is the total that pages run over."""
    rows = rows_of(envelope["data"])
    if rows is None:
        return None
    total = count_of(envelope.get("matchCount"))
    return answer_of_rows(rows, count_of(envelope.get("totalCount")) if total is None else total, None)


def _read_odcloud_error(envelope: dict[str, Any]) -> Answer | None:
    code, message = text_of(envelope["code"]), message_of(envelope["msg"])
    if code is None:
        return None
    number = count_of(code.removeprefix("-"))
    said = outcome_of_status(number) if number is not None and number not in GATEWAY else None
    return failed(outcome_of_saying(message) or said or "server", code, message)
