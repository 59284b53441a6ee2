"""Units and counters: which spellings mean the same, and what one of them is in its dimension's base.

Two counters are never the same only because both count: 3건 is no 3명.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from kopa_hf.values.hangul import LARGE, SMALL
from kopa_hf.values.text import fold_width, is_tail

# base → spellings with their factor
_DIMENSIONS: Final[dict[str, dict[str, int | Fraction]]] = {
    "원": {"원": 1, "KRW": 1, "won": 1, "₩": 1},
    "달러": {"달러": 1, "불": 1, "USD": 1, "$": 1, "dollars": 1, "dollar": 1},
    "유로": {"유로": 1, "EUR": 1, "€": 1},
    "엔": {"엔": 1, "JPY": 1, "¥": 1},
    "위안": {"위안": 1, "CNY": 1},
    "℃": {"℃": 1, "°C": 1, "도": 1, "도씨": 1},
    "%": {"%": 1, "퍼센트": 1, "프로": 1, "percent": 1},
    "%p": {"%p": 1, "%P": 1, "%포인트": 1, "퍼센트포인트": 1, "퍼센트 포인트": 1, "pp": 1,
           "percentage points": 1, "percentage point": 1},
    "bp": {"bp": 1, "bps": 1},
    "포인트": {"포인트": 1, "pt": 1, "p": 1, "P": 1},
    "명": {"명": 1, "인": 1, "사람": 1, "people": 1, "persons": 1, "person": 1},
    "곳": {"곳": 1, "개소": 1, "군데": 1},
    "회": {"회": 1, "번": 1, "차례": 1},
    "세": {"세": 1, "살": 1},
    "쪽": {"쪽": 1, "페이지": 1},
    "종": {"종": 1, "종류": 1},
    "개월": {"개월": 1, "달": 1},
    "초": {"초": 1, "분": 60, "시간": 3600, "seconds": 1, "second": 1, "minutes": 60, "minute": 60, "min": 60, "mins": 60,
          "hours": 3600, "hour": 3600},
    "m": {"m": 1, "미터": 1, "mm": Fraction(1, 1000), "㎜": Fraction(1, 1000), "밀리미터": Fraction(1, 1000),
          "cm": Fraction(1, 100), "㎝": Fraction(1, 100), "센티미터": Fraction(1, 100), "km": 1000, "㎞": 1000,
          "킬로미터": 1000},
    "㎡": {"㎡": 1, "m²": 1, "m2": 1, "제곱미터": 1, "평방미터": 1, "㎢": 10**6, "km²": 10**6, "km2": 10**6,
          "제곱킬로미터": 10**6, "ha": 10**4, "㏊": 10**4, "헥타르": 10**4},
    "㎥": {"㎥": 1, "m³": 1, "m3": 1, "세제곱미터": 1},
    "kg": {"kg": 1, "㎏": 1, "킬로그램": 1, "g": Fraction(1, 1000), "그램": Fraction(1, 1000), "t": 1000, "톤": 1000},
    "L": {"L": 1, "ℓ": 1, "리터": 1, "mL": Fraction(1, 1000), "㎖": Fraction(1, 1000)},
    "W": {"W": 1, "kW": 1000, "MW": 10**6, "GW": 10**9},
    "Wh": {"Wh": 1, "kWh": 1000, "MWh": 10**6, "GWh": 10**9},
    "kcal": {"kcal": 1, "Kcal": 1, "㎉": 1, "킬로칼로리": 1},
    "㎍": {"㎍": 1, "μg": 1, "µg": 1},
}  # fmt: skip
_ALONE: Final = re.split(
    r"\s",
    "건 개 개사 개국 개교 주 좌 표 석 배 위 일 년 월 대 권 호 가구 세대 동 필지 마리 병 장 매 편 점 급 등급 층 팀 종목 "
    "학급 학교 학년 학기 분기 평 ppm ppb dB 당 호선 차 조 항 기 번째 개년 시",
)
_TABLE: Final[dict[str, tuple[str, Fraction]]] = {
    spelled: (base, Fraction(factor)) for base, names in _DIMENSIONS.items() for spelled, factor in names.items()
} | {name: (name, Fraction(1)) for name in _ALONE}
_NAMES: Final = re.compile("|".join(re.escape(name) for name in sorted(_TABLE, key=len, reverse=True)))

CURRENCY_SIGNS: Final = {"₩": "원", "$": "달러", "€": "유로", "¥": "엔", "KRW": "원", "USD": "달러"}
"""Signs that stand before a number."""

ORDINALS: Final = frozenset(
    {
        "위",
        "급",
        "등급",
        "층",
        "호",
        "호선",
        "차",
        "조",
        "항",
        "기",
        "번째",
        "학년",
        "학기",
        "분기",
        "월",
        "년",
        "시",
        "동",
    }
)
"""Counters that name a thing by its place; in prose their numbers are no quantities."""

_SCALED: Final = re.compile(r"(?P<small>[십백천]*)(?P<large>[만억조경]?)(?P<rest>\S*)")


@dataclass(frozen=True, slots=True)
class UnitHit:
    """A unit found behind a number."""

    base: str
    factor: Fraction
    end: int


@lru_cache(maxsize=256)
def unit_scale(unit: str | None) -> tuple[str | None, Fraction]:
    """(base, factor) of a field's unit: 만원 → (원, 10000), km → (m, 1000); unknown units stand for themselves."""
    text = "".join(fold_width(unit or "").split())
    if not text:
        return None, Fraction(1)
    if text in _TABLE:
        return _TABLE[text]
    over, slash, under = text.partition("/")
    if slash and under in _TABLE:
        base, factor = unit_scale(over)
        return f"{base}/{_TABLE[under][0]}", factor / _TABLE[under][1]
    match = _SCALED.fullmatch(text)
    if match and (match["small"] or match["large"]) and (match["rest"] in _TABLE or not match["rest"]):
        scale = Fraction(LARGE.get(match["large"], 1))
        for char in match["small"]:
            scale *= SMALL[char]
        base, factor = _TABLE[match["rest"]] if match["rest"] else (None, Fraction(1))
        return base, scale * factor
    return text, Fraction(1)


def own_counter(base: str | None) -> str | None:
    """The base of a field's unit where the table lacks it, to be looked for by `unit_at` beside the known ones."""
    return None if base is None or "/" in base or base in _DIMENSIONS or base in _ALONE else base


def unit_at(text: str, position: int, own: str | None = None) -> UnitHit | None:
    """The unit at the position of folded text, one blank before it allowed; `own` is a unit that no table has.

    A word that only begins like a unit is none: 12대학 counts no 대.
    """
    start = position + (text[position : position + 1].isspace())
    if own and text.startswith(own, start) and is_tail(text, start + len(own)):
        return UnitHit(own, Fraction(1), start + len(own))
    match = _NAMES.match(text, start)
    if match is None:
        return None
    longest = match.group()
    for size in range(len(longest), 0, -1):
        name = longest[:size]
        if name in _TABLE and _ends(text, name, start + size) and not _is_particle(text, name, position):
            base, factor = _TABLE[name]
            return _compound(text, base, factor, start + size)
    return None


def _ends(text: str, name: str, end: int) -> bool:
    """Whether the word ends with the unit: signs always do, letters before anything but letters, Hangul before tails."""
    last, after = name[-1], text[end : end + 1]
    if "가" <= last <= "힣":
        return is_tail(text, end) or (last == "원" and after == "대")
    return not (last.isascii() and last.isalnum() and after.isascii() and after.isalnum())


def _is_particle(text: str, name: str, position: int) -> bool:
    """The 도 of 하나도 없다: degrees stand behind digits."""
    return name == "도" and not text[:position].rstrip()[-1:].isdecimal()


def _compound(text: str, base: str, factor: Fraction, end: int) -> UnitHit:
    """원/㎡, ㎍/㎥: a unit over a unit is one of its own."""
    if text[end : end + 1] == "/":
        match = _NAMES.match(text, end + 1)
        if match is not None and _ends(text, match.group(), match.end()):
            under, below = _TABLE[match.group()]
            return UnitHit(f"{base}/{under}", factor / below, match.end())
    return UnitHit(base, factor, end)
