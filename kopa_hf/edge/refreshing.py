"""Re-trying stale edges: evidence that is older than a day gets company, everything else stays as it is.

Services change: codes are renumbered, operations end. What was seen before a day
then counts as one trial at most, a few new ones are made, and the edge is
kept or pruned by both together. Edges tried since, and edges never tried, are not
touched. Ours: the paper's graph has no notion of age.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.arguments import ArgumentSource
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.harvest import Harvest, apply_path
from kopa_hf.edge.observe import Answers, Caller
from kopa_hf.edge.posterior import prior
from kopa_hf.edge.refinement import run_coroutine, run_together, today_of, tools_of, wanted_fields
from kopa_hf.edge.surroundings import begin
from kopa_hf.edge.walk import PathLog, Walker, stream

MEMORY: Final = 1.0
"""Weight, in trials, that an old posterior keeps beside the new ones."""
TRIALS: Final = 3
"""New trials of a stale edge: enough to prune one that died."""
BATCH: Final = 50
"""Edges between two updates; an interrupted refresh loses no more."""


@dataclass(slots=True)
class Refreshed:
    """What a refresh did."""

    stale: int = 0
    """Edges whose last trial is older than the day asked for."""
    retried: int = 0
    """Of them, edges with at least one new trial."""
    unreached: int = 0
    """Of them, edges whose source gave nothing to go on from; they stay as they were."""
    calls: int = 0
    newly_pruned: int = 0
    newly_kept: int = 0

    def to_dict(self) -> dict[str, int]:
        """Plain JSON values."""
        return asdict(self)


def stale_edges(graph: ToolGraph, older_than: datetime.date) -> list[Edge]:
    """Edges that were tried, the last time before a day."""
    day = older_than.isoformat()
    return [e for e in graph.edges() if e.evidence.last_time is not None and e.evidence.last_time < day]


def refresh(
    graph: ToolGraph,
    executor: Caller,
    config: EdgeConfig | None = None,
    *,
    older_than: datetime.date,
    tools: Sequence[Tool] | None = None,
    clock: datetime.date | None = None,
    save: Callable[[ToolGraph], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Refreshed:
    """Try the stale edges again, in place.

    `save` is called with the graph after every `BATCH` edges; since what is done is stale no
    longer, the same call goes on where a quota, a crash or Ctrl-C ended it. `clock` is the day
    that the new trials are dated with (default: the sandbox's own, live today). Raises
    `BackendError` where the backend is down or a quota is used up.
    """
    run = _Refresh(graph, executor, config or graph.config, tools_of(graph, executor, tools), clock)
    return run_coroutine(run.run(older_than, save, progress))


class _Refresh:
    def __init__(
        self,
        graph: ToolGraph,
        executor: Caller,
        config: EdgeConfig,
        tools: dict[str, Tool],
        clock: datetime.date | None,
    ) -> None:
        begin(graph, executor, backend_may_change=True)
        self.graph = graph
        self.executor = executor
        self.config = config
        self.tools = tools
        self.clock = clock or today_of(executor)
        # another stream of faults than refinement met: an old time-out is not repeated
        name = f"refresh/{self.clock.isoformat()}"
        self.answers = Answers(executor, wanted_fields(graph.edges(), tools), stream=name)
        self.harvest = Harvest(tools, graph)

    async def run(
        self,
        older_than: datetime.date,
        save: Callable[[ToolGraph], None] | None,
        progress: Callable[[int, int], None] | None,
    ) -> Refreshed:
        edges = stale_edges(self.graph, older_than)
        done = Refreshed(stale=len(edges))
        for start in range(0, len(edges), BATCH):
            batch = edges[start : start + BATCH]
            logs = await self._try(batch)
            self.answers.check_tail()
            for edge, paths in zip(batch, logs, strict=True):
                self._apply(edge, paths, done)
            if save is not None:
                save(self.graph)
            if progress is not None:
                progress(start + len(batch), len(edges))
        return done

    async def _try(self, batch: Sequence[Edge]) -> list[list[PathLog]]:
        source = ArgumentSource(self.tools, self.graph.values, self.clock)
        walker = Walker(self.tools, {}, source, self.answers, self.graph.controls, self.config)
        logs: list[list[PathLog]] = [[] for _ in batch]
        waiting = iter(range(len(batch)))

        async def work() -> None:
            for index in waiting:
                edge = batch[index]
                for k in range(TRIALS):
                    rng = stream(self.config.seed, "refresh", self.clock, edge.source, edge.target, k)
                    logs[index].append(await walker.retry(edge, rng))

        await run_together([work() for _ in range(self.config.concurrency)])
        return logs

    def _apply(self, edge: Edge, paths: Sequence[PathLog], done: Refreshed) -> None:
        done.calls += sum(path.calls for path in paths)
        if not any(path.trials for path in paths):
            done.unreached += 1
            return
        before = edge.decision(self.config)
        fade(edge, self.config)
        for path in paths:
            apply_path(self.graph, path, self.config, self.executor.backend, len(self.graph.history), self.clock)
            self.harvest.add(path)
        done.retried += 1
        after = edge.decision(self.config)
        done.newly_pruned += after == "pruned" != before
        done.newly_kept += after == "kept" != before


def fade(edge: Edge, config: EdgeConfig) -> None:
    """Let what an edge gained over its prior count as at most `MEMORY`; its proportions stay."""
    alpha, beta = prior(edge.score, config.kappa)
    gained = (edge.alpha - alpha) + (edge.beta - beta)
    if gained > MEMORY:
        edge.alpha = alpha + (edge.alpha - alpha) * MEMORY / gained
        edge.beta = beta + (edge.beta - beta) * MEMORY / gained
