"""Values of fields that nobody modelled by hand, drawn by what a field's name and label say it holds.

Wording and codes come from the identity stream, measures from the value stream, so a new
value seed leaves names as they are.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from kopa_hf.catalog.tool import Field
from kopa_hf.sandbox.calendar import compact, dotted, hangul
from kopa_hf.sandbox.people import address, person_name
from kopa_hf.sandbox.rng import Stream, bell, mix, seed_of
from kopa_hf.sandbox.world import LAST_DAY

Kind = Literal[
    "url", "date", "month", "year", "time", "rate", "amount", "count", "person", "place", "title", "code", "yes_no",
    "number", "remark", "name",
]  # fmt: skip
DateStyle = Literal["compact", "dashed", "dotted", "hangul"]

_TOPICS: Final = (
    "지역경제", "기후대응", "디지털전환", "돌봄", "주거안정", "공정거래", "청년고용", "농어촌",
    "교통안전", "에너지", "보건의료", "교육격차",
    "문화유산", "과학기술", "중소기업", "재정건전성", "인구감소", "개인정보", "물관리", "국토균형",
)  # fmt: skip
_FORMS: Final = (
    "현황과 과제",
    "개선 방안",
    "주요 내용",
    "실태 점검",
    "추진 계획",
    "성과 분석",
    "운영 결과",
    "쟁점 정리",
)
_UNITS_OF_ORGS: Final = (
    "가온재단",
    "누리센터",
    "다온연구원",
    "라온협회",
    "마루위원회",
    "바름기획단",
    "아람지원단",
    "하람본부",
)

_RULES: Final[tuple[tuple[Kind, str, str], ...]] = (
    ("url", r"url|link|_url|hmpg|homepage|path|_ph$", r"주소\(?url|링크|url|홈페이지|경로"),
    ("rate", r"rt$|rate|_rt|rto|irt$", r"율$|비율|이율|등락률|수익률|지분율|대비|%"),
    ("yes_no", r"yn$|_at$|_yn", r"여부"),
    ("month", r"_ym$|yyyymm|_ym_", r"년월|연월"),
    ("year", r"^yr$|year$|_yy$|_yr$", r"연도$|년도$|^연도|회계년도"),
    ("time", r"_tm$|_ptm$|time", r"시각|시간$"),
    ("date", r"_dt$|_de$|_dd$|_dttm$|date|_day$|dt$", r"일자|날짜|기일|(?<!요)일$|일\(|개시일|시작일|종료일|예정일"),
    (
        "amount",
        r"amt|amount|_am$|prc$|trdval|mktcap|_pr$",
        r"금액|액$|가격|가액|보수|급여|총액|대금|자본금|예산|단가|시가|종가|고가|저가|총계|총자산|자기자본|순이익|매출액|이하$|초과$",
    ),
    (
        "count",
        r"cnt$|_co$|_nop$|psnum|trdvol|qty|qy$|_cnt|stkcnt|_nmpr",
        r"수$|건수|수량|인원|주식수|주식 ?총수|명수|횟수|거래량|의석",
    ),
    ("place", r"adr|addr|plc|place|lc$", r"주소|장소|소재지"),
    (
        "person",
        r"_pn$|ceo|rprsntv|writer|hg_nm|proposer$|_hm_nm|nm_list",
        r"성명|이름|대표자|의원명|작성자|제안자$|보고자",
    ),
    ("code", r"_cd$|_id$|_no$|code|_num$|isu_cd|_sn$|^sn$", r"코드$|번호$|id$"),
    ("title", r"ttl|title|subject|sj$|_cn$|content|rpt_nm|report_nm", r"제목|내용|보고서명|사유|목적|개요|자료명"),
    ("remark", r"rm$|rmk|etc", r"비고|기타|참고"),
    ("name", r"_nm$|name|_div|_se$|knd|kind", r"명$|명칭|구분|종류|유형|분류"),
)


@lru_cache(maxsize=16384)
def kind_of(field: Field) -> Kind:
    """What a field holds. The label speaks first, since the same name means different things."""
    label, name = field.label.lower(), field.name.lower()
    for kind, _, pattern in _RULES:
        if re.search(pattern, label):
            return kind
    for kind, pattern, _ in _RULES:
        if re.search(pattern, name):
            return kind
    return "number" if field.type in ("integer", "number") else "name"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: its record's two seeds, its day, and how its service writes dates."""

    identity: int
    measure: int
    day: datetime.date
    dates: DateStyle = "dashed"
    commas: bool = False
    """Whether amounts are printed with thousands separators."""
    serial: int = 0


def draw(field: Field, place: Place) -> Any:
    """One value. Equal places give equal values, whatever else is drawn."""
    value = _drawn(field, place)
    if field.type in ("integer", "number") and isinstance(value, str):
        return int(value) if value.isdecimal() else float(value) if _NUMBER.fullmatch(value) else place.serial + 1
    return value


def _drawn(field: Field, place: Place) -> Any:
    kind = kind_of(field)
    identity = Stream(mix(place.identity, _salt(field.name)))
    if field.format is not None:
        printed = _in_format(field.format, identity, place)
        if printed is not None:
            return printed
    if field.format in ("integer", "number") and kind not in ("rate", "amount", "count", "year", "code"):
        kind = "number"
    if field.format == "integer" and kind == "rate":
        kind = "count"
    if kind in ("rate", "amount", "count", "number"):
        return _measure(kind, field, mix(place.measure, _salt(field.name)), place)
    if kind == "date":
        return spell_date(place.day - datetime.timedelta(days=identity.below(3)), place.dates)
    if kind == "month":
        return f"{place.day.year:04d}{place.day.month:02d}"
    if kind == "year":
        return str(place.day.year)
    if kind == "time":
        return f"{identity.between(9, 17):02d}:{identity.choice((0, 10, 30, 40)):02d}"
    return _text(kind, field, identity, place)


def _in_format(form: str, identity: Stream, place: Place) -> str | None:
    """A value under the format that the signature states; None where the field's kind decides as well."""
    if form.startswith("digits:"):
        size = int(form.partition(":")[2])
        return str(10 ** (size - 1) + place.serial + 1)[:size]
    if form in ("YYYYMMDD", "YYYY-MM-DD"):
        style: DateStyle = "compact" if form == "YYYYMMDD" else "dashed"
        return spell_date(place.day - datetime.timedelta(days=identity.below(3)), style)
    pattern = _PATTERNS.get(form)
    if pattern is None:
        return None
    moment = datetime.datetime.combine(place.day, datetime.time(identity.between(6, 21), 10 * identity.below(6)))
    return moment.strftime(pattern)


_PATTERNS: Final = {
    "YYYYMM": "%Y%m",
    "YYYY-MM": "%Y-%m",
    "YYYY": "%Y",
    "MM": "%m",
    "DD": "%d",
    "HH": "%H",
    "HHMM": "%H%M",
    "HH:MM": "%H:%M",
}
_NUMBER: Final = re.compile(r"-?\d+\.\d+")


def spell_date(day: datetime.date, style: DateStyle) -> str:
    """A date as the service writes it."""
    if style == "compact":
        return compact(day)
    if style == "hangul":
        return hangul(day)
    return dotted(day) if style == "dotted" else day.isoformat()


def day_between(stream: Stream, first: datetime.date, last: datetime.date = LAST_DAY) -> datetime.date:
    """A day in a span, both ends included."""
    return first + datetime.timedelta(days=stream.below((last - first).days + 1))


@lru_cache(maxsize=16384)
def _salt(name: str) -> int:
    return seed_of("column", name)


def _measure(kind: Kind, field: Field, draw_: int, place: Place) -> Any:
    if kind == "rate":
        return f"{abs(bell(draw_)) * 6 + 0.5:.2f}"
    if kind == "amount":
        value = (10 ** (5 + draw_ % 5)) * (1 + (draw_ >> 8) % 97)
    else:
        value = (draw_ >> 8) % (10 ** (1 + draw_ % 4)) + 1
    if field.type in ("integer", "number"):
        return value
    return f"{value:,}" if place.commas else str(value)


def _text(kind: Kind, field: Field, identity: Stream, place: Place) -> Any:
    if kind == "url":
        return f"https://sandbox.invalid/{field.name.lower()}/{identity.u64() % 10**8:08d}"
    if kind == "yes_no":
        return "Y" if identity.chance(0.5) else "N"
    if kind == "person":
        return person_name(identity)
    if kind == "place":
        return address(identity)
    if kind == "code":
        number = 100001 + place.serial
        return number if field.type == "integer" else str(number)
    if kind == "remark":
        return "-"
    topic, form = identity.choice(_TOPICS), identity.choice(_FORMS)
    if kind == "title":
        return f"{topic} {form} {place.serial + 1}"
    if re.search(r"기관|부서|단체|법인|회사|위원회|조직", field.label):
        return identity.choice(_UNITS_OF_ORGS)
    if "국적" in field.label:
        return "대한민국"
    if re.search(r"구분|종류|유형|분류", field.label):
        return identity.choice(("일반", "특별", "기타"))
    return f"{topic} {field.label.split('(')[0].strip()[:12]}"
