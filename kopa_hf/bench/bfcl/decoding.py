"""From what a model wrote to calls, as the official handlers decode it.

Function-calling mode: argument text of each call is JSON. Prompting mode: the whole
answer is a list of calls in the syntax of the category's language. Whatever the official
decoder refuses raises `DecodeError` here.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Sequence
from typing import Any, Final

from kopa_hf.bench.bfcl.categories import Language
from kopa_hf.bench.bfcl.strict import Call
from kopa_hf.errors import KopaError

_NUMBERS: Final = (int, float, complex)


class DecodeError(KopaError):
    """What a model wrote is no list of calls."""


def calls_of_message(issued: Sequence[tuple[str, str]]) -> list[Call]:
    """Calls of the function-calling channel, as (name, argument text); no call is an empty list."""
    calls: list[Call] = []
    for name, text in issued:
        try:
            arguments = json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:  # TypeError: no text at all
            raise DecodeError(f"{name}: the arguments are no JSON: {error}") from error
        if not isinstance(arguments, dict):
            raise DecodeError(f"{name}: the arguments are a {type(arguments).__name__}, not an object")
        calls.append((name, arguments))
    return calls


def calls_of_text(text: str, language: Language) -> list[Call]:
    """Calls of a prompting answer: `[name(key=value), …]`, brackets and fences forgiven as the official decoder does."""
    text = text.strip("`\n ")
    if not text.startswith("["):
        text = "[" + text
    if not text.endswith("]"):
        text += "]"
    try:
        if language == "python":
            return _python_calls(text)
        # these parsers see one call, so brackets around it go again
        from kopa_hf.bench.bfcl.foreign_calls import java_call, javascript_call

        return (java_call if language == "java" else javascript_call)(text[1:-1])
    except KopaError:
        raise
    except (ValueError, SyntaxError, TypeError, AttributeError, AssertionError, RecursionError, MemoryError) as error:
        raise DecodeError(f"no list of calls in {language}: {error}") from error


def _python_calls(text: str) -> list[Call]:
    with warnings.catch_warnings():
        # invalid escapes in a model's strings are its own matter
        warnings.simplefilter("ignore")
        body = ast.parse(text.strip().strip("'"), mode="eval").body
    nodes = [body] if isinstance(body, ast.Call) else body.elts  # type: ignore[attr-defined]
    if not all(isinstance(node, ast.Call) for node in nodes):
        raise DecodeError("an item of the list is no call")
    return [_call(node) for node in nodes]


def _call(node: ast.Call) -> Call:
    """Positional arguments are passed over, as the official decoder does."""
    parts: list[str] = []
    function: Any = node.func
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if isinstance(function, ast.Name):
        parts.append(function.id)
    arguments: dict[str, Any] = {}
    for keyword in node.keywords:
        arguments[keyword.arg] = _value(keyword.value)  # type: ignore[index]
    return ".".join(reversed(parts)), arguments


def _value(node: ast.expr | None) -> Any:
    if isinstance(node, ast.Constant):
        return "..." if node.value is Ellipsis else node.value
    if isinstance(node, ast.UnaryOp):
        return _negated(node)
    if isinstance(node, ast.List):
        return [_value(item) for item in node.elts]
    if isinstance(node, ast.Tuple):
        return tuple(_value(item) for item in node.elts)
    if isinstance(node, ast.Dict):
        return {_value(key): _value(value) for key, value in zip(node.keys, node.values, strict=True)}
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.BinOp):
        return _computed(node)
    if isinstance(node, ast.Call):
        if not node.keywords:
            return ast.unparse(node)
        name, arguments = _call(node)
        return {name: arguments}
    if isinstance(node, ast.Subscript):
        return f"{ast.unparse(node.value)}[{ast.unparse(node.slice)}]"
    raise DecodeError(f"a {type(node).__name__} is no value")


def _negated(node: ast.UnaryOp) -> Any:
    """Every unary sign counts as minus, as in the official decoder."""
    if isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, _NUMBERS):
        return -node.operand.value
    raise DecodeError("a sign before what is no number")


def _computed(node: ast.BinOp) -> Any:
    """Arithmetic over literals. The official decoder evaluates any Python here; names and calls are refused instead."""
    return _arithmetic(node)


def _arithmetic(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.List):
        return [_arithmetic(item) for item in node.elts]
    if isinstance(node, ast.Tuple):
        return tuple(_arithmetic(item) for item in node.elts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _arithmetic(node.operand)
        return -value if isinstance(node.op, ast.USub) else +value
    if isinstance(node, ast.BinOp):
        return _operate(node.op, _arithmetic(node.left), _arithmetic(node.right))
    raise DecodeError("an expression that is not made of literals")


_BIG: Final = 10_000


def _operate(operator: ast.operator, left: Any, right: Any) -> Any:
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    if isinstance(operator, ast.Add) and (numbers or type(left) is type(right)):
        return left + right
    if isinstance(operator, ast.Mult) and not numbers and len(str(left)) + len(str(right)) < 100:
        # "ab" * 3
        factor = right if isinstance(right, int) else left if isinstance(left, int) else _BIG + 1
        if factor <= _BIG:
            return left * right
    if not numbers or (isinstance(operator, ast.Pow) and (abs(right) > 1000 or abs(left) > 10**6)):
        raise DecodeError("an expression that is not computed")
    try:
        if isinstance(operator, ast.Sub):
            return left - right
        if isinstance(operator, ast.Mult):
            return left * right
        if isinstance(operator, ast.Div):
            return left / right
        if isinstance(operator, ast.FloorDiv):
            return left // right
        if isinstance(operator, ast.Mod):
            return left % right
        if isinstance(operator, ast.Pow):
            return left**right
    except (ZeroDivisionError, OverflowError) as error:
        raise DecodeError(str(error)) from error
    raise DecodeError("an operator that is not computed")


def call_like(text: str, offered: Sequence[str]) -> bool:
    """Whether a prompting answer means to call although nobody can read it: `[name(…`, a name of a function and "("."""
    start = text.strip("`\n ")
    if re.match(r"\[\s*[A-Za-z_][\w.]*\s*\(", start):
        return True
    return any(re.search(rf"(?<![\w.]){re.escape(name)}\s*\(", text) for name in offered)
