"""ACTION: how well the executed calls follow the golden ones.

`Corr` is the share of golden actions that some call of the run matches, one call
per action (a maximum bipartite matching, so order never matters). `CR` counts
repeats, `MPC` compares the number of calls with the golden number, and `Eff` is
their mean, or 0 where `max_allowed_calls` was exceeded.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kopa_hf.bench.golden import GoldenAction, GoldenPath, form_slips, golden_path, request_key
from kopa_hf.bench.matching import largest_matching
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


class ReadCall:
    """One call as it is compared: its arguments in normal form, and the key of its request."""

    __slots__ = ("golden", "key", "normal")

    def __init__(self, path: GoldenPath, call: RunCall) -> None:
        self.golden: GoldenAction | None = None
        """The golden action that the call repeats to the letter; several may be alike, and one stands for all."""
        self.normal: Mapping[str, Any] | None = None
        """None where the arguments could not be read."""
        given = call.arguments
        if not isinstance(given, dict):
            # unreadable argument text stands for itself
            self.key: Hashable = (call.name, repr(given))
            return
        for action in path.by_name.get(call.name, ()):
            if action.is_verbatim(given):
                self.golden, self.normal, self.key = action, action.normal, action.key
                return
        self.normal = normal_arguments(call.name, given)
        self.key = request_key(call.name, self.normal)


def action_quality(row: Row, calls: Sequence[RunCall]) -> ActionQuality:
    """Corr, CR, MPC and Eff of a run; without golden actions 1 for no call, else Corr 0."""
    return read_run(row, calls)[0]


def read_run(row: Row, calls: Sequence[RunCall]) -> tuple[ActionQuality, list[Hashable], int]:
    """The run's quality, a key per call that equal requests share, and how many calls repeat one."""
    path, total = golden_path(row), len(calls)
    if not calls:
        whole = 0.0 if path.actions else 1.0
        return ActionQuality(whole, whole, whole, whole, (None,) * len(path.actions)), [], 0
    read = [ReadCall(path, call) for call in calls]
    keys = [each.key for each in read]
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
    path = golden_path(row)
    return _match(path, calls, [ReadCall(path, call) for call in calls])


def _match(path: GoldenPath, calls: Sequence[RunCall], read: Sequence[ReadCall]) -> tuple[int | None, ...]:
    made_by = {call.result_id: call.name for call in calls} if path.made_by else {}
    of_name: dict[str, list[int]] = {}
    for index, call in enumerate(calls):
        if call.executed and read[index].normal is not None:
            of_name.setdefault(call.name, []).append(index)
    # whether a call fits its tool's signature does not depend on the golden action
    formed: dict[int, bool] = {}
    options: list[list[int]] = []
    for action in path.actions:
        wanted = path.made_by.get(action.result_id)
        fitting: list[int] = []
        for index in of_name.get(action.name, ()):
            call = calls[index]
            # result ids count up in call order, so not the id is compared but the tool that made the result
            if wanted is not None and made_by.get(str(call.arguments.get("result_id"))) != wanted:
                continue
            if not _asks_the_same(action, call.arguments, read[index]):
                continue
            if index not in formed:
                formed[index] = _is_well_formed(path, call, read[index])
            if formed[index]:
                fitting.append(index)
        options.append(fitting)
    if all(len(fitting) == 1 for fitting in options) and len({fitting[0] for fitting in options}) == len(options):
        return tuple(fitting[0] for fitting in options)
    return largest_matching(options)


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
    slips = form_slips(given, schema)
    slips += [f"value {arg}" for arg in action.compared if normal.get(arg) != action.normal.get(arg)]
    slips += [f"superfluous {arg}" for arg in given if _is_superfluous(action, arg, given, normal)]
    return slips


def _is_well_formed(path: GoldenPath, call: RunCall, read: ReadCall) -> bool:
    if read.golden is not None:
        return read.golden.well_formed
    return not form_slips(call.arguments, path.schemas.get(call.name))


def _asks_the_same(action: GoldenAction, given: Mapping[str, Any], read: ReadCall) -> bool:
    """`_slips` without those of form, and without words for what was found."""
    if read.golden is action:
        return True
    normal = read.normal or {}
    for arg in action.compared:
        if normal.get(arg) != action.normal.get(arg):
            return False
    return all(arg in action.arguments for arg in given) or not any(
        _is_superfluous(action, arg, given, normal) for arg in given
    )


def _is_superfluous(action: GoldenAction, arg: str, given: Mapping[str, Any], normal: Mapping[str, Any]) -> bool:
    return given[arg] is not None and arg not in action.arguments and arg in normal


def count_duplicates(row: Row, calls: Sequence[RunCall]) -> int:
    """Calls that repeat an earlier request with no write and no environmental failure in between.

    A request that itself failed for the environment's sake may be tried again.
    """
    path = golden_path(row)
    return _repeats(path.writers, calls, [ReadCall(path, call).key for call in calls])


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
