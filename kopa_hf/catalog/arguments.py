"""Arguments of a call, checked against a tool's signature and brought to normal form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.catalog.typed import STRUCTURED, structured_text
from kopa_hf.errors import ArgumentError
from kopa_hf.values import ValueFailure
from kopa_hf.values.formats import to_wire

_SHOWN_NAME: Final = 40
_LONGEST_INT: Final = 1000
"""Bits of the longest integer that stands for text; Python refuses to print much longer ones."""


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
    """Check and normalise; `ArgumentError` lists every problem at once.

    None and blank text count as left out. The value of an unknown parameter is never repeated: it may be a key.
    """
    if not isinstance(arguments, Mapping):
        raise ArgumentError(
            tool.name, [f"arguments must be an object of names and values, not {type(arguments).__name__}"]
        )
    inputs = {parameter.name: parameter for parameter in tool.inputs}
    values: dict[str, str] = {}
    client: dict[str, str] = {}
    refused: dict[str, str] = {}
    slips: list[str] = []
    for given, value in arguments.items():
        name = str(given)
        parameter = inputs.get(name)
        if parameter is None:
            refused[name] = _unknown(name, inputs)
            continue
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        try:
            text = wire_text(parameter, value)
            text.encode("utf-8")
        except UnicodeEncodeError:
            refused[name] = f"{name}: holds half a character (a lone surrogate), which no service can be sent"
            continue
        except ValueFailure as failure:
            refused[name] = f"{name}: {failure.reason}"
            continue
        if parameter.type == "string" and not isinstance(value, str):
            slips.append(f"{name}: {type(value).__name__} for text")
        (client if parameter.location == "client" else values)[name] = text
    problems = list(refused.values())
    for name, parameter in inputs.items():
        if parameter.required and name not in values and name not in client and name not in refused:
            problems.append(f"{name}: missing ({parameter.label})")
    if problems:
        raise ArgumentError(tool.name, problems)
    return Bound(values, client, tuple(slips))


def wire_text(parameter: Parameter, value: Any) -> str:
    """The one spelling under which a parameter's value is sent.

    Raises `ValueFailure` for a value of another type, out of its format, or none of its choices.
    """
    if parameter.type in STRUCTURED:
        return structured_text(parameter, value)
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):  # a union is slower
        hint = f"; join several with {parameter.separator!r}" if parameter.separator else ""
        raise ValueFailure(f"expected {parameter.format or 'text'}, got {type(value).__name__}{hint}")
    if isinstance(value, int) and value.bit_length() > _LONGEST_INT:
        raise ValueFailure("the number is too long")
    if parameter.separator is not None and isinstance(value, str):
        parts = [part for part in value.split(parameter.separator) if part.strip()]
        text = parameter.separator.join(to_wire(part, parameter.format) for part in parts)
    elif parameter.schema is not None and parameter.format is None and type(value) is str:
        text = value
    else:
        text = to_wire(value, parameter.format)
    if parameter.enum and text not in parameter.enum:
        raise ValueFailure(f"{text[:_SHOWN_NAME]!r} is none of {choices_text(parameter, ' ({})')}")
    return text


def choices_text(parameter: Parameter, meaning: str) -> str:
    """Every allowed value with its Korean meaning, put into `meaning` (such as "={}")."""
    labels = parameter.enum_labels or ("",) * len(parameter.enum)
    pairs = zip(parameter.enum, labels, strict=True)
    return ", ".join(value + meaning.format(label) if label else value for value, label in pairs)


def _unknown(name: str, inputs: Mapping[str, Parameter]) -> str:
    folded = {known.lower(): known for known in inputs}
    near = get_close_matches(name[:200].lower(), folded, 1)
    hint = f"did you mean {folded[near[0]]}?" if near else f"there are: {', '.join(inputs) or 'none'}"
    return f"{name[:_SHOWN_NAME]}: no such parameter; {hint}"
