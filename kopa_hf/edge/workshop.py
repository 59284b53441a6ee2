"""The moves that sketches are made of: begin at a tool, follow an edge."""

from __future__ import annotations

import datetime
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.edge.arguments import ArgumentSource, value_text
from kopa_hf.edge.asking import narrowed
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.draft import Done, Draft, DraftError, Value
from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.junctions import distinct_values, find_narrowing, junction_kind
from kopa_hf.edge.lanes import Lessons
from kopa_hf.edge.meaning import meaning_of
from kopa_hf.edge.mentions import Mention, mention_of, mentions_of
from kopa_hf.edge.stating import Input, Key, name_filters, stated_inputs
from kopa_hf.edge.story import Connection, Hop
from kopa_hf.edge.things import entity_noun
from kopa_hf.edge.trajectory import Junction
from kopa_hf.execution.executor import Executor

_PROBED: Final = 12
_EDGES_TRIED: Final = 4
_OPENINGS: Final = 2
"""Sets of arguments with which one tool begins sketches."""
_FEW: Final = 12
"""Distinct values up to which a reduction takes little away,"""
_FEW_REFUSED: Final = 0.5
"""and how often such a junction is left alone for that."""
_SEVERAL: Final = 0.3
"""How often a reduction may leave several values, which are then called for side by side."""
_PREFERENCE: Final = 2.0
"""Exponent of a first tool's success when the next one is chosen."""
_HEADS: Final = (100, 50, 20)
"""First rows that a question looks at where a list is too long, the largest that the service sends at once."""


class Workshop:
    """Tools, kept edges and an executor; composers use it to make sketches."""

    def __init__(
        self,
        graph: ToolGraph,
        tools: Mapping[str, Tool],
        local: Sequence[Tool],
        executor: Executor,
        config: EdgeConfig,
        clock: datetime.date,
        *,
        edges: Sequence[Edge] | None = None,
        platform: str | None = None,
        lessons: Lessons | None = None,
    ) -> None:
        """`edges`: those that may be followed (default: all kept ones). Sketches begin at tools of `platform` only."""
        self.tools = tools
        self.executor = executor
        self.config = config
        self.source = ArgumentSource(tools, graph.values, clock)
        self._by_name: dict[str, list[tuple[Parameter, str]]] = {}
        self.lessons = lessons if lessons is not None else Lessons()
        """What sketches have taught so far."""
        self.begun: list[str] = []
        """Tools that the sketch at work begins with."""
        self.everything = {**tools, **{tool.name: tool for tool in local}}
        self._unpaged = _sending_all(graph, tools, config.max_rows)
        self.outgoing: dict[str, list[Edge]] = {}
        for edge in graph.kept() if edges is None else edges:
            if not edge.key_binding.generic and self._says_what(edge):
                self.outgoing.setdefault(edge.source, []).append(edge)
        self._paired = {
            name
            for name, leaving in self.outgoing.items()
            if max(Counter(edge.key_binding.field for edge in leaving).values()) > 1
        }
        """Tools of which one field leads to two others."""
        sayable = sorted(name for name in tools if self._can_be_said(tools[name]))
        self.starts = [name for name in sayable if platform in (None, tools[name].platform)]
        """Tools that sketches begin at."""
        self._first = frozenset(self.starts)
        self.structure = ""
        """What the sketch at work is to become."""
        self._linked: dict[str, list[str]] = {}
        """Platform → first tools that a kept edge leaves."""
        for name in self.starts:
            if name in self.outgoing:
                self._linked.setdefault(tools[name].platform, []).append(name)
        self._sizes = Counter(tool.platform for tool in tools.values())
        self.stated_inputs = stated_inputs(tools, sayable, self.source.fillable)
        """Inputs that a question can state, by what values they take."""

    def start_over(self, structure: str) -> None:
        """A new sketch, of which that structure is wanted."""
        self.structure = structure
        self.begun = []

    def pick_start(self, rng: random.Random, *, anchor: bool, paired: bool = False, few: bool = False) -> Tool:
        """A first tool: platforms by their number of tools, tools by how often they led anywhere.

        With `anchor` only tools that can be narrowed by a name, with `paired` only those
        of which one field leads to two tools, with `few` only those of which an edge was seen to pass few values.
        """
        open_to = {
            platform: [name for name in names if self._may_start(name, anchor, paired, few)]
            for platform, names in sorted(self._linked.items())
        }
        platforms = [platform for platform, names in open_to.items() if names]
        if not platforms:
            raise DraftError("no first tool has a kept edge")
        platform = rng.choices(platforms, [self._sizes[name] for name in platforms])[0]
        return self.began(self.tools[self._lucky(open_to[platform], rng)])

    def pick_day(self, names: Sequence[str], rng: random.Random) -> Tool:
        """One of some first tools."""
        return self.began(self.tools[self._lucky(names, rng)])

    def pick_inputs(self, tools: int, rng: random.Random) -> list[Input]:
        """Inputs of so many tools that take the same stated value; the first tool is one that sketches begin at."""
        own: dict[Key, list[Input]] = {}
        for key, inputs in self.stated_inputs.items():
            first = [each for each in inputs if each.tool.name in self._first]
            if first and len({each.tool.name for each in inputs}) >= tools:
                own[key] = first
        if not own:
            raise DraftError("no input can be stated" if tools == 1 else "too few tools take the same value")
        keys = sorted(own)
        luck = [max(self._luck(each.tool.name) for each in own[key]) for key in keys]
        key = rng.choices(keys, luck)[0]
        chosen = [rng.choices(own[key], [self._luck(each.tool.name) for each in own[key]])[0]]
        while len(chosen) < tools:
            taken = {each.tool.name for each in chosen}
            others = [each for each in self.stated_inputs[key] if each.tool.name not in taken]
            chosen.append(rng.choices(others, [self._luck(each.tool.name) for each in others])[0])
        for each in chosen:
            self.began(each.tool)
        return chosen

    def began(self, tool: Tool) -> Tool:
        """Note a tool that the sketch begins with."""
        self.begun.append(tool.name)
        return tool

    def _lucky(self, names: Sequence[str], rng: random.Random) -> str:
        return rng.choices(names, [self._luck(name) for name in names])[0]

    def _luck(self, name: str) -> float:
        """How much rather than others a sketch begins with a tool: the luckier, and the fewer rows it has already.

        Never 0, so that all of them are seen.
        """
        lessons = self.lessons
        return lessons.luck(self.structure, name) ** _PREFERENCE / (1 + lessons.worked[self.structure, name])

    def _may_start(self, name: str, anchor: bool, paired: bool, few: bool) -> bool:
        if not self._readable(name) or (anchor and not self._name_inputs(self.tools[name])):
            return False
        if few and not any(self._passes_few(edge) for edge in self.outgoing.get(name, ())):
            return False
        return not paired or name in self._paired

    def _readable(self, name: str) -> bool:
        """False for tools that send more rows at once than a trajectory may hold."""
        return name not in self.lessons.unreadable and name not in self._unpaged

    def _passes_few(self, edge: Edge) -> bool:
        """Whether refinement mostly saw two values to the fan-out budget on the edge."""
        return edge.evidence.cardinality_class(self.config.fan_out) == "few"

    def _name_inputs(self, tool: Tool) -> list[tuple[Parameter, str]]:
        """Optional inputs that filter by a name, each with the output field it filters by."""
        known = self._by_name.get(tool.name)
        if known is None:
            known = self._by_name[tool.name] = name_filters(tool)
        return known

    def _says_what(self, edge: Edge) -> bool:
        """True where a question can call what the edge passes on by a noun."""
        source = self.tools.get(edge.source)
        return source is not None and bool(entity_noun(source, edge.key_binding.field))

    def _can_be_said(self, tool: Tool) -> bool:
        """True for tools whose required inputs can be filled by something a person would say."""
        required = [p for p in tool.inputs if p.required and p.default is None]
        return self.source.can_start(tool) and all(meaning_of(p).kind != "code" for p in required)

    def draft(self) -> Draft:
        """A new, empty draft."""
        return Draft.begin(self.executor, self.everything, self.config)

    def start_arguments(self, tool: Tool, rng: random.Random, *, anchor: bool) -> tuple[dict[str, str], list[Mention]]:
        """Arguments of a first call that a question can say; `anchor` narrows by a name that its answer holds."""
        arguments = self._opening(tool, rng)
        mentions = mentions_of(tool, arguments, list(arguments)) if arguments is not None else None
        if arguments is None or mentions is None:
            raise DraftError("the first call needs a value that nobody would say")
        if anchor:
            found = rng.choice(self.anchors(tool, arguments))
            arguments[found.parameter] = found.value
            mentions.append(found)
        return arguments, mentions

    def _opening(self, tool: Tool, rng: random.Random) -> dict[str, str] | None:
        """Arguments for a first call. A tool has few of them, so that lists are fetched once and looked at often."""
        known = self.lessons.openings.setdefault(tool.name, [])
        if len(known) >= _OPENINGS:
            return dict(rng.choice(known))
        arguments = self.source.start(tool, rng)
        if arguments is not None and arguments not in known:
            known.append(arguments)
        return None if arguments is None else dict(arguments)

    def anchors(self, tool: Tool, arguments: dict[str, str]) -> list[Mention]:
        """Optional inputs with a value that the tool's own answer holds; raises `DraftError` where there is none."""
        result = self.executor.call_sync(tool, arguments, stream="golden")
        if len(result.records) > self.config.max_rows:
            self.lessons.unreadable.add(tool.name)
        if not result.ok:
            raise DraftError(f"a call ended with {result.outcome}")
        found: dict[tuple[str, str], Mention] = {}
        for parameter, name in self._name_inputs(tool):
            for record in result.records[:_PROBED]:
                text = value_text(record.get(name))
                mention = mention_of(parameter, text) if text is not None else None
                if mention is not None:
                    found.setdefault((parameter.name, mention.value), mention)
        if not found:
            raise DraftError("the first tool cannot be narrowed by a name")
        return list(found.values())

    def begin(self, draft: Draft, tool: Tool, arguments: Mapping[str, str]) -> Done:
        """Execute a first call. Of a list that is too long to be collected a round number of first rows is asked for."""
        if not self._readable(tool.name):
            raise DraftError("too many rows to look through")
        given = {name: Value.of(value) for name, value in arguments.items()}
        before = draft.mark()
        try:
            done = draft.call(tool.name, given)
        except DraftError:
            self.lessons.openings[tool.name] = [
                known for known in self.lessons.openings.get(tool.name, ()) if known != arguments
            ]
            raise
        if len(done.records) > self.config.max_rows:
            self.lessons.unreadable.add(tool.name)
            raise DraftError("too many rows to look through")
        paging, total = tool.paging, done.result.total_count
        if (
            paging is None
            or paging.style not in ("page", "offset")
            or not paging.size
            or total is None
            or total <= self.too_long(tool)
        ):
            return done
        rows = next((size for size in _HEADS if size <= paging.max_size), None)
        if rows is None:
            raise DraftError("too many rows to look through")
        if len(done.records) != rows:
            draft.back_to(before)
            done = draft.call(tool.name, given | {paging.size: Value.of(str(rows))})
        done.head = len(done.records)
        return done

    def too_long(self, tool: Tool) -> int:
        """Rows beyond which a list is not collected."""
        largest = tool.paging.max_size if tool.paging is not None else self.config.max_rows
        return min(self.config.max_rows, self.config.max_collect * largest)

    def connect(
        self,
        draft: Draft,
        done: Done,
        field: str,
        rng: random.Random,
        known: set[str],
        *,
        fan: bool = True,
    ) -> Connection:
        """Settle which values of a field go on: all of few, or those that a reduction leaves of many.

        `known` grows by the pivot, which the question will say.
        """
        if len(done.calls) > 1:
            raise DraftError("a path cannot go on from parallel calls")
        whole = draft.whole(done)
        values = distinct_values(whole.records, field)
        if not values:
            raise DraftError("the connecting field is blank")
        total = len(values)
        kind = junction_kind(total, self.config.fan_out)
        if kind == "DRV" and total < _FEW and rng.random() < _FEW_REFUSED:
            raise DraftError("hardly more values than could be called for side by side")
        if whole.head is not None and kind != "DRV":
            raise DraftError("the first rows of a long list agree too much")
        if kind != "DRV" and any(value in known for value in values):
            raise DraftError("decorative: the question already says the connecting value")
        found = Connection(kind, field, whole, whole, values, total, whole.rows)
        if kind == "DRV":
            self._narrow(draft, found, rng, known, fan=fan)
        elif kind == "FAN" and not fan:
            raise DraftError("parallel calls are not wanted here")
        if len(found.values) > 1 and any(str(r.get(field)) not in found.values for r in found.narrow.records):
            raise DraftError("some connecting values are blank or padded")
        if any(str(value) in draft.intermediate for value in found.values):
            raise DraftError("decorative: an earlier step passes that value on already")
        for value in found.values:
            if not found.narrow.shows(value):
                raise DraftError("a value that is passed on cannot be read in the trimmed answer")
            draft.passed_on(value)
        return found

    def _narrow(self, draft: Draft, found: Connection, rng: random.Random, known: set[str], *, fan: bool) -> None:
        """Insert a reduction that leaves few enough values."""
        whole = found.whole
        fan = fan and rng.random() < _SEVERAL
        narrowing = find_narrowing(
            whole.records,
            whole.tool,
            found.field,
            self.config.fan_out,
            rng,
            lambda n: (fan or len(n.values) == 1) and not any(value in known for value in n.values),
        )
        if narrowing is None:
            raise DraftError("no reduction leaves few enough new values")
        found.narrowing = replace(narrowing, head=whole.head)
        found.narrow = narrowed(draft, whole, narrowing)
        found.values = list(narrowing.values)
        if narrowing.pivot is not None:
            known.add(narrowing.pivot)

    def reach(
        self, draft: Draft, found: Connection, edge: Edge, rng: random.Random, known: set[str]
    ) -> tuple[Done, Hop]:
        """Call an edge's target with the values of a connection. `known` grows by what the question will say."""
        key, target, values = edge.key_binding, self.tools[edge.target], found.values
        bound = self._bound(edge, found)
        opened, mentions = self._open_inputs(edge, target, bound, rng)
        known.update(m.value for m in mentions)
        others = bound | opened
        if len(values) == 1:
            reached = draft.call(target.name, others)
        else:
            all_values = {"$reduce": "distinct", "of": found.narrow.field(key.field, "all")}
            reached = draft.call_each(target.name, key.parameter, Value(values, all_values), others)
        if len(reached.records) > self.config.max_rows:
            self.lessons.unreadable.add(target.name)
            raise DraftError("too many rows to look through")
        operation = None if found.narrowing is None else found.narrowing.operation
        junction = Junction(
            found.kind, edge.source, key.field, edge.target, key.parameter, found.total, operation, found.rows
        )
        noun = entity_noun(found.whole.tool, key.field)
        return reached, Hop(junction, noun, target, tuple(mentions), found.narrowing, _fields_of(edge))

    def follow(
        self, draft: Draft, done: Done, edge: Edge, rng: random.Random, known: set[str], *, fan: bool = True
    ) -> tuple[Done, Hop]:
        """Execute the junction and the call behind an edge. `known` grows by what the question will say."""
        found = self.connect(draft, done, edge.key_binding.field, rng, known, fan=fan)
        return self.reach(draft, found, edge, rng, known)

    def follow_any(
        self,
        draft: Draft,
        done: Done,
        edges: Sequence[Edge],
        rng: random.Random,
        known: set[str],
        *,
        fan: bool = True,
        accept: Callable[[Done, Hop], bool] = lambda reached, hop: True,
    ) -> tuple[Done, Hop, Edge]:
        """Follow the first of the edges that works; what others added is taken back."""
        reason, tried = "no edge leads on", 0
        for edge in edges:
            before, said, called = draft.mark(), set(known), len(draft.session.calls)
            try:
                reached, hop = self.follow(draft, done, edge, rng, known, fan=fan)
                if accept(reached, hop):
                    return reached, hop, edge
                reason = "the next answer does not fit"
            except DraftError as error:
                reason = str(error)
            draft.back_to(before)
            known.clear()
            known.update(said)
            tried += len(draft.session.calls) > called  # what a look at the records rules out costs nothing
            if tried >= _EDGES_TRIED:
                break
        raise DraftError(reason)

    def leaving(self, tool: Tool, rng: random.Random, *, few: bool = False) -> list[Edge]:
        """Kept edges that leave a tool, in a random order in which surer ones tend to come first.

        With `few` those that were seen to pass few values stand before all others.
        """
        edges = [edge for edge in self.outgoing.get(tool.name, ()) if self._readable(edge.target)]
        drawn = sorted(edges, key=lambda edge: rng.random() ** (1.0 / edge.mean), reverse=True)
        return sorted(drawn, key=self._passes_few, reverse=True) if few else drawn

    def _bound(self, edge: Edge, found: Connection) -> dict[str, Value]:
        """Arguments of the bound parameters; with many values the key's own is left to the fan-out."""
        arguments: dict[str, Value] = {}
        key, narrow = edge.key_binding, found.narrow
        as_value = found.narrowing is not None and found.narrowing.as_value
        for binding in edge.bindings:
            if binding == key and len(found.values) > 1:
                continue
            if binding == key and as_value:
                arguments[binding.parameter] = Value(narrow.result.value, {"$from": narrow.id})
                continue
            arguments[binding.parameter] = (found.whole if as_value else narrow).only_value(binding.field)
        return arguments

    def _open_inputs(
        self, edge: Edge, target: Tool, bound: Mapping[str, Value], rng: random.Random
    ) -> tuple[dict[str, Value], list[Mention]]:
        names = [*edge.defaults, *edge.clarify]
        filled = self.source.fill(target, names, {}, rng)
        if filled is None:
            raise DraftError("a required input has no validated value")
        opened = {name: value for name, value in filled.items() if name not in bound}
        mentions = mentions_of(target, opened, list(opened))
        if mentions is None:
            raise DraftError("a later call needs a value that nobody would say")
        return {name: Value.of(value) for name, value in opened.items()}, mentions


def _sending_all(graph: ToolGraph, tools: Mapping[str, Tool], most: int) -> frozenset[str]:
    """Tools without pages of which refinement has seen more values at once than a trajectory may hold rows."""
    seen = ((edge.source, edge.evidence.max_cardinality or 0) for edge in graph.edges())
    return frozenset(name for name, values in seen if values > most and name in tools and tools[name].paging is None)


def _fields_of(edge: Edge) -> dict[str, str]:
    return {binding.parameter: binding.field for binding in edge.bindings}
