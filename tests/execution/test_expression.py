"""Arithmetic on text."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.execution.expression import (
    ExpressionError,
    evaluate,
    format_number,
    round_half_up,
)
from tests.timing import loops


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("(1,680 - 532)/532*100", "215.7894736842105263157894737"),  # 28 digits
        ("round((1680-532)/532*100, 2)", "215.79"),
        ("0.1+0.2", "0.3"),
        ("1/3*3", "1"),
        ("2 - -3", "5"),
        ("-2**2", "-4"),
        ("2**3**2", "512"),
        ("2**-2", "0.25"),
        ("2^10", "1024"),
        ("2**0.5", "1.414213562373095048801688724"),
        ("-7//2", "-4"),
        ("-7%3", "2"),
        ("7.5 % 2", "1.5"),
        ("1e3 + 1", "1001"),
        ("100 - 1e2", "0"),
        ("0 * -1", "0"),
        ("max(1, 2, 1+2)", "3"),
        ("max(1234,5678)", "5678"),
        ("min(3, abs(-2))", "2"),
        ("sum(1.5, 2.5)", "4"),
        ("round(2.5)", "3"),
        ("round(-2.345, 2)", "-2.35"),
        ("round(1250, -2)", "1300"),
        ("1,234,567 + 1", "1234568"),
        ("abs(-3) - 1,000", "-997"),
        ("１，６８０×２÷４", "840"),
        ("1000000000000000000000 * 10", "10000000000000000000000"),
    ],
)
def test_an_expression_has_its_exact_value_in_plain_digits(text: str, result: str) -> None:
    assert format_number(evaluate(text)) == result


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"),
        ("1 +", "missing at the end (position 4)"),
        ("(1", "opened at position 1 is not closed"),
        ("max(1", "opened at position 4 is not closed"),
        ("1) ", "unexpected ')' at position 2"),
        ("532원", "unexpected '원' at position 4"),
        ("가격 * 2", "unexpected '가격' at position 1"),
        ("1/0", "division by zero at position 2"),
        ("0**-1", "division by zero"),
        ("5 % 0", "division by zero"),
        ("1,68", "do not group thousands"),
        ("1,2345", "do not group thousands"),
        ("1..2", "unexpected '.2' at position 3"),
        ("1 2", "unexpected '2' at position 3"),
        ("(-8)**0.5", "no fractional power"),
        ("__import__('os').system('true')", "unexpected '__import__'"),
        ("round", "needs its values in parentheses"),
        ("round(1,2,3)", "round at position 1"),
        ("abs(1, 2)", "takes one value"),
        ("1 @ 2", "'@' at position 3"),
    ],
)
def test_a_broken_expression_says_what_and_where(text: str, what: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(text)
    assert what in str(caught.value)


def test_a_comma_that_could_mean_two_things_inside_a_function_is_refused() -> None:
    with pytest.raises(ExpressionError, match="may be one number or several arguments"):
        evaluate("max(1,680)")
    assert evaluate("max(1, 680)") == 680


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9**9",
        "10**1000**1000",
        "(10**900)**900",
        "1e999999999",
        "2**1000*2**1000*2**1000*2**1000",
        "(" * 500 + "1" + ")" * 500,
        "-" * 900 + "1",
        "2**" * 300 + "2",
        "9" * 2000,
        "1" + "+1" * 5000,
        "(1/3)**1000**2",
        "1.0000001**0.0000001**1000",
    ],
)
def test_no_expression_takes_long_or_grows_without_bound(text: str) -> None:
    def refused() -> None:
        with pytest.raises(ExpressionError):
            evaluate(text)

    assert loops(refused) < 5


NUMBERS = st.decimals(min_value=-(10**6), max_value=10**6, allow_nan=False, allow_infinity=False, places=4)


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> tuple[str, Fraction]:
    """(text, value worked out by fractions)."""
    if depth == 0 or draw(st.booleans()):
        number = draw(NUMBERS)
        return (f"({number:f})" if number < 0 else f"{number:f}"), Fraction(number)
    left, a = draw(trees(depth - 1))
    right, b = draw(trees(depth - 1))
    operator = draw(st.sampled_from(["+", "-", "*", "/", "//", "%"]))
    if operator in ("/", "//", "%") and b == 0:
        operator = "+"
    value = {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "/": lambda: a / b,
        "//": lambda: Fraction(a // b),
        "%": lambda: a % b,
    }[operator]()
    return f"({left} {operator} {right})", value


@given(trees())
def test_values_agree_with_exact_fractions(tree: tuple[str, Fraction]) -> None:
    text, value = tree
    if len(text) <= 1000:
        assert evaluate(text) == value


@given(NUMBERS)
def test_a_decimal_comes_back_as_the_same_number_without_idle_zeros(number: Decimal) -> None:
    text = format_number(Fraction(number))
    assert Decimal(text) == number
    assert "E" not in text.upper()
    assert not ("." in text and text.endswith(("0", ".")))
    assert text != "-0"


@given(st.integers(-(10**30), 10**30), st.integers(1, 10**12))
def test_a_quotient_is_right_to_28_digits(above: int, below: int) -> None:
    value = Fraction(above, below)
    shown = Fraction(format_number(value))
    assert abs(shown - value) * 10**27 <= abs(value)


@given(st.integers(-(10**9), 10**9), st.integers(0, 6))
def test_rounding_moves_by_at_most_half_a_unit_and_keeps_the_sign_symmetric(number: int, places: int) -> None:
    value = Fraction(number, 10**7)
    rounded = round_half_up(value, places)
    assert abs(rounded - value) <= Fraction(1, 2 * 10**places)
    assert (rounded * 10**places).denominator == 1
    assert round_half_up(-value, places) == -rounded


def outcome(text: str) -> str:
    """The value as text, or the reason of the refusal; anything else escapes and fails the test."""
    try:
        return format_number(evaluate(text))
    except ExpressionError as error:
        return f"refused: {error}"


@given(st.text(max_size=60) | st.text(alphabet="0123456789.,+-*/%()eE max", max_size=40))
def test_any_text_is_a_number_or_a_reasoned_refusal(text: str) -> None:
    result = outcome(text)
    assert len(result) > len("refused: ") if result.startswith("refused") else Decimal(result).is_finite()
