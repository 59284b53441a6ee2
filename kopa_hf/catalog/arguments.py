"""Arguments of a call, checked against a tool's signature and brought to normal form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.errors import ArgumentError
from kopa_hf.values import ValueFailure
from kopa_hf.values.formats import to_wire


@dataclass(frozen=True, slots=True)
class Bound:
    """Arguments ready for the wire."""

    values: dict[str, str]
    """What is sent, in normal form."""
    client: dict[str, str]
    """What the executor applies to the answer, because the service has no such filter."""
    slips: tuple[str, ...] = ()
    """Forgiven type slips."""


def bind_arguments(tool: Tool, arguments: Mapping[str, Any]) -> Bound:
    """Check and normalise; `ArgumentError` lists every problem at once, never a secret."""
    inputs = {parameter.name: parameter for parameter in tool.inputs}
    values: dict[str, str] = {}
    client: dict[str, str] = {}
    problems: list[str] = []
    slips: list[str] = []
    for name, value in arguments.items():
        parameter = inputs.get(name)
        if parameter is None:
            problems.append(_unknown(name, inputs))
            continue
        if value is None or (value == "" and not parameter.required):
            continue
        try:
            text, slip = _text(parameter, value)
        except ValueFailure as failure:
            problems.append(f"{name}: {failure.reason}")
            continue
        if slip:
            slips.append(f"{name}: {slip}")
        (client if parameter.location == "client" else values)[name] = text
    problems += [
        f"{name}: missing ({parameter.label})"
        for name, parameter in inputs.items()
        if parameter.required and name not in values and name not in client and not _mentioned(name, problems)
    ]
    if problems:
        raise ArgumentError(tool.name, problems)
    return Bound(values, client, tuple(slips))


def _text(parameter: Parameter, value: Any) -> tuple[str, str]:
    """(normal form, slip)."""
    if isinstance(value, bool | list | dict | tuple | set):
        raise ValueFailure(f"expected {parameter.format or parameter.type}, got {type(value).__name__}")
    many = isinstance(value, str) and "," in value and (parameter.format or "").startswith("digits:")
    if many:
        text = ",".join(to_wire(part, parameter.format) for part in value.split(","))
    else:
        text = to_wire(value, parameter.format)
    if parameter.enum and text not in parameter.enum:
        labels = parameter.enum_labels or ("",) * len(parameter.enum)
        allowed = ", ".join(f"{v} ({m})" if m else v for v, m in zip(parameter.enum, labels, strict=True))
        raise ValueFailure(f"{text!r} is none of {allowed}")
    slip = f"{type(value).__name__} for text" if not isinstance(value, str) and parameter.type == "string" else ""
    return text, slip


def _unknown(name: str, inputs: Mapping[str, Parameter]) -> str:
    near = get_close_matches(name, inputs, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(inputs) or 'none'}"
    return f"{name}: no such parameter; {hint}"


def _mentioned(name: str, problems: list[str]) -> bool:
    return any(problem.startswith(f"{name}:") for problem in problems)
