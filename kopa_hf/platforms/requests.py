"""From a tool and bound arguments to an httpx request.

Requests are written by the hundred thousand, so everything that depends on the
tool alone is worked out once and kept in a plan. An address with its query is
written as text and parsed once: building it through `httpx.URL` and `params`
costs twice as much.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, quote

import httpx

from kopa_hf.catalog.tool import Paging, Tool
from kopa_hf.platforms.keys import encoded_key, plain_key

# Several gateways answer unknown agents with a firewall page.
AGENT: Final = "Mozilla/5.0 (compatible; kopa_hf; +https://huggingface.co/kopa)"
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_MAX_PLANS: Final = 20_000


@dataclass(frozen=True, slots=True)
class RequestPlan:
    """What a tool's requests have in common."""

    tool: Tool
    address: str
    """The address without its query; may hold `{NAME}` segments."""
    segments: tuple[str, ...]
    """Names of the path segments, in order."""
    preset: dict[str, str]
    """Values sent where the caller gives none: answer format, first page, page size."""
    located: Mapping[str, str]
    """Parameters that stand elsewhere than in the query."""
    headers: httpx.Headers
    span: Paging | None
    """Set where pages are first and last row: the last row depends on the first."""


class RequestWriter:
    """Writes the requests of one wire family; keeps one plan per tool."""

    def __init__(self, *, format_parameter: str | None, upper: bool = False, headers: Mapping[str, str]) -> None:
        self._format_parameter = format_parameter
        self._upper = upper
        self._headers = httpx.Headers({"User-Agent": AGENT, "Accept": "*/*", **headers})
        self._plans: dict[int, RequestPlan] = {}

    def plan(self, tool: Tool) -> RequestPlan:
        """The tool's plan. Kept by identity: hashing a signature costs more than using its plan."""
        plan = self._plans.get(id(tool))
        if plan is None or plan.tool is not tool:
            if len(self._plans) >= _MAX_PLANS:
                self._plans.clear()
            plan = self._plans[id(tool)] = self._new_plan(tool)
        return plan

    def write(
        self, tool: Tool, arguments: Mapping[str, str], key: str | None, *, body: Mapping[str, Any] | None = None
    ) -> httpx.Request:
        """The request. `body`: a JSON body that the wire composes itself, arguments included."""
        plan = self.plan(tool)
        values = {**plan.preset, **arguments} if body is None else dict(plan.preset)
        if plan.span is not None and plan.span.size not in arguments:
            first = values[plan.span.page]
            values[plan.span.size] = str((int(first) if first.isdecimal() else 1) + plan.span.default_size - 1)
        headers = plan.headers
        fields: dict[str, Any] = {}
        query: list[str] = []
        path: dict[str, str] = {}
        for name, value in values.items():
            place = plan.located.get(name)
            if place is None:
                query.append(f"{quote(name, safe='')}={quote(value, safe='')}")
            elif place == "path":
                path[name] = _segment(value)
            elif place == "body":
                fields[name] = value
            else:
                if headers is plan.headers:
                    headers = headers.copy()
                headers[name] = value
        auth = tool.endpoint.auth
        if auth is not None and key:
            if tool.endpoint.auth_in == "query":
                query.insert(0, f"{quote(auth, safe='')}={encoded_key(key)}")
            elif tool.endpoint.auth_in == "path":
                path[auth] = encoded_key(key)
            elif tool.endpoint.auth_in == "body":
                fields[auth] = plain_key(key)
            else:
                if headers is plan.headers:
                    headers = headers.copy()
                headers[auth] = plain_key(key)
        address = _fill(plan, path) if plan.segments else plan.address
        url = f"{address}?{'&'.join(query)}" if query else address
        if body is not None:
            fields = dict(body)
        if fields or body is not None:
            headers = headers.copy()
            headers["Content-Type"] = "application/json; charset=utf-8"
            content = json.dumps(fields, ensure_ascii=False).encode("utf-8")
            return httpx.Request(tool.endpoint.method, url, headers=headers, content=content)
        return httpx.Request(tool.endpoint.method, url, headers=headers)

    def _new_plan(self, tool: Tool) -> RequestPlan:
        address, _, fixed = tool.endpoint.url.partition("?")
        segments = tuple(_PLACEHOLDER.findall(address))
        preset = dict(parse_qsl(fixed, keep_blank_values=True))
        located: dict[str, str] = {p.name: p.location for p in tool.parameters if p.location not in ("query", "client")}
        located.update(dict.fromkeys(segments, "path"))
        wanted = tool.endpoint.response_format
        wanted_text = wanted.upper() if self._upper else wanted
        formats = [p for p in tool.parameters if p.role == "format"]
        for parameter in formats:
            preset.setdefault(
                parameter.name,
                parameter.default or next((v for v in parameter.enum if v.lower() == wanted), wanted_text),
            )
        asks = self._format_parameter
        if asks and not formats and wanted != "zip" and asks.lower() not in {name.lower() for name in preset}:
            preset[asks] = wanted_text
        if tool.paging is not None:
            preset.setdefault(tool.paging.page, "1")
            preset.setdefault(tool.paging.size, str(tool.paging.default_size))
        span = tool.paging if tool.paging is not None and tool.paging.style == "range" else None
        return RequestPlan(tool, address, segments, preset, located, self._headers, span)


def _segment(value: str) -> str:
    """One path segment. Dots alone would be read as a way up the path."""
    return value.replace(".", "%2E") if value in (".", "..") else quote(value, safe="")


def _fill(plan: RequestPlan, path: Mapping[str, str]) -> str:
    """Put values into `{NAME}` segments: unset ones at the end fall away, earlier ones become a blank.

    Services with positional terms read a blank segment as "not set". The key's segment is
    the exception: without a key it stays empty, so that the service answers "no key".
    """
    parts = plan.address.split("/")
    while parts and (last := _PLACEHOLDER.fullmatch(parts[-1])) and not path.get(last.group(1)):
        parts.pop()
    auth = plan.tool.endpoint.auth

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        return path.get(name) or ("" if name == auth else "%20")

    return "/".join(_PLACEHOLDER.sub(value, part) for part in parts)
