"""Two snapshots compared, tool by tool: what is no longer answered, which fields came and went, whose values changed.

Only requests that both hold say something about the services; what one of them was never asked is
counted apart. Two answers are the same where their records, totals and outcome are, whatever else the bytes hold (a
clock, a running number).
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from kopa_hf.errors import DataError
from kopa_hf.execution.episode import canonical_json
from kopa_hf.execution.reading import answer_of
from kopa_hf.execution.recorded import Failed
from kopa_hf.execution.snapshot import WHO, Head, Snapshot
from kopa_hf.platforms.base import Answer, Record

T = TypeVar("T", Head, Failed)
_MISSING: Final = object()


@dataclass(slots=True)
class ToolDrift:
    """What became of one tool's answers from the first snapshot to the second."""

    tool: str
    shared: int = 0
    """Requests that both hold an answer to."""
    same: int = 0
    """Of these, with the same records, total and outcome."""
    failed: dict[str, int] = field(default_factory=dict)
    """Requests answered first and failed then, by outcome."""
    unasked: int = 0
    """Requests of the first that the second was never asked."""
    added: int = 0
    """Requests that only the second answers."""
    emptied: int = 0
    """Shared requests that had records and have none now."""
    filled: int = 0
    """The other way round."""
    totals: int = 0
    """Shared requests whose stated total changed."""
    rows_gone: int = 0
    """Records that shared requests gave first and not then."""
    rows_new: int = 0
    fields_gone: tuple[str, ...] = ()
    """Fields of records of shared requests that no record has any more."""
    fields_new: tuple[str, ...] = ()
    kinds: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Field → JSON kinds first and then, where they differ (blanks do not count)."""
    values: dict[str, int] = field(default_factory=dict)
    """Field → shared requests in which its values changed."""
    signature: bool = False
    """The catalog described the tool otherwise."""

    @property
    def unavailable(self) -> bool:
        """True where every request that was made again failed."""
        return bool(self.failed) and not self.shared

    @property
    def kinds_of_drift(self) -> tuple[str, ...]:
        """Any of availability, schema, values, signature."""
        found = {
            "availability": bool(self.failed or self.emptied or self.filled),
            "schema": bool(self.fields_gone or self.fields_new or self.kinds),
            "values": self.same < self.shared,
            "signature": self.signature,
        }
        return tuple(name for name, there in found.items() if there)


@dataclass(slots=True)
class Drift:
    """Two snapshots, compared."""

    tools: dict[str, ToolDrift] = field(default_factory=dict)
    """By name; tools of which nothing is shared too."""
    changed: dict[str, str] = field(default_factory=dict)
    """Request → availability or values: the requests whose answer is another one, or none."""

    @property
    def drifted(self) -> list[ToolDrift]:
        """Tools with any drift."""
        return [tool for tool in self.tools.values() if tool.kinds_of_drift]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        tools = {
            name: dataclasses.asdict(tool) | {"drift": list(tool.kinds_of_drift)} for name, tool in self.tools.items()
        }
        return {"tools": tools, "changed": dict(self.changed)}


def compare_snapshots(first: Snapshot, second: Snapshot, progress: Callable[[int], None] | None = None) -> Drift:
    """What changed from the first snapshot to the second. Raises `DataError` where one is damaged, or only one is real."""
    if (first.origin == "live") != (second.origin == "live"):
        raise DataError(
            f"{first.path} holds answers from {WHO[first.origin]}, {second.path} from {WHO[second.origin]}: "
            "real and invented answers are not compared."
        )
    comparing = _Comparing(first, second)
    for number, (before, after) in enumerate(_side_by_side(first.heads(), second.heads()), 1):
        comparing.take(before, after)
        if progress is not None and number % 100 == 0:
            progress(number)
    return comparing.finished()


class _Comparing:
    def __init__(self, first: Snapshot, second: Snapshot) -> None:
        self.first, self.second = first, second
        self.found = Drift()
        self._fields: dict[str, tuple[dict[str, set[str]], dict[str, set[str]]]] = {}
        """Tool → fields and their kinds, first and then."""
        self._equal: dict[str, list[str]] = {}
        """Tool → requests with the same bytes, which are read only where the others leave a question."""
        self._signatures: dict[str, tuple[set[str], set[str]]] = {}

    def take(self, before: Head | None, after: Head | None) -> None:
        head = before or after
        assert head is not None  # one of the two is there
        tool = self.found.tools.setdefault(head.tool, ToolDrift(head.tool))
        for side, one in enumerate((before, after)):
            if one is not None:
                self._signatures.setdefault(head.tool, (set(), set()))[side].add(one.signature)
        if before is None:
            tool.added += 1
        elif after is None:
            self._lost(tool, before.request)
        else:
            tool.shared += 1
            self._both(tool, before, after)

    def finished(self) -> Drift:
        for name, (before, after) in self._fields.items():
            tool = self.found.tools[name]
            for request in self._equal.get(name, ()):
                if before.keys() == after.keys():
                    break
                records = _read(self.first, request).records
                self._learn(name, records, records)
            tool.fields_gone = tuple(sorted(before.keys() - after.keys()))
            tool.fields_new = tuple(sorted(after.keys() - before.keys()))
            for one in sorted(before.keys() & after.keys()):
                kinds = before[one] - {"null"}, after[one] - {"null"}
                if kinds[0] and kinds[1] and kinds[0] != kinds[1]:
                    tool.kinds[one] = (" or ".join(sorted(kinds[0])), " or ".join(sorted(kinds[1])))
        for name, (then, now) in self._signatures.items():
            self.found.tools[name].signature = bool(then and now and then != now)
        self.found.tools = dict(sorted(self.found.tools.items()))
        return self.found

    def _lost(self, tool: ToolDrift, request: str) -> None:
        failure = self.second.failure(request)
        if failure is None:
            tool.unasked += 1
            return
        tool.failed[failure.outcome] = tool.failed.get(failure.outcome, 0) + 1
        self.found.changed[request] = "availability"

    def _both(self, tool: ToolDrift, before: Head, after: Head) -> None:
        if before.body == after.body and before.outcome == after.outcome:
            tool.same += 1
            self._equal.setdefault(tool.tool, []).append(before.request)
            return
        then, now = _read(self.first, before.request), _read(self.second, after.request)
        self._learn(tool.tool, then.records, now.records)
        if (then.outcome, then.total_count, then.records) == (now.outcome, now.total_count, now.records):
            tool.same += 1
            return
        self.found.changed[before.request] = "values" if then.outcome == now.outcome else "availability"
        tool.emptied += then.outcome == "ok" != now.outcome
        tool.filled += now.outcome == "ok" != then.outcome
        tool.totals += then.total_count != now.total_count
        rows = Counter(map(canonical_json, then.records)), Counter(map(canonical_json, now.records))
        tool.rows_gone += (rows[0] - rows[1]).total()
        tool.rows_new += (rows[1] - rows[0]).total()
        if then.outcome == now.outcome == "ok":
            for name in changed_fields(then.records, now.records):
                tool.values[name] = tool.values.get(name, 0) + 1

    def _learn(self, tool: str, before: list[Record], after: list[Record]) -> None:
        known = self._fields.setdefault(tool, ({}, {}))
        if not before or not after:  # a field can only be missed where there are records on both sides
            return
        for fields, records in zip(known, (before, after), strict=True):
            for record in records:
                for name, value in record.items():
                    fields.setdefault(name, set()).add(_kind(value))


def changed_fields(before: list[Record], after: list[Record]) -> list[str]:
    """Fields whose values over all records differ; the order of records does not count."""
    names = sorted({name for record in (*before, *after) for name in record})
    return [name for name in names if _column(before, name) != _column(after, name)]


def _column(records: list[Record], name: str) -> Counter[str]:
    return Counter(
        "" if (value := record.get(name, _MISSING)) is _MISSING else canonical_json(value) for record in records
    )


def _kind(value: Any) -> str:
    if value is None or value == "":
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "text"
    return "list" if isinstance(value, list) else "object" if isinstance(value, Mapping) else type(value).__name__


def _read(snapshot: Snapshot, request: str) -> Answer:
    recorded = snapshot.get(request)
    if recorded is None:  # taken out between listing and reading: as if it held nothing
        return Answer("no_data")
    return answer_of(recorded)


def _side_by_side(first: Iterator[T], second: Iterator[T]) -> Iterator[tuple[T | None, T | None]]:
    """Two sequences in order of their requests, request by request."""
    left, right = next(first, None), next(second, None)
    while left is not None or right is not None:
        if right is None or (left is not None and left.request < right.request):
            yield left, None
            left = next(first, None)
        elif left is None or right.request < left.request:
            yield None, right
            right = next(second, None)
        else:
            yield left, right
            left, right = next(first, None), next(second, None)
