"""What the parameters of the regulator's services do to the records.

A parameter is named after a column: the bare name asks for equality, `begin…` and `end…` for a
span that holds its beginning and not its end, `like…` for a part of the text, `…Min` and `…Max`
for a span with both ends. Dates and codes compare as text, figures as numbers. Names that the
signature lacks are ignored, as the services do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from kopa_hf.sandbox.query import Query, Record, RefusedError, Rows

T = TypeVar("T")
Known = Callable[[T], Mapping[str, Any]]

_ALIASES: Final = {"mrktCls": "mrktCtg"}
"""Parameters whose column has another name."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What one parameter demands of one column."""

    column: str
    test: Callable[[str], bool]

    def holds(self, record: Mapping[str, Any]) -> bool:
        """Whether the record's cell passes."""
        return self.test(str(record.get(self.column) or ""))


def conditions(query: Query) -> list[Condition]:
    """The conditions of a request, in the order of the signature."""
    if query.tool is None:
        return []
    found = []
    for parameter in query.tool.inputs:
        value = query.get(parameter.name)
        if value and parameter.role == "input":
            found.append(_condition(parameter.name, value, numeric=parameter.format == "number"))
    return found


def _condition(name: str, value: str, *, numeric: bool) -> Condition:
    for prefix in ("begin", "end", "like"):
        if name.startswith(prefix) and name[len(prefix) : len(prefix) + 1].isupper():
            column = name[len(prefix)].lower() + name[len(prefix) + 1 :]
            if prefix == "like":
                return Condition(column, lambda cell: value in cell)
            return Condition(column, _bound(name, value, numeric, below=prefix == "end"))
    for suffix in ("Min", "Max"):
        if name.endswith(suffix):
            return Condition(name.removesuffix(suffix), _span_end(name, value, top=suffix == "Max"))
    column = _ALIASES.get(name, name)
    return Condition(column[0].lower() + column[1:], lambda cell: cell == value)


def _bound(name: str, value: str, numeric: bool, *, below: bool) -> Callable[[str], bool]:
    """`begin…`: from the value on; `end…`: before it."""
    if not numeric:
        return (lambda cell: bool(cell) and cell < value) if below else (lambda cell: cell >= value)
    limit = _number(name, value)
    if below:
        return lambda cell: (number := _cell(cell)) is not None and number < limit
    return lambda cell: (number := _cell(cell)) is not None and number >= limit


def _span_end(name: str, value: str, *, top: bool) -> Callable[[str], bool]:
    limit = _number(name, value)
    if top:
        return lambda cell: (number := _cell(cell)) is not None and number <= limit
    return lambda cell: (number := _cell(cell)) is not None and number >= limit


def _number(name: str, text: str) -> float:
    number = _cell(text)
    if number is None:
        raise RefusedError("value", name)
    return number


def _cell(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def select(query: Query, items: Sequence[T], known: Known[T], make: Callable[[T], Record]) -> Rows:
    """One record per item that passes. `known` gives the columns that cost nothing; the others are made only if asked."""
    asked = conditions(query)
    if not asked:
        return Rows.mapped(items, make)
    cheap = set(known(items[0])) if items else set()
    first = [c for c in asked if c.column in cheap]
    rest = [c for c in asked if c.column not in cheap]
    kept: Sequence[T] = items
    if first:
        kept = [item for item in items if all(c.holds(cells) for cells in (known(item),) for c in first)]
    if not rest:
        return Rows.mapped(kept, make)
    return Rows.of(passing((make(item) for item in kept), rest))


def passing(records: Iterable[Record], asked: Sequence[Condition]) -> list[Record]:
    """The records that hold every condition."""
    return [record for record in records if all(c.holds(record) for c in asked)]
