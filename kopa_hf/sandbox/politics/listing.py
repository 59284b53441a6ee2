"""Lists of the Assembly: pick entities, filter by the given parameters, write the operation's columns.

The same thing goes by many names over the operations (BILL_NAME, BILL_NM), so a record is
made by looking each column of the asked operation up in its entity's table of columns.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from kopa_hf.sandbox.query import Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import World

T = TypeVar("T")
Columns = Mapping[str, Callable[[World, Any], Any]]
"""Column name → what it holds for an entity."""
Pool = Callable[[World, Query], Sequence[Any]]
"""The entities that an operation is about."""

_EXACT: Final = frozenset(
    [
        "AGE",
        "ERACO",
        "DAESU",
        "DAE_NUM",
        "REGDAESU",
        "CT1",
        "TH",
        "SESS",
        "DGR",
        "CHA",
        "DEGREE",
        "MEETINGSESSION",
        "YR",
        "YEAR",
        "FSCL_YY",
        "EXE_M",
        "RPT_YR",
        "QUARTER",
        "SN",
        "ORD_NUM",
        "ORD_NO",
        "JOB_RES_NM",
        "CLASS_NAME",
        "PROC_RESULT",
        "PROC_RESULT_CD",
        "RGS_CONF_RSLT",
        "COMMITTEE_RESULT",
        "PROPOSER_KIND",
        "PPSR_KIND",
        "PPSR_KND",
        "BILL_KIND",
        "BILL_KND",
        "SCH_KIND",
        "RESULT_VOTE_MOD",
        "STAGE",
        "DTL_STAGE",
        "ACT_STATUS",
        "DIV",
        "DIV2",
        "DIV_NM",
        "CHM_DIV",
        "MTR_DIV",
        "USE_YN",
        "CONF_SCH_DIV",
        "DCS_DIV",
        "PASS_GUBUN",
        "GUBUN",
        "NUM",
        "JGRD_NM",
        "UNIT_NM",
    ]
)
LONG: Final = 500
"""Entities from which on a column is worth keeping."""
COLUMNS_KEPT: Final = 12
_EXACT_ENDINGS: Final = ("_ID", "_CD", "_NO", "_NUM", "GBN_NM", "DIV_CD")
_DATE: Final = re.compile(
    r"(_DT|_DATE|^DATE|DATE_.*|^DT|^SDATE|_DTTM|^INSERTDT|^RDT|_DAY|SCHEDULEDATE|^RG_DE|PRDC_YM)$"
)
_DIGITS: Final = re.compile(r"\D")


def matcher(name: str, wanted: str) -> Callable[[Any], bool]:
    """Whether a column's value passes a parameter: codes and kinds whole, dates by their beginning, text by containment."""
    if name in _EXACT or name.endswith(_EXACT_ENDINGS):
        return lambda value: value is not None and str(value) == wanted
    if _DATE.search(name) and wanted[:4].isdigit():
        beginnings = _date_spellings(wanted)
        return lambda value: value is not None and value.startswith(beginnings)
    return lambda value: value is not None and wanted in str(value)


def _date_spellings(wanted: str) -> tuple[str, ...]:
    """A date's beginning with dashes and without: both are accepted, whichever way the column is spelled."""
    digits = _DIGITS.sub("", wanted)
    dashed = "-".join(part for part in (digits[:4], digits[4:6], digits[6:8]) if part)
    return (wanted, dashed, digits)


def as_day(text: str) -> str:
    """A date parameter as columns spell it: 20250513 and 2025.05.13 mean 2025-05-13."""
    digits = _DIGITS.sub("", text)
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}" if len(digits) == 8 else text


def asked(query: Query, known: Iterable[str]) -> list[tuple[str, str]]:
    """Given parameters that the operation documents and whose column is known; others never filter."""
    tool, names = query.tool, frozenset(known)
    return [
        (name, value.strip())
        for name, value in query.parameters.items()
        if value.strip() and name in names and (tool is None or tool.parameter(name) is not None)
    ]


def chosen(world: World, query: Query, pool: Sequence[T], columns: Columns) -> Sequence[T]:
    """Entities whose columns fit every given parameter."""
    kept = pool
    for name, wanted in asked(query, columns):
        column = columns[name]
        passes = matcher(name, wanted)
        if kept is pool and len(pool) >= LONG:
            values = values_of(world, pool, column)
            kept = [item for item, value in zip(pool, values, strict=True) if passes(value)]
        else:
            kept = [item for item in kept if passes(column(world, item))]
    return kept


def values_of(world: World, pool: Sequence[Any], column: Callable[[World, Any], Any]) -> tuple[Any, ...]:
    """A column of a long list, in its order; the world keeps the last few, since the same ones are asked for again."""
    known: dict[tuple[int, int], tuple[Any, Any, tuple[Any, ...]]] = world.table("politics.columns", lambda w: {})
    key = (id(pool), id(column))  # the entry holds both, so nothing else can get their ids
    found = known.get(key)
    if found is None:
        found = (pool, column, tuple(column(world, item) for item in pool))
        for oldest in list(known)[: max(len(known) - COLUMNS_KEPT + 1, 0)]:
            known.pop(oldest, None)
        known[key] = found
    return found[2]


def names_of(query: Query, columns: Columns) -> tuple[str, ...]:
    """Columns of the asked operation: as the signature lists them, else all that are known."""
    return tuple(field.name for field in query.tool.fields) if query.tool is not None else tuple(columns)


def rows(world: World, query: Query, kept: Sequence[Any], columns: Columns) -> Rows:
    """One record per entity, made when its page is asked for."""
    worded = texts_of(query)
    named = [(name, columns[name], name in worded) for name in names_of(query, columns)]

    def make(item: Any) -> Record:
        return {name: as_text(column(world, item)) if word else column(world, item) for name, column, word in named}

    return Rows.mapped(kept, make)


def texts_of(query: Query) -> frozenset[str]:
    """Columns that the signature states as text: a count may stand there as digits."""
    if query.tool is None:
        return frozenset()
    return frozenset(field.name for field in query.tool.fields if field.type == "string")


_FIGURES: Final = frozenset({int, float, bool})


def as_text(value: Any) -> Any:
    """A figure as text; null and text as they are."""
    return str(value) if type(value) in _FIGURES else value


def serve(columns: Columns, pool: Pool) -> Handler:
    """The handler of an operation: its pool, filtered by its parameters, under its columns."""

    def handle(world: World, query: Query) -> Reply:
        return rows(world, query, chosen(world, query, pool(world, query), columns), columns)

    return handle


def alike(names: str, column: Callable[[World, Any], Any]) -> dict[str, Callable[[World, Any], Any]]:
    """One column under several names."""
    return dict.fromkeys(names.split(), column)


def through(columns: Columns, part: Callable[[Any], Any]) -> dict[str, Callable[[World, Any], Any]]:
    """The columns of something that an entity holds: a seat's member, a pair's bill."""

    def of(column: Callable[[World, Any], Any]) -> Callable[[World, Any], Any]:
        return lambda world, entity: column(world, part(entity))

    return {name: of(column) for name, column in columns.items()}


def spelled(day: datetime.date | None) -> str | None:
    """A date as this service writes it; null where there is none."""
    return None if day is None else day.isoformat()
