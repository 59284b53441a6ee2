"""Numbers written in Hangul: 삼백이십, 일조 이천삼백억, 열두, 스물세, 백열두."""

from __future__ import annotations

import re
from typing import Final

from kopa_hf.values import ValueFailure

SMALL: Final = {"십": 10, "백": 100, "천": 1000}
LARGE: Final = {"경": 10**16, "조": 10**12, "억": 10**8, "만": 10**4}
_DIGITS: Final = {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "륙": 6, "칠": 7, "팔": 8, "구": 9}
_ZERO: Final = frozenset({"영", "공"})
_TENS: Final = {
    "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80, "아흔": 90,
}  # fmt: skip
_ONES: Final = {
    "하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "넷": 4, "네": 4, "넉": 4, "다섯": 5, "여섯": 6,
    "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip

_D: Final = "[일이삼사오육륙칠팔구]"
_SECTION: Final = rf"(?:{_D}?천)?(?:{_D}?백)?(?:{_D}?십)?{_D}?"
_SINO: Final = (
    rf"(?:(?P<s16>(?=.){_SECTION})경\s?)?(?:(?P<s12>{_SECTION})조\s?)?(?:(?P<s8>{_SECTION})억\s?)?"
    rf"(?:(?P<s4>{_SECTION})만\s?)?(?P<s0>{_SECTION})"
)
_ONES_RE: Final = "|".join(sorted(_ONES, key=len, reverse=True))
_NATIVE: Final = (
    rf"(?P<high>(?:{_D}?천)?(?:{_D}?백)?)(?P<tens>{'|'.join(sorted(_TENS, key=len, reverse=True))})?"
    # 스물 세 명 is 23, but 쉰 세대 is 50 of 세대
    rf"(?P<ones>(?(tens) )(?:{_ONES_RE})(?=\s|[명건개곳])|(?:{_ONES_RE}))?"
)
_SINO_RE: Final = re.compile(_SINO)
_NATIVE_RE: Final = re.compile(_NATIVE)


def read_hangul(text: str) -> int:
    """The number that the whole text is; `ValueFailure` where it is none."""
    found = hangul_at(text, 0)
    if found is None or found[1] != len(text):
        raise ValueFailure("no number written in Hangul")
    return found[0]


def hangul_at(text: str, position: int) -> tuple[int, int] | None:
    """(number, end) of the longest numeral at the position; None where none starts there."""
    if text[position : position + 1] in _ZERO:
        return 0, position + 1
    best: tuple[int, int] | None = None
    for reading in (_sino_at(text, position), _native_at(text, position)):
        if reading is not None and (best is None or reading[1] > best[1]):
            best = reading
    return best


def _sino_at(text: str, position: int) -> tuple[int, int] | None:
    match = _SINO_RE.match(text, position)
    if match is None or match.end() == position:
        return None
    end = position + len(match.group().rstrip())
    total = 0
    for power, name in ((16, "s16"), (12, "s12"), (8, "s8"), (4, "s4"), (0, "s0")):
        section = match[name]
        if section is None:
            continue
        if not section and power > 4:
            return None  # 조 or 억 alone is a word, 만 alone is 10,000
        total += (_section(section) if section else int(power == 4)) * 10**power
    return (total, end) if total else None


def _section(text: str) -> int:
    total, digit = 0, 0
    for char in text:
        if char in SMALL:
            total += (digit or 1) * SMALL[char]
            digit = 0
        else:
            digit = _DIGITS[char]
    return total + digit


def _native_at(text: str, position: int) -> tuple[int, int] | None:
    match = _NATIVE_RE.match(text, position)
    if match is None or not (match["tens"] or match["ones"]):
        return None
    high = _section(match["high"]) if match["high"] else 0
    tens = _TENS[match["tens"]] if match["tens"] else 0
    ones = _ONES[match["ones"].strip()] if match["ones"] else 0
    return high + tens + ones, match.end()
