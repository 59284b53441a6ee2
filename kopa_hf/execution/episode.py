"""State that calls change: one episode per task, hashed canonically.

Only what write tools do is state. Quotas, caches, counters and logs are not.
Every accepted write, a repeat too, is an entry; entries are hashed as a sorted
multiset, so their order does not matter, a read never changes the hash, and
any further write does.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kopa_hf.execution.result import CallResult

DEFAULT_DATE = datetime.date(2026, 1, 30)
"""The clock of an episode whose task sets none (the paper's example date)."""


def canonical_json(value: Any) -> str:
    """JSON text that is equal for equal values: sorted keys, no blanks, raw Hangul."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@dataclass(slots=True)
class Episode:
    """Clock, issued keys, written artefacts and kept results of one rollout."""

    seed: str = ""
    """Fixes the values that writes produce (an issued key); usually the task's id."""
    clock: datetime.date = DEFAULT_DATE
    keys: dict[str, str] = field(default_factory=dict)
    """Platform → key in force. A platform without one is called without a key."""
    keys_required: frozenset[str] = frozenset()
    """Platforms whose key must be issued in this episode; all others come with one."""
    entries: list[dict[str, Any]] = field(default_factory=list)
    """Accepted writes, in order of acceptance."""
    results: dict[str, CallResult] = field(default_factory=dict)
    """Results kept for `collect_pages` and `reduce_records`, by result id (r1, r2, …)."""

    @classmethod
    def from_system_state(cls, system_state: Mapping[str, Any] | None, *, seed: str = "") -> Episode:
        """A fresh episode from a task's predefined state.

        Known keys of `system_state`: `current_date` (YYYY-MM-DD) and `keys_required`
        (list of platforms whose key is not there yet).
        """
        state = dict(system_state or {})
        date = state.get("current_date")
        return cls(
            seed=seed,
            clock=datetime.date.fromisoformat(date) if date else DEFAULT_DATE,
            keys_required=frozenset(state.get("keys_required") or ()),
        )

    def keep(self, result: CallResult) -> str:
        """Store a result and return its id."""
        result_id = f"r{len(self.results) + 1}"
        self.results[result_id] = result
        return result_id

    def write(self, kind: str, content: Mapping[str, Any]) -> None:
        """Record one accepted write."""
        self.entries.append({"kind": kind, **content})

    def state_hash(self) -> str:
        """SHA-256 (hex) over the sorted multiset of entries."""
        lines = sorted(canonical_json(entry) for entry in self.entries)
        return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()
