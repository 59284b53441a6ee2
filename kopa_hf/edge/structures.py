"""Composers of sketches: chains (SEQ, FAN, DRV, MIXED) and shared arguments (SEM)."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kopa_hf.edge.asking import Ask, ask_about
from kopa_hf.edge.draft import Done, Draft, DraftError
from kopa_hf.edge.graph import Edge
from kopa_hf.edge.trajectory import Junction
from kopa_hf.edge.workshop import Hop, Sketch, Start, Story, Workshop

_ANCHORED = {"SEQ": 0.9, "FAN": 0.6, "DRV": 0.05, "MIXED": 0.35, "SEM": 0.8}
"""Probability that the first call is narrowed by a name: a narrowed list has few values."""


def compose_chain(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """A path of one to three edges; its junctions decide the structure."""
    draft, done, story, known = _beginning(shop, rng, wanted)
    junctions: list[Junction] = []
    for number in range(rng.choice((1, 1, 2) if wanted != "MIXED" else (2, 3))):
        visited = {hop.tool.name for hop in story.hops} | {start.tool.name for start in story.starts}
        edges = [edge for edge in shop.leaving(done.tool, rng) if edge.target not in visited]
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
    ask = ask_about(draft, done, rng, known)
    story.asks.append(ask)
    return Sketch(structure_of(junctions), draft, story, ask, junctions)


def structure_of(junctions: Sequence[Junction]) -> str:
    """The one kind of the junctions, or MIXED."""
    kinds = {junction.kind for junction in junctions}
    return kinds.pop() if len(kinds) == 1 else "MIXED"


def compose_shared(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """Two independent tools that take the same value; what both say is asked for together."""
    draft, done, story, known = _beginning(shop, rng, wanted)
    left, left_hop, first = shop.follow_any(draft, done, shop.leaving(done.tool, rng), rng, known, fan=False)
    step = draft.step
    source = _source_of(draft, left)
    right, right_hop = _sibling(shop, draft, source, first, rng, known, step)
    story.hops += [left_hop, right_hop]
    asks = [ask_about(draft, reached, rng, known) for reached in (left, right)]
    story.asks += asks
    story.form = "shared"
    joined = Ask("list", [ask.expression for ask in asks], "list", label=asks[0].label)
    kind = left_hop.junction.kind
    return Sketch("SEM" if kind == "SEQ" else "MIXED", draft, story, joined, [left_hop.junction, right_hop.junction])


def _sibling(
    shop: Workshop, draft: Draft, source: Done, first: Edge, rng: random.Random, known: set[str], step: int
) -> tuple[Done, Hop]:
    """Another tool that takes the same field, called in the same step."""
    field = first.key_binding.field
    reason = "no two edges share a field"
    for edge in shop.leaving(shop.tools[first.source], rng):
        if edge.target == first.target or edge.key_binding.field != field:
            continue
        before = draft.mark()
        try:
            return shop.follow(draft, source, edge, rng, known, fan=False, step=step)
        except DraftError as error:
            draft.back_to(before)
            reason = str(error)
    raise DraftError(reason)


def _source_of(draft: Draft, reached: Done) -> Done:
    """The action whose records gave the value for `reached`: the one before it."""
    index = draft.done.index(reached)
    return draft.done[index - 1]


def _beginning(shop: Workshop, rng: random.Random, wanted: str) -> tuple[Draft, Done, Story, set[str]]:
    anchor = rng.random() < _ANCHORED[wanted]
    tool = shop.pick_start(rng, anchor=anchor)
    arguments, mentions = shop.start_arguments(tool, rng, anchor=anchor)
    draft = shop.draft()
    done = shop.begin(draft, tool, arguments)
    story = Story("chain", [Start(tool, tuple(mentions))])
    known = set(arguments.values()) | {m.text for m in mentions}
    return draft, done, story, known
