"""Live calls: what has to be true before a request leaves, and what happens when it fails.

One call goes one line: may this tool run → is there a key → does the job still have calls
→ does the service's quota have room → is it time → send → count what the answer says →
again, where another try can help.
"""

from __future__ import annotations

import dataclasses
import datetime
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from tenacity import AsyncRetrying, RetryCallState, Retrying, retry_if_result, stop_after_attempt
from tenacity.wait import wait_base, wait_random_exponential

from kopa_hf.catalog.folder import KINDS as OWN_WIRES
from kopa_hf.catalog.registry import Catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import BackendError, BudgetError
from kopa_hf.execution.answers import Answers
from kopa_hf.execution.bounded import UnreadableError
from kopa_hf.execution.exchange import Exchange
from kopa_hf.execution.keys import KeyFilter, Keyring, missing_key
from kopa_hf.execution.ledger import KOREA, Ledger, default_state
from kopa_hf.execution.limits import Limits, Quota
from kopa_hf.execution.network import NetworkTransport, TimeLimits
from kopa_hf.execution.pace import Pace
from kopa_hf.execution.resolving import Codes
from kopa_hf.execution.result import CallResult
from kopa_hf.platforms.failures import RETRYABLE
from kopa_hf.platforms.wires import wire_for

ONE_DAY: Final = "one-day"
"""The budget that fits what each service still allows today."""
_RESUME: Final = "Run the same command again to go on: with --output or --log it keeps what it has."


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """Everything that a live backend can be told."""

    keys: Keyring | None = None
    """None: from the environment and the user's key file."""
    via: str | None = None
    """Address of a stand-in for all services (`kopa sandbox serve`)."""
    state: Path | None = None
    """Folder of the record of calls; None: the user's state folder."""
    limits: Limits | None = None
    max_calls: int | Literal["one-day"] | None = None
    """Requests this job may send; None: as many as quotas allow."""
    answers: Path | None = None
    """File in which a job keeps what it was told, to go on after a stop without asking again."""
    attempts: int = 4
    """Requests per call at most, the first one included."""
    first_wait: float = 0.5
    """Seconds; doubled each time, and a random part of it is waited."""
    longest_wait: float = 60.0
    """Seconds; a service that asks for a longer pause is not asked again within this call."""
    times: TimeLimits = dataclasses.field(default_factory=TimeLimits)


class Budget:
    """Requests that a job may still send."""

    def __init__(self, calls: int | None) -> None:
        self.calls = calls
        self.spent = 0
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Count one request, or say that none is left."""
        with self._lock:
            if self.calls is not None and self.spent >= self.calls:
                return False
            self.spent += 1
            return True

    def give_back(self) -> None:
        """Take back a request that was counted and not sent."""
        with self._lock:
            self.spent -= 1

    @property
    def left(self) -> int | None:
        """Requests left; None: not bounded."""
        return None if self.calls is None else self.calls - self.spent


class Live:
    """The live backend's rules: keys, budget, quotas, pace, retries."""

    def __init__(self, settings: LiveSettings | None = None, catalog: Catalog | None = None) -> None:
        """`catalog`: the one whose tools are called; one of one's own names services, limits and allowed writes."""
        services = {} if catalog is None else catalog.services
        self._allowed = frozenset() if catalog is None else catalog.allowed
        self.settings = settings = settings or LiveSettings()
        if settings.max_calls not in (None, ONE_DAY) and (
            not isinstance(settings.max_calls, int) or settings.max_calls < 1
        ):
            raise BackendError(f"max_calls is a whole number above 0, or {ONE_DAY!r}.")
        self.keys = settings.keys if settings.keys is not None else Keyring.load(names=services)
        self._filter = KeyFilter(self.keys.with_services(services))
        self._filter.install()
        self.limits = (settings.limits or Limits.default()).with_services(services)
        realm, folder = "via" if settings.via else "live", settings.state or default_state()
        self.ledger = Ledger(folder, realm)
        self.pace = Pace(folder, realm)
        self.codes = Codes(folder, realm)
        self.answers = Answers(settings.answers, realm) if settings.answers is not None else None
        self.transport = NetworkTransport(via=settings.via, times=settings.times)
        self.job = settings.max_calls is not None
        self.budget = Budget(settings.max_calls if isinstance(settings.max_calls, int) else None)

    @property
    def today(self) -> datetime.date:
        """The day in Korea."""
        return datetime.datetime.now(KOREA).date()

    def run(self, tool: Tool, arguments: Mapping[str, Any], once: Callable[[int], Exchange]) -> CallResult:
        """Make a call; `once(n)` sends the n-th try (from 0)."""
        settled = self._settled(tool, arguments)
        if settled is not None:
            return settled
        quota, sent = self.quota_of(tool), 0

        def attempt() -> Exchange:
            nonlocal sent
            stop = self._admit(tool, arguments, quota)
            if stop is not None:
                return stop
            with self.pace.place(quota):
                self.pace.wait(quota)
                sent += 1
                return self._noted(once(sent - 1), quota)

        exchange: Exchange = Retrying(**self._policy(quota, tool))(attempt)
        return self._finished(tool, arguments, exchange, sent)

    async def run_async(
        self, tool: Tool, arguments: Mapping[str, Any], once: Callable[[int], Awaitable[Exchange]]
    ) -> CallResult:
        """`run` on an event loop."""
        settled = self._settled(tool, arguments)
        if settled is not None:
            return settled
        quota, sent = self.quota_of(tool), 0

        async def attempt() -> Exchange:
            nonlocal sent
            stop = self._admit(tool, arguments, quota)
            if stop is not None:
                return stop
            async with self.pace.place_async(quota):
                await self.pace.wait_async(quota)
                sent += 1
                return self._noted(await once(sent - 1), quota)

        exchange: Exchange = await AsyncRetrying(**self._policy(quota, tool))(attempt)
        return self._finished(tool, arguments, exchange, sent)

    def run_once(self, tool: Tool, arguments: Mapping[str, Any], once: Callable[[], Exchange]) -> Exchange:
        """One request under the same rules, never repeated."""
        refused = self.refusal(tool, arguments)
        if refused is not None:
            return Exchange(refused)
        quota = self.quota_of(tool)
        stop = self._admit(tool, arguments, quota)
        if stop is not None:
            return stop
        with self.pace.place(quota):
            self.pace.wait(quota)
            return self._noted(once(), quota)

    def refusal(self, tool: Tool, arguments: Mapping[str, Any]) -> CallResult | None:
        """Why a tool is not called at all, or None."""
        if not tool.read and tool.name not in self._allowed:
            message = "It changes something, and outside the sandbox only tools that read are run"
            message += ", or that were allowed by name." if tool.wire in OWN_WIRES else "."
            message += " Nothing was sent."
            return _unsent(tool, arguments, "bad_param", "structural", message)
        if tool.endpoint.code_unresolved:
            message = "Its live address is not known: only its id is public, and the portal's list names no address."
            return _unsent(tool, arguments, "unknown_operation", "structural", message)
        if tool.endpoint.auth is not None and self.keys.key_for(tool) is None:
            return _unsent(tool, arguments, "auth", "environmental", missing_key(tool))
        return None

    def quota_of(self, tool: Tool) -> Quota:
        """The counter that a tool's requests fall under; the one-day budget takes its share of a monthly quota."""
        quota = self.limits.quota_of(tool)
        if self.settings.max_calls != ONE_DAY:
            return quota
        return dataclasses.replace(quota, limit=dataclasses.replace(quota.limit, per_day=quota.limit.day))

    def close(self) -> None:
        """Close connections and files."""
        if self.answers is not None:
            self.answers.close()
        self.transport.close()
        self.ledger.close()
        self.pace.close()
        self._filter.remove()

    def _admit(self, tool: Tool, arguments: Mapping[str, Any], quota: Quota) -> Exchange | None:
        """Count the next request against budget and quota; raises `BudgetError` in a job that must stop."""
        if not self.budget.take():
            raise BudgetError(
                f"Stopped after {self.budget.spent} live requests, as many as --max-calls allows. {_RESUME}"
            )
        period = self.ledger.take(quota)
        if period is None:
            return None
        self.budget.give_back()
        words = f"The quota of {quota.counter} ({quota.limit.words}) is used up for this {period}, Korean time."
        if self.ledger.exhausted(quota):
            sent = self.ledger.used(quota.counter)
            words = (
                f"{quota.counter} itself said today that its quota is used up (by our count {sent:,} sent, of "
                f"{quota.limit.words}); it is asked again tomorrow, Korean time."
            )
        if self.job:
            raise BudgetError(f"{words} {_RESUME}")
        return Exchange(_unsent(tool, arguments, "quota", "environmental", f"{words} Nothing was sent."))

    def _noted(self, exchange: Exchange, quota: Quota) -> Exchange:
        """Remember a quota that the service says is used up; one that returns within seconds is a pause.

        A failure of one request, as payment that it would take, ends no other one.
        """
        pause = exchange.retry_after
        if exchange.result.outcome != "quota" or (pause is not None and pause <= self.settings.longest_wait):
            return exchange
        if not exchange.of_request or pause is not None:
            self.ledger.exhaust(quota)
        return exchange

    def _settled(self, tool: Tool, arguments: Mapping[str, Any]) -> CallResult | None:
        """A result for which nothing has to be sent: a refusal, or what the job was told before."""
        refused = self.refusal(tool, arguments)
        if refused is not None or self.answers is None or not tool.read:
            return refused
        return self.answers.get(tool, arguments)

    def _finished(self, tool: Tool, arguments: Mapping[str, Any], exchange: Exchange, sent: int) -> CallResult:
        if not sent:
            return exchange.result
        result = dataclasses.replace(exchange.result, requests=sent)
        if self.answers is not None and tool.read:
            self.answers.put(tool, arguments, result)
        return result

    def _policy(self, quota: Quota, tool: Tool) -> dict[str, Any]:
        """When to try again, and after how long. What writes may have been done although no answer came."""
        settings = self.settings
        harmless = frozenset({"rate_limit"}) if wire_for(tool.wire).refuses_first else frozenset()

        def no_room(_: RetryCallState) -> bool:
            return self.budget.left == 0 or self.ledger.left(quota) <= 0

        return {
            "retry": retry_if_result(
                lambda exchange: (
                    may_help(exchange, settings.longest_wait) and (tool.read or exchange.result.outcome in harmless)
                )
            ),
            "wait": _Wait(wait_random_exponential(multiplier=settings.first_wait, max=settings.longest_wait)),
            "stop": lambda state: stop_after_attempt(settings.attempts)(state) or no_room(state),
            "retry_error_callback": lambda state: state.outcome.result(),
        }


def may_help(exchange: Exchange, longest_wait: float) -> bool:
    """Whether another try can end otherwise: failures from outside, but neither keys nor quotas."""
    result = exchange.result
    if result.failure != "environmental" or result.outcome not in RETRYABLE:
        return False
    if exchange.broke is not None and issubclass(exchange.broke, UnreadableError):
        return False
    return exchange.retry_after is None or exchange.retry_after <= longest_wait


class _Wait(wait_base):
    """What the service asks for, and a random part of it more; else exponential with jitter."""

    def __init__(self, otherwise: wait_base) -> None:
        self._otherwise = otherwise

    def __call__(self, retry_state: RetryCallState) -> float:
        jitter = self._otherwise(retry_state)
        outcome = retry_state.outcome
        asked = outcome.result().retry_after if outcome is not None else None
        # never earlier than asked, and not all callers at once
        return jitter if asked is None else float(asked) + min(jitter, 1.0)


def _unsent(tool: Tool, arguments: Mapping[str, Any], outcome: Any, failure: Any, message: str) -> CallResult:
    return CallResult(
        tool=tool.name, arguments=dict(arguments), outcome=outcome, failure=failure,
        message=message, source="live", requests=0,
    )  # fmt: skip
