"""Expressions of the program language: where a value of a golden call or an answer comes from.

An expression is JSON. Anything without a `$` key is itself; an object with one is
looked up in the run so far:

    {"$slot": "company.corp_name"}                      a slot that the selector filled
    {"$item": "x"}                                      the value of a `for_each`
    {"$clock": -1, "format": "YYYYMMDD"}                the episode's date, moved by days
    {"$result": "a2"}                                   the episode's id of that call's result
    {"$from": "a1", "field": F, "where": {…}, "pick": P}  a field of that call's records
    {"$from": "a3"}                                     the value of a local tool
    {"$rows": "a1", "columns": {"정당": F, …}}            its records as rows of a table
    {"$reduce": "sum", "of": EXPR}                      over a list
    {"$expr": "(a-b)/b*100", "with": {…}, "round": 2}   exact decimal arithmetic
    {"$number": EXPR}                                   plain digits: 1,680 → 1680
    {"$text": "{a}-{b}", "with": {…}}                   text with values put in
    {"$word": EXPR, "at": 2}                            one word of a text: the 시군 of an address
    {"$date": EXPR, "style": "korean"}                  a date in another spelling (`DATE_STYLES`)
    {"$compare": [EXPR, ">", EXPR], "then": …, "else": …}

`pick` is only (default), first, last, all, max:FIELD, min:FIELD, top:N:FIELD or
bottom:N:FIELD. A value of `where` may be {"$gt"|"$ge"|"$lt"|"$le"|"$ne"|"$contains": EXPR}.
Whatever is not settled by the data (two records where one is due, a tie) is an
error, so an ill-posed instance never becomes a task.
"""

from __future__ import annotations

import ast
import calendar
import datetime
import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import Any, Final, Protocol

from kopa_hf.errors import TaskError
from kopa_hf.execution.cells import read_date
from kopa_hf.platforms.base import Record

Expression = Any
"""JSON; see the module's text."""


class ProgramError(TaskError):
    """A program cannot be carried out on this data; the message says which part and why."""


class Scope(Protocol):
    """What an expression may look at."""

    @property
    def slots(self) -> Mapping[str, Any]: ...
    @property
    def items(self) -> Mapping[str, Any]: ...
    @property
    def clock(self) -> datetime.date: ...

    def records(self, action: str) -> list[Record]:
        """Records of all calls of an action, in order."""

    def values(self, action: str) -> list[Any]:
        """Values that an action's local calls returned, in order."""

    def result_id(self, action: str) -> str:
        """The episode's id of an action's (only) result."""


DATE_STYLES: Final[dict[str, str]] = {
    "YYYYMMDD": "{0:%Y%m%d}",
    "YYYY-MM-DD": "{0:%Y-%m-%d}",
    "YYYYMM": "{0:%Y%m}",
    "YYYY": "{0:%Y}",
    "korean": "{0.year}년 {0.month}월 {0.day}일",
    "korean_month": "{0.year}년 {0.month}월",
    "month_start": "{0:%Y%m}01",
}
"""How `$date` and `$clock` write a day."""

_CONTEXT: Final = Context(prec=40)
_BINARY: Final[dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]]] = {
    ast.Add: _CONTEXT.add,
    ast.Sub: _CONTEXT.subtract,
    ast.Mult: _CONTEXT.multiply,
    ast.Div: _CONTEXT.divide,
}
_COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
_WHERE: Final[dict[str, str]] = {"$gt": ">", "$ge": ">=", "$lt": "<", "$le": "<=", "$ne": "!="}


def evaluate(expression: Expression, scope: Scope) -> Any:
    """The value of an expression; raises `ProgramError` where the data does not settle it."""
    if isinstance(expression, list):
        return [evaluate(item, scope) for item in expression]
    if not isinstance(expression, dict):
        return expression
    heads = [key for key in expression if key.startswith("$")]
    if not heads:
        return {key: evaluate(item, scope) for key, item in expression.items()}
    handler = _HANDLERS.get(heads[0])
    if len(heads) > 1 or handler is None:
        raise ProgramError(f"Unknown expression {heads}; known: {', '.join(sorted(_HANDLERS))}.")
    return handler(expression, scope)


def as_decimal(value: Any) -> Decimal | None:
    """A number as services print it (1,680, -3.2, 35.1%), or None."""
    if isinstance(value, bool) or value is None:
        return None
    text = str(value).strip().replace(",", "").removesuffix("%")
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def plain_number(value: Decimal) -> str:
    """Digits without exponent, separators or trailing zeros behind the point."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def round_half_up(value: Decimal, digits: int) -> Decimal:
    """Rounding as people do it by hand: 2.345 → 2.35."""
    return value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)


def walk(expression: Expression) -> list[dict[str, Any]]:
    """Every object of an expression that has a `$` key, outermost first."""
    found: list[dict[str, Any]] = []
    if isinstance(expression, list):
        for item in expression:
            found += walk(item)
    elif isinstance(expression, dict):
        if any(key.startswith("$") for key in expression):
            found.append(expression)
        for item in expression.values():
            found += walk(item)
    return found


def _number(value: Any, what: str) -> Decimal:
    number = as_decimal(value)
    if number is None:
        raise ProgramError(f"{what}: {value!r} is no number.")
    return number


def _slot(expression: dict[str, Any], scope: Scope) -> Any:
    value: Any = scope.slots
    for part in str(expression["$slot"]).split("."):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise ProgramError(f"Slot {expression['$slot']!r} is not filled.")
    return value


def _item(expression: dict[str, Any], scope: Scope) -> Any:
    value: Any = scope.items
    for part in str(expression["$item"]).split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise ProgramError(f"No for_each binds {expression['$item']!r}.")
        value = value[part]
    return value


def _clock(expression: dict[str, Any], scope: Scope) -> str:
    day = scope.clock + datetime.timedelta(days=int(expression["$clock"]))
    return DATE_STYLES[expression.get("format", "YYYYMMDD")].format(day)


def _from(expression: dict[str, Any], scope: Scope) -> Any:
    action = str(expression["$from"])
    if "field" not in expression:
        values = scope.values(action)
        if expression.get("pick") == "all":
            return values
        if len(values) != 1:
            raise ProgramError(f"{action} returned {len(values)} values where one is due.")
        return values[0]
    records = list(filter(matching(expression.get("where") or {}, scope), scope.records(action)))
    return _pick(records, str(expression["field"]), str(expression.get("pick", "only")), action)


def matching(conditions: Mapping[str, Expression], scope: Scope) -> Callable[[Record], bool]:
    """A test for records that meet every condition of a `where`; the conditions are evaluated once."""
    tests = [(name, _test_of(condition, scope)) for name, condition in conditions.items()]
    return lambda record: all(holds(record.get(name)) for name, holds in tests)


def _test_of(condition: Expression, scope: Scope) -> Callable[[Any], bool]:
    if isinstance(condition, dict) and len(condition) == 1:
        key, operand = next(iter(condition.items()))
        if key == "$contains":
            part = str(evaluate(operand, scope))
            return lambda value: part in str(value or "")
        if key in _WHERE:
            sign, bound = _WHERE[key], evaluate(operand, scope)
            return lambda value: _compare(value, sign, bound)
    wanted = evaluate(condition, scope)
    if isinstance(wanted, list):
        allowed = {str(item).strip() for item in wanted}
        return lambda value: str(value).strip() in allowed
    text = str(wanted).strip()
    return lambda value: str(value if value is not None else "").strip() == text


def _compare(left: Any, sign: str, right: Any) -> bool:
    """Numbers where both sides are numbers, else text (dates in one spelling sort as text)."""
    a, b = as_decimal(left), as_decimal(right)
    if sign not in _COMPARE:
        raise ProgramError(f"Unknown comparison {sign!r}; known: {' '.join(_COMPARE)}.")
    if a is not None and b is not None:
        return _COMPARE[sign](a, b)
    if left is None or right is None:
        return sign == "!=" and left is not right
    return _COMPARE[sign](str(left), str(right))


def _pick(records: Sequence[Record], field: str, pick: str, action: str) -> Any:
    missing = [r for r in records if field not in r]
    if missing:
        raise ProgramError(f"{action}: the answer has no field {field!r}; it has {', '.join(missing[0])}.")
    how, _, rest = pick.partition(":")
    if how == "all":
        return [r[field] for r in records]
    if not records:
        raise ProgramError(f"{action}: no record matches, {field} cannot be read.")
    if how in ("first", "last"):
        return records[0 if how == "first" else -1][field]
    if how in ("max", "min"):
        return _only([r[field] for r in _extreme(records, rest, 1, how == "max", action)], field, action)
    if how in ("top", "bottom"):
        count, _, by = rest.partition(":")
        return [r[field] for r in _extreme(records, by, int(count), how == "top", action)]
    if how == "only":
        return _only([r[field] for r in records], field, action)
    raise ProgramError(f"{action}: unknown pick {pick!r}.")


def _only(values: Sequence[Any], field: str, action: str) -> Any:
    distinct = {str(value) for value in values}
    if len(distinct) != 1:
        shown = ", ".join(sorted(distinct)[:4])
        raise ProgramError(f"{action}: {field} has {len(distinct)} values where one is due ({shown}…).")
    return values[0]


def _extreme(records: Sequence[Record], by: str, count: int, largest: bool, action: str) -> list[Record]:
    """The `count` records that lead by a field; a tie across the border is an error."""
    keyed = [(as_decimal(r.get(by)), r) for r in records]
    numeric = [(key, r) for key, r in keyed if key is not None]
    ranked: list[tuple[Any, Record]] = numeric or [(str(r[by]), r) for r in records if r.get(by) is not None]
    ranked.sort(key=lambda pair: pair[0], reverse=largest)
    if len(ranked) < count:
        raise ProgramError(f"{action}: {len(ranked)} records have {by}, {count} are due.")
    if len(ranked) > count and ranked[count - 1][0] == ranked[count][0]:
        raise ProgramError(f"{action}: a tie in {by} at place {count}.")
    return [record for _, record in ranked[:count]]


def _reduce(expression: dict[str, Any], scope: Scope) -> Any:
    how, values = expression["$reduce"], evaluate(expression["of"], scope)
    if not isinstance(values, list):
        raise ProgramError(f"$reduce {how}: a list is due, not {values!r}.")
    if how == "count":
        return len(values)
    if how == "distinct":
        return list(dict.fromkeys(str(value) for value in values))
    if not values:
        raise ProgramError(f"$reduce {how}: the list is empty.")
    if how == "most_frequent":
        ranked = Counter(str(value) for value in values).most_common(2)
        if len(ranked) == 2 and ranked[0][1] == ranked[1][1]:
            raise ProgramError(f"$reduce most_frequent: {ranked[0][0]} and {ranked[1][0]} tie.")
        return ranked[0][0]
    numbers = [_number(value, f"$reduce {how}") for value in values]
    if how in ("max", "min"):
        return max(numbers) if how == "max" else min(numbers)
    if how in ("sum", "mean"):
        total = sum(numbers, Decimal(0))
        return total if how == "sum" else _CONTEXT.divide(total, Decimal(len(numbers)))
    raise ProgramError(f"Unknown $reduce {how!r}.")


def _expr(expression: dict[str, Any], scope: Scope) -> Decimal:
    names = {key: _number(evaluate(item, scope), key) for key, item in (expression.get("with") or {}).items()}
    text = str(expression["$expr"])
    try:
        value = _arithmetic(ast.parse(text, mode="eval").body, names)
    except (SyntaxError, InvalidOperation, ArithmeticError) as error:
        raise ProgramError(f"$expr {text!r}: {error}.") from error
    return round_half_up(value, int(expression["round"])) if "round" in expression else value


def _arithmetic(node: ast.expr, names: Mapping[str, Decimal]) -> Decimal:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return Decimal(str(node.value))
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_arithmetic(node.operand, names)
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_arithmetic(node.left, names), _arithmetic(node.right, names))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "abs" and len(node.args) == 1:
        return abs(_arithmetic(node.args[0], names))
    raise ProgramError(f"$expr allows numbers, names, + - * / and abs, not {ast.unparse(node)!r}.")


def _plain(expression: dict[str, Any], scope: Scope) -> str:
    return plain_number(_number(evaluate(expression["$number"], scope), "$number"))


def _text(expression: dict[str, Any], scope: Scope) -> str:
    values = {key: evaluate(item, scope) for key, item in (expression.get("with") or {}).items()}
    shown = {key: plain_number(v) if isinstance(v, Decimal) else str(v) for key, v in values.items()}
    try:
        return str(expression["$text"]).format(**shown)
    except (KeyError, IndexError, ValueError) as error:
        raise ProgramError(f"$text {expression['$text']!r} cannot be filled: {error}.") from error


def _word(expression: dict[str, Any], scope: Scope) -> str:
    words, place = str(evaluate(expression["$word"], scope)).split(), int(expression["at"])
    if not 1 <= place <= len(words):
        raise ProgramError(f"$word: {' '.join(words)!r} has no word number {place}.")
    return words[place - 1]


def _date(expression: dict[str, Any], scope: Scope) -> str:
    value = evaluate(expression["$date"], scope)
    text = read_date(value)
    if text is None:
        raise ProgramError(f"$date: {value!r} is no date.")
    day = datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=int(expression.get("days", 0)))
    style = expression.get("style", "YYYYMMDD")
    if style == "month_end":
        return f"{day:%Y%m}{calendar.monthrange(day.year, day.month)[1]}"
    return DATE_STYLES[style].format(day)


def _rows(expression: dict[str, Any], scope: Scope) -> list[dict[str, Any]]:
    action, columns = str(expression["$rows"]), expression["columns"]
    records = scope.records(action)
    if any(field not in record for record in records for field in columns.values()):
        raise ProgramError(f"{action}: a record lacks one of {', '.join(columns.values())}.")
    return [{title: record[field] for title, field in columns.items()} for record in records]


def _branch(expression: dict[str, Any], scope: Scope) -> Any:
    left, sign, right = expression["$compare"]
    holds = _compare(evaluate(left, scope), str(sign), evaluate(right, scope))
    return evaluate(expression.get("then", True) if holds else expression.get("else", False), scope)


_HANDLERS: Final[dict[str, Callable[[dict[str, Any], Scope], Any]]] = {
    "$slot": _slot,
    "$item": _item,
    "$clock": _clock,
    "$result": lambda expression, scope: scope.result_id(str(expression["$result"])),
    "$from": _from,
    "$rows": _rows,
    "$reduce": _reduce,
    "$expr": _expr,
    "$number": _plain,
    "$text": _text,
    "$word": _word,
    "$date": _date,
    "$compare": _branch,
}
