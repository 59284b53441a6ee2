"""Junctions typed by what was observed, and the reductions that tame large ones.

A field with one distinct value goes straight on (SEQ), with a few it fans out
(FAN), with more a deterministic reduction comes first (DRV). Pivots of a
reduction are values that stand in the answer, chosen so that at most phi remain.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.catalog.tool import Field, Tool
from kopa_hf.edge.arguments import value_text
from kopa_hf.edge.columns import SAMPLE, observed_kind
from kopa_hf.edge.labels import is_rankable, is_speakable, is_word, spoken_label
from kopa_hf.edge.meaning import Kind
from kopa_hf.edge.trajectory import JunctionKind
from kopa_hf.execution.cells import read_date, read_number
from kopa_hf.execution.reduce import Reduction, ReductionError, reduce_records

Record = dict[str, Any]

_MIN_DISTINCT: Final = 3
"""Distinct values from which on an extreme or a threshold says something."""
_MAX_TEXT: Final = 30
_DAY: Final = len("2026-01-30")
"""Longest spelling of a day without a time."""
_CANDIDATES: Final = 12
"""Different values at an end of a column that may become pivots."""
_COLUMNS: Final = 4
"""Columns tried per operation."""


def junction_kind(cardinality: int, fan_out: int) -> JunctionKind:
    """SEQ for one value, FAN up to the fan-out budget, DRV above it."""
    if cardinality < 1:
        raise ValueError(f"a junction needs at least one value, not {cardinality}")
    return "SEQ" if cardinality == 1 else "FAN" if cardinality <= fan_out else "DRV"


def distinct_values(records: Sequence[Record], name: str) -> list[str]:
    """The values of a field in order of first appearance, blanks left out."""
    return list(dict.fromkeys(text for record in records if (text := value_text(record.get(name))) is not None))


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A call of `reduce_records` that leaves at most phi values of the connecting field."""

    operation: str
    arguments: dict[str, Any]
    """For `reduce_records`, without the result's id."""
    column: Field
    """What is compared, counted or ranked."""
    kind: Kind
    """What its cells hold."""
    pivot: str | None = None
    """The observed value it is compared with; None for extremes and most_frequent."""
    values: tuple[str, ...] = ()
    """Values of the connecting field that remain."""
    as_value: bool = False
    """True where the tool returns the value itself (most_frequent) instead of records."""
    head: int | None = None
    """Only the first so many rows of the list are looked at; None: all of them."""


def find_narrowing(
    records: Sequence[Record],
    tool: Tool,
    connecting: str,
    fan_out: int,
    rng: random.Random,
    accept: Callable[[Narrowing], bool] = lambda narrowing: True,
) -> Narrowing | None:
    """A reduction that leaves 1 … phi values of the connecting field; None where the records offer none.

    Operations are tried in random order, each over random columns, so that columns
    full of pivots do not crowd out the others.
    """
    makers: list[_Maker] = [_most_frequent, _maximum, _minimum, _threshold, _equality]
    rng.shuffle(makers)
    for make in makers:
        columns = [column for column in tool.fields if _fits(make, column, connecting, records)]
        for column in rng.sample(columns, min(_COLUMNS, len(columns))):
            narrowing = make(records, column, connecting, fan_out, rng)
            if narrowing is not None and accept(narrowing):
                return narrowing
    return None


_Maker = Callable[[Sequence[Record], Field, str, int, random.Random], "Narrowing | None"]


def _fits(make: _Maker, column: Field, connecting: str, records: Sequence[Record]) -> bool:
    if not records or column.name not in records[0]:
        return False
    if make is _most_frequent:
        return column.name == connecting
    fitting = is_rankable if make in (_maximum, _minimum) else is_speakable
    return column.name != connecting and fitting(column)


def ranking_kind(records: Sequence[Record], column: Field) -> Kind | None:
    """`measure` or `date` for a column that can be ordered and has enough different values, else None."""
    kind = observed_kind(records, column)
    if kind not in ("measure", "date"):
        return None
    read = read_number if kind == "measure" else read_date
    values = {value for record in records[:SAMPLE] if (value := read(record.get(column.name))) is not None}
    return kind if len(values) >= _MIN_DISTINCT else None


def _reduced(records: Sequence[Record], connecting: str, arguments: dict[str, Any]) -> tuple[str, ...]:
    try:
        return tuple(distinct_values(reduce_records(records, Reduction(**arguments)).records, connecting))
    except ReductionError:
        return ()


def _most_frequent(
    records: Sequence[Record], column: Field, connecting: str, fan_out: int, rng: random.Random
) -> Narrowing | None:
    ranked = counted_values(records, column.name).most_common(2)
    if len(ranked) < 2 or ranked[0][1] == ranked[1][1]:
        return None
    arguments = {"operation": "most_frequent", "field": column.name}
    kind = observed_kind(records, column)
    return Narrowing("most_frequent", arguments, column, kind, values=(ranked[0][0],), as_value=True)


def _maximum(
    records: Sequence[Record], column: Field, connecting: str, fan_out: int, rng: random.Random
) -> Narrowing | None:
    return _extreme("max", records, column, connecting)


def _minimum(
    records: Sequence[Record], column: Field, connecting: str, fan_out: int, rng: random.Random
) -> Narrowing | None:
    return _extreme("min", records, column, connecting)


def _extreme(operation: str, records: Sequence[Record], column: Field, connecting: str) -> Narrowing | None:
    kind = ranking_kind(records, column)
    if kind is None:
        return None
    arguments = {"operation": operation, "field": column.name}
    values = _reduced(records, connecting, arguments)
    return Narrowing(operation, arguments, column, kind, values=values) if len(values) == 1 else None


def _threshold(
    records: Sequence[Record], column: Field, connecting: str, fan_out: int, rng: random.Random
) -> Narrowing | None:
    """A filter by an observed value near an end of the column: at least, at most, later than."""
    kind = ranking_kind(records, column)
    if kind is None:
        return None
    read: Callable[[Any], Any] = read_number if kind == "measure" else read_date
    by_key: dict[Any, list[Record]] = {}
    for record in records:
        key = read(record.get(column.name))
        if key is not None:
            by_key.setdefault(key, []).append(record)
    operator = rng.choice(("ge", "le")) if kind == "measure" else "gt"
    ordered = sorted(by_key, reverse=operator != "le")
    pivots = []
    values: set[str] = set()
    for index, key in enumerate(ordered[:_CANDIDATES]):
        values.update(distinct_values(by_key[key], connecting))
        if len(values) > fan_out:
            break
        pivot = key if operator != "gt" else ordered[index + 1] if index + 1 < len(ordered) else None
        if len(values) >= 2 and pivot is not None:
            text = str(by_key[pivot][0][column.name])
            if kind != "date" or len(text) <= _DAY:  # a question says a day, not the second
                pivots.append(text)
    if not pivots:
        return None
    return _filtered(records, column, kind, connecting, operator, rng.choice(pivots), fan_out)


def _equality(
    records: Sequence[Record], column: Field, connecting: str, fan_out: int, rng: random.Random
) -> Narrowing | None:
    """A filter by one value of a name or category."""
    kind = observed_kind(records, column)
    if kind not in ("name", "category"):
        return None
    counts = counted_values(records, column.name)
    rare = [
        t
        for t, times in counts.items()
        if times <= 4 * fan_out and len(t) <= _MAX_TEXT and is_word(t, spoken_label(column))
    ]
    if len(counts) < 2 or not rare:
        return None
    return _filtered(records, column, kind, connecting, "eq", rng.choice(rare), fan_out)


def _filtered(
    records: Sequence[Record], column: Field, kind: Kind, connecting: str, operator: str, pivot: str, fan_out: int
) -> Narrowing | None:
    arguments = {"operation": "filter", "where_field": column.name, "where_op": operator, "where_value": pivot}
    values = _reduced(records, connecting, arguments)
    if not 1 <= len(values) <= fan_out:
        return None
    return Narrowing("filter", arguments, column, kind, pivot, values)


def counted_values(records: Sequence[Record], name: str) -> Counter[str]:
    """How often each value of a field stands in the records, blanks left out."""
    return Counter(text for record in records if (text := value_text(record.get(name))) is not None)
