"""What records and codes are of, as nouns: 의안, 위원회, 보고서; and how such things are counted."""

from __future__ import annotations

import re
from typing import Final

from kopa_hf.catalog.tool import Field, Tool
from kopa_hf.edge.labels import spoken_label
from kopa_hf.edge.meaning import meaning_of
from kopa_hf.edge.mentions import spoken_title

ANY_ROW: Final = "자료"
"""What a record is called where its title does not tell."""
_ROW_TAIL: Final = re.compile(
    r"\s*(상세\s?정보|상세\s?내역|기본\s?정보|인허가\s?정보|인허가\s?현황|현황|정보|목록|리스트|명단)$"
)
_ASIDE: Final = re.compile(r"\s*[(\[（][^)\]）]*[)\]）]")
_THING: Final = re.compile(
    r"(업|점|음식점|까페|카페|소|원|관|장|터|센터|학교|병원|약국|시설|법령|법령해석|법률안|의안|공고|위원|의원|회의|세미나"
    r"|보고서|단체|기관|업체|회사|기업|쉼터|매물|과정|종목|자격|메뉴|음식|강의실|보도자료|학원|참가자|지원자|노선|차량|저서|도서"
    r"|행정규칙|자치법규|규정|계약|판례|재결례|심판례|법령해석례|예산안|레스토랑)$"
)
_NO_THING: Final = re.compile(
    r"(대상|사용|관련|기준|비교|소관|운영|인원|지원|예정|시장|구인|발생|이용|증설|변경|교원|직원|임원|청원|충원|입장|주소|데이터"
    r"|사업|산업|취업|창업|졸업)$"
)
"""Words that end like things and are none."""
_TABLE: Final = re.compile(r"통계|[가-힣]별( |$)")
"""A row of a table is no bill, although the table is about bills."""
_BILLS: Final = re.compile(r"(의안|법률안|예산안)$")
_TOLD_BY_COLUMN: Final[tuple[tuple[str, str], ...]] = (
    ("보고서명", "보고서"),
    ("사업장명", "사업장"),
    ("공고명", "공고"),
)
"""Columns that say what a record is where the title does not."""
_PLACES: Final = re.compile(
    r"(점|까페|카페|소|원|관|장|터|센터|학교|병원|약국|시설|쉼터|업체|기업|회사|기관|레스토랑|강의실)$"
)
_PEOPLE: Final = re.compile(r"(국회의원|대표의원|소개의원|위원|회원|참가자|지원자|기술인)$")
_PIECES: Final = re.compile(r"(과정|종목|자격|노선|메뉴|단체)$")
_TRADE: Final = re.compile(r"(?<!기)업$")
_NORMS: Final[tuple[str, ...]] = ("행정규칙", "자치법규", "법령")

_OFFICIAL: Final = re.compile(r"^(표준|정보공시)(?=[가-힣]{2})|(?<=[가-힣]{2})관리$")
"""What registers put around a thing's name: 표준학교, 매물관리."""
_OF_A_NUMBER: Final = frozenset({"공포", "발령", "접수", "등록", "신청", "문서", "고유", "발행", "게시"})
"""Acts after which numbers are called: the thing is what the record is."""
_PERSON: Final = frozenset({"성명", "이름", "사람"})
_PEOPLE_NOUN: Final = re.compile(r"(인물|의원|기술인|위원)$")
_NO_ENTITY: Final = re.compile(
    r"(구분|종류|유형|상태|여부|제목|항목|번호|코드|내용|순번|날짜|일자|일시|지표|값|수|액|율|률|기타|비고)$"
)
"""What no question can look for as a thing."""
_HOLDERS: Final = re.compile(
    r"(부서|위원회|소관부처|지역|발행처|기관|지사|회사|학교|정당|인물|의원|영업소|노선|직류|종목|장소|국가|직종)$"
)
"""Whose or where a record is: it is not the record that bears dates and titles."""


def row_noun(tool: Tool) -> str:
    """What one record of a tool is, as far as its title tells: 일반음식점 현황 → 일반음식점; else `ANY_ROW`."""
    title = _ASIDE.sub("", spoken_title(tool))
    rest = _ROW_TAIL.sub("", title)
    last = rest.split()[-1] if rest.split() else ""
    bill = _BILLS.search(last)
    if bill is not None and not _TABLE.search(title):
        return bill[1]
    thing = rest != title and re.fullmatch(r"[가-힣]{2,10}", last) is not None
    if thing and _THING.search(last) and not (_NO_THING.search(last) or _TABLE.search(title)):
        return "업소" if _TRADE.search(last) else last
    labels = {spoken_label(column) for column in tool.fields}
    return next((noun for label, noun in _TOLD_BY_COLUMN if label in labels), ANY_ROW)


def counter_of(noun: str) -> str:
    """How such records are counted: 명, 곳, 개, else 건."""
    for pattern, unit in ((_PEOPLE, "명"), (_PLACES, "곳"), (_PIECES, "개")):
        if pattern.search(noun):
            return unit
    return "건"


def demanded_unit(unit: str) -> str:
    """The unit that an answer must not contradict: places and pieces are counted in several ways (곳, 개, 개소, 개교)."""
    return "" if unit in ("곳", "개") else unit


def counted(noun: str) -> str:
    """The number of such records as a noun phrase: 교습소 수, 자료 건수."""
    return f"{noun} {'건수' if counter_of(noun) == '건' else '수'}"


def figure_of(unit: str) -> str:
    """The number of things that are counted so, where nothing says what they are."""
    return {"곳": "곳의 수", "명": "인원수", "개": "개수"}.get(unit, f"{ANY_ROW} 건수")


def entity_noun(tool: Tool, field: str) -> str:
    """What a code or name is of, as a noun: 의안, 위원회, 회사; empty where nobody would call it anything."""
    column = tool.field(field)
    if column is None:
        return ""
    meaning = meaning_of(column)
    if "company" in meaning.tokens:
        return "회사"
    if "stock" in meaning.tokens:
        return "종목"
    if meaning.kind == "date":
        return spoken_label(column)
    said = re.sub(r"\s*(코드|ID|아이디)$", "", spoken_label(column))
    noun = meaning.concept if meaning.concept and not meaning.vague else said
    noun = _OFFICIAL.sub("", noun) or noun
    if noun in _OF_A_NUMBER:
        return _numbered(tool)
    if noun in _PERSON:
        return "인물"
    return noun if re.fullmatch(r"[가-힣 ]{2,12}", noun) and not _NO_ENTITY.search(noun) else ""


def _numbered(tool: Tool) -> str:
    """What bears a number of its act: what the records are, or the one kind of norm that the title tells of."""
    record = row_noun(tool)
    if record != ANY_ROW:
        return record
    told = [norm for norm in _NORMS if norm in tool.title]
    return told[0] if len(told) == 1 else ""


def is_holder(entity: str) -> bool:
    """True for whose or where a record is: 부서, 위원회, 지역."""
    return _HOLDERS.search(entity) is not None


def names_entity(label: str, entity: str) -> bool:
    """True where a label calls the entity itself: 의안명 and 의안, 소관위원회명 and 위원회, 시군명 and 지역."""
    if label in _PERSON:
        return _PEOPLE_NOUN.search(entity) is not None
    meaning = meaning_of(Field("X", label))
    concept = _OFFICIAL.sub("", meaning.concept) or meaning.concept
    return meaning.kind in ("name", "title") and (concept == entity or label == entity)
