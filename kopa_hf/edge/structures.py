"""Composers of sketches that follow edges: chains (SEQ, FAN, DRV, MIXED) and chains that end in a pair (MIXED)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from kopa_hf.edge.asking import Ask, ask_about
from kopa_hf.edge.draft import Done, Draft, DraftError
from kopa_hf.edge.graph import Edge
from kopa_hf.edge.story import Connection, Hop, Sketch, Start, Story
from kopa_hf.edge.trajectory import Junction
from kopa_hf.edge.workshop import Workshop

_ANCHORED: Final = {"SEQ": 0.9, "FAN": 0.6, "DRV": 0.05, "MIXED": 0.1}
"""Probability that the first call is narrowed by a name: a narrowed list has few values."""
_LENGTHS: Final = {"SEQ": (1, 1, 1, 2), "FAN": (1,), "DRV": (1, 1, 1, 2), "MIXED": (2,)}
"""Edges that a chain walks, drawn evenly."""
_PAIR: Final = 2
_PAIRED: Final = 0.95
"""How often a MIXED sketch ends in a pair: its junctions tend to lead from many, those of longer chains from one."""
_PAIR_AFTER_HOP: Final = 0.05
_SEEN_FEW: Final = 0.5
"""How often a FAN sketch keeps to edges that were seen to pass few values; the others widen the choice."""
_FIELDS_TRIED: Final = 2
_TARGETS_TRIED: Final = 6


def compose_chain(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """A path of one to three edges; its junctions decide the structure."""
    few = wanted == "FAN" and rng.random() < _SEEN_FEW
    draft, done, story, known = _beginning(shop, rng, wanted, few=few)
    junctions = _walk(shop, draft, done, story, rng, known, rng.choice(_LENGTHS[wanted]), few=few)
    done = draft.done[-1]
    ask = ask_about(draft, done, rng, known)
    story.asks.append(ask)
    return Sketch(structure_of(junctions), draft, story, ask, junctions)


def _walk(
    shop: Workshop,
    draft: Draft,
    done: Done,
    story: Story,
    rng: random.Random,
    known: set[str],
    length: int,
    *,
    few: bool = False,
) -> list[Junction]:
    """Follow edges, each from where the last one led; at least one of them."""
    junctions: list[Junction] = []
    for number in range(length):
        visited = {hop.tool.name for hop in story.hops} | {start.tool.name for start in story.starts}
        edges = [edge for edge in shop.leaving(done.tool, rng, few=few) if edge.target not in visited]
        try:
            done, hop, _ = shop.follow_any(draft, done, edges, rng, known)
        except DraftError:
            if number == 0:
                raise
            break
        story.hops.append(hop)
        junctions.append(hop.junction)
        if len(done.calls) > 1:
            break
    return junctions


def structure_of(junctions: Sequence[Junction]) -> str:
    """The one kind of the junctions, or MIXED."""
    kinds = {junction.kind for junction in junctions}
    return kinds.pop() if len(kinds) == 1 else "MIXED"


def compose_mixed(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """A pair or a longer chain."""
    return (compose_pair if rng.random() < _PAIRED else compose_chain)(shop, rng, wanted)


def compose_pair(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """A path whose last value goes to two tools side by side; what both say is asked for together."""
    later = rng.random() < _PAIR_AFTER_HOP
    draft, done, story, known = _beginning(shop, rng, wanted, paired=not later)
    junctions: list[Junction] = []
    if later:
        junctions += _walk(shop, draft, done, story, rng, known, 1)
        done = draft.done[-1]
    left, right = _two_targets(shop, draft, done, story, rng, known)
    story.hops += [hop for _, hop in (left, right)]
    asks = [ask_about(draft, reached, rng, known) for reached, _ in (left, right)]
    story.asks += asks
    story.form = "shared"
    joined = Ask("list", [ask.expression for ask in asks], "list", label=asks[0].label)
    return Sketch("MIXED", draft, story, joined, [*junctions, left[1].junction, right[1].junction])


def _two_targets(
    shop: Workshop, draft: Draft, done: Done, story: Story, rng: random.Random, known: set[str]
) -> tuple[tuple[Done, Hop], tuple[Done, Hop]]:
    """Two tools that take the same field of an answer, called in one step."""
    visited = {hop.tool.name for hop in story.hops} | {start.tool.name for start in story.starts}
    by_field: dict[str, list[Edge]] = {}
    for edge in shop.leaving(done.tool, rng):
        if edge.target not in visited:
            by_field.setdefault(edge.key_binding.field, []).append(edge)
    reason = "no two edges share a field"
    for field, edges in list(by_field.items())[:_FIELDS_TRIED]:
        if len(edges) < _PAIR:
            continue
        before, said = draft.mark(), set(known)
        try:
            found = shop.connect(draft, done, field, rng, known, fan=False)
            if found.kind != "DRV":
                raise DraftError("a pair begins with one value that stands among few")
            reached = _first_that_answer(shop, draft, found, edges, rng, known)
            return reached[0], reached[1]
        except DraftError as error:
            reason = str(error)
        draft.back_to(before)
        known.clear()
        known.update(said)
    raise DraftError(reason)


def _first_that_answer(
    shop: Workshop, draft: Draft, found: Connection, edges: Sequence[Edge], rng: random.Random, known: set[str]
) -> list[tuple[Done, Hop]]:
    """The first two of the edges whose targets answer the connection's value.

    Behind collected pages one record each: two more reductions would make the path longer than most.
    """
    long = any(action["name"] == "collect_pages" for action in draft.actions)
    reached: list[tuple[Done, Hop]] = []
    reason = "only one tool answers the value"
    for edge in edges[:_TARGETS_TRIED]:
        before = draft.mark()
        try:
            done, hop = shop.reach(draft, found, edge, rng, known)
            if long and (not done.complete or len(done.records) > 1):
                raise DraftError("an answer of a pair is more than one record")
            reached.append((done, hop))
        except DraftError as error:
            draft.back_to(before)
            reason = str(error)
        if len(reached) == _PAIR:
            return reached
    raise DraftError(reason)


def _beginning(
    shop: Workshop, rng: random.Random, wanted: str, *, paired: bool = False, few: bool = False
) -> tuple[Draft, Done, Story, set[str]]:
    anchor = rng.random() < _ANCHORED[wanted]
    tool = shop.pick_start(rng, anchor=anchor, paired=paired, few=few)
    arguments, mentions = shop.start_arguments(tool, rng, anchor=anchor)
    draft = shop.draft()
    done = shop.begin(draft, tool, arguments)
    story = Story("chain", [Start(tool, tuple(mentions))])
    known = set(arguments.values()) | {m.text for m in mentions}
    return draft, done, story, known
