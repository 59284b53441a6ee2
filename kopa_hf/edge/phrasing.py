"""Korean questions for executed paths, from frames that are used evenly.

A question is an opening (where to look), a body (conditions, links, branches) and a
closing (what is asked, in one register). Each structure takes the frames that it
has used least, so none of them marks more than a small share of its rows.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kopa_hf.bench.korean import particle, with_particle
from kopa_hf.catalog.tool import Tool
from kopa_hf.edge import frames
from kopa_hf.edge.amounts import grouped, spoken_amount
from kopa_hf.edge.asking import Ask
from kopa_hf.edge.clauses import asked, chosen, conditions, interrogative, is_base_time, said_of, source
from kopa_hf.edge.draft import DraftError
from kopa_hf.edge.frames import Form
from kopa_hf.edge.labels import spoken_label
from kopa_hf.edge.mentions import Mention, spoken_platform
from kopa_hf.edge.story import Hop, Start, Story
from kopa_hf.edge.things import ANY_ROW, figure_of, is_holder, names_entity, row_noun

P = with_particle


@dataclass(frozen=True, slots=True)
class Phrased:
    """A question with the parts it was made of."""

    text: str
    template: str
    """The frame: form of the story, opening, body, closing."""
    register: str = ""
    """formal, polite, plain or written."""


@dataclass(slots=True)
class Usage:
    """How often each frame was used, by structure; the memory that keeps frames even."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def of(self, structure: str) -> Counter[str]:
        """The counter of one structure."""
        return self.counts.setdefault(structure, Counter())


def largest_share(templates: Iterable[tuple[str, str]]) -> dict[str, float]:
    """Structure → share of its rows that its most frequent template carries; pairs are (structure, template)."""
    counts: dict[str, Counter[str]] = {}
    for structure, template in templates:
        counts.setdefault(structure, Counter())[template] += 1
    return {name: max(found.values()) / found.total() for name, found in counts.items()}


def phrase(story: Story, rng: random.Random, structure: str = "", usage: Usage | None = None) -> Phrased:
    """The question of a story, in a frame that its structure has used least so far.

    Raises `DraftError` where it would ask for the very thing that it looks for: which 의안명 has the 의안?
    """
    if any(names_entity(ask.label, hop.entity) for ask in story.asks if ask.label for hop in story.hops[-2:]):
        raise DraftError("what is asked for is the name of what was looked for")
    chosen_by = {spoken_label(hop.narrowing.column) for hop in story.hops if hop.narrowing is not None}
    if chosen_by & {ask.label for ask in story.asks}:
        raise DraftError("what is asked for has told already which one is meant")
    bodies, closings = _FRAMES[story.form]
    used = (usage if usage is not None else Usage()).of(structure or story.form)
    combined = [
        (opening, body, closing)
        for opening in range(len(frames.OPENINGS))
        for body in range(len(bodies))
        for closing in range(len(closings))
        if frames.OPENINGS[opening].register in ("", closings[closing].register)
    ]
    # The rarest frames first; parts are drawn evenly, whatever the number of their combinations.
    rng.shuffle(combined)
    least = min(combined, key=lambda parts: used[_template(story.form, parts)])
    template = _template(story.form, least)
    used[template] += 1
    closing = closings[least[2]]
    writer = _Writer(rng, bodies[least[1]], closing)
    rest, said = {
        "chain": writer.chain,
        "shared": writer.shared,
        "compare": writer.compare,
        "compare_days": writer.compare_days,
        "contrast": writer.contrast,
        "joined": writer.joined,
        "branch": writer.branch,
        "fork": writer.fork,
    }[story.form](story)
    text = _open(frames.OPENINGS[least[0]], story.starts[0], rest, said)
    return Phrased(" ".join(text.split()), template, closing.register)


def _template(form: str, parts: tuple[int, int, int]) -> str:
    opening, body, closing = parts
    return f"{form}/o{opening}.b{body}.c{closing}"


def _open(opening: Form, start: Start, rest: str, whole_source: str) -> str:
    return _fill(opening.text, platform=spoken_platform(start.tool), source=whole_source, rest=rest)


Told = tuple[str, str]
"""What follows the opening, and the data that the opening names."""


class _Writer:
    """Puts one story into the body and closing that were chosen for it."""

    def __init__(self, rng: random.Random, body: str, closing: Form) -> None:
        self.rng = rng
        self.body = body
        self.closing = closing

    def pick(self, forms: Sequence[str]) -> str:
        return self.rng.choice(forms)

    def conditions(self, mentions: Sequence[Mention], noun: str = "") -> str:
        return conditions(mentions, self.rng, noun)

    # chains

    def chain(self, story: Story) -> Told:
        parts, said = self.links(story, story.hops)
        last = story.hops[-1].tool if story.hops else story.starts[0].tool
        parts.append(self.close(story.asks[0], row_noun(last), said))
        return " ".join(parts), source(story.starts[0].tool)

    def links(self, story: Story, hops: Sequence[Hop]) -> tuple[list[str], str]:
        """The way along the hops, and the conditions that the last of them adds."""
        parts: list[str] = []
        said, tool = self.conditions(story.starts[0].mentions, _noun(hops)), story.starts[0].tool
        for number, hop in enumerate(hops):
            there = self.pick(frames.THERE) if number and hop.narrowing is None else ""
            several = hop.junction.kind == "FAN" or (hop.narrowing is not None and len(hop.narrowing.values) > 1)
            named = hop.narrowing is None and _called(story.starts[0].mentions if not number else (), hop.entity)
            form = self.pick(frames.LINKS_EACH if several else frames.LINKS_ONE if named else frames.LINKS_FOUND)
            entity = self.entity(hop, f"{there} {said}".strip(), tool, named=named)
            which = interrogative(Ask("field", None, "text", label=hop.entity))
            parts.append(_fill(form, entity=entity, noun=hop.entity, source=source(hop.tool), which=which))
            said, tool = self.conditions(hop.mentions, _noun(hops[number + 1 :])), hop.tool
        return parts, said

    def entity(self, hop: Hop, said: str, tool: Tool, *, named: bool = False) -> str:
        """The connecting thing with everything that sets it apart."""
        narrowing = hop.narrowing
        if narrowing is None:
            of = "" if named or not said.endswith("인") else _bearer(tool, hop.entity, "name")
            return " ".join(f"{said} {of} {hop.entity}".split())
        head = narrowing.head
        among = f"맨 앞 {grouped(str(head))}건 가운데" if head else ""
        if head and said.endswith("인"):
            among = f"자료의 {among}"
        if narrowing.as_value:
            said = f"{said} 자료 가운데" if said and not among else said
            return " ".join(f"{said} {among} {self.pick(frames.MOST)} {hop.entity}".split())
        # one condition goes on in the next: …이고 …인
        joined = f"{said[:-1]}이고" if said.endswith("인") and not among else said
        own = narrowing.operation == "filter" and names_entity(spoken_label(narrowing.column), hop.entity)
        of = "" if own else _bearer(tool, hop.entity, narrowing.kind)
        return " ".join(f"{joined} {among} {chosen(narrowing)} {of} {hop.entity}".split())

    def close(self, ask: Ask, noun: str, said: str) -> str:
        return self.end(said_of(said, asked(ask, noun), noun), interrogative(ask))

    def end(self, what: str, wh: str) -> str:
        plain = f"{wh[:-2]}뭐야" if wh.endswith("무엇") else f"{wh}{'이야' if particle(wh, '이/가') == '이' else '야'}"
        form = self.closing.text
        if wh.startswith("각각"):
            form = form.replace("{what:을/를} ", "{what:을/를} 모두 ")
        return _fill(form, what=what, wh=wh, wh_plain=plain)

    # two answers

    def shared(self, story: Story) -> Told:
        *before, left, right = story.hops
        parts, said = self.links(story, before)
        tool = before[-1].tool if before else story.starts[0].tool
        there = self.pick(frames.THERE) if before and left.narrowing is None else ""
        named = left.narrowing is None and _called(() if before else story.starts[0].mentions, left.entity)
        entity = self.entity(left, f"{there} {said}".strip(), tool, named=named)
        pair = self.pair(((left.tool, left.mentions), (right.tool, right.mentions)), story.asks)
        body = _fill(self.pick(frames.SHARED), entity=entity, noun=left.entity, pair=self.in_order(pair, story.asks))
        return " ".join([*parts, body]), source(story.starts[0].tool)

    def joined(self, story: Story) -> Told:
        first, second = story.starts
        how = story.details.get("how", "list")
        for_all = self.for_all("두", story.details.get("shared") or ())
        said = self.conditions(first.mentions)
        one = said_of(said, asked(story.asks[0], row_noun(first.tool)), row_noun(first.tool))
        other = self.elsewhere(second, story.asks[1], first, "의")
        pair = f"{P(one, '과/와')} {other}"
        if how == "list":
            return f"{self.in_order(pair, story.asks)} {for_all}", source(first.tool)
        what = _fill(self.pick(frames.SUMS if how == "sum" else frames.GAPS), pair=pair)
        return _fill("{what:을/를} {verb} {all}", what=what, verb=self.closing.text, all=for_all), source(first.tool)

    def for_all(self, number: str, shared: Sequence[Mention]) -> str:
        """The sentence that says what holds for all data; nothing where nothing does."""
        if not shared:
            return ""
        return _fill(frames.FOR_ALL[self.closing.register], all=number, shared=self.conditions(shared))

    def pair(self, sides: Sequence[tuple[Tool, Sequence[Mention]]], asks: Sequence[Ask]) -> str:
        told = [
            f"{source(tool)}의 {said_of(self.conditions(mentions), asked(ask, row_noun(tool)), row_noun(tool))}"
            for (tool, mentions), ask in zip(sides, asks, strict=True)
        ]
        return " ".join(f"{P(told[0], '과/와')} {told[1]}".split())

    def in_order(self, pair: str, asks: Sequence[Ask]) -> str:
        words = {interrogative(ask).removeprefix("각각 ") for ask in asks}
        wh = words.pop() if len(words) == 1 else "어떻게 되는지"
        form = self.body.replace("{wh}인지", wh) if wh.endswith("는지") else self.body
        return _fill(form, pair=pair, verb=self.closing.text, wh=wh)

    # comparisons

    def compare(self, story: Story) -> Told:
        first, second = story.details["sides"]
        hop, ask = story.hops[0], story.asks[0]
        what = _fill(
            self.body,
            said=self.conditions(story.starts[0].mentions),
            pair=self.sides(first, second),
            noun=hop.entity,
            source=source(hop.tool),
            terms=self.conditions(hop.mentions),
            label=ask.label,
        )
        return self.end(" ".join(what.split()), interrogative(ask)), source(story.starts[0].tool)

    def compare_days(self, story: Story) -> Told:
        first, second = (m.text for m in story.starts[0].mentions)
        tool, ask = story.starts[0].tool, story.asks[0]
        column, name = story.details["column"], story.details["name"]
        noun = row_noun(tool)
        what = _fill(self.body, column=column, name=name, label=ask.label, first=first, second=second, noun=noun)
        return self.end(what, interrogative(ask)), source(tool)

    def contrast(self, story: Story) -> Told:
        first, second = story.details["sides"]
        tool, ask = story.starts[0].tool, story.asks[0]
        larger = story.details.get("how") == "larger"
        body = self.pick(frames.LARGER) if larger else self.body
        what = _fill(
            body,
            said=self.conditions(story.starts[0].mentions),
            pair=self.sides(first, second),
            asked=asked(ask, row_noun(tool)),
        )
        return self.end(" ".join(what.split()), interrogative(ask)), source(tool)

    def sides(self, first: Mention, second: Mention) -> str:
        """Two values of one input: 노선 '가온선'과 '나온선', 선고일자가 2025년 1월 3일인 경우와 …인 경우."""
        if first.kind == "term":
            return f"{first.text} 국회와 {second.text} 국회"
        if first.kind in ("date", "month", "year"):
            if is_base_time(first.label):
                return f"{P(first.text, '과/와')} {second.text}"
            return f"{P(first.label, '이/가')} {first.text}인 경우와 {second.text}인 경우"
        label = first.label.removesuffix("명") if len(first.label) > 2 else first.label
        one = f"'{first.text}'"
        return f"{label} {P(one, '과/와')} '{second.text}'"

    # branches

    def branch(self, story: Story) -> Told:
        (yes, no), (first, second) = story.hops, story.asks
        details = story.details
        judging: Hop | None = details["judging"]
        label = str(details["label"])
        if judging is not None:
            label = " ".join(f"{source(judging.tool)}의 {self.conditions(judging.mentions)} {label}".split())
        told = _fill(
            self.body,
            what=f"{self.conditions(story.starts[0].mentions, yes.entity)} {yes.entity}".strip(),
            label=label,
            bound=spoken_amount(str(details["bound"]), details["unit"]),
            left=self.side(yes, first),
            right=self.side(no, second),
            verb=self.closing.text,
        )
        return told, source(story.starts[0].tool)

    def fork(self, story: Story) -> Told:
        """One stated value goes to three tools: the first one's figure decides which of the others is asked."""
        first = story.starts[0]
        for_all = self.for_all("세", story.details["shared"])
        deciding = story.asks[0]
        sides = [self.elsewhere(start, ask, first) for start, ask in zip(story.starts[1:], story.asks[1:], strict=True)]
        told = _fill(
            self.body,
            what=said_of(self.conditions(first.mentions), asked(deciding, row_noun(first.tool)), row_noun(first.tool)),
            bound=spoken_amount(str(story.details["bound"]), deciding.unit),
            left=sides[0],
            right=sides[1],
            verb=self.closing.text,
        )
        return f"{told} {for_all}", source(first.tool)

    def elsewhere(self, start: Start, ask: Ask, first: Start, of: str = "에서") -> str:
        """What is asked of another tool; its platform is named where it is not the first one's."""
        platform = spoken_platform(start.tool)
        where = "" if platform == spoken_platform(first.tool) else f"{platform}의 "
        what = said_of(self.conditions(start.mentions), asked(ask, row_noun(start.tool)), row_noun(start.tool))
        return f"{where}{source(start.tool)}{of} {what}"

    def side(self, hop: Hop, ask: Ask) -> str:
        what = said_of(self.conditions(hop.mentions), ask.label, row_noun(hop.tool))
        return f"{source(hop.tool)}의 {what}"


_FRAMES: Final[Mapping[str, tuple[tuple[str, ...], tuple[Form, ...]]]] = {
    "chain": (("",), frames.CLOSINGS),
    "shared": (frames.PAIRS, frames.VERBS),
    "joined": (frames.PAIRS, frames.VERBS),
    "compare": (frames.COMPARED, frames.CLOSINGS),
    "compare_days": (frames.DAYS, frames.CLOSINGS),
    "contrast": (frames.CONTRASTS, frames.CLOSINGS),
    "branch": (frames.BRANCHES, frames.VERBS),
    "fork": (frames.FORKS, frames.VERBS),
}
"""Form of a story → its bodies and its closings; every combination with an opening is one frame."""


def _noun(hops: Sequence[Hop]) -> str:
    """What the next hop goes on from without a choice in between; nothing where none follows."""
    return hops[0].entity if hops and hops[0].narrowing is None else ""


def _called(mentions: Sequence[Mention], entity: str) -> bool:
    """True where the question calls the thing by its own name: 의안명이 '가법'인 의안, 가온시 지역."""
    return any(names_entity(mention.label, entity) for mention in mentions)


def _bearer(tool: Tool, entity: str, kind: str) -> str:
    """Whose attribute a condition is, where it is not the connecting thing's: a report's day, not its department's."""
    noun = row_noun(tool)
    if noun != ANY_ROW:
        return "" if noun.endswith(entity) else f"{noun}의"
    return f"{noun}의" if kind != "measure" and is_holder(entity) else ""


def reply_for(ask: Ask, rng: random.Random | None = None) -> str:
    """A golden final sentence, `{answer}` in it."""
    number = figure_of(ask.unit)
    figure = ask.label or (f"{P(ask.by, '이/가')} '{ask.pivot}'인 {number}" if ask.pivot else number)
    told = {"count": f"전체 {number}", "count_where": figure, "each_count": f"{number}의 합계"}.get(ask.kind) or asked(
        ask
    )
    what = {
        "difference": f"{figure}의 차이",
        "larger": f"둘 중 더 큰 {figure}",
        "list": "두 값",
        "branch": "해당하는 값",
    }.get(ask.kind, told)
    form = rng.choice(frames.REPLIES) if rng is not None else frames.REPLIES[0]
    # {answer} stays a place; braces of a label would be one, too
    return _fill(form, what=re.sub(r"[{}]", "", what))


def _fill(form: str, **words: Any) -> str:
    """Put words in, each with the particle that its place names; places without a word stay."""

    def put(found: re.Match[str]) -> str:
        if found[1] not in words:
            return found[0]
        word, pair = str(words[found[1]]), found[2]
        return P(word, pair) if pair else word

    return re.sub(r"\{(\w+)(?::([^}]+))?\}", put, form)
