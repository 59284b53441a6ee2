"""Composers around a value that the question states: two tools that take it (SEM), one tool that takes two (CMP).

Neither needs a junction: the calls are independent, run side by side, and their
answers are combined at the end.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Final

from kopa_hf.bench.expressions import as_decimal, plain_number
from kopa_hf.catalog.tool import Field, Tool
from kopa_hf.edge.arguments import value_text
from kopa_hf.edge.asking import Ask, ask_about
from kopa_hf.edge.columns import is_additive, is_money, is_speakable, observed_kind, spoken_label
from kopa_hf.edge.comparisons import round_bound
from kopa_hf.edge.draft import Done, Draft, DraftError, Value
from kopa_hf.edge.junctions import counted_values, ranking_kind
from kopa_hf.edge.labels import is_word, unit_of
from kopa_hf.edge.mentions import Mention, mention_of, mentions_of
from kopa_hf.edge.stating import Input
from kopa_hf.edge.story import Sketch, Start, Story
from kopa_hf.edge.things import counter_of, row_noun
from kopa_hf.edge.workshop import Workshop

_VALUES_TRIED: Final = 3
_FORK: Final = 2
_STATED_ROWS: Final = 300
"""Rows of a list under a stated value that are looked through; such lists are many, and each is read once."""
_JOINED_TO_NUMBER: Final = 0.7
"""How often two answers that can be calculated with are, instead of being listed."""


def compose_joined(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """Two tools that take the same stated value; their answers are calculated with or listed."""
    left, right = shop.pick_inputs(2, rng)
    value = _stated_value(shop, left, rng)
    mention = mention_of(left.parameter, value)
    if mention is None:
        raise DraftError("the first call needs a value that nobody would say")
    draft, story, known = shop.draft(), Story("joined", []), {value, mention.text}
    reached: list[Done] = []
    for tool, parameter in (left, right):
        given, own = _own_arguments(shop, tool, parameter.name, rng)
        reached.append(_begun(shop, draft, tool, {**given, parameter.name: value}))
        story.starts.append(Start(tool, tuple(own)))
        known |= set(given.values()) | {m.text for m in own}
    asks = [ask_about(draft, done, rng, known) for done in reached]
    story.asks += asks
    how = _how(asks, rng)
    story.details = {"shared": [mention], "how": how}
    if how == "list":
        ask = Ask("list", [ask.expression for ask in asks], "list", label=asks[0].label)
    else:
        ask = _calculated(draft, how, asks[0], [ask.expression for ask in asks])
    return Sketch("SEM", draft, story, ask, [])


def _begun(shop: Workshop, draft: Draft, tool: Tool, arguments: dict[str, str]) -> Done:
    """A first call whose list is short enough to be read as a whole."""
    done = shop.begin(draft, tool, arguments)
    if done.head is not None or (done.result.total_count or 0) > _STATED_ROWS:
        raise DraftError("too many rows to look through")
    return done


def _own_arguments(shop: Workshop, tool: Tool, shared: str, rng: random.Random) -> tuple[dict[str, str], list[Mention]]:
    """Values for what else a tool requires, and how the question says them."""
    names = [p.name for p in tool.inputs if p.required and p.name != shared]
    given = shop.source.fill(tool, names, {}, rng)
    own = mentions_of(tool, given, list(given)) if given is not None else None
    if given is None or own is None:
        raise DraftError("the first call needs a value that nobody would say")
    return given, own


def _stated_value(shop: Workshop, chosen: Input, rng: random.Random) -> str:
    """A validated value of an input, or one by rule."""
    tool, parameter = chosen
    value = shop.source.values.choose(tool.name, parameter, rng) if not parameter.enum else None
    value = value or shop.source.rule_value(parameter, rng)
    if value is None:
        raise DraftError("a stated input has no validated value")
    return value


def _how(asks: Sequence[Ask], rng: random.Random) -> str:
    """list, sum or difference: only numbers of one unit that mean a quantity are calculated with."""
    numeric = all(ask.type in ("number", "amount") for ask in asks)
    alike = len({(ask.type, ask.unit) for ask in asks}) == 1 and asks[0].unit not in ("", "%")
    if numeric and alike and rng.random() < _JOINED_TO_NUMBER:
        return rng.choice(("sum", "difference"))
    return "list"


_FORMULAS: Final[dict[str, str]] = {"sum": "{a}+{b}", "difference": "abs({a}-({b}))", "larger": "max({a}, {b})"}


def _calculated(draft: Draft, how: str, side: Ask, expressions: Sequence[Any]) -> Ask:
    """Add the calculation over two answers and ask for its value."""
    numbers = {}
    for name, expression in zip("ab", expressions, strict=True):
        number = as_decimal(draft.value_of(expression))
        if number is None:
            raise DraftError("an answer to be calculated with is no number")
        numbers[name] = plain_number(number)
    if how != "sum" and numbers["a"] == numbers["b"]:
        raise DraftError("both answers are equal")
    sources = {name: {"$number": expression} for name, expression in zip("ab", expressions, strict=True)}
    text = _FORMULAS[how]
    done = draft.call(
        "evaluate_expression", {"expression": Value(text.format(**numbers), {"$text": text, "with": sources})}
    )
    return Ask(how, {"$from": done.id}, side.type, side.unit, side.label, side.by, side.by_kind, side.pivot)


def compose_fork(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """A figure under a stated value decides which of two other tools is asked about that value."""
    chosen = shop.pick_inputs(_FORK + 1, rng)
    value = _stated_value(shop, chosen[0], rng)
    mention = mention_of(chosen[0].parameter, value)
    if mention is None:
        raise DraftError("the first call needs a value that nobody would say")
    draft, story, known = shop.draft(), Story("fork", []), {value, mention.text}
    asks: list[Ask] = []
    spans: list[range] = []
    for tool, parameter in chosen:
        first = len(draft.actions)
        given, own = _own_arguments(shop, tool, parameter.name, rng)
        done = _begun(shop, draft, tool, {**given, parameter.name: value})
        story.starts.append(Start(tool, tuple(own)))
        asks.append(ask_about(draft, done, rng, known))
        spans.append(range(first, len(draft.actions)))
        if len(asks) == 1 and asks[0].type not in ("number", "amount"):
            raise DraftError("the deciding answer is no number")
    if asks[1].type != asks[2].type:
        raise DraftError("the branches do not fit each other")
    number = as_decimal(draft.value_of(asks[0].expression))
    if not number:
        raise DraftError("the deciding number is 0")
    bound = plain_number(round_bound(number, rng))
    compared = asks[0].expression
    holds = number >= Decimal(bound)
    _branch_off(draft, spans[1], {"$compare": [compared, ">=", bound]}, spans[0])
    _branch_off(draft, spans[2], {"$compare": [compared, "<", bound]}, spans[0])
    answer = {"$compare": [compared, ">=", bound], "then": asks[1].expression, "else": asks[2].expression}
    story.asks = asks
    story.details = {"shared": [mention], "bound": bound}
    taken = asks[1] if holds else asks[2]
    unit = asks[1].unit if asks[1].unit == asks[2].unit else ""
    return Sketch("COND", draft, story, Ask("branch", answer, taken.type, unit, taken.label), [])


def _branch_off(draft: Draft, span: range, condition: dict[str, Any], decider: range) -> None:
    """Make the actions of a branch wait for the figure that decides, and depend on it."""
    later = max(int(draft.actions[index]["step"]) for index in decider)
    for index in span:
        action = draft.actions[index]
        action.update(when=condition, step=int(action["step"]) + later)


def compose_contrast(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """One tool, called with two stated values; the same figure of both answers is compared."""
    [(tool, parameter)] = shop.pick_inputs(1, rng)
    given, own = _own_arguments(shop, tool, parameter.name, rng)
    draft = shop.draft()
    sides: list[Mention] = []
    reached: list[Done] = []
    for _ in range(2 * _VALUES_TRIED):
        value = _stated_value(shop, Input(tool, parameter), rng)
        mention = mention_of(parameter, value)
        if mention is None or any(mention.text == side.text for side in sides):
            continue
        before = draft.mark()
        try:
            reached.append(_begun(shop, draft, tool, {**given, parameter.name: value}))
        except DraftError:
            draft.back_to(before)
            continue
        sides.append(mention)
        if len(sides) == 2:
            break
    else:
        raise DraftError("only one value to compare")
    known = {m.value for m in sides} | {m.text for m in sides} | set(given.values()) | {m.text for m in own}
    side = _same_figure(draft, reached, rng, known)
    how = rng.choice(("difference", "difference", "larger"))
    ask = _calculated(draft, how, side[0], [each.expression for each in side])
    story = Story("contrast", [Start(tool, tuple(own))], asks=[side[0]], details={"sides": sides, "how": how})
    return Sketch("CMP", draft, story, ask, [])


def _same_figure(draft: Draft, sides: Sequence[Done], rng: random.Random, known: set[str]) -> list[Ask]:
    """One numeric question, asked of both answers."""
    if all(done.complete and len(done.records) == 1 for done in sides):
        column = rng.choice(_common_measures(sides))
        return [_figure("field", done.field(column.name), column) for done in sides]
    wholes = [draft.whole(done) for done in sides]
    makers: list[Callable[[Sequence[Done], random.Random, set[str]], tuple[dict[str, Any], Ask] | None]]
    makers = [_sums, _extremes, _counts]
    rng.shuffle(makers)
    for make in makers:
        found = make(wholes, rng, known)
        if found is not None:
            arguments, side = found
            given = {name: Value.of(value) for name, value in arguments.items()}
            reduced = [draft.call("reduce_records", {"result_id": draft.result_id(done), **given}) for done in wholes]
            return [_retold(side, {"$from": done.id}) for done in reduced]
    raise DraftError("no figure to compare")


def _retold(side: Ask, expression: dict[str, Any]) -> Ask:
    return Ask(side.kind, expression, side.type, side.unit, side.label, side.by, side.by_kind, side.pivot)


def _figure(kind: str, expression: Any, column: Field, by: str = "") -> Ask:
    unit = unit_of(column)
    return Ask(kind, expression, "amount" if is_money(unit) else "number", unit, spoken_label(column), by)


def _common_measures(sides: Sequence[Done]) -> list[Field]:
    """Measures that the one record of each side states."""
    columns = []
    for column in sides[0].tool.fields:
        cells = [value_text(done.records[0].get(column.name)) for done in sides]
        shown = all(cell is not None and done.shows(cell) for cell, done in zip(cells, sides, strict=True))
        numbers = shown and all(as_decimal(cell) is not None for cell in cells) and is_speakable(column)
        if numbers and observed_kind([done.records[0] for done in sides], column) == "measure":
            columns.append(column)
    if not columns:
        raise DraftError("no measure to compare")
    return columns


def _ranked_measures(sides: Sequence[Done]) -> list[Field]:
    return [
        column
        for column in sides[0].tool.fields
        if is_speakable(column) and all(ranking_kind(done.records, column) == "measure" for done in sides)
    ]


def _sums(sides: Sequence[Done], rng: random.Random, known: set[str]) -> tuple[dict[str, Any], Ask] | None:
    columns = [column for column in _ranked_measures(sides) if is_additive(column)]
    if not columns:
        return None
    column = rng.choice(columns)
    return {"operation": "sum", "field": column.name}, _figure("sum", None, column)


def _extremes(sides: Sequence[Done], rng: random.Random, known: set[str]) -> tuple[dict[str, Any], Ask] | None:
    columns = _ranked_measures(sides)
    if not columns:
        return None
    column, operation = rng.choice(columns), rng.choice(("max", "min"))
    return {"operation": operation, "field": column.name}, _figure(operation, None, column, spoken_label(column))


def _counts(sides: Sequence[Done], rng: random.Random, known: set[str]) -> tuple[dict[str, Any], Ask] | None:
    """How many records have one value of a category or name that both sides know."""
    options = []
    for column in sides[0].tool.fields:
        if not is_speakable(column) or observed_kind(sides[0].records, column) not in ("category", "name"):
            continue
        counts = [counted_values(done.records, column.name) for done in sides]
        both = sorted(set(counts[0]) & set(counts[1]))
        options += [
            (column, text)
            for text in both
            if is_word(text, spoken_label(column))
            and text not in known
            and all(2 <= c[text] < len(done.records) for c, done in zip(counts, sides, strict=True))
        ][:6]
    if not options:
        return None
    column, pivot = rng.choice(options)
    arguments = {"operation": "count", "where_field": column.name, "where_op": "eq", "where_value": pivot}
    return arguments, Ask(
        "count_where", None, "number", counter_of(row_noun(sides[0].tool)), by=spoken_label(column), pivot=pivot
    )
