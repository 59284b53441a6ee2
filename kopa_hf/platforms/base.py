"""What every wire adapter takes and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx

from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.failures import FAILURE_OF, Failure, Outcome

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """One body, understood."""

    outcome: Outcome
    records: list[Record] = field(default_factory=list)
    """The rows of this body, always a list."""
    total_count: int | None = None
    """Rows over all pages as the service states it; None where it does not."""
    code: str | None = None
    """The service's own code, as text."""
    message: str | None = None
    cursor: str | None = None
    """What asks for the next page, where a service hands out cursors."""
    of_request: bool = False
    """For a failure: it is of this one request, as payment that only some operations take is, and says nothing of others."""
    wrong_shape: bool = False
    """For `not_a_response`: the body is well formed but of a shape the service never documents."""

    @property
    def failure(self) -> Failure | None:
        """None, `no_data`, `structural` or `environmental`."""
        if self.outcome == "not_a_response" and self.wrong_shape:
            return "structural"
        return FAILURE_OF[self.outcome]


class Wire(Protocol):
    """One wire protocol: how a request is written and how an answer is read."""

    name: str
    refuses_first: bool
    """True where `rate_limit` is told before anything is done, so that what writes can be sent again."""
    facts_in_headers: bool
    """True where headers may tell the total and the next page (`kopa_hf.platforms.rest_facts`)."""

    def build_request(self, tool: Tool, arguments: Mapping[str, str], key: str | None) -> httpx.Request:
        """A ready request. `arguments` are bound (normal forms, text); `client` parameters are not in it."""

    def parse(
        self, body: bytes, *, http_status: int = 200, content_type: str | None = None, operation: str | None = None
    ) -> Answer:
        """Read a body; never raises, whatever the body is."""
