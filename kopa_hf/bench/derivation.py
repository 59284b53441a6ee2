"""Where every literal of a golden call comes from: the question, a result the model has seen, or a declaration.

A value without such a source cannot be found by any solver; a value that a result
holds but that the token budget hides from the model cannot either.
"""

from __future__ import annotations

import calendar
import datetime
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kopa_hf.bench.actions import tool_schemas
from kopa_hf.bench.expressions import ProgramError, as_decimal, evaluate, walk
from kopa_hf.bench.overlapping import question_of
from kopa_hf.bench.program import GoldenCall, RunScope, answer_text, expand_action
from kopa_hf.bench.rows import Row
from kopa_hf.execution.episode import DEFAULT_DATE
from kopa_hf.execution.result import CallResult
from kopa_hf.values import ValueFailure
from kopa_hf.values import date as dates
from kopa_hf.values.formats import to_wire

_NUMBER: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")
_ARTICLE: Final = re.compile(r"제\s*(\d{1,4})조(?:의\s*(\d{1,2}))?")


def underivable(row: Row) -> list[str]:
    """One text per golden argument whose value has no source that a solver sees; empty where all have one."""
    texts = _seen_before(row)
    schemas = tool_schemas(row)
    constants = _constants(row)
    problems = []
    for index, action in enumerate(row.golden_actions):
        sources = _Sources(row, texts[index], schemas.get(action["name"], {}), constants)
        for path, value in _leaves(action["arguments"]):
            if not sources.holds(path[0], value):
                problems.append(f"{action['name']}.{'.'.join(map(str, path))} = {value!r} has no source")
    return problems


def unreadable(row: Row) -> list[str]:
    """Why the program cannot be followed on the texts that a model is given; empty where it can.

    Results are trimmed to a token budget: a value that the golden path takes from a row
    that was cut away would be out of a model's reach.
    """
    try:
        answer = _answer_from_texts(row)
    except ProgramError as error:
        return [str(error)]
    return [] if answer == row.answer else [f"the texts give {answer!r}, the answer is {row.answer!r}"]


def _answer_from_texts(row: Row) -> str:
    texts = {m["tool_call_id"]: json.loads(str(m["content"])) for m in row.completion if m["role"] == "tool"}
    day = datetime.date.fromisoformat(row.system_state.get("current_date") or DEFAULT_DATE.isoformat())
    scope = RunScope(row.program.get("slots") or {}, day)
    number = 0
    for action in row.program.get("actions") or ():
        calls = []
        for arguments in expand_action(action, scope):
            number += 1
            if arguments != row.golden_actions[number - 1]["arguments"]:
                raise ProgramError(f"{action['id']}: the texts give the arguments {arguments}")
            calls.append(_visible_call(action, arguments, texts[f"call_{number}"]))
        scope.done[str(action["id"])] = calls
    return answer_text(evaluate(row.program.get("answer"), scope), row.answer_type)


def _visible_call(action: Mapping[str, Any], arguments: dict[str, Any], payload: Mapping[str, Any]) -> GoldenCall:
    """A call whose result holds just what its text shows."""
    name, step = str(action["name"]), int(action["step"])
    records = list(payload.get("records") or ())
    result = CallResult(tool=name, arguments=arguments, outcome="ok", records=records, value=payload.get("value"))
    return GoldenCall(str(action["id"]), name, arguments, (), step, "", "", result, payload.get("result_id"))


class _Sources:
    """Everything a solver has read before one call."""

    def __init__(self, row: Row, seen: Sequence[str], schema: Mapping[str, Any], constants: frozenset[str]) -> None:
        self.question = unicodedata.normalize("NFC", question_of(row))
        self.seen = seen
        self.properties: Mapping[str, Any] = schema.get("properties", {})
        self.constants = constants
        self.days = _days_in(self.question) | _clock_days(row)
        self.months = _months_in(self.question)
        self.articles = _articles_in(self.question)

    def holds(self, parameter: str, value: Any) -> bool:
        """True where the value, as an argument of this parameter, can be known."""
        if isinstance(value, bool) or value is None:
            return True
        text = str(value)
        if parameter == "expression":
            return all(self._number(found) for found in _NUMBER.findall(text))
        return (
            self._declared(parameter, text)
            or _stands_in(text, self.question)
            or any(_stands_in(text, earlier) for earlier in self.seen)
            or self._number(text)
            or self._day(text)
            or self._range(text)
            or text in self.months
            or text in self.articles
        )

    def _declared(self, parameter: str, text: str) -> bool:
        """A default, an enum value, or a code that the parameter's description spells out."""
        schema = self.properties.get(parameter, {})
        declared = [str(option) for option in [*schema.get("enum", ()), schema.get("default", "")]]
        return text in declared or _stands_in(text, str(schema.get("description", "")))

    def _number(self, text: str) -> bool:
        """A number that stands somewhere in any spelling (1,680; 37.20), or is a constant of the arithmetic."""
        number = as_decimal(text) if _NUMBER.fullmatch(text) else None
        if number is None:
            return False
        places = (" ".join(self.constants), self.question, *self.seen)
        return any(number == as_decimal(found) for place in places for found in _NUMBER.findall(place))

    def _day(self, text: str) -> bool:
        try:
            return to_wire(text, "YYYYMMDD") in self.days
        except ValueFailure:
            return False

    def _range(self, text: str) -> bool:
        """Two days joined by a tilde, as searches over a period want them."""
        first, tilde, last = text.partition("~")
        return bool(tilde) and self._day(first) and self._day(last)


def _seen_before(row: Row) -> list[list[str]]:
    """Per golden action the tool texts of earlier steps."""
    answered: list[tuple[int, str]] = []
    order = [action["step"] for action in row.golden_actions]
    messages = [m for m in row.completion if m["role"] == "tool"]
    for step, message in zip(sorted(order), messages, strict=False):
        answered.append((step, unicodedata.normalize("NFC", str(message["content"]))))
    return [[text for step, text in answered if step < own] for own in order]


def _constants(row: Row) -> frozenset[str]:
    """Numbers that the program's own formulas contain (100 of a percentage): known arithmetic, not data."""
    formulas = [str(found["$text"]) for found in walk(row.program.get("actions") or []) if "$text" in found]
    return frozenset(number.replace(",", "") for text in formulas for number in _NUMBER.findall(text))


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
            if path:
                # a column name is content, too
                yield (*path, key), key
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index))
    elif not (path and path[0] == "result_id"):
        yield path, value


def _stands_in(value: str, text: str) -> bool:
    """As a whole: neither a part of a longer number or code nor of a longer Latin word.

    Hangul may go on behind it (a particle), and JSON may have escaped its quotes.
    """
    normal = unicodedata.normalize("NFC", value).strip()
    if not normal:
        return False
    for form in {normal, json.dumps(normal, ensure_ascii=False)[1:-1]}:
        start = text.find(form)
        while start >= 0:
            before, after = text[start - 1 : start], text[start + len(form) : start + len(form) + 1]
            if not (_joins(before, form[0]) or _joins(after, form[-1])):
                return True
            start = text.find(form, start + 1)
    return False


def _joins(neighbour: str, edge: str) -> bool:
    """Both are Latin letters or digits, so that the value would be a part of a longer token."""
    return bool(neighbour) and neighbour.isascii() and neighbour.isalnum() and edge.isascii() and edge.isalnum()


def _days_in(text: str) -> frozenset[str]:
    """Days that the question names, and first and last days of the months and years that it names."""
    days: set[str] = set()
    folded = dates.fold(text)
    for value, _ in dates.scan_dates(folded):
        if value is not None:
            days.add(value.strftime("%Y%m%d"))
    for year, month in re.findall(r"(\d{4})년\s*(\d{1,2})월", text):
        if 1 <= int(month) <= 12:
            last = calendar.monthrange(int(year), int(month))[1]
            days |= {f"{year}{int(month):02d}01", f"{year}{int(month):02d}{last}"}
    for year in re.findall(r"(\d{4})년", text):
        days |= {f"{year}0101", f"{year}1231"}
    return frozenset(days)


def _months_in(text: str) -> frozenset[str]:
    """Months that the question names, as services write them (202509, 2025-09)."""
    named = re.findall(r"(\d{4})년\s*(\d{1,2})월", text)
    return frozenset(f"{year}{dash}{int(month):02d}" for year, month in named for dash in ("", "-"))


def _articles_in(text: str) -> frozenset[str]:
    """Articles of a law that the question names, as the law service numbers them: 제10조의2 is 001002."""
    return frozenset(f"{int(article):04d}{int(branch or 0):02d}" for article, branch in _ARTICLE.findall(text))


def _clock_days(row: Row) -> frozenset[str]:
    """Days that the program takes from the episode's clock, where the solver can ask for it or is told."""
    told = row.system_state.get("current_date")
    if not told:
        return frozenset()
    moves = {int(found["$clock"]) for found in walk(row.program.get("actions") or []) if "$clock" in found}
    day = datetime.date.fromisoformat(told)
    return frozenset(f"{day + datetime.timedelta(days=move):%Y%m%d}" for move in moves)
