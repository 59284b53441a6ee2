"""The truth about a graph's bindings: of the world that it was refined in, looked up by several processes at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from kopa_hf.edge.graph import ToolGraph
    from kopa_hf.edge.scores import Truth
    from kopa_hf.sandbox.faults import Faults
    from kopa_hf.sandbox.truth import Binding, BindingTruth

WORTH_IT: Final = 4_000
"""Bindings from which on several processes are quicker than the time that they need to start."""


def truth_of(graph: ToolGraph, *, faults: bool = True, workers: int = 1) -> Truth | None:
    """Which bindings are valid in the world that the graph was refined in; synthesis itself never sees it.

    None for live services, and where that world is not to be had any more. `faults` counts for graphs
    that do not say what they were refined on: whether there were static defects. `workers`: processes
    that look the graph's bindings up; 0 is one a core.
    """
    from kopa_hf.edge.processes import cores
    from kopa_hf.sandbox.faults import Faults
    from kopa_hf.sandbox.world import WORLD_VERSION

    if any(edge.evidence.backend not in (None, "sandbox") for edge in graph.edges()):
        return None
    told = graph.surroundings
    if told is None:
        met = Faults.default(graph.config.seed) if faults else Faults.none()
        opening = partial(_opened, (0, 0, 1.0), met)
    elif "world" not in told:
        return None
    else:
        seeds, noted = told["world"], told["faults"]
        if seeds["version"] != WORLD_VERSION:
            click.echo(
                f"No comparison with the truth: the graph was refined in world version {seeds['version']}, "
                f"this program holds version {WORLD_VERSION}.",
                err=True,
            )
            return None
        met = Faults.none() if noted is None else Faults(**{**noted, "transient": tuple(noted["transient"].items())})
        opening = partial(_opened, (seeds["identity_seed"], seeds["value_seed"], seeds["scale"]), met)
    bindings = [(e.source, b.field, e.target, b.parameter) for e in graph.edges() for b in e.bindings if not b.generic]
    size = workers or cores()
    if size < 2 or len(bindings) < WORTH_IT:
        return opening()
    return looked_up(opening, bindings, size)


def _opened(seeds: tuple[int, int, float], met: Faults) -> BindingTruth:
    from kopa_hf.catalog.registry import load_catalog
    from kopa_hf.sandbox.truth import binding_truth
    from kopa_hf.sandbox.world import World

    return binding_truth(World(*seeds), load_catalog(), met)


def looked_up(opening: Callable[[], BindingTruth], bindings: Iterable[Binding], size: int) -> Mapping[Binding, bool]:
    """What `opening()` says of each binding, with `size` processes; bindings of which it says nothing are left out.

    Whoever looks a binding up finds the same, so how they are spread changes nothing. The calls of one target
    stand together, since its tables are built once then. Raises `BackendError` where a process ends untimely.
    """
    from concurrent.futures import as_completed

    from kopa_hf.edge.processes import ctrl_c_stays_here, spawned

    found: dict[Binding, bool] = {}
    with spawned([size], _begin, (opening,), work="the comparison with the truth") as (pool,):
        with ctrl_c_stays_here():  # the first parts start the processes
            parts = [pool.submit(_look_up, part) for part in _parts(bindings)]
        for part in as_completed(parts):
            found |= part.result()
    return found


def _parts(bindings: Iterable[Binding]) -> list[list[Binding]]:
    """Bindings by the platform of their target, the most first: the longest work begins first."""
    from kopa_hf.catalog.registry import load_catalog

    platforms = {tool.name: tool.platform for tool in load_catalog()}
    parts: dict[str, dict[Binding, None]] = defaultdict(dict)
    for binding in bindings:
        parts[platforms.get(binding[2], "")][binding] = None
    return sorted((list(part) for part in parts.values()), key=len, reverse=True)


_own: list[BindingTruth] = []
"""The table of a spawned process."""


def _begin(opening: Callable[[], BindingTruth]) -> None:
    _own.append(opening())


def _look_up(bindings: Sequence[Binding]) -> dict[Binding, bool]:
    from kopa_hf.edge.memory import rare_collections

    found = {}
    with rare_collections():  # the world's tables stay
        for binding in bindings:
            try:
                found[binding] = _own[0][binding]
            except KeyError:
                continue
    return found
