"""One sampled path: start somewhere, follow edges, write down what happened.

A path reads posteriors and pools that stay fixed during an iteration and draws
from its own random stream, so it is the same path in whatever order paths run.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.arguments import ArgumentSource, first_page
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.control import Controls, InputKey, control_arguments, tested_inputs
from kopa_hf.edge.graph import Edge
from kopa_hf.edge.observe import Answers, Observation, request_key
from kopa_hf.edge.posterior import TrialKind
from kopa_hf.platforms.failures import RETRYABLE


@dataclass(slots=True)
class Trial:
    """One execution of one edge."""

    edge: Edge
    kind: TrialKind
    outcome: str
    """The service's outcome, `missing_field` or `ignored`."""
    cardinality: int | None
    """Distinct values of the connecting field in the source's answer; None where it was not there."""


@dataclass(slots=True)
class PathLog:
    """What one path did, to be applied at the iteration's end."""

    started: bool = False
    """False: no arguments, or no edge to try."""
    passed: bool = False
    calls: int = 0
    broken: int = 0
    """Calls that failed for outside reasons."""
    trials: list[Trial] = field(default_factory=list)
    seen: list[tuple[Tool, Observation]] = field(default_factory=list)
    """Answers with records, for the pools of validated values."""
    used: list[tuple[str, str, str]] = field(default_factory=list)
    """(tool, parameter, value) of calls that succeeded."""
    controls: list[tuple[InputKey, bool]] = field(default_factory=list)
    """(target and inputs, whether they were heeded) of control calls."""


def stream(*key: object) -> random.Random:
    """A random stream of its own for a key; equal on every machine."""
    digest = hashlib.sha256("/".join(map(str, key)).encode("utf-8")).digest()
    return random.Random(int.from_bytes(digest[:16], "big"))


class Walker:
    """Walks paths over the edges that can be executed in the current iteration."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        outgoing: Mapping[str, list[Edge]],
        arguments: ArgumentSource,
        answers: Answers,
        controls: Controls,
        config: EdgeConfig,
    ) -> None:
        self.tools = tools
        self.outgoing = outgoing
        self.arguments = arguments
        self.answers = answers
        self.controls = controls
        self.config = config

    async def walk(self, start: str, rng: random.Random) -> PathLog:
        """One path from a tool."""
        log = PathLog()
        tool = self.tools[start]
        attempts: dict[str, int] = {}
        observation = await self._first(tool, rng, attempts, log)
        if observation is None or not observation.ok:
            return log
        log.passed = True
        for _ in range(self.config.max_edges):
            edges = self.outgoing.get(tool.name)
            if not edges:
                break
            edge = self._choose(edges, rng)
            tool = self.tools[edge.target]
            observation = await self._follow(edge, observation, rng, attempts, log)
            if observation is None or not observation.ok:
                log.passed = False
                break
        return log

    async def retry(self, edge: Edge, rng: random.Random) -> PathLog:
        """The path of one given edge; without a trial where its source gives nothing to go on from."""
        log = PathLog()
        attempts: dict[str, int] = {}
        observation = await self._first(self.tools[edge.source], rng, attempts, log)
        if observation is not None and observation.ok:
            followed = await self._follow(edge, observation, rng, attempts, log)
            log.passed = followed is not None and followed.ok
        return log

    async def _first(
        self, tool: Tool, rng: random.Random, attempts: dict[str, int], log: PathLog
    ) -> Observation | None:
        """The first call, tried again where that may cure it: it tests no edge, so its failure teaches nothing."""
        arguments = self.arguments.start(tool, rng)
        if arguments is None:
            return None
        log.started = True
        for _ in range(self.config.start_attempts):
            observation = await self._call(tool, arguments, attempts, log)
            if observation.outcome not in RETRYABLE:
                break
        return observation

    def _choose(self, edges: list[Edge], rng: random.Random) -> Edge:
        """Thompson sampling, or uniform with the exploration probability."""
        if rng.random() < self.config.exploration:
            return edges[rng.randrange(len(edges))]
        draws = [rng.betavariate(edge.alpha, edge.beta) for edge in edges]
        return edges[max(range(len(edges)), key=draws.__getitem__)]

    async def _follow(
        self, edge: Edge, source: Observation, rng: random.Random, attempts: dict[str, int], log: PathLog
    ) -> Observation | None:
        bound = bound_values(edge, source, rng)
        count = source.cardinalities.get(edge.key_binding.field)
        if isinstance(bound, str):
            log.trials.append(Trial(edge, "structural" if bound == "missing_field" else "no_data", bound, count))
            return None
        target = self.tools[edge.target]
        arguments = self.arguments.fill(target, (*edge.defaults, *edge.clarify), bound, rng)
        if arguments is None:
            return None  # a pool that was there at the iteration's start cannot empty; a foreign graph may lack one
        observation = await self._call(target, arguments, attempts, log)
        identifying = [b.parameter for b in edge.bindings if not b.generic]
        if (
            observation.ok
            and identifying
            and await self._ignored(target, arguments, identifying, observation, attempts, log)
        ):
            log.trials.append(Trial(edge, "structural", "ignored", count))
            return None
        kind: TrialKind = observation.failure or ("semantic" if identifying else "generic")
        log.trials.append(Trial(edge, kind, observation.outcome, count))
        return observation

    async def _ignored(
        self,
        target: Tool,
        arguments: dict[str, str],
        names: list[str],
        answer: Observation,
        attempts: dict[str, int],
        log: PathLog,
    ) -> bool:
        """Whether the target answers alike whatever these inputs say: as settled before, else by a control call now."""
        key = tested_inputs(target, names)
        settled = self.controls.verdict(key)
        if settled is not None:
            return not settled
        changed = control_arguments(target, arguments, names)
        for _ in range(self.config.start_attempts):
            control = await self._call(target, changed, attempts, log, control=True)
            if control.failure != "environmental":
                break
        else:
            return False
        heeded = not control.ok or control.fingerprint != answer.fingerprint
        log.controls.append((key, heeded))
        return not heeded

    async def _call(
        self, tool: Tool, arguments: dict[str, str], attempts: dict[str, int], log: PathLog, *, control: bool = False
    ) -> Observation:
        """One call. What a control call brings back is no validated value."""
        sent = first_page(tool, arguments, self.config.page_rows)
        key = request_key(tool.name, sent)
        attempt = attempts.get(key, 0)
        attempts[key] = attempt + 1
        log.calls += 1
        observation = await self.answers.get(tool, sent, attempt)
        log.broken += observation.failure == "environmental"
        if observation.ok and not control:
            log.seen.append((tool, observation))
            log.used += [(tool.name, name, value) for name, value in arguments.items()]
        return observation


def bound_values(edge: Edge, source: Observation, rng: random.Random) -> dict[str, str] | str:
    """Parameter → value, all from one record; `missing_field` or `no_data` where the records do not have them."""
    for binding in edge.bindings:
        if not any(binding.field in record for record in source.records):
            return "missing_field"
    usable = [r for r in source.records if all(r.get(b.field) is not None for b in edge.bindings)]
    if not usable:
        return "no_data"
    record = rng.choice(usable)
    return {b.parameter: str(record[b.field]) for b in edge.bindings}
