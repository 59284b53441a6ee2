"""Exact arithmetic on text: a small grammar, no names, no `eval`.

Numbers are rationals from the first digit to the last, so `0.1 + 0.2` is 0.3
and `1 / 3 * 3` is 1. Only the final text is rounded, and only where the exact
value has no finite decimal form: to 28 significant digits.

Grammar, loosest first (`^` and `**` are the same, `×`, `÷`, `−` are read as
`*`, `/`, `-`)::

    sum    = term (("+" | "-") term)*
    term   = unary (("*" | "/" | "//" | "%") unary)*
    unary  = ("+" | "-") unary | power
    power  = atom ("**" unary)?
    atom   = NUMBER | "(" sum ")" | FUNCTION "(" sum ("," sum)* ")"

`//` and `%` follow the sign of the divisor; `round` is to the nearest, halves
away from zero (사사오입). A comma groups thousands (`1,680`); inside a
function's parentheses, where `max(1,680)` could mean either, it is refused
unless a blank or the number of digits tells.
"""

from __future__ import annotations

import decimal
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Final, NamedTuple

PRECISION: Final = 28
"""Significant digits of a result that has no finite decimal form."""
MAX_PLACES: Final = 100
"""Longer decimal forms are rounded too."""
MAX_LENGTH: Final = 1_000
"""Characters of an expression."""
MAX_DEPTH: Final = 40
"""Nested parentheses and signs."""
MAX_EXPONENT: Final = 1_000
MAX_DIGITS: Final = 1_000
"""Digits of any intermediate value, above or below the fraction bar."""

_MAX_BITS: Final = int(MAX_DIGITS * 3.3219281)
_SAME: Final = str.maketrans({"×": "*", "÷": "/", "−": "-", "–": "-", "∙": "*", "·": "*", "\u3000": " "})
_NUMBER: Final = re.compile(r"(?:\d+(?:,\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_GROUPED: Final = re.compile(r"\d{1,3}(?:,\d{3})+")
_TOKEN: Final = re.compile(r"\s*(?:(?P<name>[^\W\d]\w*)|(?P<op>\*\*|//|[-+*/%^(),]))")


class ExpressionError(ValueError):
    """The text is no expression, or its value is out of bounds; the message says what and where."""


class _Token(NamedTuple):
    kind: str
    """number, name, op, end."""
    text: str
    at: int
    """0-based position of the first character."""


def evaluate(text: str) -> Fraction:
    """The exact value of an expression. Raises `ExpressionError`."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"the expression has {len(text)} characters; at most {MAX_LENGTH} are read")
    return _Parser(_fold(text)).parse()


def format_number(value: Fraction | int) -> str:
    """Plain decimal text: no exponent, no trailing zeros, `-0` never.

    Exact where the value has a decimal form of at most 100 places, else 28
    significant digits (halves to even).
    """
    fraction = Fraction(value)
    if fraction.denominator == 1:
        return str(fraction.numerator)
    twos, fives, rest = _prime_powers(fraction.denominator)
    places = max(twos, fives)
    if rest == 1 and places <= MAX_PLACES:
        digits = str(abs(fraction.numerator) * 10**places // fraction.denominator).rjust(places + 1, "0")
        body = f"{digits[:-places]}.{digits[-places:]}"
        return "-" + body if fraction < 0 else body
    context = decimal.Context(prec=PRECISION, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
    quotient = context.divide(_decimal(fraction.numerator), _decimal(fraction.denominator))
    plain = format(quotient, "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def round_half_up(value: Fraction, places: int = 0) -> Fraction:
    """To `places` decimal places (negative: tens, hundreds, …), halves away from zero."""
    scaled = abs(value) * Fraction(10) ** places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    rounded = Fraction(whole) / Fraction(10) ** places
    return -rounded if value < 0 else rounded


def _fold(text: str) -> str:
    """Full-width digits and signs, and typographic operators, in their plain forms; same length."""
    folded = "".join(chr(ord(c) - 0xFEE0) if 0xFF01 <= ord(c) <= 0xFF5E else c for c in text)
    return folded.translate(_SAME)


def _decimal(number: int) -> decimal.Decimal:
    return decimal.Decimal(number)


def _prime_powers(number: int) -> tuple[int, int, int]:
    """Exponents of 2 and 5, and what is left."""
    twos = fives = 0
    while number % 2 == 0:
        number //= 2
        twos += 1
    while number % 5 == 0:
        number //= 5
        fives += 1
    return twos, fives, number


def _bounded(value: Fraction, at: int) -> Fraction:
    if value.numerator.bit_length() > _MAX_BITS or value.denominator.bit_length() > _MAX_BITS:
        raise ExpressionError(f"the value at position {at + 1} has more than {MAX_DIGITS} digits")
    return value


class _Parser:
    """Recursive descent over one expression; every step is bounded."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.calls = 0
        """Open function calls: inside one, a comma separates arguments."""
        self.token = self._next()

    def parse(self) -> Fraction:
        if self.token.kind == "end":
            raise ExpressionError("the expression is empty")
        value = self._sum()
        if self.token.kind != "end":
            raise self._unexpected()
        return value

    # tokens

    def _next(self) -> _Token:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        if self.at >= len(self.text):
            return _Token("end", "", len(self.text))
        start = self.at
        if number := _NUMBER.match(self.text, start):
            return self._number_token(number.group(), start)
        found = _TOKEN.match(self.text, start)
        if found is None:
            raise ExpressionError(f"{self.text[start]!r} at position {start + 1} is no part of an expression")
        self.at = found.end()
        kind = "name" if found["name"] else "op"
        return _Token(kind, found["name"] or found["op"], start)

    def _number_token(self, text: str, start: int) -> _Token:
        """Decide what the commas in a run of digits mean."""
        head = re.split(r"[.eE]", text, maxsplit=1)[0]
        if "," in head:
            if not self.calls and not _GROUPED.fullmatch(head):
                raise ExpressionError(
                    f"the commas in {text!r} at position {start + 1} do not group thousands; write the number without"
                )
            if self.calls:
                if _GROUPED.fullmatch(head):
                    raise ExpressionError(
                        f"{head!r} at position {start + 1} may be one number or several arguments; "
                        "put a blank after each separating comma and write numbers without commas"
                    )
                text = head.split(",", 1)[0]
        self.at = start + len(text)
        return _Token("number", text, start)

    def _take(self) -> _Token:
        token = self.token
        self.token = self._next()
        return token

    def _is(self, *operators: str) -> bool:
        return self.token.kind == "op" and self.token.text in operators

    def _expect(self, operator: str, opened_at: int) -> None:
        if not self._is(operator):
            if self.token.kind == "end":
                raise ExpressionError(f"the parenthesis opened at position {opened_at + 1} is not closed")
            raise self._unexpected()

    def _unexpected(self) -> ExpressionError:
        token = self.token
        if token.kind == "end":
            return ExpressionError(f"a value is missing at the end (position {token.at + 1})")
        hint = ""
        if token.kind == "name":
            hint = "; names and units are not allowed, only numbers and " + ", ".join(_FUNCTIONS)
        return ExpressionError(f"unexpected {token.text!r} at position {token.at + 1}{hint}")

    # grammar

    def _nested(self, rule: Callable[[], Fraction]) -> Fraction:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"more than {MAX_DEPTH} nested parts at position {self.token.at + 1}")
        try:
            return rule()
        finally:
            self.depth -= 1

    def _sum(self) -> Fraction:
        value = self._term()
        while self._is("+", "-"):
            operator = self._take()
            right = self._term()
            value = _bounded(value + right if operator.text == "+" else value - right, operator.at)
        return value

    def _term(self) -> Fraction:
        value = self._unary()
        while self._is("*", "/", "//", "%"):
            operator = self._take()
            value = _bounded(_combine(operator, value, self._unary()), operator.at)
        return value

    def _unary(self) -> Fraction:
        if self._is("+", "-"):
            sign = self._take().text
            value = self._nested(self._unary)
            return -value if sign == "-" else value
        return self._power()

    def _power(self) -> Fraction:
        base = self._atom()
        if self._is("**", "^"):
            operator = self._take()
            return _bounded(_raise(base, self._nested(self._unary), operator.at), operator.at)
        return base

    def _atom(self) -> Fraction:
        token = self.token
        if token.kind == "number":
            self._take()
            return _literal(token)
        if self._is("("):
            return self._parenthesis()
        if token.kind == "name" and token.text in _FUNCTIONS:
            return self._function()
        raise self._unexpected()

    def _parenthesis(self) -> Fraction:
        opened = self._take()
        value = self._nested(self._sum)
        self._expect(")", opened.at)
        self._take()
        return value

    def _function(self) -> Fraction:
        name = self.token
        self.calls += 1  # before the next token is read: it may be a number with commas
        self._take()
        if not self._is("("):
            raise ExpressionError(f"{name.text} at position {name.at + 1} needs its values in parentheses")
        opened = self._take()
        values = [self._nested(self._sum)]
        while self._is(","):
            self._take()
            values.append(self._nested(self._sum))
        self._expect(")", opened.at)
        self.calls -= 1  # after this parenthesis commas mean again what they meant outside
        self._take()
        try:
            return _bounded(_FUNCTIONS[name.text](values), name.at)
        except ExpressionError as error:
            raise ExpressionError(f"{name.text} at position {name.at + 1}: {error}") from error


def _literal(token: _Token) -> Fraction:
    text = token.text.replace(",", "")
    mantissa, _, exponent = text.lower().partition("e")
    if exponent and (len(exponent) > 5 or abs(int(exponent)) > MAX_EXPONENT):
        raise ExpressionError(f"the exponent of {token.text!r} at position {token.at + 1} is beyond {MAX_EXPONENT}")
    return _bounded(Fraction(mantissa) * Fraction(10) ** int(exponent or 0), token.at)


def _combine(operator: _Token, left: Fraction, right: Fraction) -> Fraction:
    if operator.text == "*":
        return left * right
    if right == 0:
        raise ExpressionError(f"division by zero at position {operator.at + 1}")
    if operator.text == "/":
        return left / right
    quotient = Fraction(left // right)
    return quotient if operator.text == "//" else left - quotient * right


def _raise(base: Fraction, exponent: Fraction, at: int) -> Fraction:
    """A power. A fractional exponent (a yearly growth rate) has no exact value and is rounded to 28 digits."""
    if abs(exponent) > MAX_EXPONENT:
        raise ExpressionError(f"the exponent at position {at + 1} is beyond {MAX_EXPONENT}")
    if base == 0 and exponent < 0:
        raise ExpressionError(f"division by zero at position {at + 1}")
    if exponent.denominator == 1:
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        # Bits of a power are about bits times exponent; refused before the power is computed.
        if (size - 1) * abs(exponent.numerator) > _MAX_BITS:
            raise ExpressionError(f"the power at position {at + 1} has more than {MAX_DIGITS} digits")
        return base ** int(exponent)
    if base < 0:
        raise ExpressionError(f"a negative number has no fractional power (position {at + 1})")
    if base == 0:
        return base
    context = decimal.Context(prec=PRECISION + 12)
    small = context.divide(_decimal(base.numerator), _decimal(base.denominator))
    power = context.divide(_decimal(exponent.numerator), _decimal(exponent.denominator))
    try:
        return Fraction(decimal.Context(prec=PRECISION).plus(context.power(small, power)))
    except decimal.DecimalException as error:
        raise ExpressionError(f"the power at position {at + 1} is out of bounds") from error


def _round(values: list[Fraction]) -> Fraction:
    if len(values) > 2:
        raise ExpressionError("takes a value and, at most, a number of decimal places")
    places = values[1] if len(values) == 2 else Fraction(0)
    if places.denominator != 1 or abs(places) > 100:
        raise ExpressionError("the number of decimal places is a whole number from -100 to 100")
    return round_half_up(values[0], int(places))


def _abs(values: list[Fraction]) -> Fraction:
    if len(values) != 1:
        raise ExpressionError("takes one value")
    return abs(values[0])


def _total(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0))


_FUNCTIONS: Final[dict[str, Callable[[list[Fraction]], Fraction]]] = {
    "round": _round,
    "abs": _abs,
    "min": min,
    "max": max,
    "sum": _total,
}
