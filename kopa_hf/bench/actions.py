"""ACTION: how well the executed calls follow the golden ones.

`Corr` is the share of golden actions that some call of the run matches, one call
per action (a maximum bipartite matching, so order never matters). `CR` counts
repeats, `MPC` compares the number of calls with the golden number, and `Eff` is
their mean, or 0 where `max_allowed_calls` was exceeded.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from kopa_hf.bench.golden import GoldenAction, GoldenPath, golden_path
from kopa_hf.bench.rows import Row
from kopa_hf.catalog.canonical import normal_arguments
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
    return read_run(row, calls)[0]


def read_run(row: Row, calls: Sequence[RunCall]) -> tuple[ActionQuality, list[Hashable], int]:
    """The run's quality, a key per call that equal requests share, and how many calls repeat one."""
    path, total = golden_path(row), len(calls)
    if not calls:
        whole = 0.0 if path.actions else 1.0
        return ActionQuality(whole, whole, whole, whole, (None,) * len(path.actions)), [], 0
    read = read_calls(calls)
    keys = request_keys(calls, read)
    repeats = _repeats(path.writers, calls, keys)
    cr = 1 - repeats / total
    if not path.actions:
        return ActionQuality(0.0, cr, 0.0, 0.0, ()), keys, repeats
    matched = _match(path, calls, read)
    corr = sum(index is not None for index in matched) / len(matched)
    mpc = min(1.0, len(matched) / total)
    eff = (cr + mpc) / 2 if total <= row.max_allowed_calls else 0.0
    return ActionQuality(corr, cr, mpc, eff, matched), keys, repeats


def match_actions(row: Row, calls: Sequence[RunCall]) -> tuple[int | None, ...]:
    """Per golden action the call that matches it, over all a largest possible matching."""
    return _match(golden_path(row), calls, read_calls(calls))


def read_calls(calls: Sequence[RunCall]) -> list[dict[str, Any] | None]:
    """Each call's arguments in normal form; None where they could not be read."""
    return [normal_arguments(call.name, call.arguments) if isinstance(call.arguments, dict) else None for call in calls]


def _match(path: GoldenPath, calls: Sequence[RunCall], read: Sequence[dict[str, Any] | None]) -> tuple[int | None, ...]:
    made_by = {call.result_id: call.name for call in calls} if path.made_by else {}
    options: list[list[int]] = []
    # whether a call fits its tool's signature does not depend on the golden action
    formed: dict[int, bool] = {}
    for action in path.actions:
        wanted = path.made_by.get(action.result_id)
        fitting: list[int] = []
        for index, call in enumerate(calls):
            normal = read[index]
            if call.name != action.name or not call.executed or normal is None:
                continue
            # result ids count up in call order, so not the id is compared but the tool that made the result
            if wanted is not None and made_by.get(str(call.arguments.get("result_id"))) != wanted:
                continue
            if not _asks_the_same(action, call.arguments, normal):
                continue
            if index not in formed:
                formed[index] = not _form_slips(call.arguments, path.schemas.get(action.name))
            if formed[index]:
                fitting.append(index)
        options.append(fitting)
    taken: dict[int, int] = {}
    for number in range(len(options)):
        _augment(number, options, taken, set())
    of_action = {number: call for call, number in taken.items()}
    return tuple(of_action.get(number) for number in range(len(options)))


def argument_slips(action: Mapping[str, Any], given: Mapping[str, Any], schema: Mapping[str, Any] | None) -> list[str]:
    """Why arguments are not those of a golden action, one text per slip; empty where they are.

    A golden argument outside `value_compare_args` may be left out or differ. Another
    argument is superfluous unless leaving it out asks for the same thing (a default
    spelled out). A null counts as left out.
    """
    golden = GoldenAction(action)
    return _slips(golden, given, normal_arguments(golden.name, given), schema)


def _slips(
    action: GoldenAction, given: Mapping[str, Any], normal: Mapping[str, Any], schema: Mapping[str, Any] | None
) -> list[str]:
    slips = _form_slips(given, schema)
    slips += [f"value {arg}" for arg in action.compared if normal.get(arg) != action.normal.get(arg)]
    slips += [f"superfluous {arg}" for arg in given if _is_superfluous(action, arg, given, normal)]
    return slips


def _form_slips(given: Mapping[str, Any], schema: Mapping[str, Any] | None) -> list[str]:
    """What is missing or of another type than declared; a null counts as left out."""
    schema = schema or {}
    properties = schema.get("properties", {})
    slips = [f"missing {arg}" for arg in schema.get("required", ()) if given.get(arg) is None]
    for arg, value in given.items():
        if value is not None and not fits_type(value, properties.get(arg)):
            slips.append(f"type {arg}")
    return slips


def _asks_the_same(action: GoldenAction, given: Mapping[str, Any], normal: Mapping[str, Any]) -> bool:
    """`_slips` without those of form, and without words for what was found."""
    for arg in action.compared:
        if normal.get(arg) != action.normal.get(arg):
            return False
    return all(arg in action.arguments for arg in given) or not any(
        _is_superfluous(action, arg, given, normal) for arg in given
    )


def _is_superfluous(action: GoldenAction, arg: str, given: Mapping[str, Any], normal: Mapping[str, Any]) -> bool:
    return given[arg] is not None and arg not in action.arguments and arg in normal


def fits_type(value: Any, schema: Mapping[str, Any] | None) -> bool:
    """The BFCL way: the JSON type as declared; true and false are no numbers; unknown parameters fit nothing."""
    if schema is None:
        return False
    declared = schema.get("type", "string")
    if type(value) is str and declared == "string":
        return True
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
    return _repeats(golden_path(row).writers, calls, request_keys(calls, read_calls(calls)))


def request_keys(calls: Sequence[RunCall], read: Sequence[dict[str, Any] | None]) -> list[Hashable]:
    """One key per call, equal for requests that a service answers alike; unreadable argument text stands for itself."""
    return [
        (call.name, repr(call.arguments)) if normal is None else (call.name, _frozen(normal))
        for call, normal in zip(calls, read, strict=True)
    ]


def _frozen(normal: Any) -> Hashable:
    """A normal form that can be a key: objects as sets of pairs, lists as tuples."""
    if isinstance(normal, dict):
        return frozenset([(key, value if type(value) is str else _frozen(value)) for key, value in normal.items()])
    return tuple(map(_frozen, normal)) if isinstance(normal, list) else normal


def _repeats(writers: frozenset[str], calls: Sequence[RunCall], keys: Sequence[Hashable]) -> int:
    seen: set[Hashable] = set()
    repeats = 0
    for call, request in zip(calls, keys, strict=True):
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


def tool_schemas(row: Row) -> dict[str, dict[str, Any]]:
    """Tool name → JSON schema of its parameters, from the row's offered tools."""
    return golden_path(row).schemas


def writing_tools(row: Row) -> frozenset[str]:
    """Names of the row's tools that write."""
    return golden_path(row).writers


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
