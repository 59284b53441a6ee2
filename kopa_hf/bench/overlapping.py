"""How far training data and benchmark overlap: questions, tools, dependency edges, shapes.

A shared tool universe is by design; a shared question or the same dependency
between the same two tools is not.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from kopa_hf.bench.program import sources_of
from kopa_hf.bench.rows import Row
from kopa_hf.catalog.local import local_tools

NGRAM: Final = 8
"""Characters (blanks apart) of the n-grams that questions are compared by."""

Edge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Overlap of a training set with a benchmark; shares are 0 to 1."""

    verbatim: tuple[str, ...]
    """Ids of benchmark rows whose question stands in the training set word for word."""
    nearest_question: float
    """Largest n-gram Jaccard of any benchmark question with any training question."""
    tools: float
    """Share of the benchmark's golden tools that training calls too."""
    edges: float
    """Jaccard of the sets of dependency edges (source tool → target tool)."""
    shapes: float
    """Share of the benchmark's chains (tools in order) that training has too."""


def overlap(benchmark: Sequence[Row], training: Sequence[Row]) -> Overlap:
    """Compare two sets of rows."""
    known = {squeezed(question_of(row)) for row in training}
    ours, theirs = golden_tools(benchmark), golden_tools(training)
    chains, seen = {chain_of(row) for row in benchmark}, {chain_of(row) for row in training}
    return Overlap(
        verbatim=tuple(row.id for row in benchmark if squeezed(question_of(row)) in known),
        nearest_question=nearest(
            [ngrams(question_of(row)) for row in benchmark], [ngrams(question_of(row)) for row in training]
        ),
        tools=len(ours & theirs) / len(ours) if ours else 0.0,
        edges=jaccard(edges_of(benchmark), edges_of(training)),
        shapes=len(chains & seen) / len(chains) if chains else 0.0,
    )


def question_of(row: Row) -> str:
    """The user's turn."""
    return str(row.prompt[-1]["content"])


def squeezed(text: str) -> str:
    """NFC without blanks: the form in which two questions are the same."""
    return "".join(unicodedata.normalize("NFC", text).split())


def ngrams(text: str, size: int = NGRAM) -> frozenset[str]:
    """Character n-grams; a shorter text is one n-gram."""
    plain = squeezed(text)
    return frozenset(plain[i : i + size] for i in range(max(len(plain) - size + 1, 1)))


def jaccard(left: Iterable[object], right: Iterable[object]) -> float:
    """Shared over all; 0 for two empty sets."""
    a, b = set(left), set(right)
    return len(a & b) / len(a | b) if a | b else 0.0


def nearest(ours: Iterable[frozenset[str]], theirs: Sequence[frozenset[str]]) -> float:
    """Largest Jaccard of a set of ours with a set of theirs; only sets that share something are compared."""
    holders: dict[str, list[int]] = defaultdict(list)
    for number, grams in enumerate(theirs):
        for gram in grams:
            holders[gram].append(number)
    best = 0.0
    for grams in ours:
        shared = Counter(chain.from_iterable(holders.get(gram, ()) for gram in grams))
        for number, count in shared.items():
            best = max(best, count / (len(grams) + len(theirs[number]) - count))
    return best


def golden_tools(rows: Iterable[Row]) -> frozenset[str]:
    """Names of all tools that golden actions call."""
    return frozenset(str(action["name"]) for row in rows for action in row.golden_actions)


def edges_of(rows: Iterable[Row]) -> frozenset[Edge]:
    """Dependency edges of all rows."""
    return frozenset(edge for row in rows for edge in dependency_edges(row))


def dependency_edges(row: Row) -> frozenset[Edge]:
    """(operation whose result is used, operation that uses it), from the row's program."""
    return program_edges(row.program)


def program_edges(program: Mapping[str, Any]) -> frozenset[Edge]:
    """Dependency edges between the operations of platforms in a program.

    What a local tool passes on (the rest of the pages, a reduction, a calculation) still
    depends on the operation that the records came from, so local tools are passed through.
    """
    actions = {str(action["id"]): action for action in program.get("actions") or ()}
    local = {tool.name for tool in local_tools()}
    behind: dict[str, frozenset[str]] = {}
    edges: set[Edge] = set()
    for identity, action in actions.items():
        name = str(action["name"])
        origins = frozenset(origin for source in sources_of(action) for origin in behind.get(source, frozenset()))
        if name in local:
            behind[identity] = origins
        else:
            behind[identity] = frozenset({name})
            edges.update((origin, name) for origin in origins)
    return frozenset(edges)


def chain_of(row: Row) -> tuple[str, ...]:
    """The golden tools in order, repeats kept."""
    return tuple(str(action["name"]) for action in row.golden_actions)
