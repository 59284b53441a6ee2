"""The value-typed check of single-turn calls: what the official one means, without its known slips.

Every difference from `strict`, with its reason:

- texts are compared as values (`text_values`): dropped signs no longer make 15 of 1.5, and
  one value in two spellings is equal;
- JSON has one type of number: 5.0 is an integer, 5 a float, also inside lists and objects;
  True is no number there, as it is none outside;
- a parameter of type `any` takes any type;
- lists and objects are compared all the way down, and a list that may be left out has
  its types checked, too;
- parallel calls are matched one to one by a best matching, not by who comes first;
- texts in a Java array may have their quotes, which the official converter takes for part of the text.

Other Java and JavaScript values are read by the official converters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kopa_hf.bench.bfcl.categories import Language
from kopa_hf.bench.bfcl.java_values import java_value
from kopa_hf.bench.bfcl.js_values import js_value
from kopa_hf.bench.bfcl.strict import RIGHT, Call, Gold, Outcome, offered_name
from kopa_hf.bench.bfcl.text_values import same_text
from kopa_hf.bench.matching import largest_matching

_JAVA_AND_JS: Mapping[str, str] = {
    "byte": "integer", "short": "integer", "long": "integer", "Bigint": "integer", "double": "float", "Boolean": "boolean",
    "char": "string", "String": "string", "Array": "array", "ArrayList": "array", "HashMap": "dict",
}  # fmt: skip


def check_values(
    functions: Sequence[Mapping[str, Any]],
    calls: Sequence[Call],
    gold: Sequence[Gold],
    language: Language,
    *,
    underscored: bool,
) -> Outcome:
    """Compare calls with the answer key by value; the order of calls does not count."""
    if len(calls) != len(gold):
        return Outcome(False, "wrong_count")
    described = {function["name"]: function for function in functions}
    fits: list[list[int]] = []
    errors: list[str] = []
    for wanted in gold:
        name = next(iter(wanted))
        found = [_one(described[name], call, wanted[name], language, underscored) for call in calls]
        fits.append([index for index, outcome in enumerate(found) if outcome.valid])
        errors += [outcome.error for outcome in found if not outcome.valid]
    if None not in largest_matching(fits):
        return RIGHT
    return Outcome(False, errors[0] if len(gold) == 1 else "no_match")


def _one(
    function: Mapping[str, Any],
    call: Call,
    key: Mapping[str, Sequence[Any]],
    language: Language,
    underscored: bool,
) -> Outcome:
    name, arguments = call
    details = function["parameters"]["properties"]
    if name != offered_name(function["name"], underscored):
        return Outcome(False, "wrong_name")
    if any(parameter not in details or parameter not in key for parameter in arguments):
        return Outcome(False, "unexpected_parameter")
    required = function["parameters"].get("required", ())
    if any(parameter not in arguments and (parameter in required or "" not in key[parameter]) for parameter in key):
        return Outcome(False, "missing_parameter")
    for parameter, value in arguments.items():
        error = _argument_error(details[parameter], value, key[parameter], language)
        if error:
            return Outcome(False, error)
    return RIGHT


def _argument_error(detail: Mapping[str, Any], value: Any, accepted: Sequence[Any], language: Language) -> str:
    kind = detail["type"]
    inner = detail.get("items", {}).get("type") if isinstance(detail.get("items"), Mapping) else None
    if language != "python":
        if not isinstance(value, str):
            return "wrong_type"
        value = _read_java(value, kind, inner) if language == "java" else js_value(value, kind, inner)
    options = [one for one in accepted if one != ""]
    if value == "" and len(options) < len(accepted):
        return ""
    # where the key has another type than the signature, it names a variable; its type is taken, too
    if not has_type(value, kind, inner) and not any(_alike(value, one) for one in options):
        return "wrong_type"
    return "" if any(_accepts(one, value) for one in options) else "wrong_value"


def _read_java(text: str, kind: str, inner: str | None) -> Any:
    return java_value(text, kind, None if inner in ("String", "char", "any") else inner)


def has_type(value: Any, kind: str, inner: str | None = None) -> bool:
    """Whether a JSON value is of one of BFCL's types; `inner`: the type of a list's items."""
    kind = _JAVA_AND_JS.get(kind, kind)
    if kind == "any":
        return True
    if kind == "integer":
        return is_number(value) and (isinstance(value, int) or value.is_integer())
    if kind in ("float", "number"):
        return is_number(value)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind in ("array", "tuple"):
        return isinstance(value, list | tuple) and (inner is None or all(has_type(item, inner) for item in value))
    if kind in ("dict", "object"):
        return isinstance(value, dict)
    return isinstance(value, str)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _alike(value: Any, option: Any) -> bool:
    kinds = (is_number(value), is_number(option))
    return all(kinds) or (not any(kinds) and type(value) is type(option))


def _accepts(option: Any, value: Any) -> bool:
    """Whether a value is one accepted value of the key; an object of the key holds accepted values by name."""
    if isinstance(option, Mapping):
        return isinstance(value, Mapping) and _accepts_object(option, value)
    if isinstance(option, list | tuple) and option and all(isinstance(item, Mapping) for item in option):
        return (
            isinstance(value, list | tuple)
            and len(value) == len(option)
            and all(_accepts(one, item) for one, item in zip(option, value, strict=True))
        )
    return same_value(option, value)


def _accepts_object(option: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    if not all(isinstance(accepted, list) for accepted in option.values()):
        return same_value(option, value)
    if any(name not in option for name in value):
        return False
    for name, accepted in option.items():
        if name not in value:
            if "" not in accepted:
                return False
        elif not any(_accepts(one, value[name]) for one in accepted):
            return False
    return True


def same_value(gold: Any, given: Any) -> bool:
    """Equal by value all the way down: texts as values, numbers as numbers, lists in order, objects by name."""
    if isinstance(gold, str) and isinstance(given, str):
        return same_text(gold, given)
    if is_number(gold) and is_number(given):
        return bool(gold == given)
    if isinstance(gold, list | tuple) and isinstance(given, list | tuple):
        return len(gold) == len(given) and all(same_value(a, b) for a, b in zip(gold, given, strict=True))
    if isinstance(gold, Mapping) and isinstance(given, Mapping):
        return gold.keys() == given.keys() and all(same_value(gold[name], given[name]) for name in gold)
    return type(gold) is type(given) and bool(gold == given)
