"""Numbers and amounts in answers: which count, in which unit, and when two are the same.

Values are compared exactly, decimals too: 215.79 is not 215.78. A task that asks
for rounding says so in its question; `tolerance` allows a difference where one is due.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from kopa_hf.bench.hedges import is_hedged, is_lower, is_none_of, is_total, only_total, total_of_parts
from kopa_hf.bench.segments import boxed_text, plain_latex
from kopa_hf.bench.symbolic import is_expression, symbolically_equal
from kopa_hf.bench.verdicts import (
    AMBIGUOUS,
    DIFFERENT,
    EQUAL,
    IMPOSSIBLE,
    UNSTATED,
    Context,
    Verdict,
    as_text,
    decide,
    first_holding,
)
from kopa_hf.values import ValueFailure
from kopa_hf.values.date import scan_dates
from kopa_hf.values.denial import is_denied
from kopa_hf.values.english import is_denied_in_english
from kopa_hf.values.number import Quantity, fold, read_quantity, scan
from kopa_hf.values.time import scan_times
from kopa_hf.values.unit import ORDINALS, own_counter, unit_scale

# Days, months and years without the rest of a date, and numbers that the text calls codes.
_CALENDAR: Final = re.compile(
    r"(?:1[89]|20|21)[0-9]{2}\s?(?:학?년도?)(?:\s?[0-9]{1,2}\s?(?:월|분기|학기))?"
    r"|(?<![0-9,.])[0-9]{1,2}\s?월(?:\s?[0-9]{1,2}\s?일)?(?![가-힣]*간)|(?<![0-9])(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])(?![0-9])"
)
_NAMED_CODE: Final = re.compile(
    r"(?:코드|번호|(?<![A-Za-z])ID|(?<![A-Za-z])code)\s*(?:은|는|이|가|:|=|\()?\s*(?=[A-Za-z0-9-]{4})[A-Za-z]*[0-9][A-Za-z0-9-]*"
    r"(?![0-9,]*[,.][0-9])",
    re.I,
)
# 6이 아니라 7이다, 6명이 아닙니다: the answer says what the value is not
_DENIED: Final = re.compile(
    r"(?<![0-9,.])[-+]?[0-9][0-9,.]*\s?[^\s0-9]{0,8}?(?:이|가|은|는|도)?\s*(?:아니[다라고며]|아닙니다|아니에요|아님)"
)
# 5명 + 2명 = 7명: of a calculation its result counts
# (nothing is given back once matched: a long chain would be tried in every way)
_TERM: Final = r"\(?+\s?+[0-9][0-9,.]{0,20}+(?:\s?(?:%|[가-힣]{1,3}+))?+(?:\s?\))?+"
_WORKING: Final = re.compile(rf"(?<![0-9,.])[-+]?{_TERM}(?:\s?[-+*/×÷]\s?{_TERM}){{1,12}}\s?=\s?(?=[-+₩$]?\s?[0-9])")
# 약 5건 and such: the grammar would read them, but what they say of the number counts
_LEADING: Final = re.compile(r"\W*(?:총\s*)?(?:약|대략)\s*[0-9가-힣₩$]")
_ADDED: Final = re.compile(r"(?<=[0-9가-힣%)])\s?\+\s?(?=[0-9])")
_NUMBERING: Final = re.compile(r"^\s*[0-9]{1,2}[.)]\s+(?=\S)", re.M)


def compare_number(gold: Any, given: Any, context: Context) -> Verdict:
    """Kind `number`: the unit is the context's, else gold's own, else any."""
    return _compare(gold, given, context, context.get("unit"))


def compare_amount(gold: Any, given: Any, context: Context) -> Verdict:
    """Kind `amount`: the same, in 원 where nothing else is said."""
    return _compare(gold, given, context, context.get("unit") or "원")


# what a counter may be called where a question counts in another: 개 of schools, 원 of a litre's price
_ALSO: Final = {"개": "개교", "원": "원/L"}


class _Unit:
    """The unit in which bare numbers are read, and the one base that others must share."""

    def __init__(self, unit: str | None) -> None:
        self.base, self.scale = unit_scale(unit)
        self.own = own_counter(self.base)
        """Offered to the grammar, which may not know the counter."""

    def value(self, found: Quantity) -> Fraction | None:
        """In the base; None where the number bears another unit."""
        if found.unit is None:
            # 8억 2,500만 in a field of 만원 has said its scale itself
            return found.value if found.scaled or self.scale == 1 else found.value * self.scale
        return found.value if self.base in (None, found.unit) or _ALSO.get(self.base or "") == found.unit else None

    def without_piece(self, text: str) -> str:
        """8개 정거장 as 8정거장, where that is the field's counter."""
        if self.base is None or len(self.base) < 2 or self.base not in text or "개" not in text:
            return text
        return re.sub(rf"(?<=[0-9\s])개\s?(?={re.escape(self.base)})", "", text)


def _compare(gold: Any, given: Any, context: Context, unit: Any) -> Verdict:
    text = as_text(gold)
    wanted, field = _gold(text, None if unit is None else str(unit)[:40])
    if isinstance(given, bool):
        raise ValueFailure("no_value: a truth value is no number")
    if wanted is None:
        return _compare_expressions(text, given)
    allowed = _tolerance(context.get("tolerance"))
    # a gold value with decimals is a rounded one, and so is who says 약 215.79%
    exact = allowed is None and (wanted / field.scale).denominator == 1
    signed = bool(context.get("signed"))
    values = first_holding(given, lambda segment: _values_in(segment, field, exact=exact, signed=signed))
    if allowed is None or IMPOSSIBLE in values:
        return UNSTATED if IMPOSSIBLE in values else decide(wanted, values, "no number of the unit in the answer")
    if len(set(values)) > 1:
        return AMBIGUOUS
    if not values:
        return Verdict(False, "no_value: no number of the unit in the answer")
    return EQUAL if abs(values[0] - wanted) <= allowed * field.scale else DIFFERENT


def _tolerance(given: Any) -> Fraction | None:
    if given is None:
        return None
    try:
        allowed = Fraction(str(given))
    except (ValueError, ZeroDivisionError):
        raise ValueFailure(f"unreadable: the tolerance {str(given)[:40]!r} is no number") from None
    if allowed < 0:
        raise ValueFailure("unreadable: the tolerance is negative")
    return allowed


@lru_cache(maxsize=4096)
def _gold(text: str, unit: str | None) -> tuple[Fraction | None, _Unit]:
    """The gold value, and the unit that its answers are held to: an explicit one of gold's own beats the context's.

    Remembered: every rollout of a task is held against the same gold.
    """
    field = _Unit(unit)
    try:
        found = read_quantity(plain_latex(text), field.own)
    except ValueFailure:
        return None, field
    if found.unit is not None and found.unit != field.base:
        field = _Unit(None)
        field.base = found.unit
    return field.value(found), field


def _values_in(segment: str, field: _Unit, *, exact: bool, signed: bool) -> list[Any]:
    """Values that the segment states; `IMPOSSIBLE` alone where it only bounds, guesses or doubts one."""
    plain = field.without_piece(_WORKING.sub(" ", _DENIED.sub(" ", plain_latex(segment))).strip())
    try:
        found = read_quantity("" if _LEADING.match(fold(plain)) else plain, field.own)
    except ValueFailure:
        pass  # prose, or a range, in which the scan finds nothing
    else:
        if not _is_date_part(found, plain, field):
            value = field.value(found)
            return [] if value is None else [value]
    text = _without_dates(fold(plain), field)
    if "+" in text:
        text = _ADDED.sub(" + ", text)  # 3건+2건: the second is no part of a code
    stated: list[tuple[Fraction, bool]] = []
    spans: list[tuple[int, int]] = []
    weak: list[Any] = []
    for found in scan(text, field.own):
        value = field.value(found) if field.base is not None or found.unit not in ORDINALS else None
        if value is None or is_denied(text, found.end) or is_denied_in_english(text, found.start):
            continue
        if is_hedged(text, found.start, found.end, exact=exact) or (signed and value > 0 and is_lower(text, found.end)):
            weak.append(Fraction(0) if found.value == 1 and is_none_of(text, found.end) else IMPOSSIBLE)
        else:
            stated.append((value, is_total(text, found.start)))
            spans.append((found.start, found.end))
    if not stated:
        return [IMPOSSIBLE] if IMPOSSIBLE in weak else weak
    total = only_total(stated)
    if total is None and not weak:
        total = total_of_parts(text, [value for value, _ in stated], spans)
    return [value for value, _ in stated] if total is None else [total]


def _is_date_part(found: Quantity, text: str, field: _Unit) -> bool:
    """2026년 or 3월 as a whole answer: a number only where the field counts years or months."""
    return (
        found.unit in ("년", "월", "시")
        and found.unit != field.base
        and bool(_CALENDAR.search(text) or found.unit == "시")
    )


def _without_dates(text: str, field: _Unit) -> str:
    """The text with dates, times, numbering and named codes blanked out."""
    spans = [span for _, span in scan_dates(text) if not text[span[0] : span[1]].isdigit()]
    spans += [span for _, span in scan_times(text)]
    spans += [match.span() for match in _NUMBERING.finditer(text)]
    spans += [match.span() for match in _NAMED_CODE.finditer(text)]
    if field.base not in ("년", "월"):
        spans += [match.span() for match in _CALENDAR.finditer(text)]
    if not spans:
        return text
    chars = list(text)
    for start, end in spans:
        chars[start:end] = " " * (end - start)
    return "".join(chars)


def _compare_expressions(gold: str, given: Any) -> Verdict:
    """Symbolic equality, only where both sides are expressions that no grammar reads."""
    answer = boxed_text(as_text(given))
    answer = as_text(given) if answer is None else answer
    if not is_expression(gold):
        return Verdict(False, "unreadable: the gold value is no number")
    if not is_expression(answer.strip()):
        return Verdict(False, "no_value: no expression in the answer")
    return EQUAL if symbolically_equal(gold.strip(), answer.strip()) else DIFFERENT
