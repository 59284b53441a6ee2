"""Units behind numbers: spellings of one unit, and words that only look like one."""

from __future__ import annotations

import pytest

from kopa_hf.values.unit import unit_at


@pytest.mark.parametrize(("text", "position", "base"), [
    ("12도", 2, "℃"), ("-0.8℃", 4, "℃"), ("3 °C", 1, "℃"), ("하나도 없다", 2, None), ("2도씨", 1, "℃"),
])  # fmt: skip
def test_degrees_stand_behind_digits_and_have_several_spellings(text: str, position: int, base: str | None) -> None:
    hit = unit_at(text, position)
    assert (hit.base if hit else None) == base
