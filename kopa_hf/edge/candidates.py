"""Which pairs of tools are worth a judgement: dense retrieval over signatures.

A source is described by what it returns, a target by what it asks for. For every
source the K nearest targets of its own domain and the K_x nearest of other
domains become candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.embedding import Embedder, Vectors, unit_rows

BLOCK: Final = 256
"""Sources compared at once: memory is BLOCK times the number of targets, whatever the number of sources."""
TITLE_WEIGHT: Final = 0.4
"""Share of a tool's title beside its columns: dozens of tools ask for the same code, the subject tells them apart."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair that a judge should look at."""

    source: str
    target: str
    similarity: float
    """Cosine between the source's outputs and the target's inputs, to four places."""


@dataclass(frozen=True, slots=True)
class Signatures:
    """Both sides of all possible links, embedded."""

    sources: tuple[Tool, ...]
    """Tools with known fields, by name."""
    targets: tuple[Tool, ...]
    """Tools with an input that could be bound, by name."""
    outputs: Vectors
    """One row per source, of length 1."""
    inputs: Vectors
    """One row per target, of length 1."""


def find_candidates(tools: Sequence[Tool], embedder: Embedder, config: EdgeConfig) -> list[Candidate]:
    """At most K + K_x candidates per source, ordered by source and falling similarity.

    Tools without known fields are no sources, tools without an input that could be
    bound are no targets, and a tool is never its own candidate.
    """
    signatures = embed_signatures(tools, embedder)
    return [] if signatures is None else nearest_targets(signatures, config)


def embed_signatures(tools: Sequence[Tool], embedder: Embedder) -> Signatures | None:
    """Vectors of what sources return and targets ask for; None where one side is empty. Linear in the tools."""
    sources = tuple(sorted((tool for tool in tools if tool.fields), key=lambda tool: tool.name))
    targets = tuple(sorted((tool for tool in tools if has_open_input(tool)), key=lambda tool: tool.name))
    if not sources or not targets:
        return None
    return Signatures(
        sources,
        targets,
        _mixed(embedder, [_outputs_text(tool) for tool in sources], [tool.title for tool in sources]),
        _mixed(embedder, [_inputs_text(tool) for tool in targets], [tool.title for tool in targets]),
    )


def nearest_targets(signatures: Signatures, config: EdgeConfig) -> list[Candidate]:
    """The K and K_x nearest targets of every source. Time grows with the pairs, memory with the tools."""
    names = [tool.name for tool in signatures.targets]
    numbers = {domain: n for n, domain in enumerate(dict.fromkeys(tool.domain for tool in signatures.targets))}
    domains = np.array([numbers[tool.domain] for tool in signatures.targets], dtype=np.int32)
    # Products in double precision, kept to four places: the last bits differ between numeric libraries and
    # processors, and candidates must be the same everywhere.
    inputs = signatures.inputs.T.astype(np.float64)
    found: list[Candidate] = []
    for start in range(0, len(signatures.sources), BLOCK):
        block = signatures.sources[start : start + BLOCK]
        similarity = signatures.outputs[start : start + BLOCK].astype(np.float64) @ inputs
        np.round(similarity, 4, out=similarity)
        for tool, row in zip(block, similarity, strict=True):
            own = domains == numbers.get(tool.domain, -1)
            for mask, count in ((own, config.neighbors), (~own, config.cross_neighbors)):
                found += [
                    Candidate(tool.name, names[index], float(row[index]))
                    for index in _best(row, mask, count + 1)
                    if names[index] != tool.name
                ][:count]
    return found


def has_open_input(tool: Tool) -> bool:
    """True where an earlier tool could give a value: an input that is neither paging nor a fixed choice."""
    return any(p.role == "input" and not p.enum for p in tool.parameters)


def _best(row: npt.NDArray[np.float64], mask: npt.NDArray[np.bool_], count: int) -> list[int]:
    """Indices of the `count` largest values under the mask; equal values in order of the index."""
    indices = np.flatnonzero(mask)
    if len(indices) == 0 or count == 0:
        return []
    values = row[indices]
    if len(indices) > count:
        bound = np.partition(values, len(values) - count)[len(values) - count]
        chosen = values >= bound
        indices, values = indices[chosen], values[chosen]
    order = np.lexsort((indices, -values))
    return [int(indices[i]) for i in order[:count]]


def _mixed(embedder: Embedder, columns: list[str], titles: list[str]) -> Vectors:
    mixed = (1 - TITLE_WEIGHT) * embedder.embed(columns) + TITLE_WEIGHT * embedder.embed(titles)
    return unit_rows(mixed)


def _outputs_text(tool: Tool) -> str:
    return " ".join(f"{field.label} {field.name}" for field in tool.fields)


def _inputs_text(tool: Tool) -> str:
    return " ".join(f"{p.label} {p.name}" for p in tool.parameters if p.role == "input" and not p.enum)
