"""Live calls over a real socket: what is repeated, what is not, and what is never sent."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.errors import BackendError, BudgetError
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.exchange import retry_after
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.keys import Keyring
from kopa_hf.execution.limits import Limit
from kopa_hf.execution.result import CallResult
from kopa_hf.sandbox.fates import Fates
from kopa_hf.sandbox.keys import sandbox_key
from kopa_hf.sandbox.serving import SandboxServer, serving
from kopa_hf.sandbox.world import default_world
from tests.execution.loopback import QUICK, TOOL, closed_port, live, unpaced

ARGUMENTS = {"AGE": "22", "pSize": "5"}
WORLD = default_world()
"""One for all servers, since its tables are built when they are first needed."""


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    with Executor(world=WORLD) as executor:
        assert executor.call_sync(TOOL, ARGUMENTS).ok


def server(faults: str = "", **given: Any) -> SandboxServer:
    return SandboxServer(WORLD, fates=Fates.read(faults), **{"hold": 3.0, **given})


def both_ways(executor: Executor, number: int = 5) -> list[CallResult]:
    """The same request as a thread and as an event loop make it, each new to the server."""
    first = executor.call_sync(TOOL, {"AGE": "22", "pSize": str(number)})
    return [first, asyncio.run(executor.call(TOOL, {"AGE": "22", "pSize": str(number + 1)}))]


def test_a_live_answer_is_the_sandbox_s_answer_and_says_live(tmp_path: Path) -> None:
    with serving(server()) as address, live(address, tmp_path) as executor, Executor(world=WORLD) as inside:
        for result in both_ways(executor):
            expected = inside.call_sync(TOOL, result.arguments)
            assert result.source == "live"
            assert (result.records, result.total_count) == (expected.records, expected.total_count)
            assert result.requests == 1


@pytest.mark.parametrize("kind", ["server", "timeout", "reset", "cut", "slow", "empty"])
def test_a_failure_from_outside_is_repeated_and_the_repeat_is_counted(kind: str, tmp_path: Path) -> None:
    heard = server(f"{kind}@1")
    with serving(heard) as address, live(address, tmp_path) as executor:
        for result in both_ways(executor):
            assert (result.outcome, result.requests) == ("ok", 2)
        assert heard.requests == 4
        assert executor.live is not None
        assert executor.live.ledger.used("assembly") == 4


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("server", "server"),
        ("timeout", "timeout"),
        ("reset", "server"),
        ("cut", "server"),
        ("slow", "timeout"),
        ("empty", "not_a_response"),
    ],
)
def test_a_failure_that_stays_is_a_result_after_so_many_tries(kind: str, outcome: str, tmp_path: Path) -> None:
    heard = server(f"{kind}=1")
    with serving(heard) as address, live(address, tmp_path, attempts=2) as executor:
        result = executor.call_sync(TOOL, ARGUMENTS)
    assert (result.outcome, result.failure, result.requests) == (outcome, "environmental", 2)
    assert heard.requests == 2


@pytest.mark.parametrize(("kind", "outcome"), [("quota", "quota"), ("page", "maintenance")])
def test_quota_and_maintenance_are_not_asked_again(kind: str, outcome: str, tmp_path: Path) -> None:
    heard = server(f"{kind}@1")
    with serving(heard) as address, live(address, tmp_path) as executor:
        result = executor.call_sync(TOOL, ARGUMENTS)
    assert (result.outcome, result.requests, heard.requests) == (outcome, 1, 1)


def test_a_wrong_key_is_not_asked_again(tmp_path: Path) -> None:
    heard = server()
    keys = Keyring({"assembly": "0" * 32})
    with serving(heard) as address, live(address, tmp_path, keys=keys) as executor:
        result = executor.call_sync(TOOL, ARGUMENTS)
    assert (result.outcome, heard.requests) == ("auth", 1)


def test_a_429_is_repeated_no_earlier_than_the_service_asks(tmp_path: Path) -> None:
    heard = server("rate_limit@1", retry_after=1)
    with serving(heard) as address, live(address, tmp_path) as executor:
        started = time.monotonic()
        result = executor.call_sync(TOOL, ARGUMENTS)
    assert (result.outcome, result.requests) == ("ok", 2)
    assert time.monotonic() - started >= 1


def test_a_pause_longer_than_the_longest_wait_is_not_waited_for(tmp_path: Path) -> None:
    heard = server("rate_limit@1", retry_after=600)
    with serving(heard) as address, live(address, tmp_path) as executor:
        result = executor.call_sync(TOOL, ARGUMENTS)
    assert (result.outcome, result.requests) == ("rate_limit", 1)


def test_retry_after_is_seconds_or_a_date() -> None:
    assert retry_after("120") == 120
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert 80 < (retry_after(time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 90))) or 0) <= 90
    assert retry_after(None) is retry_after("soon") is retry_after("-1") is None


def test_nobody_listening_is_a_result_too(tmp_path: Path) -> None:
    with live(f"http://127.0.0.1:{closed_port()}", tmp_path, attempts=2) as executor:
        for result in both_ways(executor):
            assert (result.outcome, result.failure, result.requests) == ("server", "environmental", 2)


# what is not sent


def test_a_tool_that_changes_something_is_not_sent(tmp_path: Path) -> None:
    heard = server()
    with serving(heard) as address, live(address, tmp_path) as executor:
        writes = replace(load_catalog().get(TOOL), read=False)
        for result in (executor.call_sync(writes, ARGUMENTS), asyncio.run(executor.call(writes, ARGUMENTS))):
            assert (result.outcome, result.failure, result.requests) == ("bad_param", "structural", 0)
            assert "only tools that read" in (result.message or "")
    assert heard.requests == 0


def test_without_a_key_nothing_is_sent_and_the_variable_is_named(tmp_path: Path) -> None:
    heard = server()
    with serving(heard) as address, live(address, tmp_path, keys=Keyring()) as executor:
        result = executor.call_sync(TOOL, ARGUMENTS)
    assert (result.outcome, result.requests, heard.requests) == ("auth", 0, 0)
    assert "KOPA_ASSEMBLY_KEY" in (result.message or "")


def test_an_issued_key_puts_the_user_s_own_key_in_force(tmp_path: Path) -> None:
    episode = Episode(seed="t1", keys_required=frozenset({"assembly"}))
    with serving(server()) as address, live(address, tmp_path) as executor:
        assert executor.call_sync(TOOL, ARGUMENTS, episode=episode).outcome != "ok"
        executor.call_sync("request_api_key", {"platform": "assembly"}, episode=episode)
        assert episode.keys["assembly"] != sandbox_key("assembly")
        assert executor.call_sync(TOOL, ARGUMENTS, episode=episode).outcome == "ok"


# quotas and budgets


def test_a_used_up_quota_is_known_to_the_next_executor_and_costs_no_request(tmp_path: Path) -> None:
    limits = unpaced(assembly=Limit(per_day=2, concurrency=2))
    heard = server()
    with serving(heard) as address:
        with live(address, tmp_path, limits=limits) as executor:
            assert [r.outcome for r in both_ways(executor)] == ["ok", "ok"]
        with live(address, tmp_path, limits=limits) as executor:
            result = executor.call_sync(TOOL, ARGUMENTS)
    assert (result.outcome, result.requests, heard.requests) == ("quota", 0, 2)
    assert "2 a day" in (result.message or "")


def test_after_the_service_said_quota_nothing_more_is_sent_today(tmp_path: Path) -> None:
    heard = server("quota=1")
    with serving(heard) as address, live(address, tmp_path) as executor:
        assert executor.call_sync(TOOL, ARGUMENTS).requests == 1
        again = executor.call_sync(TOOL, ARGUMENTS)
    assert (again.outcome, again.requests, heard.requests) == ("quota", 0, 1)


def test_repeats_spend_the_budget_and_never_exceed_it(tmp_path: Path) -> None:
    heard = server("server=1")
    with serving(heard) as address, live(address, tmp_path, max_calls=3) as executor:
        assert executor.call_sync(TOOL, ARGUMENTS).requests == 3
        with pytest.raises(BudgetError, match="Stopped after 3 live requests"):
            executor.call_sync(TOOL, ARGUMENTS)
    assert heard.requests == 3


def test_many_calls_at_once_spend_exactly_the_budget(tmp_path: Path) -> None:
    heard = server()

    async def many(executor: Executor) -> list[Any]:
        calls = (executor.call(TOOL, {"AGE": "22", "pSize": str(n)}) for n in range(1, 21))
        return await asyncio.gather(*calls, return_exceptions=True)

    with serving(heard) as address, live(address, tmp_path, max_calls=7) as executor:
        found = asyncio.run(many(executor))
    assert sum(isinstance(item, CallResult) for item in found) == 7
    assert sum(isinstance(item, BudgetError) for item in found) == 13
    assert heard.requests == 7


def test_the_one_day_budget_takes_a_thirtieth_of_a_monthly_quota(tmp_path: Path) -> None:
    limits = unpaced(assembly=Limit(per_month=60, concurrency=1))
    with serving(server()) as address, live(address, tmp_path, limits=limits, max_calls="one-day") as executor:
        assert [r.outcome for r in both_ways(executor)] == ["ok", "ok"]
        with pytest.raises(BudgetError, match="2 a day"):
            executor.call_sync(TOOL, ARGUMENTS)


@pytest.mark.parametrize("wrong", [0, -1, "always"])
def test_a_budget_that_is_none_is_refused(wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="max_calls"), live("http://127.0.0.1:1", tmp_path, max_calls=wrong):
        pass


def test_what_a_job_was_told_costs_nothing_the_second_time_and_failures_are_not_kept(tmp_path: Path) -> None:
    heard, answers = server("server@1,server@2"), tmp_path / "answers.sqlite3"
    with serving(heard) as address:
        with live(address, tmp_path, answers=answers, attempts=1) as executor:
            assert executor.call_sync(TOOL, ARGUMENTS).outcome == "server"
            assert executor.call_sync(TOOL, ARGUMENTS).outcome == "server"
            first = executor.call_sync(TOOL, ARGUMENTS)
        with live(address, tmp_path, answers=answers) as executor:
            second = executor.call_sync(TOOL, {"pSize": 5, "AGE": 22})
    assert heard.requests == 3
    assert (second.records, second.total_count, second.page) == (first.records, first.total_count, first.page)
    assert (second.source, second.requests, second.outcome) == ("live", 0, "ok")


# at once


def test_no_more_requests_are_under_way_than_the_provider_s_limit(tmp_path: Path) -> None:
    heard = server(delay=0.05)
    limits = unpaced(assembly=Limit(per_day=1000, concurrency=2))

    async def many(executor: Executor) -> None:
        await asyncio.gather(*(executor.call(TOOL, {"AGE": "22", "pSize": str(n)}) for n in range(1, 9)))

    with serving(heard) as address, live(address, tmp_path, limits=limits) as executor:
        threads = [
            threading.Thread(target=executor.call_sync, args=(TOOL, {"AGE": "22", "pSize": str(n)}))
            for n in range(10, 16)
        ]
        for thread in threads:
            thread.start()
        asyncio.run(many(executor))
        for thread in threads:
            thread.join()
    assert heard.requests == 14
    assert heard.most_at_once == 2


def test_one_event_loop_after_another_and_connections_close_with_their_loop(tmp_path: Path) -> None:
    heard = server()
    with serving(heard) as address, live(address, tmp_path) as executor:
        for number in range(3):
            result = asyncio.run(executor.call(TOOL, {"AGE": "22", "pSize": str(number + 1)}))
            assert (result.outcome, result.requests) == ("ok", 1)
        deadline = time.monotonic() + 5
        while heard.open_connections and time.monotonic() < deadline:
            time.sleep(0.01)
        assert heard.open_connections == 0


def test_ctrl_c_in_an_event_loop_does_not_wait_for_a_held_connection(tmp_path: Path) -> None:
    slow = replace(QUICK, read=30.0, whole=30.0)

    async def cancelled(executor: Executor) -> None:
        task = asyncio.ensure_future(executor.call(TOOL, ARGUMENTS))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with serving(server("timeout=1", hold=30.0)) as address, live(address, tmp_path, times=slow) as executor:
        started = time.monotonic()
        asyncio.run(cancelled(executor))
        assert time.monotonic() - started < 15  # half of what the connection is held
