"""What a live run would meet: one harmless call per provider, and each failure explained.

The call is chosen from the catalog: a reading tool that demands as little as possible, asked for
as few rows as possible.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, Literal

import httpx

from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.errors import ArgumentError
from kopa_hf.execution.bounded import TooLargeError
from kopa_hf.execution.exchange import Exchange
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.keys import key_names, variable
from kopa_hf.execution.ledger import KOREA
from kopa_hf.execution.limits import provider_of

Verdict = Literal["fine", "no key", "refused", "failed"]

_AT_ONCE: Final = 6
_EXAMPLES: Final[dict[str, str]] = {"digits:2": "11", "digits:5": "11110", "digits:8": "00126380", "HHMM": "0900"}
"""Values of formats that a demanded parameter may have; any will do, since the key is checked first."""
_ABOUT_KEYS: Final[dict[str, str]] = {
    "krx": "KRX grants every service on its own, and a service that was not granted looks like a wrong key.",
    "data_go_kr": "Every service is applied for on its own, and an agency knows a new key only after an hour or a day.",
    "law": "The caller's address must be registered, and every kind of data ticked in the application.",
    "gyeonggi": "Only Korean addresses are let in.",
    "edss": "A key may be valid for one service only.",
    "dart": "The key may be suspended, or bound to other addresses.",
}
_PORTALS: Final[dict[str, str]] = {
    "dart": "opendart.fss.or.kr",
    "krx": "openapi.krx.co.kr",
    "assembly": "open.assembly.go.kr",
    "seoul": "data.seoul.go.kr",
    "gyeonggi": "data.gg.go.kr",
    "expressway": "data.ex.co.kr",
    "law": "open.law.go.kr",
    "neis": "open.neis.go.kr",
    "schoolinfo": "www.schoolinfo.go.kr",
    "edss": "www.edmgr.kr",
    "data_go_kr": "www.data.go.kr",
}
"""Where keys are applied for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one provider's call showed."""

    platform: str
    wire: str
    tool: str
    verdict: Verdict
    what: str
    """One sentence."""
    remedy: str = ""
    """What to do; empty where nothing has to be done."""
    key: str = ""
    """Where the key came from: a variable's or a file's name, never the key."""
    seconds: float = 0.0
    left: int | None = None
    """Requests that today's quota still allows, this one counted; None where that is not known."""


def examine(executor: Executor, platforms: Iterable[str] = (), *, today: datetime.date | None = None) -> list[Finding]:
    """One finding per platform and wire, in the catalog's order."""
    wanted = set(platforms)
    day = today or datetime.datetime.now(KOREA).date()
    chosen = [tool for tool in probes(executor.catalog) if not wanted or tool.platform in wanted]
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        return list(pool.map(lambda tool: _examine(executor, tool, day), chosen))


def probes(catalog: Iterable[Tool]) -> list[Tool]:
    """The tool that is asked on behalf of each (platform, wire)."""
    best: dict[tuple[str, str], tuple[tuple[int, ...], Tool]] = {}
    for tool in catalog:
        if not tool.read or tool.endpoint.code_unresolved or tool.endpoint.response_kind == "zip":
            continue
        demanded = [p for p in tool.inputs if p.required and p.location != "client"]
        unknown = sum(_example(p, datetime.date(2026, 1, 30)) is None for p in demanded)
        cost = (unknown, not tool.verified, len(demanded), tool.paging is None, tool.fields_unknown)
        key = (tool.platform, tool.wire)
        if key not in best or cost < best[key][0]:
            best[key] = (cost, tool)
    return [tool for _, tool in best.values()]


def _examine(executor: Executor, tool: Tool, day: datetime.date) -> Finding:
    live = executor.live
    name = live.keys.name_for(tool) if live is not None else None
    key = live.keys.origin(name) if live is not None and name is not None else ""
    try:
        exchange = executor.probe(tool, _arguments(tool, day))
    except ArgumentError as error:
        return Finding(
            tool.platform, tool.wire, tool.name, "failed", str(error), "Report it: the catalog is wrong.", key
        )
    verdict, what, remedy = explain(exchange, tool, via=live.settings.via if live is not None else None)
    left = live.ledger.left(live.quota_of(tool)) if live is not None else None
    return Finding(tool.platform, tool.wire, tool.name, verdict, what, remedy, key, exchange.result.elapsed, left)


def _arguments(tool: Tool, day: datetime.date) -> dict[str, str]:
    """What the tool demands, and the smallest page."""
    given = {p.name: _example(p, day) or "1" for p in tool.inputs if p.required and p.role == "input"}
    if tool.paging is not None and tool.paging.style == "page":
        given |= {tool.paging.size: "1"} if tool.paging.size else {}
    elif tool.paging is not None:
        given |= tool.paging.place(1, 1)
    known = {p.name for p in tool.inputs}
    return {name: value for name, value in given.items() if name in known}


def _example(parameter: Parameter, day: datetime.date) -> str | None:
    """A value that the parameter takes; None where nothing tells."""
    if parameter.default is not None or parameter.enum:
        return parameter.default or parameter.enum[0]
    # a week back, so that daily data is published; months and years likewise whole ones
    past = day - datetime.timedelta(days=7)
    dated = {"YYYYMMDD": f"{past:%Y%m%d}", "YYYY-MM-DD": past.isoformat(), "YYYYMM": f"{day - datetime.timedelta(62):%Y%m}",
             "YYYY": str(day.year - 1)}  # fmt: skip
    return dated.get(parameter.format or "") or _EXAMPLES.get(parameter.format or "")


# explanations


def explain(exchange: Exchange, tool: Tool, *, via: str | None = None) -> tuple[Verdict, str, str]:
    """(verdict, what happened, what to do); `via`: the stand-in that was asked in the service's place."""
    result, said = exchange.result, _said(exchange)
    if exchange.broke is not None:
        return ("failed", *_connection(exchange, via or host_of(tool)))
    if result.outcome in ("ok", "no_data"):
        return "fine", "answers" if result.ok else "answers, with no rows for what was asked", ""
    if result.outcome == "auth" and result.requests == 0:
        names = " or ".join(map(variable, key_names(tool)))
        return (
            "no key",
            f"no key: {names} is not set",
            f"Apply for one at {_PORTALS.get(provider_of(tool), 'the provider')}, then set it.",
        )
    if result.outcome == "auth":
        about = _ABOUT_KEYS.get(tool.wire) or _ABOUT_KEYS.get(key_names(tool)[-1], "")
        remedy = "Check that the key was copied whole and belongs to this provider."
        return "refused", f"the key is not accepted{said}", f"{remedy} {about}".strip()
    if exchange.of_request:
        return "failed", f"it asks for payment{said}", "The plan behind the key may not include this operation."
    explained = _OUTCOMES.get(result.outcome)
    if explained is None:
        return "refused", f"answers, but not as documented: {result.outcome}{said}", "The service may have changed."
    return "failed", explained[0] + said, explained[1]


_OUTCOMES: Final[dict[str, tuple[str, str]]] = {
    "quota": ("the quota is used up", "It returns at midnight, Korean time. --limits tells of a larger one."),
    "rate_limit": ("asked too often", "Wait a minute. If it stays so, lower per_second with --limits."),
    "maintenance": ("the service is under maintenance", "Try again later; the provider's notice page says until when."),
    "server": ("the service has an error of its own", "Try again later; nothing on this side is wrong."),
    "timeout": ("the service says that it ran out of time", "Try again later, or ask for fewer rows."),
    "not_a_response": (
        "something else than data came back",
        "A firewall or a proxy may have answered instead of the service; some let in Korean addresses only.",
    ),
}


def host_of(tool: Tool) -> str:
    """The host that a tool's requests go to."""
    return tool.endpoint.url.partition("://")[2].partition("/")[0]


def _connection(exchange: Exchange, host: str) -> tuple[str, str]:
    """(what, remedy) where no answer came."""
    kind = exchange.broke or httpx.TransportError
    words: Callable[[str], str] = lambda text: f"{text} ({host})"  # noqa: E731
    if issubclass(kind, TooLargeError):
        return words("the answer is longer than any that is read"), "Ask for fewer rows at once."
    if issubclass(kind, httpx.ProxyError):
        return words("the proxy refused"), "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY."
    if issubclass(kind, httpx.ConnectTimeout):
        return words(
            "no connection in time"
        ), "A firewall may drop the packets; some services let in Korean addresses only."
    if issubclass(kind, httpx.TimeoutException):
        return words("connected, but no answer in time"), "The service is slow or hangs; try again later."
    if issubclass(kind, httpx.ConnectError):
        message = exchange.result.message or ""
        return words(
            f"no connection: {message.partition(': ')[2]}"
        ), "Check the network, the name server and any proxy."
    return words(
        "the connection broke in the middle of the answer"
    ), "Try again; if it stays so, something between cuts it."


def _said(exchange: Exchange) -> str:
    """The service's own code and words."""
    parts = [part for part in (exchange.result.code, exchange.result.message) if part]
    return f": {' '.join(parts)}" if parts else ""
