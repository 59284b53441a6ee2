"""Lanes: synthesis parted by platform, so that every platform has its share and processes need not talk.

A lane begins all its sketches at tools of one platform (what follows may lead anywhere).
It remembers what it has made and learnt by itself, so its result does not depend on
what other lanes do meanwhile, nor on how many of them run at once.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kopa_hf.edge.phrasing import Usage
from kopa_hf.edge.rules import Memory
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.execution.episode import canonical_json


class Lane(NamedTuple):
    """Where sketches begin."""

    split: str
    platform: str


@dataclass(slots=True)
class Lessons:
    """What trying has taught a lane about tools; it saves calls, and changes which sketches are tried next."""

    openings: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    """First tool → arguments that sketches begin with."""
    unreadable: set[str] = field(default_factory=set)
    """Tools that send more rows at once than a trajectory may hold; they are not asked again."""
    tried: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Sketches by structure and first tool,"""
    worked: Counter[tuple[str, str]] = field(default_factory=Counter)
    """and those of them that became trajectories."""

    def luck(self, structure: str, tool: str) -> float:
        """Expected success of a sketch of that structure that begins at that tool; untried ones stand in the middle."""
        return (self.worked[structure, tool] + 1) / (self.tried[structure, tool] + 2)


@dataclass(slots=True)
class Diary:
    """All that a lane carries from one round to the next."""

    usage: Usage = field(default_factory=Usage)
    memory: Memory = field(default_factory=Memory)
    lessons: Lessons = field(default_factory=Lessons)
    attempts: Counter[str] = field(default_factory=Counter)
    made: Counter[str] = field(default_factory=Counter)
    """Trajectories by structure, before filtering."""
    given_up: set[str] = field(default_factory=set)
    """Structures of which the lane found none when it was asked for some; it is not asked again."""
    routes: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)
    """Calls and questions of the lane's trajectories."""

    @classmethod
    def begin(cls, place: int, lanes: int, most: Mapping[str, int]) -> Diary:
        """The empty diary of one of several lanes, which share out the templates of questions.

        `most`: structure → rows that one template may carry. Templates of other lanes are taken as soon as one's own
        have carried that many.
        """
        return cls(usage=Usage({name: _OwnTemplates(place, lanes, number) for name, number in most.items()}))


class _OwnTemplates(Counter[str]):
    """Uses of templates by a lane. Those that belong to other lanes stand just before one's own that are used up."""

    def __init__(self, place: int, lanes: int, most: int, counts: Mapping[str, int] | None = None) -> None:
        super().__init__(counts or {})
        self.place, self.lanes, self.most = place, lanes, most

    def __missing__(self, template: str) -> Any:
        own = zlib.crc32(template.encode("utf-8")) % self.lanes == self.place
        return 0 if own else self.most - 0.5

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.place, self.lanes, self.most, dict(self))


def shares(wanted: Mapping[str, int], weights: Mapping[str, Sequence[float]]) -> list[dict[str, int]]:
    """Each structure's number, parted over lanes by their weights for it; the parts add up to the number.

    Largest remainders: a structure of few rows goes to the lanes that weigh most. Where no
    lane has a weight, the structure is wanted of none.
    """
    parts: list[dict[str, int]] = [{} for _ in range(max(map(len, weights.values()), default=0))]
    for name, number in wanted.items():
        total = math.fsum(weights[name])
        if total <= 0:
            continue
        exact = [number * weight / total for weight in weights[name]]
        whole = [math.floor(part) for part in exact]
        order = sorted(range(len(exact)), key=lambda lane: (whole[lane] - exact[lane], lane))
        for lane in order[: number - sum(whole)]:
            whole[lane] += 1
        for part, rows in zip(parts, whole, strict=True):
            if rows:
                part[name] = rows
    return parts


def interleaved(found: Sequence[Sequence[Trajectory]]) -> list[Trajectory]:
    """The lanes' trajectories evenly mixed, so that a cut takes from all of them alike."""
    placed = [
        ((number + 0.5) / len(lane), index, trajectory)
        for index, lane in enumerate(found)
        for number, trajectory in enumerate(lane)
    ]
    return [trajectory for _, _, trajectory in sorted(placed, key=lambda entry: entry[:2])]


def different(found: Iterable[Trajectory], seen: set[str], funnel: Funnel) -> list[Trajectory]:
    """Those that no earlier one equals in its question or in its calls; `seen` grows."""
    kept = []
    for trajectory in found:
        calls = sorted(canonical_json([a["name"], a["arguments"]]) for a in trajectory.golden_actions)
        marks = {trajectory.question, canonical_json([calls, trajectory.answer])}
        if marks & seen:
            funnel.drop("duplicate: the same calls or the same question came before", trajectory.question)
            continue
        seen |= marks
        kept.append(trajectory)
    return kept
