"""Composers of sketches: chains (SEQ, FAN, DRV, MIXED) and shared arguments (SEM)."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kopa_hf.edge.asking import Ask, ask_about, ask_field
from kopa_hf.edge.draft import Done, Draft, DraftError
from kopa_hf.edge.graph import Edge
from kopa_hf.edge.trajectory import Junction
from kopa_hf.edge.workshop import Sketch, Start, Story, Workshop

_ANCHORED = {"SEQ": 0.9, "FAN": 0.6, "DRV": 0.05, "MIXED": 0.35, "SEM": 0.8}
"""Probability that the first call is narrowed by a name: a narrowed list has few values."""


def compose_chain(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """A path of one to three edges; its junctions decide the structure."""
    draft, done, story, known = _beginning(shop, rng, wanted)
    junctions: list[Junction] = []
    for _ in range(rng.choice((1, 1, 2) if wanted != "MIXED" else (2, 3))):
        moved = _move(shop, draft, done, story, rng, known)
        if moved is None:
            break
        done, junction = moved
        junctions.append(junction)
        if len(done.calls) > 1:
            break
    if not junctions:
        raise DraftError("no edge leads on")
    ask = ask_about(draft, done, rng, known, shop.config.max_collect)
    story.asks.append(ask)
    return Sketch(structure_of(junctions), draft, story, ask, junctions)


def structure_of(junctions: Sequence[Junction]) -> str:
    """The one kind of the junctions, or MIXED."""
    kinds = {junction.kind for junction in junctions}
    return kinds.pop() if len(kinds) == 1 else "MIXED"


def compose_shared(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """Two independent tools that take the same value; what both say is asked for together."""
    draft, done, story, known = _beginning(shop, rng, wanted)
    pairs = [
        (first, second)
        for first in shop.outgoing.get(done.tool.name, ())
        for second in shop.outgoing.get(done.tool.name, ())
        if first.target != second.target and first.key_binding.field == second.key_binding.field
    ]
    if not pairs:
        raise DraftError("no two edges share a field")
    first, second = rng.choice(pairs)
    left, left_hop = shop.follow(draft, done, first, rng, known, fan=False)
    step = draft.step
    source = _source_of(draft, left)
    right, right_hop = shop.follow(draft, source, second, rng, known, fan=False, step=step)
    if right_hop.junction.kind != "SEQ" and left_hop.junction.kind != "SEQ":
        raise DraftError("the shared value was not settled")
    story.hops += [left_hop, right_hop]
    asks = [ask_field(left, rng, known), ask_field(right, rng, known)]
    story.asks += asks
    story.form = "shared"
    items = [ask.expression for ask in asks]
    joined = Ask("list", items, "list", label=asks[0].label)
    kind = left_hop.junction.kind
    return Sketch("SEM" if kind == "SEQ" else "MIXED", draft, story, joined, [left_hop.junction, right_hop.junction])


def _source_of(draft: Draft, reached: Done) -> Done:
    """The action whose records gave the value for `reached`: the one before it."""
    index = draft.done.index(reached)
    return draft.done[index - 1]


def _beginning(shop: Workshop, rng: random.Random, wanted: str) -> tuple[Draft, Done, Story, set[str]]:
    if not shop.linked_starts:
        raise DraftError("no first tool has a kept edge")
    tool = shop.tools[rng.choice(shop.linked_starts)]
    arguments, mentions = shop.start_arguments(tool, rng, anchor=rng.random() < _ANCHORED[wanted])
    draft = shop.draft()
    done = shop.begin(draft, tool, arguments)
    story = Story("chain", [Start(tool, tuple(mentions))])
    known = set(arguments.values()) | {m.text for m in mentions}
    return draft, done, story, known


def _move(
    shop: Workshop, draft: Draft, done: Done, story: Story, rng: random.Random, known: set[str]
) -> tuple[Done, Junction] | None:
    """Follow one of the edges that leave the last tool; None, with nothing added, where none works."""
    edges = list(shop.outgoing.get(done.tool.name, ()))
    visited = {hop.tool.name for hop in story.hops} | {start.tool.name for start in story.starts}
    edges = [edge for edge in edges if edge.target not in visited]
    for edge in _weighted_order(edges, rng)[:3]:
        before = draft.mark()
        try:
            reached, hop = shop.follow(draft, done, edge, rng, known)
        except DraftError:
            if not story.hops:
                raise
            draft.back_to(before)
            continue
        story.hops.append(hop)
        return reached, hop.junction
    return None


def _weighted_order(edges: list[Edge], rng: random.Random) -> list[Edge]:
    """A random order in which surer edges tend to come first."""
    return sorted(edges, key=lambda edge: rng.random() ** (1.0 / edge.mean), reverse=True)
