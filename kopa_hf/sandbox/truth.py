"""What the world knows about bindings: which output field truly feeds which parameter.

A binding is valid where both ends belong to one code system, the two populations overlap,
the parameter has a say in the answer, both operations are alive and the field arrives. Systems
are declared; overlap and say are found by asking the world itself, without wires and faults.
Where one end's system is undeclared, its values tell whether it belongs to the other's: nearly
all of them must be known there, and a measure never is a key. Nothing that builds edges may
import this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.sandbox.codes import system_of
from kopa_hf.sandbox.drawing import kind_of
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.probing import Prober
from kopa_hf.sandbox.world import World

Binding = tuple[str, str, str, str]
"""(source tool, field, target tool, parameter)."""

ALIKE: Final = 0.9
"""Share of an undeclared column's values that must be known to count it into the parameter's system."""
_MEASURES: Final = frozenset({"amount", "count", "rate", "number", "yes_no"})
OVERLAP: Final = 0.25
"""Share of a source's values that must be known to the target; below it the populations hardly meet."""


class BindingTruth(Mapping[Binding, bool]):
    """All bindings of which at least one end has a known code system; answered when asked for.

    There are millions of pairs, so nothing is computed in advance: iterating is cheap,
    looking a pair up costs some probes of the world the first time.
    """

    def __init__(self, world: World, tools: Iterable[Tool], faults: Faults | None = None) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._faults = faults if faults is not None else Faults.none()
        self._prober = Prober(world, self._tools.values())

    def __getitem__(self, binding: Binding) -> bool:
        source, field, target, parameter = self._ends(binding)
        left, right = _field_system(source, field), _parameter_system(target, parameter)
        if left is None and right is None:
            raise KeyError(binding)
        declared = left is not None and right is not None
        if (declared and left != right) or not self._alive(source, target, field):
            return False
        if not declared and _is_measure(source, field):
            return False
        return self._prober.filters(target, parameter) and self._overlaps(binding, OVERLAP if declared else ALIKE)

    def overlap(self, binding: Binding) -> float:
        """Share of the source's values that the target answers with records."""
        source, field, target, parameter = self._ends(binding)
        values = self._prober.values(source, field)
        known = sum(self._prober.accepts(target, parameter, value) for value in values)
        return known / len(values) if values else 0.0

    def _overlaps(self, binding: Binding, share: float) -> bool:
        """Whether `overlap` is at least so much; asks no more of the world than settles it."""
        source, field, target, parameter = self._ends(binding)
        values = self._prober.values(source, field)
        known = 0
        for position, value in enumerate(values):
            known += self._prober.accepts(target, parameter, value)
            if known / len(values) >= share:
                return True
            if (known + len(values) - position - 1) / len(values) < share:
                return False
        return False

    def __iter__(self) -> Iterator[Binding]:
        ends = [(t, p, _parameter_system(t, p)) for t in self._tools.values() for p in t.inputs if p.role == "input"]
        for source in self._tools.values():
            for field in source.fields:
                left = _field_system(source, field.name)
                for target, parameter, right in ends:
                    if left is not None or right is not None:
                        yield source.name, field.name, target.name, parameter.name

    def __len__(self) -> int:
        ends = [_parameter_system(t, p) for t in self._tools.values() for p in t.inputs if p.role == "input"]
        known = sum(system is not None for system in ends)
        fields = [_field_system(t, f.name) for t in self._tools.values() for f in t.fields]
        return sum(len(ends) if system is not None else known for system in fields)

    def _ends(self, binding: Binding) -> tuple[Tool, str, Tool, Parameter]:
        source, field, target, name = binding
        try:
            parameter = self._tools[target].parameter(name)
            found = self._tools[source]
        except KeyError:
            raise KeyError(binding) from None
        if parameter is None or found.field(field) is None:
            raise KeyError(binding)
        return found, field, self._tools[target], parameter

    def _alive(self, source: Tool, target: Tool, field: str) -> bool:
        faults = self._faults
        if any(faults.defect(tool.wire, tool.endpoint.operation) for tool in (source, target)):
            return False
        if source.endpoint.response_kind == "zip":  # an archive holds its columns whatever is missing elsewhere
            return True
        names = tuple(f.name for f in source.fields)
        return field not in faults.missing_fields(source.wire, source.endpoint.operation, names)


def _is_measure(tool: Tool, name: str) -> bool:
    """True for a column of figures that no code system claims: equal digits are chance there."""
    column = tool.field(name)
    return _field_system(tool, name) is None and column is not None and kind_of(column) in _MEASURES


def _field_system(tool: Tool, name: str) -> str | None:
    return system_of(tool.wire, tool.endpoint.operation, "fields", name)


def _parameter_system(tool: Tool, parameter: Parameter) -> str | None:
    return system_of(tool.wire, tool.endpoint.operation, "parameters", parameter.name)


def binding_truth(world: World, catalog: Iterable[Tool], faults: Faults | None = None) -> BindingTruth:
    """The truth about bindings between a catalog's tools, under the static defects of `faults` (default: none)."""
    return BindingTruth(world, (tool for tool in catalog if not tool.fields_unknown), faults)
