"""Synthesis: many sketches over kept edges, each executed, until every structure has its rows.

Every attempt draws from its own stream of (seed, part, structure, attempt), so the
result is a function of graph, backend and settings. What the benchmark asks is kept
out from the start: its dependency edges are not followed, its questions not asked.
"""

from __future__ import annotations

import datetime
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kopa_hf.agent.session import Session
from kopa_hf.bench.expressions import ProgramError
from kopa_hf.bench.overlap import Edge as DependencyEdge
from kopa_hf.bench.overlap import edges_of, program_edges, question_of, squeezed
from kopa_hf.bench.program import answer_text, run_program
from kopa_hf.bench.rows import Row
from kopa_hf.catalog.local import local_tools
from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.comparisons import compose_branch, compose_compared
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.draft import DraftError
from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.meaning import meaning_of
from kopa_hf.edge.mixture import chosen, quotas, short_of
from kopa_hf.edge.phrasing import Usage, phrase, reply_for
from kopa_hf.edge.refinement import tools_of
from kopa_hf.edge.sharing import compose_contrast, compose_fork, compose_joined
from kopa_hf.edge.splits import TRAIN, VALIDATION, part_tools
from kopa_hf.edge.story import Sketch
from kopa_hf.edge.structures import compose_chain, compose_mixed
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.edge.walk import stream
from kopa_hf.edge.workshop import Workshop
from kopa_hf.execution.episode import DEFAULT_DATE, canonical_json
from kopa_hf.execution.executor import Executor

_LEAST_ATTEMPTS: Final = 80
"""Sketches tried for a structure of which only a few rows are wanted."""
_PER_ROUTE: Final = 4
"""Trajectories over one sequence of tools with one kind of question."""
_RARITY: Final = {"FAN": 6, "COND": 2}
"""How many times as many sketches a structure takes: few answers hold two to five values."""
_ROUNDS: Final = 5
"""Times that what a filter dropped is made up for."""
_SURPLUS: Final = 1.1
"""Trajectories made for one that is still missing after a round of filtering."""

_USUAL_CALLS: Final = {"SEQ": 5, "FAN": 5, "DRV": 5, "SEM": 5, "CMP": 7, "COND": 5, "MIXED": 6}
"""Calls that most rows of a structure have at most."""
_LONGER: Final = 0.05
"""Share of longer sketches that are kept all the same."""
_USUAL_STEPS: Final = 4
"""Steps that most combined paths have at least."""
_SHORTER: Final = 0.15
"""Share of shorter ones that are kept all the same."""

Progress = Callable[[int, int], None]
Keep = Callable[[Sequence[Trajectory]], list[Trajectory]]
"""A filter: which of the trajectories are rows."""
Composer = Callable[[Workshop, random.Random, str], Sketch]

_COMPOSERS: Final[dict[str, tuple[tuple[Composer, float], ...]]] = {
    "SEQ": ((compose_chain, 1.0),),
    "FAN": ((compose_chain, 1.0),),
    "DRV": ((compose_chain, 1.0),),
    "MIXED": ((compose_mixed, 1.0),),
    "SEM": ((compose_joined, 1.0),),
    "CMP": ((compose_contrast, 0.85), (compose_compared, 0.15)),
    "COND": ((compose_fork, 0.75), (compose_branch, 0.25)),
}
"""Structure → composers that lead to it, with how often each is taken."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What training must not show: the benchmark's dependency edges and its questions."""

    edges: frozenset[DependencyEdge] = frozenset()
    questions: frozenset[str] = frozenset()

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Kept:
        """Of a benchmark's rows."""
        return cls(edges_of(rows), frozenset(squeezed(question_of(row)) for row in rows))


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
) -> list[Trajectory]:
    """Executed trajectories over the graph's kept edges, by structure and then in order of discovery.

    As many for training as `config.rows` asks for (and `validation_share` of that on
    tools of their own, where the graph is large enough to be parted), or as the graph
    gives within the configured attempts. With `keep` that is the number after
    filtering: what it drops is made up for in further rounds. `benchmark` rows stay
    unseen; `funnel`, where given, counts why sketches led nowhere.
    """
    config = config or graph.config
    funnel = funnel if funnel is not None else Funnel()
    reserved = Kept.of(benchmark)
    by_name = tools_of(graph, executor, tools)
    edges = [e for e in graph.kept() if _leads_on(e, by_name) and (e.source, e.target) not in reserved.edges]
    parts = part_tools(graph, edges, config.validation_share, config.seed)
    found: list[Trajectory] = []
    usage = Usage()
    for stage in ("sketched", "executed"):  # before those of the filter, which runs in between
        funnel.stages.setdefault(stage, 0)
    for split, names, rows in (
        (TRAIN, parts.train, config.rows),
        (VALIDATION, parts.validation, round(config.rows * config.validation_share)),
    ):
        own = {name: tool for name, tool in by_name.items() if name in names}
        if not own or not rows:
            continue
        within = [edge for edge in edges if edge.source in own and edge.target in own]
        shop = Workshop(graph, own, local_tools(), executor, config, clock, edges=within)
        collector = _Collector(shop, config, funnel, split, reserved, usage)
        found += _in_rounds(collector, quotas(config, rows), keep, progress)
        funnel.stages["sketched"] += collector.sketched
        funnel.stages["executed"] += collector.executed
    return sorted(found, key=lambda t: (t.split != TRAIN, config.structures.index(t.structure)))


def _leads_on(edge: Edge, tools: Mapping[str, Tool]) -> bool:
    """True where the edge carries on a thing: a day that two records share links nothing that anybody asks about."""
    target = tools.get(edge.target)
    parameter = target.parameter(edge.key_binding.parameter) if target is not None else None
    return parameter is not None and not edge.key_binding.generic and meaning_of(parameter).kind not in ("date", "time")


def _in_rounds(
    collector: _Collector, wanted: dict[str, int], keep: Keep | None, progress: Progress | None
) -> list[Trajectory]:
    """Collect, filter, and collect again what is missing."""
    if keep is None:
        return chosen(collector.collect(wanted, progress), wanted)
    kept: list[Trajectory] = []
    for _ in range(_ROUNDS):
        missing = short_of(wanted, kept)
        if not missing:
            break
        more = collector.collect({name: round(number * _SURPLUS) + 1 for name, number in missing.items()}, progress)
        if not more:
            break
        kept += keep(more)
    return chosen(kept, wanted)


@dataclass(slots=True)
class _Collector:
    """Takes sketches until quotas are full; whatever structure a sketch turns out to have, it counts there."""

    shop: Workshop
    config: EdgeConfig
    funnel: Funnel
    split: str
    reserved: Kept
    usage: Usage
    sketched: int = 0
    executed: int = 0
    _attempts: Counter[str] = field(default_factory=Counter)
    _routes: Counter[str] = field(default_factory=Counter)
    _seen: set[str] = field(default_factory=set)

    def collect(self, wanted: dict[str, int], progress: Progress | None) -> list[Trajectory]:
        """New trajectories, at most as many of a structure as wanted.

        The structure that lacks most of its own is sketched next; one whose attempts are used up is given up.
        """
        found: list[Trajectory] = []
        counts: Counter[str] = Counter()
        limits = {
            name: self._attempts[name]
            + max(_LEAST_ATTEMPTS, number * self.config.attempts_per_row * _RARITY.get(name, 1))
            for name, number in wanted.items()
        }
        while True:
            open_to = [n for n in wanted if counts[n] < wanted[n] and self._attempts[n] < limits[n]]
            if not open_to:
                return found
            structure = min(open_to, key=lambda name: counts[name] / wanted[name])
            self.sketched += 1
            self._attempts[structure] += 1
            try:
                trajectory = self._attempt(structure, counts, wanted)
            except (DraftError, ProgramError) as error:
                self.funnel.drop(_reason(error))
                continue
            self.executed += 1
            found.append(trajectory)
            counts[trajectory.structure] += 1
            if progress is not None:
                progress(len(found), sum(wanted.values()))

    def _attempt(self, structure: str, counts: Counter[str], wanted: dict[str, int]) -> Trajectory:
        rng = stream(self.config.seed, "sketch", self.split, structure, self._attempts[structure])
        composers = _COMPOSERS[structure]
        compose = rng.choices([c for c, _ in composers], [weight for _, weight in composers])[0]
        sketch = compose(self.shop, rng, structure)
        if counts[sketch.structure] >= wanted.get(sketch.structure, 0):
            raise DraftError("that structure has enough rows")
        route = f"{sketch.structure} {' '.join(a['name'] for a in sketch.draft.ordered())} {sketch.ask.kind}"
        if self._routes[route] >= _PER_ROUTE:
            raise DraftError("that route has enough rows")
        if _calls_of(sketch) > _USUAL_CALLS[sketch.structure] and rng.random() > _LONGER:
            raise DraftError("longer than most rows of its structure")
        if sketch.structure == "MIXED" and _steps_of(sketch) < _USUAL_STEPS and rng.random() > _SHORTER:
            raise DraftError("shorter than most rows of its structure")
        trajectory = finish(sketch, self.shop, rng, self.usage)
        trajectory.split = self.split
        if trajectory.calls > self.config.max_calls:
            raise DraftError("too many calls")
        identity = canonical_json([trajectory.golden_actions, trajectory.answer_type, sketch.ask.label])
        if identity in self._seen:
            raise DraftError("the same calls and question were found before")
        self._check_reserved(trajectory)
        self._seen.add(identity)
        self._routes[route] += 1
        return trajectory

    def _check_reserved(self, trajectory: Trajectory) -> None:
        """The benchmark's edges and questions; edges are not followed anyway, but a program may join tools otherwise."""
        if program_edges(trajectory.program) & self.reserved.edges:
            raise DraftError("benchmark: it holds a dependency edge of a benchmark task")
        if squeezed(trajectory.question) in self.reserved.questions:
            raise DraftError("benchmark: it asks a benchmark question")


def _calls_of(sketch: Sketch) -> int:
    """Calls that the sketch has issued; several values that are called for side by side count once."""
    return sum(1 for action in sketch.draft.actions if "when" not in action)


def _steps_of(sketch: Sketch) -> int:
    """Steps of the sketch."""
    return max(int(action["step"]) for action in sketch.draft.actions)


def finish(sketch: Sketch, shop: Workshop, rng: Any, usage: Usage | None = None) -> Trajectory:
    """Execute the sketch's program afresh, put it in words, and choose what a row would offer beside its tools."""
    program: dict[str, Any] = {
        "actions": sketch.draft.ordered(),
        "answer": sketch.ask.expression,
        "deciding": None,
        "terms": [],
        "slots": {},
    }
    names = list(dict.fromkeys(str(action["name"]) for action in sketch.draft.actions))
    session = Session(
        shop.executor,
        [tool for tool in shop.everything if tool.name in names],
        token_budget=shop.config.token_budget,
        stream="golden",
    )
    run = run_program(program, session)
    answer = answer_text(run.answer, sketch.ask.type)
    phrased = phrase(sketch.story, rng, sketch.structure, usage)
    tools = [shop.tools[name] for name in names if name in shop.tools]
    return Trajectory(
        structure=sketch.structure,
        program=program,
        question=phrased.text,
        answer_type=sketch.ask.type,
        answer=answer,
        answer_unit=sketch.ask.unit,
        reply=reply_for(sketch.ask, rng),
        tools=tuple(names),
        offered=_offered(names, shop, rng),
        junctions=tuple(sketch.junctions),
        golden_actions=run.golden_actions,
        intermediate=tuple(dict.fromkeys(sketch.draft.intermediate)),
        mentions=tuple(m.text for m in _all_mentions(sketch)),
        phrasing=phrased.template,
        register=phrased.register,
        domain=tools[-1].domain,
        platforms=tuple(dict.fromkeys(tool.platform for tool in tools)),
    )


def _all_mentions(sketch: Sketch) -> list[Any]:
    details = sketch.story.details
    judging = details.get("judging")
    told = [*details.get("sides", ()), *details.get("shared", ()), *(judging.mentions if judging else ())]
    return [*sketch.story.mentions, *told]


def _offered(names: list[str], shop: Workshop, rng: Any) -> tuple[str, ...]:
    """The needed tools, others of the same platforms as distractors, and the local tools that work on results."""
    needed = set(names) | {"reduce_records", "collect_pages", "evaluate_expression"}
    platforms = {shop.tools[name].platform for name in names if name in shop.tools}
    others = sorted(name for name, tool in shop.tools.items() if tool.platform in platforms and name not in needed)
    return tuple(sorted(needed | set(rng.sample(others, min(shop.config.distractors, len(others))))))


def _reason(error: Exception) -> str:
    """A countable reason: a sketch's own words, or the kind of program error."""
    return str(error) if isinstance(error, DraftError) else "its program does not settle on this data"
