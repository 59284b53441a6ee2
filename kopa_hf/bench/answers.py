r"""Is a given answer the gold one? Typed comparison of values, not of strings.

What counts in a whole answer: the last \boxed{}, else the text after the last
final-answer marker, else the last sentence that holds a value of the kind. More
than one distinct value there is `ambiguous`, so listing candidates never pays.
Numbers are compared exactly; a task that asks for rounding says so in its query,
or allows a `tolerance`.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Final

from kopa_hf.bench.items import same_items, split_items
from kopa_hf.bench.segments import boxed_text, candidate_texts, final_block, plain_latex
from kopa_hf.bench.symbolic import symbolically_equal
from kopa_hf.values import ValueFailure
from kopa_hf.values import date as dates
from kopa_hf.values import number as numbers
from kopa_hf.values.region import read_region
from kopa_hf.values.text import normalize_text

MAX_ANSWER: Final = 100_000
"""Characters of an answer that are read; what comes before the last so many is ignored."""

Context = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Equal or not, and why."""

    equal: bool
    reason: str


def compare(kind: str, gold: Any, given: Any, **context: Any) -> Verdict:
    """Compare a given answer with the gold one under a kind.

    kind: number, amount, code, date, month, time, region, text, set, list, boolean, no_data.
    gold, given: text or Python values; `given` may be a whole answer in Korean.
    context: `unit` (the field's unit, e.g. "만원"), `as_of` (a date or YYYY-MM-DD: a given region must bear a
    name in force that day), `tolerance` (absolute, in the unit's base). Never raises: what cannot be read is
    not equal, with the reason.
    """
    if kind not in _KINDS:
        return Verdict(False, f"unknown kind {kind!r}; there are {', '.join(_KINDS)}")
    try:
        return _KINDS[kind](gold, given, context)
    except ValueFailure as failure:
        return Verdict(False, failure.reason)
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        # whatever a model wrote, or a task author passed, ends as a verdict and not as a crash
        return Verdict(False, f"unreadable: {type(error).__name__}")


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value[-MAX_ANSWER:]
    if isinstance(value, bool):
        return "예" if value else "아니오"
    if isinstance(value, int):
        if abs(value) >= 10**300:
            raise ValueFailure("unreadable: the number is too large")
        return str(value)
    if isinstance(value, float | Decimal):
        try:
            number = Decimal(repr(value)) if isinstance(value, float) else value
            if not number.is_finite():
                raise ValueFailure(f"unreadable: {value} is no number")
            return f"{number:f}"
        except InvalidOperation as error:
            raise ValueFailure(f"unreadable: {value!r}") from error
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.time):
        return value.strftime("%H:%M:%S")
    raise ValueFailure(f"unreadable: {type(value).__name__} given where text is due")


def _decide(gold: Hashable, found: Iterable[Hashable]) -> Verdict:
    """One distinct value must be left, and it must be the gold one."""
    distinct = list(dict.fromkeys(found))
    if not distinct:
        return Verdict(False, "no_value: nothing of the kind in the answer")
    if len(distinct) > 1:
        return Verdict(False, f"ambiguous: {len(distinct)} different values")
    return Verdict(True, "equal") if distinct[0] == gold else Verdict(False, "different")


def _first_holding(given: Any, find: Callable[[str], list[Any]]) -> list[Any]:
    """Values in the part of the answer that counts."""
    for segment in candidate_texts(_text(given)):
        found = find(segment)
        if found:
            return found
    return []


# numbers


def _number(gold: Any, given: Any, context: Context) -> Verdict:
    return _quantity(gold, given, context, context.get("unit"))


def _amount(gold: Any, given: Any, context: Context) -> Verdict:
    return _quantity(gold, given, context, context.get("unit") or "원")


def _quantity(gold: Any, given: Any, context: Context, unit: Any) -> Verdict:
    name, scale = numbers.unit_scale(None if unit is None else str(unit))
    golden = _whole_number(_text(gold), name, scale)
    if golden is None:
        return _expression(_text(gold), given)
    values = _first_holding(given, lambda segment: _numbers_in(segment, name, scale))
    tolerance = context.get("tolerance")
    if tolerance is not None and len(set(values)) == 1:
        near = abs(values[0] - golden) <= Fraction(str(tolerance))
        return Verdict(near, "equal within tolerance" if near else "different")
    return _decide(golden, values)


def _whole_number(text: str, unit: str | None, scale: Fraction) -> Fraction | None:
    plain = plain_latex(text)
    ratio = re.fullmatch(r"\s*(-?\d{1,30})\s*/\s*(\d{1,30})\s*", plain)
    if ratio and int(ratio[2]):
        return Fraction(int(ratio[1]), int(ratio[2])) * scale
    try:
        return _in_unit(numbers.read_quantity(plain), unit, scale)
    except ValueFailure as failure:
        if "range" in failure.reason:
            raise
        return None


def _in_unit(found: numbers.Quantity, unit: str | None, scale: Fraction) -> Fraction | None:
    """The value in the base of `unit`; None where it bears another unit."""
    if found.unit is None:
        return found.value * scale
    return found.value if unit is None or found.unit == unit else None


def _numbers_in(segment: str, unit: str | None, scale: Fraction) -> list[Fraction]:
    whole = _whole_number(segment, unit, scale)
    if whole is not None:
        return [whole]
    text = numbers.fold(plain_latex(segment))
    for spans in (dates.scan_dates(text), dates.scan_months(text), dates.scan_times(text)):
        for _, (start, end) in list(spans):
            text = text[:start] + " " * (end - start) + text[end:]
    found = [_in_unit(quantity, unit, scale) for quantity in numbers.scan(text)]
    return [value for value in found if value is not None]


def _expression(gold: str, given: Any) -> Verdict:
    """Symbolic equality, only where both sides are expressions that no grammar reads."""
    answer = boxed_text(_text(given))
    if answer is None or not re.search(r"[\\^*/()a-z]", gold) or len(gold) > 400 or len(answer) > 400:
        return Verdict(False, "unreadable: the gold value is no number")
    equal = symbolically_equal(gold, answer)
    return Verdict(equal, "equal" if equal else "different")


# codes, dates, names


def _code(gold: Any, given: Any, context: Context) -> Verdict:
    wanted = dates.fold(normalize_text(_text(gold)))
    if not isinstance(given, str):
        return _decide(wanted, [dates.fold(normalize_text(_text(given)))])
    shape = _shape(wanted)

    def find(segment: str) -> list[str]:
        text = dates.fold(normalize_text(segment)).strip(" .\"'`")
        if re.fullmatch(r"[A-Za-z0-9_\-./]+", text) or text == wanted:
            return [text]
        tokens = re.findall(r"(?<![A-Za-z0-9_\-.])[A-Za-z0-9][A-Za-z0-9_\-]*(?:\.[A-Za-z0-9_\-]+)*", text)
        return [token for token in tokens if _shape(token) == shape]

    return _decide(wanted, _first_holding(given, find))


def _shape(code: str) -> tuple[int, str]:
    """Length and classes of a code's signs: 005930 and 2026년's 2026 differ, two stock codes do not."""
    return len(code), "".join("9" if c.isdigit() else "a" if c.isalpha() else c for c in code)


def _dated(
    read: Callable[[str], Any], scan: Callable[[str], Iterable[tuple[Any, Any]]]
) -> Callable[[Any, Any, Context], Verdict]:
    def check(gold: Any, given: Any, context: Context) -> Verdict:
        wanted = read(_text(gold))

        def find(segment: str) -> list[Any]:
            text = plain_latex(segment)
            try:
                return [read(text)]
            except ValueFailure:
                return [value for value, _ in scan(dates.fold(text)) if value is not None]

        return _decide(wanted, _first_holding(given, find))

    return check


def _region(gold: Any, given: Any, context: Context) -> Verdict:
    as_of = context.get("as_of")
    if isinstance(as_of, str):
        as_of = dates.read_date(as_of)
    wanted = read_region(_text(gold))
    reasons: list[str] = []

    def find(segment: str) -> list[str]:
        # what is said of the topic first: any Hangul could be the name of a small place
        for text in reversed(_statements(segment)):
            try:
                return [read_region(text, as_of)]
            except ValueFailure as failure:
                reasons.append(failure.reason)
        return []

    found = _first_holding(given, find)
    return _decide(wanted, found) if found else Verdict(False, reasons[0] if reasons else "no_value: no region")


def _plain_text(gold: Any, given: Any, context: Context) -> Verdict:
    wanted = _squeezed(_text(gold))
    if not wanted:
        return Verdict(False, "unreadable: the gold text is empty")
    segments = list(candidate_texts(_text(given)))
    if not segments:
        return Verdict(False, "empty")
    equal = any(_squeezed(statement) == wanted for statement in _statements(segments[0]))
    return Verdict(equal, "equal" if equal else "different")


def _statements(segment: str) -> list[str]:
    """A segment as it stands, and what it says of its topic: 대표자는 김가온입니다 → 김가온."""
    text = normalize_text(plain_latex(segment)).strip(" \t\n.\"'“”‘’`")
    bare = re.sub(r"(?:입니다|이다|이에요|예요|임)$", "", text)
    said = re.split(r"(?<=[가-힣A-Za-z0-9)])(?:은|는|이|가)\s+", bare, maxsplit=1)
    return list(dict.fromkeys([text, bare, *said[1:]]))


def _squeezed(text: str) -> str:
    return "".join(normalize_text(text).split())


# yes and no, nothing, several

_YES: Final = re.compile(
    r"(?<![가-힣])(?:예|네|그렇다|그렇습니다|맞다|맞습니다)(?![가-힣])|(?<![A-Za-z])(?:true|yes)(?![A-Za-z])", re.I
)
_NO: Final = re.compile(
    r"(?<![가-힣])(?:아니오|아니요|아니다|아닙니다|틀리다|틀립니다|그렇지\s*않(?:다|습니다|음)|맞지\s*않(?:다|습니다|음))(?![가-힣])"
    r"|(?<![A-Za-z])(?:false|no)(?![A-Za-z])",
    re.I,
)
_NOTHING: Final = re.compile(
    r"(?:데이터|자료|결과|내역|기록|정보|공시|건|행|사항|값|것)(?:이|가|은|는|도)?\s*(?:전혀\s*|하나도\s*)?(?:없|존재하지\s*않|확인되지\s*않|조회되지\s*않|나오지\s*않)"
    r"|조회되지\s*않|검색되지\s*않|조회된\s*(?:데이터|결과)[가-힣]*\s*없|해당\s*없음|^\s*없음\s*\.?\s*$|^\s*없습니다\s*\.?\s*$|no\s+data",
    re.I,
)


def _boolean(gold: Any, given: Any, context: Context) -> Verdict:
    wanted = _truth(_text(gold))
    if len(wanted) != 1:
        return Verdict(False, "unreadable: the gold value is neither 예 nor 아니오")
    return _decide(wanted[0], _first_holding(given, _truth))


def _truth(text: str) -> list[bool]:
    plain = normalize_text(plain_latex(text))
    return [True] * bool(_YES.search(plain)) + [False] * bool(_NO.search(plain))


def _no_data(gold: Any, given: Any, context: Context) -> Verdict:
    segments = list(candidate_texts(_text(given)))
    if not segments:
        return Verdict(False, "empty")
    says = bool(_NOTHING.search(normalize_text(plain_latex(segments[0]))))
    return Verdict(says, "equal" if says else "no_value: the answer does not say that there is no data")


def _several(*, ordered: bool) -> Callable[[Any, Any, Context], Verdict]:
    def check(gold: Any, given: Any, context: Context) -> Verdict:
        wanted = split_items(_items_or_text(gold))
        if isinstance(given, list | tuple | set | frozenset):
            found = split_items(_items_or_text(given))
        else:
            found = split_items(plain_latex(final_block(_text(given))))
        if not found:
            return Verdict(False, "no_value: no items in the answer")
        equal = same_items(wanted, found, ordered=ordered)
        return Verdict(equal, "equal" if equal else f"different: {len(found)} items given, {len(wanted)} expected")

    return check


def _items_or_text(value: Any) -> list[str] | str:
    if isinstance(value, str):
        try:
            parsed = json.loads(value)
        except ValueError:
            return value
        return [_text(item) for item in parsed] if isinstance(parsed, list) else value
    if isinstance(value, set | frozenset):
        return sorted(_text(item) for item in value)
    return [_text(item) for item in value]


_KINDS: Final[dict[str, Callable[[Any, Any, Context], Verdict]]] = {
    "number": _number,
    "amount": _amount,
    "code": _code,
    "date": _dated(dates.read_date, dates.scan_dates),
    "month": _dated(dates.read_month, dates.scan_months),
    "time": _dated(dates.read_time, dates.scan_times),
    "region": _region,
    "text": _plain_text,
    "set": _several(ordered=False),
    "list": _several(ordered=True),
    "boolean": _boolean,
    "no_data": _no_data,
}
