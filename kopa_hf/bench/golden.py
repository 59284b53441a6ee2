"""What scoring asks of a row again and again: tool schemas, golden requests, who writes, what must come first.

A row is scored many times (four rollouts, eight seeds, every step of a training run),
its golden arguments never change, and bringing arguments to normal form is most of the
work. So all of it is found once per row.
"""

from __future__ import annotations

from collections.abc import Mapping
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

    __slots__ = ("arguments", "compared", "name", "normal", "result_id")

    def __init__(self, action: Mapping[str, Any]) -> None:
        self.name = str(action["name"])
        self.arguments: dict[str, Any] = action["arguments"]
        self.normal = normal_arguments(self.name, self.arguments)
        self.compared: tuple[str, ...] = tuple(action["value_compare_args"])
        self.result_id = str(self.arguments.get("result_id"))


class GoldenPath:
    """A row as scoring reads it."""

    def __init__(self, row: Row) -> None:
        self.row = row
        functions = [tool.get("function", tool) for tool in row.tools]
        self.schemas: dict[str, dict[str, Any]] = {str(f.get("name")): f.get("parameters") or {} for f in functions}
        """Tool name → JSON schema of its parameters."""
        self.actions = [GoldenAction(action) for action in row.golden_actions]
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
