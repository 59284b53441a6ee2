"""A tiny world at the executor's edge: three tools that list, detail and mislead."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from kopa_hf.catalog.tool import Endpoint, Field, Parameter, Tool
from kopa_hf.errors import KopaError
from kopa_hf.execution.result import CallResult

Answer = list[dict[str, Any]] | str
"""Records, or the outcome of a failure."""


def make_tool(name: str, parameters: tuple[Parameter, ...] = (), fields: tuple[Field, ...] = (), **more: Any) -> Tool:
    settings: dict[str, Any] = {
        "platform": "assembly",
        "wire": "assembly",
        "domain": "politics",
        "title": name,
        "description": name,
        "endpoint": Endpoint(url=f"https://example.invalid/{name}", operation=name),
    }
    return Tool(name=name, parameters=parameters, fields=fields, **{**settings, **more})


BILLS = make_tool(
    "list_bills",
    fields=(Field("BILL_ID", "의안ID"), Field("BILL_NAME", "의안명"), Field("CONF_ID", "회의ID")),
    title="의안 목록",
)
DETAIL = make_tool(
    "get_bill_detail",
    (Parameter("BILL_ID", "의안ID", required=True),),
    (Field("BILL_ID", "의안ID"), Field("PROPOSER", "제안자")),
    title="의안 상세",
)
MINUTES = make_tool(
    "get_meeting_minutes",
    (Parameter("CONF_ID", "회의ID", required=True),),
    (Field("CONF_ID", "회의ID"), Field("TITLE", "회의명")),
    title="회의록",
)
TOOLS = (BILLS, DETAIL, MINUTES)

FAILURE_CLASS = {
    "no_data": "no_data",
    "bad_param": "structural",
    "unknown_operation": "structural",
    "rate_limit": "environmental",
    "timeout": "environmental",
    "server": "environmental",
    "quota": "environmental",
}


class ScriptedExecutor:
    """Answers by a function of (tool, arguments, attempt, stream); counts what it was asked."""

    backend = "scripted"

    def __init__(
        self,
        answer: Callable[[str, Mapping[str, Any], int, str], Answer],
        tools: tuple[Tool, ...] = TOOLS,
        *,
        pause: bool = False,
    ) -> None:
        self.catalog = tools
        self.answer = answer
        self.pause = pause
        self.log: list[tuple[str, tuple[tuple[str, str], ...], int, str]] = []

    async def call(
        self, tool: Tool | str, arguments: Mapping[str, Any], *, attempt: int = 0, stream: str = ""
    ) -> CallResult:
        name = tool if isinstance(tool, str) else tool.name
        if self.pause:
            # later calls return first: order of completion is not order of issue
            await asyncio.sleep(0.0005 * (len(self.log) % 3))
        self.log.append((name, tuple(sorted(arguments.items())), attempt, stream))
        given = self.answer(name, arguments, attempt, stream)
        if isinstance(given, str):
            return CallResult(name, dict(arguments), given, failure=FAILURE_CLASS[given])  # type: ignore[arg-type]
        return CallResult(name, dict(arguments), "ok", given, total_count=len(given))


BILL_ROWS = [{"BILL_ID": f"PRC_{i}", "BILL_NAME": f"법률안 {i}", "CONF_ID": f"N{i}"} for i in range(4)]


def world_answer(name: str, arguments: Mapping[str, Any], attempt: int, stream: str) -> Answer:
    """Bills open by their id; the minutes know none of the bills' meeting ids."""
    if name == "list_bills":
        return BILL_ROWS
    if name == "get_bill_detail":
        rows = [row for row in BILL_ROWS if row["BILL_ID"] == arguments["BILL_ID"]]
        return [{"BILL_ID": row["BILL_ID"], "PROPOSER": "김가상"} for row in rows] or "no_data"
    if name == "get_meeting_minutes":
        return "no_data"
    raise KopaError(name)
