"""A paged service behind the real executor, and a model that speaks from a script."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx

from kopa_hf.agent.session import Session
from kopa_hf.execution.executor import Executor

SEARCH = "search_dart_disclosures"
OFFERED = (
    SEARCH,
    "collect_pages",
    "reduce_records",
    "evaluate_expression",
    "get_current_date",
    "save_table",
    "request_api_key",
)


class Disclosures:
    """`total` filings behind DART's JSON; `before` may answer in their place (request number from 0)."""

    def __init__(self, total: int = 25, before: Callable[[int, httpx.Request], httpx.Response | None] | None = None):
        self.total = total
        self.before = before
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        early = self.before(len(self.requests) - 1, request) if self.before else None
        return early or self.answer(request)

    def answer(self, request: httpx.Request) -> httpx.Response:
        page, size = (int(request.url.params.get(name, one)) for name, one in (("page_no", 1), ("page_count", 10)))
        rows = [
            {
                "corp_code": f"{n:08d}",
                "corp_name": f"가온전자{n}",
                "report_nm": "주요사항보고서",
                "rcept_dt": "20260105",
            }
            for n in range((page - 1) * size + 1, min(page * size, self.total) + 1)
        ]
        body: dict[str, Any] = {"status": "013", "message": "조회된 데이타가 없습니다."}
        if rows:
            body = {
                "status": "000",
                "message": "정상",
                "page_no": page,
                "page_count": size,
                "total_count": self.total,
                "total_page": -(-self.total // size),
                "list": rows,
            }
        return httpx.Response(200, json=body)


def dart_error(status: str, message: str) -> httpx.Response:
    return httpx.Response(200, json={"status": status, "message": message})


def make_session(service: Disclosures | None = None, tools: Sequence[Any] = OFFERED, **settings: Any) -> Session:
    return Session(Executor(transport=httpx.MockTransport(service or Disclosures())), tools, **settings)


def read(text: str) -> dict[str, Any]:
    value = json.loads(text)
    assert isinstance(value, dict)
    return value


class ScriptedModel:
    """Says the given messages one after the other and keeps what it was asked."""

    def __init__(self, *replies: Mapping[str, Any] | Exception) -> None:
        self.replies = list(replies)
        self.seen: list[list[dict[str, Any]]] = []

    async def complete(self, messages: Sequence[dict[str, Any]], tools: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        self.seen.append([dict(message) for message in messages])
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return dict(reply)


def calls(*made: tuple[str, Any], ids: Sequence[str] | None = None) -> dict[str, Any]:
    """An assistant message with calls; arguments as text, the OpenAI way."""
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": ids[index] if ids else f"id{index}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given if isinstance(given, str) else json.dumps(given, ensure_ascii=False),
                },
            }
            for index, (name, given) in enumerate(made)
        ],
    }


def says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}
