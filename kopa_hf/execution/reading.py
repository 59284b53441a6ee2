"""What a service's bytes mean for the call that asked: outcome, records, page, total."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from kopa_hf.catalog.arguments import Bound
from kopa_hf.catalog.tool import Tool
from kopa_hf.execution.recorded import Recorded
from kopa_hf.execution.result import CallResult, Source
from kopa_hf.platforms.base import Answer, Record
from kopa_hf.platforms.rest_facts import with_facts
from kopa_hf.platforms.wires import wire_for
from kopa_hf.values.text import normalize_text


@dataclass(frozen=True, slots=True)
class Received:
    """What came back over a wire."""

    status: int
    content_type: str | None
    body: bytes
    retry_after: str | None = None
    """The header as it came."""

    @classmethod
    def of(cls, response: httpx.Response, tool: Tool) -> Received:
        """What counts of a response that was read, with total and cursor where headers may tell them."""
        headers = response.headers
        kind = headers.get("content-type")
        if wire_for(tool.wire).facts_in_headers:
            kind = with_facts(headers, _cursor_parameter(tool))
        return cls(response.status_code, kind, response.content, headers.get("retry-after"))


def _cursor_parameter(tool: Tool) -> str | None:
    """The wire's name of the parameter that takes a cursor."""
    parameter = None if tool.paging is None or tool.paging.style != "cursor" else tool.parameter(tool.paging.page)
    return None if parameter is None else parameter.sent_as or parameter.name


def read_answer(wire: str, received: Received, operation: str) -> Answer:
    """The bytes, understood; `operation` as the envelope names it."""
    return wire_for(wire).parse(
        received.body, http_status=received.status, content_type=received.content_type, operation=operation
    )


def answer_of(recorded: Recorded) -> Answer:
    """A recorded answer, understood."""
    received = Received(recorded.status, recorded.content_type or None, recorded.body)
    return read_answer(recorded.wire, received, recorded.operation)


def result_of(
    tool: Tool, arguments: Mapping[str, Any], bound: Bound, answer: Answer, *, elapsed: float, source: Source
) -> CallResult:
    """An answer as the result of a call: filtered where the service cannot, with page and total. `elapsed` in seconds."""
    page, size = _page_of(tool, bound)
    by_cursor = tool.paging is not None and tool.paging.style == "cursor"
    records, total, outcome, failure = answer.records, answer.total_count, answer.outcome, answer.failure
    if bound.client and outcome == "ok":
        records = _filter_records(tool, bound.client, records)
        total = len(records)
        if not records:
            outcome, failure = "no_data", "no_data"
    return CallResult(
        tool=tool.name,
        arguments=dict(arguments),
        outcome=outcome,
        records=records,
        total_count=_total(tool, answer, records, total),
        page=page,
        page_size=None if by_cursor else _served_size(tool, page, size, len(records), total),
        cursor=answer.cursor if by_cursor else None,
        code=answer.code,
        message=answer.message,
        failure=failure,
        elapsed=elapsed,
        source=source,
        slips=bound.slips,
    )


def _page_of(tool: Tool, bound: Bound) -> tuple[int | None, int | None]:
    """(page, size) of a request; (None, None) for services without paging."""
    paging = tool.paging
    if paging is None:
        return None, None
    if paging.style in ("offset", "cursor"):
        size = max(min(_number(bound.values.get(paging.size), paging.default_size), paging.max_size), 1)
        if paging.style == "offset":
            return _number(bound.values.get(paging.page), 0) // size + 1, size
        return (None if bound.values.get(paging.page) else 1), size  # what page a cursor means nobody knows
    first = _number(bound.values.get(paging.page), paging.first)
    if paging.style == "page":
        size = min(_number(bound.values.get(paging.size), paging.default_size), paging.max_size)
        return max(first - paging.first + 1, 1), size
    size = max(_number(bound.values.get(paging.size), first + paging.default_size - 1) - first + 1, 1)
    return (first - 1) // size + 1, size


def _served_size(tool: Tool, page: int | None, size: int | None, rows: int, total: int | None) -> int | None:
    """The rows a page holds: fewer than asked for where a short page is not the last one, since the service caps it."""
    if page is None or size is None or total is None or not rows or (page - 1) * size + rows == total:
        return size
    if tool.paging is None or tool.paging.style == "range":  # the caller names the last row himself
        return size
    return rows if rows < size else max(size, rows)


def _number(text: str | None, default: int) -> int:
    """A page or size as sent; the default where none or no number was (the service then complains itself)."""
    return int(text) if text is not None and text.isdecimal() else default


def _total(tool: Tool, answer: Answer, records: list[Record], total: int | None) -> int | None:
    """A service without paging sends everything at once, so its rows are the total."""
    if total is None and tool.paging is None and answer.outcome in ("ok", "no_data"):
        return len(records)
    return total


def _filter_records(tool: Tool, client: Mapping[str, str], records: list[Record]) -> list[Record]:
    """Apply the parameters that the service does not know: containment for text, equality for codes."""
    for name, wanted in client.items():
        parameter = tool.parameter(name)
        column = parameter.matches_field if parameter is not None and parameter.matches_field else name
        exact = parameter is not None and parameter.format is not None
        needle = normalize_text(wanted)
        if exact:
            records = [r for r in records if str(r.get(column, "")) == needle]
        else:
            records = [r for r in records if needle in normalize_text(str(r.get(column, "")))]
    return records
