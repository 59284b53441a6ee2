"""What a comparison says, and the steps that all kinds of comparison share."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from kopa_hf.bench.segments import candidate_texts
from kopa_hf.values import ValueFailure

MAX_ANSWER: Final = 20_000
"""Characters of an answer that are read; what comes before the last so many is ignored."""
_MAX_INT: Final = 10**300

Context = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Equal or not, and why.

    `reason` is one word (equal, different, ambiguous, empty), or `unreadable: …` or `no_value: …` with the cause.
    """

    equal: bool
    reason: str


EQUAL: Final = Verdict(True, "equal")
DIFFERENT: Final = Verdict(False, "different")
AMBIGUOUS: Final = Verdict(False, "ambiguous")
UNSTATED: Final = Verdict(False, "no_value: the answer bounds, guesses or doubts the number, it states none")


class Impossible:
    """Stands for a piece that looks like a value and is none, such as 2021-02-30: it never equals anything."""


IMPOSSIBLE: Final = Impossible()


def as_text(value: Any) -> str:
    """A Python value as the text that people would write; `ValueFailure` for what is no single value."""
    if isinstance(value, str):
        return value if len(value) <= MAX_ANSWER else _last_part(value)
    if isinstance(value, bool):
        return "예" if value else "아니오"
    if isinstance(value, int):
        if abs(value) >= _MAX_INT:
            raise ValueFailure("unreadable: the number is too large")
        return str(int(value))
    if isinstance(value, float | Decimal):
        number = Decimal(repr(float(value))) if isinstance(value, float) else value
        if not number.is_finite() or abs(number.adjusted()) > 300:
            raise ValueFailure("unreadable: no finite number of a sensible size")
        return f"{number:f}"
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.time):
        return value.strftime("%H:%M:%S")
    raise ValueFailure(f"unreadable: {type(value).__name__} given where text is due")


def _last_part(text: str) -> str:
    """The end of a long answer, from a blank on: a cut must not make a number of the rest of a longer one."""
    end = text[-MAX_ANSWER:]
    _, blank, rest = end[:1000].partition(" ")
    return rest + end[1000:] if blank else ""


def decide(gold: Hashable, found: Iterable[Hashable], missing: str = "nothing of the kind in the answer") -> Verdict:
    """One distinct value must be left, and it must be the gold one."""
    distinct = list(dict.fromkeys(found))
    if not distinct:
        return Verdict(False, f"no_value: {missing}")
    if len(distinct) > 1:
        return AMBIGUOUS
    if distinct[0] is IMPOSSIBLE:
        return Verdict(False, "unreadable: there is no such value")
    return EQUAL if distinct[0] == gold else DIFFERENT


def first_holding(given: Any, find: Callable[[str], list[Any]]) -> list[Any]:
    """Values in the part of the answer that counts."""
    for segment in candidate_texts(as_text(given)):
        found = find(segment)
        if found:
            return found
    return []
