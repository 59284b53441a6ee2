"""The tools behind an MCP server, asked by the official client in the same process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from kopa_hf.agent import mcp_serving
from kopa_hf.agent.mcp_serving import McpServing
from kopa_hf.catalog.local import local_tools
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.execution.executor import Executor

mcp = pytest.importorskip("mcp")

BILLS = "search_assembly_bills"
CORPS = "find_dart_corp_code"


def serving(*names: str, budget: int | None = None) -> McpServing:
    tools = [load_catalog().get(name) for name in names]
    return McpServing(Executor(), [*tools, *local_tools()], token_budget=budget)


def asked(server: McpServing, work: Callable[[Any], Awaitable[Any]], *, mode: str = "legacy") -> Any:
    async def run() -> Any:
        async with mcp.Client(server.server(), mode=mode) as client:
            return await work(client)

    return asyncio.run(run())


async def _called(client: Any, name: str, **arguments: Any) -> tuple[bool, dict[str, Any]]:
    result = await client.call_tool(name, arguments)
    assert json.loads(result.content[0].text) == result.structured_content
    return result.is_error, result.structured_content


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_call_brings_what_the_executor_brings(mode: str) -> None:
    given = {"AGE": "22", "BILL_NAME": "주택법", "pSize": 5}
    direct = Executor().call_sync(BILLS, given)
    error, told = asked(serving(BILLS), lambda client: _called(client, BILLS, **given), mode=mode)
    assert not error
    assert (told["records"], told["total"], told["next_page"]) == (direct.records, direct.total_count, 2)
    assert told["source"] == "sandbox"


def test_the_list_says_what_a_tool_takes_and_brings() -> None:
    async def listed(client: Any) -> Any:
        return (await client.list_tools()).tools

    bills, *others = asked(serving(BILLS), listed)
    shown = bills.model_dump(by_alias=True, exclude_none=True)
    assert shown["inputSchema"]["properties"]["pSize"]["type"] == "integer"
    assert shown["outputSchema"]["properties"]["records"]["items"]["properties"]["BILL_NO"]["type"] == [
        "string",
        "null",
    ]
    assert shown["_meta"]["kopa_hf/paging"]["size"] == "pSize"
    hints = {tool.name: tool.annotations.read_only_hint for tool in (bills, *others)}
    assert hints[BILLS]
    assert not hints["save_table"]
    assert not hints["request_api_key"]


def test_a_long_list_comes_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_serving, "PAGE", 4)
    server = serving(BILLS, CORPS)

    async def all_pages(client: Any) -> list[list[str]]:
        pages, cursor = [], None
        while not pages or cursor is not None:
            page = await client.list_tools(cursor=cursor)
            pages.append([tool.name for tool in page.tools])
            cursor = page.next_cursor
        with pytest.raises(mcp.MCPError, match="Unknown cursor"):
            await client.list_tools(cursor="99")
        return pages

    pages = asked(server, all_pages)
    assert [len(page) for page in pages] == [4, 4]
    assert [name for page in pages for name in page] == [BILLS, CORPS, *(tool.name for tool in local_tools())]


def test_errors_are_results_that_name_the_outcome() -> None:
    async def work(client: Any) -> list[Any]:
        return [
            await _called(client, BILLS, AGE="22", nope="1"),
            await _called(client, "no_such_tool"),
            await _called(client, CORPS, corp_name="이런 회사는 없다"),
        ]

    wrong, unknown, nothing = asked(serving(BILLS, CORPS), work)
    assert (wrong[0], wrong[1]["error"]["outcome"]) == (True, "bad_param")
    assert (unknown[0], unknown[1]["error"]["outcome"]) == (True, "unknown_tool")
    # nothing found is an answer
    assert (nothing[0], nothing[1]["total"], nothing[1].get("records", [])) == (False, 0, [])


def test_local_tools_work_on_kept_results_and_clients_do_not_share_them() -> None:
    server = serving(BILLS)

    async def first(client: Any) -> Any:
        _, told = await _called(client, BILLS, AGE="22", BILL_NAME="주택법", pSize=5)
        _, all_of_them = await _called(client, "collect_pages", result_id=told["result_id"])
        return told["total"], await _called(
            client, "reduce_records", result_id=all_of_them["result_id"], operation="count"
        )

    total, (error, count) = asked(server, first)
    assert (error, int(count["value"])) == (False, total)

    # over HTTP the session id tells clients apart; here each has a server object of its own
    async def second(client: Any) -> Any:
        return await _called(client, "reduce_records", result_id="r1", operation="count")

    error, told = asked(serving(BILLS), second)
    assert (error, told["error"]["outcome"]) == (True, "bad_param")


def test_an_answer_is_cut_to_the_budget_and_stays_reachable() -> None:
    given = {"AGE": "22", "pSize": 50}
    _, whole = asked(serving(BILLS), lambda client: _called(client, BILLS, **given))
    _, cut = asked(serving(BILLS, budget=600), lambda client: _called(client, BILLS, **given))
    assert len(whole["records"]) == 50
    assert 0 < len(cut["records"]) < 50
    assert cut["truncated"]
    assert cut["records"] == whole["records"][: len(cut["records"])]


def test_the_day_is_the_backends() -> None:
    _, told = asked(serving(BILLS), lambda client: _called(client, "get_current_date"))
    assert told["value"] == "2026-01-30"
