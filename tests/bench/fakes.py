"""A session over a table of ready answers: the edge that program and scoring tests stand on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kopa_hf.execution.episode import Episode
from kopa_hf.execution.result import CallResult

Answer = list[dict[str, Any]] | CallResult | Callable[[dict[str, Any]], Any]


@dataclass
class FakeCall:
    """Has the attributes of a session's executed call."""

    call_id: str
    name: str
    arguments: Any
    result: CallResult
    step: int = 1
    executed: bool = True
    result_id: str | None = None


@dataclass
class FakeSession:
    """Answers from `table` (tool → records, or a function of the arguments), keeps results, counts writes."""

    table: dict[str, Answer]
    writes: frozenset[str] = frozenset()
    episode: Episode = field(default_factory=Episode)
    calls: list[FakeCall] = field(default_factory=list)

    def call(
        self, name: str, arguments: dict[str, Any] | str, *, call_id: str | None = None, step: int | None = None
    ) -> str:
        assert isinstance(arguments, dict)
        found = self.table[name]
        answer = found(arguments) if callable(found) else found
        result = answer if isinstance(answer, CallResult) else make_result(name, arguments, answer)
        if name in self.writes:
            self.episode.write(name, arguments)
        self.calls.append(FakeCall(call_id or f"c{len(self.calls)}", name, arguments, result, step or 1))
        made = self.calls[-1]
        if not result.ok:
            return json.dumps({"error": {"outcome": result.outcome}})
        made.result_id = result_id = self.episode.keep(result)
        return json.dumps({"result_id": result_id, "records": result.records}, ensure_ascii=False)


def make_result(name: str, arguments: dict[str, Any], answer: Any, **changes: Any) -> CallResult:
    """A result of records (a list), of a value (anything else), or of nothing (an empty list)."""
    if not isinstance(answer, list):
        return CallResult(tool=name, arguments=arguments, outcome="ok", value=answer, source="local", **changes)
    outcome: Any = "ok" if answer else "no_data"
    return CallResult(
        tool=name,
        arguments=arguments,
        outcome=outcome,
        failure=None if answer else "no_data",
        records=answer,
        total_count=len(answer),
        **changes,
    )
