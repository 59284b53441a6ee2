"""An MCP server's list of tools: left where it has no end, and without the entries that are no tools."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from kopa_hf.errors import BackendError
from kopa_hf.execution.mcp_server import McpServer
from kopa_hf.execution.mcp_sessions import McpSessions

pytest.importorskip("mcp")
from mcp.types import ListToolsResult, Tool  # needs the extra

TALKER = Path(__file__).with_name("mcp_talker.py")
GOOD: dict[str, Any] = {"name": "good", "inputSchema": {"type": "object"}}
ODD: dict[str, tuple[dict[str, Any], str]] = {
    "no_schema": ({}, "inputSchema: Field required"),
    "schema_is_text": ({"inputSchema": "none"}, "inputSchema: "),
    "schema_of_a_list": ({"inputSchema": {"type": "array"}}, "inputSchema.type: "),
    "output_is_true": ({"inputSchema": {"type": "object"}, "outputSchema": True}, "outputSchema: "),
    "title_is_a_list": ({"inputSchema": {"type": "object"}, "title": ["a"]}, "title: "),
}


@contextmanager
def talking(how: str, *told: str, timeout: float = 20.0) -> Iterator[McpSessions]:
    """Sessions with one server, `talker`."""
    command = (sys.executable, "-S", str(TALKER), how, *told)
    started = None if how == "stdio" else subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        server = McpServer("talker", command, timeout=timeout)
        if started is not None:
            assert started.stdout is not None
            server = McpServer("talker", url=started.stdout.readline().strip(), timeout=timeout)
        sessions = McpSessions({"talker": server})
        try:
            yield sessions
        finally:
            sessions.close()
    finally:
        if started is not None:
            started.kill()
            started.communicate()


@pytest.mark.parametrize("how", ["stdio", "json", "events"])
def test_one_odd_entry_is_left_out_and_named_and_the_others_come(how: str) -> None:
    entries = [{"name": name, **rest} for name, (rest, _) in ODD.items()]
    listed = [*entries[:2], GOOD, *entries[2:], {**GOOD, "name": "last", "title": None}, {"inputSchema": {}}, 7]
    left_out: dict[str, str] = {}
    with talking(how, json.dumps(listed)) as sessions:
        found = sessions.tools("talker", left_out)
        assert sessions.call("talker", "talk", {"length": 2})["result"]["content"][0]["text"] == "xx"
    assert [tool["name"] for tool in found] == ["good", "last"]
    assert list(left_out) == [*ODD, "one without a name (6)", "one without a name (7)"]
    assert all(left_out[name].startswith(why) for name, (_, why) in ODD.items())


def test_what_is_said_of_an_odd_entry_is_free_of_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALKER_TOKEN", "tk-9f3a2b7c1d")
    odd = {"name": "x tk-9f3a2b7c1d\u001b[31m", "inputSchema": {"type": "object", "properties": {"tk-9f3a2b7c1d": 5}}}
    left_out: dict[str, str] = {}
    command = (sys.executable, "-S", str(TALKER), "stdio", json.dumps([odd]))
    sessions = McpSessions({"talker": McpServer("talker", command, environment=("TALKER_TOKEN",))})
    try:
        assert sessions.tools("talker", left_out) == []
    finally:
        sessions.close()
    assert list(left_out) == ["x ***"]
    assert left_out["x ***"].startswith("inputSchema.properties.***")


@pytest.mark.parametrize("how", ["stdio", "json"])
def test_a_list_of_ever_more_empty_pages_is_left_after_five(how: str) -> None:
    with (
        talking(how, "endless", "empty") as sessions,
        pytest.raises(BackendError, match=r"^talker does not come to the end of its tool list: 5 pages in a row held"),
    ):
        sessions.tools("talker")


@pytest.mark.parametrize(
    ("timeout", "asked"), [(20.0, [20, 20, 20, 15]), (60.0, [60, 45, 30, 15]), (40.0, [40, 40, 30, 15])]
)
def test_all_pages_have_one_deadline(timeout: float, asked: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    from kopa_hf.execution import mcp_tool_list

    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(mcp_tool_list, "time", SimpleNamespace(monotonic=lambda: clock.now))
    given: list[float] = []

    async def ask(request: Any, kind: Any, seconds: float) -> ListToolsResult:
        given.append(seconds)
        clock.now += 15  # four such pages are a minute
        return ListToolsResult(tools=[Tool(name="a", input_schema={"type": "object"})], next_cursor=str(clock.now))

    server = McpServer("talker", ("talker",), timeout=timeout)
    with pytest.raises(BackendError, match=r"^talker does not come to the end of its tool list in 60 s\.$"):
        asyncio.run(mcp_tool_list.list_tools(server, ask, 10_000))
    assert given == asked


def test_a_further_page_that_does_not_come_is_told_as_such() -> None:
    from kopa_hf.execution.mcp_tool_list import list_tools

    async def ask(request: Any, kind: Any, seconds: float) -> ListToolsResult:
        if request.params.cursor is not None:
            raise httpx.ReadTimeout("late")
        return ListToolsResult(tools=[Tool(name="a", input_schema={"type": "object"})], next_cursor="1")

    with pytest.raises(BackendError, match="a further page did not come in time"):
        asyncio.run(list_tools(McpServer("talker", ("talker",)), ask, 10_000))


def test_a_first_page_that_does_not_come_is_a_server_without_an_answer() -> None:
    with (
        talking("stdio", "slow", timeout=0.1) as sessions,
        pytest.raises(httpx.ReadTimeout, match=r"^talker gave no answer in 0\.1 s$"),
    ):
        sessions.tools("talker")


def test_a_list_that_begins_anew_and_one_that_ends_with_an_empty_cursor() -> None:
    from kopa_hf.execution.mcp_tool_list import list_tools

    tool = Tool(name="a", input_schema={"type": "object"})

    def pages(*cursors: str | None) -> Any:
        left = list(cursors)

        async def ask(request: Any, kind: Any, seconds: float) -> ListToolsResult:
            return ListToolsResult(tools=[tool], next_cursor=left.pop(0))

        return ask

    server = McpServer("talker", ("talker",))
    assert len(asyncio.run(list_tools(server, pages("1", "2", ""), 10_000))) == 3
    assert len(asyncio.run(list_tools(server, pages("1", None), 10_000))) == 2
    with pytest.raises(BackendError, match="it begins anew"):
        asyncio.run(list_tools(server, pages("1", "2", "1"), 10_000))
    with pytest.raises(BackendError, match="lists more tools than are read"):
        asyncio.run(list_tools(server, pages("x" * 10_000), 10_000))
