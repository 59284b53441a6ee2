"""Inputs that a question can state in plain words, by what values they take and what they filter by."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.edge.feasibility import affinity
from kopa_hf.edge.meaning import meaning_of

SAYABLE: Final = frozenset({"name", "title", "category", "year", "month", "date", "term"})
"""Kinds of inputs whose values a question can state."""
_ABOUT_THE_ANSWER: Final = re.compile(r"페이징|페이지|정렬|출력|형식|포맷")
"""Labels of inputs that change how an answer looks, not what it is about."""
_SAME: Final = 0.85
"""Affinity from which on a field of the answer is taken for what an input filters by."""

Key = tuple[str, ...]


class Input(NamedTuple):
    """An input that a question can state, with its tool."""

    tool: Tool
    parameter: Parameter


def input_key(parameter: Parameter) -> Key | None:
    """Equal for inputs that take the same values; None where a question cannot state them."""
    meaning = meaning_of(parameter)
    if parameter.role != "input" or meaning.kind not in SAYABLE or meaning.bound is not None:
        return None
    if _ABOUT_THE_ANSWER.search(parameter.label):
        return None
    if meaning.vague and meaning.kind not in ("year", "month", "date", "term"):
        return None
    return (meaning.kind, meaning.concept, parameter.format or "", *parameter.enum)


def stated_inputs(
    tools: Mapping[str, Tool], names: Sequence[str], fillable: Callable[[Tool, Parameter], bool]
) -> dict[Key, list[Input]]:
    """Inputs of the named tools for which a value is at hand, by what values they take."""
    found: dict[Key, list[Input]] = {}
    for name in names:
        for parameter in tools[name].inputs:
            key = input_key(parameter)
            if key is not None and fillable(tools[name], parameter):
                found.setdefault(key, []).append(Input(tools[name], parameter))
    return found


def name_filters(tool: Tool) -> list[tuple[Parameter, str]]:
    """Optional inputs that filter by a name, each with the output field it filters by."""
    return [
        (parameter, name)
        for parameter in tool.inputs
        if not parameter.required
        and meaning_of(parameter).kind in ("name", "title")
        and (name := _filtered_field(tool, parameter)) is not None
    ]


def _filtered_field(tool: Tool, parameter: Parameter) -> str | None:
    """The output field that an input filters by, as far as names and labels tell."""
    if parameter.role != "input" or parameter.enum:
        return None
    if parameter.matches_field:
        return parameter.matches_field
    if tool.field(parameter.name) is not None:
        return parameter.name
    wanted = meaning_of(parameter)
    scored = [(affinity(meaning_of(column), wanted), column.name) for column in tool.fields]
    best = max(scored, default=(0.0, ""))
    return best[1] if best[0] >= _SAME else None
