"""Korean sentences with values put in: the particle follows the value's last sound.

    fill("{company:이/가} 발행한", {"company": "라온"})   → "라온이 발행한"

A placeholder is `{path}` or `{path:particle pair}`; a path may reach into records
(`company.corp_name`). Pairs: 은/는, 이/가, 을/를, 과/와, 으로/로, 이라/라, 아/야, 이나/나.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from kopa_hf.errors import TaskError

PAIRS: Final[frozenset[str]] = frozenset({"은/는", "이/가", "을/를", "과/와", "으로/로", "이라/라", "아/야", "이나/나"})
_PLACE: Final = re.compile(r"\{([A-Za-z_][\w.]*)(?::([^{}]+))?\}")
# how the last sound of a digit (영 일 이 삼 사 오 육 칠 팔 구), Latin letter or sign is closed
_DIGITS: Final[dict[str, str]] = dict(zip("0123456789", "ㅇㄹ-ㅁ--ㄱㄹㄹ-", strict=True))
_LETTERS: Final[dict[str, str]] = {"l": "ㄹ", "m": "ㅁ", "n": "ㄴ", "r": "ㄹ"}
_SIGNS: Final[dict[str, str]] = {"%": "-", "℃": "-", "㎡": "-", "㎞": "-"}
_SILENT: Final = frozenset("\"'”’)]}〉》」』.,!? ")


def particle(word: str, pair: str) -> str:
    """The one of the two particles that fits the word's last sound."""
    if pair not in PAIRS:
        raise TaskError(f"Unknown pair of particles {pair!r}; known: {', '.join(sorted(PAIRS))}.")
    closed, open_ = pair.split("/")
    final = _final(word)
    if pair == "으로/로":
        return open_ if final in ("-", "ㄹ") else closed
    return open_ if final == "-" else closed


def with_particle(word: str, pair: str) -> str:
    """The word and its particle."""
    return word + particle(word, pair)


def fill(template: str, values: Mapping[str, Any]) -> str:
    """The template with every placeholder filled; raises `TaskError` for one that has no value."""

    def put(found: re.Match[str]) -> str:
        word = _spoken(_lookup(values, found[1]))
        return with_particle(word, found[2]) if found[2] else word

    return _PLACE.sub(put, template)


def placeholders(template: str) -> tuple[str, ...]:
    """The paths that a template reads, in order."""
    return tuple(found[1] for found in _PLACE.finditer(template))


def _lookup(values: Mapping[str, Any], path: str) -> Any:
    value: Any = values
    for part in path.split("."):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise TaskError(f"Nothing fills {{{path}}} in a sentence.")
    return value


def _spoken(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_spoken(item) for item in value)
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _final(word: str) -> str:
    """The closing consonant of a word as it is read: one letter, or `-` for an open syllable."""
    for char in reversed(word):
        if char in _SILENT:
            continue
        if "가" <= char <= "힣":
            index = (ord(char) - 0xAC00) % 28
            return "-" if index == 0 else "ㄹ" if index == 8 else "ㅇ"
        found = _DIGITS.get(char) or _LETTERS.get(char.lower()) or _SIGNS.get(char)
        return found or "-"
    return "-"
