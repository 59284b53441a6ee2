"""Replay: recorded answers read anew, and one declared reply to everything that was never recorded.

No request leaves the process. A request that the service refused while recording is refused again in the
same way; whatever else has no answer gets `UNSEEN`, and counts.
"""

from __future__ import annotations

import datetime
import threading
import time
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol

from kopa_hf.catalog.arguments import Bound
from kopa_hf.catalog.canonical import canonical_request
from kopa_hf.catalog.tool import Tool
from kopa_hf.execution.reading import answer_of, result_of
from kopa_hf.execution.recorded import Failed, Recorded
from kopa_hf.execution.result import UNSEEN, UNSEEN_MESSAGE, CallResult
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.platforms.failures import FAILURE_OF, Failure, Outcome

NO_KEY_MESSAGE: Final = "No key is in force, and recorded answers were given to a key."
SHOWN: Final = 20
"""Unseen requests that are kept by name."""


class Answering(Protocol):
    """What replay needs of whatever holds the answers."""

    day: datetime.date

    def get(self, request: str) -> Recorded | None:
        """The answer to a canonical request, or None."""

    def failure(self, request: str) -> Failed | None:
        """How a request without an answer ended, or None."""

    def close(self) -> None:
        """Close what is open."""


def request_text(tool: Tool, bound: Bound) -> str:
    """The canonical request of what the service is asked.

    What the executor filters itself (`client` parameters) is not part of it: the service answers alike.
    """
    return canonical_request(tool.name, bound.values)


class Replay:
    """The replay backend's rules, and its counts."""

    def __init__(self, answers: Answering, *, owned: bool = False) -> None:
        self.answers = answers
        self.day = answers.day
        self.answered = 0
        """Calls that were answered, or refused as they were then."""
        self.unseen = 0
        """Calls whose request the snapshot does not hold."""
        self.missing: dict[str, int] = {}
        """The first such requests, and how often each was made."""
        self._owned = owned
        self._lock = threading.Lock()

    @classmethod
    def of(cls, snapshot: Answering | Path | str) -> Replay:
        """From a file, which is then closed with the replay, or from something that is open."""
        if isinstance(snapshot, Path | str):
            return cls(Snapshot(snapshot), owned=True)
        return cls(snapshot)

    @cached_property
    def provenance(self) -> dict[str, str]:
        """`origin` of the answers and the first 16 digits of the `snapshot`'s fingerprint, where they stand in one."""
        if not isinstance(self.answers, Snapshot):
            return {}
        return {"origin": self.answers.origin, "snapshot": self.answers.fingerprint()[:16]}

    def result(self, tool: Tool, arguments: Mapping[str, Any], bound: Bound, key: str | None) -> CallResult:
        """What the snapshot says to a call; `DataError` where that is damaged."""
        start = time.perf_counter()
        if tool.endpoint.auth is not None and key is None:
            return _unanswered(tool, arguments, bound, "auth", FAILURE_OF["auth"], NO_KEY_MESSAGE)
        request = request_text(tool, bound)
        recorded = self.answers.get(request)
        if recorded is None:
            return self._without(tool, arguments, bound, request)
        answer = answer_of(recorded)
        with self._lock:
            self.answered += 1
        elapsed = time.perf_counter() - start
        return result_of(tool, arguments, bound, answer, elapsed=elapsed, source="replay")

    def close(self) -> None:
        """Close the snapshot if it was opened here."""
        if self._owned:
            self.answers.close()

    def _without(self, tool: Tool, arguments: Mapping[str, Any], bound: Bound, request: str) -> CallResult:
        failed = self.answers.failure(request)
        if failed is not None and failed.failure == "structural":
            with self._lock:
                self.answered += 1
            outcome: Any = failed.outcome
            return _unanswered(tool, arguments, bound, outcome, "structural", failed.message)
        with self._lock:
            self.unseen += 1
            if request in self.missing or len(self.missing) < SHOWN:
                self.missing[request] = self.missing.get(request, 0) + 1
        return _unanswered(tool, arguments, bound, UNSEEN, FAILURE_OF[UNSEEN], UNSEEN_MESSAGE)


def _unanswered(
    tool: Tool, arguments: Mapping[str, Any], bound: Bound, outcome: Outcome, failure: Failure | None, message: str
) -> CallResult:
    return CallResult(
        tool=tool.name, arguments=dict(arguments), outcome=outcome, failure=failure, message=message,
        source="replay", requests=0, slips=bound.slips,
    )  # fmt: skip
