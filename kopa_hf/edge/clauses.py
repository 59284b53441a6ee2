"""Parts of Korean questions: which data, under which conditions, which records, what of them.

Every part is a noun phrase or an attributive that can stand in any frame. A part
that can be said in several ways takes its way from the given random stream.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final

from kopa_hf.bench.korean import with_particle
from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.amounts import spoken_amount
from kopa_hf.edge.asking import Ask
from kopa_hf.edge.junctions import Narrowing
from kopa_hf.edge.labels import is_money, spoken_label, unit_of
from kopa_hf.edge.mentions import Mention, spoken_date, spoken_title
from kopa_hf.edge.things import ANY_ROW, counted

P = with_particle

_DATA_NOUNS: Final[tuple[str, ...]] = (
    "현황", "정보", "목록", "통계", "내역", "자료", "보고서", "회의록", "일정", "명단", "시세", "실적", "동향", "사항", "데이터",
    "공시", "집계", "리스트", "지수", "명부", "경력", "이력", "코드", "본문", "결과", "교통량", "계획", "안내", "요약", "연혁",
)  # fmt: skip
"""Endings of titles that say themselves that they are data."""
_PLAIN_TITLE: Final = re.compile(r"[가-힣]+(?: [가-힣]+){0,3}")
_LONGEST_PLAIN: Final = 18
_PLACES: Final = re.compile(r"(시군|시군구|시도|지역|자치구|시도교육청|교육지원청|행정구역)(명|명칭|이름)?")
_PLACE_NAME: Final = re.compile(r"[가-힣]{1,9}(시|군|구|도)")
_BASE_TIMES: Final = re.compile(r"(기준|조회|공시|통계|조사|집계)?\s?(연도|년도|년월|연월|일자|일|년|월)")
_PEOPLE: Final = re.compile(
    r"(의원|제안자|발의자|발언자|대표자|작성자|청원자|청원인|저자|위원장|의장|성명|대표|담당자|책임자|기술인|신청인|피고|원고"
    r"|계약상대자|보좌관|비서관)(명|이름|성명)?$"
)
_WHERE: Final = re.compile(
    r"(주소|소재지|장소|위치|회의장|개최지|목적지)(명)?$|^(지역|시군|시도|시군구|국가|선거구)명?$"
)
_COUNTED: Final = re.compile(r"(수|량|액|금액|인원|건수|횟수|대금|예산|비용|비|합계|보수|찬성|반대|기권)$")
_HIGH: Final = re.compile(r"(율|률|가격|가|점수|비율|농도|농도값|지수|값|단가|금리|이율|수익률|위도|순위)$")
_SIDES: Final = {"위도": "북남", "경도": "동서"}
_WIDE: Final = re.compile(r"면적$")
_LONG: Final = re.compile(r"(길이|거리|연장|기간|소요시간|시간)$")


def source(tool: Tool) -> str:
    """The data behind a tool as a noun phrase: its title, marked as a title where it would not read as one."""
    title = spoken_title(tool)
    plain = bool(_PLAIN_TITLE.fullmatch(title)) and len(title) <= _LONGEST_PLAIN and title.endswith(_DATA_NOUNS)
    marked = title if plain else f"'{title}'"
    return marked if title.endswith(_DATA_NOUNS) else f"{marked} 자료"


def conditions(mentions: Sequence[Mention], rng: random.Random | None = None, noun: str = "") -> str:
    """What is asked for, as attributives in front of a noun: 제22대 국회의, 사업연도가 2025년이고 의안명이 '가법'인.

    `noun`, where it is known: 가온시의 지역 would be no sentence.
    """
    begin = next((m for m in mentions if m.bound == "begin"), None)
    end = next((m for m in mentions if m.bound == "end"), None)
    ranged = begin is not None and end is not None
    heads = [f"{begin.text}부터 {end.text}까지의"] if begin is not None and end is not None else []
    single = [m for m in mentions if not ranged or m.bound is None]
    predicates = []
    for mention in single:
        head = _head(mention, rng)
        if _PLACES.fullmatch(mention.label) and _PLACES.fullmatch(noun):
            # 용인시 지역: "용인시의 지역" would be no sentence, and with more to say it is one condition among others
            head = mention.text if len(single) == 1 and not heads and _PLACE_NAME.fullmatch(mention.text) else None
        if head is not None:
            heads.append(head)
        else:
            predicates.append(mention)
    return " ".join([*heads, _predicates(predicates, rng)]).strip()


def is_base_time(label: str) -> bool:
    """True for the time that data are of, which needs no name: 기준연도, 조회일자."""
    return _BASE_TIMES.fullmatch(label) is not None


def _head(mention: Mention, rng: random.Random | None) -> str | None:
    """A condition that reads better in front: a term, a year, a place."""
    if mention.kind == "term" and re.fullmatch(r"(국회)?의?\s?(대|대수|대별)", mention.label):
        return f"{mention.text} 국회의"
    if mention.kind in ("year", "month", "date") and _BASE_TIMES.fullmatch(mention.label):
        return f"{mention.text} 기준" if "공시" not in mention.label else f"{mention.text} 공시 기준"
    if _PLACES.fullmatch(mention.label) and _PLACE_NAME.fullmatch(mention.text):
        return mention.text + (rng.choice(("의", "에 있는", " 지역의")) if rng is not None else "의")
    if mention.label == "검색어":
        return f"'{mention.text}'{P(mention.text, '으로/로')[len(mention.text) :]} 검색되는"
    return None


def _predicates(mentions: Sequence[Mention], rng: random.Random | None) -> str:
    said = []
    for index, mention in enumerate(mentions):
        last = index == len(mentions) - 1
        text = mention.text if mention.kind in ("date", "month", "year", "term") else f"'{mention.text}'"
        said.append(f"{P(mention.label, '이/가')} {text}{'인' if last else '이고'}")
    return " ".join(said)


def chosen(narrowing: Narrowing | None) -> str:
    """What sets the chosen records apart: 거래량이 가장 많은, 제안일이 2026년 1월 5일보다 늦은."""
    if narrowing is None or narrowing.as_value:
        return ""
    label = P(spoken_label(narrowing.column), "이/가")
    if narrowing.operation in ("max", "min"):
        return leading(narrowing.operation, narrowing.kind, spoken_label(narrowing.column))
    pivot = narrowing.pivot or ""
    operator = narrowing.arguments["where_op"]
    if operator == "eq":
        return f"{label} '{pivot}'인"
    if narrowing.kind == "date":
        return f"{label} {spoken_date(pivot) or pivot}보다 늦은"
    return f"{label} {spoken_amount(pivot, unit_of(narrowing.column))} {'이상' if operator == 'ge' else '이하'}인"


def leading(operation: str, kind: str, label: str) -> str:
    """What the record is that leads by a column: 거래량이 가장 많은, 가장 북쪽에 있는."""
    if label in _SIDES:
        return f"가장 {_SIDES[label][0 if operation == 'max' else 1]}쪽에 있는"
    return f"{P(label, '이/가')} {superlative(operation, kind, label)}"


def superlative(operation: str, kind: str, label: str = "") -> str:
    """가장 많은, 가장 높은, 가장 이른: the adjective that people use with such a label."""
    largest = operation == "max"
    if kind == "date":
        return "가장 늦은" if largest else "가장 이른"
    for pattern, pair in ((_COUNTED, "많은 적은"), (_WIDE, "넓은 좁은"), (_LONG, "긴 짧은"), (_HIGH, "높은 낮은")):
        if pattern.search(label):
            return f"가장 {pair.split()[0 if largest else 1]}"
    return "가장 큰" if largest else "가장 작은"


def asked(ask: Ask, noun: str = ANY_ROW) -> str:
    """What is asked for, as a noun phrase; `noun` is what one record is."""
    if ask.kind == "count":
        return "전체 건수" if noun == ANY_ROW else f"전체 {counted(noun)}"
    if ask.kind == "count_where":
        return f"{P(ask.by, '이/가')} '{ask.pivot}'인 {counted(noun)}"
    if ask.kind == "each_count":
        return f"{P(counted(noun), '을/를')} 모두 합한 값"
    if ask.kind in ("max", "min"):
        if ask.by == ask.label:
            return f"{superlative(ask.kind, ask.by_kind, ask.by)} {ask.label}"
        return f"{leading(ask.kind, ask.by_kind, ask.by)} {_cell(ask.label, noun)}"
    if ask.kind == "each_best":
        return f"{P(ask.by, '이/가')} {superlative('max', 'measure', ask.by)} {_cell(ask.label, noun)}"
    if ask.kind == "sum":
        return f"{ask.label} 합계"
    if ask.kind == "each_sum":
        return f"{P(ask.label, '을/를')} 모두 합한 값"
    if ask.kind == "most_frequent":
        return f"가장 자주 나오는 {ask.label}"
    return ask.label


def _cell(label: str, noun: str) -> str:
    """A column of a record: 보고서의 이름 instead of 보고서의 보고서명."""
    return f"{noun}의 {'이름' if label == f'{noun}명' else label}"


def said_of(said: str, what: str, noun: str = ANY_ROW) -> str:
    """A condition and what is asked for; where both are attributes, one goes on in the other: …이고 …인 자료 건수."""
    if said.endswith("인"):
        if what.startswith("가장"):
            said += f" {noun} 중"
        elif re.match(r"\S+( \S+){0,3}[이가] ('[^']*'인|가장 )", what):
            said = f"{said[:-1]}이고"
        else:
            said += f" {noun}의"
    return " ".join(f"{said} {what}".split())


def interrogative(ask: Ask) -> str:
    """The question word that fits what is asked for: 누구, 언제, 어디, 얼마, 몇 건, 무엇."""
    if ask.kind in ("count", "count_where", "each_count"):
        return f"몇 {ask.unit or '건'}"
    if ask.type in ("number", "amount"):
        by_counter = re.fullmatch(r"[가-힣%㎡]{1,3}", ask.unit) and not is_money(ask.unit)
        return f"몇 {ask.unit}" if by_counter and ask.type == "number" else "얼마"
    if ask.type == "date":
        return "언제"
    word = "누구" if _PEOPLE.search(ask.label) else "어디" if _WHERE.search(ask.label) else "무엇"
    return f"각각 {word}" if ask.kind == "each_set" else word
