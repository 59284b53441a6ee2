"""Numbers as people write them: separated thousands, amounts of money in 억 and 만 instead of 천원."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from kopa_hf.bench.expressions import as_decimal, plain_number
from kopa_hf.edge.labels import factor_of, is_money

_STEPS: Final = (("조", 10**12), ("억", 10**8), ("만", 10**4))
AMOUNT: Final = r"(?:\d[\d,]*조 ?)?(?:\d[\d,]*억 ?)?(?:\d[\d,]*만 ?)?(?:\d[\d,]*)? ?원"
"""A spoken amount of won; as it stands also a lone 원, so a digit is looked for in front."""
_AMOUNT_PARTS: Final = re.compile(r"(\d[\d,]*)(조|억|만)?")


def grouped(number: str) -> str:
    """A number with separated thousands, as people write it; other texts as they are."""
    text = number.replace(",", "")
    whole, point, rest = text.partition(".")
    sign, digits = (whole[0], whole[1:]) if whole[:1] in "+-" and whole else ("", whole)
    if not digits.isdigit() or len(digits) < 4 or digits[0] == "0":
        return number
    return f"{sign}{int(digits):,}{point}{rest}"


def spoken_amount(number: str, unit: str) -> str:
    """A figure with its unit: 6,000억 원 for 600000000 (천원), 1,200명, 45."""
    value = as_decimal(number)
    if not is_money(unit) or (factor_of(unit) == 1 and unit != "원") or value is None:
        return f"{grouped(number)}{unit}"
    won = value * factor_of(unit)
    if won != won.to_integral_value() or won < 0:
        return f"{grouped(plain_number(won))}원"
    rest, parts = int(won), []
    for name, step in _STEPS:
        count, rest = divmod(rest, step)
        if count:
            parts.append(f"{count:,}{name}")
    if rest or not parts:
        return " ".join([*parts, f"{rest:,}원"])
    return " ".join(parts) + " 원"


def read_amount(text: str) -> Decimal | None:
    """How many won a spoken amount is; None where it is none."""
    body = text.strip()
    if not body.endswith("원") or not re.search(r"\d", body):
        return None
    steps = dict(_STEPS)
    parts = _AMOUNT_PARTS.findall(body)
    return Decimal(sum(int(digits.replace(",", "")) * steps.get(step, 1) for digits, step in parts))
