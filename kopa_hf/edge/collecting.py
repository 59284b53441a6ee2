"""One lane at work: sketches, executed and put in words, until its quotas are full.

Every attempt draws from its own stream of (seed, lane, structure, attempt).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.agent.session import Session
from kopa_hf.bench.expressions import ProgramError
from kopa_hf.bench.overlapping import Edge as DependencyEdge
from kopa_hf.bench.overlapping import edges_of, program_edges, question_of, squeezed
from kopa_hf.bench.program import answer_text, run_program
from kopa_hf.bench.rows import Row
from kopa_hf.edge.comparisons import compose_branch, compose_compared
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.draft import DraftError
from kopa_hf.edge.lanes import Diary, Lane
from kopa_hf.edge.phrasing import Usage, phrase, reply_for
from kopa_hf.edge.sharing import compose_contrast, compose_fork, compose_joined
from kopa_hf.edge.story import Sketch
from kopa_hf.edge.structures import compose_chain, compose_mixed
from kopa_hf.edge.things import demanded_unit
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.edge.walk import stream
from kopa_hf.edge.workshop import Workshop
from kopa_hf.execution.episode import canonical_json

_LEAST_ATTEMPTS: Final = 80
"""Sketches tried for a structure of which only a few rows are wanted."""
_IN_VAIN: Final = 60
"""Sketches of a structure without a trajectory after which the lane has none to give."""
_PER_ROUTE: Final = 4
"""Trajectories over one sequence of tools with one kind of question."""
_RARITY: Final = {"FAN": 6, "COND": 2}
"""How many times as many sketches a structure takes: few answers hold two to five values."""

_USUAL_CALLS: Final = {"SEQ": 5, "FAN": 5, "DRV": 5, "SEM": 5, "CMP": 7, "COND": 5, "MIXED": 6}
"""Calls that most rows of a structure have at most."""
_LONGER: Final = 0.05
"""Share of longer sketches that are kept all the same."""
_USUAL_STEPS: Final = 4
"""Steps that most combined paths have at least."""
_SHORTER: Final = 0.15
"""Share of shorter ones that are kept all the same."""

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


@dataclass(slots=True)
class Collector:
    """Takes sketches until quotas are full; whatever structure a sketch turns out to have, it counts there."""

    lane: Lane
    shop: Workshop
    config: EdgeConfig
    funnel: Funnel
    reserved: Kept
    diary: Diary

    def collect(self, wanted: Mapping[str, int]) -> list[Trajectory]:
        """New trajectories, at most as many of a structure as wanted.

        The structure that lacks most of its own is sketched next. It is given up when its
        attempts are used up, or when many in a row led nowhere.
        """
        found: list[Trajectory] = []
        counts: Counter[str] = Counter()
        in_vain: Counter[str] = Counter()
        attempts = self.diary.attempts
        limits = {
            name: attempts[name] + _RARITY.get(name, 1) * max(_LEAST_ATTEMPTS, number * self.config.attempts_per_row)
            for name, number in wanted.items()
        }
        while True:
            open_to = [
                name
                for name in wanted
                if counts[name] < wanted[name]
                and attempts[name] < limits[name]
                and in_vain[name] < _IN_VAIN * _RARITY.get(name, 1)
            ]
            if not open_to:
                self.diary.given_up.update(name for name in wanted if not counts[name])
                return found
            structure = min(open_to, key=lambda name: counts[name] / wanted[name])
            self._count("sketched")
            attempts[structure] += 1
            in_vain[structure] += 1
            self.shop.start_over(structure)
            try:
                trajectory = self._attempt(structure, counts, wanted)
            except (DraftError, ProgramError) as error:
                self.funnel.drop(_reason(error))
                self._learn(structure, worked=False)
                continue
            self._count("executed")
            self._learn(structure, worked=True)
            found.append(trajectory)
            counts[trajectory.structure] += 1
            self.diary.made[trajectory.structure] += 1
            in_vain[trajectory.structure] = in_vain[structure] = 0

    def _count(self, stage: str) -> None:
        self.funnel.stages[stage] = self.funnel.stages.get(stage, 0) + 1

    def _learn(self, structure: str, *, worked: bool) -> None:
        """Note for the tools that the sketch began with whether that led anywhere."""
        lessons = self.diary.lessons
        for name in self.shop.begun:
            lessons.tried[structure, name] += 1
            lessons.worked[structure, name] += worked

    def _attempt(self, structure: str, counts: Counter[str], wanted: Mapping[str, int]) -> Trajectory:
        diary = self.diary
        rng = stream(self.config.seed, "sketch", *self.lane, structure, diary.attempts[structure])
        composers = _COMPOSERS[structure]
        compose = rng.choices([c for c, _ in composers], [weight for _, weight in composers])[0]
        sketch = compose(self.shop, rng, structure)
        if counts[sketch.structure] >= wanted.get(sketch.structure, 0):
            raise DraftError("that structure has enough rows")
        route = f"{sketch.structure} {' '.join(a['name'] for a in sketch.draft.ordered())} {sketch.ask.kind}"
        if diary.routes[route] >= _PER_ROUTE:
            raise DraftError("that route has enough rows")
        if _calls_of(sketch) > _USUAL_CALLS[sketch.structure] and rng.random() > _LONGER:
            raise DraftError("longer than most rows of its structure")
        if sketch.structure == "MIXED" and _steps_of(sketch) < _USUAL_STEPS and rng.random() > _SHORTER:
            raise DraftError("shorter than most rows of its structure")
        trajectory = finish(sketch, self.shop, rng, diary.usage)
        trajectory.split = self.lane.split
        if trajectory.calls > self.config.max_calls:
            raise DraftError("too many calls")
        identity = canonical_json([trajectory.golden_actions, trajectory.answer_type, sketch.ask.label])
        if identity in diary.seen:
            raise DraftError("the same calls and question were found before")
        self._check_reserved(trajectory)
        diary.seen.add(identity)
        diary.routes[route] += 1
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
        [shop.everything[name] for name in names],
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
        answer_unit=demanded_unit(sketch.ask.unit),
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
