"""Deterministic reductions over the records of one kept result.

The answer carries the records it rests on, says how many cells could not be
read, and says when the records are only a part of what the service has.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from kopa_hf.execution.cells import (
    Kind,
    cell_text,
    column_kind,
    is_blank,
    matcher,
    read_number,
    sort_key,
)
from kopa_hf.execution.expression import format_number
from kopa_hf.platforms.base import Record

OPERATIONS: Final = (
    "count",
    "sum",
    "mean",
    "max",
    "min",
    "filter",
    "sort",
    "most_frequent",
    "distinct",
    "group_count",
    "group_sum",
)
COMPARISONS: Final = ("eq", "ne", "gt", "ge", "lt", "le", "contains")
_NEEDS_FIELD: Final = frozenset({"sum", "mean", "max", "min", "sort", "most_frequent", "distinct", "group_sum"})


class ReductionError(ValueError):
    """The request does not fit the records; the message says what would."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """One request."""

    operation: str
    field: str | None = None
    where_field: str | None = None
    where_op: str | None = None
    """None with a `where_field`: `eq`."""
    where_value: Any = None
    group_by: str | None = None
    order: str | None = None
    """`asc` or `desc`; None: `desc`."""
    limit: int | None = None


@dataclass(slots=True)
class Reduced:
    """What came out."""

    value: Any = None
    """A count (int), a number as exact text, or the one extreme cell; None where records are the answer."""
    records: list[Record] = field(default_factory=list)
    total: int = 0
    """Records before `limit`."""
    notes: list[str] = field(default_factory=list)


def reduce_records(records: Sequence[Record], request: Reduction) -> Reduced:
    """Apply `where`, then the operation, then `limit`. Raises `ReductionError`."""
    _check(records, request)
    out = Reduced()
    kept = _where(records, request, out.notes)
    _OPERATIONS[request.operation](kept, request, out)
    out.total = len(out.records)
    if request.limit is not None and out.total > request.limit:
        out.records = out.records[: request.limit]
        out.notes.append(f"{request.limit} of {out.total} records shown (limit)")
    return out


def _check(records: Sequence[Record], request: Reduction) -> None:
    operation = request.operation
    if operation not in OPERATIONS:
        raise ReductionError(f"operation {operation!r} is unknown; one of: {', '.join(OPERATIONS)}")
    if operation in _NEEDS_FIELD and not request.field:
        raise ReductionError(f"{operation} needs field")
    grouped = operation.startswith("group_")
    if grouped and not request.group_by:
        raise ReductionError(f"{operation} needs group_by")
    if request.group_by and not grouped:
        raise ReductionError(f"group_by goes with group_count or group_sum, not with {operation}")
    if operation == "filter" and not request.where_field:
        raise ReductionError("filter needs where_field, where_op and where_value")
    if request.where_op is not None and request.where_op not in COMPARISONS:
        raise ReductionError(f"where_op {request.where_op!r} is unknown; one of: {', '.join(COMPARISONS)}")
    if (request.where_op or request.where_value is not None) and not request.where_field:
        raise ReductionError("where_op and where_value need where_field")
    if request.where_field and request.where_value is None:
        raise ReductionError("where_field needs where_value (an empty text asks for cells without a value)")
    if request.order not in (None, "asc", "desc"):
        raise ReductionError(f"order {request.order!r} is unknown; asc or desc")
    if request.limit is not None and request.limit < 1:
        raise ReductionError("limit must be at least 1")
    names = list(dict.fromkeys(name for record in records for name in record))
    for name in (request.field, request.where_field, request.group_by):
        if name and records and name not in names:
            near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
            hint = f"did you mean {', '.join(near)}? " if near else ""
            raise ReductionError(f"no record has a field {name!r}; {hint}fields: {', '.join(names)}")


def _where(records: Sequence[Record], request: Reduction, notes: list[str]) -> list[Record]:
    name, wanted = request.where_field, request.where_value
    if not name:
        return list(records)
    operator = request.where_op or "eq"
    if operator in ("eq", "ne"):
        hit = is_blank if is_blank(wanted) else matcher(wanted)
        return [r for r in records if hit(r.get(name)) == (operator == "eq")]
    if operator == "contains":
        needle = cell_text(wanted)
        return [r for r in records if r.get(name) is not None and needle in cell_text(r[name])]
    filled = [r for r in records if not is_blank(r.get(name))]
    kind = _comparable_kind([r[name] for r in filled], wanted)
    bound = sort_key(wanted, kind)
    kept, unread = [], 0
    for record in filled:
        key = sort_key(record[name], kind)
        if key is None:
            unread += 1
        elif _ORDER[operator](key, bound):
            kept.append(record)
    _note_left_out(notes, name, kind, len(records) - len(filled), unread)
    return kept


def _comparable_kind(cells: Sequence[Any], wanted: Any) -> Kind:
    """The kind in which `wanted` and most cells can be ordered."""
    kinds: list[Kind] = ["number", "date"]
    usable = [kind for kind in kinds if sort_key(wanted, kind) is not None]
    if not usable:
        raise ReductionError(
            f"where_value {cell_text(wanted)!r} is neither a number nor a date, so nothing can be ordered"
        )
    return max(usable, key=lambda kind: sum(sort_key(cell, kind) is not None for cell in cells))


_ORDER: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "gt": lambda a, b: bool(a > b),
    "ge": lambda a, b: bool(a >= b),
    "lt": lambda a, b: bool(a < b),
    "le": lambda a, b: bool(a <= b),
}


def _note_left_out(notes: list[str], name: str, kind: Kind, blank: int, unread: int) -> None:
    if blank:
        notes.append(f"{blank} records without a value in {name} left out")
    if unread:
        notes.append(f"{unread} cells of {name} could not be read as a {kind} and were left out")


def _numbers(records: Sequence[Record], name: str, notes: list[str]) -> list[Fraction]:
    cells = [r.get(name) for r in records]
    filled = [cell for cell in cells if not is_blank(cell)]
    read = [number for number in map(read_number, filled) if number is not None]
    _note_left_out(notes, name, "number", len(cells) - len(filled), len(filled) - len(read))
    return read


def _count(records: list[Record], request: Reduction, out: Reduced) -> None:
    """With a field, records that have a value in it."""
    if request.field:
        filled = [r for r in records if not is_blank(r.get(request.field))]
        _note_left_out(out.notes, request.field, "text", len(records) - len(filled), 0)
        records = filled
    out.value = len(records)


def _sum(records: list[Record], request: Reduction, out: Reduced) -> None:
    numbers = _numbers(records, request.field or "", out.notes)
    if numbers:
        out.value = format_number(sum(numbers, Fraction(0)))


def _mean(records: list[Record], request: Reduction, out: Reduced) -> None:
    numbers = _numbers(records, request.field or "", out.notes)
    if numbers:
        out.value = format_number(sum(numbers, Fraction(0)) / len(numbers))


def _ordered(records: Sequence[Record], name: str, notes: list[str]) -> tuple[Kind, list[tuple[Any, Record]]]:
    """(kind of the column, readable records with their keys)."""
    filled = [r for r in records if not is_blank(r.get(name))]
    kind = column_kind([r[name] for r in filled])
    keyed = [(sort_key(r[name], kind), r) for r in filled]
    readable = [(key, record) for key, record in keyed if key is not None]
    _note_left_out(notes, name, kind, len(records) - len(filled), len(keyed) - len(readable))
    return kind, readable


def _extreme(records: list[Record], request: Reduction, out: Reduced) -> None:
    name = request.field or ""
    kind, keyed = _ordered(records, name, out.notes)
    if not keyed:
        return
    if kind == "text":
        raise ReductionError(f"{request.operation} needs numbers or dates, and {name} holds neither")
    best = (max if request.operation == "max" else min)(key for key, _ in keyed)
    out.records = [record for key, record in keyed if key == best]
    out.value = format_number(best) if kind == "number" else cell_text(out.records[0][name])
    if len(out.records) > 1:
        out.notes.append(f"{len(out.records)} records share this value")


def _filter(records: list[Record], request: Reduction, out: Reduced) -> None:
    out.records = records


def _sort(records: list[Record], request: Reduction, out: Reduced) -> None:
    """Equal keys keep the order in which the service sent them, in both directions."""
    _, keyed = _ordered(records, request.field or "", out.notes)
    keyed.sort(key=lambda pair: pair[0], reverse=request.order != "asc")
    out.records = [record for _, record in keyed]
    limit = request.limit
    if limit is not None and limit < len(keyed) and keyed[limit - 1][0] == keyed[limit][0]:
        out.notes.append(f"the record after the last one shown has the same {request.field}")


def _tally(records: Sequence[Record], name: str, notes: list[str]) -> list[tuple[str, int]]:
    """(value, how often), most frequent first, equal counts by value."""
    cells = [r.get(name) for r in records]
    counts = Counter(cell_text(cell) for cell in cells if not is_blank(cell))
    _note_left_out(notes, name, "text", len(cells) - counts.total(), 0)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _most_frequent(records: list[Record], request: Reduction, out: Reduced) -> None:
    name = request.field or ""
    tally = _tally(records, name, out.notes)
    best = [item for item in tally if item[1] == tally[0][1]]
    out.records = [{name: value, "count": count} for value, count in best]
    if len(best) == 1:
        out.value = best[0][0]
    elif best:
        out.notes.append(f"{len(best)} values are equally frequent")


def _distinct(records: list[Record], request: Reduction, out: Reduced) -> None:
    """In the order of first appearance; the value is how many there are."""
    name = request.field or ""
    cells = [r.get(name) for r in records]
    values = dict.fromkeys(cell_text(cell) for cell in cells if not is_blank(cell))
    _note_left_out(out.notes, name, "text", sum(map(is_blank, cells)), 0)
    out.records = [{name: value} for value in values]
    out.value = len(values)


def _group_count(records: list[Record], request: Reduction, out: Reduced) -> None:
    name = request.group_by or ""
    tally = _tally(records, name, out.notes)
    if request.order == "asc":
        tally.sort(key=lambda item: (item[1], item[0]))
    out.records = [{name: value, "count": count} for value, count in tally]


def _group_sum(records: list[Record], request: Reduction, out: Reduced) -> None:
    group, name = request.group_by or "", request.field or ""
    sums: dict[str, Fraction] = {}
    blank = unread = 0
    for record in records:
        number = read_number(record.get(name))
        if is_blank(record.get(name)) or is_blank(record.get(group)):
            blank += 1
        elif number is None:
            unread += 1
        else:
            label = cell_text(record[group])
            sums[label] = sums.get(label, Fraction(0)) + number
    _note_left_out(out.notes, name, "number", blank, unread)
    sign = 1 if request.order == "asc" else -1
    ranked = sorted(sums.items(), key=lambda item: (sign * item[1], item[0]))
    out.records = [{group: label, "sum": format_number(value)} for label, value in ranked]


_OPERATIONS: Final[dict[str, Callable[[list[Record], Reduction, Reduced], None]]] = {
    "count": _count,
    "sum": _sum,
    "mean": _mean,
    "max": _extreme,
    "min": _extreme,
    "filter": _filter,
    "sort": _sort,
    "most_frequent": _most_frequent,
    "distinct": _distinct,
    "group_count": _group_count,
    "group_sum": _group_sum,
}
