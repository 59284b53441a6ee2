"""The local tools: arithmetic, the clock, work on kept results, and the two that write.

Their signatures are catalog data (`kopa_hf.catalog.local`); what they do is
here. They never raise on arguments or results, as platform tools never do.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import replace
from typing import Any, Final, Protocol

from kopa_hf.catalog.active import active_catalog
from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.errors import ArgumentError, UnknownToolError
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.expression import ExpressionError, evaluate, format_number
from kopa_hf.execution.pages import PageRequest, collect_steps
from kopa_hf.execution.reduce import Reduction, ReductionError, reduce_records
from kopa_hf.execution.result import CallResult
from kopa_hf.execution.writes import WriteError, issue_key, save_table

WEEKDAYS: Final = ("월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일")

Lookup = Callable[[str], Tool]
_Steps = Generator[PageRequest, CallResult, CallResult]


class Fetch(Protocol):
    """`Executor.call_sync`, as `collect_pages` uses it."""

    def __call__(
        self, tool: Tool | str, arguments: Mapping[str, Any], *, episode: Episode | None, attempt: int, stream: str
    ) -> CallResult: ...


class AsyncFetch(Protocol):
    """`Executor.call`, as `collect_pages` uses it."""

    def __call__(
        self, tool: Tool | str, arguments: Mapping[str, Any], *, episode: Episode | None, attempt: int, stream: str
    ) -> Awaitable[CallResult]: ...


def run_local(
    tool: Tool,
    arguments: Mapping[str, Any],
    episode: Episode,
    fetch: Fetch,
    *,
    lookup: Lookup | None = None,
    attempt: int = 0,
    stream: str = "",
) -> CallResult:
    """Run one local tool in an episode.

    `fetch` gets the pages that `collect_pages` lacks; `lookup` finds the tool that
    gave the kept result (default: the built-in catalog).
    """
    start = time.perf_counter()
    source, steps = _begin(tool, arguments, episode, lookup or active_catalog().get, attempt)
    try:
        request = next(steps)
        while True:
            page = fetch(source, request.arguments, episode=episode, attempt=request.attempt, stream=stream)
            request = steps.send(page)
    except StopIteration as stop:
        return _timed(stop.value, start)


async def run_local_async(
    tool: Tool,
    arguments: Mapping[str, Any],
    episode: Episode,
    fetch: AsyncFetch,
    *,
    lookup: Lookup | None = None,
    attempt: int = 0,
    stream: str = "",
) -> CallResult:
    """`run_local` with an awaitable `fetch`; same result."""
    start = time.perf_counter()
    source, steps = _begin(tool, arguments, episode, lookup or active_catalog().get, attempt)
    try:
        request = next(steps)
        while True:
            page = await fetch(source, request.arguments, episode=episode, attempt=request.attempt, stream=stream)
            request = steps.send(page)
    except StopIteration as stop:
        return _timed(stop.value, start)


def _timed(result: CallResult, start: float) -> CallResult:
    return replace(result, elapsed=time.perf_counter() - start)


def _begin(
    tool: Tool, arguments: Mapping[str, Any], episode: Episode, lookup: Lookup, attempt: int
) -> tuple[Tool, _Steps]:
    """(tool that pages are fetched from, the work as a generator that asks for them)."""
    try:
        given, slips = _checked(tool, arguments)
        if tool.name == "collect_pages":
            kept = _kept(tool, episode, given)
            source = _origin(kept, lookup) or tool
            return source, collect_steps(source, arguments, kept, given.get("max_pages"), attempt)
        result = _HANDLERS[tool.name](tool, given, episode)
    except ArgumentError as error:
        return tool, _done(_refusal(tool, arguments, str(error)))
    return tool, _done(replace(result, arguments=dict(arguments), slips=slips))


def _done(result: CallResult) -> _Steps:
    """A generator that asks for no page."""
    yield from ()
    return result


def _refusal(tool: Tool, arguments: Mapping[str, Any], message: str) -> CallResult:
    return CallResult(
        tool=tool.name,
        arguments=dict(arguments),
        outcome="bad_param",
        failure="structural",
        message=message,
        source="local",
        requests=0,
    )


def _origin(kept: CallResult, lookup: Lookup) -> Tool | None:
    """The platform tool behind a kept result; None where a local tool made it."""
    try:
        return lookup(kept.tool)
    except UnknownToolError:
        return None


# arguments


def _checked(tool: Tool, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """(typed arguments, forgiven slips). A null counts as left out. Raises with every problem found."""
    problems: list[str] = []
    slips: list[str] = []
    known = {p.name: p for p in tool.inputs}
    given = {name: value for name, value in arguments.items() if value is not None}
    for name in given:
        if name not in known:
            problems.append(f"{name} is no parameter; parameters: {', '.join(known) or 'none'}")
    for name, parameter in known.items():
        if name not in given:
            if parameter.required:
                problems.append(f"{name} is missing")
            continue
        try:
            given[name] = _typed(parameter, given[name], slips)
        except ValueError as error:
            problems.append(f"{name}: {error}")
    if problems:
        raise ArgumentError(tool.name, problems)
    return given, tuple(slips)


def _typed(parameter: Parameter, value: Any, slips: list[str]) -> Any:
    if parameter.type == "integer":
        if isinstance(value, str) and value.strip().isdecimal():
            slips.append(f"{parameter.name}: text for an integer")
            value = int(value) if len(value) < 10 else 10**9
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"{value!r} is no integer")
        if value < 1:
            raise ValueError(f"{value} is below 1")
        return value
    if parameter.type != "string":
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        slips.append(f"{parameter.name}: a number for a text")
        value = str(value)
    if not isinstance(value, str):
        raise ValueError(f"{type(value).__name__} given where a text is due")
    if parameter.enum and value not in parameter.enum:
        raise ValueError(f"{value!r} is none of {', '.join(parameter.enum)}")
    return value


def _kept(tool: Tool, episode: Episode, given: Mapping[str, Any]) -> CallResult:
    result_id = given["result_id"].strip()
    kept = episode.results.get(result_id)
    if kept is None:
        there = ", ".join(list(episode.results)[-10:]) or "none yet"
        raise ArgumentError(tool.name, [f"result_id: no result {result_id!r} is kept; kept: {there}"])
    return kept


# the tools


def _answer(tool: Tool, *, value: Any = None, records: list[dict[str, Any]] | None = None) -> CallResult:
    return CallResult(
        tool=tool.name,
        arguments={},
        outcome="ok",
        value=value,
        records=records or [],
        total_count=len(records) if records else None,
        source="local",
        requests=0,
    )


def _evaluate_expression(tool: Tool, given: Mapping[str, Any], episode: Episode) -> CallResult:
    try:
        return _answer(tool, value=format_number(evaluate(given["expression"])))
    except ExpressionError as error:
        raise ArgumentError(tool.name, [f"expression: {error}"]) from error


def _get_current_date(tool: Tool, given: Mapping[str, Any], episode: Episode) -> CallResult:
    day = episode.clock
    record = {"date": day.isoformat(), "yyyymmdd": f"{day:%Y%m%d}", "weekday": WEEKDAYS[day.weekday()]}
    return _answer(tool, value=day.isoformat(), records=[record])


def _reduce_records(tool: Tool, given: Mapping[str, Any], episode: Episode) -> CallResult:
    kept = _kept(tool, episode, given)
    request = Reduction(**{name: value for name, value in given.items() if name != "result_id"})
    try:
        out = reduce_records(kept.records, request)
    except ReductionError as error:
        raise ArgumentError(tool.name, [str(error)]) from error
    covers = kept.covers or (len(kept.records), kept.total_count)
    notes = list(out.notes)
    if covers[1] is None or covers[0] < covers[1]:
        there = "an unknown number of" if covers[1] is None else str(covers[1])
        notes.insert(0, f"made from {covers[0]} of {there} rows; collect_pages brings the others")
    if kept.covers is not None and kept.total_count is not None and len(kept.records) < kept.total_count:
        notes.insert(0, f"{given['result_id']} itself was cut to {len(kept.records)} of {kept.total_count} records")
    found = out.value is not None or bool(out.records)
    return CallResult(
        tool=tool.name,
        arguments={},
        outcome="ok" if found else "no_data",
        failure=None if found else "no_data",
        value=out.value,
        records=out.records,
        total_count=out.total if out.records else None,
        message="; ".join(notes if found else ["no record matches", *notes]) or None,
        source=kept.source,
        requests=0,
        covers=covers,
    )


def _save_table(tool: Tool, given: Mapping[str, Any], episode: Episode) -> CallResult:
    try:
        return _answer(tool, value=save_table(episode, given["name"], given["rows"], given.get("columns")))
    except WriteError as error:
        raise ArgumentError(tool.name, [str(error)]) from error


def _request_api_key(tool: Tool, given: Mapping[str, Any], episode: Episode) -> CallResult:
    return _answer(tool, value=issue_key(episode, given["platform"]))


_HANDLERS: Final[dict[str, Callable[[Tool, Mapping[str, Any], Episode], CallResult]]] = {
    "evaluate_expression": _evaluate_expression,
    "get_current_date": _get_current_date,
    "reduce_records": _reduce_records,
    "save_table": _save_table,
    "request_api_key": _request_api_key,
}
