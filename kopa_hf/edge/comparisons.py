"""Composers of sketches that compare (CMP) or branch (COND)."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any, Final

from kopa_hf.bench.expressions import as_decimal, plain_number
from kopa_hf.catalog.tool import Field
from kopa_hf.edge.arguments import value_text
from kopa_hf.edge.asking import Ask, ask_field
from kopa_hf.edge.columns import is_money, is_speakable, observed_kind, plain_value, spoken_label
from kopa_hf.edge.draft import Done, Draft, DraftError, Value
from kopa_hf.edge.labels import unit_of
from kopa_hf.edge.meaning import meaning_of
from kopa_hf.edge.mentions import Mention
from kopa_hf.edge.story import Hop, Sketch, Start, Story
from kopa_hf.edge.workshop import Workshop

_PAIR: Final = 2
_EDGES: Final = 4


def compose_compared(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """The same measure of two things, or of one thing on two days."""
    return _two_days(shop, rng) if rng.random() < 0.3 else _two_names(shop, rng)


def _two_names(shop: Workshop, rng: random.Random) -> Sketch:
    """Two names are looked up side by side, both values go to the same tool, and one measure is compared."""
    tool = shop.pick_start(rng, anchor=True)
    arguments, mentions = shop.start_arguments(tool, rng, anchor=False)
    anchors = shop.anchors(tool, arguments)
    parameter = rng.choice(sorted({anchor.parameter for anchor in anchors}))
    anchors = [anchor for anchor in anchors if anchor.parameter == parameter]
    if len(anchors) < _PAIR:
        raise DraftError("only one name to compare")
    sides = rng.sample(anchors, _PAIR)
    draft = shop.draft()
    begun = [shop.begin(draft, tool, {**arguments, parameter: side.value}) for side in sides]
    said = set(arguments.values()) | {side.value for side in sides}
    reached, hops = _both_sides(shop, draft, begun, rng, said)
    story = Story("compare", [Start(tool, tuple(mentions))], hops[:1])
    story.details = {"sides": sides}
    column = _common_measure(reached, rng)
    ask = _difference(draft, [done.field(column.name) for done in reached], column)
    story.asks.append(ask)
    return Sketch("CMP", draft, story, ask, [hop.junction for hop in hops])


def _both_sides(
    shop: Workshop, draft: Draft, begun: list[Done], rng: random.Random, said: set[str]
) -> tuple[list[Done], list[Hop]]:
    """Follow the same edge from both answers, open inputs filled alike."""
    reason = "no edge leads on"
    for edge in shop.leaving(begun[0].tool, rng)[:_EDGES]:
        before, seed = draft.mark(), rng.random()
        try:
            moved = [shop.follow(draft, done, edge, random.Random(seed), set(said), fan=False) for done in begun]
            reached, hops = [done for done, _ in moved], [hop for _, hop in moved]
            if any(hop.junction.kind != "SEQ" for hop in hops):
                raise DraftError("a compared name is not settled")
            if reached[0].calls[0].arguments == reached[1].calls[0].arguments:
                raise DraftError("both names lead to the same value")
            _common_measure(reached, random.Random(seed))
            return reached, hops
        except DraftError as error:
            draft.back_to(before)
            reason = str(error)
    raise DraftError(reason)


def _common_measure(sides: list[Done], rng: random.Random) -> Field:
    """A measure that the one record of each side states, with different values."""
    if any(not done.complete or len(done.records) != 1 for done in sides):
        raise DraftError("a compared answer is not one record")
    columns = []
    for column in sides[0].tool.fields:
        cells = [value_text(done.records[0].get(column.name)) for done in sides]
        numbers = [as_decimal(cell) for cell in cells]
        shown = all(cell is not None and done.shows(cell) for cell, done in zip(cells, sides, strict=True))
        if not shown or None in numbers or numbers[0] == numbers[1] or not is_speakable(column):
            continue
        if observed_kind([done.records[0] for done in sides], column) == "measure":
            columns.append(column)
    if not columns:
        raise DraftError("no measure to compare")
    return rng.choice(columns)


def _difference(draft: Draft, sides: list[dict[str, Any]], column: Field) -> Ask:
    """Add the subtraction and ask for its value."""
    numbers = {name: {"$number": side} for name, side in zip(("a", "b"), sides, strict=True)}
    literal = _evaluated(draft, sides)
    text = {"$text": "abs({a}-({b}))", "with": numbers}
    done = draft.call("evaluate_expression", {"expression": Value(literal, text)})
    unit = unit_of(column)
    return Ask("difference", {"$from": done.id}, "amount" if is_money(unit) else "number", unit, spoken_label(column))


def _evaluated(draft: Draft, sides: list[dict[str, Any]]) -> str:
    """The subtraction with this execution's numbers in it."""
    by_id = {done.id: done for done in draft.done}
    values = []
    for side in sides:
        number = as_decimal(by_id[str(side["$from"])].records[0][str(side["field"])])
        values.append(plain_number(number if number is not None else Decimal(0)))
    return f"abs({values[0]}-({values[1]}))"


def _two_days(shop: Workshop, rng: random.Random) -> Sketch:
    """One thing in the lists of two days: filter both lists by its name and compare a measure."""
    dated = [name for name in shop.starts if _day_input(shop, name) is not None]
    if not dated:
        raise DraftError("no first tool asks for a day")
    tool = shop.pick_day(dated, rng)
    parameter = str(_day_input(shop, tool.name))
    draft = shop.draft()
    lists: list[Done] = []
    mentions: list[Mention] = []
    for _ in range(_PAIR):
        arguments, said = shop.start_arguments(tool, rng, anchor=False)
        if any(m.parameter != parameter for m in said):
            raise DraftError("more than a day to say")
        mentions += said
        lists.append(shop.begin(draft, tool, arguments))
    if mentions[0].value == mentions[1].value or not all(done.complete for done in lists):
        raise DraftError("the two lists cannot be compared")
    column, name = _named_in_both(lists, rng)
    where = {"operation": "filter", "where_field": column.name, "where_op": "eq", "where_value": name}
    picked = []
    for done in lists:
        given = {key: Value.of(value) for key, value in where.items()}
        reduced = draft.call("reduce_records", {"result_id": draft.result_id(done), **given})
        reduced.tool = tool
        picked.append(reduced)
    measure = _common_measure(picked, rng)
    ask = _difference(draft, [done.field(measure.name) for done in picked], measure)
    story = Story("compare_days", [Start(tool, tuple(mentions))], asks=[ask])
    story.details = {"name": name, "column": spoken_label(column)}
    return Sketch("CMP", draft, story, ask, [])


def _day_input(shop: Workshop, name: str) -> str | None:
    """The required day of a tool that asks for nothing else."""
    required = [p for p in shop.tools[name].inputs if p.required]
    single = len(required) == 1 and meaning_of(required[0]).kind == "date" and meaning_of(required[0]).bound is None
    return required[0].name if single else None


def _named_in_both(lists: list[Done], rng: random.Random) -> tuple[Field, str]:
    """A name that stands exactly once in either list."""
    options = []
    for column in lists[0].tool.fields:
        if not is_speakable(column) or observed_kind(lists[0].records, column) not in ("name", "title"):
            continue
        once = [_once(done, column.name) for done in lists]
        options += [(column, text) for text in sorted(once[0] & once[1]) if plain_value(text)]
    if not options:
        raise DraftError("no name stands in both lists")
    return rng.choice(options)


def _once(done: Done, field: str) -> set[str]:
    counts: dict[str, int] = {}
    for record in done.records:
        text = value_text(record.get(field))
        if text is not None:
            counts[text] = counts.get(text, 0) + 1
    return {text for text, times in counts.items() if times == 1}


def compose_branch(shop: Workshop, rng: random.Random, wanted: str) -> Sketch:
    """A measure decides which of two tools is asked; only that branch is part of the golden path."""
    tool = shop.pick_start(rng, anchor=True)
    arguments, mentions = shop.start_arguments(tool, rng, anchor=True)
    draft = shop.draft()
    known = set(arguments.values()) | {m.text for m in mentions}
    begun = shop.begin(draft, tool, arguments)
    judged, judging = begun, None
    if not _measures(begun):
        judged, judging, _ = shop.follow_any(
            draft, begun, shop.leaving(tool, rng), rng, known, fan=False, accept=lambda d, h: bool(_measures(d))
        )
    measure = rng.choice(_measures(judged))
    used = {tool.name, judged.tool.name}
    other, other_hop, other_ask = _probed_branch(shop, draft, begun, rng, known, used)
    others = [edge for edge in shop.leaving(tool, rng) if edge.target not in {*used, other.tool.name}]
    taken, hop, _ = shop.follow_any(draft, begun, others, rng, known, fan=False, accept=_settled)
    ask = _same_type(draft, taken, rng, known, other_ask.type)
    number = as_decimal(judged.records[0][measure.name]) or Decimal(0)
    bound = plain_number(round_bound(number, rng))
    compared = {"$number": judged.field(measure.name)}
    holds = number >= Decimal(bound)
    yes, no = (">=", "<") if holds else ("<", ">=")
    condition = {"$compare": [compared, yes, bound]}
    # the branch waits for the measure that decides
    step = max(draft.step_of(taken.id), draft.step_of(judged.id) + 1)
    draft.actions[-1].update(when=condition, step=step)
    skipped = _skipped(draft, other, other_hop, begun, {"$compare": [compared, no, bound]}, step)
    expressions = {taken.id: ask.expression, skipped: _moved(other_ask.expression, skipped)}
    then, otherwise = (taken.id, skipped) if holds else (skipped, taken.id)
    answer = {"$compare": [compared, ">=", bound], "then": expressions[then], "else": expressions[otherwise]}
    hops, asks = ([hop, other_hop], [ask, other_ask]) if holds else ([other_hop, hop], [other_ask, ask])
    story = Story("branch", [Start(tool, tuple(mentions))], hops, asks)
    story.details = {"label": spoken_label(measure), "bound": bound, "unit": unit_of(measure), "judging": judging}
    branch = Ask("branch", answer, ask.type, ask.unit if ask.unit == other_ask.unit else "", ask.label)
    junctions = [h.junction for h in (judging, hop) if h is not None]
    return Sketch("COND", draft, story, branch, junctions)


def _probed_branch(
    shop: Workshop, draft: Draft, begun: Done, rng: random.Random, known: set[str], used: set[str]
) -> tuple[Done, Hop, Ask]:
    """The branch that will not be taken: tried out, so that it works on other data, and taken back."""
    before = draft.mark()
    edges = [edge for edge in shop.leaving(begun.tool, rng) if edge.target not in used]
    other, hop, _ = shop.follow_any(draft, begun, edges, rng, set(known), fan=False, accept=_settled)
    ask = ask_field(draft, other, rng, known)
    draft.back_to(before)
    return other, hop, ask


def _settled(reached: Done, hop: Hop) -> bool:
    """One value led to one record."""
    return hop.junction.kind == "SEQ" and reached.complete and len(reached.records) == 1


def _same_type(draft: Draft, done: Done, rng: random.Random, known: set[str], wanted: str) -> Ask:
    """A column of the type that the other branch is asked for."""
    for _ in range(8):
        ask = ask_field(draft, done, rng, known)
        if ask.type == wanted:
            return ask
    raise DraftError("the branches do not fit each other")


def _measures(done: Done) -> list[Field]:
    """Measures of the one record of an answer, as far as a reader sees them; none for several records."""
    if not done.complete or len(done.records) != 1:
        return []
    record = done.records[0]
    return [
        column
        for column in done.tool.fields
        if is_speakable(column)
        and observed_kind(done.records, column) == "measure"
        and as_decimal(record.get(column.name))  # neither unreadable nor 0: "0 or more" decides nothing
        and done.shows(str(record[column.name]))
    ]


def round_bound(number: Decimal, rng: random.Random) -> Decimal:
    """A round bound near a number, above or below it."""
    factor = Decimal(rng.choice(("0.5", "0.7", "0.8", "1.2", "1.5", "2")))
    near = number * factor
    if near == 0:
        return Decimal(rng.choice((0, 1)))
    return near.quantize(Decimal(1).scaleb(max(near.adjusted(), 0))) or Decimal(1)


def _skipped(draft: Draft, other: Done, hop: Hop, begun: Done, condition: dict[str, Any], step: int) -> str:
    """Add the branch that is not carried out on this data; returns its id."""
    given = other.calls[0].arguments
    arguments: dict[str, Any] = dict(given) if isinstance(given, dict) else {}
    arguments.update({name: begun.field(field) for name, field in hop.bound.items()})
    action = {
        "id": f"a{len(draft.actions) + 1}",
        "step": step,
        "name": other.tool.name,
        "arguments": arguments,
        "when": condition,
    }
    draft.actions.append(action)
    return str(action["id"])


def _moved(expression: Any, action: str) -> Any:
    """The expression with every reference to an action replaced: the probed one got another id."""
    if isinstance(expression, list):
        return [_moved(item, action) for item in expression]
    if isinstance(expression, dict):
        return {key: action if key == "$from" else _moved(item, action) for key, item in expression.items()}
    return expression
