"""Cards say only what was computed: no figure is typed into a template."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kopa_hf.shipped import shipped_path

CARDS = sorted(path.name for path in Path(shipped_path("hub_cards")).glob("*.md"))
# names and terms that hold a digit; none of them is a result
NAMES = ("pass@1", "pass@4", "pass^4", "8-character", "95%", "year         = {2026}", "load_dataset", "SHA-256", "pass_at_1", "pass_at_4", "pass_hat_4", "1 or 0", "fresh:3", "145 others")  # fmt: skip


def typed_in(text: str) -> list[str]:
    """Numbers outside of template expressions and code."""
    text = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", "", text, flags=re.DOTALL)
    for name in NAMES:
        text = text.replace(name, "")
    return re.findall(r"\d[\d.,]*%?", text)


@pytest.mark.parametrize("card", CARDS)
def test_no_figure_is_typed_in(card: str) -> None:
    assert typed_in(shipped_path(f"hub_cards/{card}").read_text(encoding="utf-8")) == []


def test_a_typed_in_figure_would_be_found() -> None:
    assert typed_in("| rows | {{ rows }} of 60 |") == ["60"]


@pytest.mark.parametrize("card", [name for name in CARDS if name not in ("_end.md", "results.md")])
def test_every_card_has_a_korean_part_and_its_limits(card: str) -> None:
    text = shipped_path(f"hub_cards/{card}").read_text(encoding="utf-8")
    assert re.search("[가-힣]{2,}", text)
    assert "## Limits" in text or "## Licence" in text
