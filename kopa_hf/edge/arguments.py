"""Values for inputs that no edge binds: rules first, then values that earlier answers showed to exist.

A value that some service printed under the same name and label, or that a call
already succeeded with, is a *validated value*. Pools keep the newest few per
parameter meaning; they change only between iterations, so order of execution
never matters.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterable, Mapping
from typing import Any, Final

from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.edge.feasibility import is_fixed_choice
from kopa_hf.edge.meaning import meaning_of

PoolKey = tuple[str, ...]

_BLANK: Final[frozenset[str]] = frozenset({"", "-", "–", "null", "None", "해당없음", "해당사항없음"})
_WINDOWS: Final[tuple[int, ...]] = (89, 365, 1095)
"""Days back for the beginning of a date range: a quarter, a year, three years."""
_LOOK_BACK: Final = 400
_TRUSTED: Final = 0.7
"""Probability of a value that this very input already succeeded with, where there is one."""
_DATE_FORMATS: Final[dict[str, str]] = {
    "YYYYMMDD": "%Y%m%d",
    "YYYY-MM-DD": "%Y-%m-%d",
    "YYYYMM": "%Y%m",
    "YYYY-MM": "%Y-%m",
    "YYYY": "%Y",
    "MM": "%m",
}


def value_text(value: Any) -> str | None:
    """A cell as an argument's text; None where it holds no value or no scalar."""
    if value is None or isinstance(value, bool | list | dict):
        return None
    text = str(value).strip()
    return None if text in _BLANK or len(text) > 200 else text


class ValidatedValues:
    """Pools of values that are known to exist, by parameter meaning."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._pools: dict[PoolKey, dict[str, None]] = {}

    def add(self, key: PoolKey, value: str) -> None:
        """Remember a value; the oldest one leaves a full pool, a known one becomes the newest."""
        pool = self._pools.setdefault(key, {})
        pool.pop(value, None)
        pool[value] = None
        if len(pool) > self.size:
            del pool[next(iter(pool))]

    def pool(self, key: PoolKey) -> list[str]:
        """The pool's values, oldest first."""
        return list(self._pools.get(key, ()))

    def propose(self, tool: str, parameter: str, value: str) -> None:
        """Note a value that a judge proposes: unseen in any answer, it is taken only where nothing else is known."""
        self.add(_proposed_key(tool, parameter), value)

    def known(self, tool: str, parameter: Parameter) -> bool:
        """True where some pool, or a proposal, could fill the parameter."""
        keys = [*parameter_keys(tool, parameter), _proposed_key(tool, parameter.name)]
        return any(self._pools.get(key) for key in keys)

    def choose(self, tool: str, parameter: Parameter, rng: random.Random) -> str | None:
        """A value for a parameter: mostly one it succeeded with, else one printed under its name, else its label,
        else a proposed one."""
        pools = [self.pool(key) for key in parameter_keys(tool, parameter)]
        if pools[0] and rng.random() < _TRUSTED:
            return rng.choice(pools[0])
        filled = next((pool for pool in pools[1:] if pool), None) or pools[0]
        filled = filled or self.pool(_proposed_key(tool, parameter.name))
        return rng.choice(filled) if filled else None

    def to_list(self) -> list[list[Any]]:
        """JSON form, exact order included."""
        return [[list(key), list(pool)] for key, pool in self._pools.items()]

    def restore(self, content: Iterable[Any]) -> None:
        """The inverse of `to_list`."""
        self._pools = {tuple(key): dict.fromkeys(values) for key, values in content}


def _proposed_key(tool: str, parameter: str) -> PoolKey:
    return ("proposed", tool, parameter)


def parameter_keys(tool: str, parameter: Parameter) -> list[PoolKey]:
    """Pools that may fill a parameter, the most trustworthy first."""
    return [("used", tool, parameter.name), *_printed_keys(parameter)]


def field_keys(field: Field) -> list[PoolKey]:
    """Pools that a field's values enter."""
    return _printed_keys(field)


def _printed_keys(column: Field | Parameter) -> list[PoolKey]:
    meaning = meaning_of(column)
    keys: list[PoolKey] = [("exact", meaning.name, meaning.label)]
    if meaning.kind == "code":
        keys.append(("name", meaning.name))
    if not meaning.vague or meaning.kind == "term":
        keys.append(("label", meaning.kind, meaning.concept))
    return keys


def first_page(tool: Tool, arguments: Mapping[str, str], rows: int) -> dict[str, str]:
    """The arguments with a first page of so many rows asked for, where the service pages."""
    paging = tool.paging
    if paging is None:
        return dict(arguments)
    return {**arguments, **paging.place(1, min(rows, paging.max_size))}


class ArgumentSource:
    """Makes arguments for calls: `start` for a path's first tool, `fill` for what an edge leaves open."""

    def __init__(self, tools: Mapping[str, Tool], values: ValidatedValues, clock: datetime.date) -> None:
        self.tools = tools
        self.values = values
        self.clock = clock

    def can_start(self, tool: Tool) -> bool:
        """True where every required input can be filled as of now."""
        return all(self.fillable(tool, p) for p in tool.inputs if p.required)

    def fillable(self, tool: Tool, parameter: Parameter) -> bool:
        """True where a rule or a validated value exists for the parameter."""
        return (
            parameter.default is not None
            or self.rule_value(parameter, random.Random(0)) is not None
            or self.values.known(tool.name, parameter)
        )

    def start(self, tool: Tool, rng: random.Random) -> dict[str, str] | None:
        """Arguments for the required inputs; None where one cannot be filled."""
        return self.fill(tool, [p.name for p in tool.inputs if p.required], {}, rng)

    def fill(
        self, tool: Tool, names: Iterable[str], given: Mapping[str, str], rng: random.Random
    ) -> dict[str, str] | None:
        """`given` plus a value for each named input; None where one cannot be filled."""
        arguments = dict(given)
        for name in names:
            parameter = tool.parameter(name)
            if parameter is None or name in arguments or parameter.role in ("page", "size"):
                continue
            value = self._value(tool, parameter, rng)
            if value is not None:
                arguments[name] = value
            elif parameter.default is None:
                return None
        return arguments

    def _value(self, tool: Tool, parameter: Parameter, rng: random.Random) -> str | None:
        if is_fixed_choice(parameter) or parameter.default is not None:
            return self.rule_value(parameter, rng)
        dated = meaning_of(parameter).kind in ("date", "month", "year")
        if dated and meaning_of(parameter).bound is not None:
            return self.rule_value(parameter, rng)
        known = self.values.choose(tool.name, parameter, rng)
        # A day that answered before is worth more than any day; new days must stay possible all the same.
        if dated and (known is None or rng.random() < 0.3):
            return self.rule_value(parameter, rng)
        return known

    def rule_value(self, parameter: Parameter, rng: random.Random) -> str | None:
        """A fixed choice, or a date, month or year near the clock; None where no rule applies."""
        if parameter.enum:
            return rng.choice(parameter.enum)
        if parameter.default is not None:
            return None
        if parameter.type == "boolean":
            return rng.choice(("true", "false"))
        meaning = meaning_of(parameter)
        if meaning.kind == "year":
            return str(self.clock.year - rng.randint(1, 2))
        if meaning.kind not in ("date", "month"):
            return None
        pattern = _DATE_FORMATS.get(parameter.format or "", "%Y-%m" if meaning.kind == "month" else "%Y-%m-%d")
        return self._day(meaning.bound, rng).strftime(pattern)

    def _day(self, bound: str | None, rng: random.Random) -> datetime.date:
        if bound == "end":
            return self.clock
        if bound == "begin":
            return self.clock - datetime.timedelta(days=rng.choice(_WINDOWS))
        day = self.clock - datetime.timedelta(days=rng.randint(1, _LOOK_BACK))
        # Markets, courts and assemblies rest at the weekend.
        return day - datetime.timedelta(days=max(0, day.weekday() - 4))
