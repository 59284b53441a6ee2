"""Synthesis: many sketches over kept edges, each executed, until every structure has its rows.

Lanes work on it side by side, each from its own streams, so the result is a function
of graph, backend and settings. What the benchmark asks is kept out from the start: its
dependency edges are not followed, its questions not asked.
"""

from __future__ import annotations

import datetime
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kopa_hf.bench.rows import Row
from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.collecting import Kept
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.crew import Bench, Crew, Keep, Made, Plan, Unit, Work, at_work, followed
from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.lanes import Diary, Lane, different, interleaved, shares
from kopa_hf.edge.mixture import chosen, quotas, short_of, template_rows
from kopa_hf.edge.refinement import tools_of
from kopa_hf.edge.splits import TRAIN, VALIDATION, part_tools
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.execution.episode import DEFAULT_DATE
from kopa_hf.execution.executor import Executor

_ROUNDS: Final = 5
"""Times that what a filter dropped, or a lane did not find, is made up for."""
_SURPLUS: Final = 1.65
"""Trajectories executed for one that is missing: filters drop about a quarter, and of the rest the shorter are chosen."""
_UNASKED: Final = 0.1
"""Success that a lane is taken to have with a structure that it has not tried."""

Progress = Callable[[int, int], None]


def synthesize(
    graph: ToolGraph,
    executor: Executor,
    config: EdgeConfig | None = None,
    *,
    tools: Sequence[Tool] | None = None,
    clock: datetime.date = DEFAULT_DATE,
    benchmark: Sequence[Row] = (),
    keep: Keep | None = None,
    funnel: Funnel | None = None,
    progress: Progress | None = None,
    crew: Crew | None = None,
) -> list[Trajectory]:
    """Executed trajectories over the graph's kept edges, by structure and then in order of discovery.

    As many for training as `config.rows` asks for (and `validation_share` of that on
    tools of their own, where the graph is large enough to be parted), or as the graph
    gives within the configured attempts. With `keep` that is the number after
    filtering: what it drops is made up for in further rounds. `benchmark` rows stay
    unseen; `funnel`, where given, counts why sketches led nowhere. A `crew` spreads the
    work over processes (`keep` must then be picklable); it changes no byte of the result.
    """
    config = config or graph.config
    funnel = funnel if funnel is not None else Funnel()
    reserved = Kept.of(benchmark)
    edges = followed(graph, tools_of(graph, executor, tools), reserved)
    parts = part_tools(graph, edges, config.validation_share, config.seed)
    bench = Bench(Plan(graph, config, clock, reserved, parts, keep, tools), executor)
    rows = {TRAIN: config.rows, VALIDATION: round(config.rows * config.validation_share)}
    wanted = {split: quotas(config, number) for split, number in rows.items() if number}
    places = _places(bench, edges, wanted)
    for stage in ("sketched", "executed"):  # before those of the filter
        funnel.stages.setdefault(stage, 0)
    found = _Found(config, wanted, funnel, filtered=keep is not None)
    with at_work(bench.plan, bench, crew, len(places)) as work:
        for _ in range(_ROUNDS):
            asked = _asked(places, found, _SURPLUS)
            if not asked or not _round(asked, work, found, progress):
                break
    return sorted(found.chosen(), key=lambda t: (t.split != TRAIN, config.structures.index(t.structure)))


@dataclass(slots=True)
class _Place:
    """A lane, what it weighs, and how far it is."""

    lane: Lane
    weight: float
    diary: Diary

    def weight_for(self, structure: str) -> float:
        """What share of a structure's rows the lane is asked for: the larger it is, and the easier it finds them."""
        if structure in self.diary.given_up:
            return 0.0
        tried = self.diary.attempts[structure]
        easy = self.diary.made[structure] / tried if tried else _UNASKED
        return self.weight * min(easy, 1.0) if self.diary.attempts else self.weight


def _places(bench: Bench, edges: Iterable[Edge], wanted: Mapping[str, Mapping[str, int]]) -> list[_Place]:
    """One lane for each platform of either part.

    A platform weighs as the root of its tools that lead on: large ones have more to give, and small ones are seen too.
    """
    parts = {TRAIN: bench.plan.parts.train, VALIDATION: bench.plan.parts.validation}
    lead_on = {edge.source for edge in edges}
    weights: dict[Lane, float] = {}
    for split in wanted:
        own = {name: tool.platform for name, tool in bench.tools.items() if name in parts[split]}
        linked = Counter(platform for name, platform in own.items() if name in lead_on)
        for platform in sorted(set(own.values())):
            weights[Lane(split, platform)] = math.sqrt(max(linked[platform], 1))
    return [
        _Place(lane, weight, Diary.begin(number, len(weights), template_rows(bench.plan.config)))
        for number, (lane, weight) in enumerate(weights.items())
    ]


def _asked(places: Sequence[_Place], found: _Found, surplus: float) -> list[tuple[_Place, Unit]]:
    """What the lanes are asked for next: what is missing, shared out by what they weigh."""
    asked = []
    for split, missing in found.missing().items():
        own = [place for place in places if place.lane.split == split]
        wanted = {name: math.ceil(number * surplus) for name, number in missing.items()}
        parts = shares(wanted, {name: [place.weight_for(name) for place in own] for name in wanted})
        asked += [(place, Unit(place.lane, part, place.diary)) for place, part in zip(own, parts, strict=False) if part]
    return asked


def _round(asked: Sequence[tuple[_Place, Unit]], work: Work, found: _Found, progress: Progress | None) -> bool:
    """Let the lanes work; False where none of them found anything."""
    made: list[Made] = []
    for (place, _), result in zip(asked, work([unit for _, unit in asked]), strict=True):
        place.diary = result.diary
        made.append(result)
        if progress is not None:
            progress(found.total + sum(len(each.kept) for each in made), found.wanted_in_all)
    found.add(made)
    return any(result.kept for result in made)


@dataclass(slots=True)
class _Found:
    """What all lanes have found so far."""

    config: EdgeConfig
    wanted: Mapping[str, dict[str, int]]
    """Split → structure → rows."""
    funnel: Funnel
    filtered: bool
    _kept: list[Trajectory] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _templates: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """Trajectories found."""
        return len(self._kept)

    @property
    def wanted_in_all(self) -> int:
        """Trajectories wanted."""
        return sum(sum(rows.values()) for rows in self.wanted.values())

    def missing(self) -> dict[str, dict[str, int]]:
        """Split → structure → trajectories still missing."""
        return {split: short_of(rows, self._of(split)) for split, rows in self.wanted.items()}

    def add(self, made: Sequence[Made]) -> None:
        """Take over a round, mixing the lanes evenly."""
        for each in made:
            self.funnel.add(each.funnel)
        mixed = different(interleaved([each.kept for each in made if each.kept]), self._seen, self.funnel)
        self._kept += [t for t in mixed if not self.filtered or self._within_share(t)]

    def chosen(self) -> list[Trajectory]:
        """As many as are wanted of either split."""
        return [t for split, rows in self.wanted.items() for t in chosen(self._of(split), rows)]

    def _of(self, split: str) -> list[Trajectory]:
        return [t for t in self._kept if t.split == split]

    def _within_share(self, trajectory: Trajectory) -> bool:
        """No template may carry too many rows; lanes have their own ones, but may run out of them."""
        key = trajectory.structure, trajectory.phrasing
        if self._templates[key] >= template_rows(self.config).get(trajectory.structure, 1):
            self.funnel.drop("redundant: its phrasing template carries its share already", trajectory.question)
            return False
        self._templates[key] += 1
        return True
