"""What scoring asks of a row again and again: tool schemas, golden requests, who writes, what must come first.

A row is scored many times (four rollouts, eight seeds, every step of a training run),
its golden arguments never change, and bringing arguments to normal form is most of the
work. So all of it is found once per row.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any, Final

from kopa_hf.bench.program import sources_of
from kopa_hf.bench.rows import Row
from kopa_hf.catalog.canonical import normal_arguments

WRITING_TOOLS: Final[frozenset[str]] = frozenset({"save_table", "request_api_key"})
"""Local tools that change an episode's state."""

LOCAL_NAMES: Final[frozenset[str]] = frozenset(
    {"evaluate_expression", "get_current_date", "collect_pages", "reduce_records", "save_table", "request_api_key"}
)
"""Local tools bring nothing in from a service; a test holds this list against the catalog's."""

KEPT_ROWS: Final = 2048
"""Rows whose golden path is remembered; the longest kept goes first."""


class GoldenAction:
    """One golden action with its arguments in normal form."""

    __slots__ = ("_only_text", "arguments", "compared", "key", "name", "normal", "result_id", "well_formed")

    def __init__(self, action: Mapping[str, Any], schema: Mapping[str, Any] | None = None) -> None:
        self.name = str(action["name"])
        self.arguments: dict[str, Any] = action["arguments"]
        self.normal = normal_arguments(self.name, self.arguments)
        self.compared: tuple[str, ...] = tuple(action["value_compare_args"])
        self.result_id = str(self.arguments.get("result_id"))
        self.key = request_key(self.name, self.normal)
        """Equal for requests that a service answers alike."""
        self.well_formed = not form_slips(self.arguments, schema)
        """Whether the golden arguments fit the tool's signature, as a call with the same ones does."""
        self._only_text = all(type(value) is str for value in self.arguments.values())

    def is_verbatim(self, arguments: Mapping[str, Any]) -> bool:
        """Whether a call repeats the golden arguments to the letter, so that nothing about it need be found again."""
        # true is 1 and 60.0 is 60 to Python, but neither is to a service
        return arguments == self.arguments and (self._only_text or _same_types(arguments, self.arguments))


def _same_types(left: Any, right: Any) -> bool:
    """Whether equal values are of equal types, all the way down."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        # equal objects may stand in another order
        return all(_same_types(value, right[key]) for key, value in left.items())
    if isinstance(left, list):
        return all(map(_same_types, left, right))
    return True


def request_key(name: str, normal: Mapping[str, Any]) -> Hashable:
    """One key per request, from its arguments in normal form."""
    return name, _frozen(normal)


def _frozen(normal: Any) -> Hashable:
    """A normal form that can be a key: objects as sets of pairs, lists as tuples."""
    if isinstance(normal, dict):
        return frozenset([(key, value if type(value) is str else _frozen(value)) for key, value in normal.items()])
    return tuple(map(_frozen, normal)) if isinstance(normal, list) else normal


_JSON_TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def form_slips(given: Mapping[str, Any], schema: Mapping[str, Any] | None) -> list[str]:
    """What is missing or of another type than declared; a null counts as left out."""
    schema = schema or {}
    properties = schema.get("properties", {})
    slips = [f"missing {arg}" for arg in schema.get("required", ()) if given.get(arg) is None]
    for arg, value in given.items():
        if value is not None and not fits_type(value, properties.get(arg)):
            slips.append(f"type {arg}")
    return slips


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


class GoldenPath:
    """A row as scoring reads it."""

    def __init__(self, row: Row) -> None:
        self.row = row
        functions = [tool.get("function", tool) for tool in row.tools]
        self.schemas: dict[str, dict[str, Any]] = {str(f.get("name")): f.get("parameters") or {} for f in functions}
        """Tool name → JSON schema of its parameters."""
        self.actions = [GoldenAction(action, self.schemas.get(str(action["name"]))) for action in row.golden_actions]
        self.by_name: dict[str, list[GoldenAction]] = {}
        for action in self.actions:
            self.by_name.setdefault(action.name, []).append(action)
        self.names = frozenset(action.name for action in self.actions)
        self.made_by: Mapping[str, str] = row.program.get("results") or {}
        """Golden result id → the tool that made the result."""
        self.writers = WRITING_TOOLS | frozenset(row.program.get("writes") or ())
        self.local_only = all(action.name in LOCAL_NAMES for action in self.actions)
        self.needs_all_pages = any(action.name == "collect_pages" for action in self.actions)

    @cached_property
    def prerequisites(self) -> tuple[str, ...]:
        """What must come first: service tools whose results feed other service calls, and keys to be issued.

        A result that reaches a service call through a local tool (collected, then reduced)
        counts as well. In the program's order.
        """
        actions = {str(action["id"]): action for action in self.row.program.get("actions") or ()}
        needed: set[str] = set()
        waiting = [action for action in actions.values() if action["name"] not in LOCAL_NAMES]
        while waiting:
            action = waiting.pop()
            for source in sources_of(action):
                if source in needed or source not in actions:
                    continue
                needed.add(source)
                if actions[source]["name"] in LOCAL_NAMES:
                    waiting.append(actions[source])
        names = [
            action["name"] for key, action in actions.items() if key in needed and action["name"] not in LOCAL_NAMES
        ]
        keys = [action["name"] for action in actions.values() if action["name"] == "request_api_key"]
        return tuple(dict.fromkeys([*names, *keys]))


_PATHS: Final[dict[int, GoldenPath]] = {}


def golden_path(row: Row) -> GoldenPath:
    """The row's golden path, remembered per row object; rows are never changed in place."""
    kept = _PATHS.get(id(row))
    # an id is given again once its row is gone; a path holds its row, so it cannot be gone while remembered
    if kept is not None and kept.row is row:
        return kept
    path = GoldenPath(row)
    while len(_PATHS) >= KEPT_ROWS:
        _PATHS.pop(next(iter(_PATHS)), None)
    _PATHS[id(row)] = path
    return path
