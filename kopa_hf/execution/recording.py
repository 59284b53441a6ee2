"""Recording: answers on their way from a service to the caller are kept in a snapshot.

Kept are status, content type and body, keys masked; never a header, cookie, address or anything else
about who asked. What fails is noted as a failure and never kept as an answer.
"""

from __future__ import annotations

import dataclasses
import datetime
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kopa_hf.catalog.arguments import Bound
from kopa_hf.catalog.tool import Tool
from kopa_hf.execution.ledger import KOREA
from kopa_hf.execution.reading import Received, answer_of, read_answer, result_of
from kopa_hf.execution.recorded import ANSWERS, LARGEST_BODY, LONGEST_TEXT, Failed, Origin, Recorded, signature_print
from kopa_hf.execution.replay import request_text
from kopa_hf.execution.result import CallResult, Source
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.keys import Hidden, holds_key, redact, redact_answer


class Recorder:
    """What goes into a snapshot, and what was in it already."""

    def __init__(self, snapshot: Snapshot, *, owned: bool = False) -> None:
        self.snapshot = snapshot
        self.day = snapshot.day
        """The day that the recording began, which every run on it counts from: it then asks the same."""
        self.known = 0
        """Calls whose answer was there already; nothing was sent."""
        self.new = 0
        """Answers recorded."""
        self.left_out = 0
        """Answers not recorded: too large, or a key stands in them in a form that cannot be taken out."""
        self._failed: set[str] = set()
        self._owned = owned
        self._lock = threading.Lock()

    @classmethod
    def of(cls, snapshot: Snapshot | Path | str, origin: Origin) -> Recorder:
        """Into a file, which is then closed with the recorder, or into a snapshot that is open."""
        if isinstance(snapshot, Path | str):
            today = datetime.datetime.now(KOREA).date()
            return cls(Snapshot.create(snapshot, origin=origin, day=today), owned=True)
        snapshot.require_origin(origin)
        return cls(snapshot)

    @property
    def failed(self) -> int:
        """Requests that failed and were not answered since, however often they were tried: what stays noted."""
        return len(self._failed)

    def result(
        self, tool: Tool, arguments: Mapping[str, Any], bound: Bound, key: str | None, source: Source
    ) -> CallResult | None:
        """The answer that is recorded already, or None; it costs no request."""
        if tool.endpoint.auth is not None and key is None:
            return None
        recorded = self.snapshot.get(request_text(tool, bound))
        if recorded is None:
            return None
        answer = answer_of(recorded)
        with self._lock:
            self.known += 1
        result = result_of(tool, arguments, bound, answer, elapsed=0.0, source=source)
        return dataclasses.replace(result, requests=0)

    def note(self, tool: Tool, bound: Bound, key: Hidden, received: Received, answer: Answer) -> None:
        """Keep what came back; `answer` is the body as read, keys masked."""
        if answer.outcome not in ANSWERS:
            self.note_failure(tool, bound, key, answer.outcome, answer.failure or "environmental", answer.message)
            return
        request = request_text(tool, bound)
        clean = without_key(received, key)
        again = answer if clean is received and not key else read_answer(tool.wire, clean, tool.endpoint.operation)
        # a key that is left in the bytes or in what is read, or text that is read otherwise without it
        spoiled = redact_answer(again, key) != answer or again != answer or holds_key(clean.body.decode("latin-1"), key)
        if spoiled or len(clean.body) > LARGEST_BODY or len(request) > LONGEST_TEXT or holds_key(request, key):
            with self._lock:
                self.left_out += 1
            return
        recorded = Recorded(
            request=request,
            tool=tool.name,
            wire=tool.wire,
            operation=tool.endpoint.operation,
            signature=signature_print(tool),
            outcome=answer.outcome,
            status=clean.status,
            content_type=clean.content_type or "",
            observed=_now(),
            body=clean.body,
        )
        new = self.snapshot.put(recorded)
        with self._lock:
            self.new += new
            self._failed.discard(request)

    def note_failure(
        self, tool: Tool, bound: Bound, key: Hidden, outcome: str, failure: str, message: str | None
    ) -> None:
        """Note that a request was sent and not answered. A missing or refused key says nothing of the service."""
        request = request_text(tool, bound)
        keyless = outcome == "auth" or (tool.endpoint.auth is not None and key is None)
        if keyless or len(request) > LONGEST_TEXT or holds_key(request, key):
            return
        # a connection's words differ from run to run; a refusal's are part of the answer
        words = redact(message or "", key) if failure == "structural" else ""
        words = "" if holds_key(words, key) else words[:LONGEST_TEXT]
        self.snapshot.note_failure(Failed(request, tool.name, outcome, failure, words, _now()))
        with self._lock:
            self._failed.add(request)

    def close(self) -> None:
        """Close the snapshot if it was opened here."""
        if self._owned:
            self.snapshot.close()


def without_key(received: Received, key: Hidden) -> Received:
    """The same without the key, in any spelling, in body and content type; the same object where it is in neither."""
    if not key:
        return received
    text = received.body.decode("latin-1")
    clean = redact(text, key)
    kind = redact(received.content_type, key) if received.content_type else received.content_type
    if clean == text and kind == received.content_type:
        return received
    return dataclasses.replace(received, body=clean.encode("latin-1"), content_type=kind)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
