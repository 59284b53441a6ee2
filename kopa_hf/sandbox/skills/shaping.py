"""From what is known about a thing to the record that a signature documents."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.skills.qualifications import Qualification
from kopa_hf.sandbox.skills.rounds import FIRST_YEAR, LAST_YEAR
from kopa_hf.sandbox.world import World

T = TypeVar("T")

FIRST_TABLE: Final = FIRST_YEAR + 5
"""The first year of the yearly tables, which look five years back."""


def shaped(query: Query, known: Mapping[str, Any]) -> Record:
    """The documented columns, in their order, out of everything that is known."""
    assert query.tool is not None  # the server routes by signature
    return {field.name: known[field.name] for field in query.tool.fields}


def listed(query: Query, items: Sequence[T], known: Callable[[T], Mapping[str, Any]]) -> Rows:
    """One record per item, made when its page is asked for."""
    return Rows.mapped(items, lambda item: shaped(query, known(item))) if items else NO_ROWS


def year_of(query: Query, name: str = "baseYY", default: int | None = None) -> int:
    """A year parameter; refused where it is no year."""
    text = query.get(name)
    if not text and default is not None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) == 4):
        raise RefusedError("value", name)
    return int(text)


def has_results(year: int) -> bool:
    """Whether the yearly tables reach this year."""
    return FIRST_TABLE <= year <= LAST_YEAR


def day(date: datetime.date) -> str:
    """20260112."""
    return f"{date:%Y%m%d}"


def names_of(qualification: Qualification) -> dict[str, Any]:
    """How the services name a qualification, its grade and its field, under all their spellings."""
    q, field = qualification, qualification.field
    return {
        "jmCd": q.code, "jmcd": q.code, "itemCd": q.code,
        "jmNm": q.name, "jmFldNm": q.name, "jmfldnm": q.name, "jmfldmm": q.name, "jmnm": q.name,
        "engJmNm": q.english,
        "grdCd": q.grade, "grdNm": q.grade_name, "gradename": q.grade_name,
        "seriesCd": q.series, "seriescd": q.series, "seriesNm": q.series_name, "seriesnm": q.series_name,
        "qualgbCd": q.kind, "qualgbcd": q.kind, "qualgbNm": q.kind_name, "qualgbnm": q.kind_name,
        "obligFldCd": field.large_code, "obligfldcd": field.large_code,
        "obligFldNm": field.large_name, "obligfldnm": field.large_name,
        "mdobligFldCd": field.code, "mdobligfldcd": field.code,
        "mdobligFldNm": field.name, "mdobligfldnm": field.name,
        "instiNm": q.agency, "implNm": q.agency, "mgmtInstiNm": q.ministry,
    }  # fmt: skip


def matching(items: Sequence[Qualification], query: Query) -> list[Qualification]:
    """Qualifications that the usual optional parameters leave: grade, series, code, kind, part of the name."""
    grade, series, kind, name = query.get("grdCd"), query.get("seriesCd"), query.get("qualgbCd"), query.get("jmNm")
    code = query.get("jmCd") or query.get("jmcd") or query.get("jmCD")
    return [
        q
        for q in items
        if (not grade or q.grade == grade)
        and (not series or q.series == series)
        and (not kind or q.kind == kind)
        and (not code or q.code == code)
        and (not name or name in q.name)
    ]


def table(
    items: Callable[[World], Sequence[T]], known: Callable[[World, T], Mapping[str, Any]], **filters: str
) -> Handler:
    """A list of things as an operation.

    `filters`: parameter → what it is compared with among the things known; a name behind `~` is searched
    for the text, any other must be equal to it.
    """

    def answer(world: World, query: Query) -> Reply:
        rows = items(world)
        chosen: set[int] | None = None
        wanted = [(column, value) for name, column in filters.items() if (value := query.get(name))]
        for column, value in wanted:
            cells = _cells(world, query.operation, column.lstrip("~"), items, known)
            kept = {position for position, cell in enumerate(cells) if _fits(cell, column, value)}
            chosen = kept if chosen is None else chosen & kept
        if chosen is not None:
            rows = [rows[position] for position in sorted(chosen)]
        return listed(query, rows, lambda item: known(world, item))

    return answer


def _cells(
    world: World,
    operation: str,
    column: str,
    items: Callable[[World], Sequence[T]],
    known: Callable[[World, T], Mapping[str, Any]],
) -> Sequence[Any]:
    """One column of a list, kept by the world: making every record anew for each question costs far more."""
    return world.table(
        f"skills.cells.{operation}.{column}", lambda w: tuple(known(w, item)[column] for item in items(w))
    )


def _fits(cell: Any, column: str, value: str) -> bool:
    return value in cell if column[0] == "~" else bool(value == cell)
