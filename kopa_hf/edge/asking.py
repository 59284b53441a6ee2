"""What can be asked about the last answer of a path, and the expression that answers it."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.bench.expressions import as_decimal
from kopa_hf.catalog.tool import Field
from kopa_hf.edge.arguments import value_text
from kopa_hf.edge.columns import (
    is_additive,
    is_money,
    is_speakable,
    observed_kind,
    plain_value,
    spoken_label,
)
from kopa_hf.edge.draft import Done, Draft, DraftError, Value
from kopa_hf.edge.junctions import Narrowing, counted_values, ranking_kind
from kopa_hf.edge.labels import is_rankable, is_word, on_the_map, unit_of
from kopa_hf.edge.meaning import Kind
from kopa_hf.edge.things import counter_of, row_noun
from kopa_hf.execution.cells import read_date

_WEIGHTS: Final[dict[Kind, int]] = {"measure": 6, "date": 4, "name": 3, "title": 2, "category": 2, "code": 1}
"""How likely a column of each kind is asked for; kinds that are missing never are."""
_NAMED: Final = 0.7
"""How often the record that leads is asked for, not the value by which it leads."""
_TYPES: Final[dict[Kind, str]] = {"date": "date", "code": "code", "name": "text", "title": "text", "category": "text"}


@dataclass(frozen=True, slots=True)
class Ask:
    """One question about an answer."""

    kind: str
    """field, count, count_where, max, min, sum, most_frequent, each_sum, each_best, each_set, each_count."""
    expression: Any
    type: str
    unit: str = ""
    label: str = ""
    """Of the column that is asked for."""
    by: str = ""
    """Of the column that ranks or filters, where there is one."""
    by_kind: Kind = "measure"
    """What the ranking column holds: a measure or dates."""
    pivot: str = ""
    """The value in a count_where, as it stands in the data."""


def ask_about(draft: Draft, done: Done, rng: random.Random, known: Collection[str]) -> Ask:
    """Choose a question about a single call's answer, adding the reduction that it needs.

    `known` are texts that the question already says; neither these nor values that
    were passed on are asked for. Raises `DraftError` where nothing can be asked.
    """
    known = {*known, *draft.intermediate}
    if len(done.calls) > 1:
        return rng.choice(_options_over_calls(done, known, rng))
    if done.complete and len(done.records) == 1:
        return _field_of_one(done, rng, known)
    whole = draft.whole(done)
    return _reduction_of_many(draft, whole, rng, known)


def ask_field(
    draft: Draft, done: Done, rng: random.Random, known: Collection[str], kinds: Collection[Kind] = tuple(_WEIGHTS)
) -> Ask:
    """A column of the one record of an answer, of one of the given kinds."""
    if not done.complete or len(done.records) != 1:
        raise DraftError("not one record to ask about")
    return _field_of_one(done, rng, {*known, *draft.intermediate}, kinds)


def _field_of_one(
    done: Done, rng: random.Random, known: Collection[str], kinds: Collection[Kind] = tuple(_WEIGHTS)
) -> Ask:
    columns = [
        (column, kind)
        for column, kind in _columns(done)
        if kind in kinds
        and (text := value_text(done.records[0].get(column.name))) is not None
        and _answers(text, column, kind)
        and text not in known
        and done.shows(text)
    ]
    if not columns:
        raise DraftError("the last answer says nothing new")
    column, kind = rng.choices(columns, [_WEIGHTS[kind] for _, kind in columns])[0]
    return _asked(done.field(column.name), column, kind, "field", str(done.records[0][column.name]))


def _answers(text: str, column: Field, kind: Kind) -> bool:
    """True for a cell that answers a question: where a name or a kind is asked for, a word."""
    return is_word(text, spoken_label(column)) if kind in ("name", "title", "category") else plain_value(text)


def _columns(done: Done) -> list[tuple[Field, Kind]]:
    """Columns that a question can name, with what they hold."""
    return [
        (column, kind)
        for column in done.tool.fields
        if is_speakable(column) and (kind := observed_kind(done.records, column)) in _WEIGHTS
    ]


def _asked(
    expression: Any,
    column: Field,
    kind: Kind,
    how: str,
    sample: str,
    ranking: Field | None = None,
    ranking_kind: Kind = "measure",
) -> Ask:
    """An ask for a column's cell, typed by what it holds."""
    by = "" if ranking is None else spoken_label(ranking)
    if kind == "measure" and as_decimal(sample) is not None:
        unit = unit_of(column) or ("%" if sample.strip().endswith("%") else "")
        answer_type = "amount" if is_money(unit) else "number"
        return Ask(how, {"$number": expression}, answer_type, unit, spoken_label(column), by, ranking_kind)
    answer_type = "text" if kind == "measure" else _TYPES[kind]
    if kind == "date" and read_date(sample) is None:
        answer_type = "text"
    return Ask(how, expression, answer_type, "", spoken_label(column), by, ranking_kind)


def _reduction_of_many(draft: Draft, done: Done, rng: random.Random, known: Collection[str]) -> Ask:
    """A count, an extreme, a sum or the most frequent value over all records of an answer."""
    makers = [_count, _count_where, _extreme, _sum, _most_frequent]
    rng.shuffle(makers)
    for make in makers:
        ask = make(draft, done, rng, known)
        if ask is not None:
            return ask
    raise DraftError("nothing to ask about many records")


def _reduce(draft: Draft, done: Done, arguments: dict[str, Any]) -> Done:
    given = {name: Value.of(value) for name, value in arguments.items()}
    return draft.call("reduce_records", {"result_id": draft.result_id(done), **given})


def _count(draft: Draft, done: Done, rng: random.Random, known: Collection[str]) -> Ask | None:
    states_total = done.tool.paging is not None and done.calls[0].name != "collect_pages"
    if len(done.records) < 2 or states_total:
        return None  # the first page states the total already
    counted = _reduce(draft, done, {"operation": "count"})
    return Ask("count", {"$from": counted.id}, "number", counter_of(row_noun(done.tool)))


def _count_where(draft: Draft, done: Done, rng: random.Random, known: Collection[str]) -> Ask | None:
    """How many records have one value of a category or name."""
    options = []
    for column, kind in _columns(done):
        if kind not in ("category", "name"):
            continue
        counts = counted_values(done.records, column.name)
        options += [
            (column, text)
            for text, times in counts.items()
            if 2 <= times < len(done.records) and is_word(text, spoken_label(column)) and text not in known
        ][:6]
    if not options:
        return None
    column, pivot = rng.choice(options)
    arguments = {"operation": "count", "where_field": column.name, "where_op": "eq", "where_value": pivot}
    counted = _reduce(draft, done, arguments)
    unit = counter_of(row_noun(done.tool))
    return Ask("count_where", {"$from": counted.id}, "number", unit, by=spoken_label(column), pivot=pivot)


def _extreme(draft: Draft, done: Done, rng: random.Random, known: Collection[str]) -> Ask | None:
    """A name out of the record that leads by a measure or a date, or the leading value itself."""
    ranked = [
        (c, kind) for c in done.tool.fields if is_rankable(c) and (kind := ranking_kind(done.records, c)) is not None
    ]
    if not ranked:
        return None
    column, ranking = rng.choice(ranked)
    operation = rng.choice(("max", "min"))
    reduced = _reduce(draft, done, {"operation": operation, "field": column.name})
    if len(reduced.records) != 1:
        raise DraftError("the extreme is shared")
    reduced.tool = done.tool
    named = [
        (other, kind)
        for other, kind in _columns(done)
        if other.name != column.name
        and kind in ("name", "title")
        and (text := value_text(reduced.records[0].get(other.name))) is not None
        and _answers(text, other, kind)
        and text not in known
        and reduced.shows(text)
    ]
    sample = str(reduced.records[0][column.name])
    if on_the_map(column) and not named:
        return None
    if named and (on_the_map(column) or rng.random() < _NAMED):
        other, other_kind = rng.choice(named)
        return _asked(reduced.field(other.name), other, other_kind, operation, "", column, ranking)
    return _asked(reduced.field(column.name), column, ranking, operation, sample, column, ranking)


def _sum(draft: Draft, done: Done, rng: random.Random, known: Collection[str]) -> Ask | None:
    summed = [
        column
        for column, kind in _columns(done)
        if kind == "measure" and is_additive(column) and ranking_kind(done.records, column) is not None
    ]
    if not summed:
        return None
    column = rng.choice(summed)
    reduced = _reduce(draft, done, {"operation": "sum", "field": column.name})
    return _asked({"$from": reduced.id}, column, "measure", "sum", str(reduced.result.value))


def _most_frequent(draft: Draft, done: Done, rng: random.Random, known: Collection[str]) -> Ask | None:
    options = []
    for column, kind in _columns(done):
        counts = counted_values(done.records, column.name)
        ranked = counts.most_common(2)
        clear = kind in ("name", "category") and len(ranked) == 2 and ranked[0][1] > ranked[1][1]
        if clear and ranked[0][0] not in known and is_word(ranked[0][0], spoken_label(column)):
            options.append(column)
    if not options:
        return None
    column = rng.choice(options)
    reduced = _reduce(draft, done, {"operation": "most_frequent", "field": column.name})
    return Ask("most_frequent", {"$from": reduced.id}, "text", label=spoken_label(column))


def _options_over_calls(done: Done, known: Collection[str], rng: random.Random) -> list[Ask]:
    """Questions over the answers of several equal calls."""
    if not done.complete or any('"kept":' in call.text for call in done.calls):
        raise DraftError("parallel answers are more than a reader sees")
    options: list[Ask] = []
    single = all(len(call.result.records) == 1 for call in done.calls)
    columns = [(c, k) for c, k in _columns(done) if all(value_text(r.get(c.name)) is not None for r in done.records)]
    names = [c for c, k in columns if k in ("name", "title") and _all_plain(done, c, known)]
    for column, kind in columns:
        if kind != "measure" or any(as_decimal(r[column.name]) is None for r in done.records):
            continue
        of_all = done.field(column.name, "all")
        if is_additive(column):
            total = {"$reduce": "sum", "of": of_all}
            options.append(_asked(total, column, "measure", "each_sum", "0"))
        values = [as_decimal(r[column.name]) for r in done.records]
        if single and names and values.count(max(v for v in values if v is not None)) == 1:
            named = rng.choice(names)
            best = done.field(named.name, f"max:{column.name}")
            options.append(_asked(best, named, "name", "each_best", "", column))
    for column in names:
        if single and len({str(r[column.name]) for r in done.records}) == len(done.records):
            items = {"$reduce": "distinct", "of": done.field(column.name, "all")}
            options.append(Ask("each_set", items, "set", label=spoken_label(column)))
    if not single and columns:
        counted = {"$reduce": "count", "of": done.field(columns[0][0].name, "all")}
        options.append(Ask("each_count", counted, "number", counter_of(row_noun(done.tool))))
    if not options:
        raise DraftError("nothing to ask over parallel answers")
    return options


def _all_plain(done: Done, column: Field, known: Collection[str]) -> bool:
    texts = [str(record[column.name]).strip() for record in done.records]
    return all(
        is_word(text, spoken_label(column)) and "," not in text and text not in known and done.shows(text)
        for text in texts
    )


def narrowed(draft: Draft, done: Done, narrowing: Narrowing) -> Done:
    """Add the reduction of a DRV junction."""
    reduced = _reduce(draft, done, narrowing.arguments)
    reduced.tool = done.tool
    return reduced
