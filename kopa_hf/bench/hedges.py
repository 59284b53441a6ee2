"""Numbers that a text only bounds, guesses, doubts or multiplies, and totals that it names beside their parts.

Read around one quantity of folded prose: what stands directly before it and directly behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from kopa_hf.values.denial import is_doubted
from kopa_hf.values.english import is_hedged_in_english

__all__ = [
    "is_approximate",
    "is_bound",
    "is_hedged",
    "is_lower",
    "is_none_of",
    "is_total",
    "only_total",
    "total_of_parts",
]

_REACH: Final = 16
_SIGNS: Final = r"\s*(?:총\s*)?[-+₩$(*`\"'“‘]*$"
_MARKUP: Final = re.compile(r"[*`\"'”’]{0,4}")
# 최소 5건, but not 최소 금액은 5원: only directly before the number
_BOUND_BEFORE: Final = re.compile(
    rf"(?<![가-힣])(?:아마도?|최소|최대|최소한|최대한|적어도|많아야|많아도|적게는|많게는|기껏해야|못해도|줄잡아)(?:\s*약)?{_SIGNS}"
)
_BOUND_BEHIND: Final = re.compile(
    r"\s?(?:을|를|이|가|은|는|도|에|에도|에는)?\s?"
    r"(?:넘(?!어가|버)|안\s?(?:되|돼|됩|된|됐)|되지\s?(?:않|못)|채\s?(?:안|못|되지)|못\s?(?:되|됩|미치|미칩|미친)|미치지)"
    # without 을 or 보다 these tell a difference: 5건 많습니다, 5%p 웃돌았습니다
    r"|\s?(?:을|를)\s?(?:웃돌|웃돕|밑돌|밑돕|상회|하회)|보다\s?(?:더\s?)?(?:많|적|크|큽|작|높|낮)"
    r"|\s?(?:혹은|또는|이나|이거나)\s?(?:그|이)?\s?(?:이상|이하|미만|초과)|\s?\+(?!\s?[0-9])"
)
_GUESS_BEFORE: Final = re.compile(rf"(?<![가-힣])(?:약|대략|대략적으로|대충|거의|얼추|어림잡아){_SIGNS}")
_GUESS_BEHIND: Final = re.compile(
    r"\s?(?:정도|안팎|내외(?!빈|국)|쯤|가량|가까이|가까운|전후|언저리)"
    r"|(?:으로|로|이라고|라고)?\s?\(?(?:추정|추산|추측|짐작)"
    r"|(?:일|인)?\s?(?:것으로|으로|로)\s?(?:추정|추산|보이|보입|보인)"
)
_DOUBT_BEHIND: Final = re.compile(
    r"\s*[?？]|\s?(?:입니까|인가요|일까|인지|인\s?듯|인\s?것\s?같|일\s?(?:것|수도|지도|듯)|이?라고\s?(?:할|볼|단정)[가-힣\s]{0,6}없)"
)
# 71명의 두 배입니다: of what is meant this number is only the measure
_MULTIPLE: Final = re.compile(
    r"\s?의\s?(?:약\s?)?(?:"
    r"(?:[0-9][0-9.,]{0,8}|[한두세네]|다섯|여섯|일곱|여덟|아홉|열|몇|수)\s?(?:배(?![우심치분당달구경송상])|곱절|갑절)"
    r"|절반|갑절|곱절|[배반](?=입니다|이다|임|에|\s*[.)}]|\s*$)"
    r"|(?:[0-9]{1,4}|[이삼사오육칠팔구십]{1,3})\s?분의|[0-9][0-9.]{0,6}\s?(?:%|퍼센트|/))"
)
# 35명씩 두 반, 35명 × 12: what is meant is a product; two and a half is more than two
_PRODUCT: Final = re.compile(
    r"\s?씩\s(?:모두\s)?(?:[0-9]|(?:[한두세네]|다섯|여섯|일곱|여덟|아홉|열)\s)|\s?[×✕]\s?[0-9]|[ ]\*[ ][0-9]"
)
_HALF_MORE: Final = re.compile(r"\s?반(?=입니다|이다|임|이나|이?\s|만에|[.,)}]|$)")
_HALVED: Final = ("배", "시간", "년", "달", "개월")
# an unknown counter takes in what follows it: 71의원인지
_WHETHER: Final = re.compile(r"(?:인지|일지|일까)[는도]?$")
# 한 건도 없다; 한 건도 접수되지 않았다
_NOT_EVEN: Final = re.compile(r"\s?(?:조차|도)\s?(?:[가-힣]{1,10}\s?){0,3}?(?:없|않|못)")
_NOT_EVEN_ONE: Final = re.compile(r"\s?(?:조차|도)\s?(?:전혀\s?|아직\s?)?없(?:다\b|습니다|었|음|어요|었다|네요)")
_TOTAL: Final = re.compile(
    r"(?:(?<![가-힣])(?:총|모두|전부|도합|합계|총계|합)|합쳐|합치면|합하면|합하여|합해|합산하면|더하면|더해|총합|총\s?합계)"
    r"(?:서|은|는)?\s*[:：]?\s*(?:(?:총|모두|합계)\s*)?[₩$*`]*$"
)


# 3도 낮았습니다: how much lower, not how much higher
_LOWER: Final = re.compile(
    r"\s?(?:만큼|가|이|의\s?차이로|\s?차이로)?\s?(?:더\s?)?"
    r"(?:낮|적(?=[은었습게다음])|짧|작(?=[은았습게다음])|하락|감소|떨어|밑돌|밑돕|하회|줄[었어]|lower|less|fewer|shorter)",
    re.I,
)


def is_bound(text: str, start: int, end: int) -> bool:
    """최소 5건, 5건 넘게, 5건 혹은 그 이상: the number at [start, end) is an edge, not the value."""
    return _behind(_BOUND_BEHIND, text, end) or _before(_BOUND_BEFORE, text, start)


def is_approximate(text: str, start: int, end: int) -> bool:
    """약 5건, 5건 안팎, 5건으로 추정됩니다."""
    return _behind(_GUESS_BEHIND, text, end) or _before(_GUESS_BEFORE, text, start)


def is_hedged(text: str, start: int, end: int, *, exact: bool) -> bool:
    """Whether the text does not state the number as the value; approximations count where `exact`."""
    if is_bound(text, start, end) or is_doubted(text, end) or _WHETHER.search(text[start:end][-8:]):
        return True
    if any(_behind(pattern, text, end) for pattern in (_DOUBT_BEHIND, _NOT_EVEN, _MULTIPLE, _PRODUCT)):
        return True
    if text[start:end].endswith(_HALVED) and _behind(_HALF_MORE, text, end):
        return True
    if is_hedged_in_english(text, start, end):
        return True
    return exact and is_approximate(text, start, end)


def is_none_of(text: str, end: int) -> bool:
    """한 건도 없습니다: behind a one this says none."""
    return _behind(_NOT_EVEN_ONE, text, end)


def is_total(text: str, start: int) -> bool:
    """총 5건, 합쳐 5건, 합계: 5건."""
    return _before(_TOTAL, text, start)


def is_lower(text: str, end: int) -> bool:
    """3도 낮았습니다: what stands behind the number says that it is taken off."""
    return _behind(_LOWER, text, end)


def total_of_parts(text: str, values: Sequence[Fraction], spans: Sequence[tuple[int, int]]) -> Fraction | None:
    """The first value where one bracket directly behind it holds all others and they add up to it: 12건(가온 5건, 나래 7건)."""
    if len(values) < 3:
        return None
    found = sorted(zip(spans, values, strict=True))
    ((_, end), total), parts = found[0], found[1:]
    bracket = re.compile(r"[*_`]{0,3}\s?\([^()\n]{1,300}\)").match(text, end)
    if bracket is None or parts[-1][0][1] >= bracket.end() or any(value < 0 for _, value in parts):
        return None
    return total if sum(value for _, value in parts) == total else None


def only_total(values: Sequence[tuple[Fraction, bool]]) -> Fraction | None:
    """The one marked total of (value, marked) whose unmarked parts add up to it; None where there is none.

    Who lists values has no total: parts that do not add up, or two totals, stay several values.
    """
    totals = {value for value, marked in values if marked}
    parts = [value for value, marked in values if not marked and value not in totals]
    if len(totals) != 1 or len(parts) < 2 or any(part < 0 for part in parts):
        return None
    total = totals.pop()
    return total if sum(parts) == total else None


def _before(pattern: re.Pattern[str], text: str, start: int) -> bool:
    return pattern.search(text[max(0, start - _REACH) : start]) is not None


def _behind(pattern: re.Pattern[str], text: str, end: int) -> bool:
    markup = _MARKUP.match(text, end)
    return pattern.match(text, markup.end() if markup else end) is not None
