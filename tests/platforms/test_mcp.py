"""What MCP servers answer, read as records; what they refuse, as one of our outcomes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.catalog.arguments import bind_arguments
from kopa_hf.catalog.tool import Endpoint, Parameter, Tool
from kopa_hf.platforms import Answer, parse_answer, wire_for


def told(**result: Any) -> Answer:
    return parse_answer("mcp", json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode())


def text(*blocks: str, **more: Any) -> Answer:
    return told(content=[{"type": "text", "text": block} for block in blocks], **more)


def test_arguments_leave_typed() -> None:
    tool = Tool(
        "shown", "mine", "mcp", "custom", "가상", "가상.", Endpoint("mcp://mine/", operation="show.it"),
        (
            Parameter("n", "n", type="integer", format="integer"),
            Parameter("deep", "deep", type="object"),
            Parameter("on", "on", type="boolean"),
        ),
    )  # fmt: skip
    bound = bind_arguments(tool, {"n": "3", "deep": {"가": [1]}, "on": True})
    request = wire_for("mcp").build_request(tool, bound.values, None)
    assert (request.url.scheme, request.url.host) == ("mcp", "mine")
    assert json.loads(request.content) == {"name": "show.it", "arguments": {"n": 3, "deep": {"가": [1]}, "on": True}}


@pytest.mark.parametrize(
    ("structured", "records"),
    [
        ({"city": "가온", "t": 3}, [{"city": "가온", "t": 3}]),
        ({"result": [{"a": 1}, {"a": 2}]}, [{"a": 1}, {"a": 2}]),
        ({"result": 7}, [{"result": 7}]),
        ({"result": ["x", "y"]}, [{"result": "x"}, {"result": "y"}]),
        ({"result": {"a": 1}}, [{"a": 1}]),
        ({"items": [{"a": 1}], "next": None}, [{"a": 1}]),
        ({"stations": [{"a": 1}]}, [{"a": 1}]),
        # of several lists the one under the more telling name, whichever the server wrote first
        ({"records": [{"a": 1}], "data": []}, [{"a": 1}]),
        ({"data": [{"b": 1}], "items": [{"a": 1}]}, [{"a": 1}]),
        # a record that holds a list is a record
        ({"name": "n", "tags": ["x"]}, [{"name": "n", "tags": ["x"]}]),
        ({"path": "p", "content": ["x"]}, [{"path": "p", "content": ["x"]}]),
        ([{"a": 1}], [{"a": 1}]),
    ],
)
def test_structured_content_comes_first(structured: Any, records: list[dict[str, Any]]) -> None:
    answer = told(content=[{"type": "text", "text": "something else"}], structuredContent=structured)
    assert (answer.outcome, answer.records) == ("ok", records)


def test_a_stated_total_is_read_and_an_impossible_one_is_not() -> None:
    rows = [{"a": 1}, {"a": 2}]
    assert told(structuredContent={"records": rows, "total": 40}).total_count == 40
    assert told(structuredContent={"records": rows, "total": 1}).total_count is None
    assert told(structuredContent={"hits": rows, "total_hits": 9, "count": 2}).total_count == 9
    assert told(structuredContent={"rows": rows, "count": 2}).total_count == 2


def test_json_in_text_blocks_is_records() -> None:
    assert text('{"a": 1}').records == [{"a": 1}]
    assert text('{"a": 1}', '{"a": 2}').records == [{"a": 1}, {"a": 2}]
    assert text('[{"a": "가"}]').records == [{"a": "가"}]


def test_plain_text_is_a_record_of_its_own() -> None:
    assert text("맑음, 3도").records == [{"text": "맑음, 3도"}]
    assert text("42").records == [{"text": "42"}]


def test_a_resource_keeps_address_and_text_and_a_picture_no_bytes() -> None:
    blocks = [
        {"type": "resource", "resource": {"uri": "file:///a.txt", "mimeType": "text/plain", "text": "가"}},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
    ]
    assert told(content=blocks).records == [
        {"uri": "file:///a.txt", "mimeType": "text/plain", "text": "가"},
        {"type": "image", "mimeType": "image/png"},
    ]


@pytest.mark.parametrize("result", [{"content": []}, {"structuredContent": {"result": []}}, {"structuredContent": {}}])
def test_nothing_is_no_data(result: dict[str, Any]) -> None:
    answer = told(**result)
    assert (answer.outcome, answer.failure, answer.records) == ("no_data", "no_data", [])


@pytest.mark.parametrize(
    ("words", "outcome", "failure"),
    [
        ("Input validation error: 'city' is a required property", "bad_param", "structural"),
        ("Too many requests", "rate_limit", "environmental"),
        ("the upstream timed out", "timeout", "environmental"),
        ("Unknown tool: nope", "unknown_operation", "structural"),
        # a backend that is down, as common libraries say it
        ("Error executing tool find: [Errno 111] Connection refused", "server", "environmental"),
        ("Connection reset by peer", "server", "environmental"),
        (
            "HTTPSConnectionPool(host='h', port=443): Max retries exceeded with url: /?parameter=1",
            "server",
            "environmental",
        ),
        ("All connection attempts failed", "server", "environmental"),
        ("[Errno -2] Name or service not known", "server", "environmental"),
        ("getaddrinfo ENOTFOUND api.example", "server", "environmental"),
        ("Server error '502 Bad Gateway' for url 'https://h'", "server", "environmental"),
        ("Request failed with status code 503", "server", "environmental"),
        ("HTTP/1.1 500 Internal Server Error", "server", "environmental"),
        ("504 Gateway Time-out", "timeout", "environmental"),
        ("503 Service Unavailable: scheduled maintenance", "maintenance", "environmental"),
        ("Authentication required", "auth", "environmental"),
        # what was asked for
        ("Client error '404 Not Found' for url 'https://h'", "bad_param", "structural"),
        ("City not found: 500", "bad_param", "structural"),
        ("code 500 is not a valid region code", "bad_param", "structural"),
        ("timeout must be a positive number", "bad_param", "structural"),
        ("도시를 찾을 수 없습니다", "bad_param", "structural"),
        # validators quote what they were given, which decides nothing
        ("Input validation error: 'Connection refused' is too long", "bad_param", "structural"),
        ("Input validation error: 500 is greater than the maximum of 100", "bad_param", "structural"),
        ("1 validation error for find q: Field required [input_value={'a': 'timed out'}]", "bad_param", "structural"),
        # words that nobody knows are no proof against the caller
        ("something is odd", "server", "environmental"),
        ("An unknown error occurred", "server", "environmental"),
    ],
)
def test_an_error_result_is_classed_by_its_words(words: str, outcome: str, failure: str) -> None:
    answer = text(words, isError=True)
    assert (answer.outcome, answer.failure, answer.message) == (outcome, failure, words)


def test_an_error_that_names_our_outcome_keeps_it() -> None:
    said = {"error": {"outcome": "quota", "message": "used up"}}
    answer = told(isError=True, structuredContent=said, content=[])
    assert (answer.outcome, answer.message) == ("quota", "used up")


@pytest.mark.parametrize(
    ("code", "message", "outcome"),
    [
        (-32602, "Unknown tool: nope", "unknown_operation"),
        (-32602, "Invalid request parameters", "bad_param"),
        (-32601, "Method not found", "unknown_operation"),
        (-32603, "boom", "server"),
        (-32000, "anything", "server"),
    ],
)
def test_protocol_errors_have_outcomes(code: int, message: str, outcome: str) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": message}}).encode()
    assert parse_answer("mcp", body).outcome == outcome


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["result", "content", "structuredContent", "isError", "error", "code", "records", "total", "type", "text", "a"]),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@given(_JSON)
def test_no_json_breaks_the_reading(value: Any) -> None:
    answer = parse_answer("mcp", json.dumps(value).encode())
    assert (answer.outcome == "ok") == bool(answer.records)
    assert all(isinstance(record, dict) for record in answer.records)
