"""The wire of imported REST services: bytes of requests worked out by hand, and what every kind of answer means."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.agent.session import Session
from kopa_hf.catalog.arguments import bind_arguments
from kopa_hf.catalog.local import local_tools
from kopa_hf.catalog.reading_plan import ReadingPlan
from kopa_hf.catalog.registry import Catalog
from kopa_hf.catalog.tool import Endpoint, Paging, Parameter, Tool
from kopa_hf.errors import ArgumentError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult
from kopa_hf.platforms import parse_answer
from kopa_hf.platforms.failures import FAILURE_OF
from kopa_hf.platforms.rest_facts import Facts, with_facts
from kopa_hf.platforms.rest_requests import write_request
from kopa_hf.platforms.wires import IMPORTED_WIRES, WIRES, wire_for

LIST = ReadingPlan(rows="/items", total="/total").named("list_things")
ONE = ReadingPlan(rows="", keyed=True).named("get_thing")


def rest(*parameters: Parameter, url: str = "https://shop.example/v2/things", **endpoint: Any) -> Tool:
    paging = endpoint.pop("paging", None)
    read = endpoint.pop("read", True)
    return Tool("list_things", "shop", "rest", "shop", "물건 목록", "물건을 알려 준다.",
                Endpoint(url, **{"operation": LIST, **endpoint}), parameters, paging=paging, read=read)  # fmt: skip


def sent(tool: Tool, key: str | None = None, **arguments: Any) -> httpx.Request:
    return write_request(tool, bind_arguments(tool, arguments).values, key)


LISTED = {"type": "array", "separator": ",", "schema": '{"items":{"type":"string"},"type":"array"}'}


@pytest.mark.parametrize(
    ("parameter", "value", "query"),
    [
        (Parameter("q", "검색어"), "a&b=c d/ü", "q=a%26b%3Dc%20d%2F%C3%BC"),
        (Parameter("q", "묶음", style="repeated", **LISTED), ["a", "b c"], "q=a&q=b%20c"),
        (Parameter("q", "묶음", **LISTED), ["a", "b"], "q=a,b"),
        (Parameter("q", "묶음", style="spaces", **LISTED), "a,b", "q=a%20b"),
        (Parameter("q", "묶음", style="pipes", **LISTED), "a,b", "q=a%7Cb"),
        (Parameter("q", "조건", type="object", style="brackets", schema="{}"), {"b": 2, "a": "x y"}, "q[a]=x%20y&q[b]=2"),
        (Parameter("q", "조건", type="object", style="json", schema="{}"), {"a": 1}, "q=%7B%22a%22%3A1%7D"),
        (Parameter("q", "조건", type="object", style="repeated", schema="{}"), {"a": 1, "b": "c"}, "a=1&b=c"),
        (Parameter("q", "여부", type="boolean"), True, "q=true"),
        (Parameter("page_size", "크기", type="integer", format="integer", sent_as="page[size]"), 5, "page[size]=5"),
        (Parameter("v", "판", role="format", enum=("2024",)), None, "v=2024"),
    ],
)  # fmt: skip
def test_values_in_the_query(parameter: Parameter, value: Any, query: str) -> None:
    request = sent(rest(parameter), **{parameter.name: value} if value is not None else {})
    assert str(request.url) == f"https://shop.example/v2/things?{query}"


@pytest.mark.parametrize("value", ["..", ".", "a/b", "../../admin", "x?y=1#z", "%2e%2e"])
def test_no_value_leads_to_another_path(value: str) -> None:
    tool = rest(Parameter("id", "ID", required=True, location="path"), url="https://shop.example/v2/things/{id}/parts")
    request = sent(tool, id=value)
    assert request.url.host == "shop.example"
    assert request.url.raw_path.count(b"/") == 4
    assert b".." not in request.url.raw_path.split(b"/")
    assert request.url.raw_path.endswith(b"/parts")


def test_label_and_matrix_segments() -> None:
    for style, segment in (("label", b".a"), ("matrix", b";id=a")):
        tool = rest(Parameter("id", "ID", location="path", style=style), url="https://shop.example/{id}")
        assert sent(tool, id="a").url.raw_path == b"/" + segment


@pytest.mark.parametrize(
    ("endpoint", "where"),
    [
        ({"auth": "key", "auth_in": "query"}, lambda r: r.url.query == b"key=s%2Bc%3Aret"),
        ({"auth": "X-Key", "auth_in": "header"}, lambda r: r.headers["x-key"] == "s+c:ret"),
        ({"auth": "sid", "auth_in": "cookie"}, lambda r: r.headers["cookie"] == "sid=s%2Bc%3Aret"),
        ({"auth": "Authorization", "auth_in": "header", "auth_scheme": "bearer"},
         lambda r: r.headers["authorization"] == "Bearer s+c:ret"),
        ({"auth": "Authorization", "auth_in": "header", "auth_scheme": "basic"},
         lambda r: r.headers["authorization"] == "Basic cytjOnJldA=="),
    ],
)  # fmt: skip
def test_keys_stand_where_they_are_declared(endpoint: Any, where: Callable[[httpx.Request], bool]) -> None:
    tool = rest(**endpoint)
    assert where(sent(tool, key="s+c:ret"))
    without = sent(tool)
    assert not without.url.query
    assert not {"x-key", "cookie", "authorization"} & set(without.headers)


def test_bodies_are_typed_json_or_a_form() -> None:
    parameters = (
        Parameter("name", "이름", location="body"),
        Parameter("count", "수", type="integer", format="integer", location="body"),
        Parameter("open", "여부", type="boolean", location="body"),
        Parameter("tags", "꼬리표", location="body", **LISTED),
        Parameter("id_2", "ID", location="body", sent_as="id"),
    )
    given = {"name": "가", "count": "3", "open": True, "tags": ["x", "y"], "id_2": "7"}
    request = sent(rest(*parameters, method="POST"), **given)
    assert json.loads(request.content) == {"name": "가", "count": 3, "open": True, "tags": ["x", "y"], "id": "7"}
    assert request.headers["content-type"] == "application/json"
    form = sent(rest(*parameters, method="POST", body="form"), **given)
    assert form.content == b"name=%EA%B0%80&count=3&open=true&tags=x,y&id=7"
    whole = rest(Parameter("body", "본문", type="array", location="body", style="whole", schema="{}"), method="PUT")
    assert sent(whole, body=[{"a": 1}]).content == b'[{"a":1}]'


@pytest.mark.parametrize(
    ("status", "body", "outcome"),
    [
        (200, b'{"items": [{"id": 1}], "total": 5}', "ok"),
        (200, b'{"items": [], "total": 0}', "no_data"),
        (200, b'{"items": null}', "no_data"),
        (200, b'{"error": {"code": 9, "message": "invalid API key"}}', "auth"),
        (200, b'{"error": "something broke"}', "server"),
        (200, b'{"other": 1}', "not_a_response"),
        (200, b'{"items": [', "not_a_response"),
        (200, b"", "not_a_response"),
        (200, b"<html><body>hello</body></html>", "not_a_response"),
        (204, b"", "no_data"),
        (301, b"", "unknown_operation"),
        (400, b'{"detail": "limit is no number"}', "bad_param"),
        (401, b'{"title": "Unauthorized"}', "auth"),
        (402, b"{}", "quota"),
        (403, b"", "auth"),
        (403, b'{"message": "API rate limit exceeded for you"}', "rate_limit"),
        (404, b'{"detail": "no such address"}', "unknown_operation"),
        (405, b"{}", "unknown_operation"),
        (408, b"", "timeout"),
        (409, b"{}", "bad_param"),
        (422, b'{"detail": [{"msg": "field required"}]}', "bad_param"),
        (429, b"{}", "rate_limit"),
        (429, b'{"message": "monthly quota used up"}', "quota"),
        (500, b"{}", "server"),
        (502, b"<html></html>", "server"),
        (503, b'{"message": "down for maintenance"}', "maintenance"),
        (504, b"", "timeout"),
    ],
)
def test_every_answer_has_an_outcome(status: int, body: bytes, outcome: str) -> None:
    answer = parse_answer("rest", body, http_status=status, operation=LIST)
    assert answer.outcome == outcome
    assert answer.message or outcome in ("ok", "no_data")


@pytest.mark.parametrize(
    ("status", "body", "of_request"),
    [
        (402, b'{"message": "not in your plan"}', True),
        (402, b"", True),
        (402, b'{"message": "daily quota exceeded"}', False),  # of the whole quota, by its own words
        (429, b'{"message": "daily quota exceeded"}', False),
        (200, b'{"items": [{"id": 1}]}', False),
    ],
)
def test_payment_is_of_the_one_request_unless_its_words_say_more(status: int, body: bytes, of_request: bool) -> None:
    assert parse_answer("rest", body, http_status=status, operation=LIST).of_request is of_request


def test_only_what_is_refused_before_it_is_done_is_written_again() -> None:
    assert [name for name in (*WIRES, *IMPORTED_WIRES) if not wire_for(name).refuses_first] == ["mcp"]
    assert [name for name in (*WIRES, *IMPORTED_WIRES) if wire_for(name).facts_in_headers] == ["rest"]


JOB = ReadingPlan(rows="", keyed=True, faults="error").named("get_job")


@pytest.mark.parametrize(
    ("body", "operation", "outcome"),
    [
        ({"id": 1, "status": "failed", "error": "disk full"}, JOB, "ok"),
        ({"id": 1, "error": {"code": 5}}, JOB, "ok"),
        ({"id": 1, "status": "failed", "error": "disk full"}, ONE, "server"),
        ({"id": 1, "fault": "disk full"}, JOB, "server"),
        ({"error": "disk full"}, JOB, "server"),
        ({"id": None, "error": "disk full"}, JOB, "server"),
    ],
)
def test_a_column_that_is_called_error_is_no_error(body: Any, operation: str, outcome: str) -> None:
    answer = parse_answer("rest", json.dumps(body).encode(), operation=operation)
    assert answer.outcome == outcome
    assert bool(answer.records) == (outcome == "ok")


FLAGGED = ReadingPlan(rows="", keyed=True, faults="status").named("get_job")


@pytest.mark.parametrize(
    ("body", "operation", "outcome"),
    [
        ({"status": "error", "code": "99", "items": []}, "LIST", "server"),
        ({"status": "ERROR", "message": "invalid parameter: day", "items": []}, "LIST", "bad_param"),
        ({"status": "fail", "message": "조회된 데이터가 없습니다", "items": []}, "LIST", "no_data"),
        ({"success": False, "items": None}, "LIST", "server"),
        ({"result": "fail", "code": 7}, "LIST", "server"),
        ({"ok": False, "data": []}, None, "server"),
        ({"ok": False, "message": "boom"}, None, "server"),
        ({"status": "error", "items": [{"id": 1}]}, "LIST", "ok"),
        ({"status": "done", "items": []}, "LIST", "no_data"),
        ({"status": "success", "items": []}, "LIST", "no_data"),
        ({"status": "error", "code": "99", "message": None}, "ONE", "server"),
        ({"status": "error", "id": 7}, "ONE", "ok"),
        ({"status": "failed"}, "FLAGGED", "ok"),
        ({"status": "failed", "success": False}, "FLAGGED", "server"),
    ],
)
def test_a_flag_may_say_that_an_answer_is_none(body: Any, operation: str | None, outcome: str) -> None:
    plan = {"LIST": LIST, "ONE": ONE, "FLAGGED": FLAGGED}.get(operation or "")
    answer = parse_answer("rest", json.dumps(body).encode(), operation=plan)
    assert answer.outcome == outcome
    assert bool(answer.records) == (outcome == "ok")
    assert answer.message or outcome in ("ok", "no_data")


OPTIONAL = ReadingPlan(rows="/items", total="/total", beside="kind,total,code,message").named("list")
INNER = ReadingPlan(rows="/data/items", total="/total").named("list")


@pytest.mark.parametrize(
    ("body", "operation", "outcome"),
    [
        ({"kind": "list"}, OPTIONAL, "no_data"),
        ({"kind": "list", "etag": "x"}, OPTIONAL, "no_data"),
        ({}, OPTIONAL, "no_data"),
        ({"kind": "list"}, LIST, "not_a_response"),
        ({"etag": "x"}, OPTIONAL, "not_a_response"),
        ({"kind": "list", "success": False}, OPTIONAL, "server"),
        ({"code": 1001, "message": "no such user"}, OPTIONAL, "not_a_response"),
        ({"code": 0, "message": "success"}, OPTIONAL, "no_data"),
        ([1], OPTIONAL, "not_a_response"),
        ({"data": None, "total": 0}, INNER, "no_data"),
        ({"data": None}, INNER, "no_data"),
        ({"total": 0}, INNER, "no_data"),
        ({"total": 3}, INNER, "not_a_response"),
        ({"data": None, "code": 500}, INNER, "not_a_response"),
        ({"data": {"items": [{"id": 1}]}, "total": 1}, INNER, "ok"),
    ],
)
def test_an_empty_result_may_come_without_its_rows(body: Any, operation: str, outcome: str) -> None:
    assert parse_answer("rest", json.dumps(body).encode(), operation=operation).outcome == outcome


@pytest.mark.parametrize(
    ("text", "cursor"),
    [
        ("abc=", "abc="),
        ("/wEAAA==", "/wEAAA=="),
        ("/9j/4AAQ", "/9j/4AAQ"),
        ("?token", "?token"),
        ("/v2/things?limit=3&after=7", "7"),
        ("?after=a%2Fb", "a/b"),
        ("https://shop.example/v2/things?after=7&key=SECRET", "7"),
        ("https://shop.example/v2/things?page=2&key=SECRET", None),
        ("/v2/things?page=2&key=SECRET", None),
        ("https://shop.example/v2/things", None),
        ("http://[broken?after=1", None),
    ],
)
def test_a_cursor_is_taken_out_of_an_address_and_is_else_as_it_is(text: str, cursor: str | None) -> None:
    plan = ReadingPlan(rows="/items", cursor="/next", parameter="after").named("list")
    body = json.dumps({"items": [{"id": 1}], "next": text}).encode()
    assert parse_answer("rest", body, operation=plan).cursor == cursor


def test_of_one_thing_404_says_that_there_is_none() -> None:
    body = b'{"status": 404, "title": "Not Found", "detail": "No such resource."}'
    found = parse_answer("rest", body, http_status=404, operation=ONE)
    assert (found.outcome, found.code, found.message) == ("no_data", "404", "No such resource.")
    page = parse_answer("rest", b"<html><h1>404</h1></html>", http_status=404, operation=ONE)
    assert page.outcome == "unknown_operation"


def test_records_are_flat_and_totals_are_read() -> None:
    body = {"items": [{"id": 1, "owner": {"name": "가", "at": {"city": "나"}}, "tags": ["x"], "parts": [{"a": 1}]}, None],
            "total": "1,204"}  # fmt: skip
    answer = parse_answer("rest", json.dumps(body).encode(), operation=LIST)
    assert answer.total_count == 1204
    assert answer.records == [{"id": 1, "owner.name": "가", "owner.at.city": "나", "tags": ["x"], "parts": [{"a": 1}]}]


def test_maps_scalars_texts_and_xml_are_rows_too() -> None:
    mapped = parse_answer("rest", b'{"a": {"n": 1}, "b": 2}', operation=ReadingPlan(rows="/*").named("m"))
    assert mapped.records == [{"key": "a", "n": 1}, {"key": "b", "value": 2}]
    assert parse_answer("rest", b'["x", 3]', operation=ReadingPlan(rows="").named("s")).records == [
        {"value": "x"},
        {"value": 3},
    ]
    assert parse_answer("rest", b"pong", operation=ReadingPlan(rows="").named("t")).records == [{"value": "pong"}]
    xml = b"<list><total>2</total><items><id>1</id></items><items><id>2</id></items></list>"
    read = parse_answer("rest", xml, operation=LIST)
    assert (read.records, read.total_count) == ([{"id": "1"}, {"id": "2"}], 2)
    assert parse_answer("rest", b'{"results": [{"id": 1}], "totalResults": 9}').total_count == 9
    assert parse_answer("rest", b'{"docs": [{"id": 1}], "Total_Hits": 8, "count": 1}').total_count == 8
    assert parse_answer("rest", b'{"values": [5], "content": [{"id": 1}]}').records == [{"id": 1}]
    assert parse_answer("rest", b'{"docs": [{"id": 1}], "count": 1}').total_count is None  # of this page, as often


def test_a_write_without_content_is_done() -> None:
    plan = ReadingPlan(rows="", writes=True, keyed=True).named("delete")
    assert parse_answer("rest", b"", http_status=204, operation=plan).records == [{"done": True}]
    assert parse_answer("rest", b"", http_status=404, operation=plan).outcome == "no_data"


@given(st.binary(max_size=200) | st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5),
       lambda i: st.lists(i, max_size=3) | st.dictionaries(st.sampled_from(["items", "error", "total", "a"]), i, max_size=3),
       max_leaves=8).map(lambda v: json.dumps(v).encode()), st.integers(100, 599), st.text(max_size=30))  # fmt: skip
def test_no_body_raises(body: bytes, status: int, operation: str) -> None:
    for named in (operation, LIST, ONE, None):
        answer = parse_answer("rest", body, http_status=status, operation=named)
        assert answer.outcome in FAILURE_OF
        assert (answer.outcome == "ok") == bool(answer.records)


@pytest.mark.parametrize(
    ("headers", "total", "cursor"),
    [
        ({"content-type": "application/json", "x-total-count": "41"}, 41, None),
        ({"content-range": "items 0-9/120"}, 120, None),
        (
            {"link": '<https://s.example/x?after=ab%3D&key=SECRET>; rel="next", <https://s.example/x>; rel="prev"'},
            None,
            "ab=",
        ),
        ({"link": "<https://s.example/x?after=1>; rel=last"}, None, None),
        ({"link": "<broken", "x-total-count": "many"}, None, None),
        ({}, None, None),
    ],
)
def test_headers_say_total_and_next_page(headers: dict[str, str], total: int | None, cursor: str | None) -> None:
    kept = with_facts(headers, "after")
    assert Facts.of(kept) == Facts(total, cursor)
    assert "SECRET" not in (kept or "")
    if not total and not cursor:
        assert kept == headers.get("content-type")


PAGED = (Parameter("cursor", "다음 쪽", role="page"), Parameter("limit", "수", type="integer", role="size"))
ROWS = [{"id": n} for n in range(1, 8)]


def pages(
    tool: Tool, answer: Callable[[httpx.Request], httpx.Response], **arguments: Any
) -> tuple[CallResult, CallResult]:
    """A first page and all pages, as an agent gets them."""
    executor = Executor(catalog=Catalog([tool]), transport=httpx.MockTransport(answer))
    session = Session(executor, [tool, *local_tools()])
    session.call(tool.name, arguments)
    session.call("collect_pages", {"result_id": session.calls[0].result_id})
    return session.calls[0].result, session.calls[1].result


def test_cursors_are_followed_to_the_end() -> None:
    tool = rest(*PAGED, paging=Paging("cursor", "limit", style="cursor", default_size=3),
                operation=ReadingPlan(rows="/items", cursor="/next", parameter="cursor").named("list"))  # fmt: skip

    def answer(request: httpx.Request) -> httpx.Response:
        begin, size = int(request.url.params.get("cursor", 0)), int(request.url.params["limit"])
        last = begin + size >= len(ROWS)
        following = None if last else f"/v2/things?limit={size}&cursor={begin + size}"
        return httpx.Response(200, json={"items": ROWS[begin : begin + size], "next": following})

    first, every = pages(tool, answer)
    assert ([r["id"] for r in first.records], first.cursor, first.total_count) == ([1, 2, 3], "3", None)
    assert ([r["id"] for r in every.records], every.total_count, every.requests) == ([1, 2, 3, 4, 5, 6, 7], 7, 2)


def test_by_cursor_no_number_names_the_next_page() -> None:
    tool = rest(*PAGED, paging=Paging("cursor", "limit", style="cursor", default_size=3),
                operation=ReadingPlan(rows="/items", total="/total", cursor="/next").named("list"))  # fmt: skip
    body = {"items": ROWS[:3], "total": 7, "next": "abc"}
    first, _ = pages(tool, lambda _: httpx.Response(200, json=body))
    assert (first.page, first.next_page, first.cursor, first.total_count) == (1, None, "abc", 7)
    executor = Executor(
        catalog=Catalog([tool]), transport=httpx.MockTransport(lambda _: httpx.Response(200, json=body))
    )
    told = json.loads(Session(executor, [tool, *local_tools()]).call(tool.name, {}))
    assert (told["next_page"], told["next_cursor"], told["truncated"]) == (None, "abc", True)


def test_a_cursor_that_comes_again_ends_the_collection() -> None:
    tool = rest(*PAGED, paging=Paging("cursor", "limit", style="cursor"),
                operation=ReadingPlan(rows="/items", cursor="/next").named("list"))  # fmt: skip
    _, every = pages(tool, lambda _: httpx.Response(200, json={"items": ROWS[:2], "next": "same"}))
    assert (every.outcome, every.records) == ("server", [])


def test_links_in_headers_are_followed_and_offsets_are_counted() -> None:
    linked = rest(*PAGED, paging=Paging("cursor", "limit", style="cursor", default_size=4),
                  operation=ReadingPlan(rows="").named("list"))  # fmt: skip

    def by_link(request: httpx.Request) -> httpx.Response:
        begin = int(request.url.params.get("cursor", 0))
        link = {} if begin else {"link": '<https://shop.example/v2/things?cursor=4>; rel="next"'}
        return httpx.Response(200, json=ROWS[begin : begin + 4], headers=link)

    assert [r["id"] for r in pages(linked, by_link)[1].records] == [1, 2, 3, 4, 5, 6, 7]
    offset = rest(replace(PAGED[0], name="skip", type="integer"), PAGED[1],
                  paging=Paging("skip", "limit", style="offset", default_size=3, max_size=3))  # fmt: skip

    def by_offset(request: httpx.Request) -> httpx.Response:
        begin, size = int(request.url.params["skip"]), int(request.url.params["limit"])
        return httpx.Response(200, json={"items": ROWS[begin : begin + size], "total": len(ROWS)})

    first, every = pages(offset, by_offset)
    assert (first.page, first.page_size, first.next_page, every.total_count) == (1, 3, 2, 7)
    assert [r["id"] for r in every.records] == [1, 2, 3, 4, 5, 6, 7]
    second, _ = pages(offset, by_offset, skip=3)
    assert second.page == 2


def test_pages_may_count_from_zero() -> None:
    tool = rest(Parameter("page", "쪽", type="integer", role="page"), Parameter("limit", "수", type="integer", role="size"),
                paging=Paging("page", "limit", default_size=3, max_size=3, first=0))  # fmt: skip

    def answer(request: httpx.Request) -> httpx.Response:
        begin = int(request.url.params["page"]) * 3
        return httpx.Response(200, json={"items": ROWS[begin : begin + 3], "total": 7})

    first, every = pages(tool, answer)
    assert (first.page, len(every.records)) == (1, 7)


def test_recorded_answers_of_header_pages_replay_alike(tmp_path: Path) -> None:
    tool = rest(*PAGED, paging=Paging("cursor", "limit", style="cursor", default_size=4),
                operation=ReadingPlan(rows="").named("list"))  # fmt: skip
    headers = {"link": "<https://shop.example/?cursor=4>; rel=next", "x-total-count": "7"}
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json=ROWS[:4], headers=headers))
    with Executor("record", catalog=Catalog([tool]), transport=transport, snapshot=tmp_path / "s.kopa") as executor:
        told = executor.call_sync(tool, {})
    with Executor("replay", catalog=Catalog([tool]), snapshot=tmp_path / "s.kopa") as executor:
        again = executor.call_sync(tool, {})
    assert (again.records, again.total_count, again.cursor) == (told.records, 7, "4")


def test_what_no_request_can_hold_is_the_calls_fault_and_ends_no_run() -> None:
    whole = {"type": "array", "separator": ",", "location": "body"}
    ids = Parameter("ids", "번호", **whole, schema='{"items":{"type":"integer"},"type":"array"}')
    tool = rest(ids, Parameter("이름", "이름", location="header"), Parameter("deep", "조건", style="brackets"),
                Parameter("q", "검색어"), Parameter("x", "수", type="integer", role="format", default="x", location="body"),
                method="POST")  # fmt: skip
    fixed = replace(tool, parameters=tool.parameters[:-1])
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"items": [{"id": 1}]})

    executor = Executor(catalog=Catalog([fixed]), transport=httpx.MockTransport(answer))
    for arguments in (
        {"ids": ["abc"]},
        {"ids": [True, "True"]},
        {"ids": "1,x"},
        {"이름": "a"},
        {"deep": "a"},
        {"q": "a" * 70_000},
    ):
        for told in (executor.call_sync(fixed, arguments), asyncio.run(executor.call(fixed, arguments))):
            assert (told.outcome, told.failure, told.requests) == ("bad_param", "structural", 0), arguments
        with pytest.raises(ArgumentError):
            executor.probe(fixed, arguments)
    assert executor.call_sync(tool, {}).outcome == "bad_param"
    assert asked == []
    assert executor.call_sync(fixed, {"ids": ["7", 8]}).outcome == "ok"
    assert asked[0].content == b'{"ids":[7,8]}'
