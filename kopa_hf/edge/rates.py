"""How often edges execute, measured after refinement on executions it has not seen.

Every edge is executed a few times more, with source records, arguments and a
fault stream that no posterior was updated on. The same measurement is read three
ways: over the skeleton (all edges), the retained and the pruned ones.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.arguments import ArgumentSource, first_page
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.control import control_arguments
from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.memory import rare_collections
from kopa_hf.edge.observe import ROWS_KEPT, Answers, Ask, Caller, Observation
from kopa_hf.edge.refinement import run_coroutine, run_together, today_of, tools_of, wanted_fields
from kopa_hf.edge.walk import bound_values, stream
from kopa_hf.platforms.failures import RETRYABLE

SOURCE_ROWS: Final = 40
"""Rows asked of a source that pages, so that records appear which refinement never went on from."""
SOURCE_TRIES: Final = 4
"""Arguments tried for a source before an execution is given up."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Success of a group of edges over their fresh executions."""

    edges: int
    measured: int
    """Edges with at least one fresh execution."""
    executions: int
    successes: int

    @property
    def value(self) -> float | None:
        """Share of executions that succeeded; None where there was none."""
        return self.successes / self.executions if self.executions else None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "edges": self.edges,
            "measured": self.measured,
            "executions": self.executions,
            "successes": self.successes,
            "rate": self.value,
        }


def rate_of(edges: Iterable[Edge]) -> Rate:
    """The rate of a group of edges, each weighing by its executions."""
    group = list(edges)
    return Rate(
        edges=len(group),
        measured=sum(e.evidence.fresh_executions > 0 for e in group),
        executions=sum(e.evidence.fresh_executions for e in group),
        successes=sum(e.evidence.fresh_successes for e in group),
    )


def measure_rates(
    graph: ToolGraph,
    executor: Caller,
    config: EdgeConfig | None = None,
    *,
    tools: Sequence[Tool] | None = None,
    clock: datetime.date | None = None,
    progress: Callable[[int, int], None] | None = None,
    ask: Ask | None = None,
) -> None:
    """Execute edges afresh and note the result in their evidence.

    An execution succeeds where records come back and the target heeds the value: one fresh
    control call per edge shows whether it answers a value that cannot exist alike.
    With `config.rate_edges` an even, seeded sample of the edges is measured. `ask`: see `refine`.
    """
    config = config or graph.config
    meter = _Meter(graph, executor, config, tools_of(graph, executor, tools), clock or today_of(executor), ask)
    with rare_collections():
        run_coroutine(meter.run(progress))


class _Meter:
    def __init__(
        self,
        graph: ToolGraph,
        executor: Caller,
        config: EdgeConfig,
        tools: dict[str, Tool],
        clock: datetime.date,
        ask: Ask | None,
    ) -> None:
        self.config = config
        self.tools = tools
        self.source = ArgumentSource(tools, graph.values, clock)
        edges = graph.edges()
        wanted = wanted_fields(edges, tools)
        self.edges = _sample(edges, config)
        self.answers = [
            Answers(executor, wanted, stream=f"fresh/{config.seed}/{k}", skip=ROWS_KEPT, ask=ask)
            for k in range(config.fresh_executions)
        ]

    async def run(self, progress: Callable[[int, int], None] | None) -> None:
        results: list[list[bool]] = [[] for _ in self.edges]
        waiting = iter(range(len(self.edges)))
        done = 0

        async def work() -> None:
            nonlocal done
            for index in waiting:
                results[index] = await self._measure(self.edges[index])
                done += 1
                if progress is not None and (done % 50 == 0 or done == len(self.edges)):
                    progress(done, len(self.edges))

        await run_together([work() for _ in range(self.config.concurrency)])
        for edge, found in zip(self.edges, results, strict=True):
            edge.evidence.fresh_executions = len(found)
            edge.evidence.fresh_successes = sum(found)

    async def _measure(self, edge: Edge) -> list[bool]:
        """Success of every fresh execution that could be made."""
        found: list[bool] = []
        heeded: bool | None = None
        for k in range(self.config.fresh_executions):
            executed = await self._execute(edge, k)
            if executed is None:
                continue
            success, sent = executed
            if success and sent is not None and heeded is None:
                heeded = await self._heeded(edge, sent, k)
            found.append(success)
        return found if heeded is not False else [False] * len(found)

    async def _heeded(self, edge: Edge, sent: dict[str, str], k: int) -> bool | None:
        """Whether the target answers otherwise to an impossible value; None where it cannot be told."""
        names = [b.parameter for b in edge.bindings if not b.generic]
        if not names:
            return True
        target = self.tools[edge.target]
        answer = await self.answers[k].get(target, sent, 0)
        changed = control_arguments(target, sent, names)
        for attempt in range(self.config.start_attempts):
            control = await self.answers[k].get(target, changed, attempt)
            if control.failure != "environmental":
                return not control.ok or control.fingerprint != answer.fingerprint
        return None

    async def _execute(self, edge: Edge, k: int) -> tuple[bool, dict[str, str] | None] | None:
        """Whether one fresh execution brought records back, and what was sent; None without a source's answer."""
        rng = stream(self.config.seed, "fresh", edge.source, edge.target, k)
        observation = await self._source(edge, k)
        if observation is None:
            return None
        bound = bound_values(edge, observation, rng)
        if isinstance(bound, str):
            return False, None
        target = self.tools[edge.target]
        arguments = self.source.fill(target, (*edge.defaults, *edge.clarify), bound, rng)
        if arguments is None:
            return None
        sent = first_page(target, arguments, self.config.page_rows)
        return (await self.answers[k].get(target, sent, 0)).ok, sent

    async def _source(self, edge: Edge, k: int) -> Observation | None:
        """An answer of the source tool; the k-th is shared by all edges that leave it."""
        tool = self.tools[edge.source]
        rng = stream(self.config.seed, "fresh", edge.source, k)
        for attempt in range(SOURCE_TRIES):
            arguments = self.source.start(tool, rng)
            if arguments is None:
                return None
            arguments = first_page(tool, arguments, SOURCE_ROWS)
            observation = await self.answers[k].get(tool, arguments, attempt)
            if observation.outcome in RETRYABLE:
                observation = await self.answers[k].get(tool, arguments, attempt + SOURCE_TRIES)
            if observation.ok:
                return observation
        return None


def _sample(edges: list[Edge], config: EdgeConfig) -> list[Edge]:
    if config.rate_edges is None or len(edges) <= config.rate_edges:
        return edges
    chosen = stream(config.seed, "rate sample").sample(range(len(edges)), config.rate_edges)
    return [edges[index] for index in sorted(chosen)]
