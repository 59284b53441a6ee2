"""The two local tools that change an episode's state.

What they write depends on the task, its seed and the arguments only, and is
brought into one form first: harmless differences of spelling (1680, 1680.0,
"1,680"; the order of rows and columns) give the same state, different values
never do.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from kopa_hf.execution.episode import Episode, canonical_json
from kopa_hf.execution.expression import format_number
from kopa_hf.sandbox.keys import sandbox_key

MAX_ROWS: Final = 1_000
MAX_CELLS: Final = 20_000
MAX_TEXT: Final = 2_000
"""Characters of one cell."""

# A number in plain or grouped form. A leading zero marks a code, which stays as it is.
_NUMBER: Final = re.compile(r"[+-]?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)(?:\.\d+)?")


class WriteError(ValueError):
    """The content cannot be written; the message says why."""


def issue_key(episode: Episode, platform: str) -> dict[str, Any]:
    """Issue a platform's key and put it in force. The key itself is neither shown nor hashed, only its print."""
    key = sandbox_key(platform, seed=episode.seed)
    episode.keys[platform] = key
    episode.write("api_key", {"platform": platform, "print": hashlib.sha256(key.encode()).hexdigest()[:16]})
    return {"platform": platform, "issued": True, "applied": "automatically, to every later call of this platform"}


def save_table(episode: Episode, name: str, rows: Any, columns: Any = None) -> dict[str, Any]:
    """Save a table: rows as objects, or as lists below `columns`; the order of rows is no content."""
    title = _text(name)
    if not title:
        raise WriteError("name is empty")
    table = [_row(row, columns, at) for at, row in enumerate(_rows(rows), start=1)]
    if sum(len(row) for row in table) > MAX_CELLS:
        raise WriteError(f"the table has more than {MAX_CELLS} cells")
    episode.write("table", {"name": title, "rows": sorted(table, key=canonical_json)})
    return {"table": title, "rows": len(table), "saved": True}


def _rows(rows: Any) -> Sequence[Any]:
    if isinstance(rows, str):
        try:
            rows = json.loads(rows)
        except ValueError as error:
            raise WriteError(f"rows is text but no JSON: {error}") from error
    if isinstance(rows, Mapping):
        rows = [rows]
    if not isinstance(rows, Sequence) or not rows:
        raise WriteError("rows must be a list with at least one row")
    if len(rows) > MAX_ROWS:
        raise WriteError(f"rows has {len(rows)} rows; at most {MAX_ROWS} can be saved")
    return rows


def _row(row: Any, columns: Any, at: int) -> dict[str, str | None]:
    if columns and isinstance(row, Sequence) and not isinstance(row, str):
        if len(row) != len(columns):
            raise WriteError(f"row {at} has {len(row)} cells for {len(columns)} columns")
        row = dict(zip((str(c) for c in columns), row, strict=True))
    if not isinstance(row, Mapping) or not row:
        raise WriteError(f'row {at} must be an object of column and value, such as {{"종목": "가나", "값": 1680}}')
    cells = {_text(str(column)): _cell(value, at) for column, value in row.items()}
    if len(cells) != len(row) or "" in cells:
        raise WriteError(f"row {at} has an empty or repeated column name")
    return cells


def _cell(value: Any, at: int) -> str | None:
    """One value in its only form: numbers without grouping and trailing zeros, text in NFC."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        raise WriteError(f"row {at} holds a number that is not finite")
    if isinstance(value, (int, float, Decimal)):
        return format_number(Fraction(str(value)))
    if not isinstance(value, str):
        raise WriteError(f"row {at} holds a {type(value).__name__}; a cell is a text, a number or null")
    text = _text(value)
    if len(text) > MAX_TEXT:
        raise WriteError(f"row {at} holds a text of {len(text)} characters; at most {MAX_TEXT}")
    return format_number(Fraction(text.replace(",", ""))) if _NUMBER.fullmatch(text) else text


def _text(value: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise WriteError("a text holds half a character (a lone surrogate)")
    return " ".join(unicodedata.normalize("NFC", value).split())
