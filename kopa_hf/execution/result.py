"""One call's result, and what a person or a model may know about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal

from kopa_hf.platforms.base import Record
from kopa_hf.platforms.failures import Failure, Outcome

Source = Literal["sandbox", "live", "replay", "local"]
UNSEEN: Final[Outcome] = "maintenance"
"""Outcome of a request that the snapshot does not hold: from outside, and not mended by another try."""
UNSEEN_MESSAGE: Final = "This request is not in the snapshot, so its answer is not known here."


@dataclass(frozen=True, slots=True)
class CallResult:
    """What one tool call brought back. Failed calls are results too; they never raise."""

    tool: str
    arguments: dict[str, Any]
    """As the caller passed them; never a key."""
    outcome: Outcome
    records: list[Record] = field(default_factory=list)
    total_count: int | None = None
    """Rows over all pages; None where the service does not say."""
    page: int | None = None
    """1-based page of this answer; None for services without paging."""
    page_size: int | None = None
    """None also where a cursor leads from page to page: no number names the next one."""
    cursor: str | None = None
    """What asks for the next page, where a service hands out cursors; None on the last page."""
    code: str | None = None
    message: str | None = None
    failure: Failure | None = None
    elapsed: float = 0.0
    """Seconds from request to parsed answer."""
    source: Source = "sandbox"
    requests: int = 1
    """HTTP requests spent; 0 for local tools and for calls refused before sending."""
    slips: tuple[str, ...] = ()
    """Type slips that were forgiven (an integer where text was due, …)."""
    value: Any = None
    """For local tools that return one value rather than records."""
    covers: tuple[int, int | None] | None = None
    """For local tools over a kept result: service rows it was made from, and rows there are (None: not known)."""

    @property
    def ok(self) -> bool:
        """True where at least one record (or a local value) came back."""
        return self.outcome == "ok"

    @property
    def unseen(self) -> bool:
        """True where a replay had no answer, to this request or to a page that it needs."""
        return self.outcome == UNSEEN and UNSEEN_MESSAGE in (self.message or "")

    @property
    def next_page(self) -> int | None:
        """The page after this one, or None when this is the last (or paging is unknown)."""
        if self.page is None or self.page_size is None or self.total_count is None:
            return None
        return self.page + 1 if self.page * self.page_size < self.total_count else None
