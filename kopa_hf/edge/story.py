"""What a sketch tells: how its path begins, its junctions and calls, what is asked, and the draft behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.asking import Ask
from kopa_hf.edge.draft import Done, Draft
from kopa_hf.edge.junctions import Narrowing
from kopa_hf.edge.mentions import Mention
from kopa_hf.edge.trajectory import Junction, JunctionKind


@dataclass(frozen=True, slots=True)
class Start:
    """How a path begins, for the question."""

    tool: Tool
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Hop:
    """One junction and the call behind it, for the question."""

    junction: Junction
    entity: str
    tool: Tool
    mentions: tuple[Mention, ...]
    narrowing: Narrowing | None = None
    bound: Mapping[str, str] = field(default_factory=dict)
    """Parameter → field of the source."""


@dataclass(slots=True)
class Story:
    """What a question has to tell."""

    form: str
    """chain, shared, joined, contrast, compare, compare_days, branch or fork."""
    starts: list[Start]
    hops: list[Hop] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    """What a form needs beside these: the two sides of a comparison, a condition."""

    @property
    def mentions(self) -> list[Mention]:
        """Every literal that the question must say."""
        parts: list[Start | Hop] = [*self.starts, *self.hops]
        return [m for part in parts for m in part.mentions]


@dataclass(slots=True)
class Connection:
    """A junction's near side: the records and the values that go on."""

    kind: JunctionKind
    field: str
    whole: Done
    narrow: Done
    """What is left of `whole` after the reduction of a DRV junction, else `whole` itself."""
    values: list[str]
    total: int
    """Distinct values before the reduction, as far as the question looks."""
    rows: int
    """Records of the source's whole answer."""
    narrowing: Narrowing | None = None


@dataclass(slots=True)
class Sketch:
    """An executed draft with its story, ready to become a trajectory."""

    structure: str
    draft: Draft
    story: Story
    ask: Ask
    junctions: list[Junction]
