"""Publications, news and announcements of the house and its institutes: titled entries with a day and an address.

What each series is called, how its titles run and how many there are stands in
`data/assembly_series.json`; the columns are shared by all of them.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from kopa_hf.sandbox.calendar import business_day_from
from kopa_hf.sandbox.politics.committees import standing
from kopa_hf.sandbox.politics.events import TOPICS
from kopa_hf.sandbox.politics.listing import Columns, alike, serve
from kopa_hf.sandbox.politics.members import PARTIES, current_members
from kopa_hf.sandbox.politics.names import draw_name
from kopa_hf.sandbox.query import Handler, Query
from kopa_hf.sandbox.rng import Stream, mix
from kopa_hf.sandbox.world import LAST_DAY, World

FIRST: Final = datetime.date(2020, 6, 1)
_TAILS: Final = ("현황과 과제", "개선 방안", "주요 쟁점", "해외 사례와 시사점", "입법 동향", "정책 평가")
_COUNTRIES: Final = ("가온공화국", "나래왕국", "다온연방", "라온공화국", "마루공국", "바론공화국")
_COUNTRIES_ENGLISH: Final = ("Gaon", "Narae", "Daon", "Raon", "Maru", "Baron")
_DEPARTMENTS: Final = {
    "nabo": ("예산분석총괄과", "행정비용추계과", "경제분석총괄과", "세제분석과", "재정정책분석과", "산업자원분석과"),
}  # fmt: skip
_UNITS: Final = ("총무과", "의사과", "홍보담당관실", "정보화담당관실", "기획예산담당관실", "시설관리과")
_HALLS: Final = ("국회문화극장", "의원회관 로비", "국회도서관 전시실", "국회박물관 전시실", "국회 잔디마당")


@dataclass(frozen=True, slots=True)
class Series:
    """What is known of one series."""

    operation: str
    count: int
    titles: tuple[str, ...]
    departments: tuple[str, ...]
    body: bool
    choices: dict[str, tuple[str, ...]]
    division: str | None
    """What the institute's common list calls the series."""
    union: tuple[str, ...]
    """Operations whose entries a common list holds together; such a list has none of its own."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a series."""

    series: Series
    number: int
    """Counted from the oldest."""
    day: datetime.date
    seed: int
    title: str

    @property
    def serial(self) -> int:
        """A number that looks like a database key."""
        return self.seed % 9_000_000 + 1_000_000

    def choice(self, name: str) -> str | None:
        """The value of a column that has few, or None where the series has no such column."""
        options = self.series.choices.get(name)
        # columns that go together (name and code of a category) share the draw
        return options[mix(self.seed, 3) % len(options)] if options else None


@cache
def all_series() -> dict[str, Series]:
    """Operation → series."""
    text = resources.files("kopa_hf.sandbox").joinpath("data/assembly_series.json").read_text(encoding="utf-8")
    table: dict[str, dict[str, Any]] = json.loads(text)
    return {
        operation: Series(
            operation,
            entry.get("count", 0),
            tuple(entry.get("titles", ())),
            _DEPARTMENTS.get(entry.get("departments", ""), ()),
            entry.get("body", False),
            {name: tuple(options) for name, options in entry.get("choices", {}).items()},
            entry.get("division"),
            tuple(entry.get("union", ())),
        )
        for operation, entry in table.items()
    }


def entries(world: World, operation: str) -> tuple[Entry, ...]:
    """The entries of a series, the latest first."""
    return world.table(f"politics.series.{operation}", lambda w: _build(w, all_series()[operation]))


def _build(world: World, series: Series) -> tuple[Entry, ...]:
    if series.union:
        found = [entry for operation in series.union for entry in entries(world, operation)]
        return tuple(sorted(found, key=lambda entry: (entry.day, entry.seed), reverse=True))
    total = world.count(series.count)
    span = (LAST_DAY - FIRST).days
    if total < 30 and "{year}" in series.titles[0]:
        span = 365 * 5
    made = []
    for number in range(1, total + 1):
        stream = world.identity("politics", "series", series.operation, number)
        # evenly spread, so that numbers and days run the same way
        offset = (number - 1) * span // total + stream.below(max(span // total, 1))
        day = min(business_day_from(FIRST + datetime.timedelta(days=offset)), LAST_DAY)
        title = _title(world, stream, series, number, day)
        made.append(Entry(series, number, day, stream.u64(), title))
    return tuple(reversed(made))


def _title(world: World, stream: Stream, series: Series, number: int, day: datetime.date) -> str:
    form = series.titles[stream.below(len(series.titles))]
    words: dict[str, Callable[[], object]] = {
        "n": lambda: number,
        "year": lambda: day.year,
        "issue": lambda: (day.month - 1) % 12 + 1,
        "volume": lambda: day.year - 2008,
        "topic": lambda: stream.choice(TOPICS),
        "tail": lambda: stream.choice(_TAILS),
        "ministry": lambda: stream.choice(standing(world)).ministry,
        "committee": lambda: stream.choice(standing(world)).name,
        "member": lambda: stream.choice(current_members(world)).name,
        "party": lambda: stream.choice(PARTIES[:-1]),
        "place": lambda: stream.choice(current_members(world)).district.split()[0],
        "country": lambda: stream.choice(_COUNTRIES),
        "country_en": lambda: stream.choice(_COUNTRIES_ENGLISH),
        "chair": lambda: stream.choice(("의장", "부의장")),
        "unit": lambda: stream.choice(_UNITS),
    }
    return form.format(**{name: make() for name, make in words.items() if "{" + name + "}" in form})


def body_text(entry: Entry) -> str:
    """The text behind a title: HTML that the service escapes a second time."""
    return (
        f"&lt;p&gt;{entry.title}&lt;/p&gt;\r\n&lt;div style=&quot;text-align:left&quot;&gt;"
        f"{entry.day.year}년 {entry.day.month}월 {entry.day.day}일 국회는 이와 같은 내용을 알렸다.&lt;br /&gt;\r\n&lt;/div&gt;"
    )


def _person(entry: Entry, part: int) -> str:
    return draw_name(Stream(mix(entry.seed, part))).hangul


def _chosen(name: str) -> Callable[[World, Entry], str | None]:
    return lambda world, entry: entry.choice(name)


def _address(pattern: str) -> Callable[[World, Entry], str]:
    return lambda world, entry: pattern.format(entry.serial)


def _period(world: World, entry: Entry) -> str:
    return f"{entry.day.isoformat()} ~ {entry.day + datetime.timedelta(days=3 + entry.seed % 20)}"


ENTRY: Final[Columns] = {
    **alike(
        "SUBJECT BOOKNM V_TITLE COMP_MAIN_TITLE ARTC_TTL SPC_TTL MN_ACTV_TTL PBLM_TTL BRDI_TTL DPLM_TRD_TTL FR_LAW_REV_TTL "
        "REV_LAW_SITU_TTLL TITLE ARTICLE_TITLE MTR_TTL BRDI_SJ NOTICE_TITLE",
        lambda w, e: e.title,
    ),
    "REG_DATE": lambda w, e: (
        f"{e.day.isoformat()} 00:{e.day.month:02d}:00" if e.series.departments else e.day.isoformat()
    ),
    **alike(
        "WRT_DT INSERTDT PBL_DT REG_DTTM OPEN_DTTM CREATE_DT UPDATE_DT WRITE_DATE RDT DATE_RELEASED FRUM_OPB_DT AVDV_START_DT",
        lambda w, e: e.day.isoformat(),
    ),
    "DATE_LASTMODIFIED": lambda w, e: (e.day + datetime.timedelta(days=e.seed % 3)).isoformat(),
    "AVDV_END_DT": lambda w, e: (e.day + datetime.timedelta(days=3 + e.seed % 20)).isoformat(),
    "DT": _period,
    **alike("RE_DT", lambda w, e: (e.day - datetime.timedelta(days=10)).isoformat()),
    **alike("ETC_CHAR11 PLC_NM", lambda w, e: _HALLS[e.seed % len(_HALLS)]),
    **alike(
        "DEPARTMENT_NAME WRT_DEPT",
        lambda w, e: e.series.departments[e.seed % len(e.series.departments)] if e.series.departments else None,
    ),
    **alike("LINK_URL URL_LINK DETAIL_URL CONTENT_URL", _address("https://www.sandbox.invalid/view/{}")),
    **alike("DWLD_URL ATTACH_URL SYSATTACH1 PDF_FILE_URL ATTACH_FILE_URL", _address("https://file.sandbox.invalid/{}")),
    "PDFFILEURL": _address("https://file.sandbox.invalid/{}.pdf"),
    **alike("VIEWERURL DIRECTVIEW", _address("https://viewer.sandbox.invalid/{}")),
    "MTR_DIV": lambda w, e: e.series.division or e.choice("MTR_DIV"),
    "HOME_URL": lambda w, e: "https://gosi.sandbox.invalid/index.jsp",
    "PDFFILENM": lambda w, e: f"{e.serial}.pdf",
    "DATAID": lambda w, e: str(e.serial),
    "DATA_SEQCE_NO": lambda w, e: str(e.number),
    "NUM": lambda w, e: str(e.number),
    **alike("V_BODY COMP_CONTENT ARTICLE_TEXT CONTENT BRDI_CN", lambda w, e: body_text(e)),
    **alike("WRITER_NM WRITER PLANNER CHIEF_RESRCH AUT_NM WRT_NM", lambda w, e: _person(e, 11)),
    **alike("PANAL FRUM_PANL_NM", lambda w, e: ", ".join(_person(e, part) for part in (12, 13, 14))),
    "PUBLCO_NM": lambda w, e: "국회미래연구원",
    "PUBLCO_YEAR": lambda w, e: str(e.day.year),
    **{
        name: _chosen(name)
        for name in [
            "ETC_CATE2",
            "DIVNM",
            "DIVCD",
            "DIV",
            "CHM_DIV",
            "BBS_TITLE",
            "CATEGORY_NM",
            "CATEGORY_ID",
            "MASTER_NM",
            "BLNG_INST_NM",
            "NOTICE_NM",
            "DEPT_NAME",
        ]
    },
}
"""Column → value, for every series."""


def _pool(world: World, query: Query) -> Sequence[Entry]:
    return entries(world, query.operation)


HANDLERS: Final[dict[str, Handler]] = {operation: serve(ENTRY, _pool) for operation in all_series()}
