"""Research groups of members: registration, reports, money, prizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from kopa_hf.sandbox.politics.listing import Columns, serve, through
from kopa_hf.sandbox.politics.members import Member, members
from kopa_hf.sandbox.politics.terms import TERMS
from kopa_hf.sandbox.query import Handler, Query
from kopa_hf.sandbox.world import World

GROUPS: Final = {21: 58, 22: 64}
YEARS: Final = {21: (2020, 2021, 2022, 2023), 22: (2024, 2025)}
_FIELDS: Final = ("정치·행정", "경제·산업", "과학·기술", "복지·환경", "교육·문화", "외교·통일", "농어촌·지역")
_SUBJECTS: Final = (
    "기후에너지", "청년미래", "지역상생", "인구전환", "디지털경제", "생명안전", "한반도평화", "문화산업", "농어촌희망", "우주항공", "돌봄사회", "공정시장",
    "해양강국", "균형발전", "교육혁신", "반도체산업", "건강노화", "도시재생", "스포츠산업", "재정개혁",
)  # fmt: skip
_SUFFIXES: Final = ("포럼", "연구회", "정책모임", "미래연구회")


@dataclass(frozen=True, slots=True)
class ResearchGroup:
    """One registered group; its first member leads it, the second is in charge of research."""

    term: int
    index: int
    name: str
    field: str
    people: tuple[Member, ...]

    @property
    def subject(self) -> str:
        """What it is about."""
        return self.name.split()[1]


def research_groups(world: World) -> tuple[ResearchGroup, ...]:
    """Groups of both terms, the sitting term first."""
    return world.table("politics.research_groups", _build)


def _build(world: World) -> tuple[ResearchGroup, ...]:
    found = []
    for term in reversed(TERMS):
        pairs = [(subject, suffix) for subject in _SUBJECTS for suffix in _SUFFIXES]
        chosen = world.identity("politics", "group_names", term).sample(pairs, world.count(GROUPS[term], 4))
        for index, (subject, suffix) in enumerate(chosen):
            stream = world.identity("politics", "group", term, index)
            people = stream.sample(members(world, term), 10 + stream.octave(1, 24))
            found.append(ResearchGroup(term, index, f"국회 {subject} {suffix}", stream.choice(_FIELDS), tuple(people)))
    return tuple(found)


def _names(people: Sequence[Member]) -> str:
    return ", ".join(member.name for member in people)


GROUP: Final[Columns] = {
    "REGDAESU": lambda w, g: str(g.term),
    "RE_TOPIC_NAME": lambda w, g: g.field,
    "RE_NAME": lambda w, g: g.name,
    "RE_OBJECTIVE": lambda w, g: f"{g.subject} 분야의 정책을 연구하고 입법 대안을 마련함",
    "MAIN_MEM": lambda w, g: g.people[0].name,
    "RE_MEM": lambda w, g: g.people[1].name,
    "OBJ_MEM": lambda w, g: _names(g.people[2:]),
    "MEMBER_CNT": lambda w, g: len(g.people),
    "LINK_URL": lambda w, g: f"https://research.sandbox.invalid/{g.term}{g.index:03d}",
}


@dataclass(frozen=True, slots=True)
class Year:
    """A group in one year."""

    group: ResearchGroup
    year: int

    def money(self, world: World, what: str, most: int) -> int:
        """A year's spending of one kind, in whole 10,000 won."""
        stream = world.measure("politics", "group_money", self.group.term, self.group.index, self.year, what)
        return stream.octave(20, most) * 10_000

    def activity(self, world: World, what: str) -> int:
        """How many events of one kind a year saw."""
        return world.measure("politics", "group_acts", self.group.term, self.group.index, self.year, what).octave(1, 16)


def _years(world: World, query: Query) -> Sequence[Year]:
    def build(w: World) -> tuple[Year, ...]:
        return tuple(Year(group, year) for group in research_groups(w) for year in reversed(YEARS[group.term]))

    return world.table("politics.group_years", build)


def _excellent(world: World, query: Query) -> Sequence[tuple[Year, int]]:
    """Up to twelve groups a year, by rank."""
    found: list[tuple[Year, int]] = []
    for year in (2025, 2024, 2023, 2022, 2021):
        pool = [y for y in _years(world, query) if y.year == year]
        stream = world.identity("politics", "excellent", year)
        found.extend((y, rank) for rank, y in enumerate(stream.sample(pool, 12), 1))
    return found


YEAR: Final[Columns] = {
    **through(GROUP, attrgetter("group")),
    "YEAR": lambda w, y: str(y.year),
    "REPORT_TITLE": lambda w, y: f"{y.year}년도 {y.group.name} 연구활동 결과보고서",
    "PDF_DOWN_URL": lambda w, y: f"https://research.sandbox.invalid/{y.group.term}{y.group.index:03d}/{y.year}.pdf",
    "REPORT_CLASSIFICATION_NM": lambda w, y: "연구활동 결과보고서",
    "MAJR": lambda w, y: y.group.field,
    "ORG_NM": lambda w, y: y.group.name,
    "NOR_ENTERATM": lambda w, y: y.money(w, "general", 700),
    "BUS_GOATM": lambda w, y: y.money(w, "business", 500),
    "SPE_WORKATM": lambda w, y: y.money(w, "special", 300),
    "POLICY_RESRCH_ATM": lambda w, y: y.money(w, "policy", 900),
}
_SUM_COLUMNS: Final = ("POL_RSC_RPT", "LEG_INIT", "SEMINAR", "CONF", "RESC")


def _sums(world: World, query: Query) -> Sequence[tuple[str, int]]:
    years = sorted({y.year for y in _years(world, query)}, reverse=True)
    return [(field, year) for year in years for field in _FIELDS]


def _total(what: str) -> Any:
    def build(world: World) -> dict[tuple[str, int], int]:
        found: dict[tuple[str, int], int] = {}
        for y in _years(world, Query("")):
            key = (y.group.field, y.year)
            found[key] = found.get(key, 0) + y.activity(world, what)
        return found

    def column(world: World, pair: tuple[str, int]) -> int:
        return world.table(f"politics.group_sums.{what}", build).get(pair, 0)

    return column


SUM: Final[Columns] = {
    "DIV": lambda w, pair: pair[0],
    "DIV2": lambda w, pair: str(pair[1]),
    **{name: _total(name) for name in _SUM_COLUMNS},
}
COUNT: Final[Columns] = {
    "GUBUN": lambda w, year: "등록",
    "YEAR": lambda w, year: str(year),
    "GROUP_CNT": lambda w, year: sum(y.year == year for y in _years(w, Query(""))),
}
EXCELLENT: Final[Columns] = {
    "YEAR": lambda w, e: str(e[0].year),
    "DIV": lambda w, e: "최우수" if e[1] <= 2 else "우수",
    "FLD": lambda w, e: e[0].group.field,
    "GRP": lambda w, e: e[0].group.name,
    "LAWMAKER": lambda w, e: e[0].group.people[0].name,
    "PRZ_MONEY": lambda w, e: 10_000_000 if e[1] <= 2 else 6_000_000,
}


def _groups(world: World, query: Query) -> Sequence[ResearchGroup]:
    return research_groups(world)


HANDLERS: Final[dict[str, Handler]] = {
    "O78HKE0010099W15881": serve(GROUP, _groups),
    "OEQ77R000942NL11530": serve(YEAR, _years),
    "O5VQRK0008587911609": serve(YEAR, _years),
    "ON9NSL000857D116126": serve(SUM, _sums),
    "OC0RRQ000852J210654": serve(COUNT, lambda world, query: tuple(range(2025, 2019, -1))),
    "OCXHYA000859TX17626": serve(EXCELLENT, _excellent),
}
