"""Symbolic equality of two LaTeX expressions, through math-verify.

Its entry points set a time limit by signal, which works in the main thread only and
clears other people's alarms. So its parser and its comparer are called beneath that,
and what could run long is not tried at all: only short expressions of roots,
fractions and small powers are compared.
"""

from __future__ import annotations

import math
import re
from typing import Final

_MAX_LENGTH: Final = 120
_MAX_POWER: Final = 64
"""Largest product of all exponents of an expression."""
_MAX_POWER_OF_LETTERS: Final = 6
_DIGITS: Final = 12
"""Decimal places to which two irrational numbers must agree."""
_COMMANDS: Final = frozenset({"frac", "dfrac", "tfrac", "sqrt", "pi", "cdot", "times", "div", "left", "right"})
_ALLOWED: Final = re.compile(r"[0-9a-zπ√\\{}()\[\]+\-*/^.,=\s×÷]+")
_POWER: Final = re.compile(r"\^\s*(?:\{\s*-?([0-9]{1,2})\s*\}|([0-9]))(?![0-9])")
_LITERAL: Final = re.compile(r"\s*[+-]?[0-9][0-9,]*(?:\.[0-9]+)?\s*%?\s*")


def is_expression(text: str) -> bool:
    """Whether the text is an expression that is short and tame enough to be compared."""
    if len(text) > _MAX_LENGTH or not _ALLOWED.fullmatch(text) or _LITERAL.fullmatch(text):
        return False
    if not re.search(r"[\\√π^*/()+]|[0-9]\s*-", text) or any(len(run) > 15 for run in re.findall(r"[0-9]+", text)):
        return False
    commands, words = re.findall(r"\\([a-z]+)", text), re.findall(r"(?<![\\a-z])[a-z]{2,}", text)
    letters = re.search(r"[a-z]", re.sub(r"\\[a-z]+", "", text)) is not None
    powers = [int(a or b) for a, b in _POWER.findall(text)]
    return (
        set(commands) <= _COMMANDS
        and not words
        and len(powers) == text.count("^")
        and "**" not in text
        and math.prod(max(power, 1) for power in powers) <= (_MAX_POWER_OF_LETTERS if letters else _MAX_POWER)
    )


def symbolically_equal(gold: str, given: str) -> bool:
    """Whether two expressions (`is_expression`) are the same number or term; broken LaTeX raises."""
    from latex2sympy2_extended import latex2sympy  # type: ignore[import-untyped]  # has no stubs
    from math_verify.grader import sympy_expr_eq
    from sympy import nan, oo, zoo  # type: ignore[import-untyped]  # has no stubs

    left, right = latex2sympy(gold), latex2sympy(given)
    if any(side.has(nan, oo, zoo) for side in (left, right)):
        return False  # 1/0 equals nothing, itself included
    return bool(sympy_expr_eq(left, right, _DIGITS))
