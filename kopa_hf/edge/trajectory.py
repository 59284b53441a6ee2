"""What synthesis makes: executed programs with a typed structure, a question and an answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from kopa_hf.bench.rows import Row

JunctionKind = Literal["SEQ", "FAN", "DRV"]


@dataclass(frozen=True, slots=True)
class Junction:
    """One place where a field of an earlier answer fills an input of a later call."""

    kind: JunctionKind
    source: str
    field: str
    target: str
    parameter: str
    cardinality: int
    """Distinct values of the field in the source's whole answer; of a list too long to be read, in the rows that
    the question looks at."""
    reduction: str | None = None
    """The operation of `reduce_records` that a DRV junction inserts; None for the other kinds."""
    records: int = 0
    """Records of the source's whole answer, as its service states them."""


@dataclass(slots=True)
class Trajectory:
    """One synthesised task: everything but the row's layout."""

    structure: str
    """SEQ, FAN, DRV, SEM, CMP, COND or MIXED."""
    program: dict[str, Any]
    """In the program language of the benchmark; holds everything needed to execute it again."""
    question: str
    answer_type: str
    answer: str
    """As the answer column holds it."""
    answer_unit: str = ""
    reply: str = ""
    """The golden final sentence with `{answer}` in it."""
    tools: tuple[str, ...] = ()
    """Tools that the golden path calls, local ones too, in order of first use."""
    offered: tuple[str, ...] = ()
    """Tools that the row offers: the needed ones and some others, sorted by name."""
    junctions: tuple[Junction, ...] = ()
    golden_actions: list[dict[str, Any]] = field(default_factory=list)
    """Literal calls of the cached execution."""
    intermediate: tuple[str, ...] = ()
    """Values that only earlier answers give; none of them may stand in the question."""
    mentions: tuple[str, ...] = ()
    """Texts of the question's literals."""
    phrasing: str = ""
    """Which template made the question."""
    register: str = ""
    """formal, polite, plain or written."""
    drafted: str = ""
    """The template's text where a model has rephrased it; empty otherwise."""
    decisions: dict[str, Any] = field(default_factory=dict)
    """What each stage of filtering found, for the row's provenance."""
    domain: str = ""
    platforms: tuple[str, ...] = ()
    split: str = "train"
    """train or validation: the part of the tools that it was made over."""
    row: Row | None = None
    """Made by the first stage of filtering, so that it is executed once."""

    @property
    def calls(self) -> int:
        """Number of golden calls."""
        return len(self.golden_actions)

    @property
    def hops(self) -> int:
        """Number of steps."""
        return len({action["step"] for action in self.golden_actions})

    @property
    def parallel(self) -> bool:
        """True where some step holds several calls."""
        return self.calls > self.hops


@dataclass(slots=True)
class Funnel:
    """How many trajectories each stage let through, and why the others fell."""

    stages: dict[str, int] = field(default_factory=dict)
    """Stage → trajectories left after it, in order."""
    reasons: dict[str, int] = field(default_factory=dict)
    """Reason → trajectories dropped for it."""
    examples: dict[str, str] = field(default_factory=dict)
    """Reason → one question that fell."""
    notes: dict[str, int] = field(default_factory=dict)
    """What happened to trajectories that stayed: answers replaced, judges at odds, questions rephrased."""

    def drop(self, reason: str, question: str = "") -> None:
        """Count one dropped trajectory."""
        self.reasons[reason] = self.reasons.get(reason, 0) + 1
        self.examples.setdefault(reason, question)

    def note(self, what: str, count: int = 1) -> None:
        """Count something that dropped nothing."""
        self.notes[what] = self.notes.get(what, 0) + count

    def add(self, other: Funnel) -> None:
        """Take over what another one counted."""
        for mine, theirs in ((self.stages, other.stages), (self.reasons, other.reasons), (self.notes, other.notes)):
            for name, number in theirs.items():
                mine[name] = mine.get(name, 0) + number
        for reason, question in other.examples.items():
            self.examples.setdefault(reason, question)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, reasons by falling count."""
        ordered = dict(sorted(self.reasons.items(), key=lambda item: (-item[1], item[0])))
        return {
            "stages": dict(self.stages),
            "reasons": ordered,
            "notes": dict(sorted(self.notes.items())),
            "examples": dict(self.examples),
        }
