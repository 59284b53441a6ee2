"""Outputs for BFCL entries: the answer key itself, and outputs changed in one way at a time.

A change that makes an output of the key again (calls turned round into their own order) is left out. Every output has the shape of the official result files. All is drawn from the entry's id,
so that two runs make the same outputs.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from kopa_hf.bench.bfcl.answer_key import Turns, key_calls, key_turns, render, render_turns
from kopa_hf.bench.bfcl.categories import is_relevance
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.strict import Call

Output = tuple[str, Any]
"""(what was done to the key, result)."""
MODES = ("fc", "prompt")
REFUSALS = (
    "I cannot help with that: no function fits.",
    "죄송하지만 그 요청에 맞는 함수가 없습니다.",
    "",
    "Which city?",
)


def outputs(entry: Entry, mode: str, changes: int) -> Iterator[Output]:
    """Key outputs, then others, none of which is a key output; `changes`: how many changes of the key are tried."""
    rng = random.Random(f"{entry.id}/{mode}")
    if entry.classes:
        make = _turn_outputs
    else:
        make = _relevance_outputs if is_relevance(entry.category) else _call_outputs
    made = list(make(entry, mode, rng, changes))
    keys = [result for kind, result in made if kind == "key"]
    yield from ((kind, result) for kind, result in made if kind == "key" or result not in keys)


# single turn, with gold calls


def _call_outputs(entry: Entry, mode: str, rng: random.Random, changes: int) -> Iterator[Output]:
    seen = []
    for choice in range(3):
        for optional in (True, False):
            result = render(entry, mode, key_calls(entry, choice, optional=optional))
            if result not in seen:
                seen.append(result)
                yield "key", result
    kinds = rng.sample([*_CALL_CHANGES, *_TEXT_CHANGES], changes)
    for kind in kinds:
        calls = copy.deepcopy(key_calls(entry, rng.randrange(3), optional=rng.random() < 0.7))
        if kind in _CALL_CHANGES:
            changed = _CALL_CHANGES[kind](calls, rng)
            if changed is not None:
                yield kind, render(entry, mode, changed)
        else:
            yield kind, _TEXT_CHANGES[kind](render(entry, mode, calls), rng)


def _with_argument(change: Callable[[Any, random.Random], Any]) -> Callable[[list[Call], random.Random], Any]:
    """A change of one value, at the top, inside a list, or inside an object."""

    def apply(calls: list[Call], rng: random.Random) -> list[Call] | None:
        holders = [arguments for _, arguments in calls if arguments]
        if not holders:
            return None
        holder: Any = rng.choice(holders)
        place: Any = rng.choice(sorted(holder))
        while isinstance(holder[place], list | dict) and holder[place] and rng.random() < 0.6:
            holder = holder[place]
            place = rng.choice(sorted(holder) if isinstance(holder, dict) else range(len(holder)))
        holder[place] = change(holder[place], rng)
        return calls

    return apply


def _wrong_type(value: Any, rng: random.Random) -> Any:
    if isinstance(value, bool):
        return rng.choice([str(value).lower(), int(value), [value]])
    if isinstance(value, int):
        return rng.choice([str(value), float(value), [value], bool(value), None])
    if isinstance(value, float):
        return rng.choice([str(value), int(value), [value], None])
    if isinstance(value, list):
        return rng.choice([json.dumps(value), value[0] if value else None, {"items": value}, [value]])
    if isinstance(value, dict):
        return rng.choice([json.dumps(value), [value], list(value.values()), None])
    return rng.choice([[value], len(str(value)), {"value": value}, True, None])


def _wrong_value(value: Any, rng: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return rng.choice([value + 1, -value, value * 10, value / 2, 0])
    if isinstance(value, list):
        return rng.choice([value[:-1], [*value, *value[:1]], []])
    if isinstance(value, dict):
        return rng.choice([{}, {**value, "extra": 1}, dict(list(value.items())[1:])])
    if isinstance(value, str):
        return rng.choice([value + "x", value[1:], value[::-1], "", "서울", value + " " + value])
    return "x"


def _signs(value: Any, rng: random.Random) -> Any:
    """Signs that the official comparison deletes, put in or taken out."""
    if not isinstance(value, str) or not value:
        return _wrong_type(value, rng)
    if rng.random() < 0.4 and any(sign in value for sign in " ,./-_*^"):
        return "".join(sign for sign in value if sign not in rng.choice([" ,", "./", "-_", " ,./-_*^"]))
    at = rng.randrange(len(value) + 1)
    return value[:at] + rng.choice([".", "-", ",", " ", "/", "_", "*", "^"]) + value[at:]


def _case(value: Any, rng: random.Random) -> Any:
    return rng.choice([value.upper(), value.title(), value.replace("'", '"')]) if isinstance(value, str) else value


def _missing(calls: list[Call], rng: random.Random) -> list[Call] | None:
    holders = [arguments for _, arguments in calls if arguments]
    if not holders:
        return None
    holder = rng.choice(holders)
    del holder[rng.choice(sorted(holder))]
    return calls


def _extra(calls: list[Call], rng: random.Random) -> list[Call] | None:
    if not calls:
        return None
    rng.choice(calls)[1][rng.choice(["extra", "unit", "format", "id", "limit"])] = rng.choice([1, "x", None, []])
    return calls


def _renamed_parameter(calls: list[Call], rng: random.Random) -> list[Call] | None:
    holders = [arguments for _, arguments in calls if arguments]
    if not holders:
        return None
    holder = rng.choice(holders)
    name = rng.choice(sorted(holder))
    holder[rng.choice([name + "_", name.upper(), name[1:] or "p", "_" + name])] = holder.pop(name)
    return calls


def _renamed_function(calls: list[Call], rng: random.Random) -> list[Call]:
    at = rng.randrange(len(calls))
    name, arguments = calls[at]
    other = [name + "_1", name.replace("_", "."), name.replace(".", "_"), name.upper(), name.split(".")[-1], "f"]
    calls[at] = (rng.choice(other), arguments)
    return calls


def _reordered_list(value: Any, rng: random.Random) -> Any:
    return rng.sample(value, len(value)) if isinstance(value, list) else value


def _shuffled(calls: list[Call], rng: random.Random) -> list[Call]:
    return [(n, dict(rng.sample(list(a.items()), len(a)))) for n, a in rng.sample(calls, len(calls))]


def _swapped(calls: list[Call], rng: random.Random) -> list[Call] | None:
    """Two arguments of one call exchanged."""
    holders = [arguments for _, arguments in calls if len(arguments) > 1]
    if not holders:
        return None
    holder = rng.choice(holders)
    one, other = rng.sample(sorted(holder), 2)
    holder[one], holder[other] = holder[other], holder[one]
    return calls


_CALL_CHANGES: dict[str, Callable[[list[Call], random.Random], Any]] = {
    "wrong type": _with_argument(_wrong_type),
    "wrong value": _with_argument(_wrong_value),
    "signs": _with_argument(_signs),
    "letter case": _with_argument(_case),
    "missing argument": _missing,
    "extra argument": _extra,
    "renamed parameter": _renamed_parameter,
    "renamed function": _renamed_function,
    "reordered calls and arguments": _shuffled,
    "reordered list": _with_argument(_reordered_list),
    "swapped arguments": _swapped,
    "missing call": lambda calls, rng: calls[:-1],
    "extra call": lambda calls, rng: [*calls, copy.deepcopy(rng.choice(calls))],
    "doubled for another": lambda calls, rng: [calls[0], *copy.deepcopy(calls[:-1])] if len(calls) > 1 else None,
}


def _cut(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text))] if text else text


def _broken(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    sign = rng.choice(['"', "'", "(", ")", "[", "]", "{", "}", ",", "=", ":", "\\", "\n", "#", "…"])
    return text[:at] + sign + text[at:] if rng.random() < 0.5 else text[:at] + text[at + 1 :]


def _on_text(change: Callable[[str, random.Random], str]) -> Callable[[Any, random.Random], Any]:
    """A change of a prompting answer, or of the argument text of one call."""

    def apply(result: Any, rng: random.Random) -> Any:
        if isinstance(result, str):
            return change(result, rng)
        if result:
            at = rng.randrange(len(result))
            name, text = next(iter(result[at].items()))
            result[at] = {name: change(text, rng)}
        return result

    return apply


_TEXT_CHANGES: dict[str, Callable[[Any, random.Random], Any]] = {
    "cut short": _on_text(_cut),
    "broken syntax": _on_text(_broken),
    "broken twice": _on_text(lambda text, rng: _broken(_broken(text, rng), rng)),
    "no object": _on_text(
        lambda text, rng: rng.choice(["null", "[]", "123", "", '"x"', text + text, json.dumps(text)])
    ),
    "wrapped": _on_text(
        lambda text, rng: rng.choice([f"```{text}```", f"'{text}'", f"Here: {text}", f"{text}\n\nDone."])
    ),
    "prose instead": lambda result, rng: rng.choice(REFUSALS),
    "nothing": lambda result, rng: [] if isinstance(result, list) else "[]",
}


# single turn, without gold calls


def _relevance_outputs(entry: Entry, mode: str, rng: random.Random, changes: int) -> Iterator[Output]:
    called = [(f["name"], {name: "x" for name in f["parameters"].get("required", ())}) for f in entry.functions[:2]]
    refusal = rng.choice(REFUSALS[:2] + REFUSALS[3:])
    right = "irrelevance" in entry.category
    yield ("key" if right else "prose instead"), refusal
    if called:
        yield ("extra call" if right else "key"), render(entry, mode, called[:1])
        for kind in rng.sample(["cut short", "broken syntax", "no object", "wrapped", "nothing"], min(changes, 4)):
            yield kind, _TEXT_CHANGES[kind](render(entry, mode, called), rng)
        yield "renamed function", render(entry, mode, _renamed_function(called[:1], rng))
    yield "empty text", ""


# multi-turn


def _turn_outputs(entry: Entry, mode: str, rng: random.Random, changes: int) -> Iterator[Output]:
    yield "key", render_turns(entry, mode, key_turns(entry))
    together = [[[call for step in turn for call in step]] if turn else [] for turn in key_turns(entry)]
    yield "key", render_turns(entry, mode, together)
    for kind in rng.sample([*_TURN_CHANGES, "broken step"], changes):
        turns = key_turns(entry)
        if kind == "broken step":
            result = render_turns(entry, mode, turns)
            steps = [(t, s) for t, turn in enumerate(result) for s in range(len(turn))]
            at, step = rng.choice(steps)
            change = rng.choice(
                [_TEXT_CHANGES["broken syntax"], _TEXT_CHANGES["cut short"], _TEXT_CHANGES["no object"]]
            )
            result[at][step] = change(result[at][step], rng)
            yield kind, result
        else:
            changed = _TURN_CHANGES[kind](turns, rng, entry)
            if changed is not None:
                yield kind, render_turns(entry, mode, changed)


def _any_call(turns: Turns, rng: random.Random) -> tuple[list[Call], int] | None:
    places = [(step, at) for turn in turns for step in turn for at in range(len(step))]
    return rng.choice(places) if places else None


def _changed_call(change: Callable[[list[Call], random.Random], Any]) -> Callable[..., Turns | None]:
    def apply(turns: Turns, rng: random.Random, entry: Entry) -> Turns | None:
        place = _any_call(turns, rng)
        if place is None:
            return None
        step, at = place
        changed = change([step[at]], rng)
        if changed is None:
            return None
        step[at : at + 1] = changed
        return turns

    return apply


def _without_step(turns: Turns, rng: random.Random, entry: Entry) -> Turns | None:
    full = [turn for turn in turns if turn]
    if not full:
        return None
    turn = rng.choice(full)
    del turn[rng.randrange(len(turn))]
    return turns


def _foreign_call(turns: Turns, rng: random.Random, entry: Entry) -> Turns:
    """A call of an offered function that the key does not make, with made-up arguments."""
    document = rng.choice(entry.functions)
    values = {"string": "x", "integer": 1, "float": 1.5, "boolean": True, "array": ["x"], "dict": {"a": 1}}
    parameters = document["parameters"]
    arguments = {name: values.get(parameters["properties"][name]["type"], "x") for name in parameters["required"]}
    rng.choice(turns).insert(0, [(document["name"], arguments)])
    return turns


def _earlier(turns: Turns, rng: random.Random, entry: Entry) -> Turns | None:
    later = [at for at in range(1, len(turns)) if turns[at]]
    if not later:
        return None
    at = rng.choice(later)
    turns[at - 1] += turns[at]
    turns[at] = []
    return turns


def _mentioning(turns: Turns, rng: random.Random, entry: Entry) -> Turns | None:
    """A text argument that mentions a function with a bracket."""
    places = [(a, k) for turn in turns for step in turn for _, a in step for k, v in a.items() if isinstance(v, str)]
    if not places:
        return None
    arguments, name = rng.choice(places)
    arguments[name] += f" {rng.choice(entry.functions)['name']}(x)"
    return turns


def _one_way(turns: Turns, rng: random.Random, entry: Entry) -> Turns:
    """Everything twice."""
    return [[*turn, *copy.deepcopy(turn)] for turn in turns]


_TURN_CHANGES: dict[str, Callable[[Turns, random.Random, Entry], Turns | None]] = {
    "missing step": _without_step,
    "missing turn": lambda turns, rng, entry: turns[:-1],
    "silent turn": lambda turns, rng, entry: [*turns[:-1], []],
    "extra call": _foreign_call,
    "everything twice": _one_way,
    "turn too early": _earlier,
    "steps turned round": lambda turns, rng, entry: [turn[::-1] for turn in turns],
    "a text that names a function": _mentioning,
    "wrong value": _changed_call(_CALL_CHANGES["wrong value"]),
    "wrong type": _changed_call(_CALL_CHANGES["wrong type"]),
    "missing argument": _changed_call(_missing),
    "extra argument": _changed_call(_extra),
    "renamed parameter": _changed_call(_renamed_parameter),
    "renamed function": _changed_call(_renamed_function),
}
