"""The house's administration: money by month and programme, staff, files made public, requests, notices, services."""

from __future__ import annotations

import calendar
import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import add_months, business_day_from
from kopa_hf.sandbox.politics.events import TOPICS
from kopa_hf.sandbox.politics.listing import Columns, Pool, serve
from kopa_hf.sandbox.politics.meetings import PLENARY_KIND, clock, meetings
from kopa_hf.sandbox.politics.terms import Session, sessions
from kopa_hf.sandbox.query import Handler, Query
from kopa_hf.sandbox.world import LAST_DAY, World

_YEARS: Final = range(2025, 2017, -1)

# spending


_SPENDING: Final = tuple(
    (programme, unit, f"{unit}({detail})")
    for programme, units in (
        ("국회행정지원", "본부 인건비|기본경비|도서관 인건비|예산정책처 인건비|입법조사처 인건비|정보화 추진|청사 관리|시설 개보수"),
        ("의정활동지원", "의원 인건비|의원실 운영 지원|입법 및 정책개발|의원외교 활동|위원회 운영지원|국정감사 지원|의원연구단체 지원"),
        ("입법정보제공", "국회방송 제작|의회자료 구축|국회기록 관리|법률정보 제공|열린국회정보 운영"),
        ("국회교류협력", "의회외교 지원|국제회의 개최|의원연맹 지원"),
    )
    for unit in units.split("|")
    for detail in ("운영", "지원", "기타")
)  # fmt: skip
"""(programme, unit of it, detail of that)."""
_REVENUES: Final = (
    ("재산수입", "관유물대여료", "토지 및 건물대여료"), ("재산수입", "관유물대여료", "기타 관유물대여료"), ("재산수입", "이자수입", "기타 이자수입"),
    ("경상이전수입", "벌금 및 몰수금", "위약금"), ("경상이전수입", "변상금", "변상금"), ("경상이전수입", "잡수입", "기타 잡수입"),
    ("재화 및 용역판매수입", "면허료 및 수수료", "기타 수수료"), ("재화 및 용역판매수입", "잡수입", "자료 판매대"),
    ("관유물매각대", "고정자산매각대", "기타 고정자산매각대"),
)  # fmt: skip
"""(관, 항, 목)."""


@dataclass(frozen=True, slots=True)
class Month:
    """One line of the accounts in one month; months add up over the year, and cells to the lines above them."""

    kind: str
    year: int
    month: int
    labels: tuple[str, ...]
    cells: tuple[int, ...]
    """The smallest items of the budget that the line holds together."""

    def budget(self, world: World) -> int:
        """What the year's budget has for the line, in won."""
        return sum(_budget(world, self.kind, self.year, cell) for cell in self.cells)

    def amount(self, world: World) -> int:
        """What the month spent or received."""
        return sum(_amount(world, self.kind, self.year, self.month, cell) for cell in self.cells)

    def so_far(self, world: World) -> int:
        """The sum since January."""
        months = range(1, self.month + 1)
        return sum(_amount(world, self.kind, self.year, month, cell) for cell in self.cells for month in months)


def _budget(world: World, kind: str, year: int, cell: int) -> int:
    base = world.measure("politics", "budget", kind, cell).octave(100, 13_000)
    return base * (100 + 3 * (year - 2018)) // 100 * 1_000_000


def _amount(world: World, kind: str, year: int, month: int, cell: int) -> int:
    kept: dict[tuple[str, int, int, int], int] = world.table("politics.amounts", lambda _: {})
    key = (kind, year, month, cell)
    if key not in kept:
        share = world.measure("politics", "month", *key).between(600, 1000)
        kept[key] = _budget(world, kind, year, cell) * share // 12_000 // 10 * 10
    return kept[key]


def _months(kind: str, items: Sequence[tuple[str, ...]], depth: int) -> Pool:
    """Accounts by the first `depth` labels of the smallest items, the latest month first."""
    lines: dict[tuple[str, ...], list[int]] = {}
    for cell, labels in enumerate(items):
        lines.setdefault(labels[:depth], []).append(cell)
    found = tuple(
        Month(kind, year, month, labels, tuple(cells))
        for year in _YEARS
        for month in range(12, 0, -1)
        for labels, cells in lines.items()
    )
    return lambda world, query: found


def _label(place: int) -> Callable[[World, Month], str]:
    return lambda world, month: month.labels[place]


_ACCOUNT: Final[Columns] = {
    "FSCL_YY": lambda w, m: str(m.year),
    "EXE_M": lambda w, m: f"{m.month:02d}",
    "EXE_DATE": lambda w, m: f"{m.year}{m.month:02d}{calendar.monthrange(m.year, m.month)[1]}",
    "FSCL_NM": lambda w, m: "일반회계",
}
SPENT: Final[Columns] = {
    **_ACCOUNT,
    "FLD_NM": lambda w, m: "일반·지방행정",
    "SECT_NM": lambda w, m: "입법및선거관리",
    "PGM_NM": _label(0),
    "ACTV_NM": _label(1),
    "SACTV_NM": _label(2),
    **dict.fromkeys(("ANEXP_BDG_CAMT", "ANEXP_BDGAMT"), lambda w, m: m.budget(w)),
    "EP_AMT": lambda w, m: m.amount(w),
    **dict.fromkeys(("THISM_AGGR_EP_AMT", "THISM_AGGR_EP_NAMT"), lambda w, m: m.so_far(w)),
}
RECEIVED: Final[Columns] = {
    **_ACCOUNT,
    "IKWAN_NM": _label(0),
    "IHANG_NM": _label(1),
    "IMOK_NM": _label(2),
    **dict.fromkeys(("BDG_CAMT", "BDG_AMT"), lambda w, m: m.budget(w)),
    "RC_AMT": lambda w, m: m.amount(w),
    "RC_AGGR_AMT": lambda w, m: m.so_far(w),
}


# staff


_EXAMS: Final = (("5급", "일반행정|법제|재경"), ("8급", "일반행정"), ("9급", "속기|경위|사서|전산|방송기술"))


def _exams(*grades: str) -> Pool:
    def pool(world: World, query: Query) -> Sequence[tuple[int, str, str]]:
        return [
            (year, grade, kind)
            for year in _YEARS
            for grade, kinds in _EXAMS
            if grade in grades
            for kind in kinds.split("|")
        ]

    return pool


EXAM: Final[Columns] = {
    "YR": lambda w, e: str(e[0]),
    "JGRD_NM": lambda w, e: e[1],
    "JBTP_NM": lambda w, e: e[2],
    "ADPT_NOP": lambda w, e: w.measure("politics", "exam", *e).between(1, 18),
    "CMPT_RT": lambda w, e: f"{w.measure('politics', 'rivals', *e).between(150, 9900) / 10:.1f}:1",
}
"""A year's competition; the summary has the same rows as the lists by grade."""


# files and requests


_HOUSES: Final = {
    "국회사무처": "9710000", "국회도서관": "9720000", "국회예산정책처": "9730000", "국회입법조사처": "9735000",
}  # fmt: skip
"""Institute → INST_CD."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that an institute made public for a month."""

    house: str
    day: datetime.date
    """The day after the month that it is about."""
    number: int
    title: str
    category: tuple[str, str]


def _files(house: str, title: str, months: int, categories: str = "행정정보") -> Pool:
    """One file a month back from the world's today; titles name the month before."""
    kinds = categories.split("|")

    def build(world: World) -> tuple[File, ...]:
        found = []
        for number in range(months):
            month = add_months(LAST_DAY.replace(day=1), -number)
            about = add_months(month, -1)
            kind = number % len(kinds)
            text = title.format(year=about.year, month=about.month, kind=kinds[kind])
            found.append(File(house, month, number, text, (f"A{kind + 1:02d}", kinds[kind])))
        return tuple(found)

    return lambda world, query: world.table(f"politics.disclosed.{query.operation}", build)


FILE: Final[Columns] = {
    "PRDC_YM_NM": lambda w, f: f"{f.day.year}년 {f.day.month}월",
    "PRDC_YM": lambda w, f: f"{f.day:%Y%m}",
    "OPB_FL_NM": lambda w, f: f.title,
    "INST_CD": lambda w, f: _HOUSES[f.house],
    "INST_NM": lambda w, f: f.house,
    "OPB_FL_PH": lambda w, f: None,
    "CTGR_CD": lambda w, f: f.category[0],
    "CTGR_NM": lambda w, f: f.category[1],
    "FILE_ID": lambda w, f: 123_000_000 + int(_HOUSES[f.house][2:4]) * 10_000 + f.day.year % 100 * 100 + f.day.month,
}


@dataclass(frozen=True, slots=True)
class Request:
    """A citizen's request for information."""

    day: datetime.date
    number: int
    topic: str
    unit: str
    decision: str


_DECISIONS: Final = (("공개", 60), ("부분공개", 20), ("비공개", 12), ("정보부존재", 8))


def _requests(house: str, count: int) -> Pool:
    def build(world: World) -> tuple[Request, ...]:
        found, numbers = [], dict.fromkeys(range(2019, LAST_DAY.year + 1), 0)
        span = (LAST_DAY - datetime.date(2019, 1, 2)).days - 20
        total = world.count(count)
        for index in range(total):
            stream = world.identity("politics", "request", house, index)
            day = business_day_from(datetime.date(2019, 1, 2) + datetime.timedelta(days=index * span // total))
            numbers[day.year] += 1
            unit = stream.choice(("총무과", "의사과", "기획예산담당관실", "정보화담당관실", "운영지원과"))
            found.append(Request(day, numbers[day.year], stream.choice(TOPICS), unit, stream.weighted(_DECISIONS)))
        return tuple(reversed(found))

    return lambda world, query: world.table(f"politics.requests.{house}", build)


def _given(request: Request) -> bool:
    return request.decision in ("공개", "부분공개")


REQUEST: Final[Columns] = {
    "YR": lambda w, r: str(r.day.year),
    "SN": lambda w, r: str(r.number),
    "DEMD_RSON": lambda w, r: f"{r.topic} 관련 자료",
    "OPB_FOM_NM": lambda w, r: ("전자파일", "열람ㆍ시청", "사본ㆍ출력물")[r.number % 3],
    "CHRG_DEPT_NM": lambda w, r: r.unit,
    "DCS_DIV": lambda w, r: r.decision,
    "OPB_RSON": lambda w, r: f"{r.topic} 관련 자료 공개" if _given(r) else None,
    "CLSD_RSON": lambda w, r: "정보공개법 제9조제1항제5호" if r.decision in ("비공개", "부분공개") else None,
    "DCS_NTC_DT": lambda w, r: business_day_from(r.day + datetime.timedelta(days=9)).isoformat(),
    "OPB_DT": lambda w, r: business_day_from(r.day + datetime.timedelta(days=10)).isoformat() if _given(r) else None,
    "OPB_MTH": lambda w, r: "정보통신망" if _given(r) else None,
}


# notices of the agenda


def _notice(world: World, session: Session) -> str:
    """The session's plenary days as a table: HTML that the service escapes a second time."""
    lines = [
        f"&lt;tr&gt;&lt;td&gt;{m.day.month}월 {m.day.day}일&lt;/td&gt;&lt;td&gt;{clock(m.begins)}&lt;/td&gt;"
        f"&lt;td&gt;제{m.order}차 본회의&lt;/td&gt;&lt;/tr&gt;"
        for m in meetings(world)
        if m.kind == PLENARY_KIND and m.session is session
    ]
    head = (
        "&lt;p&gt;&lt;/p&gt;&lt;div id=&quot;hwpEditorBoardContent&quot; class=&quot;hwp_editor_board_content&quot;&gt;"
    )
    return f"{head}\n&lt;table&gt;\n" + "\n".join(lines) + "\n&lt;/table&gt;&lt;/div&gt;"


NOTICE: Final[Columns] = {
    "NOTICE_TITLE": lambda w, s: f"{s.label}국회({s.kind}) 회기 전체 의사일정",
    "DEPT_NAME": lambda w, s: "의사국 의사과",
    "WRITE_DATE": lambda w, s: (s.begins - datetime.timedelta(days=2)).isoformat(),
    "CONTENT": _notice,
    "PDF_FILE_URL": lambda w, s: f"https://file.sandbox.invalid/agenda/{s.number}.pdf",
    "ATTACH_FILE_URL": lambda w, s: f"https://file.sandbox.invalid/agenda/{s.number}.hwp",
}


HANDLERS: Final[dict[str, Handler]] = {
    "nqflguqiachajqpaq": serve(SPENT, _months("spent", _SPENDING, 2)),
    "O8D9RF000933S512258": serve(SPENT, _months("spent", _SPENDING, 3)),
    "O6DY4U000931SN17960": serve(RECEIVED, _months("received", _REVENUES, 3)),
    "OT9767000930ZL12696": serve(RECEIVED, _months("received", _REVENUES, 2)),
    "O04X68000884BE13083": serve(EXAM, _exams("8급")),
    "OTUNFG0008834Q19898": serve(EXAM, _exams("9급")),
    "OAIEX00008855613861": serve(EXAM, _exams("5급")),
    "O6PTDW000886NN18676": serve(EXAM, _exams("5급", "8급", "9급")),
    "nalacaiwauxiynsxt": serve(FILE, _files("국회사무처", "{year}년 {month}월 총차장 업무추진비 집행내역", 90)),
    "OTA0YC001127RJ11880": serve(FILE, _files("국회도서관", "{year}년 {month}월 도서관장 업무추진비 집행내역", 90)),
    "OLI05G0011283N16926": serve(FILE, _files("국회예산정책처", "{year}년 {month}월 처장 업무추진비 집행내역", 90)),
    "O6JXFI0011292O12073": serve(FILE, _files("국회입법조사처", "{year}년 {month}월 처장 업무추진비 집행내역", 90)),
    "O71AP8001122ZZ10743": serve(FILE, _files("국회사무처", "{year}년 {month}월 국회사무처 정보목록", 130)),
    "OVDCJU001123OF14595": serve(FILE, _files("국회도서관", "{year}년 {month}월 국회도서관 정보목록", 130)),
    "OH473Z0011245H13792": serve(FILE, _files("국회예산정책처", "{year}년 {month}월 국회예산정책처 정보목록", 110)),
    "OU749A0011256511253": serve(FILE, _files("국회입법조사처", "{year}년 {month}월 국회입법조사처 정보목록", 110)),
    "O7OLVS0011544713501": serve(
        FILE, _files("국회도서관", "{year}년 {month}월 {kind}", 36, "기타 행정정보|청사 안내")
    ),
    "OK160H001152I912731": serve(
        FILE, _files("국회도서관", "{year}년 {month}월 {kind} 현황", 60, "자료수집|전자도서관|국제교류")
    ),
    "ODI720001121MP14647": serve(FILE, _files("국회도서관", "{year}년 {month}월 {kind} 계획", 48, "업무계획|중기계획")),
    "OJAMPB0011929O11426": serve(FILE, _files("국회도서관", "{year}년 {month}월 {kind} 결과", 24, "자체감사|계약")),
    "OZ2W6L0011539T11384": serve(
        FILE, _files("국회도서관", "{year}년 {month}월 행정정보 공표목록({kind})", 40, "정책|사업|감시|기타")
    ),
    "O6MZOL000912ZG15427": serve(REQUEST, _requests("국회사무처", 2600)),
    "OXN4AR0009078I18280": serve(REQUEST, _requests("국회도서관", 240)),
    "O8OFB2000905T918825": serve(REQUEST, _requests("국회예산정책처", 190)),
    "O0UBVR000906UG11689": serve(REQUEST, _requests("국회입법조사처", 210)),
    "njlyptmbatwuwjtxf": serve(NOTICE, lambda world, query: tuple(reversed(sessions(world)))),
}
