"""Lists of laws: by promulgation, by day of effect, in English, by abbreviation, changed on a day, and by class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from kopa_hf.sandbox.query import Handler, Query, Record, Rows
from kopa_hf.sandbox.statutes.english import english_name
from kopa_hf.sandbox.statutes.laws import (
    DECREE,
    Edition,
    current_editions,
    edition_by_mst,
    editions,
    law_by_id,
    law_by_name,
)
from kopa_hf.sandbox.statutes.listing import Test, chosen, contains, fitted, initial_of, link, numbered, ordered, within
from kopa_hf.sandbox.world import LAST_DAY, World

_CHANGES: Final = {
    "300201": "제정", "300202": "일부개정", "300203": "전부개정", "300204": "폐지", "300205": "폐지제정",
    "300206": "일괄개정", "300207": "일괄폐지", "300208": "기타", "300209": "타법개정", "300210": "타법폐지",
}  # fmt: skip
_STATES: Final = {"1": "연혁", "2": "시행예정", "3": "현행"}
_SORTS: Final[Mapping[str, Callable[[Edition], Any]]] = {
    "l": lambda e: e.law.name,
    "d": lambda e: e.promulgated,
    "n": lambda e: e.number,
    "ef": lambda e: e.effective,
}


def titled(edition: Edition, wanted: str) -> bool:
    """Whether a law's name or abbreviation holds a word."""
    return contains(edition.law.name, wanted) or contains(edition.law.abbreviation, wanted)


TESTS: Final[Mapping[str, Test[Edition]]] = {
    "query": titled,
    "LID": lambda e, v: e.law.law_id == v,
    "ID": lambda e, v: e.law.law_id == v,
    "efYd": lambda e, v: within(e.effective, v),
    "date": lambda e, v: e.promulgated == v,
    "ancYd": lambda e, v: within(e.promulgated, v),
    "ancNo": lambda e, v: within(e.number, v),
    "nb": lambda e, v: within(e.number, v),
    "rrClsCd": lambda e, v: e.change == _CHANGES.get(v),
    "org": lambda e, v: e.law.ministry.code == v,
    "gana": lambda e, v: initial_of(e.law.name) == v,
    "nw": lambda e, v: e.state in {_STATES.get(part.strip()) for part in v.split(",")},
}
"""What the lists of laws filter by."""


def found(items: Sequence[Edition], query: Query) -> Sequence[Edition]:
    """The editions that a query asks for, in its order."""
    tests: Mapping[str, Test[Edition]] = TESTS
    if query.get("search", "1") == "2":  # in the text: what it is about, or its name
        tests = {**TESTS, "query": lambda e, v: titled(e, v) or contains(e.law.ministry.name, v)}
    return ordered(chosen(items, query, tests), query, _SORTS)


def row(edition: Edition, target: str, *, code_first: bool) -> Record:
    """A row of the main lists; the two spell ministry and code in different order."""
    law = edition.law
    ministry = {"소관부처코드": law.ministry.code, "소관부처명": law.ministry.name}
    if not code_first:
        ministry = dict(reversed(ministry.items()))
    return {
        "법령일련번호": edition.mst,
        "현행연혁코드": edition.state,
        "법령명한글": law.name,
        "법령약칭명": law.abbreviation,
        "법령ID": law.law_id,
        "공포일자": edition.promulgated,
        "공포번호": edition.number,
        "제개정구분명": edition.change,
        **ministry,
        "법령구분명": law.kind,
        "공동부령정보": "",
        "시행일자": edition.effective,
        "자법타법여부": "타법" if edition.change == "타법개정" else "",
        "법령상세링크": link(
            "lawService", target=target, MST=edition.mst, type="HTML", mobileYn="", efYd=edition.effective
        ),
    }


def _effective(world: World, query: Query) -> Rows:
    return numbered(found(editions(world), query), lambda e: row(e, "eflaw", code_first=True))


def _promulgated(world: World, query: Query) -> Rows:
    return numbered(found(current_editions(world), query), lambda e: row(e, "law", code_first=False))


def _mobile(world: World, query: Query) -> Rows:
    return numbered(found(current_editions(world), query), lambda e: fitted(row(e, "law", code_first=False), query))


def translated(world: World) -> tuple[Edition, ...]:
    """Laws in force that have been put into English."""
    return world.table(
        "statutes.english", lambda w: tuple(e for e in current_editions(w) if int(e.law.law_id) % 10 < 6)
    )


def _english(world: World, query: Query) -> Rows:
    def make(edition: Edition) -> Record:
        record = row(edition, "elaw", code_first=False) | {"법령명영문": english_name(edition.law)}
        return fitted(record, query)

    return numbered(found(translated(world), query), make)


def _changes(world: World, query: Query) -> Rows:
    """What was promulgated or took effect on a day."""
    day = query.get("regDt")
    items = chosen(_of_day(world, day), query, {"org": TESTS["org"]})
    return numbered(items, lambda e: fitted(row(e, "law", code_first=True), query))


def _of_day(world: World, day: str) -> Sequence[Edition]:
    def build(world: World) -> dict[str, list[Edition]]:
        by_day: dict[str, list[Edition]] = {}
        for edition in editions(world):
            for changed in dict.fromkeys((edition.promulgated, edition.effective)):
                by_day.setdefault(changed, []).append(edition)
        return by_day

    return world.table("statutes.by_day", build).get(day, ()) if day else ()


def _registered(edition: Edition) -> str:
    """When an abbreviation was registered: the day its law was enacted, or the register's first day."""
    return max(edition.law.editions[0].promulgated, "20131227")


def _abbreviations(world: World, query: Query) -> Rows:
    items = [e for e in current_editions(world) if e.law.abbreviation]
    first, last = query.get("stdDt", "0"), query.get("endDt", "9")
    items = [e for e in items if first <= _registered(e) <= last]
    items.sort(key=lambda e: e.law.abbreviation)

    def make(edition: Edition) -> Record:
        return fitted(row(edition, "law", code_first=False) | {"등록일": _registered(edition)}, query)

    return numbered(items, make)


def _diagrams(world: World, query: Query) -> Rows:
    def make(edition: Edition) -> Record:
        record = row(edition, "lsStmd", code_first=True)
        own = {
            "법령명": edition.law.name,
            "본문상세링크": link("lawService", target="lsStmd", MST=edition.mst, type="HTML"),
        }
        return fitted(record | own, query)

    families = world.table(
        "statutes.families", lambda w: tuple(e for e in current_editions(w) if e.law.parent or e.law.children)
    )
    return numbered(found(families, query), make)


def amended(world: World) -> tuple[Edition, ...]:
    """Current editions that amended an earlier one: they have an old text to compare with."""
    return world.table("statutes.amended", lambda w: tuple(e for e in current_editions(w) if e.ordinal > 0))


def _old_new(world: World, query: Query) -> Rows:
    def make(edition: Edition) -> Record:
        record = row(edition, "oldAndNew", code_first=True)
        own = {
            "신구법일련번호": edition.mst,
            "현행연혁구분": edition.state,
            "신구법명": edition.law.name,
            "신구법ID": edition.law.law_id,
            "신구법상세링크": link("lawService", target="oldAndNew", MST=edition.mst, type="HTML"),
        }
        return fitted(record | own, query)

    return numbered(found(amended(world), query), make)


def three_tiered(world: World) -> tuple[Edition, ...]:
    """Acts in force that have a decree in force."""

    def build(world: World) -> tuple[Edition, ...]:
        with_decree = (e for e in current_editions(world) if any(c.level == DECREE for c in e.law.children))
        return tuple(e for e in with_decree if e.law.children[0].current is not None)

    return world.table("statutes.three_tiered", build)


def _three_way(world: World, query: Query) -> Rows:
    def make(edition: Edition) -> Record:
        record = row(edition, "thdCmp", code_first=True)
        links = {
            f"{name}_삼단비교상세링크": link("lawService", target="thdCmp", MST=edition.mst, knd=knd, type="HTML")
            for name, knd in (("인용조문", "1"), ("위임조문", "2"))
        }
        return fitted(record | {"삼단비교일련번호": edition.mst} | links, query)

    return numbered(found(three_tiered(world), query), make)


def _one_view(world: World, query: Query) -> Rows:
    def make(edition: Edition) -> Record:
        own = {
            "법령명": edition.law.name,
            "제공건수": str(1 + int(edition.law.law_id) % 4),
            "제공일자": min(edition.effective, LAST_DAY.strftime("%Y%m%d")),
        }
        return fitted(row(edition, "oneview", code_first=True) | own, query)

    return numbered(chosen(viewed(world), query, {"query": titled}), make)


def viewed(world: World) -> tuple[Edition, ...]:
    """Laws that have a 한눈보기."""
    return world.table(
        "statutes.viewed", lambda w: tuple(e for e in current_editions(w) if int(e.law.law_id) % 25 == 3)
    )


def classed(items: Sequence[Edition], vcode: str) -> Sequence[Edition]:
    """The laws of a class code: L and 13 digits whose last two choose one part of twenty."""
    if len(vcode) != 14 or not vcode.startswith("L") or not vcode[1:].isdigit():
        return ()
    return [e for e in items if int(e.law.law_id) % 20 == int(vcode[-2:]) % 20]


def _custom(world: World, query: Query) -> Rows:
    items = classed(current_editions(world), query.get("vcode"))
    return numbered(items, lambda e: fitted(row(e, "law", code_first=False), query))


def law_of(world: World, query: Query) -> Edition | None:
    """The edition that ID, MST or LM name; with `efYd` the one that takes effect that day."""
    if mst := query.get("MST"):
        edition = edition_by_mst(world).get(mst)
        return edition if edition is None or not _contradicts(edition, query) else None
    law = law_by_id(world).get(query.get("ID"))
    if law is None and (name := query.get("LM")):
        law = law_by_name(world).get(name)
    if law is None:
        return None
    if day := query.get("efYd"):
        return next((e for e in law.editions if e.effective == day), None)
    if day := query.get("LD"):
        return next((e for e in law.editions if e.promulgated == day), None)
    return law.current or law.editions[-1]


def _contradicts(edition: Edition, query: Query) -> bool:
    named, day = query.get("ID"), query.get("efYd")
    return (bool(named) and named != edition.law.law_id) or (bool(day) and day != edition.effective)


HANDLERS: Final[dict[str, Handler]] = {
    "lawSearch/eflaw": _effective,
    "lawSearch/law": _promulgated,
    "lawSearch/law/mobile": _mobile,
    "lawSearch/elaw": _english,
    "lawSearch/lsHstInf": _changes,
    "lawSearch/lsAbrv": _abbreviations,
    "lawSearch/lsStmd": _diagrams,
    "lawSearch/oldAndNew": _old_new,
    "lawSearch/thdCmp": _three_way,
    "lawSearch/oneview": _one_view,
    "lawSearch/couseLs": _custom,
}
