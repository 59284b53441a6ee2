"""Identical calls reach the backend once."""

from __future__ import annotations

import httpx

from kopa_hf.edge.recall import RecallingExecutor
from kopa_hf.execution.episode import Episode

from . import bill_service as bills


def counting() -> tuple[RecallingExecutor, list[str]]:
    asked: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return bills.handler(request)

    return RecallingExecutor(bills.executor(handler)), asked


def test_an_answer_is_asked_for_once_and_is_the_same() -> None:
    executor, asked = counting()
    first = executor.call_sync("list_bills", {"BILL_NAME": "하천법"})
    again = executor.call_sync("list_bills", {"BILL_NAME": "하천법"}, stream="golden")
    assert len(asked) == 1
    assert again.records == first.records
    assert executor.call_sync("list_bills", {"BILL_NAME": "도로법"}).records != first.records
    assert len(asked) == 2


def test_pages_that_are_collected_are_remembered_too() -> None:
    executor, asked = counting()
    for _ in range(2):
        episode = Episode()
        kept = episode.keep(executor.call_sync("list_bills", {}, episode=episode))
        whole = executor.call_sync("collect_pages", {"result_id": kept}, episode=episode)
        assert len(whole.records) == 8
    assert len(asked) == len(set(asked))


def test_failures_and_episodes_with_keys_are_asked_again() -> None:
    asked: list[str] = []

    def broken(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(500, text="점검")

    executor = RecallingExecutor(bills.executor(broken))
    for _ in range(2):
        assert executor.call_sync("list_bills", {}).failure == "environmental"
    assert len(asked) == 2
    executor, asked = counting()
    episode = Episode.from_system_state({"keys_required": ["assembly"]})
    for _ in range(2):
        executor.call_sync("list_bills", {}, episode=episode)
    assert len(asked) == 2


def test_the_longest_unused_answer_goes_first() -> None:
    calls: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        calls.append(str(request.url.params.get("BILL_ID")))
        return bills.handler(request)

    executor = RecallingExecutor(bills.executor(handler), records=4)
    for bill in ("PRC_000", "PRC_001", "PRC_000", "PRC_002", "PRC_000", "PRC_001"):
        executor.call_sync("get_bill_detail", {"BILL_ID": bill})
    assert calls == ["PRC_000", "PRC_001", "PRC_002", "PRC_001"]
