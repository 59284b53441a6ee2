"""Answers that are several items: how they are split, and when two such answers are the same."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from kopa_hf.values import ValueFailure
from kopa_hf.values.number import read_quantity
from kopa_hf.values.text import normalize_text

_SEPARATOR: Final = re.compile(r"\s*(?:,(?!\d{3}(?!\d))|、|，|;|·|\n|/|\s(?:및|그리고)\s)\s*")
_AND: Final = re.compile(r"(?<=[가-힣A-Za-z0-9)])(?:와|과)\s+")
_BULLET: Final = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")


def split_items(value: Sequence[str] | str) -> list[str]:
    """Items of an answer: a list as it is, a JSON array, or text with commas, bullets, 와/과/및 between them."""
    if not isinstance(value, str):
        return [normalize_text(item) for item in value if normalize_text(item)]
    text = normalize_text(value)
    if text.startswith("["):
        try:
            parsed = json.loads(text)
        except ValueError:
            text = text.strip("[]")
        else:
            return [normalize_text(str(item)) for item in parsed] if isinstance(parsed, list) else []
    text = re.sub(r"(?:입니다|이다)?\.?$", "", text.strip("(){}"))
    parts = [_BULLET.sub("", part) for part in _SEPARATOR.split(text)]
    items = [piece for part in parts for piece in (_AND.split(part) if len(parts) < 3 or _AND.search(part) else [part])]
    return [item.strip(" \"'`") for item in items if item.strip(" \"'`")]


def same_items(gold: Sequence[str], given: Sequence[str], *, ordered: bool) -> bool:
    """Exactly the same items; for sets without regard to order or repeats."""
    wanted, found = [_key(item) for item in gold], [_key(item) for item in given]
    if ordered:
        return wanted == found
    return Counter(set(wanted)) == Counter(set(found))


def _key(item: str) -> tuple[str, str]:
    """Numbers by value, all else as text without blanks. A leading zero marks a code, which stays text."""
    squeezed = "".join(normalize_text(item).split())
    if not re.match(r"-?0\d", squeezed):
        try:
            quantity = read_quantity(item)
        except ValueFailure:
            return "text", squeezed
        if any(char.isdigit() for char in item):
            return "number", f"{quantity.value} {quantity.unit or ''}"
    return "text", squeezed
