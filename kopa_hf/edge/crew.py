"""Who does the lanes' work: this process, or several that each open an executor of their own.

A unit of work is a function of the plan and of what the unit holds, so who does it, in
which order and beside what changes nothing of what it makes.
"""

from __future__ import annotations

import datetime
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from kopa_hf.catalog.local import local_tools
from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.collecting import Collector, Kept
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.filtering import filter_trajectories
from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.lanes import Diary, Lane
from kopa_hf.edge.meaning import meaning_of
from kopa_hf.edge.processes import cores, ctrl_c_stays_here, spawned
from kopa_hf.edge.refinement import tools_of
from kopa_hf.edge.rules import Memory
from kopa_hf.edge.splits import TRAIN, Parts
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.edge.workshop import Workshop
from kopa_hf.execution.executor import Executor

Keep = Callable[[Sequence[Trajectory], Executor, Funnel, Memory], list[Trajectory]]
"""A filter: which of a lane's trajectories are rows. The memory is the lane's own."""
OpenExecutor = Callable[[], Executor]


@dataclass(frozen=True, slots=True)
class Plan:
    """What all units share."""

    graph: ToolGraph
    config: EdgeConfig
    clock: datetime.date
    reserved: Kept
    parts: Parts
    keep: Keep | None = None
    tools: Sequence[Tool] | None = None
    """Signatures; None: the executor's catalog has them."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One lane's work for one round."""

    lane: Lane
    wanted: Mapping[str, int]
    diary: Diary


@dataclass(frozen=True, slots=True)
class Made:
    """What became of a unit."""

    kept: list[Trajectory]
    diary: Diary
    funnel: Funnel


@dataclass(frozen=True, slots=True)
class Crew:
    """Processes, each of which opens the same executor; only backends that answer alike wherever they are opened."""

    open_executor: OpenExecutor
    workers: int = 0
    """Processes at most; 0: one for every core that this process may use."""

    @property
    def size(self) -> int:
        """Processes wanted."""
        return self.workers or cores()


@dataclass(slots=True)
class Bench:
    """A place of work: a plan, an executor, and one workshop per lane, made when it is first needed."""

    plan: Plan
    executor: Executor
    tools: dict[str, Tool] = field(init=False)
    edges: list[Edge] = field(init=False)
    _shops: dict[Lane, Workshop] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tools = tools_of(self.plan.graph, self.executor, self.plan.tools)
        self.edges = followed(self.plan.graph, self.tools, self.plan.reserved)

    def carry_out(self, unit: Unit) -> Made:
        """Collect, and filter."""
        plan, funnel, shop = self.plan, Funnel(), self.shop(unit.lane)
        for stage in ("sketched", "executed"):  # before those of the filter
            funnel.stages[stage] = 0
        shop.lessons = unit.diary.lessons
        collector = Collector(unit.lane, shop, plan.config, funnel, plan.reserved, unit.diary)
        found = collector.collect(unit.wanted)
        kept = found if plan.keep is None else plan.keep(found, self.executor, funnel, unit.diary.memory)
        return Made(kept, unit.diary, funnel)

    def shop(self, lane: Lane) -> Workshop:
        """The lane's workshop: begins at tools of its platform, goes anywhere within its part of the tools."""
        if lane not in self._shops:
            names = self.plan.parts.train if lane.split == TRAIN else self.plan.parts.validation
            own = {name: tool for name, tool in self.tools.items() if name in names}
            within = [edge for edge in self.edges if edge.source in own and edge.target in own]
            self._shops[lane] = Workshop(
                self.plan.graph,
                own,
                local_tools(),
                self.executor,
                self.plan.config,
                self.plan.clock,
                edges=within,
                platform=lane.platform,
            )
        return self._shops[lane]


def followed(graph: ToolGraph, tools: Mapping[str, Tool], reserved: Kept) -> list[Edge]:
    """Kept edges that trajectories may follow: they carry on a thing, and the benchmark does not depend on them."""
    return [e for e in graph.kept() if _leads_on(e, tools) and (e.source, e.target) not in reserved.edges]


def _leads_on(edge: Edge, tools: Mapping[str, Tool]) -> bool:
    """True where the edge carries on a thing: a day that two record sets share links nothing that anybody asks about."""
    target = tools.get(edge.target)
    parameter = target.parameter(edge.key_binding.parameter) if target is not None else None
    return parameter is not None and not edge.key_binding.generic and meaning_of(parameter).kind not in ("date", "time")


Work = Callable[[Sequence[Unit]], Iterator[Made]]


@contextmanager
def at_work(plan: Plan, bench: Bench, crew: Crew | None, lanes: int) -> Iterator[Work]:
    """A function that carries out units and gives what was made of them, in their order."""
    size = min(crew.size, lanes) if crew is not None else 1
    if crew is None or size == 1:
        yield lambda units: map(bench.carry_out, units)
        return
    with spawned([1] * size, _begin, (crew.open_executor, plan), work="the synthesis") as processes:
        yield partial(_spread, processes, {})


def _spread(processes: Sequence[ProcessPoolExecutor], homes: dict[str, int], units: Sequence[Unit]) -> Iterator[Made]:
    """Carry out units, the largest first; a platform stays with the process that has its tables and answers."""
    waiting = sorted(range(len(units)), key=lambda n: -sum(units[n].wanted.values()))
    running: dict[Future[Made], tuple[int, int]] = {}
    made: dict[int, Made] = {}
    idle, ready = set(range(len(processes))), 0
    while waiting or running:
        for place in sorted(idle):
            number = next((n for n in waiting if homes.get(units[n].lane.platform, place) == place), None)
            if number is not None:
                homes[units[number].lane.platform] = place
                waiting.remove(number)
                idle.remove(place)
                with ctrl_c_stays_here():  # the first unit starts the process
                    running[processes[place].submit(_carry_out, units[number])] = number, place
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            number, place = running.pop(future)
            made[number] = future.result()
            idle.add(place)
        while ready in made:
            yield made.pop(ready)
            ready += 1


_own: list[Bench] = []
"""The place of work of a spawned process."""


def _begin(open_executor: OpenExecutor, plan: Plan) -> None:
    _own.append(Bench(plan, open_executor()))
    gc.freeze()  # graph and catalog stay; no collection need look at them again


def _carry_out(unit: Unit) -> Made:
    return _own[0].carry_out(unit)


@dataclass(frozen=True, slots=True)
class Offline:
    """The filter without models, as a value that any process understands."""

    config: EdgeConfig

    def __call__(
        self, found: Sequence[Trajectory], executor: Executor, funnel: Funnel, memory: Memory
    ) -> list[Trajectory]:
        return filter_trajectories(found, executor, self.config, funnel=funnel, memory=memory)
