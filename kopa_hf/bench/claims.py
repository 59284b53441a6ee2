"""Answers that state something rather than give a value: yes or no, and that there is no data."""

from __future__ import annotations

import re
from typing import Any, Final

from kopa_hf.bench.segments import candidate_texts, plain_latex
from kopa_hf.bench.verdicts import AMBIGUOUS, EQUAL, Context, Verdict, as_text, decide, first_holding
from kopa_hf.values import ValueFailure
from kopa_hf.values.boolean import read_boolean, scan_booleans
from kopa_hf.values.number import fold, scan

_THING: Final = (
    r"(?:데이터|자료|결과|내역|기록|정보|공시|건|행|사항|값|것|항목|의안|종목|목록|사례|이력"
    r"|결정|신고|표결|투표|발의|안건|법률|조문|판례|학교|회사|업체|기업|기관|시설|상품|채권|행사|축제|급식|식단|시험|일정|노선|구간|의원|번역|측정값|수치|사채|증권|주식)"
)
_GONE: Final = r"(?:없|존재하지\s*않|확인되지\s*않|조회되지\s*않|검색되지\s*않|나오지\s*않|발견되지\s*않)"
_NOTHING: Final = re.compile(
    rf"{_THING}(?:이|가|은|는|도|를|을)?\s*(?:(?:전혀|하나도|한\s*건도|아직|현재|따로|별도로|더는|더\s*이상)\s*)?(?P<gone>{_GONE})"
    r"|(?P<gone2>(?:조회|검색|확인|발견)되지\s*않)|(?P<gone3>찾을\s*수\s*없|찾지\s*못|해당\s*없|(?<![0-9,.])0\s?건|no\s+(?:such\s+|matching\s+)?(?:data|records?|results?))"
    r"|^\s*(?P<gone4>없)(?=음|습니다|다|었)|^\s*(?P<gone5>존재하지\s*않)"
    # 발행된 전환사채가 없다, 한 건도 없다; but what was found to be missing is no right or key to ask with
    r"|(?:발행|등록|접수|개최|제출|체결|보고|발의|공시|조회|검색|확인|신고)(?:된|한)\s+(?:[가-힣A-Za-z0-9]{1,12}\s+)?"
    r"(?![가-힣]*(?:권한|키|도구|문제|이상|차이|오류|에러|계정))[가-힣A-Za-z0-9]{1,12}?(?:이|가|은|는)\s*(?:전혀\s*|아직\s*)?(?P<gone6>"
    + _GONE
    + r")|(?<![가-힣])(?:단\s*)?한\s?(?:건|개|곳|명)도\s*(?P<gone7>없)",
    re.I,
)
# 없으나, 없지만, 없지 않다, 없는 것은 아니다: no statement that there is nothing
_TURNED: Final = re.compile(
    r"(?:없|않)?(?:(?:음|는\s*것)(?:이|은|는)?\s*아[니닙닌]|으나|지만|는데|다가|지\s*(?:는\s*)?않|(?:은|는)\s*(?:것은|것이|게|건)\s*아[니닙닌]|다고\s*(?:는\s*)?(?:할|볼|말할|단정할|보기)\s*(?:수(?:는)?\s*)?(?:없|어렵)|는\s*줄|으면|을\s*(?:경우|때|수)|는지)"
)
# 3표 (기타 자료 없음): that there is nothing else
_NOTHING_ELSE: Final = re.compile(
    r"(?<![가-힣])(?:기타|다른|그\s?외(?:의|에)?|그\s?밖(?:의|에)|이\s?외(?:의|에)?|나머지|추가(?:적인)?)\s*"
    r"(?:[가-힣]{1,10}(?<![도에는서])\s+)?$"
)
# 반대표는 3표입니다. 기권 자료는 없습니다: a value was given, unless what is missing is drawn from it or of another time
_GIVEN: Final = re.compile(r"[*_`]{0,4}(?:입니다|이다|임|이었습니다|였습니다)\s*(?:[.。!,;\n(]|$)")
_GIVEN_FIRST: Final = re.compile(r"[*_`]{0,4}\s?[.,;/(\n]")
_DRAWN: Final = re.compile(
    r"그\s?중|이\s?중|가운데|따라서|그러므로|그래서|하지만|그러나|해당|요청|조건|질문|문의|찾으시|[0-9]\s?[년월일]"
)
_NOT_AVAILABLE: Final = re.compile(r"\W*N/?A\W*", re.I)
_COUNTED: Final = frozenset({"건", "표", "원", "명", "%", "개", "개사", "곳", "배", "달러", "℃", "%p"})
# a bare number is offered as the value where the text says so
_OFFERED: Final = re.compile(
    r"추정|추측|예상|짐작|어림|대략|하지만|그러나|그래도|정답|최종|(?<![가-힣])(?:답|약)(?![가-힣])"
)

# an answer that could not be had is no answer that there is none
_TROUBLE: Final = re.compile(
    r"(?:오류|에러|장애|한도\s*초과|시간\s*초과)(?:로|으로|가|이|\s)?\s*(?:인해|인하여|때문|발생|나서|조회|검색|결과|자료|데이터)"
    r"|(?:조회|검색|호출|요청)(?:에|이|가)?\s*실패|(?:조회|검색|호출|요청)(?:을|를)?\s?하지\s?(?:않아|못해|못하여|않았|못했)[^.]{0,30}없"
)


def compare_boolean(gold: Any, given: Any, context: Context) -> Verdict:
    """Kind `boolean`."""
    try:
        wanted = gold if isinstance(gold, bool) else read_boolean(as_text(gold))
    except ValueFailure:
        return Verdict(False, "unreadable: the gold value is neither 예 nor 아니오")
    return decide(wanted, first_holding(given, _truths), "neither 예 nor 아니오 in the answer")


def _truths(segment: str) -> list[bool]:
    plain = plain_latex(segment)
    try:
        return [read_boolean(plain)]
    except ValueFailure:
        return sorted(scan_booleans(plain))


def compare_no_data(gold: Any, given: Any, context: Context) -> Verdict:
    """Kind `no_data`: the last statement about the data must be that there is none. `gold` does not matter."""
    segments = list(candidate_texts(as_text(given)))
    if not segments:
        return Verdict(False, "empty")
    for index, segment in enumerate(segments):
        plain = fold(plain_latex(segment))
        if _says_nothing(plain):
            before = fold(plain_latex(segments[index + 1])) if index + 1 < len(segments) else ""
            return AMBIGUOUS if _gave_value(before, plain) else EQUAL
        if _offers_value(plain, 0):
            break  # what is said last gives a value
    return Verdict(False, "no_value: the answer does not say that there is no data")


def _says_nothing(text: str) -> bool:
    if _NOT_AVAILABLE.fullmatch(text):
        return True
    ends = _absences(text)
    return bool(ends) and not _TROUBLE.search(text) and not _offers_value(text, ends[-1])


def _absences(text: str) -> list[int]:
    """Where the statements end that there is nothing."""
    return [
        match.end()
        for match in _NOTHING.finditer(text)
        if not _TURNED.match(text, match.end())
        and not _NOTHING_ELSE.search(text[max(0, match.start() - 24) : match.start()])
    ]


def _gave_value(before: str, text: str) -> bool:
    """Whether the sentence before, or the text itself before its last absence, has given a value."""
    ends = _absences(text)
    if not ends or _DRAWN.search(text):
        return False
    return any(
        _GIVEN.match(part, found.end)
        or (not part[: found.start].strip(" *_`(\"'") and _GIVEN_FIRST.match(part, found.end))
        for part in (before, text[: ends[-1]])
        for found in scan(part)
        if found.value and found.unit in _COUNTED
    )


def _offers_value(text: str, start: int) -> bool:
    """Whether a value stands behind the position: 자료 없음. 하지만 추정하면 5입니다."""
    rest = text[start:]
    bare = (
        _OFFERED.search(rest) is not None or re.fullmatch(r"\W*[0-9][0-9,.]*\W*(?:입니다|이다)?\W*", rest) is not None
    )
    return any(
        quantity.value and (quantity.unit in _COUNTED or (bare and quantity.unit is None)) for quantity in scan(rest)
    )
