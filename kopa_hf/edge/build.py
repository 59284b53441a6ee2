"""Candidates plus judgements plus priors: the skeleton graph, before any execution."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from kopa_hf.catalog.local import PLATFORMS
from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.candidates import Candidate, find_candidates
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.doors import open_embedder, open_judge
from kopa_hf.edge.embedding import Embedder
from kopa_hf.edge.feasibility import Judge, Judgement, ManyJudge
from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.posterior import prior
from kopa_hf.errors import CatalogError, KopaError

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Called with (done, all) while work goes on."""

PATIENCE: Final = 20
"""Failed judgements in a row, from the first on, after which a judge counts as broken."""


def build_graph(
    catalog: Iterable[Tool],
    config: EdgeConfig | None = None,
    *,
    embedder: Embedder | None = None,
    judge: Judge | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> ToolGraph:
    """The skeleton graph over all chainable tools of a catalog.

    Embedder and judge are those that the settings name, unless given; models keep what
    they said in `folder`, and a build that was interrupted goes on from there. `progress`
    counts the texts that a model embeds, then the pairs that are judged.

    Raises `CatalogError` for an empty catalog or two tools of one name, `KopaError`
    for a judge that fails again and again. Single failed judgements are counted in
    `judge_errors` and their pairs left out.
    """
    config = config or EdgeConfig()
    with ExitStack() as opened:
        if embedder is None:
            embedder = open_embedder(config, folder, progress)
            _close_with(opened, embedder)
        if judge is None:
            judge = open_judge(config, folder)
            _close_with(opened, judge)
        return _linked(catalog, config, embedder, judge, progress)


def _close_with(opened: ExitStack, door: Embedder | Judge) -> None:
    """A model keeps its answers in a file, which is left in one piece only when it is closed."""
    close = getattr(door, "close", None)
    if close is not None:
        opened.callback(close)


def _linked(
    catalog: Iterable[Tool], config: EdgeConfig, embedder: Embedder, judge: Judge, progress: Progress | None
) -> ToolGraph:
    graph = ToolGraph(config, judge=judge.name, embedder=embedder.name)
    tools = _chainable(catalog, config, graph)
    by_name = {tool.name: tool for tool in tools}
    for tool in tools:
        graph.add_tool(tool)
    candidates = find_candidates(tools, embedder, config)
    graph.candidates = len(candidates)
    judgements = _judgements(judge, candidates, by_name, graph, progress)
    for candidate, judgement in zip(candidates, judgements, strict=True):
        if judgement is not None and judgement.bindings and judgement.score >= config.min_score:
            graph.add_edge(_edge(candidate, judgement, config))
            for parameter, value in judgement.proposals:
                graph.values.propose(candidate.target, parameter, value)
    return graph


def _chainable(catalog: Iterable[Tool], config: EdgeConfig, graph: ToolGraph) -> list[Tool]:
    """Readable platform tools with known fields, withheld platforms left out; why others are skipped is noted."""
    seen: set[str] = set()
    tools: list[Tool] = []
    catalog = list(catalog)
    _check_platforms(config, {tool.platform for tool in catalog})
    for tool in catalog:
        if tool.name in seen:
            raise CatalogError(f"Two tools are called {tool.name!r}. Names must be unique; rename one of them.")
        seen.add(tool.name)
        if tool.platform == "local":
            continue
        if config.platforms and tool.platform not in config.platforms:
            reason = "its platform is not among those to link"
        elif tool.platform in config.withhold:
            reason = "its platform is withheld"
        elif tool.fields_unknown:
            reason = "its output fields are unknown"
        elif not tool.read:
            reason = "it writes"
        else:
            tools.append(tool)
            continue
        graph.skipped[tool.name] = reason
    if not seen:
        raise CatalogError(
            "The catalog is empty, there is nothing to link. Load one with load_catalog() or an importer."
        )
    if not tools:
        reasons = Counter(graph.skipped.values()) or {"it is local": len(seen)}
        told = "; ".join(f"{count:,} because {why}" for why, count in sorted(reasons.items()))
        raise CatalogError(f"No tool is left to link: {told}.")
    return sorted(tools, key=lambda tool: tool.name)


def _check_platforms(config: EdgeConfig, there: set[str]) -> None:
    """A misspelt platform would be linked although it is to be withheld; names of the ten are known anywhere."""
    for setting in ("platforms", "withhold"):
        unknown = sorted(set(getattr(config, setting)) - there - set(PLATFORMS))
        if there and unknown:
            raise CatalogError(
                f"{setting} names {', '.join(unknown)}; the catalog's platforms are {', '.join(sorted(there))}."
            )


def _judgements(
    judge: Judge,
    candidates: Sequence[Candidate],
    tools: Mapping[str, Tool],
    graph: ToolGraph,
    progress: Progress | None,
) -> Iterable[Judgement | None]:
    """One judgement per candidate, in their order; None where the judge failed on it."""
    pairs = ((tools[candidate.source], tools[candidate.target]) for candidate in candidates)
    if isinstance(judge, ManyJudge):
        found = judge.judge_all(pairs, total=len(candidates), progress=progress)
        graph.judge_errors = judge.errors
        return found
    return _one_by_one(judge, pairs, graph, len(candidates), progress)


def _one_by_one(
    judge: Judge, pairs: Iterable[tuple[Tool, Tool]], graph: ToolGraph, total: int, progress: Progress | None
) -> Iterator[Judgement | None]:
    for done, (source, target) in enumerate(pairs, 1):
        judgement = None
        try:
            judgement = judge.judge(source, target)
        except Exception as error:  # a judge may be anyone's code; one slip is no crash
            graph.judge_errors += 1
            log.warning("judge %s failed on %s -> %s: %s", judge.name, source.name, target.name, error)
            if graph.judge_errors == done == PATIENCE:
                raise KopaError(
                    f"The judge {judge.name!r} failed on each of the first {PATIENCE} pairs; the last time with: "
                    f"{error}. Check its endpoint, or build with the offline judge."
                ) from error
        yield judgement
        if progress is not None and (done % 500 == 0 or done == total):
            progress(done, total)


def _edge(candidate: Candidate, judgement: Judgement, config: EdgeConfig) -> Edge:
    alpha, beta = prior(judgement.score, config.kappa)
    return Edge(
        source=candidate.source,
        target=candidate.target,
        score=judgement.score,
        similarity=candidate.similarity,
        bindings=judgement.bindings,
        defaults=judgement.defaults,
        clarify=judgement.clarify,
        alpha=alpha,
        beta=beta,
    )
