"""MCP, the Model Context Protocol: a tool's call as a request, and its result as records.

The session with a server is kept elsewhere (`kopa_hf.execution.mcp_sessions`); here a call is an httpx request with
scheme `mcp`, and its answer the JSON-RPC response's `result` or `error`, so that live rules, recording and
replay treat an MCP server as any other service. Results are read in the order of their worth: structured content,
text blocks that are JSON, plain text, anything else by its address.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import httpx

from kopa_hf.catalog.tool import Tool
from kopa_hf.catalog.typed import typed_value
from kopa_hf.catalog.usual_names import TOTALS, named
from kopa_hf.platforms.adapter import Adapter
from kopa_hf.platforms.base import Answer, Record
from kopa_hf.platforms.body import read_document
from kopa_hf.platforms.failures import FAILURE_OF, Outcome
from kopa_hf.platforms.mcp_sayings import outcome_of_error
from kopa_hf.platforms.shapes import answer_of_rows, count_of, message_of, text_of

SCHEME: Final = "mcp"
ROWS: Final = ("records", "result", "results", "items", "rows", "data", "list", "entries", "values", "hits")
"""Members under which servers hand over a list; where several hold one, the first counts: our own server's comes first."""
_CODES: Final[dict[int, Outcome]] = {
    -32601: "unknown_operation",
    -32602: "bad_param",
    -32603: "server",
    -32700: "server",
    -32600: "server",
}
"""JSON-RPC's own error codes; all others count as the server's trouble."""


class McpAdapter(Adapter):
    """Requests and results of any MCP server."""

    name = "mcp"
    refuses_first = False
    """The protocol has no status 429: there `rate_limit` is a reading of words, which may come after the deed."""

    def build_request(self, tool: Tool, arguments: Mapping[str, str], key: str | None) -> httpx.Request:
        """The call with typed arguments; the host is the service's name. A key never stands in it: sessions hold it."""
        known = {parameter.name: parameter for parameter in tool.parameters}
        typed = {name: typed_value(known[name], text) for name, text in arguments.items()}
        body = json.dumps({"name": tool.endpoint.operation, "arguments": typed}, ensure_ascii=False)
        return httpx.Request("POST", f"{SCHEME}://{tool.platform}/", content=body.encode("utf-8"))

    def read(self, value: Any, operation: str | None) -> Answer | None:
        """A JSON-RPC response, or its result alone."""
        if not isinstance(value, dict):
            return None
        if isinstance(value.get("error"), dict) and "code" in value["error"]:
            return _refusal(value["error"])
        result = value.get("result", value)
        if not isinstance(result, dict) or not ("content" in result or "structuredContent" in result):
            return None
        blocks = result.get("content") or []
        if not isinstance(blocks, list):
            return None
        found = result.get("structuredContent")
        found = _content(blocks) if found is None else found
        return _failure(found, blocks) if result.get("isError") is True else _success(found)


def rows_member(members: Mapping[str, Any]) -> str | None:
    """The member that holds the rows of an answer, or None where the object is one record itself.

    A list counts under one of the usual names, or where nothing else is there. Works on values and on the properties
    of a schema alike.
    """
    for name in ROWS:
        if name in members and _is_list(members[name]):
            return name
    single = next(iter(members)) if len(members) == 1 else None
    return single if single is not None and _is_list(members[single]) else None


def _is_list(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, Mapping) and value.get("type") == "array")


def _success(value: Any) -> Answer:
    """Rows, total and a server's own word of what it found."""
    if not isinstance(value, dict):
        return answer_of_rows(_rows(value, "result"), None, None)
    member = rows_member(value)
    if member is None:
        if list(value) == ["result"]:  # how servers wrap what is no object
            return answer_of_rows(_rows(value["result"], "result"), None, None)
        return answer_of_rows([value] if value else [], None, None)
    rows = _rows(value[member], member)
    total = next((n for told in named(value, (*TOTALS, "count")) if (n := count_of(told)) is not None), None)
    total = None if total is None or total < len(rows) else total
    return answer_of_rows(rows, total, None, message_of(value.get("note")))


def _rows(value: Any, name: str) -> list[Record]:
    """Objects as they are; a bare value as a record with one field."""
    if value is None or value == "":
        return []
    items = value if isinstance(value, list) else [value]
    return [item if isinstance(item, dict) else {name: item} for item in items if item not in (None, {})]


def _content(blocks: Sequence[Any]) -> Any:
    """What the blocks say: one value, or a list where several came."""
    values = [value for block in blocks if isinstance(block, dict) and (value := _block(block)) is not None]
    return values[0] if len(values) == 1 else values


def _block(block: Mapping[str, Any]) -> Any:
    kind = block.get("type")
    if kind == "text":
        text = block.get("text")
        if not isinstance(text, str) or not text.strip():
            return None
        read = read_document(text.encode("utf-8", "replace"), "application/json; charset=utf-8")
        return read.value if read.kind == "json" and isinstance(read.value, dict | list) else {"text": text}
    if kind == "resource" and isinstance(block.get("resource"), dict):
        held = block["resource"]
        return {name: held[name] for name in ("uri", "mimeType", "text") if name in held}
    # images and sounds stay outside records
    return {name: block[name] for name in ("type", "uri", "name", "description", "mimeType") if name in block}


def _failure(value: Any, blocks: Sequence[Any]) -> Answer:
    """`isError`: our own server names the outcome; elsewhere its words decide."""
    said = value.get("error") if isinstance(value, dict) else None
    if isinstance(said, dict) and FAILURE_OF.get(str(said.get("outcome"))) is not None:
        outcome: Outcome = said["outcome"]
        return Answer(outcome, code=text_of(said.get("code")), message=message_of(said.get("message")))
    words = " ".join(str(block["text"]) for block in blocks if isinstance(block, dict) and block.get("text"))
    return Answer(outcome_of_error(words), message=message_of(words) or "The tool reports an error.")


def _refusal(error: Mapping[str, Any]) -> Answer:
    """A JSON-RPC error: the call did not reach a tool, or broke under it."""
    code, words = error.get("code"), message_of(error.get("message"))
    outcome = _CODES.get(code, "server") if isinstance(code, int) else "server"
    if outcome == "bad_param" and words is not None and outcome_of_error(words) == "unknown_operation":
        outcome = "unknown_operation"  # the protocol has no code of its own for it
    return Answer(outcome, code=text_of(code), message=words)
