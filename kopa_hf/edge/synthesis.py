"""Synthesis: many sketches over kept edges, each executed, until every structure has its rows.

Every attempt draws from its own stream of (seed, structure, attempt), so the
result is a function of graph, backend and settings.
"""

from __future__ import annotations

import datetime
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from kopa_hf.agent.session import Session
from kopa_hf.bench.expressions import ProgramError
from kopa_hf.bench.program import answer_text, run_program
from kopa_hf.catalog.local import local_tools
from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.comparisons import compose_branch, compose_compared
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.draft import DraftError
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.edge.phrasing import phrase, reply_for
from kopa_hf.edge.refinement import tools_of
from kopa_hf.edge.structures import compose_chain, compose_shared
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.edge.walk import stream
from kopa_hf.edge.workshop import Sketch, Workshop
from kopa_hf.execution.episode import DEFAULT_DATE, canonical_json
from kopa_hf.execution.executor import Executor

log = logging.getLogger(__name__)

SHARES: Final[dict[str, float]] = {
    "MIXED": 654 / 1781,
    "DRV": 350 / 1781,
    "SEM": 303 / 1781,
    "SEQ": 215 / 1781,
    "CMP": 161 / 1781,
    "COND": 50 / 1781,
    "FAN": 48 / 1781,
}
"""The published mixture of structures."""
LEAST: Final = 3
"""Rows of every wanted structure, however small the whole is."""
_LEAST_ATTEMPTS: Final = 150
"""Sketches tried for a structure of which only a few rows are wanted."""
_PER_ROUTE: Final = 4
"""Trajectories over one sequence of tools with one kind of question."""

Progress = Callable[[int, int], None]
_COMPOSERS: Final[dict[str, Callable[[Workshop, Any, str], Sketch]]] = {
    "SEQ": compose_chain,
    "FAN": compose_chain,
    "DRV": compose_chain,
    "MIXED": compose_chain,
    "SEM": compose_shared,
    "CMP": compose_compared,
    "COND": compose_branch,
}


def synthesize(
    graph: ToolGraph,
    executor: Executor,
    config: EdgeConfig | None = None,
    *,
    tools: Sequence[Tool] | None = None,
    clock: datetime.date = DEFAULT_DATE,
    funnel: Funnel | None = None,
    progress: Progress | None = None,
) -> list[Trajectory]:
    """Executed trajectories over the graph's kept edges, by structure and then in order of discovery.

    As many as `config.rows` asks for, or as the graph gives within the configured
    attempts. `funnel`, where given, counts why sketches led nowhere.
    """
    config = config or graph.config
    funnel = funnel if funnel is not None else Funnel()
    shop = Workshop(graph, tools_of(graph, executor, tools), local_tools(), executor, config, clock)
    collector = _Collector(shop, config, funnel)
    wanted = quotas(config)
    for structure in config.structures:
        collector.fill(structure, wanted, progress)
    funnel.stages["sketched"] = collector.sketched
    funnel.stages["executed"] = len(collector.found)
    return sorted(collector.found, key=lambda t: config.structures.index(t.structure))


def quotas(config: EdgeConfig) -> dict[str, int]:
    """Structure → rows wanted, in the published proportions among the wanted structures."""
    total = sum(SHARES[name] for name in config.structures)
    return {name: max(LEAST, round(config.rows * SHARES[name] / total)) for name in config.structures}


class _Collector:
    """Takes sketches until quotas are full; whatever structure a sketch turns out to have, it counts there."""

    def __init__(self, shop: Workshop, config: EdgeConfig, funnel: Funnel) -> None:
        self.shop = shop
        self.config = config
        self.funnel = funnel
        self.found: list[Trajectory] = []
        self.sketched = 0
        self._counts: Counter[str] = Counter()
        self._routes: Counter[str] = Counter()
        self._seen: set[str] = set()

    def fill(self, structure: str, wanted: dict[str, int], progress: Progress | None) -> None:
        for attempt in range(max(_LEAST_ATTEMPTS, wanted[structure] * self.config.attempts_per_row)):
            if self._counts[structure] >= wanted[structure]:
                return
            self.sketched += 1
            try:
                trajectory = self._attempt(structure, attempt, wanted)
            except (DraftError, ProgramError) as error:
                self.funnel.drop(_reason(error))
                continue
            if trajectory is not None:
                self.found.append(trajectory)
                self._counts[trajectory.structure] += 1
                if progress is not None:
                    progress(len(self.found), sum(wanted.values()))

    def _attempt(self, structure: str, attempt: int, wanted: dict[str, int]) -> Trajectory | None:
        rng = stream(self.config.seed, "sketch", structure, attempt)
        sketch = _COMPOSERS[structure](self.shop, rng, structure)
        if sketch.structure not in wanted or self._counts[sketch.structure] >= wanted[sketch.structure]:
            raise DraftError("that structure has enough rows")
        trajectory = finish(sketch, self.shop, rng)
        if trajectory.calls > self.config.max_calls:
            raise DraftError("too many calls")
        identity = canonical_json([trajectory.golden_actions, trajectory.answer_type, sketch.ask.label])
        route = f"{trajectory.structure} {' '.join(trajectory.tools)} {sketch.ask.kind}"
        if identity in self._seen:
            raise DraftError("the same calls and question were found before")
        if self._routes[route] >= _PER_ROUTE:
            raise DraftError("that route has enough rows")
        self._seen.add(identity)
        self._routes[route] += 1
        return trajectory


def finish(sketch: Sketch, shop: Workshop, rng: Any) -> Trajectory:
    """Execute the sketch's program afresh, put it in words, and choose what a row would offer beside its tools."""
    program: dict[str, Any] = {
        "actions": sketch.draft.actions,
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
    phrased = phrase(sketch.story, rng)
    tools = [shop.tools[name] for name in names if name in shop.tools]
    return Trajectory(
        structure=sketch.structure,
        program=program,
        question=phrased.text,
        answer_type=sketch.ask.type,
        answer=answer,
        answer_unit=sketch.ask.unit,
        reply=reply_for(sketch.ask),
        tools=tuple(names),
        offered=_offered(names, shop, rng),
        junctions=tuple(sketch.junctions),
        golden_actions=run.golden_actions,
        intermediate=tuple(dict.fromkeys(sketch.draft.intermediate)),
        mentions=tuple(m.text for m in _all_mentions(sketch)),
        phrasing=phrased.template,
        domain=tools[-1].domain,
        platforms=tuple(dict.fromkeys(tool.platform for tool in tools)),
    )


def _all_mentions(sketch: Sketch) -> list[Any]:
    details = sketch.story.details
    judging = details.get("judging")
    return [*sketch.story.mentions, *details.get("sides", ()), *(judging.mentions if judging else ())]


def _offered(names: list[str], shop: Workshop, rng: Any) -> tuple[str, ...]:
    """The needed tools, others of the same platforms as distractors, and the local tools that work on results."""
    needed = set(names) | {"reduce_records", "collect_pages", "evaluate_expression"}
    platforms = {shop.tools[name].platform for name in names if name in shop.tools}
    others = sorted(name for name, tool in shop.tools.items() if tool.platform in platforms and name not in needed)
    return tuple(sorted(needed | set(rng.sample(others, min(shop.config.distractors, len(others))))))


def _reason(error: Exception) -> str:
    """A countable reason: a sketch's own words, or the kind of program error."""
    return str(error) if isinstance(error, DraftError) else "its program does not settle on this data"
