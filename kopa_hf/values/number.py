"""Numbers as Koreans write them, with their units: 1,234명, 1조 2,300억 원, 삼백이십, 열두 명, -10%.

Values are exact fractions. A grammar reads a whole string or fails; `scan` finds
the quantities inside prose.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from kopa_hf.values import ValueFailure

MAX_LENGTH: Final = 400
"""Longer texts are no number; it bounds the work on hostile input."""

_SMALL: Final = {"십": 10, "백": 100, "천": 1000}
_LARGE: Final = {"만": 10**4, "억": 10**8, "조": 10**12, "경": 10**16}
_SINO: Final = {
    "영": 0,
    "공": 0,
    "일": 1,
    "이": 2,
    "삼": 3,
    "사": 4,
    "오": 5,
    "육": 6,
    "륙": 6,
    "칠": 7,
    "팔": 8,
    "구": 9,
}
_NATIVE_ONES: Final = {
    "하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "넷": 4, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7,
    "여덟": 8, "아홉": 9,
}  # fmt: skip
_NATIVE_TENS: Final = {
    "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80, "아흔": 90,
}  # fmt: skip

_UNITS: Final[dict[str, tuple[str, int]]] = {
    "원": ("원", 1),
    "%p": ("%p", 1), "%포인트": ("%p", 1), "퍼센트포인트": ("%p", 1), "포인트": ("포인트", 1), "p": ("포인트", 1),
    "%": ("%", 1), "퍼센트": ("%", 1), "프로": ("%", 1),
    "명": ("명", 1), "인": ("명", 1), "사람": ("명", 1),
    "건": ("건", 1), "개사": ("개사", 1), "개소": ("곳", 1), "곳": ("곳", 1), "개월": ("개월", 1), "개": ("개", 1),
    "주": ("주", 1), "좌": ("좌", 1), "회": ("회", 1), "번": ("회", 1), "차례": ("회", 1),
    "세": ("세", 1), "살": ("세", 1), "표": ("표", 1), "석": ("석", 1), "배": ("배", 1), "위": ("위", 1),
    "일": ("일", 1), "년": ("년", 1), "시간": ("시간", 1), "분": ("분", 1), "초": ("초", 1), "월": ("월", 1),
    "대": ("대", 1), "권": ("권", 1), "호": ("호", 1), "쪽": ("쪽", 1), "페이지": ("쪽", 1),
    "㎡": ("㎡", 1), "m²": ("㎡", 1), "제곱미터": ("㎡", 1), "km": ("km", 1), "㎞": ("km", 1), "킬로미터": ("km", 1),
    "m": ("m", 1), "kg": ("kg", 1), "톤": ("톤", 1), "달러": ("달러", 1), "종목": ("종목", 1), "개국": ("개국", 1),
    "학급": ("학급", 1), "학교": ("학교", 1), "당": ("당", 1),
}  # fmt: skip
_UNIT_NAMES: Final = sorted(_UNITS, key=len, reverse=True)

_PLAIN: Final = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_PART: Final = rf"{_PLAIN}\s?(?:[십백천]{{1,2}})?\s?[만억조경]?"
_ARABIC: Final = re.compile(rf"(?P<sign>[+\-]?)\s?(?P<body>{_PART}(?:\s?{_PART})*)")
_PIECE: Final = re.compile(rf"(?P<number>{_PLAIN})\s?(?P<small>[십백천]{{0,2}})\s?(?P<large>[만억조경]?)\s?")
_HANGUL: Final = re.compile(
    "(?:" + "|".join([*_NATIVE_TENS, *_NATIVE_ONES, *_SINO, *_SMALL, *_LARGE]) + ")+", re.UNICODE
)
_RANGE: Final = re.compile(r"\s*[~∼～–—]\s*\d")
_DASHES: Final = str.maketrans({"−": "-", "–": "-", "－": "-", "﹣": "-", "＋": "+"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with what stands behind it."""

    value: Fraction
    """In the base of its unit: 82,500만원 is 825,000,000 (원)."""
    unit: str | None
    """Canonical unit (`원`, `%`, `명`, …); None for a bare number."""
    start: int
    end: int


def fold(text: str) -> str:
    """Width and dash folding for number fields only."""
    return (
        unicodedata.normalize("NFKC", text.replace("㎡", "\ue000").replace("㎞", "\ue001"))
        .translate(_DASHES)
        .replace("\ue000", "㎡")
        .replace("\ue001", "㎞")
    )


def unit_scale(unit: str | None) -> tuple[str | None, Fraction]:
    """(canonical unit, factor) of a field's unit: 만원 → (원, 10000); unknown units stand for themselves."""
    text = fold(unit or "").strip()
    if not text:
        return None, Fraction(1)
    if text in _UNITS:
        name, factor = _UNITS[text]
        return name, Fraction(factor)
    match = re.fullmatch(r"([십백천]*)([만억조경]?)\s?(\D*)", text)
    if match and (match[1] or match[2]) and match[3] in _UNITS:
        factor = 1
        for char in match[1]:
            factor *= _SMALL[char]
        return _UNITS[match[3]][0], Fraction(factor * _LARGE.get(match[2], 1))
    return text, Fraction(1)


def read_quantity(text: str) -> Quantity:
    """The one quantity that the whole text is; `ValueFailure` says why not."""
    if len(text) > MAX_LENGTH:
        raise ValueFailure("too long for a number")
    folded = fold(text).strip()
    if not folded:
        raise ValueFailure("empty")
    if re.search(r"\d\s*[가-힣]*\s*[~∼]\s*\d", folded) or re.fullmatch(r"[\d,.]+\s*-\s*[\d,.]+\D*", folded):
        raise ValueFailure("a range, not one number")
    negative = re.match(r"(?:마이너스|음수)\s*(?=\S)", folded)
    if negative:
        inner = read_quantity(folded[negative.end() :])
        return Quantity(-inner.value, inner.unit, 0, len(text))
    found = _read_at(folded, 0)
    if found is None:
        raise ValueFailure("no number")
    if found.end != len(folded):
        raise ValueFailure("text beside the number")
    return found


def scan(text: str) -> Iterator[Quantity]:
    """Every quantity in prose, left to right; parts of codes, decimals and ranges are none. `text` is folded."""
    position = 0
    while position < len(text):
        char = text[position]
        if not (char.isdigit() or char in "+-" or "가" <= char <= "힣"):
            position += 1
            continue
        before = text[position - 1] if position else " "
        if (
            (before.isalnum()
            and not ("가" <= before <= "힣" and char.isdigit()))
            or (before in "._-/:#"
            and char.isdigit())
        ):
            position += 1
            continue
        found = _read_at(text, position, prose=True)
        if found is None:
            position += 1
            continue
        ranged = _RANGE.match(text, found.end)
        if ranged:
            position = ranged.end() - 1
            rest = _read_at(text, position)
            position = rest.end if rest else position + 1
            continue
        after = text[found.end : found.end + 1]
        if not (found.unit is None and ((after.isascii() and after.isalnum()) or (after in "_-/:" and after))):
            yield found
        position = max(found.end, position + 1)


def _read_at(text: str, start: int, *, prose: bool = False) -> Quantity | None:
    match = _ARABIC.match(text, start)
    if match:
        value, end = _arabic(match)
        unit, end = _unit_at(text, end)
        return Quantity(value, unit, start, end)
    match = _HANGUL.match(text, start)
    if not match:
        return None
    value_end = _hangul(match.group(), text, match.end(), prose)
    if value_end is None:
        return None
    number, end = value_end
    unit, end = _unit_at(text, end)
    if prose and unit is None:
        return None
    return Quantity(number, unit, start, end)


def _arabic(match: re.Match[str]) -> tuple[Fraction, int]:
    """Sum of the parts, large multipliers descending; reading stops where they do not descend."""
    total, last_large, end = Fraction(0), None, match.start("body")
    position = end
    text = match.string
    while piece := _PIECE.match(text, position):
        if piece.start() >= match.end():
            break
        factor = 1
        for char in piece["small"]:
            factor *= _SMALL[char]
        large = _LARGE.get(piece["large"], 1)
        if last_large is not None and large * factor >= last_large:
            break
        total += Fraction(piece["number"].replace(",", "")) * factor * large
        last_large = large * factor
        stop = max(piece.end(group) for group in ("number", "small", "large"))
        end, position = stop, piece.end()
        if last_large == 1:
            break
    return (-total if match["sign"] == "-" else total), end


def _hangul(word: str, text: str, end: int, prose: bool) -> tuple[Fraction, int] | None:
    """A number written in Hangul; in prose a trailing syllable may be the counter (열두 명, 세 건)."""
    for cut in range(len(word), 0, -1):
        value = _native(word[:cut])
        if value is None:
            value = _sino(word[:cut])
        if value is not None:
            stop = end - len(word) + cut
            if cut == len(word) or _unit_at(text, stop)[0] is not None:
                return Fraction(value), stop
    return None


def _native(word: str) -> int | None:
    total, rest = 0, word
    for name, value in _NATIVE_TENS.items():
        if rest.startswith(name):
            total, rest = value, rest[len(name) :]
            break
    if not rest:
        return total or None
    return total + _NATIVE_ONES[rest] if rest in _NATIVE_ONES else None


def _sino(word: str) -> int | None:
    total = section = digit = 0
    seen_digit = False
    last_large = 10**20
    for char in word:
        if char in _SINO:
            if seen_digit:
                return None
            digit, seen_digit = _SINO[char], True
        elif char in _SMALL:
            section += (digit if seen_digit else 1) * _SMALL[char]
            digit, seen_digit = 0, False
        elif char in _LARGE:
            large = _LARGE[char]
            if large >= last_large:
                return None
            total += (section + digit or 1) * large
            section = digit = 0
            seen_digit, last_large = False, large
        else:
            return None
    return total + section + digit


def _unit_at(text: str, position: int) -> tuple[str | None, int]:
    """(canonical unit, end) of a unit that follows a number, with or without a blank."""
    match = re.compile(r"\s?").match(text, position)
    start = match.end() if match else position
    for name in _UNIT_NAMES:
        if text.startswith(name, start):
            if name.isascii() and name.isalpha() and text[start + len(name) : start + len(name) + 1].isalpha():
                continue
            return _UNITS[name][0], start + len(name)
    return None, position
