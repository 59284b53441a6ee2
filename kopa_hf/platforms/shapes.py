"""Small readings that all envelopes share: rows, counts, texts, and answers made of them."""

from __future__ import annotations

import re
from typing import Any, Final

from kopa_hf.platforms.base import Answer, Record
from kopa_hf.platforms.failures import Outcome

_COUNT = re.compile(r"[0-9]{1,18}(?:\.0*)?")
_MAX_MESSAGE: Final = 400


def rows_of(value: Any) -> list[Record] | None:
    """Rows as a list: one object is a list of one, null and "" are none, empty rows are no rows.

    None where the value is something that cannot be rows (a number, a sentence, a list of lists).
    """
    if isinstance(value, list):
        for row in value:
            if row.__class__ is not dict:
                break
        else:
            return [row for row in value if row]
        rows: list[Record] = []
        for row in value:
            if isinstance(row, dict):
                if row:
                    rows.append(row)
            elif not is_blank(row):
                return None
        return rows
    if isinstance(value, dict):
        return [value] if value else []
    return [] if is_blank(value) else None


def is_blank(value: Any) -> bool:
    """True for null and for text without a character."""
    return value is None or (isinstance(value, str) and not value.strip())


def count_of(value: Any) -> int | None:
    """A count that may come as number or text ("1,652"); None where it is neither, or negative."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if value >= 0 else None
    if isinstance(value, float):
        return int(value) if value >= 0 and value.is_integer() else None
    if isinstance(value, str):
        text = value.replace(",", "").strip()
        return int(text.partition(".")[0]) if _COUNT.fullmatch(text) else None
    return None


def text_of(value: Any) -> str | None:
    """A code or message as text without blanks around it; None where there is none."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return str(value)


def message_of(value: Any) -> str | None:
    """A message on one line, cut where a service sends a page instead of a sentence."""
    text = text_of(value)
    if text is None:
        return None
    text = " ".join(text.split())
    return text if len(text) <= _MAX_MESSAGE else text[: _MAX_MESSAGE - 1] + "…"


def answer_of_rows(rows: list[Record], total: int | None, code: str | None, message: str | None = None) -> Answer:
    """`ok` with rows, `no_data` without, whatever the success code."""
    return Answer("ok" if rows else "no_data", rows, total, code, message)


def failed(outcome: Outcome, code: str | None = None, message: str | None = None) -> Answer:
    """A failure that the service reports itself."""
    return Answer(outcome, code=code, message=message)


def only_root(value: Any) -> tuple[str, Any] | None:
    """(name, content) of an object with a single key; None for anything else."""
    if isinstance(value, dict) and len(value) == 1:
        return next(iter(value.items()))
    return None
