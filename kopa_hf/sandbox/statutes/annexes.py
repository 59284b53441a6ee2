"""Annexes and forms of laws, administrative rules and local ordinances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.query import Handler, Query, Record, Rows
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.statutes.laws import ACT, RULE, Edition, current_editions
from kopa_hf.sandbox.statutes.listing import Test, chosen, contains, initial_of, link, numbered
from kopa_hf.sandbox.world import World

_TITLES: Final = {
    ACT: ("수수료의 종류",),
    "대통령령": ("등록의 기준", "과태료의 부과기준", "보조금의 지급 기준", "안전점검의 대상", "업무의 위임 범위"),
    RULE: ("등록신청서", "행정처분의 기준", "교육의 내용과 시간", "변경신고서", "안전점검 결과보고서", "자격증"),
}
KINDS: Final = {"1": "별표", "2": "서식", "3": "별지", "4": "별도", "5": "부록"}


@dataclass(frozen=True, slots=True)
class Annex:
    """One annex or form of an edition."""

    serial: str
    title: str
    number: int
    branch: int
    kind: str
    """별표 or 서식."""

    @property
    def file(self) -> str:
        """Where its file would be."""
        return f"/LSW/flDownload.do?flSeq={self.serial}"

    def unit(self) -> dict[str, Any]:
        """As a law's body nests it."""
        return {
            "별표키": f"{self.number:04d}{self.branch:02d}E",
            "별표번호": f"{self.number:04d}",
            "별표가지번호": f"{self.branch:02d}",
            "별표구분": self.kind,
            "별표제목": self.title,
            "별표서식파일링크": self.file,
            "별표HWP파일명": f"{self.serial}.hwp",
            "별표서식PDF파일링크": f"{self.file}1",
            "별표PDF파일명": f"{self.serial}.pdf",
            "별표이미지파일명": "",
            "별표내용": [[f"[{self.kind} {self.number}]", self.title]],
        }

    def short_unit(self) -> dict[str, Any]:
        """As an administrative rule's body nests it."""
        return {
            "별표키": f"{self.number:04d}{self.branch:02d}E",
            "별표번호": f"{self.number:04d}",
            "별표가지번호": f"{self.branch:02d}",
            "별표구분": self.kind,
            "별표제목": self.title,
            "별표서식파일링크": self.file,
            "별표서식PDF파일링크": f"{self.file}1",
            "별표내용": f"[{self.kind} {self.number}] {self.title}",
        }


def draw_annexes(stream: Stream, titles: tuple[str, ...], base: int, most: int) -> tuple[Annex, ...]:
    """Up to so many annexes with serials from `base` on; forms are those whose title is a paper."""
    count = stream.between(0, min(most, len(titles)))
    found: list[Annex] = []
    for position, title in enumerate(stream.sample(titles, count)):
        form = title.endswith(("서", "증"))
        number = sum(a.kind == ("서식" if form else "별표") for a in found) + 1
        found.append(Annex(str(base + position), title, number, 0, "서식" if form else "별표"))
    return tuple(found)


def annexes_of(world: World, edition: Edition) -> tuple[Annex, ...]:
    """The annexes of a law, the same in all its editions."""
    stream = world.identity("statutes", "annexes", edition.law.index)
    return draw_annexes(stream, _TITLES[edition.law.level], 3_000_000 + edition.law.index * 8, 6)


def _of_laws(world: World) -> tuple[tuple[Edition, Annex], ...]:
    def build(world: World) -> tuple[tuple[Edition, Annex], ...]:
        pairs = [(e, a) for e in current_editions(world) for a in annexes_of(world, e)]
        return tuple(sorted(pairs, key=lambda p: (p[1].title, p[0].law.name)))

    return world.table("statutes.law_annexes", build)


def by_scope(query: Query, title: Callable[[Any], str], owner: Callable[[Any], str]) -> Mapping[str, Test[Any]]:
    """The search word in the annex's title, or with `search=2` in the name of the law it belongs to."""
    place = owner if query.get("search", "1") == "2" else title
    return {
        "query": lambda item, value: contains(place(item), value),
        "gana": lambda item, value: initial_of(title(item)) == value,
    }


def _laws(world: World, query: Query) -> Rows:
    tests = {
        **by_scope(query, lambda p: p[1].title, lambda p: p[0].law.name),
        "org": lambda p, v: p[0].law.ministry.code == v,
        "knd": lambda p, v: p[1].kind == KINDS.get(v),
    }

    def make(pair: tuple[Edition, Annex]) -> Record:
        edition, annex = pair
        return {
            "별표일련번호": annex.serial,
            "관련법령일련번호": edition.mst,
            "관련법령ID": edition.law.law_id,
            "별표명": annex.title,
            "관련법령명": edition.law.name,
            "별표번호": f"{annex.number:04d}{annex.branch:02d}",
            "별표종류": annex.kind,
            "소관부처명": edition.law.ministry.name,
            "공포일자": edition.promulgated,
            "공포번호": edition.number,
            "제개정구분명": edition.change,
            "법령종류": edition.law.kind,
            "별표서식파일링크": annex.file,
            "별표서식PDF파일링크": f"{annex.file}1",
            "별표법령상세링크": link("lawService", target="law", MST=edition.mst, type="HTML"),
        }

    return numbered(chosen(_of_laws(world), query, tests), make)


HANDLERS: Final[dict[str, Handler]] = {"lawSearch/licbyl": _laws}
