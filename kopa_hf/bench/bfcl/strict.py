"""The official AST check of single-turn calls, verdict for verdict.

Reproduces `ast_checker` of bfcl-eval 2026.3.23 (Apache-2.0), its oddities included,
so that a strict score is the leaderboard's. `benchmarks/bfcl_conformance.py` runs both
side by side. What is odd is said where it happens; `typed` is the check without it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.bench.bfcl.categories import Language
from kopa_hf.bench.bfcl.java_values import JAVA_TYPES, java_value
from kopa_hf.bench.bfcl.js_values import JS_TYPES, js_value

Call = tuple[str, dict[str, Any]]
"""Function name and arguments."""
Gold = Mapping[str, Mapping[str, Sequence[Any]]]
"""One call of the answer key: name → parameter → accepted values; "" among them: it may be left out."""

PYTHON_TYPES: Final[dict[str, type]] = {
    "string": str, "integer": int, "float": float, "boolean": bool, "array": list, "tuple": list, "dict": dict, "any": str,
}  # fmt: skip
_COLLECTIONS: Final = ("Array", "ArrayList", "array")
_IGNORED_SIGNS: Final = re.compile(r"[ ,./\-_*^]")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether an output is right, and the official kind of its first error."""

    valid: bool
    error: str = ""


RIGHT: Final = Outcome(True)


def check_calls(
    functions: Sequence[Mapping[str, Any]],
    calls: Sequence[Call],
    gold: Sequence[Gold],
    category: str,
    language: Language,
    *,
    underscored: bool,
) -> Outcome:
    """Compare calls with the answer key of a category with gold calls.

    functions: the data's function documents. underscored: names were offered with "_"
    for "." (function-calling mode). Where the official check itself would stop with an
    error, the output counts as wrong with error "checker_error".
    """
    try:
        if "parallel" in category:
            return _parallel(functions, calls, gold, language, underscored)
        if len(calls) != (len(gold) if "multiple" in category else 1):
            return Outcome(False, f"{'multiple' if 'multiple' in category else 'simple'}_function_checker:wrong_count")
        named = _description(functions, next(iter(gold[0]))) if "multiple" in category else functions[0]
        return _one(named, calls[0], gold[0], language, underscored)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, NotImplementedError):
        return Outcome(False, "checker_error")


def standard_text(text: str) -> str:
    """Text as the official check compares it: lower case, no blanks, none of , . / - _ * ^, and one kind of quotes."""
    return _IGNORED_SIGNS.sub("", text).lower().replace("'", '"')


def offered_name(name: str, underscored: bool) -> str:
    """The name under which a function is offered to a model."""
    return name.replace(".", "_") if underscored else name


def _description(functions: Sequence[Mapping[str, Any]], name: str) -> Mapping[str, Any]:
    return next(function for function in functions if function["name"] == name)


def _parallel(
    functions: Sequence[Mapping[str, Any]],
    calls: Sequence[Call],
    gold: Sequence[Gold],
    language: Language,
    underscored: bool,
) -> Outcome:
    """Every gold call takes the first call that fits and is still free, so that an early taker can block a later one."""
    if len(calls) != len(gold):
        return Outcome(False, "parallel_function_checker_no_order:wrong_count")
    taken: set[int] = set()
    for wanted in gold:
        described = _description(functions, next(iter(wanted)))
        for index, call in enumerate(calls):
            if index not in taken and _one(described, call, wanted, language, underscored).valid:
                taken.add(index)
                break
        else:
            return Outcome(False, "parallel_function_checker_no_order:cannot_find_match")
    return RIGHT


def _one(function: Mapping[str, Any], call: Call, gold: Gold, language: Language, underscored: bool) -> Outcome:
    key = next(iter(gold.values()))
    name, arguments = call
    if name != offered_name(function["name"], underscored):
        return Outcome(False, "simple_function_checker:wrong_func_name")
    details = function["parameters"]["properties"]
    if any(parameter not in arguments for parameter in function["parameters"]["required"]):
        return Outcome(False, "simple_function_checker:missing_required")
    for parameter, value in arguments.items():
        if parameter not in details or parameter not in key:
            return Outcome(False, "simple_function_checker:unexpected_param")
        outcome = _argument(details[parameter], value, key[parameter], language)
        if not outcome.valid:
            return outcome
    if any(parameter not in arguments and "" not in accepted for parameter, accepted in key.items()):
        return Outcome(False, "simple_function_checker:missing_optional")
    return RIGHT


def _argument(detail: Mapping[str, Any], value: Any, accepted: Sequence[Any], language: Language) -> Outcome:
    kind = detail["type"]
    inner: type | None = None
    if language == "python":
        expected = PYTHON_TYPES[kind]
        if kind in ("array", "tuple"):
            inner = PYTHON_TYPES[detail["items"]["type"]]
        if kind == "tuple" and type(value) is tuple:
            value = list(value)
        if kind == "float" and type(value) is int:
            value = float(value)
    else:
        types, convert = (JAVA_TYPES, java_value) if language == "java" else (JS_TYPES, js_value)
        expected = types[kind]
        if type(value) is not str:
            return Outcome(False, "type_error:java" if language == "java" else "type_error:js")
        inner_name = detail["items"]["type"] if kind in _COLLECTIONS else None
        inner = types[inner_name] if inner_name is not None else None
        value = convert(value, kind, inner_name)
    error, variable = _type_error(value, accepted, expected, inner)
    if error:
        return Outcome(False, error)
    return _value(value, accepted, expected, inner, variable)


def _value(value: Any, accepted: Sequence[Any], expected: type, inner: type | None, variable: bool) -> Outcome:
    if variable:
        return RIGHT if value in accepted else Outcome(False, "value_error:others")
    if expected is dict:
        return _dict(value, accepted)
    if expected is list and inner is dict:
        return _dicts(value, accepted)
    if expected is str:
        texts = [standard_text(one) for one in accepted if type(one) is str]
        return RIGHT if standard_text(value) in texts else Outcome(False, "value_error:string")
    if expected is list:
        lists = [[_standard(item) for item in one] for one in accepted]
        return RIGHT if [_standard(item) for item in value] in lists else Outcome(False, "value_error:list/tuple")
    return RIGHT if value in accepted else Outcome(False, "value_error:others")


def _type_error(value: Any, accepted: Sequence[Any], expected: type[Any], inner: type | None) -> tuple[str, bool]:
    """(error or "", whether the value stands for a variable of another type than declared)."""
    gold_type = next((type(one) for one in accepted if one != ""), None)
    error = "type_error:simple"
    if type(value) is expected:
        variable = gold_type is not None and gold_type is not expected
        if inner is None:
            return "", variable
        for one in accepted:
            # an accepted value that is no list (a left-out "" too) lets every list pass
            if not isinstance(one, list) or not any(_type_error(item, one, inner, None)[0] for item in list(value)):
                return "", variable
        error = "type_error:nested"
    if gold_type is not None and type(value) is gold_type:
        return ("", True) if error == "type_error:simple" else (error, True)
    return "type_error:simple", False


def _standard(value: Any) -> Any:
    return standard_text(value) if type(value) is str else value


def _dict(value: Mapping[str, Any], accepted: Sequence[Any]) -> Outcome:
    """One level deep: values are compared as they are, so True equals 1."""
    outcome = Outcome(False, "dict_checker:unclear")
    for one in accepted:
        if one == "":
            continue
        outcome = _dict_error(value, one)
        if outcome.valid:
            return outcome
    return outcome


def _dict_error(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> Outcome:
    # the keys that are missing have the last word on the kind of error
    error = ""
    for key, given in value.items():
        if key not in wanted:
            error = "value_error:dict_key"
            break
        options = [_standard(wanted[key][index]) for index in range(len(wanted[key]))]
        if _standard(given) not in options:
            error = "value_error:dict_value"
            break
    if any(key not in value and "" not in options for key, options in wanted.items()):
        error = "value_error:dict_key"
    return Outcome(False, error) if error else RIGHT


def _dicts(value: Sequence[Any], accepted: Sequence[Any]) -> Outcome:
    outcome = Outcome(False, "list_dict_checker:unclear")
    for one in accepted:
        if len(value) != len(one):
            outcome = Outcome(False, "value_error:list_dict_count")
            continue
        for given, wanted in zip(value, one, strict=True):
            outcome = _dict(given, [wanted])
            if not outcome.valid:
                break
        else:
            return RIGHT
    return outcome
