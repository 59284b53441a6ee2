"""Generated lists: what an operation answers that nobody modelled by hand, made from its signature alone.

Every record hangs on entities (`sandbox.entities`) where its columns or parameters have code
systems with a kind. A demanded parameter gives a list of its own per value: an entity's records,
a day's, a year's; a value that nobody has gives none. Optional parameters filter: equality for
codes and figures, containment for text, ranges where name or label says from or until.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.sandbox.codes import system_of
from kopa_hf.sandbox.drawing import Place, day_between, draw, kind_of
from kopa_hf.sandbox.entities import Kind, kinds_for, values_of
from kopa_hf.sandbox.query import NO_ROWS, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import Stream, mix, seed_of
from kopa_hf.sandbox.tailkeys import key_value
from kopa_hf.sandbox.world import LAST_DAY, World

FIRST_DAY: Final = datetime.date(2020, 6, 1)
MOST: Final = 20_000
"""Records of the largest generated list."""

Mode = Literal["equal", "contains", "prefix", "from", "until"]
_FROM: Final = re.compile(r"(?i)^(?:begin|bgn|start|strt|from|st|frst)_?|_?(?:begin|bgn|start|strt|from|st)$")
_UNTIL: Final = re.compile(r"(?i)^(?:end|to|until|ed|last)_?|_?(?:end|to|until|ed)$")
_LIKE: Final = re.compile(r"(?i)^(?:like|search|sch|srch|q)_?(?=[a-z])")
_SAYS_FROM: Final = re.compile(r"시작|부터|이상|초과|from", re.IGNORECASE)
_SAYS_UNTIL: Final = re.compile(r"종료|까지|이하|미만|\bto\b", re.IGNORECASE)
_DATED: Final = frozenset({"YYYYMMDD", "YYYY-MM-DD", "YYYYMM", "YYYY-MM", "YYYY"})
_FIRST_YEAR: Final = 2015


@dataclass(frozen=True, slots=True)
class Filter:
    """What one parameter does to the records."""

    field: Field | None
    mode: Mode
    system: str | None = None
    """Set where the parameter names an entity of the record rather than a column."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an operation's generated records have in common."""

    tool: Tool
    systems: dict[str, str]
    """Field name → code system, where the system has a kind."""
    kinds: dict[str, Kind]
    """Code system → kind that gives it."""
    demanded: tuple[tuple[Parameter, str | None, Field | None], ...]
    """Demanded parameters that pick a list of its own: (parameter, code system with a kind, column that repeats it)."""
    filters: dict[str, Filter]

    def __hash__(self) -> int:
        return hash(self.tool)


def answer_listing(world: World, query: Query, tool: Tool) -> Reply:
    """The list, cut to what the parameters ask for."""
    plan = _plan(tool)
    given: dict[str, str] = {}
    named: dict[Kind, dict[str, str]] = {}
    for parameter, system, _ in plan.demanded:
        value = query.get(parameter.name)
        if not value:
            continue
        if system is not None:
            kind = plan.kinds[system]
            if value not in values_of(world, kind, system):
                return NO_ROWS
            named.setdefault(kind, {}).setdefault(system, value)  # of two of one system, the records hang on the first
        elif not _plausible(parameter, value):
            return NO_ROWS
        given[parameter.name] = value
    fixed: dict[str, int] = {}
    for kind, values in named.items():
        position = _entity_with(world, kind, values)
        if position is None:
            return NO_ROWS
        fixed[kind.name] = position
    source = _Source(world, plan, given, fixed)
    active = [
        (plan.filters[name], value.strip())
        for name, value in query.parameters.items()
        if value.strip() and name in plan.filters and name not in given
    ]
    if not active:
        return Rows(source.total, source.record)
    kept: Sequence[int] = range(source.total)
    for condition, value in active:
        column, fits = source.column(condition), _test(condition, value)
        kept = [index for index in kept if fits(column[index])]
    return Rows.mapped(kept, source.record)


def list_size(world: World, tool: Tool) -> int:
    """Records of a generated list over all parameters."""
    stream = world.identity("tail", tool.wire, tool.endpoint.operation, "size")
    # a product of two even spreads over magnitudes: most lists are short, a few are huge
    return min(world.count(stream.octave(4, 256) * stream.octave(1, 64) // 4 + 3, 2), MOST)


class _Source:
    """The records of one list, each made when it is asked for."""

    __slots__ = ("_fixed", "_given", "_key", "_plan", "_world", "total")

    def __init__(self, world: World, plan: Plan, given: dict[str, str], fixed: dict[str, int]) -> None:
        self._world = world
        self._plan = plan
        self._given = given
        self._fixed = fixed
        self._key: tuple[object, ...] = ("tail", plan.tool.wire, plan.tool.endpoint.operation, *sorted(given.items()))
        self.total = self._size()

    def _size(self) -> int:
        if not self._given:
            return list_size(self._world, self._plan.tool)
        stream = self._world.identity(*self._key, "size")
        if self._fixed:
            return 0 if stream.chance(0.1) else stream.octave(1, 20)
        return self._world.count(stream.octave(2, 400))

    def record(self, index: int) -> Record:
        """The record at a position, all documented columns in order."""
        place, seed = self._place(index)
        return {field.name: self._value(field, place, seed) for field in self._plan.tool.fields}

    def column(self, condition: Filter) -> Sequence[Any]:
        """What a filter compares, for every record; kept by the world."""

        def build(world: World) -> tuple[Any, ...]:
            return tuple(self._compared(condition, index) for index in range(self.total))

        name = condition.field.name if condition.field is not None else condition.system
        return self._world.table("\x1f".join(map(str, (*self._key, "column", name))), build)

    def _compared(self, condition: Filter, index: int) -> Any:
        place, seed = self._place(index)
        if condition.field is not None:
            return self._value(condition.field, place, seed)
        assert condition.system is not None  # a filter has one or the other
        return self._of_entity(condition.system, seed)

    def _place(self, index: int) -> tuple[Place, int]:
        identity = self._world.identity(*self._key, index)
        seed = identity.u64()
        day = day_between(identity, FIRST_DAY)
        return Place(seed, self._world.measure_seed(*self._key, index), day, serial=index), seed

    def _value(self, field: Field, place: Place, seed: int) -> Any:
        plan = self._plan
        for parameter, _, column in plan.demanded:
            if column is field and parameter.name in self._given:
                return self._given[parameter.name]
        system = plan.systems.get(field.name)
        if system is not None:
            value = self._of_entity(system, seed)
            return int(value) if field.type == "integer" and value.isdecimal() else value
        bound = key_value(self._world, plan.tool.wire, field.name, Stream(mix(seed, 7)))
        return draw(field, place) if bound is None else bound

    def _of_entity(self, system: str, seed: int) -> str:
        kind = self._plan.kinds[system]
        items = kind.items(self._world)
        position = self._fixed.get(kind.name)
        if position is None:
            position = Stream(mix(seed, _salt_of(kind.name))).below(len(items))
        return kind.systems[system](items[position])


@lru_cache(maxsize=1024)
def _salt_of(name: str) -> int:
    return seed_of("entity", name) & 0xFFFF


def _entity_with(world: World, kind: Kind, values: Mapping[str, str]) -> int | None:
    """Position of the first entity that has all the values (code system → value)."""
    (system, value), *others = values.items()
    first = values_of(world, kind, system)[value]
    if not others:
        return first
    items = kind.items(world)
    reads = [(kind.systems[system], value) for system, value in values.items()]
    return next((i for i in range(first, len(items)) if all(read(items[i]) == v for read, v in reads)), None)


def _plausible(parameter: Parameter, value: str) -> bool:
    """Whether a demanded value that names no entity can have records."""
    if parameter.enum:
        return value in parameter.enum
    if parameter.format not in _DATED:
        return True
    digits = re.sub(r"\D", "", value)
    if not (digits and len(digits) == len(re.sub(r"[^A-Z]", "", parameter.format or ""))):
        return False
    return int(digits[:4]) >= _FIRST_YEAR and digits <= f"{LAST_DAY:%Y%m%d}"[: len(digits)]


@lru_cache(maxsize=4096)
def _plan(tool: Tool) -> Plan:
    wire, operation = tool.wire, tool.endpoint.operation
    inputs = [p for p in tool.parameters if p.role == "input" and p.location != "client"]
    of_fields = {f.name: s for f in tool.fields if (s := system_of(wire, operation, "fields", f.name)) is not None}
    of_inputs = {p.name: s for p in inputs if (s := system_of(wire, operation, "parameters", p.name)) is not None}
    kinds = kinds_for([*of_fields.values(), *of_inputs.values()])
    demanded: list[tuple[Parameter, str | None, Field | None]] = []
    filters: dict[str, Filter] = {}
    for parameter in inputs:
        system = of_inputs.get(parameter.name)
        named = system if system in kinds else None
        condition = _filter_of(tool, parameter)
        column = condition.field if condition is not None and condition.mode in ("equal", "prefix") else None
        picks = parameter.required and (named is not None or parameter.enum or parameter.format in _DATED)
        if picks and (condition is None or condition.mode not in ("from", "until")):
            demanded.append((parameter, named, column))
        elif condition is not None:
            filters[parameter.name] = condition
        elif named is not None:
            filters[parameter.name] = Filter(None, "equal", named)
    return Plan(tool, {n: s for n, s in of_fields.items() if s in kinds}, kinds, tuple(demanded), filters)


def _filter_of(tool: Tool, parameter: Parameter) -> Filter | None:
    """The column that a parameter speaks of and how it is compared; None where none is found."""
    columns = {_flat(field.name): field for field in reversed(tool.fields)}
    column = tool.field(parameter.name) or columns.get(_flat(parameter.name))
    if column is not None:
        return Filter(column, _mode_of(column))
    if (found := columns.get(_flat(_LIKE.sub("", parameter.name)))) is not None:
        return Filter(found, "contains" if _LIKE.search(parameter.name) else _mode_of(found))
    for mode, pattern, says in (("from", _FROM, _SAYS_FROM), ("until", _UNTIL, _SAYS_UNTIL)):
        stem = _flat(pattern.sub("", parameter.name))
        found = columns.get(stem) if stem != _flat(parameter.name) else None
        if found is None and says.search(parameter.label):
            found = next((f for f in tool.fields if kind_of(f) in ("date", "month", "year")), None)
        if found is not None:
            return Filter(found, "from" if mode == "from" else "until")
    label = _flat(parameter.label)
    found = next((f for f in tool.fields if label and _flat(f.label) == label), None)
    return Filter(found, _mode_of(found)) if found is not None else None


def _flat(name: str) -> str:
    return re.sub(r"[\s_\-]", "", name).lower()


def _mode_of(field: Field) -> Mode:
    kind = kind_of(field)
    if kind in ("code", "amount", "count", "rate", "year", "yes_no", "number"):
        return "equal"
    return "prefix" if kind in ("date", "month", "time") else "contains"


def _test(condition: Filter, wanted: str) -> Callable[[Any], bool]:
    """Whether a value passes."""
    if condition.mode == "equal":
        return lambda value: _text(value) == wanted
    if condition.mode == "contains":
        return lambda value: wanted in _text(value)
    digits = re.sub(r"\D", "", wanted) or wanted
    if condition.mode == "prefix":
        return lambda value: (re.sub(r"\D", "", _text(value)) or _text(value)).startswith(digits)
    if condition.mode == "from":
        return lambda value: _comparable(value, digits) >= digits
    return lambda value: _comparable(value, digits) <= digits


def _comparable(value: Any, wanted: str) -> str:
    """The digits of a value as far as the bound goes: a day is compared with a month by its month."""
    return re.sub(r"\D", "", _text(value))[: len(wanted)]


def _text(value: Any) -> str:
    return "" if value is None else str(value)
