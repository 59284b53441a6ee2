"""Things decided about articles of laws: one shape for precedents, rulings, interpretations and opinions.

Whoever decides, a decision is about one article of one act, has a serial number by which it is
found, a case number and a day. Its columns differ from data set to data set; they are made by the
modules that know them.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.query import Handler, Query, Record, Rows
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.statutes.articles import Article, all_articles, plain_text
from kopa_hf.sandbox.statutes.laws import ACT, Edition, Law, laws
from kopa_hf.sandbox.statutes.listing import (
    Test,
    chosen,
    contains,
    fitted,
    initial_of,
    numbered,
    ordered,
    single,
    trimmed,
    within,
)
from kopa_hf.sandbox.statutes.wording import compact_day
from kopa_hf.sandbox.world import LAST_DAY, World

_TODAY: Final = LAST_DAY.toordinal()


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a data set."""

    target: str
    index: int
    serial: str
    title: str
    number: str
    day: str
    """YYYYMMDD."""
    law: Law
    kind: str = ""
    """Of what sort it is: 일반행정, 인용, …"""
    asker: str = ""
    """Who asked, or whose act was contested."""

    def stream(self, world: World) -> Stream:
        """Draws for its further columns."""
        return world.identity("statutes", "decision", self.target, self.index)


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set: how many, how to draw one, and its columns in lists and in full."""

    target: str
    count: int
    first_serial: int
    draw: Callable[[World, DataSet, int, Stream, Law], Decision]
    row: Callable[[World, Decision], Record]
    document: Callable[[World, Decision], Record]
    tests: Mapping[str, Test[Decision]]
    ministry: str = ""
    """Code of the ministry whose acts it is about; empty, or a ministry without acts: all."""


def decisions(world: World, data: DataSet) -> tuple[Decision, ...]:
    """All of a data set, by title."""

    def build(world: World) -> tuple[Decision, ...]:
        acts = acts_with_articles(world)
        acts = tuple(law for law in acts if law.ministry.code == data.ministry) or acts
        found = []
        for index in range(world.count(data.count, 3)):
            stream = world.identity("statutes", data.target, index)
            found.append(data.draw(world, data, index, stream, stream.choice(acts)))
        return tuple(sorted(found, key=lambda d: (d.title, d.serial)))

    return world.table(f"statutes.decisions.{data.target}", build)


def acts_with_articles(world: World) -> tuple[Law, ...]:
    """The acts in force."""
    return world.table(
        "statutes.acts", lambda w: tuple(law for law in laws(w) if law.level == ACT and law.current is not None)
    )


def day_for(stream: Stream, law: Law, years: int = 18) -> str:
    """A day after the act took effect, at most so many years ago."""
    enacted = datetime.date.fromisoformat(law.editions[0].effective).toordinal()
    first = min(max(enacted + 60, _TODAY - years * 365), _TODAY - 12)
    return compact_day(stream.between(first, _TODAY - 7))


def earlier(day: str, days: int) -> str:
    """So many days before a day."""
    return compact_day(datetime.date.fromisoformat(day).toordinal() - days)


def cited(world: World, decision: Decision) -> tuple[str, str]:
    """(「누리빈집 관리법」 제7조, the article's text at the time): what the decision is about."""
    edition = in_force(decision.law, decision.day)
    article = article_at(world, decision.law, decision.day, decision.index)
    return f"「{decision.law.name}」 {article.label}", plain_text(edition, article)


def article_at(world: World, law: Law, day: str, index: int) -> Article:
    """The article that a law's n-th decision of a day is about: one that was there."""
    edition = in_force(law, day)
    articles = [a for a in all_articles(world, law) if a.created <= edition.ordinal]
    return articles[index % len(articles)]


def in_force(law: Law, day: str) -> Edition:
    """The edition in force on a day; the first one before it took effect."""
    return next((e for e in reversed(law.editions) if e.effective <= day), law.editions[0])


def _found(world: World, query: Query, data: DataSet) -> Sequence[Decision]:
    tests: Mapping[str, Test[Decision]] = {
        "query": lambda d, v: contains(d.title, v),
        "gana": lambda d, v: initial_of(d.title) == v,
        **data.tests,
    }
    if query.get("search", "1") == "2":  # in the text: the title, or the act that it is about
        tests = {**tests, "query": lambda d, v: contains(d.title, v) or contains(d.law.name, v)}
    keys: Mapping[str, Callable[[Decision], Any]] = {
        "l": lambda d: d.title,
        "d": lambda d: d.day,
        "n": lambda d: d.number,
        "ef": lambda d: d.day,
    }
    return ordered(chosen(decisions(world, data), query, tests), query, keys)


def handlers_of(data: DataSet, *, mobile: bool = False, documents: bool = True) -> dict[str, Handler]:
    """List and document of a data set under the names of their operations."""

    def listed(world: World, query: Query) -> Rows:
        return numbered(_found(world, query, data), lambda d: trimmed(fitted(data.row(world, d), query), query))

    def document(world: World, query: Query) -> Rows:
        by_serial = world.table(f"statutes.serials.{data.target}", lambda w: {d.serial: d for d in decisions(w, data)})
        decision = by_serial.get(query.get("ID"))
        if decision is None:
            return single(None)
        return single(trimmed(fitted(data.document(world, decision), query), query))

    found: dict[str, Handler] = {f"lawSearch/{data.target}": listed}
    if documents:
        found[f"lawService/{data.target}"] = document
    if mobile:
        found[f"lawSearch/{data.target}/mobile"] = listed
    return found


def serial_of(data: DataSet, index: int) -> str:
    """The serial number of a data set's n-th decision."""
    return str(data.first_serial + index * 2 + index % 2)


def on(value: Callable[[Decision], str]) -> Test[Decision]:
    """A filter by one day."""
    return lambda d, v: value(d) == v


def between(value: Callable[[Decision], str]) -> Test[Decision]:
    """A filter by a span of days."""
    return lambda d, v: within(value(d), v)
