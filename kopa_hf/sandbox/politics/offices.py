"""Members' offices: posts beside the mandate, journeys, aides, research and money."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.calendar import dotted
from kopa_hf.sandbox.politics.committees import Committee, committees, standing
from kopa_hf.sandbox.politics.events import TOPICS
from kopa_hf.sandbox.politics.listing import Columns, Pool, serve
from kopa_hf.sandbox.politics.members import Member, members
from kopa_hf.sandbox.politics.terms import SPAN, TERMS, eraco, term_on, unit_code
from kopa_hf.sandbox.query import Handler, Query
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import LAST_DAY, World

_INSTITUTES: Final = (
    "가람재단",
    "나래학회",
    "다솜장학회",
    "라온체육회",
    "마루포럼",
    "바른이사회",
    "아라협회",
    "온누리의료재단",
)
_POSTS: Final = ("이사", "회장", "고문", "자문위원", "이사장", "명예회장")
_LANDS: Final = ("가온공화국", "나래왕국", "다온연방", "라온공화국", "마루공국", "바론공화국")
_PURPOSES: Final = ("의원친선협회 방문외교", "국제회의 참석", "국정감사 현지 시찰", "의회 간 교류", "정책 시찰")
_JOBS: Final = ("4급 보좌관", "5급 선임비서관", "6급 비서관", "8급 비서관", "9급 비서관", "입법보조원")


@dataclass(frozen=True, slots=True)
class Note:
    """Something that an office did or announced on a day."""

    member: Member
    day: datetime.date
    seed: int

    def pick(self, options: Sequence[Any], part: str) -> Any:
        """One of the options, always the same for this note."""
        return Stream(self.seed, part).choice(options)

    def number(self, low: int, high: int, part: str) -> int:
        """A number, always the same for this note."""
        return Stream(self.seed, part).between(low, high)


def notes(name: str, count: int, first: datetime.date = SPAN[21][0]) -> Pool:
    """Some notes of members' offices, the latest first."""

    def build(world: World) -> tuple[Note, ...]:
        found = []
        for index in range(world.count(count)):
            stream = world.identity("politics", "note", name, index)
            day = first + datetime.timedelta(days=stream.below((LAST_DAY - first).days))
            found.append(Note(stream.choice(members(world, term_on(day))), day, stream.u64()))
        return tuple(sorted(found, key=lambda note: (note.day, note.seed), reverse=True))

    return lambda world, query: world.table(f"politics.notes.{name}", build)


def _topic(form: str) -> Callable[[World, Note], str]:
    return lambda world, note: form.format(topic=note.pick(TOPICS, "topic"), name=note.member.name)


POST: Final[Columns] = {
    "ORD_NUM": lambda w, n: str(n.member.term),
    "YR": lambda w, n: str(n.day.year),
    "OPB_DAY": lambda w, n: n.day.isoformat(),
    "PN": lambda w, n: n.member.name,
    "CCOF_INST_NM": lambda w, n: n.pick(_INSTITUTES, "institute"),
    "PSIT_NM": lambda w, n: n.pick(_POSTS, "post"),
    "CCOF_PSB_YN_CD": lambda w, n: "가능" if n.number(1, 10, "allowed") > 2 else "불가",
}
JOURNEY: Final[Columns] = {
    "UNIT_CD": lambda w, n: unit_code(n.member.term),
    "UNIT_NM": lambda w, n: eraco(n.member.term),
    "PN": lambda w, n: n.member.name,
    "PURP_RSON": lambda w, n: n.pick(_PURPOSES, "purpose"),
    "SCH_DYS": lambda w, n: f"{n.day.isoformat()} ~ {n.day + datetime.timedelta(days=n.number(2, 9, 'days'))}",
    "DSTN_NM": lambda w, n: n.pick(_LANDS, "land"),
    "EXPNS_SUPPT_INST_NM": lambda w, n: n.pick(("국회사무처", "초청기관", "자비"), "payer"),
    "REPORT_YN": lambda w, n: "Y" if n.number(1, 10, "report") > 1 else "N",
}
AIDE: Final[Columns] = {
    "TITLE_V": lambda w, n: f"[{n.member.name}의원실] {n.pick(_JOBS, 'job')} 채용 공고",
    "USE_YN": lambda w, n: "채용중" if (LAST_DAY - n.day).days < 10 else "마감",
    "REG_DT_D": lambda w, n: n.day.isoformat(),
    "DT": lambda w, n: f"{dotted(n.day)} ~ {dotted(n.day + datetime.timedelta(days=10))}",
    "CONTENT_L": lambda w, n: (
        f"&lt;p&gt;{n.pick(_JOBS, 'job')} 1명을 모집합니다.&lt;br /&gt;\r\n이력서를 보내 주십시오.&lt;/p&gt;"
    ),
    "DEPT_NM_V": lambda w, n: f"{n.member.name}의원실",
}
SMALL_STUDY: Final[Columns] = {
    "RPT_NO": lambda w, n: f"R{n.seed % 1_000_000:06d}",
    "YEAR": lambda w, n: str(n.day.year),
    "FILE_ID": lambda w, n: 123_000_000 + n.seed % 900_000,
    "RPT_TITLE": _topic("{topic} 개선을 위한 연구"),
    "RG_DE": lambda w, n: n.day.isoformat(),
    "UNIT_CD": lambda w, n: unit_code(n.member.term),
    "UNIT_NM": lambda w, n: eraco(n.member.term),
    "ASBLM_NM": lambda w, n: n.member.name,
    "QUARTER": lambda w, n: f"{(n.day.month + 2) // 3}분기",
    "DIV_NM": lambda w, n: n.pick(("소규모 연구용역", "정책자료발간"), "kind"),
}
MATERIAL: Final[Columns] = {
    "TITLE": _topic("{topic} 정책자료집"),
    "PUBLISHER": lambda w, n: f"{n.member.name}의원실",
    "DETAIL_VIEW_URL": lambda w, n: f"https://dl.sandbox.invalid/{n.seed % 10_000_000:07d}",
    "UPDATE_DT": lambda w, n: n.day.isoformat(),
    "PUBLISH_DT": lambda w, n: str(n.day.year),
}
REPORT: Final[Columns] = {**MATERIAL, "TITLE": _topic("{name} 의정보고서: {topic}")}
FORUM: Final[Columns] = {
    "ARTICLE_TITLE": _topic("{topic} 입법지원 토론회"),
    "CATEGORY_NM": lambda w, n: eraco(n.member.term),
    "ETC_CHAR7": lambda w, n: n.member.name,
    "ETC_CHAR12": lambda w, n: f"{n.member.district.split()[0]} 시민회관",
    "ETC_CHAR1": lambda w, n: n.day.isoformat(),
    "ETC_CHAR2": lambda w, n: f"{n.number(10, 16, 'hour'):02d}:00",
    "LINK_URL": MATERIAL["DETAIL_VIEW_URL"],
}


# committees' papers


@dataclass(frozen=True, slots=True)
class Paper:
    """A committee's report of a year."""

    committee: Committee
    year: int
    number: int
    day: datetime.date


def papers(name: str, per_year: int, last: int) -> Pool:
    """Reports of the main committees by year, the latest first."""

    def build(world: World) -> tuple[Paper, ...]:
        found = []
        for year in range(last, 2019, -1):
            for committee in standing(world):
                stream = world.identity("politics", "paper", name, year, committee.index)
                for number in range(1, stream.between(1, per_year) + 1 if committee.main else 2):
                    day = datetime.date(year, 12, 1) - datetime.timedelta(days=stream.below(200))
                    found.append(Paper(committee, year, number, day))
        return tuple(found)

    return lambda world, query: world.table(f"politics.papers.{name}", build)


def _paper(form: str) -> Callable[[World, Paper], str]:
    return lambda world, p: form.format(
        year=p.year, committee=p.committee.name, ministry=p.committee.ministry, n=p.number
    )


def _file(ending: str) -> Callable[[World, Paper], str]:
    return lambda world, p: f"https://committee.sandbox.invalid/{p.committee.code}/{p.year}_{p.number}.{ending}"


PAPER: Final[Columns] = {
    "ERACO": lambda w, p: eraco(term_on(p.day)),
    "RPT_YR": lambda w, p: str(p.year),
    "CMIT_NM": lambda w, p: p.committee.name,
    "WRITER_NM": lambda w, p: p.committee.name,
    "DEPT_CD": lambda w, p: p.committee.code,
    "RPT_TTL": _paper("{year}년도 국정감사결과보고서({committee})"),
    "ARTICLE_TITLE": _paper("{year}년 {committee} 업무 참고자료 제{n}호"),
    "CREATE_DT": lambda w, p: p.day.isoformat(),
    "SBM_INST_NM": lambda w, p: p.committee.ministry,
    "RCP_DT": lambda w, p: p.day.isoformat(),
    "TRSF_DT": lambda w, p: (p.day + datetime.timedelta(days=3)).isoformat(),
    "PDF_DWLD_URL": _file("pdf"),
    "HWP_DWLD_URL": _file("hwp"),
    "LINK_URL": _file("html"),
}
CORRECTIVE: Final[Columns] = {
    **PAPER,
    "RPT_TTL": _paper("{year}년도 국정감사 시정 및 처리 요구사항에 대한 결과보고서({ministry})"),
}
ANNUAL: Final[Columns] = {**PAPER, "RPT_TTL": _paper("{year}년도 {ministry} 소관 연차보고서 제{n}호")}

OVERDUE: Final[Columns] = {
    "CMIT_NM": lambda w, c: c.name,
    "UNCS_CNT": lambda w, c: w.measure("politics", "unconstitutional", c.code).below(5),
    "CLAW_MIS_CNT": lambda w, c: _incompatible(w, c),
    "OVER_CLAW_MIS_CNT": lambda w, c: w.measure("politics", "overdue", c.code).below(_incompatible(w, c) + 1),
}
"""Laws that the constitutional court objected to; those overdue are part of the incompatible ones."""


def _incompatible(world: World, committee: Committee) -> int:
    return world.measure("politics", "incompatible", committee.code).below(7)


# money


_EXPENSES: Final = (
    ("의원실 운영", "사무실 운영비", "일반수용비", "의원실별 신청 지급"), ("의원실 운영", "사무실 운영비", "공공요금", "매월 정액 지급"),
    ("의원실 운영", "차량 유지비", "유류비", "매월 정액 지급"), ("의정활동 지원", "정책개발비", "입법 및 정책개발비", "의원실별 신청 지급"),
    ("의정활동 지원", "정책자료", "정책자료 발간비", "의원실별 신청 지급"), ("의정활동 지원", "출장비", "공무수행출장비", "실비 지급"),
)  # fmt: skip


def _expenses(world: World, query: Query) -> Sequence[tuple[int, int]]:
    return [(year, place) for year in range(2025, 2017, -1) for place in range(len(_EXPENSES))]


EXPENSE: Final[Columns] = {
    "YR": lambda w, e: str(e[0]),
    "FST_DIV_ETC": lambda w, e: _EXPENSES[e[1]][0],
    "SND_DIV_ETC": lambda w, e: _EXPENSES[e[1]][1],
    "TRD_DIV_ETC": lambda w, e: _EXPENSES[e[1]][2],
    "PYM_EXEAMT": lambda w, e: w.measure("politics", "office_money", *e).between(90, 2600) * 1_000_000,
    "PYM_MTH": lambda w, e: _EXPENSES[e[1]][3],
}


def _charged(world: World, query: Query) -> Sequence[Committee]:
    return [c for c in committees(world) if c.main]


HANDLERS: Final[dict[str, Handler]] = {
    "OHAC6C000892WC13765": serve(POST, notes("posts", 900)),
    "O87UNV000897E818234": serve(JOURNEY, notes("journeys", 1300)),
    "O84OO9000939BC16536": serve(AIDE, notes("aides", 2400, SPAN[TERMS[-1]][0])),
    "O8685D0008489413266": serve(SMALL_STUDY, notes("studies", 1500)),
    "OJ2LTJ001101KO19739": serve(MATERIAL, notes("materials", 1100)),
    "O927U9001135M913005": serve(REPORT, notes("reports", 700)),
    "OAUJIX001138TP16525": serve(FORUM, notes("forums", 90)),
    "OOWY4R001216HX11497": serve(PAPER, papers("audit", 1, 2025)),
    "OOWY4R001216HX11416": serve(CORRECTIVE, papers("corrective", 1, 2024)),
    "OOWY4R001216HX11491": serve(ANNUAL, papers("annual", 12, 2025)),
    "OAFHCY001008NN11647": serve(PAPER, papers("material", 9, 2025)),
    "OOWY4R001216HX11421": serve(OVERDUE, _charged),
    "O1OS9V000880XH10851": serve(EXPENSE, _expenses),
}
