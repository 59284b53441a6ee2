"""Collecting the further pages of a kept result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from kopa_hf.catalog.local import local_tools
from kopa_hf.catalog.tool import Endpoint, Paging, Parameter, Tool
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.local import run_local, run_local_async
from kopa_hf.execution.result import CallResult

COLLECT = next(tool for tool in local_tools() if tool.name == "collect_pages")
REDUCE = next(tool for tool in local_tools() if tool.name == "reduce_records")

LIST = Tool(
    name="list_demo_items",
    platform="demo",
    wire="demo",
    domain="finance",
    title="목록",
    description="목록",
    endpoint=Endpoint("https://example.test/list"),
    parameters=(Parameter("page_no", "쪽", role="page"), Parameter("page_count", "건수", role="size")),
    paging=Paging("page_no", "page_count", default_size=10, max_size=10),
)

Answer = Callable[[int, int, int], CallResult | None]


class Service:
    """A paged list of `total` rows; `broken(page, size, attempt)` may answer in its place."""

    def __init__(self, total: int, *, states_total: bool = True, broken: Answer | None = None) -> None:
        self.total = total
        self.states_total = states_total
        self.broken = broken
        self.asked: list[tuple[int, int, int]] = []

    def page(self, page: int, size: int) -> CallResult:
        rows = [{"no": str(n)} for n in range((page - 1) * size + 1, min(page * size, self.total) + 1)]
        return CallResult(
            LIST.name,
            {"page_no": str(page)},
            "ok" if rows else "no_data",
            records=rows,
            total_count=self.total if self.states_total else None,
            page=page,
            page_size=size,
            failure=None if rows else "no_data",
        )

    def fetch(
        self, tool: Tool | str, arguments: Mapping[str, Any], *, episode: Episode | None, attempt: int, stream: str
    ) -> CallResult:
        page, size = int(arguments["page_no"]), int(arguments["page_count"])
        self.asked.append((page, size, attempt))
        return (self.broken and self.broken(page, size, attempt)) or self.page(page, size)


def collect(
    service: Service, *, page: int = 1, size: int = 10, tool: Tool = LIST, attempt: int = 0, **arguments: Any
) -> CallResult:
    episode = Episode()
    episode.keep(service.page(page, size))
    given = {"result_id": "r1", **arguments}
    return run_local(COLLECT, given, episode, service.fetch, lookup=lambda name: tool, attempt=attempt)


def numbers(result: CallResult) -> list[int]:
    return [int(record["no"]) for record in result.records]


def failed(outcome: Any) -> CallResult:
    return CallResult(LIST.name, {}, outcome, failure="environmental", message="down")


def test_all_rows_come_in_order_and_only_the_missing_pages_are_fetched() -> None:
    service = Service(25)
    result = collect(service)
    assert numbers(result) == list(range(1, 26))
    assert service.asked == [(2, 10, 0), (3, 10, 0)]
    assert (result.requests, result.total_count, result.covers) == (2, 25, (25, 25))
    assert result.message is None


def test_a_later_page_is_completed_in_both_directions() -> None:
    service = Service(25)
    assert numbers(collect(service, page=2)) == list(range(1, 26))
    assert [page for page, _, _ in service.asked] == [1, 3]


def test_a_complete_result_costs_no_request() -> None:
    service = Service(7)
    result = collect(service)
    assert numbers(result) == list(range(1, 8))
    assert (result.requests, service.asked) == (0, [])


def test_large_pages_are_used_where_they_save_requests() -> None:
    service = Service(250)
    wide = Tool(**{**_fields(LIST), "paging": Paging("page_no", "page_count", default_size=10, max_size=100)})
    result = collect(service, tool=wide)
    assert numbers(result) == list(range(1, 251))
    assert service.asked == [(1, 100, 0), (2, 100, 0), (3, 100, 0)]
    assert result.requests == 3


def test_row_ranges_are_asked_for_as_first_and_last_row() -> None:
    ranged = Tool(**{**_fields(LIST), "paging": Paging("page_no", "page_count", style="range", max_size=10)})
    asked: list[tuple[int, int]] = []
    service = Service(25)

    def fetch(tool: Any, arguments: Mapping[str, Any], **_: Any) -> CallResult:
        first, last = int(arguments["page_no"]), int(arguments["page_count"])
        asked.append((first, last))
        return service.page((first - 1) // 10 + 1, 10)

    episode = Episode()
    episode.keep(service.page(1, 10))
    result = run_local(COLLECT, {"result_id": "r1"}, episode, fetch, lookup=lambda name: ranged)
    assert numbers(result) == list(range(1, 26))
    assert asked == [(11, 20), (21, 30)]


def test_an_upper_limit_is_said_and_the_result_does_not_pass_as_whole() -> None:
    result = collect(Service(45), max_pages=2)
    assert numbers(result) == list(range(1, 31))
    assert (result.total_count, result.covers) == (45, (30, 45))
    assert result.message == "holds 30 of 45 rows"


@pytest.mark.parametrize("outcome", ["server", "rate_limit", "timeout", "not_a_response"])
def test_a_page_that_fails_once_is_asked_for_again(outcome: str) -> None:
    service = Service(25, broken=lambda page, size, attempt: failed(outcome) if (page, attempt) == (2, 0) else None)
    result = collect(service)
    assert numbers(result) == list(range(1, 26))
    assert service.asked == [(2, 10, 0), (2, 10, 1), (3, 10, 0)]
    assert result.requests == 3


def test_a_page_that_keeps_failing_fails_the_whole_and_leaves_no_rows() -> None:
    result = collect(Service(25, broken=lambda page, size, attempt: failed("server") if page == 3 else None))
    assert (result.outcome, result.failure, result.records) == ("server", "environmental", [])
    assert result.requests == 4  # page 2 once, page 3 three times
    assert "page 3 could not be had (down)" in (result.message or "")


def test_a_used_up_quota_is_not_asked_again() -> None:
    service = Service(25, broken=lambda page, size, attempt: failed("quota"))
    result = collect(service)
    assert (result.outcome, result.requests) == ("quota", 1)


def test_a_second_collection_continues_the_count_of_attempts() -> None:
    service = Service(25, broken=lambda page, size, attempt: failed("server") if attempt < 4 else None)
    assert collect(service).outcome == "server"
    assert collect(service, attempt=1).ok
    assert [attempt for page, _, attempt in service.asked if page == 2] == [0, 1, 2, 3, 4]


def test_a_list_that_changes_while_it_is_read_is_no_result() -> None:
    result = collect(Service(25, broken=lambda page, size, attempt: Service(26).page(page, size)))
    assert (result.outcome, result.records) == ("server", [])
    assert "25 rows, then 26" in (result.message or "")


def test_a_service_that_states_no_total_is_read_to_its_end() -> None:
    for total in (25, 30):
        result = collect(Service(total, states_total=False))
        assert numbers(result) == list(range(1, total + 1))
        assert result.total_count == total


def test_a_page_with_fewer_rows_than_stated_shows_in_the_coverage() -> None:
    def short(page: int, size: int, attempt: int) -> CallResult | None:
        whole = Service(25).page(page, size)
        return CallResult(**{**_fields(whole), "records": whole.records[:-1]}) if page == 2 else None

    result = collect(Service(25, broken=short))
    assert len(result.records) == 24
    assert result.covers == (24, 25)
    assert result.message == "holds 24 of 25 rows"


async def _asynchronously(service: Service) -> CallResult:
    async def fetch(*args: Any, **kwargs: Any) -> CallResult:
        return service.fetch(*args, **kwargs)

    episode = Episode()
    episode.keep(service.page(1, 10))
    return await run_local_async(COLLECT, {"result_id": "r1"}, episode, fetch, lookup=lambda name: LIST)


def test_the_asynchronous_twin_gives_the_same_result() -> None:
    import asyncio

    one, other = Service(25), Service(25)
    result = asyncio.run(_asynchronously(one))
    assert result.records == collect(other).records
    assert one.asked == other.asked


def test_an_unknown_result_id_names_the_kept_ones() -> None:
    episode = Episode()
    episode.keep(Service(5).page(1, 10))
    result = run_local(COLLECT, {"result_id": "r9"}, episode, Service(5).fetch, lookup=lambda name: LIST)
    assert (result.outcome, result.requests) == ("bad_param", 0)
    assert "kept: r1" in (result.message or "")


def test_a_reduction_over_page_one_says_how_little_it_saw() -> None:
    episode = Episode()
    service = Service(25)
    episode.keep(service.page(1, 10))
    partly = run_local(REDUCE, {"result_id": "r1", "operation": "count"}, episode, service.fetch)
    assert (partly.value, partly.covers) == (10, (10, 25))
    assert partly.message == "made from 10 of 25 rows; collect_pages brings the others"
    whole = run_local(COLLECT, {"result_id": "r1"}, episode, service.fetch, lookup=lambda name: LIST)
    result_id = episode.keep(whole)
    count = run_local(REDUCE, {"result_id": result_id, "operation": "count"}, episode, service.fetch)
    assert (count.value, count.covers, count.message) == (25, (25, 25), None)


def test_a_reduction_of_a_reduction_remembers_what_was_never_seen() -> None:
    episode = Episode()
    service = Service(25)
    episode.keep(service.page(1, 10))
    kept = run_local(
        REDUCE,
        {"result_id": "r1", "operation": "filter", "where_field": "no", "where_op": "le", "where_value": "4"},
        episode,
        service.fetch,
    )
    result_id = episode.keep(kept)
    total = run_local(REDUCE, {"result_id": result_id, "operation": "sum", "field": "no"}, episode, service.fetch)
    assert (total.value, total.covers) == ("10", (10, 25))  # 1 + 2 + 3 + 4


def _fields(record: Any) -> dict[str, Any]:
    import dataclasses

    return {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}
