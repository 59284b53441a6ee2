"""Junctions typed by what was observed, and the reductions that tame large ones.

A field with one distinct value goes straight on (SEQ), with a few it fans out
(FAN), with more a deterministic reduction comes first (DRV). Pivots of a
reduction are values that stand in the answer, chosen so that at most phi remain.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.catalog.tool import Field, Tool
from kopa_hf.edge.arguments import value_text
from kopa_hf.edge.columns import is_speakable, observed_kind, plain_value
from kopa_hf.edge.meaning import Kind, meaning_of
from kopa_hf.edge.trajectory import JunctionKind
from kopa_hf.execution.cells import read_date, read_number
from kopa_hf.execution.reduce import Reduction, ReductionError, reduce_records

Record = dict[str, Any]

_MIN_DISTINCT: Final = 3
"""Distinct values from which on an extreme or a threshold says something."""
_MAX_TEXT: Final = 30
_CANDIDATES: Final = 12
"""Pivots tried per column."""


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


def narrowings(records: Sequence[Record], tool: Tool, connecting: str, fan_out: int) -> list[Narrowing]:
    """Every reduction that leaves 1 … phi values of the connecting field, in order of the tool's fields."""
    found: list[Narrowing] = []
    for column in tool.fields:
        if any(column.name not in record for record in records[:1]):
            continue
        if column.name == connecting:
            found += _most_frequent(records, column)
        elif not is_speakable(column):
            continue
        elif (kind := ranking_kind(records, column)) is not None:
            found += _extremes(records, column, kind, connecting)
            found += _thresholds(records, column, kind, connecting, fan_out)
        elif observed_kind(records, column) in ("name", "category"):
            found += _equalities(records, column, connecting, fan_out)
    return found


def ranking_kind(records: Sequence[Record], column: Field) -> Kind | None:
    """`measure` or `date` for a column that can be ordered and has enough different values, else None."""
    kind = observed_kind(records, column)
    if kind not in ("measure", "date"):
        return None
    read = read_number if kind == "measure" else read_date
    values = {value for record in records if (value := read(record.get(column.name))) is not None}
    return kind if len(values) >= _MIN_DISTINCT else None


def choose(options: Sequence[Narrowing], rng: random.Random) -> Narrowing:
    """An option, every operation equally likely, so that columns full of pivots do not crowd out the others."""
    operation = rng.choice(sorted({_variant(option) for option in options}))
    return rng.choice([option for option in options if _variant(option) == operation])


def _variant(option: Narrowing) -> str:
    return f"{option.operation}:{option.arguments.get('where_op', '')}:{option.kind}"


def _reduced(records: Sequence[Record], connecting: str, arguments: dict[str, Any]) -> tuple[str, ...]:
    try:
        return tuple(distinct_values(reduce_records(records, Reduction(**arguments)).records, connecting))
    except ReductionError:
        return ()


def _most_frequent(records: Sequence[Record], column: Field) -> list[Narrowing]:
    counts = Counter(text for r in records if (text := value_text(r.get(column.name))) is not None)
    ranked = counts.most_common(2)
    if len(ranked) < 2 or ranked[0][1] == ranked[1][1]:
        return []
    arguments = {"operation": "most_frequent", "field": column.name}
    return [
        Narrowing("most_frequent", arguments, column, meaning_of(column).kind, values=(ranked[0][0],), as_value=True)
    ]


def _extremes(records: Sequence[Record], column: Field, kind: Kind, connecting: str) -> list[Narrowing]:
    found = []
    for operation in ("max", "min"):
        arguments = {"operation": operation, "field": column.name}
        values = _reduced(records, connecting, arguments)
        if len(values) == 1:
            found.append(Narrowing(operation, arguments, column, kind, values=values))
    return found


def _thresholds(records: Sequence[Record], column: Field, kind: Kind, connecting: str, fan_out: int) -> list[Narrowing]:
    """Filters by an observed value near either end of the column."""
    measure = kind == "measure"
    read = read_number if measure else read_date
    keyed = {key: str(r[column.name]) for r in records if (key := read(r.get(column.name))) is not None}
    ordered = [keyed[key] for key in sorted(keyed)]
    found = []
    ends = (("ge", ordered[-_CANDIDATES:]), ("le", ordered[:_CANDIDATES])) if measure else (
        ("gt", ordered[-_CANDIDATES - 1 : -1]),
    )  # fmt: skip
    for operator, pivots in ends:
        for pivot in pivots:
            arguments = {"operation": "filter", "where_field": column.name, "where_op": operator, "where_value": pivot}
            values = _reduced(records, connecting, arguments)
            if 2 <= len(values) <= fan_out:
                found.append(Narrowing("filter", arguments, column, kind, pivot, values))
    return found


def _equalities(records: Sequence[Record], column: Field, connecting: str, fan_out: int) -> list[Narrowing]:
    counts = Counter(text for r in records if (text := value_text(r.get(column.name))) is not None)
    rare = [
        text for text, times in counts.items() if times <= 4 * fan_out and len(text) <= _MAX_TEXT and plain_value(text)
    ]
    if len(counts) < 2:
        return []
    found = []
    for pivot in rare[:_CANDIDATES]:
        arguments = {"operation": "filter", "where_field": column.name, "where_op": "eq", "where_value": pivot}
        values = _reduced(records, connecting, arguments)
        if 1 <= len(values) <= fan_out:
            found.append(Narrowing("filter", arguments, column, "name", pivot, values))
    return found
