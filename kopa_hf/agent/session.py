"""One rollout's door to the tools: every issued call is answered, noted and counted.

A model can send anything. What cannot be executed (an unknown tool, broken
argument text, a call beyond `max_allowed_calls`) is answered with an error,
counts as a call, and changes nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.agent.argument_text import ArgumentTextError, check_unicode, kind_of, parse_arguments
from kopa_hf.agent.trimming import MIN_BUDGET, TokenCounter, estimate_tokens, fit_frame, fit_records
from kopa_hf.catalog.canonical import canonical_request
from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.errors import UnknownToolError
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult

ToolLike = Tool | str | Mapping[str, Any]
"""A tool, its name, or its JSON schema (OpenAI style)."""

_UNKEPT: Final = frozenset({"get_current_date"})
"""Tools whose records nobody collects or reduces."""

_HINTS: Final[dict[str, str]] = {
    "quota": "The quota of this platform is used up; another call will not help.",
    "maintenance": "The service is being maintained; another call will not help now.",
    "rate_limit": "The same call may be sent again.",
    "timeout": "The same call may be sent again.",
    "server": "The same call may be sent again.",
    "not_a_response": "The same call may be sent again.",
    "unknown_operation": "The service does not offer this operation.",
}


@dataclass(frozen=True, slots=True)
class ExecutedCall:
    """One issued call: what was asked, what came back, and whether it was carried out."""

    call_id: str
    """Unique in the session; a repeated id of the model gets a suffix."""
    name: str
    arguments: dict[str, Any] | str
    """The object; the raw text where it could not be read."""
    result: CallResult
    step: int
    """Calls issued together share it; counted from 1."""
    executed: bool
    """False: refused before any tool ran."""
    text: str
    """The answer as the model got it."""
    result_id: str | None = None
    """Id under which the episode keeps the records."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """A call that passed every check."""

    tool: Tool
    arguments: dict[str, Any]
    attempt: int


@dataclass(frozen=True, slots=True)
class _Refused:
    """A call that is not executed."""

    outcome: str
    """`budget`, `unknown_tool` or `bad_param`."""
    message: str
    hint: str


class Session:
    """The tools of one rollout over one episode.

    Args:
        executor: Runs the calls.
        tools: What is offered; a call of anything else is refused, known or not. A mapping is by name.
        system_state: The task's predefined state (`Episode.from_system_state`).
        seed: Fixes the values that writes produce; a row's id.
        max_allowed_calls: Issued calls beyond it are refused; None: no limit.
        token_budget: Tokens of one answer's text, at least 200.
        count_tokens: A tokenizer's counter; default: `estimate_tokens`.
        stream: Fault stream of this rollout; equal streams meet equal faults.
    """

    def __init__(
        self,
        executor: Executor,
        tools: Iterable[ToolLike] | Mapping[str, Tool],
        *,
        system_state: Mapping[str, Any] | None = None,
        seed: str = "",
        max_allowed_calls: int | None = None,
        token_budget: int = 2000,
        count_tokens: TokenCounter | None = None,
        stream: str = "",
    ) -> None:
        if token_budget < MIN_BUDGET:
            raise ValueError(f"token_budget is {token_budget}; at least {MIN_BUDGET} tokens are needed")
        self.executor = executor
        self.episode = Episode.from_system_state(system_state, seed=seed)
        self.max_allowed_calls = max_allowed_calls
        self.token_budget = token_budget
        self.calls: list[ExecutedCall] = []
        self._stream = stream
        self._count = count_tokens or estimate_tokens
        self._offered: dict[str, Tool | None] = (
            dict(tools)
            if isinstance(tools, Mapping)
            else {_name_of(tool): tool if isinstance(tool, Tool) else None for tool in tools}
        )
        self._ids: set[str] = set()
        self._failures: dict[str, int] = {}
        """Canonical request → environmental failures so far: the next attempt's number."""

    @property
    def tool_names(self) -> tuple[str, ...]:
        """Names of the offered tools, in the given order."""
        return tuple(self._offered)

    @property
    def requests(self) -> int:
        """HTTP requests spent so far; more than calls where pages were collected."""
        return sum(call.result.requests for call in self.calls)

    @property
    def state_hash(self) -> str:
        """Hash of what writes have done so far."""
        return self.episode.state_hash()

    @property
    def spent(self) -> bool:
        """Whether all allowed calls are used: every further one is refused."""
        return self.max_allowed_calls is not None and len(self.calls) >= self.max_allowed_calls

    def call(
        self, name: str, arguments: Mapping[str, Any] | str, *, call_id: str | None = None, step: int | None = None
    ) -> str:
        """Execute one call and return the JSON text for the model. Never raises on what a model sends."""
        ready = self._check(name, arguments)
        if isinstance(ready, _Refused):
            return self._refuse(name, arguments, ready, call_id, step)
        result = self.executor.call_sync(
            ready.tool, ready.arguments, episode=self.episode, attempt=ready.attempt, stream=self._stream
        )
        return self._note(ready, result, call_id, step)

    async def acall(
        self, name: str, arguments: Mapping[str, Any] | str, *, call_id: str | None = None, step: int | None = None
    ) -> str:
        """`call` on an event loop. Calls of one session are awaited one after the other, so that ids count up alike."""
        ready = self._check(name, arguments)
        if isinstance(ready, _Refused):
            return self._refuse(name, arguments, ready, call_id, step)
        result = await self.executor.call(
            ready.tool, ready.arguments, episode=self.episode, attempt=ready.attempt, stream=self._stream
        )
        return self._note(ready, result, call_id, step)

    def refuse(self, name: str, arguments: Mapping[str, Any] | str, *, step: int | None = None) -> str:
        """Count a call without looking at it: too many came in one turn."""
        surplus = _Refused("budget", "Too many calls in one turn; this one was not executed.", "Send fewer at once.")
        return self._refuse(name, arguments, surplus, None, step)

    # before the call

    def _check(self, name: str, arguments: Mapping[str, Any] | str) -> _Ready | _Refused:
        if self.spent:
            message = f"All {self.max_allowed_calls} allowed calls are used; this one was not executed."
            return _Refused("budget", message, "Give the final answer from what is known.")
        tool = self._tool(name)
        if tool is None:
            near = difflib.get_close_matches(str(name), self._offered, n=3, cutoff=0.5)
            others = near or list(self._offered)[:20]
            return _Refused("unknown_tool", f"No tool {str(name)[:80]!r} is offered.", "Offered: " + ", ".join(others))
        try:
            return self._ready(tool, arguments)
        except ArgumentTextError as error:
            return _Refused("bad_param", f"{tool.name} was not executed: {error}.", signature_text(tool))

    def _ready(self, tool: Tool, arguments: Mapping[str, Any] | str) -> _Ready:
        if not isinstance(arguments, str):
            if not isinstance(arguments, Mapping):
                raise ArgumentTextError(f"the arguments are {kind_of(arguments)}, not a JSON object")
            given = dict(arguments)
            check_unicode(given)
        elif not arguments.strip() and not any(p.required for p in tool.inputs):
            given = {}
        else:
            given = parse_arguments(arguments)
        return _Ready(tool, given, self._failures.get(canonical_request(tool.name, given), 0))

    def _tool(self, name: str) -> Tool | None:
        """The offered tool of that name, looked up on first use."""
        if not isinstance(name, str) or name not in self._offered:
            return None
        tool = self._offered[name]
        if tool is None:
            try:
                tool = self._offered[name] = self.executor.catalog.get(name)
            except UnknownToolError:
                return None
        return tool

    # after the call

    def _refuse(
        self, name: str, arguments: Mapping[str, Any] | str, why: _Refused, call_id: str | None, step: int | None
    ) -> str:
        result = CallResult(
            tool=str(name),
            arguments=dict(arguments) if isinstance(arguments, Mapping) else {},
            outcome="bad_param",
            failure="structural",
            message=why.message,
            source="local",
            requests=0,
        )
        text = self._error(why.outcome, why.message, why.hint)
        raw = arguments if isinstance(arguments, str) else result.arguments
        self._append(str(name), raw, result, text, call_id, step, executed=False)
        return text

    def _note(self, ready: _Ready, result: CallResult, call_id: str | None, step: int | None) -> str:
        tool = ready.tool
        if result.failure == "environmental":
            request = canonical_request(tool.name, ready.arguments)
            self._failures[request] = self._failures.get(request, 0) + 1
        result_id = self.episode.keep(result) if result.ok and result.records and tool.name not in _UNKEPT else None
        if result.outcome in ("ok", "no_data"):
            text = self._success(result, result_id)
        else:
            text = self._error(result.outcome, result.message or result.outcome, self._hint(tool, result))
        self._append(tool.name, ready.arguments, result, text, call_id, step, executed=True, result_id=result_id)
        return text

    def _append(
        self,
        name: str,
        arguments: dict[str, Any] | str,
        result: CallResult,
        text: str,
        call_id: str | None,
        step: int | None,
        *,
        executed: bool,
        result_id: str | None = None,
    ) -> None:
        if step is None:
            step = self.calls[-1].step + 1 if self.calls else 1
        self.calls.append(ExecutedCall(self._unique(call_id), name, arguments, result, step, executed, text, result_id))

    def _unique(self, call_id: str | None) -> str:
        wanted = call_id or f"call_{len(self.calls) + 1}"
        unique, number = wanted, 2
        while unique in self._ids:
            unique, number = f"{wanted}#{number}", number + 1
        self._ids.add(unique)
        return unique

    # texts

    def _success(self, result: CallResult, result_id: str | None) -> str:
        head: dict[str, Any] = {}
        if result_id is not None:
            head["result_id"] = result_id
        if result.value is not None:
            head["value"] = result.value
        if result.records or result.value is None:
            there = len(result.records)
            total = 0 if result.outcome == "no_data" and not there else result.total_count
            head["total"] = total
            head["truncated"] = _more(result) if total is None else there < total
            head["next_page"] = result.next_page
            if result.cursor is not None:
                head["next_cursor"] = result.cursor
        if result.covers is not None:
            head["covers"] = {"rows": result.covers[0], "total": result.covers[1]}
        head["source"] = result.source
        if result.message and (result.outcome == "no_data" or result.source == "local" or result.covers is not None):
            head["note"] = result.message
        elif result.outcome == "no_data":
            head["note"] = "no data"
        if "total" not in head:
            return fit_frame(head, self.token_budget, self._count)
        return fit_records(head, result.records, self.token_budget, self._count)

    def _error(self, outcome: str, message: str, hint: str) -> str:
        error = {"outcome": outcome, "message": message} | ({"hint": hint} if hint else {})
        return fit_frame({"error": error}, self.token_budget, self._count)

    def _hint(self, tool: Tool, result: CallResult) -> str:
        if result.outcome == "bad_param":
            return signature_text(tool)
        if result.outcome == "auth":
            if "request_api_key" in self._offered:
                return f"No valid key is in force for {tool.platform}; request_api_key issues one."
            return f"No valid key is in force for {tool.platform}."
        return _HINTS.get(result.outcome, "")


def signature_text(tool: Tool) -> str:
    """A tool's inputs on one line: `name(corp_code*: string digits:8, page_no: integer = 1)`; * is required."""
    return f"{tool.name}({', '.join(map(_parameter_text, tool.inputs))})"


def _parameter_text(parameter: Parameter) -> str:
    kind: str = parameter.type
    if parameter.format and parameter.format != kind:
        kind += f" {parameter.format}"
    if parameter.enum:
        shown = parameter.enum[:12]
        kind = "|".join(shown) + ("|…" if len(parameter.enum) > len(shown) else "")
    default = f" = {parameter.default}" if parameter.default is not None else ""
    return f"{parameter.name}{'*' if parameter.required else ''}: {kind}{default}"


def _name_of(tool: ToolLike) -> str:
    if isinstance(tool, Tool):
        return tool.name
    if isinstance(tool, str):
        return tool
    function = tool.get("function")
    return str((function if isinstance(function, Mapping) else tool).get("name"))


def _more(result: CallResult) -> bool:
    """Whether rows may follow although the service states no total: a full page hides its end."""
    if result.cursor is not None:
        return True
    return result.page_size is not None and len(result.records) >= result.page_size
