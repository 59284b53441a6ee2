"""One call's answer, cut down to what refinement needs, asked for once per run."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.arguments import value_text
from kopa_hf.edge.control import fingerprint
from kopa_hf.errors import BackendError
from kopa_hf.execution.episode import canonical_json
from kopa_hf.execution.result import CallResult
from kopa_hf.platforms.failures import Failure

ROWS_KEPT: Final = 12
"""Records of an answer that paths may go on from."""
ANSWERS_KEPT: Final = 60_000
"""Answers held in memory; an older one is asked for again, with the same outcome on a deterministic backend."""
TAIL: Final = 20
"""Environmental failures in a row at the end of a round of calls after which the round is not counted."""
DEAD_AFTER: Final = 60
"""Environmental failures in a row after which the backend counts as dead."""


class Caller(Protocol):
    """What refinement needs of an executor."""

    backend: str

    async def call(
        self, tool: Tool | str, arguments: Mapping[str, Any], *, attempt: int = 0, stream: str = ""
    ) -> CallResult:
        """One call; failures come back as results."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What one call showed."""

    outcome: str
    """The service's outcome; `wrong_shape` for a well-formed body of an undocumented shape."""
    failure: Failure | None
    records: tuple[dict[str, str | None], ...] = ()
    """The first rows, wanted fields only, as text; None for a blank cell."""
    cardinalities: dict[str, int] = field(default_factory=dict)
    """Wanted field → distinct values, over all pages as far as the first page lets one tell."""
    fingerprint: str = ""
    """Equal for answers that are alike but for an echo of the request."""

    @property
    def ok(self) -> bool:
        """True where at least one record came back."""
        return self.failure is None and self.outcome == "ok"


class Ask(Protocol):
    """Makes a call and says what it showed."""

    async def __call__(
        self, tool: Tool, arguments: Mapping[str, str], attempt: int, stream: str, wanted: frozenset[str], skip: int
    ) -> Observation:
        """See `observe`."""


def observe(result: CallResult, wanted: frozenset[str], skip: int = 0) -> Observation:
    """Cut a result down to the wanted fields, `skip` records left out where enough others follow."""
    outcome = str(result.outcome)
    if outcome == "not_a_response" and result.failure == "structural":
        outcome = "wrong_shape"
    if not result.ok:
        return Observation(outcome, result.failure)
    first = skip if len(result.records) > skip else 0
    records = tuple(
        {name: value_text(record[name]) for name in record if name in wanted}
        for record in result.records[first : first + ROWS_KEPT]
    )
    cardinalities = {
        name: cardinality(result, name) for name in wanted if any(name in record for record in result.records)
    }
    alike = fingerprint(result.records, result.total_count, result.arguments)
    return Observation(outcome, None, records, cardinalities, alike)


def cardinality(result: CallResult, name: str) -> int:
    """Distinct values of a field in a result.

    Where only a page is there, the page's share of distinct values is taken for the
    whole: a key stays as many as there are rows, a field with one value stays one.
    """
    texts = [text for record in result.records if (text := value_text(record.get(name))) is not None]
    distinct, rows = len(set(texts)), len(result.records)
    if distinct <= 1 or result.total_count is None or result.total_count <= rows:
        return distinct
    return round(result.total_count * distinct / rows)


class Answers:
    """Asks each (request, attempt) once; whoever asks again gets the first answer."""

    def __init__(
        self,
        executor: Caller,
        wanted: Mapping[str, frozenset[str]],
        *,
        stream: str = "",
        skip: int = 0,
        ask: Ask | None = None,
    ) -> None:
        """`ask`: who asks in the executor's place."""
        self.executor = executor
        self._ask = ask or self._ask_here
        self.stream = stream
        self.skip = skip
        self.asked = 0
        self.sent = 0
        self._wanted = wanted
        self._known: OrderedDict[tuple[str, int], asyncio.Future[Observation]] = OrderedDict()
        self.failing = 0
        """Environmental failures since the last answer of any other kind."""

    async def get(self, tool: Tool, arguments: Mapping[str, str], attempt: int) -> Observation:
        """The observation of one call."""
        self.asked += 1
        key = (request_key(tool.name, arguments), attempt)
        waiting = self._known.get(key)
        if waiting is not None:
            self._known.move_to_end(key)
            return await waiting
        future: asyncio.Future[Observation] = asyncio.get_running_loop().create_future()
        self._known[key] = future
        if len(self._known) > ANSWERS_KEPT:
            self._drop_oldest()
        try:
            self.sent += 1
            wanted = self._wanted.get(tool.name, frozenset())
            observation = await self._ask(tool, arguments, attempt, self.stream, wanted, self.skip)
        except BaseException as error:
            del self._known[key]
            future.set_exception(error)
            future.exception()  # mark as seen: nobody may be waiting
            raise
        future.set_result(observation)
        self._watch(tool, observation)
        return observation

    async def _ask_here(
        self, tool: Tool, arguments: Mapping[str, str], attempt: int, stream: str, wanted: frozenset[str], skip: int
    ) -> Observation:
        return observe(await self.executor.call(tool, arguments, attempt=attempt, stream=stream), wanted, skip)

    def check_tail(self) -> None:
        """Raise `BackendError` where the latest calls all failed for outside reasons: the backend died half-way."""
        if self.failing >= TAIL:
            raise BackendError(
                f"The last {self.failing} calls to the {self.executor.backend} backend failed for outside reasons: it "
                "is down or refuses. What was called last is not counted, what was finished before is kept. Run the "
                "same command again later and it resumes."
            )

    def _drop_oldest(self) -> None:
        oldest = next(iter(self._known))
        if self._known[oldest].done():
            del self._known[oldest]

    def _watch(self, tool: Tool, observation: Observation) -> None:
        if observation.outcome == "quota":  # a service's own word that nothing more comes today, so no edge is blamed
            raise BackendError(
                f"The quota of {tool.platform} is used up. What was finished before is kept; run the same command "
                "again when the service counts anew (most do at midnight, Korean time) and it resumes."
            )
        self.failing = self.failing + 1 if observation.failure == "environmental" else 0
        if self.failing >= DEAD_AFTER:
            raise BackendError(
                f"The last {DEAD_AFTER} calls to the {self.executor.backend} backend failed "
                f"(the last one: {observation.outcome}). It is down, or a quota is used up. Finished iterations are "
                "kept; run the same command again later and it resumes."
            )


def request_key(tool_name: str, arguments: Mapping[str, str]) -> str:
    """Text that is equal for equal calls; arguments here are made by rule, so one value has one spelling."""
    return f"{tool_name} {canonical_json(dict(arguments))}"
