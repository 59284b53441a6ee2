"""Does the question give its own answer away?

Entities are drawn from the data, so a question that never names its answer can still
hold it by chance: a count that equals a year's last digits, a day that is also asked
for. Such an instance rewards repeating the question; another is drawn in its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from kopa_hf.bench.overlapping import question_of, squeezed
from kopa_hf.bench.rows import Row
from kopa_hf.values import ValueFailure
from kopa_hf.values.date import read_date, read_month, scan_dates, scan_months
from kopa_hf.values.text import fold_width
from kopa_hf.values.time import read_time, scan_times

_NUMBER: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")

_Reader = Callable[[str], Any]
_Scanner = Callable[[str], Iterator[tuple[Any, Any]]]
_CALENDAR: Final[dict[str, tuple[_Reader, _Scanner]]] = {
    "date": (read_date, scan_dates),
    "month": (read_month, scan_months),
    "time": (read_time, scan_times),
}


def leaks(row: Row) -> list[str]:
    """What the question gives away, one text each: the answer, what decides it, or what an ask should ask for."""
    question = question_of(row)
    if row.answer_type == "ask":
        groups: list[Any] = row.program["terms"]
        terms = [term for group in groups for term in (group if isinstance(group, list) else [group])]
        return [f"the question names {term!r}" for term in terms if squeezed(str(term)) in squeezed(question)]
    if row.answer_type == "boolean":
        deciding, kind = row.program.get("deciding_value"), str(row.program.get("deciding_kind") or "number")
        held = deciding is not None and _holds(question, kind, str(deciding))
        return [f"the question holds {deciding}, which decides it"] if held else []
    numeric = row.answer_type in ("number", "amount")
    if row.answer_type in ("no_data", "judge") or (row.program.get("candidates") and not numeric):
        # which of A, B and C: naming all of them gives nothing away
        return []
    items = [str(item) for item in json.loads(row.answer)] if row.answer_type in ("set", "list") else [row.answer]
    return [f"the question holds {item}" for item in items if _holds(question, row.answer_type, item)]


def _holds(question: str, kind: str, value: str) -> bool:
    if kind in ("number", "amount"):
        wanted = value.replace(",", "")
        return wanted in {number.replace(",", "") for number in _NUMBER.findall(fold_width(question))}
    if kind in _CALENDAR:
        read, scan = _CALENDAR[kind]
        try:
            due = read(value)
        except ValueFailure:
            return squeezed(value) in squeezed(question)
        return any(found == due for found, _ in scan(fold_width(question)))
    return bool(value.strip()) and squeezed(value) in squeezed(question)
