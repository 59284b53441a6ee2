"""What a column holds, from its signature and the cells that were seen, and how people call it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from kopa_hf.catalog.tool import Field, Parameter
from kopa_hf.edge.arguments import value_text
from kopa_hf.edge.meaning import Kind, meaning_of
from kopa_hf.execution.cells import read_date, read_number

_FIRM: Final[frozenset[Kind]] = frozenset(
    {"code", "category", "term", "ordinal", "year", "month", "time", "link", "prose"}
)
_READABLE: Final = 0.9
SAMPLE: Final = 80
"""Records that are enough to see what a column holds."""
_BRACKETS: Final = re.compile(r"[(\[（][^)\]）]*[)\]）]")
_ADDITIVE: Final[tuple[str, ...]] = (
    "수", "량", "액", "건", "명", "찬성", "반대", "기권", "대금", "인원", "합계", "총계", "보수",
)  # fmt: skip
"""Endings of measures that may be added up; prices, rates and indices may not."""
_SAYS_NOTHING: Final = re.compile(
    r"(지표|통계|필드|열|항목)?\s?(값|명|평균)\s?\d*|(결과 )?(순번|번호)|표 제목|(금|전|당|전전)(분기|기|월|년)(금액)?|단위|비고|내용|구분|다운로드|게시물 ?번호|제목\d+|.*[가-힣]\d{1,2}"
)
"""Labels that tell nobody what the column holds: 지표값4, 열명, 순번."""
_MONEY: Final[frozenset[str]] = frozenset({"원", "천원", "만원", "백만원", "억원", "조원", "달러", "USD"})


def observed_kind(records: Sequence[dict[str, Any]], column: Field) -> Kind:
    """The column's kind; where the label leaves it open, the cells decide between a measure, a date and a name."""
    kind = meaning_of(column).kind
    if kind in _FIRM:
        return kind
    cells = [text for record in records[:SAMPLE] if (text := value_text(record.get(column.name))) is not None]
    if not cells:
        return kind
    if _share(cells, lambda text: read_date(text) is not None) >= _READABLE:
        return "date"
    if _share(cells, _is_amount) >= _READABLE:
        return "measure"
    return "name" if kind in ("measure", "date") else kind


def _is_amount(text: str) -> bool:
    """A number that is no code: codes keep leading zeros."""
    return read_number(text) is not None and not (len(text) > 1 and text[0] == "0" and text.isdigit())


def _share(cells: Sequence[str], holds: Any) -> float:
    return sum(map(bool, map(holds, cells))) / len(cells)


def is_additive(column: Field) -> bool:
    """True where a sum over records means something."""
    return spoken_label(column).endswith(_ADDITIVE)


def is_money(unit: str | None) -> bool:
    """True for units of the kind `amount`."""
    return unit in _MONEY


def spoken_label(column: Field | Parameter) -> str:
    """The label as a person would say it: without brackets, marks and the word for a code of the API."""
    label = _BRACKETS.sub("", column.label).replace("_", " ").replace("·", "·").strip()
    inner = _BRACKETS.search(column.label)
    if inner is not None and label and meaning_of(column).kind != "code" and _is_general(label):
        label = f"{label}의 {inner[0][1:-1].strip()}"
    return " ".join(label.removeprefix("WGS84").split())


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
    """True where a question can name the column in Korean."""
    label = spoken_label(column)
    if _SAYS_NOTHING.fullmatch(label) or re.search(r"(코드|ID|id|URL|링크|아이디|좌표|우편번호)", label):
        return False
    return bool(re.search(r"[가-힣]{2}", label)) and len(label) <= 30


def plain_value(text: str) -> bool:
    """True for a cell that can stand in a question or an answer: short, one line, no mark-up."""
    return 0 < len(text) <= 40 and not re.search(r"[\n\r<>{}|\\\"']|https?:|&\w+;", text)
