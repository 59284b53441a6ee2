"""ACTION: how well the executed calls follow the golden ones.

`Corr` is the share of golden actions that some call of the run matches, one call
per action (a maximum bipartite matching, so order never matters). `CR` counts
repeats, `MPC` compares the number of calls with the golden number, and `Eff` is
their mean, or 0 where `max_allowed_calls` was exceeded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from kopa_hf.bench.rows import Row
from kopa_hf.catalog.canonical import canonical_request
from kopa_hf.execution.result import CallResult


class RunCall(Protocol):
    """What scoring reads of one issued call."""

    @property
    def name(self) -> str: ...
    @property
    def arguments(self) -> Any: ...
    @property
    def result(self) -> CallResult: ...
    @property
    def executed(self) -> bool: ...
    @property
    def result_id(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class ActionQuality:
    """The parts of ACTION, before the gate."""

    corr: float
    cr: float
    mpc: float
    eff: float
    matched: tuple[int | None, ...]
    """Per golden action the index of its call, or None."""

    @property
    def action(self) -> float:
        """(Corr + Eff) / 2."""
        return (self.corr + self.eff) / 2


_JSON_TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def action_quality(row: Row, calls: Sequence[RunCall]) -> ActionQuality:
    """Corr, CR, MPC and Eff of a run; without golden actions 1 for no call, else Corr 0."""
    golden, total = row.golden_actions, len(calls)
    if not golden:
        corr = 0.0 if calls else 1.0
        cr = 1 - count_duplicates(row, calls) / total if total else 1.0
        mpc = 0.0 if calls else 1.0
        eff = (cr + mpc) / 2 if total <= row.max_allowed_calls else 0.0
        return ActionQuality(corr, cr, mpc, 0.0 if calls else eff, ())
    if not calls:
        return ActionQuality(0.0, 0.0, 0.0, 0.0, (None,) * len(golden))
    matched = match_actions(row, calls)
    corr = sum(index is not None for index in matched) / len(golden)
    cr = 1 - count_duplicates(row, calls) / total
    mpc = min(1.0, len(golden) / total)
    eff = (cr + mpc) / 2 if total <= row.max_allowed_calls else 0.0
    return ActionQuality(corr, cr, mpc, eff, matched)


def match_actions(row: Row, calls: Sequence[RunCall]) -> tuple[int | None, ...]:
    """Per golden action the call that matches it, over all a largest possible matching."""
    schemas = tool_schemas(row)
    made_by = {call.result_id: call.name for call in calls if call.result_id is not None}
    golden_made_by = row.program.get("results") or {}
    options = [
        [
            index
            for index, call in enumerate(calls)
            if matches_action(action, call, schemas.get(action["name"]))
            and _same_origin(action["arguments"], call.arguments, golden_made_by, made_by)
        ]
        for action in row.golden_actions
    ]
    taken: dict[int, int] = {}
    for action in range(len(options)):
        _augment(action, options, taken, set())
    of_action = {action: call for call, action in taken.items()}
    return tuple(of_action.get(action) for action in range(len(options)))


def matches_action(action: Mapping[str, Any], call: RunCall, schema: Mapping[str, Any] | None) -> bool:
    """True where the call is the golden action: same function and `argument_slips` finds nothing."""
    if call.name != action["name"] or not call.executed or not isinstance(call.arguments, dict):
        return False
    return not argument_slips(action, call.arguments, schema)


def argument_slips(action: Mapping[str, Any], given: Mapping[str, Any], schema: Mapping[str, Any] | None) -> list[str]:
    """Why arguments are not those of a golden action, one text per slip; empty where they are.

    A golden argument outside `value_compare_args` may be left out or differ. Another
    argument is superfluous unless leaving it out asks for the same thing (a default
    spelled out). A null counts as left out.
    """
    name, gold = str(action["name"]), action["arguments"]
    given = {arg: value for arg, value in given.items() if value is not None}
    slips = [f"missing {arg}" for arg in (schema or {}).get("required", ()) if arg not in given]
    properties = (schema or {}).get("properties", {})
    slips += [f"type {arg}" for arg, value in given.items() if not fits_type(value, properties.get(arg))]
    if given == gold:
        return slips
    compared = action["value_compare_args"]
    wanted = canonical_request(name, {arg: gold[arg] for arg in compared})
    if canonical_request(name, {arg: given[arg] for arg in compared if arg in given}) != wanted:
        slips += [f"value {arg}" for arg in compared if not _same_value(name, arg, gold, given)]
    extra = [arg for arg in given if arg not in gold]
    if extra:
        whole = canonical_request(name, given)
        slips += [
            f"superfluous {arg}"
            for arg in extra
            if canonical_request(name, {k: v for k, v in given.items() if k != arg}) != whole
        ]
    return slips


def fits_type(value: Any, schema: Mapping[str, Any] | None) -> bool:
    """The BFCL way: the JSON type as declared; true and false are no numbers; unknown parameters fit nothing."""
    if schema is None:
        return False
    declared = schema.get("type", "string")
    kinds = declared if isinstance(declared, list) else [declared]
    for kind in kinds:
        expected = _JSON_TYPES.get(kind)
        if expected is None or (value is None and kind == "null"):
            return True
        if isinstance(value, bool):
            if kind == "boolean":
                return True
        elif isinstance(value, expected):
            return not isinstance(value, list) or all(fits_type(item, schema.get("items", {})) for item in value)
    return False


def count_duplicates(row: Row, calls: Sequence[RunCall]) -> int:
    """Calls that repeat an earlier request with no write and no environmental failure in between.

    A request that itself failed for the environment's sake may be tried again.
    """
    writers = writing_tools(row)
    seen: set[str] = set()
    repeats = 0
    for call in calls:
        request = request_text(call)
        if request in seen:
            repeats += 1
        if call.name in writers and call.result.ok:
            # the world has changed: whatever was asked before may now be answered otherwise
            seen.clear()
        if call.result.failure == "environmental":
            seen.clear()
        else:
            seen.add(request)
    return repeats


def request_text(call: RunCall) -> str:
    """The canonical request of a call; unreadable argument text stands for itself."""
    if isinstance(call.arguments, dict):
        return canonical_request(call.name, call.arguments)
    return f"{call.name} {call.arguments!r}"


def tool_schemas(row: Row) -> dict[str, dict[str, Any]]:
    """Tool name → JSON schema of its parameters, from the row's offered tools."""
    functions = [tool.get("function", tool) for tool in row.tools]
    return {str(function.get("name")): function.get("parameters") or {} for function in functions}


WRITING_TOOLS: Final[frozenset[str]] = frozenset({"save_table", "request_api_key"})
"""Local tools that change an episode's state."""


def writing_tools(row: Row) -> frozenset[str]:
    """Names of the row's tools that write."""
    return WRITING_TOOLS | frozenset(row.program.get("writes") or ())


def _same_value(name: str, arg: str, gold: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    if arg not in given:
        return canonical_request(name, {}) == canonical_request(name, {arg: gold[arg]})
    return canonical_request(name, {arg: given[arg]}) == canonical_request(name, {arg: gold[arg]})


def _same_origin(
    gold: Mapping[str, Any], given: Mapping[str, Any], golden_made_by: Mapping[str, str], made_by: Mapping[Any, str]
) -> bool:
    """Result ids count up in call order, so not the id is compared but the tool that made the result."""
    wanted = golden_made_by.get(str(gold.get("result_id")))
    return wanted is None or made_by.get(given.get("result_id")) == wanted


def _augment(action: int, options: Sequence[Sequence[int]], taken: dict[int, int], seen: set[int]) -> bool:
    """One augmenting path of Kuhn's algorithm; `taken` maps calls to actions."""
    for call in options[action]:
        if call in seen:
            continue
        seen.add(call)
        if call not in taken or _augment(taken[call], options, taken, seen):
            taken[call] = action
            return True
    return False
