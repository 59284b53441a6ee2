"""What all handlers of 대학알리미 do: read the year, cut rows to the signature's columns."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.query import Query, Record, RefusedError, Rows
from kopa_hf.sandbox.universities.figures import LAST_YEAR, YEARS

LOADED: Final = "20260115"


def year_of(query: Query) -> int | None:
    """The asked year; None where nothing was disclosed."""
    text = query.get("svyYr", str(LAST_YEAR))
    if not text.isdigit():
        raise RefusedError("value", "svyYr")
    return int(text) if int(text) in YEARS else None


def fitted(query: Query, rows: list[Record]) -> Rows:
    """Rows cut to the columns of the signature, in its order."""
    if query.tool is None:
        return Rows.of(rows)
    names = [field.name for field in query.tool.fields]
    return Rows.of([{name: row.get(name) for name in names} for row in rows])
