"""Columns as people speak of them: which label can be said at all, in which words, and in which unit.

Labels of registers are made for forms. Some say nothing (지표값4), some are of use to the
register only (최종변경자, 데이터기준일시), some hold marks instead of words (…여부: Y), and
many carry a word for the machine (제개정구분명, 법령명한글). What is read here is the
signature alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from kopa_hf.catalog.tool import Field, Parameter
from kopa_hf.edge.meaning import meaning_of

_LABELS: Final = 1 << 16
"""Labels whose words are remembered: all of the catalog's, of which a run asks again for every question."""
_BRACKETS: Final = re.compile(r"[(\[（][^)\]）]*[)\]）]")
_SAYS_NOTHING: Final = re.compile(
    r"(지표|통계|필드|열|항목)?\s?(값|명|평균)\s?\d*|(결과 )?(순번|번호)|표 제목|(금|전|당|전전)(분기|기|월|년)(금액)?|단위|비고|내용|구분|다운로드|게시물 ?번호|제목\d+|.*[가-힣]\d{1,2}"
)
"""Labels that tell nobody what the column holds: 지표값4, 열명, 순번."""
_CODED: Final = re.compile(r"코드|ID|id|URL|링크|아이디|좌표|우편번호|식별자|일련번호|문자열|레벨")
_OF_THE_REGISTER: Final = re.compile(
    r"데이터\s?기준|최초\s?등록|최종\s?(변경|수정|등록)|수정(일|일자|일시|자)$|변경자$|등록자$|갱신|생성(일자|일시|구분)"
    r"|파일|첨부|이미지|팝업|경로|버전$|제외(여부|사유)|한자$|명\S+명$|편장절관"
)
"""What concerns the keeping of the data, not the things in it."""
_MARKED: Final = re.compile(r"여부|유무|Y/?N")
"""Columns of marks (Y, N, 1, X): no answer to a question for something."""
_TWO_WAYS: Final = re.compile(r"순위$")
"""The highest rank is the smallest number: nobody can tell which end is meant."""
_ON_THE_MAP: Final = re.compile(r"[위경]도$")
"""Degrees of a map: nobody asks for the largest longitude."""
_MONEY_LABEL: Final = re.compile(r"(금액|총액|예산|예산액|대금|가격|요금|상금|[^세]액)(\s?(합계|총계|계))?$")
_IN_WON: Final = re.compile(
    r"(예산총액|예산현액|예산액|예산금액|계약금액|상금액|지급액|집행액|지출금액|순계금액|수납\S*금액|가격|요금)$"
)
"""Amounts that are kept in won where the signature says nothing else."""
_UNIT_IN_LABEL: Final = re.compile(r"[(\[（_ ](천원|만원|백만원|억원|원|명|건|개|대|%|㎡|km|톤)\s*[)\]）]?$")
_COUNTERS: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), unit)
    for pattern, unit in (
        (r"건수$", "건"),
        (r"(조회수|횟수)$", "회"),
        (r"(투표수|득표수|표\s?수)$", "표"),
        (r"주차대수$", "대"),
        (r"면수$", "면"),
        (r"(인원|정원)$", "명"),
        (
            r"(인원|정원|자|명|종업원|의료인|학생|의원|위원|교원|교사|교직원|직원|회원|강사|주민|인구|사람)\s?수(\s?합계)?$",
            "명",
        ),
        (r"(병상|시설|업소|기관|학교|단체|과정|종목|과목|점포|제조소|취급소|학급|기업|업체|사업)\s?수$", "개"),
    )
)
"""Endings of labels that say what is counted, and the counter that people use."""
_MONEY: Final[dict[str, int]] = {
    "원": 1,
    "천원": 1_000,
    "만원": 10_000,
    "백만원": 1_000_000,
    "억원": 100_000_000,
    "조원": 1_000_000_000_000,
}

Rewriting = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
_SPOKEN: Final[tuple[Rewriting, ...]] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"^WGS84", ""),
        (r"(?<=[가-힣]{3})정보$", ""),
        (r"^(.+명)\s?한글$", r"\1"),
        (r"^한글\s?(.+명)$", r"\1"),
        (r"^(.+)한글명$", r"\1명"),
        (r"^(학교)전체명$", r"\1명"),
        (r"(?<=[가-힣])(구분|상태|유형|종류|형태|등급|방식|분야|업종|업태|계열|결과|단계|분류|특성)명$", r" \1"),
        (r"^(구분|상태|유형|종류|형태|등급|방식|분야|업종|업태|계열|결과|단계|분류)명$", r"\1"),
        (r"^기준년도 (?=\d)", ""),
        (r"^기준년도 (?=\S)", "해당 연도 "),
        (r"(?<=\d)년\s?(전|이전)(?=[ 가-힣])", r"년 \1"),
        (r"(?<![전금\d])년도", "연도"),
        (r"(?<!\d)년월", "연월"),
        (r"^(찬성|반대|기권)$", r"\1표 수"),
        (r"명칭$", "명"),
    )
)
"""From the words of a form to those of a sentence; the first ones first."""


def spoken_label(column: Field | Parameter) -> str:
    """The label as a person would say it: without brackets, marks and words for the machine."""
    head = _general_head(column.label)
    whole = head is not None and meaning_of(column).kind != "code"
    return _in_words(head if head is not None and whole else _plain(column.label))


@lru_cache(maxsize=_LABELS)
def _plain(label: str) -> str:
    return _BRACKETS.sub("", label).replace("_", " ").strip()


@lru_cache(maxsize=_LABELS)
def _general_head(label: str) -> str | None:
    """A group's head with what its bracket says, before it is put into words; None for any other label."""
    plain, inner = _plain(label), _BRACKETS.search(label)
    return f"{plain}의 {inner[0][1:-1].strip()}" if inner is not None and plain and _is_general(plain) else None


@lru_cache(maxsize=_LABELS)
def _in_words(label: str) -> str:
    for pattern, words in _SPOKEN:
        label = pattern.sub(words, label)
    return " ".join(label.split())


def _is_general(label: str) -> bool:
    """Group heads of forms: 사채의 종류(회차), 모집(매출·총액) say the thing itself in the bracket."""
    return label in (
        "사채의 종류",
        "사채의 권면",
        "모집",
        "거래상대방",
        "자금조달의 목적",
        "주식매수청구권",
        "외부평가",
    )


def is_speakable(column: Field) -> bool:
    """True where a question can name the column in Korean and its cells are something that people ask for."""
    label = spoken_label(column)
    if _SAYS_NOTHING.fullmatch(label):
        return False
    if any(p.search(label) for p in (_CODED, _OF_THE_REGISTER, _MARKED, _TWO_WAYS, _ON_THE_MAP)):
        return False
    if _MONEY_LABEL.search(label) and not unit_of(column):
        return False  # an amount in nobody knows what
    return bool(re.search(r"[가-힣]{2}", label)) and len(label) <= 30


def is_rankable(column: Field) -> bool:
    """True where things can be put in order by the column: by what can be said, and from north to south."""
    return is_speakable(column) or on_the_map(column)


def on_the_map(column: Field) -> bool:
    """True for latitudes and longitudes: by them things lie north or east of others, as figures nobody asks for them."""
    return spoken_label(column) in ("위도", "경도")


def is_marked(label: str) -> bool:
    """True for labels of columns and inputs that hold marks: …여부, …유무."""
    return _MARKED.search(label) is not None


def unit_of(column: Field) -> str:
    """The unit of a measure: the signature's, else the one that its label gives or implies; empty where none does."""
    if column.unit:
        return column.unit
    told = _UNIT_IN_LABEL.search(column.label)
    if told is not None:
        return told[1]
    label = spoken_label(column)
    if _IN_WON.search(label):
        return "원"
    return next((unit for pattern, unit in _COUNTERS if pattern.search(label)), "")


def is_money(unit: str | None) -> bool:
    """True for units of the kind `amount`."""
    return unit in _MONEY or unit in ("달러", "USD")


def factor_of(unit: str) -> int:
    """How many won a unit of money is; 1 for every other unit."""
    return _MONEY.get(unit, 1)


def plain_value(text: str) -> bool:
    """True for a cell that can stand in a question or an answer: short, one line, no mark-up."""
    return 0 < len(text) <= 40 and not re.search(r"[\n\r<>{}|\\\"'_]|https?:|&\w+;", text)


def is_word(text: str, label: str = "") -> bool:
    """True for a value that is a name or a word: no mark (Y, X, 1), no bare number, day or time, no copy of the label."""
    worded = bool(re.search(r"[가-힣]|[A-Za-z]{2}", text)) and plain_value(text)
    return worded and not (label and text.endswith(f" {label}"))
