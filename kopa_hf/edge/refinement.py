"""Refinement: execute sampled paths, update every edge's posterior, keep the evidence.

Within an iteration posteriors and pools are frozen; at its end all paths are
applied in their order. So the result depends on seed and backend alone, not on
concurrency or interruptions: an unfinished iteration leaves no trace and is run
again on resume.
"""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.arguments import ArgumentSource, field_keys
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.harvest import Harvest, apply_path, needed_keys
from kopa_hf.edge.history import IterationStats
from kopa_hf.edge.memory import rare_collections
from kopa_hf.edge.observe import Answers, Ask, Caller
from kopa_hf.edge.storage import Written, edge_state, json_text, read_checked, restore_edge_state, write_checked
from kopa_hf.edge.surroundings import begin, refuse
from kopa_hf.edge.walk import PathLog, Walker, stream
from kopa_hf.errors import BackendError, DataError
from kopa_hf.execution.episode import DEFAULT_DATE, canonical_json

log = logging.getLogger(__name__)


T = TypeVar("T")
Progress = Callable[[IterationStats], None]
"""Called with the numbers of every finished iteration."""

CHECKPOINT_KIND: Final = "kopa-edge-checkpoint"
CHECKPOINT_VERSION: Final = 2
_DECISIVE: Final = (
    "seed", "paths", "max_edges", "exploration", "updates", "kappa", "page_rows", "start_attempts", "cached_values",
    "min_trials", "tau", "prune_below",
)  # fmt: skip
"""Settings that shape the run. The number of iterations does not: a longer run continues a shorter one."""
_ENOUGH_CALLS: Final = 20
"""Calls of an iteration from which on their failures say something about the backend."""


def refine(
    graph: ToolGraph,
    executor: Caller,
    config: EdgeConfig | None = None,
    *,
    tools: Sequence[Tool] | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
    clock: datetime.date | None = None,
    ask: Ask | None = None,
) -> ToolGraph:
    """Run the configured iterations on the graph, in place, and return it.

    `tools` are the graph's signatures (default: the executor's catalog), `clock` is the
    day that dates are made around (default: the sandbox's own, live today). With a
    `checkpoint` every finished iteration is on disk, and an existing file of the
    same graph and settings is continued. `ask` makes the calls in the executor's place
    (`edge.answering`: several processes); the result is the same. Raises `BackendError` where the backend is
    down, `DataError` where the checkpoint cannot be used or written; finished
    iterations are kept in both cases, and after Ctrl-C.
    """
    run = Refinement(graph, executor, config or graph.config, tools=tools, clock=clock, ask=ask)
    if checkpoint is not None and Path(checkpoint).exists():
        run.resume(checkpoint)
    with rare_collections():
        run_coroutine(run.run(checkpoint=checkpoint, progress=progress))
    return graph


def run_coroutine(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end, from a script as well as from inside a running loop (a notebook)."""
    if not _in_loop():
        return asyncio.run(work)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()


def _in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def run_together(work: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Run coroutines side by side; the first error, a cancellation too, ends all of them and is raised as itself."""
    tasks = [asyncio.ensure_future(item) for item in work]
    try:
        await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


class Refinement:
    """The state of one run: the graph, the pools, the next iteration."""

    def __init__(
        self,
        graph: ToolGraph,
        executor: Caller,
        config: EdgeConfig,
        *,
        tools: Sequence[Tool] | None = None,
        clock: datetime.date | None = None,
        ask: Ask | None = None,
    ) -> None:
        begin(graph, executor)
        self.graph = graph
        graph.config = config
        self.executor = executor
        self.config = config
        self.clock = clock or today_of(executor)
        self.tools = tools_of(graph, executor, tools)
        self.edges = graph.edges()
        self.values = graph.values
        self.iteration = len(graph.history)
        self.wanted = wanted_fields(self.edges, self.tools)
        self.answers = Answers(executor, self.wanted, ask=ask)
        self.harvest = Harvest(self.tools, graph)
        self._touched: set[int] = set()
        self._written: dict[int, str] = {}
        """Touched edge → its text in the checkpoint, until it changes: most of a checkpoint is as it was."""
        self._position = {(edge.source, edge.target): i for i, edge in enumerate(self.edges)}
        self._pruned: set[int] = set()
        self._decide(i for i, edge in enumerate(self.edges) if edge.evidence.trials)
        self._fingerprint = ""

    async def run(self, *, checkpoint: str | Path | None = None, progress: Progress | None = None) -> None:
        """The remaining iterations."""
        while self.iteration < self.config.iterations and self.edges:
            logs = await self._iterate()
            stats = self._apply(logs)
            if checkpoint is not None:
                self.save(checkpoint)
            if progress is not None:
                progress(stats)

    async def _iterate(self) -> list[PathLog]:
        source = ArgumentSource(self.tools, self.values, self.clock)
        outgoing = self._executable(source)
        starts = self._starts(source, outgoing)
        walker = Walker(self.tools, outgoing, source, self.answers, self.graph.controls, self.config)
        logs = [PathLog() for _ in range(self.config.paths)]
        waiting = iter(range(self.config.paths if starts else 0))

        async def work() -> None:
            for index in waiting:
                rng = stream(self.config.seed, self.iteration, index)
                logs[index] = await walker.walk(starts[index % len(starts)], rng)

        await run_together([work() for _ in range(self.config.concurrency)])
        self._check_backend(logs)
        return logs

    def _executable(self, source: ArgumentSource) -> dict[str, list[Edge]]:
        """Source → edges whose open inputs can be filled as of now."""
        outgoing: dict[str, list[Edge]] = {}
        for edge in self.edges:
            target = self.tools[edge.target]
            needed = [target.parameter(name) for name in edge.clarify]
            if all(p is not None and source.fillable(target, p) for p in needed):
                outgoing.setdefault(edge.source, []).append(edge)
        return outgoing

    def _starts(self, source: ArgumentSource, outgoing: Mapping[str, list[Edge]]) -> list[str]:
        """Tools that can begin a path, shuffled anew each iteration so that all get their turn."""
        names = sorted(name for name in outgoing if source.can_start(self.tools[name]))
        stream(self.config.seed, self.iteration, "starts").shuffle(names)
        return names

    def _check_backend(self, logs: list[PathLog]) -> None:
        """Stop before the updates where nearly everything failed for outside reasons, or the latest calls all did."""
        self.answers.check_tail()
        calls, broken = sum(path.calls for path in logs), sum(path.broken for path in logs)
        if calls >= _ENOUGH_CALLS and broken >= self.config.stop_at_failures * calls:
            raise BackendError(
                f"{broken} of {calls} calls of iteration {self.iteration + 1} failed for outside reasons: the "
                f"{self.executor.backend} backend is down or refuses. The iteration was not counted; earlier ones "
                "are kept. Run the same command again later and it resumes."
            )

    def _apply(self, logs: list[PathLog]) -> IterationStats:
        """Update posteriors, evidence and pools in path order."""
        failures: dict[str, int] = {}
        succeeded = steps = 0
        changed: set[int] = set()
        for path in logs:
            for trial in path.trials:
                steps += 1
                if trial.kind in ("semantic", "generic"):
                    succeeded += 1
                else:
                    failures[trial.outcome] = failures.get(trial.outcome, 0) + 1
                changed.add(self._position[trial.edge.source, trial.edge.target])
            apply_path(self.graph, path, self.config, self.executor.backend, self.iteration, self.clock)
            self.harvest.add(path)
        self._decide(changed)
        stats = IterationStats(
            iteration=self.iteration,
            paths=sum(path.started for path in logs),
            passed=sum(path.passed for path in logs),
            steps=steps,
            succeeded=succeeded,
            calls=sum(path.calls for path in logs),
            failures=dict(sorted(failures.items())),
            edges_tried=len(self._touched),
            pruned=len(self._pruned),
        )
        self.graph.history.append(stats)
        self.iteration += 1
        return stats

    def _decide(self, changed: Iterable[int]) -> None:
        """Which edges are pruned as of now; only those with new trials can have changed."""
        for index in changed:
            self._touched.add(index)
            self._written.pop(index, None)
            if self.edges[index].decision(self.config) == "pruned":
                self._pruned.add(index)
            else:
                self._pruned.discard(index)

    # Checkpoints

    def fingerprint(self) -> str:
        """Changes with anything that would make a continued run differ from an uninterrupted one.

        The live services' day is not part of it: a run that a quota ended goes on on another day.
        """
        if not self._fingerprint:
            day = None if self.executor.backend == "live" else self.clock.isoformat()
            text = canonical_json([self.graph.signature(), self.decisive(), self.executor.backend, day])
            self._fingerprint = hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
        return self._fingerprint

    def decisive(self) -> dict[str, Any]:
        """The settings that shape the run."""
        settings = self.config.to_dict()
        return {name: settings[name] for name in _DECISIVE}

    def save(self, path: str | Path) -> None:
        """Write the state after the last finished iteration."""
        for index in self._touched - self._written.keys():
            self._written[index] = json_text([index, edge_state(self.edges[index])])
        content = {
            "fingerprint": self.fingerprint(),
            "settings": self.decisive(),
            "surroundings": self.graph.surroundings,
            "iteration": self.iteration,
            "edges": Written(f"[{','.join(self._written[index] for index in sorted(self._written))}]"),
            "values": self.values.to_list(),
            "controls": self.graph.controls.to_list(),
            "history": [stats.to_dict() for stats in self.graph.history],
        }
        write_checked(path, CHECKPOINT_KIND, CHECKPOINT_VERSION, content)

    def resume(self, path: str | Path) -> None:
        """Continue from a checkpoint; raises `DataError` where it belongs to another run or is damaged."""
        remedy = "Delete it to start refinement again."
        content = read_checked(path, CHECKPOINT_KIND, CHECKPOINT_VERSION, remedy)
        if content.get("surroundings") and self.graph.surroundings:
            refuse(content["surroundings"], self.graph.surroundings, f"The checkpoint {path} was made with")
        if content.get("fingerprint") != self.fingerprint():
            before, now = content.get("settings") or {}, self.decisive()
            changed = [f"{name} {before[name]}, now {now[name]}" for name in before if before[name] != now.get(name)]
            raise DataError(
                f"The checkpoint {path} belongs to "
                + (
                    f"other settings: {'; '.join(changed)}. "
                    if changed
                    else "another graph, backend or other settings. "
                )
                + "Use another --output, or delete it to start again."
            )
        try:
            if int(content["iteration"]) <= self.iteration:
                return  # the graph holds these iterations, and perhaps a refresh since
            history = [IterationStats(**stats) for stats in content["history"]]
            for index, state in content["edges"]:
                restore_edge_state(self.edges[index], state)
            self.values.restore(content["values"])
            self.graph.controls.restore(content["controls"])
            self.iteration = int(content["iteration"])
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise DataError(f"{path} is no usable checkpoint ({error!r}). {remedy}") from error
        self.graph.history = history
        self._decide(int(index) for index, _ in content["edges"])
        log.info("resuming after iteration %d", self.iteration)


def today_of(executor: Caller) -> datetime.date:
    """The day that a run counts from: the services' own when they are asked, a snapshot's, else the sandbox's."""
    day: datetime.date = getattr(executor, "today", DEFAULT_DATE)
    return day


def tools_of(graph: ToolGraph, executor: Any, tools: Sequence[Tool] | None) -> dict[str, Tool]:
    """Name → signature for every tool of the graph; raises `DataError` where one is missing."""
    known = {tool.name: tool for tool in (tools if tools is not None else executor.catalog)}
    missing = [name for name in graph if name not in known]
    if missing:
        raise DataError(
            f"The graph has {len(missing)} tools that the catalog lacks ({', '.join(missing[:3])}, …). "
            "It was made from another catalog; build it again."
        )
    return {name: known[name] for name in graph}


def wanted_fields(edges: Sequence[Edge], tools: Mapping[str, Tool]) -> dict[str, frozenset[str]]:
    """Tool → fields whose values matter: bound ones, and those that could fill some required input."""
    needed = needed_keys(tools)
    wanted: dict[str, set[str]] = {
        name: {f.name for f in tool.fields if any(key in needed for key in field_keys(f))}
        for name, tool in tools.items()
    }
    for edge in edges:
        wanted[edge.source].update(binding.field for binding in edge.bindings)
    return {name: frozenset(fields) for name, fields in wanted.items()}
