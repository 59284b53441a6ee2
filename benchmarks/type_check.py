"""A BFCL-style check of one call, written for this benchmark: the yardstick that scoring's speed is held to.

It does per call what the leaderboard's checker of single calls does: the function's
name with its dots made plain; required parameters present and none unexpected; the
declared type of every value, nested ones included; and the value one of the accepted
ones, strings with blanks and punctuation deleted and in lower case, lists and objects
member by member. That deletion is why it takes 1.5 for 15; here it is kept, because
only its cost is of interest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
}
_DELETED: Final = r"[ \,\.\/\-\_\*\^]"

Accepted = Mapping[str, Sequence[Any]]
"""Parameter → the values that are right; "" among them: it may be left out."""


def accepted_values(action: Mapping[str, Any]) -> dict[str, list[Any]]:
    """A golden action in the form that such a checker takes; what is not compared may be left out."""
    compared = action["value_compare_args"]
    return {arg: [value] if arg in compared else [value, ""] for arg, value in action["arguments"].items()}


def type_check(function: Mapping[str, Any], name: str, arguments: Mapping[str, Any], accepted: Accepted) -> list[str]:
    """What is wrong with a call; empty where it passes."""
    parameters = function.get("parameters") or {}
    properties = parameters.get("properties") or {}
    if name.replace(".", "_") != function["name"].replace(".", "_"):
        return [f"wrong function {name}"]
    for required in parameters.get("required") or ():
        if required not in arguments:
            return [f"missing {required}"]
    for arg, value in arguments.items():
        if arg not in properties or arg not in accepted:
            return [f"unexpected {arg}"]
        problems = _check_value(arg, value, properties[arg], accepted[arg])
        if problems:
            return problems
    return [f"left out {arg}" for arg, values in accepted.items() if arg not in arguments and "" not in values]


def _check_value(arg: str, value: Any, schema: Mapping[str, Any], accepted: Sequence[Any]) -> list[str]:
    problems = _check_type(arg, value, schema)
    if problems:
        return problems
    if isinstance(value, str):
        wanted = [_standard(item) for item in accepted if isinstance(item, str)]
        return [] if _standard(value) in wanted else [f"value {arg}: {value!r} is none of {accepted!r}"]
    if isinstance(value, list | dict):
        wanted_members = [_standard_members(item) for item in accepted]
        return [] if _standard_members(value) in wanted_members else [f"value {arg}: {value!r} is none of {accepted!r}"]
    return [] if value in accepted else [f"value {arg}: {value!r} is none of {accepted!r}"]


def _check_type(arg: str, value: Any, schema: Mapping[str, Any]) -> list[str]:
    declared = schema.get("type", "string")
    kinds = declared if isinstance(declared, list) else [declared]
    if not any(isinstance(value, _TYPES.get(kind, (object,))) for kind in kinds) or (
        isinstance(value, bool) and "boolean" not in kinds
    ):
        return [f"type {arg}: {type(value).__name__} for {declared}"]
    if isinstance(value, list):
        inner = schema.get("items") or {}
        return next((found for item in value if (found := _check_type(arg, item, inner))), [])
    if isinstance(value, dict):
        members = schema.get("properties") or {}
        known = ((key, item) for key, item in value.items() if key in members)
        return next((found for key, item in known if (found := _check_type(key, item, members[key]))), [])
    return []


def _standard(text: str) -> str:
    return re.sub(_DELETED, "", text).lower().replace("'", '"')


def _standard_members(value: Any) -> Any:
    if isinstance(value, str):
        return _standard(value)
    if isinstance(value, list):
        return [_standard_members(item) for item in value]
    if isinstance(value, dict):
        return {key: _standard_members(item) for key, item in value.items()}
    return value
