"""May the outputs of one tool feed the inputs of another? One judgement per candidate.

The offline judge reads what an imported specification has: names, labels, types,
enums and formats. It cannot know whether two codes that are called alike really
belong to one code system; finding that out is what execution is for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, Protocol, runtime_checkable

from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.edge.meaning import UNBINDABLE, Kind, Meaning, meaning_of

How = Literal["UPSTREAM", "DEFAULT", "CLARIFY"]


@dataclass(frozen=True, slots=True)
class Binding:
    """One parameter of the target, filled from one field of the source."""

    parameter: str
    field: str
    score: float
    generic: bool = False
    """True where a value of it links no two entities (a year, a term, a category)."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says about one candidate edge."""

    score: float
    """In [0, 1]."""
    bindings: tuple[Binding, ...] = ()
    defaults: tuple[str, ...] = ()
    """Required parameters that a rule can fill: fixed choices, dates, years, paging."""
    clarify: tuple[str, ...] = ()
    """Required parameters that need a proposed value."""
    reason: str = ""
    proposals: tuple[tuple[str, str], ...] = ()
    """(parameter, value): values that the judge proposes for required parameters which no field fits; execution
    takes one only where no answer has shown a better one."""

    def how(self, parameter: str) -> How | None:
        """Where a parameter's value comes from; None: it is left out."""
        if any(b.parameter == parameter for b in self.bindings):
            return "UPSTREAM"
        if parameter in self.defaults:
            return "DEFAULT"
        return "CLARIFY" if parameter in self.clarify else None


class Judge(Protocol):
    """Anything that judges candidate edges."""

    name: str
    """Stored with the graph."""

    def judge(self, source: Tool, target: Tool) -> Judgement:
        """May raise; the builder counts and reports a judge that keeps failing."""


@runtime_checkable
class ManyJudge(Protocol):
    """A judge that is better asked about many pairs at once: a model behind a network."""

    name: str
    errors: int
    """Pairs, so far, without a usable judgement."""

    def judge(self, source: Tool, target: Tool) -> Judgement:
        """One judgement."""

    def judge_all(
        self, pairs: Iterable[tuple[Tool, Tool]], *, total: int, progress: Callable[[int, int], None] | None = None
    ) -> list[Judgement | None]:
        """Judgements in the pairs' order, None where there is none."""


_LABEL_WEIGHT: Final = 0.65
_NAME_WEIGHT: Final = 0.35
_SURE: Final = 0.97
"""Signatures alone never make certain."""
_GENERIC_ONLY: Final = 0.7
_NEEDS_VALUE: Final = 0.85
_ALIKE: Final[frozenset[Kind]] = frozenset({"name", "title"})
"""Kinds that fill each other."""
_STRONG: Final = 0.5
"""A required parameter that a rule could fill as well is bound only from here on."""


class _Columns:
    """A source's columns, with those at hand that could fit a kind at all."""

    def __init__(self, fields: tuple[Field, ...]) -> None:
        self.fields = fields
        self._known: dict[Kind, list[tuple[str, Meaning]]] = {}

    def of(self, kind: Kind) -> list[tuple[str, Meaning]]:
        """Columns whose kind may fit the wanted one, in the source's order."""
        if kind not in self._known:
            kinds = _ALIKE if kind in _ALIKE else {kind}
            named = ((field.name, meaning_of(field)) for field in self.fields)
            self._known[kind] = [(name, meaning) for name, meaning in named if meaning.kind in kinds]
        return self._known[kind]


class RuleJudge:
    """The offline judge."""

    name = "rules-1"

    def __init__(self, min_score: float = 0.3) -> None:
        self.min_score = min_score
        self._columns = _Columns(())
        """Of the source that was judged last: candidates come ordered by source."""

    def judge(self, source: Tool, target: Tool) -> Judgement:
        """Bind every required parameter that a field fits, and the best identifying optional one.

        One identifier settles which entity is meant; further optional filters of the
        same record could only contradict it, so they stay out.
        """
        if self._columns.fields is not source.fields:
            self._columns = _Columns(source.fields)
        columns = self._columns
        bindings: list[Binding] = []
        optional: list[Binding] = []
        defaults: list[str] = []
        clarify: list[str] = []
        for parameter in target.parameters:
            if parameter.role in ("key", "format"):
                continue
            best = None if is_fixed_choice(parameter) else self._best(columns, parameter)
            if not parameter.required:
                if best is not None:
                    optional.append(best)
            elif best is not None and (best.score >= _STRONG or not has_rule(parameter)):
                bindings.append(best)
            elif has_rule(parameter):
                defaults.append(parameter.name)
            else:
                clarify.append(parameter.name)
        if optional and not any(not b.generic for b in bindings):
            codes = {p.name for p in target.parameters if meaning_of(p).kind == "code"}
            bindings.append(max(optional, key=lambda b: (not b.generic, b.parameter in codes, b.score)))
        return self._judgement(bindings, defaults, clarify)

    def _best(self, columns: _Columns, parameter: Parameter) -> Binding | None:
        wanted = meaning_of(parameter)
        best_name, best_score = "", 0.0
        for name, meaning in columns.of(wanted.kind):
            score = affinity(meaning, wanted)
            if score > best_score:
                best_name, best_score = name, score
        if best_score < self.min_score:
            return None
        return Binding(parameter.name, best_name, round(best_score, 4), wanted.generic)

    def _judgement(self, bindings: list[Binding], defaults: list[str], clarify: list[str]) -> Judgement:
        if not bindings:
            return Judgement(0.0, (), tuple(defaults), tuple(clarify), "no field fits any parameter")
        identifying = [b.score for b in bindings if not b.generic]
        score = max(identifying) if identifying else _GENERIC_ONLY * max(b.score for b in bindings)
        weakest = min(b.score for b in bindings)
        # A link is as good as its identifying value, a little less where another bound value is doubtful.
        score = 0.75 * score + 0.25 * min(score, weakest)
        if clarify:
            score *= _NEEDS_VALUE ** len(clarify)
        reason = ", ".join(f"{b.parameter} <- {b.field}" for b in bindings)
        return Judgement(round(score, 4), tuple(bindings), tuple(defaults), tuple(clarify), reason)


def compiled(
    target: Tool, score: float, bindings: Sequence[Binding], proposals: Mapping[str, str], reason: str = ""
) -> Judgement:
    """A judgement whose required parameters each have one place: UPSTREAM where bound, DEFAULT where a rule fills
    them, else CLARIFY. Without a binding there is no link, whatever the score."""
    bound = {binding.parameter for binding in bindings}
    left = [p for p in target.inputs if p.required and p.name not in bound]
    return Judgement(
        score=round(score, 4) if bindings else 0.0,
        bindings=tuple(bindings),
        defaults=tuple(p.name for p in left if has_rule(p)),
        clarify=tuple(p.name for p in left if not has_rule(p)),
        reason=reason,
        proposals=tuple((p.name, proposals[p.name]) for p in left if p.name in proposals),
    )


def is_fixed_choice(parameter: Parameter) -> bool:
    """Paging, and inputs with a listed set of values: generic, filled by default."""
    return parameter.role in ("page", "size") or bool(parameter.enum)


def has_rule(parameter: Parameter) -> bool:
    """True where a value can be made without any earlier answer."""
    if is_fixed_choice(parameter) or parameter.default is not None or parameter.type == "boolean":
        return True
    return meaning_of(parameter).kind in ("date", "month", "year")


@lru_cache(maxsize=500_000)
def affinity(field: Meaning, wanted: Meaning) -> float:
    """How well a field's values seem to fit a parameter, in [0, 1)."""
    fit = _kinds_fit(field, wanted)
    if fit == 0.0:
        return 0.0
    label, name = _label_likeness(field, wanted), _name_likeness(field, wanted)
    score = _LABEL_WEIGHT * label + _NAME_WEIGHT * name
    if wanted.kind == "code":
        # A code's own name is telling: RST_MONA_CD holds a MONA_CD, whatever the label calls the person.
        score = max(score, 0.55 * name)
    if wanted.kind == "date" and score < 0.45 and wanted.neutral_date:
        score = 0.45 if wanted.bound is None else 0.35
    return min(_SURE, fit * score)


def _kinds_fit(field: Meaning, wanted: Meaning) -> float:
    if field.kind in UNBINDABLE or wanted.kind in UNBINDABLE:
        return 0.0
    if _fixed_width_differs(field.format, wanted.format):
        return 0.0
    if field.kind != wanted.kind:
        return 0.8 if field.kind in _ALIKE and wanted.kind in _ALIKE else 0.0
    if field.kind == "code" and field.ending and wanted.ending and field.ending != wanted.ending:
        return 0.6  # an id and a number of the same thing: perhaps one system, perhaps two
    return 1.0


def _fixed_width_differs(first: str | None, second: str | None) -> bool:
    widths = [f for f in (first, second) if f is not None and f.startswith("digits:")]
    return len(widths) == 2 and widths[0] != widths[1]


def _label_likeness(field: Meaning, wanted: Meaning) -> float:
    if field.label == wanted.label or (field.concept == wanted.concept and not field.vague):
        return 0.5 if wanted.vague and wanted.kind in ("name", "title", "code", "ordinal") else 1.0
    if field.vague or wanted.vague:
        return 0.0
    if field.concept.endswith(wanted.concept) or wanted.concept.endswith(field.concept):
        return 0.7  # Korean heads stand last: 대표의원 is a 의원
    return 0.0


def _name_likeness(field: Meaning, wanted: Meaning) -> float:
    if field.name == wanted.name:
        return 1.0
    if not field.tokens or not wanted.tokens:
        return 0.0
    if field.tokens == wanted.tokens:
        return 0.9
    if field.tokens > wanted.tokens or field.tokens < wanted.tokens:
        return 0.8
    return len(field.tokens & wanted.tokens) / len(field.tokens | wanted.tokens)


class TableJudge:
    """Judgements given as a table: what a model said earlier, or a test says now."""

    def __init__(self, table: Mapping[tuple[str, str], Judgement], name: str = "table") -> None:
        self.name = name
        self._table = dict(table)

    def judge(self, source: Tool, target: Tool) -> Judgement:
        """The listed judgement; 0 for a pair that is not listed."""
        return self._table.get((source.name, target.name), Judgement(0.0, reason="not listed"))


def required_inputs(tool: Tool) -> Iterable[Parameter]:
    """Parameters that a caller must give a value for."""
    return (p for p in tool.inputs if p.required and p.default is None)
