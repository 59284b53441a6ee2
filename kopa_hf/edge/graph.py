"""The tool graph: which tool's output can feed which tool's input, with the evidence for it.

A `networkx.DiGraph` whose nodes are tool names and whose edges each carry one
`Edge` record under the key `edge`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import networkx as nx

from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.arguments import ValidatedValues
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.control import Controls
from kopa_hf.edge.feasibility import Binding
from kopa_hf.edge.posterior import Decision, TrialKind, is_pruned
from kopa_hf.errors import DataError
from kopa_hf.execution.episode import canonical_json

if TYPE_CHECKING:
    from kopa_hf.edge.history import IterationStats

GRAPH_VERSION: Final = 2
CardinalityClass = Literal["unknown", "one", "few", "many"]


@dataclass(slots=True)
class Evidence:
    """What executions have shown about one edge."""

    trials: int = 0
    semantic: int = 0
    generic: int = 0
    """Successes in which only generic inputs carried a value."""
    failures: dict[str, int] = field(default_factory=dict)
    """Outcome → times: bad_param, missing_field, ignored, no_data, timeout, …"""
    failure_classes: dict[str, int] = field(default_factory=dict)
    """structural, environmental, no_data → times."""
    cardinalities: dict[int, int] = field(default_factory=dict)
    """Distinct values that the connecting field held in a source's answer → times seen."""
    backend: str | None = None
    first_trial: int | None = None
    """Iteration of the first trial, from 0."""
    last_trial: int | None = None
    first_time: str | None = None
    """Date of the first trial on the run's clock, YYYY-MM-DD."""
    last_time: str | None = None
    fresh_executions: int = 0
    """Executions after refinement that the posterior has not seen."""
    fresh_successes: int = 0

    @property
    def successes(self) -> int:
        """Executions that brought back at least one record."""
        return self.semantic + self.generic

    def note(
        self, kind: TrialKind, outcome: str, cardinality: int | None, *, backend: str, iteration: int, time: str
    ) -> None:
        """Count one trial; `time` is the date on the run's clock, YYYY-MM-DD."""
        self.trials += 1
        if kind == "semantic":
            self.semantic += 1
        elif kind == "generic":
            self.generic += 1
        else:
            self.failures[outcome] = self.failures.get(outcome, 0) + 1
            self.failure_classes[kind] = self.failure_classes.get(kind, 0) + 1
        if cardinality is not None:
            self.cardinalities[cardinality] = self.cardinalities.get(cardinality, 0) + 1
        self.backend = backend
        if self.first_trial is None:
            self.first_trial, self.first_time = iteration, time
        self.last_trial, self.last_time = iteration, time

    def cardinality_class(self, fan_out: int) -> CardinalityClass:
        """Of the median observed cardinality: one, few (at most `fan_out`) or many."""
        middle = self.median_cardinality
        if middle is None:
            return "unknown"
        return "one" if middle <= 1 else "few" if middle <= fan_out else "many"

    @property
    def median_cardinality(self) -> int | None:
        """The lower median of the observed cardinalities."""
        total = sum(self.cardinalities.values())
        seen = 0
        for value in sorted(self.cardinalities):
            seen += self.cardinalities[value]
            if 2 * seen >= total:
                return value
        return None

    @property
    def max_cardinality(self) -> int | None:
        """The largest observed cardinality."""
        return max(self.cardinalities, default=None)


@dataclass(slots=True)
class Edge:
    """A directed link between two tools; posterior and evidence grow during refinement."""

    source: str
    target: str
    score: float
    similarity: float
    bindings: tuple[Binding, ...]
    defaults: tuple[str, ...]
    clarify: tuple[str, ...]
    alpha: float
    beta: float
    evidence: Evidence = field(default_factory=Evidence)

    @property
    def mean(self) -> float:
        """Posterior mean of the probability that the edge executes."""
        return self.alpha / (self.alpha + self.beta)

    @property
    def key_binding(self) -> Binding:
        """The binding that links two entities; the best generic one where there is no other."""
        return max(self.bindings, key=lambda b: (not b.generic, b.score, b.parameter))

    def decision(self, config: EdgeConfig) -> Decision:
        """`pruned`, `untried` (too few trials to say) or `kept`."""
        if is_pruned(self.alpha, self.beta, self.evidence.trials, config):
            return "pruned"
        return "untried" if self.evidence.trials < config.min_trials else "kept"


class ToolGraph:
    """Tools, edges, the settings they were made with and the history of refinement."""

    def __init__(self, config: EdgeConfig, *, judge: str = "", embedder: str = "") -> None:
        self.config = config
        self.judge = judge
        self.embedder = embedder
        self.digraph = nx.DiGraph()
        self.history: list[IterationStats] = []
        """One entry per finished iteration."""
        self.values = ValidatedValues(config.cached_values)
        """Values that answers have shown to exist; refinement fills the pools, synthesis draws on them."""
        self.controls = Controls()
        """Which inputs the services proved to heed or to ignore."""
        self.candidates = 0
        """Pairs that were judged."""
        self.judge_errors = 0
        self.skipped: dict[str, str] = {}
        """Tool → why it is in no edge."""
        self.surroundings: dict[str, Any] | None = None
        """What it was refined on (see `edge.surroundings`); None before refinement."""

    def add_tool(self, tool: Tool) -> None:
        """A node; its attributes are what reports group by."""
        self.digraph.add_node(tool.name, platform=tool.platform, domain=tool.domain)

    def add_edge(self, edge: Edge) -> None:
        """An edge between tools that are there already."""
        if edge.source == edge.target:
            raise DataError(f"{edge.source} cannot feed itself.")
        if not edge.bindings:
            raise DataError(f"The edge {edge.source} -> {edge.target} binds no parameter.")
        self.digraph.add_edge(edge.source, edge.target, edge=edge)

    def edge(self, source: str, target: str) -> Edge:
        """The edge between two tools; KeyError where there is none."""
        found: Edge = self.digraph.edges[source, target]["edge"]
        return found

    def edges(self) -> list[Edge]:
        """All edges in order of source and target, whatever order they were added in."""
        return sorted((e for _, _, e in self.digraph.edges(data="edge")), key=lambda e: (e.source, e.target))

    def outgoing(self, source: str) -> list[Edge]:
        """Edges that leave a tool, in order of the target."""
        if source not in self.digraph:
            return []
        return sorted((e for _, _, e in self.digraph.out_edges(source, data="edge")), key=lambda e: e.target)

    def kept(self) -> list[Edge]:
        """Edges that were tried enough and not pruned."""
        return [edge for edge in self.edges() if edge.decision(self.config) == "kept"]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.digraph.nodes))

    def __len__(self) -> int:
        """Number of edges."""
        return int(self.digraph.number_of_edges())

    def signature(self) -> str:
        """Hash of what refinement does not change: settings, tools, edges with bindings and prior."""
        fixed = [[e.source, e.target, e.score, [[b.parameter, b.field] for b in e.bindings]] for e in self.edges()]
        text = canonical_json([GRAPH_VERSION, self.judge, self.embedder, list(self), fixed])
        return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]

    def save(self, path: str | Path) -> None:
        """Write the graph as checked JSON; the file appears whole or not at all."""
        from kopa_hf.edge.storage import save_graph

        save_graph(self, path)

    @classmethod
    def load(cls, path: str | Path) -> ToolGraph:
        """Read a graph back without loss; raises `DataError` for anything but what `save` wrote."""
        from kopa_hf.edge.storage import load_graph

        return load_graph(path)
