"""Asks the world's handlers directly, without wire and faults, to learn what a parameter does there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.sandbox.calendar import compact, trading_days
from kopa_hf.sandbox.codes import system_of
from kopa_hf.sandbox.entities import Kind, kinds_for, population, values_of
from kopa_hf.sandbox.finance.disclosure import company_order
from kopa_hf.sandbox.longtail import answer_from_signature
from kopa_hf.sandbox.query import Archive, Groups, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.registry import find_handler
from kopa_hf.sandbox.world import World
from kopa_hf.values import ValueFailure
from kopa_hf.values.formats import to_wire

_TRIES: Final = 60
_ANSWERS: Final = 4
"""Answered requests from which a source's values are taken."""
_ROWS: Final = 24
_VALUES: Final = 12
_COMPARED: Final = 3
"""Records by which two answers are told apart."""
_WINDOW: Final = {"bgn_de": "20230101", "end_de": "20260130"}
_SEARCHED: Final = {"bgn_de": "20251103", "end_de": "20260123"}
_SPAN: Final = {"YYYYMMDD": ("20200601", "20260130"), "YYYYMM": ("202006", "202601")}
"""Format → first and last of the time that generated lists cover."""
_END: Final = re.compile("종료|까지|끝")
_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "dart.reprt_code": ("11011",),
    "dart.fs_div": ("OFS",),
    "year": ("2024", "2023", "2025"),
    "month": ("202412", "202406", "202511"),
    "assembly.term": ("22", "21"),
    "assembly.term_text": ("제22대", "제21대"),
    "assembly.term_code": ("100022", "100021"),
}

Parameters = dict[str, str]


class Prober:
    """Remembers everything it learns; equal questions cost nothing."""

    def __init__(self, world: World, tools: Iterable[Tool], tries: int = _TRIES) -> None:
        """`tries`: how many combinations of demanded values are put to a tool before it counts as silent."""
        self._world = world
        self._tries = tries
        self._tools = tuple(tools)
        self._answered: dict[str, list[tuple[Parameters, list[Record], int]]] = {}
        self._accepted: dict[tuple[str, str, str], bool] = {}
        self._filters: dict[tuple[str, str], bool] = {}
        self._pools: dict[str, tuple[str, ...]] = {}

    def values(self, tool: Tool, field: str) -> list[str]:
        """Up to a dozen different values that the tool sends in a field, in order of appearance."""
        found: dict[str, None] = {}
        for _, records, _ in self.answers(tool):
            for record in records:
                value = record.get(field)
                if value not in (None, "", " ", "-"):
                    found.setdefault(str(value))
        return list(found)[:_VALUES]

    def accepts(self, tool: Tool, parameter: Parameter, value: str) -> bool:
        """Whether the tool has records for a value, beside whatever else it demands."""
        key = (tool.name, parameter.name, value)
        if key not in self._accepted:
            self._accepted[key] = self._try(tool, parameter, value)
        return self._accepted[key]

    def filters(self, tool: Tool, parameter: Parameter) -> bool:
        """Whether the parameter has a say in the answer, demanded or not.

        One that was sent with an answered request: a value that nobody has is refused or brings other
        records. One that was not: some value, or one that nobody has, changes the total. One of several
        that stand for each other (a law's id or its serial number): it opens an answer by itself.
        """
        key = (tool.name, parameter.name)
        if key not in self._filters:
            self._filters[key] = self._has_a_say(tool, parameter)
        return self._filters[key]

    def _has_a_say(self, tool: Tool, parameter: Parameter) -> bool:
        answers = self.answers(tool)
        if answers and parameter.name in answers[0][0]:
            given, records, total = answers[0]
            changed = {**given, parameter.name: nonsense(parameter)}
            other = self.ask(tool, changed)
            return other is None or other[1] != total or _without(other[0], changed) != _without(records, given)
        values = self._pool(tool, parameter)[:_VALUES]
        if not answers or any(p.name in answers[0][0] and not p.required for p in tool.inputs):
            return any(self._try(tool, parameter, value) for value in values)
        given, _, total = answers[0]
        for value in (nonsense(parameter), *values):
            other = self.ask(tool, {**given, parameter.name: value})
            if other is None or other[1] != total:
                return True
        return False

    def ask(self, tool: Tool, parameters: Mapping[str, str]) -> tuple[list[Record], int] | None:
        """(first records, total) of an answer; None where the service would refuse."""
        client = {p.name: p for p in tool.parameters if p.location == "client"}
        sent = {name: value for name, value in parameters.items() if name not in client}
        operation = tool.endpoint.operation
        handler = find_handler(tool.wire, operation) or answer_from_signature
        try:
            reply = handler(self._world, Query(operation, sent, tool))
        except RefusedError:
            return None
        if isinstance(reply, Archive):
            rows = Rows.of(company_order(self._world)) if operation == "corpCode" else Rows.of([{}])
        elif isinstance(reply, Groups):
            rows = Rows.of([record for _, group in reply.groups for record in group.all()])
        else:
            rows = reply
        wanted = {name: value for name, value in parameters.items() if name in client}
        if not wanted:
            return rows.slice(0, _ROWS), rows.total
        kept = [r for r in rows.all() if all(_matches(client[n], r, v) for n, v in wanted.items())]
        return kept[:_ROWS], len(kept)

    def answers(self, tool: Tool) -> list[tuple[Parameters, list[Record], int]]:
        """(parameters, first records, total) of a few requests that the tool answers, with what it demands taken from the world."""
        if tool.name not in self._answered:
            found: list[tuple[Parameters, list[Record], int]] = []
            seen: set[tuple[str, ...]] = set()
            choices = self._choices(tool, bound="")
            if tool.endpoint.operation == "list":  # without a window it searches one day only
                choices |= {name: (day,) for name, day in _SEARCHED.items()}
            for turn in range(self._tries if choices else 1):
                given = {name: values[turn % len(values)] for name, values in choices.items()}
                if tuple(given.values()) in seen:
                    continue
                seen.add(tuple(given.values()))
                answer = self.ask(tool, given)
                if answer is not None and answer[1]:
                    found.append((given, *answer))
                if len(found) == _ANSWERS:
                    break
            self._answered[tool.name] = found or self._alternatives(tool, choices) or self._spans(tool, choices)
        return self._answered[tool.name]

    def _alternatives(
        self, tool: Tool, choices: Mapping[str, tuple[str, ...]]
    ) -> list[tuple[Parameters, list[Record], int]]:
        """Answers of a tool that wants one of several optional parameters: a law's id or its serial number."""
        demanded = {name: values[0] for name, values in choices.items()}
        found: list[tuple[Parameters, list[Record], int]] = []
        for parameter in tool.inputs:
            system = system_of(tool.wire, tool.endpoint.operation, "parameters", parameter.name)
            if system is None or parameter.required or not population(self._world, system):
                continue  # only values that the world itself knows, so that asking ends in no ring
            for value in self._pool(tool, parameter)[:_VALUES]:
                given = {**demanded, parameter.name: value}
                answer = self.ask(tool, given)
                if answer is not None and answer[1]:
                    found.append((given, *answer))
                if len(found) == _ANSWERS:
                    return found
        return found

    def _spans(self, tool: Tool, choices: Mapping[str, tuple[str, ...]]) -> list[tuple[Parameters, list[Record], int]]:
        """Answers of a tool that demands two ends of a time: from the first to the last, where a day held nothing."""
        ends = {p.name: _END.search(p.label) for p in tool.inputs if p.required and p.format in _SPAN}
        if {bool(end) for end in ends.values()} != {False, True}:
            return []
        formats = {p.name: _SPAN[p.format or ""] for p in tool.inputs if p.name in ends}
        window = {name: formats[name][bool(end)] for name, end in ends.items()}
        found: list[tuple[Parameters, list[Record], int]] = []
        for turn in range(self._tries):
            given = {name: values[turn % len(values)] for name, values in choices.items()} | window
            answer = self.ask(tool, given)
            if answer is not None and answer[1] and given not in [known for known, _, _ in found]:
                found.append((given, *answer))
            if len(found) == _ANSWERS:
                break
        return found

    def _choices(self, tool: Tool, bound: str, value: str = "") -> dict[str, tuple[str, ...]]:
        """Values for each demanded parameter but the bound one; an empty tuple never comes out.

        Parameters that name one thing (a school's office and the school) are taken of the same thing, at every
        turn; beside a bound value, of the thing that has it.
        """
        demanded = [p for p in tool.inputs if p.required and p.role == "input"]
        others = [p for p in demanded if p.name != bound]
        choices = {p.name: self._pool(tool, p) or ("-",) for p in others}
        for kind, named in _one_thing(tool, demanded).items():
            items = kind.items(self._world)
            items = items[:: max(len(items) // self._tries, 1)][: self._tries]
            if bound in named and value:
                position = values_of(self._world, kind, named[bound]).get(value)
                items = items if position is None else kind.items(self._world)[position : position + 1]
            for name in named.keys() - {bound}:
                choices[name] = tuple(kind.systems[named[name]](item) for item in items)
        return choices

    def _pool(self, tool: Tool, parameter: Parameter) -> tuple[str, ...]:
        if parameter.name in _WINDOW:
            return (_WINDOW[parameter.name],)
        system = system_of(tool.wire, tool.endpoint.operation, "parameters", parameter.name)
        if system in _CHOICES:
            return _CHOICES[system]
        if parameter.enum:
            return parameter.enum
        if system == "date":
            # days that something is held on are rare in some lists, so the list's own days follow
            days = (compact(trading_days()[-9]), compact(trading_days()[-80]))
            return (*days, *self._own_values(tool, parameter)[:4])
        if system is None:
            return self._own_values(tool, parameter)
        if system not in self._pools:
            self._pools[system] = self._collected(system)
        return self._pools[system]

    def _collected(self, system: str) -> tuple[str, ...]:
        values = tuple(population(self._world, system))
        if values:
            return values[:: max(len(values) // self._tries, 1)][: self._tries]
        found: dict[str, None] = {}
        for tool in self._tools:
            if not self._asks_easily(tool):
                continue
            for field in tool.fields:
                if system_of(tool.wire, tool.endpoint.operation, "fields", field.name) == system:
                    found |= dict.fromkeys(self.values(tool, field.name))
            if len(found) >= self._tries:
                break
        return tuple(found)

    def _own_values(self, tool: Tool, parameter: Parameter) -> tuple[str, ...]:
        """What the tool itself sends under the parameter's name; the world answers it without the demand."""
        answer = self.ask(tool, {})
        values = [str(record[parameter.name]) for record in (answer or ([], 0))[0] if record.get(parameter.name)]
        return tuple(dict.fromkeys(values))

    def _asks_easily(self, tool: Tool) -> bool:
        """True where nothing is demanded but days, terms and enumerations; so asking ends in no ring."""
        demanded = [p for p in tool.inputs if p.required and p.role == "input" and not p.enum and p.name not in _WINDOW]
        named = [system_of(tool.wire, tool.endpoint.operation, "parameters", p.name) for p in demanded]
        return all(system == "date" or system in _CHOICES for system in named)

    def _try(self, tool: Tool, parameter: Parameter, value: str) -> bool:
        try:
            text = to_wire(value, parameter.format)
        except ValueFailure:
            return False
        if parameter.enum and text not in parameter.enum:
            return False
        choices = self._choices(tool, parameter.name, text)
        known = [{n: v for n, v in given.items() if n in choices} for given, _, _ in self.answers(tool)]
        tries = known[:2] + [{n: v[turn % len(v)] for n, v in choices.items()} for turn in range(4 if choices else 1)]
        for given in tries:
            answer = self.ask(tool, {**given, parameter.name: text})
            if answer is not None and answer[1]:
                return True
        return False


def _one_thing(tool: Tool, demanded: Iterable[Parameter]) -> dict[Kind, dict[str, str]]:
    """Kinds of entities that two or more demanded parameters name → parameter → code system."""
    systems = {p.name: system_of(tool.wire, tool.endpoint.operation, "parameters", p.name) for p in demanded}
    given = kinds_for(system for system in systems.values() if system is not None)
    found: dict[Kind, dict[str, str]] = {}
    for name, system in systems.items():
        if system is not None and system in given:
            found.setdefault(given[system], {})[name] = system
    return {kind: named for kind, named in found.items() if len(named) > 1}


def _matches(parameter: Parameter, record: Record, wanted: str) -> bool:
    """The executor's rule for parameters that the service does not know: equality for codes, else containment."""
    value: Any = str(record.get(parameter.matches_field or parameter.name, ""))
    return value == wanted if parameter.format is not None else wanted in value


def _without(records: Iterable[Record], asked: Mapping[str, str]) -> list[Record]:
    """The first records without what only repeats the request."""
    said = set(asked.values())
    return [{name: v for name, v in record.items() if str(v) not in said} for record in list(records)[:_COMPARED]]


def nonsense(parameter: Parameter) -> str:
    """A well-formed value that nothing in the world has."""
    if parameter.format and parameter.format.startswith("digits:"):
        return "9" * int(parameter.format.split(":")[1])
    return {"YYYYMMDD": "19990101", "YYYY": "1999"}.get(parameter.format or "", "없는값")
