"""Calls of the independent solver: filling a tool's inputs, following a link, narrowing, reducing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.agent.session import ExecutedCall, Session
from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.edge.arguments import value_text
from kopa_hf.edge.feasibility import affinity
from kopa_hf.edge.junctions import distinct_values
from kopa_hf.edge.meaning import meaning_of
from kopa_hf.edge.mentions import mention_of
from kopa_hf.edge.reading import Condition, Said, find_conditions, head_rows, labelled, says_most_frequent
from kopa_hf.edge.things import entity_noun
from kopa_hf.execution.cells import read_date
from kopa_hf.platforms.failures import RETRYABLE

MOST_VALUES: Final = 8
"""Values that are passed on side by side at most."""
_BINDINGS: Final = 6
_SAME: Final = 0.45
_TRIES: Final = 3
TERM_STYLES: Final[tuple[str, ...]] = ("{}", "제{}대")
"""How services write the term of an assembly."""
_FORMATS: Final[dict[str, str]] = {"YYYYMMDD": "{0}{1:02}{2:02}", "YYYY-MM-DD": "{0}-{1:02}-{2:02}"}


class UnsolvedError(Exception):
    """The solver cannot go on; the message says at what."""


@dataclass(slots=True)
class Found:
    """What the solver has in its hands: the answers of one step."""

    tool: Tool
    """The platform's tool behind the records."""
    calls: list[ExecutedCall]
    value: str | None = None
    """The most frequent value, where that is what a step found out."""

    @property
    def records(self) -> list[dict[str, Any]]:
        """Records of all calls."""
        return [record for call in self.calls for record in call.result.records]

    @property
    def total(self) -> int:
        """Records that the service has, over all calls."""
        return sum(call.result.total_count or len(call.result.records) for call in self.calls)


class Hands:
    """The solver's tools over one session."""

    def __init__(self, session: Session, tools: Mapping[str, Tool]) -> None:
        self.session = session
        self.tools = tools

    def call(self, name: str, arguments: Mapping[str, Any]) -> ExecutedCall:
        """One call, sent again where that may help; raises `UnsolvedError` unless something comes back."""
        for _ in range(_TRIES):
            self.session.call(name, dict(arguments))
            done = self.session.calls[-1]
            if done.result.outcome not in RETRYABLE:
                break
        if not done.result.ok:
            raise UnsolvedError(f"{name} answered {done.result.outcome}")
        return done

    def begin(self, tool: Tool, literals: Sequence[Said], rows: int | None = None) -> Found:
        """A tool whose inputs the question states; `rows`: so many at the beginning are meant."""
        sized = {} if rows is None or tool.paging is None or not tool.paging.size else {tool.paging.size: str(rows)}
        try:
            return Found(tool, [self._stated(tool, sized, literals, complete=True)])
        except UnsolvedError:
            # A service may search otherwise than its records are spelled; names then single out records afterwards.
            unnamed = [said for said in literals if said.kind != "text"]
            if len(unnamed) == len(literals):
                raise
            return Found(tool, [self._stated(tool, sized, unnamed, complete=True)])

    def _stated(
        self, tool: Tool, given: Mapping[str, Any], literals: Sequence[Said], *, complete: bool = False
    ) -> ExecutedCall:
        """A call with what the question states, terms in either of their spellings."""
        reason = UnsolvedError("nothing was called")
        tried: list[dict[str, Any]] = []
        for term in TERM_STYLES:
            arguments = {**stated_arguments(tool, literals, term=term, partial=not complete), **given}
            if arguments in tried:
                continue
            tried.append(arguments)
            try:
                return self.call(tool.name, arguments)
            except UnsolvedError as error:
                reason = error
        raise reason

    def whole(self, found: Found) -> Found:
        """All records of the service in one kept result."""
        call = found.calls[0]
        if len(found.calls) != 1 or call.result_id is None:
            raise UnsolvedError("there is no single kept result")
        total = call.result.total_count
        if total is None or len(call.result.records) >= total:
            return found
        return Found(found.tool, [self.call("collect_pages", {"result_id": call.result_id})])

    def reduce(self, found: Found, **arguments: Any) -> Found:
        """`reduce_records` over the one kept result."""
        call = found.calls[0]
        if len(found.calls) != 1 or call.result_id is None:
            raise UnsolvedError("there is no single kept result")
        return Found(found.tool, [self.call("reduce_records", {"result_id": call.result_id, **arguments})])

    def value(self, found: Found, **arguments: Any) -> str:
        """The one value that `reduce_records` gives."""
        value = self.reduce(found, **arguments).calls[0].result.value
        if value is None:
            raise UnsolvedError("a reduction gave no value")
        return str(value)

    def narrow(self, found: Found, clause: str, used: Sequence[Said]) -> Found:
        """The records that a clause singles out; `used` are literals that the call had already."""
        conditions = [c for c in find_conditions(clause, found.tool.fields) if not _passed(c, used)]
        rows = head_rows(clause)
        if says_most_frequent(clause, conditions):
            field = entity_field(clause, found.tool)
            if field is None:
                raise UnsolvedError("what is most frequent is not clear")
            value = self.value(self._looked_at(found, rows), operation="most_frequent", field=field.name)
            return Found(found.tool, found.calls, value)
        if not conditions:
            return self._looked_at(found, rows)
        if len({c.column.label for c in conditions}) < len(conditions):
            raise UnsolvedError("two columns have one name")
        looked = self._looked_at(found, rows)
        for condition in conditions:
            looked = self.reduce(looked, **reduction_of(condition))
        return looked

    def _looked_at(self, found: Found, rows: int | None) -> Found:
        return found if rows is not None else self.whole(found)

    def follow(self, found: Found, target: Tool, clause: str, literals: Sequence[Said]) -> Found:
        """Pass what was found on to the next tool: the binding that signatures and words make likeliest and that answers."""
        given = stated_arguments(target, literals, partial=True)
        reason = "no input takes what was found"
        for parameter, field in likely_bindings(found, target, clause, given)[:_BINDINGS]:
            values = [found.value] if found.value is not None else distinct_values(found.records, field.name)
            if not 1 <= len(values) <= MOST_VALUES:
                reason = f"{len(values)} values would have to be passed on"
                continue
            try:
                others = self._others(found, target, parameter, given)
                calls = [self._stated(target, {**others, parameter.name: value}, literals) for value in values]
                return Found(target, calls)
            except UnsolvedError as error:
                reason = str(error)
        raise UnsolvedError(reason)

    def _others(self, found: Found, target: Tool, key: Parameter, given: Mapping[str, str]) -> dict[str, str]:
        """Values for the other required inputs, out of the same records."""
        filled: dict[str, str] = {}
        for parameter in target.inputs:
            if not parameter.required or parameter.default is not None or parameter.name in given or parameter == key:
                continue
            fields = sorted(found.tool.fields, key=lambda f: _likeness(f, parameter), reverse=True)
            if not fields or _likeness(fields[0], parameter) < _SAME:
                raise UnsolvedError(f"{parameter.label} is not stated")
            values = distinct_values(found.records, fields[0].name)
            if len(values) != 1:
                raise UnsolvedError(f"{parameter.label} is not settled")
            filled[parameter.name] = values[0]
        return filled


def stated_arguments(
    tool: Tool, literals: Sequence[Said], *, term: str = TERM_STYLES[0], partial: bool = False
) -> dict[str, str]:
    """Inputs of a tool that the literals fill, by the words in front of them, else by their kind."""
    given: dict[str, str] = {}
    for said in literals:
        for parameter in [p for p in tool.inputs if labelled(said, p)] or _by_kind(said, tool):
            value = _as_argument(said, parameter, term)
            if value is not None and parameter.name not in given:
                given[parameter.name] = value
                break
    missing = [p.label for p in tool.inputs if p.required and p.default is None and p.name not in given]
    if missing and not partial:
        raise UnsolvedError(f"{missing[0]} is not stated")
    return given


def _by_kind(said: Said, tool: Tool) -> list[Parameter]:
    """Inputs that take such a literal although no label stands in front of it."""
    kinds: dict[str, tuple[str, ...]] = {
        "date": ("date",), "month": ("month",), "year": ("year",), "term": ("term",), "place": ("name",), "text": (),
    }  # fmt: skip
    fitting = [p for p in tool.inputs if meaning_of(p).kind in kinds[said.kind]]
    if said.searched:
        fitting = [p for p in tool.inputs if p.label == "검색어"]
    # Of two ends of a period the first day said is the beginning.
    return sorted(fitting, key=lambda p: (not p.required, meaning_of(p).bound == "end"))


def _as_argument(said: Said, parameter: Parameter, term: str) -> str | None:
    """The literal as the input wants it; None where it is none of its values."""
    if parameter.enum:
        texts = dict(zip(parameter.enum_labels or parameter.enum, parameter.enum, strict=False))
        spoken = {m.text: v for v in parameter.enum if (m := mention_of(parameter, v)) is not None}
        return texts.get(said.text) or spoken.get(said.text) or spoken.get(f"제{said.text}대")
    if said.kind in ("text", "place"):
        return said.text
    if said.kind == "date":
        day = date_parts(said.text)
        return _FORMATS.get(parameter.format or "YYYYMMDD", _FORMATS["YYYYMMDD"]).format(*day)
    if said.kind == "month":
        year, month = said.text.removesuffix("월").split("년 ")
        return f"{year}-{int(month):02}" if parameter.format == "YYYY-MM" else f"{year}{int(month):02}"
    return term.format(said.text) if said.kind == "term" else said.text.removesuffix("년")


def date_parts(text: str) -> tuple[int, int, int]:
    """Year, month and day of 2026년 1월 5일."""
    read = read_date(text)
    if read is None:
        raise UnsolvedError(f"{text} is no day")
    year, month, day = read[:10].split("-")
    return int(year), int(month), int(day)


def reduction_of(condition: Condition) -> dict[str, str]:
    """Arguments of `reduce_records` for what a clause says."""
    if condition.operation in ("max", "min"):
        return {"operation": condition.operation, "field": condition.column.name}
    value = condition.value
    if condition.operation == "gt":
        year, month, day = date_parts(value)
        value = f"{year}-{month:02}-{day:02}"
    elif condition.operation in ("ge", "le"):
        value = value.replace(",", "")
    where = {"where_field": condition.column.name, "where_op": condition.operation, "where_value": value}
    return {"operation": "filter", **where}


def _passed(condition: Condition, used: Sequence[Said]) -> bool:
    """True for a condition that the call's own arguments carry."""
    return condition.operation == "eq" and any(said.text == condition.value for said in used)


def entity_field(clause: str, tool: Tool) -> Field | None:
    """The column whose thing the clause names last: 의안 for 의안ID."""
    best: tuple[int, int] = (0, 0)
    found: Field | None = None
    for column in tool.fields:
        noun = entity_noun(tool, column.name)
        position = clause.rfind(noun) if noun else -1
        rank = (position + len(noun), len(noun))
        if position >= 0 and (rank > best or (rank == best and meaning_of(column).kind == "code")):
            best, found = rank, column
    return found


def likely_bindings(found: Found, target: Tool, clause: str, given: Mapping[str, str]) -> list[tuple[Parameter, Field]]:
    """Pairs of a free input and a column that may fill it, the likeliest first."""
    nouns = {column.name: entity_noun(found.tool, column.name) for column in found.tool.fields}
    tail = clause[-60:]
    only = entity_field(clause, found.tool) if found.value is not None else None
    scored: list[tuple[float, int, Parameter, Field]] = []
    for parameter in target.inputs:
        if parameter.name in given or parameter.enum:
            continue
        for column in found.tool.fields:
            like = _likeness(column, parameter)
            if like < _SAME or (only is not None and nouns[column.name] != nouns[only.name]):
                continue
            score = (
                like
                - (2.0 if meaning_of(column).generic else 0.0)
                + (0.5 if nouns[column.name] and nouns[column.name] in tail else 0.0)
                + (0.3 if parameter.required else 0.0)
            )
            scored.append((score, -len(scored), parameter, column))
    return [(parameter, column) for _, _, parameter, column in sorted(scored, key=lambda s: s[:2], reverse=True)]


def _likeness(column: Field, parameter: Parameter) -> float:
    return affinity(meaning_of(column), meaning_of(parameter))


def only_text(records: Sequence[Mapping[str, Any]], name: str) -> str:
    """The one value of a column; raises `UnsolvedError` for none or several."""
    texts = list(dict.fromkeys(t for record in records if (t := value_text(record.get(name))) is not None))
    if len(texts) != 1:
        raise UnsolvedError(f"{name} has {len(texts)} values where one is due")
    return texts[0]
