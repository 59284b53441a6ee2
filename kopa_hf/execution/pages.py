"""The further pages of a kept result, as one new result.

The work is written once, as a generator that yields the page requests it
needs and receives their results; the synchronous and the asynchronous caller
each drive it in their own way.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from kopa_hf.catalog.tool import Paging, Tool
from kopa_hf.execution.result import CallResult
from kopa_hf.platforms.base import Record
from kopa_hf.platforms.failures import RETRYABLE

TRIES: Final = 3
"""Requests spent on one page before the collection fails."""
MAX_REQUESTS: Final = 1_000
"""Pages that one collection fetches at most; what lies beyond is said, not dropped in silence."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """One page to be fetched."""

    arguments: dict[str, Any]
    attempt: int


PageSteps = Generator[PageRequest, CallResult, CallResult]


def collect_steps(
    tool: Tool, arguments: Mapping[str, Any], kept: CallResult, max_pages: int | None, attempt: int
) -> PageSteps:
    """Fetch what `kept` lacks; `tool` is the one that gave it, `arguments` are those of `collect_pages`.

    `max_pages` counts further pages, of the kept result's size. Where the service allows
    larger pages and that takes fewer requests, the list is read anew in large
    pages. A page that cannot be had makes the whole an environmental failure;
    a list that is still short of its stated total says so through `covers`.
    """
    paging = tool.paging
    whole = _Whole(arguments, kept)
    if paging is not None and paging.style == "cursor":
        return (yield from _along_cursors(whole, kept, paging, max_pages, attempt))
    if paging is None or kept.page is None or kept.page_size is None:
        return whole.result(kept.records, kept.total_count, requests=0)
    if kept.total_count is not None and kept.page == 1 and len(kept.records) >= kept.total_count:
        return whole.result(kept.records, kept.total_count, requests=0)
    wanted = None if max_pages is None else (max_pages + 1) * kept.page_size
    size, pages = _plan(kept, paging, wanted)
    rows: list[Record] = []
    spent, number, total = 0, 0, kept.total_count
    while number < MAX_REQUESTS and (total is None or number * size < total):
        if wanted is not None and number * size >= wanted:
            break
        number += 1
        if number in pages:
            rows += pages[number]
            continue
        page, tries = yield from _page(kept, paging, number, size, attempt)
        spent += tries
        if page.outcome == "no_data" and total is None:
            total = len(rows)
            break
        if not page.ok:
            return whole.failure(page, number, spent)
        if total is not None and page.total_count != total:
            return whole.changed(total, page.total_count, spent)
        rows += page.records
        if total is None and len(page.records) < size:
            total = len(rows)
    return whole.result(rows if wanted is None else rows[:wanted], total, requests=spent)


def _along_cursors(whole: _Whole, kept: CallResult, paging: Paging, max_pages: int | None, attempt: int) -> PageSteps:
    """From a first page to the last, each asked for with what the one before handed out."""
    rows, spent, page = list(kept.records), 0, kept
    seen: set[str] = set()
    most = MAX_REQUESTS if max_pages is None else min(max_pages, MAX_REQUESTS)
    while page.cursor is not None and len(seen) < most:
        if page.cursor in seen:
            return whole.changed(len(rows), None, spent)
        seen.add(page.cursor)
        page, tries = yield from _fetched({**kept.arguments, paging.page: page.cursor}, attempt)
        spent += tries
        if page.outcome == "no_data":
            break
        if not page.ok:
            return whole.failure(page, len(seen) + 1, spent)
        rows += page.records
    total = len(rows) if page.cursor is None and kept.page == 1 else kept.total_count
    return whole.result(rows, total, requests=spent)


def _plan(kept: CallResult, paging: Paging, wanted: int | None) -> tuple[int, dict[int, list[Record]]]:
    """(page size, pages already there) that need the fewest requests."""
    assert kept.page is not None
    assert kept.page_size is not None
    largest = max(paging.max_size, 1)
    size = min(kept.page_size, largest)
    held = {kept.page: kept.records}
    if kept.total_count is None:
        return size, held if size == kept.page_size else {}
    expected = min(size, max(kept.total_count - (kept.page - 1) * size, 0))
    if size != kept.page_size or len(kept.records) != expected:
        return largest, {}
    target = kept.total_count if wanted is None else min(wanted, kept.total_count)
    if -(-target // largest) < -(-target // size) - 1:
        return largest, {}
    return size, held


def _page(
    kept: CallResult, paging: Paging, number: int, size: int, attempt: int
) -> Generator[PageRequest, CallResult, tuple[CallResult, int]]:
    """One page, tried again while the failure may pass; with the requests it took."""
    return (yield from _fetched({**kept.arguments, **paging.place(number, size)}, attempt))


def _fetched(arguments: dict[str, Any], attempt: int) -> Generator[PageRequest, CallResult, tuple[CallResult, int]]:
    """One request's result, tried again while the failure may pass; with the requests it took."""
    spent = 0
    for again in range(TRIES):
        page = yield PageRequest(arguments, attempt * TRIES + again)
        spent += page.requests
        if page.outcome not in RETRYABLE:
            break
    return page, spent


@dataclass(frozen=True, slots=True)
class _Whole:
    """Writes the result of one collection."""

    arguments: Mapping[str, Any]
    kept: CallResult

    def result(self, rows: list[Record], total: int | None, *, requests: int) -> CallResult:
        short = total is None or len(rows) < total
        there = "an unknown number of" if total is None else str(total)
        return CallResult(
            tool="collect_pages",
            arguments=dict(self.arguments),
            outcome="ok" if rows else "no_data",
            failure=None if rows else "no_data",
            records=list(rows),
            total_count=total,
            message=f"holds {len(rows)} of {there} rows" if short else None,
            source=self.kept.source,
            requests=requests,
            covers=self.kept.covers or (len(rows), total),
        )

    def failure(self, page: CallResult, number: int, spent: int) -> CallResult:
        reason = page.message or page.outcome
        return replace(
            self.result([], None, requests=spent),
            outcome=page.outcome if page.outcome != "no_data" else "not_a_response",
            failure="structural" if page.failure == "structural" else "environmental",
            message=f"page {number} could not be had ({reason}); nothing was kept, call collect_pages again",
            code=page.code,
            covers=None,
        )

    def changed(self, before: int | None, now: int | None, spent: int) -> CallResult:
        return replace(
            self.result([], None, requests=spent),
            outcome="server",
            failure="environmental",
            message=f"the list changed while it was read ({before} rows, then {now}); nothing was kept, call again",
            covers=None,
        )
