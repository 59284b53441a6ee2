"""What a column or an input means, read from its name, label, type and format alone.

A meaning is a *kind* (a code, a name, a date, …) and a *concept* (what the code or
name is of). The vocabulary is ordinary Korean and English of public data; nothing
here knows which codes of which services really match.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from kopa_hf.catalog.tool import Field, Parameter

Kind = Literal[
    "code", "name", "title", "date", "month", "year", "time", "term", "ordinal", "category", "measure", "prose", "link"
]  # fmt: skip

GENERIC_KINDS: Final[frozenset[Kind]] = frozenset({"term", "ordinal", "year", "month", "category"})
"""Kinds whose values are shared by most records: passing one on links no two entities."""
UNBINDABLE: Final[frozenset[Kind]] = frozenset({"measure", "prose", "link"})

# Longest ending first; the ending is taken off to leave the concept.
_LABEL_ENDINGS: Final[tuple[tuple[str, Kind], ...]] = (
    ("전화번호", "prose"), ("이메일", "prose"), ("메일주소", "prose"), ("파일", "link"), ("링크주소", "link"),
    ("링크", "link"), ("url", "link"), ("경로", "link"), ("홈페이지", "link"),
    ("대별코드", "term"), ("대수코드", "term"), ("대수", "term"), ("대별", "term"),
    ("일련번호", "ordinal"), ("순번", "ordinal"), ("코드", "code"), ("아이디", "code"),
    ("id", "code"), ("번호", "code"),
    ("연월일", "date"), ("년월일", "date"), ("일자", "date"), ("날짜", "date"), ("일시", "date"), ("기일", "date"),
    ("연월", "month"), ("년월", "month"), ("연도", "year"), ("년도", "year"),
    ("시간", "time"), ("시각", "time"), ("회기", "ordinal"), ("차수", "ordinal"), ("회차", "ordinal"),
    ("명칭", "name"), ("이름", "name"), ("성명", "name"), ("제목", "title"),
    ("여부", "category"), ("유무", "category"), ("구분", "category"), ("종류", "category"), ("유형", "category"),
    ("상태", "category"), ("결과", "category"), ("단계", "category"), ("직위", "category"), ("성별", "category"),
    ("내용", "prose"), ("설명", "prose"), ("비고", "prose"), ("사유", "prose"), ("이유", "prose"), ("의견", "prose"),
    ("취지", "prose"), ("요지", "prose"), ("방법", "prose"), ("목적", "prose"), ("주소", "prose"),
    ("건수", "measure"), ("횟수", "measure"), ("인원수", "measure"), ("금액", "measure"), ("총액", "measure"),
    ("가격", "measure"), ("수량", "measure"), ("비율", "measure"),
    ("율", "measure"), ("률", "measure"), ("액", "measure"), ("수", "measure"),
    ("월", "month"), ("년", "year"), ("일", "date"), ("명", "name"), ("대", "term"),
)  # fmt: skip

_NAME_KINDS: Final[dict[str, Kind]] = {
    "code": "code", "id": "code", "no": "code", "name": "name", "date": "date", "ym": "month", "year": "year",
    "time": "time", "url": "link", "title": "title", "at": "category", "yn": "category", "amount": "measure",
    "count": "measure", "rate": "measure", "price": "measure",
}  # fmt: skip

_FORMAT_KINDS: Final[dict[str, Kind]] = {
    "YYYYMMDD": "date", "YYYY-MM-DD": "date", "YYYYMM": "month", "YYYY-MM": "month", "YYYY": "year",
    "HHMM": "time", "HH": "time", "MM": "month", "number": "measure",
}  # fmt: skip

_SAME_TOKEN: Final[dict[str, str]] = {
    alias: head
    for head, aliases in {
        "code": "cd", "name": "nm", "no": "num number", "date": "dt de dd dttm ymd dys day daytm",
        "year": "yr yy yyyy", "time": "tm hm", "url": "link uri", "title": "ttl sj subject", "amount": "amt totamt",
        "count": "cnt co qty", "rate": "rt ratio", "price": "prc pc", "at": "atn",
        "bill": "bil billinfo", "committee": "cmit cmt comm", "member": "mona naas asblm mem",
        "meeting": "conf meetting", "company": "corp cmpny cmpnm entrps",
        "stock": "isu stck srtn itms", "region": "sigun rgn sgg sigungu area",
        "department": "dept", "receipt": "rcept rcpt", "begin": "bgn start strt from fr", "end": "fin to ed",
        "propose": "ppsl", "proposer": "ppsr", "result": "rslt", "process": "proc", "base": "bas stnd",
        "party": "poly plpt", "petition": "ptt", "institution": "inst org",
    }.items()
    for alias in aliases.split()
}  # fmt: skip

_SAME_CONCEPT: Final[dict[str, str]] = {
    alias: head
    for head, aliases in {
        "의안": "법률안 의안(법률안)", "위원회": "소관위 소관위원회 소속위원회", "의원": "국회의원 의원한글",
        "회사": "법인 기업 업체 회사기업", "종목": "주식 종목(법인)", "지역": "시군 시군구 시도 지자체",
        "정당": "소속정당 정당/단체", "기준": "조회기준", "접수": "접수증",
    }.items()
    for alias in aliases.split()
}  # fmt: skip

_NEUTRAL_DATES: Final[frozenset[str]] = frozenset({"", "기준", "조회", "검색", "해당", "거래", "base", "시작", "begin"})
_VAGUE: Final[frozenset[str]] = frozenset({"", "한글", "일반", "기타", "세부", "상세", "게시물", "첨부"})
_ENDS_BUT_NO_DATE: Final[tuple[str, ...]] = ("파일", "메일", "요일", "휴일", "과일")
_BRACKETS: Final = re.compile(r"[(\[（]([^)\]）]*)[)\]）]")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|[\s_\-./]+")


@dataclass(frozen=True, slots=True)
class Meaning:
    """One column or input, understood."""

    kind: Kind
    concept: str
    """Korean concept with its kind's ending taken off: 의안, 위원회; may be empty."""
    label: str
    """The whole label, folded for comparison."""
    name: str
    """The whole name, folded: basDd and BAS_DD are equal."""
    tokens: frozenset[str]
    """The name's words without those that only tell the kind."""
    ending: str
    """The ending that told the kind: ids and numbers of one thing are different codes."""
    format: str | None

    @property
    def generic(self) -> bool:
        """True where a value of it links no two entities."""
        return self.kind in GENERIC_KINDS

    @property
    def vague(self) -> bool:
        """True where the label says nothing but the kind (제목, 번호, 이름)."""
        return self.concept in _VAGUE

    @property
    def neutral_date(self) -> bool:
        """True for a day that asks for any date, not for the date of one kind of event."""
        return self.kind == "date" and self.concept in _NEUTRAL_DATES

    @property
    def bound(self) -> Literal["begin", "end"] | None:
        """`begin` or `end` where it is one end of a range."""
        if "begin" in self.tokens or "시작" in self.label or "부터" in self.label:
            return "begin"
        if "end" in self.tokens or "종료" in self.label or "까지" in self.label:
            return "end"
        return None


def meaning_of(column: Field | Parameter) -> Meaning:
    """The meaning of a field or a parameter; computed once per distinct signature."""
    return _meaning(column.name, column.label, column.format)


@lru_cache(maxsize=200_000)
def _meaning(name: str, label: str, value_format: str | None) -> Meaning:
    words = [_SAME_TOKEN.get(word, word) for word in (w.lower() for w in _CAMEL.split(name)) if word]
    text = folded(label)
    told, concept, ending = _label_kind(text)
    kind: Kind = told or _named_kind(words)
    if value_format is not None:
        kind = _FORMAT_KINDS.get(value_format, kind)
    telling = next((word for word in reversed(words) if word in _NAME_KINDS), "")
    return Meaning(
        kind=kind,
        concept=_SAME_CONCEPT.get(concept, concept),
        label=text,
        name="".join(words),
        tokens=frozenset(word for word in words if word not in _NAME_KINDS),
        ending=telling or ending,
        format=value_format,
    )


def _named_kind(words: list[str]) -> Kind:
    """The kind that a name's last telling word gives; without one it is taken for a name."""
    for word in reversed(words):
        if word in _NAME_KINDS:
            return _NAME_KINDS[word]
    return "name"


def folded(label: str) -> str:
    """A label without blanks, marks and letter case: 의안 ID and 의안ID are equal."""
    text = unicodedata.normalize("NFC", label).lower()
    return re.sub(r"[\s_·ㆍ,:]+", "", text)


def _label_kind(text: str) -> tuple[Kind | None, str, str]:
    """(kind, concept, ending) of a folded label; kind None where no ending tells it."""
    main = _BRACKETS.sub("", text)
    kind, concept, ending = _ending(main)
    inner = _BRACKETS.search(text)
    if inner is not None and kind in (None, "name"):
        # 주요사항보고서(접수번호): the bracket says what the value is.
        inner_kind, inner_concept, inner_ending = _ending(inner[1])
        if inner_kind is not None and inner_kind != "name":
            return inner_kind, inner_concept, inner_ending
    return kind, concept, ending


def _ending(text: str) -> tuple[Kind | None, str, str]:
    for ending, kind in _LABEL_ENDINGS:
        if text.endswith(ending):
            if kind == "date" and ending == "일" and text.endswith(_ENDS_BUT_NO_DATE):
                continue
            if len(ending) == 1 and len(text) == 2 and kind in ("measure", "date"):
                continue  # 이율, 휴일, 개수: whole words, too short to be concept plus ending
            return kind, text[: -len(ending)], ending
    return None, text, ""
