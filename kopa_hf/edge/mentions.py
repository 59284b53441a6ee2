"""Arguments as a question says them: labels and everyday words instead of names and codes of the API."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.edge.labels import is_marked, is_word, plain_value, spoken_label
from kopa_hf.edge.meaning import Kind, meaning_of
from kopa_hf.execution.cells import read_date

_TERM: Final = re.compile(r"제?(\d{1,2})대?")
_MONTH: Final = re.compile(r"(\d{4})-?(\d{2})")
_WORD: Final = re.compile(r"[가-힣A-Za-z]")
_QUERYING: Final = re.compile(
    r"\s*(조회|검색|API|서비스)$|(?<=(?:현황|정보|목록|내역|통계|코드|자료))\s?조회$|(?<=[가-힣]) 조회(?= )"
)
_SHORTEST_TITLE: Final = 4
_OF_THE_CALL: Final = re.compile(
    r"정렬|페이[지징]|색인|검색 ?(범위|방법|조건|구분)|응답|출력|요청|포함 ?여부|형식|순서"
)
"""Inputs that shape an answer of the API and mean nothing to who asks."""

PLATFORM_NAMES: Final[dict[str, str]] = {
    "dart": "전자공시시스템",
    "krx": "한국거래소",
    "kdic": "예금보험공사",
    "expressway": "한국도로공사",
    "seoul": "서울 열린데이터광장",
    "gyeonggi": "경기데이터드림",
    "assembly": "열린국회정보",
    "law": "국가법령정보센터",
    "education": "교육데이터 플랫폼",
    "hrdk": "한국산업인력공단",
}
_SERVICES: Final[dict[tuple[str, str], str]] = {
    ("education", "neis"): "나이스 교육정보 포털",
    ("education", "schoolinfo"): "학교알리미",
    ("education", "data_go_kr"): "대학알리미",
}
"""Platform and wire → the name under which people know a service of several behind one platform."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One literal argument in a question."""

    parameter: str
    value: str
    """As the call has it."""
    label: str
    text: str
    """As the question says it."""
    kind: Kind
    bound: Literal["begin", "end"] | None = None


def mention_of(parameter: Parameter, value: str) -> Mention | None:
    """How a question says the argument; None where only the API's own code would do."""
    meaning = meaning_of(parameter)
    text = _enum_text(parameter, value) if parameter.enum else spoken_value(value, meaning.kind)
    label = re.sub(r"\s*(코드|ID)$", "", spoken_label(parameter))
    if text is None or not re.search(r"[가-힣]", label) or _OF_THE_CALL.search(label) or is_marked(label):
        return None
    if meaning.kind in ("name", "title", "category") and not is_word(text, label):
        return None
    return Mention(parameter.name, value, label, text, meaning.kind, meaning.bound)


def mentions_of(tool: Tool, arguments: dict[str, str], names: Sequence[str]) -> list[Mention] | None:
    """Mentions of the named arguments; None where one cannot be said."""
    found = []
    for name in names:
        parameter = tool.parameter(name)
        mention = mention_of(parameter, arguments[name]) if parameter is not None else None
        if mention is None:
            return None
        found.append(mention)
    return found


def _enum_text(parameter: Parameter, value: str) -> str | None:
    labels = dict(zip(parameter.enum, parameter.enum_labels, strict=False))
    text = labels.get(value) or (value if re.search(r"[가-힣]", value) else None)
    return text if text and plain_value(text) else None


def spoken_value(value: str, kind: Kind) -> str | None:
    """A value in everyday words; None for codes and for what needs a legend."""
    if kind == "date":
        return spoken_date(value)
    if kind == "month":
        found = _MONTH.fullmatch(value)
        return f"{found[1]}년 {int(found[2])}월" if found else None
    if kind == "year":
        return f"{value}년" if re.fullmatch(r"(19|20)\d\d", value) else None
    if kind == "term":
        found = _TERM.fullmatch(value)
        return f"제{found[1]}대" if found else None
    if kind in ("name", "title", "category") and plain_value(value) and _WORD.search(value):
        return value
    return None


def spoken_date(value: str) -> str | None:
    """2026년 1월 5일 for any spelling of that day."""
    read = read_date(value)
    if read is None:
        return None
    year, month, day = read[:10].split("-")
    return f"{year}년 {int(month)}월 {int(day)}일"


def spoken_platform(tool: Tool) -> str:
    """Where a question says that an operation is found."""
    known = PLATFORM_NAMES.get(tool.platform, tool.platform)
    return _SERVICES.get((tool.platform, tool.wire), known)


def spoken_title(tool: Tool) -> str:
    """The provider's name of the operation, without marks that would break a sentence and words for querying it."""
    words = " ".join(re.sub(r"[\"'<>{}|\\_]", " ", tool.title).split())
    shorter = _QUERYING.sub("", words)
    return shorter if len(shorter) >= _SHORTEST_TITLE else words
