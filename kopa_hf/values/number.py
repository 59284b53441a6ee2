"""Numbers as Koreans write them, with their units: 1,234명, 1조 2,300억 원, 삼백이십, 열두 명, -10%, 3분의 1.

Values are exact fractions. `read_quantity` reads a whole string or fails; `scan`
finds the quantities in prose. Neither makes a number of what only contains one:
ranges, bounds (10명 이상), codes (A-10, 제3호, 005930) and broken grouping (1,23).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from kopa_hf.values import ValueFailure
from kopa_hf.values.english import spelled_out
from kopa_hf.values.hangul import LARGE, SMALL, hangul_at
from kopa_hf.values.text import fold_width, is_tail, strip_closing
from kopa_hf.values.unit import CURRENCY_SIGNS, unit_at, unit_scale

__all__ = ["MAX_LENGTH", "Quantity", "fold", "read_quantity", "scan", "unit_scale"]

MAX_LENGTH: Final = 400
"""Longer texts are no number; it bounds the work on hostile input."""
_MAX_DIGITS: Final = 320

_TOKEN: Final = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_PLAIN: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?")
_POWERS: Final = re.compile(r"(?P<small>[십백천]{0,2})(?P<large>\s?[만억조경])?")
_RATIO: Final = re.compile(r"\s?/\s?(?P<under>[0-9]{1,30})(?![0-9.,/])")
_SCIENTIFIC: Final = re.compile(
    r"(?P<body>[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?)(?:[eE]|\s?[×x*]\s?10\s?\^\s?)\{?(?P<power>[+-]?[0-9]{1,3})\}?"
)
_PART_OF: Final = re.compile(r"\s?분의\s?")
_RANGE: Final = re.compile(r"\s?(?:[~∼〜]|내지|-(?=\s?[0-9]))\s?")
_FROM_TO: Final = re.compile(r"에서\s?[0-9][^.!?]{0,20}?사이")
_BOUND: Final = re.compile(
    r"\s?(?:을|를)?\s?(?:이상|이하|미만|초과(?!\s?[했한하됐된되]))|\s?(?:을|를|이|가)\s?넘[는은습었어]|\s?남짓|여\s?(?=[가-힣])|대(?![가-힣])"
)
_LEAD: Final = re.compile(r"(?:(?:약|총|대략|정확히|합계|모두|일금|금|값은)\s*)+(?=[^\s])")
_MINUS_WORD: Final = re.compile(r"(?:마이너스|영하)\s?$")
_CURRENCY: Final = re.compile(r"(?:[₩$€¥]|(?<![A-Za-z])(?:KRW|USD))\s?$")
_DASHES: Final = str.maketrans({"−": "-", "–": "-", "﹣": "-", "‐": "-", "△": "-"})
_HANJA_DIGITS: Final = str.maketrans("一二三四五六七八九十百千萬万億兆", "일이삼사오육칠팔구십백천만만억조")
# a numeral of its own, no part of a name: 三星 has none
_HANJA: Final = re.compile(
    r"(?<![\u4e00-\u9fff가-힣0-9A-Za-z])[一二三四五六七八九十百千萬万億兆]{2,30}(?![\u4e00-\u9fff])"
)
_SPACED_HANGUL: Final = re.compile(r"-?(?:[일이삼사오육륙칠팔구십백천만억조경]+ ?)+")
_DAY: Final = re.compile(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])")
_NAMED: Final = re.compile(r"[가-힣A-Za-z]\s?\($")
_HANGUL_START: Final = re.compile(
    r"(?<![가-힣0-9A-Za-z])[영공일이삼사오육륙칠팔구십백천만열스서마쉰예일여아한두세석네넉하둘셋넷다]"
)
# of the words of one syllable only these count, and only where the counter leaves no doubt
_SHORT_NATIVE: Final = frozenset({"한", "두", "세", "석", "네", "넉", "열"})
# these only stand before a counter: 네 alone says yes
_DETERMINERS: Final = frozenset({"한", "두", "세", "석", "네", "넉", "스무"})
_SHORT_POWER: Final = frozenset({"십", "백", "천", "만"})
_SAFE_COUNTERS: Final = frozenset({"명", "건", "곳", "개", "개사", "종"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with what stands behind it."""

    value: Fraction
    """In the base of its unit: 82,500만원 is 825,000,000 (원), 1.5km is 1,500 (m)."""
    unit: str | None
    """Base unit (원, %, 명, …); None for a bare number; `?` and a word where the counter is unknown."""
    start: int
    end: int
    scaled: bool = False
    """True where 만, 억 or 조 was written: such a number does not wait for its field's scale."""


def fold(text: str) -> str:
    """NFC, width, minus signs and English millions made plain, for number fields only. △ is accounting's minus; ▲ and ▽ are read by nobody."""
    return _HANJA.sub(_in_hangul, spelled_out(fold_width(text).translate(_DASHES)))


def _in_hangul(match: re.Match[str]) -> str:
    """四十八 as 사십팔."""
    return match[0].translate(_HANJA_DIGITS)


def read_quantity(text: str, own: str | None = None) -> Quantity:
    """The one quantity that the whole text is; `ValueFailure` says why not. `own`: a counter that no table has."""
    if len(text) > MAX_LENGTH:
        raise ValueFailure("too long for a number")
    folded = strip_closing(fold(text)).strip().strip("*_`\"'“”‘’ ")
    folded = _LEAD.sub("", folded, count=1) if _LEAD.match(folded) else folded
    if not folded:
        raise ValueFailure("empty")
    # .5 for 0.5, and the 정 that closes an amount in contracts: 일금 만원정
    folded = re.sub(r"(?<=원)\s?정$", "", re.sub(r"^([+-]?)\.(?=[0-9])", r"\g<1>0.", folded))
    scientific = _SCIENTIFIC.fullmatch(folded)
    if scientific:
        value = Fraction(scientific["body"]) * Fraction(10) ** int(scientific["power"])
        return Quantity(value, None, 0, len(folded))
    body = re.sub(r"^(?:마이너스|음수|영하)\s*", "-", folded)
    if _SPACED_HANGUL.fullmatch(body):
        body = body.replace(" ", "")
    head = re.match(r"(?P<sign>[+-]?)\s?(?P<money>[₩$€¥]|KRW|USD|)\s?(?P<inner>[+-]?)", body)
    start = head.end() if head else 0
    found = _quantity_at(body, start, own)
    if found is None or _is_word(body, found) or body in _DETERMINERS:
        raise ValueFailure("no number")
    found = _signed(found, body[:start])
    if found.end != len(body):
        raise ValueFailure(_why_not(body, found.end))
    return found


def _is_word(text: str, found: Quantity) -> bool:
    """사회 is no 4회, 이번 no 2번: one syllable of a numeral glued to a counter is a word, but for 만원 or 세건."""
    glued = text[found.start : found.end]
    if len(glued) != 2 or glued[0].isdigit() or glued[0] in _SHORT_NATIVE or found.unit is None:
        return False
    return not (glued[0] in _SHORT_POWER and glued[1] in "원명건")


def _signed(found: Quantity, head: str) -> Quantity:
    """The quantity with the sign and the currency that stand before it."""
    signs = [char for char in head if char in "+-"]
    if len(signs) > 1:
        raise ValueFailure("two signs")
    if not head:
        return found
    unit = next((name for sign, name in CURRENCY_SIGNS.items() if sign in head), None)
    if unit is not None and found.unit not in (None, unit):
        raise ValueFailure("two units")
    return replace(found, value=-found.value if "-" in signs else found.value, unit=unit or found.unit)


def _why_not(text: str, end: int) -> str:
    if _RANGE.match(text, end) or _FROM_TO.match(text, end):
        return "a range, not one number"
    return "a bound, not a number" if _BOUND.match(text, end) else "text beside the number"


def scan(text: str, own: str | None = None) -> Iterator[Quantity]:
    """Every quantity in folded prose: those in digits first, then those in Hangul."""
    yield from _scan_digits(text, own)
    yield from _scan_hangul(text, own)


def _scan_digits(text: str, own: str | None) -> Iterator[Quantity]:
    position = 0
    while match := _TOKEN.search(text, position):
        start = match.start()
        found = None if _is_part_of_code(text, start) else _quantity_at(text, start, own)
        position = max(match.end(), found.end if found else 0)
        if found is None:
            continue
        ranged = False
        while joint := _RANGE.match(text, position):
            other = _quantity_at(text, joint.end(), own)
            ranged, position = True, other.end if other else joint.end()
            if other is None:
                break
        if ranged or _FROM_TO.match(text, position):
            continue
        if _BOUND.match(text, found.end) or _is_code_like(text, found):
            continue
        yield _with_sign_before(text, found)


def _scan_hangul(text: str, own: str | None) -> Iterator[Quantity]:
    position = 0
    while match := _HANGUL_START.search(text, position):
        start = position = match.start()
        position += 1
        numeral = hangul_at(text, start)
        if numeral is None:
            continue
        value, end = numeral
        # 열두 건: the numeral may have taken a syllable that begins the next word
        found = _hangul_quantity(text, start, value, end, own)
        if found is not None and not _BOUND.match(text, found.end) and not _RANGE.match(text, found.end):
            position = found.end
            minus = _MINUS_WORD.search(text, max(0, start - 6), start)
            yield replace(found, value=-found.value) if minus else found


def _hangul_quantity(text: str, start: int, value: int, end: int, own: str | None) -> Quantity | None:
    word = text[start:end]
    unit = unit_at(text, end, own)
    if unit is not None:
        spaced = text[end : end + 1].isspace()
        if len(word) == 1:
            native = word in _SHORT_NATIVE and (spaced or unit.base in _SAFE_COUNTERS)
            power = word in _SHORT_POWER and spaced and not text[:start].rstrip(" :：(").endswith("단위")
            if not (native or power):
                return None
        return Quantity(value * unit.factor, unit.base, start, unit.end)
    closed = re.match(r"(?:입니다|이다|임)?\s*(?:[.,)!]|$)", text[end : end + 8])
    counted = any(char in word for char in "십백천만억") or word.startswith(("열", "스", "서", "마", "쉰"))
    return Quantity(Fraction(value), None, start, end) if closed and counted and len(word) > 1 else None


def _quantity_at(text: str, start: int, own: str | None) -> Quantity | None:
    """The quantity that begins exactly here, without its sign."""
    body = _number_at(text, start)
    if body is None:
        return None
    value, end, scaled = body
    part = _PART_OF.match(text, end)
    if part is not None:
        other = _number_at(text, part.end())
        if other is None or not value:
            return None
        return Quantity(other[0] / value, None, start, other[1])
    ratio = _RATIO.match(text, end)
    if ratio is not None:
        under = int(ratio["under"])
        return Quantity(value / under, None, start, ratio.end()) if under else None
    unit = unit_at(text, end, own)
    if unit is None:
        found = Quantity(value, None, start, end, scaled)
        if is_tail(text, end) or _BOUND.match(text, end):
            return found
        return _with_unknown(text, found) if text[start].isdigit() else None  # 이사 is no 2 of anything
    found = Quantity(value if unit.factor == 1 else value * unit.factor, unit.base, start, unit.end, scaled)
    return _longer_duration(text, found) if unit.base == "초" else found


def _with_unknown(text: str, found: Quantity) -> Quantity:
    word = re.compile(r"[가-힣]{1,12}").match(text, found.end)
    end = word.end() if word else found.end
    return replace(found, unit="?" + text[found.end : end], end=end)


def _longer_duration(text: str, found: Quantity) -> Quantity:
    """1시간 30분 is one duration."""
    joint = re.compile(r"\s?(?=[0-9])").match(text, found.end)
    if joint is None:
        return found
    more = _number_at(text, joint.end())
    unit = unit_at(text, more[1]) if more else None
    if more is None or unit is None or unit.base != "초" or more[0] * unit.factor >= found.value:
        return found
    return replace(found, value=found.value + more[0] * unit.factor, end=unit.end)


def _number_at(text: str, start: int) -> tuple[Fraction, int, bool] | None:
    """(value, end, scaled) of digits with 십·백·천·만·억·조, or of a numeral in Hangul."""
    if not _TOKEN.match(text, start):
        numeral = hangul_at(text, start)
        return (
            (Fraction(numeral[0]), numeral[1], any(c in LARGE for c in text[start : numeral[1]])) if numeral else None
        )
    total = section = Fraction(0)
    last_small, last_large, end, scaled = 10**4, 10**20, start, False
    position = start
    while match := _TOKEN.match(text, position):
        if not _PLAIN.fullmatch(match.group()) or len(match.group()) > _MAX_DIGITS:
            return None if position == start else (total + section, end, scaled)
        small, large, stop = _powers_at(text, match.end())
        digits = match.group().replace(",", "")
        number = Fraction(int(digits)) if digits.isdigit() else Fraction(digits)
        if position == start and small == 1 and not large:
            return number, stop, False
        if small >= last_small or (small == 1 and last_small == 1) or (large and large >= last_large):
            break
        if position != start and number >= last_small:
            break  # 1만 20240 is no one number
        section += number * small
        last_small, end = small, stop
        if large:
            total, section = total + section * large, Fraction(0)
            last_small, last_large, scaled = 10**4, large, True
            position = stop + (text[stop : stop + 1].isspace())
        elif small > 1:
            last_small, position = small, stop + (text[stop : stop + 1].isspace())
        else:
            break
        if text[position - 1 : position].isspace() and not _TOKEN.match(text, position):
            break
    return total + section, end, scaled


def _powers_at(text: str, position: int) -> tuple[int, int, int]:
    """(small, large, end) of the multipliers here; (1, 0, position) where the syllables begin another word."""
    match = _POWERS.match(text, position)
    if match is None or match.end() == position:
        return 1, 0, position
    for end in (match.end(), match.end("small")):
        if end == position:
            continue
        follows = text[end : end + 1]
        if follows.isdigit() or is_tail(text, end) or unit_at(text, end) is not None or _BOUND.match(text, end):
            small = 1
            for char in match["small"]:
                small *= SMALL[char]
            large = LARGE[match["large"].strip()] if match["large"] and end == match.end() else 0
            return small, large, end
    return 1, 0, position


def _is_part_of_code(text: str, start: int) -> bool:
    """Digits glued to letters, to a hyphen that is no sign, or counted off by 제; the upper end of an open range."""
    before, outer = text[start - 1 : start] if start else "", text[start - 2 : start - 1] if start > 1 else ""
    if not before:
        return False
    if (before.isascii() and before.isalnum()) or before in "_#@~제▲▼▽":
        return True
    if before in ":,":
        return outer.isdigit()
    if before in "./":
        return not ("가" <= outer <= "힣")
    return before in "+-" and bool(outer) and not (outer.isspace() or outer in "([{:=,*~\"'“‘₩$>")


def _is_code_like(text: str, found: Quantity) -> bool:
    """In prose: 005930, 12-3, 5G, and the eight digits of a day are no quantities."""
    token = _TOKEN.match(text, found.start)
    digits = token.group() if token else ""
    if digits.isdigit() and len(digits) > 1 and digits[0] == "0":
        return True
    if found.unit is not None:
        return False
    after, beyond = text[found.end : found.end + 1], text[found.end + 1 : found.end + 2]
    if after and ((after.isascii() and after.isalnum()) or after == "_"):
        return True
    if after and after in "-:" and beyond.isalnum():
        return True
    if _DAY.fullmatch(digits):
        return True
    # 라온(214270): the code behind a name
    return (
        len(digits) == 6
        and digits.isdigit()
        and after == ")"
        and bool(_NAMED.search(text[max(0, found.start - 3) : found.start]))
    )


def _with_sign_before(text: str, found: Quantity) -> Quantity:
    head = text[max(0, found.start - 8) : found.start]
    negative = head.endswith("-") or _MINUS_WORD.search(head) is not None
    money = _CURRENCY.search(head)
    unit = found.unit
    if money is not None:
        unit = unit or CURRENCY_SIGNS[money.group().strip()]
        negative = negative or head[: money.start()].endswith("-")
    return replace(found, value=-found.value if negative else found.value, unit=unit)
